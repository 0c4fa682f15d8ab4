//! Where the tyres limit the drive, not the engine, and what they transmit.
//!
//! An engine does not know the grip; what the tyres transmit is proportional to it. So the tyres limit
//! the drive in the bins of speed in which the acceleration at full throttle follows the factor f of
//! grip and load. With an engine of about constant power P, m f T = P / v divides both where v f is
//! the same: samples with a smaller v f are the tyres', those with a larger one the engine's. The
//! transition is the one with which the samples of each speed deviate the least, those of the tyres
//! from a multiple of f and those of the engine from a constant. Each limit is then fitted to its own
//! samples, over speeds that overlap.

use super::calibration::{Curve, CurvePoint, Origin};
use super::drive_bins::{Fitted, unmeasured};
use super::envelope::{Envelope, Grid};
use super::limits::{Known, road_factor};
use super::samples::Sample;
use super::statistics::{median, quantile};
use super::upper_edge::upper_edge;
use raceline_numerics::math;

/// Grips that differ by this factor show what limits the drive.
const GRIP_SPREAD: f64 = 1.06;
/// The tyres limit the drive where it changes by more than this power of the grip.
const TRACTION_POWER: f64 = 0.5;
/// Samples this close to the transition, as a fraction of it, belong to neither.
const UNCLEAR: f64 = 0.05;
/// Above this multiple of the transition's speed at a factor of 1, only crests leave so little grip
/// that the tyres limit; their load is too uncertain.
const FASTEST: f64 = 1.25;
/// Places at which the transition is tried: quantiles of the samples.
const TRIALS: usize = 100;
/// Factors of grip and load up to this quantile were driven.
const HIGH: f64 = 0.95;

/// A moment at full throttle: v f, f and the acceleration.
#[derive(Clone, Copy)]
struct Driven {
    place: f64,
    factor: f64,
    value: f64,
}

/// Sum of the deviations in a bin: those of the samples below the transition from a multiple of their
/// factor, those of the other bins from a constant.
fn deviations(bin: &[Driven], transition: f64) -> f64 {
    let side = |by_tyres: bool| -> f64 {
        let scale = |one: &Driven| if by_tyres { one.factor } else { 1.0 };
        let chosen = || bin.iter().filter(|one| (one.place < transition) == by_tyres);
        let mut scaled: Vec<f64> = chosen().map(|one| one.value / scale(one)).collect();
        let middle = median(&mut scaled);
        chosen().map(|one| (one.value - middle * scale(one)).abs()).sum()
    };
    side(true) + side(false)
}

/// The transition from the tyres to the engine.
pub(super) struct Traction {
    /// V f, m/s.
    transition: f64,
    /// The greatest factor of grip and load that was driven below it.
    greatest_factor: f64,
}

impl Traction {
    /// The transition in the samples at full throttle; `None` where the tyres limit nowhere, or the
    /// grip does not change enough to decide.
    pub fn find(known: &Known, grid: &Grid, full: &[Sample], braking: &Envelope) -> Option<Self> {
        if !traction_bins(known, grid, full, braking).contains(&true) {
            return None;
        }
        let mut inside: Vec<Vec<Driven>> = vec![Vec::new(); grid.count];
        let mut places = Vec::with_capacity(full.len());
        for sample in full {
            let factor = road_factor(braking, sample);
            places.push(sample.speed * factor);
            if let Some(bin) = inside.get_mut((sample.speed / grid.width).round() as usize) {
                bin.push(Driven { place: sample.speed * factor, factor, value: known.against_resistance(sample) });
            }
        }
        let trials = (0..TRIALS).map(|i| quantile(&mut places, (i as f64 + 0.5) / TRIALS as f64));
        let trials: Vec<f64> = trials.collect();
        let cost = |transition: f64| inside.iter().map(|bin| deviations(bin, transition)).sum::<f64>();
        let costs = trials.iter().map(|&transition| (cost(transition), transition));
        let (_, transition) = costs.min_by(|a, b| a.0.total_cmp(&b.0))?;
        let mut factors: Vec<f64> =
            inside.iter().flatten().filter(|one| one.place < transition).map(|one| one.factor).collect();
        Some(Self { transition, greatest_factor: quantile(&mut factors, HIGH) })
    }

    /// The speed of the transition at a factor of 1, m/s.
    pub fn nominal_mps(&self) -> f64 {
        self.transition
    }

