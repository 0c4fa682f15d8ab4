//! A line that exists, with its speeds.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use raceline::pipeline::{self, GivenLine, Request};

use crate::arrays::points;
use crate::error;
use crate::interruptible::{Reports, run};
use crate::keywords;
use crate::line::Line;
use crate::source::Given;

/// Gives a line that exists its speeds: the line stays as it is.
///
/// line: the path of a file with a line, or its points in the order of travel, m, as an array of shape
///     (points, 2) or a list of pairs.
/// track: the road that it runs along, as for `optimize`. Default: a road about the line, of the width
///     `track_width_m` or twice what the vehicle needs.
/// vehicle, progress, options: as for `optimize`. name: name of a line of points.
///
/// Returns the `Line`, whose method is "given".
///
/// >>> import numpy as np, raceline
/// >>> angle = np.linspace(0, 2 * np.pi, 90, endpoint=False)
/// >>> line = raceline.profile(np.column_stack([48 * np.cos(angle), 48 * np.sin(angle)]), vehicle="gt")
/// >>> line.method, round(line.length)
/// ('given', 302)
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
    let file = line.extract::<PathBuf>().ok();
    let track = track.map(|track| Given::new(track, None, None)).transpose()?;
    // As on the command line: the options beside the track, else beside the line.
    let mut layers = match (&track, &file) {
        (Some(track), _) => track.layers(layer.reach())?,
        (None, Some(beside)) => keywords::sidecar(beside, layer.reach())?.into_iter().collect(),
        (None, None) => Vec::new(),
    };
    layers.push(layer);
    let mut merged = keywords::options(&layers)?;
    let vehicle = keywords::vehicle(vehicle, track.as_ref().and_then(Given::vehicle), &mut merged)?;
    let points = match &file {
        Some(_) => Vec::new(),
        None => points("line", line)?,
    };
    let name = name.to_owned();
    let made = run(py, &reports, move |progress| {
        let given = match &file {
            Some(file) => GivenLine::read(file, &merged).map_err(|failed| error::pipeline(&failed))?,
            None => GivenLine::from_points(&name, &points),
        };
        let request = Request::new(&merged, &vehicle).progress(progress);
        pipeline::profile(&given, track.as_ref().map(Given::source), &request)
            .map_err(|failed| error::pipeline(&failed))
    })?;
    Ok(Line::found(&made.line, &made.warnings))
}
