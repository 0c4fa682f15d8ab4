//! Errors of writing a file.

use crate::Inconsistency;

/// Why a value cannot be written as a file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// JSON has no infinities and no NaN.
    #[error("{place} is {value}, but a file can contain only finite numbers")]
    NotFinite {
        /// The key, as `points[3].speed_mps`.
        place: String,
        /// The number as text.
        value: String,
    },
    /// The value violates a rule of the format, so that readers would refuse the file.
    #[error(transparent)]
    Inconsistent(#[from] Inconsistency),
    /// A value that JSON cannot express, such as a map with keys that are not text.
    #[error("{place} can't be written as JSON: {message}")]
    Unwritable {
        /// The key.
        place: String,
        /// The serializer's message.
        message: String,
    },
}
