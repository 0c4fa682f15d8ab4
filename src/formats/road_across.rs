//! Width of the road to both sides of a line, perpendicular to it.

use crate::RacingLine;
use crate::geometry::{Ends, Point, Polyline, Segment, Vector, cross, left_of};
use raceline_numerics::math;

/// Widths of the road beside a point, perpendicular to the line, m.
#[derive(Clone, Copy, Debug)]
pub(super) struct Across {
    pub(super) left_m: f64,
    pub(super) right_m: f64,
}

/// Where the normal of a point of the line meets an edge.
#[derive(Clone, Copy, Debug)]
pub(super) struct OnEdge {
    /// Distance from the point, m.
    pub(super) distance_m: f64,
    /// Distance along the edge, m; nothing where the normal misses it.
    pub(super) place_m: Option<f64>,
}

/// Range of the search for an edge, as a multiple of the distance to its nearest point.
const REACH: f64 = 4.0;

/// The road beside each point. Where the normal misses the edge, as at the ends of an open road, it
/// is the distance to the edge's nearest point.
pub(super) fn road_across(line: &RacingLine) -> Vec<Across> {
    let across = |[left, right]: [OnEdge; 2]| Across { left_m: left.distance_m, right_m: right.distance_m };
    on_edges(line).into_iter().map(across).collect()
}

/// The places on the left and on the right edge beside each point.
pub(super) fn on_edges(line: &RacingLine) -> Vec<[OnEdge; 2]> {
    let mut left = Side::new(&line.edges.left, line.closed);
    let mut right = Side::new(&line.edges.right, line.closed);
    let beside = |point: &crate::file::LinePoint| {
        let (sin, cos) = math::sin_cos(point.heading_rad);
        let (position, to_left) = (Point::new(point.x_m, point.y_m), left_of(Vector::new(cos, sin)));
        [left.meet(position, to_left, point.left_m), right.meet(position, -to_left, point.right_m)]
    };
    line.points.iter().map(beside).collect()
}

/// An edge that is traversed together with the line, so that another part of the road is not
/// mistaken for it.
struct Side {
    edge: Polyline,
    arc_lengths: Vec<f64>,
    /// Current position along the edge, m.
    here: Option<f64>,
}

impl Side {
    fn new(vertices: &[[f64; 2]], closed: bool) -> Self {
        let edge = Polyline { points: vertices.iter().map(|&vertex| Point::from(vertex)).collect(), closed };
        let arc_lengths = edge.arc_lengths();
        Self { edge, arc_lengths, here: None }
    }

    /// Where the ray from `position` along the unit vector `direction` meets the edge. `nearest` is the
    /// distance to the edge's nearest point.
    fn meet(&mut self, position: Point, direction: Vector, nearest: f64) -> OnEdge {
        let reach = REACH * nearest.max(f64::MIN_POSITIVE);
        let ray = Segment::new(position, position + direction * reach);
        let hits = self.edge.pieces().zip(&self.arc_lengths).filter_map(|((a, b), &from)| {
            let piece = Segment::new(a, b);
            let hit = ray.intersection(piece, Ends::Included)?;
            // By the unit vector and not as a fraction of the ray, whose length would round it otherwise: the
            // written places are halves of the last digit on straight roads.
            let along = piece.vector();
            let distance = cross(a - position, along) / cross(direction, along);
            Some((distance, from + hit.other_fraction * along.norm()))
        });
        // The intersection that follows the previous one; at first, the nearest.
        let key = |&(distance, place): &(f64, f64)| self.here.map_or(distance, |here| self.apart(here, place));
        let Some((distance, place)) = hits.min_by(|a, b| key(a).total_cmp(&key(b))) else {
            return OnEdge { distance_m: nearest, place_m: None };
        };
        self.here = Some(place);
        OnEdge { distance_m: distance, place_m: self.here }
    }

    /// Distance along the edge between two positions on it, the shorter way round.
    fn apart(&self, a: f64, b: f64) -> f64 {
        let direct = (a - b).abs();
        if !self.edge.closed {
            return direct;
        }
        let whole = self.arc_lengths.last().copied().unwrap_or(0.0);
        direct.min(whole - direct)
    }
}
