//! Primal-dual interior-point iteration for `minimise f(x) subject to c(x) = 0, g(x) ≤ 0`.
//!
//! With slacks s > 0, multipliers y of the equations and z > 0 of the limits, and a barrier μ that
//! falls to zero, the conditions
//!
//! ```text
//! ∇f + Aᵀ y + Gᵀ z = 0     c = 0     g + s = 0     s_j z_j = μ
//! ```
//!
//! are solved by Newton's method. Slacks and their multipliers are eliminated:
//!
//! ```text
//! | ∇²L + δI + Gᵀ diag(z/s) G   Aᵀ | | Δx |   | -∇f - Aᵀ y - Gᵀ (μ/s + z/s (g + s)) |
//! | A                           0  | | Δy | = | -c                                  |
//! ```
//!
//! with δ raised until the matrix has as many negative eigenvalues as there are equations, so that
//! the step descends. A step keeps a fraction of every slack and multiplier, and must improve
//! either the errors of the equations or the barrier function: a filter, with a second-order
//! correction, by Wächter and Biegler, *On the implementation of an interior-point filter
//! line-search algorithm for large-scale nonlinear programming*, Mathematical Programming 106
//! (2006), sections 2 and 3.
//!
//! Deviations: no restoration phase, since the start nearly fulfils the equations; where no step is
//! accepted, δ is raised instead, which turns the step towards the gradient's. Slacks are raised to
//! -g where that is larger.

mod line_search;
mod residual;

use rayon::prelude::*;

use line_search::errors;

use super::linearised::Linearised;
use super::newton::{Newton, Sides, most};
use super::problem::{EQUATIONS, LIMITS, NODES_AT_ONCE, Point, Problem, Values};

/// Stopping criteria.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Initial μ, relative to the objective of a node.
    pub first_barrier: f64,
    /// Final μ.
    pub last_barrier: f64,
    /// Least μ with which a search from multipliers begins, the more the better they fit.
    pub resumed_barrier: f64,
    /// Such multipliers are kept within this factor of μ/s.
    pub resumed_band: f64,
    /// A barrier problem is solved when its residual is at most this many times the barrier.
    pub tolerance: f64,
    /// Maximum number of Newton steps.
    pub max_iterations: usize,
}

/// How the iteration ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The residual is at most the tolerance times the final barrier.
    Converged,
    /// The maximum number of steps was reached.
    Stopped,
    /// No step was accepted.
    Stuck,
}

/// Multipliers at a point.
#[derive(Clone, Debug)]
pub struct Duals {
    /// y.
    pub prices: Vec<[f64; EQUATIONS]>,
    /// z.
    pub multipliers: Vec<[f64; LIMITS]>,
}

/// The last point of the iteration.
#[derive(Clone, Debug)]
pub struct Solution {
    pub point: Point,
    pub duals: Duals,
    pub status: Status,
    pub iterations: usize,
    pub factorisations: usize,
    /// Lap time, s.
    pub time_s: f64,
    /// Its energy, J.
    pub energy_j: f64,
    /// Largest error of an equation, by the scale of its state.
    pub error: f64,
    /// Largest violation of a limit, by its scale.
    pub violation: f64,
}

/// State of the iteration, for whoever watches it.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Newton steps so far.
    pub iteration: usize,
    /// Lap time, s.
    pub time_s: f64,
    /// Largest error of an equation of motion, relative to typical values.
    pub error: f64,
    /// Largest residual of the first condition.
    pub stationarity: f64,
    /// μ.
    pub barrier: f64,
    /// δ of the last step.
    pub damping: f64,
    /// Length of the last step.
    pub step: f64,
}

/// Smallest initial slack.
const FEWEST_SLACK: f64 = 1e-2;
/// The barrier is multiplied by this factor or raised to this power, whichever gives less.
const BARRIER_FALL: (f64, f64) = (0.2, 1.5);
/// Damping δ: its first value, its growth where that is not enough, its fall from step to step.
const DAMPING: (f64, f64, f64) = (1e-4, 6.0, 3.0);
/// Largest damping.
const MAX_DAMPING: f64 = 1e10;
/// The barrier near a program's solution by the square of the largest error there. A larger one leads
/// away from the solution, a smaller one keeps the limits that are reached there for too long.
const RESUMED_BARRIER: f64 = 1e-2;
/// Solves `problem` from `start`.
pub fn solve(problem: &Problem, start: Point, settings: &Settings, watch: &dyn Fn(Progress)) -> Solution {
    solve_near(problem, start, None, settings, watch)
}

