//! The road between two edges, and which pieces of them bound it where it leads across itself.
//!
//! Where a road crosses itself, by a crossing or a bridge, the edges of each leg lead across the other
//! one. Such a piece bounds nothing: whoever drives the other leg drives over, under or through it. A
//! piece of an edge counts unless the ground just beyond it is road as well. What is road follows from
//! winding numbers: the edges, the left one backwards, wind once about the ground of each leg.

use std::collections::HashMap;

use super::edge_tree::{Budget, EdgeTree, Nearest};
use super::vector::{Xy, cross, length, minus, plus};
use raceline_file::EdgeCoordinates;

/// How far beyond an edge the ground is looked at, as a fraction of the segment's length.
const BEYOND_FRACTION: f64 = 1e-3;
/// How far at the farthest, m.
const MAX_BEYOND_M: f64 = 0.01;
/// Places of a segment, as fractions of it, at which the ground beyond is looked at.
const PLACES: [f64; 3] = [0.5, 0.03, 0.97];
/// Number of segments that are left out in one search, at most.
const MAX_LEFT_OUT: usize = 200;

/// A side of the road, seen in the direction of travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RoadSide {
    Left,
    Right,
}

impl RoadSide {
    /// Both sides, in the order of their indices.
    pub const BOTH: [Self; 2] = [Self::Left, Self::Right];

    /// Index in arrays of both sides.
    pub fn index(self) -> usize {
        match self {
            Self::Left => 0,
            Self::Right => 1,
        }
    }
}

/// The road between two edges.
#[derive(Debug)]
pub struct Road<'a> {
    left: EdgeTree<'a>,
    right: EdgeTree<'a>,
    closed: bool,
    /// Whether the ground just beyond a segment is road.
    leads_across: HashMap<(RoadSide, usize), bool>,
    budget: Budget,
}

/// The distance of a point to an edge.
#[derive(Clone, Copy, Debug)]
pub struct EdgeDistance {
    /// Distance to the nearest piece, m.
    pub any: Nearest,
    /// Distance to the nearest piece that bounds the road, m. It is not looked for where the caller
    /// is content with `any`.
    pub bounding_m: f64,
}

impl<'a> Road<'a> {
    /// The road between these edges, whose coordinates are finite; `points` is the number of points that are to
    /// be judged.
    pub fn new(edges: &'a EdgeCoordinates, closed: bool, points: usize) -> Self {
        Self {
            left: EdgeTree::new(&edges.left, closed),
            right: EdgeTree::new(&edges.right, closed),
            closed,
            leads_across: HashMap::new(),
            budget: Budget::new(points, edges.left.len() + edges.right.len()),
        }
    }

    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    fn edge(&self, side: RoadSide) -> &EdgeTree<'a> {
        match side {
            RoadSide::Left => &self.left,
            RoadSide::Right => &self.right,
        }
    }

    /// The distance of `p` to an edge. Pieces that bound nothing are left out if the nearest one is nearer than
    /// `content_m`.
    pub fn distance(&mut self, side: RoadSide, p: Xy, guess: usize, content_m: f64) -> Option<EdgeDistance> {
        let mut budget = std::mem::replace(&mut self.budget, Budget { spent: 0, limit: 0 });
        let found = self.counted_distance(side, p, guess, content_m, &mut budget);
        self.budget = budget;
        found
    }

    fn counted_distance(
        &mut self,
        side: RoadSide,
        p: Xy,
        guess: usize,
        content_m: f64,
        budget: &mut Budget,
    ) -> Option<EdgeDistance> {
        let any = self.edge(side).nearest(p, guess, &|_| false, budget)?;
        let mut bounding = any;
        let mut left_out: Vec<usize> = Vec::new();
        while bounding.distance < content_m && left_out.len() < MAX_LEFT_OUT && !budget.is_exhausted() {
            if !self.leads_across(side, bounding.segment, budget) {
                break;
            }
            left_out.push(bounding.segment);
            let Some(next) = self.edge(side).nearest(p, usize::MAX, &|s| left_out.contains(&s), budget) else { break };
            bounding = next;
        }
        Some(EdgeDistance { any, bounding_m: bounding.distance })
    }

    /// Whether `p` lies on the wrong side of an edge, and off the road.
    pub fn is_beyond(&mut self, side: RoadSide, p: Xy, nearest: Nearest) -> bool {
        let is_left = self.edge(side).is_left(p, nearest);
        if is_left != (side == RoadSide::Left) {
            return false;
        }
        self.budget.spent += self.left.segments() + self.right.segments();
        self.legs_at(p) < 1
    }

    /// Whether the ground just beyond a segment is road.
    fn leads_across(&mut self, side: RoadSide, segment: usize, budget: &mut Budget) -> bool {
        if let Some(&known) = self.leads_across.get(&(side, segment)) {
            return known;
        }
        budget.spent += PLACES.len() * (self.left.segments() + self.right.segments());
        let edge = self.edge(side);
        let (a, along) = (edge.ends(segment).0, edge.along(segment));
        let size = length(along);
        let step = (BEYOND_FRACTION * size).min(MAX_BEYOND_M) / size.max(f64::MIN_POSITIVE);
        let outward = match side {
            RoadSide::Left => [-along[1], along[0]],
            RoadSide::Right => [along[1], -along[0]],
        };
        let is_road = |fraction: f64| self.legs_at(plus(plus(a, fraction, along), step, outward)) >= 1;
        let leads_across = size > 0.0 && PLACES.into_iter().any(is_road);
        self.leads_across.insert((side, segment), leads_across);
        leads_across
    }

    /// Number of legs of the road at `p`.
    fn legs_at(&self, p: Xy) -> i32 {
        let right = turns_about(self.right.vertices(), p, self.closed);
        let left = turns_about(self.left.vertices(), p, self.closed);
        if self.closed {
            return right - left;
        }
        // From the end of the right edge to that of the left one, and from its beginning back.
        let (Some(&[r0, .., r1]), Some(&[l0, .., l1])) = (Some(self.right.vertices()), Some(self.left.vertices()))
        else {
            return 0;
        };
        right - left + upward_crossing(r1, l1, p) + upward_crossing(l0, r0, p)
    }
}

