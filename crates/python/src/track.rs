//! A track: read from a file of any kind, or made from arrays.

use std::path::PathBuf;

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use raceline::geometry::Point;
use raceline::options::Layer;
use raceline::pipeline::{self, Extraction, KeptExtraction};
use raceline::track::PointsError;

use crate::arrays::{Columns, numbers, shown};
use crate::error::{self, InputError, RacelineError};
use crate::interruptible::{Reports, run};
use crate::keywords;
use crate::pickling::{Reduced, reduced};

/// Arrays of x and of y.
type Coordinates<'py> = (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>);

/// The exception for a centre line, with the name of the argument whose number is out of its range.
fn of_arrays(failed: &pipeline::Error, points: &[[f64; 2]], widths_m: &[[f64; 2]]) -> PyErr {
    let pipeline::Error::Points { error: PointsError::Number { what, index, found, must_be }, .. } = failed else {
        return error::pipeline(failed);
    };
    let (names, entries) = match *what {
        "points" => (["x", "y"], points),
        _ => (["left", "right"], widths_m),
    };
    let is_first = entries.get(*index).is_some_and(|entry| entry[0].to_bits() == found.to_bits());
    let name = if is_first { names[0] } else { names[1] };
    InputError::new_err(format!("{name}[{index}] is {}: {must_be}", shown(*found)))
}

/// A road cut into cross-sections.
#[pyclass(frozen, module = "raceline")]
pub struct Track {
    pub file: PathBuf,
    pub extraction: Extraction,
    /// The options with which it was read.
    pub layers: Vec<Layer>,
    columns: Columns,
}

impl Track {
    pub fn new(file: PathBuf, extraction: Extraction, layers: Vec<Layer>) -> Self {
        Self { file, extraction, layers, columns: Columns::default() }
    }

    fn column<'py>(
        &self,
        py: Python<'py>,
        name: &'static str,
        value: impl Fn(&raceline::track::CrossSection) -> f64,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.columns.get(py, name, || self.extraction.track.sections.iter().map(value).collect())
    }
}

/// Reads the track in a picture, a ROS map's YAML, an extracted track or a track file.
#[pyfunction]
#[pyo3(signature = (path, *, progress = None, **options))]
pub fn extract(
    py: Python<'_>,
    path: PathBuf,
    progress: Option<&Bound<'_, PyAny>>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Track> {
    let layer = keywords::layer(options)?;
    let layers: Vec<Layer> = keywords::sidecar(&path, layer.reach())?.into_iter().chain([layer]).collect();
    let merged = keywords::options(&layers)?;
    let reports = Reports::new(progress)?;
    let file = path.clone();
    let extraction = run(py, &reports, move |progress| {
        pipeline::extract(&file, &merged, progress).map_err(|failed| error::pipeline(&failed))
    })?;
    Ok(Track::new(path, extraction, layers))
}

/// A track from what its pickle has.
#[pyfunction]
pub fn _track(kept: &[u8]) -> PyResult<Track> {
    let wrong = |error: serde_json::Error| InputError::new_err(format!("this is no pickled track: {error}"));
    let (file, extraction, layers): (PathBuf, KeptExtraction, Vec<Layer>) =
        serde_json::from_slice(kept).map_err(wrong)?;
    Ok(Track::new(file, extraction.into(), layers))
}

