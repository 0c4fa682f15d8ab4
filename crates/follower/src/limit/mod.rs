//! Steering and pedal at the limit of grip, for a path with a speed profile.

mod brakes;
mod control;
mod deviation;
mod estimate;
mod feedback;
mod given;
mod leaning;
mod model;
mod motion;
mod pedal;
mod pending_commands;
mod plan;
mod steering;

pub(crate) use control::LimitControl;
pub use deviation::{Deviation, DeviationNoise, deviations};
