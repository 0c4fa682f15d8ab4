//! Why a driver cannot be trained.

use raceline::drive::{DriveError, OutOfRange};
use raceline::pipeline;
use raceline::vehicle::VehicleError;
use raceline_calibrate::CalibrateError;
use raceline_follower::OptionsError;
use raceline_follower::neural::NetworkError;
use raceline_generate::GenerateError;

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

/// Why recorded driving cannot be learned from, beside a file that can't be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordingError {
    /// A place beside the road of the line.
    #[error(
        "{file}: line {line}: the place ({x_m:.2}, {y_m:.2}) m is {beside_m:.1} m beside the road of {course}, as are \
         {others} other rows: give the line that was driven, with places in its frame; remove the rows where the \
         vehicle had left the road"
    )]
    BesideRoad {
        /// Name of the recording.
        file: String,
        /// Line of the file, from 1.
        line: usize,
        /// The place, m.
        x_m: f64,
        /// The place, m.
        y_m: f64,
        /// Distance from the road's edge, m.
        beside_m: f64,
        /// Name of the line.
        course: String,
        /// Further rows beside the road.
        others: usize,
    },
    /// Steering that the vehicle does not have.
    #[error(
        "{file}: line {line}: the wheels are steered by {steering_rad:.3} rad, and those of {vehicle} turn by \
         {max_rad:.3} rad: give the angle of the front wheels in radians (degrees are named in the header, as in \
         steering_deg), or the ratio of the steering"
    )]
    Steering {
        /// Name of the recording.
        file: String,
        /// Line of the file, from 1.
        line: usize,
        /// The angle of the wheels that follows from the recording, rad.
        steering_rad: f64,
        /// The vehicle's largest, rad.
        max_rad: f64,
        /// Name of the vehicle.
        vehicle: String,
    },
    /// Driven against the direction of the line.
    #[error(
        "{file}: line {line}: the vehicle faces against the direction of {course}, as in {others} other rows: reverse \
         the line, give heading_rad counter-clockwise from +x, or remove the rows"
    )]
    Against {
        /// Name of the recording.
        file: String,
        /// Line of the file, from 1.
        line: usize,
        /// Name of the line.
        course: String,
        /// Further rows like it.
        others: usize,
    },
    /// Numbers that no vehicle on a road has.
    #[error(
        "{file}: line {line}: the place is beyond 1e8 m, the heading beyond 1e6 rad or the speed beyond 1e4 m/s: check \
         the units of the columns"
    )]
    Size {
        /// Name of the recording.
        file: String,
        /// Line of the file, from 1.
        line: usize,
    },
    /// Too little driving.
    #[error(
        "{file}: {samples} rows at {min_speed_mps} m/s or faster, but at least {required} are required: record some laps, \
         at 20 Hz or more"
    )]
    TooShort {
        /// Name of the recording.
        file: String,
        /// Rows that can be used.
        samples: usize,
        /// Minimum number of them.
        required: usize,
        /// Minimum speed of a row that can be used, m/s.
        min_speed_mps: f64,
    },
}