/// Winding number of a polyline about `p`; of an open one, its part.
fn turns_about(vertices: &[Xy], p: Xy, closed: bool) -> i32 {
    let inner: i32 = vertices.windows(2).map(|ends| upward_crossing(ends[0], ends[1], p)).sum();
    match (vertices.first(), vertices.last()) {
        (Some(&first), Some(&last)) if closed => inner + upward_crossing(last, first, p),
        _ => inner,
    }
}

/// 1 where the segment from `a` to `b` crosses the ray from `p` in the direction of x upwards, -1 downwards.
fn upward_crossing(a: Xy, b: Xy, p: Xy) -> i32 {
    let is_left = cross(minus(b, a), minus(p, a));
    if a[1] <= p[1] && b[1] > p[1] && is_left > 0.0 {
        1
    } else if a[1] > p[1] && b[1] <= p[1] && is_left < 0.0 {
        -1
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::{Road, RoadSide, turns_about};
    use raceline_file::EdgeCoordinates;

    fn offset(middle: &[[f64; 2]], by: f64) -> Vec<[f64; 2]> {
        let n = middle.len();
        (0..n)
            .map(|i| {
                let (a, b) = (middle[(i + n - 1) % n], middle[(i + 1) % n]);
                let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
                let size = dx.hypot(dy);
                [middle[i][0] - by * dy / size, middle[i][1] + by * dx / size]
            })
            .collect()
    }

    #[test]
    fn a_road_that_crosses_itself_is_bounded_by_neither_leg_in_the_crossing() {
        // A figure of eight through the origin.
        let middle: Vec<[f64; 2]> = (0..200)
            .map(|i| f64::from(i) / 200.0 * std::f64::consts::TAU)
            .map(|t| [100.0 * t.sin(), 60.0 * (2.0 * t).sin()])
            .collect();
        let edges = EdgeCoordinates { left: offset(&middle, 5.0), right: offset(&middle, -5.0) };
        let mut road = Road::new(&edges, true, 10);
        assert_eq!(road.legs_at([0.0, 0.0]), 2);
        assert_eq!(road.legs_at(middle[30]), 1);
        assert_eq!(road.legs_at([50.0, 0.0]), 0);
        let in_crossing = road.distance(RoadSide::Left, [0.0, 0.0], 0, f64::INFINITY).expect("an edge");
        assert!((in_crossing.any.distance - 5.0).abs() < 0.2, "{in_crossing:?}");
        assert!(in_crossing.bounding_m > 6.0, "{in_crossing:?}");
        let elsewhere = road.distance(RoadSide::Left, middle[30], 0, f64::INFINITY).expect("an edge");
        assert!((elsewhere.bounding_m - 5.0).abs() < 0.2, "{elsewhere:?}");
    }

    #[test]
    fn an_open_road_ends_where_its_edges_do() {
        let edges = EdgeCoordinates { left: vec![[0.0, 4.0], [50.0, 4.0]], right: vec![[0.0, -4.0], [50.0, -4.0]] };
        let road = Road::new(&edges, false, 1);
        let legs = [[1.0, 0.0], [49.0, 3.0], [-1.0, 0.0], [51.0, 0.0], [20.0, 5.0]].map(|p| road.legs_at(p));
        assert_eq!(legs, [1, 1, 0, 0, 0]);
    }

    #[test]
    fn a_vertex_at_the_height_of_a_point_counts_once() {
        let corners = [[10.0, 0.0], [0.0, 10.0], [-10.0, 0.0], [0.0, -10.0]];
        for turn in 0..4 {
            let ring: Vec<[f64; 2]> = (0..4).map(|k| corners[(k + turn) % 4]).collect();
            let back: Vec<[f64; 2]> = ring.iter().rev().copied().collect();
            for (p, turns) in [([0.0, 0.0], 1), ([-20.0, 0.0], 0), ([-20.0, 10.0], 0), ([-20.0, -10.0], 0)] {
                assert_eq!(turns_about(&ring, p, true), turns, "{p:?}");
                assert_eq!(turns_about(&back, p, true), -turns, "{p:?}");
            }
        }
        // An open polyline has only the part that it has.
        assert_eq!(turns_about(&[[5.0, -5.0], [5.0, 5.0]], [0.0, 0.0], false), 1);
        assert_eq!(turns_about(&[[5.0, -5.0], [5.0, 5.0]], [0.0, 0.0], true), 0);
    }
}
