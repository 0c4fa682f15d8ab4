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

/// The station whose curvature counts at a station: at the ends of an open curve, which have none,
/// it is the neighbour.
#[inline]
pub fn curved(station: usize, stations: usize, closed: bool) -> usize {
    if closed { station } else { station.clamp(1, stations - 2) }
}

/// h h' of equation (1), for the steps before and after the station `curved`: an end of an open
/// curve has one step, which counts for both.
fn product_of_steps(station: usize, curved: usize, [before, after]: [f64; 2]) -> f64 {
    match station.cmp(&curved) {
        Ordering::Less => before * before,
        Ordering::Equal => before * after,
        Ordering::Greater => after * after,
    }
}

/// The curve's points at the stations, computed from at least three control points.
pub fn knots(control: &[Point], closed: bool) -> Vec<Point> {
    let n = control.len();
    (0..n)
        .map(|i| {
            let curved = curved(i, n, closed);
            let before = control[(curved + n - 1) % n] - control[curved];
            let after = control[(curved + 1) % n] - control[curved];
            let (h, next) = (before.norm(), after.norm());
            let product = product_of_steps(i, curved, [h, next]);
            // Equation (1).
            control[i] + (after / next + before / h) * (product / (3.0 * (h + next)))
        })
        .collect()
}

/// Distance of the curve to the left of its control point at each station, m, for the curvature of
/// the line on which the stations were placed.
pub fn insets(stations: &[Station], closed: bool) -> Vec<f64> {
    let n = stations.len();
    (0..n)
        .map(|i| {
            let curved = curved(i, n, closed);
            let steps = [(curved + n - 1) % n, curved].map(|k| stations[k].step);
            stations[curved].curvature * product_of_steps(i, curved, steps) / 6.0 // equation (1)
        })
        .collect()
}
