//! [`Vehicle`] → the simulated vehicle: a dynamic bicycle with the limits of the g-g diagram.
//!
//! The limits are those that the line's speed profile was computed with. What the bicycle adds to
//! the point mass comes from [`HandlingParameters`].

use raceline_vehicle_simulation::{Bicycle, BicycleParameters, HandlingParameters};

use super::error::DriveError;
use crate::vehicle::{GgDiagram, Vehicle};

/// Weight distribution, inertia, load transfer, brakes, drive, tyres and steering of `vehicle`: those of
/// [`Vehicle::handling`].
#[must_use]
pub fn handling_of(vehicle: &Vehicle) -> HandlingParameters {
    let handling = vehicle.handling();
    let front = handling.front_weight_fraction;
    let arms = front * (1.0 - front) * vehicle.wheelbase_m * vehicle.wheelbase_m;
    HandlingParameters {
        front_weight_fraction: front,
        front_downforce_fraction: vehicle.front_downforce_fraction,
        front_brake_fraction: Some(handling.front_brake_fraction),
        front_drive_fraction: Some(handling.front_drive_fraction),
        yaw_inertia_index: handling.gyration_m2 / arms,
        front_tyre: handling.tyre_slip,
        rear_tyre: handling.tyre_slip,
        centre_of_gravity_m: handling.centre_of_gravity_m,
        steering_rate_radps: handling.steering_rate_radps,
        lean_rate_radps: vehicle.lean_rate_radps,
        rear_grip_reserve: handling.rear_grip_reserve,
        wheels: vehicle.wheels(),
        ..HandlingParameters::default()
    }
}

/// The bicycle of `vehicle`.
///
/// # Errors
/// Those of [`Vehicle::validate`], and [`DriveError::Option`] for a parameter out of its range.
pub fn bicycle_of(vehicle: &Vehicle) -> Result<Bicycle<GgDiagram>, DriveError> {
    let limits = GgDiagram::new(vehicle)?;
    let parameters = BicycleParameters {
        mass_kg: vehicle.mass_kg,
        wheelbase_m: vehicle.wheelbase_m,
        max_steering_rad: vehicle.handling().max_steering_rad,
        max_speed_mps: vehicle.max_speed_mps,
        handling: handling_of(vehicle),
    };
    Ok(Bicycle::new(limits, &parameters)?)
}
