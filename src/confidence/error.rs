//! Errors of the search for a line that survives.

use crate::drive::DriveError;
use crate::pipeline;
use crate::vehicle::VehicleError;

/// Why no line with this confidence is found.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConfidenceError {
    /// The confidence is out of its range.
    #[error("confidence = {confidence} must be from {low} to {high}")]
    OutOfRange {
        /// As specified.
        confidence: f64,
        /// The smallest.
        low: f64,
        /// The largest.
        high: f64,
    },
    /// Room to the edges that is specified already.
    #[error("edge_margin is what a line with a confidence is given: leave it out")]
    EdgeMargin,
    /// A vehicle whose steering the linear model of the closed loop does not have.
    #[error("how a vehicle with lean_rate_radps strays is not known: leave confidence out")]
    Leaning,
    /// A line or a track that cannot be made.
    #[error(transparent)]
    Line(#[from] pipeline::Error),
    /// A vehicle that cannot be used.
    #[error(transparent)]
    Vehicle(#[from] VehicleError),
    /// A line that cannot be driven, and noise out of its range.
    #[error(transparent)]
    Drive(#[from] DriveError),
    /// No speed and no room to the edges are enough.
    #[error(
        "no line stays on the road with a confidence of {confidence}: with {grip:.2} of the grip and room to the edges \
         the probability of leaving it is {risk:.4} or more; lower the noise or the confidence"
    )]
    NotFound {
        /// As specified.
        confidence: f64,
        /// The smallest fraction of the grip that was tried.
        grip: f64,
        /// A lower bound of the smallest probability of leaving the road in a lap.
        risk: f64,
    },
}
