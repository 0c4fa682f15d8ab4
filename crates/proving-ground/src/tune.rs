//! Tuning by covariance matrix adaptation with `raceline-tune`, on the training paths.

use raceline_follower::OptionsError;
use raceline_tune::{Options, Trial, Tuner};
use rayon::prelude::*;

use crate::contender::Contender;
use crate::parameters;
use crate::scene::Scene;
use crate::trial::{self, Outcome, Watch};
use crate::vehicle::VehicleModel;

/// Time limit of a training trial, seconds.
const LIMIT_S: f64 = 90.0;
/// A training trial ends at this many stuck events.
const LIMIT_EVENTS: usize = 3;
/// Cost of a metre of the path that was not driven or cut off, in seconds.
const LEFT_S: f64 = 1.0;
/// Cost of a stuck event, in seconds.
const STUCK_S: f64 = 60.0;
/// Fraction of the time that a vehicle may be outside the corridor, and cost of a second beyond it,
/// in seconds.
const OUTSIDE_FRACTION: f64 = 0.04;
const OUTSIDE_S: f64 = 4.0;
/// Mean distance that a vehicle may have from the path, metres, and cost of each metre beyond it,
/// in seconds a second.
const CROSS_TRACK_M: f64 = 0.7;
const CROSS_TRACK_S: f64 = 1.0;
/// Speed at which a path's length makes its trial's cost 1, m/s.
const NOMINAL_MPS: f64 = 5.0;
/// Training is driven with force, steering rate and response of the vehicle worse by this fraction,
/// so that the settings have a margin on the test paths. Grip is worse too, but our follower
/// receives the reduced value.
const WEAR: f64 = 0.1;

/// Length of the search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    /// Generations.
    pub generations: usize,
    /// Parameter sets tried in each.
    pub population: usize,
    /// Seed of the search.
    pub seed: u64,
    /// Initial standard deviation as a fraction of a parameter's range.
    pub first_deviation: f64,
}

impl Default for Budget {
    fn default() -> Self {
        Self { generations: 24, population: 14, seed: 1, first_deviation: 0.2 }
    }
}

/// The result of a search.
#[derive(Clone, Copy, Debug)]
pub struct Tuned {
    /// The follower with the parameters found.
    pub contender: Contender,
    /// Cost of the start and of the result: 1 is a path driven at 5 m/s on its line.
    pub cost: [f64; 2],
}

/// Tunes `start` for `vehicles` together on `scenes`; `watch` receives each generation's number and
/// the best cost so far.
///
/// # Errors
/// A start that makes no follower or lies outside of a parameter's bounds, and a budget that the
/// tuner does not take.
pub fn tune(
    start: &Contender,
    vehicles: &[VehicleModel],
    scenes: &[Scene],
    budget: Budget,
    mut watch: impl FnMut(usize, f64),
) -> anyhow::Result<Tuned> {
    let worn: Vec<VehicleModel> = vehicles.iter().map(worn).collect();
    let before = costs(&[*start], &worn, scenes).remove(0)?;
    let options = Options {
        population: Some(u32::try_from(budget.population)?),
        seed: budget.seed,
        first_deviation: budget.first_deviation,
        ..Options::default()
    };
    let mut tuner = Tuner::new(parameters::declared(start), options)?;
    let mut best = (before, *start);
    for generation in 1..=budget.generations {
        let trials = (0..budget.population).map(|_| tuner.ask()).collect::<Result<Vec<Trial>, _>>()?;
        let contenders: Vec<Contender> =
            trials.iter().map(|trial| parameters::with_values(start, &trial.values)).collect();
        for ((trial, contender), cost) in trials.iter().zip(&contenders).zip(costs(&contenders, &worn, scenes)) {
            let Ok(cost) = cost else {
                tuner.tell_failed(trial.id)?;
                continue;
            };
            tuner.tell(trial.id, cost)?;
            if cost < best.0 {
                best = (cost, *contender);
            }
        }
        watch(generation, best.0);
    }
    Ok(Tuned { contender: best.1, cost: [before, best.0] })
}

/// Mean cost of each contender over vehicles and scenes. All trials run in parallel.
fn costs(contenders: &[Contender], vehicles: &[VehicleModel], scenes: &[Scene]) -> Vec<Result<f64, OptionsError>> {
    let count = vehicles.len() * scenes.len();
    let trials: Vec<Result<f64, OptionsError>> = (0..contenders.len() * count)
        .into_par_iter()
        .map(|i| {
            let (contender, trial) = (&contenders[i / count], i % count);
            let (vehicle, scene) = (&vehicles[trial / scenes.len()], &scenes[trial % scenes.len()]);
            let watch = Watch { limit_s: LIMIT_S, limit_events: LIMIT_EVENTS, trace: false };
            let outcome = trial::run(scene, vehicle, contender.build(vehicle)?.as_mut(), watch);
            Ok(cost_of(&outcome, scene.nominal_length_m()))
        })
        .collect();
    // Summed in order, so that the result does not depend on the number of threads.
    let mean =
        |trials: &[Result<f64, OptionsError>]| Ok(trials.iter().cloned().sum::<Result<f64, _>>()? / count as f64);
    trials.chunks(count.max(1)).map(mean).collect()
}

fn cost_of(outcome: &Outcome, length_m: f64) -> f64 {
    let seconds = outcome.time_s
        + LEFT_S * (if outcome.finished { 0.0 } else { outcome.left_m.max(0.0) } + outcome.skipped_m)
        + STUCK_S * outcome.stuck_events as f64
        + OUTSIDE_S * (outcome.time_s * (1.0 - OUTSIDE_FRACTION) - outcome.inside_s).max(0.0)
        + CROSS_TRACK_S * (outcome.cross_track_ms - CROSS_TRACK_M * outcome.time_s).clamp(0.0, 10.0 * outcome.time_s);
    seconds / (length_m / NOMINAL_MPS)
}

fn worn(vehicle: &VehicleModel) -> VehicleModel {
    VehicleModel {
        friction: vehicle.friction * (1.0 - WEAR),
        drive_force_n: vehicle.drive_force_n * (1.0 - WEAR),
        brake_force_n: vehicle.brake_force_n * (1.0 - WEAR),
        steering_rate_radps: vehicle.steering_rate_radps * (1.0 - WEAR),
        pedal_lag_s: vehicle.pedal_lag_s * (1.0 + WEAR),
        ..*vehicle
    }
}
