//! The errors of a drive's input.

use raceline_follower::{OptionsError, PathError};
use raceline_vehicle_simulation::OutOfRange;

use crate::vehicle::VehicleError;

/// Why a line can't be driven.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DriveError {
    /// The vehicle is not valid.
    #[error(transparent)]
    Vehicle(#[from] VehicleError),
    /// An option or a parameter is out of its range.
    #[error(transparent)]
    Option(#[from] OutOfRange),
    /// The line's points don't make a curve.
    #[error(
        "no curve leads through the line's {points} points: it needs at least three that lie apart, an open line two"
    )]
    NoCurve {
        /// Points of the line.
        points: usize,
    },
    /// The follower rejects the line.
    #[error("the follower can't take the line")]
    Path(#[from] PathError),
    /// The follower rejects its options or the vehicle's geometry.
    #[error("the follower can't take its options")]
    Follower(#[from] OptionsError),
}
