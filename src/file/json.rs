//! The racing-line file, version 1: UTF-8 JSON, one point per line of text, rounded so that regeneration is stable.
//!
//! [`write()`] never writes a file that [`read()`] would refuse, and `read(write(line)) == line.rounded()`.
//! `docs/file-format.md` describes every key.

use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use super::error::{Inconsistency, ReadError, WriteError};
use super::json_text::ObjectText;
use crate::file::{EdgeCoordinates, FORMAT, RacingLine, VERSION};
use crate::vehicle::Vehicle;

/// The bytes of the racing-line file that holds `line`, rounded by [`RacingLine::rounded`].
///
/// # Errors
/// A number that isn't finite, and a line that breaks a rule of the format (see [`read`]).
pub fn write(line: &RacingLine) -> Result<Vec<u8>, WriteError> {
    check_finite(line)?;
    let line = line.rounded();
    check(&line)?;
    // Taken apart without `..`, so that a new key can't be forgotten here.
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
    text.value("options", options)?;
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
    Ok(text.end())
}

/// Refuses a line that a file couldn't hold: no other format takes it either.
pub(crate) fn check_writable(line: &RacingLine) -> Result<(), WriteError> {
    check_finite(line)?;
    Ok(check(line)?)
}

/// The racing line in `bytes`. Unknown keys are ignored.
///
/// # Errors
/// Bytes that aren't JSON, another format or version, a missing key, and values that contradict each other: a closed
/// line has at least 3 points and 3 vertices an edge (an open one 2), `s_m` rises and stays below a closed line's
/// `length_m`, `time_s` never falls and stays below a closed line's `lap_time_s`, speeds aren't negative, and lap time and
/// length are positive.
pub fn read(bytes: &[u8]) -> Result<RacingLine, ReadError> {
    check_kind(bytes, FORMAT, VERSION, "`raceline optimize` makes racing-line files")?;
    let line: RacingLine = serde_json::from_slice(bytes).map_err(|error| json_error(&error))?;
    check(&line)?;
    Ok(line)
}

/// Checks the two keys that say what a file is, before the others are looked at.
pub(crate) fn check_kind(
    bytes: &[u8],
    expected: &'static str,
    supported: u32,
    hint: &'static str,
) -> Result<(), ReadError> {
    #[derive(Deserialize)]
    struct Kind {
        format: Option<Value>,
        version: Option<Value>,
    }
    let kind: Kind = serde_json::from_slice(bytes).map_err(|error| json_error(&error))?;
    let shown = |value: Option<Value>| value.map_or_else(|| "missing".to_owned(), |value| value.to_string());
    if kind.format.as_ref().and_then(Value::as_str) != Some(expected) {
        return Err(ReadError::Format { found: shown(kind.format), expected, hint });
    }
    if kind.version.as_ref().and_then(Value::as_u64) != Some(u64::from(supported)) {
        return Err(ReadError::Version { found: shown(kind.version), supported, hint });
    }
    Ok(())
}

/// serde_json's error with its place taken apart, so that the place isn't said twice.
pub(crate) fn json_error(error: &serde_json::Error) -> ReadError {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let mut message = text.strip_suffix(&place).unwrap_or(&text).to_owned();
    if error.is_eof() {
        message.push_str(": the file is empty or cut short, copy or make it again");
    }
    ReadError::Json { line: error.line(), column: error.column(), message }
}

/// Reads a vehicle and drops the parameters that this version doesn't know: unlike a vehicle TOML, where an unknown key
/// is a slip of the pen, a racing-line file may come from a later version.
pub(crate) fn vehicle_of_any_version<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vehicle, D::Error> {
    let mut parameters = Map::<String, Value>::deserialize(deserializer)?;
    let schema = schemars::schema_for!(Vehicle);
    if let Some(known) = schema.get("properties").and_then(Value::as_object) {
        parameters.retain(|key, _| known.contains_key(key));
    }
    serde_json::from_value(Value::Object(parameters))
        .map_err(|error| serde::de::Error::custom(format!("in \"vehicle\": {error}")))
}

