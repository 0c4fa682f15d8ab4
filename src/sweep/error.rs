//! Why a sweep can't be planned.

use crate::vehicle::VehicleError;

/// Why a sweep can't be planned. Each message names the variation and the fix.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SweepError {
    /// A variation that isn't KEY=SPEC.
    #[error("{text:?} is no variation: write KEY=FROM:TO:COUNT or KEY=A,B,C, as mass_kg=1000:1400:5 or grip=0.9,1,1.1")]
    Form {
        /// What was written.
        text: String,
    },
    /// A value that can't be read.
    #[error("{key}: {text:?} is no value: {fix}")]
    Value {
        /// The key.
        key: String,
        /// The value.
        text: String,
        /// What would be right.
        fix: &'static str,
    },
    /// A range whose parts or count are wrong.
    #[error(
        "{key}: {text:?} is no range: write FROM:TO:COUNT, the count of values a whole number from 2 on, both ends included"
    )]
    Range {
        /// The key.
        key: String,
        /// The range.
        text: String,
    },
    /// A value relative to a number that is zero or not there.
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
        /// What the vehicle has.
        own: &'static str,
    },
    /// A value that comes twice.
    #[error("{key}: the value {value} comes twice: give each value once")]
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
    #[error("nothing is varied: give at least one variation, as grip=0.9x:1.1x:5")]
    Empty,
    /// More combinations than a sweep runs.
    #[error("the variations make {count} combinations, a sweep runs at most {most}: give fewer values")]
    TooMany {
        /// Combinations asked for.
        count: String,
        /// Most combinations.
        most: usize,
    },
    /// The vehicle has no such number.
    #[error(transparent)]
    Vehicle(#[from] VehicleError),
}
