//! Maps for the tests of planners.

use image::{GrayImage, Luma};
use raceline_road::frame::PictureFrame;
use raceline_road::geometry::Point;

use crate::FreeSpace;

/// [`space_about`] the world's origin, of so many cells.
pub fn space(width_px: u32, height_px: u32, needed_m: f64, is_wall: impl Fn(u32, u32) -> bool) -> FreeSpace {
    space_about(Point::origin(), [width_px, height_px], needed_m, is_wall)
}

/// The free space of a map with cells of 0.1 m whose lower left corner is at `origin_m`, for a vehicle that needs
/// `needed_m`, m, to each side of its path.
pub fn space_about(
    origin_m: Point,
    [width_px, height_px]: [u32; 2],
    needed_m: f64,
    is_wall: impl Fn(u32, u32) -> bool,
) -> FreeSpace {
    let frame = PictureFrame { metres_per_pixel: 0.1, origin_m, width_px, height_px };
    let picture = GrayImage::from_fn(width_px, height_px, |x, y| Luma([if is_wall(x, y) { 0 } else { 255 }]));
    FreeSpace::new(&picture, frame, needed_m)
}
