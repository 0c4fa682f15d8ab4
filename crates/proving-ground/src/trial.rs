//! One trial: one path, one vehicle, one follower, from start to end or to the time limit.

use raceline_follower::{Command, Path, PathFollower, StuckState, VehicleState};
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
/// A slower vehicle stands, m/s.
pub const STANDING_MPS: f64 = 0.3;
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
    /// Time at less than [`STANDING_MPS`], seconds.
    pub standing_s: f64,
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
    path: Path,
    model: &VehicleModel,
    follower: &mut dyn PathFollower,
    watch: Watch,
    mut next: impl FnMut(RoadPosition, f64) -> Next,
) -> Outcome {
    let mut drive = Drive::new(&mut world, terrain, model, path);
    while let Some(state) = drive.observe(&world, watch, &mut next) {
        let command = follower.step(drive.path(), &state, &raceline_follower::Scene::EMPTY, STEP_S);
        drive.act(&mut world, terrain, &state, &command, watch.trace, |_| true);
        world.step();
    }
    drive.outcome()
}

/// A vehicle on its path in a world, which others may be in.
pub struct Drive {
    rig: Rig,
    path: Path,
    tracker: Tracker,
    outcome: Outcome,
    /// Not a number in the first step and after a placement.
    last_at: [f64; 2],
    /// Whether it was placed back for the present request.
    is_placed: bool,
    steps: u64,
}

impl Drive {
    /// A vehicle at the start of a path.
    pub fn new(world: &mut PhysicsWorld, terrain: &Terrain, model: &VehicleModel, path: Path) -> Self {
        Self {
            rig: Rig::new(world, terrain, model, start_of(&path)),
            tracker: Tracker::new(&path),
            path,
            outcome: Outcome::default(),
            last_at: [f64::NAN; 2],
            is_placed: false,
            steps: 0,
        }
    }

    /// The present path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Position and motion of the vehicle.
    #[must_use]
    pub fn state(&self, world: &PhysicsWorld) -> VehicleState {
        self.rig.state(world)
    }

    /// The state from which the follower steps, on the path that is due; `None` once the drive is over.
    pub fn observe(
        &mut self,
        world: &PhysicsWorld,
        watch: Watch,
        next: &mut impl FnMut(RoadPosition, f64) -> Next,
    ) -> Option<VehicleState> {
        let outcome = &mut self.outcome;
        outcome.time_s = self.steps as f64 * STEP_S;
        let state = self.rig.state(world);
        let at = [state.position_m[0], state.position_m[1]];
        let mut place = self.tracker.update(at);
        let may_end = match next(place, self.tracker.length_m()) {
            Next::End => true,
            Next::Later => false,
            Next::Now(other) => {
                outcome.skipped_m += self.tracker.skipped_m();
                self.tracker = Tracker::new(&other);
                self.path = other;
                place = self.tracker.update(at);
                false
            }
        };
        outcome.left_m = self.tracker.length_m() - place.s_m;
        outcome.finished = may_end && outcome.left_m <= END_M;
        let over = outcome.time_s >= watch.limit_s || outcome.stuck_events >= watch.limit_events;
        if outcome.finished || over {
            return None;
        }
        outcome.cross_track_ms += place.offset_m.abs() * STEP_S;
        outcome.standing_s += if state.speed_mps.abs() < STANDING_MPS { STEP_S } else { 0.0 };
        outcome.inside_s += if place.inside { STEP_S } else { 0.0 };
        Some(state)
    }

    /// Records a command and gives it to the vehicle; the caller steps the world after it. Where the follower asks to be
    /// placed back, it is once `is_clear` allows the place.
    pub fn act(
        &mut self,
        world: &mut PhysicsWorld,
        terrain: &Terrain,
        state: &VehicleState,
        command: &Command,
        traces: bool,
        is_clear: impl Fn([f64; 2]) -> bool,
    ) {
        let outcome = &mut self.outcome;
        let at = [state.position_m[0], state.position_m[1]];
        if traces && self.steps.is_multiple_of((TRACE_S / STEP_S) as u64) {
            let driving = command.state == StuckState::Driving;
            outcome.trace.push(TracePoint { at_m: at, speed_mps: state.speed_mps, driving });
        }
        if command.event.is_some_and(|event| event.is_stuck()) {
            outcome.stuck_events += 1;
            outcome.stuck_at_m.push(at);
        }
        let moved = (at[0] - self.last_at[0]).hypot(at[1] - self.last_at[1]);
        outcome.distance_m += if moved.is_nan() { 0.0 } else { moved };
        self.last_at = at;
        if let Some(placement) = command.place_back {
            let [x, y, _] = placement.position_m;
            if !self.is_placed && is_clear([x, y]) {
                outcome.placements += 1;
                self.rig.place(world, terrain, Pose2 { at_m: [x, y], heading_rad: placement.heading_rad });
                self.last_at = [f64::NAN; 2];
                self.is_placed = true;
            }
        } else {
            self.is_placed = false;
        }
        self.rig.drive(world, command, STEP_S);
        self.steps += 1;
    }

    /// What was measured.
    #[must_use]
    pub fn outcome(mut self) -> Outcome {
        self.outcome.skipped_m += self.tracker.skipped_m();
        self.outcome
    }
}

/// Where a path starts, facing its second point.
#[must_use]
pub fn start_of(path: &Path) -> Pose2 {
    let waypoints = path.waypoints();
    let (a, b) = (waypoints[0].position_m, waypoints[1].position_m);
    Pose2 { at_m: [a[0], a[1]], heading_rad: (b[1] - a[1]).atan2(b[0] - a[0]) }
}
