//! The noise under which a log is most likely, by a pattern search over the logarithms of its six
//! parameters (Hooke and Jeeves, *Direct search*, Journal of the ACM 8, 1961).

use super::filter::Belief;
use super::{Measurement, Noise};

/// Measurements of which the likelihood is computed.
const MAX_MEASUREMENTS: usize = 2500;
/// Steps of the search: factors, from coarse to fine.
const FACTORS: [f64; 4] = [3.0, 1.7, 1.25, 1.1];
/// Rounds with each factor.
const ROUNDS: usize = 3;
/// Where the search starts for positions that scatter, beside speeds and headings of the same time.
const SCATTERED: Noise =
    Noise { position_m: 1.0, speed_mps: 0.1, heading_rad: 0.01, jerk: 10.0, wander: 1e-4, lag_s: 1e-3 };
/// Where it starts for positions that wander, beside speeds and headings that lag: what a receiver gives
/// that filters them. Between the two the likelihood has a valley that no step crosses.
const WANDERING: Noise =
    Noise { position_m: 0.02, speed_mps: 0.1, heading_rad: 0.01, jerk: 10.0, wander: 0.1, lag_s: 0.1 };
/// How much more likely each measurement must be if positions wander, as a logarithm. The slow drift that
/// is fitted later is worth a tenth of one, the filter of a receiver about ten.
const WANDERING_GAIN: f64 = 1.0;
/// Ranges of the parameters.
const RANGES: [[f64; 2]; 6] = [[0.005, 20.0], [0.005, 3.0], [5e-4, 0.3], [0.3, 60.0], [1e-4, 2.0], [0.001, 1.0]];

/// The noise of greatest likelihood; `measurements` are in the order of time.
pub(super) fn noise_of(measurements: &[Measurement]) -> Noise {
    let part = middle(measurements);
    let has = |of: fn(&Measurement) -> bool| part.iter().any(of);
    let has_speed = has(|measured| measured.speed_mps.is_some());
    let has_heading = has(|measured| measured.heading_rad.is_some());
    let has_velocity = has_speed || has_heading;
    let (scattered, scattered_cost) = search(part, [true, has_speed, has_heading, true, false, false], SCATTERED);
    let (wandering, wandering_cost) =
        search(part, [true, has_speed, has_heading, true, has_velocity, has_velocity], WANDERING);
    if scattered_cost - wandering_cost > WANDERING_GAIN * part.len() as f64 { wandering } else { scattered }
}

/// The noise of greatest likelihood near `start`, and its cost; parameters that are not `searched` keep
/// their values.
fn search(part: &[Measurement], searched: [bool; 6], start: Noise) -> (Noise, f64) {
    let mut best = values(start);
    let mut lowest = cost(part, noise(best));
    for factor in FACTORS {
        for _ in 0..ROUNDS {
            let before = lowest;
            for (parameter, _) in searched.iter().enumerate().filter(|(_, searched)| **searched) {
                for step in [factor, 1.0 / factor] {
                    let mut tried = best;
                    let [low, high] = RANGES[parameter];
                    tried[parameter] = (tried[parameter] * step).clamp(low, high);
                    let found = cost(part, noise(tried));
                    if found < lowest {
                        (best, lowest) = (tried, found);
                        break;
                    }
                }
            }
            if lowest >= before {
                break;
            }
        }
    }
    (noise(best), lowest)
}

/// The middle part of a log, in which the vehicle drives.
fn middle(measurements: &[Measurement]) -> &[Measurement] {
    let spare = measurements.len().saturating_sub(MAX_MEASUREMENTS);
    measurements.get(spare / 2..measurements.len() - (spare - spare / 2)).unwrap_or(measurements)
}

fn values(noise: Noise) -> [f64; 6] {
    [noise.position_m, noise.speed_mps, noise.heading_rad, noise.jerk, noise.wander, noise.lag_s]
}

fn noise([position_m, speed_mps, heading_rad, jerk, wander, lag_s]: [f64; 6]) -> Noise {
    Noise { position_m, speed_mps, heading_rad, jerk, wander, lag_s }
}

/// The negative logarithm of the likelihood of the measurements.
fn cost(measurements: &[Measurement], noise: Noise) -> f64 {
    let mut total = 0.0;
    let mut belief: Option<(Belief, f64)> = None;
    for measured in measurements {
        let next = match (belief, measured.position_m) {
            (Some((belief, time_s)), _) => {
                belief.predicted(measured.time_s - time_s, &noise).corrected(measured, &noise, &mut total)
            }
            (None, Some(position)) => Belief::at(position, &noise).corrected(measured, &noise, &mut 0.0),
            (None, None) => continue,
        };
        belief = Some((next, measured.time_s));
    }
    if total.is_finite() { total } else { f64::INFINITY }
}
