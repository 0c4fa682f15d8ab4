//! How a track file is imported.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::range::Range;

/// Range of `smoothing_m`. The upper limit depends on the length of the line.
const SMOOTHING: Range = Range::at_least(0.0).in_metres();

/// Options for importing a track file.
///
/// ```
/// use raceline_road::construction::{ImportOptions, road_about};
/// use raceline_road::geometry::Point;
///
/// let line: Vec<Point> = (0..=20).map(|i| Point::new(10.0 * f64::from(i), 0.0)).collect();
/// let exactly = ImportOptions { smoothing_m: Some(0.0), ..ImportOptions::default() };
/// assert!((road_about(&line, 6.0, false, &exactly)?.edges.mean_width() - 6.0).abs() < 1e-6);
/// # Ok::<(), raceline_road::construction::ImportError>(())
/// ```
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
    /// The part of a file with several that is the road, by name or number: a road or relation of
    /// OpenStreetMap, a road of OpenDRIVE, a lanelet, a material or object of a mesh, a line of GeoJSON, KML or
    /// GPX, or two of them as `inner + outer`, the edges. Default: the only one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
    /// Full width of the road of a centre line without one, and of a stroke of a schematic drawing,
    /// metres: `track_width_m` of a run. Default: none; such a line is refused, and a stroke is as wide as
    /// it is drawn.
    #[serde(skip)]
    pub width_m: Option<f64>,
}

/// Whether the road leads back to its start; if `None`, this follows from the gap between the ends.
pub type SpecifiedClosed = Option<bool>;
