//! The constant parameters of a bicycle, with ranges and defaults.

use raceline_car::{TyreSlip, Wheels, handling};

use crate::check_ranges;
use crate::range::{OutOfRange, check_range};

/// The constant parameters of a vehicle besides its [limits](crate::AccelerationLimits).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BicycleParameters {
    /// Mass, kg, above 0.
    pub mass_kg: f64,
    /// Distance between the axles, m, above 0.
    pub wheelbase_m: f64,
    /// Largest angle of the front wheel to either side, rad, above 0.
    pub max_steering_rad: f64,
    /// Speed at which the drive stops pushing, m/s, above 0.
    pub max_speed_mps: f64,
    /// Weight distribution, inertia, tyres and steering.
    pub handling: HandlingParameters,
}

impl BicycleParameters {
    /// Checks every range.
    ///
    /// # Errors
    /// [`OutOfRange`] for the first parameter outside its range.
    pub fn validate(&self) -> Result<(), OutOfRange> {
        let positive = |name, value| check_range(name, value, f64::MIN_POSITIVE, f64::MAX, "a positive finite number");
        positive("mass_kg", self.mass_kg)?;
        positive("wheelbase_m", self.wheelbase_m)?;
        positive("max_steering_rad", self.max_steering_rad)?;
        positive("max_speed_mps", self.max_speed_mps)?;
        self.handling.validate()
    }
}

/// What distinguishes a vehicle with two axles from a point mass.
///
/// ```
/// use raceline_vehicle_simulation::HandlingParameters;
///
/// let rear_engine = HandlingParameters { front_weight_fraction: 0.4, ..HandlingParameters::default() };
/// assert!(rear_engine.validate().is_ok());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HandlingParameters {
    /// Fraction of the weight on the front axle, 0.1 to 0.9. Default: 0.5.
    pub front_weight_fraction: f64,
    /// Fraction of the downforce on the front axle, 0 to 1. Default: none, it is that of the weight.
    pub front_downforce_fraction: Option<f64>,
    /// Fraction of the brake force at the front axle, 0 to 1. Default: none, it is in proportion to the
    /// axles' loads.
    pub front_brake_fraction: Option<f64>,
    /// Fraction of the drive force at the front axle, 0 to 1: 0 is rear-wheel drive. Default: none, it is
    /// in proportion to the axles' loads.
    pub front_drive_fraction: Option<f64>,
    /// Moment of inertia in yaw as a multiple of mass times the axles' distances from the centre of
    /// gravity, 0.1 to 10. Default: 1, at which a force at one axle does not move the other; cars
    /// have 0.8 to 1.1 (Dixon, *Tires, Suspension and Handling*, 1996, section 1.9).
    pub yaw_inertia_index: f64,
    /// Slip angle of the front tyre over the use of its limit, its peak at 0.01 to 1 rad. Default: a
    /// brush tyre with the peak at 0.12 rad (7°), typical of racing slicks; passenger tyres have
    /// 0.15 to 0.2.
    pub front_tyre: TyreSlip,
    /// Slip angle of the rear tyre over the use of its limit. Default: that of the front tyre.
    pub rear_tyre: TyreSlip,
    /// Fraction by which the front tyre's lateral limit exceeds the axle's part of the vehicle's
    /// limit, 0 to 1. Default: 0: the front axle then limits cornering at exactly the vehicle's own
    /// limit.
    pub front_grip_reserve: f64,
    /// Fraction by which the rear tyre's limit exceeds the axle's part. Default: 0.05, so that the
    /// car understeers at the limit and does not spin.
    pub rear_grip_reserve: f64,
    /// Height of the centre of gravity, m, 0 to 100. Default: 0, at which no load moves between the
    /// axles.
    pub centre_of_gravity_m: f64,
    /// The wheels of [`Vehicle::wheels`](raceline_car::Vehicle::wheels), by which load moves across the axles.
    /// Default: none, both wheels of an axle are one.
    pub wheels: Option<Wheels>,
    /// Largest rate of the front wheel's angle, rad/s, 0.01 to 100. Default: 1.
    pub steering_rate_radps: f64,
    /// Largest rate of the lean angle of a vehicle on two wheels, rad/s, 0.01 to 100. Default: none, it has two
    /// axles with a wheel on either side.
    pub lean_rate_radps: Option<f64>,
    /// Speed up to which the bicycle rolls without slip, m/s, 0.1 to 100. Default: 1.
    pub rolling_below_mps: f64,
    /// Speed from which the equations of motion apply unmixed, m/s, above `rolling_below_mps`, to
    /// 100. Default: 3.
    pub sliding_above_mps: f64,
}

impl Default for HandlingParameters {
    fn default() -> Self {
        Self {
            front_weight_fraction: handling::FRONT_WEIGHT_FRACTION,
            front_downforce_fraction: None,
            front_brake_fraction: None,
            front_drive_fraction: None,
            yaw_inertia_index: 1.0,
            front_tyre: TyreSlip::brush(handling::PEAK_SLIP_RAD),
            rear_tyre: TyreSlip::brush(handling::PEAK_SLIP_RAD),
            front_grip_reserve: 0.0,
            rear_grip_reserve: handling::REAR_GRIP_RESERVE,
            centre_of_gravity_m: 0.0,
            wheels: None,
            steering_rate_radps: handling::STEERING_RATE_RADPS,
            lean_rate_radps: None,
            rolling_below_mps: 1.0,
            sliding_above_mps: 3.0,
        }
    }
}

impl HandlingParameters {
    /// Checks every range.
    ///
    /// # Errors
    /// [`OutOfRange`] for the first parameter outside its range.
    pub fn validate(&self) -> Result<(), OutOfRange> {
        // Every field is named, so that a new one does not compile without its range.
        let &Self {
            front_weight_fraction,
            front_downforce_fraction,
            front_brake_fraction,
            front_drive_fraction,
            yaw_inertia_index,
            front_tyre,
            rear_tyre,
            front_grip_reserve,
            rear_grip_reserve,
            centre_of_gravity_m,
            // Those of a vehicle, which has checked its keys.
            wheels: _,
            steering_rate_radps,
            lean_rate_radps,
            rolling_below_mps,
            sliding_above_mps,
        } = self;
        check_ranges! {
            front_weight_fraction = front_weight_fraction, 0.1 to 0.9;
            front_downforce_fraction = front_downforce_fraction.unwrap_or_default(), 0 to 1;
            front_brake_fraction = front_brake_fraction.unwrap_or_default(), 0 to 1;
            front_drive_fraction = front_drive_fraction.unwrap_or_default(), 0 to 1;
            yaw_inertia_index = yaw_inertia_index, 0.1 to 10;
            front_tyre = front_tyre.peak_rad(), 0.01 to 1, "rad at the peak";
            rear_tyre = rear_tyre.peak_rad(), 0.01 to 1, "rad at the peak";
            front_grip_reserve = front_grip_reserve, 0 to 1;
            rear_grip_reserve = rear_grip_reserve, 0 to 1;
            centre_of_gravity_m = centre_of_gravity_m, 0 to 100, "m";
            steering_rate_radps = steering_rate_radps, 0.01 to 100, "rad/s";
            lean_rate_radps = lean_rate_radps.unwrap_or(1.0), 0.01 to 100, "rad/s";
            rolling_below_mps = rolling_below_mps, 0.1 to 100, "m/s";
        }
        let above = rolling_below_mps.next_up();
        check_range("sliding_above_mps", sliding_above_mps, above, 100.0, "above rolling_below_mps, to 100 m/s")
    }
}
