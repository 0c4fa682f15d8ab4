//! Baselines for comparison with the follower. They use its nearest point and its stuck manager, and
//! differ only in steering and speed.

mod paper;
mod reynolds;

pub use paper::{PaperBaseline, PaperBaselineOptions};
pub use reynolds::{Reynolds, ReynoldsOptions};

use crate::chassis::Frame;
use crate::target_speed::END_BRAKING_MPS2;

/// Pedal that holds a vehicle at the end.
fn standing(frame: &Frame<'_>, target: f64) -> Option<f64> {
    (target <= 0.0 && frame.state.speed_mps.abs() < 0.3).then_some(-1.0)
}
