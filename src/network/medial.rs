//! Streets from a picture: the medial axis of its free space.

use super::NetworkError;
use super::streets::{Directions, Network, Street};
use crate::geometry::{Point, Polyline};
use crate::plan::{FreeSpace, MedialGraph};

/// Where junctions are nearer to one another than this fraction of the street's width there, they
/// are one: the axis of a crossroads has two.
const ONE_JUNCTION: f64 = 0.75;
/// Bends of the axis are kept to this fraction of its clearance, or half a cell.
const ACCURACY: f64 = 0.2;

impl Network {
    /// The streets of a picture: the medial axis of the free space that is connected with `from`.
    ///
    /// # Errors
    /// [`NetworkError::NoStreets`] if there is no axis.
    pub fn of_free_space(space: &FreeSpace, from: Point) -> Result<Self, NetworkError> {
        let start = space.cell_at(from).filter(|&cell| space.is_free(cell)).ok_or(NetworkError::NoStreets)?;
        let graph = MedialGraph::new(space, &space.reachable(start)).ok_or(NetworkError::NoStreets)?;
        // Junctions that are one get the number of the first.
        let mut same: Vec<usize> = (0..graph.nodes.len()).collect();
        for edge in &graph.edges {
            let [a, b] = edge.ends.map(|node| root(&same, node));
            let clearance_m = edge.ends.map(|node| space.clearance_at_m(graph.nodes[node]));
            let width_m = clearance_m[0] + clearance_m[1];
            let degree = |node: usize| graph.edges.iter().flat_map(|e| e.ends).filter(|&end| end == node).count();
            let is_inner = edge.ends.iter().all(|&node| degree(node) > 2);
            if a != b && is_inner && super::streets::length_of(&edge.line) < ONE_JUNCTION * width_m {
                same[a.max(b)] = a.min(b);
            }
        }
        let place = |node: usize| -> Point {
            let of = root(&same, node);
            let all: Vec<Point> = (0..same.len()).filter(|&k| root(&same, k) == of).map(|k| graph.nodes[k]).collect();
            Point::from(all.iter().map(|p| p.coords).sum::<crate::geometry::Vector>() / all.len() as f64)
        };
        let mut streets = Vec::new();
        for edge in &graph.edges {
            let [a, b] = edge.ends;
            if root(&same, a) == root(&same, b) && a != b {
                continue;
            }
            let mut clearances: Vec<f64> = edge.line.iter().map(|&p| space.clearance_at_m(p)).collect();
            clearances.sort_by(f64::total_cmp);
            let Some(&half_width_m) = clearances.get(clearances.len() / 2) else { continue };
            let mut line = edge.line.clone();
            if let Some(first) = line.first_mut() {
                *first = place(a);
            }
            if let Some(last) = line.last_mut() {
                *last = place(b);
            }
            let accuracy = (ACCURACY * half_width_m).max(0.5 * space.frame.metres_per_pixel);
            let line = Polyline::open(line).simplified(accuracy).points;
            streets.push(Street { line, half_width_m, directions: Directions::Both });
        }
        Self::new(&streets, false)
    }
}

fn root(same: &[usize], mut node: usize) -> usize {
    while same[node] != node {
        node = same[node];
    }
    node
}
