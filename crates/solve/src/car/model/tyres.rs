//! The tyres of a car, which its set-up does not change.

use super::Car;
use crate::car::Reserve;
use raceline_car::{Vehicle, VehicleError};

/// Properties of the tyres that follow from the set-up of their vehicle, its brake balance and its
/// downforce, and not from its limits alone.
#[derive(Clone, Copy, Debug)]
pub struct Tyres {
    /// μ_x by A_x / (g + d w).
    pub(in crate::car) braking_factor: f64,
    /// d_y by d.
    downforce_fraction: f64,
    /// Factor of the lateral limit by the wheels.
    pub(in crate::car) lateral_factor: f64,
    /// Reserve of the tyres that a lap leaves to the driver.
    reserve: Reserve,
}

impl Car {
    /// The car of `vehicle` on the tyres of another vehicle, where `vehicle` is a variation of that
    /// one. Another brake balance, for example, then changes the car and not its tyres.
    ///
    /// # Errors
    /// The errors of [`Vehicle::validate`].
    pub fn on_tyres(vehicle: &Vehicle, tyres: Tyres) -> Result<Self, VehicleError> {
        let mut car = Self::new(vehicle, tyres.reserve)?;
        car.braking_factor = tyres.braking_factor;
        car.wheels = car.wheels.map(|wheels| wheels.with_lateral_factor(tyres.lateral_factor));
        if !vehicle.ggv_table.is_empty() {
            car.limiting_downforce = tyres.downforce_fraction * car.downforce_over_mass;
        }
        Ok(car)
    }

    /// The properties of this car's tyres.
    pub fn tyres(&self) -> Tyres {
        let fraction = self.limiting_downforce / self.downforce_over_mass;
        Tyres {
            braking_factor: self.braking_factor,
            downforce_fraction: if fraction.is_finite() { fraction } else { 1.0 },
            lateral_factor: self.wheels.map_or(1.0, |wheels| wheels.lateral_factor()),
            reserve: self.reserve,
        }
    }
}
