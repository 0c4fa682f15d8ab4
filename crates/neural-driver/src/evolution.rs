//! Evolution of a network's last layer on lap times: covariance matrix adaptation (Hansen and
//! Ostermeier 2001), with the crate `cmaes`.

use std::sync::Arc;

use cmaes::{CMAESOptions, DVector};
use raceline::drive::{DriveOptions, FollowerKind, Simulation, drive_in};
use raceline_follower::neural::{Layer, Network};
use rayon::prelude::*;

use crate::course::Course;
use crate::error::TrainError;
use crate::options::TrainOptions;

/// First standard deviation of the weights, as a fraction of the root mean square of their layer.
const FIRST_DEVIATION: f64 = 0.03;
/// Individuals per generation.
const POPULATION: usize = 16;
/// Cost of a drive that is not complete, in laps of the profile, and of leaving the road, per metre.
const INCOMPLETE: f64 = 10.0;
const OUTSIDE_PER_M: f64 = 0.3;

/// The network with the last layer that has the smallest mean lap, as a multiple of the profile's, on
/// the
/// `evolve_lines` of the courses. Never worse than `network` by this measure.
///
/// # Errors
/// [`TrainError::Evolution`] if the search does not begin.
pub fn evolve(
    network: &Arc<Network>,
    courses: &[Course],
    options: &TrainOptions,
    report: &dyn Fn(&str),
) -> Result<Network, TrainError> {
    // Spread over all, which begin with those of one kind.
    let count = courses.len().min(options.evolve_lines as usize);
    let courses: Vec<&Course> = (0..count).map(|i| &courses[i * courses.len() / count]).collect();
    let Some((last, hidden)) = network.layers().split_last() else { return Ok(Network::clone(network)) };
    let numbers = (last.weights.len() + last.biases.len()) as f64;
    let squares = last.weights.iter().chain(&last.biases).map(|value| value * value).sum::<f64>();
    let unit = (squares / numbers).sqrt().max(1e-6);
    let genes: Vec<f64> = last.weights.iter().chain(&last.biases).map(|value| value / unit).collect();
    let made = |genes: &[f64]| {
        let (weights, biases) = genes.split_at(last.weights.len());
        let scaled = |genes: &[f64]| genes.iter().map(|gene| gene * unit).collect();
        let layer = Layer { weights: scaled(weights), biases: scaled(biases) };
        Network::new([hidden, &[layer]].concat())
    };
    // A set of weights that is no network is as bad as one that drives nowhere.
    let cost_of = |genes: &[f64]| made(genes).map_or(f64::MAX, |network| cost(&Arc::new(network), &courses));
    let mut best = (cost_of(&genes), genes.clone());
    report(&format!("evolution: cost {:.5} at the beginning", best.0));
    let mut state = CMAESOptions::new(genes, FIRST_DEVIATION)
        .population_size(POPULATION)
        .max_generations(options.evolve as usize)
        .seed(options.seed)
        .build(|x: &DVector<f64>| cost_of(x.as_slice()))
        .map_err(|error| TrainError::Evolution { reason: format!("{error:?}") })?;
    loop {
        let ended = state.next().is_some();
        if let Some(found) = state.overall_best_individual()
            && found.value < best.0
        {
            best = (found.value, found.point.as_slice().to_vec());
            report(&format!("evolution: cost {:.5} after {} drives", best.0, state.function_evals() * courses.len()));
        }
        if ended {
            break;
        }
    }
    Ok(made(&best.1)?)
}

/// The mean over the courses of a lap as a multiple of the profile's, with what leaving the road
/// costs.
fn cost(network: &Arc<Network>, courses: &[&Course]) -> f64 {
    let options = DriveOptions { follower: FollowerKind::Neural, laps: 1, ..DriveOptions::default() };
    let simulation = Simulation { network: Some(network), ..Simulation::default() };
    let one = |course: &&Course| {
        // Every course was prepared for this vehicle before.
        let Ok(drive) = drive_in(&course.line, &course.line.vehicle, &options, &simulation) else { return INCOMPLETE };
        let measures = drive.measures;
        let outside = OUTSIDE_PER_M * (-measures.min_room_m).max(0.0);
        match measures.of_profile() {
            Some(lap) if measures.is_complete() => lap + outside,
            _ => INCOMPLETE + outside.min(INCOMPLETE),
        }
    };
    let costs: Vec<f64> = courses.par_iter().map(one).collect();
    costs.iter().sum::<f64>() / courses.len().max(1) as f64
}
