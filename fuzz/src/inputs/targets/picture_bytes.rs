//! Any bytes as a picture: decoding, road mask, edges, cross-sections.

use std::io::Cursor;

use image::ImageReader;
use raceline::edges::RouteOptions;
use raceline::tracing::trace;
use raceline::frame::Scale;
use raceline::geometry::Point;
use raceline::picture::{PictureOptions, read_bytes, road_mask};
use raceline::track::{TrackOptions, cut};

/// Larger pictures show nothing new to the decoders, and take a hundred times as long.
const MAX_PIXELS: u64 = 128 * 128;

/// One input.
pub fn run(bytes: &[u8]) {
    let reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format();
    let Ok((width, height)) = reader.map_err(Into::into).and_then(ImageReader::into_dimensions) else { return };
    if u64::from(width) * u64::from(height) > MAX_PIXELS {
        return;
    }
    let options = PictureOptions { max_megapixels: 1, ..PictureOptions::default() };
    let Ok(picture) = read_bytes("fuzz", bytes, &options) else { return };
    let Ok(mask) = road_mask(&picture, &options, None) else { return };
    let Ok(traced) = trace(&mask, Scale::MetresPerPixel(0.5), Point::origin(), &RouteOptions::default()) else { return };
    let _ = cut(&traced.edges, &TrackOptions::default());
}
