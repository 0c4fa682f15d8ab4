//! GPX 1.0 and 1.1 (<https://www.topografix.com/GPX/1/1/>): a track or a route as a centre line, or two as
//! edges.

use quick_xml::de::from_str;
use serde::Deserialize;

use super::geographic::{Geographic, Line, Place, Side};
use raceline_file::table::text;
use raceline_road::construction::{ImportError, ImportOptions, Imported, SpecifiedClosed};

/// What is read of a GPX file. Elements of other names, as those of extensions, are left out.
#[derive(Deserialize)]
struct Gpx {
    #[serde(default)]
    trk: Vec<Track>,
    #[serde(default)]
    rte: Vec<Route>,
    #[serde(default)]
    wpt: Vec<Waypoint>,
}

#[derive(Deserialize)]
struct Track {
    name: Option<String>,
    #[serde(default)]
    trkseg: Vec<Segment>,
}

#[derive(Deserialize)]
struct Segment {
    #[serde(default)]
    trkpt: Vec<Position>,
}

#[derive(Deserialize)]
struct Route {
    name: Option<String>,
    #[serde(default)]
    rtept: Vec<Position>,
}

#[derive(Deserialize)]
struct Waypoint {}

#[derive(Deserialize)]
struct Position {
    #[serde(rename = "@lat")]
    latitude_deg: f64,
    #[serde(rename = "@lon")]
    longitude_deg: f64,
    ele: Option<f64>,
}

/// Reads GPX: one track or route is the centre line, two are the edges. The segments of a track follow
/// one another. Waypoints are ignored. Positions are projected to metres about their middle, which is
/// reported in the notes.
///
/// # Errors
/// See [`ImportError`]; each names the track and the position.
pub fn gpx(bytes: &[u8], closed: SpecifiedClosed, options: &ImportOptions) -> Result<Imported, ImportError> {
    read(bytes)?.chosen(options.part.as_deref())?.imported(closed, options)
}

/// The tracks and routes of GPX.
pub(super) fn read(bytes: &[u8]) -> Result<Geographic, ImportError> {
    let gpx: Gpx = from_str(text(bytes)?).map_err(|error| ImportError::Gpx { message: error.to_string() })?;
    let mut found = Geographic { points: gpx.wpt.len(), ..Geographic::default() };
    for (number, track) in (1..).zip(gpx.trk) {
        let positions = track.trkseg.into_iter().flat_map(|segment| segment.trkpt);
        found.lines.extend(line(positions, track.name, &format!("track {number}"))?);
    }
    for (number, route) in (1..).zip(gpx.rte) {
        found.lines.extend(line(route.rtept, route.name, &format!("route {number}"))?);
    }
    Ok(found)
}

/// The line through `positions`; none if there are none.
fn line(
    positions: impl IntoIterator<Item = Position>,
    name: Option<String>,
    place: &str,
) -> Result<Option<Line>, ImportError> {
    let positions = (1..).zip(positions).map(|(number, position)| {
        let degrees = [position.longitude_deg, position.latitude_deg];
        Place::new(degrees, position.ele, || format!("{place}, point {number}"))
    });
    let positions: Vec<Place> = positions.collect::<Result<_, _>>()?;
    let name = name.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
    let side = name.as_deref().and_then(Side::of_name);
    let line = Line { place: place.to_owned(), positions, width_m: None, widths_m: None, side, name, length_m: None };
    Ok((!line.positions.is_empty()).then_some(line))
}
