//! [`Vehicle`] → the simulated vehicle: a dynamic bicycle with the limits of the g-g diagram.
//!
//! The limits are those that the line's speed profile was computed with. What the bicycle adds to
//! the point mass comes from [`HandlingParameters`].

use raceline_vehicle_simulation::{AccelerationLimits, Bicycle, BicycleParameters, HandlingParameters};

use super::error::DriveError;
use crate::vehicle::{GgDiagram, Vehicle};

impl AccelerationLimits for GgDiagram {
    fn longitudinal_limit_mps2(&self, speed_squared: f64) -> f64 {
        self.longitudinal_limit_jet(speed_squared).value
    }

    fn lateral_limit_mps2(&self, speed_squared: f64) -> f64 {
        self.lateral_limit(speed_squared)
    }

    fn drive_limit_mps2(&self, speed_squared: f64) -> f64 {
        self.drive_jet(speed_squared).value
    }

    fn resistance_mps2(&self, speed_squared: f64) -> f64 {
        self.resistance(speed_squared)
    }

    fn ellipse_exponent(&self) -> f64 {
        self.exponent()
    }
}

/// The bicycle of `vehicle`.
///
/// Its largest steering angle is that of the vehicle's largest curvature when rolling, plus the
/// front tyre's slip angle at its peak. So this curvature is reached at the limit too.
///
/// # Errors
/// Those of [`Vehicle::validate`], and [`DriveError::Option`] for a parameter out of its range.
pub fn bicycle_of(vehicle: &Vehicle, handling: &HandlingParameters) -> Result<Bicycle<GgDiagram>, DriveError> {
    let limits = GgDiagram::new(vehicle)?;
    let parameters = BicycleParameters {
        mass_kg: vehicle.mass_kg,
        wheelbase_m: vehicle.wheelbase_m,
        max_steering_rad: (vehicle.wheelbase_m * vehicle.max_curvature_radpm).atan() + handling.front_peak_slip_rad,
        max_speed_mps: vehicle.max_speed_mps,
        handling: *handling,
    };
    Ok(Bicycle::new(limits, &parameters)?)
}
