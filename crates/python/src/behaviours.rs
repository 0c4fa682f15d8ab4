//! Steering behaviours for agents: accelerations (ax, ay), m/s².

mod crowds;

use numpy::{AllowTypeChange, PyArrayLike3};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use raceline_follower::behaviours::{
    self, AvoidanceOptions, LeaderOptions, Neighbourhood, PathFollowingOptions, WallOptions, WanderOptions,
};
use raceline_follower::{Path, VehicleGeometry, VehicleState, json};

use self::crowds::{Flock, NeighbourGrid};
use crate::error::InputError;
use crate::loading::bytes_of;
use crate::scene::Body;

type Pair = (f64, f64);
type Bodies<'py> = Vec<PyRef<'py, Body>>;

fn pair([x, y]: [f64; 2]) -> Pair {
    (x, y)
}

fn bodies(given: &Bodies<'_>) -> Vec<raceline_follower::Body> {
    given.iter().map(|body| (&**body).into()).collect()
}

/// A point in the plane that behaviours push.
#[pyclass(eq, module = "raceline.behaviours")]
#[derive(PartialEq)]
pub struct Agent {
    agent: behaviours::Agent,
}

#[pymethods]
impl Agent {
    /// An agent at (x, y) m, at rest; limits in m/s and m/s², response in s.
    #[new]
    #[pyo3(signature = (x = 0.0, y = 0.0, *, velocity = (0.0, 0.0), heading = None, radius = 0.5, max_speed = 10.0,
        max_acceleration = 6.0, response = 0.5))]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn new(
        x: f64,
        y: f64,
        velocity: Pair,
        heading: Option<f64>,
        radius: f64,
        max_speed: f64,
        max_acceleration: f64,
        response: f64,
    ) -> Self {
        let body =
            raceline_follower::Body { position_m: [x, y], velocity_mps: [velocity.0, velocity.1], radius_m: radius };
        let course = if velocity == (0.0, 0.0) { 0.0 } else { velocity.1.atan2(velocity.0) };
        Self {
            agent: behaviours::Agent {
                body,
                heading_rad: heading.unwrap_or(course),
                max_speed_mps: max_speed,
                max_acceleration_mps2: max_acceleration,
                response_s: response,
            },
        }
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<(Pair, Bound<'py, PyDict>)> {
        let agent = &self.agent;
        let keywords = PyDict::new(py);
        keywords.set_item("velocity", pair(agent.body.velocity_mps))?;
        for (name, value) in [
            ("heading", agent.heading_rad),
            ("radius", agent.body.radius_m),
            ("max_speed", agent.max_speed_mps),
            ("max_acceleration", agent.max_acceleration_mps2),
            ("response", agent.response_s),
        ] {
            keywords.set_item(name, value)?;
        }
        Ok((pair(agent.body.position_m), keywords))
    }

    /// Position, m.
    #[getter]
    fn position(&self) -> Pair {
        pair(self.agent.body.position_m)
    }

    /// Velocity, m/s.
    #[getter]
    fn velocity(&self) -> Pair {
        pair(self.agent.body.velocity_mps)
    }

    /// Direction, rad.
    #[getter]
    fn heading(&self) -> f64 {
        self.agent.heading_rad
    }

    /// Moves the agent for `dt` s.
    fn advance(&mut self, acceleration: Pair, dt: f64) {
        self.agent.advance([acceleration.0, acceleration.1], dt);
    }

    /// The agent as other agents see it.
    fn body(&self) -> Body {
        Body::from(&self.agent.body)
    }

    fn __repr__(&self) -> String {
        let ([x, y], [vx, vy]) = (self.agent.body.position_m, self.agent.body.velocity_mps);
        format!("<raceline.behaviours.Agent at ({x:.2}, {y:.2}) m, {:.2} m/s>", vx.hypot(vy))
    }
}

/// Towards a point at full speed.
#[pyfunction]
fn seek(agent: &Agent, target: Pair) -> Pair {
    pair(behaviours::seek(&agent.agent, [target.0, target.1]))
}

/// Away from a point at full speed.
#[pyfunction]
fn flee(agent: &Agent, target: Pair) -> Pair {
    pair(behaviours::flee(&agent.agent, [target.0, target.1]))
}

