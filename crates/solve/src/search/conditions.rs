//! Grip and heights of a road → the conditions of a lap on it.

use raceline_car::Vehicle;
use raceline_road::track::{StretchError, Track, TrackGrip, TrackRelief};

use super::options::LineOptions;
use crate::LoadedRelief;
use crate::speed::{Lap, LoadOptions, SpeedOptions};

/// The grip and the heights of a road, as laps need them.
#[derive(Clone, Debug, Default)]
pub struct RoadConditions {
    grip: Option<TrackGrip>,
    relief: Option<LoadedRelief>,
}

impl RoadConditions {
    /// The conditions on `track` with the grip, the smoothing of heights and the load of `options`.
    ///
    /// # Errors
    /// A stretch of grip that does not fit the track.
    pub fn on(track: &Track, options: &LineOptions) -> Result<Self, StretchError> {
        let grip = TrackGrip::new(track, &options.grip)?;
        Ok(Self::new(grip, TrackRelief::new(track, &options.relief), options.load))
    }

    /// The conditions on a road with this grip and these heights; `None` is a grip of 1, and a level road.
    #[must_use]
    pub fn new(grip: Option<TrackGrip>, relief: Option<TrackRelief>, load: LoadOptions) -> Self {
        Self { grip, relief: relief.map(|relief| LoadedRelief { relief, load }) }
    }

    /// The lap of `vehicle` in these conditions.
    #[must_use]
    pub fn lap<'a>(&'a self, vehicle: &'a Vehicle, speeds: SpeedOptions) -> Lap<'a> {
        Lap::on(vehicle, speeds, self.grip.as_ref(), self.relief.as_ref())
    }

    /// Largest change of a height by smoothing, metres; `None` on a level road.
    #[must_use]
    pub fn smoothing_deviation_m(&self) -> Option<f64> {
        self.relief.as_ref().map(|loaded| loaded.relief.deviation_m())
    }
}
