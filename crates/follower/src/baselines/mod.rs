//! Baselines for comparison with the follower. They use its nearest point and its stuck manager, and
//! differ only in steering and speed.

mod paper;
mod reynolds;
mod standing;

pub use paper::{PaperBaseline, PaperBaselineOptions};
pub use reynolds::{Reynolds, ReynoldsOptions};
