//! Data aggregation: Ross, Gordon and Bagnell, *A Reduction of Imitation Learning and Structured
//! Prediction to No-Regret Online Learning*, AISTATS 2011, algorithm 3.1.
//!
//! In the first round the follower drives (β₁ = 1), in all other rounds the network of the round
//! before (β = 0). All samples of all rounds are fitted again, from the weights of the round
//! before.
//!
//! Samples of recorded driving are beside those of the rounds from the first one on. Without a line to
//! drive they are fitted alone: no one can be asked about other places than those that were recorded.

use std::sync::Arc;

use raceline_follower::neural::Network;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use crate::course::Course;
use crate::episode::{Episode, Wheel, drive_episode};
use crate::error::TrainError;
use crate::evolution::evolve;
use crate::fitting::{FitOptions, first_network, fit, loss};
use crate::options::TrainOptions;
use crate::samples::{Sample, Scales};

/// Passes of the last fit, as a multiple of those of a round.
const LAST_EPOCHS: u32 = 4;
/// One sample of this many is kept for comparing sizes: of each drive a stretch.
const HELD_OUT: usize = 10;
/// A smaller network is preferred up to this multiple of the smallest error.
const SLACK: f64 = 1.05;

/// The result of a training.
#[derive(Clone, Debug)]
pub struct Trained {
    /// The network.
    pub network: Arc<Network>,
    /// Loss of the last pass over the samples.
    pub loss: f64,
    /// Number of samples.
    pub samples: usize,
    /// Sizes that were tried, with their losses on samples that they were not fitted to.
    pub sizes: Vec<(usize, f64)>,
}

/// Trains a driver on drives of `courses`, on the samples of recorded driving, or on both; `report` gets a
/// sentence per round.
///
/// # Errors
/// An option out of its range, nothing to learn from, a course that cannot be driven, and failures of the
/// fit.
pub fn train(
    courses: &[Course],
    recorded: &[Sample],
    options: &TrainOptions,
    report: &dyn Fn(&str),
) -> Result<Trained, TrainError> {
    options.validate()?;
    let kept_apart = if options.sizes.is_empty() { 0 } else { recorded.len() / HELD_OUT };
    let (recorded, recorded_apart) = recorded.split_at(recorded.len() - kept_apart);
    if courses.is_empty() {
        return imitate(recorded, recorded_apart, options, report);
    }
    let blank = Arc::new(first_network(&options.hidden, options.seed)?);
    let (mut network, mut samples) = (Arc::clone(&blank), recorded.to_vec());
    let mut held_out = recorded_apart.to_vec();
    let mut scales = Scales::of(&[]);
    let mut last_loss = f64::INFINITY;
    for round in 0..options.rounds {
        let wheel = if round == 0 { Wheel::Follower } else { Wheel::Network(&network) };
        let drives = drives(courses, wheel, &blank, options, round)?;
        let lost = drives.iter().filter(|drive| drive.lost).count();
        for (i, drive) in drives.into_iter().enumerate() {
            if i % HELD_OUT == 0 && !options.sizes.is_empty() {
                held_out.extend(drive.samples);
            } else {
                samples.extend(drive.samples);
            }
        }
        if samples.len() == recorded.len() {
            return Err(TrainError::NoSample { episodes: options.episodes as usize });
        }
        weigh(&mut samples, recorded.len(), options.recorded_fraction);
        // The scales of the first round hold for all: later ones would move the weights.
        if round == 0 {
            scales = Scales::of(&samples);
            network = Arc::new(scales.folded(blank.layers().to_vec())?);
        }
        let is_last = round + 1 == options.rounds;
        let epochs = if is_last { options.epochs * LAST_EPOCHS } else { options.epochs };
        let fit_options = fit_options(options, epochs, round);
        let (fitted, losses) = fit(&network, &samples, &scales, &fit_options)?;
        network = Arc::new(fitted);
        last_loss = losses.last().copied().unwrap_or(last_loss);
        let (count, episodes) = (samples.len(), options.episodes);
        report(&format!("round {}: {lost} of {episodes} drives lost, {count} samples, loss {last_loss:.5}", round + 1));
    }
    weigh(&mut held_out, recorded_apart.len(), options.recorded_fraction);
    let fit_options = fit_options(options, options.epochs * LAST_EPOCHS, options.rounds);
    let (sizes, best) = best_size((&samples, &held_out), &scales, (options, &fit_options), report)?;
    if let Some((error, found)) = best {
        (last_loss, network) = (error, found);
    }
    if options.evolve > 0 {
        network = Arc::new(evolve(&network, courses, options, report)?);
    }
    Ok(Trained { network, loss: last_loss, samples: samples.len(), sizes })
}

