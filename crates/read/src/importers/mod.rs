//! Track files of other programs → [`Edges`](raceline_road::edges::Edges).
//!
//! | Function | Input |
//! |---|---|
//! | [`csv()`] | CSV of either kind, distinguished by its header |
//! | [`centre_line_csv()`] | centre line with widths, as in TUM's race-track database |
//! | [`edge_csv()`] | left and right edge, point by point |
//! | [`geojson()`] | centre line with a width, two edges, or a polygon with a hole, in degrees |
//! | [`kml()`] | likewise, as KML or KMZ |
//! | [`gpx()`] | a track or route as the centre line, or two as edges |
//! | [`osm()`] | race tracks of OpenStreetMap as XML or PBF, roads of Lanelet2 |
//! | [`osm_streets()`] | the streets of OpenStreetMap, for a network |
//! | [`open_drive()`] | roads of OpenDRIVE |
//! | [`open_drive_streets()`] | these roads, for a network |
//! | [`game_line()`] | lines of Assetto Corsa (`.ai`) and rFactor (`.aiw`) with both edges |
//! | [`floor()`] | the ground of a level seen from above, of a mesh as OBJ or GLB |
//! | [`mesh()`] | the road's part of a mesh, as OBJ or GLB |
//! | [`cones()`] | cones in any order, as CSV or JSON |
//! | [`two_files()`] | one edge in each of two files |
//! | [`svg()`] | a stroked path, or the two edges of the road |
//! | [`torcs_xml()`] | segments with heights and surfaces, as in TORCS and Speed Dreams |
//!
//! What the files contain becomes edges by [`raceline_road::construction`].

mod banking_noise;
mod centre_line_csv;
mod cones;
mod edge_csv;
mod elevation;
mod game_line;
mod geographic;
pub(crate) mod geographic_lines;
mod geojson;
mod gpx;
mod kml;
mod mesh;
mod opendrive;
mod osm;
mod several_laps;
mod svg;
mod svg_budget;
mod svg_frame;
mod svg_strokes;
mod torcs;
mod two_files;

pub use centre_line_csv::centre_line_csv;
pub(crate) use centre_line_csv::coordinate;
pub use cones::cones;
pub(crate) use cones::is_cones;
pub use edge_csv::{csv, edge_csv};
pub use game_line::game_line;
pub(crate) use game_line::is_game_line;
pub use geojson::{geojson, is_geojson};
pub use gpx::gpx;
pub(crate) use kml::is_kmz;
pub use kml::{kml, kml_bytes};
pub(crate) use mesh::is_mesh;
pub use mesh::{floor, mesh};
pub use opendrive::{OpenDriveStreet, open_drive, open_drive_streets};
pub use osm::{OsmDirection, OsmStreet, OsmStreets, osm, osm_streets};
pub(crate) use osm::{is_osm_pbf, is_overpass_json};
pub(crate) use svg::parsed_svg;
pub use svg::{SvgLine, svg, svg_lines};
pub use svg_frame::{DrawnFrame, drawn_frame};
pub use torcs::{torcs_surfaces_file, torcs_xml};
pub use two_files::{EdgeFile, two_files};
