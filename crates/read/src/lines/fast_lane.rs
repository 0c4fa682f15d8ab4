//! The ideal line of Assetto Corsa, `fast_lane.ai`, version 7: little-endian, as public readers of
//! it describe.
//!
//! | Part | Content |
//! |---|---|
//! | header | version, number of points, time of the lap, ms, number of samples: four 32-bit integers |
//! | point | x, y, z, distance along the line: four floats, and its number, an integer |
//! | number of details | a 32-bit integer |
//! | detail | 18 floats, of which the first is the speed, the sixth and seventh the distances to the left and right edge |
//!
//! The game's y is up, and its z points to the south of a map: the map's y is -z.

use raceline_road::construction::ImportError;
use raceline_road::geometry::Point;

use super::line_file::{LineFile, no_line};

const VERSION: i32 = 7;
const HEADER_BYTES: usize = 16;
const POINT_BYTES: usize = 20;
const DETAIL_FLOATS: usize = 18;
/// Places in a detail.
const SPEED: usize = 0;
const SIDE_LEFT: usize = 5;
const SIDE_RIGHT: usize = 6;

/// Whether the bytes are such a file: its version, and points that fit into it.
#[must_use]
pub fn is_fast_lane(bytes: &[u8]) -> bool {
    let count = integer(bytes, 4).and_then(|count| usize::try_from(count).ok()).filter(|&count| count > 0);
    let end = count.and_then(|count| count.checked_mul(POINT_BYTES)?.checked_add(HEADER_BYTES));
    integer(bytes, 0) == Some(VERSION) && end.is_some_and(|end| end <= bytes.len())
}

fn integer(bytes: &[u8], at: usize) -> Option<i32> {
    Some(i32::from_le_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?))
}

fn float(bytes: &[u8], at: usize) -> Option<f64> {
    let value = f32::from_le_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?);
    value.is_finite().then(|| f64::from(value))
}

/// Reads the line, its speeds and its distances to the edges.
pub(super) fn read(bytes: &[u8]) -> Result<LineFile, ImportError> {
    if !is_fast_lane(bytes) {
        return Err(no_line("no fast_lane.ai of version 7"));
    }
    let count = integer(bytes, 4).and_then(|count| usize::try_from(count).ok()).unwrap_or_default();
    let point = |k: usize| {
        let at = HEADER_BYTES + k * POINT_BYTES;
        let place = float(bytes, at).zip(float(bytes, at + 8));
        let (x, z) = place.ok_or_else(|| no_line(format!("a fast_lane.ai whose point {} is no place", k + 1)))?;
        Ok(Point::new(x, -z))
    };
    let points = (0..count).map(point).collect::<Result<Vec<Point>, ImportError>>()?;
    let start = HEADER_BYTES + count * POINT_BYTES;
    let has_details = integer(bytes, start).and_then(|details| usize::try_from(details).ok()) == Some(count);
    let detail = |k: usize, place: usize| float(bytes, start + 4 + 4 * (k * DETAIL_FLOATS + place));
    let column = |place: usize| -> Option<Vec<f64>> {
        (0..count)
            .map(|k| detail(k, place).filter(|value| *value >= 0.0))
            .collect::<Option<_>>()
            .filter(|_| has_details)
    };
    let speeds_mps = column(SPEED).filter(|speeds| speeds.iter().any(|&speed| speed > 0.0));
    let sides = column(SIDE_LEFT).zip(column(SIDE_RIGHT));
    let widths_m = sides.map(|(left, right)| left.into_iter().zip(right).map(|(left, right)| [left, right]).collect());
    let widths_m = widths_m.filter(|widths: &Vec<[f64; 2]>| widths.iter().any(|[left, right]| left + right > 0.0));
    Ok(LineFile { speeds_mps, widths_m, ..LineFile::new("the points of a fast_lane.ai", points) })
}
