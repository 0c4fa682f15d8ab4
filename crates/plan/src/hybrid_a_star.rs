//! Hybrid A*: a search with heading, whose paths a vehicle can drive forwards.
//!
//! D. Dolgov, S. Thrun, M. Montemerlo and J. Diebel, "Practical search techniques in path planning
//! for autonomous driving" (2008), section 2: each cell of place and heading keeps the exact pose in
//! which it was reached first; the heuristic is the larger of the path to the goal past the
//! obstacles and that of the turning circle without obstacles; shortest paths to the goal are tried
//! from nodes on the path. Then the path is pulled taut by such paths too (`arc_taut`).
//!
//! Deviations: the vehicle does not reverse; Dubins' paths stand for those of Reeds and Shepp. The
//! open list is a heap of our own: the searches of `pathfinding` join nodes that are equal, and here
//! two poses of one cell are not.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::f64::consts::TAU;

use pathfinding::directed::dijkstra::dijkstra_reach;

use super::FreeSpace;
use super::arc_taut::pulled_taut_by_arcs;
use super::dubins::{ArcPath, Pose, dubins, to_point};
use super::search::{Planner, Query, Search, Status};
use raceline_numerics::math;
use raceline_road::geometry::Point;

/// Number of headings that are distinguished. More find tighter passages, at a cost in proportion.
const HEADINGS: f64 = 36.0;
/// Turn of the sharpest piece of a path, radians: two headings.
const TURN_RAD: f64 = 2.0 * TAU / HEADINGS;
/// Curvatures of the pieces, as fractions of the sharpest, -1 to 1. More of them give smoother
/// paths, at a cost in proportion.
const CURVATURES: [f64; 5] = [0.0, 0.5, -0.5, 1.0, -1.0];
/// Side of a cell of the search, as a fraction of a piece's length, 0 to 1, so that a piece leaves
/// its cell. Larger cells are searched sooner and merge different paths.
const CELL_FRACTION: f64 = 0.6;
/// The search is greedy by this factor on its heuristic, 1 or more. A larger one is faster and
/// finds longer paths.
const GREED: f64 = 1.1;
/// The smallest length on eight neighbours is at most the true one divided by this.
const OCTILE: f64 = 0.92;
/// The search gives up after so many poses.
const MAX_EXPANDED: usize = 300_000;
/// Turning radius of the first search, as a multiple of the minimum: the rest is room for the line.
/// The second search uses the smallest radius and halves the pieces and cells.
const ATTEMPTS: [(f64, f64); 2] = [(1.1, 1.0), (1.0, 0.5)];

/// Hybrid A*.
pub(super) struct HybridAStar;

impl Planner for HybridAStar {
    fn search(&self, query: &Query) -> Search {
        let Query { space, from, to, headings_rad, vehicle, .. } = *query;
        let (Some(start), Some(goal)) = (space.cell_at(from), space.cell_at(to)) else {
            return Search::without_path(Status::NoPath, Vec::new());
        };
        let mut to_goal_m = vec![f64::INFINITY; space.cell_count()];
        let cell_m = space.frame.metres_per_pixel;
        for item in dijkstra_reach(&goal, |&cell| space.neighbours(cell)) {
            to_goal_m[item.node as usize] = item.total_cost as f64 / 1000.0 * cell_m;
        }
        if to_goal_m[start as usize].is_infinite() {
            return Search::without_path(Status::NoPath, Vec::new());
        }
        let mut expanded = Vec::new();
        let mut status = Status::NoTurn;
        for (radius, fineness) in ATTEMPTS {
            let radius_m = radius / vehicle.max_curvature_radpm;
            let piece_m = (fineness * TURN_RAD * radius_m).max(1.5 * cell_m);
            let search = PoseSearch { space, radius_m, piece_m, goal: to, headings_rad, to_goal_m: &to_goal_m };
            match search.run(from, &mut expanded) {
                Ok(path) => {
                    let path =
                        pulled_taut_by_arcs(space, &path, headings_rad.map(|heading| heading.is_none()), radius_m);
                    let end = path.last().map_or(0.0, |pose| pose.heading_rad);
                    let length_m = path.windows(2).map(|pair| (pair[1].at - pair[0].at).norm()).sum();
                    let points = path.into_iter().map(|pose| pose.at).collect();
                    return Search { end_heading_rad: Some(end), ..Search::found(points, length_m, expanded) };
                }
                Err(why) => status = why,
            }
        }
        Search::without_path(status, expanded)
    }
}

/// A search with one turning radius.
struct PoseSearch<'a> {
    space: &'a FreeSpace,
    radius_m: f64,
    piece_m: f64,
    goal: Point,
    headings_rad: [Option<f64>; 2],
    to_goal_m: &'a [f64],
}

