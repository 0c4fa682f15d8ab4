//! Pure pursuit.
//!
//! The curvature of the circle that leaves the rear axle along the heading and passes through a
//! target: with the target at distance L and at y to the left in the vehicle's frame, κ = 2 y / L²
//! (Coulter 1992, section 2).

use raceline_numerics::math;

/// Curvature of the circle from the origin along +x through (`x`, `y`), 1/m; 0 for a target at the
/// origin.
pub fn pursuit_curvature(x: f64, y: f64) -> f64 {
    let squared = x * x + y * y;
    if squared > 0.0 { 2.0 * y / squared } else { 0.0 }
}

/// Steering angle of a bicycle whose rear axle is to follow `curvature`, radians: atan(wheelbase
/// κ).
pub fn bicycle_steering(wheelbase_m: f64, curvature: f64) -> f64 {
    math::atan(wheelbase_m * curvature)
}
