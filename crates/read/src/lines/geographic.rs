//! A line in degrees: GeoJSON, KML and GPX.

use raceline_road::construction::{ImportError, counted};

use super::line_file::{LineFile, Positions, no_line};
use crate::importers::geographic_lines::{GeographicLine, geojson_lines, gpx_lines, kml_lines};

pub(super) fn geojson(bytes: &[u8]) -> Result<LineFile, ImportError> {
    of_lines("GeoJSON", geojson_lines(bytes)?)
}

pub(super) fn kml(bytes: &[u8]) -> Result<LineFile, ImportError> {
    of_lines("KML", kml_lines(bytes)?)
}

pub(super) fn gpx(bytes: &[u8]) -> Result<LineFile, ImportError> {
    of_lines("GPX", gpx_lines(bytes)?)
}

/// The line: the only one, or the one that is no edge.
fn of_lines(kind: &str, lines: Vec<GeographicLine>) -> Result<LineFile, ImportError> {
    let count = lines.len();
    let (mut rest, mut left, mut right) = (Vec::new(), None, None);
    for line in lines {
        match line.is_left {
            Some(true) if left.is_none() => left = Some(line),
            Some(false) if right.is_none() => right = Some(line),
            _ => rest.push(line),
        }
    }
    let Ok([line]) = <[GeographicLine; 1]>::try_from(rest) else {
        return Err(no_line(format!("{kind} with {}, of which one must be the line", counted(count, "line"))));
    };
    let edges = left.zip(right).map(|(left, right)| [left, right].map(|edge| Positions::Degrees(edge.degrees)));
    let layout = format!("{} of {kind}", line.place);
    Ok(LineFile {
        positions: Positions::Degrees(line.degrees),
        closed: line.closed,
        edges,
        // What our exports call the line is no name of a track.
        name: line.name.filter(|name| !name.eq_ignore_ascii_case("racing line")),
        ..LineFile::new(layout, Vec::new())
    })
}
