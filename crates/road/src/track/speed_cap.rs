//! Stretches of road with a maximum speed.
//!
//! A stretch is specified by distances along the centre line, as one of grip is. A line is in it between the
//! cross-sections at its two ends.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::places::Places;
use super::stretch::{Extent, Stretch, StretchError, check_ends};
use super::{CrossSection, Track};
use crate::geometry::{Point, SplineCurve};
use raceline_numerics::bisected;

/// A stretch of road with a maximum speed.
///
/// ```
/// use raceline_road::track::SpeedCap;
///
/// let pit_lane = SpeedCap { from_m: 50.0, to_m: 250.0, max_speed_mps: 22.2 };
/// assert!(pit_lane.validate().is_ok());
/// assert!(SpeedCap { max_speed_mps: 0.0, ..pit_lane }.validate().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SpeedCap {
    /// Beginning: distance along the centre line from the start line, metres.
    pub from_m: f64,
    /// End, likewise; on a closed track, an end before the beginning leads over the start line.
    pub to_m: f64,
    /// Largest speed on the stretch, metres per second, 1 to 1000. Where stretches overlap, the lowest counts.
    pub max_speed_mps: f64,
}

impl SpeedCap {
    /// Checks the ranges that do not depend on a track.
    ///
    /// # Errors
    /// The number that is outside its range, and the range.
    pub fn validate(&self) -> Result<(), (f64, &'static str)> {
        if !(1.0..=1000.0).contains(&self.max_speed_mps) {
            return Err((self.max_speed_mps, "a max_speed_mps from 1 to 1000 m/s"));
        }
        check_ends(self.from_m, self.to_m)
    }
}

/// A place this near to the end of a stretch is in it, metres: the ends of stretches on a line are found to less.
const END_SLACK_M: f64 = 1e-6;
/// Halvings of a step in which a line passes the end of a stretch.
const HALVINGS: usize = 50;

/// The speed limits of a track.
///
/// ```
/// # use raceline_road::{edges::RoadShape, track::{Track, TrackOptions}};
/// # let angle = |i: i32| f64::from(i) * std::f64::consts::TAU / 48.0;
/// # let middle: Vec<[f64; 2]> = (0..48).map(|i| [60.0 * angle(i).cos(), 60.0 * angle(i).sin()]).collect();
/// # let track = Track::from_centre_line(&middle, &[[5.0, 5.0]; 48], RoadShape::Closed, &TrackOptions::default())?;
/// use raceline_road::track::{SpeedCap, TrackSpeedCaps};
///
/// let cap = SpeedCap { from_m: 50.0, to_m: 100.0, max_speed_mps: 12.0 };
/// let caps = TrackSpeedCaps::new(&track, &[cap])?.unwrap();
/// assert_eq!((caps.at_distance(75.0), caps.at_distance(120.0)), (12.0, f64::INFINITY));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct TrackSpeedCaps {
    stretches: Vec<(Stretch, SpeedCap)>,
    places: Places,
}

impl TrackSpeedCaps {
    /// The limits of these stretches on `track`; `None` without any.
    ///
    /// # Errors
    /// [`StretchError`] for a stretch that is out of range, beyond the road's end or without length.
    pub fn new(track: &Track, caps: &[SpeedCap]) -> Result<Option<Self>, StretchError> {
        if caps.is_empty() {
            return Ok(None);
        }
        let places = Places::new(track);
        let extent = Extent { length_m: places.length_m(), closed: places.closed };
        let mut stretches = Vec::with_capacity(caps.len());
        for (i, cap) in caps.iter().enumerate() {
            let (list, number) = ("speed_cap", i + 1);
            cap.validate().map_err(|(value, range)| StretchError::OutOfRange { list, number, value, range })?;
            stretches.push((Stretch::fit(list, number, [cap.from_m, cap.to_m], extent)?, *cap));
        }
        Ok(Some(Self { stretches, places }))
    }

    /// The limits with another maximum speed on the stretch `index`, m/s, which may be infinite.
    #[must_use]
    pub fn with_speed(mut self, index: usize, max_speed_mps: f64) -> Self {
        if let Some((_, cap)) = self.stretches.get_mut(index) {
            cap.max_speed_mps = max_speed_mps;
        }
        self
    }

    /// The limit at a distance along the centre line from the start line, m/s; infinite outside of the stretches.
    #[must_use]
    pub fn at_distance(&self, distance_m: f64) -> f64 {
        let length = self.places.length_m();
        let is_in = |reach: &Stretch| {
            [0.0, -END_SLACK_M, END_SLACK_M].into_iter().any(|slack| {
                let distance = distance_m + slack;
                let distance = if self.places.closed { distance.rem_euclid(length) } else { distance };
                reach.distance_to_end(distance).is_some()
            })
        };
        let limits = self.stretches.iter().filter(|(reach, _)| is_in(reach)).map(|(_, cap)| cap.max_speed_mps);
        limits.fold(f64::INFINITY, f64::min)
    }

    /// The limit at each point of a line along the road, m/s; infinite outside of the stretches.
    #[must_use]
    pub fn along(&self, line: &[Point]) -> Vec<f64> {
        self.places.along(line.iter().copied()).map(|place| self.at_distance(place.distance_m)).collect()
    }

    /// Parameters at which `curve`, a line along the road, passes the ends of the stretches, ascending. `count` is
    /// the number of places at which it is looked at.
    #[must_use]
    pub fn ends_on(&self, curve: &SplineCurve, count: usize) -> Vec<f64> {
        let length_m = self.places.length_m();
        let at = |s: f64| curve.at(s).position;
        let step = curve.length() / count.max(1) as f64;
        let steps = (0..=count).map(|i| if i == count { curve.length() } else { i as f64 * step });
        let looks: Vec<f64> = steps.collect();
        let places: Vec<_> = self.places.along(looks.iter().map(|&s| at(s))).collect();
        let whole_lap = |reach: &Stretch| self.places.closed && reach.reach_m >= length_m;
        let ends = self.stretches.iter().filter(|(reach, _)| !whole_lap(reach));
        let ends: Vec<f64> = ends.flat_map(|(reach, _)| [reach.from_m, reach.from_m + reach.reach_m]).collect();
        let mut found = Vec::new();
        for end in ends {
            // How far ahead of the end, on a closed road within half a lap of it.
            let ahead = |distance: f64| {
                let ahead = distance - end;
                if self.places.closed { ahead - length_m * (ahead / length_m).round() } else { ahead }
            };
            for (pair, between) in looks.windows(2).zip(places.windows(2)) {
                let (before, after) = (ahead(between[0].distance_m), ahead(between[1].distance_m));
                if !(before < 0.0 && after >= 0.0 && after - before < 0.25 * length_m) {
                    continue;
                }
                // From a place that is known to be on the leg.
                let [_, beyond] = bisected([pair[0], pair[1]], HALVINGS, |s| {
                    ahead(self.places.near(at(s), between[0].section).distance_m) < 0.0
                });
                found.push(beyond);
            }
        }
        found.sort_by(f64::total_cmp);
        found
    }

    /// The cross-sections at the beginning and at the end of each stretch; `None` for a stretch of a whole lap.
    #[must_use]
    pub fn gates(&self) -> Vec<Option<[CrossSection; 2]>> {
        let length_m = self.places.length_m();
        let gates = self.stretches.iter().map(|(reach, _)| {
            let is_lap = self.places.closed && reach.reach_m >= length_m;
            (!is_lap).then(|| [reach.from_m, reach.from_m + reach.reach_m].map(|end| self.places.section_at(end)))
        });
        gates.collect()
    }
}

#[cfg(test)]
mod tests;
