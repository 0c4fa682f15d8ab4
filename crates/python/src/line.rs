//! A racing line, its columns as arrays.

use std::path::PathBuf;

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use raceline::RacingLine;
use raceline::file::{LinePoint, json};
use raceline::files::{self, LARGEST_LINE_FILE};
use raceline::pipeline;
use raceline_render::svg;

use crate::arrays::Columns;
use crate::error::{self, InputError, RacelineError};
use crate::interruptible::{Reports, run};
use crate::keywords;
use crate::pickling::{Reduced, reduced};

/// Width of the picture in a notebook, pixels.
const PICTURE_WIDTH_PX: u32 = 900;

/// A racing line with its speed profile.
#[pyclass(frozen, module = "raceline")]
pub struct Line {
    pub line: RacingLine,
    warnings: Vec<String>,
    columns: Columns,
}

impl Line {
    /// The line as its file has it, so that a saved line is the same when it is loaded.
    pub fn new(line: &RacingLine, warnings: Vec<String>) -> Self {
        Self { line: line.rounded(), warnings, columns: Columns::default() }
    }

    fn column<'py>(
        &self,
        py: Python<'py>,
        name: &'static str,
        value: impl Fn(&LinePoint) -> f64,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.columns.get(py, name, || self.line.points.iter().map(value).collect())
    }

    /// The bytes of its file.
    pub fn bytes(&self) -> PyResult<Vec<u8>> {
        json::write(&self.line).map_err(|error| RacelineError::new_err(error::chain(&error)))
    }
}

/// Reads a racing-line file.
#[pyfunction]
pub fn load(path: PathBuf) -> PyResult<Line> {
    let bytes = files::read(&path, LARGEST_LINE_FILE).map_err(|error| error::file(&path, &error))?;
    let line = json::read(&bytes).map_err(|error| error::file(&path, &error))?;
    Ok(Line::new(&line, Vec::new()))
}

/// A line from the bytes of its file and its warnings, as it is pickled.
#[pyfunction]
pub fn _line(bytes: &[u8], warnings: Vec<String>) -> PyResult<Line> {
    let line = json::read(bytes).map_err(|error| InputError::new_err(error::chain(&error)))?;
    Ok(Line::new(&line, warnings))
}

