//! Bayesian optimization: trials that are spread over the space, then those of the largest expected
//! improvement.
//!
//! The next trial follows from the scores so far and its number alone. Open trials count as if they had the
//! score that the model expects of them, so that several at a time differ (Ginsbourger, Le Riche and Carraro,
//! *Kriging is well-suited to parallelize optimization*, 2010, section 3.2). Failed trials count as the worst
//! score.

use raceline_numerics::{SplitMix64, math};

use crate::gaussian_process::{GaussianProcess, Hyperparameters};
use crate::improvement::Improvement;
use crate::options::Options;
use crate::parameter::Parameter;
use crate::record::{Outcome, Record};
use crate::warp::Warp;

/// Largest number of scores that hyperparameters are fitted to; of more, as many evenly among them.
const FIT_TRIALS: usize = 120;
/// With more scores than the first number, hyperparameters are fitted anew after each so many, not after each
/// one.
const EACH_TRIAL: usize = 40;
const FIT_EVERY: usize = 5;
/// Stream of the random numbers of the spread trials: beyond the number of any trial.
const SPREAD_STREAM: u64 = u64::MAX;

/// What turns scores into values of the mean 0 and the deviation 1, with the hyperparameters of their
/// process.
#[derive(Clone, Debug)]
struct Base {
    warp: Warp,
    mean: f64,
    deviation: f64,
    /// What stands for a failure: the worst score, compressed.
    worst: f64,
    hyperparameters: Hyperparameters,
}

impl Base {
    /// Fitted to `scores` at `points`, `None` standing for a failure; `None` where fewer than two have a
    /// score or where all are equal.
    fn fitted(points: &[Vec<f64>], scores: &[Option<f64>]) -> Option<Self> {
        let finite: Vec<f64> = scores.iter().copied().flatten().collect();
        if finite.len() < 2 {
            return None;
        }
        let warp = Warp::of(&finite);
        let worst = warp.warped(finite.iter().copied().fold(f64::NEG_INFINITY, f64::max));
        let warped: Vec<f64> = scores.iter().map(|score| score.map_or(worst, |score| warp.warped(score))).collect();
        let count = warped.len() as f64;
        let mean = warped.iter().sum::<f64>() / count;
        let deviation = (warped.iter().map(|value| math::powi(value - mean, 2)).sum::<f64>() / count).sqrt();
        if !(deviation.is_finite() && deviation > 1e-12 * mean.abs()) {
            return None;
        }
        let fit = points.len().min(FIT_TRIALS);
        let places = || (0..fit).map(|i| i * points.len() / fit);
        let hyperparameters = Hyperparameters::fitted(
            &places().map(|i| points[i].clone()).collect::<Vec<_>>(),
            &places().map(|i| (warped[i] - mean) / deviation).collect::<Vec<_>>(),
        );
        Some(Self { warp, mean, deviation, worst, hyperparameters })
    }

    /// The value of a score.
    fn value(&self, score: Option<f64>) -> f64 {
        let warped = score.map_or(self.worst, |score| self.warp.warped(score));
        (warped - self.mean) / self.deviation
    }
}

/// A process that has seen scores.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    base: Base,
    process: GaussianProcess,
    points: Vec<Vec<f64>>,
    values: Vec<f64>,
    /// Place among the points of the effective best one.
    best: usize,
}

impl Model {
    /// The model of `scores` at `points`, fitted to them as [`Base::fitted`].
    pub(crate) fn fitted(points: Vec<Vec<f64>>, scores: &[Option<f64>]) -> Option<Self> {
        let base = Base::fitted(&points, scores)?;
        Self::new(base, points, scores)
    }

    fn new(base: Base, points: Vec<Vec<f64>>, scores: &[Option<f64>]) -> Option<Self> {
        let values: Vec<f64> = scores.iter().map(|score| base.value(*score)).collect();
        let process = GaussianProcess::new(points.clone(), &values, &base.hyperparameters)?;
        let bound = |x: &Vec<f64>| process.predict(x).iter().sum::<f64>();
        let scored = (0..points.len()).filter(|&i| scores[i].is_some());
        let bounds = scored.map(|i| (bound(&points[i]), i));
        let best = bounds.min_by(|a, b| a.0.total_cmp(&b.0)).map_or(0, |(_, i)| i);
        Some(Self { base, process, points, values, best })
    }

    /// The score of a value of the process.
    fn score(&self, value: f64) -> f64 {
        self.base.warp.score(self.base.mean + self.base.deviation * value)
    }

    /// The expected score at `x` and its deviation, both without noise.
    pub(crate) fn estimate(&self, x: &[f64]) -> [f64; 2] {
        let [mean, deviation] = self.process.predict(x);
        [self.score(mean), 0.5 * (self.score(mean + deviation) - self.score(mean - deviation))]
    }

