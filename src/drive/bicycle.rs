//! [`Vehicle`] → the simulated vehicle: a dynamic bicycle with the limits of the g-g diagram.
//!
//! The limits are those that the line's speed profile was computed with. What the bicycle adds to
//! the point mass comes from [`HandlingParameters`].

use raceline_numerics::brush_peak_slip_rad;
use raceline_vehicle_simulation::{Bicycle, BicycleParameters, HandlingParameters};

use super::error::DriveError;
use crate::vehicle::{GgDiagram, Vehicle};

/// Weight distribution, inertia, load transfer, tyres and steering by the optional keys of
/// `vehicle`; the defaults of [`HandlingParameters`] for those that it does not have.
#[must_use]
pub fn handling_of(vehicle: &Vehicle) -> HandlingParameters {
    let usual = HandlingParameters::default();
    let front = vehicle.front_weight_fraction.unwrap_or(usual.front_weight_fraction);
    let product = front * (1.0 - front) * vehicle.wheelbase_m * vehicle.wheelbase_m * vehicle.mass_kg;
    let index = vehicle.yaw_inertia_kgm2.map_or(usual.yaw_inertia_index, |inertia| inertia / product);
    let peak = vehicle.peak_slip_rad.map(brush_peak_slip_rad);
    HandlingParameters {
        front_weight_fraction: front,
        front_downforce_fraction: vehicle.front_downforce_fraction,
        yaw_inertia_index: index,
        front_peak_slip_rad: peak.unwrap_or(usual.front_peak_slip_rad),
        rear_peak_slip_rad: peak.unwrap_or(usual.rear_peak_slip_rad),
        centre_of_gravity_m: vehicle.centre_of_gravity_m.unwrap_or(usual.centre_of_gravity_m),
        steering_rate_radps: vehicle.steering_rate_radps.unwrap_or(usual.steering_rate_radps),
        rear_grip_reserve: vehicle.rear_grip_reserve.unwrap_or(usual.rear_grip_reserve),
        ..usual
    }
}

/// The bicycle of `vehicle`.
///
/// Its largest steering angle is the vehicle's, or that of its largest curvature when rolling, plus
/// the front tyre's slip angle at its peak. So this curvature is reached at the limit too.
///
/// # Errors
/// Those of [`Vehicle::validate`], and [`DriveError::Option`] for a parameter out of its range.
pub fn bicycle_of(vehicle: &Vehicle, handling: &HandlingParameters) -> Result<Bicycle<GgDiagram>, DriveError> {
    let limits = GgDiagram::new(vehicle)?;
    let by_curvature = (vehicle.wheelbase_m * vehicle.max_curvature_radpm).atan() + handling.front_peak_slip_rad;
    let parameters = BicycleParameters {
        mass_kg: vehicle.mass_kg,
        wheelbase_m: vehicle.wheelbase_m,
        max_steering_rad: vehicle.max_steering_rad.map_or(by_curvature, |most| most.max(by_curvature)),
        max_speed_mps: vehicle.max_speed_mps,
        handling: *handling,
    };
    Ok(Bicycle::new(limits, &parameters)?)
}
