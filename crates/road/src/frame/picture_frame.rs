//! The position of a picture in the world.

use super::Spot;
use crate::geometry::Point;

/// The position of a picture in the world.
///
/// ```
/// use raceline_road::frame::PictureFrame;
/// use raceline_road::geometry::Point;
///
/// let frame = PictureFrame { metres_per_pixel: 0.5, origin_m: Point::new(100.0, 200.0), width_px: 640, height_px: 480 };
/// assert_eq!(frame.to_world(0.0, 480.0), Point::new(100.0, 200.0));
/// assert_eq!(frame.to_pixel(Point::new(110.0, 200.0)), (20.0, 480.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PictureFrame {
    /// Side of a pixel, metres.
    pub metres_per_pixel: f64,
    /// World position of the bottom-left corner of the picture, metres.
    pub origin_m: Point,
    /// Width of the picture, pixels.
    pub width_px: u32,
    /// Height of the picture, pixels.
    pub height_px: u32,
}

impl PictureFrame {
    /// World position of a place in the picture, given in continuous pixel coordinates: columns to
    /// the right and rows downwards from the top-left corner, pixel centres at half-integers.
    #[must_use]
    pub fn to_world(&self, column: f64, row: f64) -> Point {
        self.origin_m + Point::new(column, f64::from(self.height_px) - row).coords * self.metres_per_pixel
    }

    /// World position of a specified point; `None` for one in degrees, which no picture has.
    #[must_use]
    pub fn spot(&self, spot: Spot) -> Option<Point> {
        match spot {
            Spot::Metres([x, y]) => Some(Point::new(x, y)),
            Spot::Pixels([column, row]) => Some(self.to_world(column, row)),
            Spot::Degrees(_) => None,
        }
    }

    /// Continuous pixel coordinates (column, row) of a world position; the inverse of
    /// [`Self::to_world`].
    #[must_use]
    pub fn to_pixel(&self, p: Point) -> (f64, f64) {
        let local = (p - self.origin_m) / self.metres_per_pixel;
        (local.x, f64::from(self.height_px) - local.y)
    }
}
