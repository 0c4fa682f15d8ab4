//! Errors in options.

use crate::vehicle::VehicleError;

/// Why options cannot be used. A `place` names file, line and key, or the command line's flag.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum OptionsError {
    /// The file cannot be read.
    #[error("{file} can't be read: {message}")]
    Unreadable {
        /// The file.
        file: String,
        /// The system's message.
        message: String,
    },
    /// The file names a file that it may not name.
    #[error("{place}: {path}: {message}")]
    OutOfReach {
        /// File, line and key.
        place: String,
        /// The file that it names.
        path: String,
        /// Why, and the fix.
        message: String,
    },
    /// The file is not TOML.
    #[error("{place}: {message}: a TOML contains one key = value per line, with text in double quotes")]
    Syntax {
        /// File and line.
        place: String,
        /// The parser's message.
        message: String,
    },
    /// An unknown key.
    #[error("{place} is not an option{}", .near.map(|near| format!(": did you mean {near}?")).unwrap_or_default())]
    UnknownKey {
        /// Place.
        place: String,
        /// The key that was probably meant.
        near: Option<&'static str>,
    },
    /// An option in a table that is another's.
    #[error("{place} is not an option of the table [{table}]: write it above the first table of the file")]
    ForeignTable {
        /// Place.
        place: String,
        /// The table.
        table: String,
    },
    /// An option specified twice in one file.
    #[error("{first} and {second} specify the same option: remove one of them")]
    Twice {
        /// The place of one.
        first: String,
        /// The place of another.
        second: String,
    },
    /// A value of the wrong kind.
    #[error("{place} is {found}, expected {expected}")]
    Value {
        /// Place.
        place: String,
        /// The value.
        found: String,
        /// The expected value.
        expected: String,
    },
    /// A number out of its range.
    #[error("{place} is {found}, must be {range}")]
    OutOfRange {
        /// Place.
        place: String,
        /// The number.
        found: String,
        /// The allowed range, with its unit.
        range: String,
    },
    /// More than one key for the scale in one layer.
    #[error("{first} and {second} both specify the scale: remove one of them")]
    SeveralScales {
        /// The place of one.
        first: String,
        /// The place of another.
        second: String,
    },
    /// The reference line cannot be read.
    #[error("like: the reference line {file} can't be read: {message}")]
    Reference {
        /// The file.
        file: String,
        /// The problem.
        message: String,
    },
    /// The vehicle cannot be used.
    #[error(transparent)]
    Vehicle(#[from] VehicleError),
    /// A vehicle file contains a vehicle that cannot be used.
    #[error("vehicle file {file} can't be used")]
    VehicleFile {
        /// The file.
        file: String,
        /// The problem.
        #[source]
        error: VehicleError,
    },
}
