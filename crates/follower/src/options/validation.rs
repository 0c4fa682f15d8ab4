//! The check of ranges, and those of numbers that stand in no table of options.

use crate::error::OptionsError;
use crate::vehicle::VehicleGeometry;

/// (field, value, limits, range in words). NaN is in no range.
pub(crate) type Check = (&'static str, f64, [f64; 2], &'static str);

/// Smallest value of a number that must be above 0.
pub(crate) const SMALLEST: f64 = 1e-6;
/// Smallest difference between a number and another that it must be above.
pub(crate) const APART: f64 = 1e-3;

pub(crate) fn validate_rows(rows: &[Check]) -> Result<(), OptionsError> {
    match rows.iter().find(|(_, value, [min, max], _)| !(min..=max).contains(&value)) {
        Some(&(field, value, _, must)) => Err(OptionsError { field, value, must }),
        None => Ok(()),
    }
}

pub(crate) fn validate_vehicle(vehicle: &VehicleGeometry) -> Result<(), OptionsError> {
    validate_rows(&[
        ("vehicle.wheelbase_m", vehicle.wheelbase_m, [0.01, 100.0], "0.01 to 100 m"),
        ("vehicle.max_steering_rad", vehicle.max_steering_rad, [1e-3, 1.57], "0.001 to 1.57 rad"),
        ("vehicle.length_m", vehicle.length_m, [0.01, 100.0], "0.01 to 100 m"),
        ("vehicle.width_m", vehicle.width_m, [0.01, 100.0], "0.01 to 100 m"),
        ("vehicle.rear_axle_m", vehicle.rear_axle_m, [-100.0, 100.0], "-100 to 100 m"),
        ("vehicle.grip_g", vehicle.grip_g, [SMALLEST, f64::INFINITY], "above 0, or infinite where it isn't known"),
        (
            "vehicle.max_yaw_rate_radps",
            vehicle.max_yaw_rate_radps,
            [SMALLEST, f64::INFINITY],
            "above 0 rad/s, or infinite where it isn't known",
        ),
    ])
}
