//! A line that exists, with its speeds.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use raceline::pipeline::{self, GivenLine, Request, TrackSource};

use crate::error::{self, InputError};
use crate::interruptible::{Reports, run};
use crate::keywords;
use crate::line::Line;
use crate::track::{self, Track};

/// Gives a line that exists its speeds: the file at a path, or points of x and y.
#[pyfunction]
#[pyo3(signature = (line, *, track = None, vehicle = None, name = "line", progress = None, **options))]
pub fn profile(
    py: Python<'_>,
    line: &Bound<'_, PyAny>,
    track: Option<&Bound<'_, PyAny>>,
    vehicle: Option<&Bound<'_, PyAny>>,
    name: &str,
    progress: Option<&Bound<'_, PyAny>>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Line> {
    let reports = Reports::new(progress)?;
    let layer = keywords::layer(options)?;
    let file = track::path_of(line).ok();
    let extracted = track.and_then(|track| track.cast::<Track>().ok()).map(|track| track.get());
    let track_file = match (track, extracted) {
        (Some(track), None) => Some(track::path_of(track)?),
        _ => None,
    };
    // As on the command line: the options beside the track, else beside the line.
    let mut layers = match (extracted, track_file.as_ref().or(file.as_ref())) {
        (Some(track), _) => track.layers.clone(),
        (None, Some(beside)) => keywords::sidecar(beside, layer.reach())?.into_iter().collect(),
        (None, None) => Vec::new(),
    };
    layers.push(layer);
    let mut merged = keywords::options(&layers)?;
    let vehicle = keywords::vehicle(vehicle, &mut merged)?;
    let points = match &file {
        Some(_) => Vec::new(),
        None => points(line)?,
    };
    let extraction = extracted.map(|track| track.extraction.clone());
    let name = name.to_owned();
    let made = run(py, &reports, move |progress| {
        let given = match &file {
            Some(file) => GivenLine::read(file, &merged).map_err(|failed| error::pipeline(&failed))?,
            None => GivenLine::from_points(&name, &points),
        };
        let source = match (extraction, &track_file) {
            (Some(extraction), _) => Some(TrackSource::from(extraction)),
            (None, Some(file)) => Some(TrackSource::from(file)),
            (None, None) => None,
        };
        let request = Request::new(&merged, &vehicle).progress(progress);
        pipeline::profile(&given, source, &request).map_err(|failed| error::pipeline(&failed))
    })?;
    Ok(Line::new(&made.line, made.warnings.iter().map(ToString::to_string).collect()))
}

/// Points that a caller gives as an array of two columns, or as a list of pairs.
fn points(given: &Bound<'_, PyAny>) -> PyResult<Vec<[f64; 2]>> {
    let listed = match given.call_method0("tolist") {
        Ok(listed) => listed,
        Err(_) => given.clone(),
    };
    let points: Vec<[f64; 2]> =
        listed.extract().map_err(|_| InputError::new_err("line is neither a path nor points of x and y"))?;
    match points.iter().flatten().position(|value| !value.is_finite()) {
        Some(index) => Err(InputError::new_err(format!("line[{}] is not two finite numbers", index / 2))),
        None => Ok(points),
    }
}
