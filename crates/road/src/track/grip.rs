//! Grip along the road: that of its surface, and stretches on which both tyre limits are multiplied
//! by a factor.
//!
//! A stretch is specified by distances along the centre line. The distance of a place on the road
//! is interpolated between the two nearest cross-sections by its distance from each.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::places::{Place, Places};
use super::stretch::{Extent, Stretch, StretchError, check_ends};
use super::{SectionSurface, Track};
use crate::geometry::Point;

/// A stretch of road with its own grip.
///
/// ```
/// use raceline_road::track::GripStretch;
///
/// let wet = GripStretch { from_m: 50.0, to_m: 100.0, factor: 0.7, ramp_m: 5.0 };
/// assert!(wet.validate().is_ok());
/// assert!(GripStretch { factor: -1.0, ..wet }.validate().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GripStretch {
    /// Beginning: distance along the centre line from the start line, metres.
    pub from_m: f64,
    /// End, likewise; on a closed track, an end before the beginning leads over the start line.
    pub to_m: f64,
    /// Factor on both tyre limits, 0.05 to 3: about 0.7 for wet asphalt, 0.3 for snow. Where
    /// stretches overlap, their factors are multiplied.
    pub factor: f64,
    /// Length over which the grip changes, inside the stretch at either end, metres; 0 is a step.
    /// Default: 5.
    #[serde(default = "default_ramp_m")]
    pub ramp_m: f64,
}

fn default_ramp_m() -> f64 {
    5.0
}

impl GripStretch {
    /// Checks the ranges that do not depend on a track.
    ///
    /// # Errors
    /// The number that is outside its range, and the range.
    pub fn validate(&self) -> Result<(), (f64, &'static str)> {
        if !(0.05..=3.0).contains(&self.factor) {
            return Err((self.factor, "a factor from 0.05 to 3"));
        }
        check_ends(self.from_m, self.to_m)?;
        if !(0.0..=1e7).contains(&self.ramp_m) {
            return Err((self.ramp_m, "a ramp of 0 m or more"));
        }
        Ok(())
    }
}

/// The grip at every place of a track.
///
/// ```
/// # use raceline_road::{edges::RoadShape, track::{Track, TrackOptions}};
/// # let angle = |i: i32| f64::from(i) * std::f64::consts::TAU / 48.0;
/// # let middle: Vec<[f64; 2]> = (0..48).map(|i| [60.0 * angle(i).cos(), 60.0 * angle(i).sin()]).collect();
/// # let track = Track::from_centre_line(&middle, &[[5.0, 5.0]; 48], RoadShape::Closed, &TrackOptions::default())?;
/// use raceline_road::track::{GripStretch, TrackGrip};
///
/// // Wet between 50 m and 100 m, with ramps of 5 m.
/// let wet = GripStretch { from_m: 50.0, to_m: 100.0, factor: 0.7, ramp_m: 5.0 };
/// let grip = TrackGrip::new(&track, &[wet])?.unwrap();
/// assert_eq!((grip.at_distance(20.0), grip.at_distance(75.0)), (1.0, 0.7));
/// assert!(TrackGrip::new(&track, &[])?.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct TrackGrip {
    stretches: Vec<(Stretch, GripStretch)>,
    /// Grip of the surface on each section, at its right and its left end.
    surface: Option<Vec<[f64; 2]>>,
    places: Places,
}

impl TrackGrip {
    /// The grip of `track` with these stretches; `None` if the grip is 1 everywhere.
    ///
    /// # Errors
    /// [`StretchError`] for a stretch that is out of range, beyond the road's end or without length.
    pub fn new(track: &Track, stretches: &[GripStretch]) -> Result<Option<Self>, StretchError> {
        let grips = |surface: &Vec<SectionSurface>| -> Vec<[f64; 2]> {
            surface.iter().map(|section| [section.right.grip, section.left.grip]).collect()
        };
        let surface = track.surface.as_ref().map(grips).filter(|grips| grips.iter().flatten().any(|&grip| grip != 1.0));
        if stretches.is_empty() && surface.is_none() {
            return Ok(None);
        }
        let places = Places::new(track);
        let extent = Extent { length_m: places.length_m(), closed: places.closed };
        let mut held = Vec::with_capacity(stretches.len());
        for (i, stretch) in stretches.iter().enumerate() {
            let (list, number) = ("grip", i + 1);
            stretch.validate().map_err(|(value, range)| StretchError::OutOfRange { list, number, value, range })?;
            held.push((Stretch::fit(list, number, [stretch.from_m, stretch.to_m], extent)?, *stretch));
        }
        Ok(Some(Self { stretches: held, surface, places }))
    }

    /// The factor of the stretches at a distance along the centre line from the start line, metres;
    /// periodic on a closed track.
    #[must_use]
    pub fn at_distance(&self, distance_m: f64) -> f64 {
        let length = self.places.length_m();
        let distance = if self.places.closed { distance_m.rem_euclid(length) } else { distance_m.clamp(0.0, length) };
        self.stretches.iter().map(|(reach, stretch)| factor_of(reach, stretch, distance)).product()
    }

    /// The factor in the middle of the cross-section `index` of the track.
    #[must_use]
    pub fn at_section(&self, index: usize) -> f64 {
        let surface = self.surface.as_ref().map_or(1.0, |surface| f64::midpoint(surface[index][0], surface[index][1]));
        surface * self.at_distance(self.places.distances[index])
    }

    /// The factor at a place on the road. Where the road crosses itself, the leg whose centre line
    /// is nearer counts; for a line, use [`Self::along`].
    #[must_use]
    pub fn at(&self, place: Point) -> f64 {
        self.at_place(&self.places.of(place))
    }

    /// The factor at each point of a line along the road, which remains on its leg where the road
    /// crosses itself.
    #[must_use]
    pub fn along(&self, line: &[Point]) -> Vec<f64> {
        self.places.along(line.iter().copied()).map(|place| self.at_place(&place)).collect()
    }

    fn at_place(&self, place: &Place) -> f64 {
        let surface = self.surface.as_ref().map_or(1.0, |surface| {
            let (here, next) = (surface[place.section], surface[(place.section + 1) % surface.len()]);
            let [right, left] = [0, 1].map(|end| here[end] + place.fraction * (next[end] - here[end]));
            right + place.across.clamp(0.0, 1.0) * (left - right)
        });
        surface * self.at_distance(place.distance_m)
    }
}

/// The factor of one stretch.
fn factor_of(reach: &Stretch, stretch: &GripStretch, distance: f64) -> f64 {
    let Some(from_end) = reach.distance_to_end(distance) else { return 1.0 };
    let ramp = stretch.ramp_m.min(reach.reach_m / 2.0);
    if from_end >= ramp {
        return stretch.factor;
    }
    // Smooth at both ends, for gradient-based solvers.
    let fraction = from_end / ramp;
    1.0 + (stretch.factor - 1.0) * fraction * fraction * (3.0 - 2.0 * fraction)
}
