//! What a follower at the limit knows of its vehicle beyond the geometry.
//!
//! A racing-line file has it in its `vehicle` block ([`crate::json`] reads it), and a path carries
//! it ([`crate::Path::with_dynamics`]), so that the plain route of path, options and follower needs
//! no further call. Numbers that a file does not have are NaN here and replaced by the estimates of
//! [`VehicleDynamics::resolve`].

use raceline_numerics::STANDARD_GRAVITY;

use crate::geometry::mix;
use crate::vehicle::VehicleGeometry;

/// Number of values of a [`SpeedTable`].
pub const SPEED_TABLE_VALUES: usize = 33;

/// A quantity over speed: values at equally spaced speeds from 0 to `top_mps`, linear in between
/// and constant beyond.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpeedTable {
    /// Speed of the last value, m/s, above 0.
    pub top_mps: f64,
    /// The values.
    pub values: [f64; SPEED_TABLE_VALUES],
}

impl SpeedTable {
    /// The table of `value`, a function of the speed in m/s.
    pub fn new(top_mps: f64, value: impl Fn(f64) -> f64) -> Self {
        let step = top_mps / (SPEED_TABLE_VALUES - 1) as f64;
        Self { top_mps, values: std::array::from_fn(|i| value(i as f64 * step)) }
    }

    /// The same value at every speed.
    pub fn constant(value: f64) -> Self {
        Self { top_mps: 1.0, values: [value; SPEED_TABLE_VALUES] }
    }

    /// The value at a speed, m/s.
    pub fn at(&self, speed_mps: f64) -> f64 {
        let last = SPEED_TABLE_VALUES - 1;
        let place = (speed_mps.abs() / self.top_mps * last as f64).min(last as f64);
        // A conversion from NaN gives 0.
        let index = (place as usize).min(last - 1);
        mix(self.values[index], self.values[index + 1], place - index as f64)
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
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VehicleDynamics {
    /// Largest lateral acceleration of the tyres over speed, m/s².
    pub lateral_mps2: SpeedTable,
    /// Largest longitudinal acceleration of the tyres over speed, m/s².
    pub longitudinal_mps2: SpeedTable,
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
    /// Fraction of the weight on the front axle at rest. Estimate: that of a reference point at the
    /// centre of gravity.
    pub front_weight_fraction: f64,
    /// Yaw inertia divided by the mass, m². Estimate: the product of the axles' distances from the
    /// centre of gravity.
    pub gyration_m2: f64,
    /// Height of the centre of gravity, m. Estimate: 0.2 of the wheelbase.
    pub centre_of_gravity_m: f64,
    /// Slip angle at which the tyres give the most lateral force, rad. Estimate: 0.13.
    pub peak_slip_rad: f64,
    /// Fraction of the brake force at the front axle. Estimate: the axle's share of the weight while
    /// braking at the limit.
    pub front_brake_fraction: f64,
    /// Fraction of the drive force at the front axle: 0 for rear-wheel drive. Estimate: 0.
    pub front_drive_fraction: f64,
    /// Largest rate of the steering angle, rad/s. Estimate: 0.4.
    pub steering_rate_radps: f64,
}

/// The numbers of [`VehicleDynamics`] beside its limits, each known or estimated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Handling {
    pub front_weight_fraction: f64,
    pub gyration_m2: f64,
    pub centre_of_gravity_m: f64,
    pub peak_slip_rad: f64,
    pub front_brake_fraction: f64,
    pub front_drive_fraction: f64,
    pub steering_rate_radps: f64,
}

/// Height of the centre of gravity by wheelbase: 0.24 of a saloon, 0.15 of a GT car, 0.1 of a
/// formula car.
const HEIGHT_WHEELBASES: f64 = 0.2;
/// Racing slicks peak at 0.1 to 0.14 rad, passenger tyres at 0.14 to 0.2 (Milliken and Milliken,
/// *Race Car Vehicle Dynamics*, 1995, chapter 2).
const PEAK_SLIP_RAD: f64 = 0.13;
/// The passenger cars of CommonRoad (Althoff and Würsching, *CommonRoad: Vehicle Models*, 2020).
const STEERING_RATE_RADPS: f64 = 0.4;

impl VehicleDynamics {
    /// A vehicle of which only the constant limits are known: lateral, longitudinal and drive, m/s².
    pub fn constant(lateral_mps2: f64, longitudinal_mps2: f64, drive_mps2: f64) -> Self {
        Self {
            lateral_mps2: SpeedTable::constant(lateral_mps2),
            longitudinal_mps2: SpeedTable::constant(longitudinal_mps2),
            drive_mps2: SpeedTable::constant(drive_mps2),
            max_speed_mps: 1e3,
            ellipse_exponent: 2.0,
            drag_radpm: 0.0,
            rolling_mps2: 0.0,
            front_weight_fraction: f64::NAN,
            gyration_m2: f64::NAN,
            centre_of_gravity_m: f64::NAN,
            peak_slip_rad: f64::NAN,
            front_brake_fraction: f64::NAN,
            front_drive_fraction: f64::NAN,
            steering_rate_radps: f64::NAN,
        }
    }

