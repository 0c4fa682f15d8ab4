//! What tuning found: best values, their scores with uncertainty, and how much each parameter matters.
//!
//! A parameter's importance is its total effect on the model's mean f (Jansen, *Analysis of variance designs
//! for model output*, Computer Physics Communications 117, 1999): with points A and B at random and A_k that
//! is A but for coordinate k of B,
//!
//! ```text
//! S_k = mean of ½ (f(A) - f(A_k))² / variance of f                                           (1)
//! ```
//!
//! over the range that the model's trials cover. Its sum exceeds 1 where parameters act together.

use raceline_numerics::{SplitMix64, math};

use crate::bayesian::Model;
use crate::parameter::Parameter;
use crate::record::{Outcome, Record};
use crate::short::short;

/// Points of equation (1).
const POINTS: usize = 512;
/// Largest number of standings.
const STANDINGS: usize = 10;

/// A point that was tried.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// Number of its first trial.
    pub id: u64,
    /// Values in the order of the parameters.
    pub values: Vec<f64>,
    /// Mean of its scores.
    pub score: f64,
    /// Number of its scores.
    pub count: usize,
    /// The score that the model expects, and its standard deviation. None while all scores are equal, or only
    /// one is there.
    pub estimate: Option<[f64; 2]>,
}

/// What tuning found.
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    /// Names of the parameters.
    pub names: Vec<String>,
    /// Number of trials.
    pub trials: usize,
    /// Number of trials that failed.
    pub failed: usize,
    /// Number of trials without a score.
    pub open: usize,
    /// Up to 10 points, the best first: by estimate plus its deviation, which a lucky score does not deceive.
    pub standings: Vec<Standing>,
    /// Standard deviation of the noise of good scores, as the model estimates it.
    pub noise: Option<f64>,
    /// How much each parameter matters to the score over the range that was tried: the fraction of its
    /// variance that would vanish with the parameter fixed; 0 for one that does nothing. Empty without a
    /// model.
    pub importances: Vec<f64>,
}

/// The sheet of trials `seen`, of which a model was fitted to those in `modelled`.
pub(crate) fn sheet(parameters: &[Parameter], seen: &[Record], modelled: &[usize], model: Option<Model>) -> Sheet {
    let mut standings: Vec<Standing> = Vec::new();
    let mut places: Vec<&[f64]> = Vec::new();
    for &id in modelled {
        let Record { x, outcome: Outcome::Score(score) } = &seen[id] else { continue };
        if let Some(same) = places.iter().position(|other| *other == x.as_slice()) {
            let standing = &mut standings[same];
            standing.score += score;
            standing.count += 1;
            continue;
        }
        places.push(x);
        standings.push(Standing {
            id: id as u64,
            values: x.iter().zip(parameters).map(|(&x, parameter)| parameter.value_at(x)).collect(),
            score: *score,
            count: 1,
            estimate: model.as_ref().map(|model| model.estimate(x)),
        });
    }
    standings.iter_mut().for_each(|standing| standing.score /= standing.count as f64);
    let rank = |standing: &Standing| standing.estimate.map_or(standing.score, |[mean, deviation]| mean + deviation);
    standings.sort_by(|a, b| rank(a).total_cmp(&rank(b)).then(a.id.cmp(&b.id)));
    standings.truncate(STANDINGS);
    let count = |outcome: Outcome| seen.iter().filter(|trial| trial.outcome == outcome).count();
    Sheet {
        names: parameters.iter().map(|parameter| parameter.name.clone()).collect(),
        trials: seen.len(),
        failed: count(Outcome::Failed),
        open: count(Outcome::Open),
        standings,
        noise: model.as_ref().map(Model::noise),
        importances: model.map_or_else(Vec::new, |model| importances(&model, parameters.len())),
    }
}

/// Equation (1) for every parameter.
fn importances(model: &Model, n: usize) -> Vec<f64> {
    let bounds: Vec<[f64; 2]> = (0..n)
        .map(|k| {
            let places = model.points().iter().map(|x| x[k]);
            places.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(x), high.max(x)])
        })
        .collect();
    let mut random = SplitMix64::new(0);
    let mut point = || -> Vec<f64> { bounds.iter().map(|[low, high]| low + random.uniform() * (high - low)).collect() };
    let mut values = Vec::with_capacity(POINTS);
    let mut effects = vec![0.0; n];
    for _ in 0..POINTS {
        let (mut a, b) = (point(), point());
        let value = model.value(&a);
        for k in 0..n {
            let own = std::mem::replace(&mut a[k], b[k]);
            effects[k] += 0.5 * math::powi(value - model.value(&a), 2);
            a[k] = own;
        }
        values.push(value);
    }
    let mean = values.iter().sum::<f64>() / POINTS as f64;
    let variance: f64 = values.iter().map(|value| math::powi(value - mean, 2)).sum();
    effects.into_iter().map(|effect| if variance > 0.0 { effect / variance } else { 0.0 }).collect()
}

impl std::fmt::Display for Sheet {
    /// The sheet as text.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{} trials, {} failed, {} without a score", self.trials, self.failed, self.open)?;
        if let Some(noise) = self.noise {
            writeln!(f, "noise of a score: standard deviation {}", short(noise))?;
        }
        let Some(best) = self.standings.first() else { return Ok(()) };
        let width = self.names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max("parameter".len());
        writeln!(f, "\n{:width$}  {:>12}  importance", "parameter", "best value")?;
        for (k, (name, value)) in self.names.iter().zip(&best.values).enumerate() {
            let importance = self.importances.get(k).map_or("-".to_owned(), |importance| format!("{importance:.2}"));
            writeln!(f, "{name:width$}  {:>12}  {importance:>10}", short(*value))?;
        }
        writeln!(f, "\ntrial         score  expected score")?;
        for standing in &self.standings {
            let estimate = standing.estimate;
            let estimate = estimate.map_or("-".to_owned(), |[mean, dev]| format!("{} ± {}", short(mean), short(dev)));
            writeln!(f, "{:5}  {:>12}  {estimate}", standing.id, short(standing.score))?;
        }
        Ok(())
    }
}
