//! Driven data to the vehicle that drove.

use std::path::{Path, PathBuf};

use pyo3::prelude::*;
use pyo3::types::PyDict;
use raceline::files::{self, LARGEST_TELEMETRY};
use raceline::input::LogKind;
use raceline::laps::{Session, SessionOptions};
use raceline::{Options, RacingLine};
use raceline_calibrate::{DrivenLine, Run, Telemetry, calibrate_rounds, csv, run_of};

use crate::arrays::numbers;
use crate::error::{self, InputError, with_causes};
use crate::interruptible::{Reports, run};
use crate::keywords;
use crate::loading::line_of;
use crate::values;
use crate::vehicle::Vehicle;

/// Fits a vehicle to what it drove.
///
/// telemetry: the path of a table or of a logger's file, a dictionary of columns such as the "trace" of
///     `raceline.drive`, or a list of these, one for each run. Columns: "time_s", "speed_mps" (or
///     "forward_mps" and "leftward_mps"), "lateral_accel_mps2" or "yaw_rate_radps", optionally "accel_mps2",
///     "throttle", "brake", "pedal" and others.
/// base: the vehicle whose mass and sizes are taken, as `vehicle` of `optimize`.
/// lines: the `Line` that each run drove, or its path, in the order of the rounds. Limits are then held at what the
///     laps bear, a round that was worse is not followed, and telemetry needs "x_m" and "y_m".
///
/// Returns a dictionary: "vehicle", the `Vehicle`, "notes", what was not reached and filled, and the estimates
/// with their standard errors; with `lines` also "rounds", "best_round", from 1, and "settled": the vehicle is then that of
/// the best round. Raises `InputError` where the data do not suffice.
///
/// >>> import raceline
/// >>> line = raceline.optimize(raceline.generate("kart", seed=2), vehicle="kart", method="min-curvature")
/// >>> fitted = raceline.calibrate(raceline.drive(line, laps=2)["trace"], base="kart")
/// >>> fitted["vehicle"]["mass_kg"], len(fitted["vehicle"]["ggv_table"]) > 1
/// (150.0, True)
#[pyfunction]
#[pyo3(signature = (telemetry, *, base, lines = None))]
pub fn calibrate<'py>(
    py: Python<'py>,
    telemetry: &Bound<'py, PyAny>,
    base: &Bound<'py, PyAny>,
    lines: Option<Vec<Bound<'py, PyAny>>>,
) -> PyResult<Bound<'py, PyDict>> {
    let base = keywords::vehicle(Some(base), None, &mut Options::default())?;
    let given: Vec<Source> = if values::is_list(telemetry) {
        let all = telemetry.try_iter()?.enumerate();
        all.map(|(index, one)| Source::new(&format!("telemetry[{index}]"), &one?)).collect::<PyResult<_>>()?
    } else {
        vec![Source::new("telemetry", telemetry)?]
    };
    let (found, vehicle) = if let Some(lines) = lines {
        if lines.len() != given.len() {
            let (runs, lines) = (given.len(), lines.len());
            return Err(InputError::new_err(format!(
                "there are {runs} runs and {lines} lines: give a line for each run"
            )));
        }
        let line = |(index, line): (usize, &Bound<'py, PyAny>)| line_of(&format!("lines[{index}]"), line);
        let lines = lines.iter().enumerate().map(line).collect::<PyResult<Vec<_>>>()?;
        let refined = run(py, &Reports::default(), move |_| {
            let driven = given.into_iter().zip(lines).map(|(source, line)| source.read_driven(line));
            calibrate_rounds(driven.collect::<PyResult<Vec<_>>>()?, &base)
                .map_err(|error| InputError::new_err(with_causes(&error)))
        })?;
        (values::python(py, &refined)?, refined.vehicle().clone())
    } else {
        let fitted = run(py, &Reports::default(), move |_| {
            let runs = given.into_iter().map(Source::read).collect::<PyResult<Vec<Run>>>()?;
            raceline_calibrate::calibrate(&Telemetry { runs }, &base)
                .map_err(|error| InputError::new_err(with_causes(&error)))
        })?;
        (values::python(py, &fitted)?, fitted.vehicle)
    };
    let found = found.cast_into::<PyDict>()?;
    found.set_item("vehicle", Vehicle { vehicle })?;
    Ok(found)
}

/// The telemetry of a run: a file, or a table with its name.
enum Source {
    File(PathBuf),
    Table(String, Vec<u8>),
}

impl Source {
    fn new(name: &str, given: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(columns) = given.cast::<PyDict>() {
            return table(name, columns).map(|table| Self::Table(name.to_owned(), table.into_bytes()));
        }
        given.extract().map(Self::File).map_err(|_| {
            InputError::new_err(format!("{name} is {}: give a path or a dictionary of columns", given.get_type()))
        })
    }

    fn read(self) -> PyResult<Run> {
        let wrong = |error: &dyn std::error::Error| InputError::new_err(with_causes(error));
        match self {
            Self::Table(name, bytes) => csv::read(&bytes, &name).map_err(|error| wrong(&error)),
            Self::File(path) => read_file(&path),
        }
    }

    /// The run of driving `line`, from a table.
    fn read_driven(self, line: RacingLine) -> PyResult<DrivenLine> {
        let (name, bytes) = match self {
            Self::Table(name, bytes) => (name, bytes),
            Self::File(path) => read_bytes(&path)?,
        };
        DrivenLine::read(line, &bytes, &name).map_err(|error| InputError::new_err(with_causes(&error)))
    }
}

/// A file's name and content.
fn read_bytes(path: &Path) -> PyResult<(String, Vec<u8>)> {
    let bytes = files::read(path, LARGEST_TELEMETRY).map_err(|error| error::file(path, &error))?;
    Ok((path.display().to_string(), bytes))
}

/// The run in a file: a plain table has accelerations; those of a logger follow from its positions.
fn read_file(path: &Path) -> PyResult<Run> {
    let (name, bytes) = read_bytes(path)?;
    if LogKind::of(&bytes).is_none_or(|kind| kind == LogKind::Csv) {
        return csv::read(&bytes, &name).map_err(|error| InputError::new_err(with_causes(&error)));
    }
    let log = raceline::laps::read(&bytes, &name).map_err(|error| error::file(path, &error))?;
    let session = Session::new(&log, &SessionOptions::default()).map_err(|error| error::file(path, &error))?;
    Ok(run_of(&session, &name))
}

/// Columns as a table of text; those that hold no numbers are left out.
fn table(name: &str, columns: &Bound<'_, PyDict>) -> PyResult<String> {
    let mut names = Vec::new();
    let mut values: Vec<Vec<f64>> = Vec::new();
    for (key, column) in columns {
        let key: String = key.extract()?;
        match numbers(&format!("{name}[{key:?}]"), &column) {
            Ok(numbers) => {
                names.push(key);
                values.push(numbers);
            }
            // The names of states, such as those of a drive's trace.
            Err(_) if column.extract::<Vec<String>>().is_ok() => {}
            Err(error) => return Err(error),
        }
    }
    let rows = values.first().map_or(0, Vec::len);
    if let Some(index) = values.iter().position(|column| column.len() != rows) {
        let (first, other, count) = (&names[0], &names[index], values[index].len());
        return Err(InputError::new_err(format!(
            "{name}: {first} has {rows} entries and {other} {count}: give one of each per frame"
        )));
    }
    let mut text = names.join(",") + "\n";
    for row in 0..rows {
        let row: Vec<String> = values.iter().map(|column| column[row].to_string()).collect();
        text.push_str(&row.join(","));
        text.push('\n');
    }
    Ok(text)
}
