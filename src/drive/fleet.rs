//! Many vehicles on one line, each alone on the road and driven from outside, frame by frame: what a learning
//! driver trains in.
//!
//! What a driver is given of a vehicle is a row of [`Fleet::observation_len`] numbers, each divided by what makes
//! it one of about -1 to 1:
//!
//! | Number | Divided by |
//! |---|---|
//! | velocity along and across the body, positive to the left | the vehicle's largest speed |
//! | yaw rate | 1 rad/s |
//! | angle of the front wheels | its largest one |
//! | heading of the body relative to the line | 1 rad |
//! | distances to the left and the right edge of the road, negative beyond it | `preview_m` |
//! | for each point of the preview, x and y of the left edge, then of the right edge, in the frame of the body: x ahead, y to the left | `preview_m` |
//! | for each point of the preview, the speed of the line's profile | the vehicle's largest speed |

use raceline_numerics::math;
use raceline_vehicle_simulation::{BicycleState, Controls, check_ranges};
use rayon::prelude::*;

use super::course::{Course, Frames};
use super::error::DriveError;
use crate::file::RacingLine;
use crate::geometry::{Point, Vector, left_of, wrap_angle};
use crate::vehicle::Vehicle;

/// Numbers of an observation that are not of the preview.
const OWN: usize = 7;
/// Numbers of an observation for each point of the preview.
const PER_POINT: usize = 5;
/// Vehicles that one thread moves on at a time; below it, handing them over costs more than it gains.
const CHUNK: usize = 8;

/// How a fleet is driven and what its drivers are given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FleetOptions {
    /// Actions per second, Hz, 10 to 1000. Default: 20.
    pub frame_rate_hz: f64,
    /// Longest step of the integration, s, 1e-5 to 0.01. Default: 0.01: three seconds of slalom end within
    /// 0.15 m of those in steps of 1 ms.
    pub time_step_s: f64,
    /// Distance along the line that a driver sees, m, 1 to 1000. Default: 60.
    pub preview_m: f64,
    /// Number of points on that distance, at equal distances, 1 to 100. Default: 10.
    pub preview_points: usize,
}

impl Default for FleetOptions {
    fn default() -> Self {
        Self { frame_rate_hz: 20.0, time_step_s: 1e-2, preview_m: 60.0, preview_points: 10 }
    }
}

impl FleetOptions {
    /// Checks every range.
    ///
    /// # Errors
    /// [`DriveError::Option`] names the first option that is out of its range.
    pub fn validate(&self) -> Result<(), DriveError> {
        // Every field is named, so that a new one does not compile without its range.
        let &Self { frame_rate_hz, time_step_s, preview_m, preview_points } = self;
        check_ranges! {
            frame_rate_hz = frame_rate_hz, 10 to 1000, "Hz";
            time_step_s = time_step_s, 0.00001 to 0.01, "s";
            preview_m = preview_m, 1 to 1000, "m";
            preview_points = preview_points as f64, 1 to 100;
        }
        Ok(())
    }
}

/// Where a vehicle is placed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Placement {
    /// Distance along the line from its first point, m.
    pub s_m: f64,
    /// Distance from the line, m, positive to the left.
    pub offset_m: f64,
    /// Heading relative to the line, rad.
    pub heading_rad: f64,
    /// Speed along the body, m/s.
    pub speed_mps: f64,
}

/// What a driver does in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Action {
    /// Angle of the front wheels as a fraction of the largest one, -1 to 1, positive to the left.
    pub steering: f64,
    /// Fraction of the drive, or of the brakes where it is negative, -1 to 1.
    pub pedal: f64,
}

/// How a vehicle stands after a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Standing {
    /// Distance along the line that was gained in the frame, m; negative backwards.
    pub progress_m: f64,
    /// Distance along the line from its first point, m.
    pub s_m: f64,
    /// Distance from the line, m, positive to the left.
    pub offset_m: f64,
    /// Distance of the body from the nearer edge of the road, m; negative beyond it.
    pub room_m: f64,
}

/// One vehicle.
#[derive(Clone, Copy, Debug, Default)]
struct Member {
    state: BicycleState,
    standing: Standing,
}

