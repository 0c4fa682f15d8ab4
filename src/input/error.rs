//! Why a file can't be read.

use std::path::PathBuf;

use crate::picture::MapYamlError;

/// Why a file can't be read. Each message names the file and what mends it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
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
    /// A map's YAML can't be used.
    #[error(transparent)]
    MapYaml(#[from] MapYamlError),
}

/// What the operating system said, with what mends it where that is known.
fn way_out(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file: check the name and the folder".to_owned(),
        std::io::ErrorKind::IsADirectory => "it is a folder: name a file in it".to_owned(),
        _ => error.to_string(),
    }
}
