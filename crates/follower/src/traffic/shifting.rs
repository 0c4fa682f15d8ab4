//! How others move the path of one vehicle, frame by frame.

use raceline_numerics::{STANDARD_GRAVITY, math};

use super::following::{Across, Brakes, following_speed};
use super::lane::{self, Corridor, Lane};
use super::neighbours::{Seen, see};
use super::overtaking::Overtaking;
use super::tube::{QuickPace, Tube};
use crate::bodies::{Around, MAX_SEEN};
use crate::chassis::{Frame, bounded};
use crate::geometry::Point;
use crate::options::{TargetSpeedOptions, TrafficOptions};
use crate::shift::Shift;
use crate::target_speed::Walk;
use crate::vehicle::VehicleGeometry;

/// Largest angle of the shifted path to the path while it moves, as a slope. A larger one evades
/// faster, at more lateral acceleration.
const SHIFT_RATE: f64 = 0.15;
/// Speed below which it is smaller, m/s.
const SETTLED_MPS: f64 = 15.0;
/// Rate of the shift behind a standing vehicle, up to a speed across, m/s, and the smallest of such speeds.
const SLOW_SHIFT_RATE: f64 = 0.5;
const SLOW_RATE_MPS: f64 = 2.0;
const MIN_BLOCKED_MPS: f64 = 0.3;
const MIN_RATE_MPS: f64 = 0.05;
/// Where the shift has arrived, m and m/s.
const ARRIVED_M: f64 = 1e-3;
const ARRIVED_MPS: f64 = 0.05;
/// Below this speed a vehicle that meets others begins at its own distance from the path, m/s.
const FROM_HERE_MPS: f64 = 5.0;
/// How much faster the shift moves where it is urgent, away from those abreast or onto the road.
const URGENT: f64 = 3.0;
const URGENT_MPS: f64 = 5.5;
/// Further than this beside the chosen offset those abreast lead it off its line, m.
const LED_OFF_M: f64 = 0.5;
/// Distance within which a wide enough corridor is looked for, m, and places.
const CORRIDOR_M: [f64; 2] = [25.0, 400.0];
const CORRIDOR_PLACES: usize = 16;

impl Shift {
    /// The point `ahead` metres from the vehicle's place, given on the path, beside it: within the
    /// corridor there.
    pub(crate) fn beside(&self, frame: &Frame<'_>, ahead: f64, point: Point, width: f64) -> Point {
        if self.offset == 0.0 && self.goal == 0.0 {
            return point;
        }
        let there = Walk::new(frame.path, frame.nearest.segment).sample(frame.nearest.s + ahead);
        let (left, right) = ((there.left_m - 0.5 * width).max(0.0), (there.right_m - 0.5 * width).max(0.0));
        let offset = self.at(ahead).clamp(-right, left);
        let (sin, cos) = math::sin_cos(there.heading_rad);
        [point[0] - offset * sin, point[1] + offset * cos, point[2]]
    }
}

/// What is remembered from frame to frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Traffic {
    offset: f64,
    rate: f64,
    goal: f64,
    /// The last choice of an offset at which to pass.
    choice: f64,
    following: bool,
    overtaking: Overtaking,
}

impl Traffic {
    pub(crate) fn reset(&mut self) {
        *self = Self::default();
    }

    /// Distance of the shifted path to the left of the path, m.
    pub(crate) fn offset(&self) -> f64 {
        if self.offset == 0.0 { self.overtaking.offset() } else { self.offset }
    }

    /// Whether other vehicles changed the last step.
    pub(crate) fn is_active(&self) -> bool {
        let Self { offset, rate, goal, choice, following, overtaking } = self;
        let still = [offset, rate, goal, choice].iter().all(|value| **value == 0.0);
        !still || *following || overtaking.is_active()
    }

