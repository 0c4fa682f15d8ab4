//! The evidence of each colour for or against road, learned from this picture: how often it lies in
//! the road and how often beside it.
//!
//! Asphalt in a shadow that crosses the road occurs inside, so it is evidence for road whatever its
//! brightness. The same applies to patches and to a picture without colours. Kerbs and gravel occur
//! beside the road. A colour that occurs in neither place is judged by its hue, with little weight.

use image::RgbImage;

use super::colour_model::Kinship;
use super::morphology::{Bits, MAX_RADIUS};
use super::network::Network;
use super::working::{KEY_BITS, KEYS, Working, key};
use raceline_numerics::math;
use raceline_road::geometry::Point;

/// Fraction of the road's width by which the inside is eroded, and at which the outside begins
/// beyond the outline: edge lines and errors of the outline lie in between.
const UNSURE_FRACTION: f64 = 0.12;

/// Half the side of a square that does not fit into a road, in widths of the road.
const PLUMP_FRACTION: f64 = 0.65;

/// Distance beside the road to which the ground is sampled, in widths of the road.
const BESIDE_WIDTHS: f64 = 0.8;

/// Weight of the estimate from the hue, as a fraction of a colour that fills a ten-thousandth of
/// the road or the ground.
const PRIOR: f64 = 0.5;

/// Largest evidence of one pixel, as a logarithm: no single pixel may be decisive.
const MAX: f64 = 2.0;

/// The evidence of every colour: positive for road, negative for ground.
pub(super) struct Evidence {
    table: Vec<f32>,
    is_seen: Vec<bool>,
}

impl Evidence {
    /// Counts the colours in and beside the network's road; `kinship` is that of each colour key.
    pub fn learned(working: &Working, network: &Network, kinship: &[Kinship]) -> Self {
        let width = network.width_px;
        let unsure = ((UNSURE_FRACTION * width).round() as usize).max(1);
        let beside = ((BESIDE_WIDTHS * width).round() as usize).clamp(unsure + 1, MAX_RADIUS);
        let road = &network.road;
        // Where the road is much too wide, ground of its colour is connected to it.
        let plump = road.opened(((PLUMP_FRACTION * width).round() as usize).clamp(1, MAX_RADIUS)).dilated(unsure + 1);
        let inside = counted(working, &road.eroded(unsure).with(&plump, |a, b| a & (1 - b)));
        let ground = road.dilated(beside).with(&road.dilated(unsure), |a, b| a & (1 - b));
        // Half of the ground's colours are those nearby; the other half are those of the whole
        // picture.
        let near = counted(working, &ground);
        let far = counted(working, &road.dilated(unsure).with(road, |a, _| 1 - a));
        let outside: Vec<f64> = near.iter().zip(&far).map(|(a, b)| f64::midpoint(*a, *b)).collect();
        let table: Vec<f32> = (0..KEYS)
            .map(|key| {
                let guess = match kinship[key] {
                    Kinship::Road => 0.9,
                    Kinship::Shade => 0.6,
                    Kinship::Ground => 0.1,
                    // Paint lies along the edge, and the edge is on its inner side.
                    Kinship::Paint => 0.4,
                    // It occurs neither in the road nor beside it: a car rather than ground.
                    Kinship::None => 0.45,
                };
                let odds = (inside[key] + PRIOR * guess) / (outside[key] + PRIOR * (1.0 - guess));
                math::ln(odds).clamp(-MAX, MAX) as f32
            })
            .collect();
        let is_seen = inside.iter().zip(&outside).map(|(a, b)| a + b > PRIOR).collect();
        Self { table, is_seen }
    }

    /// The kinship of each colour according to the counts; colours that do not occur keep theirs.
    pub fn kinship(&self, before: &[Kinship]) -> Vec<Kinship> {
        const CLEAR: f32 = 0.5;
        let judged = |((&kin, &evidence), &is_seen): ((&Kinship, &f32), &bool)| match evidence {
            _ if !is_seen => kin,
            evidence if evidence > CLEAR => Kinship::Road,
            // White kerbs beside the road do not make a white line across it ground.
            _ if kin == Kinship::Paint => kin,
            evidence if evidence < -CLEAR => Kinship::Ground,
            _ if kin == Kinship::Road => Kinship::Shade,
            _ => kin,
        };
        before.iter().zip(&self.table).zip(&self.is_seen).map(judged).collect()
    }

    /// The evidence of the pixel at a point; beyond the border, that of the nearest pixel.
    pub fn at(&self, colours: &RgbImage, p: Point) -> f64 {
        let column = (p.x.max(0.0) as u32).min(colours.width() - 1);
        let row = (p.y.max(0.0) as u32).min(colours.height() - 1);
        f64::from(self.table[key(colours.get_pixel(column, row).0) as usize])
    }
}

/// Frequency of each colour where `set`, in ten-thousandths, smoothed over neighbouring colours.
fn counted(working: &Working, set: &Bits) -> Vec<f64> {
    const WHOLE: f64 = 1e4;
    let mut counts = vec![0.0; KEYS];
    for (&key, _) in working.keys.iter().zip(&set.data).filter(|(_, bit)| **bit != 0) {
        counts[key as usize] += 1.0;
    }
    let per_pixel = WHOLE / set.count().max(1) as f64;
    counts.iter_mut().for_each(|count| *count *= per_pixel);
    for _ in 0..2 {
        for axis in 0..3 {
            counts = smoothed(&counts, 1 << (axis * KEY_BITS));
        }
    }
    counts
}

/// One pass of the binomial filter 1 2 1 along one channel. The sums are conserved at the ends.
fn smoothed(counts: &[f64], stride: usize) -> Vec<f64> {
    let last = (1 << KEY_BITS) - 1;
    (0..counts.len())
        .map(|index| {
            let place = (index / stride) & last;
            let low = counts[if place == 0 { index } else { index - stride }];
            let high = counts[if place == last { index } else { index + stride }];
            0.25 * low + 0.5 * counts[index] + 0.25 * high
        })
        .collect()
}
