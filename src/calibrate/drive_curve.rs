//! The drive at full throttle over speed: the acceleration without the resistance. Without a throttle,
//! it is the upper edge of all accelerations.

use super::calibration::{Curve, CurvePoint, Note, Origin};
use super::envelope::{Bin, Candidate, Envelope, Grid, bins, interpolated};
use super::limits::{Known, Limits, road_factor};
use super::location::location;
use super::resistance::DOWN;
use super::samples::Sample;
use super::statistics::{median, quantile};
use super::upper_edge::upper_edge;

/// Parts of the speeds of the telemetry.
const PARTS: f64 = 32.0;
/// Most part of the lateral limit while accelerating.
const MOST_LATERAL: f64 = 0.3;
/// Fewest samples with an open throttle.
const LEAST_SAMPLES: usize = 60;
const ROUNDS: usize = 4;
/// Without a throttle, a bin this far below the line between its neighbours was not fully driven.
const BELOW_NEIGHBOURS: f64 = 0.07;
/// Grips that differ by this factor tell what limits the drive.
const GRIP_SPREAD: f64 = 1.06;
/// The tyres limit the drive where it changes by more than this power of the grip.
const TRACTION_POWER: f64 = 0.5;
/// Uncertainty of what was filled, as a fraction.
const FILLED_ERROR: f64 = 0.05;

/// The drive and what is to be said about it; `None` where nothing accelerates.
pub(super) fn drive_curve(known: &Known, limits: &Limits, notes: &mut Vec<Note>) -> Option<Curve> {
    let grid = Grid::new(known.fastest, known.top, PARTS);
    let (full, most_throttle) = full_throttle(known, limits);
    if let Some(most_throttle) = most_throttle {
        notes.push(Note::DriveNotReached { most_throttle });
    }
    let traction = traction_bins(known, &grid, &full, &limits.braking.envelope);
    let candidates: Vec<Candidate> = full
        .iter()
        .map(|sample| {
            let index = (sample.speed / grid.width).round() as usize;
            let by_tyres = traction.get(index).copied().unwrap_or(false);
            let factor = if by_tyres { road_factor(&limits.braking.envelope, sample) } else { 1.0 };
            let value = known.against_resistance(sample) / factor;
            Candidate { clock_s: sample.clock_s, speed: sample.speed, value, pedal: sample.throttle }
        })
        .collect();
    if let Some(last) = traction.iter().rposition(|by_tyres| *by_tyres) {
        notes.push(Note::Traction { below_mps: grid.speed(last) + 0.5 * grid.width });
    }
    let mut values: Vec<f64> = candidates.iter().map(|candidate| candidate.value).collect();
    let start = quantile(&mut values, 0.95);
    if candidates.is_empty() || start <= 0.0 {
        return None;
    }
    // At full throttle, every sample is at the limit.
    let estimator = if known.samples.has_throttle { location } else { upper_edge };
    let mut points: Vec<[f64; 2]> = Vec::new();
    let mut found: Vec<Option<Bin>> = Vec::new();
    for _ in 0..ROUNDS {
        let reference = |speed: f64| interpolated(&points, speed).unwrap_or(start);
        found = bins(&candidates, &grid, &reference, known.samples.noise_along, estimator);
        if !known.samples.has_throttle {
            without_sags(&mut found);
        }
        points = found.iter().flatten().filter(|bin| bin.value > 0.0).map(|bin| [bin.speed, bin.value]).collect();
    }
    let (first, last) = (*points.first()?, *points.last()?);
    let of_point = |index: usize| {
        let speed = grid.speed(index);
        if let Some(bin) = found.get(index).copied().flatten().filter(|bin| bin.value > 0.0) {
            return CurvePoint {
                speed_mps: speed,
                limit_mps2: bin.value,
                standard_error_mps2: Some(bin.standard_error),
                samples: bin.samples,
                origin: Origin::Measured,
            };
        }
        let (limit_mps2, origin) = if speed < first[0] {
            (first[1], Origin::Beyond)
        } else if speed > last[0] {
            (last[1] * last[0] / speed, Origin::Beyond)
        } else {
            (interpolated(&points, speed).unwrap_or(first[1]), Origin::Between)
        };
        let standard_error_mps2 = Some(FILLED_ERROR * limit_mps2);
        CurvePoint { speed_mps: speed, limit_mps2, standard_error_mps2, samples: 0, origin }
    };
    Some(Curve { points: (0..grid.count).map(of_point).collect(), reached_mps: Some([first[0], last[0]]) })
}

/// The samples with the throttle open, on straights, and how far it was at most open if never fully.
fn full_throttle(known: &Known, limits: &Limits) -> (Vec<Sample>, Option<f64>) {
    let lateral = &limits.lateral.envelope;
    let is_straight =
        |sample: &&Sample| sample.across < MOST_LATERAL * lateral.at(sample.speed) * road_factor(lateral, sample);
    let is_driving = |sample: &&Sample| !sample.shifts && !sample.is_braked() && known.against_resistance(sample) > 0.0;
    let driving: Vec<Sample> = known.samples.all.iter().filter(is_straight).filter(is_driving).copied().collect();
    if !known.samples.has_throttle {
        return (driving, None);
    }
    let open =
        |least: f64| -> Vec<Sample> { driving.iter().filter(|sample| sample.throttle >= least).copied().collect() };
    let full = open(DOWN);
    if full.len() >= LEAST_SAMPLES {
        return (full, None);
    }
    let mut throttles: Vec<f64> = driving.iter().map(|sample| sample.throttle).collect();
    let most = quantile(&mut throttles, 0.95);
    (open(0.95 * most), Some(most))
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
            let edge = upper_edge(&values, known.samples.noise_along.hypot(0.02 * usual))?;
            Some((median(&mut factors), edge.place))
        };
        let ((low_grip, low), (high_grip, high)) = half(false).zip(half(true))?;
        let spread = high_grip / low_grip;
        (spread > GRIP_SPREAD).then(|| (high / low).ln() / spread.ln() > TRACTION_POWER)
    };
    let told: Vec<(usize, bool)> =
        inside.iter().map(follows_grip).enumerate().filter_map(|(i, by)| Some((i, by?))).collect();
    // From the lowest speed on: an engine does not give way to the tyres again. The end is where the
    // fewest bins say otherwise.
    let contrary =
        |end: usize| told.iter().enumerate().filter(|(place, (_, by_tyres))| *by_tyres != (*place < end)).count();
    let end = (0..=told.len()).min_by_key(|&end| contrary(end)).unwrap_or(0);
    let last = end.checked_sub(1).map(|place| told[place].0);
    (0..grid.count).map(|i| last.is_some_and(|last| i <= last)).collect()
}

/// Drops bins that lie far below the line between their neighbours.
fn without_sags(found: &mut [Option<Bin>]) {
    let points: Vec<(usize, f64, f64)> =
        found.iter().enumerate().filter_map(|(i, bin)| bin.map(|bin| (i, bin.speed, bin.value))).collect();
    for three in points.windows(3) {
        let [(_, v0, a0), (index, v1, a1), (_, v2, a2)] = [three[0], three[1], three[2]];
        let line = a0 + (a2 - a0) * (v1 - v0) / (v2 - v0);
        if a1 < (1.0 - BELOW_NEIGHBOURS) * line {
            found[index] = None;
        }
    }
}
