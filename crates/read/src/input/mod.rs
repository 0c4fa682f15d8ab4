//! Reads a file and determines its kind.
//!
//! The content decides if it is conclusive: the magic number of a picture, an `<svg>` element, a
//! `<params>` element with a `Main Track`, a `<kml>`, `<gpx>`,
//! `<osm>` or `<OpenDRIVE>` element, a map as PBF, an archive with a KML, rows or a list of cones, the `"type"` of GeoJSON, the `"format"` of an extracted
//! track, the keys `image:` and `resolution:` of a map, rows of numbers. Otherwise the extension
//! decides ([`InputKind::of`]). Nothing is decoded here except a map's YAML, because it names the
//! picture that is read with it, and the document type of a track in XML, which names its file of
//! surfaces.

mod error;
mod foreign;
mod kind;
mod log_kind;

use std::path::{Path, PathBuf};

use hmac_sha256::Hash;

use crate::content::is_picture;
use crate::importers::{self, EdgeFile};
use crate::lines::LineKind;
use crate::picture::MapYaml;
use raceline_file::files::{self, LARGEST_OPTIONS_FILE, LARGEST_PICTURE, LARGEST_TRACK_FILE, Reach};

pub use error::InputError;
pub use foreign::Foreign;
pub use kind::InputKind;
pub use log_kind::LogKind;

/// An input file for a track, with its bytes.
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
    /// KML, or a KMZ with one.
    Kml(Vec<u8>),
    /// GPX.
    Gpx(Vec<u8>),
    /// A map of OpenStreetMap or Lanelet2, as XML or PBF.
    Osm(Vec<u8>),
    /// Roads of OpenDRIVE.
    OpenDrive(Vec<u8>),
    /// A line of Assetto Corsa or rFactor.
    GameLine(Vec<u8>),
    /// A mesh, as OBJ or GLB.
    Mesh(Vec<u8>),
    /// A map of cones.
    Cones(Vec<u8>),
    /// A drawing.
    Svg(Vec<u8>),
    /// A track of TORCS or Speed Dreams.
    TorcsXml {
        /// The XML's bytes.
        xml: Vec<u8>,
        /// The bytes of the file of standard surfaces that it names, if that exists.
        surfaces: Option<Vec<u8>>,
    },
    /// An extracted track: `raceline-track`.
    Track(Vec<u8>),
    /// A line of another program.
    Line(LineKind, Vec<u8>),
}

/// Bytes from which a picture is recognised.
const START_BYTES: u64 = 4096;

/// The largest file of the kind that begins with `start`.
fn max_bytes(start: &[u8]) -> u64 {
    if is_picture(start) { LARGEST_PICTURE } else { LARGEST_TRACK_FILE }
}

/// The files from which a track is read, as far as they are known before it is: the file at `path`,
/// and the picture of a map or the surfaces of a track in XML.
#[must_use]
pub fn files_of(path: &Path) -> Vec<PathBuf> {
    let other = match InputKind::by_ending(path) {
        InputKind::Map => MapYaml::read(path).ok().map(|map| map.image),
        InputKind::TorcsXml => files::read(path, LARGEST_TRACK_FILE).ok().and_then(|xml| surfaces_of(path, &xml)),
        _ => None,
    };
    std::iter::once(path.to_owned()).chain(other).collect()
}

/// Reads the file at `path`, and the picture with it if the file is a map.
///
/// # Errors
/// See [`InputError`].
pub fn read(path: &Path) -> Result<Input, InputError> {
    read_as(path, None, Reach::default())
}

