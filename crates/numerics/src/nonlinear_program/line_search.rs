//! The line search along the steps of an iteration; equations (7) to (10) are those of the parent
//! module, (11) to (14) those of `acceptance`.

use super::acceptance::{Search, barrier_function, total_error};
use super::interior_point::Iteration;
use super::{Gradient, NonlinearProgram};

/// Fraction τ of each slack and multiplier that a step leaves at least.
const KEPT_FRACTION: f64 = 0.01;
/// Factor K within which multipliers stay of μ/s.
const MULTIPLIER_BAND: f64 = 1e10;

impl<P, const U: usize, const E: usize, const L: usize> Iteration<'_, P, U, E, L>
where
    P: NonlinearProgram<U, E, L>,
{
    /// Goes along the steps as far as they are accepted; `false` where they are not.
    pub(super) fn line_search(&mut self) -> bool {
        let search = self.search();
        self.judge.begin(&search);
        // ---- Fraction to the boundary
        let longest = longest_step(&self.slack, &self.slack_step); // equation (7)
        let mut length = longest;
        for halvings in 0..self.judge.trials() {
            // ---- Trial point
            let (errors, barrier_function) = self.try_step(length);
            if let Some(augments) = self.judge.accepts(&search, length, errors, barrier_function) {
                self.take(&search, length, augments);
                return true;
            }
            // ---- Second-order correction of the longest step
            if halvings == 0 && self.judge.corrects() && errors >= search.errors && self.correct(&search, length) {
                return true;
            }
            // ---- Backtracking
            length *= 0.5;
        }
        false
    }

    /// Errors θ and barrier function φ of the point, equation (8), and the slope of φ along the
    /// steps.
    fn search(&self) -> Search {
        let slacks = || self.slack.as_flattened().iter().zip(self.slack_step.as_flattened());
        let mut slope: f64;
        match self.program.gradient(&self.linearised) {
            Gradient::Objective(gradient) => {
                let stages = gradient.iter().zip(&self.step.unknowns);
                slope = stages.map(|(gradient, step)| dot(gradient, step)).sum();
                for (slack, step) in slacks() {
                    slope -= self.barrier * step / slack;
                }
            }
            Gradient::Lagrangian(gradient) => {
                slope = dot(gradient.as_flattened(), self.step.unknowns.as_flattened());
                // Less what the constraints are part of: A Δx = -c and G Δx = -(g + s) - Δs.
                for (price, error) in self.duals.prices.as_flattened().iter().zip(self.equation_errors.as_flattened()) {
                    slope += price * error;
                }
                let limits = self.limit_errors.as_flattened().iter().zip(self.duals.multipliers.as_flattened());
                for ((error, multiplier), (slack, step)) in limits.zip(slacks()) {
                    slope += multiplier * (error + step) - self.barrier * step / slack;
                }
            }
        }
        Search {
            errors: total_error(&self.values, &self.slack),
            barrier_function: barrier_function(&self.values, &self.slack, self.barrier, self.settings.acceptance),
            slope,
        }
    }

    /// Sets the trial point at the step length `length`; returns its θ and φ, equation (8).
    fn try_step(&mut self, length: f64) -> (f64, f64) {
        let steps = self.x.iter().zip(&self.step.unknowns);
        for (trial, (x, step)) in self.trial.iter_mut().zip(steps) {
            *trial = std::array::from_fn(|k| x[k] + length * step[k]);
        }
        self.program.evaluate(&self.trial, &mut self.trial_values);
        let slacks = self.slack.as_flattened().iter().zip(self.slack_step.as_flattened());
        let trials = self.trial_slack.as_flattened_mut().iter_mut().zip(self.trial_values.limits.as_flattened());
        for ((trial, limit), (slack, step)) in trials.zip(slacks) {
            *trial = (slack + length * step).max(-limit);
        }
        let (values, slack) = (&self.trial_values, &self.trial_slack);
        (total_error(values, slack), barrier_function(values, slack, self.barrier, self.settings.acceptance))
    }

    /// Second-order correction: the same matrix with the errors at the end of the step, which the
    /// trial contains. Whether it was accepted; if not, the steps are what they were.
    fn correct(&mut self, search: &Search, length: f64) -> bool {
        let steps = (self.step.clone(), self.slack_step.clone(), self.multiplier_step.clone());
        // Equation (9).
        let equations = self.values.equations.as_flattened().iter().zip(self.trial_values.equations.as_flattened());
        for (error, (before, after)) in self.equation_errors.as_flattened_mut().iter_mut().zip(equations) {
            *error = after + length * before;
        }
        let before = self.values.limits.as_flattened().iter().zip(self.slack.as_flattened());
        let after = self.trial_values.limits.as_flattened().iter().zip(self.trial_slack.as_flattened());
        let limits = before.zip(after);
        for (error, ((limit, slack), (trial, trial_slack))) in
            self.limit_errors.as_flattened_mut().iter_mut().zip(limits)
        {
            *error = trial + (trial_slack + length * (limit + slack));
        }
        self.solve_for_errors();
        let length = longest_step(&self.slack, &self.slack_step); // equation (7)
        let (errors, barrier_function) = self.try_step(length);
        if let Some(augments) = self.judge.accepts(search, length, errors, barrier_function) {
            self.take(search, length, augments);
            return true;
        }
        (self.step, self.slack_step, self.multiplier_step) = steps;
        false
    }

    /// Makes the trial, which lies at `length` of the steps, the present point.
    fn take(&mut self, search: &Search, length: f64, augments: bool) {
        if augments {
            self.judge.augment(search);
        }
        self.last_step = length;
        std::mem::swap(&mut self.x, &mut self.trial);
        std::mem::swap(&mut self.values, &mut self.trial_values);
        std::mem::swap(&mut self.slack, &mut self.trial_slack);
        let prices = self.duals.prices.as_flattened_mut().iter_mut();
        prices.zip(self.step.equations.as_flattened()).for_each(|(price, step)| *price += length * step);
        let dual_length = longest_step(&self.duals.multipliers, &self.multiplier_step); // equation (7)
        let steps = self.multiplier_step.as_flattened().iter().zip(self.slack.as_flattened());
        for (multiplier, (step, slack)) in self.duals.multipliers.as_flattened_mut().iter_mut().zip(steps) {
            let centre = self.barrier / slack;
            // Equation (10).
            *multiplier = (*multiplier + dual_length * step).clamp(centre / MULTIPLIER_BAND, centre * MULTIPLIER_BAND);
        }
    }
}

/// Equation (7): the longest step, at most 1, that keeps a fraction of every value.
fn longest_step<const L: usize>(values: &[[f64; L]], steps: &[[f64; L]]) -> f64 {
    let pairs = values.as_flattened().iter().zip(steps.as_flattened());
    let falling = pairs.filter(|(_, step)| **step < 0.0);
    falling.map(|(value, step)| -(1.0 - KEPT_FRACTION) * value / step).fold(1.0, f64::min)
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
