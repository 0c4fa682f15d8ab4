//! The road as a graph: junctions, arms between them and dead ends, from the adjacency of the
//! triangles.
//!
//! A triangle with one open side ends a branch, one with two belongs to an arm, one with three is a
//! junction (L. Prasad, "Morphological analysis of shapes", CNLS Newsletter 139, 1997: the chordal
//! axis transform). Every corner and bump of an edge causes a branch of its own. Branches that are
//! no deeper than their mouth is wide are pruned, the shallowest first, as the paper proposes. The
//! rest has the topology of the road.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::triangulation::Triangles;
use raceline_road::geometry::Point;

/// A branch whose depth is less than this many times the width of its mouth is a bump or corner of
/// the edge. A square corner has a depth of half its mouth's width, a corner of 37° one and a half
/// times.
const SHALLOWEST_BRANCH: f64 = 1.5;

/// A stretch of road between two junctions, or between a junction and a dead end.
#[derive(Clone, Debug)]
pub(super) struct Arm {
    /// The junction triangle at each end; `None` at a dead end.
    pub ends: [Option<u32>; 2],
    /// Triangles in order, without those of the junctions.
    pub chain: Vec<u32>,
    /// The middles of the sides passed through, in order.
    pub middles: Vec<Point>,
    /// Area of its triangles.
    pub area: f64,
}

impl Arm {
    /// The weight of the arm: its area, with a larger factor for wide arms.
    pub fn weight(&self) -> f64 {
        self.area * self.area / self.length().max(1e-9)
    }

    /// Length along the middles.
    pub fn length(&self) -> f64 {
        self.middles.windows(2).map(|pair| (pair[1] - pair[0]).norm()).sum()
    }

    /// The point at `distance` along the middles, from the first end or from the last.
    pub fn point_at(&self, distance: f64, from_last: bool) -> Point {
        let count = self.middles.len();
        let at = |k: usize| self.middles[if from_last { count - 1 - k } else { k }];
        let mut left = distance;
        for k in 1..count {
            let step = (at(k) - at(k - 1)).norm();
            if step >= left {
                return at(k - 1) + (at(k) - at(k - 1)) * (left / step.max(1e-12));
            }
            left -= step;
        }
        at(count - 1)
    }
}

/// The adjacency of the triangles after pruning.
#[derive(Clone)]
pub(super) struct ChordalAxis<'a> {
    triangles: &'a Triangles,
    /// For each triangle, the sides that are open.
    open: Vec<[bool; 3]>,
    /// The mouths of dead ends that were cut off.
    cut: Vec<[bool; 3]>,
}

/// A walk from a triangle through triangles with two open sides.
struct Walk {
    chain: Vec<u32>,
    middles: Vec<Point>,
    /// The junction at its end, and the side of the junction through which it arrives.
    junction: Option<(u32, usize)>,
}

impl<'a> ChordalAxis<'a> {
    /// The pruned axis.
    pub fn new(triangles: &'a Triangles) -> Self {
        let open = triangles.list.iter().map(|triangle| triangle.beside.map(|beside| beside.is_some())).collect();
        let cut = vec![[false; 3]; triangles.list.len()];
        let mut axis = Self { triangles, open, cut };
        axis.prune();
        axis
    }

    /// The part of the axis that closed routes can use, without dead ends, and the arms that were
    /// cut off; `None` if nothing remains.
    pub fn without_dead_ends(&self) -> Option<(Self, Vec<Arm>)> {
        let mut core = self.clone();
        let mut arms = Vec::new();
        let mut tips: Vec<u32> = core.of_degree(1).collect();
        while let Some(tip) = tips.pop() {
            let Some(side) = (0..3).find(|&k| core.degree(tip) == 1 && core.is_open(tip, k)) else { continue };
            let mut walk = core.walk(tip, side);
            walk.chain.insert(0, tip);
            for &triangle in &walk.chain {
                core.open[triangle as usize] = [false; 3];
            }
            if let Some((junction, mouth)) = walk.junction {
                core.open[junction as usize][mouth] = false;
                core.cut[junction as usize][mouth] = true;
                // A junction whose other arms were also dead ends becomes a dead end itself.
                tips.extend((core.degree(junction) == 1).then_some(junction));
            }
            arms.push(core.arm([None; 2], walk));
        }
        let is_left = core.of_degree(2).next().is_some();
        is_left.then_some((core, arms))
    }

    /// Whether a side is the mouth of a dead end that was cut off.
    pub fn is_cut(&self, triangle: u32, side: usize) -> bool {
        self.cut[triangle as usize][side]
    }

    /// Whether a side is open.
    pub fn is_open(&self, triangle: u32, side: usize) -> bool {
        self.open[triangle as usize][side]
    }

    fn degree(&self, triangle: u32) -> usize {
        self.open[triangle as usize].iter().filter(|&&open| open).count()
    }