    /// Whether the limits are usable numbers; the rest is replaced by estimates where it is not.
    pub(crate) fn is_usable(&self) -> bool {
        let positive = |table: &SpeedTable| table.is_usable() && table.values.iter().all(|value| *value > 1e-3);
        positive(&self.lateral_mps2)
            && positive(&self.longitudinal_mps2)
            && self.drive_mps2.is_usable()
            && (1e-3..=1e4).contains(&self.max_speed_mps)
            && (1.0..=10.0).contains(&self.ellipse_exponent)
            && (0.0..=1e3).contains(&self.drag_radpm)
            && (0.0..=1e3).contains(&self.rolling_mps2)
    }

    /// The same with an estimate for every number that is missing or out of its range, for a vehicle
    /// of this geometry.
    #[must_use]
    pub fn resolve(&self, geometry: &VehicleGeometry) -> Self {
        let Handling {
            front_weight_fraction,
            gyration_m2,
            centre_of_gravity_m,
            peak_slip_rad,
            front_brake_fraction,
            front_drive_fraction,
            steering_rate_radps,
        } = self.handling(geometry);
        Self {
            front_weight_fraction,
            gyration_m2,
            centre_of_gravity_m,
            peak_slip_rad,
            front_brake_fraction,
            front_drive_fraction,
            steering_rate_radps,
            ..*self
        }
    }

    /// The numbers that [`Self::resolve`] replaces where they are missing, without a copy of the
    /// tables.
    pub(crate) fn handling(&self, geometry: &VehicleGeometry) -> Handling {
        let or = |value: f64, least: f64, most: f64, estimate: f64| {
            if (least..=most).contains(&value) { value } else { estimate }
        };
        let wheelbase = geometry.wheelbase_m;
        // A reference point that is not between the axles' middle thirds is not the centre of
        // gravity.
        let by_reference = or(geometry.rear_axle_m / wheelbase, 0.3, 0.7, 0.5);
        let front = or(self.front_weight_fraction, 0.1, 0.9, by_reference);
        let height = or(self.centre_of_gravity_m / wheelbase, 0.0, 1.0, HEIGHT_WHEELBASES) * wheelbase;
        let braking = self.longitudinal_mps2.values[0] / STANDARD_GRAVITY;
        let brakes = (front + braking * height / wheelbase).clamp(0.1, 0.95);
        Handling {
            front_weight_fraction: front,
            gyration_m2: or(self.gyration_m2, 1e-6, 1e4, front * (1.0 - front) * wheelbase * wheelbase),
            centre_of_gravity_m: height,
            peak_slip_rad: or(self.peak_slip_rad, 0.01, 1.0, PEAK_SLIP_RAD),
            front_brake_fraction: or(self.front_brake_fraction, 0.0, 1.0, brakes),
            front_drive_fraction: or(self.front_drive_fraction, 0.0, 1.0, 0.0),
            steering_rate_radps: or(self.steering_rate_radps, 0.01, 1e3, STEERING_RATE_RADPS),
        }
    }
}
