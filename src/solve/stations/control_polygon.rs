//! The curve whose bending the problem reckons with.
//!
//! Three-point curvature belongs to the cubic B-spline of which the stations' points are the control points: at its knots its second
//! derivative is theirs, and it is linear in between, as the problem has it. Its knots don't lie on the control points but
//! inside by a sixth of the second difference,
//!
//! ```text
//! Z = P + h h' κ n / 6
//! ```
//!
//! so these are the points to give away: the interpolating spline through them is that curve. (On uneven steps this is so up
//! to the steps' growth.) See de Boor, *A Practical Guide to Splines*, chapters IX and XI.

use super::Station;
use crate::geometry::Point;

/// The curve's points at the stations, from the control points. The ends of an open curve are its control points.
pub fn knots(control: &[Point], closed: bool) -> Vec<Point> {
    let n = control.len();
    (0..n)
        .map(|i| {
            if !closed && (i == 0 || i + 1 == n) {
                return control[i];
            }
            let (before, after) = (control[(i + n - 1) % n] - control[i], control[(i + 1) % n] - control[i]);
            let (h, next) = (before.norm(), after.norm());
            control[i] + (after / next + before / h) * (h * next / (3.0 * (h + next)))
        })
        .collect()
}

/// How far the curve lies to the left of its control point at each station, m, when it bends as the line that the stations were
/// laid on.
pub fn insets(stations: &[Station], closed: bool) -> Vec<f64> {
    let n = stations.len();
    (0..n)
        .map(|i| {
            if !closed && (i == 0 || i + 1 == n) {
                return 0.0;
            }
            stations[i].curvature * stations[(i + n - 1) % n].step * stations[i].step / 6.0
        })
        .collect()
}
