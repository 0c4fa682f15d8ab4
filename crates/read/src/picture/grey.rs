//! Decoded picture → one grey value per pixel.
//!
//! Alpha is composited on black or white, whichever contrasts more with the drawn pixels. Colours
//! are projected on the axis of their largest variance (the first principal component of the colour
//! covariance), so that a red road on green ground of the same luminance keeps its contrast.

use image::{DynamicImage, RgbImage};
use nalgebra::{Matrix3, SymmetricEigen, Vector3};

use super::Grey;

/// Number of colours sampled evenly to find the axis.
const SAMPLES: usize = 1 << 16;

/// ITU-R BT.709 luma, which orients the colour axis towards brighter.
const LUMA: [f64; 3] = [0.2126, 0.7152, 0.0722];

/// A channel's full range, 16 bit.
const FULL: f64 = 65535.0;

/// A channel value as 16 bit.
trait Channel: Copy {
    fn wide(self) -> u16;
}
impl Channel for u8 {
    fn wide(self) -> u16 {
        u16::from(self) * 257
    }
}
impl Channel for u16 {
    fn wide(self) -> u16 {
        self
    }
}

/// Grey values and, for a picture with colours, its colours with 8 bits per channel.
type Reduced = (Vec<u16>, Option<Vec<u8>>);

/// Reduces a decoded picture to grey, and keeps its colours if it has any.
pub(super) fn from_decoded(decoded: DynamicImage) -> (Grey, Option<RgbImage>) {
    let (width, height) = (decoded.width(), decoded.height());
    let (values, colours) = match decoded {
        DynamicImage::ImageLuma8(picture) => (picture.as_raw().iter().map(|v| v.wide()).collect(), None),
        DynamicImage::ImageLuma16(picture) => (picture.into_raw(), None),
        DynamicImage::ImageLumaA8(picture) => with_alpha::<_, 2>(picture.as_raw()),
        DynamicImage::ImageLumaA16(picture) => with_alpha::<_, 2>(picture.as_raw()),
        DynamicImage::ImageRgb8(picture) => opaque(picture.as_raw()),
        DynamicImage::ImageRgb16(picture) => opaque(picture.as_raw()),
        DynamicImage::ImageRgba8(picture) => with_alpha::<_, 4>(picture.as_raw()),
        DynamicImage::ImageRgba16(picture) => with_alpha::<_, 4>(picture.as_raw()),
        // Floating-point TIFFs; `image` clamps them to 0 … 1.
        other => with_alpha::<_, 4>(other.into_rgba16().as_raw()),
    };
    // The buffers contain one value per pixel by construction, so the alternative is never used.
    let grey = Grey::from_raw(width, height, values).unwrap_or_default();
    (grey, colours.and_then(|colours| RgbImage::from_raw(width, height, colours)))
}

fn opaque<C: Channel>(raw: &[C]) -> Reduced {
    reduced(raw.chunks_exact(3).map(|p| [p[0].wide(), p[1].wide(), p[2].wide()]))
}

fn reduced(colours: impl ExactSizeIterator<Item = [u16; 3]> + Clone) -> Reduced {
    let Some(weights) = contrast_axis(colours.clone()) else {
        return (colours.map(|colour| colour[0]).collect(), None);
    };
    // Saturates to 255 from 65408 on.
    let narrow = |value: u16| (value.saturating_add(128) / 257) as u8;
    let grey = colours.clone().map(|colour| project(colour, weights)).collect();
    (grey, Some(colours.flat_map(|colour| colour.map(narrow)).collect()))
}

/// `N` channels per pixel, the last of them alpha; grey or colour.
fn with_alpha<C: Channel, const N: usize>(raw: &[C]) -> Reduced {
    let split = |p: &[C]| {
        let colour = if N == 2 { [p[0].wide(); 3] } else { [p[0].wide(), p[1].wide(), p[2].wide()] };
        (colour, p[N - 1].wide())
    };
    let ground = contrasting_ground(raw.chunks_exact(N).map(split));
    reduced(raw.chunks_exact(N).map(move |p| {
        let (colour, alpha) = split(p);
        colour.map(|value| over(value, ground, alpha))
    }))
}

/// Black for drawn pixels that are light on average, white for dark ones.
fn contrasting_ground(pixels: impl Iterator<Item = ([u16; 3], u16)>) -> u16 {
    let (mut drawn, mut bright) = (0.0, 0.0);
    for (colour, alpha) in pixels {
        let alpha = f64::from(alpha);
        drawn += alpha;
        bright += alpha * luma(colour);
    }
    if bright > drawn * FULL / 2.0 { 0 } else { u16::MAX }
}

fn over(value: u16, ground: u16, alpha: u16) -> u16 {
    let (value, ground, alpha) = (u64::from(value), u64::from(ground), u64::from(alpha));
    ((value * alpha + ground * (65535 - alpha) + 32767) / 65535) as u16
}

fn luma(colour: [u16; 3]) -> f64 {
    (0..3).map(|k| LUMA[k] * f64::from(colour[k])).sum()
}

/// Weights of red, green and blue along the axis of largest contrast; the sum of their magnitudes
/// is one, and brighter is larger. `None` for a picture without colours.
fn contrast_axis(colours: impl ExactSizeIterator<Item = [u16; 3]> + Clone) -> Option<[f64; 3]> {
    let step = (colours.len() / SAMPLES).max(1);
    let sample = || colours.clone().step_by(step).map(|c| Vector3::from(c.map(f64::from)));
    if sample().all(|c| c.x == c.y && c.y == c.z) {
        return None;
    }
    let count = sample().count() as f64;
    let mean = sample().sum::<Vector3<f64>>() / count;
    let covariance = sample().fold(Matrix3::zeros(), |sum, c| sum + (c - mean) * (c - mean).transpose()) / count;
    let eigen = SymmetricEigen::new(covariance);
    let axis = eigen.eigenvectors.column(eigen.eigenvalues.imax()).into_owned();
    let size: f64 = axis.iter().map(|w| w.abs()).sum();
    if !(size.is_finite() && size > 0.0) {
        return None;
    }
    let brightness = axis.dot(&Vector3::from(LUMA));
    let axis = axis * (if brightness < 0.0 { -1.0 } else { 1.0 } / size);
    Some([axis.x, axis.y, axis.z])
}

/// The colour's coordinate along the axis, shifted so that no colour is below zero.
fn project(colour: [u16; 3], weights: [f64; 3]) -> u16 {
    let value: f64 = weights
        .iter()
        .zip(colour)
        .map(
            |(&weight, value)| {
                if weight < 0.0 { weight * (f64::from(value) - FULL) } else { weight * f64::from(value) }
            },
        )
        .sum();
    value.round() as u16
}
