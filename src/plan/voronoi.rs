//! Routes on the medial axis (the Voronoi diagram of the obstacles), compared by estimated time.
//!
//! C. Ó'Dúnlaing and C. Yap, "A retraction method for planning the motion of a disc" (1985), for ways
//! on the diagram; J. Yen, "Finding the k shortest loopless paths in a network" (1971). The axis has
//! every way past the obstacles, but a bad measure of it: it keeps as far from them as it can. So
//! several routes and the shortest way on the cells are pulled taut, and the one of least estimated
//! time is taken.

use pathfinding::directed::yen::yen;

use super::FreeSpace;
use super::grid_search::{cells_between, through};
use super::medial_graph::{MedialEdge, MedialGraph};
use super::search::{Planner, Query, Search, Status};
use super::taut::{length_of, pulled_taut};
use super::travel_time::estimated_time_s;
use crate::geometry::Point;

/// Number of routes that are compared; fewer in a graph with many edges.
const ROUTES: usize = 12;
const ROUTES_IN_LARGE: usize = 4;
const LARGE_EDGES: usize = 400;

/// Planner on the medial axis.
pub(super) struct Voronoi;

impl Planner for Voronoi {
    fn search(&self, query: &Query) -> Search {
        let Query { space, from, to, vehicle, .. } = *query;
        let time = |way: &[Point]| estimated_time_s(way, space.needed_m, vehicle);
        if space.is_clear(from, to) {
            let way = vec![from, to];
            let cost = time(&way);
            return Search::found(way, cost, vec![from]);
        }
        let (Some(start), Some(goal)) = (space.cell_at(from), space.cell_at(to)) else {
            return Search::without_way(Status::NoWay, Vec::new());
        };
        let reachable = space.reachable(start);
        if !reachable[goal as usize] {
            return Search::without_way(Status::NoWay, Vec::new());
        }
        let mut expanded = Vec::new();
        let mut ways: Vec<Vec<Point>> = Vec::new();
        if let Some(mut graph) = MedialGraph::new(space, &reachable)
            && let Some((first, before)) = attach(space, &mut graph, start, &mut expanded)
            && let Some((last, after)) = attach(space, &mut graph, goal, &mut expanded)
        {
            let before = before.into_iter().map(|cell| space.centre(cell));
            let after = after.into_iter().rev().map(|cell| space.centre(cell));
            for route in routes(&graph, space, first, last, &mut expanded) {
                let whole = std::iter::once(from).chain(before.clone()).chain(route).chain(after.clone());
                ways.push(pulled_taut(space, &whole.chain([to]).collect::<Vec<_>>()));
            }
        }
        // A small chamber has no axis, and near a wall a route may be attached on a detour.
        if let Some((cells, _)) = cells_between(space, start, |cell| cell == goal, Some((goal, 1.0)), &mut expanded) {
            ways.push(pulled_taut(space, &through(space, from, &cells, to)));
        }
        let expanded: Vec<Point> = expanded.into_iter().map(|cell| space.centre(cell)).collect();
        let best = ways.into_iter().map(|way| (time(&way), way)).min_by(|a, b| a.0.total_cmp(&b.0));
        match best {
            Some((cost, way)) => Search::found(way, cost, expanded),
            None => Search::without_way(Status::NoWay, expanded),
        }
    }
}

/// The node of the graph that is nearest to a cell along free cells, and the cells to it; the edge
/// is divided there.
fn attach(space: &FreeSpace, graph: &mut MedialGraph, cell: u32, expanded: &mut Vec<u32>) -> Option<(usize, Vec<u32>)> {
    let on_axis = graph.cells(space);
    let (cells, _) = cells_between(space, cell, |cell| on_axis.contains_key(&cell), None, expanded)?;
    let &(edge, at) = on_axis.get(cells.last()?)?;
    Some((graph.divide(edge, at), cells))
}

/// The shortest routes between two nodes, as lines.
fn routes(
    graph: &MedialGraph,
    space: &FreeSpace,
    first: usize,
    last: usize,
    expanded: &mut Vec<u32>,
) -> Vec<Vec<Point>> {
    if first == last {
        return vec![vec![graph.nodes[first]]];
    }
    // Edges are nodes of the search too, so that two edges between the same nodes are two routes.
    let count = graph.nodes.len();
    let mut beside = vec![Vec::new(); count];
    for (number, edge) in graph.edges.iter().enumerate() {
        for end in edge.ends {
            beside[end].push(number);
        }
    }
    let half = |edge: &MedialEdge| (length_of(&edge.line) * 5e5) as u64 + 1;
    let successors = |&node: &usize| {
        if node < count {
            expanded.extend(space.cell_at(graph.nodes[node]));
            beside[node].iter().map(|&edge| (count + edge, half(&graph.edges[edge]))).collect::<Vec<_>>()
        } else {
            let edge = &graph.edges[node - count];
            edge.ends.iter().map(|&end| (end, half(edge))).collect()
        }
    };
    let wanted = if graph.edges.len() > LARGE_EDGES { ROUTES_IN_LARGE } else { ROUTES };
    let found = yen(&first, successors, |&node| node == last, wanted);
    found.into_iter().map(|(nodes, _)| line_of(graph, count, &nodes)).collect()
}

/// The line through alternating nodes and edges.
fn line_of(graph: &MedialGraph, count: usize, nodes: &[usize]) -> Vec<Point> {
    let mut line = Vec::new();
    for pair in nodes.windows(2) {
        let &[node, edge] = pair else { continue };
        if node < count && edge >= count {
            let MedialEdge { ends, line: of_edge } = &graph.edges[edge - count];
            if ends[0] == node {
                line.extend_from_slice(of_edge);
            } else {
                line.extend(of_edge.iter().rev());
            }
        }
    }
    line
}
