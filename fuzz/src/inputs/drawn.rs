//! A small road mask from bytes, and the stages behind the decoder on it.

use raceline::edges::{RoadShape, RouteOptions};
use raceline::frame::Scale;
use raceline::geometry::Point;
use raceline::picture::{RoadMask, RoadStyle};
use raceline::tracing::trace;
use raceline::track::{TrackOptions, cut};

/// Smallest and largest side, pixels. Larger masks show nothing new and take longer.
const SIDES: [u32; 2] = [4, 16];

/// The first three bytes are width, height and kind; the others are the pixels, repeated as often
/// as required: eight to a byte, or, in a mask with grey levels, one.
pub fn mask(bytes: &[u8]) -> Option<(RoadMask, RoadShape)> {
    let (&[width, height, kind], pixels) = bytes.split_first_chunk()?;
    let side = |byte: u8| SIDES[0] + u32::from(byte) % (SIDES[1] - SIDES[0] + 1);
    let anti_aliased = kind & 1 == 1;
    let bits = |index: usize| if pixels[index / 8 % pixels.len()] >> (index % 8) & 1 == 1 { 255 } else { 0 };
    let level = |index: usize| if anti_aliased { pixels[index % pixels.len()] } else { bits(index) };
    let (width, height) = (side(width), side(height));
    let count = if pixels.is_empty() { return None } else { width as usize * height as usize };
    let mask = RoadMask {
        coverage: image::GrayImage::from_raw(width, height, (0..count).map(level).collect())?,
        style: if kind & 2 == 0 { RoadStyle::Light } else { RoadStyle::Outline },
        anti_aliased,
        swelling_px: if kind & 4 == 0 { 0.0 } else { 0.3 },
        dropped_shapes: 0,
        rest_px: 0.0,
        score: 1.0,
    };
    let shape = [RoadShape::Auto, RoadShape::Closed, RoadShape::Open, RoadShape::Auto][usize::from(kind >> 3) % 4];
    Some((mask, shape))
}

/// Mask, edges, cross-sections. Coordinates are finite, and a track keeps its guarantees.
pub fn stages(bytes: &[u8]) {
    let Some((mask, shape)) = mask(bytes) else { return };
    let route = RouteOptions { shape, ..RouteOptions::default() };
    let Ok(traced) = trace(&mask, Scale::MetresPerPixel(1.0), Point::origin(), &route) else { return };
    let edges = &traced.edges;
    assert!(edges.left.points.iter().chain(&edges.right.points).all(|p| p.x.is_finite() && p.y.is_finite()));
    if let Ok(track) = cut(edges, &TrackOptions::default()) {
        assert!(track.validate().is_ok() && track.sections.len() < 100_000);
    }
}
