//! A vehicle's limits over speed, sampled for evaluation without allocation, with its axles and steering.
//!
//! A follower drives with these numbers. [`VehicleDynamics::of`] samples them from the same g-g diagram and
//! the same [`Handling`] that optimiser and simulation use. A program that knows less of its vehicle sets
//! what it knows; numbers that are not known are NaN, and [`VehicleDynamics::resolve`] replaces them by the
//! defaults of [`handling`](crate::handling).

use crate::handling::{Handling, Known};
use crate::{GgDiagram, Vehicle};

/// Number of values of a [`SpeedTable`].
pub const SPEED_TABLE_VALUES: usize = 33;

/// A quantity over speed: values at equally spaced speeds from 0 to `top_mps`, linear in between
/// and constant beyond.
///
/// ```
/// use raceline_car::SpeedTable;
///
/// let grip = SpeedTable::new(80.0, |speed| 10.0 + 0.05 * speed);
/// assert!((grip.at(30.0) - 11.5).abs() < 1e-12);
/// assert!((grip.at(500.0) - 14.0).abs() < 1e-12);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpeedTable {
    /// Speed of the last value, m/s, above 0.
    pub top_mps: f64,
    /// The values.
    pub values: [f64; SPEED_TABLE_VALUES],
}

impl SpeedTable {
    /// The table of `value`, a function of the speed in m/s.
    #[must_use]
    pub fn new(top_mps: f64, value: impl Fn(f64) -> f64) -> Self {
        let step = top_mps / (SPEED_TABLE_VALUES - 1) as f64;
        Self { top_mps, values: std::array::from_fn(|i| value(i as f64 * step)) }
    }

    /// A table with one value for every speed.
    #[must_use]
    pub fn constant(value: f64) -> Self {
        Self { top_mps: 1.0, values: [value; SPEED_TABLE_VALUES] }
    }

    /// The value at a speed, m/s.
    #[must_use]
    pub fn at(&self, speed_mps: f64) -> f64 {
        let last = SPEED_TABLE_VALUES - 1;
        let place = (speed_mps.abs() / self.top_mps * last as f64).min(last as f64);
        // A conversion from NaN gives 0.
        let index = (place as usize).min(last - 1);
        let fraction = place - index as f64;
        (1.0 - fraction) * self.values[index] + fraction * self.values[index + 1]
    }

    /// Every value multiplied by `factor`.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Self {
        Self { top_mps: self.top_mps, values: self.values.map(|value| value * factor) }
    }

    fn is_usable(&self) -> bool {
        self.top_mps > 0.0 && self.values.iter().all(|value| (0.0..=1e4).contains(value))
    }
}

