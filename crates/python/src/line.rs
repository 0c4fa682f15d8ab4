//! A racing line, its columns as arrays.

use std::path::PathBuf;

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use raceline::RacingLine;
use raceline::analysis::{AnalysisOptions, analyse};
use raceline::confidence::Survival;
use raceline::file::{Candidate, LinePoint, json};
use raceline::formats::FormatOptions;

use crate::arrays::Columns;
use crate::drawing::{Looks, drawn};
use crate::error::{self, InputError, OptionsError, RacelineError};
use crate::output::{self, Drawing};
use crate::pickling::{Reduced, reduced};
use crate::values;
use crate::vehicle::Vehicle;

/// What a line is made anew of: the bytes of its file, its warnings, and how surely it survives.
type Parts<'py> = (Bound<'py, PyBytes>, Vec<String>, Option<Bound<'py, PyAny>>);
type Coordinates<'py> = (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>);

/// Width of the picture in a notebook, pixels.
const PICTURE_WIDTH_PX: u32 = 900;

/// A racing line with its speed profile.
///
/// Columns are NumPy arrays with one entry per point, in SI units; they cannot be written. Lines are made by
/// `raceline.optimize`, `raceline.profile` and `raceline.load`; they are pickled, copied and compared.
#[pyclass(frozen, module = "raceline")]
pub struct Line {
    pub line: RacingLine,
    warnings: Vec<String>,
    survival: Option<Survival>,
    columns: Columns,
}

impl Line {
    /// The line as its file has it, so that a saved line is the same when it is loaded.
    pub fn new(line: &RacingLine, warnings: Vec<String>) -> Self {
        Self { line: line.rounded(), warnings, survival: None, columns: Columns::default() }
    }

    /// The line, and how surely it survives.
    pub fn with_survival(self, survival: impl Into<Option<Survival>>) -> Self {
        Self { survival: survival.into(), ..self }
    }

    /// A line that was found, with the warnings of its search.
    pub fn found<W: ToString>(line: &RacingLine, warnings: &[W]) -> Self {
        Self::new(line, warnings.iter().map(ToString::to_string).collect())
    }

