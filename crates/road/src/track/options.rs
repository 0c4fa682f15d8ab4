//! How a road is divided into cross-sections.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::frame::Spot;
use crate::range::Range;
use raceline_file::Direction;

/// Range of `spacing_m`.
pub(super) const SPACING: Range = Range::above(0.0).in_metres();

/// Minimum number of cross-sections of a track.
pub(crate) const MIN_SECTIONS: usize = 8;

/// Options for dividing the road into cross-sections.
///
/// ```
/// use raceline_road::frame::Spot;
/// use raceline_road::track::TrackOptions;
///
/// let start = Some(Spot::Metres([120.0, -4.5]));
/// let options = TrackOptions { spacing_m: Some(2.0), start, ..TrackOptions::default() };
/// assert!(options.validate().is_ok());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct TrackOptions {
    /// Distance between cross-sections along the centre line on straights, metres; smaller in
    /// bends. At most a quarter of the road's mean width, at least 1/125 of it; less than a sixth of it
    /// as long as the road then has at most 20 000. Default: a sixth of the road's mean width, at most
    /// half the vehicle's length.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-range" = SPACING))]
    pub spacing_m: Option<f64>,
    /// A point near the start line, as `road_at`; the lap starts at the nearest cross-section, an
    /// open road at its nearer end. Default: the middle of the longest straight, an open road's
    /// western end.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-kind" = "spot"))]
    pub start: Option<Spot>,
    /// The direction of travel on a closed road, at its easternmost point. Default: that of a track
    /// file's points, clockwise for a picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direction: Option<Direction>,
}
