//! Why a file can't be read.

use std::path::PathBuf;

use crate::picture::MapYamlError;

/// Why a file can't be read. Each message names the file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// A file can't be read.
    #[error("{}: can't be read", file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// What the operating system said.
        #[source]
        error: std::io::Error,
    },
    /// The picture that a map's YAML names can't be read.
    #[error("{}: its image {} can't be read", map.display(), image.display())]
    MapImage {
        /// The YAML.
        map: PathBuf,
        /// The picture.
        image: PathBuf,
        /// What the operating system said.
        #[source]
        error: std::io::Error,
    },
    /// A map's YAML can't be used.
    #[error(transparent)]
    MapYaml(#[from] MapYamlError),
}
