//! The B-spline whose curvature is optimised.
//!
//! Three-point curvature is that of the cubic B-spline whose control points are the stations'
//! points. At its knots, the spline's second derivative equals theirs, and it is linear in between,
//! as in the problem. The knots do not coincide with the control points, but lie inside them by a
//! sixth of the second difference,
//!
//! ```text
//! Z = P + h h' κ n / 6                                                                       (1)
//! ```
//!
//! so these points are returned: the interpolating spline through them is that curve. On unequal
//! steps this holds up to the growth of the steps. At the ends of an open curve, κ is that of the
//! neighbour, as in the problem and in the spline. See de Boor, *A Practical Guide to Splines*,
//! chapters IX and XI.

use std::cmp::Ordering;

use super::Station;
use raceline_road::geometry::Point;

/// The curve's points at the stations, computed from at least three control points.
pub fn knots(control: &[Point], closed: bool) -> Vec<Point> {
    let n = control.len();
    (0..n)
        .map(|i| {
            let curved = if closed { i } else { i.clamp(1, n - 2) };
            let before = control[(curved + n - 1) % n] - control[curved];
            let after = control[(curved + 1) % n] - control[curved];
            let (h, next) = (before.norm(), after.norm());
            let own = match i.cmp(&curved) {
                Ordering::Less => h * h,
                Ordering::Equal => h * next,
                Ordering::Greater => next * next,
            };
            // Equation (1).
            control[i] + (after / next + before / h) * (own / (3.0 * (h + next)))
        })
        .collect()
}

/// Distance of the curve to the left of its control point at each station, m, for the curvature of
/// the line on which the stations were placed.
pub fn insets(stations: &[Station], closed: bool) -> Vec<f64> {
    let n = stations.len();
    (0..n)
        .map(|i| {
            let curved = if closed { i } else { i.clamp(1, n - 2) };
            let (step, next) = (stations[(curved + n - 1) % n].step, stations[curved].step);
            let own = match i.cmp(&curved) {
                Ordering::Less => step * step,
                Ordering::Equal => step * next,
                Ordering::Greater => next * next,
            };
            stations[curved].curvature * own / 6.0 // equation (1)
        })
        .collect()
}
