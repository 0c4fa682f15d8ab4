//! File → decoded picture → road mask.
//!
//! Everything irregular about image formats and colours is resolved here. [`read`] returns a
//! [`Picture`]: one grey value per pixel along the picture's direction of strongest contrast.
//! [`road_mask`] returns a [`RoadMask`]: the fraction of each pixel that is road.
//!
//! The road is found by its shape, not by its brightness: it is the one ring that does not touch
//! the picture's border, or, if there is none, the one long and narrow region. Every candidate
//! threshold of the histogram divides the picture into a tree of nested regions. The first
//! threshold with exactly one ring is used. A ring between two thin lines that is as bright as the
//! ground beyond them is the road of an outline. A further style is one more file beside `solid`
//! and `outline` that turns a picture into coverage.

mod aerial;
mod attempts;
mod bridges;
mod children;
pub mod contours;
mod decode;
mod error;
mod free_cells;
mod gaps;
mod grey;
mod ink;
pub mod islands;
mod map_yaml;
mod obstacle;
mod outline;
mod photograph;
mod regions;
mod rings;
mod road_colour;
mod solid;
mod stroke_ends;
mod strokes;
mod style;
mod sub_pixels;
mod threshold;

use image::{GrayImage, ImageBuffer, Luma, RgbImage};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use raceline_road::frame::Spot;
use raceline_road::range::Range;

pub use attempts::{Attempt, Attempts, Preparation};
pub use decode::decoded;
pub use decode::{check_format, read, read_bytes};
pub use error::{PictureError, Pixel};
pub use free_cells::free_cells;
pub use map_yaml::{MapYaml, MapYamlError};
pub use road_colour::{ParseColourError, RoadColour};
pub use style::{StyleTrial, road_mask, road_mask_of_map, try_styles};

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

/// A grey picture with two bytes per pixel, the common form of 8 and 16 bit sources.
pub type Grey = ImageBuffer<Luma<u16>, Vec<u16>>;

/// A decoded picture, reduced to one grey value per pixel.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Name for messages: the file's path as specified.
    pub name: String,
    /// Brightness along the picture's axis of strongest contrast, 0 to 65535; an 8 bit grey level g
    /// is 257 g.
    pub grey: Grey,
    /// The colours with 8 bits per channel, composited like `grey`; `None` for a picture without
    /// colours.
    pub colours: Option<RgbImage>,
}

/// The fraction of each pixel that is road, one byte per pixel.
#[derive(Clone, Debug, PartialEq)]
pub struct RoadMask {
    /// 0 where the pixel is ground, 255 where it is road, and in proportion where an edge passes
    /// through it. The edge is where the coverage passes one half. For [`RoadStyle::Outline`], this
    /// is the centre of each line.
    pub coverage: GrayImage,
    /// The style that was detected or specified; never [`RoadStyle::Auto`].
    pub style: RoadStyle,
    /// Whether the picture has grey levels along its edges. Without them, `coverage` steps from 0
    /// to 255, and the position of an edge is known to half a pixel.
    pub anti_aliased: bool,
    /// Estimate of how much the drawing program has widened the road, pixels: the true edge lies
    /// this far inside the half level.
    pub swelling_px: f64,
    /// Number of shapes beside the road that were ignored: titles, specks, islands of other
    /// colours.
    pub dropped_shapes: usize,
    /// Length of other pieces of about the road's width and colour, pixels: of a road that is interrupted, the
    /// rest.
    pub rest_px: f64,
    /// Confidence that this is the road, 0 to 1: the product of its extent in the picture, its
    /// slenderness and its contrast to the ground, each at most 1.
    pub score: f64,
}
