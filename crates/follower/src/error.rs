//! The errors of a path, of options and of a vehicle.

use std::fmt;

/// Largest number of waypoints of a path, [`crate::Path::MAX_WAYPOINTS`].
pub(crate) const MAX_WAYPOINTS: usize = 1 << 24;

/// The reason that waypoints do not form a path.
#[derive(Clone, Debug, PartialEq)]
pub enum PathError {
    /// Fewer distinct waypoints than a path requires.
    TooFewWaypoints {
        /// Number of waypoints without those within a millimetre of the previous one.
        distinct: usize,
        /// Required number: 2 for an open path, 3 for a closed one.
        needed: usize,
    },
    /// More waypoints than [`crate::Path::MAX_WAYPOINTS`].
    TooManyWaypoints {
        /// Number of waypoints.
        given: usize,
    },
    /// A number that is NaN, infinite or out of range.
    BadNumber {
        /// Index of the waypoint, from 0.
        waypoint: usize,
        /// Name of the field.
        field: &'static str,
        /// Value of the number.
        value: f64,
        /// Permitted range.
        must: &'static str,
    },
    /// An option out of its range.
    BadOption(OptionsError),
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooFewWaypoints { distinct, needed } => {
                write!(f, "a path requires at least {needed} distinct waypoints, but this one has {distinct}")
            }
            Self::TooManyWaypoints { given } => {
                let max = MAX_WAYPOINTS;
                write!(f, "the path has {given} waypoints, more than {max}: remove some")
            }
            Self::BadNumber { waypoint, field, value, must } => {
                write!(f, "waypoint {waypoint}: {field} is {value}, but must be {must}")
            }
            Self::BadOption(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for PathError {}

/// An option or a vehicle parameter out of its range.
#[derive(Clone, Debug, PartialEq)]
pub struct OptionsError {
    /// Name of the field, qualified by its struct: `target_speed.spacing_m`.
    pub field: &'static str,
    /// Value of the field.
    pub value: f64,
    /// Permitted range.
    pub must: &'static str,
}

impl fmt::Display for OptionsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is {}, but must be {}", self.field, self.value, self.must)
    }
}

impl std::error::Error for OptionsError {}
