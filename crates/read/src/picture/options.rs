//! The options for reading a picture.

use raceline_road::frame::Spot;
use raceline_road::range::Range;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::RoadColour;

/// Range of `tolerance`, grey levels.
const TOLERANCE: Range = Range::between(1.0, 255.0);

/// Range of `threshold`, grey levels.
const THRESHOLD: Range = Range::between(0.0, 254.0);

/// Range of `max_megapixels`.
const MAX_MEGAPIXELS: Range = Range::at_least(1.0);

/// The style in which a picture shows its road.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RoadStyle {
    /// Detected from the picture.
    #[default]
    Auto,
    /// A light road on a darker ground, for example the free space of an occupancy grid.
    Light,
    /// A dark road on a lighter ground.
    Dark,
    /// Two thin lines, one along each edge; the edges are the lines' centres.
    Outline,
    /// A photograph from above: asphalt is distinguished from its surroundings by colour.
    Aerial,
}

impl RoadStyle {
    /// The name as used in options.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Light => "light",
            Self::Dark => "dark",
            Self::Outline => "outline",
            Self::Aerial => "aerial",
        }
    }
}

/// Options for reading a picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct PictureOptions {
    /// The style in which the picture shows its road. Default: `auto`.
    pub road: RoadStyle,
    /// A point on the road, `x,y` in metres of the world frame, or `x,ypx` in pixels from the
    /// picture's top-left corner. Default: detected.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-kind" = "spot"))]
    pub road_at: Option<Spot>,
    /// The road's colour, `#rrggbb`. Default: detected.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-kind" = "colour"))]
    pub road_colour: Option<RoadColour>,
    /// Largest deviation of a colour from `road_colour`, 1 to 255 levels per channel. Default: 40.
    #[schemars(extend("x-range" = TOLERANCE))]
    pub tolerance: f64,
    /// Grey level above which a pixel is light, 0 to 254. Default: detected.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-range" = THRESHOLD))]
    pub threshold: Option<u8>,
    /// Largest picture that is decoded, in million pixels. Default: 400.
    #[schemars(extend("x-range" = MAX_MEGAPIXELS))]
    pub max_megapixels: u32,
    /// Whether a line for a part of the drawn road is accepted; otherwise it must cover at least 0.98 of it.
    /// Default: false.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub partial: bool,
}

impl Default for PictureOptions {
    fn default() -> Self {
        Self {
            road: RoadStyle::Auto,
            road_at: None,
            road_colour: None,
            tolerance: 40.0,
            threshold: None,
            max_megapixels: 400,
            partial: false,
        }
    }
}
