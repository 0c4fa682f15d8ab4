//! `.aiw` of rFactor: text with waypoints, each with `wp_pos`, `wp_perp`, `wp_normal`, `wp_width` and
//! `wp_branchID`. Branch 0 is the lap; others are pit lane and grid.

use super::line_point::LinePoint;
use raceline_road::construction::ImportError;
use raceline_road::geometry::Point;

/// Coordinates beyond this have no place on a track, metres.
const LARGEST_M: f64 = 1e6;
/// Distances to an edge, at most, metres.
const WIDEST_M: f64 = 1e3;
/// Waypoints, at most.
const MAX_POINTS: usize = 500_000;

/// Whether these bytes are such a file: a section of waypoints first, and a position of one.
pub(super) fn is_line(bytes: &[u8]) -> bool {
    let text = bytes.trim_ascii_start();
    let start = text.get(..10).is_some_and(|start| start.eq_ignore_ascii_case(b"[waypoint]"));
    start && text.windows(7).any(|part| part.eq_ignore_ascii_case(b"wp_pos="))
}

/// The waypoints of the lap. The game's axes are x, y upwards, and z, left-handed: x and z are those of a map.
///
/// # Errors
/// [`ImportError::GameLine`] with the line.
pub(super) fn read(bytes: &[u8]) -> Result<Vec<LinePoint>, ImportError> {
    // Names in the file may be in Latin-1; numbers are not.
    let text = String::from_utf8_lossy(bytes);
    let mut points: Vec<(LinePoint, bool)> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let Some((key, value)) = line.split_once('=') else { continue };
        let key = key.trim().to_ascii_lowercase();
        if !matches!(key.as_str(), "wp_pos" | "wp_width" | "wp_normal" | "wp_branchid") {
            continue;
        }
        let wrong = |problem: &str| ImportError::GameLine {
            message: format!("line {}: {key}: {problem}: write {key}=(…) with its numbers", index + 1),
        };
        let inner = value.trim().trim_start_matches('(').split(')').next().unwrap_or_default();
        let mut numbers = inner.split(',').map(|number| number.trim().parse::<f64>().ok().filter(|n| n.is_finite()));
        let mut next = || numbers.next().flatten().ok_or_else(|| wrong("a number is missing or not finite"));
        if key == "wp_pos" {
            let [x, up, z] = [next()?, next()?, next()?];
            if [x, up, z].iter().any(|value| value.abs() > LARGEST_M) || points.len() >= MAX_POINTS {
                return Err(wrong("it is too far away, or there are too many of them"));
            }
            let point = LinePoint { position: Point::new(x, z), height_m: up, sides_m: None, normal: None };
            points.push((point, true));
            continue;
        }
        let Some((point, is_lap)) = points.last_mut() else { continue };
        match key.as_str() {
            "wp_width" => {
                let sides = [next()?, next()?];
                if sides.iter().any(|side| !(0.0..=WIDEST_M).contains(side)) {
                    return Err(wrong("a distance to an edge is from 0 to 1000 m"));
                }
                point.sides_m = Some(sides);
            }
            "wp_normal" => {
                let [x, up, z] = [next()?, next()?, next()?];
                point.normal = Some([x, z, up]);
            }
            _ => *is_lap = next()? == 0.0,
        }
    }
    Ok(points.into_iter().filter(|(_, is_lap)| *is_lap).map(|(point, _)| point).collect())
}
