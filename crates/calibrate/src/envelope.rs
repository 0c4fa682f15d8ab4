//! A limit over speed from the edges of speed bins: a model of load and downforce through the bins
//! in which the limit was reached, and corrections for what the model does not have.
//!
//! Tyres carry weight and downforce, so the model is `A(v) = μ (g + D v² / m)`: a constant and a
//! growth by v², of which load sensitivity is a part. It is fitted as an envelope: a bin clearly
//! below what the other speeds imply is one in which the driver did not go to the limit. Limits that
//! fall with speed cannot be distinguished from a driver's caution; the growth is therefore at least
//! 0.

use super::upper_edge::Edge;
use raceline_numerics::math;

/// Model error of a limit, as a fraction: a car at its limit is not at the same value twice.
pub(super) const MODEL_ERROR: f64 = 0.015;
/// Certainty of an edge beyond its own standard error, as a fraction.
const MIN_ERROR: f64 = 0.006;
/// A bin this far below the envelope was not driven at the limit.
const NOT_REACHED: f64 = 0.03;
/// A bin from this far below the envelope has less weight, and a quarter of the weight at this further
/// distance.
const TOLERATED: f64 = 0.01;
const FALL: f64 = 0.015;
/// Tolerance and fall above the envelope: a single high bin is more likely a kerb than the limit of
/// all other bins.
const TOLERATED_ABOVE: f64 = 0.02;
const FALL_ABOVE: f64 = 0.06;
/// Deviation of an edge with one sample near it, as a fraction; it falls with the root of their
/// number.
const SAMPLE_ERROR: f64 = 0.12;
/// A driver who seems to be at the limit may be this far below it, as a fraction; never above.
const CAUTION: f64 = 0.02;
/// Usual deviation of a limit from the model, as a fraction.
const MODEL_SPREAD: f64 = 0.03;
/// The growth is fitted where the reached bins cover this fraction of the speeds; else it is the
/// base's.
const MIN_SPAN: f64 = 0.3;
const ROUNDS: usize = 40;
/// Bins that must agree on a limit to outvote a single one above them.
const AGREEING: usize = 3;

/// A value that may be at a limit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub clock_s: f64,
    pub speed: f64,
    /// Acceleration, m/s², as on a flat road of grip 1.
    pub value: f64,
    /// The pedal that belongs to it; `NaN` where it is not known.
    pub pedal: f64,
}

/// The edge of one bin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bin {
    /// Speed of its middle, m/s.
    pub speed: f64,
    pub value: f64,
    pub standard_error: f64,
    /// Values near the edge, and all.
    pub samples: usize,
    /// The upper quartile of the pedal near the edge.
    pub pedal: f64,
}

/// Speeds at equal distances from 0 on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid {
    pub width: f64,
    pub count: usize,
}

impl Grid {
    /// A grid up to `top` with a round width, about `parts` up to `fastest`.
    pub fn new(fastest: f64, top: f64, parts: f64) -> Self {
        let rough = (fastest / parts).max(1e-3);
        let power = math::powf(10_f64, math::log10(rough).floor());
        let steps = [1.0, 2.0, 2.5, 5.0, 10.0];
        let width = power * steps.into_iter().find(|step| step * power >= rough).unwrap_or(10.0);
        Self { width, count: (top.max(fastest) / width).ceil() as usize + 1 }
    }

    pub fn speed(&self, index: usize) -> f64 {
        index as f64 * self.width
    }
}

/// What finds the limit in the values of a bin, of about 1, with the noise.
pub(super) type Estimator = fn(&[(f64, f64)], f64) -> Option<Edge>;

/// The edge of each bin of `grid`, where there is one. `reference` is an estimate of the limit over
/// speed, which takes the slope out of a bin; `noise` in m/s².
pub(super) fn bins(
    candidates: &[Candidate],
    grid: &Grid,
    reference: &dyn Fn(f64) -> f64,
    noise: f64,
    estimator: Estimator,
) -> Vec<Option<Bin>> {
    let mut sorted: Vec<Vec<&Candidate>> = vec![Vec::new(); grid.count];
    for candidate in candidates {
        let index = (candidate.speed / grid.width).round() as usize;
        if let Some(bin) = sorted.get_mut(index) {
            bin.push(candidate);
        }
    }
    let of_bin = |(index, inside): (usize, &Vec<&Candidate>)| {
        let speed = grid.speed(index);
        let at = reference(speed);
        let values: Vec<(f64, f64)> =
            inside.iter().map(|c| (c.clock_s, c.value / reference(c.speed))).filter(|(_, z)| z.is_finite()).collect();
        let noise = math::hypot(noise / at, MODEL_ERROR);
        let edge = estimator(&values, noise)?;
        let is_near = |c: &&&Candidate| (c.value / reference(c.speed) - edge.place).abs() < 2.0 * noise * edge.place;
        let mut pedals: Vec<f64> =
            inside.iter().filter(is_near).map(|c| c.pedal).filter(|pedal| pedal.is_finite()).collect();
        let pedal = if pedals.is_empty() { f64::NAN } else { super::statistics::quantile(&mut pedals, 0.75) };
        Some(Bin {
            speed,
            value: edge.place * at,
            standard_error: math::hypot(edge.standard_error, MIN_ERROR * edge.place) * at,
            samples: edge.samples,
            pedal,
        })
    };
    sorted.iter().enumerate().map(of_bin).collect()
}

