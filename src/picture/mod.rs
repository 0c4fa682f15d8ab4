//! File → decoded picture → road mask.
//!
//! Everything irregular about image formats and colours ends here. [`read`] gives a [`Picture`], one grey value a
//! pixel along the picture's direction of strongest contrast; [`road_mask`] gives a [`RoadMask`], which says how much of each
//! pixel is road.

use image::GrayImage;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
}

/// What shapes the reading of a picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct PictureOptions {
    /// How the picture shows its road. Default: `auto`.
    pub road: RoadStyle,
    /// Largest picture that is decoded, in million pixels. Default: 400.
    pub max_megapixels: u32,
}

impl Default for PictureOptions {
    fn default() -> Self {
        Self { road: RoadStyle::Auto, max_megapixels: 400 }
    }
}

/// How much of each pixel is road, at one byte a pixel.
#[derive(Clone, Debug, PartialEq)]
pub struct RoadMask {
    /// 0 where the pixel is ground, 255 where it is road, in between in proportion where an edge passes through it. For
    /// [`RoadStyle::Outline`] the lines count as ground, so the edges lie half a line's width outside the mask.
    pub coverage: GrayImage,
    /// The style that was found or said; never [`RoadStyle::Auto`].
    pub style: RoadStyle,
    /// Whether the picture has grey levels along its edges. Without them `coverage` holds 0 and 255 only and the
    /// edges are known to half a pixel.
    pub anti_aliased: bool,
}
