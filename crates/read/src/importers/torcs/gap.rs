//! The gap between the end of a track and its start.

use nalgebra::Vector3;

use super::road::{Points, Road};
use raceline_road::construction::{ImportError, ImportNote};
use raceline_road::geometry::wrap_angle;

/// A track whose end heads this much off its start does not close, radians.
const LARGEST_TURN: f64 = 0.2;
/// Curvature that closing a gap may add, 1/m: at 80 m/s, 0.6 m/s².
const ADDED_CURVATURE: f64 = 1e-4;
/// At most this fraction of the road is moved.
const LARGEST_FRACTION: f64 = 0.25;
/// Gaps below this are rounding of the file's numbers, metres.
const MIN_REPORTED_M: f64 = 0.01;

/// Moves the end of a road onto its start, and the stretch before it less and less, so that neither
/// direction nor grade jump.
///
/// # Errors
/// [`ImportError::EndsApart`] if the road does not end at its start.
pub(super) fn close(road: &Road, points: &mut Points) -> Result<Option<ImportNote>, ImportError> {
    let Some((first, last)) = road.steps.first().zip(road.steps.last()) else { return Ok(None) };
    let turn = wrap_angle(road.end.heading - first.from.heading);
    let gaps = [0, 1].map(|side| {
        let plane = first.from.ends[side] - road.end.ends[side];
        Vector3::new(plane.x, plane.y, first.heights_m[0][side] - last.heights_m[1][side])
    });
    let gap_m = gaps.iter().map(|gap| gap.xy().norm()).fold(0.0, f64::max);
    let height_m = gaps.iter().map(|gap| gap.z.abs()).fold(0.0, f64::max);
    if gap_m > road.width_m || height_m > road.width_m || turn.abs() > LARGEST_TURN {
        return Err(ImportError::EndsApart { gap_m, height_m, turn_deg: turn.to_degrees().abs() });
    }
    // The weight 3 t² - 2 t³ bends by at most 6 / length².
    let largest = gap_m.max(height_m);
    let length_m = (6.0 * largest / ADDED_CURVATURE).sqrt().min(LARGEST_FRACTION * points.length_m);
    if length_m == 0.0 {
        return Ok(None);
    }
    let from_m = points.length_m - length_m;
    for (edge, gap) in points.edges.iter_mut().zip(gaps) {
        for (point, &along_m) in edge.iter_mut().zip(&points.along_m) {
            let t = ((along_m - from_m) / length_m).clamp(0.0, 1.0);
            let moved = gap * (t * t * (3.0 - 2.0 * t));
            point.position += moved.xy();
            point.height_m += moved.z;
        }
    }
    Ok((largest >= MIN_REPORTED_M).then_some(ImportNote::RoadClosed { gap_m, height_m, length_m }))
}
