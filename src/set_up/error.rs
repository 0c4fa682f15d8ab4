//! Errors of a search for a set-up.

use crate::pipeline;
use crate::vehicle::VehicleError;

/// Why no set-up can be searched. Each message names the key and the remedy.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SetUpError {
    /// A free number that is not KEY=FROM:TO.
    #[error(
        "{text:?} is not a free number: write KEY=FROM:TO, as front_brake_fraction=0.5:0.7, and commas between numbers that move together"
    )]
    Form {
        /// The text.
        text: String,
    },
    /// A value that cannot be read.
    #[error("{key}: {text:?} is not a value: {fix}")]
    Value {
        /// The key.
        key: String,
        /// The value.
        text: String,
        /// The remedy.
        fix: &'static str,
    },
    /// A value relative to a number that is zero or absent.
    #[error(
        "{key}: {text:?} is relative to the vehicle's own value, and vehicle {vehicle} has {own}: write the values themselves"
    )]
    NoBase {
        /// The key.
        key: String,
        /// The value.
        text: String,
        /// Name of the vehicle.
        vehicle: String,
        /// The vehicle's own value: zero or none.
        own: &'static str,
    },
    /// A range without a length.
    #[error("{key}: both ends of the range are {value}: write two different values")]
    EmptyRange {
        /// The key.
        key: String,
        /// The value.
        value: f64,
    },
    /// A key that is free twice.
    #[error("{key} is free twice: write one range for it")]
    KeyTwice {
        /// The key.
        key: String,
    },
    /// A key that changes where on the road a line may lie.
    #[error("{key} changes where on the road a line may lie, which has no derivative: use a sweep for it")]
    Road {
        /// The key.
        key: String,
    },
    /// The number of free numbers is outside its range.
    #[error("{count} numbers are free: specify from 1 to {max}")]
    Count {
        /// Number of free numbers.
        count: usize,
        /// Largest allowed number.
        max: usize,
    },
    /// Another method than the time-optimal line, whose lap is not the fastest one.
    #[error("a set-up is searched with the method time-optimal, not {method}: leave --method out, or use a sweep")]
    Method {
        /// The method.
        method: &'static str,
    },
    /// The vehicle has no such number, or a set-up at an end of a range cannot be a vehicle.
    #[error(transparent)]
    Vehicle(#[from] VehicleError),
    /// The vehicle as given, or with the set-up that was found, has no line.
    #[error(transparent)]
    Line(#[from] pipeline::Error),
}
