//! A navigation mesh: free space as triangles, of which each knows the widths of its passages.
//!
//! D. Demyen and M. Buro, "Efficient triangulation-based pathfinding" (AAAI 2006): the constrained
//! Delaunay triangulation of the outlines; the width of the passage round a corner of a triangle, between
//! two of its sides, is the distance of the corner to the nearest obstacle across the third side
//! (`CalculateWidth` and `SearchWidth`). A disc that is wider than that does not pass.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use spade::handles::FixedVertexHandle;
use spade::{ConstrainedDelaunayTriangulation, Point2, Triangulation};

use super::error::MeshError;
use raceline_road::geometry::{Point, Polyline, cross};

/// Coordinates beyond this have no place in a mesh, metres.
const LARGEST_M: f64 = 1e7;
/// Corners are rounded to this, so that those of polygons side by side are one, metres.
const WELD_M: f64 = 1e-6;
/// Sides of outlines, at most.
const MAX_SIDES: usize = 2_000_000;

/// Free space as triangles whose corners all lie on its outlines.
///
/// Prefer it to cells where a map is large and its obstacles have few corners: it has as many triangles as
/// they have corners, whatever the area, and its paths are exact. It is built once and asked for vehicles of
/// any radius.
///
/// ```
/// use raceline_plan::NavigationMesh;
/// use raceline_road::geometry::{Point, Polyline};
///
/// // A room of 10 m by 6 m with a pillar.
/// let square = |low: [f64; 2], high: [f64; 2]| {
///     Polyline::closed([[low[0], low[1]], [high[0], low[1]], high, [low[0], high[1]]].map(Point::from).to_vec())
/// };
/// let mesh = NavigationMesh::of_outlines(&[square([0.0, 0.0], [10.0, 6.0]), square([4.0, 2.0], [6.0, 4.0])])?;
/// let found = mesh.path(Point::new(1.0, 3.0), Point::new(9.0, 3.0), 0.3).ok_or("no path")?;
/// assert!(found.length_m > 8.0 && found.length_m < 9.0);
/// assert!(mesh.path(Point::new(1.1, 3.0), Point::new(9.0, 3.0), 1.1).is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct NavigationMesh {
    pub(super) vertices: Vec<Point>,
    pub(super) triangles: Vec<Triangle>,
}

/// Corners are counter-clockwise; side k leads from corner k to corner k + 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Triangle {
    pub corners: [usize; 3],
    /// The triangle across each side; `None` where the side is one of an outline.
    pub beside: [Option<usize>; 3],
    /// Width of the passage round each corner, between its two sides.
    pub widths_m: [f64; 3],
}

type Cdt = ConstrainedDelaunayTriangulation<Point2<f64>>;

impl NavigationMesh {
    /// The triangles inside an odd number of the outlines, which do not cross. Pieces that two outlines have
    /// in common are none.
    ///
    /// # Errors
    /// [`MeshError`] for outlines that cross, and for coordinates that are no numbers of metres.
    pub fn of_outlines(outlines: &[Polyline]) -> Result<Self, MeshError> {
        let sides: Vec<[Point; 2]> = outlines.iter().flat_map(|line| line.pieces().map(|(a, b)| [a, b])).collect();
        Self::of_sides(&sides)
    }

    /// The triangles of a mesh of polygons, as games have it: sides that two polygons have in common are open.
    ///
    /// # Errors
    /// As [`of_outlines`](Self::of_outlines); polygons that lie above one another cross.
    pub fn of_polygons(polygons: &[Vec<Point>]) -> Result<Self, MeshError> {
        let outlines: Vec<Polyline> = polygons.iter().map(|polygon| Polyline::closed(polygon.clone())).collect();
        Self::of_outlines(&outlines)
    }

    fn of_sides(sides: &[[Point; 2]]) -> Result<Self, MeshError> {
        let borders = borders_of(sides)?.1;
        // Again with the corners of obstacles alone: others would narrow passages.
        let (cdt, borders) = borders_of(&borders)?;
        Ok(Self::inside(&cdt, &borders))
    }

