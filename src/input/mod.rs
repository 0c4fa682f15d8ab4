//! The one way in: reads a file and decides what it is.
//!
//! The content decides where it is unmistakable: the magic number of a picture, an `<svg>` element, the
//! `"type"` of GeoJSON, the `"format"` of an extracted track, the keys `image:` and `resolution:` of a map,
//! rows of numbers. Otherwise the file name's ending decides ([`InputKind::of`]). Nothing is decoded here
//! except a map's YAML, because it names the picture that is read with it.

mod error;
mod kind;

use std::fs;
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::picture::MapYaml;

pub use error::InputError;
pub use kind::InputKind;

/// A file that a track can be made from, with its bytes.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// A picture in a raster format.
    Picture(Vec<u8>),
    /// A ROS map: a YAML file and its picture.
    Map {
        /// The YAML's values.
        map: MapYaml,
        /// The YAML's bytes.
        yaml: Vec<u8>,
        /// The bytes of the picture that it names.
        image: Vec<u8>,
    },
    /// A CSV of a centre line or of two edges.
    Csv(Vec<u8>),
    /// GeoJSON.
    GeoJson(Vec<u8>),
    /// A drawing.
    Svg(Vec<u8>),
    /// An extracted track: `raceline-track`.
    Track(Vec<u8>),
}

/// Reads the file at `path`, and the picture with it if the file is a map.
///
/// # Errors
/// See [`InputError`].
pub fn read(path: &Path) -> Result<Input, InputError> {
    let bytes = fs::read(path).map_err(|error| InputError::Read { file: path.to_owned(), error })?;
    Ok(match InputKind::of(path, &bytes) {
        InputKind::Picture => Input::Picture(bytes),
        InputKind::Map => {
            let map = MapYaml::parse(path, &String::from_utf8_lossy(&bytes))?;
            let unreadable = |error| InputError::MapImage { map: path.to_owned(), image: map.image.clone(), error };
            let image = fs::read(&map.image).map_err(unreadable)?;
            Input::Map { map, yaml: bytes, image }
        }
        InputKind::Csv => Input::Csv(bytes),
        InputKind::GeoJson => Input::GeoJson(bytes),
        InputKind::Svg => Input::Svg(bytes),
        InputKind::Track => Input::Track(bytes),
    })
}

/// SHA-256 digests of an input, in lower-case hexadecimal digits, as
/// [`Source`](crate::file::Source) has them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digests {
    /// Of the file, or of a map's YAML followed by its picture. `None` for an extracted track, whose own
    /// source has the digest of the file that it was extracted from.
    pub sha256: Option<String>,
    /// Of an extracted track.
    pub track_sha256: Option<String>,
}

impl Input {
    /// The digests of its bytes.
    pub fn digests(&self) -> Digests {
        let of_file = |parts: &[&[u8]]| Digests { sha256: Some(sha256(parts)), track_sha256: None };
        match self {
            Self::Picture(bytes) | Self::Csv(bytes) | Self::GeoJson(bytes) | Self::Svg(bytes) => of_file(&[bytes]),
            Self::Map { yaml, image, .. } => of_file(&[yaml, image]),
            Self::Track(bytes) => Digests { sha256: None, track_sha256: Some(sha256(&[bytes])) },
        }
    }
}

fn sha256(parts: &[&[u8]]) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
