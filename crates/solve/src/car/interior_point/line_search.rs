//! The line search: how far a Newton step is taken.
//!
//! A filter of pairs of errors and barrier function that a point must improve on, with a
//! second-order correction (Wächter and Biegler 2006, sections 2.3 and 2.4).

use super::Iteration;
use crate::car::problem::{LIMITS, Values};

/// A step leaves at least this fraction of each slack and multiplier.
const KEPT_SHARE: f64 = 0.01;
/// Multipliers are kept within this factor of μ/s.
const MULTIPLIER_BAND: f64 = 1e10;
/// Fractions by which a filter entry is improved, of the errors and of the barrier function.
const FILTER_MARGIN: (f64, f64) = (1e-5, 1e-8);
/// Exponents of the switching condition, of the errors and of the descent.
const SWITCH: (f64, f64) = (1.1, 2.3);
/// Armijo's fraction.
const SUFFICIENT_DESCENT: f64 = 1e-8;
/// Relative rounding error of the barrier function.
const ROUND_OFF: f64 = 1e-13;
/// Most halvings of a step.
const MAX_HALVINGS: usize = 12;

impl Iteration<'_> {
    /// Goes along the steps as far as the filter accepts; `false` where it accepts nothing.
    pub(super) fn line_search(&mut self) -> bool {
        let search = self.search();
        let longest = longest(&self.slack, &self.slack_step);
        let (errors, merit) = self.try_step(longest);
        if let Some(augments) = self.accepts(&search, longest, errors, merit) {
            self.take(&search, longest, augments);
            return true;
        }
        if errors >= search.errors && self.correct(&search, longest) {
            return true;
        }
        let mut length = longest;
        for _ in 0..MAX_HALVINGS {
            length *= 0.5;
            let (errors, merit) = self.try_step(length);
            if let Some(augments) = self.accepts(&search, length, errors, merit) {
                self.take(&search, length, augments);
                return true;
            }
        }
        false
    }

    /// What a step of the present point is compared with.
    fn search(&self) -> Search {
        let gradients = self.linearised.objective.iter().zip(&self.step.unknowns);
        let mut descent: f64 =
            gradients.map(|(gradient, step)| gradient.iter().zip(step).map(|(a, b)| a * b).sum::<f64>()).sum();
        for (slack, step) in self.slack.as_flattened().iter().zip(self.slack_step.as_flattened()) {
            descent -= self.barrier * step / slack;
        }
        Search {
            errors: errors(&self.values, &self.slack),
            merit: merit(&self.values, &self.slack, self.barrier),
            descent,
        }
    }

    /// Second-order correction: the same matrix with the errors at the end of the step, which the
    /// trial holds. Whether it was accepted; if not, the steps are what they were.
    fn correct(&mut self, search: &Search, length: f64) -> bool {
        let steps = (self.step.clone(), self.slack_step.clone(), self.multiplier_step.clone());
        let mut equations = self.trial_values.equations.clone();
        let before = self.values.equations.as_flattened();
        equations.as_flattened_mut().iter_mut().zip(before).for_each(|(entry, error)| *entry += length * error);
        let mut limits = self.trial_values.limits.clone();
        let before = self.values.limits.as_flattened().iter().zip(self.slack.as_flattened());
        let state = before.zip(self.trial_slack.as_flattened());
        for (entry, ((limit, slack), trial)) in limits.as_flattened_mut().iter_mut().zip(state) {
            *entry += trial + length * (limit + slack);
        }
        self.solve_for(&equations, &limits);
        let length = longest(&self.slack, &self.slack_step);
        let (errors, merit) = self.try_step(length);
        if let Some(augments) = self.accepts(search, length, errors, merit) {
            self.take(search, length, augments);
            return true;
        }
        (self.step, self.slack_step, self.multiplier_step) = steps;
        false
    }

    /// Sets the trial at `length` of the steps; its errors and barrier function.
    fn try_step(&mut self, length: f64) -> (f64, f64) {
        for (i, trial) in self.trial.iter_mut().enumerate() {
            *trial = std::array::from_fn(|k| self.point[i][k] + length * self.step.unknowns[i][k]);
        }
        self.problem.evaluate(&self.trial, &mut self.trial_values);
        for (i, trial) in self.trial_slack.iter_mut().enumerate() {
            let limits = &self.trial_values.limits[i];
            *trial = std::array::from_fn(|k| (self.slack[i][k] + length * self.slack_step[i][k]).max(-limits[k]));
        }
        (errors(&self.trial_values, &self.trial_slack), merit(&self.trial_values, &self.trial_slack, self.barrier))
    }

    /// Whether the trial is accepted, and if so, whether the present point enters the filter.
    fn accepts(&self, search: &Search, length: f64, errors: f64, merit: f64) -> Option<bool> {
        let better = |than_errors: f64, than_merit: f64| {
            errors <= (1.0 - FILTER_MARGIN.0) * than_errors
                || merit <= than_merit - FILTER_MARGIN.1 * than_errors + ROUND_OFF * than_merit.abs()
        };
        if !merit.is_finite() || errors.is_nan() || errors > self.most_errors {
            return None;
        }
        if self.filter.iter().any(|&(than_errors, than_merit)| !better(than_errors, than_merit)) {
            return None;
        }
        let switches = search.descent < 0.0
            && search.errors <= self.least_errors
            && length * (-search.descent).powf(SWITCH.1) > search.errors.powf(SWITCH.0);
        if switches {
            let most = search.merit + SUFFICIENT_DESCENT * length * search.descent;
            return (merit <= most + ROUND_OFF * search.merit.abs()).then_some(false);
        }
        better(search.errors, search.merit).then_some(true)
    }

    /// Makes the trial, which lies at `length` of the steps, the present point.
    fn take(&mut self, search: &Search, length: f64, augments: bool) {
        if augments {
            self.filter.push((search.errors, search.merit));
        }
        self.last_step = length;
        std::mem::swap(&mut self.point, &mut self.trial);
        std::mem::swap(&mut self.values, &mut self.trial_values);
        std::mem::swap(&mut self.slack, &mut self.trial_slack);
        for (prices, step) in self.prices.iter_mut().zip(&self.step.equations) {
            prices.iter_mut().zip(step).for_each(|(price, step)| *price += length * step);
        }
        let dual = longest(&self.multipliers, &self.multiplier_step);
        let state = self.multiplier_step.as_flattened().iter().zip(self.slack.as_flattened());
        for (multiplier, (step, slack)) in self.multipliers.as_flattened_mut().iter_mut().zip(state) {
            let centre = self.barrier / slack;
            *multiplier = (*multiplier + dual * step).clamp(centre / MULTIPLIER_BAND, centre * MULTIPLIER_BAND);
        }
    }
}

