//! Heights of the line, and of the edges of its road, for the formats that have a third coordinate.

use super::number::{Fixed, fixed};
use super::road_across::on_edges;
use crate::RacingLine;
use crate::file::LinePoint;
use crate::geometry::{Point, Polyline};
use raceline_numerics::math;

/// Decimals of a height, metres.
pub(super) const HEIGHT_DECIMALS: u8 = 4;

/// Height of a point as text, m; 0.0 on a road without heights.
pub(super) fn height(point: &LinePoint) -> Fixed {
    point.z_m.map_or(fixed(0.0, 1), |z| fixed(z, HEIGHT_DECIMALS))
}

/// A position on the map and its height, m; no height on a road without heights.
pub(super) type Place = ([f64; 2], Option<f64>);

/// The vertices of the left and of the right edge with their heights. A closed edge repeats its first
/// vertex at the end.
pub(super) fn edges_in_space(line: &RacingLine) -> [Vec<Place>; 2] {
    let [left, right] = edge_heights(line).map_or([None, None], |heights| heights.map(Some));
    [(&line.edges.left, left), (&line.edges.right, right)].map(|(vertices, heights)| {
        let height = |index: usize| heights.as_ref().and_then(|heights| heights.get(index).copied());
        let mut places: Vec<Place> =
            vertices.iter().enumerate().map(|(index, &vertex)| (vertex, height(index))).collect();
        places.extend(places.first().copied().filter(|_| line.closed));
        places
    })
}

/// Heights of the vertices of the left and of the right edge, m; nothing on a road without heights.
///
/// Beside a point of the line an edge is higher or lower by the banking, z ± d tan(banking); between
/// these places its height is linear in the distance along it.
fn edge_heights(line: &RacingLine) -> Option<[Vec<f64>; 2]> {
    // A level road is not searched for what it lacks.
    line.points.first()?.z_m?;
    let on_edges = on_edges(line);
    let side = |sign: f64, vertices: &[[f64; 2]], side: usize| {
        let places = line.points.iter().zip(&on_edges).filter_map(|(point, on_edges)| {
            let z_m = point.z_m? + sign * on_edges[side].distance_m * math::tan(point.banking_rad.unwrap_or(0.0));
            Some((on_edges[side].place_m?, z_m))
        });
        let mut knots: Vec<(f64, f64)> = places.collect();
        knots.sort_by(|a, b| a.0.total_cmp(&b.0));
        heights_along(&knots, vertices, line.closed)
    };
    Some([side(1.0, &line.edges.left, 0)?, side(-1.0, &line.edges.right, 1)?])
}

/// Height at each of `vertices` from that at `knots`, which are sorted by their distance along them.
fn heights_along(knots: &[(f64, f64)], vertices: &[[f64; 2]], closed: bool) -> Option<Vec<f64>> {
    let (&first, &last) = (knots.first()?, knots.last()?);
    let edge = Polyline { points: vertices.iter().map(|&vertex| Point::from(vertex)).collect(), closed };
    let lengths = edge.arc_lengths();
    let length_m = edge.length();
    // Before the first knot and after the last one, a closed edge goes on from the other end.
    let (before, after) = if closed {
        ((last.0 - length_m, last.1), (first.0 + length_m, first.1))
    } else {
        ((f64::NEG_INFINITY, first.1), (f64::INFINITY, last.1))
    };
    let height = |&s: &f64| {
        let next = knots.partition_point(|knot| knot.0 <= s);
        let from = next.checked_sub(1).map_or(before, |index| knots[index]);
        let to = knots.get(next).copied().unwrap_or(after);
        let fraction = (s - from.0) / (to.0 - from.0);
        if fraction.is_finite() { from.1 + fraction * (to.1 - from.1) } else { from.1 }
    };
    Some(lengths.iter().take(vertices.len()).map(height).collect())
}
