//! Reads the file of a track, and the files that it names.

use std::path::{Path, PathBuf};

use raceline_file::files::{self, LARGEST_OPTIONS_FILE, LARGEST_PICTURE, LARGEST_TRACK_FILE, Reach};

use super::{Foreign, Input, InputError, InputKind, LogKind};
use crate::content::is_picture;
use crate::importers;
use crate::picture::MapYaml;

/// Bytes from which a picture is recognised.
pub(super) const START_BYTES: u64 = 4096;

/// The largest file of the kind that begins with `start`.
pub(super) fn max_bytes(start: &[u8]) -> u64 {
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
    of_bytes(path, bytes, hint, reach)
}

/// As [`read_as`], for bytes that are in memory: `name` is the name in messages, whose ending counts where
/// the content does not determine the kind. The picture of a map and the surfaces of a track in XML are looked
/// for in the folder of `name`.
///
/// # Errors
/// See [`InputError`].
pub fn of_bytes(name: &Path, bytes: Vec<u8>, hint: Option<&str>, reach: Reach) -> Result<Input, InputError> {
    let path = name;
    // Positions with times are a road too; the rest of a log is none.
    if let Some(log) = log_without_road(&bytes) {
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

/// Beginnings of names of columns that only a road has.
const ROAD_COLUMNS: [&str; 7] = ["w_tr", "width", "w_", "left_m", "right_m", "left_x", "right_x"];

/// What wrote a file with this content, if it is a log and no road: positions with times are a road too.
#[must_use]
pub fn log_without_road(bytes: &[u8]) -> Option<LogKind> {
    LogKind::of(bytes).filter(|&log| !log.is_road_too() && !is_road_table(bytes))
}

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
