//! A racing line, a vehicle and a follower → how the line is driven: lap times, distance from the line, a trace.
//!
//! The vehicle of a line is a point mass that keeps to the line exactly. Here it gets two axles, tyres with slip angles, inertia in
//! yaw and a steering that takes time ([`bicycle`]), and is driven by a follower that sees it once a frame and holds its command until the
//! next ([`driver`]). What comes out tells how much of the profile's lap time is left.
//!
//! **Laps.** On a closed line the vehicle starts from standstill on the first point. The lap from there is the warm-up; each further one is timed
//! from crossing the first point to crossing it again, linear in between frames. An open line is driven from end to end, from the profile's
//! first speed, as often as laps are asked for, and there is no warm-up.
//!
//! A drive that takes ten times the profile's time, and half a minute, for each lap ends there, with the laps that were completed.

pub mod actuators;
pub mod bicycle;
pub mod driver;
mod error;
mod measures;
mod options;
mod reference_line;
mod trace;
pub mod trace_csv;
mod tyre;

pub use driver::FollowerKind;
pub use error::DriveError;
pub use measures::Measures;
pub use options::{BicycleOptions, DriveOptions};
pub use reference_line::{LinePlace, ReferenceLine};
pub use trace::{TraceRow, state_name};
pub use tyre::{BrushTyre, inside_ellipse};

use actuators::{Actuators, Controls};
use bicycle::{Bicycle, BicycleState};
use raceline_follower::{Command, Path, PathFollower, VehicleState};

use crate::RacingLine;
use crate::geometry::{left_of, wrap_angle};
use crate::vehicle::Vehicle;

/// A drive is given up after so many times the profile's lap time for each lap,
const PATIENCE: f64 = 10.0;
/// and this besides, s.
const PATIENCE_S: f64 = 30.0;
/// An open line counts as driven this far before its end, m.
const END_M: f64 = 0.05;
/// A profile that ends slower than this ends in a stop, m/s.
const STOP_MPS: f64 = 1.0;

/// What a drive gave.
#[derive(Clone, Debug, PartialEq)]
pub struct Drive {
    /// The numbers.
    pub measures: Measures,
    /// Every frame.
    pub trace: Vec<TraceRow>,
}

/// Drives `line` with `vehicle`, which may be another than the line was made for.
///
/// # Errors
/// [`DriveError`] for a vehicle, an option or a line that can't be used. Not completing the laps is no error: see
/// [`Measures::is_complete`].
pub fn drive(line: &RacingLine, vehicle: &Vehicle, options: &DriveOptions) -> Result<Drive, DriveError> {
    options.validate()?;
    let bicycle = Bicycle::new(vehicle, &options.bicycle)?;
    let reference = ReferenceLine::new(line)?;
    let path = driver::path_of(line)?;
    let stop_at_end = !line.closed && line.points.last().is_some_and(|point| point.speed_mps < STOP_MPS);
    let follower = driver::driver(vehicle, &bicycle, options, stop_at_end)?;
    let mut run = Run {
        reference: &reference,
        path: &path,
        bicycle: &bicycle,
        half: [vehicle.length_m / 2.0, vehicle.width_m / 2.0],
        follower,
        actuators: Actuators::new(options.bicycle.actuation_delay_s),
        frame_s: options.frame_rate_hz.recip(),
        steps: (options.frame_rate_hz.recip() / options.bicycle.time_step_s).ceil().max(1.0) as u32,
        state: BicycleState::default(),
        time_s: 0.0,
        s: 0.0,
        driven: 0.0,
        lap: 0,
        trace: Vec::new(),
        measures: Measures {
            lap_times_s: Vec::new(),
            laps_asked: options.laps,
            profile_lap_time_s: line.lap_time_s,
            cross_track_mean_m: 0.0,
            cross_track_95_m: 0.0,
            cross_track_worst_m: 0.0,
            cross_track_worst_at_m: 0.0,
            inside_share: 0.0,
            least_room_m: 0.0,
            stuck_events: 0,
            placements: 0,
        },
    };
    let patience_s = PATIENCE * line.lap_time_s + PATIENCE_S;
    let timed_from = if line.closed {
        run.place(0.0, 0.0);
        run.laps(options.laps, patience_s)
    } else {
        for lap in 1..=options.laps {
            run.place(0.0, line.points.first().map_or(0.0, |point| point.speed_mps));
            run.follower.reset();
            // Commands on their way were the last run's.
            run.actuators = Actuators::new(options.bicycle.actuation_delay_s);
            run.lap = lap;
            run.drive_to_end(patience_s);
        }
        0
    };
    let Run { mut measures, trace, .. } = run;
    measures.of_trace(&trace, timed_from);
    Ok(Drive { measures, trace })
}