/// Judges a line or the file at a path: the violated rules as sentences, none for a sound line.
#[pyfunction]
#[pyo3(signature = (line, *, vehicle=None))]
pub fn verify(py: Python<'_>, line: &Bound<'_, PyAny>, vehicle: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<String>> {
    let bytes = bytes_of(line)?;
    let line = json::read(&bytes).map_err(|error| InputError::new_err(error.to_string()))?;
    let vehicle =
        vehicle.map(|vehicle| keywords::vehicle(Some(vehicle), &mut raceline::Options::default())).transpose()?;
    run(py, &Reports::default(), move |_| {
        let report = pipeline::judge(&line, vehicle.as_ref(), None)
            .map_err(|error| InputError::new_err(error::chain(&error)))?;
        Ok(report.findings().map(ToString::to_string).collect())
    })
}

#[pymethods]
impl Line {
    /// Name of the track.
    #[getter]
    fn name(&self) -> &str {
        &self.line.name
    }

    /// Method that found the line.
    #[getter]
    fn method(&self) -> &'static str {
        self.line.method.name()
    }

    /// Name of the vehicle.
    #[getter]
    fn vehicle(&self) -> &str {
        &self.line.vehicle.name
    }

    /// Whether it leads back to its start.
    #[getter]
    fn closed(&self) -> bool {
        self.line.closed
    }

    /// Lap time, s.
    #[getter]
    fn lap_time(&self) -> f64 {
        self.line.lap_time_s
    }

    /// Length, m.
    #[getter]
    fn length(&self) -> f64 {
        self.line.length_m
    }

    /// What is doubtful about it; empty for a line from a file.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.warnings.clone()
    }

    /// Distance along the line from the start line, m.
    #[getter]
    fn s<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.column(py, "s", |point| point.s_m)
    }

    /// Position, m to the right.
    #[getter]
    fn x<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.column(py, "x", |point| point.x_m)
    }

    /// Position, m upwards.
    #[getter]
    fn y<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.column(py, "y", |point| point.y_m)
    }

    /// Heading, rad counter-clockwise from +x.
    #[getter]
    fn heading<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.column(py, "heading", |point| point.heading_rad)
    }

    /// Curvature, 1/m, positive to the left.
    #[getter]
    fn curvature<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.column(py, "curvature", |point| point.curvature_radpm)
    }

    /// Speed, m/s.
    #[getter]
    fn speed<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.column(py, "speed", |point| point.speed_mps)
    }

    /// Acceleration along the line, m/s².
    #[getter]
    fn acceleration<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.column(py, "acceleration", |point| point.accel_mps2)
    }

    /// Time since the start line, s.
    #[getter]
    fn time<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.column(py, "time", |point| point.time_s)
    }

    /// Distance to the left edge, m.
    #[getter]
    fn left<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.column(py, "left", |point| point.left_m)
    }

    /// Distance to the right edge, m.
    #[getter]
    fn right<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.column(py, "right", |point| point.right_m)
    }

    /// The file as text.
    fn to_json(&self) -> PyResult<String> {
        String::from_utf8(self.bytes()?).map_err(|error| RacelineError::new_err(error.to_string()))
    }

    /// Writes the file, whole or not at all.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        let bytes = self.bytes()?;
        raceline_cli::write_whole(&path, &bytes).map_err(|error| InputError::new_err(format!("{error:#}")))
    }

    /// The points as a pandas DataFrame, one column per quantity with its unit in its name.
    fn to_dataframe<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let pandas =
            py.import("pandas").map_err(|_| RacelineError::new_err("to_dataframe needs pandas: pip install pandas"))?;
        let columns = PyDict::new(py);
        for (name, column) in [
            ("s_m", self.s(py)?),
            ("x_m", self.x(py)?),
            ("y_m", self.y(py)?),
            ("heading_rad", self.heading(py)?),
            ("curvature_radpm", self.curvature(py)?),
            ("speed_mps", self.speed(py)?),
            ("accel_mps2", self.acceleration(py)?),
            ("time_s", self.time(py)?),
            ("left_m", self.left(py)?),
            ("right_m", self.right(py)?),
        ] {
            columns.set_item(name, column)?;
        }
        pandas.call_method1("DataFrame", (columns,))
    }

    /// A picture of it, for notebooks.
    fn _repr_svg_(&self) -> PyResult<String> {
        let options = svg::RenderOptions { width_px: PICTURE_WIDTH_PX, ..svg::RenderOptions::default() };
        svg::render(std::slice::from_ref(&self.line), &options)
            .map_err(|error| RacelineError::new_err(error::chain(&error)))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, (Bound<'py, PyBytes>, Vec<String>)> {
        reduced(py, "_line", (PyBytes::new(py, &self.bytes()?), self.warnings.clone()))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.line == other.line && self.warnings == other.warnings
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        PyBytes::new(py, &self.bytes()?).hash()
    }

    fn __len__(&self) -> usize {
        self.line.points.len()
    }

    fn __repr__(&self) -> String {
        let RacingLine { name, lap_time_s, length_m, .. } = &self.line;
        let (method, vehicle) = (self.method(), self.vehicle());
        format!("<raceline.Line {name:?}: {lap_time_s:.3} s over {length_m:.1} m, {method}, {vehicle}>")
    }
}

/// The line of a [`Line`] or of the file at a path.
pub fn bytes_of(given: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    if let Ok(line) = given.cast::<Line>() {
        return line.get().bytes();
    }
    let path: PathBuf =
        given.extract().map_err(|_| InputError::new_err("the first argument is neither a raceline.Line nor a path"))?;
    files::read(&path, LARGEST_LINE_FILE).map_err(|error| error::file(&path, &error))
}
