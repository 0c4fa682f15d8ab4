//! Drives a game's vehicles along a path, with one call per frame and vehicle. No third-party
//! dependency but `libm`, no allocation in a step, no panic.
//!
//! ```
//! use raceline_follower::{Follower, FollowerOptions, Path, Scene, VehicleGeometry, VehicleState, Waypoint};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let corner = |x, y| Waypoint { position_m: [x, y, 0.0], left_m: 3.0, right_m: 3.0, ..Waypoint::default() };
//! let path = Path::new(vec![corner(0.0, 0.0), corner(60.0, 0.0), corner(60.0, 40.0), corner(0.0, 40.0)], true)?;
//! let mut follower = Follower::new(FollowerOptions::default(), VehicleGeometry::default())?;
//!
//! // Once per frame: the game passes the vehicle's state and receives a command.
//! let vehicle = VehicleState::new([5.0, 0.5, 0.0], 0.0, 3.0);
//! let command = follower.step(&path, &vehicle, &Scene::EMPTY, 1.0 / 60.0);
//! assert!(command.pedal > 0.0 && command.steering_rad < 0.0 && !command.reverse);
//! # Ok(())
//! # }
//! ```
//!
//! The world's x points right, y up in the plane and z to the sky; headings are radians
//! counter-clockwise from +x, curvature and steering are positive to the left. A game whose y axis
//! points to the sky must convert coordinates.
//!
//! **Features**, all off by default: `json` reads racing-line files, with serde; `behaviours` are
//! steering behaviours for agents, `neural` is a driver that is a small network, `baselines` are simpler
//! followers to compare with; `capi` is the C interface. What a [`Scene`] contains, and a
//! [`LocalPlanner`], is linked only where a program uses it.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

#[cfg(feature = "baselines")]
pub mod baselines;
#[cfg(feature = "behaviours")]
pub mod behaviours;
pub mod bezier;
mod bodies;
pub mod boost;
#[cfg(feature = "capi")]
pub mod capi;
mod chassis;
#[cfg(test)]
mod closeness;
mod command;
mod early_turn;
mod error;
mod follower;
pub mod gearbox;
mod geometry;
#[cfg(feature = "json")]
pub mod json;
mod kinds;
mod learning;
mod limit;
mod local_planner;
mod lookahead;
mod minimum_curvature;
mod nearest_point;
#[cfg(feature = "neural")]
pub mod neural;
mod offset_curve;
mod options;
mod path;
mod pick_ups;
mod planned_route;
pub mod pure_pursuit;
mod scene;
mod segment_tree;
mod shift;
pub mod slip_control;
mod speed_control;
mod standing;
mod steering;
mod stuck;
mod target_speed;
mod traffic;
mod vehicle;

pub use bodies::{Body, MAX_NEIGHBOURS, MAX_OBSTACLES, MAX_PICK_UPS, Neighbour, PickUp};
pub use command::Command;
pub use error::{OptionsError, PathError};
pub use follower::{Follower, PathFollower};
pub use learning::{LearnedLap, LearnedSpeeds, LearningError, LearningOptions, RememberedSpeeds};
pub use limit::{Deviation, DeviationNoise, deviations};
pub use local_planner::{LocalPlanner, LocalPlannerOptions};
pub use minimum_curvature::CorridorOptions;
pub use options::{
    BoostOptions, CurveSpan, FollowerOptions, LimitOptions, LookaheadOptions, NearestPointOptions, OptionRow,
    PickUpOptions, SpeedControlOptions, SpeedMode, SteeringOptions, StuckOptions, TargetSpeedOptions, TrafficOptions,
    current_key,
};
pub use path::{Path, PathInputs, PathSample, Waypoint};
pub use raceline_car::{SPEED_TABLE_VALUES, SpeedTable, VehicleDynamics};
pub use scene::Scene;
pub use stuck::{Placement, StuckCause, StuckEvent, StuckManager, StuckObservation, StuckState};
pub use vehicle::{VehicleGeometry, VehicleKind, VehicleState};
