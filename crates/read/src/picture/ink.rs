//! A picture as ink on paper: how far the colour of each pixel is from that of the ground.
//!
//! A drawing shows its road in one colour or in several (sectors, a zone that is marked), and beside
//! it grids, frames and texts. What they have in common is that they are not the ground. The ground
//! is the most frequent colour. As ink, a line of two colours has one level, and the faint lines of a
//! grid stay below half of it.

use image::{Luma, RgbImage};

use super::{Grey, Picture};

/// Colours are counted in bins of this many bits per channel.
const BITS: u32 = 4;

/// The ground occupies at least this fraction of a drawing.
const MIN_GROUND: f64 = 0.3;

/// A picture as ink on paper.
pub(super) struct Ink {
    /// Dark where the picture differs from its ground, else white.
    pub grey: Grey,
    /// Whether the ground is light in the picture itself.
    pub ground_is_light: bool,
}

/// The ink of `picture`; `None` if no colour occupies a large part of it.
pub(super) fn ink(picture: &Picture) -> Option<Ink> {
    match &picture.colours {
        Some(colours) => of_colours(colours),
        None => of_grey(&picture.grey),
    }
}

fn of_colours(colours: &RgbImage) -> Option<Ink> {
    let bin = |pixel: &[u8]| pixel.iter().fold(0, |bin, &value| bin << BITS | usize::from(value >> (8 - BITS)));
    // Count, and the sums of the channels.
    let mut bins = vec![[0_u64; 4]; 1 << (3 * BITS)];
    for pixel in colours.as_raw().chunks_exact(3) {
        let of = &mut bins[bin(pixel)];
        of[0] += 1;
        (0..3).for_each(|channel| of[channel + 1] += u64::from(pixel[channel]));
    }
    let largest = bins.iter().max_by_key(|of| of[0])?;
    if (largest[0] as f64) < MIN_GROUND * f64::from(colours.width()) * f64::from(colours.height()) {
        return None;
    }
    let ground: Vec<f64> = (1..4).map(|channel| largest[channel] as f64 / largest[0] as f64).collect();
    let differs = |pixel: &[u8]| {
        let channels = pixel.iter().zip(&ground).map(|(&value, ground)| (f64::from(value) - ground).abs());
        u16::MAX - (channels.fold(0.0, f64::max) * 257.0).round() as u16
    };
    let values = colours.as_raw().chunks_exact(3).map(differs).collect();
    let grey = Grey::from_raw(colours.width(), colours.height(), values)?;
    Some(Ink { grey, ground_is_light: ground.iter().sum::<f64>() > 1.5 * 255.0 })
}

fn of_grey(grey: &Grey) -> Option<Ink> {
    let mut bins = vec![[0_u64; 2]; 1 << BITS];
    for &value in grey.as_raw() {
        let of = &mut bins[usize::from(value) >> (16 - BITS)];
        of[0] += 1;
        of[1] += u64::from(value);
    }
    let largest = bins.iter().max_by_key(|of| of[0])?;
    if (largest[0] as f64) < MIN_GROUND * grey.as_raw().len() as f64 {
        return None;
    }
    let ground = (largest[1] / largest[0]) as u16;
    let mut ink = grey.clone();
    ink.pixels_mut().for_each(|pixel| *pixel = Luma([u16::MAX - pixel.0[0].abs_diff(ground)]));
    Some(Ink { grey: ink, ground_is_light: ground > u16::MAX / 2 })
}

#[cfg(test)]
mod tests {
    use image::{Rgb, RgbImage};

    use super::{Picture, ink};
    use crate::picture::Grey;

    #[test]
    fn two_colours_of_one_line_have_one_level() {
        let colours = RgbImage::from_fn(40, 40, |column, row| match (row, column) {
            (10..14, ..20) => Rgb([255, 0, 0]),
            (10..14, _) => Rgb([0, 0, 255]),
            _ => Rgb([255, 255, 255]),
        });
        let picture = Picture { name: "two".to_owned(), grey: Grey::new(40, 40), colours: Some(colours) };
        let ink = ink(&picture).unwrap();
        assert!(ink.ground_is_light);
        assert_eq!(ink.grey.get_pixel(5, 12), ink.grey.get_pixel(35, 12));
        assert!(ink.grey.get_pixel(5, 12).0[0] < 1000);
        assert!(ink.grey.get_pixel(5, 30).0[0] > 65_000);
    }
}
