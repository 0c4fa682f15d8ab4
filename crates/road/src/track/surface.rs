//! Height, grip and kind of edge at the ends of the cross-sections: from the source of the road, and
//! from profiles along the centre line.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::section_surface::{SectionSurface, SurfaceEnd};
use super::stretch::{LENGTH_TOLERANCE_M, StretchError};
use super::{CrossSection, Track};
use crate::edges::{EdgePoint, RoadSurface};
use crate::geometry::{Point, Polyline, SegmentIndex, SplineKnots};
use raceline_numerics::math;

/// A point of an elevation profile.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ElevationPoint {
    /// Distance along the centre line from the start line, metres.
    pub s_m: f64,
    /// Height of the centre line, metres.
    pub z_m: f64,
}

/// A point of a profile of banking.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BankingPoint {
    /// Distance along the centre line from the start line, metres.
    pub s_m: f64,
    /// Angle of the road across the direction of travel, radians: positive where the left edge is
    /// higher.
    pub banking_rad: f64,
}

/// A profile or a stretch along the centre line that does not fit its track.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SurfaceError {
    /// A number out of its range.
    #[error("{profile} point {number}: {key} = {value} must be {range}")]
    OutOfRange {
        /// The list, as `elevation`.
        profile: &'static str,
        /// Number of the point, from 1.
        number: usize,
        /// The key.
        key: &'static str,
        /// As specified.
        value: f64,
        /// The allowed range.
        range: &'static str,
    },
    /// Distances that do not increase.
    #[error("{profile} point {number}: s_m = {s_m} must be greater than {before_m} of the point before it")]
    Order {
        /// The list, as `elevation`.
        profile: &'static str,
        /// Number of the point, from 1.
        number: usize,
        /// As specified, metres.
        s_m: f64,
        /// Distance of the point before it, metres.
        before_m: f64,
    },
    /// A stretch of edge.
    #[error(transparent)]
    Stretch(#[from] StretchError),
    /// A place beyond the end of the road.
    #[error(
        "{profile} point {number}: s_m = {s_m} lies beyond the end of the road, whose centre line is {length_m:.1} m long"
    )]
    BeyondEnd {
        /// The list, as `elevation`.
        profile: &'static str,
        /// Number of the point, from 1.
        number: usize,
        /// As specified, metres.
        s_m: f64,
        /// Length of the centre line, metres.
        length_m: f64,
    },
}

/// The steepest banking, radians.
const STEEPEST_RAD: f64 = 1.2;
/// A section's end is searched along its edge's profile within this many widths of the road.
const REACH_WIDTHS: f64 = 4.0;

/// The road at the ends of the sections of `track`, from the profiles of its edges.
pub(super) fn surface_of(track: &Track, surface: &RoadSurface) -> Vec<SectionSurface> {
    let width = track.mean_width();
    let side = |points: &[EdgePoint], end: fn(&CrossSection) -> Point| -> Vec<SurfaceEnd> {
        let line = Polyline { points: points.iter().map(|point| point.position).collect(), closed: track.closed };
        let (index, lengths) = (SegmentIndex::new(&line, width), line.arc_lengths());
        let mut last: Option<f64> = None;
        track
            .sections
            .iter()
            .map(|section| {
                let place = end(section);
                let near = last.and_then(|s| index.nearest_along(place, s, REACH_WIDTHS * width));
                let Some(near) = near.or_else(|| index.nearest(place)) else { return SurfaceEnd::LEVEL };
                last = Some(near.s);
                let at = lengths.partition_point(|&s| s <= near.s).saturating_sub(1).min(points.len() - 1);
                let next = if at + 1 < points.len() {
                    at + 1
                } else if track.closed {
                    0
                } else {
                    at
                };
                let gap = lengths.get(at + 1).map_or(0.0, |end| end - lengths[at]);
                let fraction = if gap > 0.0 { ((near.s - lengths[at]) / gap).clamp(0.0, 1.0) } else { 0.0 };
                let (from, to) = (&points[at], &points[next]);
                SurfaceEnd {
                    height_m: from.height_m + fraction * (to.height_m - from.height_m),
                    grip: from.grip + fraction * (to.grip - from.grip),
                    kind: from.kind,
                }
            })
            .collect()
    };
    if surface.left.len() < 2 || surface.right.len() < 2 {
        return vec![SectionSurface::LEVEL; track.sections.len()];
    }
    let (left, right) = (side(&surface.left, |section| section.left), side(&surface.right, |section| section.right));
    right.into_iter().zip(left).map(|(right, left)| SectionSurface { right, left }).collect()
}

