//! The medial axis of a region.

use raceline_road::geometry::{Point, Polyline};

use super::chordal_axis::{Arm, ChordalAxis};
use super::triangulation::Triangles;

/// A stretch of the medial axis between two junctions or dead ends.
#[derive(Clone, Debug, PartialEq)]
pub struct MedialArm {
    /// The junction at each end, by a number and its place; `None` at a dead end.
    pub ends: [Option<(u32, Point)>; 2],
    /// Points in order, inside the region.
    pub points: Vec<Point>,
}

/// The medial axis of the region between `contours`, the outer one first, with the region on their
/// left: its arms after pruning, or the one closed arm of a ring. `None` if the contours meet or
/// enclose nothing.
pub fn medial_axis(contours: &[Polyline]) -> Option<Vec<MedialArm>> {
    let area: f64 = contours.iter().map(Polyline::signed_area).sum();
    let boundary: f64 = contours.iter().map(Polyline::length).sum();
    let triangles = Triangles::new(contours, 2.0 * area / boundary.max(1e-9))?;
    let axis = ChordalAxis::new(&triangles);
    let arm = |arm: Arm| MedialArm {
        ends: arm.ends.map(|end| end.map(|triangle| (triangle, triangles.centroid(triangle)))),
        points: arm.middles,
    };
    Some(axis.arms().into_iter().map(arm).collect())
}