/// As [`read`]; where the content does not determine the kind, the extension `hint` does in place
/// of that of the name. The picture of a map lies within `reach`.
///
/// # Errors
/// See [`InputError`].
pub fn read_as(path: &Path, hint: Option<&str>, reach: Reach) -> Result<Input, InputError> {
    let bytes = files::read_by_kind(path, START_BYTES, max_bytes)
        .map_err(|error| InputError::Read { file: path.to_owned(), error })?;
    // Positions with times are a road too; the rest of a log is none.
    if let Some(log) = LogKind::of(&bytes).filter(|&log| log != LogKind::Gpx && !is_road_table(&bytes)) {
        return Err(InputError::Log { file: path.to_owned(), log });
    }
    let kind = match hint {
        Some(hint) => InputKind::of(&Path::new("-").with_extension(hint), &bytes),
        None => InputKind::of(path, &bytes),
    };
    let foreign = match kind {
        _ if is_picture(&bytes) => None,
        // Neither its content nor its name shows a track.
        InputKind::Picture => Foreign::of(path, &bytes),
        _ => Foreign::of_content(&bytes),
    };
    if let Some(foreign) = foreign {
        return Err(InputError::Foreign { file: path.to_owned(), foreign });
    }
    Ok(match kind {
        InputKind::Picture => Input::Picture(bytes),
        InputKind::Map => {
            let map = MapYaml::parse(path, &String::from_utf8_lossy(&bytes))?;
            let unreadable = |error| InputError::MapImage { map: path.to_owned(), image: map.image.clone(), error };
            let image = reach.check(path, map.image.clone()).and_then(|image| files::read(&image, LARGEST_PICTURE));
            let image = image.map_err(unreadable)?;
            Input::Map { map, yaml: bytes, image }
        }
        InputKind::Csv => Input::Csv(bytes),
        InputKind::GeoJson => Input::GeoJson(bytes),
        InputKind::Kml => Input::Kml(bytes),
        InputKind::Gpx => Input::Gpx(bytes),
        InputKind::Osm => Input::Osm(bytes),
        InputKind::OpenDrive => Input::OpenDrive(bytes),
        InputKind::GameLine => Input::GameLine(bytes),
        InputKind::Mesh => Input::Mesh(bytes),
        InputKind::Cones => Input::Cones(bytes),
        InputKind::Svg => Input::Svg(bytes),
        InputKind::TorcsXml => {
            let surfaces = surfaces_of(path, &bytes).and_then(|file| files::read(&file, LARGEST_OPTIONS_FILE).ok());
            Input::TorcsXml { xml: bytes, surfaces }
        }
        InputKind::Track => Input::Track(bytes),
        InputKind::Line(kind) => Input::Line(kind, bytes),
    })
}

/// A file with a line, and its kind.
#[derive(Clone, Debug, PartialEq)]
pub struct LineInput {
    /// The kind.
    pub kind: LineKind,
    /// The bytes.
    pub bytes: Vec<u8>,
}

impl LineInput {
    /// SHA-256 of the bytes, in lower-case hexadecimal digits.
    #[must_use]
    pub fn sha256(&self) -> String {
        sha256(&[&self.bytes])
    }
}

/// Reads the file of a line at `path`; where the content does not determine the kind, the extension `hint`
/// does in place of that of the name.
///
/// # Errors
/// [`InputError::Read`], and [`InputError::NoLine`] for a file of another kind.
pub fn read_line(path: &Path, hint: Option<&str>) -> Result<LineInput, InputError> {
    let bytes = files::read_by_kind(path, START_BYTES, max_bytes)
        .map_err(|error| InputError::Read { file: path.to_owned(), error })?;
    let kind = match hint {
        Some(hint) => LineKind::of(&Path::new("-").with_extension(hint), &bytes),
        None => LineKind::of(path, &bytes),
    };
    match kind {
        Some(kind) => Ok(LineInput { kind, bytes }),
        None => {
            let found = foreign::name_of(path, &bytes);
            Err(InputError::NoLine { file: path.to_owned(), found })
        }
    }
}

/// Beginnings of names of columns that only a road has.
const ROAD_COLUMNS: [&str; 7] = ["w_tr", "width", "w_", "left_m", "right_m", "left_x", "right_x"];

/// Whether a header names the width of a road or its edges, so that a time beside them changes nothing.
fn is_road_table(bytes: &[u8]) -> bool {
    let head = String::from_utf8_lossy(bytes.get(..START_BYTES as usize).unwrap_or(bytes)).to_lowercase();
    let is_column =
        |field: &str| ROAD_COLUMNS.iter().any(|column| field.trim_matches(['#', ' ', '"']).starts_with(column));
    head.lines().take(4).any(|line| line.split([',', ';', '\t', ' ']).any(is_column))
}

/// The file of standard surfaces of the track in XML at `path`, if it names one. Its path must be
/// relative, as in TORCS, so that a track names no file of the whole machine.
fn surfaces_of(path: &Path, xml: &[u8]) -> Option<PathBuf> {
    let file = PathBuf::from(importers::torcs_surfaces_file(xml)?);
    let is_xml = file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("xml"));
    (file.is_relative() && is_xml).then(|| path.parent().unwrap_or(Path::new("")).join(file))
}

