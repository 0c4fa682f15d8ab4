//! Points of a centre line or of two edges → [`Edges`].
//!
//! A centre line becomes edges by a cubic spline and its normals (`offset_edges`); the noise of a
//! survey is smoothed first (`survey_smoothing`). A line that is to be driven as it is only becomes tidy (`line`). Edges that are given as such remain polylines,
//! unless smoothing is specified.

mod centre_line;
mod closing;
mod edge_pair;
mod error;
mod legs;
mod levels;
mod line;
mod note;
mod offset_edges;
mod road;
mod self_crossings;
mod survey_smoothing;
mod units;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::edges::Edges;
use crate::geometry::Point;
use crate::range::Range;

pub(crate) use centre_line::LONGEST_M;
pub use centre_line::{CentreLine, Station, road_about, road_of_widths};
pub use edge_pair::{COINCIDENT_M, EdgeLevel, EdgePair, Sides};
pub use error::{ImportError, counted};
pub use levels::Level;
pub use line::{TidyLine, tidy_line};
pub use note::{ImportNote, SurveyNoise};
pub use units::check as check_units;

/// Range of `smoothing_m`. The upper limit depends on the length of the line.
const SMOOTHING: Range = Range::at_least(0.0).in_metres();

/// Options for importing a track file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ImportOptions {
    /// Smoothing of the lines of a track file (CSV, GeoJSON, KML, GPX, SVG): standard deviation of a Gaussian
    /// along them, metres. Default: 0 for clean lines, as much as required for noisy ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-range" = SMOOTHING))]
    pub smoothing_m: Option<f64>,
    /// A file with the right edge of the road, where the input has the left one alone: CSV, GeoJSON, KML or
    /// GPX, in metres or in degrees as the input is; in a sidecar the path is relative to the sidecar.
    /// Default: none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub right: Option<String>,
    /// Full width of the road of a centre line without one, and of a stroke of a schematic drawing,
    /// metres: `track_width_m` of a run. Default: none; such a line is refused, and a stroke is as wide as
    /// it is drawn.
    #[serde(skip)]
    pub width_m: Option<f64>,
}

/// Whether the road leads back to its start; if `None`, this follows from the gap between the ends.
pub type SpecifiedClosed = Option<bool>;

/// A road read from a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// The road's edges, metres; exact and without a picture.
    pub edges: Edges,
    /// Changes and assumptions to report: merged points, smoothing and its deviation, the origin of
    /// a projection.
    pub notes: Vec<ImportNote>,
    /// Longitude and latitude of the point (0, 0), degrees; `None` for a file in metres.
    pub geographic_origin_deg: Option<[f64; 2]>,
    /// Where the lap starts, on the road; `None` if the file does not specify it.
    pub start: Option<Point>,
    /// What the file calls the track; `None` if it does not.
    pub name: Option<String>,
}
