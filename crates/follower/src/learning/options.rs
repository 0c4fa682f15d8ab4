//! Options and errors of learning, and what is kept of it.

use std::fmt;

use crate::error::OptionsError;
use crate::options::validate_rows;

/// How speeds are learned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LearningOptions {
    /// Lowest factor of the planned speed, 0.5 to 1; default 0.85.
    pub lowest: f64,
    /// Highest factor, 1 to 1.5; default 1.08.
    pub highest: f64,
    /// First step of a factor, 0.001 to 0.1; default 0.02.
    pub step: f64,
    /// Distance between the places that have a factor, metres, 1 to 200; default 10.
    pub spacing_m: f64,
    /// Distance from the path towards the outside of the bend that counts as running wide, metres,
    /// 0.05 to 20; default 0.8.
    pub wide_m: f64,
    /// How long before a fault the factors are lowered, s, 0 to 10; default 1.2.
    pub blame_s: f64,
    /// Whether the host reports everything that counts as a fault by
    /// [`LearnedSpeeds::fault`](super::LearnedSpeeds::fault); default false. Then a body beyond the
    /// corridor is none, since a game may let a vehicle ride its kerbs, and faster steps are tried
    /// up to the peak of the tyres and beyond. Factors that are settled go down before a fault.
    pub host_reports_faults: bool,
}

impl Default for LearningOptions {
    fn default() -> Self {
        Self {
            lowest: 0.85,
            highest: 1.08,
            step: 0.02,
            spacing_m: 10.0,
            wide_m: 0.8,
            blame_s: 1.2,
            host_reports_faults: false,
        }
    }
}

impl LearningOptions {
    /// For a host that reports everything that counts as a fault: `host_reports_faults`, `highest` 1.15
    /// and `spacing_m` 15.
    pub fn of_reported_faults() -> Self {
        Self { host_reports_faults: true, highest: 1.15, spacing_m: 15.0, ..Self::default() }
    }

    /// Checks every field.
    ///
    /// # Errors
    /// The first field that is out of its documented range.
    pub fn validate(&self) -> Result<(), OptionsError> {
        validate_rows(&[
            ("learning.lowest", self.lowest, 0.5, 1.0, "0.5 to 1"),
            ("learning.highest", self.highest, 1.0, 1.5, "1 to 1.5"),
            ("learning.step", self.step, 1e-3, 0.1, "0.001 to 0.1"),
            ("learning.spacing_m", self.spacing_m, 1.0, 200.0, "1 to 200 m"),
            ("learning.wide_m", self.wide_m, 0.05, 20.0, "0.05 to 20 m"),
            ("learning.blame_s", self.blame_s, 0.0, 10.0, "0 to 10 s"),
        ])
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
