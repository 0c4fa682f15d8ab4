//! Grip, maximum speeds and heights of a road → the conditions of a lap on it.

use raceline_car::Vehicle;
use raceline_file::{Constraint, ConstraintKind};
use raceline_road::geometry::{Point, Vector};
use raceline_road::track::{CrossSection, Grip, StretchError, Track, TrackGrip, TrackRelief, TrackSpeedCaps};

use super::options::LineOptions;
use crate::LoadedRelief;
use crate::speed::{Lap, LoadOptions, SpeedOptions};

/// The grip, the maximum speeds and the heights of a road, as laps need them.
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
/// let conditions = RoadConditions::on(&track, &LineOptions { grip: vec![wet.into()], ..LineOptions::default() })?;
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
    caps: Option<TrackSpeedCaps>,
}

impl RoadConditions {
    /// The conditions on `track` with the grip, the speed caps, the smoothing of heights and the
    /// load of `options`.
    ///
    /// # Errors
    /// A stretch of grip or with a maximum speed that does not fit the track.
    pub fn on(track: &Track, options: &LineOptions) -> Result<Self, StretchError> {
        Self::about(track, Vector::zeros(), options)
    }

    /// Like [`Self::on`], on a track about `origin`, m: the places of the options are in the world.
    ///
    /// # Errors
    /// See [`Self::on`].
    pub fn about(track: &Track, origin: Vector, options: &LineOptions) -> Result<Self, StretchError> {
        let parts: Vec<Grip> = options.grip.iter().map(|part| part.clone().moved_by(-origin)).collect();
        let grip = TrackGrip::new(track, &parts)?;
        let caps = TrackSpeedCaps::new(track, &options.speed_cap)?;
        Ok(Self::new(grip, TrackRelief::new(track, &options.relief), options.load).with_caps(caps))
    }

    /// The conditions on a road with this grip and these heights; `None` is a grip of 1, and a
    /// level road.
    #[must_use]
    pub fn new(grip: Option<TrackGrip>, relief: Option<TrackRelief>, load: LoadOptions) -> Self {
        Self { grip, relief: relief.map(|relief| LoadedRelief { relief, load }), caps: None }
    }

    /// The conditions with these maximum speeds; `None` is the vehicle's everywhere.
    #[must_use]
    pub fn with_caps(self, caps: Option<TrackSpeedCaps>) -> Self {
        Self { caps, ..self }
    }

    /// The conditions without the part `index` of the grip.
    pub(super) fn without_grip(&self, index: usize) -> Self {
        Self { grip: self.grip.clone().map(|grip| grip.without(index)), ..self.clone() }
    }

    /// The conditions with another maximum speed of the speed cap `index`, m/s, which may be
    /// infinite.
    pub(super) fn with_cap_speed(&self, index: usize, max_speed_mps: f64) -> Self {
        let caps = self.caps.clone().map(|caps| caps.with_speed(index, max_speed_mps));
        self.clone().with_caps(caps)
    }

    /// The lap of `vehicle` in these conditions.
    #[must_use]
    pub fn lap<'a>(&'a self, vehicle: &'a Vehicle, speeds: SpeedOptions) -> Lap<'a> {
        Lap::on(vehicle, speeds, self.grip.as_ref(), self.relief.as_ref()).with_caps(self.caps.as_ref())
    }

    /// The cross-sections at the ends of each speed cap on a road about `origin`, as in a file.
    fn gates(&self, origin: Vector) -> Vec<Option<[[[f64; 2]; 2]; 2]>> {
        let end = |point: Point| [point.x + origin.x, point.y + origin.y];
        let gate = |section: CrossSection| [end(section.right), end(section.left)];
        let gates = self.caps.as_ref().map(TrackSpeedCaps::gates).unwrap_or_default();
        gates.into_iter().map(|gates| gates.map(|ends| ends.map(gate))).collect()
    }

    /// The pins and speed caps of `options` without prices, on a road about `origin`.
    pub(super) fn constraints(&self, options: &LineOptions, origin: Vector) -> Vec<Constraint> {
        let constraint = |kind, index, gates| Constraint {
            kind,
            number: index + 1,
            price_s: None,
            seconds_per_m: None,
            seconds_per_mps: None,
            gates,
            outlines: Vec::new(),
        };
        let pins = (0..options.pin.len()).map(|index| constraint(ConstraintKind::Pin, index, None));
        let gates = self.gates(origin).into_iter().enumerate();
        let caps = gates.map(|(index, gates)| constraint(ConstraintKind::SpeedCap, index, gates));
        pins.chain(caps).collect()
    }

    /// Largest change of a height by smoothing, metres; `None` on a level road.
    #[must_use]
    pub(crate) fn smoothing_deviation_m(&self) -> Option<f64> {
        self.relief.as_ref().map(|loaded| loaded.relief.deviation_m())
    }
}