    /// Whether the tyres limit a sample; `None` where it is unclear.
    pub fn limits(&self, speed: f64, factor: f64) -> Option<bool> {
        let place = speed * factor / self.transition;
        let is_clear = (place - 1.0).abs() > UNCLEAR && (place > 1.0 || speed < FASTEST * self.transition);
        is_clear.then_some(place < 1.0)
    }

    /// What the tyres transmit at a factor of 1: as measured, and elsewhere in the proportion of the
    /// nearest measurement to the braking limit.
    pub fn curve(&self, grid: &Grid, fitted: &Fitted, braking: &Envelope) -> Curve {
        let fraction = |[speed, value]: [f64; 2]| [speed, value / braking.at(speed)];
        let fractions: Vec<[f64; 2]> = fitted.points.iter().map(|point| fraction(*point)).collect();
        let reached = fitted.reached_mps();
        let of_point = |index: usize| {
            let speed = grid.speed(index);
            fitted.measured(index).unwrap_or_else(|| {
                let fraction = super::envelope::interpolated(&fractions, speed).unwrap_or(1.0);
                let inside = reached.is_some_and(|[low, high]| (low..=high).contains(&speed));
                unmeasured(speed, fraction * braking.at(speed), if inside { Origin::Between } else { Origin::Beyond })
            })
        };
        Curve { points: (0..grid.count).map(of_point).collect(), reached_mps: reached }
    }

    /// The engine: as in `fitted` where it was measured, and below at least what the tyres transmitted
    /// on the greatest grip, and at least what it gives at higher speeds.
    pub fn engine(&self, fitted: &Curve, tyres: &Curve) -> Curve {
        let is_measured = |point: &CurvePoint| point.origin == Origin::Measured;
        let begin = fitted.points.iter().position(is_measured).unwrap_or(0);
        let mut points: Vec<CurvePoint> = fitted.points.clone();
        let mut min = 0.0_f64;
        for (index, point) in points.iter_mut().enumerate().rev() {
            if index < begin && point.speed_mps < self.transition / self.greatest_factor {
                min = min.max(self.greatest_factor * tyres.points[index].limit_mps2);
                *point = unmeasured(point.speed_mps, min.max(point.limit_mps2), Origin::Beyond);
            }
            min = min.max(point.limit_mps2);
        }
        Curve { points, reached_mps: fitted.reached_mps }
    }
}

/// Which bins the tyres limit: those in which the drive follows the grip.
fn traction_bins(known: &Known, grid: &Grid, full: &[Sample], braking: &Envelope) -> Vec<bool> {
    let mut inside: Vec<Vec<&Sample>> = vec![Vec::new(); grid.count];
    for sample in full {
        if let Some(bin) = inside.get_mut((sample.speed / grid.width).round() as usize) {
            bin.push(sample);
        }
    }
    let follows_grip = |samples: &Vec<&Sample>| {
        let mut factors: Vec<f64> = samples.iter().map(|sample| road_factor(braking, sample)).collect();
        let middle = median(&mut factors);
        // Two halves by the grip, and the edge of each.
        let half = |is_high: bool| {
            let chosen: Vec<&&Sample> =
                samples.iter().filter(|sample| (road_factor(braking, sample) > middle) == is_high).collect();
            let mut factors: Vec<f64> = chosen.iter().map(|sample| road_factor(braking, sample)).collect();
            let values: Vec<(f64, f64)> =
                chosen.iter().map(|sample| (sample.clock_s, known.against_resistance(sample))).collect();
            let usual = quantile(&mut values.iter().map(|(_, value)| *value).collect::<Vec<_>>(), 0.9);
            let edge = upper_edge(&values, math::hypot(known.samples.noise_along, 0.02 * usual))?;
            Some((median(&mut factors), edge.place))
        };
        let ((low_grip, low), (high_grip, high)) = half(false).zip(half(true))?;
        let spread = high_grip / low_grip;
        (spread > GRIP_SPREAD).then(|| math::ln(high / low) / math::ln(spread) > TRACTION_POWER)
    };
    let reported: Vec<(usize, bool)> =
        inside.iter().map(follows_grip).enumerate().filter_map(|(i, by)| Some((i, by?))).collect();
    // From the lowest speed on: the tyres do not limit again above the engine. The end is where the
    // smallest number of bins disagrees.
    let contrary =
        |end: usize| reported.iter().enumerate().filter(|(place, (_, by_tyres))| *by_tyres != (*place < end)).count();
    let end = (0..=reported.len()).min_by_key(|&end| contrary(end)).unwrap_or(0);
    let last = end.checked_sub(1).map(|place| reported[place].0);
    (0..grid.count).map(|i| last.is_some_and(|last| i <= last)).collect()
}