/// A point's errors and barrier function, and the slope of the latter along the steps.
struct Search {
    errors: f64,
    merit: f64,
    descent: f64,
}

/// Sum of the errors of equations and limits.
pub(super) fn errors(values: &Values, slack: &[[f64; LIMITS]]) -> f64 {
    let equations: f64 = values.equations.as_flattened().iter().map(|error| error.abs()).sum();
    let limits = values.limits.as_flattened().iter().zip(slack.as_flattened());
    equations + limits.map(|(limit, slack)| (limit + slack).abs()).sum::<f64>()
}

/// f - μ Σ ln s.
fn merit(values: &Values, slack: &[[f64; LIMITS]], barrier: f64) -> f64 {
    let logarithms: f64 = slack.iter().map(|slack| slack.iter().product::<f64>().ln()).sum();
    values.objective - barrier * logarithms
}

/// The longest step, at most 1, that keeps a fraction of every value.
fn longest(values: &[[f64; LIMITS]], steps: &[[f64; LIMITS]]) -> f64 {
    let pairs = values.as_flattened().iter().zip(steps.as_flattened());
    pairs.fold(
        1.0,
        |longest, (value, step)| {
            if *step < 0.0 { longest.min(-(1.0 - KEPT_SHARE) * value / step) } else { longest }
        },
    )
}