/// SHA-256 digests of an input, in lower-case hexadecimal digits, as
/// [`Source`](raceline_file::Source) has them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digests {
    /// Of the file, or of a map's YAML followed by its picture, or of a track in XML followed by its
    /// file of surfaces, or of the file of the left edge followed by that of the right one. `None` for an extracted track, whose own source has the digest of the file that it was extracted from.
    pub sha256: Option<String>,
    /// Of an extracted track.
    pub track_sha256: Option<String>,
}

impl Digests {
    /// Of numbers that come from no file: the digest of their bytes, IEEE 754 with the lowest byte first.
    #[must_use]
    pub fn of_numbers(numbers: impl IntoIterator<Item = f64>) -> Self {
        let bytes: Vec<u8> = numbers.into_iter().flat_map(f64::to_le_bytes).collect();
        Self { sha256: Some(sha256(&[&bytes])), track_sha256: None }
    }
}

impl Input {
    /// Whether its coordinates have a scale of their own, and no pixels.
    #[must_use]
    pub fn is_in_metres(&self) -> bool {
        self.edge_file().is_some() || self.is_road()
    }

    /// Whether it is a road in metres or degrees that needs no second file.
    fn is_road(&self) -> bool {
        match self {
            Self::TorcsXml { .. }
            | Self::Cones(_)
            | Self::Osm(_)
            | Self::OpenDrive(_)
            | Self::GameLine(_)
            | Self::Mesh(_)
            | Self::Line(..) => true,
            Self::Picture(_)
            | Self::Map { .. }
            | Self::Csv(_)
            | Self::GeoJson(_)
            | Self::Kml(_)
            | Self::Gpx(_)
            | Self::Svg(_)
            | Self::Track(_) => false,
        }
    }

    /// The file as one that may hold a single edge of the road, or its centre line; `None` for other kinds.
    #[must_use]
    pub fn edge_file(&self) -> Option<EdgeFile<'_>> {
        match self {
            Self::Csv(bytes) => Some(EdgeFile::Csv(bytes)),
            Self::GeoJson(bytes) => Some(EdgeFile::GeoJson(bytes)),
            Self::Kml(bytes) => Some(EdgeFile::Kml(bytes)),
            Self::Gpx(bytes) => Some(EdgeFile::Gpx(bytes)),
            Self::Picture(_)
            | Self::Map { .. }
            | Self::Cones(_)
            | Self::Osm(_)
            | Self::OpenDrive(_)
            | Self::GameLine(_)
            | Self::Mesh(_)
            | Self::Svg(_)
            | Self::TorcsXml { .. }
            | Self::Track(_)
            | Self::Line(..) => None,
        }
    }

    /// The digests of this file followed by the one of the right edge.
    #[must_use]
    pub fn digests_with(&self, right: &Self) -> Digests {
        match (self.edge_file(), right.edge_file()) {
            (Some(left), Some(right)) => of_files(&[left.bytes(), right.bytes()]),
            _ => self.digests(),
        }
    }

    /// The digests of its bytes.
    #[must_use]
    pub fn digests(&self) -> Digests {
        match self {
            Self::Csv(bytes) | Self::GeoJson(bytes) | Self::Kml(bytes) | Self::Gpx(bytes) => of_files(&[bytes]),
            Self::Cones(bytes)
            | Self::Osm(bytes)
            | Self::OpenDrive(bytes)
            | Self::GameLine(bytes)
            | Self::Mesh(bytes)
            | Self::Line(_, bytes) => of_files(&[bytes]),
            Self::Picture(bytes) | Self::Svg(bytes) => of_files(&[bytes]),
            Self::Map { yaml, image, .. } => of_files(&[yaml, image]),
            Self::TorcsXml { xml, surfaces } => of_files(&[xml, surfaces.as_deref().unwrap_or_default()]),
            Self::Track(bytes) => Digests { sha256: None, track_sha256: Some(sha256(&[bytes])) },
        }
    }
}

fn of_files(parts: &[&[u8]]) -> Digests {
    Digests { sha256: Some(sha256(parts)), track_sha256: None }
}

fn sha256(parts: &[&[u8]]) -> String {
    let mut hasher = Hash::new();
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
