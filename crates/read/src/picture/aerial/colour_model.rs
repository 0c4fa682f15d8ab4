//! Candidates for the road's colour: the modes of the picture's histogram, and the spread about one
//! of them.
//!
//! Asphalt has one hue and nearly one brightness, so it forms a narrow peak in colour space,
//! however few pixels there are of it; grass forms a broad one. In a shadow the colour moves
//! towards black and keeps its hue. Neutral paint moves it towards white.

use nalgebra::{Matrix3, Vector3};

use super::working::{KEYS, Working, colour_of};
use raceline_numerics::math;

/// Bins per channel of the histogram in which modes are searched.
const BINS: usize = 32;

/// Modes tried at most, the densest first.
const MAX_MODES: usize = 12;

/// Minimum fraction of the picture that the 27 bins about a mode contain.
const MIN_MODE_FRACTION: f64 = 1e-3;

/// A colour belongs to the road's peak within this many standard deviations during the fit.
const FIT_DEVIATIONS: f64 = 2.5;

/// Factor by which the cut at `FIT_DEVIATIONS` reduces the covariance of a normal distribution in
/// three dimensions.
const FIT_SHRINKAGE: f64 = 0.797;

/// Minimum variance per channel of every peak: quantisation and sensor noise, levels².
const MIN_VARIANCE: f64 = 4.0;

/// A peak with a larger standard deviation is grass and not asphalt, levels.
const MAX_DEVIATION: f64 = 14.0;

/// A pixel has the road's colour within this many standard deviations; the same applies to its hue.
const DEVIATIONS: f64 = 3.3;

/// Brightness of a shaded or worn road, as a fraction of the road's mean; brighter pixels are
/// paint.
const SHADES: std::ops::Range<f64> = 0.25..1.3;

/// Deviation of the hue in a shadow, which is lit by the sky, as a fraction of the missing light.
const SKY_TINT: f64 = 0.015;

/// Relation of a colour to the road's colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kinship {
    /// A colour of the ground beside the road.
    Ground,
    /// Of another hue than the road.
    None,
    /// Of the road's hue but much brighter: paint, perhaps.
    Paint,
    /// Of the road's hue but darker or a little brighter: road in a shadow, or worn, perhaps.
    Shade,
    /// Of the road's colour.
    Road,
}

/// Counts of the colours that occur.
pub(super) struct Histogram {
    /// Colour and number of its pixels.
    occurring: Vec<([f64; 3], f64)>,
    total: f64,
}

impl Histogram {
    pub fn of(working: &Working) -> Self {
        let mut counts = vec![0_u32; KEYS];
        for &key in &working.keys {
            counts[key as usize] += 1;
        }
        let occurring =
            (0..).zip(&counts).filter(|&(_, &n)| n > 0).map(|(key, &n)| (colour_of(key), f64::from(n))).collect();
        Self { occurring, total: working.keys.len() as f64 }
    }

    /// The densest colours of the smoothed histogram, each denser than all its neighbours.
    pub fn modes(&self) -> Vec<[f64; 3]> {
        let bin = |colour: &[f64; 3]| colour.map(|v| (v as usize * BINS / 256).min(BINS - 1));
        let index = |[r, g, b]: [usize; 3]| (r * BINS + g) * BINS + b;
        let mut density = vec![0.0_f64; BINS * BINS * BINS];
        for (colour, count) in &self.occurring {
            density[index(bin(colour))] += count;
        }
        for _ in 0..2 {
            for stride in [1, BINS, BINS * BINS] {
                density = smoothed(&density, stride);
            }
        }
        let mut modes = Vec::new();
        for at in 0..density.len() {
            let centre = [at / (BINS * BINS), at / BINS % BINS, at % BINS];
            let around = (0..27).filter(|&k| k != 13).filter_map(|k| {
                let step = [k / 9, k / 3 % 3, k % 3];
                let place = [0, 1, 2].map(|i| (centre[i] + step[i]).wrapping_sub(1));
                place.iter().all(|&v| v < BINS).then(|| (index(place), density[index(place)]))
            });
            let (mut mass, mut highest) = (density[at], true);
            for (other, value) in around {
                mass += value;
                // Of two equals the first one counts.
                highest &= density[at] > value || (density[at] == value && at < other);
            }
            if highest && mass > MIN_MODE_FRACTION * self.total {
                modes.push((density[at], centre.map(|v| (v as f64 + 0.5) * (256 / BINS) as f64)));
            }
        }
        modes.sort_by(|a, b| b.0.total_cmp(&a.0));
        modes.into_iter().take(MAX_MODES).map(|(_, colour)| colour).collect()
    }
}

