//! Racing-line files, version 1, as a path: the JSON that `raceline optimize` writes.
//!
//! The types, the rules and the messages of the file are those of the crate `raceline-file`, which
//! `raceline` uses too. This module converts them to a [`Path`] and a [`VehicleGeometry`]. Unknown
//! keys are ignored, so that later versions of the format with more keys can be read.

use std::fmt;

#[cfg(feature = "neural")]
pub use crate::neural::file::{NetworkFileError, read_network, write_network};
pub use raceline_file::{Inconsistency, ReadError};
use raceline_numerics::STANDARD_GRAVITY;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use crate::dynamics::{SpeedTable, VehicleDynamics};
use crate::error::PathError;
use crate::learning::RememberedSpeeds;
use crate::path::{Path, PathInputs, Waypoint};
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
    mass_kg: Option<f64>,
    lateral_limit_mps2: Option<f64>,
    longitudinal_limit_mps2: Option<f64>,
    ggv_table: Option<Vec<[f64; 3]>>,
    ellipse_exponent: Option<f64>,
    drag_kgpm: Option<f64>,
    downforce_kgpm: Option<f64>,
    rolling_resistance: Option<f64>,
    drive: Option<Drive>,
    max_speed_mps: Option<f64>,
    max_steering_rad: Option<f64>,
    steering_rate_radps: Option<f64>,
    peak_slip_rad: Option<f64>,
    front_weight_fraction: Option<f64>,
    front_downforce_fraction: Option<f64>,
    yaw_inertia_kgm2: Option<f64>,
    centre_of_gravity_m: Option<f64>,
    front_brake_fraction: Option<f64>,
    front_drive_fraction: Option<f64>,
}

/// The limit of the drive; one of the three.
#[derive(Deserialize)]
struct Drive {
    table_mps2: Option<Vec<[f64; 2]>>,
    table_n: Option<Vec<[f64; 2]>>,
    power_and_force: Option<PowerAndForce>,
}

#[derive(Deserialize)]
struct PowerAndForce {
    power_w: f64,
    force_n: f64,
}

