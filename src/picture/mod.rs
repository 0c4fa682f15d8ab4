//! File → decoded picture → road mask.
//!
//! Everything irregular about image formats and colours ends here. [`read`] gives a [`Picture`], one grey value a
//! pixel along the picture's direction of strongest contrast; [`road_mask`] gives a [`RoadMask`], which says how much of each
//! pixel is road.
//!
//! The road is found by its shape, not by its brightness: the one ring that doesn't touch the picture's border, or, where there is
//! none, the one long and narrow region. Every candidate threshold of the histogram cuts the picture into a tree of nested
//! regions; the first threshold under which exactly one ring shows itself wins. A ring between two thin lines, as bright as the ground beyond them, is
//! an outline's road. A further style is one more file that turns a picture into coverage beside `solid` and `outline`.

mod aerial;
pub(crate) mod contours;
mod decode;
mod error;
mod gaps;
mod grey;
pub(crate) mod islands;
mod map_yaml;
mod obstacle;
mod outline;
mod photograph;
mod regions;
mod rings;
mod road_colour;
mod solid;
mod style;
mod sub_pixels;
mod threshold;

use image::{GrayImage, ImageBuffer, Luma, RgbImage};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::frame::Spot;
use crate::range::Range;

pub(crate) use decode::decoded;
pub use decode::{read, read_bytes};
pub use error::{ParseColourError, PictureError, Pixel};
pub use map_yaml::{MapYaml, MapYamlError};
pub use road_colour::RoadColour;
pub use style::{StyleTrial, road_mask, road_mask_of_map, try_styles};

/// Range of `tolerance`, grey levels.
const TOLERANCE: Range = Range::between(1.0, 255.0);
/// Range of `threshold`, grey levels.
const THRESHOLD: Range = Range::between(0.0, 254.0);
/// Range of `max_megapixels`.
const MAX_MEGAPIXELS: Range = Range::at_least(1.0);

/// How a picture shows its road.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RoadStyle {
    /// Found from the picture.
    #[default]
    Auto,
    /// A light road on a darker ground; an occupancy grid's free space is one.
    Light,
    /// A dark road on a lighter ground.
    Dark,
    /// Two thin lines, one along each edge; the edges are the lines' centres.
    Outline,
    /// A photograph from above: asphalt told from its surroundings by colour.
    Aerial,
}

impl RoadStyle {
    /// The name as options have it.
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

/// What shapes the reading of a picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct PictureOptions {
    /// How the picture shows its road. Default: `auto`.
    pub road: RoadStyle,
    /// A point on the road, `x,y` in metres of the world frame, or in pixels from the picture's top-left corner with
    /// `px` behind it: `x,ypx`. Default: found.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-kind" = "spot"))]
    pub road_at: Option<Spot>,
    /// The road's colour, `#rrggbb`. Default: found.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-kind" = "colour"))]
    pub road_colour: Option<RoadColour>,
    /// How far a colour may lie from `road_colour`, 1 to 255 levels a channel. Default: 40.
    #[schemars(extend("x-range" = TOLERANCE))]
    pub tolerance: f64,
    /// Grey level above which a pixel is light, 0 to 254. Default: found.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-range" = THRESHOLD))]
    pub threshold: Option<u8>,
    /// Largest picture that is decoded, in million pixels. Default: 400.
    #[schemars(extend("x-range" = MAX_MEGAPIXELS))]
    pub max_megapixels: u32,
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
        }
    }
}

/// A grey picture at two bytes a pixel, the common form of 8 and 16 bit sources.
pub type Grey = ImageBuffer<Luma<u16>, Vec<u16>>;

/// A decoded picture, reduced to one grey value a pixel.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Name for messages: the file's path as it was given.
    pub name: String,
    /// Brightness along the picture's axis of strongest contrast, 0 to 65535; an 8 bit grey level g is 257 g.
    pub grey: Grey,
    /// The colours at 8 bits a channel, composited like `grey`; `None` for a picture without colours.
    pub colours: Option<RgbImage>,
}

/// How much of each pixel is road, at one byte a pixel.
#[derive(Clone, Debug, PartialEq)]
pub struct RoadMask {
    /// 0 where the pixel is ground, 255 where it is road, in between in proportion where an edge passes through it; the
    /// edge is where it crosses one half. For [`RoadStyle::Outline`] that is the centre of each line.
    pub coverage: GrayImage,
    /// The style that was found or said; never [`RoadStyle::Auto`].
    pub style: RoadStyle,
    /// Whether the picture has grey levels along its edges. Without them `coverage` steps from 0 to 255 and the
    /// edges are known to half a pixel.
    pub anti_aliased: bool,
    /// By how much the drawing program is likely to have swollen the road, pixels: the road's own edge lies this much inside the
    /// half level.
    pub swelling_px: f64,
    /// How many shapes beside the road were left out: titles, specks, islands of other colours.
    pub dropped_shapes: usize,
    /// How sure it is that this is the road, 0 to 1: its extent in the picture, its slenderness and its contrast to the ground, each
    /// at most 1, multiplied.
    pub score: f64,
}
