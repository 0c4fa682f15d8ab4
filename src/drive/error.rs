//! The errors of a drive's input.

use raceline_follower::json::JsonError;
use raceline_follower::{LearningError, OptionsError};
use raceline_vehicle_simulation::OutOfRange;

use crate::file::WriteError;
use crate::pipeline::RedriveError;
use crate::vehicle::VehicleError;

/// Why a line cannot be driven.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DriveError {
    /// The vehicle is not valid.
    #[error(transparent)]
    Vehicle(#[from] VehicleError),
    /// An option or a parameter is out of its range.
    #[error(transparent)]
    Option(#[from] OutOfRange),
    /// A noise file that cannot be read.
    #[error("the noise")]
    Noise(#[from] toml::de::Error),
    /// No curve passes through the line's points.
    #[error(
        "no curve passes through the line's {points} points: a closed line requires at least three distinct points, an open line two"
    )]
    NoCurve {
        /// Points of the line.
        points: usize,
    },
    /// The line has patches of grip, and its edges make no road on which they could lie.
    #[error("its patches of grip")]
    Patches(#[from] RedriveError),
    /// The line makes no file.
    #[error("the line makes no file")]
    Line(#[from] WriteError),
    /// The follower refuses the line's file.
    #[error("the follower refuses the line's file")]
    NotLoaded(#[from] JsonError),
    /// The limits of the vehicle are no usable numbers for the follower.
    #[error("the follower cannot use the limits of the vehicle: they must be from 0.001 to 10000 m/s²")]
    NoDynamics,
    /// Speeds cannot be learned, or what was learned is another line's.
    #[error("the follower cannot learn")]
    Learning(#[from] LearningError),
    /// Only the followers that drive at the profile's speeds can learn factors of them.
    #[error("the follower {follower} does not drive at the profile's speeds, so it cannot learn them")]
    NothingToLearn {
        /// Name.
        follower: &'static str,
    },
    /// Only the follower that games link has a local planner.
    #[error("the follower {follower} has no local planner: among obstacles and traffic choose bezier, profile or both")]
    NoPlanner {
        /// Name.
        follower: &'static str,
    },
    /// More vehicles than the line has room for.
    #[error("{traffic} other vehicles have no room on a line of {length_m:.0} m: pass at most {max}")]
    TooManyVehicles {
        /// The number asked for.
        traffic: u32,
        /// The largest number with room.
        max: u32,
        /// The line's length, m.
        length_m: f64,
    },
    /// The neural driver has no network.
    #[error("the neural driver has no network: give the file of a trained one")]
    NoNetwork,
    /// The follower rejects its options or the vehicle's geometry.
    #[error("the follower rejects its options")]
    Follower(#[from] OptionsError),
}
