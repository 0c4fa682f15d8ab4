//! The path ahead between cones that a vehicle has seen so far.

use numpy::PyArray1;
use pyo3::prelude::*;
use raceline::cones::{self, Cone, ConeColour, Pose};
use raceline::geometry::Point;

use crate::error::InputError;
use crate::pickling::{Reduced, reduced};

type Coordinates<'py> = (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>);

/// The path in front of a vehicle.
#[pyclass(frozen, eq, module = "raceline")]
#[derive(PartialEq)]
pub struct PathAhead {
    path: cones::PathAhead,
}

#[pymethods]
impl PathAhead {
    /// Points of the middle of the road, m, from the vehicle on: an array of x and one of y.
    #[getter]
    fn points<'py>(&self, py: Python<'py>) -> Coordinates<'py> {
        coordinates(py, &self.path.points)
    }

    /// Cones of the left edge, m: an array of x and one of y.
    #[getter]
    fn left<'py>(&self, py: Python<'py>) -> Coordinates<'py> {
        coordinates(py, &self.path.left)
    }

    /// Cones of the right edge, m: an array of x and one of y.
    #[getter]
    fn right<'py>(&self, py: Python<'py>) -> Coordinates<'py> {
        coordinates(py, &self.path.right)
    }

    /// Whether no road was found, so that the path leads straight ahead.
    #[getter]
    fn is_straight_guess(&self) -> bool {
        self.path.is_straight_guess
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, (Places, Places, Places, bool)> {
        reduced(py, "_path_ahead", self.parts())
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        let (points, _, _, is_straight_guess) = self.parts();
        // A list has no hash.
        (format!("{points:?}"), is_straight_guess).into_pyobject(py)?.hash()
    }

    fn __repr__(&self) -> String {
        let guess = if self.path.is_straight_guess { ", a straight guess" } else { "" };
        format!("<raceline.PathAhead of {} points{guess}>", self.path.points.len())
    }
}

/// Points, m.
type Places = Vec<(f64, f64)>;

impl PathAhead {
    /// The path, the cones of its edges, and whether it is a guess.
    fn parts(&self) -> (Places, Places, Places, bool) {
        let places = |points: &[Point]| points.iter().map(|point| (point.x, point.y)).collect();
        let cones::PathAhead { points, left, right, is_straight_guess } = &self.path;
        (places(points), places(left), places(right), *is_straight_guess)
    }
}

/// A path from its parts, as it is pickled.
#[pyfunction]
pub fn _path_ahead(points: Places, left: Places, right: Places, is_straight_guess: bool) -> PathAhead {
    let of = |places: Places| places.into_iter().map(|(x, y)| Point::new(x, y)).collect();
    let path = cones::PathAhead { points: of(points), left: of(left), right: of(right), is_straight_guess };
    PathAhead { path }
}

fn coordinates<'py>(py: Python<'py>, points: &[Point]) -> Coordinates<'py> {
    let column = |of: fn(&Point) -> f64| PyArray1::from_vec(py, points.iter().map(of).collect());
    (column(|point| point.x), column(|point| point.y))
}

/// Finds the path ahead of a vehicle between the cones that it has seen so far.
///
/// cones: each (x, y) in m or (x, y, colour), in any order; the colour is "blue", "yellow", "orange" or
///     "unknown".
/// x, y, heading: place and direction of the vehicle, m and rad. width: of the road, m; by default it is
///     measured between the cones.
///
/// Returns a `PathAhead`, straight ahead where the cones show no road.
///
/// >>> import raceline
/// >>> cones = [(4.0 * i, side * 1.75) for i in range(8) for side in (1, -1)]
/// >>> path = raceline.path_ahead(cones, 0.0, 0.0, 0.0)
/// >>> path.is_straight_guess, float(path.points[0][-1]) > 20
/// (False, True)
#[pyfunction]
#[pyo3(signature = (cones, x, y, heading, *, width = None))]
pub fn path_ahead(cones: &Bound<'_, PyAny>, x: f64, y: f64, heading: f64, width: Option<f64>) -> PyResult<PathAhead> {
    let mut seen = Vec::new();
    for (index, cone) in cones.try_iter()?.enumerate() {
        let cone = cone?;
        let (cone_x, cone_y, colour): (f64, f64, String) = match cone.extract() {
            Ok(coloured) => coloured,
            Err(_) => {
                let (cone_x, cone_y) = cone
                    .extract()
                    .map_err(|_| InputError::new_err(format!("cones[{index}] is neither (x, y) nor (x, y, colour)")))?;
                (cone_x, cone_y, String::new())
            }
        };
        let colour = ConeColour::of_name(&colour).ok_or_else(|| {
            InputError::new_err(format!(
                "cones[{index}]: {colour:?} is no colour of a cone: give blue, yellow, orange or unknown"
            ))
        })?;
        seen.push(Cone { position: Point::new(cone_x, cone_y), colour });
    }
    let place = [("x", x), ("y", y), ("heading", heading), ("width", width.unwrap_or(1.0))];
    if let Some((name, value)) = place.into_iter().find(|(_, value)| !value.is_finite()) {
        return Err(InputError::new_err(format!("{name} is {value}: give a finite number")));
    }
    let pose = Pose { position: Point::new(x, y), heading_rad: heading };
    Ok(PathAhead { path: cones::path_ahead(&seen, pose, width) })
}