    /// The triangles that are reached from outside across an odd number of borders.
    fn inside(cdt: &Cdt, borders: &[[Point; 2]]) -> Self {
        let key = |a: Point, b: Point| {
            let bits = |p: Point| [p.x.to_bits(), p.y.to_bits()];
            let (a, b) = (bits(a), bits(b));
            if a < b { [a, b] } else { [b, a] }
        };
        let is_border: BTreeSet<_> = borders.iter().map(|&[a, b]| key(a, b)).collect();
        let point = |p: Point2<f64>| Point::new(p.x, p.y);
        let mut is_inside: Vec<Option<bool>> = vec![None; cdt.num_all_faces()];
        let outer = cdt.outer_face();
        is_inside[outer.index()] = Some(false);
        let mut queue = Vec::new();
        for edge in cdt.convex_hull() {
            let crosses = is_border.contains(&key(point(edge.from().position()), point(edge.to().position())));
            if let Some(face) = [edge, edge.rev()].into_iter().find_map(|edge| edge.face().as_inner())
                && is_inside[face.index()].is_none()
            {
                is_inside[face.index()] = Some(crosses);
                queue.push(face);
            }
        }
        while let Some(face) = queue.pop() {
            let here = is_inside[face.index()].unwrap_or_default();
            for side in face.adjacent_edges() {
                let Some(next) = side.rev().face().as_inner() else { continue };
                if is_inside[next.index()].is_none() {
                    let crosses = is_border.contains(&key(point(side.from().position()), point(side.to().position())));
                    is_inside[next.index()] = Some(here != crosses);
                    queue.push(next);
                }
            }
        }
        let faces = || cdt.inner_faces().filter(|face| is_inside[face.index()] == Some(true));
        let numbers: BTreeMap<usize, usize> =
            faces().enumerate().map(|(number, face)| (face.index(), number)).collect();
        let triangles = faces().map(|face| {
            let sides = face.adjacent_edges();
            let beside = sides.map(|side| {
                let is_open = !is_border.contains(&key(point(side.from().position()), point(side.to().position())));
                let across = side.rev().face().as_inner().filter(|_| is_open)?;
                numbers.get(&across.index()).copied()
            });
            Triangle { corners: sides.map(|side| side.from().fix().index()), beside, widths_m: [0.0; 3] }
        });
        let mut mesh = Self {
            vertices: cdt.vertices().map(|vertex| point(vertex.position())).collect(),
            triangles: triangles.collect(),
        };
        for number in 0..mesh.triangles.len() {
            mesh.triangles[number].widths_m = [0, 1, 2].map(|corner| mesh.width_m(number, corner));
        }
        mesh
    }

    /// The corners of a triangle, metres.
    pub(super) fn corners(&self, triangle: usize) -> [Point; 3] {
        self.triangles[triangle].corners.map(|corner| self.vertices[corner])
    }

