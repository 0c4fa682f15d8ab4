//! The limits of a vehicle whose set-up has changed and whose tyres have not.
//!
//! The limits of a vehicle file are those of the whole car: full braking reaches A_x with the car's
//! own brake balance, cornering reaches A_y with its own roll stiffnesses. In a file with another
//! set-up the same limits mean other tyres. On the tyres of before, the limits are k A_x and m A_y,
//! with
//!
//! ```text
//! k β(k A_x) = β₀          m λ(m A_y) = λ₀                                                   (1)
//! ```
//!
//! β and λ are the factors by which the tyres are better than the car's limits along
//! ([`Tyres`](super::model::tyres::Tyres), `braking_factor`) and across
//! ([`Wheels`](raceline_car::Wheels), equation (8)), and β₀ and λ₀ those of before. Both left sides
//! grow with k and m, as the load on each axle and on each inner wheel changes linearly. Where λ
//! changes, a car with wheels is only nearly the same: the load that moves across follows from the
//! file's limit (equation (14) of `model`), which changes what the tyres give across by some tenths
//! of a percent.

use raceline_car::{Vehicle, VehicleError};
use raceline_numerics::bisected;

use super::Reserve;
use super::model::Car;

/// Largest change of a limit: beyond it, the set-up leaves an axle without load.
const MAX_FACTOR: f64 = 8.0;
/// Number of halvings: the digits of a double.
const HALVINGS: usize = 60;

/// The vehicle `changed`, a variation of `base` with another set-up, with the limits that the tyres
/// of `base` give it. A search for it finds the lap that a [sweep](crate::RoadSearch::variation)
/// from `base` finds.
///
/// ```
/// use raceline_solve::car::on_tyres_of;
///
/// let base = raceline_car::preset("gt")?;
/// let rearward = base.with_parameters(&[("front_brake_fraction", 0.5)])?;
/// // The rear axle, which full braking unloads, is at its limit sooner.
/// let limit = on_tyres_of(&base, &rearward)?.longitudinal_limit_mps2;
/// assert!((limit / base.longitudinal_limit_mps2 - 0.868).abs() < 1e-3);
/// assert_eq!(on_tyres_of(&base, &base)?.longitudinal_limit_mps2, base.longitudinal_limit_mps2);
/// # Ok::<(), raceline_car::VehicleError>(())
/// ```
///
/// # Errors
/// The errors of [`Vehicle::validate`] for each of the three, and [`VehicleError::BesideGgvTable`]
/// for a vehicle whose limits are a table: it has those of one set-up alone.
pub fn on_tyres_of(base: &Vehicle, changed: &Vehicle) -> Result<Vehicle, VehicleError> {
    if !base.ggv_table.is_empty() {
        return Err(VehicleError::BesideGgvTable {
            vehicle: base.name.clone(),
            key: "front_brake_fraction",
            fix: "a table has the limits of one set-up; state lateral_limit_mps2 and longitudinal_limit_mps2 in its place",
        });
    }
    let along = |limit_mps2: f64| -> Result<f64, VehicleError> {
        let vehicle = Vehicle { longitudinal_limit_mps2: limit_mps2, ..changed.clone() };
        Ok(Car::new(&vehicle, Reserve::NONE)?.tyres().braking_factor)
    };
    let across = |limit_mps2: f64| -> Result<f64, VehicleError> {
        let vehicle = Vehicle { lateral_limit_mps2: limit_mps2, ..changed.clone() };
        Ok(vehicle.wheels().map_or(1.0, |wheels| wheels.lateral_factor()))
    };
    let before = Car::new(base, Reserve::NONE)?.tyres();
    let on_tyres = Vehicle {
        longitudinal_limit_mps2: limit_at(changed.longitudinal_limit_mps2, before.braking_factor, along)?,
        lateral_limit_mps2: limit_at(changed.lateral_limit_mps2, before.lateral_factor, across)?,
        ..changed.clone()
    };
    on_tyres.validate()?;
    Ok(on_tyres)
}

/// The limit of equation (1), for tyres that are better than the car's limit by the factor
/// `before`, as they are better than a limit by `factor`.
fn limit_at(
    limit_mps2: f64,
    before: f64,
    factor: impl Fn(f64) -> Result<f64, VehicleError>,
) -> Result<f64, VehicleError> {
    if factor(limit_mps2)? == before {
        return Ok(limit_mps2);
    }
    // A car that no longer is one, as it overturns, is beyond the limit.
    let is_below = |by: f64| factor(by * limit_mps2).is_ok_and(|factor| by * factor <= before);
    let [by, _] = bisected([0.0, MAX_FACTOR], HALVINGS, is_below);
    Ok(by * limit_mps2)
}

#[cfg(test)]
mod tests;
