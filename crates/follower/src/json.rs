//! Racing-line files, version 1, as a path: the JSON that `raceline optimize` writes.
//!
//! The types, the rules and the messages of the file are those of the crate `raceline-file`, which
//! `raceline` uses too. This module converts them to a [`Path`] and a [`VehicleGeometry`]. Unknown
//! keys are ignored, so that later versions of the format with more keys can be read.

use std::fmt;

pub use raceline_file::{Inconsistency, ReadError};
use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::error::PathError;
use crate::path::{Path, Waypoint};
use crate::vehicle::VehicleGeometry;

/// The contents of a racing-line file for a follower.
#[derive(Clone, Debug)]
pub struct RacingLine {
    /// Name of the track.
    pub name: String,
    /// Lap time of the file's speed profile, s.
    pub lap_time_s: f64,
    /// The line with the distances to both edges, speeds and curvatures.
    pub path: Path,
    /// Size and steering of the file's vehicle, its reference point midway between the axles;
    /// `None` if one of the numbers is missing or outside 0.001 to 1000.
    pub vehicle: Option<VehicleGeometry>,
}

/// The reason that a file cannot be followed.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum JsonError {
    /// The file is not a racing-line file.
    File(ReadError),
    /// Its points do not form a path. Waypoints are the entries of `points`, counted from 0.
    Path(PathError),
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(error) => error.fmt(f),
            Self::Path(error) => write!(f, "points: {error}"),
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

/// The values of the file's vehicle that the follower uses.
#[derive(Deserialize)]
struct Vehicle {
    wheelbase_m: Option<f64>,
    length_m: Option<f64>,
    width_m: Option<f64>,
    max_curvature_radpm: Option<f64>,
}

/// Reads a racing-line file. The line lies in the plane: heights are 0, see [`RacingLine::path`].
///
/// # Errors
/// [`JsonError::File`] for bytes that are not such a file, lack a key or are inconsistent, and
/// [`JsonError::Path`] for points that do not form a path.
pub fn read(bytes: &[u8]) -> Result<RacingLine, JsonError> {
    let line = raceline_file::read::<Vehicle, IgnoredAny>(bytes)?;
    let waypoint = |point: &raceline_file::LinePoint| Waypoint {
        position_m: [point.x_m, point.y_m, 0.0],
        left_m: point.left_m,
        right_m: point.right_m,
        speed_mps: point.speed_mps,
        curvature_radpm: point.curvature_radpm,
    };
    let waypoints = line.points.iter().map(waypoint).collect();
    Ok(RacingLine {
        path: Path::new(waypoints, line.closed).map_err(JsonError::Path)?,
        vehicle: geometry(&line.vehicle),
        name: line.name,
        lap_time_s: line.lap_time_s,
    })
}

/// `None` unless every number exists and is valid for the follower.
fn geometry(vehicle: &Vehicle) -> Option<VehicleGeometry> {
    let usable = |value: Option<f64>| value.filter(|value| (1e-3..=1e3).contains(value));
    let wheelbase_m = usable(vehicle.wheelbase_m)?;
    Some(VehicleGeometry {
        wheelbase_m,
        max_steering_rad: (wheelbase_m * usable(vehicle.max_curvature_radpm)?).atan().min(1.5),
        length_m: usable(vehicle.length_m)?,
        width_m: usable(vehicle.width_m)?,
        rear_axle_m: wheelbase_m / 2.0,
        ..VehicleGeometry::default()
    })
}
