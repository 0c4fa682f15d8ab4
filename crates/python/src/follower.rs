//! The follower: one call per frame.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use raceline_follower::{FollowerOptions, Path, Scene, VehicleState, json};

use crate::error::{InputError, OptionsError};
use crate::line::bytes_of;

/// What the vehicle is to do in a frame.
#[pyclass(frozen, get_all, module = "raceline")]
pub struct Command {
    /// Steering angle of the front wheels, rad, positive to the left.
    steering: f64,
    /// Pedal, -1 to 1: throttle, or brake below 0.
    pedal: f64,
    /// Whether to drive backwards.
    reverse: bool,
    /// Target speed, m/s.
    target_speed: f64,
    /// Distance along the line, m.
    s: f64,
    /// Distance from the line, m, positive on its left.
    cross_track_error: f64,
    /// Whether the vehicle is on the road.
    on_road: bool,
    /// Whether the end of an open line is reached.
    arrived: bool,
}

#[pymethods]
impl Command {
    /// Throttle, 0 to 1.
    #[getter]
    fn throttle(&self) -> f64 {
        self.pedal.max(0.0)
    }

    /// Brake, 0 to 1.
    #[getter]
    fn brake(&self) -> f64 {
        (-self.pedal).max(0.0)
    }

    fn __repr__(&self) -> String {
        let Self { steering, pedal, target_speed, cross_track_error, .. } = self;
        format!(
            "<raceline.Command steering {steering:.3} rad, pedal {pedal:.2}, target speed {target_speed:.2} m/s, \
             {cross_track_error:.3} m off the line>"
        )
    }
}

/// Drives a vehicle along a line.
#[pyclass(subclass, module = "raceline")]
pub struct Follower {
    follower: raceline_follower::Follower,
    path: Path,
}

#[pymethods]
impl Follower {
    /// A follower of a line or of the file at a path; `options` are those of the follower by their
    /// names, as `{"limit.delay_s": 0.1}`.
    #[new]
    #[pyo3(signature = (line, options = None))]
    fn new(line: &Bound<'_, PyAny>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let line = json::read(&bytes_of(line)?).map_err(|error| InputError::new_err(error.to_string()))?;
        let vehicle = line.vehicle.unwrap_or_default();
        let mut settings = match line.path.dynamics() {
            Some(dynamics) => FollowerOptions::for_vehicle(dynamics, &vehicle),
            None => FollowerOptions::for_racing(),
        };
        for (key, value) in options.into_iter().flatten() {
            settings.set(&key.extract::<String>()?, value.extract()?).map_err(OptionsError::new_err)?;
        }
        let follower = raceline_follower::Follower::new(settings, vehicle)
            .map_err(|error| OptionsError::new_err(error.to_string()))?;
        Ok(Self { follower, path: line.path })
    }

    /// The command for a vehicle at (x, y) m with this heading, rad, and speed, m/s, for a frame of
    /// `dt` s.
    #[pyo3(signature = (x, y, heading, speed, dt = 1.0 / 60.0, *, yaw_rate = f64::NAN))]
    fn step(&mut self, x: f64, y: f64, heading: f64, speed: f64, dt: f64, yaw_rate: f64) -> Command {
        let state = VehicleState { yaw_rate_radps: yaw_rate, ..VehicleState::new([x, y, 0.0], heading, speed) };
        let command = self.follower.step(&self.path, &state, &Scene::EMPTY, dt);
        Command {
            steering: command.steering_rad,
            pedal: command.pedal,
            reverse: command.reverse,
            target_speed: command.target_speed_mps,
            s: command.s_m,
            cross_track_error: command.cross_track_error_m,
            on_road: command.inside_corridor,
            arrived: command.arrived,
        }
    }

    /// Forgets the frames before: the vehicle is somewhere else.
    fn reset(&mut self) {
        self.follower.reset();
    }
}
