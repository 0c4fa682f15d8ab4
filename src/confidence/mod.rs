//! Lines that survive: a line whose driver or robot stays on the road with a stated probability, though
//! it knows its place, the grip and the delay of its commands only roughly.
//!
//! The racing line of a vehicle that is exactly where it should be touches its margin at every apex. What
//! [`Noise`](crate::drive::Noise) adds is found out in two parts:
//!
//! - what a whole drive has, another grip and a longer delay, by **drives** in the simulation, one for each
//!   extreme (`strays`): at the limit of grip nothing about it is linear;
//! - what changes all the time, errors of localisation and gusts, by the **covariance** of the linearised
//!   closed loop of vehicle and follower ([`raceline_follower::deviations`]).
//!
//! The room to the edges in the drives and the deviations together give the probability of leaving the road
//! in a lap (`risk`). Where it is above what is allowed, the line is made again with more room to the edges
//! where the vehicle strays (`edge_margin`) and with less of the tyres (`grip_fraction`), until the fastest
//! such line is found (`search`). `docs/notes/confidence.md` compares it with drives and with constant
//! margins.

mod error;
mod margins;
mod options;
mod risk;
mod search;
mod strays;
mod survival;

pub use error::ConfidenceError;
pub use options::ConfidenceOptions;
pub use search::{Confident, optimize_with_confidence};
pub use survival::Survival;
