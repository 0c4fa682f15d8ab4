//! Finished lines as numbers: corners, sectors, and two lines compared.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use raceline::RacingLine;
use raceline::analysis::{self, AnalysisError, AnalysisOptions, ComparisonError, CornerOptions};
use raceline::pipeline;

use crate::error::{InputError, OptionsError, with_causes};
use crate::interruptible::{Reports, run};
use crate::loading::line_of;
use crate::values;

/// The options of an analysis; None is what the line was made with.
fn options(
    line: &RacingLine,
    corner_curvature: Option<f64>,
    corner_merge: Option<f64>,
    corner_min_angle: Option<f64>,
    sectors: Option<Vec<f64>>,
) -> AnalysisOptions {
    let own = AnalysisOptions::of(line);
    let usual = CornerOptions::default();
    AnalysisOptions {
        corners: CornerOptions {
            curvature_radpm: corner_curvature,
            merge_s: corner_merge.unwrap_or(usual.merge_s),
            min_angle_rad: corner_min_angle.unwrap_or(usual.min_angle_rad),
        },
        sectors_m: sectors.unwrap_or(own.sectors_m),
    }
}

fn wrong(error: &AnalysisError) -> PyErr {
    match error {
        AnalysisError::NotPositive { .. } => OptionsError::new_err(with_causes(error)),
        _ => InputError::new_err(with_causes(error)),
    }
}

/// Analyses a line: a dictionary with its corners, straights, sectors, extremes and margins.
///
/// line: a `Line` or the path of its file.
/// sensitivities: adds the change of the lap time with each number of the vehicle.
/// corner_curvature: smallest curvature of a corner, 1/m; corner_merge: bends to one side are one corner if
///     less time passes between them, s; corner_min_angle: smallest change of the road's heading in a
///     corner, rad.
/// sectors: where sectors end, m from the start line; default: those of the line, or thirds.
///
/// >>> import raceline
/// >>> line = raceline.optimize(raceline.generate("oval", length=900.0), vehicle="gt", method="min-curvature")
/// >>> found = raceline.inspect(line)
/// >>> len(found["sectors"]), found["corners"][0]["number"], found["corners"] == line.corners
/// (3, 1, True)
#[pyfunction]
#[pyo3(signature = (line, *, sensitivities = false, corner_curvature = None, corner_merge = None,
    corner_min_angle = None, sectors = None))]
pub fn inspect<'py>(
    py: Python<'py>,
    line: &Bound<'py, PyAny>,
    sensitivities: bool,
    corner_curvature: Option<f64>,
    corner_merge: Option<f64>,
    corner_min_angle: Option<f64>,
    sectors: Option<Vec<f64>>,
) -> PyResult<Bound<'py, PyAny>> {
    let line = line_of("line", line)?;
    let options = options(&line, corner_curvature, corner_merge, corner_min_angle, sectors);
    let overview = PyDict::new(py);
    overview.set_item("name", &line.name)?;
    overview.set_item("closed", line.closed)?;
    overview.set_item("method", line.method.name())?;
    overview.set_item("length_m", line.length_m)?;
    overview.set_item("lap_time_s", line.lap_time_s)?;
    overview.set_item("vehicle", &line.vehicle.name)?;
    let (analysis, found) = run(py, &Reports::default(), move |_| {
        let analysis = analysis::analyse(&line, &options).map_err(|error| wrong(&error))?;
        let found = sensitivities
            .then(|| {
                let again = pipeline::redrive(&line).map_err(|error| InputError::new_err(with_causes(&error)))?;
                again.sensitivities(&line.vehicle).map_err(|error| InputError::new_err(with_causes(&error)))
            })
            .transpose()?;
        Ok((analysis, found))
    })?;
    overview.update(values::python(py, &analysis)?.cast::<PyDict>()?.as_mapping())?;
    if let Some(found) = found {
        overview.set_item("sensitivities", values::python(py, &found)?)?;
    }
    Ok(overview.into_any())
}

/// Compares a line with a reference: a dictionary with the differences by sector, by corner and along the
/// lap.
///
/// reference, line: a `Line` or the path of its file, each; positive differences are those of `line` over
///     `reference`.
/// The other arguments are those of `inspect`.
///
/// >>> import raceline
/// >>> oval = raceline.generate("oval", length=900.0)
/// >>> short, smooth = (raceline.optimize(oval, vehicle="gt", method=m) for m in ("shortest-path", "min-curvature"))
/// >>> raceline.compare(short, smooth)["lap_difference_s"] < 0
/// True
#[pyfunction]
#[pyo3(signature = (reference, line, *, corner_curvature = None, corner_merge = None, corner_min_angle = None,
    sectors = None))]
pub fn compare<'py>(
    py: Python<'py>,
    reference: &Bound<'py, PyAny>,
    line: &Bound<'py, PyAny>,
    corner_curvature: Option<f64>,
    corner_merge: Option<f64>,
    corner_min_angle: Option<f64>,
    sectors: Option<Vec<f64>>,
) -> PyResult<Bound<'py, PyAny>> {
    let (reference, line) = (line_of("reference", reference)?, line_of("line", line)?);
    let options = options(&reference, corner_curvature, corner_merge, corner_min_angle, sectors);
    let found = run(py, &Reports::default(), move |_| {
        analysis::compare(&reference, &line, &options).map_err(|error| match error {
            ComparisonError::Analysis(error) => wrong(&error),
            error => InputError::new_err(with_causes(&error)),
        })
    })?;
    values::python(py, &found)
}
