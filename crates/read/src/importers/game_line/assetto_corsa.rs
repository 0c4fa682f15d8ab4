//! The road of a `fast_lane.ai` of Assetto Corsa, whose layout is that of [`crate::fast_lane`].

use super::line_point::LinePoint;
use crate::fast_lane::{FastLane, NORMAL, SIDES};
use raceline_road::construction::ImportError;
use raceline_road::geometry::Point;

/// Coordinates beyond this have no place on a track, metres.
const LARGEST_M: f64 = 1e6;
/// Distances to an edge, at most, metres.
const WIDEST_M: f64 = 1e3;

/// Whether these bytes are such a file.
pub(super) fn is_line(bytes: &[u8]) -> bool {
    FastLane::of(bytes).is_some()
}

/// The points of the file. The game's axes are x to the right, y upwards and z towards the viewer of a map, as
/// its `map.png` has them.
///
/// # Errors
/// [`ImportError::GameLine`] with the point.
pub(super) fn read(bytes: &[u8]) -> Result<Vec<LinePoint>, ImportError> {
    let wrong = |message: String| ImportError::GameLine { message };
    let cut_off = || wrong("the file of Assetto Corsa is cut off: copy it again".to_owned());
    let file = FastLane::of(bytes).filter(|file| !file.is_cut_off()).ok_or_else(cut_off)?;
    (0..file.count)
        .map(|index| {
            let coordinate = |axis: usize| {
                let found = file.coordinate(index, axis).ok_or_else(cut_off)?;
                if found.abs() <= LARGEST_M {
                    return Ok(found);
                }
                Err(wrong(format!("point {} has the coordinate {found}: record the line in the game again", index + 1)))
            };
            let [x, up, z] = [coordinate(0)?, coordinate(1)?, coordinate(2)?];
            let detail = |field: usize| file.detail(index, field);
            let side = |field: usize| detail(field).filter(|side| (0.0..=WIDEST_M).contains(side)).unwrap_or_default();
            let normal = NORMAL.map(|field| detail(field).filter(|value| value.is_finite()).unwrap_or_default());
            Ok(LinePoint {
                position: Point::new(x, -z),
                height_m: up,
                sides_m: file.has_details.then(|| SIDES.map(side)),
                normal: file.has_details.then_some([normal[0], -normal[2], normal[1]]),
            })
        })
        .collect()
}
