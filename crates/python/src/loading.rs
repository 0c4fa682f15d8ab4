//! Lines from files, from bytes, and from what a caller gives.

use std::path::PathBuf;

use pyo3::prelude::*;
use raceline::RacingLine;
use raceline::file::json;
use raceline::files::{self, LARGEST_LINE_FILE};
use raceline::pipeline;

use crate::error::{self, InputError};
use crate::interruptible::{Reports, run};
use crate::keywords;
use crate::line::Line;
use crate::values;

/// Reads a racing-line file: a `Line`, without warnings.
///
/// path: a file that `Line.save`, `raceline optimize` or another program wrote. Raises `InputError`.
///
/// >>> import pathlib, raceline, tempfile
/// >>> line = raceline.optimize(raceline.generate("oval", length=900.0), vehicle="gt", method="min-curvature")
/// >>> with tempfile.TemporaryDirectory() as folder:
/// ...     line.save(pathlib.Path(folder) / "oval.json")
/// ...     raceline.load(pathlib.Path(folder) / "oval.json").lap_time == line.lap_time
/// True
#[pyfunction]
pub fn load(path: PathBuf) -> PyResult<Line> {
    let bytes = files::read(&path, LARGEST_LINE_FILE).map_err(|error| error::file(&path, &error))?;
    let line = json::read(&bytes).map_err(|error| error::file(&path, &error))?;
    Ok(Line::new(&line, Vec::new()))
}

/// A line from the bytes of its file, its warnings and how surely it survives, as it is pickled.
#[pyfunction]
#[pyo3(signature = (bytes, warnings, survival = None))]
pub fn _line(bytes: &[u8], warnings: Vec<String>, survival: Option<&Bound<'_, PyAny>>) -> PyResult<Line> {
    let wrong = |error: &dyn std::error::Error| InputError::new_err(error::with_causes(error));
    let line = json::read(bytes).map_err(|error| wrong(&error))?;
    let survival = survival.map(values::json).transpose()?.map(serde_json::from_value).transpose();
    Ok(Line::new(&line, warnings).with_survival(survival.map_err(|error| wrong(&error))?))
}

/// Judges a line by other methods than those that made it: the violated rules as sentences, none for a sound
/// line.
///
/// line: a `Line` or the path of its file. vehicle: as for `optimize`; default: the line's.
///
/// >>> import raceline
/// >>> raceline.verify(raceline.optimize(raceline.generate("oval", length=900.0), vehicle="gt", method="min-curvature"))
/// []
#[pyfunction]
#[pyo3(signature = (line, *, vehicle=None))]
pub fn verify(py: Python<'_>, line: &Bound<'_, PyAny>, vehicle: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<String>> {
    let bytes = bytes_of(line)?;
    let line = json::read(&bytes).map_err(|error| InputError::new_err(error.to_string()))?;
    let vehicle = vehicle.map(|_| keywords::vehicle(vehicle, None, &mut raceline::Options::default())).transpose()?;
    run(py, &Reports::default(), move |_| {
        let report = pipeline::judge(&line, vehicle.as_ref(), None)
            .map_err(|error| InputError::new_err(error::with_causes(&error)))?;
        Ok(report.findings().map(ToString::to_string).collect())
    })
}

/// The line of a `Line` or of the file at a path; `name` is the argument in messages.
pub fn line_of(name: &str, given: &Bound<'_, PyAny>) -> PyResult<RacingLine> {
    if let Ok(line) = given.cast::<Line>() {
        return Ok(line.get().line.clone());
    }
    let path: PathBuf = given
        .extract()
        .map_err(|_| InputError::new_err(format!("{name} is {}: give a raceline.Line or a path", given.get_type())))?;
    let bytes = files::read(&path, LARGEST_LINE_FILE).map_err(|error| error::file(&path, &error))?;
    json::read(&bytes).map_err(|error| error::file(&path, &error))
}

/// The bytes of a [`Line`] or of the file at a path.
pub fn bytes_of(given: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    if let Ok(line) = given.cast::<Line>() {
        return line.get().bytes();
    }
    let path: PathBuf =
        given.extract().map_err(|_| InputError::new_err("the first argument is neither a raceline.Line nor a path"))?;
    files::read(&path, LARGEST_LINE_FILE).map_err(|error| error::file(&path, &error))
}
