//! The picture behind the road, as a data URI.

use std::io::Cursor;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use image::imageops::FilterType;
use image::{DynamicImage, ImageFormat, imageops::colorops};
use serde::Serialize;

use crate::RacingLine;
use crate::export::error::RenderError;
use crate::picture::Picture;

/// Longer side of an embedded picture, pixels; larger ones are scaled down.
const LONGEST_SIDE_PX: u32 = 2048;

/// A picture of the track, decoded.
#[derive(Clone, Debug, PartialEq)]
pub struct BackgroundPicture {
    pixels: DynamicImage,
}

impl BackgroundPicture {
    /// The colours of `picture`, or its brightness where it has none.
    pub fn new(picture: &Picture) -> Self {
        let pixels = match &picture.colours {
            Some(colours) => DynamicImage::ImageRgb8(colours.clone()),
            None => DynamicImage::ImageLuma8(colorops::grayscale(&DynamicImage::ImageLuma16(picture.grey.clone()))),
        };
        Self { pixels }
    }
}

/// A picture with its place in the world.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct PlacedPicture {
    /// PNG as a data URI.
    picture: String,
    /// Left side, m.
    x_m: f64,
    /// Lower side, m.
    y_m: f64,
    width_m: f64,
    height_m: f64,
}

/// Places `background` where the source of `line` lay.
pub(super) fn placed(background: &BackgroundPicture, line: &RacingLine) -> Result<PlacedPicture, RenderError> {
    let scale = line.source.metres_per_pixel.ok_or_else(|| RenderError::NoPicturePlace { name: line.name.clone() })?;
    let pixels = &background.pixels;
    let (width, height) = (pixels.width(), pixels.height());
    let raster = |error: image::ImageError| RenderError::Raster(error.to_string());
    let mut bytes = Cursor::new(Vec::new());
    if width.max(height) > LONGEST_SIDE_PX {
        let smaller = pixels.resize(LONGEST_SIDE_PX, LONGEST_SIDE_PX, FilterType::Triangle);
        smaller.write_to(&mut bytes, ImageFormat::Png).map_err(raster)?;
    } else {
        pixels.write_to(&mut bytes, ImageFormat::Png).map_err(raster)?;
    }
    Ok(PlacedPicture {
        picture: format!("data:image/png;base64,{}", STANDARD.encode(bytes.into_inner())),
        x_m: line.source.origin_m[0],
        y_m: line.source.origin_m[1],
        width_m: f64::from(width) * scale,
        height_m: f64::from(height) * scale,
    })
}
