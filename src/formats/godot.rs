//! A Godot 4 `Curve3D` resource: each point as its handle to the point before, its handle to the
//! point after, and its position.
//!
//! Godot's y is up and its -z is the map's +y, so that the track seen from above is not mirrored.
//! Speeds and distances of the points are metadata of the resource. A closed line repeats its first
//! point, which every version 4 understands.

use std::fmt::Write;

use super::lap_points::{handles, lap_points};
use super::number::fixed;
use super::{FormatError, FormatOptions};
use crate::RacingLine;

pub(super) fn write(line: &RacingLine, options: &FormatOptions) -> Result<Vec<u8>, FormatError> {
    let points = lap_points(line, options);
    let last = points.len().saturating_sub(1);
    let mut text =
        "[gd_resource type=\"Curve3D\" format=3]\n\n[resource]\n_data = {\n\"points\": PackedVector3Array(\n"
            .to_owned();
    for (index, point) in points.iter().enumerate() {
        let [mut to_before, mut to_after] = handles(line, index % line.points.len().max(1));
        // Handles beyond the ends of the curve have no meaning.
        if index == 0 {
            to_before = [0.0; 2];
        }
        if index == last {
            to_after = [0.0; 2];
        }
        for (part, [x, y]) in [to_before, to_after, [point.x_m, point.y_m]].into_iter().enumerate() {
            let separator = if part > 0 { ", " } else { "" };
            // Writing to a String cannot fail.
            let _ = write!(text, "{separator}{}, 0, {}", fixed(x, 4), fixed(-y, 4));
        }
        text.push_str(if index < last { ",\n" } else { "\n" });
    }
    text.push_str("),\n\"tilts\": PackedFloat32Array(");
    list(&mut text, points.iter().map(|_| "0".to_owned()));
    let _ = write!(text, ")\n}}\npoint_count = {}\nmetadata/speed_mps = PackedFloat32Array(", points.len());
    list(&mut text, points.iter().map(|point| fixed(point.speed_mps, 3).to_string()));
    text.push_str(")\nmetadata/distance_m = PackedFloat32Array(");
    list(&mut text, points.iter().map(|point| fixed(point.s_m, 3).to_string()));
    text.push_str(")\n");
    Ok(text.into_bytes())
}

fn list(text: &mut String, values: impl Iterator<Item = String>) {
    text.push_str(&values.collect::<Vec<_>>().join(", "));
}
