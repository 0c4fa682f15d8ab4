//! Routes on the medial axis (the Voronoi diagram of the obstacles), compared by estimated time.
//!
//! C. Ó'Dúnlaing and C. Yap, "A retraction method for planning the motion of a disc" (1985), for
//! paths on the diagram; J. Yen, "Finding the k shortest loopless paths in a network" (1971). The
//! axis has every path past the obstacles, but a bad measure of it: it keeps as far from them as it
//! can. So several routes and the shortest path on the cells are pulled taut, and the one of smallest
//! estimated time is taken.

use pathfinding::directed::yen::yen;

use super::FreeSpace;
use super::axis_paths::AxisPaths;
use super::free_space::Connected;
use super::grid_search::{cells_between, octile_to, through};
use super::search::{Planner, Query, Search, Status};
use super::taut::pulled_taut;
use super::travel_time::estimated_time_s;
use raceline_road::geometry::Point;

/// Number of routes that are compared; fewer in a graph with many edges.
const ROUTES: usize = 12;
const ROUTES_IN_LARGE: usize = 4;
const LARGE_EDGES: usize = 400;
/// Lengths are compared in micrometres.
const STEP_M: f64 = 1e-6;

/// Planner on the medial axis.
pub(super) struct Voronoi;

impl Planner for Voronoi {
    fn search(&self, query: &Query) -> Search {
        let Query { space, from, to, vehicle, .. } = *query;
        let time = |path: &[Point]| estimated_time_s(path, space.needed_m, vehicle);
        if space.is_clear(from, to) {
            let path = vec![from, to];
            let cost = time(&path);
            return Search::found(path, cost, vec![from]);
        }
        let Some(Connected { start, goal, reachable }) = space.connected(from, to) else {
            return Search::without_path(Status::NoPath, Vec::new());
        };
        let mut expanded = Vec::new();
        let mut paths: Vec<Vec<Point>> = Vec::new();
        if let Some(axis) = AxisPaths::new(space, &reachable, from, to, &mut expanded) {
            for route in routes(&axis, space, &mut expanded) {
                paths.push(pulled_taut(space, &axis.whole(&route)));
            }
        }
        // A small chamber has no axis, and near a wall a route may be attached on a detour.
        if let Some((cells, _)) =
            cells_between(space, start, |cell| cell == goal, octile_to(space, goal), &mut expanded)
        {
            paths.push(pulled_taut(space, &through(space, from, &cells, to)));
        }
        let expanded: Vec<Point> = expanded.into_iter().map(|cell| space.centre(cell)).collect();
        let best = paths.into_iter().map(|path| (time(&path), path)).min_by(|a, b| a.0.total_cmp(&b.0));
        match best {
            Some((cost, path)) => Search::found(path, cost, expanded),
            None => Search::without_path(Status::NoPath, expanded),
        }
    }
}

/// The shortest routes on the axis, as lines.
fn routes(axis: &AxisPaths, space: &FreeSpace, expanded: &mut Vec<u32>) -> Vec<Vec<Point>> {
    if axis.first == axis.last {
        return vec![axis.line_of(&[axis.first])];
    }
    let successors = |&node: &usize| {
        if axis.is_node(node) {
            expanded.extend(space.cell_at(axis.place(node)));
        }
        axis.beside(node, STEP_M)
    };
    let wanted = if axis.edge_count() > LARGE_EDGES { ROUTES_IN_LARGE } else { ROUTES };
    let found = yen(&axis.first, successors, |&node| node == axis.last, wanted);
    found.into_iter().map(|(nodes, _)| axis.line_of(&nodes)).collect()
}
