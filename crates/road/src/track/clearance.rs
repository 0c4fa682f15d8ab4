//! The part of a road that a vehicle may use: further in where a wall stands, further out over kerbs.
//!
//! The margin of lines is the same at every edge, so the edges themselves are moved: by the kind of
//! the edge at the nearest cross-section, and by at most [`MAX_SLOPE`] metres per metre along the
//! road, always to the narrower side. What `edge_margin` keeps free is moved inwards with them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::edge_margin::{EdgeMargin, margins_at};
use super::places::Places;
use super::{SectionSurface, SurfaceEnd, Track, TrackError, TrackOptions, cut_for};
use crate::edges::{EdgeKind, EdgePoint, Edges, RoadSurface};
use crate::frame::Spot;
use crate::geometry::{Point, Polyline, Vector, left_of};
use crate::range::{OutOfRange, Range};

/// Range of both options.
const CLEARANCE: Range = Range::between(0.0, 100.0).in_metres();
/// Largest change of an edge's offset along the road, metres per metre.
const MAX_SLOPE: f64 = 0.1;
/// Largest distance between vertices of a moved edge, metres.
const STEP_M: f64 = 2.0;

/// How near to its edges a road is used, by the kind of the edge. A painted line is kept at the
/// vehicle's safety distance.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ClearanceOptions {
    /// Distance between the vehicle's side and a wall, metres; at least its safety distance.
    /// Default: 0.7.
    #[serde(skip_serializing_if = "is_default_wall")]
    #[schemars(extend("x-range" = CLEARANCE))]
    pub wall_clearance_m: f64,
    /// How far the vehicle's side may be over a kerb, beyond the edge of the road, metres. Default:
    /// 0.3.
    #[serde(skip_serializing_if = "is_default_kerb")]
    #[schemars(extend("x-range" = CLEARANCE))]
    pub kerb_overhang_m: f64,
}

