//! Racing-line files, version 1, as a path: the JSON that `raceline optimize` writes.
//!
//! The types, the rules and the messages of the file are those of the crate `raceline-file`, which
//! `raceline` uses too. This module converts them to a [`Path`] and a [`VehicleGeometry`]. Unknown
//! keys are ignored, so that later versions of the format with more keys can be read.

use std::fmt;

#[cfg(feature = "neural")]
pub use crate::neural::file::{NetworkFileError, read_network, write_network};
pub use raceline_file::{Inconsistency, ReadError};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use crate::error::PathError;
use crate::learning::RememberedSpeeds;
use crate::path::{Path, PathInputs, Waypoint};
use crate::vehicle::VehicleGeometry;
use raceline_car::{GgDiagram, Vehicle, VehicleDynamics, VehicleError};

/// A follower's steering angle must stay below a right angle, rad.
const LARGEST_STEERING_RAD: f64 = 1.5;

/// The contents of a racing-line file for a follower.
#[derive(Clone, Debug)]
pub struct RacingLine {
    /// Name of the track.
    pub name: String,
    /// Lap time of the file's speed profile, s.
    pub lap_time_s: f64,
    /// The line with the distances to both edges, speeds and curvatures.
    pub path: Path,
    /// Size and steering of the file's vehicle, its reference point midway between the axles. A program
    /// whose positions are those of another point of the vehicle changes
    /// [`rear_axle_m`](VehicleGeometry::rear_axle_m).
    pub vehicle: VehicleGeometry,
}

/// The reason that a file cannot be followed.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum JsonError {
    /// The file is not a racing-line file.
    File(ReadError),
    /// The points do not form a path. Waypoints are the entries of `points`, counted from 0.
    Path(PathError),
    /// A number of its vehicle is out of its range.
    Vehicle(VehicleError),
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(error) => error.fmt(f),
            Self::Path(error) => write!(f, "points: {error}"),
            Self::Vehicle(error) => error.fmt(f),
        }
    }
}

/// The messages are complete: no [`source`](std::error::Error::source) repeats a part of them.
impl std::error::Error for JsonError {}

impl From<ReadError> for JsonError {
    fn from(error: ReadError) -> Self {
        Self::File(error)
    }
}

/// Reads a racing-line file. The path lies in the plane, as its arc lengths do: positions have the
/// height 0, and the heights of the file are those of [`Path::height_m`].
///
/// # Errors
/// [`JsonError::File`] for bytes that are not such a file, lack a key or are inconsistent,
/// [`JsonError::Path`] for points that do not form a path, and [`JsonError::Vehicle`] for a vehicle with a
/// number out of its range.
pub fn read(bytes: &[u8]) -> Result<RacingLine, JsonError> {
    let line = raceline_file::read::<Vehicle, IgnoredAny>(bytes)?;
    let diagram = GgDiagram::new(&line.vehicle).map_err(JsonError::Vehicle)?;
    let waypoint = |point: &raceline_file::LinePoint| Waypoint {
        position_m: [point.x_m, point.y_m, 0.0],
        left_m: point.left_m,
        right_m: point.right_m,
        speed_mps: point.speed_mps,
        curvature_radpm: point.curvature_radpm,
    };
    let waypoints = line.points.iter().map(waypoint).collect();
    let mut path = Path::new(waypoints, line.closed).map_err(JsonError::Path)?;
    // Points within a millimetre of another are dropped, which a written line does not have.
    if path.waypoints().len() == line.points.len() {
        path = path.with_heights(|i, _| line.points[i].z_m.unwrap_or(0.0));
        path = path.with_grip(|i, _| line.points[i].grip.unwrap_or(1.0) * line.points[i].load.unwrap_or(1.0));
        path = path.with_banking(|i, _| line.points[i].banking_rad.unwrap_or(0.0));
        path = path.with_inputs(|i, _| inputs(&line.points[i]));
    }
    Ok(RacingLine {
        path: path.with_dynamics(&VehicleDynamics::of(&line.vehicle, &diagram)),
        vehicle: geometry(&line.vehicle),
        name: line.name,
        lap_time_s: line.lap_time_s,
    })
}

/// What drives a car at `point`; `None` unless all of it is there.
fn inputs(point: &raceline_file::LinePoint) -> Option<PathInputs> {
    Some(PathInputs {
        steering_rad: point.steering_rad?,
        pedal: point.pedal?,
        sideslip_rad: point.sideslip_rad?,
        yaw_rate_radps: point.yaw_rate_radps?,
    })
}

/// Size and steering of the vehicle; its reference point is midway between the axles.
fn geometry(vehicle: &Vehicle) -> VehicleGeometry {
    VehicleGeometry {
        wheelbase_m: vehicle.wheelbase_m,
        max_steering_rad: vehicle.handling().max_steering_rad.min(LARGEST_STEERING_RAD),
        length_m: vehicle.length_m,
        width_m: vehicle.width_m,
        rear_axle_m: vehicle.wheelbase_m / 2.0,
        ..VehicleGeometry::default()
    }
}

/// Name and version of files of learned speeds.
const LEARNED: &str = "raceline-learned";
const LEARNED_VERSION: u32 = 1;

/// The reason that a file is not one of learned speeds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LearnedFileError {
    /// The text is not JSON, or lacks a key: the message of the reader with line and column.
    NotRead(String),
    /// The file has another `format` or `version`.
    OtherFormat {
        /// The file's `format`.
        format: String,
        /// The file's `version`.
        version: u32,
    },
}

impl fmt::Display for LearnedFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotRead(reason) => write!(f, "not a file of learned speeds: {reason}"),
            Self::OtherFormat { format, version } => write!(
                f,
                "format \"{format}\", version {version}: a file of learned speeds has format \"{LEARNED}\", version \
                 {LEARNED_VERSION}"
            ),
        }
    }
}

impl std::error::Error for LearnedFileError {}

#[derive(Serialize, Deserialize)]
struct LearnedFile {
    format: String,
    version: u32,
    #[serde(flatten)]
    speeds: RememberedSpeeds,
}

/// The JSON of learned speeds, factors rounded to 1e-5.
pub fn write_learned(speeds: &RememberedSpeeds) -> String {
    let mut speeds = speeds.clone();
    for factor in &mut speeds.factors {
        *factor = (*factor * 1e5).round() / 1e5;
    }
    let file = LearnedFile { format: LEARNED.to_owned(), version: LEARNED_VERSION, speeds };
    // Numbers and a text always have a JSON form.
    let mut text = serde_json::to_string(&file).unwrap_or_default();
    text.push('\n');
    text
}

/// Reads what [`write_learned`] wrote. Whether it fits a line is checked by
/// [`LearnedSpeeds::restore`](crate::LearnedSpeeds::restore).
///
/// # Errors
/// [`LearnedFileError`] for bytes that are not such a file.
pub fn read_learned(bytes: &[u8]) -> Result<RememberedSpeeds, LearnedFileError> {
    let file: LearnedFile =
        serde_json::from_slice(bytes).map_err(|error| LearnedFileError::NotRead(error.to_string()))?;
    if file.format != LEARNED || file.version != LEARNED_VERSION {
        return Err(LearnedFileError::OtherFormat { format: file.format, version: file.version });
    }
    Ok(file.speeds)
}
