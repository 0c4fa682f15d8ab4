//! The command of a follower for a frame.

use pyo3::prelude::*;
use raceline_follower::StuckState;

use crate::error::InputError;
use crate::pickling::{Reduced, reduced};

/// The names of the states.
const STATES: [&str; 4] = ["driving", "reversing", "turning out", "asking for placement"];

/// What the vehicle is to do in a frame.
#[pyclass(frozen, get_all, eq, module = "raceline")]
#[derive(Clone, Copy, PartialEq)]
pub struct Command {
    /// Steering angle of the front wheels, rad, positive to the left.
    steering: f64,
    /// Pedal, -1 to 1: throttle, or brake below 0.
    pedal: f64,
    /// Acceleration that the pedal asks for on a level road, less drag and rolling resistance, m/s²;
    /// None where the vehicle's limits are not known.
    acceleration: Option<f64>,
    /// Whether to drive backwards.
    reverse: bool,
    /// Whether a boost is useful.
    boost: bool,
    /// Target speed, m/s.
    target_speed: f64,
    /// Target point, m.
    target: (f64, f64, f64),
    /// The nearest point of the line, m.
    nearest: (f64, f64, f64),
    /// Distance along the line, m.
    s: f64,
    /// Distance from the line, m, positive on its left.
    cross_track_error: f64,
    /// Whether the vehicle is on the road.
    on_road: bool,
    /// Whether the end of an open line is reached.
    arrived: bool,
    /// "driving", "reversing", "turning out" or "asking for placement".
    state: &'static str,
    /// Where to place the vehicle, (x, y, heading) in m and rad, while it asks for that.
    place_back: Option<(f64, f64, f64)>,
    /// Whether neighbours or obstacles changed this command.
    avoiding: bool,
    /// Distance to the left of the line at which they make it drive, m.
    shift: f64,
    /// Whether the control at the limit of grip is missing because the velocity is.
    lacks_velocity: bool,
}

type Place = (f64, f64, f64);
/// Steering, pedal, acceleration, target speed, s, cross-track error and shift.
type Numbers = (f64, f64, Option<f64>, f64, f64, f64, f64);
/// Target, nearest point and where to place the vehicle.
type Places = (Place, Place, Option<Place>);
/// Reverse, boost, on the road, arrived, avoiding, without velocity; state.
type State = ((bool, bool, bool, bool, bool, bool), String);

/// A command from its parts, as it is pickled.
#[pyfunction]
pub fn _command(numbers: Numbers, places: Places, state: State) -> PyResult<Command> {
    let (steering, pedal, acceleration, target_speed, s, cross_track_error, shift) = numbers;
    let (target, nearest, place_back) = places;
    let ((reverse, boost, on_road, arrived, avoiding, lacks_velocity), name) = state;
    let state = STATES.into_iter().find(|state| *state == name);
    let state = state.ok_or_else(|| InputError::new_err(format!("{name:?} is no state of a command")))?;
    Ok(Command {
        steering,
        pedal,
        acceleration,
        reverse,
        boost,
        target_speed,
        target,
        nearest,
        s,
        cross_track_error,
        on_road,
        arrived,
        state,
        place_back,
        avoiding,
        shift,
        lacks_velocity,
    })
}

impl Command {
    fn parts(&self) -> (Numbers, Places, State) {
        (
            (
                self.steering,
                self.pedal,
                self.acceleration,
                self.target_speed,
                self.s,
                self.cross_track_error,
                self.shift,
            ),
            (self.target, self.nearest, self.place_back),
            (
                (self.reverse, self.boost, self.on_road, self.arrived, self.avoiding, self.lacks_velocity),
                self.state.to_owned(),
            ),
        )
    }

    pub fn of(command: &raceline_follower::Command, avoiding: bool, shift: f64) -> Self {
        let [x, y, z] = command.target_point_m;
        let [near_x, near_y, near_z] = command.nearest_point_m;
        Self {
            steering: command.steering_rad,
            pedal: command.pedal,
            acceleration: command.acceleration_mps2,
            reverse: command.reverse,
            boost: command.boost,
            target_speed: command.target_speed_mps,
            target: (x, y, z),
            nearest: (near_x, near_y, near_z),
            s: command.s_m,
            cross_track_error: command.cross_track_error_m,
            on_road: command.inside_corridor,
            arrived: command.arrived,
            state: match command.state {
                StuckState::Driving => STATES[0],
                StuckState::Reversing => STATES[1],
                StuckState::TurningOut => STATES[2],
                StuckState::AskingForPlacement => STATES[3],
            },
            place_back: command.place_back.map(|place| (place.position_m[0], place.position_m[1], place.heading_rad)),
            avoiding,
            shift,
            lacks_velocity: command.lacks_velocity,
        }
    }
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

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, (Numbers, Places, State)> {
        reduced(py, "_command", self.parts())
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.parts().into_pyobject(py)?.hash()
    }

    fn __repr__(&self) -> String {
        let Self { steering, pedal, target_speed, cross_track_error, .. } = self;
        format!(
            "<raceline.Command steering {steering:.3} rad, pedal {pedal:.2}, target speed {target_speed:.2} m/s, \
             {cross_track_error:.3} m off the line>"
        )
    }
}
