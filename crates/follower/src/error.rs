//! What can be wrong with a path, with options or with a vehicle.

use std::fmt;

/// Most waypoints of a path, [`crate::Path::MAX_WAYPOINTS`].
pub(crate) const MAX_WAYPOINTS: usize = 1 << 24;

/// Why waypoints make no path.
#[derive(Clone, Debug, PartialEq)]
pub enum PathError {
    /// Fewer distinct waypoints than a path needs.
    TooFewWaypoints {
        /// How many there are, those within a millimetre of the one before not counted.
        distinct: usize,
        /// How many it takes: 2 when open, 3 when closed.
        needed: usize,
    },
    /// More waypoints than [`crate::Path::MAX_WAYPOINTS`].
    TooManyWaypoints {
        /// How many there are.
        given: usize,
    },
    /// A number that isn't one, is infinite or is beyond what a path takes.
    BadNumber {
        /// Index of the waypoint, from 0.
        waypoint: usize,
        /// Which field.
        field: &'static str,
        /// What it holds.
        value: f64,
        /// What it must be.
        must: &'static str,
    },
    /// An option out of its range.
    BadOption(OptionsError),
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooFewWaypoints { distinct, needed } => {
                write!(f, "the path has {distinct} distinct waypoints and needs at least {needed}")
            }
            Self::TooManyWaypoints { given } => {
                let most = MAX_WAYPOINTS;
                write!(f, "the path has {given} waypoints, more than {most}: leave some out")
            }
            Self::BadNumber { waypoint, field, value, must } => {
                write!(f, "waypoint {waypoint}: {field} is {value}, but must be {must}")
            }
            Self::BadOption(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for PathError {}

/// An option or a vehicle's figure out of its range.
#[derive(Clone, Debug, PartialEq)]
pub struct OptionsError {
    /// Which field, with the structs that it is in: `target_speed.spacing_m`.
    pub field: &'static str,
    /// What it holds.
    pub value: f64,
    /// What it must be.
    pub must: &'static str,
}

impl fmt::Display for OptionsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is {}, but must be {}", self.field, self.value, self.must)
    }
}

impl std::error::Error for OptionsError {}
