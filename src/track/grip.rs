//! Grip along the road: stretches on which both tyre limits are multiplied by a factor.
//!
//! A stretch is specified by distances along the centre line. The distance of a place on the road
//! is interpolated between the two nearest cross-sections by its distance from each.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{CrossSection, Track};
use crate::geometry::{Point, SegmentIndex, Vector, left_of};

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
    sections: Vec<CrossSection>,
    /// Distance along the centre line of each section and of the end of the centre line, metres.
    distances: Vec<f64>,
    closed: bool,
    centre_line: SegmentIndex,
}

/// A distance may exceed the road's length by this, because displayed lengths are rounded.
const LENGTH_TOLERANCE_M: f64 = 1.0;
/// Limit on the sections searched from a neighbour's section.
const MOST_STEPS: usize = 64;
/// A place may lie beyond the ends of its section by this fraction of the section's width.
const OVERHANG_SHARE: f64 = 0.5;

impl TrackGrip {
    /// The grip of `track` with these stretches; `None` if there are none and the grip is 1
    /// everywhere.
    ///
    /// # Errors
    /// [`GripError`] for a stretch that is out of range, beyond the road's end or without length.
    pub fn new(track: &Track, stretches: &[GripStretch]) -> Result<Option<Self>, GripError> {
        if stretches.is_empty() {
            return Ok(None);
        }
        let centre_line = track.centre_line();
        let mean_width =
            track.sections.iter().map(CrossSection::width).sum::<f64>() / track.sections.len().max(1) as f64;
        let index = SegmentIndex::new(&centre_line, mean_width);
        let length_m = index.length();
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
        let mut distances = centre_line.arc_lengths();
        distances.truncate(track.sections.len() + 1);
        Ok(Some(Self {
            stretches: held,
            sections: track.sections.clone(),
            distances,
            closed: track.closed,
            centre_line: index,
        }))
    }

    /// The factor at a distance along the centre line from the start line, metres; periodic on a
    /// closed track.
    #[must_use]
    pub fn at_distance(&self, distance_m: f64) -> f64 {
        let length = self.centre_line.length();
        let distance = if self.closed { distance_m.rem_euclid(length) } else { distance_m.clamp(0.0, length) };
        self.stretches.iter().map(|stretch| self.factor_of(stretch, distance, length)).product()
    }

    /// The factor on the cross-section `index` of the track.
    #[must_use]
    pub fn at_section(&self, index: usize) -> f64 {
        self.at_distance(self.distances[index])
    }

    /// The factor at a place on the road. Where the road crosses itself, the leg whose centre line
    /// is nearer counts; for a line, use [`Self::along`].
    #[must_use]
    pub fn at(&self, place: Point) -> f64 {
        self.at_distance(self.distance_of(place, self.nearest_section(place)).1)
    }

    /// The factor at each point of a line along the road. Each search starts at the point before,
    /// so that a line remains on its leg where the road crosses itself.
    #[must_use]
    pub fn along(&self, line: &[Point]) -> Vec<f64> {
        let mut section: Option<usize> = None;
        line.iter()
            .map(|&place| {
                let near = section
                    .map(|from| self.distance_of(place, from))
                    .filter(|&(found, _)| self.holds(found, place))
                    .unwrap_or_else(|| self.distance_of(place, self.nearest_section(place)));
                section = Some(near.0);
                self.at_distance(near.1)
            })
            .collect()
    }

    fn factor_of(&self, stretch: &GripStretch, distance: f64, length: f64) -> f64 {
        let mut reach = stretch.to_m - stretch.from_m;
        let mut inside = distance - stretch.from_m;
        if self.closed {
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

    fn nearest_section(&self, place: Point) -> usize {
        let distance = self.centre_line.nearest(place).map_or(0.0, |nearest| nearest.s);
        let after = self.distances.partition_point(|&d| d <= distance);
        after.saturating_sub(1).min(self.sections.len() - 1)
    }

    /// How far ahead of section `index` a place lies, metres.
    fn ahead_of(&self, index: usize, place: Point) -> f64 {
        let section = &self.sections[index];
        let forwards: Vector = -left_of(section.span().normalize());
        (place - section.middle()).dot(&forwards)
    }

    /// The section before `place` and its distance along the centre line, searched from the section
    /// `from`.
    fn distance_of(&self, place: Point, from: usize) -> (usize, f64) {
        let n = self.sections.len();
        let last = if self.closed { n } else { n - 1 };
        let mut at = from.min(last.saturating_sub(1));
        for _ in 0..MOST_STEPS {
            if self.ahead_of(at, place) >= 0.0 {
                break;
            }
            match at {
                0 if !self.closed => break,
                0 => at = n - 1,
                _ => at -= 1,
            }
        }
        for _ in 0..MOST_STEPS {
            let next = (at + 1) % n;
            if self.ahead_of(next, place) < 0.0 || (!self.closed && at + 1 >= last) {
                break;
            }
            at = next;
        }
        let (behind, ahead) = (self.ahead_of(at, place), -self.ahead_of((at + 1) % n, place));
        let share = if behind + ahead > 0.0 { (behind / (behind + ahead)).clamp(0.0, 1.0) } else { 0.0 };
        (at, self.distances[at] + share * (self.distances[at + 1] - self.distances[at]))
    }

    /// Whether `place` is between section `index` and the next, and not far off their ends.
    fn holds(&self, index: usize, place: Point) -> bool {
        let section = &self.sections[index];
        let width = section.width();
        let across = (place - section.right).dot(&section.span()) / (width * width);
        let next = (index + 1) % self.sections.len();
        let between = self.ahead_of(index, place) >= -width && self.ahead_of(next, place) <= width;
        between && (-OVERHANG_SHARE..=1.0 + OVERHANG_SHARE).contains(&across)
    }
}
