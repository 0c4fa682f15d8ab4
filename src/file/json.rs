//! The racing-line file, version 1: UTF-8 JSON, one point per line of text, rounded so that
//! regeneration is stable.
//!
//! [`write()`] never writes a file that [`read()`] would refuse, and
//! `read(write(line)) == line.rounded()`. `docs/reference/file-format.md` describes every key.

use super::{EdgeCoordinates, RacingLine, ReadError, Streets, WriteError};
use raceline_file::ObjectText;
use raceline_file::{finite, finite_all, finite_object};

/// The bytes of the racing-line file with `line`, rounded by
/// [`rounded`](raceline_file::RacingLine::rounded). The name of the vehicle in the options is not
/// written.
///
/// # Errors
/// A number that is not finite, and a line that violates a rule of the format (see [`read`]).
pub fn write(line: &RacingLine) -> Result<Vec<u8>, WriteError> {
    check_finite(line)?;
    let line = line.rounded();
    line.check()?;
    // Destructured without `..`, so that a new key cannot be forgotten here.
    let RacingLine {
        format,
        version,
        name,
        closed,
        direction,
        method,
        lap_time_s,
        length_m,
        vehicle,
        source,
        options,
        generator,
        candidates,
        points,
        edges: EdgeCoordinates { left, right },
        sections,
        constraints,
        streets,
    } = &line;
    let mut text = ObjectText::begin();
    text.value("format", format)?;
    text.value("version", version)?;
    text.value("name", name)?;
    text.value("closed", closed)?;
    text.value("direction", direction)?;
    text.value("method", method)?;
    text.value("lap_time_s", lap_time_s)?;
    text.value("length_m", length_m)?;
    text.value("vehicle", vehicle)?;
    text.value("source", source)?;
    // Sorted by name, so that a new option does not move the rest.
    text.value("options", &finite_object("options", &options.without_vehicle())?)?;
    text.value("generator", generator)?;
    text.rows("candidates", candidates)?;
    text.rows("points", points)?;
    text.object("edges", |edges| {
        edges.rows("left", left)?;
        edges.rows("right", right)
    })?;
    if !sections.is_empty() {
        text.rows("sections", sections)?;
    }
    if !constraints.is_empty() {
        text.rows("constraints", constraints)?;
    }
    if let Some(Streets { left_out, lines }) = streets {
        text.object("streets", |streets| {
            streets.value("left_out", left_out)?;
            streets.rows("lines", lines)
        })?;
    }
    Ok(text.end())
}

/// Checks that `line` can be written as a racing-line file.
///
/// # Errors
/// Those of [`write()`].
pub fn check(line: &RacingLine) -> Result<(), WriteError> {
    check_finite(line)?;
    Ok(line.check()?)
}

/// The racing line in `bytes`. Unknown keys are ignored, also those of the vehicle and of the
/// options; an option that is missing has its default.
///
/// # Errors
/// Bytes that are not JSON, another format or version, a missing key, a value of the wrong type,
/// and values that contradict each other: see
/// [`RacingLine::check`](raceline_file::RacingLine::check). A measured lap and the line of another program
/// are less exact than a computed one, so a reader leaves the rest to [`raceline_verify`].
pub fn read(bytes: &[u8]) -> Result<RacingLine, ReadError> {
    raceline_file::read(bytes)
}

/// Fails if `line` contains an infinity or NaN; the error names the first.
fn check_finite(line: &RacingLine) -> Result<(), WriteError> {
    finite("lap_time_s", line.lap_time_s)?;
    finite("length_m", line.length_m)?;
    line.source.finite()?;
    finite_object("vehicle", &line.vehicle)?;
    finite_object("options", &line.options)?;
    for (index, candidate) in line.candidates.iter().enumerate() {
        finite(format_args!("candidates[{index}].lap_time_s"), candidate.lap_time_s)?;
        finite(format_args!("candidates[{index}].length_m"), candidate.length_m)?;
        finite_all(format_args!("candidates[{index}].line"), candidate.line.as_flattened())?;
    }
    for (index, point) in line.points.iter().enumerate() {
        for (key, value) in [
            ("s_m", point.s_m),
            ("x_m", point.x_m),
            ("y_m", point.y_m),
            ("heading_rad", point.heading_rad),
            ("curvature_radpm", point.curvature_radpm),
            ("speed_mps", point.speed_mps),
            ("accel_mps2", point.accel_mps2),
            ("time_s", point.time_s),
            ("left_m", point.left_m),
            ("right_m", point.right_m),
        ] {
            finite(format_args!("points[{index}].{key}"), value)?;
        }
        for (key, value) in [
            ("z_m", point.z_m),
            ("banking_rad", point.banking_rad),
            ("grip", point.grip),
            ("load", point.load),
            ("steering_rad", point.steering_rad),
            ("pedal", point.pedal),
            ("sideslip_rad", point.sideslip_rad),
            ("yaw_rate_radps", point.yaw_rate_radps),
        ] {
            finite(format_args!("points[{index}].{key}"), value.unwrap_or_default())?;
        }
    }
    finite_all("edges.left", line.edges.left.as_flattened())?;
    finite_all("edges.right", line.edges.right.as_flattened())?;
    for (index, constraint) in line.constraints.iter().enumerate() {
        for (key, value) in [
            ("price_s", constraint.price_s),
            ("seconds_per_m", constraint.seconds_per_m),
            ("seconds_per_mps", constraint.seconds_per_mps),
        ] {
            finite(format_args!("constraints[{index}].{key}"), value.unwrap_or_default())?;
        }
        let gates = constraint.gates.as_slice().as_flattened().as_flattened().as_flattened();
        finite_all(format_args!("constraints[{index}].gates"), gates)?;
        for outline in &constraint.outlines {
            finite_all(format_args!("constraints[{index}].outlines"), outline.as_flattened())?;
        }
    }
    for street in line.streets.iter().flat_map(|streets| &streets.lines) {
        finite_all("streets", street.as_flattened())?;
    }
    finite_all("sections", line.sections.as_flattened().as_flattened())
}
