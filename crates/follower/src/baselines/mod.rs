//! What the follower is compared with. They share its nearest point and its stuck manager, and differ in steering and speed alone.

mod paper;
mod reynolds;

pub use paper::{PaperBaseline, PaperBaselineOptions};
pub use reynolds::{Reynolds, ReynoldsOptions};

use crate::chassis::Frame;

/// How the end of an open path is braked for, m/s²: as by the follower's default.
const END_BRAKING_MPS2: f64 = 4.0;

/// The brake that holds a vehicle at its end.
fn standing(frame: &Frame<'_>, target: f64) -> Option<f64> {
    (target <= 0.0 && frame.state.speed_mps.abs() < 0.3).then_some(-1.0)
}
