//! A road's outline as triangles: the constrained Delaunay triangulation of its contours, inside
//! only.

use spade::{ConstrainedDelaunayTriangulation, HasPosition, Point2, Triangulation};

use raceline_road::geometry::{Point, Polyline};

/// Straight pieces of a contour are divided into pieces of at most this many mean road widths, so
/// that triangles are about as long as the road is wide.
const LONGEST_PIECE_WIDTHS: f64 = 0.25;
/// Pieces shorter than this are not divided, pixels. Contours that touch one another nearly
/// everywhere enclose almost no mean width, and would be divided without end.
const SHORTEST_DIVIDED_PX: f64 = 0.1;

/// A place on a contour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Corner {
    /// The place, pixels with y upwards.
    pub point: Point,
    /// Which contour.
    pub contour: u32,
    /// Which of the contour's divided points.
    pub index: u32,
    /// Whether it was added to divide a straight piece.
    pub divides: bool,
}

/// A triangle inside the road. Side k leads from corner k to corner k + 1, counter-clockwise.
#[derive(Clone, Copy, Debug)]
pub(super) struct Triangle {
    pub corners: [u32; 3],
    /// The triangle across each side; `None` where the side is a piece of a contour.
    pub beside: [Option<u32>; 3],
}

/// The triangles between a road's contours.
pub(super) struct Triangles {
    pub corners: Vec<Corner>,
    pub list: Vec<Triangle>,
    /// For each contour, the corner at each of its divided points.
    pub contours: Vec<Vec<u32>>,
}

type Mesh = ConstrainedDelaunayTriangulation<Vertex>;

struct Vertex {
    position: Point2<f64>,
    corner: u32,
}

impl HasPosition for Vertex {
    type Scalar = f64;

    fn position(&self) -> Point2<f64> {
        self.position
    }
}

impl Triangles {
    /// Triangulates the road inside `contours`, which have the road on their left and do not meet.
    /// `None` if they meet, or if they enclose nothing.
    pub fn new(contours: &[Polyline], mean_width: f64) -> Option<Self> {
        let mut corners: Vec<Corner> = Vec::new();
        let mut numbers = Vec::new();
        for (contour, line) in contours.iter().enumerate() {
            let points = divided(line, (LONGEST_PIECE_WIDTHS * mean_width).max(SHORTEST_DIVIDED_PX));
            let first = corners.len() as u32;
            numbers.push((first..first + points.len() as u32).collect::<Vec<_>>());
            let corner =
                |(index, (point, divides))| Corner { point, contour: contour as u32, index: index as u32, divides };
            corners.extend(points.into_iter().enumerate().map(corner));
        }
        let vertices = corners.iter().zip(0..);
        let vertices = vertices.map(|(at, corner)| Vertex { position: Point2::new(at.point.x, at.point.y), corner });
        let rings = numbers.iter().flat_map(|ring| (0..ring.len()).map(|i| [ring[i], ring[(i + 1) % ring.len()]]));
        let edges = rings.map(|piece| piece.map(|corner| corner as usize)).collect();
        let mut meet = false;
        let mesh = Mesh::try_bulk_load_cdt(vertices.collect(), edges, |_| meet = true);
        let mesh = mesh.ok().filter(|mesh| !meet && mesh.num_vertices() == corners.len())?;
        let triangles = Self { list: inside(&mesh, &corners, &numbers), corners, contours: numbers };
        (!triangles.list.is_empty()).then_some(triangles)
    }

    /// Where a corner lies.
    pub fn at(&self, corner: u32) -> Point {
        self.corners[corner as usize].point
    }

    /// The ends of a triangle's side, counter-clockwise.
    pub fn side(&self, triangle: u32, side: usize) -> (u32, u32) {
        let corners = self.list[triangle as usize].corners;
        (corners[side], corners[(side + 1) % 3])
    }

    /// The middle of a side.
    pub fn middle(&self, triangle: u32, side: usize) -> Point {
        let (a, b) = self.side(triangle, side);
        nalgebra::center(&self.at(a), &self.at(b))
    }

    /// Length of a side.
    pub fn width(&self, triangle: u32, side: usize) -> f64 {
        let (a, b) = self.side(triangle, side);
        (self.at(b) - self.at(a)).norm()
    }

    /// Area of a triangle.
    pub fn area(&self, triangle: u32) -> f64 {
        let [a, b, c] = self.list[triangle as usize].corners.map(|corner| self.at(corner));
        raceline_road::geometry::cross(b - a, c - a) / 2.0
    }

    /// The middle of a triangle.
    pub fn centroid(&self, triangle: u32) -> Point {
        let [a, b, c] = self.list[triangle as usize].corners.map(|corner| self.at(corner).coords);
        Point::from((a + b + c) / 3.0)
    }

    /// The side that `to` and `from` have in common.
    pub fn side_towards(&self, to: u32, from: u32) -> Option<usize> {
        self.list[to as usize].beside.iter().position(|&beside| beside == Some(from))
    }
}

/// The contour's points and the marked points that divide long pieces.
fn divided(line: &Polyline, longest: f64) -> Vec<(Point, bool)> {
    let mut points = Vec::with_capacity(line.points.len());
    for (a, b) in line.pieces() {
        let parts = ((b - a).norm() / longest.max(1e-6)).ceil().clamp(1.0, 1e6);
        points.extend((0..parts as usize).map(|k| (a + (b - a) * (k as f64 / parts), k > 0)));
    }
    points
}

/// The triangles inside the road, in the mesh's own order. A triangle with a side in the direction
/// of its contour lies inside, and so do the triangles reached from it without crossing a contour.
fn inside(mesh: &Mesh, corners: &[Corner], contours: &[Vec<u32>]) -> Vec<Triangle> {
    let runs_with_contour = |from: u32, to: u32| {
        let (a, b) = (corners[from as usize], corners[to as usize]);
        a.contour == b.contour && (a.index as usize + 1) % contours[a.contour as usize].len() == b.index as usize
    };
    let mut number: Vec<Option<u32>> = vec![None; mesh.num_all_faces()];
    let mut queue: Vec<_> = mesh
        .inner_faces()
        .filter(|face| {
            let sides = face.adjacent_edges();
            sides.iter().any(|side| {
                side.is_constraint_edge() && runs_with_contour(side.from().data().corner, side.to().data().corner)
            })
        })
        .collect();
    while let Some(face) = queue.pop() {
        let known = &mut number[face.index()];
        if known.is_none() {
            *known = Some(0);
            let open = face.adjacent_edges().into_iter().filter(|side| !side.is_constraint_edge());
            queue.extend(open.filter_map(|side| side.rev().face().as_inner()));
        }
    }
    (0..).zip(number.iter_mut().flatten()).for_each(|(next, number)| *number = next);
    let triangle =
        |face: spade::handles::FaceHandle<'_, spade::handles::InnerTag, Vertex, (), spade::CdtEdge<()>, ()>| {
            let sides = face.adjacent_edges();
            let beside = sides.map(|side| {
                let across = (!side.is_constraint_edge()).then(|| side.rev().face().as_inner());
                across.flatten().and_then(|face| number[face.index()])
            });
            Triangle { corners: sides.map(|side| side.from().data().corner), beside }
        };
    mesh.inner_faces().filter(|face| number[face.index()].is_some()).map(triangle).collect()
}
