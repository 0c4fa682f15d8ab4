//! A vehicle that drives along a line: its motion, and how far it has come.

use std::sync::Arc;

use raceline_follower::{Command, VehicleState};
use raceline_vehicle_simulation::{Actuators, BicycleState, Controls};

use super::course::Course;
use super::noise::DrawnNoise;
use crate::geometry::{Point, wrap_angle};

/// A vehicle that drives along a line.
pub(super) struct SimulatedVehicle {
    course: Arc<Course>,
    actuators: Actuators,
    pub(super) state: BicycleState,
    pub(super) time_s: f64,
    /// Position along the line, and the distance along it since the start with whole laps, m.
    pub(super) s: f64,
    pub(super) driven: f64,
    /// What its driver does not know; `None` where it knows everything.
    noise: Option<DrawnNoise>,
}

impl SimulatedVehicle {
    /// A vehicle that is not placed yet.
    pub(super) fn new(course: Arc<Course>) -> Self {
        Self {
            actuators: Actuators::new(course.actuation_delay_s),
            course,
            state: BicycleState::default(),
            time_s: 0.0,
            s: 0.0,
            driven: 0.0,
            noise: None,
        }
    }

    /// The vehicle of a driver with these errors.
    pub(super) fn with_noise(self, noise: Option<DrawnNoise>) -> Self {
        Self { noise, ..self }
    }

    /// Duration of a frame, s.
    pub(super) fn frame_s(&self) -> f64 {
        self.course.frame_s
    }

    /// Puts it on the line at `s`, m.
    pub(super) fn place(&mut self, s: f64, speed_mps: f64) {
        let (position, heading_rad) = self.course.reference.at(s);
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
        self.actuators = Actuators::new(self.course.actuation_delay_s);
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

    /// What its driver measures: [`Self::seen`] with its errors.
    pub(super) fn measured(&self) -> VehicleState {
        let seen = self.seen();
        self.noise.as_ref().map_or(seen, |noise| noise.measured(seen))
    }

    /// Moves on for one frame.
    pub(super) fn advance(&mut self, command: &Command) {
        let controls = Controls { pedal: command.pedal, reverse: command.reverse, steering_rad: command.steering_rad };
        let (course, now_s) = (&*self.course, self.time_s);
        self.actuators.command(now_s, controls);
        let side_mps2 = self.noise.as_ref().map_or(0.0, DrawnNoise::side_mps2);
        course.advance(&mut self.state, self.s, side_mps2, |after_s| self.actuators.acting(now_s + after_s));
        if let Some(noise) = &mut self.noise {
            noise.advance(course.frame_s);
        }
        self.time_s += course.frame_s;
        let moved = self.state.speed_mps() * course.frame_s;
        let place = course.reference.place(Point::from(self.state.position_m()), self.s, moved);
        self.driven += course.between(self.s, place.s_m);
        self.s = place.s_m;
    }
}
