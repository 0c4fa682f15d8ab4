//! The limits of the tyres: braking, cornering and the ellipse between them.
//!
//! Each needs the other two: a sample in a bend shows the lateral limit only with the part of the
//! friction that driving or braking takes, and the change of the limit by a crest depends on the
//! downforce. All are therefore fitted in turn, a few times.

use super::calibration::{Estimate, Origin};
use super::envelope::{Bin, Candidate, Envelope, Grid, Growth, bins};
use super::resistance::PedalFit;
use super::samples::{Sample, Samples};
use super::statistics::quantile;
use super::upper_edge::upper_edge;
use raceline_car::{GgDiagram, Vehicle, VehicleError};
use raceline_numerics::math;

const ROUNDS: usize = 5;
/// Largest part of the other limit that a sample may use, in the first round and later.
const MAX_OTHER: [f64; 2] = [0.25, 0.4];
/// Values below this fraction of the limit carry no information about it.
const MIN_USE: f64 = 0.4;
/// The brake is fully pressed, near the edge of a bin.
const FULL_BRAKE: f64 = 0.95;
/// With anti-lock brakes, which ease the pedal, deceleration of this fraction of what the lateral
/// limit and the base's proportion imply is the limit too, if the pedal is full at other times or
/// the brakes are stronger than the tyres.
const SATURATED: f64 = 0.95;
/// Brakes are stronger than the tyres if the full pedal would give this multiple of the same.
const STRONG: f64 = 1.2;
/// A bin with fewer samples at its edge is no proof of the braking limit.
const MIN_AT_EDGE: usize = 12;
/// The smallest plausible fraction of the implied limit where the pedal is not known.
const PLAUSIBLE: f64 = 0.75;
/// The brakes' force is continued in proportion to the full pedal from this position on.
const MIN_BRAKE: f64 = 0.7;
/// Below this fraction of what the braking limit and the base's proportion imply, the lateral limit
/// was not reached.
const MIN_LATERAL: f64 = 0.65;
/// Where a sample uses at least this of both limits, it determines the ellipse's exponent.
const MIN_COMBINED: f64 = 0.4;
const EXPONENTS: [f64; 2] = [1.0, 4.0];
const MIN_AT_ELLIPSE: usize = 60;
/// An exponent that is less certain is not used.
const MAX_EXPONENT_ERROR: f64 = 0.4;
/// Error of an exponent from limits that are known to about 1.5 %, beside its own.
const EXPONENT_ERROR: f64 = 0.15;
/// Usual deviation of exponents from the base's.
const EXPONENT_SPREAD: f64 = 0.3;
/// Parts of the speeds of the telemetry.
const PARTS: f64 = 16.0;

/// The limits of the base, which start the fit and fill what the telemetry does not show.
pub(super) struct BaseLimits {
    pub lateral: Growth,
    pub longitudinal: Growth,
    exponent: f64,
}

impl BaseLimits {
    pub fn of(base: &Vehicle, fastest: f64) -> Result<Self, VehicleError> {
        let diagram = GgDiagram::new(base)?;
        let w = fastest * fastest;
        let growth = |limit: &dyn Fn(f64) -> f64| Growth {
            constant: limit(0.0),
            growth: ((limit(w) - limit(0.0)) / w).max(0.0),
            covariance: [[0.0; 2]; 2],
            is_fitted: false,
        };
        Ok(Self {
            lateral: growth(&|w| diagram.lateral_limit(w)),
            longitudinal: growth(&|w| diagram.longitudinal_limit_jet(w).value),
            exponent: diagram.exponent(),
        })
    }

    /// The longitudinal limit as a multiple of the lateral one.
    fn proportion(&self, speed: f64) -> f64 {
        self.longitudinal.at(speed) / self.lateral.at(speed)
    }
}

/// A limit with its bins.
#[derive(Clone, Debug)]
pub(super) struct Limit {
    pub envelope: Envelope,
    pub bins: Vec<Option<Bin>>,
    /// [`Origin::Measured`], or how it was filled as a whole.
    pub origin: Origin,
    /// The greatest edge of a bin, m/s².
    pub max: f64,
}

/// The limits of the tyres.
pub(super) struct Limits {
    pub grid: Grid,
    pub braking: Limit,
    pub lateral: Limit,
    pub exponent: Option<Estimate>,
}

