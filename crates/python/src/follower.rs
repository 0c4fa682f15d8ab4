//! The follower and the neural driver: one call per frame.

use std::path::PathBuf;
use std::sync::Arc;

use pyo3::exceptions::PyRuntimeWarning;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use raceline::files::{self, LARGEST_LINE_FILE};
use raceline_follower::neural::NeuralDriverOptions;
use raceline_follower::{
    FollowerOptions, LocalPlanner, LocalPlannerOptions, Path, PathFollower, Scene, VehicleState, json,
};

use crate::command::Command;
use crate::error::{self, InputError, OptionsError};
use crate::loading::bytes_of;
use crate::scene::{Body, Neighbour, PickUp};

/// Reported once by each follower that cannot use the limits of grip.
const NO_VELOCITY: &std::ffi::CStr = c"Follower.step: without velocity or lateral_speed the follower does not know how \
    the vehicle slides, and does not drive it at the limit of grip. Pass velocity=(vx, vy), or lateral_speed, which is 0.0 \
    for a vehicle that does not slide; or set the option limit.enabled to 0.";

/// A velocity of two or three components.
#[derive(FromPyObject)]
enum Velocity {
    Plane((f64, f64)),
    Space((f64, f64, f64)),
}

/// The vehicle's motion in a frame, as a caller of Python gives it.
struct Motion {
    position_m: [f64; 3],
    heading: f64,
    speed: f64,
    velocity: Option<Velocity>,
    lateral_speed: Option<f64>,
    yaw_rate: Option<f64>,
}

impl Motion {
    fn state(&self) -> PyResult<VehicleState> {
        let (sin, cos) = self.heading.sin_cos();
        let velocity_mps = match (&self.velocity, self.lateral_speed) {
            (Some(_), Some(_)) => {
                return Err(OptionsError::new_err("velocity and lateral_speed are both given: give one of them"));
            }
            (Some(Velocity::Plane((x, y))), None) => [*x, *y, 0.0],
            (Some(Velocity::Space((x, y, z))), None) => [*x, *y, *z],
            (None, Some(left)) => [self.speed * cos - left * sin, self.speed * sin + left * cos, 0.0],
            (None, None) => [f64::NAN; 3],
        };
        Ok(VehicleState {
            position_m: self.position_m,
            heading_rad: self.heading,
            speed_mps: self.speed,
            velocity_mps,
            yaw_rate_radps: self.yaw_rate.unwrap_or(f64::NAN),
        })
    }
}

/// Drives a vehicle along a line.
#[pyclass(subclass, module = "raceline")]
pub struct Follower {
    follower: raceline_follower::Follower,
    path: Path,
    /// Whether a warning reported that the velocity is missing.
    warned: bool,
}

/// The planner that a caller asks for: `True` or options by their names.
fn planner(given: &Bound<'_, PyAny>, mut options: LocalPlannerOptions) -> PyResult<Option<LocalPlanner>> {
    if let Ok(wanted) = given.extract::<bool>() {
        if !wanted {
            return Ok(None);
        }
    } else {
        let values = given.cast::<PyDict>().map_err(|_| {
            OptionsError::new_err(format!("planner is {}: give True, False or a dictionary", given.get_type()))
        })?;
        for (key, value) in values {
            options.set(&key.extract::<String>()?, value.extract()?).map_err(OptionsError::new_err)?;
        }
    }
    LocalPlanner::new(options).map(Some).map_err(|error| OptionsError::new_err(format!("planner: {error}")))
}

#[pymethods]
impl Follower {
    /// A follower of a line or of the file at a path; `options` are those of the follower by their
    /// names, as `{"limit.delay_s": 0.1}`, and differ from those of `preset`. With `planner`,
    /// `True` or its options by their names, it avoids neighbours and obstacles with the local
    /// planner.
    #[new]
    #[pyo3(signature = (line, options = None, *, planner = None, preset = "limit"))]
    fn new(
        line: &Bound<'_, PyAny>,
        options: Option<&Bound<'_, PyDict>>,
        planner: Option<&Bound<'_, PyAny>>,
        preset: &str,
    ) -> PyResult<Self> {
        let line = json::read(&bytes_of(line)?).map_err(|error| InputError::new_err(error.to_string()))?;
        let vehicle = line.vehicle;
        let dynamics = line.path.dynamics();
        let planning = dynamics
            .map_or_else(LocalPlannerOptions::default, |dynamics| LocalPlannerOptions::for_vehicle(dynamics, &vehicle));
        let mut settings = match (preset, dynamics) {
            ("limit", Some(dynamics)) => FollowerOptions::for_vehicle(dynamics, &vehicle),
            ("limit" | "racing", _) => FollowerOptions::for_racing(),
            ("game", _) => FollowerOptions::default(),
            ("paper", _) => FollowerOptions::paper(),
            (other, _) => {
                return Err(OptionsError::new_err(format!(
                    "preset is {other:?}, but must be \"limit\", \"racing\", \"game\" or \"paper\""
                )));
            }
        };
        for (key, value) in options.into_iter().flatten() {
            settings.set(&key.extract::<String>()?, value.extract()?).map_err(OptionsError::new_err)?;
        }
        let mut follower = raceline_follower::Follower::new(settings, vehicle)
            .map_err(|error| OptionsError::new_err(error.to_string()))?;
        if let Some(given) = planner {
            follower.set_planner(self::planner(given, planning)?);
        }
        Ok(Self { follower, path: line.path, warned: false })
    }

