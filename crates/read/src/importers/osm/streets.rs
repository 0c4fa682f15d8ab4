//! The streets of a map of OpenStreetMap.

use super::tags::{OneWay, is_street, one_way, width};
use raceline_road::construction::ImportError;
use raceline_road::geometry::{Point, Projection};

/// The directions in which a street may be driven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OsmDirection {
    /// Both.
    Both,
    /// Only along its line.
    Forward,
    /// Only against its line.
    Backward,
}

/// A street of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct OsmStreet {
    /// The line along it, metres.
    pub points: Vec<Point>,
    /// Full width, metres; `None` if the map has neither a width nor a number of lanes.
    pub width_m: Option<f64>,
    /// Directions.
    pub direction: OsmDirection,
}

/// The streets of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct OsmStreets {
    /// The streets, in metres to the east and north of the middle.
    pub streets: Vec<OsmStreet>,
    /// Longitude and latitude of the middle, degrees: the point (0, 0).
    pub origin_deg: [f64; 2],
}

/// The streets of a map on which cars drive: `highway=residential` and the like. Widths are those of `width`,
/// else 3.5 m for each of the `lanes`. `oneway` is read; roundabouts and motorways have one direction.
///
/// # Errors
/// [`ImportError::Osm`]. A map without streets gives none.
pub fn osm_streets(bytes: &[u8]) -> Result<OsmStreets, ImportError> {
    let map = super::road::read(bytes)?;
    let streets = || map.ways.iter().filter(|way| is_street(&way.tags));
    let at = |index: &usize| map.nodes.get(*index).and_then(|node| node.degrees);
    let all: Vec<[f64; 2]> = streets().flat_map(|way| way.nodes.iter().filter_map(at)).collect();
    let projection = Projection::about(&all);
    let street = |way: &super::data::Way| OsmStreet {
        points: way.nodes.iter().filter_map(at).map(|degrees| projection.project(degrees)).collect(),
        width_m: width(&way.tags).map(|width| width.width_m),
        direction: match one_way(&way.tags) {
            OneWay::No => OsmDirection::Both,
            OneWay::Forward => OsmDirection::Forward,
            OneWay::Backward => OsmDirection::Backward,
        },
    };
    let origin_deg = if all.is_empty() { [0.0; 2] } else { projection.middle };
    Ok(OsmStreets { streets: streets().map(street).collect(), origin_deg })
}
