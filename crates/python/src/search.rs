//! The search for a line.

use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict};
use raceline::confidence::optimize_with_confidence;
use raceline::pipeline::{self, Request};

use crate::error;
use crate::interruptible::{Reports, run};
use crate::keywords;
use crate::line::Line;
use crate::noise;
use crate::source::Given;

/// Finds the racing line of a track.
///
/// track: a `Track`, the path of a picture, map or track file, the bytes of such a file, or a picture as
///     an array of dtype uint8 or bool of shape (rows, columns) or (rows, columns, 3), row 0 at the top.
/// vehicle: the name of a preset, the path of a vehicle file, a dictionary with its keys, or a `Vehicle`.
///     Default: that of the sidecar, else "tum-racecar".
/// method: "shortest-path", "min-curvature", "iterated-min-curvature", "blend", "time-optimal",
///     "relaxation" or "sampled". Default: "time-optimal".
/// progress: True prints the stages on stderr; a function is called with (stage, done, total, note).
/// detail: whether the line has the points of its candidates and the cross-sections.
/// name: name of a track in memory. Default: "track".
/// noise, confidence: the line keeps as much room to the edges, and leaves as much of the grip, as a vehicle with
///     these errors needs to stay on the road in a lap with this probability, 0.5 to 0.99999; `noise` as for
///     `drive`. `Line.survival` has what was found. Default: no errors.
/// options: every key of a sidecar, as in `raceline.Options`; they override the sidecar beside the file.
///
/// Returns the `Line`. Raises `InputError` for the track, `OptionsError` for vehicle, method and options,
/// `SolveError` if there is no line, or none with this confidence. Ctrl-C ends the search.
///
/// >>> import raceline
/// >>> ring = raceline.generate("oval", length=900.0)
/// >>> line = raceline.optimize(ring, vehicle="gt", method="min-curvature")
/// >>> line.closed, line.lap_time > 15, len(line.x) == len(line.speed)
/// (True, True, True)
#[pyfunction]
#[pyo3(signature = (track, *, vehicle = None, method = None, progress = None, detail = false, name = None, noise = None,
    confidence = None, **options))]
#[expect(clippy::too_many_arguments, reason = "keywords of Python")]
pub fn optimize(
    py: Python<'_>,
    track: &Bound<'_, PyAny>,
    vehicle: Option<&Bound<'_, PyAny>>,
    method: Option<&str>,
    progress: Option<&Bound<'_, PyAny>>,
    detail: bool,
    name: Option<&str>,
    noise: Option<&Bound<'_, PyAny>>,
    confidence: Option<f64>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Line> {
    let reports = Reports::new(progress)?;
    let layer = keywords::layer_with(options, &[("method", method)].into_py_dict(py)?)?;
    let track = Given::new(track, name, None)?;
    let (merged, vehicle) = track.options(layer, vehicle)?;
    let survival = noise::survival(noise, confidence)?;
    if let Some(options) = survival {
        let found = run(py, &reports, move |progress| {
            let request = Request::new(&merged, &vehicle).detail(detail).progress(progress);
            let extraction =
                pipeline::extracted(track.source(), &request).map_err(|failed| error::pipeline(&failed))?;
            optimize_with_confidence(&extraction, &request, &options).map_err(|failed| noise::wrong_confidence(&failed))
        })?;
        return Ok(Line::found(&found.outcome.line, &found.outcome.warnings).with_survival(found.survival));
    }
    let outcome = run(py, &reports, move |progress| {
        let request = Request::new(&merged, &vehicle).detail(detail).progress(progress);
        pipeline::optimize(track.source(), &request).map_err(|failed| error::pipeline(&failed))
    })?;
    Ok(Line::found(&outcome.line, &outcome.warnings))
}
