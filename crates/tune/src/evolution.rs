//! Generations of CMA-ES as trials.
//!
//! A generation is a block of consecutive trials: each point as many times as it is repeated, then the points
//! that are measured a second time. Its successor is computed once, when all of its trials have a score, from
//! the scores in the order of their numbers: the order in which they came does not count.

use raceline_numerics::SplitMix64;

use crate::cma_es::CmaEs;
use crate::options::{Noise, Options};
use crate::parameter::Parameter;
use crate::record::{Outcome, Record};
use crate::uncertainty::{rank_change, second_measurements};

/// Smallest deviation of an integer, in steps.
const FLOOR_STEPS: f64 = 0.2;
/// Factor on the number of repeats where noise disturbs the ranks, and divisor where it does not; its largest
/// value.
const REPEATS_FACTOR: f64 = 1.5;
const MAX_REPEATS: f64 = 10.0;

/// The search in its present generation.
#[derive(Clone, Debug)]
pub(crate) struct Evolution {
    search: CmaEs,
    seed: u64,
    /// Number of its first trial.
    first: usize,
    /// Trials of each point; not an integer while it adapts.
    repeats: f64,
    /// Points that are measured a second time.
    second: usize,
    /// Whether the first trial is the start itself.
    tries_start: bool,
}

impl Evolution {
    /// The first generation.
    pub(crate) fn new(parameters: &[Parameter], options: &Options) -> Self {
        let mean: Vec<f64> = parameters.iter().map(Parameter::start_unit).collect();
        let floors = parameters.iter().map(|parameter| FLOOR_STEPS * parameter.step_unit()).collect();
        let lambda = options.population_of(parameters.len());
        let (repeats, second) = match options.noise {
            Noise::Repeats(repeats) => (f64::from(repeats), 0),
            Noise::Ranks => (1.0, second_measurements(lambda)),
        };
        Self {
            search: CmaEs::new(mean, options.first_deviation, lambda, floors),
            seed: options.seed,
            first: 0,
            repeats,
            second,
            tries_start: parameters.iter().any(|parameter| parameter.start.is_some()),
        }
    }

    fn each(&self) -> usize {
        self.repeats.round().max(1.0) as usize
    }

    /// The number of the trial after this generation.
    pub(crate) fn end(&self) -> usize {
        self.first + self.each() * (self.search.lambda() + self.second)
    }

    /// The place of the next trial, whose number is `trials.len()` and below [`Self::end`].
    pub(crate) fn next(&self, trials: &[Record]) -> Vec<f64> {
        let place = (trials.len() - self.first) / self.each();
        let point = place % self.search.lambda();
        let first_of_point = self.first + point * self.each();
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
        let each = self.each();
        // One failure of a point fails it.
        let means: Vec<f64> = generation
            .chunks(each)
            .map(|trials| {
                trials.iter().map(|trial| trial.outcome.score().unwrap_or(f64::INFINITY)).sum::<f64>() / each as f64
            })
            .collect();
        let (first, second) = means.split_at(self.search.lambda());
        let score = |i: usize| second.get(i).map_or(first[i], |second| 0.5 * (first[i] + second));
        let mut order: Vec<(f64, usize)> = (0..first.len()).map(|i| (score(i), i)).collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        if order[0].0 == order[order.len() - 1].0 {
            self.search.widen();
        } else {
            let ranked: Vec<&[f64]> = order.iter().map(|&(_, i)| generation[i * each].x.as_slice()).collect();
            self.search.update(&ranked);
        }
        self.first = self.end();
        if !second.is_empty() {
            let factor = if rank_change(first, second) > 0.0 { REPEATS_FACTOR } else { 1.0 / REPEATS_FACTOR };
            self.repeats = (self.repeats * factor).clamp(1.0, MAX_REPEATS);
        }
        true
    }
}
