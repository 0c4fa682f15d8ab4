//! Iterative deepening A*: R. Korf, "Depth-first iterative-deepening: an optimal admissible tree
//! search" (1985).
//!
//! IDA* keeps the present path in memory and searches it depth first, up to a cost that grows from
//! round to round. On cells, each round would search again what the last one did, and there are as
//! many rounds as sums of moves. It searches the medial axis instead, whose junctions are few.
//! Lengths are whole steps, which limits the number of rounds.

use super::FreeSpace;
use super::axis_paths::AxisPaths;
use super::deepening::{Deepening, DeepeningLimits, deepen};
use super::free_space::Connected;
use super::grid_search::{cells_between, octile_to, through};
use super::search::{Planner, Query, Search, Status};
use super::taut::length_of;
use raceline_road::geometry::Point;

/// Length of a step in needed clearances.
const STEP: f64 = 0.5;
/// The search gives up after so many nodes, and its table holds this many.
const LIMITS: DeepeningLimits = DeepeningLimits { cached: 1 << 14, expanded: 300_000 };

/// Iterative deepening A*.
pub(super) struct IdaStar;

impl Planner for IdaStar {
    fn search(&self, query: &Query) -> Search {
        let Query { space, from, to, .. } = *query;
        let Some(Connected { start, goal, reachable }) = space.connected(from, to) else {
            return Search::without_path(Status::NoPath, Vec::new());
        };
        if space.is_clear(from, to) {
            return Search::found(vec![from, to], (to - from).norm(), vec![from]);
        }
        let mut cells = Vec::new();
        let Some(axis) = AxisPaths::new(space, &reachable, from, to, &mut cells) else {
            // A small chamber has no axis.
            let found = cells_between(space, start, |cell| cell == goal, octile_to(space, goal), &mut cells);
            let expanded = cells.into_iter().map(|cell| space.centre(cell)).collect();
            return match found {
                Some((path, cost)) => Search::found(through(space, from, &path, to), cost, expanded),
                None => Search::without_path(Status::NoPath, expanded),
            };
        };
        let mut expanded: Vec<Point> = Vec::new();
        match shortest(&axis, space, &mut expanded) {
            Some(nodes) => {
                let path = axis.whole(&axis.line_of(&nodes));
                let cost = length_of(&path);
                Search::found(path, cost, expanded)
            }
            None => Search::without_path(Status::GaveUp, expanded),
        }
    }
}

/// The nodes of the shortest path, in whole steps.
fn shortest(axis: &AxisPaths, space: &FreeSpace, expanded: &mut Vec<Point>) -> Option<Vec<usize>> {
    let step_m = STEP * space.needed_m;
    let successors = |&node: &usize| {
        expanded.push(axis.place(node));
        axis.beside(node, step_m)
    };
    let estimate = |&node: &usize| (axis.min_distance(node, axis.last) / step_m) as u64;
    match deepen(&axis.first, successors, estimate, |&node| node == axis.last, LIMITS) {
        Deepening::Found { path, .. } => Some(path),
        Deepening::NoPath | Deepening::GaveUp => None,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use image::{GrayImage, Luma};
    use pathfinding::directed::dijkstra::dijkstra;

    use super::*;
    use crate::tasks;
    use raceline_road::frame::PictureFrame;

    #[test]
    fn its_cost_is_that_of_dijkstra_on_the_same_graph() {
        let frame = PictureFrame { metres_per_pixel: 0.1, origin_m: Point::origin(), width_px: 160, height_px: 120 };
        // Twelve pillars off a grid.
        let picture = GrayImage::from_fn(160, 120, |column, row| {
            let (across, up) = (column % 40, (row + 7 * (column / 40)) % 40);
            Luma([if (12..26).contains(&across) && (14..24).contains(&up) { 0 } else { 255 }])
        });
        let space = FreeSpace::new(&picture, frame, 0.4);
        let step_m = STEP * space.needed_m;
        let mut compared = 0;
        for [from, to] in tasks(&space, 20, 3) {
            let reachable = space.reachable(space.cell_at(from).unwrap());
            let Some(axis) = AxisPaths::new(&space, &reachable, from, to, &mut Vec::new()) else { continue };
            let Some(nodes) = shortest(&axis, &space, &mut Vec::new()) else { continue };
            let step = |pair: &[usize]| {
                axis.beside(pair[0], step_m).into_iter().filter(|next| next.0 == pair[1]).map(|next| next.1).min()
            };
            let cost: u64 = nodes.windows(2).map(|pair| step(pair).unwrap()).sum();
            let known = dijkstra(&axis.first, |&node| axis.beside(node, step_m), |&node| node == axis.last).unwrap().1;
            assert_eq!(cost, known, "{from} {to}");
            compared += 1;
        }
        assert!(compared >= 10, "{compared}");
    }
}
