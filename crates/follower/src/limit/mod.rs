//! Steering and pedal at the limit of grip, for a path with a speed profile.

mod brakes;
mod control;
mod given;
mod model;
mod motion;
mod pedal;
mod plan;
mod steering;
mod under_way;

pub(crate) use control::LimitControl;