/// Reads a racing-line file. The path lies in the plane, as its arc lengths do: positions have the
/// height 0, and the heights of the file are those of [`Path::height_m`].
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
    let mut path = Path::new(waypoints, line.closed).map_err(JsonError::Path)?;
    // Points within a millimetre of another are dropped, which a written line does not have.
    if path.waypoints().len() == line.points.len() {
        path = path.with_heights(|i, _| line.points[i].z_m.unwrap_or(0.0));
        path = path.with_grip(|i, _| line.points[i].grip.unwrap_or(1.0) * line.points[i].load.unwrap_or(1.0));
        path = path.with_banking(|i, _| line.points[i].banking_rad.unwrap_or(0.0));
        path = path.with_inputs(|i, _| inputs(&line.points[i]));
    }
    Ok(RacingLine {
        path: match dynamics(&line.vehicle) {
            Some(dynamics) => path.with_dynamics(&dynamics),
            None => path,
        },
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

/// `None` unless every number exists and is valid for the follower.
fn geometry(vehicle: &Vehicle) -> Option<VehicleGeometry> {
    let usable = |value: Option<f64>| value.filter(|value| (1e-3..=1e3).contains(value));
    let wheelbase_m = usable(vehicle.wheelbase_m)?;
    Some(VehicleGeometry {
        wheelbase_m,
        max_steering_rad: usable(vehicle.max_steering_rad)
            .or_else(|| Some((wheelbase_m * usable(vehicle.max_curvature_radpm)?).atan()))?
            .min(1.5),
        length_m: usable(vehicle.length_m)?,
        width_m: usable(vehicle.width_m)?,
        rear_axle_m: wheelbase_m / 2.0,
        ..VehicleGeometry::default()
    })
}

/// The vehicle's limits and dynamics; `None` unless mass, limits and drive are there.
fn dynamics(vehicle: &Vehicle) -> Option<VehicleDynamics> {
    let top = vehicle.max_speed_mps.filter(|top| (0.1..=1e3).contains(top))?;
    let mass = vehicle.mass_kg.filter(|mass| (1e-3..=1e6).contains(mass))?;
    let weight = mass * STANDARD_GRAVITY;
    let (longitudinal, lateral) = match vehicle.ggv_table.as_deref() {
        Some(rows @ [_, ..]) => {
            let column = |number: usize| SpeedTable::new(top, |speed| between(rows, number, speed));
            (column(1), column(2))
        }
        _ => {
            let downforce = vehicle.downforce_kgpm.unwrap_or(0.0);
            let growing =
                |limit: f64, share: f64| SpeedTable::new(top, |v| limit * (1.0 + share * downforce * v * v / weight));
            // Of the axle with less downforce by its weight: the one that limits cornering.
            let share = match (vehicle.front_downforce_fraction, vehicle.front_weight_fraction) {
                (Some(front), Some(weight)) if (0.1..=0.9).contains(&weight) => {
                    (front / weight).min((1.0 - front) / (1.0 - weight)).max(0.0)
                }
                _ => 1.0,
            };
            (growing(vehicle.longitudinal_limit_mps2?, 1.0), growing(vehicle.lateral_limit_mps2?, share))
        }
    };
    let drive = vehicle.drive.as_ref()?;
    let drive = match (&drive.table_mps2, &drive.table_n, &drive.power_and_force) {
        (Some(rows), ..) if !rows.is_empty() => SpeedTable::new(top, |v| between(rows, 1, v)),
        (_, Some(rows), _) if !rows.is_empty() => SpeedTable::new(top, |v| between(rows, 1, v) / mass),
        (.., Some(limit)) => SpeedTable::new(top, |v| limit.force_n.min(limit.power_w / v.max(1e-3)) / mass),
        _ => return None,
    };
    let or_unknown = |value: Option<f64>| value.unwrap_or(f64::NAN);
    Some(VehicleDynamics {
        lateral_mps2: lateral,
        longitudinal_mps2: longitudinal,
        drive_mps2: drive,
        max_speed_mps: top,
        ellipse_exponent: vehicle.ellipse_exponent.unwrap_or(2.0),
        drag_radpm: vehicle.drag_kgpm.unwrap_or(0.0) / mass,
        rolling_mps2: vehicle.rolling_resistance.unwrap_or(0.0) * STANDARD_GRAVITY,
        front_weight_fraction: or_unknown(vehicle.front_weight_fraction),
        gyration_m2: or_unknown(vehicle.yaw_inertia_kgm2) / mass,
        centre_of_gravity_m: or_unknown(vehicle.centre_of_gravity_m),
        peak_slip_rad: or_unknown(vehicle.peak_slip_rad),
        front_brake_fraction: or_unknown(vehicle.front_brake_fraction),
        front_drive_fraction: or_unknown(vehicle.front_drive_fraction),
        steering_rate_radps: or_unknown(vehicle.steering_rate_radps),
    })
}

/// The value of a column of a table over speed, linear between its rows and constant beyond.
fn between<const N: usize>(rows: &[[f64; N]], column: usize, speed: f64) -> f64 {
    let next = rows.partition_point(|row| row[0] <= speed);
    match (next.checked_sub(1).and_then(|i| rows.get(i)), rows.get(next)) {
        (Some(a), Some(b)) => a[column] + (b[column] - a[column]) * (speed - a[0]) / (b[0] - a[0]),
        (Some(only), None) | (None, Some(only)) => only[column],
        (None, None) => 0.0,
    }
}

/// Name and version of files of learned speeds.
const LEARNED: &str = "raceline-learned";
const LEARNED_VERSION: u32 = 1;

/// The reason that a file is not one of learned speeds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LearnedFileError {
    /// It is not JSON, or lacks a key: the message of the reader with line and column.
    NotRead(String),
    /// It has another `format` or `version`.
    OtherFormat {
        /// What it says.
        format: String,
        /// What it says.
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
