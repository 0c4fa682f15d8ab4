//! Many vehicles on one track.

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict};
use raceline::pipeline::{self, Request};
use raceline::sweep::{Amount, Plan, Row, SweepError, SweepMode, Table, Values, Variation, sweep as swept};

use crate::arrays::numbers;
use crate::error::{self, OptionsError, SolveError, with_causes};
use crate::interruptible::{Reports, run};
use crate::keywords;
use crate::source::Given;

/// Finds the lap of every combination of values of a vehicle.
///
/// track, vehicle, method, progress, options: as for `optimize`.
/// vary: from a key of the vehicle, or "grip", to its values: an array or list of numbers in the key's unit, or
///     text as on the command line: "0.8x:1.2x:5" for five factors, "-10%,+10%" for changes.
/// fixed_line: whether all drive the line of the vehicle itself, which is much faster.
///
/// Returns a dictionary of columns, one entry per combination, of which the last key changes fastest: each key,
/// "lap_time_s", "length_m", "top_speed_mps", "lowest_speed_mps" and "gain_s" over the vehicle itself, with nan
/// where a combination failed, and "message".
///
/// >>> import raceline
/// >>> oval = raceline.generate("oval", length=900.0)
/// >>> table = raceline.sweep(oval, {"grip": [0.8, 1.0, 1.2]}, vehicle="gt", method="min-curvature", fixed_line=True)
/// >>> bool((table["lap_time_s"][:-1] > table["lap_time_s"][1:]).all())
/// True
#[pyfunction]
#[pyo3(signature = (track, vary, *, vehicle = None, method = None, fixed_line = false, progress = None, **options))]
#[expect(clippy::too_many_arguments, reason = "keywords of Python")]
pub fn sweep<'py>(
    py: Python<'py>,
    track: &Bound<'py, PyAny>,
    vary: &Bound<'py, PyDict>,
    vehicle: Option<&Bound<'py, PyAny>>,
    method: Option<&str>,
    fixed_line: bool,
    progress: Option<&Bound<'py, PyAny>>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyDict>> {
    let reports = Reports::new(progress)?;
    let layer = keywords::layer_with(options, &[("method", method)].into_py_dict(py)?)?;
    let track = Given::new(track, None, None)?;
    let (merged, vehicle) = track.options(layer, vehicle)?;
    let variations = vary.iter().map(|(key, spec)| variation(&key, &spec)).collect::<PyResult<Vec<_>>>()?;
    let wrong = |error: SweepError| OptionsError::new_err(format!("vary: {}", with_causes(&error)));
    let plan = Plan::new(&vehicle, &variations).map_err(wrong)?;
    let vehicles = plan.vehicles(&vehicle).map_err(wrong)?;
    let mode = if fixed_line { SweepMode::FixedLine } else { SweepMode::Reoptimize };
    let table = run(py, &reports, move |progress| {
        let request = Request::new(&merged, &vehicle).progress(progress);
        let extraction = pipeline::extracted(track.source(), &request).map_err(|failed| error::pipeline(&failed))?;
        let found =
            swept(&extraction, &request, &vehicles, mode).map_err(|error| SolveError::new_err(with_causes(&error)))?;
        Ok(Table::new((&extraction.name, &vehicle.name), (merged.method, mode), plan, &found))
    })?;
    let columns = PyDict::new(py);
    for (index, axis) in table.axes.iter().enumerate() {
        let values = table.rows.iter().map(|row| row.values.get(index).copied().unwrap_or(f64::NAN)).collect();
        columns.set_item(&axis.key, PyArray1::from_vec(py, values))?;
    }
    let column = |value: &dyn Fn(&Row) -> Option<f64>| {
        PyArray1::from_vec(py, table.rows.iter().map(|row| value(row).unwrap_or(f64::NAN)).collect())
    };
    columns.set_item("lap_time_s", column(&|row| row.lap.map(|lap| lap.lap_time_s)))?;
    columns.set_item("length_m", column(&|row| row.lap.map(|lap| lap.length_m)))?;
    columns.set_item("top_speed_mps", column(&|row| row.lap.map(|lap| lap.top_speed_mps)))?;
    columns.set_item("lowest_speed_mps", column(&|row| row.lap.map(|lap| lap.lowest_speed_mps)))?;
    columns.set_item("gain_s", column(&|row| table.gain(row).map(|(seconds, _)| seconds)))?;
    columns.set_item("message", table.rows.iter().map(|row| row.message.as_str()).collect::<Vec<_>>())?;
    Ok(columns)
}

fn variation(key: &Bound<'_, PyAny>, spec: &Bound<'_, PyAny>) -> PyResult<Variation> {
    let key: String = key.extract()?;
    if let Ok(text) = spec.extract::<String>() {
        let variation: Result<Variation, _> = format!("{key}={text}").parse();
        return variation.map_err(|error| OptionsError::new_err(format!("vary: {}", with_causes(&error))));
    }
    let values = numbers(&format!("vary[{key:?}]"), spec)?;
    Ok(Variation { key, values: Values::List(values.into_iter().map(Amount::Absolute).collect()) })
}
