//! The position of a vehicle relative to the line that it follows.

use raceline_numerics::math;
use raceline_vehicle_simulation::Surface;

use super::error::DriveError;
use super::patches::Patches;
use crate::file::{LinePoint, RacingLine};
use crate::geometry::{Point, Polyline, SegmentIndex, SplineCurve, Vector, cross};
use crate::vehicle::STANDARD_GRAVITY;

/// Length of the chords that approximate the line's curve, m. On a circle of 8 m radius they
/// deviate by a millimetre.
const CHORD_M: f64 = 0.25;
/// Largest number of chords per point of the file.
const MAX_CHORDS_PER_POINT: usize = 64;
/// Range of the search along the line, m, in addition to the distance that was driven.
const REACH_M: f64 = 6.0;

/// The racing line as a curve, with the road's width and the profile along it.
#[derive(Clone, Debug)]
pub struct ReferenceLine {
    curve: SplineCurve,
    chords: SegmentIndex,
    /// Arc length of the curve per arc length of the chords.
    stretch: f64,
    left: Vec<f64>,
    right: Vec<f64>,
    speeds: Vec<f64>,
    surfaces: Option<Surfaces>,
    closed: bool,
}

/// The road's surface at the points of the file.
#[derive(Clone, Debug)]
struct Surfaces {
    /// Grip times load.
    grip: Vec<f64>,
    load: Vec<f64>,
    /// Gravity along and across the line, m/s².
    along: Vec<f64>,
    across: Vec<f64>,
}

impl Surfaces {
    /// The surfaces of a line whose points are at the distances `positions`, the length of the line at the
    /// end if it is closed, with the grip of the points or without it; `None` for a level road of even grip.
    fn of(line: &RacingLine, positions: &[f64], has_grip: bool) -> Option<Self> {
        let points = &line.points;
        let grip = |point: &LinePoint| point.grip.filter(|_| has_grip);
        let varies = |point: &LinePoint| {
            point.z_m.is_some() || point.banking_rad.is_some() || grip(point).is_some() || point.load.is_some()
        };
        if !points.iter().any(varies) {
            return None;
        }
        let count = points.len();
        let height = |i: usize| points[i % count].z_m.unwrap_or(0.0);
        let slope = |i: usize| {
            let (before, after) = match (line.closed, i) {
                (true, 0) => (count - 1, 1),
                (true, _) => (i - 1, i + 1),
                (false, _) => (i.saturating_sub(1), (i + 1).min(count - 1)),
            };
            let run = match (line.closed, i) {
                (true, 0) => positions[count] - positions[count - 1] + positions[1],
                _ => positions[after] - positions[before],
            };
            if run > 0.0 { (height(after) - height(before)) / run } else { 0.0 }
        };
        Some(Self {
            grip: points.iter().map(|point| grip(point).unwrap_or(1.0) * point.load.unwrap_or(1.0)).collect(),
            load: points.iter().map(|point| point.load.unwrap_or(1.0)).collect(),
            // The sine of the slope's angle: a line is measured in the plane.
            along: (0..count).map(|i| -STANDARD_GRAVITY * slope(i) / math::hypot(slope(i), 1.0)).collect(),
            across: points
                .iter()
                .map(|point| -STANDARD_GRAVITY * math::sin(point.banking_rad.unwrap_or(0.0)))
                .collect(),
        })
    }
}

/// A position relative to the line.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LinePlace {
    /// Distance along the line from its first point to the nearest point of it, m.
    pub s_m: f64,
    /// Signed distance from the line, m, positive to the left of it.
    pub offset_m: f64,
}

impl ReferenceLine {
    /// The curve through the points of `line` on which its speed profile was computed.
    ///
    /// # Errors
    /// [`DriveError::NoCurve`] when there is none.
    pub fn new(line: &RacingLine) -> Result<Self, DriveError> {
        Self::of(line, true)
    }

    /// The curve on a road without the grip of the line's points.
    ///
    /// # Errors
    /// [`DriveError::NoCurve`] when there is none.
    pub(super) fn without_grip(line: &RacingLine) -> Result<Self, DriveError> {
        Self::of(line, false)
    }

