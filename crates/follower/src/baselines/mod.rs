//! What the follower is compared with. They share its nearest point and its stuck manager, and differ in steering and speed alone.

mod paper;
mod reynolds;

pub use paper::{PaperBaseline, PaperBaselineOptions};
pub use reynolds::{Reynolds, ReynoldsOptions};
