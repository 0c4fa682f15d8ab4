//! Why a value can't be written as a file.

use raceline_file::Inconsistency;

/// Why a value can't be written as a file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// JSON has no infinities and no NaN.
    #[error("{place} is {value}, which a file can't hold: only finite numbers can be written")]
    NotFinite {
        /// The key, as `points[3].speed_mps`.
        place: String,
        /// The number as text.
        value: String,
    },
    /// The value breaks a rule of the format, so that no reader would take the file.
    #[error(transparent)]
    Inconsistent(#[from] Inconsistency),
    /// A value that JSON can't express, such as a map with keys that are no text.
    #[error("{place} can't be written as JSON: {message}")]
    Unwritable {
        /// The key.
        place: String,
        /// The serializer's message.
        message: String,
    },
}
