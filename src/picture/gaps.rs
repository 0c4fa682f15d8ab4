//! Gaps in thin lines, closed: a scan's outline with a break, an edge that a letter was erased from.
//!
//! The drawn pixels are dilated and eroded again by half the widest gap (a morphological closing: J. Serra, "Image analysis and
//! mathematical morphology", 1982, chapter II); what that adds becomes ink. The lines themselves stay as they are.

use image::{GrayImage, Luma};
use imageproc::distance_transform::Norm;
use imageproc::morphology::close_mut;

use super::Grey;
use super::regions::Regions;

/// Gaps up to these many line thicknesses are closed, the narrower first: closing wide ones also fills narrow roads.
pub(super) const GAP_THICKNESSES: [f64; 3] = [1.0, 2.0, 3.0];

/// A gap's ends are blurred by anti-aliasing.
const HALF_PIXEL: f64 = 0.5;

/// Lines thicker than this aren't an outline's, pixels.
const THICKEST_LINE_PX: f64 = 16.0;

/// The picture with gaps of up to `thicknesses` in its thin lines filled with their ink; `None` when it shows no thin lines. The lines
/// are what lies on the rarer side of `threshold`.
pub(super) fn closed(grey: &Grey, threshold: u16, regions: &Regions, thicknesses: f64) -> Option<Grey> {
    let light_pixels: u64 = regions.list.iter().filter(|region| region.light).map(|region| region.area).sum();
    let ink_is_light = 2 * light_pixels <= grey.as_raw().len() as u64;
    // Long lines count; letters are short.
    let drawn = regions.list.iter().filter(|region| region.light == ink_is_light);
    let longest = drawn.max_by(|a, b| a.diagonal().total_cmp(&b.diagonal()))?;
    let thickness = longest.mean_width();
    if thickness > THICKEST_LINE_PX {
        return None;
    }
    let radius = (thicknesses * thickness / 2.0 + HALF_PIXEL).ceil() as u8;
    let is_ink = |value: u16| (value > threshold) == ink_is_light;
    let (width, height) = grey.dimensions();
    let mut ink = GrayImage::new(width, height);
    for (pixel, &value) in ink.as_mut().iter_mut().zip(grey.as_raw()) {
        *pixel = if is_ink(value) { u8::MAX } else { 0 };
    }
    close_mut(&mut ink, Norm::L2, radius);
    let levels = grey.as_raw().iter().copied();
    let level = if ink_is_light { levels.max() } else { levels.min() }?;
    let mut filled = grey.clone();
    for (pixel, closed) in filled.pixels_mut().zip(ink.as_raw()) {
        if *closed > 0 && !is_ink(pixel.0[0]) {
            *pixel = Luma([level]);
        }
    }
    Some(filled)
}