/// `constant + growth v²`, m/s².
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Growth {
    pub constant: f64,
    pub growth: f64,
    /// Covariance of both.
    pub covariance: [[f64; 2]; 2],
    /// Whether the growth is fitted, or the base's.
    pub is_fitted: bool,
}

impl Growth {
    pub fn at(&self, speed: f64) -> f64 {
        self.constant + self.growth * speed * speed
    }

    /// Growth by v² as a fraction of the constant, s²/m².
    pub fn ratio(&self) -> f64 {
        self.growth / self.constant
    }

    pub fn standard_error(&self, speed: f64) -> f64 {
        let w = speed * speed;
        let [[cc, cg], [_, gg]] = self.covariance;
        (cc + 2.0 * w * cg + w * w * gg).max(0.0).sqrt()
    }

    /// How much the limit of a flat road changes when `normal`, m/s², presses on it in place of g.
    pub fn load_factor(&self, speed: f64, normal: f64) -> f64 {
        let downforce = self.ratio() * speed * speed;
        (normal / raceline_car::STANDARD_GRAVITY + downforce) / (1.0 + downforce)
    }

    /// The envelope of `bins`. `base_ratio` is the growth of the base by v², which is used where the
    /// bins do not cover enough speeds up to `fastest`. `None` without a bin.
    pub fn through(bins: &[Bin], base_ratio: f64, fastest: f64) -> Option<Self> {
        let first = bins.first()?;
        let mut model = Self {
            constant: first.value / (1.0 + base_ratio * first.speed * first.speed),
            growth: 0.0,
            covariance: [[0.0; 2]; 2],
            is_fitted: false,
        };
        for round in 0..ROUNDS {
            let weight = |bin: &Bin| {
                let by_count = SAMPLE_ERROR / (bin.samples.max(1) as f64).sqrt();
                let error = math::hypot(bin.standard_error, math::hypot(MODEL_ERROR, by_count) * bin.value);
                let residual = if round == 0 { 0.0 } else { model.residual(bin) };
                let below = (-residual - TOLERATED).max(0.0) / FALL;
                let above = (residual - TOLERATED_ABOVE).max(0.0) / FALL_ABOVE;
                math::powi(1.0 + below * below + above * above, -2) / (error * error)
            };
            let weights: Vec<f64> = bins.iter().map(weight).collect();
            let best = weights.iter().fold(0.0_f64, |a, b| a.max(*b));
            let counted = || bins.iter().zip(&weights).filter(|(_, weight)| **weight > 0.2 * best).map(|(bin, _)| bin);
            let (slowest, quickest) =
                counted().fold((f64::INFINITY, 0.0_f64), |(a, b), bin| (a.min(bin.speed), b.max(bin.speed)));
            let is_fitted = counted().count() >= 3 && quickest - slowest >= MIN_SPAN * fastest;
            model = if is_fitted { Self::line(bins, &weights) } else { Self::constant(bins, &weights, base_ratio) };
        }
        Some(model)
    }

    /// Deviation of a bin from the model as a fraction.
    fn residual(&self, bin: &Bin) -> f64 {
        bin.value / self.at(bin.speed) - 1.0
    }

    fn line(bins: &[Bin], weights: &[f64]) -> Self {
        let sum = |f: &dyn Fn(f64, f64) -> f64| -> f64 {
            bins.iter().zip(weights).map(|(bin, weight)| weight * f(bin.speed * bin.speed, bin.value)).sum()
        };
        let (s, sw, sww) = (sum(&|_, _| 1.0), sum(&|w, _| w), sum(&|w, _| w * w));
        let (sy, swy) = (sum(&|_, y| y), sum(&|w, y| w * y));
        let determinant = s * sww - sw * sw;
        let growth = (s * swy - sw * sy) / determinant;
        if growth < 0.0 || determinant <= 0.0 {
            return Self { is_fitted: true, ..Self::constant(bins, weights, 0.0) };
        }
        let covariance = [[sww / determinant, -sw / determinant], [-sw / determinant, s / determinant]];
        Self { constant: (sy - growth * sw) / s, growth, covariance, is_fitted: true }
    }

    fn constant(bins: &[Bin], weights: &[f64], ratio: f64) -> Self {
        let (mut square, mut product) = (0.0, 0.0);
        for (bin, weight) in bins.iter().zip(weights) {
            let shape = 1.0 + ratio * bin.speed * bin.speed;
            square += weight * shape * shape;
            product += weight * shape * bin.value;
        }
        let (constant, variance) = (product / square, 1.0 / square);
        let covariance = [[variance, ratio * variance], [ratio * variance, ratio * ratio * variance]];
        Self { constant, growth: ratio * constant, covariance, is_fitted: false }
    }
}

