//! The search for a line.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use raceline::pipeline::{self, Request};

use crate::error;
use crate::interruptible::{Reports, run};
use crate::keywords;
use crate::line::Line;
use crate::track::{self, Track};

/// Finds the line of a track, or of the file at a path.
#[pyfunction]
#[pyo3(signature = (track, *, vehicle = None, method = None, progress = None, detail = false, **options))]
pub fn optimize(
    py: Python<'_>,
    track: &Bound<'_, PyAny>,
    vehicle: Option<&Bound<'_, PyAny>>,
    method: Option<&str>,
    progress: Option<&Bound<'_, PyAny>>,
    detail: bool,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Line> {
    let given = match options {
        Some(options) => options.copy()?,
        None => PyDict::new(py),
    };
    if let Some(method) = method {
        given.set_item("method", method)?;
    }
    let reports = Reports::new(progress)?;
    let layer = keywords::layer(Some(&given))?;
    let (file, extraction, mut layers): (_, Option<_>, _) = match track.cast::<Track>() {
        Ok(track) => {
            let track = track.get();
            (track.file.clone(), Some(track.extraction.clone()), track.layers.clone())
        }
        Err(_) => {
            let path = track::path_of(track)?;
            let layers = keywords::sidecar(&path, layer.reach())?.into_iter().collect();
            (path, None, layers)
        }
    };
    layers.push(layer);
    let mut merged = keywords::options(&layers)?;
    let vehicle = keywords::vehicle(vehicle, &mut merged)?;
    let outcome = run(py, &reports, move |progress| {
        let request = Request::new(&merged, &vehicle).detail(detail).progress(progress);
        let found = match extraction {
            Some(extraction) => pipeline::optimize(extraction, &request),
            None => pipeline::optimize(&file, &request),
        };
        found.map_err(|failed| error::pipeline(&failed))
    })?;
    let warnings = outcome.warnings.iter().map(ToString::to_string).collect();
    Ok(Line::new(&outcome.line, warnings))
}
