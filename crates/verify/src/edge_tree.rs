//! The distance to an edge, by a tree of boxes about its segments in their order.
//!
//! A box bounds the segments of its range, so a search leaves out every box that is farther away than
//! what was found. The tree depends on no cell size, so one vertex far away costs nothing. The work is
//! counted, because a file may contain edges for which no box helps.

use super::vector::{Xy, cross, dot, length, minus, plus};
use raceline_numerics::math;

/// Work of all searches of a judgement: number of boxes and segments that are looked at.
#[derive(Debug)]
pub struct Budget {
    pub spent: usize,
    pub limit: usize,
}

impl Budget {
    /// Enough for a road: a search looks at about 60 boxes.
    pub fn new(points: usize, vertices: usize) -> Self {
        Self { spent: 0, limit: 1_000_000 + 4_000 * points.saturating_add(vertices) }
    }

    pub fn is_exhausted(&self) -> bool {
        self.spent > self.limit
    }
}

/// Largest number of boxes that wait in a search: one for each level of a tree, and one more. A tree of this
/// depth has no place in memory.
const DEEPEST: usize = 66;

/// The nearest place of an edge.
#[derive(Clone, Copy, Debug)]
pub struct Nearest {
    pub distance: f64,
    pub segment: usize,
    pub position: Xy,
}

/// An edge with its boxes.
#[derive(Debug)]
pub struct EdgeTree<'a> {
    vertices: &'a [Xy],
    closed: bool,
    segments: usize,
    /// Lower and upper corner of each box; the children of box k are 2 k + 1 and 2 k + 2.
    boxes: Vec<[Xy; 2]>,
    leaves: usize,
}

impl<'a> EdgeTree<'a> {
    /// The edge through `vertices`, all finite and at least two.
    pub fn new(vertices: &'a [Xy], closed: bool) -> Self {
        let segments = if closed { vertices.len() } else { vertices.len().saturating_sub(1) };
        let leaves = segments.next_power_of_two().max(1);
        const NOTHING: [Xy; 2] = [[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]];
        let mut boxes = vec![NOTHING; 2 * leaves - 1];
        let mut tree = Self { vertices, closed, segments, boxes: Vec::new(), leaves };
        for segment in 0..segments {
            let (a, b) = tree.ends(segment);
            boxes[leaves - 1 + segment] = [[a[0].min(b[0]), a[1].min(b[1])], [a[0].max(b[0]), a[1].max(b[1])]];
        }
        for k in (0..leaves - 1).rev() {
            let [one, two] = [boxes[2 * k + 1], boxes[2 * k + 2]];
            boxes[k] = [
                [one[0][0].min(two[0][0]), one[0][1].min(two[0][1])],
                [one[1][0].max(two[1][0]), one[1][1].max(two[1][1])],
            ];
        }
        tree.boxes = boxes;
        tree
    }

    pub fn ends(&self, segment: usize) -> (Xy, Xy) {
        (self.vertices[segment], self.vertices[(segment + 1) % self.vertices.len()])
    }

    /// Direction of a segment, not of unit length.
    pub fn along(&self, segment: usize) -> Xy {
        let (a, b) = self.ends(segment);
        minus(b, a)
    }

    /// The place of a segment nearest to `p`, and the square of its distance.
    fn on_segment(&self, segment: usize, p: Xy) -> (Xy, f64) {
        let (a, b) = self.ends(segment);
        let along = minus(b, a);
        let square = dot(along, along);
        let t = if square > 0.0 { (dot(minus(p, a), along) / square).clamp(0.0, 1.0) } else { 0.0 };
        let position = plus(a, t, along);
        let off = minus(p, position);
        (position, dot(off, off))
    }

    /// The nearest place to `p`, but none on segments that `is_left_out`; `guess` is a segment that may be near.
    pub fn nearest(
        &self,
        p: Xy,
        guess: usize,
        is_left_out: &dyn Fn(usize) -> bool,
        budget: &mut Budget,
    ) -> Option<Nearest> {
        // The distances of both are squares until the end.
        let mut best: Option<Nearest> = None;
        let root = |best: Option<Nearest>| best.map(|best| Nearest { distance: best.distance.sqrt(), ..best });
        let consider = |segment: usize, best: &mut Option<Nearest>| {
            if is_left_out(segment) {
                return;
            }
            let (position, distance) = self.on_segment(segment, p);
            if best.is_none_or(|best| distance < best.distance) {
                *best = Some(Nearest { distance, segment, position });
            }
        };
        if guess < self.segments {
            consider(guess, &mut best);
        }
        let mut waiting = [(0_usize, 0.0_f64); DEEPEST];
        let mut count = 1;
        while count > 0 {
            count -= 1;
            let (k, away) = waiting[count];
            if best.is_some_and(|best| away >= best.distance) {
                continue;
            }
            budget.spent += 1;
            if budget.is_exhausted() {
                return root(best);
            }
            if k >= self.leaves - 1 {
                consider(k - (self.leaves - 1), &mut best);
                continue;
            }
            let [one, two] = [2 * k + 1, 2 * k + 2].map(|child| (child, self.away(child, p)));
            let (near, far) = if one.1 <= two.1 { (one, two) } else { (two, one) };
            for child in [far, near].into_iter().filter(|(_, away)| away.is_finite()) {
                waiting[count] = child;
                count += 1;
            }
        }
        root(best)
    }

    /// Square of the distance of a box, infinite for an empty one.
    fn away(&self, k: usize, p: Xy) -> f64 {
        let [low, high] = self.boxes[k];
        let beyond = |axis: usize| (low[axis] - p[axis]).max(p[axis] - high[axis]).max(0.0);
        if low[0] > high[0] { f64::INFINITY } else { math::powi(beyond(0), 2) + math::powi(beyond(1), 2) }
    }

