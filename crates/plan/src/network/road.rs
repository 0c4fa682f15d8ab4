//! The road along a route: its streets' edges, with the corners rounded.
//!
//! At a corner with the turn θ the middle of the road is an arc whose radius is a little more than
//! half the street's width. The inner edge is then the corner of the two streets, rounded by that
//! little; the outer edge is an arc between the streets' outer edges. The arc of a gentle bend is as
//! large as the pieces beside it allow, and leaves the bend's corner by at most a fraction of the
//! width: lines along real streets are chords of their bends.

use super::{NetworkError, Route};
use raceline_numerics::math;
use raceline_road::construction::{ImportOptions, Imported, road_of_widths};
use raceline_road::geometry::{Point, Vector, cross};

/// Radius of the middle of the road in a corner, in half-widths, above 1: the inner edge would be a
/// point otherwise. A larger one leaves the corner sooner and may leave the street.
const CORNER_RADIUS: f64 = 1.1;
/// The middle of the road leaves the corner of a gentle bend by at most so many half-widths.
const GENTLE: f64 = 0.15;
/// Largest part of a piece that the arc at one of its ends takes, below 0.5: two arcs must fit. A
/// smaller one makes corners between short pieces tighter.
const PIECE_FRACTION: f64 = 0.48;
/// Smaller turns are no corners, rad.
const STRAIGHT_RAD: f64 = 1e-3;
/// Points of an arc are at most this far apart, rad …
const ARC_STEP_RAD: f64 = 0.12;
/// … and the other ones this many half-widths.
const STEP_HALF_WIDTHS: f64 = 0.5;

/// The edges of the road along `route`, metres.
///
/// # Errors
/// [`NetworkError::RepeatsStreet`] from [`Route::check`] is the caller's;
/// [`NetworkError::Import`] where the edges fold.
pub fn road_along(route: &Route, options: &ImportOptions) -> Result<Imported, NetworkError> {
    let (line, half_width_m) = rounded(&route.path, &route.half_width_m, route.closed);
    let imported = road_of_widths(&line, &half_width_m, route.closed, options)?;
    Ok(Imported { start: route.path.first().copied(), ..imported })
}

/// The path with rounded corners, and half the width at each of its points.
fn rounded(path: &[Point], half_width_m: &[f64], closed: bool) -> (Vec<Point>, Vec<f64>) {
    let count = path.len();
    let legs = if closed { count } else { count.saturating_sub(1) };
    let (mut line, mut widths) = (Vec::new(), Vec::new());
    let corner = |index: usize| -> Option<Corner> {
        if !closed && (index == 0 || index + 1 == count) {
            return None;
        }
        let before = (index + count - 1) % count;
        let half = half_width_m[before].max(half_width_m[index % legs]);
        Corner::new([path[before], path[index], path[(index + 1) % count]], half)
    };
    for leg in 0..legs {
        let (from, to) = (path[leg], path[(leg + 1) % count]);
        let half = half_width_m[leg];
        let direction = (to - from).try_normalize(0.0).unwrap_or_default();
        let first = from + direction * corner(leg).map_or(0.0, |corner| corner.tangent_m);
        let last_corner = corner((leg + 1) % count);
        let last = to - direction * last_corner.as_ref().map_or(0.0, |corner| corner.tangent_m);
        let parts = ((last - first).norm() / (STEP_HALF_WIDTHS * half)).ceil().clamp(1.0, 1e4) as usize;
        for part in 0..=parts {
            line.push(first + (last - first) * (part as f64 / parts as f64));
            widths.push(half);
        }
        if let Some(corner) = last_corner {
            let after = half_width_m[(leg + 1) % legs];
            let steps = (corner.turn_rad.abs() / ARC_STEP_RAD).ceil() as usize;
            for step in 1..steps {
                let fraction = step as f64 / steps as f64;
                line.push(corner.at(last, direction, fraction));
                widths.push(half + fraction * (after - half));
            }
        }
    }
    let mut kept: Vec<(Point, f64)> = Vec::with_capacity(line.len());
    for (point, half) in line.into_iter().zip(widths) {
        if kept.last().is_none_or(|(last, _)| (point - last).norm() > 0.02 * half) {
            kept.push((point, half));
        }
    }
    if closed && kept.len() > 1 && kept.first().zip(kept.last()).is_some_and(|(a, b)| (a.0 - b.0).norm() < 0.02 * a.1) {
        kept.pop();
    }
    kept.into_iter().unzip()
}

/// An arc in place of a corner.
struct Corner {
    turn_rad: f64,
    radius_m: f64,
    /// Distance of the arc's ends from the corner, metres.
    tangent_m: f64,
}

impl Corner {
    fn new([before, at, after]: [Point; 3], half_width_m: f64) -> Option<Self> {
        let (a, b) = (at - before, after - at);
        let turn_rad = math::atan2(cross(a, b), a.dot(&b));
        if turn_rad.abs() < STRAIGHT_RAD {
            return None;
        }
        let half = (turn_rad.abs() / 2.0).min(1.5);
        let wanted_m = (CORNER_RADIUS * half_width_m).max(GENTLE * half_width_m / (1.0 / math::cos(half) - 1.0));
        let max_m = PIECE_FRACTION * a.norm().min(b.norm()) / math::tan(half);
        let radius_m = wanted_m.min(max_m);
        Some(Self { turn_rad, radius_m, tangent_m: radius_m * math::tan(half) })
    }

    /// The point at a fraction of the arc that begins at `first` in `direction`.
    fn at(&self, first: Point, direction: Vector, fraction: f64) -> Point {
        let angle = self.turn_rad * fraction;
        let side = self.turn_rad.signum();
        let left = Vector::new(-direction.y, direction.x);
        first
            + direction * (self.radius_m * math::sin(angle.abs()))
            + left * (side * self.radius_m * (1.0 - math::cos(angle)))
    }
}