/// A limit over speed: model and corrections.
#[derive(Clone, Debug)]
pub(super) struct Envelope {
    pub model: Growth,
    /// (speed, factor) of the bins in which the limit was reached.
    corrections: Vec<[f64; 2]>,
}

impl Envelope {
    /// The envelope of `bins`.
    pub fn through(bins: &[Bin], base_ratio: f64, fastest: f64) -> Option<Self> {
        let bins = without_lone(bins, base_ratio, fastest);
        let model = Growth::through(&bins, base_ratio, fastest)?;
        let corrections = bins
            .iter()
            .filter(|bin| is_reached(&model, bin))
            .map(|bin| {
                let residual = model.residual(bin);
                let caution = if residual < 0.0 { CAUTION } else { 0.0 };
                let by_count = SAMPLE_ERROR / (bin.samples.max(1) as f64).sqrt();
                let error = math::hypot(math::hypot(bin.standard_error / bin.value, caution), by_count);
                let trust = MODEL_SPREAD * MODEL_SPREAD / (MODEL_SPREAD * MODEL_SPREAD + error * error);
                [bin.speed, 1.0 + trust * residual]
            })
            .collect();
        Some(Self { model, corrections })
    }

    /// A model without a measurement.
    pub fn of_model(model: Growth) -> Self {
        Self { model, corrections: Vec::new() }
    }

    pub fn at(&self, speed: f64) -> f64 {
        self.model.at(speed) * interpolated(&self.corrections, speed).unwrap_or(1.0)
    }

    pub fn is_reached(&self, bin: &Bin) -> bool {
        is_reached(&self.model, bin)
    }

    /// Whether the limit was reached in the bin of this speed.
    pub fn is_measured_at(&self, speed: f64) -> bool {
        self.corrections.iter().any(|[at, _]| *at == speed)
    }

    /// The slowest and the fastest speed at which the limit was reached.
    pub fn reached_mps(&self) -> Option<[f64; 2]> {
        Some([self.corrections.first()?[0], self.corrections.last()?[0]])
    }
}

/// The bins without one that stands alone: where the envelope of all reaches one bin only, and that of
/// the other bins at least [`AGREEING`], the one is a kerb or a compression and not the limit.
fn without_lone(bins: &[Bin], base_ratio: f64, fastest: f64) -> Vec<Bin> {
    let reached = |bins: &[Bin]| -> Vec<bool> {
        let model = Growth::through(bins, base_ratio, fastest);
        bins.iter().map(|bin| model.is_some_and(|model| is_reached(&model, bin))).collect()
    };
    let by_all = reached(bins);
    let count = |reached: &[bool]| reached.iter().filter(|is| **is).count();
    let others: Vec<Bin> = bins.iter().zip(&by_all).filter(|(_, is)| !**is).map(|(bin, _)| *bin).collect();
    if count(&by_all) == 1 && count(&reached(&others)) >= AGREEING { others } else { bins.to_vec() }
}

fn is_reached(model: &Growth, bin: &Bin) -> bool {
    model.residual(bin) > -NOT_REACHED.max(2.0 * bin.standard_error / bin.value).min(2.0 * NOT_REACHED)
}

/// Linear between `points`, constant beyond them.
pub(super) fn interpolated(points: &[[f64; 2]], at: f64) -> Option<f64> {
    let (first, last) = (points.first()?, points.last()?);
    if at <= first[0] {
        return Some(first[1]);
    }
    if at >= last[0] {
        return Some(last[1]);
    }
    let right = points.partition_point(|point| point[0] < at).max(1);
    let ([x0, y0], [x1, y1]) = (points[right - 1], points[right]);
    Some(y0 + (y1 - y0) * (at - x0) / (x1 - x0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_bin_far_above_the_others_is_not_the_limit() {
        let bin = |speed: f64, value: f64| Bin { speed, value, standard_error: 0.1, samples: 200, pedal: f64::NAN };
        let limit = |speed: f64| 18.0 + 0.003 * speed * speed;
        let mut bins: Vec<Bin> = (3..11).map(|i| 5.0 * f64::from(i)).map(|v| bin(v, limit(v))).collect();
        bins.push(bin(55.0, 1.15 * limit(55.0)));
        let envelope = Envelope::through(&bins, 2e-4, 60.0).unwrap();
        assert!((envelope.at(30.0) / limit(30.0) - 1.0).abs() < 0.02, "{}", envelope.at(30.0));
        // Two that agree against two that do not: the upper ones are the limit, the lower ones
        // caution.
        let few = [bin(20.0, 17.0), bin(30.0, 18.0), bin(40.0, limit(40.0)), bin(50.0, limit(50.0))];
        let envelope = Envelope::through(&few, 1.7e-4, 60.0).unwrap();
        assert!((envelope.at(45.0) / limit(45.0) - 1.0).abs() < 0.02, "{}", envelope.at(45.0));
    }
}