    /// The command for a vehicle at (x, y) m with this heading, rad, and speed along it, m/s, for a
    /// frame of `dt` s.
    #[pyo3(signature = (x, y, heading, speed, dt = 1.0 / 60.0, *, z = 0.0, velocity = None, lateral_speed = None,
        yaw_rate = None, neighbours = Vec::new(), obstacles = Vec::new(), pick_ups = Vec::new(), reverse = false))]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn step(
        &mut self,
        py: Python<'_>,
        x: f64,
        y: f64,
        heading: f64,
        speed: f64,
        dt: f64,
        z: f64,
        velocity: Option<Velocity>,
        lateral_speed: Option<f64>,
        yaw_rate: Option<f64>,
        neighbours: Vec<PyRef<'_, Neighbour>>,
        obstacles: Vec<PyRef<'_, Body>>,
        pick_ups: Vec<PyRef<'_, PickUp>>,
        reverse: bool,
    ) -> PyResult<Command> {
        let motion = Motion { position_m: [x, y, z], heading, speed, velocity, lateral_speed, yaw_rate };
        let neighbours: Vec<_> = neighbours.iter().map(|other| (&**other).into()).collect();
        let obstacles: Vec<_> = obstacles.iter().map(|body| (&**body).into()).collect();
        let pick_ups: Vec<_> = pick_ups.iter().map(|pick_up| (&**pick_up).into()).collect();
        let scene = Scene::EMPTY.with_neighbours(&neighbours).with_obstacles(&obstacles).with_pick_ups(&pick_ups);
        let command = self.follower.step(&self.path, &motion.state()?, &scene.with_reverse(reverse), dt);
        if command.lacks_velocity && !self.warned {
            self.warned = true;
            PyErr::warn(py, &py.get_type::<PyRuntimeWarning>(), NO_VELOCITY, 2)?;
        }
        Ok(Command::of(&command, self.follower.is_avoiding(), self.follower.shift_m()))
    }

    /// Forgets the frames before: the vehicle is somewhere else.
    fn reset(&mut self) {
        self.follower.reset();
    }
}

/// A small network that drives a vehicle along a line.
#[pyclass(subclass, module = "raceline")]
pub struct NeuralDriver {
    driver: raceline_follower::neural::NeuralDriver,
    path: Path,
}

#[pymethods]
impl NeuralDriver {
    /// A driver of a line, or of the file at a path, with the network in the file at `network`.
    #[new]
    #[pyo3(signature = (line, network, *, profile_scale = 1.0))]
    fn new(line: &Bound<'_, PyAny>, network: PathBuf, profile_scale: f64) -> PyResult<Self> {
        let line = json::read(&bytes_of(line)?).map_err(|error| InputError::new_err(error.to_string()))?;
        let bytes = files::read(&network, LARGEST_LINE_FILE).map_err(|error| error::file(&network, &error))?;
        let network = json::read_network(&bytes).map_err(|error| error::file(&network, &error))?;
        let options = NeuralDriverOptions { profile_scale, ..NeuralDriverOptions::default() };
        let vehicle = line.vehicle;
        let driver = raceline_follower::neural::NeuralDriver::new(Arc::new(network), options, vehicle)
            .map_err(|error| OptionsError::new_err(error.to_string()))?;
        Ok(Self { driver, path: line.path })
    }

    /// The command for a vehicle, as that of `Follower.step`; it drives along the line whatever is
    /// around.
    #[pyo3(signature = (x, y, heading, speed, dt = 1.0 / 60.0, *, z = 0.0, velocity = None, lateral_speed = None,
        yaw_rate = None))]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn step(
        &mut self,
        x: f64,
        y: f64,
        heading: f64,
        speed: f64,
        dt: f64,
        z: f64,
        velocity: Option<Velocity>,
        lateral_speed: Option<f64>,
        yaw_rate: Option<f64>,
    ) -> PyResult<Command> {
        let motion = Motion { position_m: [x, y, z], heading, speed, velocity, lateral_speed, yaw_rate };
        let command = self.driver.step(&self.path, &motion.state()?, &Scene::EMPTY, dt);
        Ok(Command::of(&command, false, 0.0))
    }

    /// Forgets the frames before: the vehicle is somewhere else.
    fn reset(&mut self) {
        self.driver.reset();
    }
}
