//! Options and errors of learning, and what is kept of it.

use std::fmt;

use crate::error::OptionsError;
use crate::options::{by_key, options};

options! {
    /// How speeds are learned.
    LearningOptions, "learning." {
        /// Lowest factor of the planned speed.
        lowest: f64 = 0.85, [from 0.5 to 1];
        /// Highest factor of the planned speed.
        highest: f64 = 1.08, [from 1 to 1.5];
        /// First step of a factor.
        step: f64 = 0.02, [from 0.001 to 0.1];
        /// Distance between the places that have a factor.
        spacing_m: f64 = 10.0, [from 1 to 200], "m";
        /// Distance from the path towards the outside of the bend that counts as running wide.
        wide_m: f64 = 0.8, [from 0.05 to 20], "m";
        /// How long before a fault the factors are lowered.
        blame_s: f64 = 1.2, [from 0 to 10], "s";
        /// Whether the host reports everything that counts as a fault by `LearnedSpeeds::fault`. Then a
        /// body beyond the corridor is none, since a game may let a vehicle ride its kerbs, and faster
        /// steps are tried up to the peak of the tyres and beyond. Factors that are settled go down
        /// before a fault.
        host_reports_faults: bool = false, [switch];
    }
}

by_key!(LearningOptions, " of learning");

impl LearningOptions {
    /// For a host that reports everything that counts as a fault: `host_reports_faults`, `highest` 1.15
    /// and `spacing_m` 15.
    pub fn of_reported_faults() -> Self {
        Self { host_reports_faults: true, highest: 1.15, spacing_m: 15.0, ..Self::default() }
    }
}

/// The reason that nothing can be learned on a path, or that factors are not its own.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum LearningError {
    /// An option or a vehicle parameter is out of its range.
    Options(OptionsError),
    /// The path has a waypoint without a speed.
    NoProfile {
        /// Index of the first such waypoint, from 0.
        waypoint: usize,
    },
    /// The path, or the factors, belong to another line.
    OtherLine {
        /// Waypoints and length, m, of the line of these factors.
        expected: (usize, f64),
        /// Waypoints and length, m, of the path that was given.
        given: (usize, f64),
    },
    /// The number of factors is not that of the places of the line.
    Places {
        /// Number of places.
        expected: usize,
        /// Number of factors.
        given: usize,
    },
    /// A factor is not between 0.5 and 1.5.
    BadFactor {
        /// Index of the factor, from 0.
        place: usize,
        /// Value of the factor.
        value: f64,
    },
}

impl fmt::Display for LearningError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Options(error) => error.fmt(f),
            Self::NoProfile { waypoint } => write!(
                f,
                "waypoint {waypoint} has no speed, but speeds are learned as factors of a profile: take a path with one"
            ),
            Self::OtherLine { expected: (points, length), given: (other_points, other_length) } => write!(
                f,
                "the speeds were learned on a line of {other_points} points and {other_length:.3} m, but this one has \
                 {points} points and {length:.3} m: learn anew"
            ),
            Self::Places { expected, given } => write!(
                f,
                "there are {given} factors, but the line has {expected} places: they were learned with another \
                 spacing_m, so learn anew"
            ),
            Self::BadFactor { place, value } => {
                write!(f, "factor {place} is {value}, but must be between 0.5 and 1.5")
            }
        }
    }
}

impl std::error::Error for LearningError {}

impl From<OptionsError> for LearningError {
    fn from(error: OptionsError) -> Self {
        Self::Options(error)
    }
}

/// What a host keeps in a file between drives; the feature `json` writes and reads it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
pub struct RememberedSpeeds {
    /// Number of waypoints of the line.
    pub points: usize,
    /// Length of the line, metres.
    pub length_m: f64,
    /// Laps that were learned from.
    pub laps: u32,
    /// Time of the fastest lap, s; `None` before the first.
    pub best_lap_s: Option<f64>,
    /// Factors of that lap at equal distances along the line, each for the middle of its stretch.
    pub factors: Vec<f64>,
}
