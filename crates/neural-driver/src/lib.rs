//! Trains a neural driver that imitates raceline's follower, and compares the two.
//!
//! [`train`] drives lines with the follower and then with the network, asks the follower in every
//! frame what it would have done, and fits a network to the answers (data aggregation: Ross, Gordon
//! and Bagnell 2011). The network that results is what [`raceline_follower::neural`] drives with.

mod aggregation;
pub mod cli;
mod comparison;
mod course;
mod episode;
mod error;
mod evolution;
mod fitting;
mod options;
mod recording;
mod samples;

pub use aggregation::{Trained, train};
pub use comparison::{Comparison, compare, table};
pub use course::{Course, generated};
pub use episode::{Episode, Wheel, drive_episode};
pub use error::{RecordingError, TrainError};
pub use evolution::evolve;
pub use fitting::{FitOptions, first_network, fit, framework_outputs, loss};
pub use options::TrainOptions;
pub use recording::{RecordingOptions, recorded_samples};
pub use samples::{Sample, Samples, Scales};
