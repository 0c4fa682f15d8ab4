//! What to drive and how: a JSON file beside the robot, or the one that the environment names.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// Variable with the path of the configuration.
pub const VARIABLE: &str = "RACELINE_TORCS";
/// Name beside the robot.
pub const FILE: &str = "raceline.json";

/// The configuration. Paths are relative to the file's folder.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Configuration {
    /// The racing-line file, in the coordinates of TORCS's world.
    pub line: PathBuf,
    /// Factor of the line's speeds; default 1.
    pub speed_share: f64,
    /// A car set-up to start with; default the car's own.
    pub setup: Option<PathBuf>,
    /// Fuel at the start, l; default the set-up's.
    pub fuel_l: Option<f64>,
    /// Options by key: those of the follower (`limit.preview_s`), of the slip control
    /// (`slip_control.brake_full`) and of the gearbox (`gearbox.up_fraction`).
    pub options: BTreeMap<String, f64>,
    /// Where to write what was driven, as CSV; the car's number is put before the ending.
    pub telemetry: Option<PathBuf>,
    /// Where to write laps, damage and errors, as JSON; the same.
    pub summary: Option<PathBuf>,
    /// Where to write the other cars of each frame as seen from the car, as CSV; the same.
    pub neighbours: Option<PathBuf>,
    /// Laps in which speeds are learned by place; then those of the fastest lap are driven. Default 0.
    pub learn_laps: u32,
    /// Where learned speeds are remembered, as JSON: read where it exists, written after learning;
    /// the car's number as above.
    pub learned: Option<PathBuf>,
    /// A neural driver's file, as `raceline-neural-driver` writes it: its network drives in place of the
    /// follower, and sees no other cars.
    pub driver: Option<PathBuf>,
    /// Where to write the corners of the track's segments, as CSV.
    pub geometry: Option<PathBuf>,
}

impl Configuration {
    /// Reads a file.
    ///
    /// # Errors
    /// The path with what is wrong.
    pub fn read(path: &Path) -> Result<Self, String> {
        let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let mut read: Self = serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?;
        if read.speed_share == 0.0 {
            read.speed_share = 1.0;
        }
        if !(0.05..=2.0).contains(&read.speed_share) {
            return Err(format!("{}: speed_share is {}, but must be 0.05 to 2", path.display(), read.speed_share));
        }
        let folder = path.parent().unwrap_or(Path::new("."));
        read.line = folder.join(&read.line);
        let files = [
            &mut read.setup,
            &mut read.telemetry,
            &mut read.neighbours,
            &mut read.summary,
            &mut read.learned,
            &mut read.driver,
            &mut read.geometry,
        ];
        for file in files.into_iter().flatten() {
            *file = folder.join(&*file);
        }
        Ok(read)
    }
}

/// `path` with the car's number before its ending; the first car has none.
#[must_use]
pub fn numbered(path: &Path, index: i32) -> PathBuf {
    if index <= 1 {
        return path.to_owned();
    }
    let ending = path.extension().map(|ending| format!(".{}", ending.to_string_lossy())).unwrap_or_default();
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{stem}-{index}{ending}"))
}
