//! The photograph at the size of the search: averaged down, or slightly blurred, against noise.

use image::RgbImage;
use rayon::prelude::*;

/// Maximum number of pixels of the working picture, unless a finer one is requested. The search
/// takes about a third of a second for this many.
pub(super) const COARSE_PIXELS: usize = 1_200_000;

/// A pixel's colour without the two lowest bits per channel: the index into tables over all
/// colours.
pub(super) type ColourKey = u32;

/// Keys per channel, as a power of two.
pub(super) const KEY_BITS: u32 = 6;

/// Size of a table over all colours.
pub(super) const KEYS: usize = 1 << (3 * KEY_BITS);

/// The key of a colour.
pub(super) fn key([r, g, b]: [u8; 3]) -> ColourKey {
    let part = |v: u8| u32::from(v >> (8 - KEY_BITS));
    (part(r) << (2 * KEY_BITS)) | (part(g) << KEY_BITS) | part(b)
}

/// The middle of the colours with a key in common.
pub(super) fn colour_of(key: ColourKey) -> [f64; 3] {
    let mask = (1 << KEY_BITS) - 1;
    [key >> (2 * KEY_BITS), (key >> KEY_BITS) & mask, key & mask]
        .map(|part| f64::from(part << (8 - KEY_BITS)) + 0.5 * f64::from((1_u32 << (8 - KEY_BITS)) - 1))
}

/// A reduced photograph, as colour keys.
pub(super) struct Working {
    /// Pixels per row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// One key per pixel.
    pub keys: Vec<ColourKey>,
    /// Pixels of the photograph along one of this picture's.
    pub factor: usize,
}

impl Working {
    /// Reduces `colours` by a whole factor to at most `max_pixels`.
    pub fn new(colours: &RgbImage, max_pixels: usize) -> Self {
        Self::reduced(colours, factor_for(colours.width() as usize * colours.height() as usize, max_pixels))
    }

    /// Reduces `colours` by a whole factor.
    pub fn reduced(colours: &RgbImage, factor: usize) -> Self {
        let (full_width, full_height) = (colours.width() as usize, colours.height() as usize);
        let (width, height) = (full_width.div_ceil(factor), full_height.div_ceil(factor));
        let mut keys = vec![0; width * height];
        keys.par_chunks_mut(width.max(1)).enumerate().for_each(|(row, keys)| {
            if factor == 1 { blurred_row(colours, row, keys) } else { averaged_row(colours, row, factor, keys) }
        });
        Self { width, height, keys, factor }
    }
}

/// The whole factor by which `pixels` are reduced to at most `max`.
pub(super) fn factor_for(pixels: usize, max: usize) -> usize {
    (pixels as f64 / max as f64).sqrt().ceil().max(1.0) as usize
}

fn rows_of(colours: &RgbImage, row: usize) -> &[u8] {
    let stride = 3 * colours.width() as usize;
    &colours.as_raw()[row * stride..][..stride]
}

/// One row of the picture under the binomial 3 × 3 filter.
fn blurred_row(colours: &RgbImage, row: usize, keys: &mut [ColourKey]) {
    let last = colours.height() as usize - 1;
    let rows = [row.saturating_sub(1), row, (row + 1).min(last)].map(|row| rows_of(colours, row));
    let right = keys.len() - 1;
    let column_sum = |column: usize| {
        let at = |row: &[u8], channel: usize| u16::from(row[3 * column + channel]);
        [0, 1, 2].map(|channel| at(rows[0], channel) + 2 * at(rows[1], channel) + at(rows[2], channel))
    };
    let (mut before, mut here) = (column_sum(0), column_sum(0));
    for (column, target) in keys.iter_mut().enumerate() {
        let after = column_sum((column + 1).min(right));
        let mean = |channel: usize| ((before[channel] + 2 * here[channel] + after[channel] + 8) / 16) as u8;
        *target = key([mean(0), mean(1), mean(2)]);
        (before, here) = (here, after);
    }
}

/// One row of means over squares of `factor` pixels; smaller squares at the right and the lower
/// border.
fn averaged_row(colours: &RgbImage, row: usize, factor: usize, keys: &mut [ColourKey]) {
    let rows = row * factor..((row + 1) * factor).min(colours.height() as usize);
    let mut sums = vec![[0_u32; 4]; keys.len()];
    for row in rows {
        for (pixels, sum) in rows_of(colours, row).chunks(3 * factor).zip(&mut sums) {
            for pixel in pixels.chunks_exact(3) {
                sum[0] += u32::from(pixel[0]);
                sum[1] += u32::from(pixel[1]);
                sum[2] += u32::from(pixel[2]);
                sum[3] += 1;
            }
        }
    }
    for (target, [r, g, b, count]) in keys.iter_mut().zip(sums) {
        *target = key([r, g, b].map(|sum| ((sum + count / 2) / count.max(1)) as u8));
    }
}
