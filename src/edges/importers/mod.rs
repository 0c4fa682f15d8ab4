//! Track files of other programs → [`Edges`].
//!
//! | Function | Input |
//! |---|---|
//! | [`csv()`] | CSV of either kind, told apart by its header |
//! | [`centre_line_csv()`] | centre line with widths, as in TUM's race-track database |
//! | [`edge_csv()`] | left and right edge, point by point |
//! | [`geojson()`] | centre line with a width, two edges, or a polygon with a hole, in degrees |
//! | [`road_about()`] | a line of points, with a constant width |
//! | [`road_of_widths()`] | a line of points, with a width at each |
//! | [`svg()`] | a stroked path, or the two edges of the road |
//! | [`torcs_xml()`] | segments with heights and surfaces, as in TORCS and Speed Dreams |
//!
//! A centre line becomes edges by a cubic spline and its normals (`offset_edges`); the noise of a
//! survey is smoothed first (`survey_smoothing`). Edges that a file contains as such remain
//! polylines, unless smoothing is specified.

mod centre_line;
mod centre_line_csv;
mod closing;
mod edge_csv;
mod edge_pair;
mod error;
mod geojson;
mod legs;
mod levels;
mod note;
mod offset_edges;
mod road;
mod self_crossings;
mod survey_smoothing;
#[cfg(feature = "picture")]
mod svg;
#[cfg(feature = "picture")]
mod svg_budget;
mod table;
#[cfg(feature = "picture")]
mod torcs;
mod units;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::edges::Edges;
use crate::geometry::Point;
use crate::range::Range;

pub use centre_line::{road_about, road_of_widths};
pub use centre_line_csv::centre_line_csv;
pub use edge_csv::{csv, edge_csv};
pub use error::ImportError;
pub use geojson::{geojson, is_geojson};
pub use note::{ImportNote, SurveyNoise};
#[cfg(feature = "picture")]
pub use svg::{SvgLine, svg, svg_lines};
pub(crate) use table::{Row, Table, text};
#[cfg(feature = "picture")]
pub use torcs::{torcs_surfaces_file, torcs_xml};

/// Range of `smoothing_m`. The upper limit depends on the length of the line.
const SMOOTHING: Range = Range::at_least(0.0).in_metres();

/// Options for importing a track file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ImportOptions {
    /// Smoothing of the lines of a track file (CSV, GeoJSON, SVG): standard deviation of a Gaussian
    /// along them, metres. Default: 0 for clean lines, as much as required for noisy ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-range" = SMOOTHING))]
    pub smoothing_m: Option<f64>,
}

/// Whether the road leads back to its start; if `None`, this follows from the gap between the ends.
pub type SaidClosed = Option<bool>;

/// A road read from a file.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Imported {
    /// The road's edges, metres; exact and without a picture.
    pub edges: Edges,
    /// Changes and assumptions to report: merged points, smoothing and its deviation, the origin of
    /// a projection.
    pub notes: Vec<ImportNote>,
    /// Longitude and latitude of the point (0, 0), degrees; `None` for a file in metres.
    pub geographic_origin_deg: Option<[f64; 2]>,
    /// Where the lap starts, on the road; `None` if the file does not tell.
    pub start: Option<Point>,
}
