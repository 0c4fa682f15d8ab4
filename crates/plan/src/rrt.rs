//! Rapidly exploring random trees: S. LaValle, "Rapidly-exploring random trees" (1998), and RRT* of
//! S. Karaman and E. Frazzoli, "Sampling-based algorithms for optimal motion planning" (2011),
//! Algorithm 6: a new node gets the parent over which it is nearest to the start, and its neighbours
//! get it as their parent where that is shorter.

use super::FreeSpace;
use super::sampler::Sampler;
use super::search::{Planner, Query, Search, Status};
use raceline_numerics::math;
use raceline_road::geometry::Point;

/// Limit on the samples of a tree that only searches a path.
const MAX_SAMPLES: usize = 20_000;
/// Samples of a tree that goes on to shorten it.
const STAR_SAMPLES: usize = 4000;
/// Fraction of the samples that are the goal itself, 0 to 1. A larger one is faster in the open and
/// is caught in pockets.
const GOAL_BIAS: f64 = 0.05;
/// Longest branch, as a fraction of the map's diagonal, 0 to 1. Longer ones cross the open faster
/// and pass narrow places less often.
const BRANCH_FRACTION: f64 = 0.05;
/// Neighbours are searched within this many branches, less as the tree grows.
const REACH_BRANCHES: f64 = 2.0;

/// A random tree.
pub(super) struct Rrt {
    /// Whether branches are rewired (RRT*).
    pub rewires: bool,
}

impl Planner for Rrt {
    fn search(&self, query: &Query) -> Search {
        let Query { space, from, to, seed, .. } = *query;
        let frame = &space.frame;
        let diagonal = math::hypot(f64::from(frame.width_px), f64::from(frame.height_px)) * frame.metres_per_pixel;
        let mut tree = Tree { space, nodes: vec![Node { at: from, parent: 0, cost: 0.0 }] };
        let branch = BRANCH_FRACTION * diagonal;
        let mut sampler = Sampler::new(space, seed);
        let mut ends: Vec<usize> = Vec::new();
        let mut samples = 0;
        while samples < if ends.is_empty() { MAX_SAMPLES } else { STAR_SAMPLES } {
            samples += 1;
            let target = if sampler.happens(GOAL_BIAS) { to } else { sampler.sample() };
            let Some(node) = tree.grow(target, branch, self.rewires) else { continue };
            let at = tree.nodes[node].at;
            if (to - at).norm() <= branch && space.is_clear(at, to) {
                ends.push(node);
                if !self.rewires {
                    break;
                }
            }
        }
        let cost = |&end: &usize| tree.nodes[end].cost + (to - tree.nodes[end].at).norm();
        let best = ends.iter().copied().min_by(|a, b| cost(a).total_cmp(&cost(b)));
        let places = tree.nodes.iter().map(|node| node.at).collect();
        let Some(end) = best else { return Search::without_path(Status::GaveUp, places) };
        let mut path = tree.path_to(end);
        if path.last() != Some(&to) {
            path.push(to);
        }
        Search::found(path, cost(&end), places)
    }
}

struct Node {
    at: Point,
    parent: usize,
    /// Length from the start, metres.
    cost: f64,
}

struct Tree<'a> {
    space: &'a FreeSpace,
    nodes: Vec<Node>,
}

impl Tree<'_> {
    /// Grows a branch towards `target`; the new node, unless the branch is not free.
    fn grow(&mut self, target: Point, branch: f64, rewires: bool) -> Option<usize> {
        let distance = |node: &Node| (node.at - target).norm_squared();
        let nearest = (0..self.nodes.len())
            .min_by(|&a, &b| distance(&self.nodes[a]).total_cmp(&distance(&self.nodes[b])).then(a.cmp(&b)))?;
        let from = self.nodes[nearest].at;
        let length = (target - from).norm();
        if length < 1e-9 {
            return None;
        }
        let at = from + (target - from) * (branch / length).min(1.0);
        if !self.space.is_clear(from, at) {
            return None;
        }
        let new = self.nodes.len();
        let mut node = Node { at, parent: nearest, cost: self.nodes[nearest].cost + (at - from).norm() };
        if !rewires {
            self.nodes.push(node);
            return Some(new);
        }
        let count = new as f64 + 1.0;
        let reach =
            (REACH_BRANCHES * branch * (math::ln(count) / count).sqrt() * 4.0).clamp(branch * 0.5, 2.0 * branch);
        let near: Vec<usize> = (0..new).filter(|&other| (self.nodes[other].at - at).norm() <= reach).collect();
        for &other in &near {
            let cost = self.nodes[other].cost + (self.nodes[other].at - at).norm();
            if cost < node.cost && self.space.is_clear(self.nodes[other].at, at) {
                (node.parent, node.cost) = (other, cost);
            }
        }
        let cost = node.cost;
        self.nodes.push(node);
        for other in near {
            let through = cost + (self.nodes[other].at - at).norm();
            if through < self.nodes[other].cost - 1e-12 && self.space.is_clear(at, self.nodes[other].at) {
                self.nodes[other].parent = new;
                self.lower(other, through);
            }
        }
        Some(new)
    }

    /// Gives a node a lower cost, and what hangs on it.
    fn lower(&mut self, node: usize, cost: f64) {
        self.nodes[node].cost = cost;
        let mut changed = vec![node];
        while let Some(parent) = changed.pop() {
            for child in 1..self.nodes.len() {
                if child != parent && self.nodes[child].parent == parent {
                    let step = (self.nodes[child].at - self.nodes[parent].at).norm();
                    self.nodes[child].cost = self.nodes[parent].cost + step;
                    changed.push(child);
                }
            }
        }
    }

    fn path_to(&self, mut node: usize) -> Vec<Point> {
        let mut path = vec![self.nodes[node].at];
        while node != 0 {
            node = self.nodes[node].parent;
            path.push(self.nodes[node].at);
        }
        path.reverse();
        path
    }
}
