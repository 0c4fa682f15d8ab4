//! Generations of CMA-ES as trials.
//!
//! A generation is a block of consecutive trials: each point as many times as it is repeated. Its successor is
//! computed once, when all of its trials have a score, from the scores in the order of their numbers: the
//! order in which they came does not count.

use raceline_numerics::SplitMix64;

use crate::cma_es::CmaEs;
use crate::options::Options;
use crate::parameter::Parameter;
use crate::record::{Outcome, Record};

/// Smallest deviation of an integer, in steps.
const FLOOR_STEPS: f64 = 0.2;

/// The search in its present generation.
#[derive(Clone, Debug)]
pub(crate) struct Evolution {
    search: CmaEs,
    seed: u64,
    /// Number of its first trial.
    first: usize,
    /// Trials of each point.
    repeats: usize,
    /// Whether the first trial is the start itself.
    tries_start: bool,
}

impl Evolution {
    /// The first generation.
    pub(crate) fn new(parameters: &[Parameter], options: &Options) -> Self {
        let mean: Vec<f64> = parameters.iter().map(Parameter::start_unit).collect();
        let floors = parameters.iter().map(|parameter| FLOOR_STEPS * parameter.step_unit()).collect();
        let lambda = options.population_of(parameters.len());
        Self {
            search: CmaEs::new(mean, options.first_deviation, lambda, floors),
            seed: options.seed,
            first: 0,
            repeats: options.repeats as usize,
            tries_start: parameters.iter().any(|parameter| parameter.start.is_some()),
        }
    }

    /// The number of the trial after this generation.
    pub(crate) fn end(&self) -> usize {
        self.first + self.repeats * self.search.lambda()
    }

    /// The place of the next trial, whose number is `trials.len()` and below [`Self::end`].
    pub(crate) fn next(&self, trials: &[Record]) -> Vec<f64> {
        let point = (trials.len() - self.first) / self.repeats;
        let first_of_point = self.first + point * self.repeats;
        if let Some(before) = trials.get(first_of_point) {
            return before.x.clone();
        }
        if first_of_point == 0 && self.tries_start {
            return self.search.mean().to_vec();
        }
        self.search.sample(&mut SplitMix64::stream(self.seed, first_of_point as u64))
    }

    /// Goes on to the next generation, if all trials of this one have a score; whether it did.
    pub(crate) fn proceed(&mut self, trials: &[Record]) -> bool {
        let Some(generation) = trials.get(self.first..self.end()) else { return false };
        if generation.iter().any(|trial| trial.outcome == Outcome::Open) {
            return false;
        }
        // One failure of a point fails it.
        let mean = |trials: &[Record]| {
            let scores = trials.iter().map(|trial| trial.outcome.score().unwrap_or(f64::INFINITY));
            scores.sum::<f64>() / trials.len() as f64
        };
        let mut order: Vec<(f64, &[f64])> =
            generation.chunks(self.repeats).map(|trials| (mean(trials), trials[0].x.as_slice())).collect();
        // Stable: of equal scores the earlier point is before the later one.
        order.sort_by(|a, b| a.0.total_cmp(&b.0));
        if order[0].0 == order[order.len() - 1].0 {
            self.search.widen();
        } else {
            let ranked: Vec<&[f64]> = order.iter().map(|&(_, x)| x).collect();
            self.search.update(&ranked);
        }
        self.first = self.end();
        true
    }
}
