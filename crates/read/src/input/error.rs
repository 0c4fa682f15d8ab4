//! Errors of reading an input file.

use std::path::PathBuf;

use super::{Foreign, LogKind};

use crate::picture::MapYamlError;

/// An input file cannot be read. Each message contains the file's name.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// A file cannot be read.
    #[error("{}: can't be read", file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// The operating system's error.
        #[source]
        error: std::io::Error,
    },
    /// A file that is certainly no track.
    #[error("{}: it is {}, not a track: {}", file.display(), foreign.found, foreign.fix)]
    Foreign {
        /// The file.
        file: PathBuf,
        /// What it is.
        foreign: Foreign,
    },
    /// A file that holds no line.
    #[error(
        "{}: it is {found}, which holds no line: give a CSV with x_m and y_m, a racing-line file, GeoJSON, KML, GPX, SVG, \
         DXF, a curve of Godot or a list of points in JSON",
        file.display()
    )]
    NoLine {
        /// The file.
        file: PathBuf,
        /// What it is.
        found: &'static str,
    },
    /// A log of a drive, which holds laps and no road.
    #[error("{0}: it is {1}, not a track: list its laps with `raceline laps {0}`, or make a track of them with \
             `raceline coach {0}`", file.display(), log.described())]
    Log {
        /// The file.
        file: PathBuf,
        /// What wrote it.
        log: LogKind,
    },
    /// The picture that a map's YAML names cannot be read.
    #[error("{}: its image {} can't be read", map.display(), image.display())]
    MapImage {
        /// The YAML.
        map: PathBuf,
        /// The picture.
        image: PathBuf,
        /// The operating system's error.
        #[source]
        error: std::io::Error,
    },
    /// A map's YAML cannot be used.
    #[error(transparent)]
    MapYaml(#[from] MapYamlError),
}
