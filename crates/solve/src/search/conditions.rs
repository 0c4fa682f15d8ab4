//! Grip and heights of a road → the conditions of a lap on it.

use raceline_car::Vehicle;
use raceline_road::track::{StretchError, Track, TrackGrip, TrackRelief};

use super::options::LineOptions;
use crate::LoadedRelief;
use crate::speed::{Lap, LoadOptions, SpeedOptions};

/// The grip and the heights of a road, as laps need them.
///
/// ```
/// # use raceline_road::{edges::RoadShape, track::{Track, TrackOptions}};
/// # let angle = |i: i32| f64::from(i) * std::f64::consts::TAU / 48.0;
/// # let middle: Vec<[f64; 2]> = (0..48).map(|i| [60.0 * angle(i).cos(), 60.0 * angle(i).sin()]).collect();
/// # let track = Track::from_centre_line(&middle, &[[5.0, 5.0]; 48], RoadShape::Closed, &TrackOptions::default())?;
/// use raceline_car::preset;
/// use raceline_road::track::GripStretch;
/// use raceline_solve::speed::{DrivenLine, SpeedOptions};
/// use raceline_solve::{LineOptions, RoadConditions};
///
/// let wet = GripStretch { from_m: 50.0, to_m: 100.0, factor: 0.7, ramp_m: 5.0 };
/// let conditions = RoadConditions::on(&track, &LineOptions { grip: vec![wet], ..LineOptions::default() })?;
/// let vehicle = preset("kart")?;
/// let line = track.centre_line().points;
/// let wet_s = DrivenLine::through(&line, true, conditions.lap(&vehicle, SpeedOptions::default()))?.lap_time_s();
/// assert!(wet_s > DrivenLine::through(&line, true, &vehicle)?.lap_time_s());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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

    /// The conditions on a road with this grip and these heights; `None` is a grip of 1, and a
    /// level road.
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
    pub(crate) fn smoothing_deviation_m(&self) -> Option<f64> {
        self.relief.as_ref().map(|loaded| loaded.relief.deviation_m())
    }
}
