//! What the simulated road has that the follower does not know, and what the follower remembers.

use std::sync::Arc;

use raceline_follower::RememberedSpeeds;
use raceline_follower::neural::Network;
use raceline_vehicle_simulation::{Bicycle, check_range};

use super::bicycle::bicycle_of;
use super::error::DriveError;
use super::surroundings::Surroundings;
use crate::vehicle::{GRIP, GgDiagram, Vehicle};

/// A stretch of the line on which the simulated road has another grip than the follower was given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SimulatedGrip {
    /// Beginning: distance along the line from its first point, m, 0 or more.
    pub from_m: f64,
    /// End, likewise; on a closed line, one before the beginning leads over the first point.
    pub to_m: f64,
    /// Factor on both tyre limits, 0.05 to 3. Where stretches overlap, the last one applies.
    pub factor: f64,
}

impl SimulatedGrip {
    /// Checks every range.
    ///
    /// # Errors
    /// [`DriveError::Option`] names the number that is out of its range.
    pub fn validate(&self) -> Result<(), DriveError> {
        for distance in [self.from_m, self.to_m] {
            check_range("grip", distance, 0.0, 1e7, "a distance of 0 m or more")?;
        }
        check_range("grip", self.factor, 0.05, 3.0, "a factor from 0.05 to 3")?;
        Ok(())
    }

    fn contains(&self, s: f64) -> bool {
        if self.from_m <= self.to_m { (self.from_m..self.to_m).contains(&s) } else { s >= self.from_m || s < self.to_m }
    }
}

/// What a drive has besides line, vehicle and options.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Simulation<'a> {
    /// Stretches with another grip; default none.
    pub grip: &'a [SimulatedGrip],
    /// What an earlier drive on this line learned; default nothing. Driven even without further
    /// learning.
    pub remembered: Option<&'a RememberedSpeeds>,
    /// Obstacles and other vehicles on the road; default none.
    pub surroundings: Option<&'a Surroundings>,
    /// The network of [`FollowerKind::Neural`](super::FollowerKind::Neural), which no other follower
    /// uses; default none.
    pub network: Option<&'a Arc<Network>>,
}

/// The simulated vehicle on every stretch.
#[derive(Debug)]
pub(super) struct Bicycles {
    usual: Bicycle<GgDiagram>,
    stretches: Vec<(SimulatedGrip, Bicycle<GgDiagram>)>,
}

impl Bicycles {
    pub(super) fn new(vehicle: &Vehicle, stretches: &[SimulatedGrip]) -> Result<Self, DriveError> {
        let on = |stretch: &SimulatedGrip| {
            stretch.validate()?;
            Ok((*stretch, bicycle_of(&vehicle.with_parameters(&[(GRIP, stretch.factor)])?)?))
        };
        Ok(Self {
            usual: bicycle_of(vehicle)?,
            stretches: stretches.iter().map(on).collect::<Result<_, DriveError>>()?,
        })
    }

    /// The vehicle at a distance along the line.
    pub(super) fn at(&self, s: f64) -> &Bicycle<GgDiagram> {
        let found = self.stretches.iter().rev().find(|(stretch, _)| stretch.contains(s));
        found.map_or(&self.usual, |(_, bicycle)| bicycle)
    }
}
