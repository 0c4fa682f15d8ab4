//! Primal-dual interior-point iteration for `minimise f(x) subject to g(x) ≤ 0`.
//!
//! With slacks s > 0, multipliers λ > 0 and a barrier μ that falls to zero, the conditions
//!
//! ```text
//! ∇f + Σ λ_j ∇g_j = 0        g_j + s_j = 0        s_j λ_j = μ
//! ```
//!
//! are solved by Newton's method. Slacks and multipliers are eliminated, which leaves one banded
//! system for the step of x,
//!
//! ```text
//! (∇²L + Σ λ_j/s_j ∇g_j ∇g_jᵀ + δI) Δx = -∇f - Σ (μ/s_j + λ_j/s_j (g_j + s_j)) ∇g_j
//! ```
//!
//! with δ raised until the matrix is positive definite. A step keeps a fraction of every slack and
//! multiplier, and must lower the merit function `f - μ Σ ln s + ν Σ |g + s|`. The method follows
//! Nocedal and Wright, *Numerical Optimization*, 2nd edition (2006), sections 19.2 and 19.3. The
//! barrier schedule and the damping follow Wächter and Biegler (2006), sections 2.1 and 3.1.
//!
//! Newton's system is factorised by [`CyclicBand`](raceline_numerics::CyclicBand). The outer loop
//! differs from that of [`BoxProgram`](raceline_numerics::BoxProgram), which supports bounds and a
//! fixed convex matrix only. This problem has nonlinear constraints, an indefinite Hessian and a
//! merit function.
//!
//! Deviations: a merit function replaces the filter of Wächter and Biegler. Slacks are raised to -g
//! where that is larger, which does not increase the merit function.

use super::lap_problem::{LIMITS, LapProblem, PerLimit, Unknowns};
use super::linearised::Linearised;

/// Stopping criteria.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Initial μ, s.
    pub first_barrier: f64,
    /// Final μ, s.
    pub last_barrier: f64,
    /// Maximum number of Newton steps.
    pub max_iterations: usize,
}

/// How the iteration ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The residual is at most ten times the final barrier.
    Converged,
    /// The maximum number of steps was reached, or no step lowered the merit function.
    Stopped,
}

/// The last point of the iteration.
#[derive(Clone, Debug)]
pub struct Solution {
    pub unknowns: Unknowns,
    pub status: Status,
    pub iterations: usize,
    /// Number of factorisations; more than the iterations where damping was needed.
    pub factorisations: usize,
    /// f, s.
    pub objective_s: f64,
    /// Largest violation of a limit, in the limit's unit.
    pub violation: f64,
}

/// Smallest initial slack.
const FEWEST_SLACK: f64 = 1e-2;
/// A barrier problem is solved when its residual is at most this many times the barrier.
const BARRIER_TOLERANCE: f64 = 10.0;
/// The barrier is multiplied by this factor or raised to this power, whichever gives the smaller
/// value.
const BARRIER_FALL: (f64, f64) = (0.2, 1.5);
/// A step leaves at least this fraction of each slack and multiplier.
const KEPT_SHARE: f64 = 0.01;
/// Armijo's fraction of the predicted descent.
const SUFFICIENT_DESCENT: f64 = 1e-4;
/// Relative rounding error of the merit function.
const ROUND_OFF: f64 = 1e-12;
/// Maximum number of step halvings.
const MAX_HALVINGS: usize = 25;
/// Damping δ: its initial value, its growth factor before and after the first damped step, and its
/// decrease factor between steps.
const DAMPING: (f64, f64, f64, f64) = (1e-4, 20.0, 6.0, 3.0);
/// Largest damping. Beyond it the iteration stops.
const MAX_DAMPING: f64 = 1e10;
/// Multipliers are kept within this factor of μ/s.
const MULTIPLIER_BAND: f64 = 1e10;

/// Solves `problem` from `start`.
pub fn solve(problem: &LapProblem, start: Unknowns, settings: &Settings) -> Solution {
    let mut iteration = Iteration::new(problem, start, settings.first_barrier);
    let mut status = Status::Stopped;
    while iteration.count < settings.max_iterations {
        iteration.linearise();
        while iteration.error() <= BARRIER_TOLERANCE * iteration.barrier && iteration.barrier > settings.last_barrier {
            iteration.lower_barrier(settings.last_barrier);
        }
        if iteration.error() <= BARRIER_TOLERANCE * iteration.barrier {
            status = Status::Converged;
            break;
        }
        if !iteration.advance() {
            break;
        }
    }
    Solution {
        violation: iteration.values.as_flattened().iter().copied().fold(0.0, f64::max),
        objective_s: iteration.objective,
        unknowns: iteration.unknowns,
        status,
        iterations: iteration.count,
        factorisations: iteration.factorisations,
    }
}