/// Vehicles that are alike, each alone on the road of a line.
///
/// ```
/// use raceline::drive::{Action, Fleet, FleetOptions, Placement};
/// use raceline::pipeline::{Request, TrackSource, optimize};
/// use raceline::{Options, file::Method, vehicle};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let points = (0..30).map(|i| [10.0 * f64::from(i), 0.0]).collect();
/// let road = TrackSource::CentreLine("straight".to_owned(), points, vec![[5.0, 5.0]; 30]);
/// let options = Options { method: Method::ShortestPath, ..Options::default() };
/// let line = optimize(road, &Request::new(&options, &vehicle::preset("gt")?))?.line;
///
/// let mut fleet = Fleet::new(&line, &line.vehicle, 2, &FleetOptions::default())?;
/// fleet.place(1, Placement { s_m: 50.0, ..Placement::default() });
/// let mut seen = vec![0.0; 2 * fleet.observation_len()];
/// let full = Action { pedal: 1.0, ..Action::default() };
/// fleet.step(&[full, full], &mut seen);
/// assert!(fleet.standings().all(|standing| standing.progress_m > 0.0));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Fleet {
    course: Course,
    members: Vec<Member>,
    options: FleetOptions,
    /// Half the length and half the width of a body, m.
    half_m: [f64; 2],
    max_steering_rad: f64,
    max_speed_mps: f64,
}

impl Fleet {
    /// `count` vehicles at rest on the first point of `line`.
    ///
    /// # Errors
    /// [`DriveError`] for an option, a vehicle or a line that cannot be used.
    pub fn new(line: &RacingLine, vehicle: &Vehicle, count: usize, options: &FleetOptions) -> Result<Self, DriveError> {
        options.validate()?;
        let &FleetOptions { frame_rate_hz: rate_hz, time_step_s, .. } = options;
        let frames = Frames { rate_hz, time_step_s, actuation_delay_s: 0.0 };
        let mut fleet = Self {
            course: Course::new(line, vehicle, &[], &frames)?,
            members: vec![Member::default(); count],
            options: *options,
            half_m: [vehicle.length_m / 2.0, vehicle.width_m / 2.0],
            max_steering_rad: vehicle.handling().max_steering_rad,
            max_speed_mps: vehicle.max_speed_mps,
        };
        (0..count).for_each(|index| fleet.place(index, Placement::default()));
        Ok(fleet)
    }

    /// Number of vehicles.
    #[must_use]
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Whether there are no vehicles.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Numbers in the observation of a vehicle: 7 and 5 for each point of the preview.
    #[must_use]
    pub fn observation_len(&self) -> usize {
        OWN + PER_POINT * self.options.preview_points
    }

    /// Duration of a frame, s.
    #[must_use]
    pub fn frame_s(&self) -> f64 {
        self.course.frame_s
    }

    /// Length of the line, m.
    #[must_use]
    pub fn length_m(&self) -> f64 {
        self.course.reference.length_m()
    }

    /// Distances from the line to the left and the right edge of the road at the distance `s_m` along it, m.
    #[must_use]
    pub fn widths_m(&self, s_m: f64) -> (f64, f64) {
        self.course.reference.widths(s_m)
    }

    /// The speed of the line's profile at the distance `s_m` along it, m/s.
    #[must_use]
    pub fn profile_speed_mps(&self, s_m: f64) -> f64 {
        self.course.reference.profile_speed(s_m)
    }

    /// Puts the vehicle `index` somewhere; does nothing if there is none.
    pub fn place(&mut self, index: usize, placement: Placement) {
        let Placement { s_m, offset_m, heading_rad, speed_mps } = placement;
        let (on_line, along) = self.course.reference.at(s_m);
        let position = on_line + left_of(Vector::new(math::cos(along), math::sin(along))) * offset_m;
        let state = BicycleState {
            x_m: position.x,
            y_m: position.y,
            heading_rad: along + heading_rad,
            forward_mps: speed_mps,
            ..BicycleState::default()
        };
        let standing = self.standing(&state, s_m, 0.0);
        if let Some(member) = self.members.get_mut(index) {
            *member = Member { state, standing: Standing { progress_m: 0.0, ..standing } };
        }
    }

    /// Moves each vehicle on for one frame under its action, in rayon's threads, and writes what its driver is given
    /// then to its row of `observations`. Vehicles without an action or without a row stay where they are.
    pub fn step(&mut self, actions: &[Action], observations: &mut [f32]) {
        let mut members = std::mem::take(&mut self.members);
        let fleet = &*self;
        let rows = observations.par_chunks_exact_mut(self.observation_len());
        members.par_iter_mut().zip(actions).zip(rows).with_min_len(CHUNK).for_each(|((member, action), row)| {
            fleet.advance(member, action);
            fleet.observe_one(member, row);
        });
        self.members = members;
    }

