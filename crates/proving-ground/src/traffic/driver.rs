//! The drivers that are compared in traffic.

use raceline_follower::behaviours::{
    Agent, AvoidanceOptions, Body, Neighbourhood, PathFollowingOptions, avoid_bodies, avoid_obstacles,
    blend_by_priority, car_controls, follow_path, separation,
};
use raceline_follower::{
    Command, Follower, FollowerOptions, LocalPlanner, LocalPlannerOptions, Neighbour, OptionsError, Path, Scene,
    StuckState, VehicleState,
};

use super::places::Start;
use crate::trial::STEP_S;
use crate::vehicle::VehicleModel;

/// A method of driving in traffic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DriverKind {
    /// The follower with the local planner.
    Planner,
    /// Reynolds' path following with separation first.
    Separation,
    /// Separation with both avoidances before it.
    Avoidance,
}

/// All of them, with their names in the table.
pub const DRIVERS: [(DriverKind, &str); 3] = [
    (DriverKind::Planner, "local planner"),
    (DriverKind::Separation, "Reynolds, separation alone"),
    (DriverKind::Avoidance, "Reynolds, avoidance and separation"),
];

/// Largest acceleration of the agents, m/s², below the vehicle's grip.
const AGENT_MPS2: f64 = 5.0;
/// Radius of the circle for a vehicle among agents, as a fraction of its length: a circle around the
/// whole would fill the road.
const AGENT_RADIUS: f64 = 0.35;
/// Radius of the neighbourhood for separation, metres.
const SEPARATION_M: f64 = 12.0;

pub(super) struct Driver {
    kind: DriverKind,
    model: VehicleModel,
    follower: Follower,
    place_m: f64,
    speed_mps: f64,
}

impl Driver {
    pub(super) fn new(kind: DriverKind, model: &VehicleModel, start: &Start) -> Result<Self, OptionsError> {
        let mut options = FollowerOptions::paper();
        options.target_speed.max_speed_mps = start.speed_mps;
        let [throttle, brake] = model.full_pedal_mps2();
        options.speed_control.full_throttle_mps2 = throttle;
        options.speed_control.full_brake_mps2 = brake;
        let mut follower = Follower::new(options, model.geometry())?;
        if kind == DriverKind::Planner {
            follower.set_planner(Some(LocalPlanner::new(LocalPlannerOptions::default())?));
        }
        Ok(Self { kind, model: *model, follower, place_m: start.s_m, speed_mps: start.speed_mps })
    }

    pub(super) fn command(
        &mut self,
        path: &Path,
        state: &VehicleState,
        obstacles: &[Body],
        others: &[Neighbour],
    ) -> Command {
        if self.kind == DriverKind::Planner {
            let scene = Scene::EMPTY.with_obstacles(obstacles).with_neighbours(others);
            return self.follower.step(path, state, &scene, STEP_S);
        }
        // The follower's stuck manager frees both.
        let command = self.follower.step(path, state, &Scene::EMPTY, STEP_S);
        if command.state != StuckState::Driving {
            return command;
        }
        let radius_m = AGENT_RADIUS * self.model.size_m[0];
        let agent = Agent {
            body: Body {
                position_m: [state.position_m[0], state.position_m[1]],
                velocity_mps: [state.velocity_mps[0], state.velocity_mps[1]],
                radius_m,
            },
            heading_rad: state.heading_rad,
            max_speed_mps: self.speed_mps,
            max_acceleration_mps2: AGENT_MPS2,
            ..Agent::default()
        };
        let others: Vec<Body> = others.iter().map(|other| Body { radius_m, ..Body::from(other) }).collect();
        let near = Neighbourhood { radius_m: SEPARATION_M, ..Neighbourhood::default() };
        let everything: Vec<Body> = others.iter().chain(obstacles).copied().collect();
        let follow = follow_path(&agent, path, &mut self.place_m, &PathFollowingOptions::default());
        let apart = separation(&agent, &everything, &near);
        let wanted = match self.kind {
            DriverKind::Planner | DriverKind::Separation => blend_by_priority(&agent, &[apart, follow]),
            DriverKind::Avoidance => {
                let options = AvoidanceOptions::default();
                let (obstacles, bodies) =
                    (avoid_obstacles(&agent, obstacles, &options), avoid_bodies(&agent, &others, &options));
                blend_by_priority(&agent, &[obstacles, bodies, apart, follow])
            }
        };
        let controls = car_controls(wanted, state, &self.model.geometry(), self.model.full_pedal_mps2());
        Command { pedal: controls.pedal, steering_rad: controls.steering_rad, ..command }
    }
}