/// Limits and dynamics of a vehicle. Numbers that are not known are NaN.
///
/// ```
/// use raceline_car::{GgDiagram, VehicleDynamics, preset};
///
/// let vehicle = preset("gt")?;
/// let dynamics = VehicleDynamics::of(&vehicle, &GgDiagram::new(&vehicle)?);
/// assert!(dynamics.is_usable());
/// // Lateral, longitudinal and drive in m/s²; the rest takes the defaults of a wheelbase of 2.6 m.
/// let little = VehicleDynamics::constant(9.0, 9.0, 5.0);
/// assert_eq!(little.lateral_mps2.at(30.0), 9.0);
/// # Ok::<(), raceline_car::VehicleError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VehicleDynamics {
    /// Largest lateral acceleration of the tyres over speed, m/s².
    pub lateral_mps2: SpeedTable,
    /// Largest longitudinal acceleration of the tyres over speed, m/s².
    pub longitudinal_mps2: SpeedTable,
    /// Largest longitudinal acceleration of the tyres while driving over speed, m/s², and the exponent of
    /// its friction ellipse, 1 to 10, where they are not those of braking. Default: `None`.
    pub driving: Option<(SpeedTable, f64)>,
    /// Largest acceleration of the drive over speed before resistance, m/s².
    pub drive_mps2: SpeedTable,
    /// Largest speed, m/s.
    pub max_speed_mps: f64,
    /// Exponent of the friction ellipse, 1 to 10.
    pub ellipse_exponent: f64,
    /// Deceleration by drag per squared speed, 1/m.
    pub drag_radpm: f64,
    /// Deceleration by rolling resistance, m/s².
    pub rolling_mps2: f64,
    /// Fraction of the weight on the front axle at rest. Default: that of a reference point at the
    /// centre of gravity.
    pub front_weight_fraction: f64,
    /// Yaw inertia divided by the mass, m². Default: the product of the axles' distances from the
    /// centre of gravity.
    pub gyration_m2: f64,
    /// Height of the centre of gravity, m. Default: 0.2 of the wheelbase.
    pub centre_of_gravity_m: f64,
    /// Slip angle at which the tyres give the largest lateral force, rad. Default: 0.12.
    pub peak_slip_rad: f64,
    /// Cornering stiffness of the tyres divided by their load, 1/rad. Default: `None`, by the peak.
    pub cornering_stiffness_per_rad: Option<f64>,
    /// Fraction of the brake force at the front axle. Default: the axle's fraction of the load while
    /// braking at the limit.
    pub front_brake_fraction: f64,
    /// Fraction of the drive force at the front axle: 0 for rear-wheel drive. Default: 0.
    pub front_drive_fraction: f64,
    /// Largest rate of the steering angle, rad/s. Default: 1.
    pub steering_rate_radps: f64,
    /// Largest rate of the lean angle, rad/s, of a vehicle on two wheels. Default: `None`, it does not lean.
    pub lean_rate_radps: Option<f64>,
}

impl VehicleDynamics {
    /// The dynamics of `vehicle`, whose compiled limits are `diagram`: nothing is unknown.
    #[must_use]
    pub fn of(vehicle: &Vehicle, diagram: &GgDiagram) -> Self {
        let handling = vehicle.handling();
        let over_speed = |value: &dyn Fn(f64) -> f64| SpeedTable::new(vehicle.max_speed_mps, |v| value(v * v));
        let driving = diagram
            .drives_otherwise()
            .then(|| (over_speed(&|w| diagram.driving_limit_jet(w).value), diagram.driving_exponent()));
        Self {
            lateral_mps2: over_speed(&|w| diagram.lateral_limit(w)),
            longitudinal_mps2: over_speed(&|w| diagram.longitudinal_limit(w)),
            driving,
            drive_mps2: over_speed(&|w| diagram.drive_limit(w)),
            max_speed_mps: vehicle.max_speed_mps,
            ellipse_exponent: diagram.exponent(),
            drag_radpm: diagram.drag_over_mass(),
            rolling_mps2: diagram.rolling_deceleration(),
            front_weight_fraction: handling.front_weight_fraction,
            gyration_m2: handling.gyration_m2,
            centre_of_gravity_m: handling.centre_of_gravity_m,
            peak_slip_rad: handling.peak_slip_rad,
            cornering_stiffness_per_rad: vehicle.cornering_stiffness_per_rad,
            front_brake_fraction: handling.front_brake_fraction,
            front_drive_fraction: handling.front_drive_fraction,
            steering_rate_radps: handling.steering_rate_radps,
            lean_rate_radps: vehicle.lean_rate_radps,
        }
    }

    /// A vehicle of which only the constant limits are known: lateral, longitudinal and drive, m/s².
    #[must_use]
    pub fn constant(lateral_mps2: f64, longitudinal_mps2: f64, drive_mps2: f64) -> Self {
        Self {
            lateral_mps2: SpeedTable::constant(lateral_mps2),
            longitudinal_mps2: SpeedTable::constant(longitudinal_mps2),
            driving: None,
            drive_mps2: SpeedTable::constant(drive_mps2),
            max_speed_mps: 1e3,
            ellipse_exponent: 2.0,
            drag_radpm: 0.0,
            rolling_mps2: 0.0,
            front_weight_fraction: f64::NAN,
            gyration_m2: f64::NAN,
            centre_of_gravity_m: f64::NAN,
            peak_slip_rad: f64::NAN,
            cornering_stiffness_per_rad: None,
            front_brake_fraction: f64::NAN,
            front_drive_fraction: f64::NAN,
            steering_rate_radps: f64::NAN,
            lean_rate_radps: None,
        }
    }

