//! A data table for Unreal Engine, as JSON and as CSV, whose rows are the points.
//!
//! Unreal's unit is the centimetre, z is up and its frame is left-handed: the map's +y is -Y. Yaw
//! is in degrees, from +X towards +Y. Tangents are those of a spline component, relative to the
//! point: along the heading and the climb, as long as the distance to the next point.

use std::fmt::Write;

use super::lap_points::{climb, lap_points, steps};
use super::number::fixed;
use super::{FormatError, FormatOptions};
use crate::RacingLine;
use raceline_numerics::math;

/// Columns and their number of decimals.
const COLUMNS: [(&str, u8); 14] = [
    ("XCm", 2),
    ("YCm", 2),
    ("ZCm", 2),
    ("YawDeg", 4),
    ("TangentXCm", 2),
    ("TangentYCm", 2),
    ("TangentZCm", 2),
    ("SpeedCmps", 2),
    ("AccelerationCmps2", 2),
    ("CurvatureRadpm", 6),
    ("DistanceCm", 2),
    ("TimeS", 4),
    ("LeftCm", 2),
    ("RightCm", 2),
];

pub(super) fn write_json(line: &RacingLine, options: &FormatOptions) -> Result<Vec<u8>, FormatError> {
    let rows: Vec<String> = rows(line, options)
        .iter()
        .enumerate()
        .map(|(index, values)| {
            let mut row = format!("  {{\"Name\": \"{index}\"");
            for ((column, decimals), &value) in COLUMNS.iter().zip(values) {
                // Writing to a String cannot fail.
                let _ = write!(row, ", \"{column}\": {}", fixed(value, *decimals));
            }
            row + "}"
        })
        .collect();
    Ok(format!("[\n{}\n]\n", rows.join(",\n")).into_bytes())
}

pub(super) fn write_csv(line: &RacingLine, options: &FormatOptions) -> Result<Vec<u8>, FormatError> {
    // The first column contains the rows' names; its own name has no meaning.
    let mut text = "---".to_owned();
    for (column, _) in COLUMNS {
        text.push(',');
        text.push_str(column);
    }
    text.push('\n');
    for (index, values) in rows(line, options).iter().enumerate() {
        let _ = write!(text, "{index}");
        for ((_, decimals), &value) in COLUMNS.iter().zip(values) {
            let _ = write!(text, ",{}", fixed(value, *decimals));
        }
        text.push('\n');
    }
    Ok(text.into_bytes())
}

fn rows(line: &RacingLine, options: &FormatOptions) -> Vec<[f64; 14]> {
    let points = lap_points(line, options);
    let row = |(index, point): (usize, &crate::file::LinePoint)| {
        let here = index % line.points.len().max(1);
        let [before, after] = steps(line, here);
        // At the end of an open line, the distance from the previous point is used.
        let length = 100.0 * if after > 0.0 { after } else { before };
        let (sin, cos) = math::sin_cos(point.heading_rad);
        let up = climb(line, here);
        let level = (1.0 - up * up).sqrt();
        [
            100.0 * point.x_m,
            -100.0 * point.y_m,
            100.0 * point.z_m.unwrap_or(0.0),
            -point.heading_rad.to_degrees(),
            length * level * cos,
            -length * level * sin,
            length * up,
            100.0 * point.speed_mps,
            100.0 * point.accel_mps2,
            point.curvature_radpm,
            100.0 * point.s_m,
            point.time_s,
            100.0 * point.left_m,
            100.0 * point.right_m,
        ]
    };
    points.iter().enumerate().map(row).collect()
}
