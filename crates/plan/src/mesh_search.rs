//! Paths on a navigation mesh: A* over the sides of its triangles, then the funnel through them.
//!
//! P. Hart, N. Nilsson and B. Raphael (1968) for A*; D. Demyen and M. Buro, "Efficient triangulation-based
//! pathfinding" (AAAI 2006), for the passages that a disc does not fit and the funnel.
//!
//! Deviations: the search compares paths over points on the sides, several on a long one, in place of the
//! paper's bounds of a path through triangles: it ends at the first path. The funnel then finds the shortest
//! path through the same triangles, which may not be the shortest of all.

use std::borrow::Cow;
use std::ops::Range;

use pathfinding::directed::astar::astar;

use super::FreeSpace;
use super::funnel::{Portal, pulled};
use super::medial_graph::contours_of;
use super::navigation_mesh::NavigationMesh;
use super::search::{Planner, Query, Search, Status};
use super::taut::length_of;
use raceline_road::geometry::{Point, Polyline};

/// Largest movement of an outline when points are taken from it, in map cells. A larger one gives fewer
/// triangles and cuts corners.
const SIMPLIFY_CELLS: f64 = 0.25;
/// Points on a side of a triangle are at most this fraction of the mesh's longest extent apart. A smaller one
/// compares paths better, at a cost in proportion.
const APART: f64 = 0.02;
/// Points on a side, at most.
const MAX_POINTS: usize = 12;
/// Radii of the searches on a map, as cells less than the needed clearance, which has a cell more than the
/// vehicle needs. The cells and the outlines differ by less.
const LESS_CELLS: [f64; 3] = [0.0, 0.5, 1.0];

/// A path on a navigation mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshPath {
    /// The path from start to end, metres; round corners it has points beside the circle that it follows.
    pub points: Vec<Point>,
    /// Length of the path, metres.
    pub length_m: f64,
    /// Length of the path that the search compared, metres: over points on the sides of triangles.
    pub over_sides_m: f64,
    /// Places of the expanded nodes, metres.
    pub expanded: Vec<Point>,
}

/// A point on a side.
struct Door {
    at: Point,
    triangles: [usize; 2],
}

/// The points on the sides that a disc passes.
struct Doors {
    doors: Vec<Door>,
    /// Points on each side of each triangle.
    on_side: Vec<[Range<usize>; 3]>,
}

impl NavigationMesh {
    /// A path for a disc of this radius; `None` if there is none, or if an end is not on the mesh. The ends
    /// may be nearer to an obstacle than the radius.
    #[must_use]
    pub fn path(&self, from: Point, to: Point, radius_m: f64) -> Option<MeshPath> {
        self.path_near(from, to, radius_m, 1e-6)
    }

