//! The line of a `fast_lane.ai` of Assetto Corsa, whose layout is that of [`crate::fast_lane`].

use raceline_road::construction::ImportError;
use raceline_road::geometry::Point;

use super::line_file::{LineFile, no_line};
use crate::fast_lane::{FastLane, SIDES, SPEED};

/// Reads the line, its speeds and its distances to the edges.
pub(super) fn read(bytes: &[u8]) -> Result<LineFile, ImportError> {
    let file = FastLane::of(bytes).ok_or_else(|| no_line("no fast_lane.ai of version 7"))?;
    let coordinate = |index: usize, axis: usize| file.coordinate(index, axis).filter(|value| value.is_finite());
    let point = |index: usize| {
        let place = coordinate(index, 0).zip(coordinate(index, 2));
        let (x, z) = place.ok_or_else(|| no_line(format!("a fast_lane.ai whose point {} is no place", index + 1)))?;
        Ok(Point::new(x, -z))
    };
    let points = (0..file.count).map(point).collect::<Result<Vec<Point>, ImportError>>()?;
    let detail =
        |index: usize, place: usize| file.detail(index, place).filter(|value| value.is_finite() && *value >= 0.0);
    let column = |place: usize| (0..file.count).map(|index| detail(index, place)).collect::<Option<Vec<f64>>>();
    let speeds_mps = column(SPEED).filter(|speeds| speeds.iter().any(|&speed| speed > 0.0));
    let [left, right] = SIDES.map(column);
    let widths_m = left.zip(right).map(|(left, right)| left.into_iter().zip(right).map(Into::into).collect());
    let widths_m = widths_m.filter(|widths: &Vec<[f64; 2]>| widths.iter().any(|[left, right]| left + right > 0.0));
    Ok(LineFile { speeds_mps, widths_m, ..LineFile::new("the points of a fast_lane.ai", points) })
}