    /// The shift of this frame.
    pub(crate) fn step(
        &mut self,
        frame: &Frame<'_>,
        around: &Around<'_>,
        options: &TrafficOptions,
        speeds: &TargetSpeedOptions,
        vehicle: &VehicleGeometry,
    ) -> Shift {
        if frame.nearest.teleported || frame.nearest.path_changed {
            self.reset();
        }
        if around.neighbours.is_empty() && around.obstacles.is_empty() && !self.is_active() {
            return Shift::NONE;
        }
        if options.overtakes
            && let Some(dynamics) = frame.path.dynamics()
            && frame.here.speed_mps.is_finite()
        {
            let mut seen = [Seen::default(); MAX_SEEN];
            let count = see(frame, around, options, speeds, vehicle, &mut seen);
            return self.overtaking.step(frame, &seen[..count], dynamics, options, speeds, vehicle);
        }
        let speed = frame.state.speed_mps.max(0.0);
        if !self.is_active() && speed < FROM_HERE_MPS {
            // From the grid or after a halt: on from where it stands, not across to the path.
            let here = corridor_at(frame.here.left_m, frame.here.right_m, vehicle.width_m, 0.0);
            self.offset = frame.cross_track.clamp(here.right, here.left);
        }
        let mut seen = [Seen::default(); MAX_SEEN];
        let count = see(frame, around, options, speeds, vehicle, &mut seen);
        let seen = &seen[..count];
        let brakes = Brakes::new(frame, options, speeds, vehicle.width_m);
        let far = (speed * lane::passing_time(seen, vehicle)).clamp(CORRIDOR_M[0], CORRIDOR_M[1]);
        let lane = Lane {
            corridor: corridor(frame, vehicle.width_m, options.edge_m, far),
            offset: frame.cross_track,
            last: self.choice,
            width: vehicle.width_m,
            gap: options.gap_m,
            horizon: options.horizon_s,
            braking: brakes.now,
            held_up: self.following,
        };
        self.choice = lane.choose(seen);
        let quick = QuickPace {
            max_speed: options.lateral_mps.max(URGENT_MPS),
            accelerations: [options.lateral_mps2, URGENT * options.lateral_mps2],
            limit: lateral_limit(frame, speeds, speed),
        };
        let tube = Tube::new(frame, seen, options, vehicle, speed, &quick);
        let goal = tube.nearest(self.choice);
        self.goal = goal;
        let pressed = |offset: f64| (0..seen.len()).any(|index| tube.is_pressed_by(index, offset));
        let pace = if pressed(self.offset) || !tube.holds(self.offset) {
            Pace::urgent(&quick, frame.here.curvature_radpm, speed)
        } else {
            Pace { max_speed: options.lateral_mps, leftwards: options.lateral_mps2, rightwards: options.lateral_mps2 }
        };
        let blocked = seen.iter().any(|neighbour| lane.is_blocked_by(neighbour));
        self.advance(frame.dt, max_across(speed, blocked, pace.max_speed), &pace, &tube);
        // Wherever the goal was, the path is not led out of the corridor of now.
        let here = corridor_at(frame.here.left_m, frame.here.right_m, vehicle.width_m, 0.0);
        self.offset = self.offset.clamp(here.right, here.left);
        let max_speed = max_across(speed, blocked, pace.max_speed);
        let time = |missing: f64| 2.0 * (missing.abs() / options.lateral_mps2).sqrt() + missing.abs() / max_speed;
        let across = Across {
            from: frame.cross_track,
            goal,
            time: time(goal - frame.cross_track),
            rate: self.rate,
            stops: self.rate.abs() / options.lateral_mps2,
            led_off: (goal - self.choice).abs() > LED_OFF_M,
        };
        let (max_speed, braking) =
            following_speed(seen, frame, options, vehicle, &brakes, &across, |index| tube.is_pressed_by(index, goal));
        self.following = max_speed.is_finite() && max_speed < speed + 1.0;
        if self.offset == 0.0 && self.goal == 0.0 && self.rate == 0.0 && max_speed.is_infinite() {
            return Shift::NONE;
        }
        let moving = self.rate != 0.0 || self.goal != self.offset;
        Shift {
            offset: self.offset,
            goal: self.goal,
            rate: self.rate,
            across: if moving { options.lateral_mps2 } else { 0.0 },
            reach: (speed * time(self.goal - self.offset)).max(5.0),
            max_speed,
            braking,
            ..Shift::NONE
        }
    }

