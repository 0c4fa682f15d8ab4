//! Streets from a picture: the medial axis of its free space.

use super::NetworkError;
use super::junctions::{Arm, Junction, straighten, tangent, tangents_meet};
use super::streets::{Directions, Network, Street, length_of};
use crate::FreeSpace;
use crate::medial_graph::{MedialEdge, MedialGraph};
use raceline_road::geometry::{Point, Polyline};

/// Where junctions are nearer to one another than this fraction of the street's width there, they
/// are one: the axis of a crossroads has two.
const ONE_JUNCTION: f64 = 0.75;
/// Junctions farther apart than this multiple of the clearance are two, however their streets lead.
const FARTHEST_APART: f64 = 4.0;
/// Streets meet in one point if they pass it within this fraction of the clearance.
const MEETS: f64 = 0.15;
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
            let is_one =
                || length_of(&edge.line) < ONE_JUNCTION * width_m || cross_in_one_point(&graph, edge, clearance_m);
            if a != b && is_inner && is_one() {
                same[a.max(b)] = a.min(b);
            }
        }
        let place = |of: usize| -> Point {
            let all: Vec<Point> = (0..same.len()).filter(|&k| root(&same, k) == of).map(|k| graph.nodes[k]).collect();
            Point::from(all.iter().map(|p| p.coords).sum::<raceline_road::geometry::Vector>() / all.len() as f64)
        };
        let edges = graph.edges.iter().filter(|edge| {
            let [a, b] = edge.ends;
            a == b || root(&same, a) != root(&same, b)
        });
        let mut degrees = vec![0; same.len()];
        edges.clone().flat_map(|edge| edge.ends).for_each(|node| degrees[root(&same, node)] += 1);
        // Ends are in the list too, but no arm leads into them.
        let mut junctions: Vec<Junction> = (0..same.len())
            .map(|node| {
                let place = if root(&same, node) == node { place(node) } else { graph.nodes[node] };
                Junction { place, clearance_m: space.clearance_at_m(place) }
            })
            .collect();
        let (mut arms, mut half_widths_m) = (Vec::new(), Vec::new());
        for edge in edges {
            let mut clearances: Vec<f64> = edge.line.iter().map(|&p| space.clearance_at_m(p)).collect();
            clearances.sort_by(f64::total_cmp);
            let Some(&half_width_m) = clearances.get(clearances.len() / 2) else { continue };
            let numbers = edge.ends.map(|node| Some(root(&same, node)).filter(|&node| degrees[node] > 2));
            arms.push(Arm { junctions: numbers, line: edge.line.clone() });
            half_widths_m.push(half_width_m);
        }
        straighten(&mut junctions, &mut arms);
        let streets: Vec<Street> = arms
            .into_iter()
            .zip(half_widths_m)
            .map(|(arm, half_width_m)| {
                let accuracy = (ACCURACY * half_width_m).max(0.5 * space.frame.metres_per_pixel);
                let line = Polyline::open(arm.line).simplified(accuracy).points;
                Street { line, half_width_m, directions: Directions::Both }
            })
            .collect();
        Self::new(&streets, false)
    }
}

/// Whether the streets that end at the two ends of `inner` would all meet in one point if they went
/// on straight: the axis of streets that cross at an acute angle has two junctions, far apart.
fn cross_in_one_point(graph: &MedialGraph, inner: &MedialEdge, clearance_m: [f64; 2]) -> bool {
    let reach_m = clearance_m[0].max(clearance_m[1]);
    if length_of(&inner.line) > FARTHEST_APART * reach_m {
        return false;
    }
    let outer = graph.edges.iter().filter(|edge| !std::ptr::eq(*edge, inner));
    let lines = outer.flat_map(|edge| {
        let at = |end: usize| inner.ends.contains(&edge.ends[end]);
        let backwards = || edge.line.iter().rev().copied().collect::<Vec<Point>>();
        [at(0).then(|| edge.line.clone()), at(1).then(backwards)].into_iter().flatten()
    });
    let tangents: Option<Vec<[Point; 2]>> = lines.map(|line| tangent(&line, reach_m)).collect();
    let middle = Point::from((graph.nodes[inner.ends[0]].coords + graph.nodes[inner.ends[1]].coords) / 2.0);
    tangents.is_some_and(|tangents| tangents_meet(middle, &tangents, MEETS * reach_m))
}

fn root(same: &[usize], mut node: usize) -> usize {
    while same[node] != node {
        node = same[node];
    }
    node
}
