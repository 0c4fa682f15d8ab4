//! Why a run failed.

use std::path::{Path, PathBuf};

use crate::edges::importers::ImportError;
use crate::edges::{EdgeError, ScaleError};
use crate::file::ReadError;
#[cfg(feature = "picture")]
use crate::picture::{MapYamlError, PictureError};
use crate::solve::SolveError;
use crate::track::TrackError;

/// Why a run failed: one variant a stage. Each message names the file, the place in it and the way out.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file can't be read.
    #[error("{}: can't be read: {}", file.display(), way_out(error))]
    Read {
        /// The file.
        file: PathBuf,
        /// What the operating system said.
        error: std::io::Error,
    },
    /// The picture that a map's YAML names can't be read.
    #[error("{}: its image {} can't be read: {}", map.display(), image.display(), way_out(error))]
    MapImage {
        /// The YAML.
        map: PathBuf,
        /// The picture.
        image: PathBuf,
        /// What the operating system said.
        error: std::io::Error,
    },
    /// A file of a kind that this build doesn't read.
    #[cfg(not(feature = "picture"))]
    #[error("{}: pictures, maps and SVG files are read with the feature `picture`, which this build lacks", file.display())]
    NeedsPictures {
        /// The file.
        file: PathBuf,
    },
    /// The picture can't be decoded, or no road is found in it.
    #[cfg(feature = "picture")]
    #[error(transparent)]
    Picture(#[from] PictureError),
    /// The map's YAML can't be used.
    #[cfg(feature = "picture")]
    #[error(transparent)]
    MapYaml(#[from] MapYamlError),
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

/// What the operating system said, with what mends it where that is known.
fn way_out(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file: check the name and the folder".to_owned(),
        std::io::ErrorKind::IsADirectory => "it is a folder: name a file in it".to_owned(),
        _ => error.to_string(),
    }
}

impl Error {
    #[cfg(feature = "picture")]
    pub(super) fn scale(file: &Path, error: ScaleError) -> Self {
        Self::Scale { file: file.to_owned(), error }
    }

    pub(super) fn track(file: &Path, error: TrackError) -> Self {
        Self::Track { file: file.to_owned(), error }
    }
}
