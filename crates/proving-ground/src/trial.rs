//! One trial: one path, one vehicle, one follower, from start to end or to the time limit.

use raceline_follower::{Path, PathFollower, StuckState};
use rapier3d::prelude::PhysicsWorld;

use crate::rig::{Pose2, Rig};
use crate::scene::Scene;
use crate::terrain::Terrain;
use crate::tracker::{RoadPosition, Tracker};
use crate::vehicle::VehicleModel;

/// Time of a step of the engine and of the follower alike, seconds: a game's frame.
pub const STEP_S: f64 = 1.0 / 60.0;
/// Time limit of a trial, seconds.
pub const LIMIT_S: f64 = 300.0;
/// A path is completed when the vehicle is within this distance of its end, metres: stopping there
/// is not part of the trial.
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
    /// Whether the follower drove instead of its stuck manager.
    pub driving: bool,
}

/// The result of a trial.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Whether the end was reached.
    pub finished: bool,
    /// Time taken, or the limit, seconds.
    pub time_s: f64,
    /// Number of stuck events.
    pub stuck_events: usize,
    /// Number of times that it was placed back on the path.
    pub placements: usize,
    /// Sum over time of the distance from the path, metre seconds.
    pub cross_track_ms: f64,
    /// Time inside the corridor, seconds.
    pub inside_s: f64,
    /// Distance driven in the plane, metres.
    pub distance_m: f64,
    /// Arc length of the path that was left at the end, metres.
    pub left_m: f64,
    /// Arc length cut off by leaving the path and rejoining it further ahead, metres.
    pub skipped_m: f64,
    /// Where the vehicle counted as stuck, metres.
    pub stuck_at_m: Vec<[f64; 2]>,
    /// The trace, if requested.
    pub trace: Vec<TracePoint>,
}

/// Limits and recording of a trial.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Watch {
    /// The trial ends after this time, seconds.
    pub limit_s: f64,
    /// The trial ends at this many stuck events.
    pub limit_events: usize,
    /// Whether to record the trace.
    pub trace: bool,
}

impl Default for Watch {
    fn default() -> Self {
        Self { limit_s: LIMIT_S, limit_events: usize::MAX, trace: false }
    }
}

/// The successor of the current path.
pub enum Next {
    /// None: the drive ends with the path.
    End,
    /// There is one, but it is not yet due.
    Later,
    /// The path to follow from now on.
    Now(Path),
}

/// Drives `model` along the scene's path and its replacements with `follower`.
pub fn run(scene: &Scene, model: &VehicleModel, follower: &mut dyn PathFollower, watch: Watch) -> Outcome {
    let mut changes = scene.changes.iter().peekable();
    let next = |place: RoadPosition, _: f64| match changes.peek() {
        None => Next::End,
        Some(change) if place.s_m < change.at_s_m => Next::Later,
        Some(_) => changes.next().map_or(Next::End, |change| Next::Now(change.path.clone())),
    };
    drive(scene.world(STEP_S), &scene.terrain, scene.path.clone(), model, follower, watch, next)
}

/// Drives `model` from the start of `path` in `world`; `next` is called in every step with the
/// vehicle's position on the path and the path's length, and returns the path's successor.
pub fn drive(
    mut world: PhysicsWorld,
    terrain: &Terrain,
    mut path: Path,
    model: &VehicleModel,
    follower: &mut dyn PathFollower,
    watch: Watch,
    mut next: impl FnMut(RoadPosition, f64) -> Next,
) -> Outcome {
    let mut rig = Rig::new(&mut world, terrain, model, start_of(&path));
    let mut tracker = Tracker::new(&path);
    let mut outcome = Outcome::default();
    let mut last_at = [f64::NAN; 2];
    let mut asked = false;
    let mut steps = 0_u64;
    loop {
        outcome.time_s = steps as f64 * STEP_S;
        let state = rig.state(&world);
        let at = [state.position_m[0], state.position_m[1]];
        let mut place = tracker.update(at);
        let may_end = match next(place, tracker.length_m()) {
            Next::End => true,
            Next::Later => false,
            Next::Now(other) => {
                outcome.skipped_m += tracker.skipped_m();
                tracker = Tracker::new(&other);
                path = other;
                place = tracker.update(at);
                false
            }
        };
        outcome.left_m = tracker.length_m() - place.s_m;
        outcome.finished = may_end && outcome.left_m <= END_M;
        let over = outcome.time_s >= watch.limit_s || outcome.stuck_events >= watch.limit_events;
        if outcome.finished || over {
            break;
        }
        outcome.cross_track_ms += place.offset_m.abs() * STEP_S;
        outcome.inside_s += if place.inside { STEP_S } else { 0.0 };

        let command = follower.step(&path, &state, &raceline_follower::Scene::EMPTY, STEP_S);
        if watch.trace && steps.is_multiple_of((TRACE_S / STEP_S) as u64) {
            let driving = command.state == StuckState::Driving;
            outcome.trace.push(TracePoint { at_m: at, speed_mps: state.speed_mps, driving });
        }
        if command.event.is_some_and(|event| event.is_stuck()) {
            outcome.stuck_events += 1;
            outcome.stuck_at_m.push(at);
        }
        let moved = (at[0] - last_at[0]).hypot(at[1] - last_at[1]);
        // Not a number in the first step and after a placement.
        outcome.distance_m += if moved.is_nan() { 0.0 } else { moved };
        last_at = at;
        match command.place_back {
            Some(placement) if !asked => {
                outcome.placements += 1;
                let [x, y, _] = placement.position_m;
                rig.place(&mut world, terrain, Pose2 { at_m: [x, y], heading_rad: placement.heading_rad });
                last_at = [f64::NAN; 2];
            }
            _ => {}
        }
        asked = command.place_back.is_some();
        rig.drive(&mut world, &command, STEP_S);
        world.step();
        steps += 1;
    }
    outcome.skipped_m += tracker.skipped_m();
    outcome
}

/// Where a path starts, facing its second point.
#[must_use]
pub fn start_of(path: &Path) -> Pose2 {
    let waypoints = path.waypoints();
    let (a, b) = (waypoints[0].position_m, waypoints[1].position_m);
    Pose2 { at_m: [a[0], a[1]], heading_rad: (b[1] - a[1]).atan2(b[0] - a[0]) }
}
