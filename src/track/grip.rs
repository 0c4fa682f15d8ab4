//! Grip along the road: that of its surface, and stretches on which both tyre limits are multiplied
//! by a factor.
//!
//! A stretch is specified by distances along the centre line. The distance of a place on the road
//! is interpolated between the two nearest cross-sections by its distance from each.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::places::{Place, Places};
use super::{SectionSurface, Track};
use crate::geometry::Point;

/// A stretch of road with its own grip.
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
        for distance in [self.from_m, self.to_m] {
            if !(0.0..=1e7).contains(&distance) {
                return Err((distance, "a distance of 0 m or more"));
            }
        }
        if !(0.0..=1e7).contains(&self.ramp_m) {
            return Err((self.ramp_m, "a ramp of 0 m or more"));
        }
        Ok(())
    }
}

/// A stretch of grip that does not fit its track.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GripError {
    /// A number out of its range.
    #[error("grip stretch {number}: {value} must be {range}")]
    OutOfRange {
        /// Number of the stretch, from 1.
        number: usize,
        /// As specified.
        value: f64,
        /// The allowed range.
        range: &'static str,
    },
    /// A place beyond the end of the road.
    #[error(
        "grip stretch {number}: {value} m lies beyond the end of the road, whose centre line is {length_m:.1} m long"
    )]
    BeyondEnd {
        /// Number of the stretch, from 1.
        number: usize,
        /// As specified, metres.
        value: f64,
        /// Length of the centre line, metres.
        length_m: f64,
    },
    /// A stretch without length, or one that runs backwards on an open road.
    #[error("grip stretch {number} from {from_m} m to {to_m} m has no length: to_m must be {fix}")]
    Empty {
        /// Number of the stretch, from 1.
        number: usize,
        /// Its beginning, metres.
        from_m: f64,
        /// Its end, metres.
        to_m: f64,
        /// The requirement.
        fix: &'static str,
    },
}

/// The grip at every place of a track.
#[derive(Clone, Debug)]
pub struct TrackGrip {
    stretches: Vec<GripStretch>,
    /// Grip of the surface on each section, at its right and its left end.
    surface: Option<Vec<[f64; 2]>>,
    places: Places,
}

/// A distance may exceed the road's length by this, because displayed lengths are rounded.
const LENGTH_TOLERANCE_M: f64 = 1.0;

impl TrackGrip {
    /// The grip of `track` with these stretches; `None` if the grip is 1 everywhere.
    ///
    /// # Errors
    /// [`GripError`] for a stretch that is out of range, beyond the road's end or without length.
    pub fn new(track: &Track, stretches: &[GripStretch]) -> Result<Option<Self>, GripError> {
        let grips = |surface: &Vec<SectionSurface>| -> Vec<[f64; 2]> {
            surface.iter().map(|section| [section.right.grip, section.left.grip]).collect()
        };
        let surface = track.surface.as_ref().map(grips).filter(|grips| grips.iter().flatten().any(|&grip| grip != 1.0));
        if stretches.is_empty() && surface.is_none() {
            return Ok(None);
        }
        let places = Places::new(track);
        let length_m = places.length_m();
        let mut held = Vec::with_capacity(stretches.len());
        for (i, stretch) in stretches.iter().enumerate() {
            let number = i + 1;
            stretch.validate().map_err(|(value, range)| GripError::OutOfRange { number, value, range })?;
            for value in [stretch.from_m, stretch.to_m] {
                if value > length_m + LENGTH_TOLERANCE_M {
                    return Err(GripError::BeyondEnd { number, value, length_m });
                }
            }
            let (from_m, to_m) = (stretch.from_m.min(length_m), stretch.to_m.min(length_m));
            let fix = match track.closed {
                true if from_m == to_m => Some("another place than from_m"),
                false if from_m >= to_m => Some("greater than from_m"),
                _ => None,
            };
            if let Some(fix) = fix {
                return Err(GripError::Empty { number, from_m, to_m, fix });
            }
            held.push(GripStretch { from_m, to_m, ..*stretch });
        }
        Ok(Some(Self { stretches: held, surface, places }))
    }

    /// The factor of the stretches at a distance along the centre line from the start line, metres;
    /// periodic on a closed track.
    #[must_use]
    pub fn at_distance(&self, distance_m: f64) -> f64 {
        let length = self.places.length_m();
        let distance = if self.places.closed { distance_m.rem_euclid(length) } else { distance_m.clamp(0.0, length) };
        self.stretches.iter().map(|stretch| self.factor_of(stretch, distance, length)).product()
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
            let [right, left] = [0, 1].map(|end| here[end] + place.share * (next[end] - here[end]));
            right + place.across.clamp(0.0, 1.0) * (left - right)
        });
        surface * self.at_distance(place.distance_m)
    }

    fn factor_of(&self, stretch: &GripStretch, distance: f64, length: f64) -> f64 {
        let mut reach = stretch.to_m - stretch.from_m;
        let mut inside = distance - stretch.from_m;
        if self.places.closed {
            if reach < 0.0 {
                reach += length;
            }
            if reach >= length {
                // The whole lap: there are no ends with a transition.
                return stretch.factor;
            }
            inside = inside.rem_euclid(length);
        }
        let from_end = inside.min(reach - inside);
        if from_end < 0.0 {
            return 1.0;
        }
        let ramp = stretch.ramp_m.min(reach / 2.0);
        if from_end >= ramp {
            return stretch.factor;
        }
        // Smooth at both ends, for gradient-based solvers.
        let share = from_end / ramp;
        1.0 + (stretch.factor - 1.0) * share * share * (3.0 - 2.0 * share)
    }
}
