//! The ranges of a vehicle's numbers, in one table: validation checks it, and tests compare it with the keys
//! of a vehicle file and with the documentation.
//!
//! The ranges are wide on purpose, from a robot of the size of a hand to a land-speed record car. They detect
//! wrong units, wrong signs and misplaced decimal points, and keep all later formulas finite.

use super::{DriveLimit, Vehicle, VehicleError};

/// Largest valid speed, m/s.
pub(super) const SPEED_CEILING: f64 = 1000.0;
/// Largest valid acceleration, m/s².
pub(super) const ACCELERATION_CEILING: f64 = 1000.0;
/// Largest valid force, N.
pub(super) const FORCE_CEILING: f64 = 1e9;
/// Smallest valid tyre limit, m/s².
pub(super) const MIN_TYRE_LIMIT: f64 = 0.01;
/// Longest change of gear, s.
const MAX_GEAR_CHANGE_S: f64 = 5.0;

/// The range of one number of a vehicle.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct NumberRange {
    /// Key in a vehicle file, nested keys joined by dots.
    pub key: &'static str,
    /// Smallest valid value, in `unit`.
    pub low: f64,
    /// Largest valid value, in `unit`.
    pub high: f64,
    /// Unit, or what the number means in parentheses.
    pub unit: &'static str,
    value: fn(&Vehicle) -> Option<f64>,
}

/// A fraction of a quantity.
const OF_WEIGHT: &str = "(a fraction of the weight)";
const OF_FORCE: &str = "(a fraction of the force)";
const EXPONENT: &str = "(1 is a diamond, 2 an ellipse)";

const fn range(
    key: &'static str,
    [low, high]: [f64; 2],
    unit: &'static str,
    value: fn(&Vehicle) -> Option<f64>,
) -> NumberRange {
    NumberRange { key, low, high, unit, value }
}

