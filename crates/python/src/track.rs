//! A track: read from a file of any kind, or made from arrays.

use std::path::PathBuf;

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyBytes, PyDict};
use raceline::geometry::{Point, circle_curvature};
use raceline::options::Layer;
use raceline::pipeline::{self, Extraction, KeptExtraction, Request, TrackSource};
use raceline::track::PointsError;
use raceline::track_file::{self, TrackFile};
use raceline::vehicle::Vehicle;

use crate::arrays::{Columns, numbers, points, shown};
use crate::error::{self, InputError, RacelineError};
use crate::interruptible::{Reports, run};
use crate::keywords;
use crate::output;
use crate::pickling::{Reduced, reduced};

/// Arrays of x and of y.
type Coordinates<'py> = (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>);

/// The track of `source` for a vehicle, with options from `layers`.
pub fn made(
    py: Python<'_>,
    file: PathBuf,
    source: TrackSource<'static>,
    layers: Vec<Layer>,
    vehicle: Option<&Bound<'_, PyAny>>,
) -> PyResult<Track> {
    let mut merged = keywords::options(&layers)?;
    let named = vehicle.map(|_| keywords::vehicle(vehicle, None, &mut merged)).transpose()?;
    let used = keywords::vehicle(None, named.as_ref(), &mut merged)?;
    let extraction = run(py, &Reports::default(), move |progress| {
        let request = Request::new(&merged, &used).progress(progress);
        pipeline::extracted(source.clone(), &request).map_err(|failed| match &source {
            TrackSource::CentreLine(_, points, widths_m) => of_arrays(&failed, points, widths_m),
            _ => error::pipeline(&failed),
        })
    })?;
    Ok(Track::new(file, extraction, layers, named))
}

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
///
/// Columns are NumPy arrays with one entry per cross-section, in SI units; they cannot be written. Tracks are
/// made by `raceline.extract`, `raceline.generate`, `Track.from_centerline` and `Track.from_points`; they are
/// pickled, copied and compared.
#[pyclass(frozen, module = "raceline")]
pub struct Track {
    pub file: PathBuf,
    pub extraction: Extraction,
    /// The options with which it was read.
    pub layers: Vec<Layer>,
    /// The vehicle for which it was read, if one was given.
    pub vehicle: Option<Vehicle>,
    columns: Columns,
}