/// The rules that the types don't state.
fn check(line: &RacingLine) -> Result<(), Inconsistency> {
    if line.format != FORMAT {
        return Err(Inconsistency::new("format", format!("must be \"{FORMAT}\"")));
    }
    if line.version != VERSION {
        return Err(Inconsistency::new("version", format!("must be {VERSION}")));
    }
    for (key, value) in [("lap_time_s", line.lap_time_s), ("length_m", line.length_m)] {
        if value <= 0.0 {
            return Err(Inconsistency::new(key, format!("is {value}, must be positive")));
        }
    }
    let least = if line.closed { 3 } else { 2 };
    let kind = if line.closed { "a closed" } else { "an open" };
    let counts = [
        ("points", line.points.len(), "points"),
        ("edges.left", line.edges.left.len(), "vertices"),
        ("edges.right", line.edges.right.len(), "vertices"),
    ];
    for (key, count, noun) in counts {
        if count < least {
            return Err(Inconsistency::new(key, format!("has {count} {noun}, {kind} line needs at least {least}")));
        }
    }
    check_progress(line)
}

/// Distance and time go forwards and end before the lap does.
fn check_progress(line: &RacingLine) -> Result<(), Inconsistency> {
    for (index, point) in line.points.iter().enumerate() {
        let fault = |key: &str, problem: String| Err(Inconsistency::new(format!("points[{index}].{key}"), problem));
        if point.speed_mps < 0.0 {
            return fault("speed_mps", format!("is {}, must not be negative", point.speed_mps));
        }
        let Some(previous) = index.checked_sub(1).map(|i| &line.points[i]) else {
            if point.s_m < 0.0 {
                return fault("s_m", format!("is {}, must not be negative", point.s_m));
            }
            continue;
        };
        if point.s_m <= previous.s_m {
            return fault("s_m", format!("is {}, must be above {} of the point before", point.s_m, previous.s_m));
        }
        if point.time_s < previous.time_s {
            return fault(
                "time_s",
                format!("is {}, must not be below {} of the point before", point.time_s, previous.time_s),
            );
        }
    }
    let Some(last) = line.points.last().filter(|_| line.closed) else { return Ok(()) };
    let place = format!("points[{}]", line.points.len() - 1);
    if last.s_m >= line.length_m {
        let problem = format!("is {}, must be below length_m = {}: no point is repeated", last.s_m, line.length_m);
        return Err(Inconsistency::new(format!("{place}.s_m"), problem));
    }
    if last.time_s >= line.lap_time_s {
        let problem =
            format!("is {}, must be below lap_time_s = {}: no point is repeated", last.time_s, line.lap_time_s);
        return Err(Inconsistency::new(format!("{place}.time_s"), problem));
    }
    Ok(())
}

/// Refuses infinities and NaN anywhere in `line`, naming the first.
fn check_finite(line: &RacingLine) -> Result<(), WriteError> {
    finite("lap_time_s", line.lap_time_s)?;
    finite("length_m", line.length_m)?;
    if let Some(metres_per_pixel) = line.source.metres_per_pixel {
        finite("source.metres_per_pixel", metres_per_pixel)?;
    }
    finite_all("source.origin_m", &line.source.origin_m)?;
    finite_all("source.geographic_origin_deg", line.source.geographic_origin_deg.as_slice().as_flattened())?;
    check_vehicle(&line.vehicle)?;
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
    }
    finite_all("edges.left", line.edges.left.as_flattened())?;
    finite_all("edges.right", line.edges.right.as_flattened())?;
    finite_all("sections", line.sections.as_flattened().as_flattened())
}

/// Refuses a vehicle whose serialised form has a null, which is what serde_json makes of a number that isn't finite.
fn check_vehicle(vehicle: &Vehicle) -> Result<(), WriteError> {
    fn null_place(place: String, value: &Value) -> Option<String> {
        match value {
            Value::Null => Some(place),
            Value::Array(items) => {
                items.iter().enumerate().find_map(|(index, item)| null_place(format!("{place}[{index}]"), item))
            }
            Value::Object(map) => map.iter().find_map(|(key, item)| null_place(format!("{place}.{key}"), item)),
            _ => None,
        }
    }
    let value = serde_json::to_value(vehicle)
        .map_err(|error| WriteError::Unwritable { place: "vehicle".to_owned(), message: error.to_string() })?;
    match null_place("vehicle".to_owned(), &value) {
        Some(place) => Err(WriteError::NotFinite { place, value: "infinite or NaN".to_owned() }),
        None => Ok(()),
    }
}

/// Refuses `value` unless it's finite.
pub(crate) fn finite(place: impl std::fmt::Display, value: f64) -> Result<(), WriteError> {
    if value.is_finite() {
        Ok(())
    } else {
        Err(WriteError::NotFinite { place: place.to_string(), value: value.to_string() })
    }
}

/// Refuses `values` unless all are finite.
pub(crate) fn finite_all(place: impl std::fmt::Display, values: &[f64]) -> Result<(), WriteError> {
    values.iter().try_for_each(|&value| finite(&place, value))
}