/// Every number of a vehicle that stands alone, in the order in which they are checked. Tables are checked
/// point by point.
const RANGES: [NumberRange; 38] = [
    range("mass_kg", [0.001, 1e6], "kg", |v| Some(v.mass_kg)),
    range("width_m", [0.001, 100.0], "m", |v| Some(v.width_m)),
    range("length_m", [0.001, 100.0], "m", |v| Some(v.length_m)),
    range("wheelbase_m", [0.001, 100.0], "m", |v| Some(v.wheelbase_m)),
    range("safety_distance_m", [0.0, 100.0], "m", |v| Some(v.safety_distance_m)),
    // A table takes the place of both tyre limits.
    range("lateral_limit_mps2", [MIN_TYRE_LIMIT, ACCELERATION_CEILING], "m/s²", |v| {
        v.ggv_table.is_empty().then_some(v.lateral_limit_mps2)
    }),
    range("longitudinal_limit_mps2", [MIN_TYRE_LIMIT, ACCELERATION_CEILING], "m/s²", |v| {
        v.ggv_table.is_empty().then_some(v.longitudinal_limit_mps2)
    }),
    range("ellipse_exponent", [1.0, 10.0], EXPONENT, |v| Some(v.ellipse_exponent)),
    range("driving_exponent", [1.0, 10.0], EXPONENT, |v| v.driving_exponent),
    range("drag_kgpm", [0.0, 1000.0], "kg/m", |v| Some(v.drag_kgpm)),
    range("downforce_kgpm", [0.0, 1000.0], "kg/m", |v| Some(v.downforce_kgpm)),
    range("rolling_resistance", [0.0, 1.0], OF_WEIGHT, |v| Some(v.rolling_resistance)),
    range("max_speed_mps", [0.1, SPEED_CEILING], "m/s", |v| Some(v.max_speed_mps)),
    range("max_curvature_radpm", [1e-4, 1000.0], "1/m", |v| Some(v.max_curvature_radpm)),
    range("table_downforce_kgpm", [0.0, 1000.0], "kg/m", |v| v.table_downforce_kgpm),
    range("max_steering_rad", [0.001, 1.5], "rad", |v| v.max_steering_rad),
    range("steering_rate_radps", [0.01, 100.0], "rad/s", |v| v.steering_rate_radps),
    range("lean_rate_radps", [0.05, 20.0], "rad/s", |v| v.lean_rate_radps),
    range("peak_slip_rad", [0.01, 1.0], "rad", |v| v.peak_slip_rad),
    range("cornering_stiffness_per_rad", [0.1, 1000.0], "1/rad", |v| v.cornering_stiffness_per_rad),
    range("front_weight_fraction", [0.1, 0.9], OF_WEIGHT, |v| v.front_weight_fraction),
    range("front_downforce_fraction", [0.0, 1.0], "(a fraction of the downforce)", |v| v.front_downforce_fraction),
    range("yaw_inertia_kgm2", [1e-9, 1e9], "kg m²", |v| v.yaw_inertia_kgm2),
    range("centre_of_gravity_m", [0.0, 100.0], "m", |v| v.centre_of_gravity_m),
    range("front_brake_fraction", [0.0, 1.0], OF_FORCE, |v| v.front_brake_fraction),
    range("front_drive_fraction", [0.0, 1.0], OF_FORCE, |v| v.front_drive_fraction),
    range("rear_grip_reserve", [0.0, 1.0], "(a fraction of the limit)", |v| v.rear_grip_reserve),
    range("front_track_width_m", [0.001, 100.0], "m", |v| v.front_track_width_m),
    range("rear_track_width_m", [0.001, 100.0], "m", |v| v.rear_track_width_m),
    range("front_roll_stiffness_fraction", [0.0, 1.0], "(a fraction of the roll stiffness)", |v| {
        v.front_roll_stiffness_fraction
    }),
    range("tyre_load_sensitivity", [0.0, 0.3], "(a fraction of the friction)", |v| v.tyre_load_sensitivity),
    range("differential_lock_fraction", [0.0, 1.0], "(0 is open, 1 locked)", |v| v.differential_lock_fraction),
    range("longitudinal_reserve", [0.0, 0.5], "(a fraction of the limit)", |v| v.longitudinal_reserve),
    range("rear_reserve", [0.0, 0.5], "(a fraction of the limit)", |v| v.rear_reserve),
    range("crest_reserve", [0.0, 2.0], "(1 plus this times the curvature of a crest)", |v| v.crest_reserve),
    range("gear_change_s", [0.0, MAX_GEAR_CHANGE_S], "s", |v| Some(v.gear_change_s)),
    range("drive.power_and_force.power_w", [0.001, 1e9], "W", |v| power_and_force(v).map(|[power_w, _]| power_w)),
    range("drive.power_and_force.force_n", [0.001, FORCE_CEILING], "N", |v| {
        power_and_force(v).map(|[_, force_n]| force_n)
    }),
];

fn power_and_force(vehicle: &Vehicle) -> Option<[f64; 2]> {
    match vehicle.drive {
        DriveLimit::PowerAndForce { power_w, force_n } => Some([power_w, force_n]),
        DriveLimit::TableMps2(_) | DriveLimit::TableN(_) => None,
    }
}

impl Vehicle {
    /// The ranges of all numbers that stand alone. Those of the tables are in the documentation of their
    /// fields.
    #[must_use]
    pub fn number_ranges() -> &'static [NumberRange] {
        &RANGES
    }

    /// Checks every number that stands alone.
    ///
    /// # Errors
    /// [`VehicleError::OutOfRange`] for the first one outside its range.
    pub(super) fn validate_numbers(&self) -> Result<(), VehicleError> {
        for &NumberRange { key, low, high, unit, value } in &RANGES {
            if let Some(value) = value(self).filter(|value| !(low..=high).contains(value)) {
                return Err(VehicleError::OutOfRange { vehicle: self.name.clone(), key, value, low, high, unit });
            }
        }
        Ok(())
    }
}
