//! Options, by concern. Every field has a unit, a range and a default.

mod driving;
mod for_vehicle;
mod keys;
mod limit;
mod stuck;
mod target_speed;
mod traffic;
mod validation;

pub use driving::{
    BoostOptions, LookaheadOptions, NearestPointOptions, PickUpOptions, SpeedControlOptions, SteeringOptions,
};
pub(crate) use limit::DELAY_SENSITIVITY;
pub use limit::LimitOptions;
pub use stuck::StuckOptions;
pub use target_speed::{CurveSpan, SpeedMode, TargetSpeedOptions};
pub use traffic::TrafficOptions;
pub(crate) use validation::{SMALLEST, validate_rows, validate_stuck, validate_vehicle};

use crate::error::OptionsError;
use crate::vehicle::VehicleGeometry;
use raceline_car::VehicleDynamics;

/// How [`crate::Follower`] drives. The default has the paper's fixed figures for a game's vehicles
/// (up to 10 m/s).
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct FollowerOptions {
    /// Target speed.
    pub target_speed: TargetSpeedOptions,
    /// The vehicle's nearest point on the path.
    pub nearest_point: NearestPointOptions,
    /// Lookahead distance.
    pub lookahead: LookaheadOptions,
    /// Steering.
    pub steering: SteeringOptions,
    /// Pedal.
    pub speed_control: SpeedControlOptions,
    /// Steering and pedal at the limit of grip.
    pub limit: LimitOptions,
    /// Stuck manager.
    pub stuck: StuckOptions,
    /// Selection of pick-ups.
    pub pick_ups: PickUpOptions,
    /// When to boost.
    pub boost: BoostOptions,
    /// Driving among other vehicles.
    pub traffic: TrafficOptions,
}

impl FollowerOptions {
    /// For fast cars on a racing line with a speed profile: the lower of profile and curves,
    /// feed-forward of the profile's acceleration to the pedal and of the line's curvature to the
    /// wheels, and a lookahead by time.
    pub fn for_racing() -> Self {
        Self {
            target_speed: TargetSpeedOptions::for_racing(),
            lookahead: LookaheadOptions::for_racing(),
            steering: SteeringOptions::for_racing(),
            speed_control: SpeedControlOptions::for_racing(),
            limit: LimitOptions::for_racing(),
            ..Self::default()
        }
    }

    /// For the vehicle of these dynamics and this geometry at the limit: [`Self::for_racing`] with
    /// the vehicle's limits and lengths. The reference point's place on the vehicle is
    /// [`VehicleGeometry::rear_axle_m`], at the centre of gravity or anywhere else.
    ///
    /// For a delay from a command to its effect set [`LimitOptions::delay_s`].
    pub fn for_vehicle(dynamics: &VehicleDynamics, geometry: &VehicleGeometry) -> Self {
        for_vehicle::for_vehicle(&dynamics.resolve(geometry.wheelbase_m, geometry.rear_axle_m), geometry)
    }

    /// Sets the option `key`, which has the field's name (`limit.preview_s`), to `value`, for a game
    /// whose settings are text. A switch is off at 0 and on at 1; `target_speed.mode` is 0 for
    /// curves, 1 for the profile, 2 for the lower of both; `target_speed.span` is 0 for points, 1 for
    /// middles, 2 for headings. Ranges are checked when a follower is made.
    ///
    /// # Errors
    /// A message for an unknown key and for a value that is not valid for a switch or a count.
    pub fn set(&mut self, key: &str, value: f64) -> Result<(), String> {
        keys::set(self, key, value)
    }

    /// Checks every field.
    ///
    /// # Errors
    /// The first field that is out of its documented range.
    pub fn validate(&self) -> Result<(), OptionsError> {
        validation::validate(self)
    }
}
