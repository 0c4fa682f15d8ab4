//! Values that formats derive from a line's points: the lap closed by its first point, curve
//! handles, quaternions.

use super::FormatOptions;
use crate::RacingLine;
use crate::file::LinePoint;
use raceline_numerics::math;

/// The points of a lap: `options` specify whether a closed line repeats its first point at the end.
pub(super) fn lap_points(line: &RacingLine, options: &FormatOptions) -> Vec<LinePoint> {
    if options.closed_repeat == Some(false) { line.points.clone() } else { closed_points(line) }
}

/// The points. A closed line repeats its first point at the end of the lap.
pub(super) fn closed_points(line: &RacingLine) -> Vec<LinePoint> {
    let mut points = line.points.clone();
    if let Some(&first) = line.points.first().filter(|_| line.closed) {
        points.push(LinePoint { s_m: line.length_m, time_s: line.lap_time_s, ..first });
    }
    points
}

/// Distances along the line to point `index` from the previous point and from it to the next, m; 0
/// at the ends of an open line.
pub(super) fn steps(line: &RacingLine, index: usize) -> [f64; 2] {
    let s = |index: usize| line.points.get(index).map_or(line.length_m, |point| point.s_m);
    let last = line.points.len().saturating_sub(1);
    let before = match index {
        0 if line.closed => line.length_m - s(last) + s(0),
        0 => 0.0,
        _ => s(index) - s(index - 1),
    };
    let after = match index {
        _ if index < last => s(index + 1) - s(index),
        // The lap ends at its first point.
        _ if line.closed => line.length_m - s(index) + s(0),
        _ => 0.0,
    };
    [before, after]
}

/// Height gained per metre of the line at point `index`, from the points beside it; 0 on a road
/// without heights.
pub(super) fn climb(line: &RacingLine, index: usize) -> f64 {
    let count = line.points.len();
    let last = count.saturating_sub(1);
    let before = if index > 0 || !line.closed { index.saturating_sub(1) } else { last };
    let after = if index < last || !line.closed { (index + 1).min(last) } else { 0 };
    let z = |index: usize| line.points.get(index).and_then(|point| point.z_m);
    let length_m: f64 = steps(line, index).iter().sum();
    match (z(before), z(after)) {
        (Some(from), Some(to)) if length_m > 0.0 => ((to - from) / length_m).clamp(-1.0, 1.0),
        _ => 0.0,
    }
}

/// The handles of a cubic Bézier curve through the points, from point `index`, in the line's frame:
/// towards the point before, towards the one after, m. Their length is a third of the distance,
/// along the heading and the climb. The curve then has the line's direction and, on an arc, its
/// curvature.
pub(super) fn handles(line: &RacingLine, index: usize) -> [[f64; 3]; 2] {
    let heading = line.points.get(index).map_or(0.0, |point| point.heading_rad);
    let (sin, cos) = math::sin_cos(heading);
    let up = climb(line, index);
    let level = (1.0 - up * up).sqrt();
    let [before, after] = steps(line, index);
    [-before / 3.0, after / 3.0].map(|length| [level * cos * length, level * sin * length, up * length])
}

/// z and w of the quaternion that turns +x to `heading`, rad; x and y are 0.
pub(super) fn quaternion(heading: f64) -> [f64; 2] {
    let (sin, cos) = math::sin_cos(heading / 2.0);
    [sin, cos]
}
