//! A drive in progress: the loop of follower, actuators and bicycle.

use std::sync::Arc;

use raceline_follower::{Command, LearnedSpeeds, Path, PathFollower, VehicleState};

use super::course::Course;
use super::simulated_vehicle::SimulatedVehicle;
use super::trace::TraceRow;
use super::traffic::Traffic;
use crate::geometry::{Point, Vector, left_of, wrap_angle};

/// An open line counts as driven this far before its end, m.
const END_M: f64 = 0.05;

/// A profile that ends below this speed, m/s, ends in a stop, and a vehicle that has arrived counts
/// as stopped.
pub(super) const STOP_MPS: f64 = 1.0;

/// A drive in progress.
pub(super) struct Run {
    course: Arc<Course>,
    path: Path,
    /// Half the length and half the width of the body, m.
    half: [f64; 2],
    driver: Box<dyn PathFollower>,
    /// The other vehicles on the road.
    pub(super) traffic: Traffic,
    pub(super) learning: Option<LearnedSpeeds>,
    /// Whether learning ends with the next frame.
    settles: bool,
    vehicle: SimulatedVehicle,
    lap: u32,
    /// One row per frame.
    pub(super) trace: Vec<TraceRow>,
    /// Times of the completed timed laps, s.
    pub(super) lap_times_s: Vec<f64>,
    /// Times that the vehicle got stuck.
    pub(super) stuck_events: u32,
    /// Times that it was placed back on the line.
    pub(super) placements: u32,
    /// How far beyond the edge of the road it is given up, m; infinite for a drive that goes on.
    pub(super) lost_beyond_m: f64,
}

impl Run {
    /// A run with the vehicle at rest; `half_m` are half the length and half the width of its body.
    pub(super) fn new(
        course: Arc<Course>,
        path: Path,
        half_m: [f64; 2],
        (vehicle, driver): (SimulatedVehicle, Box<dyn PathFollower>),
        traffic: Traffic,
        learning: Option<LearnedSpeeds>,
    ) -> Self {
        let mut run = Self {
            course,
            path,
            half: half_m,
            driver,
            traffic,
            learning,
            settles: false,
            vehicle,
            lap: 0,
            trace: Vec::new(),
            lap_times_s: Vec::new(),
            stuck_events: 0,
            placements: 0,
            lost_beyond_m: f64::INFINITY,
        };
        run.apply_learned();
        run
    }

    /// Drives at the speeds that were learned so far.
    fn apply_learned(&mut self) {
        if let Some(learning) = &mut self.learning {
            // It was made for this path.
            let _ = learning.apply(&mut self.path);
        }
    }

    /// Learns the speeds by place from a step.
    fn learn(&mut self, seen: &VehicleState, command: &Command) {
        let Some(learning) = &mut self.learning else { return };
        if self.trace.last().is_some_and(|row| row.room_m < 0.0) {
            learning.fault();
        }
        let ended = learning.observe(&self.path, seen, command, self.vehicle.frame_s()).is_some();
        // The follower sees the end of the last lap for learning one frame later.
        let settles = std::mem::take(&mut self.settles);
        if settles {
            learning.settle();
        }
        if ended || settles {
            self.apply_learned();
        }
    }

    /// Ends learning: the laps from here on count. Returns their first row.
    pub(super) fn begin_timed_laps(&mut self) -> usize {
        if self.learning.is_some() {
            self.settles = true;
            (self.stuck_events, self.placements) = (0, 0);
        }
        self.trace.len()
    }

    /// Whether it is beyond the edge by so much that it is given up.
    fn is_lost(&self) -> bool {
        self.trace.last().is_some_and(|row| row.room_m < -self.lost_beyond_m)
    }

