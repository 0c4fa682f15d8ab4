//! Laps of logs.

use std::path::PathBuf;

use pyo3::prelude::*;
use raceline::files::{self, LARGEST_TELEMETRY};
use raceline::laps::{LogSummary, Session, SessionOptions, read};

use crate::error::{InputError, with_causes};
use crate::interruptible::{Reports, run};
use crate::track::Track;

/// Finds the laps of a log: a dictionary with the columns that were read, the noise, the laps, the best
/// sectors and the ideal lap, as `raceline laps --json` prints it.
///
/// path: the file of a logger, or a table. track: the `Track` that was driven. start: a place (x, y) on the
///     start line, m or degrees as the log has them. sectors: their number, 1 to 50. driven: adds the whole
///     session as a table of text.
#[pyfunction]
#[pyo3(signature = (path, *, track = None, start = None, sectors = 3, driven = false))]
pub fn laps<'py>(
    py: Python<'py>,
    path: PathBuf,
    track: Option<&Track>,
    start: Option<[f64; 2]>,
    sectors: usize,
    driven: bool,
) -> PyResult<Bound<'py, PyAny>> {
    if !(1..=50).contains(&sectors) {
        return Err(InputError::new_err(format!("sectors is {sectors}: give 1 to 50")));
    }
    let name = path.display().to_string();
    let reference = track.map(|track| track.extraction.log_reference());
    let options = SessionOptions { start, reference, sectors };
    let found = run(py, &Reports::default(), move |_| {
        let wrong = |error: &dyn std::error::Error| InputError::new_err(format!("{name}: {}", with_causes(error)));
        let bytes = files::read(&path, LARGEST_TELEMETRY).map_err(|error| wrong(&error))?;
        let log = read(&bytes, &name).map_err(|error| wrong(&error))?;
        let session = Session::new(&log, &options).map_err(|error| wrong(&error))?;
        let text = driven.then(|| session.driven_session());
        let summary = serde_json::to_string(&LogSummary::new(&log, &session)).map_err(|error| wrong(&error))?;
        Ok((summary, text))
    });
    let (summary, text) = found?;
    let laps = py.import("json")?.call_method1("loads", (summary,))?;
    if let Some(text) = text {
        laps.set_item("driven", text)?;
    }
    Ok(laps)
}
