//! Why a session has no track, or cannot do what it was asked for.

use raceline::options::OptionsError;
use raceline_car::VehicleError;
use raceline_read::input::InputError;
use raceline_read::picture::{MapYamlError, PictureError};

use super::comparison::ComparisonError;
use super::history::HistoryError;
use super::sidecar_edit::EditError;

/// Why a session has no track, or cannot do what it was asked for.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SessionError {
    /// None of the files may be a track.
    #[error("no track among {count} files: give a picture, a map's YAML with its picture, or a track file")]
    NoTrack {
        /// Number of files.
        count: usize,
    },
    /// Several files may be the track.
    #[error("{first} and {second} are two tracks: give one of them, with its sidecar")]
    SeveralTracks {
        /// One of them.
        first: String,
        /// Another one.
        second: String,
    },
    /// The picture that a map names is not among the files.
    #[error("{map}: give its picture {image} too")]
    NoMapImage {
        /// The map's YAML.
        map: String,
        /// The picture.
        image: String,
    },
    /// A map's YAML that cannot be read.
    #[error(transparent)]
    Map(#[from] MapYamlError),
    /// A file that is no track.
    #[error(transparent)]
    Input(#[from] InputError),
    /// A file that is neither a track file nor a picture.
    #[error(transparent)]
    Picture(#[from] PictureError),
    /// Edits that are not what a page sends.
    #[error("the edits are no list of edits in JSON")]
    Edits(#[from] serde_json::Error),
    /// An edit that cannot be made.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// A sidecar that is not valid.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// A vehicle of a log that is not valid.
    #[error(transparent)]
    Vehicle(#[from] VehicleError),
    /// A change that is neither taken back nor made again.
    #[error(transparent)]
    History(#[from] HistoryError),
    /// There is no line to be written.
    #[error("there is no line yet: make one first")]
    NoLine,
    /// A format that does not exist.
    #[error("there is no format {name}")]
    UnknownFormat {
        /// Its name.
        name: String,
    },
    /// A coarse line that cannot be made.
    #[error("{reason}")]
    NoPreview {
        /// The reason.
        reason: String,
    },
    /// A comparison that stays as it is.
    #[error(transparent)]
    Comparison(#[from] ComparisonError),
    /// A line that cannot be written.
    #[error("the line can't be written: {reason}")]
    NotWritten {
        /// The reason.
        reason: String,
    },
}
