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
//! steps this holds up to the growth of the steps. See de Boor, *A Practical Guide to Splines*,
//! chapters IX and XI.

use super::Station;
use raceline_road::geometry::Point;

/// The curve's points at the stations, computed from the control points. The ends of an open curve
/// are its control points.
pub fn knots(control: &[Point], closed: bool) -> Vec<Point> {
    let n = control.len();
    (0..n)
        .map(|i| {
            if !closed && (i == 0 || i + 1 == n) {
                return control[i];
            }
            let (before, after) = (control[(i + n - 1) % n] - control[i], control[(i + 1) % n] - control[i]);
            let (h, next) = (before.norm(), after.norm());
            // Equation (1).
            control[i] + (after / next + before / h) * (h * next / (3.0 * (h + next)))
        })
        .collect()
}

/// Distance of the curve to the left of its control point at each station, m, for the curvature of
/// the line on which the stations were placed.
pub fn insets(stations: &[Station], closed: bool) -> Vec<f64> {
    let n = stations.len();
    (0..n)
        .map(|i| {
            if !closed && (i == 0 || i + 1 == n) {
                return 0.0;
            }
            stations[i].curvature * stations[(i + n - 1) % n].step * stations[i].step / 6.0 // equation (1)
        })
        .collect()
}