    fn column<'py>(
        &self,
        py: Python<'py>,
        name: &'static str,
        value: impl Fn(&LinePoint) -> f64,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.columns.get(py, name, || self.line.points.iter().map(value).collect())
    }

    /// A column that every point has, or none.
    fn optional<'py>(
        &self,
        py: Python<'py>,
        name: &'static str,
        value: impl Fn(&LinePoint) -> Option<f64>,
    ) -> PyResult<Option<Bound<'py, PyArray1<f64>>>> {
        let values: Option<Vec<f64>> = self.line.points.iter().map(value).collect();
        values.map(|values| self.columns.get(py, name, || values)).transpose()
    }

    /// The bytes of its file.
    pub fn bytes(&self) -> PyResult<Vec<u8>> {
        json::write(&self.line).map_err(|error| RacelineError::new_err(error::with_causes(&error)))
    }
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

    /// How surely a line made with `confidence` stays on the road; None for any other, and for a line from a file.
    ///
    /// A dictionary: "confidence" as asked for, "predicted" probability of staying on the road in a lap,
    /// "grip_fraction" of the tyres that the line uses, "max_edge_margin_m", and of the line without noise
    /// "free_lap_time_s" and "free_predicted".
    #[getter]
    fn survival<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.survival.as_ref().map(|survival| values::python(py, survival)).transpose()
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

    /// Height, m; None on a road without heights.
    #[getter]
    fn z<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray1<f64>>>> {
        self.optional(py, "z", |point| point.z_m)
    }

    /// Banking of the road, positive where the left is higher, rad; None on a road without heights.
    #[getter]
    fn banking<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray1<f64>>>> {
        self.optional(py, "banking", |point| point.banking_rad)
    }

    /// The file as text.
    fn to_json(&self) -> PyResult<String> {
        String::from_utf8(self.bytes()?).map_err(|error| RacelineError::new_err(error.to_string()))
    }

    /// Writes the line, whole or not at all, as what the name ends in: `.json` is the racing-line file,
    /// `.svg` and `.png` a picture, `.html` an interactive page, `.csv` a table, and `.gpx`, `.kml`,
    /// `.geojson`, `.xodr` and others the format that has this ending alone. Other endings are refused.
    ///
    /// >>> import pathlib, raceline, tempfile
    /// >>> line = raceline.optimize(raceline.generate("oval", length=900.0), vehicle="gt", method="min-curvature")
    /// >>> with tempfile.TemporaryDirectory() as folder:
    /// ...     line.save(pathlib.Path(folder) / "oval.json")
    /// ...     raceline.load(pathlib.Path(folder) / "oval.json") == line
    /// True
    fn save(&self, path: PathBuf) -> PyResult<()> {
        let bytes = match output::kind_of(&path)? {
            output::Kind::Line => self.bytes()?,
            output::Kind::Drawing(drawing) => drawn(&[&self.line], drawing, &Looks::default())?,
            output::Kind::Format(format) => output::formatted(&self.line, format, &FormatOptions::default())?,
        };
        output::write(&path, &bytes)
    }

    /// Writes the line in the format of another program, or returns its bytes where `path` is None.
    ///
    /// path: the file to write. format: its name, as "tum" or "autoware"; `raceline.formats()` lists them.
    ///     Default: the format of the ending.
    /// spacing: distance between the points, m. Default: the line's points.
    /// speed_factor: factor on the speeds, 0.01 to 2. closed_repeat: whether the first point of a closed line
    ///     is repeated. origin: (longitude, latitude) of the point (0 m, 0 m), degrees, for geographic formats.
    /// cell, margin: size of the cells and width of the border of a flow field, m.
    ///
    /// >>> import raceline
    /// >>> line = raceline.optimize(raceline.generate("oval", length=900.0), vehicle="gt", method="min-curvature")
    /// >>> line.export(format="tum", spacing=2.0).splitlines()[-2].count(b";")
    /// 6
    #[pyo3(signature = (path = None, *, format = None, spacing = None, speed_factor = None, closed_repeat = None,
        origin = None, cell = None, margin = None))]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn export<'py>(
        &self,
        py: Python<'py>,
        path: Option<PathBuf>,
        format: Option<&str>,
        spacing: Option<f64>,
        speed_factor: Option<f64>,
        closed_repeat: Option<bool>,
        origin: Option<(f64, f64)>,
        cell: Option<f64>,
        margin: Option<f64>,
    ) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let format = match (format, &path) {
            (Some(name), _) => output::format(name)?,
            (None, Some(path)) => match output::kind_of(path)? {
                output::Kind::Format(format) => format,
                _ => {
                    return Err(OptionsError::new_err(format!(
                        "{}: this ending is no format of another program: give format=, or use Line.save or Line.render",
                        path.display()
                    )));
                }
            },
            (None, None) => return Err(OptionsError::new_err("path and format are both missing: give one of them")),
        };
        let options = FormatOptions {
            geographic_origin_deg: origin.map(|(longitude, latitude)| [longitude, latitude]),
            flow_field_cell_m: cell,
            flow_field_margin_m: margin,
            spacing_m: spacing,
            speed_factor,
            closed_repeat,
        };
        let bytes = output::formatted(&self.line, format, &options)?;
        match path {
            Some(path) => output::write(&path, &bytes).map(|()| None),
            None => Ok(Some(PyBytes::new(py, &bytes))),
        }
    }

    /// Draws the line as a picture or an interactive page; see `raceline.render`.
    ///
    /// >>> import raceline
    /// >>> line = raceline.optimize(raceline.generate("oval", length=900.0), vehicle="gt", method="min-curvature")
    /// >>> line.render(format="svg")[:4]
    /// b'<svg'
    #[pyo3(signature = (path = None, **options))]
    fn render<'py>(
        &self,
        py: Python<'py>,
        path: Option<PathBuf>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        // The keywords are those of the function.
        let function = py.import("raceline._raceline")?.getattr("render")?;
        let this = Bound::new(
            py,
            Self { line: self.line.clone(), warnings: Vec::new(), survival: None, columns: Columns::default() },
        )?;
        function.call((this, path), options)
    }

    /// The corners, a dictionary each: number, direction, entry, apex and exit, radius, speeds and time, as
    /// `raceline.inspect` has them.
    #[getter]
    fn corners<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let found = analyse(&self.line, &AnalysisOptions::of(&self.line));
        values::python(py, &found.map_err(|error| InputError::new_err(error::with_causes(&error)))?.corners)
    }

    /// The lines that were compared, a dictionary each: `method`, `lap_time` in s, `length` in m, and with
    /// `detail` the points `x` and `y` in m.
    #[getter]
    fn candidates<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let of = |candidate: &Candidate| {
            let values = PyDict::new(py);
            values.set_item("method", candidate.method.name())?;
            values.set_item("lap_time", candidate.lap_time_s)?;
            values.set_item("length", candidate.length_m)?;
            if !candidate.line.is_empty() {
                let column = |k: usize| PyArray1::from_vec(py, candidate.line.iter().map(|point| point[k]).collect());
                values.set_item("x", column(0))?;
                values.set_item("y", column(1))?;
            }
            Ok(values)
        };
        self.line.candidates.iter().map(of).collect()
    }

    /// The vehicle with all its values, as a `Vehicle`.
    #[getter]
    fn vehicle_used(&self) -> Vehicle {
        Vehicle { vehicle: self.line.vehicle.clone() }
    }

    /// The options that the line was made with, under the keys of a sidecar.
    #[getter]
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        values::python(py, &self.line.options)
    }

    /// The edges of the road: (left, right), each an array of x and one of y, m.
    #[getter]
    fn edges<'py>(&self, py: Python<'py>) -> (Coordinates<'py>, Coordinates<'py>) {
        let of = |points: &[[f64; 2]]| {
            let column = |k: usize| PyArray1::from_vec(py, points.iter().map(|point| point[k]).collect());
            (column(0), column(1))
        };
        (of(&self.line.edges.left), of(&self.line.edges.right))
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
        for (name, column) in [("z_m", self.z(py)?), ("banking_rad", self.banking(py)?)] {
            column.map(|column| columns.set_item(name, column)).transpose()?;
        }
        pandas.call_method1("DataFrame", (columns,))
    }

    /// Draws the line over its road with matplotlib: the colour is one of its columns.
    ///
    /// ax: the axes to draw on; default: those of a new figure. colour: "speed", "acceleration", "curvature" or
    ///     "time". Other keywords go to `matplotlib.collections.LineCollection`.
    ///
    /// Returns the axes. Raises `RacelineError` where matplotlib is not installed.
    #[pyo3(signature = (ax = None, *, colour = "speed", **keywords))]
    fn plot<'py>(
        this: &Bound<'py, Self>,
        ax: Option<&Bound<'py, PyAny>>,
        colour: &str,
        keywords: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        this.py().import("raceline._plot")?.getattr("plot")?.call((this, ax, colour), keywords)
    }

    /// A picture of it, for notebooks.
    fn _repr_svg_(&self) -> PyResult<String> {
        let looks = Looks::of_width(PICTURE_WIDTH_PX);
        let bytes = drawn(&[&self.line], Drawing::Svg, &looks)?;
        String::from_utf8(bytes).map_err(|error| RacelineError::new_err(error.to_string()))
    }

    /// The page of `render(format="html")` in a frame, for notebooks that run what they show.
    fn _repr_html_<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        this.py().import("raceline._notebook")?.getattr("line_html")?.call1((this,))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, Parts<'py>> {
        reduced(py, "_line", (PyBytes::new(py, &self.bytes()?), self.warnings.clone(), self.survival(py)?))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.line == other.line && self.warnings == other.warnings && self.survival == other.survival
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
