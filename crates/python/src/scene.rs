//! What surrounds a vehicle: other vehicles, obstacles and pick-ups.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use raceline_follower as follower;

/// Another vehicle.
#[pyclass(frozen, get_all, eq, module = "raceline")]
#[derive(Clone, Copy, PartialEq)]
pub struct Neighbour {
    /// The middle of its body, m.
    position: (f64, f64, f64),
    /// m/s.
    velocity: (f64, f64),
    /// Direction, rad counter-clockwise from +x.
    heading: f64,
    /// m.
    length: f64,
    /// m.
    width: f64,
}

#[pymethods]
impl Neighbour {
    /// A vehicle whose middle is at (x, y) m, with its direction, rad, and its speed along it, m/s, or
    /// its velocity (vx, vy), m/s.
    #[new]
    #[pyo3(signature = (x, y, heading = 0.0, speed = 0.0, *, velocity = None, length = 4.4, width = 1.8, z = 0.0))]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn new(
        x: f64,
        y: f64,
        heading: f64,
        speed: f64,
        velocity: Option<(f64, f64)>,
        length: f64,
        width: f64,
        z: f64,
    ) -> Self {
        let velocity = velocity.unwrap_or((speed * heading.cos(), speed * heading.sin()));
        Self { position: (x, y, z), velocity, heading, length, width }
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<((f64, f64, f64), Bound<'py, PyDict>)> {
        let &Self { position: (x, y, z), velocity, heading, length, width } = self;
        let keywords = PyDict::new(py);
        keywords.set_item("velocity", velocity)?;
        for (name, value) in [("length", length), ("width", width), ("z", z)] {
            keywords.set_item(name, value)?;
        }
        Ok(((x, y, heading), keywords))
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        (self.position, self.velocity, self.heading, self.length, self.width).into_pyobject(py)?.hash()
    }

    fn __repr__(&self) -> String {
        let Self { position: (x, y, _), velocity: (vx, vy), .. } = self;
        format!("<raceline.Neighbour at ({x:.2}, {y:.2}) m, {:.2} m/s>", vx.hypot(*vy))
    }
}

impl From<&Neighbour> for follower::Neighbour {
    fn from(neighbour: &Neighbour) -> Self {
        let ((x, y, z), (vx, vy)) = (neighbour.position, neighbour.velocity);
        Self {
            position_m: [x, y, z],
            velocity_mps: [vx, vy, 0.0],
            heading_rad: neighbour.heading,
            length_m: neighbour.length,
            width_m: neighbour.width,
        }
    }
}

/// A round body: an obstacle, or with a velocity one that agents see.
#[pyclass(frozen, get_all, eq, module = "raceline")]
#[derive(Clone, Copy, PartialEq)]
pub struct Body {
    /// Position of the middle, m.
    pub position: (f64, f64),
    /// m.
    pub radius: f64,
    /// m/s.
    velocity: (f64, f64),
}

#[pymethods]
impl Body {
    /// A body at (x, y) m with a radius, m, and a velocity (vx, vy), m/s.
    #[new]
    #[pyo3(signature = (x, y, radius = 0.5, velocity = (0.0, 0.0)))]
    fn new(x: f64, y: f64, radius: f64, velocity: (f64, f64)) -> Self {
        Self { position: (x, y), radius, velocity }
    }

    fn __getnewargs__(&self) -> (f64, f64, f64, (f64, f64)) {
        (self.position.0, self.position.1, self.radius, self.velocity)
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        (self.position, self.radius, self.velocity).into_pyobject(py)?.hash()
    }

    fn __repr__(&self) -> String {
        let Self { position: (x, y), radius, .. } = self;
        format!("<raceline.Body at ({x:.2}, {y:.2}) m, radius {radius:.2} m>")
    }
}

impl From<&Body> for follower::Body {
    fn from(body: &Body) -> Self {
        let ((x, y), (vx, vy)) = (body.position, body.velocity);
        Self { position_m: [x, y], velocity_mps: [vx, vy], radius_m: body.radius }
    }
}

impl From<&follower::Body> for Body {
    fn from(body: &follower::Body) -> Self {
        let ([x, y], [vx, vy]) = (body.position_m, body.velocity_mps);
        Self { position: (x, y), radius: body.radius_m, velocity: (vx, vy) }
    }
}

/// An object to collect.
#[pyclass(frozen, get_all, eq, module = "raceline")]
#[derive(Clone, Copy, PartialEq)]
pub struct PickUp {
    /// m.
    position: (f64, f64, f64),
    /// Within which it is collected, m.
    radius: f64,
}

#[pymethods]
impl PickUp {
    /// A pick-up at (x, y) m that is collected within a radius, m.
    #[new]
    #[pyo3(signature = (x, y, radius = 0.5, *, z = 0.0))]
    fn new(x: f64, y: f64, radius: f64, z: f64) -> Self {
        Self { position: (x, y, z), radius }
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<((f64, f64, f64), Bound<'py, PyDict>)> {
        let &Self { position: (x, y, z), radius } = self;
        let keywords = PyDict::new(py);
        keywords.set_item("z", z)?;
        Ok(((x, y, radius), keywords))
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        (self.position, self.radius).into_pyobject(py)?.hash()
    }

    fn __repr__(&self) -> String {
        let Self { position: (x, y, _), radius } = self;
        format!("<raceline.PickUp at ({x:.2}, {y:.2}) m, radius {radius:.2} m>")
    }
}

impl From<&PickUp> for follower::PickUp {
    fn from(pick_up: &PickUp) -> Self {
        let (x, y, z) = pick_up.position;
        Self { position_m: [x, y, z], radius_m: pick_up.radius }
    }
}