/// The same with the multipliers of a program near this one at `start`.
pub fn solve_near(
    problem: &Problem,
    start: Point,
    duals: Option<&Duals>,
    settings: &Settings,
    watch: &dyn Fn(Progress),
) -> Solution {
    let mut iteration = Iteration::new(problem, start, settings.first_barrier);
    match duals {
        Some(duals) => iteration.resume(duals, settings),
        None => iteration.estimate_multipliers(),
    }
    let mut status = Status::Stopped;
    while iteration.count < settings.max_iterations {
        iteration.linearise();
        let mut residual = iteration.residual();
        while residual <= settings.tolerance * iteration.barrier && iteration.barrier > settings.last_barrier {
            iteration.lower_barrier(settings.last_barrier);
            residual = iteration.residual();
        }
        watch(iteration.progress());
        if residual <= settings.tolerance * iteration.barrier {
            status = Status::Converged;
            break;
        }
        if !iteration.advance() {
            status = Status::Stuck;
            break;
        }
    }
    let values = &iteration.values;
    Solution {
        status,
        iterations: iteration.count,
        factorisations: iteration.factorisations,
        time_s: problem.time_s(values),
        energy_j: problem.energy_j(values),
        error: most(&values.equations),
        violation: values.limits.as_flattened().iter().copied().fold(0.0, f64::max),
        point: iteration.point,
        duals: Duals { prices: iteration.prices, multipliers: iteration.multipliers },
    }
}

struct Iteration<'a> {
    problem: &'a Problem<'a>,
    point: Point,
    values: Values,
    slack: Vec<[f64; LIMITS]>,
    /// y and z.
    prices: Vec<[f64; EQUATIONS]>,
    multipliers: Vec<[f64; LIMITS]>,
    barrier: f64,
    last_damping: f64,
    last_step: f64,
    count: usize,
    factorisations: usize,
    /// Pairs of errors and barrier function that a point must improve on.
    filter: Vec<(f64, f64)>,
    least_errors: f64,
    most_errors: f64,
    linearised: Linearised,
    newton: Newton,
    weights: Vec<[f64; LIMITS]>,
    /// Steps of the unknowns and of y.
    step: Sides,
    slack_step: Vec<[f64; LIMITS]>,
    multiplier_step: Vec<[f64; LIMITS]>,
    trial: Point,
    trial_values: Values,
    trial_slack: Vec<[f64; LIMITS]>,
}

impl<'a> Iteration<'a> {
    fn new(problem: &'a Problem<'a>, start: Point, barrier: f64) -> Self {
        let n = problem.nodes.len();
        let mut values = Values::new(n);
        problem.evaluate(&start, &mut values);
        let slack: Vec<[f64; LIMITS]> =
            values.limits.iter().map(|limits| limits.map(|limit| (-limit).max(FEWEST_SLACK))).collect();
        let multipliers = slack.iter().map(|slack| slack.map(|slack| barrier / slack)).collect();
        let mut iteration = Self {
            problem,
            trial: start.clone(),
            point: start,
            trial_values: values.clone(),
            values,
            slack,
            prices: vec![[0.0; EQUATIONS]; n],
            multipliers,
            barrier,
            last_damping: 0.0,
            last_step: 0.0,
            count: 0,
            factorisations: 0,
            filter: Vec::new(),
            least_errors: 0.0,
            most_errors: 0.0,
            linearised: Linearised::new(n),
            newton: Newton::new(n, problem.closed),
            weights: vec![[0.0; LIMITS]; n],
            step: Sides::zeros(n),
            slack_step: vec![[0.0; LIMITS]; n],
            multiplier_step: vec![[0.0; LIMITS]; n],
            trial_slack: vec![[0.0; LIMITS]; n],
        };
        let errors = errors(&iteration.values, &iteration.slack).max(1.0);
        (iteration.least_errors, iteration.most_errors) = (1e-4 * errors, 1e4 * errors);
        iteration
    }

    /// Takes the multipliers of a program near this one; slacks are those that fit them where the
    /// point is at a limit or beyond it.
    fn resume(&mut self, duals: &Duals, settings: &Settings) {
        let (least, band) = (settings.resumed_barrier, settings.resumed_band);
        let limits = self.values.limits.as_flattened().iter().copied();
        let error = limits.fold(most(&self.values.equations), f64::max);
        self.barrier = (RESUMED_BARRIER * error * error).clamp(least, self.barrier.max(least));
        self.prices.clone_from(&duals.prices);
        self.multipliers.clone_from(&duals.multipliers);
        let limits = self.values.limits.as_flattened().iter();
        let state = self.slack.as_flattened_mut().iter_mut().zip(self.multipliers.as_flattened_mut());
        for (limit, (slack, multiplier)) in limits.zip(state) {
            *slack = (-limit).max((self.barrier / *multiplier).min(FEWEST_SLACK));
            let centre = self.barrier / *slack;
            *multiplier = multiplier.clamp(centre / band, centre * band);
        }
        let errors = errors(&self.values, &self.slack).max(1.0);
        (self.least_errors, self.most_errors) = (1e-4 * errors, 1e4 * errors);
    }

