//! Errors of a sweep's plan.

use crate::vehicle::VehicleError;

/// Why a sweep cannot be planned. Each message names the variation and the remedy.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SweepError {
    /// A variation that is not KEY=SPEC.
    #[error(
        "{text:?} is not a variation: write KEY=FROM:TO:COUNT or KEY=A,B,C, as mass_kg=1000:1400:5 or grip=0.9,1,1.1"
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
        fix: String,
    },
    /// A range whose parts or count are wrong.
    #[error(
        "{key}: {text:?} is not a range: write FROM:TO:COUNT with both ends included, as 0.8:1.2:5, where COUNT is a whole number, at least 2"
    )]
    Range {
        /// The key.
        key: String,
        /// The range.
        text: String,
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
    /// A repeated value.
    #[error("{key}: the value {value} is repeated: write each value once")]
    Twice {
        /// The key.
        key: String,
        /// The value.
        value: f64,
    },
    /// A key that is varied twice.
    #[error("{key} is varied twice: write its values in one variation, as {key}=A,B,C")]
    KeyTwice {
        /// The key.
        key: String,
    },
    /// Nothing to vary.
    #[error("nothing is varied: specify at least one variation, as grip=0.9x:1.1x:5")]
    Empty,
    /// More combinations than a sweep runs.
    #[error("the variations make {count} combinations, but a sweep runs at most {max}: specify fewer values")]
    TooMany {
        /// Number of combinations.
        count: String,
        /// Largest allowed number of combinations.
        max: usize,
    },
    /// The vehicle has no such number.
    #[error(transparent)]
    Vehicle(#[from] VehicleError),
}
