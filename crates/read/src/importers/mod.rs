//! Track files of other programs → [`Edges`](raceline_road::edges::Edges).
//!
//! | Function | Input |
//! |---|---|
//! | [`csv()`] | CSV of either kind, distinguished by its header |
//! | [`centre_line_csv()`] | centre line with widths, as in TUM's race-track database |
//! | [`edge_csv()`] | left and right edge, point by point |
//! | [`geojson()`] | centre line with a width, two edges, or a polygon with a hole, in degrees |
//! | [`svg()`] | a stroked path, or the two edges of the road |
//! | [`torcs_xml()`] | segments with heights and surfaces, as in TORCS and Speed Dreams |
//!
//! What the files contain becomes edges by [`raceline_road::construction`].

mod centre_line_csv;
mod edge_csv;
mod geojson;
mod svg;
mod svg_budget;
mod torcs;

pub use centre_line_csv::centre_line_csv;
pub use edge_csv::{csv, edge_csv};
pub use geojson::{geojson, is_geojson};
pub use svg::{SvgLine, svg, svg_lines};
pub use torcs::{torcs_surfaces_file, torcs_xml};
