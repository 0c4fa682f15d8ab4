//! The alignment of two lines: for each point of the reference the place beside it on the other
//! line.

use super::lap::Lap;
use crate::geometry::{Point, Segment};
use raceline_numerics::math;

/// Places on another line beside the reference's points, in their order. On a closed line, the
/// reference's first point is repeated at the end.
#[derive(Clone, Debug, PartialEq)]
pub struct Alignment {
    /// Distances along the reference, m: those of its points, then for a closed line its length.
    pub reference_s_m: Vec<f64>,
    /// Distances along the other line, m, never falling; above its length beyond its start line.
    pub other_s_m: Vec<f64>,
    /// How far the other line lies to the left of the reference, m.
    pub offset_m: Vec<f64>,
}

/// A place of the reference without a place beside it on the other line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Apart {
    pub s_m: f64,
    pub distance_m: f64,
}

/// Steps of the other line that are searched for each step of the reference, in addition to the
/// step's length.
const WINDOW_STEPS: f64 = 4.0;

/// The nearest place on step `k` of `other`, counted beyond the start line: squared distance,
/// distance along it, offset to the left.
fn on_step(other: Lap, k: usize, point: [f64; 2], heading: f64) -> (f64, f64, f64) {
    let (points, laps) = (other.points(), k / other.steps());
    let k = k % other.steps();
    let (a, b) = (&points[k], &points[(k + 1) % points.len()]);
    let (step, point) = (Segment::new(Point::new(a.x_m, a.y_m), Point::new(b.x_m, b.y_m)), Point::from(point));
    let fraction = step.nearest(point);
    // Relative to the start of the step, so that lines far from the origin lose no digits.
    let off = step.vector() * fraction - (point - step.from);
    let s = a.s_m + fraction * (other.distance(k + 1) - a.s_m) + laps as f64 * other.line.length_m;
    (off.norm_squared(), s, off.y * math::cos(heading) - off.x * math::sin(heading))
}

/// Whether step `k` has the direction of `heading`, within a quarter turn.
fn leads_along(other: Lap, k: usize, heading: f64) -> bool {
    let points = other.points();
    let (a, b) = (&points[k], &points[(k + 1) % points.len()]);
    (b.x_m - a.x_m) * math::cos(heading) + (b.y_m - a.y_m) * math::sin(heading) > 0.0
}

/// Aligns `other` with `reference`.
pub(super) fn align(reference: Lap, other: Lap) -> Result<Alignment, Apart> {
    let points = reference.points();
    let steps = other.steps();
    let by_distance = |a: &(f64, f64, f64), b: &(f64, f64, f64)| a.0.total_cmp(&b.0);
    let first = &points[0];
    let start = (0..steps).filter(|&k| leads_along(other, k, first.heading_rad));
    let start = start.min_by(|&a, &b| {
        by_distance(
            &on_step(other, a, [first.x_m, first.y_m], first.heading_rad),
            &on_step(other, b, [first.x_m, first.y_m], first.heading_rad),
        )
    });
    let Some(start) = start else { return Err(Apart { s_m: 0.0, distance_m: f64::INFINITY }) };
    let mean_step = other.line.length_m / steps as f64;
    let mut alignment = Alignment { reference_s_m: Vec::new(), other_s_m: Vec::new(), offset_m: Vec::new() };
    // The search does not go back behind the place of the reference's last point.
    let (mut k, mut min_s) = (start, f64::NEG_INFINITY);
    for (i, point) in points.iter().enumerate() {
        let step = if i == 0 { 0.0 } else { point.s_m - points[i - 1].s_m };
        let window = (WINDOW_STEPS + 2.0 * step / mean_step).ceil() as usize;
        let last = if other.line.closed { k + window } else { (k + window).min(steps - 1) };
        let here = [point.x_m, point.y_m];
        let places = (k..=last).map(|k| (k, on_step(other, k, here, point.heading_rad)));
        let Some((nearest_step, (squared, s, offset))) = places.min_by(|a, b| by_distance(&a.1, &b.1)) else { break };
        let distance_m = squared.sqrt();
        if distance_m > point.left_m + point.right_m {
            return Err(Apart { s_m: point.s_m, distance_m });
        }
        k = nearest_step;
        min_s = s.max(min_s);
        alignment.reference_s_m.push(point.s_m);
        alignment.other_s_m.push(min_s);
        alignment.offset_m.push(offset);
    }
    if reference.line.closed {
        alignment.reference_s_m.push(reference.line.length_m);
        alignment.other_s_m.push((alignment.other_s_m[0] + other.line.length_m).max(min_s));
        alignment.offset_m.push(alignment.offset_m[0]);
    }
    Ok(alignment)
}