const DEFAULT_WALL_M: f64 = 0.7;
const DEFAULT_KERB_M: f64 = 0.3;

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_default_wall(value: &f64) -> bool {
    *value == DEFAULT_WALL_M
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_default_kerb(value: &f64) -> bool {
    *value == DEFAULT_KERB_M
}

impl Default for ClearanceOptions {
    fn default() -> Self {
        Self { wall_clearance_m: DEFAULT_WALL_M, kerb_overhang_m: DEFAULT_KERB_M }
    }
}

impl ClearanceOptions {
    /// Checks every option's range.
    ///
    /// ```
    /// use raceline_road::track::ClearanceOptions;
    ///
    /// let options = ClearanceOptions { wall_clearance_m: 1.0, ..ClearanceOptions::default() };
    /// assert!(options.validate().is_ok());
    /// assert!(ClearanceOptions { kerb_overhang_m: -0.1, ..options }.validate().is_err());
    /// ```
    ///
    /// # Errors
    /// The first option outside its range, with its value and range.
    pub fn validate(&self) -> Result<(), OutOfRange> {
        CLEARANCE.check("wall_clearance_m", self.wall_clearance_m)?;
        CLEARANCE.check("kerb_overhang_m", self.kerb_overhang_m)
    }

    /// How far an edge moves outwards for a vehicle that keeps `safety_m` from lines, metres.
    fn offset_m(&self, kind: EdgeKind, safety_m: f64) -> f64 {
        match kind {
            EdgeKind::Line => 0.0,
            EdgeKind::Kerb => safety_m + self.kerb_overhang_m,
            EdgeKind::Wall => (safety_m - self.wall_clearance_m).min(0.0),
        }
    }
}

impl Track {
    /// Whether all edges are lines, so that no clearance applies and any vehicle uses the whole road.
    #[must_use]
    pub fn has_only_lines(&self) -> bool {
        let is_line = |section: &SectionSurface| [section.right.kind, section.left.kind] == [EdgeKind::Line; 2];
        self.surface.as_ref().is_none_or(|surface| surface.iter().all(is_line))
    }
}

/// The road of `track` that a vehicle of `length_m` with the safety distance `safety_m` may use,
/// with `options.track`'s spacing: within the clearances of its edges and `edge_margin`. `None` where all
/// edges are lines and there is no `edge_margin`.
///
/// # Errors
/// Those of [`cut_for`], for a road that the clearances leave no room on; [`TrackError::EdgeMargin`] for
/// margins that do not fit the road.
pub fn usable(
    track: &Track,
    (clearance, edge_margin): (&ClearanceOptions, &[EdgeMargin]),
    options: &TrackOptions,
    safety_m: f64,
    length_m: f64,
) -> Result<Option<Track>, TrackError> {
    clearance.validate()?;
    if track.has_only_lines() && edge_margin.is_empty() {
        return Ok(None);
    }
    let level = vec![SectionSurface::LEVEL; track.sections.len()];
    let surface = track.surface.as_ref().unwrap_or(&level);
    let places = Places::new(track);
    let margins = margins_at(edge_margin, &places)?;
    let offsets = |end: fn(&SectionSurface) -> &SurfaceEnd, side: usize| {
        let offset = |(section, margin): (&SectionSurface, &[f64; 2])| {
            clearance.offset_m(end(section).kind, safety_m) - margin[side]
        };
        limited(&surface.iter().zip(&margins).map(offset).collect::<Vec<f64>>(), &places)
    };
    let (right, left) = (offsets(|section| &section.right, 1), offsets(|section| &section.left, 0));
    let edges = Edges {
        left: moved(&track.left_edge, &places, &left, true),
        right: moved(&track.right_edge, &places, &right, false),
        crossings: track.crossings.clone(),
        directed: true,
        uncertainty_m: track.edge_uncertainty_m,
        frame: None,
        surface: None,
    };
    // The heights of the moved edges continue those of the road.
    let ends = |end: fn(&SectionSurface) -> &SurfaceEnd, other: fn(&SectionSurface) -> &SurfaceEnd, is_left: bool| {
        let offsets = if is_left { &left } else { &right };
        let point = |i: usize| {
            let (section, surface) = (&track.sections[i], &surface[i]);
            let (here, there) = (end(surface), other(surface));
            let fraction = offsets[i] / section.width();
            let position = section.point(if is_left { 1.0 + fraction } else { -fraction });
            EdgePoint {
                position,
                height_m: here.height_m + fraction * (here.height_m - there.height_m),
                grip: here.grip,
                kind: EdgeKind::Line,
            }
        };
        (0..surface.len()).map(point).collect::<Vec<_>>()
    };
    let surface =
        RoadSurface { left: ends(|s| &s.left, |s| &s.right, true), right: ends(|s| &s.right, |s| &s.left, false) };
    let start = track.sections.first().map(|section| section.middle());
    let options = TrackOptions {
        start: start.map(|start| Spot::Metres([start.x, start.y])),
        direction: Some(track.direction),
        ..options.clone()
    };
    let surface = track.surface.is_some().then_some(surface);
    cut_for(&Edges { surface, ..edges }, &options, length_m).map(Some)
}

/// The largest offsets that are not above `wanted` and change by at most [`MAX_SLOPE`].
fn limited(wanted: &[f64], places: &Places) -> Vec<f64> {
    let n = wanted.len();
    let mut offsets = wanted.to_vec();
    let gap = |i: usize| places.distances.get(i + 1).map_or(0.0, |end| end - places.distances[i]);
    let rounds = if places.closed { 2 } else { 1 };
    for _ in 0..rounds {
        for i in 0..n {
            let next = (i + 1) % n;
            if next > 0 || places.closed {
                offsets[next] = offsets[next].min(offsets[i] + MAX_SLOPE * gap(i));
            }
        }
        for i in (0..n).rev() {
            let next = (i + 1) % n;
            if next > 0 || places.closed {
                offsets[i] = offsets[i].min(offsets[next] + MAX_SLOPE * gap(i));
            }
        }
    }
    offsets
}

/// An edge moved outwards by the offsets at the sections.
fn moved(edge: &Polyline, places: &Places, offsets: &[f64], is_left: bool) -> Polyline {
    let mut points: Vec<Point> = Vec::new();
    for (from, to) in edge.pieces() {
        let parts = ((to - from).norm() / STEP_M).ceil().max(1.0) as usize;
        points.extend((0..parts).map(|part| from + (to - from) * (part as f64 / parts as f64)));
    }
    if !edge.closed {
        points.extend(edge.points.last());
    }
    let n = points.len();
    let found: Vec<_> = places.along(points.iter().copied()).collect();
    let outwards = if is_left { 1.0 } else { -1.0 };
    let moved = (0..n).map(|i| {
        let before = if i == 0 && !edge.closed { points[0] } else { points[(i + n - 1) % n] };
        let after = if i + 1 == n && !edge.closed { points[n - 1] } else { points[(i + 1) % n] };
        let normal = left_of(after - before).try_normalize(1e-9).unwrap_or_else(Vector::zeros);
        let place = &found[i];
        let (from, to) = (offsets[place.section], offsets[(place.section + 1) % offsets.len()]);
        points[i] + normal * (outwards * (from + place.fraction * (to - from)))
    });
    Polyline { points: moved.collect(), closed: edge.closed }
}

#[cfg(test)]
mod tests;
