//! Where a boost is useful: where the road ahead is straight enough.
//!
//! The measure is the radius of the circle through each three successive points of the path ahead,
//! as an entrant of the Russian AI Cup 2015 (CodeRacing) used it for nitro and speed.

use crate::chassis::Frame;
use crate::geometry::{Point, distance, dot, subtract};
use crate::options::BoostOptions;
use crate::target_speed::Walk;

/// Radius of the circle through three points: the product of the sides over four times the area.
/// Infinite when they lie on a line in order, 0 if the path turns back on itself.
pub fn circle_radius(a: Point, b: Point, c: Point) -> f64 {
    let (u, v) = (subtract(b, a), subtract(c, b));
    let cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    let double_area = dot(cross, cross).sqrt();
    let sides = distance(a, b) * distance(b, c) * distance(a, c);
    // Flatter than the resolution of coordinates.
    if double_area <= 1e-12 * (dot(u, u) + dot(v, v)) {
        return if dot(u, v) < 0.0 { 0.0 } else { f64::INFINITY };
    }
    sides / (2.0 * double_area)
}

/// Whether every circle ahead is wide enough.
pub(crate) fn straight_ahead(frame: &Frame<'_>, options: &BoostOptions) -> bool {
    let mut walk = Walk::new(frame.path, frame.nearest.segment);
    let mut a = frame.here.position_m;
    let mut b = walk.position(frame.nearest.s + options.spacing_m);
    for i in 2..options.points {
        let c = walk.position(frame.nearest.s + i as f64 * options.spacing_m);
        // An open path ends: its last points coincide, and a boost is useless there.
        if distance(b, c) < 0.5 * options.spacing_m || circle_radius(a, b, c) < options.min_radius_m {
            return false;
        }
        (a, b) = (b, c);
    }
    true
}