    /// Sets y to the least squares estimate by the gradients, unless it is absurd.
    fn estimate_multipliers(&mut self) {
        self.linearise();
        self.linearised.forget_hessians();
        self.linearised.assemble(self.problem, &self.weights, 1.0, &mut self.newton.matrix);
        if self.newton.factorise().is_none() {
            return;
        }
        let mut sides = Sides::zeros(self.prices.len());
        for (i, side) in sides.unknowns.iter_mut().enumerate() {
            *side = self.linearised.gradient(self.problem, i, &self.prices, &self.multipliers).map(|slope| -slope);
        }
        self.newton.solve(&mut sides);
        if most(&sides.equations) < 1e3 {
            self.prices = sides.equations;
        }
    }

    fn linearise(&mut self) {
        self.linearised.fill(self.problem, &self.point, &self.prices, &self.multipliers);
    }

    fn lower_barrier(&mut self, last: f64) {
        self.barrier = (BARRIER_FALL.0 * self.barrier).min(self.barrier.powf(BARRIER_FALL.1)).max(last);
        // Each barrier has its own filter.
        self.filter.clear();
    }

    /// Takes one Newton step, with more damping where none is accepted; `false` where none helps.
    fn advance(&mut self) -> bool {
        // Where the last step had to be damped, this one will have to be too, mostly.
        let (first, _, fall) = DAMPING;
        let mut damping = if self.last_damping > first { self.last_damping / fall } else { 0.0 };
        self.last_damping = 0.0;
        loop {
            let Some(used) = self.find_step(damping) else { return false };
            if self.line_search() {
                self.count += 1;
                return true;
            }
            damping = (10.0 * used).max(10.0 * DAMPING.0);
            if damping > MAX_DAMPING {
                return false;
            }
        }
    }

    /// Computes the steps of all unknowns; returns the damping that was needed.
    fn find_step(&mut self, mut damping: f64) -> Option<f64> {
        let slacks = self.slack.as_flattened().iter().zip(self.multipliers.as_flattened());
        for (weight, (slack, multiplier)) in self.weights.as_flattened_mut().iter_mut().zip(slacks) {
            *weight = multiplier / slack;
        }
        let expected = EQUATIONS * self.problem.intervals();
        loop {
            self.factorisations += 1;
            self.linearised.assemble(self.problem, &self.weights, damping, &mut self.newton.matrix);
            if self.newton.factorise() == Some(expected) {
                break;
            }
            let (first, growth, _) = DAMPING;
            damping = if damping > 0.0 { growth * damping } else { first };
            if damping > MAX_DAMPING {
                return None;
            }
        }
        if damping > 0.0 {
            self.last_damping = damping;
        }
        let equations = self.values.equations.clone();
        let mut limits = self.values.limits.clone();
        for (limit, slack) in limits.as_flattened_mut().iter_mut().zip(self.slack.as_flattened()) {
            *limit += slack;
        }
        self.solve_for(&equations, &limits);
        Some(damping)
    }

    /// Sets the steps for the errors `equations` and `limits` (g + s).
    fn solve_for(&mut self, equations: &[[f64; EQUATIONS]], limits: &[[f64; LIMITS]]) {
        let mut pushes = limits.to_vec();
        let state = self.slack.as_flattened().iter().zip(self.weights.as_flattened());
        for (push, (slack, weight)) in pushes.as_flattened_mut().iter_mut().zip(state) {
            *push = self.barrier / slack + weight * *push;
        }
        let (linearised, problem, prices) = (&self.linearised, self.problem, &self.prices);
        let sides = self.step.unknowns.par_iter_mut().zip(&mut self.step.equations);
        sides.enumerate().with_min_len(NODES_AT_ONCE).for_each(|(i, (unknowns, side))| {
            *unknowns = linearised.gradient(problem, i, prices, &pushes).map(|slope| -slope);
            *side = equations[i].map(|error| -error);
        });
        self.newton.solve(&mut self.step);

        let steps = self.slack_step.par_iter_mut().zip(&mut self.multiplier_step);
        let (step, slack, multipliers) = (&self.step.unknowns, &self.slack, &self.multipliers);
        steps.enumerate().with_min_len(NODES_AT_ONCE).for_each(|(i, (slack_step, multiplier_step))| {
            let changes = linearised.limit_changes(problem, step, i);
            *slack_step = std::array::from_fn(|k| -limits[i][k] - changes[k]);
            *multiplier_step = std::array::from_fn(|k| {
                let (slack, multiplier) = (slack[i][k], multipliers[i][k]);
                (self.barrier - multiplier * slack_step[k]) / slack - multiplier
            });
        });
    }
}

#[cfg(test)]
mod tests;
