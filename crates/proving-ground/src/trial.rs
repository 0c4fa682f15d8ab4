//! One trial: one path, one vehicle, one follower, from start to end or until time is up.

use raceline_follower::{Path, PathFollower, StuckState};

use crate::rig::{Pose2, Rig};
use crate::scene::Scene;
use crate::tracker::Tracker;
use crate::vehicle::VehicleModel;

/// Time of a step of the engine and of the follower alike, seconds: a game's frame.
pub const STEP_S: f64 = 1.0 / 60.0;
/// A trial that isn't through by then ends, seconds.
pub const LIMIT_S: f64 = 300.0;
/// A path is driven when the vehicle is within this of its end, metres: arriving is no part of the trial.
pub const END_M: f64 = 6.0;
/// Time between two points of a trace, seconds.
const TRACE_S: f64 = 0.2;

/// A point of a trace.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TracePoint {
    /// x and y, metres.
    pub at_m: [f64; 2],
    /// Speed along the heading, m/s.
    pub speed_mps: f64,
    /// Whether the follower drove, and not its stuck manager.
    pub driving: bool,
}

/// What a trial came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Whether the end was reached.
    pub finished: bool,
    /// Time taken, or the limit, seconds.
    pub time_s: f64,
    /// Times at which the vehicle counted as stuck.
    pub stuck_events: usize,
    /// Times that it was placed back on the path.
    pub placements: usize,
    /// Sum over time of the distance from the path, metre seconds.
    pub cross_track_ms: f64,
    /// Time inside the corridor, seconds.
    pub inside_s: f64,
    /// Distance driven in the plane, metres.
    pub distance_m: f64,
    /// Arc length of the path that was left at the end, metres.
    pub left_m: f64,
    /// Where the vehicle counted as stuck, metres.
    pub stuck_at_m: Vec<[f64; 2]>,
    /// The way driven, if asked for.
    pub trace: Vec<TracePoint>,
}

/// How a vehicle is watched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Watch {
    /// The trial ends after this time, seconds.
    pub limit_s: f64,
    /// Whether to keep the way driven.
    pub trace: bool,
}

impl Default for Watch {
    fn default() -> Self {
        Self { limit_s: LIMIT_S, trace: false }
    }
}

/// Drives `model` along the scene's path with `follower`.
pub fn run(scene: &Scene, model: &VehicleModel, follower: &mut dyn PathFollower, watch: Watch) -> Outcome {
    let mut world = scene.world(STEP_S);
    let mut rig = Rig::new(&mut world, &scene.terrain, model, start_of(&scene.path));
    let mut path = &scene.path;
    let mut changes = scene.changes.iter();
    let mut next = changes.next();
    let mut tracker = Tracker::new(path);
    let mut outcome = Outcome::default();
    let mut last_at = [f64::NAN; 2];
    let mut steps = 0_u64;
    loop {
        let time_s = steps as f64 * STEP_S;
        let state = rig.state(&world);
        let at = [state.position_m[0], state.position_m[1]];
        let place = tracker.update(at);
        if let Some(change) = next
            && place.s_m >= change.at_s_m
        {
            path = &change.path;
            next = changes.next();
            tracker = Tracker::new(path);
            tracker.update(at);
        }
        outcome.time_s = time_s;
        outcome.left_m = tracker.length_m() - place.s_m;
        if next.is_none() && outcome.left_m <= END_M {
            outcome.finished = true;
            break;
        }
        if time_s >= watch.limit_s {
            break;
        }
        outcome.cross_track_ms += place.offset_m.abs() * STEP_S;
        if place.inside {
            outcome.inside_s += STEP_S;
        }
        let moved = (at[0] - last_at[0]).hypot(at[1] - last_at[1]);
        // Not a number in the first step.
        if moved < 5.0 {
            outcome.distance_m += moved;
        }
        last_at = at;

        let command = follower.step(path, &state, STEP_S);
        if watch.trace && steps.is_multiple_of((TRACE_S / STEP_S) as u64) {
            let driving = command.state == StuckState::Driving;
            outcome.trace.push(TracePoint { at_m: at, speed_mps: state.speed_mps, driving });
        }
        if command.event.is_some_and(|event| event.is_stuck()) {
            outcome.stuck_events += 1;
            outcome.stuck_at_m.push(at);
        }
        if let Some(placement) = command.place_back {
            outcome.placements += 1;
            let [x, y, _] = placement.position_m;
            rig.place(&mut world, &scene.terrain, Pose2 { at_m: [x, y], heading_rad: placement.heading_rad });
        }
        rig.drive(&mut world, &command, STEP_S);
        world.step();
        steps += 1;
    }
    outcome
}

/// Where a path starts, facing its second point.
pub fn start_of(path: &Path) -> Pose2 {
    let waypoints = path.waypoints();
    let (a, b) = (waypoints[0].position_m, waypoints[1].position_m);
    Pose2 { at_m: [a[0], a[1]], heading_rad: (b[1] - a[1]).atan2(b[0] - a[0]) }
}
