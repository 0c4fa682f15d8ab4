//! What a search for the best mixture is given, and what it returns.

use super::lap_evaluator::LapEvaluator;
use super::segments::Segments;
use crate::SolveOptions;

/// Input of a search: the function to minimise, the initial population and the limits.
pub(super) struct Problem<'a> {
    pub evaluator: &'a LapEvaluator,
    pub segments: &'a Segments,
    /// Genes and lap times of the initial individuals, best first.
    pub start: Vec<Individual>,
    pub options: &'a SolveOptions,
    /// Called with the generation and the best lap time.
    pub watch: &'a (dyn Fn(usize, f64) + Sync),
}

/// One factor per segment, and the resulting lap time.
#[derive(Clone, Debug)]
pub(super) struct Individual {
    pub genes: Vec<f64>,
    pub lap_time_s: f64,
}

/// Result of a search.
pub(super) struct SearchResult {
    pub best: Individual,
    pub evaluations: usize,
    pub history_s: Vec<f64>,
}
