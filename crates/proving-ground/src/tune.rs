//! Tuning by covariance matrix adaptation (Hansen and Ostermeier 2001), on the training paths.

use anyhow::anyhow;
use cmaes::{CMAESOptions, DVector};
use rayon::prelude::*;

use crate::contender::Contender;
use crate::parameters::{from_units, to_units};
use crate::scene::Scene;
use crate::trial::{self, Outcome, Watch};
use crate::vehicle::VehicleModel;

/// Cost of exceeding the bounds by the width of the range; the parameter is clamped to the bound.
const OUTSIDE_COST: f64 = 10.0;
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
/// best cost.
///
/// # Errors
/// A start that the search rejects.
pub fn tune(
    start: &Contender,
    vehicles: &[VehicleModel],
    scenes: &[Scene],
    budget: Budget,
    mut watch: impl FnMut(usize, f64),
) -> anyhow::Result<Tuned> {
    let all: Vec<VehicleModel> = vehicles.iter().map(worn).collect();
    let before = cost(start, &all, scenes);
    let objective = |x: &DVector<f64>| {
        let outside: f64 = x.iter().map(|fraction| (fraction - fraction.clamp(0.0, 1.0)).abs()).sum();
        cost(&from_units(start, x.as_slice()), &all, scenes) + OUTSIDE_COST * outside
    };
    let mut state = CMAESOptions::new(to_units(start), budget.first_deviation)
        .population_size(budget.population)
        .max_generations(budget.generations)
        .tol_fun(0.0)
        .seed(budget.seed)
        .build(objective)
        .map_err(|error| anyhow!("the search can't begin: {error:?}"))?;
    let mut best = (before, *start);
    for generation in 1..=budget.generations {
        let ended = state.next().is_some();
        if let Some(found) = state.overall_best_individual()
            && found.value < best.0
        {
            best = (found.value, from_units(start, found.point.as_slice()));
        }
        watch(generation, best.0);
        if ended {
            break;
        }
    }
    let after = cost(&best.1, &all, scenes);
    Ok(Tuned { contender: best.1, cost: [before, after] })
}

/// Mean cost of `contender` over vehicles and scenes; a follower that cannot be built costs a
/// million.
#[must_use]
pub fn cost(contender: &Contender, vehicles: &[VehicleModel], scenes: &[Scene]) -> f64 {
    let trials: Vec<(&VehicleModel, &Scene)> =
        vehicles.iter().flat_map(|vehicle| scenes.iter().map(move |scene| (vehicle, scene))).collect();
    let costs: Vec<f64> = trials
        .par_iter()
        .map(|(vehicle, scene)| {
            let Ok(mut follower) = contender.build(vehicle) else { return 1e6 };
            let outcome = trial::run(
                scene,
                vehicle,
                follower.as_mut(),
                Watch { limit_s: LIMIT_S, limit_events: LIMIT_EVENTS, trace: false },
            );
            cost_of(&outcome, scene.nominal_length_m())
        })
        .collect();
    // Summed in order, so that the result does not depend on the number of threads.
    costs.iter().sum::<f64>() / costs.len().max(1) as f64
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
