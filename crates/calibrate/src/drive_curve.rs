//! The drive at full throttle over speed: the acceleration without the resistance. Without a throttle,
//! it is the upper edge of all accelerations.

use super::calibration::{Curve, Note};
use super::drive_bins::{Fitted, filled};
use super::envelope::{Candidate, Grid};
use super::limits::{Known, Limits, road_factor};
use super::resistance::DOWN;
use super::samples::Sample;
use super::statistics::quantile;
use super::traction::Traction;

/// Parts of the speeds of the telemetry.
const PARTS: f64 = 32.0;
/// Largest part of the lateral limit while accelerating.
const MAX_LATERAL: f64 = 0.3;
/// Minimum number of samples with an open throttle.
const MIN_SAMPLES: usize = 60;

/// The drive of the engine, and what the tyres transmit of it where they limit it.
pub(super) struct Drives {
    pub engine: Curve,
    pub tyres: Option<Curve>,
}

/// The drive and the remarks on it; `None` where nothing accelerates.
pub(super) fn drive_curve(known: &Known, limits: &Limits, notes: &mut Vec<Note>) -> Option<Drives> {
    let grid = Grid::new(known.fastest, known.top, PARTS);
    let braking = &limits.braking.envelope;
    let (full, max_throttle) = full_throttle(known, limits);
    if let Some(max_throttle) = max_throttle {
        notes.push(Note::DriveNotReached { max_throttle });
    }
    let candidate = |sample: &Sample, factor: f64| Candidate {
        clock_s: sample.clock_s,
        speed: sample.speed,
        value: known.against_resistance(sample) / factor,
        pedal: sample.throttle,
    };
    let Some(traction) = Traction::find(known, &grid, &full, braking) else {
        let all: Vec<Candidate> = full.iter().map(|sample| candidate(sample, 1.0)).collect();
        return Some(Drives { engine: filled(&grid, &Fitted::to(&all, &grid, known)?), tyres: None });
    };
    let chosen = |by_tyres: bool| -> Vec<Candidate> {
        let belongs = |sample: &&Sample| traction.limits(sample.speed, road_factor(braking, sample)) == Some(by_tyres);
        let factor = |sample: &Sample| if by_tyres { road_factor(braking, sample) } else { 1.0 };
        full.iter().filter(belongs).map(|sample| candidate(sample, factor(sample))).collect()
    };
    let tyres = Fitted::to(&chosen(true), &grid, known)?;
    notes.push(Note::Traction { below_mps: traction.nominal_mps() });
    let tyres = traction.curve(&grid, &tyres, braking);
    // An engine that was nowhere the limit gives what the tyres transmitted.
    let engine = match Fitted::to(&chosen(false), &grid, known) {
        Some(engine) => traction.engine(&filled(&grid, &engine), &tyres),
        None => tyres.clone(),
    };
    Some(Drives { engine, tyres: Some(tyres) })
}

/// The samples with the throttle open, on straights, and how far it was at most open if never fully.
fn full_throttle(known: &Known, limits: &Limits) -> (Vec<Sample>, Option<f64>) {
    let lateral = &limits.lateral.envelope;
    let is_straight =
        |sample: &&Sample| sample.across < MAX_LATERAL * lateral.at(sample.speed) * road_factor(lateral, sample);
    let is_driving = |sample: &&Sample| !sample.shifts && !sample.is_braked() && known.against_resistance(sample) > 0.0;
    let driving: Vec<Sample> = known.samples.all.iter().filter(is_straight).filter(is_driving).copied().collect();
    if !known.samples.has_throttle {
        return (driving, None);
    }
    let open = |min: f64| -> Vec<Sample> { driving.iter().filter(|sample| sample.throttle >= min).copied().collect() };
    let full = open(DOWN);
    if full.len() >= MIN_SAMPLES {
        return (full, None);
    }
    let mut throttles: Vec<f64> = driving.iter().map(|sample| sample.throttle).collect();
    let max = quantile(&mut throttles, 0.95);
    (open(0.95 * max), Some(max))
}
