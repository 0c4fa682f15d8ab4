//! Whether a picture is a photograph, and the road mask of one.

use image::RgbImage;

use super::aerial::{self, AerialHints};
use super::{Grey, Picture, PictureOptions, RoadMask, RoadStyle};
use raceline_road::frame::Spot;

/// A place is flat if nine pixels at this spacing differ by at most this, of 65535: about six 8 bit
/// levels. At this spacing, texture is still visible after JPEG, which removes noise within its
/// blocks of eight pixels.
const FLAT_SPACING: usize = 4;
const FLAT_RANGE: u16 = 1600;

/// A picture with a smaller fraction of flat pixels is a photograph.
const FLAT_FRACTION: f64 = 0.4;

/// Spacing of the sampled rows and columns.
const FLATNESS_STRIDE: usize = 3;

/// Whether few places are similar to their neighbourhood. A drawing is mostly flat, even after
/// JPEG; a photograph has texture everywhere.
pub(super) fn is_photographic(grey: &Grey) -> bool {
    let (width, height) = (grey.width() as usize, grey.height() as usize);
    let (mut flat, mut total) = (0_usize, 0_usize);
    for row in (FLAT_SPACING..height.saturating_sub(FLAT_SPACING)).step_by(FLATNESS_STRIDE) {
        for column in (FLAT_SPACING..width.saturating_sub(FLAT_SPACING)).step_by(FLATNESS_STRIDE) {
            let (mut low, mut high) = (u16::MAX, 0);
            for row in (row - FLAT_SPACING..=row + FLAT_SPACING).step_by(FLAT_SPACING) {
                for column in (column - FLAT_SPACING..=column + FLAT_SPACING).step_by(FLAT_SPACING) {
                    let value = grey.as_raw()[row * width + column];
                    (low, high) = (low.min(value), high.max(value));
                }
            }
            flat += usize::from(high - low <= FLAT_RANGE);
            total += 1;
        }
    }
    total > 0 && (flat as f64) < FLAT_FRACTION * total as f64
}

/// The road in a picture that is treated as a photograph.
pub(super) fn road_mask(picture: &Picture, options: &PictureOptions) -> Option<RoadMask> {
    let hints = AerialHints {
        colour: options.road_colour,
        tolerance: options.tolerance,
        road_at: match options.road_at {
            Some(Spot::Pixels(place)) => Some(place),
            _ => None,
        },
    };
    let road = match &picture.colours {
        Some(colours) => aerial::find(colours, &hints),
        None => {
            let grey = RgbImage::from_fn(picture.grey.width(), picture.grey.height(), |column, row| {
                image::Rgb([(picture.grey.get_pixel(column, row).0[0] / 257) as u8; 3])
            });
            aerial::find(&grey, &hints)
        }
    }?;
    Some(RoadMask {
        coverage: road.coverage,
        style: RoadStyle::Aerial,
        anti_aliased: true,
        swelling_px: 0.0,
        dropped_shapes: road.dropped_shapes,
        rest_px: 0.0,
        score: road.score,
    })
}