impl Track {
    pub fn new(file: PathBuf, extraction: Extraction, layers: Vec<Layer>, vehicle: Option<Vehicle>) -> Self {
        Self { file, extraction, layers, vehicle, columns: Columns::default() }
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

/// A track from what its pickle has.
#[pyfunction]
pub fn _track(kept: &[u8]) -> PyResult<Track> {
    let wrong = |error: serde_json::Error| InputError::new_err(format!("this is no pickled track: {error}"));
    let (file, extraction, layers, vehicle): (PathBuf, KeptExtraction, Vec<Layer>, Option<Vehicle>) =
        serde_json::from_slice(kept).map_err(wrong)?;
    Ok(Track::new(file, extraction.into(), layers, vehicle))
}

#[pymethods]
impl Track {
    /// The road about a centre line.
    ///
    /// x, y: its points in the direction of travel, m; right, left: the distances to the edges there, m,
    ///     all of one length.
    /// closed: whether the road leads back to its start. name: name of the track.
    /// vehicle, options: as for `optimize`; they hold for lines of this track too.
    ///
    /// >>> import numpy as np, raceline
    /// >>> angle = np.linspace(0, 2 * np.pi, 100, endpoint=False)
    /// >>> width = np.full(100, 4.0)
    /// >>> ring = raceline.Track.from_centerline(50 * np.cos(angle), 50 * np.sin(angle), width, width)
    /// >>> round(ring.length), bool(abs(ring.curvature - 0.02).max() < 1e-3)
    /// (314, True)
    #[staticmethod]
    #[pyo3(signature = (x, y, right, left, *, closed = true, name = "track", vehicle = None, **options))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn from_centerline(
        py: Python<'_>,
        x: &Bound<'_, PyAny>,
        y: &Bound<'_, PyAny>,
        right: &Bound<'_, PyAny>,
        left: &Bound<'_, PyAny>,
        closed: bool,
        name: &str,
        vehicle: Option<&Bound<'_, PyAny>>,
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
        let layers = vec![shape(py, closed)?, keywords::layer(options)?];
        let points = x.into_iter().zip(y).map(<[f64; 2]>::from).collect();
        let widths_m = left.into_iter().zip(right).map(<[f64; 2]>::from).collect();
        let source = TrackSource::CentreLine(name.to_owned(), points, widths_m);
        made(py, PathBuf::from(name), source, layers, vehicle)
    }

    /// The road between the points of its edges.
    ///
    /// left, right: points of the edges in the direction of travel, m, each of shape (points, 2); their
    ///     numbers may differ.
    /// closed, name, vehicle, options: as for `from_centerline`.
    ///
    /// >>> import numpy as np, raceline
    /// >>> x = np.linspace(0, 200, 41)
    /// >>> left, right = np.column_stack([x, np.full(41, 8.0)]), np.column_stack([x, np.zeros(41)])
    /// >>> track = raceline.Track.from_points(left, right, closed=False)
    /// >>> track.closed, round(float(track.width.mean()), 2)
    /// (False, 8.0)
    #[staticmethod]
    #[pyo3(signature = (left, right, *, closed = true, name = "track", vehicle = None, **options))]
    fn from_points(
        py: Python<'_>,
        left: &Bound<'_, PyAny>,
        right: &Bound<'_, PyAny>,
        closed: bool,
        name: &str,
        vehicle: Option<&Bound<'_, PyAny>>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let (left, right) = (points("left", left)?, points("right", right)?);
        let layers = vec![shape(py, closed)?, keywords::layer(options)?];
        let source = TrackSource::EdgeLines(name.to_owned(), left, right);
        made(py, PathBuf::from(name), source, layers, vehicle)
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

    /// Distance of the cross-sections along their middles, m.
    #[getter]
    fn s<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.columns.get(py, "s", || {
            let line = self.extraction.track.centre_line();
            let mut distances = line.arc_lengths();
            distances.truncate(line.points.len());
            distances
        })
    }

    /// Curvature of the line through the middles of the cross-sections, 1/m, positive to the left, over a
    /// stretch as long as the road is wide: that of the circle through its ends and its middle.
    #[getter]
    fn curvature<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.columns.get(py, "curvature", || {
            let track = &self.extraction.track;
            let line = track.centre_line();
            let (along, half_m) = (line.arc_lengths(), track.mean_width() / 2.0);
            let place = |s: f64| line.point_at(&along, s);
            let of = |(&middle, &s): (&Point, &f64)| circle_curvature(place(s - half_m), middle, place(s + half_m));
            line.points.iter().zip(&along).map(of).collect()
        })
    }

    /// Heights of the middles of the cross-sections, m; zeros for a level road.
    #[getter]
    fn heights<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let track = &self.extraction.track;
        self.columns.get(py, "heights", || match &track.surface {
            Some(surface) => surface.iter().map(|at| (at.right.height_m + at.left.height_m) / 2.0).collect(),
            None => vec![0.0; track.sections.len()],
        })
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

    /// The file of the extracted track as text, which `extract` and `optimize` read.
    fn to_json(&self) -> PyResult<String> {
        let Extraction { name, track, source, .. } = &self.extraction;
        let bytes = track_file::write(&TrackFile::new(name, track, source));
        let bytes = bytes.map_err(|error| RacelineError::new_err(error::with_causes(&error)))?;
        String::from_utf8(bytes).map_err(|error| RacelineError::new_err(error.to_string()))
    }

    /// Writes the extracted track, whole or not at all; the name ends in `.json`.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        if output::ending_of(&path) != "json" {
            return Err(InputError::new_err(format!(
                "{}: a track is saved in a file that ends in .json",
                path.display()
            )));
        }
        output::write(&path, self.to_json()?.as_bytes())
    }

    /// A drawing of the road with its figures, for notebooks.
    fn _repr_html_<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        this.py().import("raceline._notebook")?.getattr("track_html")?.call1((this,))
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
        let kept = (&self.file, KeptExtraction::from(&self.extraction), &self.layers, &self.vehicle);
        serde_json::to_vec(&kept).map_err(|error| RacelineError::new_err(error.to_string()))
    }

    fn edge<'py>(&self, py: Python<'py>, [x, y]: [&'static str; 2], points: &[Point]) -> PyResult<Coordinates<'py>> {
        Ok((
            self.columns.get(py, x, || points.iter().map(|point| point.x).collect())?,
            self.columns.get(py, y, || points.iter().map(|point| point.y).collect())?,
        ))
    }
}

/// The option that a road is a circuit or leads from a start to an end.
fn shape(py: Python<'_>, closed: bool) -> PyResult<Layer> {
    keywords::layer(Some(&[("shape", if closed { "closed" } else { "open" })].into_py_dict(py)?))
}
