//! The triangulation of the cones, and its sides as gates.

use std::collections::HashMap;

use spade::{DelaunayTriangulation, HasPosition, Point2, Triangulation as _};

use super::{Cone, ConeColour};

/// Cones nearer to one another than this are one cone seen twice, metres.
const COINCIDENT_M: f64 = 0.2;
/// Quantile of the distances from a cone to the nearest of the other colour that is taken as the road's width.
const WIDTH_QUANTILE: f64 = 0.5;
/// Width of a road whose cones have no colours, metres: the rules ask for at least 3 m.
const USUAL_WIDTH_M: f64 = 3.5;
/// Cones of each colour that are needed to measure the width.
const MIN_COLOURED: usize = 3;

struct Vertex {
    position: Point2<f64>,
    cone: usize,
}

impl HasPosition for Vertex {
    type Scalar = f64;

    fn position(&self) -> Point2<f64> {
        self.position
    }
}

/// The cones without doubles, and what lies across each side of a triangle.
pub(super) struct Gates {
    pub cones: Vec<Cone>,
    /// The third corner of the triangle on the left of the side from the first to the second cone.
    apex: HashMap<(usize, usize), usize>,
    /// Usual width of a gate, metres.
    pub width_m: f64,
    /// Usual distance from a cone to the next one along an edge, metres.
    pub spacing_m: f64,
}

impl Gates {
    /// The gates between `cones`. `width_m` is the road's width; measured if it is `None`. `None` if the
    /// cones make no triangle.
    pub(super) fn new(cones: &[Cone], width_m: Option<f64>) -> Option<Self> {
        let cones = distinct(cones);
        let mesh: DelaunayTriangulation<Vertex> = {
            let vertex =
                |(cone, at): (usize, &Cone)| Vertex { position: Point2::new(at.position.x, at.position.y), cone };
            DelaunayTriangulation::bulk_load(cones.iter().enumerate().map(vertex).collect()).ok()?
        };
        let mut apex = HashMap::new();
        for face in mesh.inner_faces() {
            // Counter-clockwise, so that the third corner is on the left of each side.
            let [a, b, c] = face.vertices().map(|vertex| vertex.data().cone);
            apex.extend([((a, b), c), ((b, c), a), ((c, a), b)]);
        }
        if apex.is_empty() {
            return None;
        }
        let width_m = width_m.or_else(|| measured_width(&cones)).unwrap_or(USUAL_WIDTH_M);
        let spacing_m = spacing(&cones).unwrap_or(width_m).max(width_m / 2.0);
        Some(Self { cones, apex, width_m, spacing_m })
    }

    /// The cone of the triangle ahead of a gate; `None` at the rim of the triangulation.
    pub(super) fn ahead(&self, left: usize, right: usize) -> Option<usize> {
        // Ahead is on the left of whoever goes from the left cone to the right one.
        self.apex.get(&(left, right)).copied()
    }

    /// Every side of a triangle in both directions.
    pub(super) fn sides(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.apex.keys().copied()
    }

    /// Distance between two cones, metres.
    pub(super) fn distance(&self, a: usize, b: usize) -> f64 {
        (self.cones[a].position - self.cones[b].position).norm()
    }

    /// Likewise with left and right exchanged.
    pub(super) fn mirrored(&self) -> Self {
        let colour = |cone: &Cone| Cone { colour: cone.colour.mirrored(), ..*cone };
        Self {
            cones: self.cones.iter().map(colour).collect(),
            apex: self.apex.clone(),
            width_m: self.width_m,
            spacing_m: self.spacing_m,
        }
    }
}

fn distinct(cones: &[Cone]) -> Vec<Cone> {
    let mut cells: HashMap<(i64, i64), Vec<usize>> = HashMap::new();
    let mut kept: Vec<Cone> = Vec::new();
    for cone in cones {
        let [x, y] = [cone.position.x, cone.position.y].map(|value| (value / COINCIDENT_M).floor() as i64);
        let mut near = (-1..=1).flat_map(|i| (-1..=1).map(move |j| (x.saturating_add(i), y.saturating_add(j))));
        let twin = near.find_map(|cell| {
            let others = cells.get(&cell)?;
            others.iter().copied().find(|&other| (kept[other].position - cone.position).norm() < COINCIDENT_M)
        });
        match twin {
            Some(twin) if kept[twin].colour == ConeColour::Either => kept[twin].colour = cone.colour,
            Some(_) => {}
            None => {
                cells.entry((x, y)).or_default().push(kept.len());
                kept.push(*cone);
            }
        }
    }
    kept
}

/// For each cone the distance to the nearest other one that `counts`, sorted.
fn nearest(cones: &[Cone], counts: impl Fn(&Cone, &Cone) -> bool) -> Vec<f64> {
    let distance = |(index, cone): (usize, &Cone)| {
        let others = cones.iter().enumerate().filter(|(other, to)| *other != index && counts(cone, to));
        others.map(|(_, to)| (to.position - cone.position).norm()).min_by(f64::total_cmp)
    };
    let mut distances: Vec<f64> = cones.iter().enumerate().filter_map(distance).collect();
    distances.sort_by(f64::total_cmp);
    distances
}

fn measured_width(cones: &[Cone]) -> Option<f64> {
    let count = |colour| cones.iter().filter(|cone| cone.colour == colour).count();
    if count(ConeColour::Left) < MIN_COLOURED || count(ConeColour::Right) < MIN_COLOURED {
        return None;
    }
    let opposite = |a: &Cone, b: &Cone| a.colour != ConeColour::Either && b.colour == a.colour.mirrored();
    let distances = nearest(cones, opposite);
    distances.get((WIDTH_QUANTILE * distances.len() as f64) as usize).copied()
}

fn spacing(cones: &[Cone]) -> Option<f64> {
    let distances = nearest(cones, |a, b| a.colour == b.colour);
    distances.get(distances.len() / 2).copied()
}
