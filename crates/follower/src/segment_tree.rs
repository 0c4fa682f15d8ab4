//! A binary tree of boxes around runs of successive segments: finds the segment nearest to a point
//! in logarithmic time; a search can be spread over several calls.

use crate::geometry::{Point, segment_distance_squared};

/// Segments in a leaf: scanning them costs about as much as the boxes above them.
const LEAF: usize = 8;
/// Levels of the deepest tree: 2²⁴ segments in leaves of 8, and the root.
const DEPTH: usize = 23;

/// The tree. It contains boxes only; the caller passes the points. Node 1 is the root, node k's
/// children are 2k and 2k + 1, and leaf i, node `leaves + i`, holds segments 8 i to 8 i + 7.
#[derive(Clone, Debug)]
pub(crate) struct SegmentTree {
    boxes: Vec<[Point; 2]>,
    leaves: usize,
}

/// A search in progress with the nodes to be examined. It can be interrupted and continued.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Search {
    stack: [u32; DEPTH + 1],
    height: usize,
    pub best: Option<NearestSegment>,
}

/// A segment and the point on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct NearestSegment {
    pub segment: usize,
    /// Position along it, 0 to 1.
    pub fraction: f64,
    /// Square of the distance, plus the penalty.
    pub cost: f64,
    /// Square of the distance without the penalty.
    pub distance_squared: f64,
}

impl Search {
    pub(crate) fn new() -> Self {
        let mut stack = [0; DEPTH + 1];
        stack[0] = 1;
        Self { stack, height: 1, best: None }
    }

    pub(crate) fn done(&self) -> bool {
        self.height == 0
    }
}

impl SegmentTree {
    /// The tree of `segments` segments, at least one; segment k leads from `point(k)` to
    /// `point(k + 1)`.
    pub(crate) fn new(segments: usize, point: impl Fn(usize) -> Point) -> Self {
        let leaves = segments.div_ceil(LEAF).next_power_of_two();
        let nothing = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
        let mut boxes = vec![nothing; 2 * leaves];
        for (leaf, first) in (0..segments).step_by(LEAF).enumerate() {
            for k in first..=(first + LEAF).min(segments) {
                boxes[leaves + leaf] = join(boxes[leaves + leaf], [point(k); 2]);
            }
        }
        for k in (1..leaves).rev() {
            boxes[k] = join(boxes[2 * k], boxes[2 * k + 1]);
        }
        Self { boxes, leaves }
    }

    /// Continues a search for the segment of smallest cost among `segments`, examining at most
    /// `budget` boxes. The cost is the square of the distance plus `penalty(segment)`, which must
    /// not be negative. `ends` are the points of which the tree was built.
    pub(crate) fn search(
        &self,
        search: &mut Search,
        budget: usize,
        point: Point,
        ends: impl Fn(usize) -> Point,
        segments: std::ops::Range<usize>,
        penalty: impl Fn(usize) -> f64,
    ) {
        for _ in 0..budget {
            if search.height == 0 {
                return;
            }
            search.height -= 1;
            let k = search.stack[search.height] as usize;
            let bound = search.best.map_or(f64::INFINITY, |best| best.cost);
            if box_distance_squared(point, &self.boxes[k]) >= bound {
                continue;
            }
            if k >= self.leaves {
                let first = ((k - self.leaves) * LEAF).max(segments.start);
                let end = ((k - self.leaves + 1) * LEAF).min(segments.end);
                for segment in first..end {
                    let (distance_squared, fraction) =
                        segment_distance_squared(point, ends(segment), ends(segment + 1));
                    if search.best.is_none_or(|best| distance_squared < best.cost) {
                        let cost = distance_squared + penalty(segment);
                        if search.best.is_none_or(|best| cost < best.cost) {
                            search.best = Some(NearestSegment { segment, fraction, cost, distance_squared });
                        }
                    }
                }
                continue;
            }
            // The nearer child comes off the stack first. Each level leaves at most one child
            // behind, so the stack is deep enough.
            let [a, b] = [2 * k, 2 * k + 1].map(|child| (child, self.reach(child, point, &segments)));
            let (near, far) = if a.1 <= b.1 { (a, b) } else { (b, a) };
            for (child, reach) in [far, near] {
                if reach < bound && search.height < search.stack.len() {
                    search.stack[search.height] = child as u32;
                    search.height += 1;
                }
            }
        }
    }

    /// Square of the distance to a node's box; infinite if none of `segments` is in it.
    fn reach(&self, k: usize, point: Point, segments: &std::ops::Range<usize>) -> f64 {
        let level = usize::BITS - 1 - k.leading_zeros();
        let below = self.leaves >> level;
        let first = (k - (1 << level)) * below * LEAF;
        if first >= segments.end || first + below * LEAF <= segments.start {
            return f64::INFINITY;
        }
        box_distance_squared(point, &self.boxes[k])
    }
}

fn join(a: [Point; 2], b: [Point; 2]) -> [Point; 2] {
    [std::array::from_fn(|i| a[0][i].min(b[0][i])), std::array::from_fn(|i| a[1][i].max(b[1][i]))]
}

fn box_distance_squared(point: Point, [low, high]: &[Point; 2]) -> f64 {
    let mut sum = 0.0;
    for i in 0..3 {
        let away = (low[i] - point[i]).max(point[i] - high[i]).max(0.0);
        sum += away * away;
    }
    sum
}