/// What a fit needs to know of the car besides the samples.
pub(super) struct Known<'a> {
    pub samples: &'a Samples,
    pub pedals: Option<&'a PedalFit>,
    /// c_d / m, 1/m, and c_r g, m/s².
    pub resistance: [f64; 2],
    pub base: &'a BaseLimits,
    pub fastest: f64,
    pub top: f64,
}

impl Known<'_> {
    /// The acceleration along the road without the resistance, m/s².
    pub fn against_resistance(&self, sample: &Sample) -> f64 {
        sample.along + self.resistance[0] * sample.speed * sample.speed + self.resistance[1]
    }
}

/// The factor by which grip and load change a limit at a sample.
pub(super) fn road_factor(limit: &Envelope, sample: &Sample) -> f64 {
    sample.grip * limit.model.load_factor(sample.speed, sample.normal)
}

/// The part of one limit that remains beside the use of the other.
fn remaining(used: f64, exponent: f64) -> f64 {
    math::powf(1.0 - math::powf(used.min(0.999), exponent), exponent.recip())
}

/// Fits the limits.
pub(super) fn limits(known: &Known) -> Limits {
    let grid = Grid::new(known.fastest, known.top, PARTS);
    let mut across: Vec<f64> = known.samples.all.iter().map(|sample| sample.steady / sample.grip).collect();
    let greatest = quantile(&mut across, 0.99).max(0.05);
    let scale = greatest / known.base.lateral.at(0.5 * known.fastest);
    let scaled =
        |growth: &Growth| Growth { constant: scale * growth.constant, growth: scale * growth.growth, ..*growth };
    let start = |growth: &Growth| Limit {
        envelope: Envelope::of_model(scaled(growth)),
        bins: vec![None; grid.count],
        origin: Origin::Base,
        max: 0.0,
    };
    let mut lateral = start(&known.base.lateral);
    let mut braking = start(&known.base.longitudinal);
    let mut exponent = known.base.exponent;
    let mut estimate = None;
    for round in 0..ROUNDS {
        let max_other = MAX_OTHER[round.min(1)];
        let found = lateral_candidates(known, &lateral.envelope, &braking.envelope, exponent, max_other);
        lateral = lateral_limit(known, &grid, &found, &lateral.envelope);
        let found = braking_candidates(known, &lateral.envelope, &braking.envelope, exponent, max_other);
        braking = braking_limit(known, &grid, &found, &braking.envelope, &lateral);
        lateral = checked_lateral(known, lateral, &braking);
        if round > 0 {
            let is_known =
                matches!(braking.origin, Origin::Measured | Origin::Pedal) && lateral.origin == Origin::Measured;
            estimate = is_known.then(|| ellipse_exponent(known, &lateral.envelope, &braking.envelope)).flatten();
            exponent = estimate.map_or(known.base.exponent, |estimate: Estimate| estimate.value);
        }
    }
    Limits { grid, braking, lateral, exponent: estimate }
}

fn lateral_candidates(
    known: &Known,
    lateral: &Envelope,
    braking: &Envelope,
    exponent: f64,
    max_other: f64,
) -> Vec<Candidate> {
    let of = |sample: &Sample| {
        let used = known.against_resistance(sample).abs() / (braking.at(sample.speed) * road_factor(braking, sample));
        let factor = road_factor(lateral, sample);
        let is_usable = used < max_other && factor > 0.2 && sample.steady > MIN_USE * factor * lateral.at(sample.speed);
        is_usable.then(|| Candidate {
            clock_s: sample.clock_s,
            speed: sample.speed,
            value: sample.steady / (factor * remaining(used, exponent)),
            pedal: f64::NAN,
        })
    };
    known.samples.all.iter().filter_map(of).collect()
}

fn braking_candidates(
    known: &Known,
    lateral: &Envelope,
    braking: &Envelope,
    exponent: f64,
    max_other: f64,
) -> Vec<Candidate> {
    let of = |sample: &Sample| {
        let used = sample.across / (lateral.at(sample.speed) * road_factor(lateral, sample));
        let factor = road_factor(braking, sample);
        let along = -known.against_resistance(sample);
        let is_usable = used < max_other && factor > 0.2 && along > 0.0;
        is_usable.then(|| Candidate {
            clock_s: sample.clock_s,
            speed: sample.speed,
            value: along / (factor * remaining(used, exponent)),
            pedal: if known.samples.has_brake { sample.brake } else { f64::NAN },
        })
    };
    known.samples.all.iter().filter_map(of).collect()
}

