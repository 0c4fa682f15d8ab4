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

/// Why a run failed: one variant a stage. Each message names the file, the place in it and the way out.
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
    #[error("{}: {error}", file.display())]
    Scale {
        /// The picture.
        file: PathBuf,
        /// What is wrong.
        error: ScaleError,
    },
    /// The road has no usable edges.
    #[error("{}: {error}", file.display())]
    Edges {
        /// The picture.
        file: PathBuf,
        /// What is wrong.
        error: EdgeError,
    },
    /// The road can't be cut into cross-sections.
    #[error("{}: {error}", file.display())]
    Track {
        /// The input.
        file: PathBuf,
        /// What is wrong.
        error: TrackError,
    },
    /// An extracted track can't be read.
    #[error("{}: {error}", file.display())]
    TrackFile {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        error: ReadError,
    },
    /// A track file of another program can't be read.
    #[error("{}: {error}", file.display())]
    Import {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        error: ImportError,
    },
    /// No line was found.
    #[error("{}: {error}", file.display())]
    Solve {
        /// The input.
        file: PathBuf,
        /// What is wrong.
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
