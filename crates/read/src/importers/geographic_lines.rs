//! The lines of a file in degrees, as they are, for who drives one of them.

use super::geographic::{Geographic, Side};
use super::{geojson, gpx, kml};
use raceline_road::construction::ImportError;

/// A line in degrees.
pub struct GeographicLine {
    /// Where in the file, for messages.
    pub place: String,
    /// Longitude and latitude of each point, degrees.
    pub degrees: Vec<[f64; 2]>,
    /// Whether it is the left edge of a road (`true`) or the right one; `None` for another line.
    pub is_left: Option<bool>,
    /// What the file calls it.
    pub name: Option<String>,
    /// Whether it leads back to its start, where the file states it.
    pub closed: Option<bool>,
}

/// The lines of GeoJSON.
///
/// # Errors
/// Those of [`geojson::read`].
pub fn geojson_lines(bytes: &[u8]) -> Result<Vec<GeographicLine>, ImportError> {
    geojson::read(bytes).map(lines)
}

/// The lines of KML or KMZ.
///
/// # Errors
/// Those of [`kml::read`].
pub fn kml_lines(bytes: &[u8]) -> Result<Vec<GeographicLine>, ImportError> {
    kml::read(bytes).map(lines)
}

/// The tracks and routes of GPX.
///
/// # Errors
/// Those of [`gpx::read`].
pub fn gpx_lines(bytes: &[u8]) -> Result<Vec<GeographicLine>, ImportError> {
    gpx::read(bytes).map(lines)
}

fn lines(contents: Geographic) -> Vec<GeographicLine> {
    let line = |line: super::geographic::Line| GeographicLine {
        place: line.place,
        degrees: line.positions.iter().map(|place| place.degrees).collect(),
        is_left: line.side.map(|side| side == Side::Left),
        name: line.name,
        closed: None,
    };
    contents.lines.into_iter().map(line).collect()
}
