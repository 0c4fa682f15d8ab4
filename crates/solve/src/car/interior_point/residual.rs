//! How far a point is from the conditions of the solution.

use rayon::prelude::*;

use super::super::newton::most;
use super::super::problem::{EQUATIONS, LIMITS, NODES_AT_ONCE};
use super::{Iteration, Progress};

/// Multipliers above this on the mean relax the tolerance of the residuals.
const USUAL_MULTIPLIER: f64 = 100.0;

impl Iteration<'_> {
    pub(super) fn progress(&self) -> Progress {
        Progress {
            iteration: self.count,
            time_s: self.problem.time_s(&self.values),
            error: most(&self.values.equations),
            stationarity: self.stationarity(),
            barrier: self.barrier,
            damping: self.last_damping,
            step: self.last_step,
        }
    }

    fn stationarity(&self) -> f64 {
        let of_node = |i: usize| {
            let gradient = self.linearised.gradient(self.problem, i, &self.prices, &self.multipliers);
            gradient.iter().fold(0.0, |most: f64, slope| most.max(slope.abs()))
        };
        let nodes = (0..self.prices.len()).into_par_iter().with_min_len(NODES_AT_ONCE);
        nodes.map(of_node).reduce(|| 0.0, f64::max)
    }

    /// The largest residual of the four conditions.
    pub(super) fn residual(&self) -> f64 {
        let count = self.slack.len() as f64;
        let sum = |values: &[f64]| values.iter().map(|value| value.abs()).sum::<f64>();
        let limits = sum(self.multipliers.as_flattened());
        let mean = (sum(self.prices.as_flattened()) + limits) / (count * (EQUATIONS + LIMITS) as f64);
        let of_all = mean.max(USUAL_MULTIPLIER) / USUAL_MULTIPLIER;
        let of_limits = (limits / (count * LIMITS as f64)).max(USUAL_MULTIPLIER) / USUAL_MULTIPLIER;
        let mut residual = (self.stationarity() / of_all).max(most(&self.values.equations));
        let limits = self.values.limits.as_flattened().iter();
        for ((limit, slack), multiplier) in limits.zip(self.slack.as_flattened()).zip(self.multipliers.as_flattened()) {
            residual = residual.max((limit + slack).abs()).max((slack * multiplier - self.barrier).abs() / of_limits);
        }
        residual
    }
}