    fn of_degree(&self, degree: usize) -> impl Iterator<Item = u32> + '_ {
        (0..self.open.len() as u32).filter(move |&triangle| self.degree(triangle) == degree)
    }

    /// Leaves `from` through its side `side` and continues to a junction, a dead end, or `from`
    /// again.
    fn walk(&self, from: u32, side: usize) -> Walk {
        let mut walk = Walk { chain: Vec::new(), middles: vec![self.triangles.middle(from, side)], junction: None };
        let (mut last, mut here) = (from, self.triangles.list[from as usize].beside[side]);
        while let Some(triangle) = here {
            let Some(entry) = self.triangles.side_towards(triangle, last) else { break };
            if triangle == from || self.degree(triangle) > 2 {
                walk.junction = Some((triangle, entry));
                break;
            }
            walk.chain.push(triangle);
            let exit = (0..3).find(|&k| k != entry && self.is_open(triangle, k));
            let Some(exit) = exit else {
                // The corner opposite the entry side: the tip.
                walk.middles.push(self.triangles.at(self.triangles.list[triangle as usize].corners[(entry + 2) % 3]));
                break;
            };
            walk.middles.push(self.triangles.middle(triangle, exit));
            (last, here) = (triangle, self.triangles.list[triangle as usize].beside[exit]);
        }
        walk
    }

    /// The branch that ends in the dead end `tip`: its depth in widths of its mouth, and its walk.
    /// `None` if it leads to no junction.
    fn branch(&self, tip: u32) -> Option<(f64, Walk)> {
        if self.degree(tip) != 1 {
            return None;
        }
        let side = (0..3).find(|&k| self.is_open(tip, k))?;
        let walk = self.walk(tip, side);
        let (junction, mouth) = walk.junction.filter(|&(junction, _)| junction != tip)?;
        let apex = self.triangles.at(self.triangles.list[tip as usize].corners[(side + 2) % 3]);
        let along: f64 = walk.middles.windows(2).map(|pair| (pair[1] - pair[0]).norm()).sum();
        let depth = (walk.middles[0] - apex).norm() + along;
        Some((depth / self.triangles.width(junction, mouth).max(1e-9), walk))
    }

    fn prune(&mut self) {
        // Depths are positive, so their bits have the same order.
        let mut heap = BinaryHeap::new();
        let enter = |heap: &mut BinaryHeap<_>, axis: &Self, tip: u32| {
            if let Some((depth, _)) = axis.branch(tip).filter(|&(depth, _)| depth < SHALLOWEST_BRANCH) {
                heap.push(Reverse((depth.to_bits(), tip)));
            }
        };
        self.of_degree(1).for_each(|tip| enter(&mut heap, self, tip));
        while let Some(Reverse((bits, tip))) = heap.pop() {
            // Earlier pruning may have moved the branch's mouth.
            let Some((depth, walk)) = self.branch(tip) else { continue };
            if depth.to_bits() != bits {
                enter(&mut heap, self, tip);
                continue;
            }
            let Some((junction, mouth)) = walk.junction else { continue };
            for &triangle in walk.chain.iter().chain([&tip]) {
                self.open[triangle as usize] = [false; 3];
            }
            self.open[junction as usize][mouth] = false;
            for side in (0..3).filter(|&side| self.is_open(junction, side)).collect::<Vec<_>>() {
                let beyond = self.walk(junction, side);
                if let (None, Some(&tip)) = (beyond.junction, beyond.chain.last()) {
                    enter(&mut heap, self, tip);
                }
            }
        }
    }

    /// Whether the road is a plain ring: no junction, no dead end.
    pub fn is_ring(&self) -> bool {
        self.of_degree(2).next().is_some() && self.of_degree(1).chain(self.of_degree(3)).next().is_none()
    }

    /// The arms between junctions and dead ends. A road without junctions is one arm.
    pub fn arms(&self) -> Vec<Arm> {
        let mut arms = Vec::new();
        for junction in self.of_degree(3) {
            for side in 0..3 {
                let walk = self.walk(junction, side);
                let end = walk.junction;
                // An arm between two junctions is found from both of them.
                if end.is_none_or(|end| (junction, side) < end) {
                    arms.push(self.arm([Some(junction), end.map(|(triangle, _)| triangle)], walk));
                }
            }
        }
        let start = self.of_degree(1).next().or_else(|| self.of_degree(2).next());
        let start = start.and_then(|start| (0..3).find(|&k| self.is_open(start, k)).map(|side| (start, side)));
        if let (true, Some((start, side))) = (arms.is_empty(), start) {
            let mut walk = self.walk(start, side);
            walk.chain.insert(0, start);
            arms.push(self.arm([None; 2], walk));
        }
        arms
    }

    fn arm(&self, ends: [Option<u32>; 2], walk: Walk) -> Arm {
        let area = walk.chain.iter().map(|&triangle| self.triangles.area(triangle)).sum();
        Arm { ends, chain: walk.chain, middles: walk.middles, area }
    }
}
