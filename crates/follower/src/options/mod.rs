//! Options, by concern. Every field has a unit, a range and a default.

mod driving;
mod stuck;
mod target_speed;
mod validation;

pub use driving::{
    BonusOptions, BoostOptions, LookaheadOptions, NearestPointOptions, SpeedControlOptions, SteeringOptions,
};
pub use stuck::StuckOptions;
pub use target_speed::{CurveSpan, SpeedMode, TargetSpeedOptions};
pub(crate) use validation::{SMALLEST, validate_rows, validate_stuck, validate_vehicle};

use crate::error::OptionsError;

/// How [`crate::Follower`] drives. The default is the paper's fixed figures for a game's vehicles (up to 10 m/s).
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct FollowerOptions {
    /// How fast.
    pub target_speed: TargetSpeedOptions,
    /// Which point of the path belongs to the vehicle.
    pub nearest_point: NearestPointOptions,
    /// How far ahead the point steered to lies.
    pub lookahead: LookaheadOptions,
    /// How the wheels are turned.
    pub steering: SteeringOptions,
    /// How the pedal is moved.
    pub speed_control: SpeedControlOptions,
    /// When a vehicle counts as stuck, and what then.
    pub stuck: StuckOptions,
    /// Which pick-ups are worth a detour.
    pub bonuses: BonusOptions,
    /// Where a boost is worth lighting.
    pub boost: BoostOptions,
}

impl FollowerOptions {
    /// For fast cars on a racing line with a speed profile: the lower of profile and curves, the profile's acceleration fed
    /// forward to the pedal and the line's curvature to the wheels, a lookahead by time.
    pub fn for_racing() -> Self {
        Self {
            target_speed: TargetSpeedOptions::for_racing(),
            lookahead: LookaheadOptions::for_racing(),
            steering: SteeringOptions::for_racing(),
            speed_control: SpeedControlOptions::for_racing(),
            ..Self::default()
        }
    }

    /// Checks every field.
    ///
    /// # Errors
    /// The first field that is out of its documented range.
    pub fn validate(&self) -> Result<(), OptionsError> {
        validation::validate(self)
    }
}
