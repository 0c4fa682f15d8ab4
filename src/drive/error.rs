//! What can be wrong with a drive's input.

use raceline_follower::{OptionsError, PathError};

use crate::vehicle::VehicleError;

/// Why a line can't be driven.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DriveError {
    /// The vehicle is not valid.
    #[error(transparent)]
    Vehicle(#[from] VehicleError),
    /// An option is out of its range.
    #[error("{name} is {value}: it must be {range}")]
    Option {
        /// Name of the option.
        name: &'static str,
        /// Its value.
        value: f64,
        /// What it may be.
        range: &'static str,
    },
    /// The line's points don't make a curve.
    #[error(
        "no curve leads through the line's {points} points: it needs at least three that lie apart, an open line two"
    )]
    NoCurve {
        /// Points of the line.
        points: usize,
    },
    /// The follower refuses the line.
    #[error("the follower can't take the line")]
    Path(#[from] PathError),
    /// The follower refuses its options or the vehicle's geometry.
    #[error("the follower can't take its options")]
    Follower(#[from] OptionsError),
}