/// To a point, slower within `slowing` m of it, and stop there.
#[pyfunction]
#[pyo3(signature = (agent, target, slowing = 5.0))]
fn arrival(agent: &Agent, target: Pair, slowing: f64) -> Pair {
    pair(behaviours::arrival(&agent.agent, [target.0, target.1], slowing))
}

/// To where another body can be met, at most `horizon` s ahead.
#[pyfunction]
#[pyo3(signature = (agent, other, horizon = 5.0))]
fn pursuit(agent: &Agent, other: &Body, horizon: f64) -> Pair {
    pair(behaviours::pursuit(&agent.agent, &other.into(), horizon))
}

/// Away from where another body could meet the agent, at most `horizon` s ahead.
#[pyfunction]
#[pyo3(signature = (agent, other, horizon = 5.0))]
fn evasion(agent: &Agent, other: &Body, horizon: f64) -> Pair {
    pair(behaviours::evasion(&agent.agent, &other.into(), horizon))
}

/// Beside another body: to the place `offset` m ahead of it and to its left, which moves along with it.
#[pyfunction]
#[pyo3(signature = (agent, other, offset, horizon = 5.0))]
fn offset_pursuit(agent: &Agent, other: &Body, offset: Pair, horizon: f64) -> Pair {
    pair(behaviours::offset_pursuit(&agent.agent, &other.into(), [offset.0, offset.1], horizon))
}

/// Along walls, each a straight piece from one point to another, at `distance` m.
#[pyfunction]
#[pyo3(signature = (agent, walls, *, distance = 2.0, prediction = 0.5))]
fn follow_wall(agent: &Agent, walls: Vec<(Pair, Pair)>, distance: f64, prediction: f64) -> Pair {
    let walls: Vec<_> = walls.into_iter().map(|(from, to)| [[from.0, from.1], [to.0, to.1]]).collect();
    let options = WallOptions { distance_m: distance, prediction_s: prediction };
    pair(behaviours::follow_wall(&agent.agent, &walls, &options))
}

/// Past the first of the fixed obstacles ahead.
#[pyfunction]
#[pyo3(signature = (agent, obstacles, *, horizon = 3.0, gap = 0.5))]
fn avoid_obstacles(agent: &Agent, obstacles: Bodies<'_>, horizon: f64, gap: f64) -> Pair {
    let options = AvoidanceOptions { horizon_s: horizon, gap_m: gap };
    pair(behaviours::avoid_obstacles(&agent.agent, &bodies(&obstacles), &options))
}

/// Past the first of the moving vehicles that would come too near.
#[pyfunction]
#[pyo3(signature = (agent, others, *, horizon = 3.0, gap = 0.5))]
fn avoid_bodies(agent: &Agent, others: Bodies<'_>, horizon: f64, gap: f64) -> Pair {
    let options = AvoidanceOptions { horizon_s: horizon, gap_m: gap };
    pair(behaviours::avoid_bodies(&agent.agent, &bodies(&others), &options))
}

/// Away from the other agents within `radius` m and `view` rad to either side.
#[pyfunction]
#[pyo3(signature = (agent, others, *, radius = 10.0, view = std::f64::consts::PI))]
fn separation(agent: &Agent, others: Bodies<'_>, radius: f64, view: f64) -> Pair {
    let near = Neighbourhood { radius_m: radius, view_rad: view };
    pair(behaviours::separation(&agent.agent, &bodies(&others), &near))
}

/// To the middle of the other agents.
#[pyfunction]
#[pyo3(signature = (agent, others, *, radius = 10.0, view = std::f64::consts::PI))]
fn cohesion(agent: &Agent, others: Bodies<'_>, radius: f64, view: f64) -> Pair {
    let near = Neighbourhood { radius_m: radius, view_rad: view };
    pair(behaviours::cohesion(&agent.agent, &bodies(&others), &near))
}

/// To the mean velocity of the other agents.
#[pyfunction]
#[pyo3(signature = (agent, others, *, radius = 10.0, view = std::f64::consts::PI))]
fn alignment(agent: &Agent, others: Bodies<'_>, radius: f64, view: f64) -> Pair {
    let near = Neighbourhood { radius_m: radius, view_rad: view };
    pair(behaviours::alignment(&agent.agent, &bodies(&others), &near))
}