    /// Drives a warm-up lap, `learn_laps` for learning and `laps` timed ones of a closed line, with a
    /// mean time limit of `patience_s` per lap. Returns the first row of the timed ones. After those for
    /// learning comes one with what was learned, because the follower adapts to the laps before.
    pub(super) fn drive_laps(&mut self, learn_laps: u32, laps: u32, patience_s: f64) -> usize {
        self.vehicle.place(0.0, 0.0);
        self.traffic.line_up();
        let length = self.course.reference.length_m();
        let mut timed_from = usize::MAX;
        let mut crossed_s = 0.0;
        let untimed = if learn_laps > 0 { learn_laps + 1 } else { 0 };
        let give_up_s = patience_s * f64::from(laps + untimed + 1);
        let mut crossings = 0;
        while self.lap <= laps && self.vehicle.time_s < give_up_s && !self.is_lost() {
            let (before, began_s) = (self.vehicle.driven, self.vehicle.time_s);
            self.frame();
            let line = f64::from(crossings + 1) * length;
            if self.vehicle.driven < line {
                continue;
            }
            crossings += 1;
            let fraction = (line - before) / (self.vehicle.driven - before);
            let now_s = began_s + fraction * self.vehicle.frame_s();
            if crossings <= untimed {
                self.settles |= crossings == untimed;
                continue;
            }
            if self.lap == 0 {
                timed_from = self.begin_timed_laps();
            } else {
                self.lap_times_s.push(now_s - crossed_s);
            }
            crossed_s = now_s;
            self.lap += 1;
        }
        timed_from
    }

    /// Drives an open line from its first point at `speed_mps` to its end, within the time limit
    /// `patience_s`.
    pub(super) fn drive_to_end(&mut self, lap: u32, speed_mps: f64, patience_s: f64) {
        self.vehicle.place(0.0, speed_mps);
        self.traffic.line_up();
        self.driver.reset();
        // Delayed commands of the last run must not take effect in this one.
        self.vehicle.drop_commands();
        self.lap = lap;
        let end = self.course.reference.length_m() - END_M;
        let began_s = self.vehicle.time_s;
        self.vehicle.driven = 0.0;
        while self.vehicle.time_s < began_s + patience_s && !self.is_lost() {
            let (before, frame_began_s) = (self.vehicle.driven, self.vehicle.time_s);
            let command = self.frame();
            if self.vehicle.driven >= end {
                let fraction = (end - before) / (self.vehicle.driven - before);
                self.lap_times_s.push(frame_began_s + fraction * self.vehicle.frame_s() - began_s);
                return;
            }
            if command.arrived && self.vehicle.state.forward_mps.abs() < STOP_MPS {
                self.lap_times_s.push(self.vehicle.time_s - began_s);
                return;
            }
        }
    }

    /// One frame: a step of the follower, then the integration.
    fn frame(&mut self) -> Command {
        let (true_state, seen) = (self.vehicle.seen(), self.vehicle.measured());
        let scene = self.traffic.around(&true_state);
        let command = self.driver.step(&self.path, &seen, &scene, self.vehicle.frame_s());
        self.learn(&seen, &command);
        self.record(&command);
        if command.event.is_some_and(|event| event.is_stuck()) {
            self.stuck_events += 1;
        }
        if command.place_back.is_some() {
            self.placements += 1;
            self.vehicle.place(self.vehicle.s, 0.0);
        }
        self.traffic.advance(&self.path, &true_state, self.vehicle.s);
        self.vehicle.advance(&command);
        command
    }

    /// Adds a row to the trace.
    fn record(&mut self, command: &Command) {
        let state = &self.vehicle.state;
        let position = Point::from(state.position_m());
        let place = self.course.reference.place(position, self.vehicle.s, 0.0);
        let (forward, [half_length, half_width]) = (Vector::from(state.forward()), self.half);
        let corners = [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]].map(|[along, across]| {
            position + forward * (along * half_length) + left_of(forward) * (across * half_width)
        });
        let room = corners.map(|corner| self.course.reference.room(corner, place.s_m, half_length));
        self.trace.push(TraceRow {
            time_s: self.vehicle.time_s,
            lap: self.lap,
            s_m: place.s_m,
            x_m: state.x_m,
            y_m: state.y_m,
            heading_rad: wrap_angle(state.heading_rad),
            forward_mps: state.forward_mps,
            leftward_mps: state.leftward_mps,
            yaw_rate_radps: state.yaw_rate_radps,
            steering_rad: state.steering_rad,
            pedal: command.pedal,
            wanted_steering_rad: command.steering_rad,
            target_speed_mps: command.target_speed_mps,
            profile_speed_mps: self.course.reference.profile_speed(place.s_m),
            cross_track_error_m: place.offset_m,
            room_m: room.into_iter().fold(f64::INFINITY, f64::min),
            state: command.state,
        });
    }
}