struct Iteration<'a> {
    problem: &'a LapProblem<'a>,
    unknowns: Unknowns,
    objective: f64,
    /// g, s and λ.
    values: PerLimit,
    slack: PerLimit,
    multipliers: PerLimit,
    barrier: f64,
    /// ν.
    penalty: f64,
    /// δ of the last step that required damping.
    last_damping: f64,
    count: usize,
    factorisations: usize,
    linearised: Linearised,
    step: Vec<f64>,
    slack_step: PerLimit,
    multiplier_step: PerLimit,
    trial: Unknowns,
    trial_values: PerLimit,
    trial_slack: PerLimit,
}

impl<'a> Iteration<'a> {
    fn new(problem: &'a LapProblem<'a>, start: Unknowns, barrier: f64) -> Self {
        let n = problem.stations.len();
        let zero: PerLimit = vec![[0.0; LIMITS]; n];
        let mut values = zero.clone();
        let objective = problem.evaluate(&start, &mut values);
        let slack: PerLimit = values.iter().map(|values| values.map(|value| (-value).max(FEWEST_SLACK))).collect();
        let multipliers = slack.iter().map(|slack| slack.map(|slack| barrier / slack)).collect();
        Self {
            problem,
            objective,
            values,
            slack,
            multipliers,
            barrier,
            penalty: 0.0,
            last_damping: 0.0,
            count: 0,
            factorisations: 0,
            linearised: Linearised::new(problem),
            step: vec![0.0; 2 * n],
            slack_step: zero.clone(),
            multiplier_step: zero.clone(),
            trial: start.clone(),
            trial_values: zero.clone(),
            trial_slack: zero,
            unknowns: start,
        }
    }

    fn linearise(&mut self) {
        self.linearised.fill(self.problem, &self.unknowns, &self.multipliers, &self.slack);
    }

    /// The largest residual of the three conditions, less its rounding error.
    fn error(&self) -> f64 {
        let unit = self.problem.units;
        let pairs = self.linearised.lagrangian.chunks_exact(2);
        let stationarity = pairs.map(|pair| (pair[0] * unit.offset).abs().max((pair[1] * unit.speed_squared).abs()));
        let mut error = (stationarity.fold(0.0, f64::max) - self.problem.rounding_error(&self.unknowns)).max(0.0);
        for ((value, slack), multiplier) in self.limits() {
            error = error.max((value + slack).abs()).max((slack * multiplier - self.barrier).abs());
        }
        error
    }