/// Behind a leader, apart from its other followers, and not in front of it.
#[pyfunction]
#[pyo3(signature = (agent, leader, others, *, behind = 4.0, clear = 2.0, clear_time = 1.5, slowing = 5.0,
    separation = 3.0))]
#[expect(clippy::too_many_arguments, reason = "keywords of Python")]
fn follow_leader(
    agent: &Agent,
    leader: &Body,
    others: Bodies<'_>,
    behind: f64,
    clear: f64,
    clear_time: f64,
    slowing: f64,
    separation: f64,
) -> Pair {
    let options = LeaderOptions {
        behind_m: behind,
        clear_m: clear,
        clear_s: clear_time,
        slowing_m: slowing,
        separation: Neighbourhood { radius_m: separation, ..Neighbourhood::default() },
    };
    pair(behaviours::follow_leader(&agent.agent, &leader.into(), &bodies(&others), &options))
}

/// The sum of accelerations, each times its weight, at most the agent's largest.
#[pyfunction]
fn blend_weighted(agent: &Agent, wanted: Vec<(f64, Pair)>) -> Pair {
    let wanted: Vec<_> = wanted.into_iter().map(|(weight, (x, y))| (weight, [x, y])).collect();
    pair(behaviours::blend_weighted(&agent.agent, &wanted))
}

/// Accelerations in their order, each as far as those before it leave something of the agent's largest.
#[pyfunction]
fn blend_by_priority(agent: &Agent, wanted: Vec<Pair>) -> Pair {
    let wanted: Vec<_> = wanted.into_iter().map(|(x, y)| [x, y]).collect();
    pair(behaviours::blend_by_priority(&agent.agent, &wanted))
}

/// The first time, s, at which one that starts at a point and drives straight at `speed` m/s can meet a
/// body; None if it gets away.
#[pyfunction]
fn interception_time(start: Pair, speed: f64, other: &Body) -> Option<f64> {
    behaviours::interception_time_s([start.0, start.1], speed, &other.into())
}

/// Pedal, -1 to 1, and steering angle, rad, of a car that is to accelerate so.
#[pyfunction]
#[pyo3(signature = (acceleration, heading, speed, *, full_throttle = 5.0, full_brake = 8.0, wheelbase = 2.6,
    max_steering = 0.6))]
fn car_controls(
    acceleration: Pair,
    heading: f64,
    speed: f64,
    full_throttle: f64,
    full_brake: f64,
    wheelbase: f64,
    max_steering: f64,
) -> Pair {
    let vehicle =
        VehicleGeometry { wheelbase_m: wheelbase, max_steering_rad: max_steering, ..VehicleGeometry::default() };
    let state = VehicleState::new([0.0; 3], heading, speed);
    let wanted = [acceleration.0, acceleration.1];
    let controls = behaviours::car_controls(wanted, &state, &vehicle, [full_throttle, full_brake]);
    (controls.pedal, controls.steering_rad)
}

/// Follows a line, or the file at a path: one for each agent.
#[pyclass(module = "raceline.behaviours")]
pub struct PathFollowing {
    path: Path,
    place_m: f64,
    options: PathFollowingOptions,
}

#[pymethods]
impl PathFollowing {
    /// Times in s, distances in m; `start` is the arc length at which the agent begins.
    #[new]
    #[pyo3(signature = (line, *, start = 0.0, prediction = 0.5, tube = 1.0, ahead = 4.0))]
    fn new(line: &Bound<'_, PyAny>, start: f64, prediction: f64, tube: f64, ahead: f64) -> PyResult<Self> {
        let line = json::read(&bytes_of(line)?).map_err(|error| InputError::new_err(error.to_string()))?;
        let options = PathFollowingOptions { prediction_s: prediction, tube_m: tube, ahead_m: ahead };
        Ok(Self { path: line.path, place_m: start, options })
    }

    /// Arc length of the agent's nearest point, m.
    #[getter]
    fn place(&self) -> f64 {
        self.place_m
    }

    /// Along the line: straight on within the tube, else to a point ahead.
    fn step(&mut self, agent: &Agent) -> Pair {
        pair(behaviours::follow_path(&agent.agent, &self.path, &mut self.place_m, &self.options))
    }
}

/// A random walk of the direction: one for each agent.
#[pyclass(module = "raceline.behaviours")]
pub struct Wander {
    wander: behaviours::Wander,
}