    /// Whether the limits are usable numbers; the rest is replaced by defaults where it is not.
    #[must_use]
    pub fn is_usable(&self) -> bool {
        let positive = |table: &SpeedTable| table.is_usable() && table.values.iter().all(|value| *value > 1e-3);
        let exponent = |exponent: f64| (1.0..=10.0).contains(&exponent);
        positive(&self.lateral_mps2)
            && positive(&self.longitudinal_mps2)
            && self.driving.as_ref().is_none_or(|(table, its)| positive(table) && exponent(*its))
            && self.drive_mps2.is_usable()
            && (1e-3..=1e4).contains(&self.max_speed_mps)
            && exponent(self.ellipse_exponent)
            && (0.0..=1e3).contains(&self.drag_radpm)
            && (0.0..=1e3).contains(&self.rolling_mps2)
            && self.lean_rate_radps.is_none_or(|rate| (0.01..=1e3).contains(&rate))
    }

    /// Replaces every number that is missing or out of its range by its default, for a vehicle
    /// with the wheelbase `wheelbase_m`, m, whose reference point is `rear_axle_m`, m, before its rear axle.
    #[must_use]
    pub fn resolve(&self, wheelbase_m: f64, rear_axle_m: f64) -> Self {
        let handling = self.handling(wheelbase_m, rear_axle_m);
        Self {
            front_weight_fraction: handling.front_weight_fraction,
            gyration_m2: handling.gyration_m2,
            centre_of_gravity_m: handling.centre_of_gravity_m,
            peak_slip_rad: handling.peak_slip_rad,
            front_brake_fraction: handling.front_brake_fraction,
            front_drive_fraction: handling.front_drive_fraction,
            steering_rate_radps: handling.steering_rate_radps,
            cornering_stiffness_per_rad: self.known_cornering_stiffness(),
            ..*self
        }
    }

    /// The cornering stiffness where it is within its range, 1/rad.
    fn known_cornering_stiffness(&self) -> Option<f64> {
        self.cornering_stiffness_per_rad.filter(|value| (0.1..=1e3).contains(value))
    }

    /// The numbers that [`Self::resolve`] replaces where they are missing, without a copy of the tables. The
    /// largest steering angle is none of them: it is NaN.
    #[must_use]
    pub fn handling(&self, wheelbase_m: f64, rear_axle_m: f64) -> Handling {
        let known = |value: f64, low: f64, high: f64| Some(value).filter(|value| (low..=high).contains(value));
        // A reference point that is not between the axles' middle thirds is not the centre of
        // gravity.
        let by_reference = known(rear_axle_m / wheelbase_m, 0.3, 0.7);
        let known = Known {
            front_weight_fraction: known(self.front_weight_fraction, 0.1, 0.9).or(by_reference),
            front_downforce_fraction: None,
            gyration_m2: known(self.gyration_m2, 1e-9, 1e9),
            centre_of_gravity_m: known(self.centre_of_gravity_m, 0.0, 100.0),
            peak_slip_rad: known(self.peak_slip_rad, 0.01, 1.0),
            cornering_stiffness_per_rad: self.known_cornering_stiffness(),
            front_brake_fraction: known(self.front_brake_fraction, 0.0, 1.0),
            front_drive_fraction: known(self.front_drive_fraction, 0.0, 1.0),
            rear_grip_reserve: None,
            steering_rate_radps: known(self.steering_rate_radps, 0.01, 1e3),
        };
        known.completed(wheelbase_m, [self.longitudinal_mps2.values[0], self.lateral_mps2.values[0]])
    }
}

#[cfg(test)]
mod tests;