    /// As [`Self::step`], in the thread that calls it.
    pub fn step_in_this_thread(&mut self, actions: &[Action], observations: &mut [f32]) {
        let mut members = std::mem::take(&mut self.members);
        let rows = observations.chunks_exact_mut(self.observation_len());
        for ((member, action), row) in members.iter_mut().zip(actions).zip(rows) {
            self.advance(member, action);
            self.observe_one(member, row);
        }
        self.members = members;
    }

    /// Writes what the driver of the vehicle `index` is given to `observation`; does nothing if there is none.
    pub fn observe(&self, index: usize, observation: &mut [f32]) {
        if let Some(member) = self.members.get(index).filter(|_| observation.len() == self.observation_len()) {
            self.observe_one(member, observation);
        }
    }

    /// How each vehicle stands.
    pub fn standings(&self) -> impl Iterator<Item = Standing> {
        self.members.iter().map(|member| member.standing)
    }

    /// Position and motion of each vehicle.
    pub fn states(&self) -> impl Iterator<Item = &BicycleState> {
        self.members.iter().map(|member| &member.state)
    }

    fn advance(&self, member: &mut Member, action: &Action) {
        let within = |value: f64| if value.is_finite() { value.clamp(-1.0, 1.0) } else { 0.0 };
        let controls = Controls {
            pedal: within(action.pedal),
            steering_rad: within(action.steering) * self.max_steering_rad,
            ..Controls::default()
        };
        let s = member.standing.s_m;
        self.course.advance(&mut member.state, s, 0.0, |_| controls);
        member.standing = self.standing(&member.state, s, member.state.speed_mps() * self.course.frame_s);
    }

    /// How a vehicle stands that was at the distance `s` along the line and has moved by at most `moved`, m.
    fn standing(&self, state: &BicycleState, s: f64, moved: f64) -> Standing {
        let reference = &self.course.reference;
        let place = reference.place(Point::from(state.position_m()), s, moved);
        let (left, right) = reference.widths(place.s_m);
        let (sin, cos) = math::sin_cos(state.heading_rad - reference.at(place.s_m).1);
        // Half the width of the body's rectangle across the line.
        let half = self.half_m[0] * sin.abs() + self.half_m[1] * cos.abs();
        Standing {
            progress_m: self.course.between(s, place.s_m),
            s_m: place.s_m,
            offset_m: place.offset_m,
            room_m: (left - place.offset_m).min(right + place.offset_m) - half,
        }
    }

    fn observe_one(&self, member: &Member, observation: &mut [f32]) {
        let (state, Standing { s_m, offset_m, .. }) = (&member.state, member.standing);
        let (reference, preview) = (&self.course.reference, self.options.preview_m);
        let (left, right) = reference.widths(s_m);
        let own = [
            state.forward_mps / self.max_speed_mps,
            state.leftward_mps / self.max_speed_mps,
            state.yaw_rate_radps,
            state.steering_rad / self.max_steering_rad,
            wrap_angle(state.heading_rad - reference.at(s_m).1),
            (left - offset_m) / preview,
            (right + offset_m) / preview,
        ];
        let position = Point::from(state.position_m());
        let forward = Vector::from(state.forward());
        let leftward = left_of(forward);
        let points = self.options.preview_points;
        let ahead = (1..=points).map(|k| s_m + preview * k as f64 / points as f64);
        let (edges, speeds) = observation.split_at_mut(OWN + 4 * points);
        for (number, value) in edges.iter_mut().zip(own) {
            *number = value as f32;
        }
        for ((s, edges), speed) in ahead.zip(edges[OWN..].chunks_exact_mut(4)).zip(speeds) {
            let (on_line, heading) = reference.at(s);
            let across = left_of(Vector::new(math::cos(heading), math::sin(heading)));
            let (left, right) = reference.widths(s);
            for (edge, numbers) in [on_line + across * left, on_line - across * right].iter().zip(edges.chunks_mut(2)) {
                let away = edge - position;
                numbers[0] = (away.dot(&forward) / preview) as f32;
                numbers[1] = (away.dot(&leftward) / preview) as f32;
            }
            *speed = (reference.profile_speed(s) / self.max_speed_mps) as f32;
        }
    }
}
