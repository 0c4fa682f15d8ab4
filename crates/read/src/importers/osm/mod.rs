//! OpenStreetMap: race tracks and streets of a map as XML (the main database, Overpass, JOSM), JSON of Overpass
//! or PBF, and the roads of maps of Lanelet2, which are XML of the same kind.

mod circuit;
mod circuit_search;
mod data;
mod graph;
mod joined_road;
mod json;
mod lanelet2;
mod pbf;
mod protobuf;
mod road;
mod streets;
mod tags;
mod xml;

pub use road::osm;
pub(crate) use road::{is_osm_pbf, is_overpass_json};
pub use streets::{OsmDirection, OsmStreet, OsmStreets, osm_streets};

#[cfg(test)]
mod tests;
