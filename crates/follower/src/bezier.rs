//! Exact maximum curvature of quadratic Bézier curves in the plane and in space.
//!
//! With end points p0, p2 and control point p1 the curve is
//! `b(t) = (1-t)² p0 + 2t(1-t) p1 + t² p2`, 0 ≤ t ≤ 1. Let u = p1 - p0 and v = p2 - p1. Then b'(t)
//! = 2 (u + t (v - u)) and b''(t) = 2 (v - u), so that
//!
//! ```text
//! b' × b'' = 4 (u × v)                       for every t                                     (1)
//! κ(t) = |b' × b''| / |b'|³ = A / |u + t (v - u)|³      A = |u × v| / 2                      (2)
//! ```
//!
//! with A the area of the triangle.
//! Curvature is largest where the derivative is shortest: at the foot of the perpendicular from the
//! origin to the segment from u to v. With m = (p0 + p2)/2 we have v - u = 2 (m - p1), and the foot
//!
//! ```text
//! t* = u·(u - v) / |u - v|²                                                                  (3)
//! ```
//!
//! lies inside the segment exactly if u·(u - v) > 0 and v·(u - v) < 0, that is, if p1 lies outside
//! both balls on the diameters p0-m and m-p2. Then the shortest derivative is the height of the
//! triangle (0, u, v) over its side
//! |u - v| = 2 |p1 - m|, and
//!
//! ```text
//! κ_max = |p1 - m|³ / A²                                                                     (4)
//! ```
//!
//! Otherwise curvature is monotonic and largest at an end: A / |u|³ or A / |v|³.
//!
//! The closed form was published with its use for game vehicles by de Schaetzen and Sestini,
//! *Efficient Ground Vehicle Path Following in Game AI*, IEEE Conference on Games 2023, Algorithm
//! 1; the derivation above by the derivative's hodograph and the treatment of degenerate triangles
//! are this crate's own.

use crate::geometry::{dot, subtract};
use raceline_numerics::math;

/// A point or vector in space, metres; the third coordinate of a plane curve is zero.
pub type Point = [f64; 3];

/// A quadratic Bézier curve.
///
/// ```
/// use raceline_follower::bezier::QuadraticBezier;
///
/// let bend = QuadraticBezier::plane([0.0, 0.0], [10.0, 0.0], [10.0, 10.0]);
/// assert_eq!(bend.point(0.5), [7.5, 2.5, 0.0]);
/// assert!((bend.max_curvature() - bend.curvature(0.5)).abs() < 1e-12);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QuadraticBezier {
    /// Start point, metres.
    pub start: Point,
    /// Control point, metres: the tangents at both ends pass through it.
    pub control: Point,
    /// End point, metres.
    pub end: Point,
}

/// Range of squared legs, m², whose products do not overflow or underflow.
const USUAL_SQUARES: std::ops::RangeInclusive<f64> = 1e-72..=1e72;

/// Triangles with an area below this fraction of the square of their longer leg count as straight:
/// the deviation is below the resolution of the coordinates.
const STRAIGHT_FRACTION: f64 = 1e-14;

impl QuadraticBezier {
    /// A curve in the plane.
    pub fn plane(start: [f64; 2], control: [f64; 2], end: [f64; 2]) -> Self {
        let lift = |p: [f64; 2]| [p[0], p[1], 0.0];
        Self { start: lift(start), control: lift(control), end: lift(end) }
    }

    /// The point at parameter `t`, 0 at the start and 1 at the end.
    pub fn point(&self, t: f64) -> Point {
        let r = 1.0 - t;
        std::array::from_fn(|i| r * r * self.start[i] + 2.0 * t * r * self.control[i] + t * t * self.end[i])
    }

    /// The curvature at parameter `t`, 1/m, never negative; zero on a straight and infinite where a
    /// straight turns back.
    pub fn curvature(&self, t: f64) -> f64 {
        let (u, v) = (subtract(self.control, self.start), subtract(self.end, self.control));
        let derivative: Point = std::array::from_fn(|i| u[i] + t * (v[i] - u[i]));
        let area = triangle_area(u, v);
        if area == 0.0 {
            return if turns_back(u, v) && dot(derivative, derivative) == 0.0 { f64::INFINITY } else { 0.0 };
        }
        area / cube(length(derivative)) // equation (2), which has A by equation (1)
    }