    /// As [`path`](Self::path), with ends that may lie so far beside the mesh.
    fn path_near(&self, from: Point, to: Point, radius_m: f64, beside_m: f64) -> Option<MeshPath> {
        let (first, last) = (self.triangle_at(from, beside_m)?, self.triangle_at(to, beside_m)?);
        let found = |points: Vec<Point>, over_sides_m, expanded| {
            let length_m = length_of(&points);
            MeshPath { points, length_m, over_sides_m, expanded }
        };
        if first == last {
            let path = pulled(from, &[], to, radius_m, [self.corners(first).as_slice(), &[]]);
            return Some(found(path, (to - from).norm(), vec![from]));
        }
        let doors = Doors::new(self, radius_m);
        let (start, goal) = (2 * doors.doors.len(), 2 * doors.doors.len() + 1);
        // A node is a door and the triangle that is entered through it.
        let place = |node: usize| match node {
            _ if node == start => from,
            _ if node == goal => to,
            _ => doors.doors[node / 2].at,
        };
        let mut expanded = Vec::new();
        let successors = |&node: &usize| {
            expanded.push(place(node));
            let (triangle, entered) = if node == start {
                (first, None)
            } else {
                let door = &doors.doors[node / 2];
                let triangle = door.triangles[node % 2];
                (triangle, self.side_towards(triangle, door.triangles[1 - node % 2]))
            };
            let mut next: Vec<(usize, u64)> = Vec::new();
            for side in (0..3).filter(|&side| entered != Some(side)) {
                // Two sides meet at the corner where the one before ends.
                let corner = entered.map(|entered| if side == (entered + 1) % 3 { side } else { entered });
                let passes = corner.is_none_or(|corner| self.triangles[triangle].widths_m[corner] >= 2.0 * radius_m);
                if passes {
                    let through = doors.on_side[triangle][side]
                        .clone()
                        .map(|door| 2 * door + usize::from(doors.doors[door].triangles[0] == triangle));
                    next.extend(through.map(|other| (other, cost(place(node), place(other)))));
                }
            }
            next.extend((triangle == last).then(|| (goal, cost(place(node), to))));
            next
        };
        let (nodes, over_sides) = astar(&start, successors, |&node| cost(place(node), to), |&node| node == goal)?;
        let portals: Vec<Portal> = nodes
            .iter()
            .filter(|&&node| node < start)
            .filter_map(|&node| {
                let Door { triangles, .. } = doors.doors[node / 2];
                let (entered, left) = (triangles[node % 2], triangles[1 - node % 2]);
                // Seen from inside, a side counter-clockwise ends at the left.
                let side = self.side_towards(left, entered)?;
                let corners = self.corners(left);
                Some(Portal { left: corners[(side + 1) % 3], right: corners[side] })
            })
            .collect();
        let corners = |triangle: usize, portal: Option<&Portal>| -> Vec<Point> {
            let is_end = |corner: &Point| portal.is_some_and(|p| p.left == *corner || p.right == *corner);
            self.corners(triangle).into_iter().filter(|corner| !is_end(corner)).collect()
        };
        let beside = [corners(first, portals.first()), corners(last, portals.last())];
        let path = pulled(from, &portals, to, radius_m, [&beside[0], &beside[1]]);
        Some(found(path, over_sides as f64 * 1e-6, expanded))
    }

    /// The mesh of the cells that are no obstacles.
    ///
    /// # Errors
    /// Those of [`of_outlines`](Self::of_outlines), which the outlines of cells do not have.
    fn of_space(space: &FreeSpace) -> Result<Self, super::MeshError> {
        let height = f64::from(space.frame.height_px);
        let is_open: Vec<bool> = (0..space.cell_count() as u32).map(|cell| !space.is_obstacle(cell)).collect();
        let outline = |contour: Polyline| {
            let points = contour.simplified(SIMPLIFY_CELLS).points;
            Polyline::closed(points.into_iter().map(|p| space.frame.to_world(p.x, height - p.y)).collect())
        };
        Self::of_outlines(&contours_of(space, &is_open).into_iter().map(outline).collect::<Vec<_>>())
    }
}

impl Doors {
    fn new(mesh: &NavigationMesh, radius_m: f64) -> Self {
        let mut all = Self { doors: Vec::new(), on_side: vec![[0..0, 0..0, 0..0]; mesh.triangles.len()] };
        let extent = |axis: usize| {
            let values = || mesh.vertices.iter().map(|point| point[axis]);
            values().fold(f64::NEG_INFINITY, f64::max) - values().fold(f64::INFINITY, f64::min)
        };
        let apart_m = (APART * extent(0).max(extent(1))).max(f64::MIN_POSITIVE);
        for number in 0..mesh.triangles.len() {
            for side in 0..3 {
                let Some(other) = mesh.triangles[number].beside[side].filter(|&other| other > number) else { continue };
                let corners = mesh.corners(number);
                let (a, b) = (corners[side], corners[(side + 1) % 3]);
                let length = (b - a).norm();
                if length < 2.0 * radius_m {
                    continue;
                }
                let free = length - 2.0 * radius_m;
                let count = ((free / apart_m).ceil() as usize).clamp(1, MAX_POINTS);
                let begin = all.doors.len();
                for k in 0..count {
                    let along = radius_m + free * (k as f64 + 0.5) / count as f64;
                    let at = a + (b - a) * (along / length.max(f64::MIN_POSITIVE));
                    all.doors.push(Door { at, triangles: [number, other] });
                }
                let range = begin..all.doors.len();
                all.on_side[number][side] = range.clone();
                if let Some(back) = mesh.side_towards(other, number) {
                    all.on_side[other][back] = range;
                }
            }
        }
        all
    }
}

/// Distance in micrometres, rounded down.
fn cost(a: Point, b: Point) -> u64 {
    ((b - a).norm() * 1e6) as u64
}

