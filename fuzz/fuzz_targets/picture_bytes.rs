//! Any bytes as a picture: decoding, road mask, edges, cross-sections.
#![no_main]

use libfuzzer_sys::fuzz_target;
use raceline::edges::RouteOptions;
use raceline::tracing::trace;
use raceline::frame::Scale;
use raceline::geometry::Point;
use raceline::picture::{PictureOptions, read_bytes, road_mask};
use raceline::track::{TrackOptions, cut};

fuzz_target!(|bytes: &[u8]| {
    let options = PictureOptions { max_megapixels: 1, ..PictureOptions::default() };
    let Ok(picture) = read_bytes("fuzz", bytes, &options) else { return };
    let Ok(mask) = road_mask(&picture, &options, None) else { return };
    let Ok(traced) = trace(&mask, Scale::MetresPerPixel(0.5), Point::origin(), &RouteOptions::default()) else { return };
    let _ = cut(&traced.edges, &TrackOptions::default());
});