    fn of(line: &RacingLine, has_grip: bool) -> Result<Self, DriveError> {
        let points: Vec<Point> = line.points.iter().map(|point| Point::new(point.x_m, point.y_m)).collect();
        let no_curve = || DriveError::NoCurve { points: points.len() };
        let curve = SplineCurve::through(&points, line.closed).ok_or_else(no_curve)?;
        let count = (curve.length() / CHORD_M).ceil() as usize;
        let count = count.clamp(points.len(), points.len().saturating_mul(MAX_CHORDS_PER_POINT)) + 1;
        let fine: Vec<Point> = curve.evenly(count).iter().map(|place| place.position).collect();
        let polyline = if line.closed { Polyline::closed(fine) } else { Polyline::open(fine) };
        let chords = SegmentIndex::new(&polyline, 4.0 * CHORD_M);
        let length = chords.length();
        if !(length > 0.0 && curve.length().is_finite()) {
            return Err(no_curve());
        }
        let surfaces = Surfaces::of(line, curve.positions(), has_grip);
        Ok(Self {
            surfaces,
            stretch: curve.length() / length,
            curve,
            chords,
            left: line.points.iter().map(|point| point.left_m).collect(),
            right: line.points.iter().map(|point| point.right_m).collect(),
            speeds: line.points.iter().map(|point| point.speed_mps).collect(),
            closed: line.closed,
        })
    }

    /// The line on a road without `patches`, which the vehicle on it feels at its own place.
    #[must_use]
    pub(super) fn without(mut self, patches: &Patches) -> Self {
        let positions = self.curve.positions();
        for (i, value) in self.surfaces.iter_mut().flat_map(|surfaces| surfaces.grip.iter_mut().enumerate()) {
            let place = self.curve.at(positions[i]);
            *value /= patches.at_point(place.position, place.first);
        }
        self
    }

    /// Length of the line, m.
    #[must_use]
    pub fn length_m(&self) -> f64 {
        self.curve.length()
    }

    /// Whether the line is closed.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Position and heading at distance `s`.
    #[must_use]
    pub fn at(&self, s: f64) -> (Point, f64) {
        let place = self.curve.at(s);
        (place.position, place.heading())
    }

    /// The point of the line nearest to `p`, within a few metres plus `moved` along it from `s`.
    #[must_use]
    pub fn place(&self, p: Point, s: f64, moved: f64) -> LinePlace {
        let reach = REACH_M.min(self.length_m() / 4.0) + moved;
        let found = self.chords.nearest_along(p, s / self.stretch, reach).or_else(|| self.chords.nearest(p));
        let Some(nearest) = found else { return LinePlace { s_m: s, offset_m: 0.0 } };
        let s_m = nearest.s * self.stretch;
        let tangent = self.curve.at(s_m).first;
        let away: Vector = p - nearest.point;
        let across_m = cross(tangent, away);
        // A point ahead of the end of an open line or behind its start is not beside it.
        let length = self.chords.length();
        let is_end = nearest.s <= 0.0 || nearest.s >= length * (1.0 - f64::EPSILON);
        let is_beyond = is_end && !self.closed;
        let offset_m = if is_beyond { across_m / tangent.norm() } else { nearest.distance.copysign(across_m) };
        LinePlace { s_m, offset_m }
    }

    /// Distance of `p` from the nearer edge of the road at a point near `s`, m; negative beyond an
    /// edge. The road is the strip between the line's distances to its left and right edge, linear
    /// between the points of the file. These are distances to the nearest point of the edge, so the
    /// strip lies inside the road.
    #[must_use]
    pub fn room(&self, p: Point, s: f64, moved: f64) -> f64 {
        let place = self.place(p, s, moved);
        let (left, right) = self.widths(place.s_m);
        (left - place.offset_m).min(right + place.offset_m)
    }

    /// Distances to the left and the right edge at distance `s`, m.
    #[must_use]
    pub fn widths(&self, s: f64) -> (f64, f64) {
        (self.along(&self.left, s), self.along(&self.right, s))
    }

    /// The profile's speed at distance `s`, m/s.
    #[must_use]
    pub fn profile_speed(&self, s: f64) -> f64 {
        self.along(&self.speeds, s)
    }

    /// The road's surface at distance `s`: the line's grip and load, and gravity by its heights and banking.
    /// The load is that at the speed of the profile.
    #[must_use]
    pub fn surface(&self, s: f64) -> Surface {
        let Some(surfaces) = &self.surfaces else { return Surface::LEVEL };
        Surface {
            grip: self.along(&surfaces.grip, s),
            axle_grip: [1.0; 2],
            load: self.along(&surfaces.load, s),
            along_mps2: self.along(&surfaces.along, s),
            across_mps2: self.along(&surfaces.across, s),
        }
    }

    /// `values` at the points of the file, linear in between.
    fn along(&self, values: &[f64], s: f64) -> f64 {
        let positions = self.curve.positions();
        let length = self.length_m();
        let s = if self.closed { s.rem_euclid(length) } else { s.clamp(0.0, length) };
        let after = positions.partition_point(|&position| position <= s).clamp(1, positions.len() - 1);
        let (from, to) = (positions[after - 1], positions[after]);
        let (first, second) = (values[after - 1], values[if after == values.len() { 0 } else { after }]);
        first + (second - first) * ((s - from) / (to - from)).clamp(0.0, 1.0)
    }
}