/// Paths on the navigation mesh of a map.
pub(super) struct MeshPlanner;

impl Planner for MeshPlanner {
    fn search(&self, query: &Query) -> Search {
        let Query { space, from, to, .. } = *query;
        if space.is_clear(from, to) {
            return Search::found(vec![from, to], (to - from).norm(), vec![from]);
        }
        if space.connected(from, to).is_none() {
            return Search::without_path(Status::NoPath, Vec::new());
        }
        let cell_m = space.frame.metres_per_pixel;
        let mesh = match space.floor() {
            Some(floor) => Cow::Borrowed(floor),
            None => match NavigationMesh::of_space(space) {
                Ok(mesh) => Cow::Owned(mesh),
                Err(_) => return Search::without_path(Status::GaveUp, Vec::new()),
            },
        };
        let found = LESS_CELLS.iter().find_map(|less| {
            let radius_m = (space.needed_m - less * cell_m).max(0.0);
            mesh.path_near(from, to, radius_m, cell_m)
        });
        match found {
            Some(path) => Search::found(path.points, path.length_m, path.expanded),
            None => Search::without_path(Status::GaveUp, Vec::new()),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::MeshError;

    fn rectangle(low: [f64; 2], high: [f64; 2]) -> Polyline {
        Polyline::closed([[low[0], low[1]], [high[0], low[1]], high, [low[0], high[1]]].map(Point::from).to_vec())
    }

    /// Distance of a point to the nearest outline.
    fn clearance(outlines: &[Polyline], point: Point) -> f64 {
        let to_piece = |(a, b): (Point, Point)| {
            let along = ((point - a).dot(&(b - a)) / (b - a).norm_squared()).clamp(0.0, 1.0);
            (a + (b - a) * along - point).norm()
        };
        outlines.iter().flat_map(Polyline::pieces).map(to_piece).fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn round_a_pillar_the_path_has_its_closed_form() {
        let outlines = [rectangle([0.0, 0.0], [20.0, 10.0]), rectangle([9.0, 3.0], [11.0, 7.0])];
        let mesh = NavigationMesh::of_outlines(&outlines).unwrap();
        let area: f64 = mesh.triangles().map(|[a, b, c]| (b - a).perp(&(c - a)) / 2.0).sum();
        assert!((area - 192.0).abs() < 1e-9, "{area}");
        for radius in [0.0, 0.5, 1.2] {
            let found = mesh.path(Point::new(2.0, 5.0), Point::new(18.0, 5.0), radius).unwrap();
            let distance = f64::hypot(7.0, 2.0);
            let turn = (2.0 / 7.0_f64).atan() + (radius / distance).asin();
            let taut = 2.0 + 2.0 * ((distance * distance - radius * radius).sqrt() + radius * turn);
            assert!((0.0..3e-3).contains(&(found.length_m - taut + 1e-9)), "{radius}: {} {taut}", found.length_m);
        }
        // Three metres are free above and below the pillar.
        assert!(mesh.path(Point::new(2.0, 5.0), Point::new(18.0, 5.0), 1.49).is_some());
        assert!(mesh.path(Point::new(2.0, 5.0), Point::new(18.0, 5.0), 1.51).is_none());
        assert!(mesh.path(Point::new(2.0, 5.0), Point::new(21.0, 5.0), 0.1).is_none());
    }

    #[test]
    fn between_two_corners_the_width_is_their_distance() {
        // A wall of two blocks whose corners are 3 m by 4 m apart: 5 m.
        let outlines = [
            rectangle([0.0, 0.0], [40.0, 30.0]),
            rectangle([15.0, 0.5], [20.0, 12.0]),
            rectangle([23.0, 16.0], [28.0, 29.5]),
        ];
        let mesh = NavigationMesh::of_outlines(&outlines).unwrap();
        let found = |radius: f64| mesh.path(Point::new(4.0, 15.0), Point::new(36.0, 15.0), radius);
        let path = found(2.45).unwrap();
        for place in crate::taut::resampled(&path.points, 0.01, false) {
            assert!(clearance(&outlines, place) > 2.45 - 1e-6, "{place}");
        }
        assert!(found(2.55).is_none());
    }

    #[test]
    fn a_mesh_of_polygons_is_open_where_they_meet() {
        let polygon = |points: &[[f64; 2]]| points.iter().copied().map(Point::from).collect::<Vec<_>>();
        // Four squares about a corner, one of whose sides is divided by a corner of its neighbour, and a fifth
        // that touches at a corner only.
        let squares = [
            polygon(&[[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]]),
            polygon(&[[2.0, 0.0], [4.0, 0.0], [4.0, 2.0], [2.0, 2.0]]),
            polygon(&[[0.0, 2.0], [2.0, 2.0], [4.0, 2.0], [4.0, 4.0], [0.0, 4.0]]),
            polygon(&[[4.0, 4.0], [6.0, 4.0], [6.0, 6.0], [4.0, 6.0]]),
        ];
        let mesh = NavigationMesh::of_polygons(&squares).unwrap();
        // The middle corner is none of an obstacle.
        let found = mesh.path(Point::new(0.5, 0.5), Point::new(3.5, 3.5), 0.4).unwrap();
        assert!((found.length_m - 18_f64.sqrt()).abs() < 1e-9, "{}", found.length_m);
        assert!(mesh.path(Point::new(0.5, 0.5), Point::new(5.0, 5.0), 0.01).is_none());
        let crossing = [squares[0].clone(), polygon(&[[1.0, 1.0], [3.0, 1.0], [3.0, 3.0], [1.0, 3.0]])];
        assert!(matches!(NavigationMesh::of_polygons(&crossing), Err(MeshError::Crosses { .. })));
        let far = [polygon(&[[0.0, 0.0], [f64::NAN, 0.0], [1.0, 1.0]])];
        assert!(matches!(NavigationMesh::of_polygons(&far), Err(MeshError::Coordinate { .. })));
        assert_eq!(NavigationMesh::of_polygons(&[]).unwrap().triangles().count(), 0);
    }

    #[test]
    fn in_random_halls_a_path_keeps_its_radius_and_is_no_longer_than_the_one_that_was_compared() {
        let mut random = ChaCha8Rng::seed_from_u64(3);
        let (mut found, mut bent) = (0, 0);
        for _ in 0..80 {
            let mut outlines = vec![rectangle([0.0, 0.0], [30.0, 20.0])];
            // Turned squares, at most one in each field of 3 m.
            let empty = random.random_range(0.2..0.97);
            for field in 0..54 {
                if random.random::<f64>() < empty {
                    continue;
                }
                let middle = [1.5 + 3.0 * f64::from(field % 9) + 1.5, 1.0 + 3.0 * f64::from(field / 9) + 1.5];
                let (size, angle) = (random.random_range(0.2..1.1), random.random_range(0.0..1.5));
                let corner = |k: u32| {
                    let (sin, cos) = (angle + f64::from(k) * std::f64::consts::FRAC_PI_2).sin_cos();
                    Point::new(middle[0] + size * cos, middle[1] + size * sin)
                };
                outlines.push(Polyline::closed((0..4).map(corner).collect()));
            }
            let mesh = NavigationMesh::of_outlines(&outlines).unwrap();
            for radius in [0.0, 0.2, 0.5] {
                let mut place = || Point::new(random.random_range(0.6..29.4), random.random_range(0.6..19.4));
                let (from, to) = (place(), place());
                if [from, to]
                    .iter()
                    .any(|&end| clearance(&outlines, end) < radius || mesh.triangle_at(end, 0.0).is_none())
                {
                    continue;
                }
                let Some(path) = mesh.path(from, to, radius) else { continue };
                found += 1;
                bent += usize::from(path.points.len() > 2);
                let straight = (to - from).norm();
                assert!(path.length_m >= straight - 1e-9, "{} {straight}", path.length_m);
                if radius == 0.0 {
                    assert!(path.length_m <= path.over_sides_m + 1e-3, "{} {}", path.length_m, path.over_sides_m);
                }
                for place in crate::taut::resampled(&path.points, 0.02, false) {
                    assert!(
                        clearance(&outlines, place) >= radius - 1e-6 && mesh.triangle_at(place, 1e-6).is_some(),
                        "{radius}: {place} {}",
                        clearance(&outlines, place)
                    );
                }
            }
        }
        assert!(found > 40 && bent > 20, "{found} {bent}");
    }
}