    /// How far `p` lies to the left of the edge at its nearest place: the sign of the distance. At a vertex, the
    /// mean direction of both segments decides.
    pub fn is_left(&self, p: Xy, nearest: Nearest) -> bool {
        let Nearest { segment, position, .. } = nearest;
        let (a, b) = self.ends(segment);
        let unit = |v: Xy| {
            let size = length(v);
            if size > 0.0 { [v[0] / size, v[1] / size] } else { [0.0; 2] }
        };
        let mut along = unit(minus(b, a));
        let n = self.segments;
        let other = if position == b && (self.closed || segment + 1 < n) {
            Some((segment + 1) % n)
        } else if position == a && (self.closed || segment > 0) {
            Some((segment + n - 1) % n)
        } else {
            None
        };
        if let Some(other) = other {
            along = plus(along, 1.0, unit(self.along(other)));
        }
        cross(along, minus(p, position)) > 0.0
    }

    pub fn vertices(&self) -> &[Xy] {
        self.vertices
    }

    pub fn segments(&self) -> usize {
        self.segments
    }
}

#[cfg(test)]
mod tests {
    use super::{Budget, EdgeTree};
    use crate::vector::{length, minus};

    #[test]
    fn the_nearest_place_is_the_one_that_all_segments_give() {
        let vertices: Vec<[f64; 2]> =
            (0..57).map(f64::from).map(|t| [30.0 * (0.3 * t).cos() + t, 20.0 * (0.5 * t).sin()]).collect();
        for closed in [true, false] {
            let tree = EdgeTree::new(&vertices, closed);
            let mut budget = Budget::new(1000, 57);
            for k in 0..200 {
                let p = [f64::from(k % 20) * 6.0 - 40.0, f64::from(k / 20) * 6.0 - 30.0];
                let by_all = (0..tree.segments()).map(|s| tree.on_segment(s, p).1).fold(f64::INFINITY, f64::min).sqrt();
                let found = tree.nearest(p, k as usize, &|_| false, &mut budget).expect("an edge");
                assert_eq!(found.distance, by_all);
                assert!((length(minus(p, found.position)) - by_all).abs() < 1e-12);
            }
            assert!(!budget.is_exhausted());
        }
    }

    #[test]
    fn the_side_at_a_corner_is_that_of_both_segments() {
        let corner = [[0.0, 0.0], [10.0, 0.0], [10.0, 10.0]];
        let tree = EdgeTree::new(&corner, false);
        let mut budget = Budget::new(9, 9);
        for (p, left) in [([12.0, -1.0], false), ([9.0, 1.0], true), ([5.0, 1.0], true), ([5.0, -1.0], false)] {
            let nearest = tree.nearest(p, 0, &|_| false, &mut budget).expect("an edge");
            assert_eq!(tree.is_left(p, nearest), left, "{p:?}");
        }
    }

    #[test]
    fn the_side_at_a_corner_does_not_depend_on_the_lengths_of_its_segments() {
        // A square corner whose sides have 10 m and 0.1 m, closed by two long sides.
        let corner = [[0.0, 0.0], [10.0, 0.0], [10.0, 0.1], [-40.0, 30.0]];
        let budget = &mut Budget::new(9, 9);
        for closed in [true, false] {
            let tree = EdgeTree::new(&corner, closed);
            let is_left = |p: [f64; 2], guess: usize, budget: &mut Budget| {
                let nearest = tree.nearest(p, guess, &|_| false, budget).expect("an edge");
                tree.is_left(p, nearest)
            };
            for guess in [0, 1] {
                // Ahead of the corner on the right of both, as seen in the mean direction; and beside the first one.
                assert!(!is_left([10.001, -0.001], guess, budget));
                assert!(is_left([9.9, 0.001], guess, budget));
            }
        }
        // Ends of an open edge have one segment; on a closed one the next is that from the last vertex to the first.
        let bend = [[0.0, 0.0], [10.0, 0.0], [20.0, 10.0], [5.0, -20.0]];
        for (closed, p, left) in [
            (false, [-1.0, 0.1], true),
            (false, [-1.0, -0.1], false),
            (false, [4.4, -21.1], false),
            (false, [4.6, -20.9], true),
            // Beside sharp corners, where one of the segments alone would show the opposite.
            (false, [21.0, 9.55], true),
            (false, [19.5, 11.0], true),
            (true, [-0.1, 5.0], true),
            (true, [-1.0, -0.1], true),
            (true, [-1.0, 1.1], true),
            (true, [-1.0, 0.3], true),
            (true, [5.0, -21.0], true),
        ] {
            let tree = EdgeTree::new(&bend, closed);
            for guess in 0..4 {
                let nearest = tree.nearest(p, guess, &|_| false, budget).expect("an edge");
                assert_eq!(tree.is_left(p, nearest), left, "{closed} {p:?} {nearest:?}");
            }
        }
    }

    #[test]
    fn a_search_ends_where_its_budget_does() {
        assert_eq!(Budget::new(3, 2).limit, 1_020_000);
        let vertices: Vec<[f64; 2]> = (0..64).map(|i| [f64::from(i), f64::from(i % 2)]).collect();
        let tree = EdgeTree::new(&vertices, false);
        let mut budget = Budget { spent: 0, limit: 3 };
        let first = tree.nearest([40.0, 3.0], 5, &|_| false, &mut budget).expect("the guess");
        assert!(budget.is_exhausted() && budget.spent == 4 && first.segment == 5, "{budget:?} {first:?}");
        assert!(!Budget { spent: 3, limit: 3 }.is_exhausted());
    }
}
