//! The search for the fastest mixture, from uniform ones.

#[cfg(any(feature = "cmaes", test))]
use super::covariance;
use super::genetic;
use super::lap_evaluator::LapEvaluator;
use super::problem::{Individual, Problem};
use super::segments::Segments;
use crate::speed::Lap;
use crate::{Corridor, Search, SolveError, SolveOptions};

/// Number of uniform mixtures in the initial population, both parents included. More of them leave
/// less room for random individuals.
const UNIFORM_STEPS: usize = 20;

/// The result of the search.
#[derive(Clone, Debug)]
pub struct Blend {
    /// The best mixture's line.
    pub alpha: Vec<f64>,
    /// Mixing factor of each segment: 1 is the shortest path, 0 minimum curvature.
    pub mixing: Vec<f64>,
    /// Simulated lap time of the best mixture, s.
    pub lap_time_s: f64,
    /// Factor and lap time, s, of the best mixture that has the same factor everywhere.
    pub best_uniform: (f64, f64),
    /// Lap times simulated.
    pub evaluations: usize,
    /// Best lap time after each generation, s, the start included; it never increases.
    pub history_s: Vec<f64>,
}

/// Searches for the fastest mixture of two parent lines through `corridor`.
///
/// `watch` is called with the generation and the best lap time so far. The result does not depend
/// on the number of threads.
///
/// # Errors
/// [`SolveError::Degenerate`] when points of the parents coincide, [`SolveError::Speed`] for a
/// vehicle that cannot be simulated, [`SolveError::OutOfRange`] for an option outside its range,
/// [`SolveError::SearchNotBuilt`].
pub fn blend<'a>(
    corridor: &Corridor,
    shortest: &[f64],
    curvature: &[f64],
    lap: impl Into<Lap<'a>>,
    options: &SolveOptions,
    watch: &(dyn Fn(usize, f64) + Sync),
) -> Result<Blend, SolveError> {
    options.validate()?;
    let segments = Segments::between(corridor, shortest, curvature, options);
    let evaluator = LapEvaluator::new(corridor, shortest, curvature, lap)?;
    let start = starting_individuals(&evaluator, &segments);
    let seeds = start.len();
    let best_uniform = start
        .iter()
        .take(UNIFORM_STEPS + 1)
        .min_by(|a, b| a.lap_time_s.total_cmp(&b.lap_time_s))
        .map_or((0.0, f64::INFINITY), |best| (best.genes[0], best.lap_time_s));
    let problem = Problem { evaluator: &evaluator, segments: &segments, start, options, watch };
    let found = match options.search {
        Search::Ga => genetic::search(problem),
        #[cfg(any(feature = "cmaes", test))]
        Search::Cmaes => covariance::search(problem)?,
        #[cfg(not(any(feature = "cmaes", test)))]
        Search::Cmaes => return Err(SolveError::SearchNotBuilt),
    };
    let mut alpha = vec![0.0; corridor.len()];
    segments.mix(&found.best.genes, shortest, curvature, &mut alpha);
    Ok(Blend {
        alpha: corridor.clamped(&alpha),
        mixing: found.best.genes,
        lap_time_s: found.best.lap_time_s,
        best_uniform,
        evaluations: found.evaluations + seeds,
        history_s: found.history_s,
    })
}

/// Uniform mixtures from one parent to the other, and the mixture that takes for each segment its
/// fastest uniform factor.
fn starting_individuals(evaluator: &LapEvaluator, segments: &Segments) -> Vec<Individual> {
    let mut evaluator = evaluator.clone();
    let count = segments.count();
    let mut individuals = Vec::with_capacity(UNIFORM_STEPS + 2);
    let mut fastest = vec![(f64::INFINITY, 0.0); count];
    for step in 0..=UNIFORM_STEPS {
        let factor = step as f64 / UNIFORM_STEPS as f64;
        let genes = vec![factor; count];
        let lap_time_s = evaluator.lap_time(segments, &genes);
        for (best, time) in fastest.iter_mut().zip(evaluator.segment_times(segments)) {
            if time < best.0 {
                *best = (time, factor);
            }
        }
        individuals.push(Individual { genes, lap_time_s });
    }
    let patchwork: Vec<f64> = fastest.iter().map(|&(_, factor)| factor).collect();
    let lap_time_s = evaluator.lap_time(segments, &patchwork);
    individuals.push(Individual { genes: patchwork, lap_time_s });
    individuals
}