    /// The expected value at `x`, on the scale of the process.
    pub(crate) fn value(&self, x: &[f64]) -> f64 {
        self.process.mean(x)
    }

    /// Standard deviation of the noise of good scores.
    pub(crate) fn noise(&self) -> f64 {
        self.base.hyperparameters.noise() * self.base.deviation
    }

    /// The points.
    pub(crate) fn points(&self) -> &[Vec<f64>] {
        &self.points
    }

    /// The point of the largest expected improvement while `open` points are measured.
    fn next(&self, open: Vec<Vec<f64>>, parameters: &[Parameter], random: &mut SplitMix64) -> Vec<f64> {
        let best = &self.points[self.best];
        let believed;
        let process = if open.is_empty() {
            &self.process
        } else {
            let values: Vec<f64> =
                self.values.iter().copied().chain(open.iter().map(|x| self.process.mean(x))).collect();
            let points = self.points.iter().cloned().chain(open).collect();
            believed = GaussianProcess::new(points, &values, &self.base.hyperparameters);
            believed.as_ref().unwrap_or(&self.process)
        };
        let (target, noise) = (process.mean(best), self.base.hyperparameters.noise());
        Improvement { process, best, target, noise, parameters }.maximum(random)
    }
}

/// The search: what the next trial follows from, and what was computed of the scores so far.
#[derive(Clone, Debug)]
pub(crate) struct Bayesian {
    seed: u64,
    first_trials: usize,
    /// Numbers of the trials that it was fitted to.
    base: Option<(Vec<usize>, Option<Base>)>,
    /// Number of trials with an outcome that it has seen.
    model: Option<(usize, Option<Model>)>,
}

impl Bayesian {
    pub(crate) fn new(parameters: &[Parameter], options: &Options) -> Self {
        Self { seed: options.seed, first_trials: options.first_trials_of(parameters.len()), base: None, model: None }
    }

    /// The place of the next trial.
    pub(crate) fn next(&mut self, parameters: &[Parameter], trials: &[Record]) -> Vec<f64> {
        let id = trials.len();
        if id < self.first_trials {
            return self.spread(parameters, id);
        }
        let closed: Vec<usize> = (0..id).filter(|&i| trials[i].outcome != Outcome::Open).collect();
        if self.model.as_ref().is_none_or(|(count, _)| *count != closed.len()) {
            let points: Vec<Vec<f64>> = closed.iter().map(|&i| trials[i].x.clone()).collect();
            let scores: Vec<Option<f64>> = closed.iter().map(|&i| trials[i].outcome.score()).collect();
            let fit = if closed.len() > EACH_TRIAL { closed.len() - closed.len() % FIT_EVERY } else { closed.len() };
            if self.base.as_ref().is_none_or(|(seen, _)| *seen != closed[..fit]) {
                self.base = Some((closed[..fit].to_vec(), Base::fitted(&points[..fit], &scores[..fit])));
            }
            let base = self.base.as_ref().and_then(|(_, base)| base.clone());
            self.model = Some((closed.len(), base.and_then(|base| Model::new(base, points, &scores))));
        }
        let mut random = SplitMix64::stream(self.seed, id as u64);
        match &self.model {
            Some((_, Some(model))) => {
                let open = trials.iter().filter(|trial| trial.outcome == Outcome::Open);
                model.next(open.map(|trial| trial.x.clone()).collect(), parameters, &mut random)
            }
            // Nothing is known yet: anywhere.
            _ => parameters.iter().map(|parameter| parameter.rounded(random.uniform())).collect(),
        }
    }

    /// A point of a Latin hypercube: each part of each scale has one of the first trials (McKay, Beckman and
    /// Conover 1979). The first one is the start, if a parameter has one.
    fn spread(&self, parameters: &[Parameter], id: usize) -> Vec<f64> {
        if id == 0 && parameters.iter().any(|parameter| parameter.start.is_some()) {
            return parameters.iter().map(Parameter::start_unit).collect();
        }
        let mut random = SplitMix64::stream(self.seed, SPREAD_STREAM);
        let count = self.first_trials;
        let mut place = |parameter: &Parameter| {
            let mut order: Vec<usize> = (0..count).collect();
            for i in (1..count).rev() {
                order.swap(i, (random.uniform() * (i + 1) as f64) as usize);
            }
            let within: Vec<f64> = (0..count).map(|_| random.uniform()).collect();
            parameter.rounded((order[id] as f64 + within[id]) / count as f64)
        };
        parameters.iter().map(&mut place).collect()
    }
}
