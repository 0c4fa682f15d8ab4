//! The fastest set-up of a vehicle on one track.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use raceline::pipeline::{self, Request};
use raceline::set_up::{Free, FreeKey, SetUpError, set_up};
use raceline::sweep::Amount;

use crate::error::{self, OptionsError, with_causes};
use crate::interruptible::{Reports, run};
use crate::keywords;
use crate::line::Line;
use crate::source::Given;
use crate::vehicle::Vehicle;

/// Finds the set-up of a vehicle with the fastest lap.
///
/// track, vehicle, progress, options: as for `optimize`.
/// free: from a key of the vehicle, or "grip", to its range: two numbers in the key's unit, or text as on the
///     command line: "0.9x:1.1x" for factors, "-10%:+10%" for changes. A dictionary in place of a range has keys
///     that move together, each from its first value to its second; its own name is free to choose.
///
/// Returns a dictionary: "vehicle", the `Vehicle` with the fastest set-up on the tyres of the one as given; "line",
/// its `Line`, and "base", that of the vehicle as given; "gain_s" between both; "keys", for each key its "own" and
/// its "best" value, its "range" and whether the best value is "at_end" of it; "laps" of the search, and whether it
/// "settled" before it ran out of them.
///
/// >>> import raceline
/// >>> track = raceline.generate("kart", seed=2)
/// >>> wing = {"downforce_kgpm": (0.0, 0.4), "drag_kgpm": (0.3, 0.6)}
/// >>> found = raceline.setup(track, {"wing": wing}, vehicle="kart")
/// >>> found["gain_s"] >= 0, found["vehicle"]["drag_kgpm"] == found["keys"]["drag_kgpm"]["best"]
/// (True, True)
#[pyfunction]
#[pyo3(signature = (track, free, *, vehicle = None, progress = None, **options))]
pub fn setup<'py>(
    py: Python<'py>,
    track: &Bound<'py, PyAny>,
    free: &Bound<'py, PyDict>,
    vehicle: Option<&Bound<'py, PyAny>>,
    progress: Option<&Bound<'py, PyAny>>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyDict>> {
    let reports = Reports::new(progress)?;
    let layer = keywords::layer(options)?;
    let track = Given::new(track, None, None)?;
    let (merged, vehicle) = track.options(layer, vehicle)?;
    let free = free.iter().map(|(key, range)| free_number(&key, &range)).collect::<PyResult<Vec<_>>>()?;
    let found = run(py, &reports, move |progress| {
        let request = Request::new(&merged, &vehicle).progress(progress);
        let extraction = pipeline::extracted(track.source(), &request).map_err(|failed| error::pipeline(&failed))?;
        set_up(&extraction, &request, &free).map_err(|failed| match failed {
            SetUpError::Line(failed) => error::pipeline(&failed),
            failed => wrong(&failed),
        })
    })?;
    let keys = PyDict::new(py);
    for key in &found.keys {
        let entry = PyDict::new(py);
        entry.set_item("own", key.own)?;
        entry.set_item("best", key.best)?;
        entry.set_item("range", (key.range[0], key.range[1]))?;
        entry.set_item("at_end", key.at_end)?;
        keys.set_item(&key.key, entry)?;
    }
    let result = PyDict::new(py);
    result.set_item("gain_s", found.gain_s())?;
    result.set_item("keys", keys)?;
    result.set_item("laps", found.laps)?;
    result.set_item("settled", found.settled)?;
    result.set_item("line", Line::found(&found.best.line, &found.best.warnings))?;
    result.set_item("base", Line::found(&found.base.line, &found.base.warnings))?;
    result.set_item("vehicle", Vehicle { vehicle: found.vehicle })?;
    Ok(result)
}

fn wrong(error: &SetUpError) -> PyErr {
    OptionsError::new_err(format!("free: {}", with_causes(error)))
}

/// A key with its range, or keys that move together under one name.
fn free_number(key: &Bound<'_, PyAny>, range: &Bound<'_, PyAny>) -> PyResult<Free> {
    let keys = match range.cast::<PyDict>() {
        Ok(together) => together.iter().map(|(key, range)| free_key(&key, &range)).collect::<PyResult<Vec<_>>>()?,
        Err(_) => vec![free_key(key, range)?],
    };
    Ok(Free { keys })
}

fn free_key(key: &Bound<'_, PyAny>, range: &Bound<'_, PyAny>) -> PyResult<FreeKey> {
    let key: String = key.extract()?;
    if let Ok(text) = range.extract::<String>() {
        let parsed: Free = format!("{key}={text}").parse().map_err(|error| wrong(&error))?;
        return match <[FreeKey; 1]>::try_from(parsed.keys) {
            Ok([key]) => Ok(key),
            Err(_) => Err(OptionsError::new_err(format!(
                "free[{key:?}]: write one range, and keys that move together as a dictionary"
            ))),
        };
    }
    let (from, to): (f64, f64) = range.extract().map_err(|_| {
        PyTypeError::new_err(format!("free[{key:?}] is no range: give two numbers, text or a dictionary"))
    })?;
    Ok(FreeKey { key, from: Amount::Absolute(from), to: Amount::Absolute(to) })
}
