//! Steering behaviours for game agents: C. W. Reynolds, *Steering Behaviors for Autonomous
//! Characters*, Game Developers Conference 1999.
//!
//! An [`Agent`] is a point in the plane with a velocity, a largest speed and a largest acceleration.
//! A behaviour is a function that returns an acceleration, m/s², of two components, x and y of the
//! world. [`blend_weighted`] and [`blend_by_priority`] make one acceleration of several.
//! [`Agent::advance`] moves an agent, [`car_controls`] turns an acceleration into pedal and steering
//! of a vehicle with wheels.
//!
//! ```
//! use raceline_follower::behaviours::{Agent, Body, Neighbourhood, blend_by_priority, seek, separation};
//!
//! let mut agent = Agent::default();
//! let others = [Body { position_m: [0.0, 1.5], velocity_mps: [0.0, 0.0], radius_m: 0.5 }];
//! let wanted = [
//!     separation(&agent, &others, &Neighbourhood::default()),
//!     seek(&agent, [20.0, 0.0]),
//! ];
//! let acceleration_mps2 = blend_by_priority(&agent, &wanted);
//! agent.advance(acceleration_mps2, 1.0 / 60.0);
//! assert!(agent.body.velocity_mps[0] > 0.0 && agent.body.velocity_mps[1] < 0.0);
//! ```
//!
//! No function of a frame allocates, none panics; [`NeighbourGrid::new`] allocates, and a frame with more
//! agents than any before. A behaviour whose inputs are not finite numbers returns `[0.0, 0.0]`.
//! [`Flock::step`] moves all agents of a crowd.
//!
//! **Deviations from the paper.** Reynolds gives forces per frame and a mass; here they are
//! accelerations, and a wanted change of velocity is made within [`Agent::response_s`]. Pursuit and
//! evasion use the exact time of interception. The two avoidances ask for the acceleration that just
//! clears the other, 2 m / t² for a missing distance m in the time t. The path follower for vehicles,
//! with its stuck manager, is `baselines::Reynolds`, with the feature `baselines`.

mod agent;
mod avoidance;
mod blending;
mod flock;
mod flocking;
mod flow_field;
mod leader;
mod neighbour_grid;
mod path_following;
mod targets;
mod vector;
mod walls;
mod wander;

pub use crate::bodies::Body;
pub use agent::{Agent, CarControls, car_controls};
pub use avoidance::{AvoidanceOptions, avoid_bodies, avoid_obstacles};
pub use blending::{blend_by_priority, blend_weighted};
pub use flock::{Flock, FlockRule};
pub use flocking::{Neighbourhood, alignment, cohesion, separation};
pub use flow_field::{FlowField, FlowFieldError, follow_flow_field};
pub use leader::{LeaderOptions, follow_leader};
pub use neighbour_grid::NeighbourGrid;
pub use path_following::{PathFollowingOptions, follow_path};
pub use targets::{arrival, evasion, flee, interception_time_s, offset_pursuit, pursuit, seek};
pub use walls::{WallOptions, follow_wall};
pub use wander::{Wander, WanderOptions};