#[pymethods]
impl Wander {
    /// Radius and distance of the circle on which the target walks, m, the target's deviation after one
    /// second, rad, and the speed, m/s.
    #[new]
    #[pyo3(signature = (*, radius = 3.0, distance = 5.0, rate = 2.0, speed = 5.0, seed = 0))]
    fn new(radius: f64, distance: f64, rate: f64, speed: f64, seed: u64) -> Self {
        let options = WanderOptions { radius_m: radius, distance_m: distance, rate_rad: rate, speed_mps: speed, seed };
        Self { wander: behaviours::Wander::new(options) }
    }

    /// One frame of `dt` s.
    fn step(&mut self, agent: &Agent, dt: f64) -> Pair {
        pair(self.wander.step(&agent.agent, dt))
    }
}

/// A grid of velocities, which `raceline export --format flow-field` writes.
#[pyclass(frozen, module = "raceline.behaviours")]
pub struct FlowField {
    origin_m: [f64; 2],
    cell_m: f64,
    columns: usize,
    velocities_mps: Vec<[f32; 2]>,
}

impl FlowField {
    fn field(&self) -> PyResult<behaviours::FlowField<'_>> {
        behaviours::FlowField::new(self.origin_m, self.cell_m, self.columns, &self.velocities_mps)
            .map_err(|error| InputError::new_err(error.to_string()))
    }
}

#[pymethods]
impl FlowField {
    /// Velocities, m/s, of shape (rows, columns, 2), the lowest row first; the grid's corner and the size
    /// of its cells in m.
    #[new]
    fn new(origin: Pair, cell: f64, velocities: &Bound<'_, PyAny>) -> PyResult<Self> {
        let wrong = || InputError::new_err("velocities is no array of shape (rows, columns, 2)");
        let array: PyArrayLike3<'_, f32, AllowTypeChange> = velocities.extract().map_err(|_| wrong())?;
        let array = array.as_array();
        let &[_, columns, 2] = array.shape() else { return Err(wrong()) };
        let numbers: Vec<f32> = array.iter().copied().collect();
        let velocities_mps = numbers.as_chunks().0.to_vec();
        let made = Self { origin_m: [origin.0, origin.1], cell_m: cell, columns, velocities_mps };
        made.field()?;
        Ok(made)
    }

    /// The velocity at a point, m/s.
    fn velocity(&self, at: Pair) -> PyResult<Pair> {
        Ok(pair(self.field()?.velocity_mps([at.0, at.1])))
    }
}

/// To the velocity that a flow field has where the agent will be in `prediction` s.
#[pyfunction]
#[pyo3(signature = (agent, field, prediction = 0.5))]
fn follow_flow_field(agent: &Agent, field: &FlowField, prediction: f64) -> PyResult<Pair> {
    Ok(pair(behaviours::follow_flow_field(&agent.agent, &field.field()?, prediction)))
}

/// Adds the behaviours to a module.
pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Agent>()?;
    module.add_class::<PathFollowing>()?;
    module.add_class::<Wander>()?;
    module.add_class::<Flock>()?;
    module.add_class::<NeighbourGrid>()?;
    module.add_class::<FlowField>()?;
    for function in [
        wrap_pyfunction!(seek, module)?,
        wrap_pyfunction!(flee, module)?,
        wrap_pyfunction!(arrival, module)?,
        wrap_pyfunction!(pursuit, module)?,
        wrap_pyfunction!(evasion, module)?,
        wrap_pyfunction!(offset_pursuit, module)?,
        wrap_pyfunction!(follow_wall, module)?,
        wrap_pyfunction!(avoid_obstacles, module)?,
        wrap_pyfunction!(avoid_bodies, module)?,
        wrap_pyfunction!(separation, module)?,
        wrap_pyfunction!(cohesion, module)?,
        wrap_pyfunction!(alignment, module)?,
        wrap_pyfunction!(follow_leader, module)?,
        wrap_pyfunction!(follow_flow_field, module)?,
        wrap_pyfunction!(blend_weighted, module)?,
        wrap_pyfunction!(blend_by_priority, module)?,
        wrap_pyfunction!(interception_time, module)?,
        wrap_pyfunction!(car_controls, module)?,
    ] {
        module.add_function(function)?;
    }
    Ok(())
}
