//! Iterative deepening A*: R. Korf, "Depth-first iterative-deepening: an optimal admissible tree
//! search" (1985).
//!
//! It keeps only the present way in memory and searches it depth first, up to a cost that grows from
//! round to round. It doesn't know where it has been: on cells with eight neighbours, the number of
//! ways to a cell grows with the binomial coefficients of its distance, so that it is hopeless there.
//! It searches the medial axis instead, whose junctions are few. Lengths are whole steps, which
//! limits the number of rounds.

use pathfinding::directed::dijkstra::dijkstra;
use pathfinding::directed::idastar::idastar;

use super::FreeSpace;
use super::axis_ways::AxisWays;
use super::grid_search::{cells_between, through};
use super::search::{Planner, Query, Search, Status};
use super::taut::length_of;
use crate::geometry::Point;

/// Length of a step in needed clearances.
const STEP: f64 = 0.5;
/// The search gives up after so many nodes.
const MOST_EXPANDED: usize = 300_000;

/// Iterative deepening A*.
pub(super) struct IdaStar;

impl Planner for IdaStar {
    fn search(&self, query: &Query) -> Search {
        let Query { space, from, to, .. } = *query;
        let (Some(start), Some(goal)) = (space.cell_at(from), space.cell_at(to)) else {
            return Search::without_way(Status::NoWay, Vec::new());
        };
        let reachable = space.reachable(start);
        if !reachable[goal as usize] {
            return Search::without_way(Status::NoWay, Vec::new());
        }
        if space.is_clear(from, to) {
            return Search::found(vec![from, to], (to - from).norm(), vec![from]);
        }
        let mut cells = Vec::new();
        let Some(axis) = AxisWays::new(space, &reachable, from, to, &mut cells) else {
            // A small chamber has no axis.
            let found = cells_between(space, start, |cell| cell == goal, Some((goal, 1.0)), &mut cells);
            let expanded = cells.into_iter().map(|cell| space.centre(cell)).collect();
            return match found {
                Some((way, cost)) => Search::found(through(space, from, &way, to), cost, expanded),
                None => Search::without_way(Status::NoWay, expanded),
            };
        };
        let mut expanded: Vec<Point> = Vec::new();
        match shortest(&axis, space, &mut expanded) {
            Some(nodes) => {
                let way = axis.whole(&axis.line_of(&nodes));
                let cost = length_of(&way);
                Search::found(way, cost, expanded)
            }
            None => Search::without_way(Status::GaveUp, expanded),
        }
    }
}

/// The nodes of the shortest way, in whole steps.
fn shortest(axis: &AxisWays, space: &FreeSpace, expanded: &mut Vec<Point>) -> Option<Vec<usize>> {
    let step_m = STEP * space.needed_m;
    let goal = axis.place(axis.last);
    let successors = |&node: &usize| {
        if expanded.len() == MOST_EXPANDED {
            return Vec::new();
        }
        expanded.push(axis.place(node));
        axis.beside(node, step_m)
    };
    let estimate = |&node: &usize| ((goal - axis.place(node)).norm() / step_m) as u64;
    let found = idastar(&axis.first, successors, estimate, |&node| node == axis.last);
    // A truncated search may have missed the shortest way.
    let (nodes, cost) = found.filter(|_| expanded.len() < MOST_EXPANDED)?;
    // Checked by every test that plans with it.
    debug_assert_eq!(
        dijkstra(&axis.first, |&node| axis.beside(node, step_m), |&node| node == axis.last).map(|(_, least)| least),
        Some(cost)
    );
    Some(nodes)
}
