//! The genetic algorithm: tournament selection, blend crossover, Gaussian mutation, elites.
//!
//! A gene of a child of parents with the genes a and b is drawn evenly from the interval (1),
//! widened by ω = 0.3 of its length (BLX-α: Eshelman and Schaffer, *Real-coded genetic algorithms
//! and interval-schemata*, 1993). A mutation adds a normal variate z (3) (Box and Muller, *A note
//! on the generation of random normal deviates*, 1958) times the deviation (2) of the generation g
//! of G. u₁ and u₂ are uniform in [0, 1):
//!
//! ```text
//! [min(a, b) - ω |b - a|, max(a, b) + ω |b - a|]                                             (1)
//! σ = σ₀ (σ₁ / σ₀)^(g / G),  σ₀ = 0.15,  σ₁ = 0.01                                           (2)
//! z = √(-2 ln(1 - u₁)) cos(2π u₂)                                                            (3)
//! ```
//!
//! Every child has its own random stream, seeded by generation and index, and only evaluations run
//! in parallel. The result is therefore the same for any number of threads. Evaluations do not
//! allocate: genes are stored in two alternating populations, and each thread has its own
//! [`LapEvaluator`].

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::lap_evaluator::LapEvaluator;
use super::problem::{Individual, Problem, SearchResult};
use super::segments::Segments;
use raceline_numerics::{math, normal_variate};

/// Number of best individuals that pass to the next generation unchanged. More of them keep what
/// was found and leave less to search.
const ELITES: usize = 2;
/// Number of individuals in a tournament, 2 or more. A larger one converges sooner, and to a worse
/// line more often.
const TOURNAMENT: usize = 3;
/// ω: blend crossover draws from the parents' interval, widened by this fraction of it on both
/// sides. At 0 a population only shrinks; a larger one converges later.
const CROSSOVER_WIDENING: f64 = 0.3;
/// Fraction of children made by crossover, 0 to 1; the others are mutated copies, which search
/// nearby.
const CROSSOVER_RATE: f64 = 0.9;
/// Standard deviation of a mutation of a factor, which is 0 to 1, in the first and in the last
/// generation. Larger ones search wider, smaller ones settle.
const MUTATION_DEVIATION: (f64, f64) = (0.15, 0.01);
/// The search ends when the best lap time has improved by less than [`STAGNATION_FRACTION`] over
/// this many generations.
const STAGNATION_GENERATIONS: usize = 10;
const STAGNATION_FRACTION: f64 = 1e-5;

pub(super) fn search(problem: Problem) -> SearchResult {
    let Problem { evaluator, segments, start, options, watch } = problem;
    let size = options.population;
    let mut evaluators: Vec<LapEvaluator> = (0..rayon::current_num_threads()).map(|_| evaluator.clone()).collect();
    let mut population = first_population(start, size, segments.count(), options.seed);
    let unknown = population.iter().filter(|individual| individual.lap_time_s.is_nan()).count();
    let mut evaluations = unknown;
    evaluate(&mut population, segments, &mut evaluators);
    sort(&mut population);
    let mut children = population.clone();
    let mut history_s = vec![population[0].lap_time_s];
    for generation in 1..=options.generations {
        let progress = generation as f64 / options.generations as f64;
        // Equation (2).
        let deviation = MUTATION_DEVIATION.0 * math::powf(MUTATION_DEVIATION.1 / MUTATION_DEVIATION.0, progress);
        let elites = ELITES.min(size);
        for (child, parent) in children[..elites].iter_mut().zip(&population) {
            child.genes.copy_from_slice(&parent.genes);
            child.lap_time_s = parent.lap_time_s;
        }
        for (place, child) in children.iter_mut().enumerate().skip(elites) {
            let mut random = stream(options.seed, generation, place, size);
            breed(&population, child, deviation, &mut random);
        }
        evaluations += size - elites;
        evaluate(&mut children, segments, &mut evaluators);
        std::mem::swap(&mut population, &mut children);
        sort(&mut population);
        let best = population[0].lap_time_s;
        history_s.push(best);
        watch(generation, best);
        let long_ago = history_s.len().checked_sub(1 + STAGNATION_GENERATIONS).map(|past| history_s[past]);
        if long_ago.is_some_and(|past| past - best <= STAGNATION_FRACTION * past) {
            break;
        }
    }
    SearchResult { best: population.swap_remove(0), evaluations, history_s }
}

/// The specified individuals, best first, followed by random ones whose lap time is NaN until
/// evaluated.
fn first_population(mut start: Vec<Individual>, size: usize, genes: usize, seed: u64) -> Vec<Individual> {
    sort(&mut start);
    start.truncate(size);
    for place in start.len()..size {
        let mut random = stream(seed, 0, place, size);
        let genes = (0..genes).map(|_| random.random::<f64>()).collect();
        start.push(Individual { genes, lap_time_s: f64::NAN });
    }
    start
}

fn stream(seed: u64, generation: usize, place: usize, size: usize) -> ChaCha8Rng {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream((generation * size + place) as u64);
    random
}

/// Evaluates individuals with unknown lap time, split evenly between the evaluators.
fn evaluate(population: &mut [Individual], segments: &Segments, evaluators: &mut [LapEvaluator]) {
    let chunk = population.len().div_ceil(evaluators.len());
    population.par_chunks_mut(chunk).zip(evaluators).for_each(|(individuals, evaluator)| {
        for individual in individuals {
            if individual.lap_time_s.is_nan() {
                individual.lap_time_s = evaluator.lap_time(segments, &individual.genes);
            }
        }
    });
}

fn sort(population: &mut [Individual]) {
    population.sort_by(|a, b| a.lap_time_s.total_cmp(&b.lap_time_s));
}

fn breed(parents: &[Individual], child: &mut Individual, deviation: f64, random: &mut ChaCha8Rng) {
    let (mother, father) = (tournament(parents, random), tournament(parents, random));
    let crossed = random.random_bool(CROSSOVER_RATE);
    let genes = child.genes.len();
    let mutation_rate = (1.5 / genes as f64).clamp(0.05, 1.0);
    for (gene, (&a, &b)) in child.genes.iter_mut().zip(mother.genes.iter().zip(&father.genes)) {
        *gene = if crossed {
            let widening = CROSSOVER_WIDENING * (b - a).abs();
            let (low, high) = (a.min(b) - widening, a.max(b) + widening); // equation (1)
            low + (high - low) * random.random::<f64>()
        } else {
            a
        };
        if random.random_bool(mutation_rate) {
            *gene += deviation * normal_variate([random.random(), random.random()]); // equation (3)
        }
        *gene = gene.clamp(0.0, 1.0);
    }
    child.lap_time_s = f64::NAN;
}

/// Tournament selection; `population` is sorted, so the lowest index wins.
fn tournament<'a>(population: &'a [Individual], random: &mut ChaCha8Rng) -> &'a Individual {
    let winner = (0..TOURNAMENT).map(|_| random.random_range(0..population.len())).min().unwrap_or(0);
    &population[winner]
}
