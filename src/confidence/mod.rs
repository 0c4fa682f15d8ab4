//! Lines that survive: a line whose driver or robot stays on the road with a stated probability, though
//! it knows its place, the grip and the delay of its commands only roughly.
//!
//! The racing line of a vehicle that is exactly where it should be touches its margin at every apex, at the limit of
//! the tyres. Of lines with less of the grip (`grip_fraction`) and with more room to the edges where the vehicle strays
//! (`edge_margin`), the fastest that survives is found (`search`):
//!
//! - **Drives** in the simulation decide (`drives`), with all errors that [`Noise`](crate::drive::Noise) draws, and more
//!   of them at low grip, where a small error more makes the vehicle slide. No linear motion has that.
//! - Where and by how much a vehicle strays without sliding is found by drives of the extremes of grip and delay
//!   (`strays`) and by the **covariance** of the linearised closed loop of vehicle and follower
//!   ([`raceline_follower::deviations`]); `risk` is the probability that this leaves the road, and `margins` the room
//!   that it needs. For probabilities that are too small for drives, it counts beside them.
//!
//! `docs/notes/confidence.md` compares the result with drives and with constant margins.

mod drives;
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
