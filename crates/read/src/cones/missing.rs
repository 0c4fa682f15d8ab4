//! Points in place of missing cones: where an edge has a long gap, the other edge shows its shape.

use nalgebra::Vector2;

use raceline_numerics::math;
use raceline_road::geometry::{Point, Polyline, SegmentIndex, SplineCurve};

/// A gap longer than this many usual gaps of its edge misses a cone.
const LONG_GAP: f64 = 1.7;
/// Points per cone of the curve to which widths are measured.
const POINTS_PER_CONE: usize = 8;
/// Points in place of cones keep this fraction of the gap to its ends.
const FROM_ENDS: f64 = 0.15;

/// The cones of `edge` with points in its long gaps: there, the cones of the other edge are moved across the
/// road by its width, which is linear along the gap. `side` is 1 where the edge is left of the other one, and
/// -1 where it is on its right.
pub(super) fn with_missing(edge: &[Point], other: &[Point], closed: bool, side: f64) -> Vec<Point> {
    let Some(curve) = SplineCurve::through(other, closed) else { return edge.to_vec() };
    let mut gaps: Vec<f64> = edge.windows(2).map(|pair| (pair[1] - pair[0]).norm()).collect();
    gaps.sort_by(f64::total_cmp);
    let Some(&usual) = gaps.get(gaps.len() / 2) else { return edge.to_vec() };
    let drawn = curve.evenly(POINTS_PER_CONE * other.len()).into_iter().map(|at| at.position).collect();
    let index = SegmentIndex::new(&Polyline { points: drawn, closed }, usual);
    let width = |point: Point| index.nearest(point).map_or(0.0, |nearest| nearest.distance);
    // Each cone of the other edge with the direction across the road.
    let across: Vec<(Point, Vector2<f64>)> = other
        .iter()
        .zip(curve.positions())
        .map(|(&cone, &s)| {
            let (sin, cos) = math::sin_cos(curve.at(s).heading());
            (cone, Vector2::new(-sin, cos) * side)
        })
        .collect();
    let mut points = Vec::with_capacity(edge.len());
    for (i, &from) in edge.iter().enumerate() {
        points.push(from);
        let Some(&to) = edge.get(i + 1).or_else(|| edge.first().filter(|_| closed)) else { break };
        let gap = to - from;
        let length = gap.norm();
        if length <= LONG_GAP * usual {
            continue;
        }
        let [start, end] = [width(from), width(to)];
        let mut filled: Vec<(f64, Point)> = Vec::new();
        for (cone, normal) in &across {
            let along = |width: f64| (cone + normal * width - from).dot(&gap) / (length * length);
            let at = along(f64::midpoint(start, end));
            let point = cone + normal * (start + at * (end - start));
            let apart = (point - from).perp(&gap).abs() / length;
            if (FROM_ENDS..=1.0 - FROM_ENDS).contains(&at) && apart < length / 2.0 {
                filled.push((at, point));
            }
        }
        filled.sort_by(|a, b| a.0.total_cmp(&b.0));
        filled.dedup_by(|next, before| next.0 - before.0 < FROM_ENDS);
        points.extend(filled.into_iter().map(|(_, point)| point));
    }
    points
}