/// The greatest edge, m/s².
fn most_of(bins: &[Option<Bin>]) -> f64 {
    bins.iter().flatten().map(|bin| bin.value).fold(0.0, f64::max)
}

fn lateral_limit(known: &Known, grid: &Grid, found: &[Candidate], before: &Envelope) -> Limit {
    let bins = bins(found, grid, &|speed| before.at(speed), known.samples.noise_across, upper_edge);
    let with_edges: Vec<Bin> = bins.iter().flatten().copied().collect();
    let max = most_of(&bins);
    match Envelope::through(&with_edges, known.base.lateral.ratio(), known.fastest) {
        Some(envelope) => Limit { envelope, bins, origin: Origin::Measured, max },
        None => Limit { envelope: Envelope::of_model(known.base.lateral), bins, origin: Origin::Base, max },
    }
}

/// Whether a bin shows the limit of the brakes, where the lateral limit and the base imply `expected_mps2`;
/// `may_saturate`: the brakes may be stronger than the tyres.
fn is_at_braking_limit(bin: &Bin, expected_mps2: f64, may_saturate: bool) -> bool {
    let is_full = if bin.pedal.is_finite() {
        bin.pedal >= FULL_BRAKE || (may_saturate && bin.value >= SATURATED * expected_mps2)
    } else {
        bin.value >= PLAUSIBLE * expected_mps2
    };
    is_full && bin.samples >= MIN_AT_EDGE
}

fn braking_limit(known: &Known, grid: &Grid, found: &[Candidate], before: &Envelope, lateral: &Limit) -> Limit {
    let bins = bins(found, grid, &|speed| before.at(speed), known.samples.noise_along, upper_edge);
    let max = most_of(&bins);
    let mut brakes: Vec<f64> = known.samples.all.iter().map(|sample| sample.brake).collect();
    let max_brake = if known.samples.has_brake { quantile(&mut brakes, 0.999) } else { 0.0 };
    let middle = 0.5 * known.fastest;
    let is_strong = known.pedals.is_some_and(|pedals| {
        let full = pedals.brake[0] + pedals.brake[1] * middle * middle;
        full > STRONG * known.base.proportion(middle) * lateral.envelope.at(middle)
    });
    let may_saturate = max_brake >= FULL_BRAKE || is_strong;
    let is_at_limit = |bin: &&Bin| {
        is_at_braking_limit(bin, known.base.proportion(bin.speed) * lateral.envelope.at(bin.speed), may_saturate)
    };
    let at_limit: Vec<Bin> = bins.iter().flatten().filter(is_at_limit).copied().collect();
    let ratio = known.base.longitudinal.ratio();
    if let Some(envelope) = Envelope::through(&at_limit, ratio, known.fastest) {
        return Limit { envelope, bins, origin: Origin::Measured, max };
    }
    let (model, origin) =
        if let Some(pedals) = known.pedals.filter(|pedals| pedals.max_brake >= MIN_BRAKE && !is_strong) {
            let variance = pedals.brake_error * pedals.brake_error;
            let [constant, growth] = pedals.brake;
            let covariance = [[variance, 0.0], [0.0, 0.0]];
            (Growth { constant, growth: growth.max(0.0), covariance, is_fitted: true }, Origin::Pedal)
        } else if lateral.origin == Origin::Measured {
            let proportion = known.base.proportion(0.5 * known.fastest);
            let model = lateral.envelope.model;
            let scaled = Growth { constant: proportion * model.constant, growth: proportion * model.growth, ..model };
            (scaled, Origin::Proportion)
        } else {
            (known.base.longitudinal, Origin::Base)
        };
    Limit { envelope: Envelope::of_model(model), bins, origin, max }
}

