//! Why options can't be used.

use crate::vehicle::VehicleError;

/// Why options can't be used. A `place` names file, line and key, or the command line's flag.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum OptionsError {
    /// The file can't be read.
    #[error("{file} can't be read: {message}")]
    Unreadable {
        /// The file.
        file: String,
        /// The system's message.
        message: String,
    },
    /// The file is no TOML.
    #[error("{place}: {message}: a TOML has one key = value a line, text in double quotes")]
    Syntax {
        /// File and line.
        place: String,
        /// The parser's message.
        message: String,
    },
    /// A key that no option has.
    #[error("{place} is no option{}", .near.map(|near| format!(": did you mean {near}?")).unwrap_or_default())]
    UnknownKey {
        /// Where it stands.
        place: String,
        /// The key that was probably meant.
        near: Option<&'static str>,
    },
    /// A value of the wrong kind.
    #[error("{place} is {found}, expected {expected}")]
    Value {
        /// Where it stands.
        place: String,
        /// The value.
        found: String,
        /// What would be right.
        expected: String,
    },
    /// A number out of its range.
    #[error("{place} is {found}, must be {range}")]
    OutOfRange {
        /// Where it stands.
        place: String,
        /// The number.
        found: String,
        /// What would be right, with its unit.
        range: String,
    },
    /// More than one of the scale's keys in one place.
    #[error("{first} and {second} both say the scale: leave one of them out")]
    SeveralScales {
        /// Where one stands.
        first: String,
        /// Where another stands.
        second: String,
    },
    /// The vehicle can't be used.
    #[error(transparent)]
    Vehicle(#[from] VehicleError),
    /// A vehicle file holds a vehicle that can't be used.
    #[error("vehicle file {file} can't be used")]
    VehicleFile {
        /// The file.
        file: String,
        /// What is wrong with it.
        #[source]
        error: VehicleError,
    },
}
