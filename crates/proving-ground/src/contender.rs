//! The followers that are compared, each with its parameters.

use raceline_follower::baselines::{PaperBaseline, PaperBaselineOptions, Reynolds, ReynoldsOptions};
use raceline_follower::{Follower, FollowerOptions, OptionsError, PathFollower, VehicleGeometry};

/// A follower and how it is set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Contender {
    /// The paper's baseline.
    Baseline(PaperBaselineOptions),
    /// Path following after Reynolds.
    Reynolds(ReynoldsOptions),
    /// Ours.
    Ours(FollowerOptions),
}

impl Contender {
    /// The follower for one vehicle.
    ///
    /// # Errors
    /// An option, or a figure of the vehicle, out of its range.
    pub fn build(&self, vehicle: VehicleGeometry) -> Result<Box<dyn PathFollower>, OptionsError> {
        Ok(match *self {
            Self::Baseline(options) => Box::new(PaperBaseline::new(options, vehicle)?),
            Self::Reynolds(options) => Box::new(Reynolds::new(options, vehicle)?),
            Self::Ours(options) => Box::new(Follower::new(options, vehicle)?),
        })
    }
}