/// A network that is fitted to recorded samples alone.
fn imitate(
    samples: &[Sample],
    held_out: &[Sample],
    options: &TrainOptions,
    report: &dyn Fn(&str),
) -> Result<Trained, TrainError> {
    if samples.is_empty() {
        return Err(TrainError::NoLine);
    }
    if options.evolve > 0 {
        return Err(TrainError::EvolvesNothing);
    }
    let scales = Scales::of(samples);
    let fit_options = fit_options(options, options.epochs * options.rounds, 0);
    let first = scales.folded(first_network(&options.hidden, options.seed)?.layers().to_vec())?;
    let (fitted, losses) = fit(&first, samples, &scales, &fit_options)?;
    let (mut network, mut last_loss) = (Arc::new(fitted), losses.last().copied().unwrap_or(f64::INFINITY));
    let count = samples.len();
    report(&format!("{} passes over {count} samples, loss {last_loss:.5}", fit_options.epochs));
    let (sizes, best) = best_size((samples, held_out), &scales, (options, &fit_options), report)?;
    if let Some((error, found)) = best {
        (last_loss, network) = (error, found);
    }
    Ok(Trained { network, loss: last_loss, samples: count, sizes })
}

/// A network with its loss.
type BestNetwork = Option<(f64, Arc<Network>)>;

/// The sizes of `options` with their losses, and the smallest network that is about as good as the best.
fn best_size(
    (samples, held_out): (&[Sample], &[Sample]),
    scales: &Scales,
    (options, fit_options): (&TrainOptions, &FitOptions),
    report: &dyn Fn(&str),
) -> Result<(Vec<(usize, f64)>, BestNetwork), TrainError> {
    let mut sizes = Vec::new();
    let mut best: BestNetwork = None;
    for &units in &options.sizes {
        let first = scales.folded(first_network(&[units], options.seed)?.layers().to_vec())?;
        let fitted = fit(&first, samples, scales, fit_options)?.0;
        let error = loss(&fitted, held_out, scales);
        report(&format!("{units} units: loss {error:.5} on other drives"));
        sizes.push((units, error));
        if best.as_ref().is_none_or(|(min, _)| error * SLACK < *min) {
            best = Some((error, Arc::new(fitted)));
        }
    }
    Ok((sizes, best))
}

/// Weights with which the first `recorded` samples have `fraction` of the loss together, and the others the
/// rest; 1 for samples of one kind.
fn weigh(samples: &mut [Sample], recorded: usize, fraction: f64) {
    let count = samples.len();
    if recorded == 0 || recorded == count {
        return;
    }
    let weight = |fraction: f64, samples: usize| fraction * count as f64 / samples as f64;
    let (ours, others) = (weight(fraction, recorded), weight(1.0 - fraction, count - recorded));
    for (k, sample) in samples.iter_mut().enumerate() {
        sample.weight = if k < recorded { ours } else { others };
    }
}

fn fit_options(options: &TrainOptions, epochs: u32, round: u32) -> FitOptions {
    FitOptions { epochs, learning_rate: options.learning_rate, seed: options.seed.wrapping_add(u64::from(round)) }
}

/// The drives of a round, each with a random stream of its own.
fn drives(
    courses: &[Course],
    wheel: Wheel<'_>,
    blank: &Arc<Network>,
    options: &TrainOptions,
    round: u32,
) -> Result<Vec<Episode>, TrainError> {
    (0..options.episodes)
        .into_par_iter()
        .map(|episode| {
            let mut random = ChaCha8Rng::seed_from_u64(options.seed);
            random.set_stream((u64::from(round) << 32) | u64::from(episode));
            let course = &courses[random.random_range(0..courses.len())];
            drive_episode(course, wheel, blank, options.episode_s, &mut random)
        })
        .collect()
}
