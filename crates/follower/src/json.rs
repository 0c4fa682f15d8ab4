//! Racing-line files, version 1: the JSON that `raceline optimize` writes, as a path.
//!
//! Read are `format` and `version`, `closed`, `points`, and, where they are there, `name`, `lap_time_s` and of `vehicle` its size and what its
//! steering allows. Every other key is ignored, so that later versions of the format with more keys can be read.

use std::fmt;

use serde::Deserialize;

use crate::error::PathError;
use crate::path::{Path, Waypoint};
use crate::vehicle::VehicleGeometry;

const FORMAT: &str = "raceline";
const VERSION: u64 = 1;

/// What a racing-line file holds for a follower.
#[derive(Clone, Debug)]
pub struct RacingLine {
    /// Name of the track; empty where the file has none.
    pub name: String,
    /// Time of the whole lap by the file's speed profile, s; NaN where the file has none.
    pub lap_time_s: f64,
    /// The line with the distances to both edges, speeds and curvatures.
    pub path: Path,
    /// Size and steering of the file's vehicle, its reference point midway between the axles; none where the file has no usable vehicle.
    pub vehicle: Option<VehicleGeometry>,
}

/// Why a file is no racing line.
#[derive(Clone, Debug, PartialEq)]
pub enum JsonError {
    /// The text isn't JSON, or a key is missing or of the wrong kind.
    Json {
        /// Line of the text, from 1.
        line: usize,
        /// Column of the line, from 1.
        column: usize,
        /// What is wrong.
        message: String,
    },
    /// The file is of another format.
    Format {
        /// What it says it is; none where it says nothing.
        found: Option<String>,
    },
    /// The file is of another version.
    Version {
        /// What it says; none where it says no whole number.
        found: Option<u64>,
    },
    /// The points make no path. Waypoints are the entries of `points`, counted from 0.
    Path(PathError),
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json { line, column, message } => {
                write!(f, "line {line}, column {column}: {message}: make the file again with `raceline optimize`")
            }
            Self::Format { found: Some(found) } => {
                write!(f, "format is \"{found}\", but must be \"{FORMAT}\": `raceline optimize` makes such files")
            }
            Self::Format { found: None } => {
                write!(f, "format is missing, but must be \"{FORMAT}\": `raceline optimize` makes such files")
            }
            Self::Version { found: Some(found) } => {
                write!(f, "version is {found}, but this program reads {VERSION}: make the file again with its raceline")
            }
            Self::Version { found: None } => write!(f, "version is missing or no whole number, but must be {VERSION}"),
            Self::Path(error) => write!(f, "points: {error}"),
        }
    }
}

impl std::error::Error for JsonError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Path(error) => Some(error),
            _ => None,
        }
    }
}

impl From<serde_json::Error> for JsonError {
    fn from(error: serde_json::Error) -> Self {
        let text = error.to_string();
        let place = format!(" at line {} column {}", error.line(), error.column());
        let message = text.strip_suffix(&place).unwrap_or(&text).to_owned();
        Self::Json { line: error.line(), column: error.column(), message }
    }
}

/// What says what a file is. Any value is taken, so that the message can tell it.
#[derive(Deserialize)]
struct Kind {
    format: Option<serde_json::Value>,
    version: Option<serde_json::Value>,
}

#[derive(Deserialize)]
struct Document {
    #[serde(default)]
    name: String,
    closed: bool,
    lap_time_s: Option<f64>,
    vehicle: Option<Vehicle>,
    points: Vec<Point>,
}

#[derive(Deserialize)]
struct Vehicle {
    wheelbase_m: Option<f64>,
    length_m: Option<f64>,
    width_m: Option<f64>,
    max_curvature_radpm: Option<f64>,
}

#[derive(Deserialize)]
struct Point {
    x_m: f64,
    y_m: f64,
    left_m: f64,
    right_m: f64,
    speed_mps: Option<f64>,
    curvature_radpm: Option<f64>,
}

/// Reads a racing-line file. The line lies in the plane: heights are 0, see [`RacingLine::path`].
///
/// # Errors
/// [`JsonError`] for bytes that aren't such a file, another format or version, and points that make no path.
pub fn read(bytes: &[u8]) -> Result<RacingLine, JsonError> {
    let Kind { format, version } = serde_json::from_slice(bytes)?;
    if format.as_ref().and_then(serde_json::Value::as_str) != Some(FORMAT) {
        let found = format.map(|format| format.as_str().map_or_else(|| format.to_string(), str::to_owned));
        return Err(JsonError::Format { found });
    }
    let version = version.as_ref().and_then(serde_json::Value::as_u64);
    if version != Some(VERSION) {
        return Err(JsonError::Version { found: version });
    }
    let document: Document = serde_json::from_slice(bytes)?;
    let waypoint = |point: &Point| Waypoint {
        position_m: [point.x_m, point.y_m, 0.0],
        left_m: point.left_m,
        right_m: point.right_m,
        speed_mps: point.speed_mps.unwrap_or(f64::NAN),
        curvature_radpm: point.curvature_radpm.unwrap_or(f64::NAN),
    };
    let waypoints = document.points.iter().map(waypoint).collect();
    Ok(RacingLine {
        name: document.name,
        lap_time_s: document.lap_time_s.unwrap_or(f64::NAN),
        path: Path::new(waypoints, document.closed).map_err(JsonError::Path)?,
        vehicle: document.vehicle.as_ref().and_then(geometry),
    })
}

/// None unless every number is there and one that the follower takes.
fn geometry(vehicle: &Vehicle) -> Option<VehicleGeometry> {
    let usable = |value: Option<f64>| value.filter(|value| (1e-3..=1e3).contains(value));
    let wheelbase_m = usable(vehicle.wheelbase_m)?;
    Some(VehicleGeometry {
        wheelbase_m,
        max_steering_rad: (wheelbase_m * usable(vehicle.max_curvature_radpm)?).atan().min(1.5),
        length_m: usable(vehicle.length_m)?,
        width_m: usable(vehicle.width_m)?,
        rear_axle_m: wheelbase_m / 2.0,
    })
}
