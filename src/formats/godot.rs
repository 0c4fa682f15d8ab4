//! A `Curve3D` resource of Godot 4 or 3: each point as its handle to the point before, its handle
//! to the point after, and its position.
//!
//! Godot's y is up and its -z is the map's +y, so that the track seen from above is not mirrored.
//! Speeds and distances of the points are metadata of the resource. A closed line repeats its first
//! point, which every version understands. The versions differ in the names of arrays and in where
//! metadata stands.

use std::fmt::Write;

use super::lap_points::{handles, lap_points};
use super::number::fixed;
use super::{FormatError, FormatOptions};
use crate::RacingLine;

/// What a version calls its parts.
struct Names {
    format: u8,
    vectors: &'static str,
    numbers: &'static str,
    metadata: Metadata,
}

enum Metadata {
    /// Each has a property of the resource.
    Properties,
    /// All are in one dictionary.
    Dictionary,
}

pub(super) fn write(line: &RacingLine, options: &FormatOptions) -> Result<Vec<u8>, FormatError> {
    let metadata = Metadata::Properties;
    let names = Names { format: 3, vectors: "PackedVector3Array", numbers: "PackedFloat32Array", metadata };
    Ok(resource(line, options, &names))
}

pub(super) fn write_godot3(line: &RacingLine, options: &FormatOptions) -> Result<Vec<u8>, FormatError> {
    let metadata = Metadata::Dictionary;
    let names = Names { format: 2, vectors: "PoolVector3Array", numbers: "PoolRealArray", metadata };
    Ok(resource(line, options, &names))
}

fn resource(line: &RacingLine, options: &FormatOptions, names: &Names) -> Vec<u8> {
    let Names { format, vectors, numbers, metadata } = names;
    let points = lap_points(line, options);
    let last = points.len().saturating_sub(1);
    let has_heights = points.iter().any(|point| point.z_m.is_some());
    let up = |z| fixed(z, if has_heights { 4 } else { 0 });
    let mut text =
        format!("[gd_resource type=\"Curve3D\" format={format}]\n\n[resource]\n_data = {{\n\"points\": {vectors}(\n");
    for (index, point) in points.iter().enumerate() {
        let [mut to_before, mut to_after] = handles(line, index % line.points.len().max(1));
        // Handles beyond the ends of the curve have no meaning.
        if index == 0 {
            to_before = [0.0; 3];
        }
        if index == last {
            to_after = [0.0; 3];
        }
        let position = [point.x_m, point.y_m, point.z_m.unwrap_or(0.0)];
        for (part, [x, y, z]) in [to_before, to_after, position].into_iter().enumerate() {
            let separator = if part > 0 { ", " } else { "" };
            // Writing to a String cannot fail.
            let _ = write!(text, "{separator}{}, {}, {}", fixed(x, 4), up(z), fixed(-y, 4));
        }
        text.push_str(if index < last { ",\n" } else { "\n" });
    }
    let _ = write!(text, "),\n\"tilts\": {numbers}(");
    list(&mut text, points.iter().map(|_| "0".to_owned()));
    text.push_str(")\n}\n");
    let speeds = || points.iter().map(|point| fixed(point.speed_mps, 3).to_string());
    let distances = || points.iter().map(|point| fixed(point.s_m, 3).to_string());
    match metadata {
        Metadata::Properties => {
            let _ = write!(text, "point_count = {}\nmetadata/speed_mps = {numbers}(", points.len());
            list(&mut text, speeds());
            let _ = write!(text, ")\nmetadata/distance_m = {numbers}(");
            list(&mut text, distances());
            text.push_str(")\n");
        }
        Metadata::Dictionary => {
            let _ = write!(text, "__meta__ = {{\n\"speed_mps\": {numbers}(");
            list(&mut text, speeds());
            let _ = write!(text, "),\n\"distance_m\": {numbers}(");
            list(&mut text, distances());
            text.push_str(")\n}\n");
        }
    }
    text.into_bytes()
}

fn list(text: &mut String, values: impl Iterator<Item = String>) {
    text.push_str(&values.collect::<Vec<_>>().join(", "));
}
