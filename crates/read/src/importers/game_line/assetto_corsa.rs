//! `fast_lane.ai` of Assetto Corsa: four whole numbers (version 7, points, lap time, samples), then per point x,
//! y, z, the distance along the line and a number, then how many points have details, and per point 18 numbers.

use super::LinePoint;
use raceline_road::construction::ImportError;
use raceline_road::geometry::Point;

const VERSION: i32 = 7;
const HEADER: usize = 16;
const POINT: usize = 20;
const DETAIL: usize = 72;
/// Numbers of a detail: speed, gas, brake, an unused one, radius, distance to the left edge, to the right edge,
/// camber, direction, normal (three), …
const SIDES: [usize; 2] = [5, 6];
const NORMAL: [usize; 3] = [9, 10, 11];
/// Coordinates beyond this have no place on a track, metres.
const LARGEST_M: f64 = 1e6;
/// Distances to an edge, at most, metres.
const WIDEST_M: f64 = 1e3;

/// Whether these bytes are such a file.
pub(super) fn is_line(bytes: &[u8]) -> bool {
    let count = whole(bytes, 4).and_then(|count| usize::try_from(count).ok());
    let fits = |count: usize| count.checked_mul(POINT).is_some_and(|size| size <= bytes.len().saturating_sub(HEADER));
    whole(bytes, 0) == Some(VERSION) && count.is_some_and(|count| count > 0 && fits(count))
}

fn whole(bytes: &[u8], at: usize) -> Option<i32> {
    Some(i32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn number(bytes: &[u8], at: usize) -> Option<f64> {
    Some(f64::from(f32::from_le_bytes(*bytes.get(at..)?.first_chunk()?)))
}

/// The points of the file. The game's axes are x to the right, y upwards and z towards the viewer of a map, as
/// its `map.png` has them.
///
/// # Errors
/// [`ImportError::GameLine`] with the point.
pub(super) fn read(bytes: &[u8]) -> Result<Vec<LinePoint>, ImportError> {
    let wrong = |message: String| ImportError::GameLine { message };
    let cut_off = || wrong("the file of Assetto Corsa is cut off: copy it again".to_owned());
    let count = whole(bytes, 4).and_then(|count| usize::try_from(count).ok()).ok_or_else(cut_off)?;
    let details_at = HEADER + count.checked_mul(POINT).ok_or_else(cut_off)?;
    let details = whole(bytes, details_at).unwrap_or_default();
    // Lines that were not driven in the game have no details.
    let has_details = usize::try_from(details).is_ok_and(|details| details == count);
    if has_details && bytes.len() < details_at + 4 + count * DETAIL {
        return Err(cut_off());
    }
    (0..count)
        .map(|index| {
            let coordinate = |axis: usize| {
                let found = number(bytes, HEADER + index * POINT + 4 * axis).ok_or_else(cut_off)?;
                if found.abs() <= LARGEST_M {
                    return Ok(found);
                }
                Err(wrong(format!("point {} has the coordinate {found}: record the line in the game again", index + 1)))
            };
            let [x, up, z] = [coordinate(0)?, coordinate(1)?, coordinate(2)?];
            let detail = |field: usize| number(bytes, details_at + 4 + index * DETAIL + 4 * field);
            let side = |field: usize| detail(field).filter(|side| (0.0..=WIDEST_M).contains(side)).unwrap_or_default();
            let normal = NORMAL.map(|field| detail(field).filter(|value| value.is_finite()).unwrap_or_default());
            Ok(LinePoint {
                position: Point::new(x, -z),
                height_m: up,
                sides_m: has_details.then(|| SIDES.map(side)),
                normal: has_details.then_some([normal[0], -normal[2], normal[1]]),
            })
        })
        .collect()
}
