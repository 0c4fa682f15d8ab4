//! Exact cell decomposition: J.-C. Latombe, "Robot Motion Planning" (1991), section 5.1.2, the
//! trapezoidal decomposition, and chapter 13 of M. de Berg et al., "Computational Geometry" (2008).
//!
//! The contours of the cells with room, simplified, bound polygons. A vertical line sweeps over their
//! vertices; between two of them, the polygons' sides that it crosses bound trapezoids, and those
//! between the same two sides are one. Two trapezoids are joined where their vertical sides overlap.
//! A* searches over points on these shared sides; a trapezoid is convex, so that straight lines
//! between its points stay in it.
//!
//! Deviations: a shared side that is long has several points, so that the search compares paths past
//! obstacles better than by middles alone.

use pathfinding::directed::astar::astar;

use super::FreeSpace;
use super::free_space::Connected;
use super::medial_graph::contours_of;
use super::search::{Planner, Query, Search, Status};
use raceline_road::geometry::Point;

/// Largest movement of a contour when points are taken from it, in map cells.
const SIMPLIFY_CELLS: f64 = 0.25;
/// Points on a shared side are at most so many needed clearances apart.
const APART: f64 = 3.0;
/// Largest number of points on a shared side.
const MAX_POINTS: usize = 12;

/// Exact cell decomposition.
pub(super) struct Cells;

impl Planner for Cells {
    fn search(&self, query: &Query) -> Search {
        let Query { space, from, to, .. } = *query;
        let Some(Connected { reachable, .. }) = space.connected(from, to) else {
            return Search::without_path(Status::NoPath, Vec::new());
        };
        let apart_px = APART * space.needed_m / space.frame.metres_per_pixel;
        let cells = Decomposition::new(&sides(space, &reachable), apart_px);
        let height = f64::from(space.frame.height_px);
        let pixel = |point: Point| {
            let (column, row) = space.frame.to_pixel(point);
            Point::new(column, height - row)
        };
        let world = |point: Point| space.frame.to_world(point.x, height - point.y);
        let Some((places, cost, expanded)) = cells.path(pixel(from), pixel(to)) else {
            return Search::without_path(Status::NoPath, Vec::new());
        };
        let inner = places.into_iter().map(world);
        let path = std::iter::once(from).chain(inner).chain([to]).collect();
        Search::found(path, cost * space.frame.metres_per_pixel, expanded.into_iter().map(world).collect())
    }
}

/// The sides of the region's polygons, each from left to right, in map cells with y up; vertical
/// ones bound no trapezoid from below or above.
fn sides(space: &FreeSpace, region: &[bool]) -> Vec<[Point; 2]> {
    let mut sides = Vec::new();
    for contour in contours_of(space, region) {
        let points = contour.simplified(SIMPLIFY_CELLS).points;
        for (k, &a) in points.iter().enumerate() {
            let b = points[(k + 1) % points.len()];
            if a.x != b.x {
                sides.push(if a.x < b.x { [a, b] } else { [b, a] });
            }
        }
    }
    sides.sort_by(|a, b| a[0].x.total_cmp(&b[0].x));
    sides
}

/// Height of a side at `x`.
fn height_at([a, b]: [Point; 2], x: f64) -> f64 {
    a.y + (b.y - a.y) * ((x - a.x) / (b.x - a.x))
}

/// A trapezoid between two sides.
struct Trapezoid {
    low: [Point; 2],
    high: [Point; 2],
    left: f64,
    right: f64,
    /// Points on its sides in common with neighbours.
    doors: Vec<usize>,
}

/// All trapezoids, and the points on their shared sides.
struct Decomposition {
    cells: Vec<Trapezoid>,
    /// Each point with its two trapezoids.
    doors: Vec<(Point, [usize; 2])>,
}