/// A pose that was reached.
struct Node {
    pose: Pose,
    /// The node before, and the path from there.
    before: Option<(usize, ArcPath)>,
    /// Length so far, metres.
    length_m: f64,
    is_goal: bool,
}

impl PoseSearch<'_> {
    fn run(&self, from: Point, expanded: &mut Vec<Point>) -> Result<Vec<ArcPath>, Status> {
        let mut nodes: Vec<Node> = Vec::new();
        let mut open = BinaryHeap::new();
        let mut best: HashMap<(i64, i64, i64), f64> = HashMap::new();
        let mut count = 0_usize;
        let across = self.goal - from;
        let headings: Vec<f64> = match self.headings_rad[0] {
            Some(heading) => vec![heading],
            None => (0..HEADINGS as usize)
                .map(|k| TAU * k as f64 / HEADINGS)
                .chain([math::atan2(across.y, across.x)])
                .collect(),
        };
        for heading_rad in headings {
            let pose = Pose { at: from, heading_rad };
            open.push((Reverse(millimetres(GREED * self.heuristic_m(pose))), nodes.len()));
            nodes.push(Node { pose, before: None, length_m: 0.0, is_goal: false });
        }
        while let Some((_, index)) = open.pop() {
            let Node { pose, length_m, is_goal, .. } = nodes[index];
            if is_goal {
                return Ok(path_to(&nodes, index));
            }
            let key = self.key(pose);
            if nodes[index].before.is_some() && best.get(&key).is_some_and(|&min| min < length_m) {
                continue;
            }
            if count == MAX_EXPANDED {
                return Err(Status::GaveUp);
            }
            count += 1;
            expanded.push(pose.at);
            // Far from the goal, the paths to it are seldom free.
            let often = (self.heuristic_m(pose) / (6.0 * self.radius_m)) as usize + 1;
            if (count - 1).is_multiple_of(often)
                && let Some(path) = self.to_goal(pose)
                && path.is_clear(self.space)
            {
                let length_m = length_m + path.length_m();
                open.push((Reverse(millimetres(length_m)), nodes.len()));
                nodes.push(Node { pose: path.end(), before: Some((index, path)), length_m, is_goal: true });
            }
            for fraction in CURVATURES {
                let path = ArcPath { start: pose, pieces: vec![[fraction / self.radius_m, self.piece_m]] };
                let end = path.end();
                let length_m = length_m + self.piece_m;
                let key = self.key(end);
                if best.get(&key).is_some_and(|&min| min <= length_m) || !path.is_clear(self.space) {
                    continue;
                }
                best.insert(key, length_m);
                open.push((Reverse(millimetres(length_m + GREED * self.heuristic_m(end))), nodes.len()));
                nodes.push(Node { pose: end, before: Some((index, path)), length_m, is_goal: false });
            }
        }
        Err(Status::NoTurn)
    }

    fn to_goal(&self, pose: Pose) -> Option<ArcPath> {
        match self.headings_rad[1] {
            Some(heading_rad) => dubins(pose, Pose { at: self.goal, heading_rad }, self.radius_m),
            None => to_point(pose, self.goal, self.radius_m),
        }
    }

    fn heuristic_m(&self, pose: Pose) -> f64 {
        let past = self.space.cell_at(pose.at).map_or(0.0, |cell| OCTILE * self.to_goal_m[cell as usize]);
        let turning = match self.headings_rad[1] {
            Some(_) => self.to_goal(pose).map_or(0.0, |path| path.length_m()),
            None => to_point(pose, self.goal, self.radius_m).map_or(0.0, |path| path.length_m()),
        };
        past.max(turning)
    }

    /// The cell of place and heading.
    fn key(&self, pose: Pose) -> (i64, i64, i64) {
        let side = CELL_FRACTION * self.piece_m;
        let heading = (pose.heading_rad.rem_euclid(TAU) * HEADINGS / TAU).round() as i64 % HEADINGS as i64;
        ((pose.at.x / side).floor() as i64, (pose.at.y / side).floor() as i64, heading)
    }
}

/// The pieces of the path to a node.
fn path_to(nodes: &[Node], last: usize) -> Vec<ArcPath> {
    let mut path = Vec::new();
    let mut at = last;
    while let Some((before, piece)) = &nodes[at].before {
        path.push(piece.clone());
        at = *before;
    }
    path.reverse();
    path
}

/// Whole millimetres, so that rounding doesn't order the open list; of equal ones the last comes
/// first.
fn millimetres(length_m: f64) -> u64 {
    (length_m * 1000.0).round() as u64
}