#[pymethods]
impl Track {
    /// The road of a centre line, metres: positions, and the distances to the right and to the left
    /// edge there.
    #[staticmethod]
    #[pyo3(signature = (x, y, right, left, *, closed = true, name = "track", **options))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn from_centerline(
        py: Python<'_>,
        x: &Bound<'_, PyAny>,
        y: &Bound<'_, PyAny>,
        right: &Bound<'_, PyAny>,
        left: &Bound<'_, PyAny>,
        closed: bool,
        name: &str,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let [x, y, right, left] =
            [numbers("x", x)?, numbers("y", y)?, numbers("right", right)?, numbers("left", left)?];
        if [y.len(), right.len(), left.len()].iter().any(|&length| length != x.len()) {
            let lengths = format!("{}, {}, {} and {}", x.len(), y.len(), right.len(), left.len());
            return Err(InputError::new_err(format!(
                "x, y, right and left have {lengths} entries: give one of each per point"
            )));
        }
        let shape = PyDict::new(py);
        shape.set_item("shape", if closed { "closed" } else { "open" })?;
        let layers = vec![keywords::layer(Some(&shape))?, keywords::layer(options)?];
        let merged = keywords::options(&layers)?;
        let points: Vec<[f64; 2]> = x.into_iter().zip(y).map(<[f64; 2]>::from).collect();
        let widths_m: Vec<[f64; 2]> = left.into_iter().zip(right).map(<[f64; 2]>::from).collect();
        let named = name.to_owned();
        let extraction = run(py, &Reports::default(), move |progress| {
            pipeline::extract_centre_line(&named, &points, &widths_m, &merged, progress)
                .map_err(|failed| of_arrays(&failed, &points, &widths_m))
        })?;
        Ok(Self::new(PathBuf::from(name), extraction, layers))
    }

    /// Name of the track.
    #[getter]
    fn name(&self) -> &str {
        &self.extraction.name
    }

    /// Whether the road leads back to its start.
    #[getter]
    fn closed(&self) -> bool {
        self.extraction.track.closed
    }

    /// Length of the centre line, m.
    #[getter]
    fn length(&self) -> f64 {
        self.extraction.track.centre_line().length()
    }

    /// What is doubtful about it.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.extraction.report.warnings.iter().map(ToString::to_string).collect()
    }

    /// Middles of the cross-sections, m.
    #[getter]
    fn x<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.column(py, "x", |section| section.middle().x)
    }

    /// Middles of the cross-sections, m.
    #[getter]
    fn y<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.column(py, "y", |section| section.middle().y)
    }

    /// Widths of the cross-sections, m.
    #[getter]
    fn width<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.column(py, "width", raceline::track::CrossSection::width)
    }

    /// Points of the left edge, m: a list of x and one of y.
    #[getter]
    fn left<'py>(&self, py: Python<'py>) -> PyResult<Coordinates<'py>> {
        self.edge(py, ["left_x", "left_y"], &self.extraction.track.left_edge.points)
    }

    /// Points of the right edge, m: a list of x and one of y.
    #[getter]
    fn right<'py>(&self, py: Python<'py>) -> PyResult<Coordinates<'py>> {
        self.edge(py, ["right_x", "right_y"], &self.extraction.track.right_edge.points)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, (Bound<'py, PyBytes>,)> {
        reduced(py, "_track", (PyBytes::new(py, &self.kept()?),))
    }

    fn __eq__(&self, other: &Self) -> PyResult<bool> {
        Ok(self.kept()? == other.kept()?)
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        PyBytes::new(py, &self.kept()?).hash()
    }

    fn __repr__(&self) -> String {
        let track = &self.extraction.track;
        let shape = if track.closed { "closed" } else { "open" };
        let (length, width) = (self.length(), track.mean_width());
        format!("<raceline.Track {:?}: {shape}, {length:.1} m long, {width:.1} m wide>", self.extraction.name)
    }
}

impl Track {
    /// What a pickle of it has.
    fn kept(&self) -> PyResult<Vec<u8>> {
        let kept = (&self.file, KeptExtraction::from(&self.extraction), &self.layers);
        serde_json::to_vec(&kept).map_err(|error| RacelineError::new_err(error.to_string()))
    }

    fn edge<'py>(&self, py: Python<'py>, [x, y]: [&'static str; 2], points: &[Point]) -> PyResult<Coordinates<'py>> {
        Ok((
            self.columns.get(py, x, || points.iter().map(|point| point.x).collect())?,
            self.columns.get(py, y, || points.iter().map(|point| point.y).collect())?,
        ))
    }
}

/// A path, as text or as `os.PathLike`.
pub fn path_of(given: &Bound<'_, PyAny>) -> PyResult<PathBuf> {
    given.extract().map_err(|_| InputError::new_err("the first argument is neither a path nor a raceline.Track"))
}
