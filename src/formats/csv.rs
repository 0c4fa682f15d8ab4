//! The line as a plain table: one header with units in the names, commas, one row per point.

use super::lap_points::lap_points;
use super::number::{Fixed, fixed, push_row};
use super::{FormatError, FormatOptions};
use crate::RacingLine;
use crate::file::LinePoint;

/// A column: name, decimals, value.
type Column = (&'static str, u8, fn(&LinePoint) -> Option<f64>);

const COLUMNS: [Column; 13] = [
    ("s_m", 3, |point| Some(point.s_m)),
    ("x_m", 5, |point| Some(point.x_m)),
    ("y_m", 5, |point| Some(point.y_m)),
    ("heading_rad", 8, |point| Some(point.heading_rad)),
    ("curvature_radpm", 8, |point| Some(point.curvature_radpm)),
    ("speed_mps", 4, |point| Some(point.speed_mps)),
    ("accel_mps2", 4, |point| Some(point.accel_mps2)),
    ("time_s", 5, |point| Some(point.time_s)),
    ("left_m", 3, |point| Some(point.left_m)),
    ("right_m", 3, |point| Some(point.right_m)),
    ("z_m", 3, |point| point.z_m),
    ("banking_rad", 6, |point| point.banking_rad),
    ("grip", 4, |point| point.grip),
];

pub(super) fn write(line: &RacingLine, options: &FormatOptions) -> Result<Vec<u8>, FormatError> {
    let mut points = lap_points(line, options);
    // A point without it has a grip of 1.
    if points.iter().any(|point| point.grip.is_some()) {
        points.iter_mut().for_each(|point| point.grip = point.grip.or(Some(1.0)));
    }
    // A column that a point lacks is left out, so that every row has every column.
    let columns: Vec<&Column> =
        COLUMNS.iter().filter(|(_, _, value)| points.iter().all(|point| value(point).is_some())).collect();
    let names: Vec<&str> = columns.iter().map(|(name, _, _)| *name).collect();
    let mut text = names.join(",") + "\n";
    for point in &points {
        let cells: Vec<Fixed> =
            columns.iter().filter_map(|(_, decimals, value)| Some(fixed(value(point)?, *decimals))).collect();
        push_row(&mut text, ",", &cells);
    }
    Ok(text.into_bytes())
}
