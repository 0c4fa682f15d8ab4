//! Covariance matrix adaptation (Hansen and Ostermeier, *Completely derandomized self-adaptation in
//! evolution strategies*, Evolutionary Computation 9 (2001)), with the `cmaes` crate: effective for
//! few segments.
//!
//! The search knows no bounds, so the lap of the factors x is that of the nearest ones in [0, 1],
//! with a penalty of c = 1 s per unit outside:
//!
//! ```text
//! minimise  T(clamp(x, 0, 1)) + c Σ |x_k - clamp(x_k, 0, 1)|                                 (1)
//! ```

use cmaes::{CMAESOptions, DVector};

use super::problem::{Individual, Problem, SearchResult};
use crate::SolveError;

/// Initial standard deviation of the factors.
const FIRST_DEVIATION: f64 = 0.2;
/// Penalty in seconds per unit that a factor lies outside [0, 1], where it is clamped to the bound.
const PENALTY_S: f64 = 1.0;
/// The search ends when lap times differ by less than this fraction.
const TOLERANCE_FRACTION: f64 = 1e-7;

pub(super) fn search(problem: Problem) -> Result<SearchResult, SolveError> {
    let Problem { evaluator, segments, start, options, watch } = problem;
    let mut best = start
        .into_iter()
        .min_by(|a, b| a.lap_time_s.total_cmp(&b.lap_time_s))
        .unwrap_or(Individual { genes: vec![0.0; segments.count()], lap_time_s: f64::INFINITY });
    let mut evaluator = evaluator.clone();
    let mut held = vec![0.0; segments.count()];
    let objective = |x: &DVector<f64>| {
        let mut outside = 0.0;
        for (gene, &value) in held.iter_mut().zip(x.iter()) {
            *gene = value.clamp(0.0, 1.0);
            outside += (value - *gene).abs();
        }
        evaluator.lap_time(segments, &held) + PENALTY_S * outside // equation (1)
    };
    let mut history_s = vec![best.lap_time_s];
    let mut state = CMAESOptions::new(best.genes.clone(), FIRST_DEVIATION)
        .population_size(options.population.max(4))
        .max_generations(options.generations)
        .tol_fun(TOLERANCE_FRACTION * best.lap_time_s)
        .seed(options.seed)
        .build(objective)
        .map_err(|error| SolveError::Search { reason: format!("{error:?}") })?;
    let mut generation = 0;
    loop {
        let ended = state.next().is_some();
        generation += 1;
        if let Some(found) = state.overall_best_individual()
            && found.value < best.lap_time_s
        {
            best.genes = found.point.iter().map(|gene| gene.clamp(0.0, 1.0)).collect();
            best.lap_time_s = found.value;
        }
        history_s.push(best.lap_time_s);
        watch(generation, best.lap_time_s);
        if ended {
            break;
        }
    }
    let evaluations = state.function_evals();
    // The objective includes the penalty, the lap time does not.
    best.lap_time_s = problem.evaluator.clone().lap_time(segments, &best.genes);
    Ok(SearchResult { best, evaluations, history_s })
}

#[cfg(test)]
mod tests {
    use raceline_car::preset;
    use raceline_road::edges::RoadShape;
    use raceline_road::track::{Track, TrackOptions};

    use super::super::lap_evaluator::LapEvaluator;
    use super::super::segments::Segments;
    use super::{Individual, Problem, search};
    use crate::{Corridor, EdgeDistance, SolveOptions};

    #[test]
    fn a_search_takes_the_steps_that_it_did() {
        // On a ring the inner bound and the middle are one segment, the inner bound is fastest.
        let angle = |i: i32| f64::from(i) * std::f64::consts::TAU / 48.0;
        let middle: Vec<[f64; 2]> = (0..48).map(|i| [60.0 * angle(i).cos(), 60.0 * angle(i).sin()]).collect();
        let track =
            Track::from_centre_line(&middle, &[[5.0, 5.0]; 48], RoadShape::Closed, &TrackOptions::default()).unwrap();
        let corridor = Corridor::new(&track, &EdgeDistance::new(&track), 1.5).unwrap();
        let options = SolveOptions { population: 6, generations: 60, seed: 1, ..SolveOptions::default() };
        let segments = Segments::between(&corridor, &corridor.high, &corridor.middle(), &options);
        let mut evaluator =
            LapEvaluator::new(&corridor, &corridor.high, &corridor.middle(), &preset("kart").unwrap()).unwrap();
        let inside_s = evaluator.lap_time(&segments, &[1.0]);
        let start = Individual { genes: vec![0.5], lap_time_s: evaluator.lap_time(&segments, &[0.5]) };
        let watch = |_, _| {};
        let problem = Problem {
            evaluator: &evaluator,
            segments: &segments,
            start: vec![start],
            options: &options,
            watch: &watch,
        };
        let found = search(problem).unwrap();
        assert!((found.best.lap_time_s - inside_s).abs() < 1e-9, "{} {inside_s}", found.best.lap_time_s);
        // Other steps of the search, a penalty that holds less, or another end would change them.
        let sum: f64 = found.history_s.iter().map(|lap_s| lap_s - inside_s).sum();
        assert_eq!(found.evaluations, 312);
        assert!((sum - 0.249_166_082).abs() < 1e-6, "{sum}");
    }
}