impl Decomposition {
    fn new(sides: &[[Point; 2]], apart: f64) -> Self {
        let mut all = Self { cells: Vec::new(), doors: Vec::new() };
        let mut stops: Vec<f64> = sides.iter().flatten().map(|point| point.x).collect();
        stops.sort_by(f64::total_cmp);
        stops.dedup();
        let (mut next, mut crossed): (usize, Vec<usize>) = (0, Vec::new());
        // The trapezoids before the line with the numbers of their sides.
        let mut before: Vec<(usize, usize, usize)> = Vec::new();
        for pair in stops.windows(2) {
            let [left, right] = [pair[0], pair[1]];
            crossed.retain(|&side| sides[side][1].x > left);
            while sides.get(next).is_some_and(|side| side[0].x <= left) {
                crossed.push(next);
                next += 1;
            }
            let middle = f64::midpoint(left, right);
            crossed.sort_by(|&a, &b| height_at(sides[a], middle).total_cmp(&height_at(sides[b], middle)));
            let mut now = Vec::new();
            for bounds in crossed.chunks_exact(2) {
                let (low, high) = (bounds[0], bounds[1]);
                if let Some(&(.., cell)) = before.iter().find(|&&(l, h, _)| (l, h) == (low, high)) {
                    all.cells[cell].right = right;
                    now.push((low, high, cell));
                    continue;
                }
                let cell = all.cells.len();
                let (low_side, high_side) = (sides[low], sides[high]);
                all.cells.push(Trapezoid { low: low_side, high: high_side, left, right, doors: Vec::new() });
                now.push((low, high, cell));
                for &(l, h, other) in &before {
                    all.join(left, [height_at(sides[l], left), height_at(sides[h], left)], [other, cell], apart);
                }
            }
            before = now;
        }
        all
    }

    /// Joins two trapezoids where the vertical sides at `x` have a part in common; `span` is that of
    /// the first.
    fn join(&mut self, x: f64, span: [f64; 2], [first, second]: [usize; 2], apart: f64) {
        let cell = &self.cells[second];
        let low = span[0].max(height_at(cell.low, x));
        let high = span[1].min(height_at(cell.high, x));
        if high - low < 1e-9 {
            return;
        }
        let count = (((high - low) / apart).ceil() as usize).clamp(1, MAX_POINTS);
        for k in 0..count {
            let door = self.doors.len();
            let y = low + (high - low) * (k as f64 + 0.5) / count as f64;
            self.doors.push((Point::new(x, y), [first, second]));
            self.cells[first].doors.push(door);
            self.cells[second].doors.push(door);
        }
    }

    /// The trapezoid with a point; the nearest above or below if simplifying left it in none.
    fn cell_of(&self, point: Point) -> Option<usize> {
        let beyond = |cell: &Trapezoid| {
            let aside = (cell.left - point.x).max(point.x - cell.right).max(0.0);
            let x = point.x.clamp(cell.left, cell.right);
            let off = (height_at(cell.low, x) - point.y).max(point.y - height_at(cell.high, x)).max(0.0);
            aside + off
        };
        let cells = self.cells.iter().enumerate().map(|(number, cell)| (beyond(cell), number));
        cells.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, number)| number)
    }

    /// The points on shared sides between two points, the length of the path, and what was expanded.
    fn path(&self, from: Point, to: Point) -> Option<(Vec<Point>, f64, Vec<Point>)> {
        let (first, last) = (self.cell_of(from)?, self.cell_of(to)?);
        let (start, goal) = (self.doors.len(), self.doors.len() + 1);
        let place = |node: usize| match node {
            _ if node == start => from,
            _ if node == goal => to,
            _ => self.doors[node].0,
        };
        let mut expanded = Vec::new();
        let successors = |&node: &usize| {
            expanded.push(place(node));
            let cells: &[usize] = if node == start { &[first] } else { &self.doors[node].1 };
            let mut next: Vec<(usize, u64)> = Vec::new();
            for &cell in cells {
                let nodes = self.cells[cell].doors.iter().copied().chain((cell == last).then_some(goal));
                next.extend(nodes.filter(|&other| other != node).map(|other| (other, cost(place(node), place(other)))));
            }
            next
        };
        let (nodes, min) = astar(&start, successors, |&node| cost(place(node), to), |&node| node == goal)?;
        let inner = nodes.iter().filter(|&&node| node < start).map(|&node| place(node)).collect();
        Some((inner, min as f64 * 1e-6, expanded))
    }
}

/// Distance in millionths of a map cell, rounded down.
fn cost(a: Point, b: Point) -> u64 {
    ((b - a).norm() * 1e6) as u64
}