impl Track {
    /// Returns the road with a height of the centre line and a banking from profiles along it, in place
    /// of those that it has; an empty profile leaves them.
    ///
    /// ```
    /// # use raceline_road::{edges::RoadShape, track::{Track, TrackOptions}};
    /// use raceline_road::track::{BankingPoint, ElevationPoint};
    ///
    /// let edge = |y: f64| (0..=20).map(|i| [10.0 * f64::from(i), y]).collect::<Vec<_>>();
    /// let track = Track::from_points(&edge(8.0), &edge(0.0), RoadShape::Open, &TrackOptions::default())?;
    /// let hill = [[0.0, 0.0], [100.0, 5.0], [200.0, 0.0]].map(|[s_m, z_m]| ElevationPoint { s_m, z_m });
    /// let track = track.with_profiles(&hill, &[BankingPoint { s_m: 0.0, banking_rad: 0.05 }])?;
    /// assert!(track.surface.is_some_and(|surface| surface[0].left.height_m > surface[0].right.height_m));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`SurfaceError`] for a profile that does not fit the road.
    pub fn with_profiles(
        mut self,
        elevation: &[ElevationPoint],
        banking: &[BankingPoint],
    ) -> Result<Self, SurfaceError> {
        if elevation.is_empty() && banking.is_empty() {
            return Ok(self);
        }
        let lengths = self.centre_line().arc_lengths();
        let length_m = lengths.last().copied().unwrap_or_default();
        let elevation: Vec<[f64; 2]> = elevation.iter().map(|point| [point.s_m, point.z_m]).collect();
        let banking: Vec<[f64; 2]> = banking.iter().map(|point| [point.s_m, point.banking_rad]).collect();
        check("elevation", "z_m", &elevation, 1e5, "a height from -100000 to 100000 m", length_m)?;
        check("banking", "banking_rad", &banking, STEEPEST_RAD, "an angle from -1.2 to 1.2 rad", length_m)?;
        let (elevation, banking) =
            (Profile::new(&elevation, length_m, self.closed), Profile::new(&banking, length_m, self.closed));
        let surface = self.surface.get_or_insert_with(|| vec![SectionSurface::LEVEL; self.sections.len()]);
        for ((surface, section), &s) in surface.iter_mut().zip(&self.sections).zip(&lengths) {
            let (left, right) = (surface.left.height_m, surface.right.height_m);
            let middle = elevation.as_ref().map_or(f64::midpoint(left, right), |profile| profile.at(s));
            let half_rise = banking
                .as_ref()
                .map_or(0.5 * (left - right), |profile| 0.5 * section.width() * math::tan(profile.at(s)));
            (surface.left.height_m, surface.right.height_m) = (middle + half_rise, middle - half_rise);
        }
        Ok(self)
    }
}

/// Checks a profile's points, each with its distance along the centre line and a value of at most `max` in size.
pub(super) fn check(
    profile: &'static str,
    key: &'static str,
    points: &[[f64; 2]],
    max: f64,
    range: &'static str,
    length_m: f64,
) -> Result<(), SurfaceError> {
    let mut before_m = f64::NEG_INFINITY;
    for (i, &[s_m, value]) in points.iter().enumerate() {
        let number = i + 1;
        if !(0.0..=1e7).contains(&s_m) {
            let range = "a distance of 0 m or more";
            return Err(SurfaceError::OutOfRange { profile, number, key: "s_m", value: s_m, range });
        }
        if !(-max..=max).contains(&value) {
            return Err(SurfaceError::OutOfRange { profile, number, key, value, range });
        }
        if s_m <= before_m {
            return Err(SurfaceError::Order { profile, number, s_m, before_m });
        }
        if s_m > length_m + LENGTH_TOLERANCE_M {
            return Err(SurfaceError::BeyondEnd { profile, number, s_m, length_m });
        }
        before_m = s_m;
    }
    Ok(())
}

/// A cubic spline through values along the centre line, periodic on a closed road; constant beyond
/// the ends of an open road's. With one value it is constant.
pub(super) struct Profile {
    places: Vec<f64>,
    values: Vec<f64>,
    second: Vec<f64>,
    length_m: f64,
    closed: bool,
}

impl Profile {
    /// The spline through distances with values; `None` without any.
    pub(super) fn new(points: &[[f64; 2]], length_m: f64, closed: bool) -> Option<Self> {
        let mut places: Vec<f64> = points.iter().map(|point| point[0]).collect();
        let mut values: Vec<f64> = points.iter().map(|point| point[1]).collect();
        // A closed road's last point may repeat the first.
        if closed && places.len() > 1 && places[0] + length_m - places[places.len() - 1] < LENGTH_TOLERANCE_M {
            places.pop();
            values.pop();
        }
        let first = *places.first()?;
        let mut gaps: Vec<f64> = places.windows(2).map(|pair| pair[1] - pair[0]).collect();
        if closed {
            gaps.push(first + length_m - places[places.len() - 1]);
        }
        let mut second = vec![0.0; values.len()];
        // Too few points for a spline: linear.
        if let Some(knots) = SplineKnots::new(gaps, closed) {
            knots.second_derivatives(&values, &mut second);
        }
        Some(Self { places, values, second, length_m, closed })
    }

    /// The value at a distance along the centre line.
    pub(super) fn at(&self, s: f64) -> f64 {
        let n = self.places.len();
        let after = self.places.partition_point(|&place| place <= s);
        let (from, to) = match (after, self.closed) {
            (0, false) => return self.values[0],
            (last, false) if last == n => return self.values[n - 1],
            (0, true) => (n - 1, 0),
            (after, _) => (after - 1, after % n),
        };
        let gap = (self.places[to] - self.places[from]).rem_euclid(self.length_m);
        let gap = if gap > 0.0 { gap } else { self.length_m };
        let b = (s - self.places[from]).rem_euclid(self.length_m) / gap;
        let a = 1.0 - b;
        let bent = (a * a * a - a) * self.second[from] + (b * b * b - b) * self.second[to];
        a * self.values[from] + b * self.values[to] + bent * gap * gap / 6.0
    }
}

#[cfg(test)]
mod tests;
