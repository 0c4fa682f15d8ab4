//! The followers that are compared, each with its parameters.

use raceline_follower::baselines::{PaperBaseline, PaperBaselineOptions, Reynolds, ReynoldsOptions};
use raceline_follower::{Follower, FollowerOptions, OptionsError, PathFollower, VehicleGeometry};

use crate::vehicle::VehicleModel;

/// A follower and how it is set.
// A handful exist at a time, and being plain values that are copied is worth more than their size.
#[allow(clippy::large_enum_variant)]
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

/// A column of the table: a follower with one setting for all vehicles, or one for each.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Name, for tables.
    pub name: String,
    /// The setting of vehicles without one of their own.
    pub contender: Contender,
    /// Settings by vehicle.
    pub by_vehicle: Vec<(&'static str, Contender)>,
}

impl Entry {
    /// The same setting for all.
    pub fn for_all(name: &str, contender: Contender) -> Self {
        Self { name: name.to_owned(), contender, by_vehicle: Vec::new() }
    }

    /// The setting of a vehicle.
    pub fn of(&self, vehicle: &VehicleModel) -> Contender {
        let own = self.by_vehicle.iter().find(|(name, _)| *name == vehicle.name);
        own.map_or(self.contender, |(_, contender)| *contender)
    }
}
