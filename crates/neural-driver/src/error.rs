//! Why a driver cannot be trained.

use raceline::drive::{DriveError, OutOfRange};
use raceline::pipeline;
use raceline::vehicle::VehicleError;
use raceline_calibrate::CalibrateError;
use raceline_follower::OptionsError;
use raceline_follower::neural::NetworkError;
use raceline_generate::GenerateError;

use crate::recording::RecordingError;

/// Why a driver cannot be trained or compared.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TrainError {
    /// An option out of its range.
    #[error(transparent)]
    Option(#[from] OutOfRange),
    /// There is nothing to drive.
    #[error("no line to train on: name racing-line files, generate some, or give recordings")]
    NoLine,
    /// A line that cannot be driven.
    #[error("{name}")]
    Line {
        /// Name.
        name: String,
        /// Why.
        source: DriveError,
    },
    /// The follower rejects a line's vehicle.
    #[error("the follower rejects the vehicle of {name}")]
    Follower {
        /// The line's name.
        name: String,
        /// Why.
        source: OptionsError,
    },
    /// A road that could not be generated.
    #[error("a road for training could not be generated")]
    Generate(#[from] GenerateError),
    /// A vehicle of the generated roads.
    #[error(transparent)]
    Vehicle(#[from] VehicleError),
    /// A generated road on which no line was found.
    #[error("no line was found on the generated road {name}")]
    Pipeline {
        /// The road's name.
        name: String,
        /// Why.
        source: Box<pipeline::Error>,
    },
    /// A file of recorded driving that cannot be read.
    #[error(transparent)]
    Recorded(#[from] CalibrateError),
    /// Recorded driving that cannot be learned from.
    #[error(transparent)]
    Recording(#[from] RecordingError),
    /// An evolution without a line to drive.
    #[error("evolve drives lines: name racing-line files, or generate some, beside the recordings")]
    EvolvesNothing,
    /// No frame could be imitated.
    #[error("no frame of {episodes} drives could be imitated: the lines need a speed profile and a vehicle")]
    NoSample {
        /// Number of drives.
        episodes: usize,
    },
    /// The learning framework failed.
    #[error("the fit failed: {0}")]
    Fit(#[from] candle_core::Error),
    /// The fit diverged.
    #[error("the fit did not converge, lower the learning rate")]
    Diverged(#[from] NetworkError),
    /// The search of the evolution did not begin.
    #[error("the evolution did not begin: {reason}")]
    Evolution {
        /// Why.
        reason: String,
    },
    /// A file that could not be written or read.
    #[error("a temporary file")]
    File(#[from] std::io::Error),
}