/// A drive under way.
struct Run<'a> {
    reference: &'a ReferenceLine,
    path: &'a Path,
    bicycle: &'a Bicycle,
    /// Half the length and half the width of the body.
    half: [f64; 2],
    follower: Box<dyn PathFollower>,
    actuators: Actuators,
    frame_s: f64,
    /// Steps of the integration in a frame.
    steps: u32,
    state: BicycleState,
    time_s: f64,
    /// Place along the line, and the way along it since the start, whole laps included.
    s: f64,
    driven: f64,
    lap: u32,
    trace: Vec<TraceRow>,
    measures: Measures,
}

impl Run<'_> {
    /// Puts the vehicle on the line at `s`.
    fn place(&mut self, s: f64, speed_mps: f64) {
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

    /// Drives a warm-up lap and `laps` timed ones; returns the first row of these.
    fn laps(&mut self, laps: u32, patience_s: f64) -> usize {
        let length = self.reference.length_m();
        let mut timed_from = usize::MAX;
        let mut crossed_s = 0.0;
        let give_up_s = patience_s * f64::from(laps + 1);
        while self.lap <= laps && self.time_s < give_up_s {
            let (before, began_s) = (self.driven, self.time_s);
            self.frame();
            let line = f64::from(self.lap + 1) * length;
            if self.driven < line {
                continue;
            }
            let share = (line - before) / (self.driven - before);
            let now_s = began_s + share * self.frame_s;
            if self.lap == 0 {
                timed_from = self.trace.len();
            } else {
                self.measures.lap_times_s.push(now_s - crossed_s);
            }
            crossed_s = now_s;
            self.lap += 1;
        }
        timed_from
    }

    /// Drives to the end of an open line.
    fn drive_to_end(&mut self, patience_s: f64) {
        let end = self.reference.length_m() - END_M;
        let began_s = self.time_s;
        self.driven = 0.0;
        while self.time_s < began_s + patience_s {
            let (before, frame_began_s) = (self.driven, self.time_s);
            let command = self.frame();
            if self.driven >= end {
                let share = (end - before) / (self.driven - before);
                self.measures.lap_times_s.push(frame_began_s + share * self.frame_s - began_s);
                return;
            }
            if command.arrived && self.state.forward_mps.abs() < STOP_MPS {
                self.measures.lap_times_s.push(self.time_s - began_s);
                return;
            }
        }
    }

    /// Asks the follower and lets a frame pass.
    fn frame(&mut self) -> Command {
        let state = self.state;
        let velocity = state.velocity();
        let seen = VehicleState {
            position_m: [state.x_m, state.y_m, 0.0],
            heading_rad: wrap_angle(state.heading_rad),
            speed_mps: state.forward_mps,
            velocity_mps: [velocity.x, velocity.y, 0.0],
            yaw_rate_radps: state.yaw_rate_radps,
        };
        let command = self.follower.step(self.path, &seen, self.frame_s);
        self.record(&command);
        if command.event.is_some_and(|event| event.is_stuck()) {
            self.measures.stuck_events += 1;
        }
        if command.place_back.is_some() {
            self.measures.placements += 1;
            self.place(self.s, 0.0);
        }
        let controls = Controls { pedal: command.pedal, reverse: command.reverse, steering_rad: command.steering_rad };
        self.actuators.command(self.time_s, controls);
        let step_s = self.frame_s / f64::from(self.steps);
        for step in 0..self.steps {
            let acting = self.actuators.acting(self.time_s + f64::from(step) * step_s);
            self.bicycle.advance(&mut self.state, &acting, step_s);
        }
        self.time_s += self.frame_s;
        self.progress();
        command
    }

    fn progress(&mut self) {
        let moved = self.state.velocity().norm() * self.frame_s;
        let place = self.reference.place(self.state.position(), self.s, moved);
        let length = self.reference.length_m();
        let mut way = place.s_m - self.s;
        if self.reference.is_closed() {
            way -= length * (way / length).round();
        }
        self.driven += way;
        self.s = place.s_m;
    }

    fn record(&mut self, command: &Command) {
        let state = &self.state;
        let place = self.reference.place(state.position(), self.s, 0.0);
        let (forward, [half_length, half_width]) = (state.forward(), self.half);
        let corners = [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]].map(|[along, across]| {
            state.position() + forward * (along * half_length) + left_of(forward) * (across * half_width)
        });
        let room = corners.map(|corner| self.reference.room(corner, place.s_m, half_length));
        self.trace.push(TraceRow {
            time_s: self.time_s,
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
            profile_speed_mps: self.reference.profile_speed(place.s_m),
            cross_track_error_m: place.offset_m,
            room_m: room.into_iter().fold(f64::INFINITY, f64::min),
            state: command.state,
        });
    }
}
