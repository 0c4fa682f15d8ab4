//! Noise as a caller gives it, and what became of the drives with it.

use std::path::PathBuf;

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use raceline::confidence::{ConfidenceError, ConfidenceOptions};
use raceline::drive::{DriveError, DriveOptions, Noise, NoisyDrives, NoisyLap, OutOfRange};
use raceline::files::{self, LARGEST_OPTIONS_FILE};

use crate::error::{self, InputError, OptionsError, SolveError, with_causes};

/// Number of drives where none is given, and the largest.
const DRIVES: u32 = 200;
const MAX_DRIVES: u32 = 100_000;

/// A number of a lap, by the name of its column.
type Column = (&'static str, fn(&NoisyLap) -> f64);

const COLUMNS: [Column; 5] = [
    ("grip", |lap| lap.grip),
    ("delay_s", |lap| lap.delay_s),
    ("lap_time_s", |lap| lap.lap_time_s.unwrap_or(f64::NAN)),
    ("min_room_m", |lap| lap.min_room_m),
    ("min_room_at_m", |lap| lap.min_room_at_m),
];

/// The exception for a drive.
pub fn wrong(error: &DriveError) -> PyErr {
    match error {
        DriveError::Option(OutOfRange { name, value, range }) => {
            let name = if *name == "speed_share" { "speed_fraction" } else { name };
            OptionsError::new_err(format!("{name} is {value}, but must be {range}"))
        }
        _ => InputError::new_err(with_causes(error)),
    }
}

/// The exception for a line that is to survive.
pub fn wrong_confidence(failed: &ConfidenceError) -> PyErr {
    match failed {
        ConfidenceError::Line(failed) => error::pipeline(failed),
        ConfidenceError::Drive(failed) => wrong(failed),
        ConfidenceError::NotFound { .. } => SolveError::new_err(with_causes(failed)),
        _ => OptionsError::new_err(with_causes(failed)),
    }
}

/// The noise of a dictionary with the keys of a noise file, or of such a file.
pub fn noise(given: &Bound<'_, PyAny>) -> PyResult<Noise> {
    if let Ok(values) = given.cast::<PyDict>() {
        let mut numbers = toml::Table::new();
        // A key without a value is one that is not given.
        for (key, value) in values.iter().filter(|(_, value)| !value.is_none()) {
            let wrong_value = || OptionsError::new_err(format!("noise: {key} is {value}: give a number"));
            let number: f64 = value.extract().map_err(|_| wrong_value())?;
            numbers.insert(key.extract()?, number.into());
        }
        return Noise::from_toml(&numbers.to_string()).map_err(|error| match error {
            DriveError::Option(_) => wrong(&error),
            _ => OptionsError::new_err(with_causes(&error)),
        });
    }
    let path: PathBuf = given.extract().map_err(|_| {
        OptionsError::new_err(format!(
            "noise is {}: give the path of a noise file or a dictionary with its keys",
            given.get_type()
        ))
    })?;
    let bytes = files::read(&path, LARGEST_OPTIONS_FILE).map_err(|error| error::file(&path, &error))?;
    let of_file = |text: &str| OptionsError::new_err(format!("{}: {text}", path.display()));
    let text = std::str::from_utf8(&bytes).map_err(|_| of_file("is not UTF-8"))?;
    Noise::from_toml(text).map_err(|error| of_file(&with_causes(&error)))
}

/// What a line must survive, where it is asked for.
pub fn survival(given: Option<&Bound<'_, PyAny>>, confidence: Option<f64>) -> PyResult<Option<ConfidenceOptions>> {
    let (given, confidence) = match (given.filter(|given| !given.is_none()), confidence) {
        (Some(given), Some(confidence)) => (given, confidence),
        (None, None) => return Ok(None),
        (Some(_), None) => return Err(OptionsError::new_err("noise needs confidence=, as in 0.99")),
        (None, Some(_)) => {
            return Err(OptionsError::new_err("confidence needs noise=, the errors that the line is to survive"));
        }
    };
    let options = ConfidenceOptions { confidence, noise: noise(given)?, drive: DriveOptions::default() };
    options.validate().map_err(|error| wrong_confidence(&error))?;
    Ok(Some(options))
}

/// The number of drives that is asked for.
pub fn drives(given: Option<u32>) -> PyResult<u32> {
    let drives = given.unwrap_or(DRIVES);
    if (1..=MAX_DRIVES).contains(&drives) {
        Ok(drives)
    } else {
        Err(OptionsError::new_err(format!("drives is {drives}, but must be 1 to {MAX_DRIVES}")))
    }
}

/// What became of drives with noise, with the keys that `raceline drive --noise --json` prints.
pub fn results<'py>(
    py: Python<'py>,
    driven: &NoisyDrives,
    (drives, profile_lap_time_s): (u32, f64),
) -> PyResult<Bound<'py, PyDict>> {
    let worst = driven.worst();
    let found = PyDict::new(py);
    found.set_item("drives", drives)?;
    found.set_item("laps", driven.laps.len())?;
    found.set_item("laps_on_road", driven.on_road())?;
    found.set_item("on_road_fraction", driven.on_road_fraction())?;
    found.set_item("on_road_range", (driven.on_road_range()[0], driven.on_road_range()[1]))?;
    found.set_item("mean_lap_time_s", driven.mean_lap_s())?;
    found.set_item("profile_lap_time_s", profile_lap_time_s)?;
    found.set_item("min_room_m", worst.map(|lap| lap.min_room_m).filter(|room| room.is_finite()))?;
    found.set_item("min_room_at_m", worst.map(|lap| lap.min_room_at_m))?;
    let each = PyDict::new(py);
    each.set_item("drive", PyArray1::from_vec(py, driven.laps.iter().map(|lap| lap.drive).collect()))?;
    each.set_item("on_road", PyArray1::from_vec(py, driven.laps.iter().map(NoisyLap::stayed_on_road).collect()))?;
    for (name, value) in COLUMNS {
        each.set_item(name, PyArray1::from_vec(py, driven.laps.iter().map(value).collect()))?;
    }
    found.set_item("each_lap", each)?;
    Ok(found)
}
