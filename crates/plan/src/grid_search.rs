//! Dijkstra's algorithm, A* and weighted A* on the cells.
//!
//! E. W. Dijkstra, "A note on two problems in connexion with graphs" (1959); P. Hart, N. Nilsson and
//! B. Raphael, "A formal basis for the heuristic determination of minimum cost paths" (1968);
//! I. Pohl, "Heuristic search viewed as path finding in a graph" (1970) for the weight: the path
//! costs at most that many times the smallest cost.

use pathfinding::directed::astar::astar;
use pathfinding::directed::dijkstra::dijkstra;

use super::FreeSpace;
use super::heuristic::Heuristic;
use super::search::{Planner, Query, Search, Status};
use raceline_road::geometry::Point;

/// Search on the cells with eight neighbours.
pub(super) struct GridSearch {
    /// The heuristic and the factor on it; `None` searches without one.
    pub heuristic: Option<(Heuristic, f64)>,
}

impl Planner for GridSearch {
    fn search(&self, query: &Query) -> Search {
        let Query { space, from, to, .. } = *query;
        let (Some(start), Some(goal)) = (space.cell_at(from), space.cell_at(to)) else {
            return Search::without_path(Status::NoPath, Vec::new());
        };
        let mut expanded = Vec::new();
        let found =
            cells_between(space, start, |cell| cell == goal, estimate_of(space, goal, self.heuristic), &mut expanded);
        let expanded: Vec<Point> = expanded.into_iter().map(|cell| space.centre(cell)).collect();
        match found {
            Some((cells, cost)) => Search::found(through(space, from, &cells, to), cost, expanded),
            None => Search::without_path(Status::NoPath, expanded),
        }
    }
}

/// An estimate of the cost from a cell to a goal.
pub(super) type Estimate<'a> = Box<dyn Fn(u32) -> u64 + 'a>;

/// The cost without obstacles to `goal`.
pub(super) fn octile_to(space: &FreeSpace, goal: u32) -> Option<Estimate<'_>> {
    estimate_of(space, goal, Some((Heuristic::Octile, 1.0)))
}

/// A heuristic to `goal` times a factor.
fn estimate_of(space: &FreeSpace, goal: u32, heuristic: Option<(Heuristic, f64)>) -> Option<Estimate<'_>> {
    let width = space.frame.width_px;
    let (heuristic, weight) = heuristic?;
    Some(Box::new(move |cell| (heuristic.between(width, cell, goal) as f64 * weight) as u64))
}

/// The cells of the path of smallest cost from `start` to a cell that `is_goal`, and its length,
/// metres.
pub(super) fn cells_between(
    space: &FreeSpace,
    start: u32,
    is_goal: impl Fn(u32) -> bool,
    estimate: Option<Estimate>,
    expanded: &mut Vec<u32>,
) -> Option<(Vec<u32>, f64)> {
    let successors = |&cell: &u32| {
        expanded.push(cell);
        space.neighbours(cell).collect::<Vec<_>>()
    };
    let found = match estimate {
        Some(estimate) => astar(&start, successors, |&cell| estimate(cell), |&cell| is_goal(cell)),
        None => dijkstra(&start, successors, |&cell| is_goal(cell)),
    };
    let (cells, cost) = found?;
    Some((cells, cost as f64 / 1000.0 * space.frame.metres_per_pixel))
}

/// The path from `from` through the centres of `cells` to `to`; the ends stand for their own cells.
pub(super) fn through(space: &FreeSpace, from: Point, cells: &[u32], to: Point) -> Vec<Point> {
    let inner = cells.get(1..cells.len().saturating_sub(1)).unwrap_or_default();
    std::iter::once(from).chain(inner.iter().map(|&cell| space.centre(cell))).chain([to]).collect()
}
