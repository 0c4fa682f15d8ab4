//! Programs that cannot be solved.

use std::fmt;

/// Why a program cannot be solved.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum BoxError {
    /// The vectors have different lengths.
    Dimensions {
        /// Length of l.
        lower: usize,
        /// Length of u.
        upper: usize,
        /// Length of q.
        linear: usize,
    },
    /// There are no unknowns, or too few for a ring.
    TooFewUnknowns {
        /// Number of unknowns, n.
        unknowns: usize,
        /// Minimum number of unknowns of such a program.
        needed: usize,
    },
    /// Bounds that are not finite, or whose lower bound exceeds the upper.
    Bounds {
        /// Index of the unknown.
        unknown: usize,
        /// Lower bound of this unknown.
        lower: f64,
        /// Upper bound of this unknown.
        upper: f64,
    },
    /// P is not positive semidefinite.
    NotConvex,
    /// A number of P or q is not finite, or overflowed.
    NotFinite,
}

impl fmt::Display for BoxError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Dimensions { lower, upper, linear } => {
                write!(f, "the numbers of lower bounds {lower}, upper bounds {upper} and coefficients {linear} differ")
            }
            Self::TooFewUnknowns { unknowns, needed } => {
                write!(f, "the number of unknowns is {unknowns}, but must be at least {needed}")
            }
            Self::Bounds { unknown, lower, upper } => {
                write!(f, "the bounds of unknown {unknown} are {lower} and {upper}: they must be finite and in order")
            }
            Self::NotConvex => write!(f, "the objective has no minimum"),
            Self::NotFinite => write!(f, "a number of the program is not finite"),
        }
    }
}

impl std::error::Error for BoxError {}
