//! Distances to the edges of a road and to what counts as parts of them.

use super::barrier::{Barrier, PassingSide};
use super::no_go_area::NoGoArea;
use super::pin::PinnedPlace;
use raceline_road::geometry::{Point, SegmentIndex};
use raceline_road::track::{CrossSection, Track};

/// Distances to both edges of a track, and to the barriers that count as parts of them; with the
/// pins of lines and the regions that they keep out of.
///
/// ```
/// # use raceline_road::{edges::RoadShape, track::{Track, TrackOptions}};
/// # let angle = |i: i32| f64::from(i) * std::f64::consts::TAU / 48.0;
/// # let middle: Vec<[f64; 2]> = (0..48).map(|i| [60.0 * angle(i).cos(), 60.0 * angle(i).sin()]).collect();
/// # let track = Track::from_centre_line(&middle, &[[5.0, 5.0]; 48], RoadShape::Closed, &TrackOptions::default())?;
/// use raceline_road::geometry::Point;
/// use raceline_solve::EdgeDistance;
///
/// // A ring of radius 60 m, 10 m wide, driven counter-clockwise.
/// let edges = EdgeDistance::new(&track);
/// let (left_m, right_m) = edges.to_edges(Point::new(62.0, 0.0));
/// assert!((left_m - 7.0).abs() < 0.05 && (right_m - 3.0).abs() < 0.05);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct EdgeDistance {
    left: SegmentIndex,
    right: SegmentIndex,
    barriers: Vec<Barrier>,
    no_go: Vec<NoGoArea>,
    pins: Vec<PinnedPlace>,
}

impl EdgeDistance {
    /// Prepares the edges of `track` for distance queries.
    pub fn new(track: &Track) -> Self {
        let mean_width =
            track.sections.iter().map(CrossSection::width).sum::<f64>() / track.sections.len().max(1) as f64;
        let cell = mean_width / 4.0;
        let index = |edge| SegmentIndex::without(edge, cell, &track.crossings);
        Self {
            left: index(&track.left_edge),
            right: index(&track.right_edge),
            barriers: Vec::new(),
            no_go: Vec::new(),
            pins: Vec::new(),
        }
    }

    /// Replaces the barriers.
    #[must_use]
    pub fn with_barriers(&self, barriers: Vec<Barrier>) -> Self {
        Self { barriers, ..self.clone() }
    }

    /// Replaces the regions that lines keep out of.
    #[must_use]
    pub fn with_no_go(&self, no_go: Vec<NoGoArea>) -> Self {
        Self { no_go, ..self.clone() }
    }

    /// The regions that lines keep out of.
    #[must_use]
    pub fn no_go(&self) -> &[NoGoArea] {
        &self.no_go
    }

    /// The barriers, and those of the regions that lines keep out of.
    pub(crate) fn barriers(&self) -> impl Iterator<Item = &Barrier> {
        self.barriers.iter().chain(self.no_go.iter().flat_map(|area| &area.barriers))
    }

    /// Replaces the pins, which narrow the bounds of lines beside them.
    #[must_use]
    pub fn with_pins(&self, pins: Vec<PinnedPlace>) -> Self {
        Self { pins, ..self.clone() }
    }

    /// The pins.
    #[must_use]
    pub fn pins(&self) -> &[PinnedPlace] {
        &self.pins
    }

    /// Distance from `p` to the left and to the right edge with their barriers, metres; negative
    /// inside a barrier.
    #[must_use]
    pub fn to_edges(&self, p: Point) -> (f64, f64) {
        (self.to_edge(p, true), self.to_edge(p, false))
    }

    /// Distance from `p` to the left or to the right edge with its barriers, metres; negative
    /// inside a barrier.
    pub(crate) fn to_edge(&self, p: Point, to_left: bool) -> f64 {
        let (index, barriers) = self.edge(to_left);
        nearer_barrier(p, index.nearest(p).map_or(f64::INFINITY, |nearest| nearest.distance), barriers)
    }

    /// How much nearer than `margin_m` the left or the right edge or its barriers are to `p`,
    /// metres; 0 where none is.
    pub(crate) fn missing_to_edge_m(&self, p: Point, margin_m: f64, to_left: bool) -> f64 {
        let (index, barriers) = self.edge(to_left);
        let own = index.nearest_within(p, margin_m).map_or(margin_m, |nearest| nearest.distance);
        margin_m - nearer_barrier(p, own, barriers)
    }

    /// An edge, and the barriers that count as parts of it.
    fn edge(&self, to_left: bool) -> (&SegmentIndex, impl Iterator<Item = &Barrier>) {
        let (index, passed_on) =
            if to_left { (&self.left, PassingSide::Right) } else { (&self.right, PassingSide::Left) };
        (index, self.barriers().filter(move |barrier| barrier.passed_on == passed_on))
    }

    /// Distance from `p` to the left and to the right edge without their barriers, metres.
    pub(crate) fn to_own_edges(&self, p: Point) -> (f64, f64) {
        let distance = |index: &SegmentIndex| index.nearest(p).map_or(f64::INFINITY, |nearest| nearest.distance);
        (distance(&self.left), distance(&self.right))
    }

    /// Distance from `p` to the nearer edge with its barriers, metres.
    #[must_use]
    pub fn nearest(&self, p: Point) -> f64 {
        let (left, right) = self.to_edges(p);
        left.min(right)
    }

    /// How much nearer than `margin_m` the nearer edge or barrier is to `p`, metres; 0 where none
    /// is.
    #[must_use]
    pub fn missing_m(&self, p: Point, margin_m: f64) -> f64 {
        self.missing_to_edge_m(p, margin_m, true).max(self.missing_to_edge_m(p, margin_m, false))
    }
}

/// The smallest of `distance` and the distances of `p` from barriers, metres.
fn nearer_barrier<'a>(p: Point, distance: f64, barriers: impl Iterator<Item = &'a Barrier>) -> f64 {
    barriers.fold(
        distance,
        |distance, barrier| {
            if barrier.at_least(p) < distance { distance.min(barrier.distance(p)) } else { distance }
        },
    )
}
