//! A decoded picture, and the road in it.

use image::{GrayImage, ImageBuffer, Luma, RgbImage};

use super::RoadStyle;

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
