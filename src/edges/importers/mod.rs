//! Track files of other programs → [`Edges`].
//!
//! | Function | Input |
//! |---|---|
//! | [`csv()`] | CSV of either kind, told apart by its header |
//! | [`centre_line_csv()`] | centre line with widths, as TUM's race-track database has them |
//! | [`edge_csv()`] | left and right edge, point by point |
//! | [`geojson()`] | centre line with a width, two edges, or a polygon with a hole, in degrees |
//! | [`svg()`] | a stroked path, or the two edges of the road |
//!
//! A centre line becomes edges by a cubic spline and its normals (`offset_edges`); a survey's noise is smoothed first
//! (`survey_smoothing`). Edges that a file gives as such stay the polylines that they are, unless smoothing is asked for.

mod centre_line;
mod centre_line_csv;
mod closing;
mod edge_csv;
mod edge_pair;
mod error;
mod geojson;
mod note;
mod offset_edges;
mod survey_smoothing;
mod svg;
mod table;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::edges::Edges;
use crate::range::Range;

pub use centre_line_csv::centre_line_csv;
pub use edge_csv::{csv, edge_csv};
pub use error::ImportError;
pub use geojson::{geojson, is_geojson};
pub use note::{ImportNote, SurveyNoise};
pub use svg::svg;

/// Range of `smoothing_m`. A line's length sets the upper end.
const SMOOTHING: Range = Range::at_least(0.0).in_metres();

/// What shapes the import of a track's file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ImportOptions {
    /// How strongly the lines of a track file (CSV, GeoJSON, SVG) are smoothed: standard deviation of a Gaussian along them,
    /// metres. Default: 0 for clean lines, as much as it takes for noisy ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-range" = SMOOTHING))]
    pub smoothing_m: Option<f64>,
}

/// Whether the road leads back to its start: told by the gap between the ends, unless said.
pub type SaidClosed = Option<bool>;

/// A road read from a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// The road's edges, metres; exact and without a picture.
    pub edges: Edges,
    /// What the user should know: dropped points, smoothing and its deviation, the middle of a projection.
    pub notes: Vec<ImportNote>,
    /// Longitude and latitude of the point (0, 0), degrees, of a file in degrees.
    pub geographic_origin_deg: Option<[f64; 2]>,
}
