//! Roads with known geometry, made of coordinates.
#![allow(dead_code, reason = "each test file uses its part")]

use std::f64::consts::{PI, TAU};

use raceline::edges::{EdgeKind, EdgePoint, Edges, RoadSurface};
use raceline::geometry::{Point, Polyline};

/// Corners a circle or arc of a turn is made of; at 50 m radius the chords leave it by 0.1 mm.
const CORNERS_PER_TURN: usize = 2400;

/// A ring-shaped road between two circles about the origin.
pub fn ring(inner_radius: f64, outer_radius: f64) -> Edges {
    let circle = |radius: f64| {
        let angles = (0..CORNERS_PER_TURN).map(|i| TAU * i as f64 / CORNERS_PER_TURN as f64);
        Polyline::closed(angles.map(|t| Point::new(radius * t.cos(), radius * t.sin())).collect())
    };
    Edges::ring(circle(outer_radius), circle(inner_radius))
}

/// An open, straight road along the x axis.
pub fn straight(length: f64, width: f64) -> Edges {
    let edge = |y: f64| {
        let points = (0..=(length / 2.0) as usize).map(|i| Point::new(2.0 * i as f64, y)).collect();
        Polyline { points, closed: false }
    };
    Edges::between(edge(width / 2.0), edge(-width / 2.0))
}

/// A stadium: two straights of the given length joined by two half circles.
pub fn stadium(straight: f64, inner_radius: f64, outer_radius: f64) -> Edges {
    let edge = |radius: f64| {
        let half = |centre: f64, from: f64| {
            let count = CORNERS_PER_TURN / 2;
            (0..=count).map(move |i| {
                let t = from + PI * i as f64 / count as f64;
                Point::new(centre + radius * t.cos(), radius * t.sin())
            })
        };
        Polyline::closed(half(straight / 2.0, -PI / 2.0).chain(half(-straight / 2.0, PI / 2.0)).collect())
    };
    Edges::ring(edge(outer_radius), edge(inner_radius))
}

/// A road round the origin whose middle has radius `r0 (1 + swing cos(lobes θ))` and whose width is
/// `width`: wavy, and for a large swing with bends tighter than the road is wide.
pub fn wavy(r0: f64, swing: f64, lobes: usize, width: f64) -> Edges {
    let edge = |offset: f64| {
        let angles = (0..CORNERS_PER_TURN).map(|i| TAU * i as f64 / CORNERS_PER_TURN as f64);
        let radius = |t: f64| r0 * (1.0 + swing * (lobes as f64 * t).cos()) + offset;
        Polyline::closed(angles.map(|t| Point::new(radius(t) * t.cos(), radius(t) * t.sin())).collect())
    };
    Edges::ring(edge(width / 2.0), edge(-width / 2.0))
}

/// A triangle whose inner edge has sharp corners and whose outer edge goes round them at `width`
/// metres: at each corner the middle's radius is half the width.
pub fn sharp_triangle(side: f64, width: f64) -> Edges {
    let height = side * 3f64.sqrt() / 2.0;
    let corners = [[0.0, 0.0], [side, 0.0], [side / 2.0, height]].map(Point::from);
    let mut outer = Vec::new();
    for (k, corner) in corners.iter().enumerate() {
        // From the normal of the side before to the normal of the side after.
        let from = -PI / 2.0 - TAU / 3.0 + k as f64 * TAU / 3.0;
        let count = CORNERS_PER_TURN / 3;
        outer.extend((0..=count).map(|i| {
            let t = from + TAU / 3.0 * i as f64 / count as f64;
            Point::new(corner.x + width * t.cos(), corner.y + width * t.sin())
        }));
    }
    Edges::ring(Polyline::closed(outer), Polyline::closed(corners.to_vec()))
}

/// A ring with cracks: spikes of the inner edge, a few centimetres wide, that reach across two
/// fifths of the road.
pub fn cracked_ring(inner_radius: f64, outer_radius: f64, cracks: usize) -> Edges {
    let circle = |radius: f64| {
        let angles = (0..CORNERS_PER_TURN).map(|i| TAU * i as f64 / CORNERS_PER_TURN as f64);
        angles.map(move |t| (radius, t))
    };
    let tip = inner_radius + 0.4 * (outer_radius - inner_radius);
    let mut inner: Vec<(f64, f64)> = circle(inner_radius).collect();
    for crack in 0..cracks {
        // Irregular, but the same in every run.
        let corner = (CORNERS_PER_TURN * crack / cracks + 37 * crack * crack % 29) % CORNERS_PER_TURN;
        inner[corner].0 = tip;
    }
    let polyline = |points: Vec<(f64, f64)>| {
        Polyline::closed(points.into_iter().map(|(r, t)| Point::new(r * t.cos(), r * t.sin())).collect())
    };
    Edges::ring(polyline(circle(outer_radius).collect()), polyline(inner))
}

/// `edges` with a height and a grip of 1 at every vertex.
pub fn raised(edges: Edges, height_m: impl Fn(Point) -> f64) -> Edges {
    let side = |edge: &Polyline| -> Vec<EdgePoint> {
        let point =
            |&position: &Point| EdgePoint { position, height_m: height_m(position), grip: 1.0, kind: EdgeKind::Line };
        edge.points.iter().map(point).collect()
    };
    let surface = RoadSurface { left: side(&edges.left), right: side(&edges.right) };
    Edges { surface: Some(surface), ..edges }
}
