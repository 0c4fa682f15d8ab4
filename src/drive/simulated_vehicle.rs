//! A vehicle that drives along a line: its motion, and how far it has come.

use raceline_follower::{Command, VehicleState};
use raceline_vehicle_simulation::{Actuators, BicycleState, Controls};

use super::options::DriveOptions;
use super::reference_line::ReferenceLine;
use super::simulation::Bicycles;
use crate::geometry::{Point, wrap_angle};

/// A vehicle that drives along a line.
pub(super) struct SimulatedVehicle<'a> {
    reference: &'a ReferenceLine,
    bicycles: &'a Bicycles,
    actuators: Actuators,
    actuation_delay_s: f64,
    frame_s: f64,
    /// Integration steps per frame.
    steps: u32,
    pub(super) state: BicycleState,
    pub(super) time_s: f64,
    /// Position along the line, and the distance along it since the start with whole laps, m.
    pub(super) s: f64,
    pub(super) driven: f64,
}

impl<'a> SimulatedVehicle<'a> {
    /// A vehicle that is not placed yet.
    pub(super) fn new(reference: &'a ReferenceLine, bicycles: &'a Bicycles, options: &DriveOptions) -> Self {
        let frame_s = options.frame_rate_hz.recip();
        Self {
            reference,
            bicycles,
            actuators: Actuators::new(options.actuation_delay_s),
            actuation_delay_s: options.actuation_delay_s,
            frame_s,
            steps: (frame_s / options.time_step_s).ceil().max(1.0) as u32,
            state: BicycleState::default(),
            time_s: 0.0,
            s: 0.0,
            driven: 0.0,
        }
    }

    /// Duration of a frame, s.
    pub(super) fn frame_s(&self) -> f64 {
        self.frame_s
    }

    /// Puts it on the line at `s`, m.
    pub(super) fn place(&mut self, s: f64, speed_mps: f64) {
        let (position, heading_rad) = self.reference.at(s);
        self.state = BicycleState {
            x_m: position.x,
            y_m: position.y,
            heading_rad,
            forward_mps: speed_mps,
            ..BicycleState::default()
        };
        self.s = s;
    }

    /// Forgets the commands that have not taken effect yet.
    pub(super) fn drop_commands(&mut self) {
        self.actuators = Actuators::new(self.actuation_delay_s);
    }

    /// What a follower is given of it.
    pub(super) fn seen(&self) -> VehicleState {
        let state = &self.state;
        let [x_mps, y_mps] = state.velocity_mps();
        VehicleState {
            position_m: [state.x_m, state.y_m, 0.0],
            heading_rad: wrap_angle(state.heading_rad),
            speed_mps: state.forward_mps,
            velocity_mps: [x_mps, y_mps, 0.0],
            yaw_rate_radps: state.yaw_rate_radps,
        }
    }

    /// Moves on for one frame.
    pub(super) fn advance(&mut self, command: &Command) {
        let controls = Controls { pedal: command.pedal, reverse: command.reverse, steering_rad: command.steering_rad };
        self.actuators.command(self.time_s, controls);
        let step_s = self.frame_s / f64::from(self.steps);
        let surface = self.reference.surface(self.s);
        for step in 0..self.steps {
            let acting = self.actuators.acting(self.time_s + f64::from(step) * step_s);
            self.bicycles.at(self.s).advance_on(&surface, &mut self.state, &acting, step_s);
        }
        self.time_s += self.frame_s;
        let moved = self.state.speed_mps() * self.frame_s;
        let place = self.reference.place(Point::from(self.state.position_m()), self.s, moved);
        let length = self.reference.length_m();
        let mut path = place.s_m - self.s;
        if self.reference.is_closed() {
            path -= length * (path / length).round();
        }
        self.driven += path;
        self.s = place.s_m;
    }
}