    fn limits(&self) -> impl Iterator<Item = ((f64, f64), f64)> + '_ {
        let values = self.values.as_flattened().iter().copied();
        values.zip(self.slack.as_flattened().iter().copied()).zip(self.multipliers.as_flattened().iter().copied())
    }

    fn lower_barrier(&mut self, last: f64) {
        self.barrier = (BARRIER_FALL.0 * self.barrier).min(self.barrier.powf(BARRIER_FALL.1)).max(last);
        // Each barrier has its own merit function.
        self.penalty = 0.0;
    }

    /// Takes one Newton step, with more damping where it does not lower the merit function; `false`
    /// where no damping helps.
    fn advance(&mut self) -> bool {
        let mut damping = 0.0;
        loop {
            let Some(used) = self.find_step(damping) else { return false };
            if self.line_search() {
                self.count += 1;
                return true;
            }
            damping = (10.0 * used).max(100.0 * DAMPING.0);
            if damping > MAX_DAMPING {
                return false;
            }
        }
    }

    /// Computes the steps of unknowns, slacks and multipliers; returns the damping that was needed,
    /// at least `damping`.
    fn find_step(&mut self, mut damping: f64) -> Option<f64> {
        self.linearised.push(self.problem, self.barrier, &self.values, &self.slack, &self.multipliers, &mut self.step);
        loop {
            self.factorisations += 1;
            if self.linearised.factorise(self.problem, damping) {
                break;
            }
            let (first, fast, growth, fall) = DAMPING;
            damping = match (damping > 0.0, self.last_damping > 0.0) {
                (false, false) => first,
                (false, true) => (self.last_damping / fall).max(first),
                (true, false) => fast * damping,
                (true, true) => growth * damping,
            };
            if damping > MAX_DAMPING {
                return None;
            }
        }
        if damping > 0.0 {
            self.last_damping = damping;
        }
        self.linearised.factors.solve(&mut self.step);
        self.linearised.change(self.problem, &self.step, &mut self.slack_step);
        let steps = self.slack_step.as_flattened_mut().iter_mut().zip(self.multiplier_step.as_flattened_mut());
        let values =
            self.values.as_flattened().iter().zip(self.slack.as_flattened()).zip(self.multipliers.as_flattened());
        for ((slack_step, multiplier_step), ((value, slack), multiplier)) in steps.zip(values) {
            let change = *slack_step;
            *slack_step = -(value + slack) - change;
            *multiplier_step = (self.barrier - multiplier * *slack_step) / slack - multiplier;
        }
        Some(damping)
    }

    /// Line search along the step; `false` where the merit function does not fall.
    fn line_search(&mut self) -> bool {
        let longest = longest_step(self.slack.as_flattened(), self.slack_step.as_flattened());
        let longest_dual = longest_step(self.multipliers.as_flattened(), self.multiplier_step.as_flattened());
        let (mut violation, mut logarithms) = (0.0, 0.0);
        // The objective's slope is that of the Lagrangian without the constraints' part.
        let mut slope: f64 = self.linearised.lagrangian.iter().zip(&self.step).map(|(a, b)| a * b).sum();
        for (((value, slack), multiplier), slack_step) in self.limits().zip(self.slack_step.as_flattened()) {
            let residual = value + slack;
            violation += residual.abs();
            logarithms += slack.ln();
            slope += multiplier * (residual + slack_step) - self.barrier * slack_step / slack;
        }
        if slope > 0.9 * self.penalty * violation && violation > ROUND_OFF {
            self.penalty = 1.5 * slope / violation;
        }
        let merit = self.objective - self.barrier * logarithms + self.penalty * violation;
        let descent = slope - self.penalty * violation;
        let mut length = longest;
        for _ in 0..MAX_HALVINGS {
            let value = self.try_step(length);
            let (mut violation, mut logarithms) = (0.0, 0.0);
            for (value, slack) in self.trial_values.as_flattened().iter().zip(self.trial_slack.as_flattened()) {
                violation += (value + slack).abs();
                logarithms += slack.ln();
            }
            let trial_merit = value - self.barrier * logarithms + self.penalty * violation;
            if trial_merit <= merit + SUFFICIENT_DESCENT * length * descent + ROUND_OFF * merit.abs() {
                self.accept(value, longest_dual);
                return true;
            }
            length *= 0.5;
        }
        false
    }

    /// Computes the trial point at step length `length` and returns its objective.
    fn try_step(&mut self, length: f64) -> f64 {
        for (i, step) in self.step.chunks_exact(2).enumerate() {
            self.trial.offset[i] = self.unknowns.offset[i] + length * step[0];
            self.trial.speed_squared[i] = self.unknowns.speed_squared[i] + length * step[1];
        }
        let objective = self.problem.evaluate(&self.trial, &mut self.trial_values);
        let slacks = self.slack.as_flattened().iter().zip(self.slack_step.as_flattened());
        let trials = self.trial_slack.as_flattened_mut().iter_mut().zip(self.trial_values.as_flattened());
        for ((trial, value), (slack, step)) in trials.zip(slacks) {
            *trial = (slack + length * step).max(-value);
        }
        objective
    }

    /// Makes the trial point the current one.
    fn accept(&mut self, objective: f64, dual_length: f64) {
        self.objective = objective;
        std::mem::swap(&mut self.unknowns, &mut self.trial);
        std::mem::swap(&mut self.values, &mut self.trial_values);
        std::mem::swap(&mut self.slack, &mut self.trial_slack);
        let steps = self.multiplier_step.as_flattened().iter().zip(self.slack.as_flattened());
        for (multiplier, (step, slack)) in self.multipliers.as_flattened_mut().iter_mut().zip(steps) {
            let centre = self.barrier / slack;
            *multiplier = (*multiplier + dual_length * step).clamp(centre / MULTIPLIER_BAND, MULTIPLIER_BAND * centre);
        }
    }
}

/// The longest step, at most 1, that keeps a fraction of every value.
fn longest_step(values: &[f64], steps: &[f64]) -> f64 {
    let falling = values.iter().zip(steps).filter(|(_, step)| **step < 0.0);
    falling.map(|(value, step)| -(1.0 - KEPT_SHARE) * value / step).fold(1.0, f64::min)
}
