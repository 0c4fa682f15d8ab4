//! Vehicles that stand before one another: the distance in which one drives around the other, and the room behind it.

use crate::vehicle::VehicleGeometry;
use raceline_numerics::math;

/// Slower than this a vehicle stands, m/s.
pub(crate) const STANDING_MPS: f64 = 0.5;
/// Farther away than this, m, one that stands can be driven around.
pub(crate) const BLOCKED_M: f64 = 12.0;
/// Distance that is kept to one behind while reversing, m, and more by the speeds of both, s.
const BEHIND_M: f64 = 0.7;
const BEHIND_S: f64 = 0.5;

/// Radius of the sharpest turn that the steering allows, m.
pub(crate) fn steered_radius(vehicle: &VehicleGeometry) -> f64 {
    vehicle.wheelbase_m / math::tan(vehicle.max_steering_rad).max(1e-3)
}

/// The distance along the path in which a vehicle that stands moves `aside` metres to the side: between two arcs of the
/// smallest radius R, and parallel again, √(4 R y).
pub(crate) fn distance_to_move(aside: f64, radius: f64) -> f64 {
    (4.0 * radius * aside).sqrt().min(BLOCKED_M)
}

/// Whether a vehicle with the speed `own` would soon touch another in reversing, which is `gap` behind it and has the
/// speed `its` along the path, m and m/s.
pub(crate) fn is_closed_behind(gap: f64, own: f64, its: f64) -> bool {
    gap < BEHIND_M + BEHIND_S * ((-own).max(0.0) + its.max(0.0))
}