    /// Largest curvature of the whole curve, 1/m.
    ///
    /// Three points on a line give zero, unless the control point lies beyond an end: then the
    /// curve turns back on itself, and the result is infinite. Finite points never give NaN.
    pub fn max_curvature(&self) -> f64 {
        let (u, v) = (subtract(self.control, self.start), subtract(self.end, self.control));
        let (uu, vv) = (dot(u, u), dot(v, v));
        let longer = uu.max(vv);
        if !USUAL_SQUARES.contains(&longer) && longer != 0.0 {
            return self.unusual_max_curvature(u.iter().chain(&v).fold(0.0_f64, |size, x| size.max(x.abs())));
        }
        let cross = cross(u, v);
        // Four times the square of the area.
        let cc = dot(cross, cross);
        if cc <= 4.0 * STRAIGHT_FRACTION * STRAIGHT_FRACTION * longer * longer {
            return if turns_back(u, v) { f64::INFINITY } else { 0.0 };
        }
        let w = subtract(u, v);
        // Where t* of equation (3) lies.
        if dot(u, w) <= 0.0 {
            (cc / uu).sqrt() / (2.0 * uu)
        } else if dot(v, w) >= 0.0 {
            (cc / vv).sqrt() / (2.0 * vv)
        } else {
            // Equation (4), with |p1 - m| = |u - v| / 2.
            let ww = dot(w, w);
            ww * ww.sqrt() / (2.0 * cc)
        }
    }

    /// The largest curvature of a curve whose squares and products might overflow or underflow: the
    /// curve is scaled to size 1, and curvature scales with 1 / size. A size that would itself
    /// overflow is scaled down first.
    #[cold]
    fn unusual_max_curvature(&self, size: f64) -> f64 {
        if ![self.start, self.control, self.end].iter().flatten().all(|x| x.is_finite()) {
            return f64::NAN;
        }
        let scaled = |factor: f64| {
            let scale = |p: Point| p.map(|x| x * factor);
            Self { start: scale(self.start), control: scale(self.control), end: scale(self.end) }
        };
        if size >= 1e300 {
            const DOWN: f64 = 1e-200;
            return scaled(DOWN).max_curvature() * DOWN;
        }
        // Relative to the start, so that a small curve far from the origin keeps its shape; in two
        // steps, since 1 / size might overflow.
        let half = size.sqrt();
        let shape = Self {
            start: [0.0; 3],
            control: subtract(self.control, self.start).map(|x| x / half / half),
            end: subtract(self.end, self.start).map(|x| x / half / half),
        };
        shape.max_curvature() / half / half
    }
}

/// Highest speed, m/s, at which a vehicle with `lateral_acceleration`, m/s², follows `curvature`,
/// 1/m, of either sign: v = √(a/|κ|), at most `max_speed`, m/s, which applies on a straight. A
/// negative acceleration gives zero, and so does NaN in either of the first two: a vehicle with an
/// unknown path stops.
pub fn cornering_speed(lateral_acceleration: f64, curvature: f64, max_speed: f64) -> f64 {
    let acceleration = lateral_acceleration.max(0.0);
    let curvature = curvature.abs();
    // Compared before dividing, so that a straight requires no separate case.
    if curvature * max_speed * max_speed <= acceleration {
        max_speed
    } else {
        (acceleration / curvature).sqrt().max(0.0)
    }
}

fn length(a: Point) -> f64 {
    let squared = dot(a, a);
    // A square root takes a fifth of the time of two `hypot`, but its square must not overflow.
    if (1e-200..1e200).contains(&squared) { squared.sqrt() } else { math::hypot(math::hypot(a[0], a[1]), a[2]) }
}

fn cross(u: Point, v: Point) -> Point {
    [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
}

/// Half of |u × v|; exactly zero where the two are parallel to rounding.
fn triangle_area(u: Point, v: Point) -> f64 {
    let area = length(cross(u, v)) / 2.0;
    let longer_squared = dot(u, u).max(dot(v, v));
    if area <= STRAIGHT_FRACTION * longer_squared { 0.0 } else { area }
}

fn cube(x: f64) -> f64 {
    x * x * x
}

/// Whether two parallel legs point in opposite directions.
fn turns_back(u: Point, v: Point) -> bool {
    dot(u, v) < 0.0
}