    /// Moves the shift towards its goal.
    fn advance(&mut self, dt: f64, max_speed: f64, pace: &Pace, tube: &Tube) {
        let missing = self.goal - self.offset;
        if missing.abs() < ARRIVED_M && self.rate.abs() < ARRIVED_MPS {
            (self.offset, self.rate) = (self.goal, 0.0);
            return;
        }
        let stopping = if missing > 0.0 { pace.rightwards } else { pace.leftwards };
        // One frame sooner than the bound, so that it does not swing about the goal.
        let wanted = (2.0 * stopping * missing.abs()).sqrt().min(max_speed).min(missing.abs() / dt.max(1e-3));
        let [right, left] = tube.rates(self.offset, pace.leftwards.min(pace.rightwards));
        let change = wanted.copysign(missing).max(right).min(left) - self.rate;
        self.rate += bounded(change, dt * if change > 0.0 { pace.leftwards } else { pace.rightwards });
        self.offset += self.rate * dt;
    }
}

/// How fast the shift may move.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Pace {
    /// m/s.
    max_speed: f64,
    /// Accelerations to either side, m/s².
    leftwards: f64,
    rightwards: f64,
}

impl Pace {
    /// Where it is urgent: as fast as the grip allows, towards the outside of a bend always.
    fn urgent(quick: &QuickPace, curvature: f64, speed: f64) -> Self {
        let (inwards, outwards) = (quick.towards_inside(curvature, speed), quick.accelerations[1]);
        let [leftwards, rightwards] = if curvature > 0.0 { [inwards, outwards] } else { [outwards, inwards] };
        Self { max_speed: quick.max_speed, leftwards, rightwards }
    }
}

/// The tyres' lateral limit here, m/s².
fn lateral_limit(frame: &Frame<'_>, speeds: &TargetSpeedOptions, speed: f64) -> f64 {
    let usual = speeds.lateral_acceleration_g * STANDARD_GRAVITY;
    let grip = frame.path.profile_in(frame.nearest.segment, frame.nearest.s).grip;
    frame.path.dynamics().map_or(usual, |dynamics| grip * dynamics.lateral_mps2.at(speed))
}

/// Largest speed of the shift, m/s: low at low speed, where its angle costs the front wheels' grip, but
/// not where a standing vehicle is to be got around.
fn max_across(speed: f64, blocked: bool, max_speed: f64) -> f64 {
    let slowly = if blocked { (SLOW_SHIFT_RATE * speed).clamp(MIN_BLOCKED_MPS, SLOW_RATE_MPS) } else { 0.0 };
    let usual = SHIFT_RATE * speed * (speed / SETTLED_MPS).min(1.0);
    max_speed.min(usual.max(slowly).max(MIN_RATE_MPS))
}

/// The corridor for the middle of the body over the next `reach` metres: the narrowest of each side.
/// The path itself is always within.
fn corridor(frame: &Frame<'_>, width: f64, edge: f64, reach: f64) -> Corridor {
    let mut walk = Walk::new(frame.path, frame.nearest.segment);
    let (mut left, mut right) = (frame.here.left_m, frame.here.right_m);
    for place in 1..=CORRIDOR_PLACES {
        let there = walk.sample(frame.nearest.s + reach * place as f64 / CORRIDOR_PLACES as f64);
        (left, right) = (left.min(there.left_m), right.min(there.right_m));
    }
    corridor_at(left, right, width, edge)
}

fn corridor_at(left: f64, right: f64, width: f64, edge: f64) -> Corridor {
    let middle = |room: f64| (room - 0.5 * width - edge).max(0.0);
    Corridor { left: middle(left), right: -middle(right) }
}