/// One pass of the binomial filter 1 2 1 along one axis of the cube.
fn smoothed(density: &[f64], stride: usize) -> Vec<f64> {
    let at = |index: usize, position: usize| {
        let low = if position == 0 { 0.0 } else { density[index - stride] };
        let high = if position + 1 == BINS { 0.0 } else { density[index + stride] };
        0.25 * low + 0.5 * density[index] + 0.25 * high
    };
    (0..density.len()).map(|index| at(index, index / stride % BINS)).collect()
}

/// A normal distribution of colours.
#[derive(Clone, Debug)]
pub(super) struct ColourModel {
    mean: Vector3<f64>,
    inverse: Matrix3<f64>,
    /// Maximum distance from the mean, in standard deviations.
    reach: f64,
    /// Standard deviation across the hue's axis, levels.
    hue_deviation: f64,
}

impl Kinship {
    /// Whether the pixel may be road in some light, or paint on it.
    pub fn is_of_hue(self) -> bool {
        matches!(self, Self::Paint | Self::Shade | Self::Road)
    }
}

impl ColourModel {
    /// The peak round `start`: mean and covariance of the colours near it, iterated until
    /// convergence.
    pub fn fitted(histogram: &Histogram, start: [f64; 3]) -> Self {
        const ROUNDS: usize = 8;
        const START_VARIANCE: f64 = 36.0;
        let mut mean = Vector3::from(start);
        let mut covariance = Matrix3::identity() * START_VARIANCE;
        for _ in 0..ROUNDS {
            let inverse = inverse_of(&covariance);
            let (mut weight, mut sum, mut squares) = (0.0, Vector3::zeros(), Matrix3::zeros());
            for (colour, count) in &histogram.occurring {
                let offset = Vector3::from(*colour) - mean;
                if offset.dot(&(inverse * offset)) <= FIT_DEVIATIONS * FIT_DEVIATIONS {
                    weight += count;
                    sum += *count * offset;
                    squares += *count * offset * offset.transpose();
                }
            }
            if weight <= 0.0 {
                break;
            }
            let shift = sum / weight;
            mean += shift;
            covariance = (squares / weight - shift * shift.transpose()) / FIT_SHRINKAGE;
            let deviation = (covariance.trace() / 3.0).sqrt();
            if deviation > MAX_DEVIATION {
                covariance *= math::powi(MAX_DEVIATION / deviation, 2);
            }
            covariance += Matrix3::identity() * MIN_VARIANCE;
        }
        Self::new(mean, covariance, DEVIATIONS)
    }

    /// Colours within `tolerance` levels of `colour`.
    pub fn specified(colour: [u8; 3], tolerance: f64) -> Self {
        // A ball whose radius is the tolerance.
        let deviation = tolerance.max(1.0) / DEVIATIONS;
        Self::new(colour.map(f64::from).into(), Matrix3::identity() * deviation * deviation, DEVIATIONS)
    }

    fn new(mean: Vector3<f64>, covariance: Matrix3<f64>, reach: f64) -> Self {
        let axis = hue_axis(mean);
        let across = (covariance.trace() - axis.dot(&(covariance * axis))).max(0.0) / 2.0;
        Self { mean, inverse: inverse_of(&covariance), reach, hue_deviation: across.sqrt() }
    }

    /// The relation of a colour to this model.
    pub fn kinship(&self, colour: [f64; 3]) -> Kinship {
        let colour = Vector3::from(colour);
        let offset = colour - self.mean;
        if offset.dot(&(self.inverse * offset)) <= self.reach * self.reach {
            return Kinship::Road;
        }
        let axis = hue_axis(self.mean);
        let brightness = colour.dot(&axis) / self.mean.dot(&axis).max(1.0);
        let across = (colour - axis * colour.dot(&axis)).norm();
        // Noise remains constant in a shadow; the spread of the asphalt's hue decreases with the
        // light.
        let tint = SKY_TINT * (1.0 - brightness).max(0.0) * self.mean.norm();
        let spread = (MIN_VARIANCE + math::powi(self.hue_deviation * brightness.min(1.5), 2) + tint * tint).sqrt();
        if across > self.reach * spread || brightness < SHADES.start {
            Kinship::None
        } else if brightness < SHADES.end {
            Kinship::Shade
        } else {
            Kinship::Paint
        }
    }

    /// The kinship of every colour key.
    pub fn table(&self) -> Vec<Kinship> {
        (0..KEYS as u32).map(|key| self.kinship(colour_of(key))).collect()
    }
}

/// The direction from black to the colour.
fn hue_axis(mean: Vector3<f64>) -> Vector3<f64> {
    mean.try_normalize(1.0).unwrap_or_else(|| Vector3::repeat(1.0 / 3.0_f64.sqrt()))
}

fn inverse_of(covariance: &Matrix3<f64>) -> Matrix3<f64> {
    covariance.try_inverse().unwrap_or_else(|| Matrix3::identity() / MIN_VARIANCE)
}