    /// All triangles with their corners counter-clockwise, metres.
    pub fn triangles(&self) -> impl Iterator<Item = [Point; 3]> + '_ {
        (0..self.triangles.len()).map(|number| self.corners(number))
    }

    /// Width of the passage round a corner (`CalculateWidth`).
    fn width_m(&self, number: usize, corner: usize) -> f64 {
        let places = self.corners(number);
        let [at, right, left] = [0, 1, 2].map(|k| places[(corner + k) % 3]);
        let mut width = (right - at).norm().min((left - at).norm());
        // Sides to look across, seen from the corner (`SearchWidth`).
        let mut open = vec![(number, (corner + 1) % 3)];
        while let Some((number, side)) = open.pop() {
            let places = self.corners(number);
            let (u, v) = (places[side], places[(side + 1) % 3]);
            if (at - u).dot(&(v - u)) < 0.0 || (at - v).dot(&(u - v)) < 0.0 {
                continue;
            }
            let distance = cross(v - u, at - u).abs() / (v - u).norm().max(f64::MIN_POSITIVE);
            if distance >= width {
                continue;
            }
            let Some(next) = self.triangles[number].beside[side] else {
                width = distance;
                continue;
            };
            let Some(back) = self.side_towards(next, number) else { continue };
            let beyond = self.corners(next)[(back + 2) % 3];
            let is_between = cross(right - at, beyond - at) >= 0.0 && cross(beyond - at, left - at) >= 0.0;
            if is_between {
                width = width.min((beyond - at).norm());
            }
            open.extend([(next, (back + 1) % 3), (next, (back + 2) % 3)]);
        }
        width
    }

    /// The side of a triangle that it has in common with another.
    pub(super) fn side_towards(&self, triangle: usize, other: usize) -> Option<usize> {
        self.triangles[triangle].beside.iter().position(|&beside| beside == Some(other))
    }

    /// The triangle that has a point, or the nearest one at most `within_m` from it.
    pub(super) fn triangle_at(&self, point: Point, within_m: f64) -> Option<usize> {
        let beyond = |number: usize| {
            let places = self.corners(number);
            let off = |k: usize| {
                let (a, b) = (places[k], places[(k + 1) % 3]);
                let along = ((point - a).dot(&(b - a)) / (b - a).norm_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
                (cross(b - a, point - a) < 0.0).then(|| (point - (a + (b - a) * along)).norm())
            };
            // From a point inside, no side is towards it.
            [0, 1, 2].into_iter().filter_map(off).reduce(f64::min).unwrap_or(0.0)
        };
        let found = (0..self.triangles.len()).map(|number| (beyond(number), number));
        found.min_by(|a, b| a.0.total_cmp(&b.0)).filter(|&(off, _)| off <= within_m).map(|(_, number)| number)
    }
}

/// The triangulation of sides, and those parts of them that lie on an odd number of sides.
fn borders_of(sides: &[[Point; 2]]) -> Result<(Cdt, Vec<[Point; 2]>), MeshError> {
    if sides.len() > MAX_SIDES {
        return Err(MeshError::TooLarge { sides: sides.len(), max: MAX_SIDES });
    }
    let mut cdt = Cdt::new();
    let mut inserted: BTreeMap<[u64; 2], FixedVertexHandle> = BTreeMap::new();
    let mut insert = |cdt: &mut Cdt, point: Point| {
        let is_number = point.x.abs() <= LARGEST_M && point.y.abs() <= LARGEST_M;
        let wrong = MeshError::Coordinate { x_m: point.x, y_m: point.y, max_m: LARGEST_M };
        // Zero has one sign.
        let place = [point.x, point.y].map(|value| (value / WELD_M).round() * WELD_M + 0.0);
        let entry = inserted.entry(place.map(f64::to_bits));
        match entry {
            Entry::Occupied(known) => Ok(*known.get()),
            Entry::Vacant(new) if is_number => {
                let handle = cdt.insert(Point2::new(place[0], place[1])).map_err(|_| wrong)?;
                Ok(*new.insert(handle))
            }
            Entry::Vacant(_) => Err(wrong),
        }
    };
    let mut ends = Vec::with_capacity(sides.len());
    for &[a, b] in sides {
        ends.push([insert(&mut cdt, a)?, insert(&mut cdt, b)?]);
    }
    let mut uses: BTreeMap<[FixedVertexHandle; 2], usize> = BTreeMap::new();
    for [a, b] in ends {
        if a == b {
            continue;
        }
        let parts = cdt.try_add_constraint(a, b);
        if parts.is_empty() {
            let near = cdt.vertex(a).position();
            return Err(MeshError::Crosses { x_m: near.x, y_m: near.y });
        }
        for part in parts {
            let edge = cdt.directed_edge(part);
            let (from, to) = (edge.from().fix(), edge.to().fix());
            *uses.entry(if from < to { [from, to] } else { [to, from] }).or_default() += 1;
        }
    }
    let odd = uses.into_iter().filter(|(_, count)| count % 2 == 1);
    let at = |vertex: FixedVertexHandle| {
        let place = cdt.vertex(vertex).position();
        Point::new(place.x, place.y)
    };
    let borders = odd.map(|([a, b], _)| [at(a), at(b)]).collect();
    Ok((cdt, borders))
}
