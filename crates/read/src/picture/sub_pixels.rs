//! Detects whether a picture was drawn larger without anti-aliasing and scaled down, and estimates
//! the resulting swelling.
//!
//! Many programs anti-alias by drawing at n times the size in black and white and averaging n × n
//! sub-pixels. The grey levels along the edges are then multiples of 1/n². The fill rule determines
//! which sub-pixels on a border are drawn: those whose centre lies inside, or all that the border
//! touches. The latter widens the drawing by up to half a sub-pixel. The picture does not show
//! which rule was used, so half of that is subtracted. Measured on Pillow's polygons at n = 4, the
//! swelling is 0.05 to 0.09 px.

use image::GrayImage;

/// With more sub-pixels per side, the levels are too fine to be distinguished from noise, and the
/// swelling is smaller.
const MAX_PER_SIDE: u32 = 4;

/// Tolerance for a level to count as one of the multiples, of 255: two roundings.
const NEAR: f64 = 1.5;

/// Minimum fraction of the edges' pixels with such levels. By chance, it is a fifth for n = 4.
const MIN_FRACTION: f64 = 0.9;

/// Minimum fraction of the multiples that must occur, each in at least this fraction of the edges'
/// pixels: an edge along a row has one level, which may be one of them by chance.
const MIN_OCCURRING: f64 = 0.6;
const MIN_OCCURRENCE: f64 = 0.01;

/// Fewer partly covered pixels are not conclusive.
const MIN_PIXELS: u64 = 64;

/// The mean of a fill rule without swelling and one with a swelling of half a sub-pixel.
const SWELLING_SUB_PIXELS: f64 = 0.25;

/// Estimated swelling of the drawing, pixels; zero for a picture that was not drawn in this way.
pub(super) fn swelling_px(coverage: &GrayImage) -> f64 {
    let mut counts = [0_u64; 256];
    coverage.as_raw().iter().for_each(|&value| counts[usize::from(value)] += 1);
    let partly = 1..=254_usize;
    let total: u64 = counts[partly.clone()].iter().sum();
    let is_of = |per_side: u32| {
        let step = 255.0 / f64::from(per_side * per_side);
        let multiples = per_side * per_side - 1;
        let mut occurrences = vec![0; multiples as usize + 2];
        for level in partly.clone() {
            let nearest = (level as f64 / step).round();
            if (level as f64 - nearest * step).abs() <= NEAR {
                occurrences[nearest as usize] += counts[level];
            }
        }
        let fraction = |count: u64| count as f64 / total as f64;
        // The first and the last are whole pixels, apart from rounding.
        let inner = &occurrences[1..=multiples as usize];
        let occurring = inner.iter().filter(|&&count| fraction(count) >= MIN_OCCURRENCE).count();
        fraction(occurrences.iter().sum()) >= MIN_FRACTION && occurring as f64 >= MIN_OCCURRING * f64::from(multiples)
    };
    let per_side = (2..=MAX_PER_SIDE).find(|&per_side| total >= MIN_PIXELS && is_of(per_side));
    per_side.map_or(0.0, |per_side| SWELLING_SUB_PIXELS / f64::from(per_side))
}

#[cfg(test)]
mod tests {
    use super::{GrayImage, swelling_px};

    /// A picture whose partly covered pixels have each of the levels of four sub-pixels `counts` times.
    fn levels(counts: [usize; 3]) -> GrayImage {
        let values = [64_u8, 128, 191].into_iter().zip(counts).flat_map(|(level, count)| vec![level; count]);
        let mut data: Vec<u8> = values.collect();
        data.resize(1000, 0);
        GrayImage::from_raw(100, 10, data).unwrap()
    }

    #[test]
    fn drawings_of_four_sub_pixels_swell_by_an_eighth() {
        assert!((swelling_px(&levels([100, 80, 60])) - 0.125).abs() < 1e-12);
    }

    #[test]
    fn a_level_of_single_pixels_does_not_count() {
        // Two of three levels are enough, each in a hundredth of the pixels.
        assert!(swelling_px(&levels([100, 100, 0])) > 0.0);
        assert!(swelling_px(&levels([197, 3, 0])) > 0.0);
        assert!(swelling_px(&levels([199, 1, 0])).abs() < 1e-12);
    }
}