/// The lateral limit, or what the braking limit implies of it where bends were never driven at it.
fn checked_lateral(known: &Known, lateral: Limit, braking: &Limit) -> Limit {
    let proportion = known.base.proportion(0.5 * known.fastest);
    let model = braking.envelope.model;
    let expected = |speed: f64| braking.envelope.at(speed) / proportion;
    let is_low = |bin: &Bin| bin.value < MIN_LATERAL * expected(bin.speed);
    let was_fully_braked = braking.origin == Origin::Measured
        && braking.bins.iter().flatten().any(|bin| bin.pedal >= FULL_BRAKE && braking.envelope.is_reached(bin));
    if !was_fully_braked || !lateral.bins.iter().flatten().all(is_low) {
        return lateral;
    }
    let scaled = Growth { constant: model.constant / proportion, growth: model.growth / proportion, ..model };
    Limit { envelope: Envelope::of_model(scaled), origin: Origin::Proportion, ..lateral }
}

/// The exponent at which samples that brake in bends end at 1, drawn a little to the base's.
fn ellipse_exponent(known: &Known, lateral: &Envelope, braking: &Envelope) -> Option<Estimate> {
    let uses = |sample: &Sample| {
        let along = -known.against_resistance(sample) / (braking.at(sample.speed) * road_factor(braking, sample));
        let across = sample.steady / (lateral.at(sample.speed) * road_factor(lateral, sample));
        (along > MIN_COMBINED && across > MIN_COMBINED).then_some((sample.clock_s, along, across))
    };
    let combined: Vec<(f64, f64, f64)> = known.samples.all.iter().filter_map(uses).collect();
    let limit = lateral.at(0.5 * known.fastest);
    let noise =
        math::hypot(known.samples.noise_along.max(known.samples.noise_across) / limit, super::envelope::MODEL_ERROR);
    let edge = |p: f64| {
        let values: Vec<(f64, f64)> = combined
            .iter()
            .map(|(clock, x, y)| (*clock, math::powf(math::powf(*x, p) + math::powf(*y, p), p.recip())))
            .collect();
        upper_edge(&values, noise)
    };
    // The edge falls as the exponent rises.
    let [mut low, mut high] = EXPONENTS;
    if edge(low)?.place < 1.0 || edge(high)?.place > 1.0 {
        return None;
    }
    while high - low > 0.01 {
        let middle = 0.5 * (low + high);
        if edge(middle)?.place > 1.0 { low = middle } else { high = middle }
    }
    let value = 0.5 * (low + high);
    let found = edge(value)?;
    let slope = (edge(value + 0.1)?.place - edge((value - 0.1).max(1.0))?.place) / (0.1 + (value - 1.0).min(0.1));
    let standard_error = found.standard_error / slope.abs().max(1e-6);
    let standard_error = math::hypot(standard_error, EXPONENT_ERROR);
    let is_certain = found.samples >= MIN_AT_ELLIPSE && standard_error < MAX_EXPONENT_ERROR;
    // What limits of this certainty show, mixed with what is usual.
    let prior = math::powi(EXPONENT_SPREAD, -2);
    let reported = math::powi(standard_error, -2);
    let value = (reported * value + prior * known.base.exponent) / (reported + prior);
    let standard_error = math::powf(reported + prior, -0.5);
    is_certain.then_some(Estimate { value, standard_error: Some(standard_error), samples: found.samples })
}

#[cfg(test)]
mod tests {
    use super::{Bin, is_at_braking_limit};

    #[test]
    fn brakes_are_at_their_limit_with_a_full_pedal_or_saturated_tyres() {
        let bin = |pedal: f64, value: f64| Bin { speed: 30.0, value, standard_error: 0.1, samples: 50, pedal };
        let at_limit = |bin: &Bin, may_saturate: bool| is_at_braking_limit(bin, 10.0, may_saturate);
        assert!(at_limit(&bin(0.96, 5.0), false) && !at_limit(&bin(0.94, 9.6), false));
        // An anti-lock brake eases the pedal.
        assert!(at_limit(&bin(0.8, 9.6), true) && !at_limit(&bin(0.8, 9.4), true));
        // Without a pedal what is plausible counts.
        assert!(at_limit(&bin(f64::NAN, 7.6), false) && !at_limit(&bin(f64::NAN, 7.4), false));
        assert!(!at_limit(&Bin { samples: 11, ..bin(1.0, 10.0) }, false));
    }
}
