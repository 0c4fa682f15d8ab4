//! A polygon with a radius at each corner, which every style draws.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use raceline_numerics::math;
use raceline_road::geometry::{Point, Vector, cross};

/// A corner sharper than this is cut into two, radians.
const SHARPEST_RAD: f64 = 2.0;

/// Turns of less than this get wider radii, up to so many times, radians.
const USUAL_TURN_RAD: f64 = 1.4;
const MAX_WIDENED: f64 = 6.0;

/// The corners of a road before rounding. Only the polygon's shape counts, not its size.
#[derive(Clone, Debug)]
pub(super) struct Corners {
    pub closed: bool,
    pub points: Vec<Point>,
    /// Radius wanted at each corner, m; the ends of an open polygon have none.
    pub radii_m: Vec<f64>,
}

impl Corners {
    /// The angle between the sides that meet at corner `i`, radians, positive to the left; 0 at the
    /// ends of an open polygon.
    pub fn turn(&self, i: usize) -> f64 {
        let n = self.points.len();
        if !self.closed && (i == 0 || i + 1 == n) {
            return 0.0;
        }
        let here = self.points[i];
        turn(here - self.points[(i + n - 1) % n], self.points[(i + 1) % n] - here)
    }

    /// Corners in the opposite order, for half of all seeds.
    pub fn reversed_at_random(mut self, random: &mut ChaCha8Rng) -> Self {
        if random.random_bool(0.5) {
            self.points.reverse();
            self.radii_m.reverse();
        }
        self
    }

    /// Wider radii where the road turns less: a bend of a few degrees takes about as long as a corner.
    pub fn with_wide_bends(mut self) -> Self {
        for i in 0..self.points.len() {
            self.radii_m[i] *= (USUAL_TURN_RAD / self.turn(i).abs().max(1e-3)).clamp(1.0, MAX_WIDENED);
        }
        self
    }

    /// The corners turned about the origin by an angle at random.
    pub fn turned_at_random(mut self, random: &mut ChaCha8Rng) -> Self {
        let angle = std::f64::consts::TAU * random.random::<f64>();
        let (sin, cos) = math::sin_cos(angle);
        for p in &mut self.points {
            *p = Point::new(cos * p.x - sin * p.y, sin * p.x + cos * p.y);
        }
        self
    }
}

/// The angle from `a` to `b`, radians, in (-π, π].
pub(super) fn turn(a: Vector, b: Vector) -> f64 {
    math::atan2(cross(a, b), a.dot(&b))
}

/// A closed polygon whose sharp corners are cut off: each becomes two corners of half the angle, at
/// `share` of the shorter side from the old one.
pub(super) fn without_sharp_corners(points: &[Point], fraction: f64) -> Vec<Point> {
    let n = points.len();
    let mut cut = Vec::with_capacity(2 * n);
    for i in 0..n {
        let (before, here, after) = (points[(i + n - 1) % n], points[i], points[(i + 1) % n]);
        let (back, ahead) = (before - here, after - here);
        if turn(-back, ahead).abs() > SHARPEST_RAD {
            let off = fraction * back.norm().min(ahead.norm());
            cut.extend([here + back.normalize() * off, here + ahead.normalize() * off]);
        } else {
            cut.push(here);
        }
    }
    cut
}
