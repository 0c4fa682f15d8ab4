//! The points that a path is made of.

use crate::error::PathError;

/// The largest coordinate, metres: at this distance a coordinate still has a resolution of 2 nm.
pub(super) const FARTHEST_M: f64 = 1e7;

/// One point of a path.
///
/// ```
/// use raceline_follower::Waypoint;
///
/// // On a road 8 m wide, with a speed; the curvature is computed from the neighbours.
/// let position_m = [5.0, 2.0, 0.0];
/// let point = Waypoint { position_m, left_m: 4.0, right_m: 4.0, speed_mps: 18.0, ..Waypoint::default() };
/// assert!(point.curvature_radpm.is_nan());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Waypoint {
    /// Position, metres, each coordinate within ± 1e7; default the origin.
    pub position_m: [f64; 3],
    /// Width of the corridor to the left in the direction of travel, metres, 0 to infinity; default
    /// infinity.
    pub left_m: f64,
    /// Width of the corridor to the right in the direction of travel, metres, 0 to infinity; default
    /// infinity.
    pub right_m: f64,
    /// Speed of the profile, m/s, at least 0; NaN or infinite if there is none; default NaN.
    pub speed_mps: f64,
    /// Curvature of the line here, 1/m, positive to the left, at most 1e3; NaN if unknown: then it
    /// is that of the circle through this waypoint and two others; default NaN.
    pub curvature_radpm: f64,
}

impl Default for Waypoint {
    fn default() -> Self {
        Self {
            position_m: [0.0; 3],
            left_m: f64::INFINITY,
            right_m: f64::INFINITY,
            speed_mps: f64::NAN,
            curvature_radpm: f64::NAN,
        }
    }
}

/// Checks the numbers of the waypoint with this index.
pub(super) fn check(index: usize, waypoint: &Waypoint) -> Result<(), PathError> {
    let bad = |field, value, must| Err(PathError::BadNumber { waypoint: index, field, value, must });
    for value in waypoint.position_m {
        if value.is_nan() || value.abs() > FARTHEST_M {
            return bad("position_m", value, "finite and within 1e7 m of the origin");
        }
    }
    for (field, value) in [("left_m", waypoint.left_m), ("right_m", waypoint.right_m)] {
        if value.is_nan() || value < 0.0 {
            return bad(field, value, "0 or more, or infinite");
        }
    }
    if waypoint.speed_mps < 0.0 || (waypoint.speed_mps.is_finite() && waypoint.speed_mps > 1e4) {
        return bad("speed_mps", waypoint.speed_mps, "0 to 1e4 m/s, or NaN or infinite for no profile");
    }
    if waypoint.curvature_radpm.abs() > 1e3 {
        return bad(
            "curvature_radpm",
            waypoint.curvature_radpm,
            "within ± 1e3 1/m, or NaN for one computed from the waypoints",
        );
    }
    Ok(())
}
