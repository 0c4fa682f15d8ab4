//! Why a run failed.

use std::path::{Path, PathBuf};

use crate::edges::EdgeError;
use crate::edges::importers::ImportError;
use crate::file::ReadError;
use crate::frame::ScaleError;
use crate::input::InputError;
use crate::picture::PictureError;
use crate::solve::SolveError;
use crate::track::TrackError;

/// Why a run failed: one variant a stage. Each message names the file; [`source`](std::error::Error::source) has the
/// place in it and the reason.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file can't be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The picture can't be decoded, or no road is found in it.
    #[error(transparent)]
    Picture(#[from] PictureError),
    /// The scale is missing or makes no sense.
    #[error("{}: pixels can't be converted to metres", file.display())]
    Scale {
        /// The picture.
        file: PathBuf,
        /// What is wrong.
        #[source]
        error: ScaleError,
    },
    /// The road has no usable edges.
    #[error("{}: the road has no usable edges", file.display())]
    Edges {
        /// The picture.
        file: PathBuf,
        /// What is wrong.
        #[source]
        error: EdgeError,
    },
    /// The road can't be cut into cross-sections.
    #[error("{}: the road can't be cut into cross-sections", file.display())]
    Track {
        /// The input.
        file: PathBuf,
        /// What is wrong.
        #[source]
        error: TrackError,
    },
    /// An extracted track can't be read.
    #[error("{}: the track can't be read", file.display())]
    TrackFile {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        #[source]
        error: ReadError,
    },
    /// A track file of another program can't be read.
    #[error("{}: the track can't be read", file.display())]
    Import {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        #[source]
        error: ImportError,
    },
    /// No line was found.
    #[error("{}: no line was found", file.display())]
    Solve {
        /// The input.
        file: PathBuf,
        /// What is wrong.
        #[source]
        error: SolveError,
    },
}

impl Error {
    pub(super) fn scale(file: &Path, error: ScaleError) -> Self {
        Self::Scale { file: file.to_owned(), error }
    }

    pub(super) fn track(file: &Path, error: TrackError) -> Self {
        Self::Track { file: file.to_owned(), error }
    }
}
