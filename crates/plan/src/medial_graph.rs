//! The medial axis of the free space as a graph.
//!
//! The region in which the vehicle's centre may be is bounded by contours of its cells. Its medial
//! axis is that which [`edges`](raceline_road::edges) finds for roads: every path past the obstacles of
//! the region is, up to its shape, a path along the axis.

use std::collections::BTreeMap;

use image::{GrayImage, Luma};

use super::FreeSpace;
use raceline_read::picture::contours::for_each_contour;
use raceline_read::tracing::medial_axis;
use raceline_road::geometry::{Point, Polyline};

/// A graph whose edges are lines.
#[derive(Clone, Debug, Default)]
pub struct MedialGraph {
    /// Place of each node, metres.
    pub nodes: Vec<Point>,
    /// The edges.
    pub edges: Vec<MedialEdge>,
}

/// An edge of the graph.
#[derive(Clone, Debug)]
pub struct MedialEdge {
    /// Nodes.
    pub ends: [usize; 2],
    /// Line from the first to the second, both included, metres.
    pub line: Vec<Point>,
}

impl MedialGraph {
    /// The graph of the cells that are `reachable`; `None` for a region too small for an axis.
    #[must_use]
    pub fn new(space: &FreeSpace, reachable: &[bool]) -> Option<Self> {
        let height = space.frame.height_px;
        let mut contours = contours_of(space, reachable);
        let outer = contours.iter().position(|contour| contour.signed_area() > 0.0)?;
        contours.swap(0, outer);
        let arms = medial_axis(&contours)?;
        let world = |p: Point| space.frame.to_world(p.x, f64::from(height) - p.y);
        let mut graph = Self::default();
        let mut junctions: BTreeMap<u32, usize> = BTreeMap::new();
        for arm in arms {
            let mut line: Vec<Point> = arm.points.iter().map(|&point| world(point)).collect();
            let [first, last] = arm.ends;
            if let Some((_, place)) = first {
                line.insert(0, world(place));
            }
            if let Some((_, place)) = last {
                line.push(world(place));
            }
            let (Some(&start), Some(&end)) = (line.first(), line.last()) else { continue };
            let mut node = |end: Option<(u32, Point)>, place: Point| {
                let mut new = || {
                    graph.nodes.push(place);
                    graph.nodes.len() - 1
                };
                match end {
                    Some((junction, _)) => *junctions.entry(junction).or_insert_with(new),
                    None => new(),
                }
            };
            let ends = [node(first, start), node(last, end)];
            graph.edges.push(MedialEdge { ends, line });
        }
        // A ring without junctions: its two ends are one place.
        if let [edge] = graph.edges.as_mut_slice()
            && arm_is_ring(edge, space)
        {
            let back = graph.nodes[edge.ends[0]];
            edge.line.push(back);
            edge.ends[1] = edge.ends[0];
        }
        Some(graph)
    }

    /// The edge and the point of its line that lie in each cell.
    #[must_use]
    pub fn cells(&self, space: &FreeSpace) -> BTreeMap<u32, (usize, usize)> {
        let points = self.edges.iter().enumerate().flat_map(|(edge, of)| (0..of.line.len()).map(move |at| (edge, at)));
        points.filter_map(|(edge, at)| Some((space.cell_at(self.edges[edge].line[at])?, (edge, at)))).collect()
    }

    /// Divides an edge at a point of its line; the node there.
    pub fn divide(&mut self, edge: usize, at: usize) -> usize {
        let MedialEdge { ends, line } = &self.edges[edge];
        if at == 0 {
            return ends[0];
        }
        if at + 1 == line.len() {
            return ends[1];
        }
        let node = self.nodes.len();
        let second = MedialEdge { ends: [node, ends[1]], line: line[at..].to_vec() };
        self.nodes.push(line[at]);
        self.edges[edge].ends[1] = node;
        self.edges[edge].line.truncate(at + 1);
        self.edges.push(second);
        node
    }
}

/// The contours of some cells, in cells with y up; outer ones are counter-clockwise.
pub(super) fn contours_of(space: &FreeSpace, inside: &[bool]) -> Vec<Polyline> {
    let (width, height) = (space.frame.width_px, space.frame.height_px);
    let region = GrayImage::from_fn(width, height, |column, row| {
        Luma([if inside[(row * width + column) as usize] { 255 } else { 0 }])
    });
    let mut contours = Vec::new();
    for_each_contour(&region, |crossings| {
        let middle = |a: i64, b: i64| f64::midpoint(a as f64, b as f64) + 0.5;
        let points = crossings.iter().map(|crossing| {
            let (inside, outside) = (crossing.inside, crossing.outside);
            Point::new(middle(inside.0, outside.0), f64::from(height) - middle(inside.1, outside.1))
        });
        contours.push(Polyline::closed(points.collect()));
    });
    contours
}

/// Whether the only edge closes: its ends see each other across a few cells.
fn arm_is_ring(edge: &MedialEdge, space: &FreeSpace) -> bool {
    let (Some(&first), Some(&last)) = (edge.line.first(), edge.line.last()) else { return false };
    edge.line.len() > 3 && (last - first).norm() < 0.2 * super::length_of(&edge.line) && space.is_clear(first, last)
}
