//! The paths on the medial axis between two places, as a graph to search.
//!
//! Edges of the axis are nodes of the search too, so that two edges between the same nodes are two
//! paths.

use super::FreeSpace;
use super::grid_search::cells_between;
use super::medial_graph::{MedialEdge, MedialGraph};
use super::taut::length_of;
use raceline_road::geometry::Point;

/// The medial axis with its ends attached to two places.
pub(super) struct AxisPaths {
    graph: MedialGraph,
    /// The edges at each node.
    beside: Vec<Vec<usize>>,
    /// The node where the path to the first place leaves the axis.
    pub first: usize,
    /// The node where the path to the last place leaves it.
    pub last: usize,
    before: Vec<Point>,
    after: Vec<Point>,
}

impl AxisPaths {
    /// The axis of the `reachable` cells; `None` for a region too small for one. The cells that are
    /// searched from the places to the axis are added to `expanded`.
    pub fn new(space: &FreeSpace, reachable: &[bool], from: Point, to: Point, expanded: &mut Vec<u32>) -> Option<Self> {
        let mut graph = MedialGraph::new(space, reachable)?;
        let (first, before) = attach(space, &mut graph, space.cell_at(from)?, expanded)?;
        let (last, after) = attach(space, &mut graph, space.cell_at(to)?, expanded)?;
        let mut beside = vec![Vec::new(); graph.nodes.len()];
        for (number, edge) in graph.edges.iter().enumerate() {
            for end in edge.ends {
                beside[end].push(number);
            }
        }
        let before = std::iter::once(from).chain(before.into_iter().map(|cell| space.centre(cell))).collect();
        let after = after.into_iter().rev().map(|cell| space.centre(cell)).chain([to]).collect();
        Some(Self { graph, beside, first, last, before, after })
    }

    /// Number of edges.
    pub fn edge_count(&self) -> usize {
        self.graph.edges.len()
    }

    /// Whether a node of the search is one of the axis, not an edge.
    pub fn is_node(&self, node: usize) -> bool {
        node < self.graph.nodes.len()
    }

    /// Where a node is; for an edge, its end.
    pub fn place(&self, node: usize) -> Point {
        let count = self.graph.nodes.len();
        if node < count { self.graph.nodes[node] } else { self.graph.nodes[self.graph.edges[node - count].ends[1]] }
    }

    /// A lower bound of the path from a node of the search to one of the axis: the straight line;
    /// for an edge, that from its nearer end.
    pub fn min_distance(&self, node: usize, to: usize) -> f64 {
        let count = self.graph.nodes.len();
        let from = |node: usize| (self.graph.nodes[to] - self.graph.nodes[node]).norm();
        if node < count {
            return from(node);
        }
        let [first, second] = self.graph.edges[node - count].ends;
        from(first).min(from(second))
    }

    /// The nodes of the search beside one, with half the length of the edge in steps of `step_m`,
    /// rounded up.
    pub fn beside(&self, node: usize, step_m: f64) -> Vec<(usize, u64)> {
        let count = self.graph.nodes.len();
        let half = |edge: &MedialEdge| (length_of(&edge.line) / (2.0 * step_m)).ceil() as u64;
        if node < count {
            self.beside[node].iter().map(|&edge| (count + edge, half(&self.graph.edges[edge]))).collect()
        } else {
            let edge = &self.graph.edges[node - count];
            edge.ends.iter().map(|&end| (end, half(edge))).collect()
        }
    }

    /// The line through alternating nodes and edges of the search.
    pub fn line_of(&self, nodes: &[usize]) -> Vec<Point> {
        let count = self.graph.nodes.len();
        if let &[node] = nodes {
            return vec![self.graph.nodes[node]];
        }
        let mut line = Vec::new();
        for pair in nodes.windows(2) {
            let &[node, edge] = pair else { continue };
            if node < count && edge >= count {
                let MedialEdge { ends, line: of_edge } = &self.graph.edges[edge - count];
                if ends[0] == node {
                    line.extend_from_slice(of_edge);
                } else {
                    line.extend(of_edge.iter().rev());
                }
            }
        }
        line
    }

    /// A line on the axis with the paths from its ends to the two places.
    pub fn whole(&self, line: &[Point]) -> Vec<Point> {
        [&self.before, line, &self.after].concat()
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
