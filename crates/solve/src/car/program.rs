//! The car's [`Problem`] as a nonlinear program in stages: one per node.
//!
//! Solved by [`nonlinear_program`] with its filter. The start nearly fulfils the equations, so that
//! no restoration phase is needed.

use raceline_numerics::nonlinear_program::{self, Gradient, LimitTerms, NonlinearProgram, ProgramError};
pub use raceline_numerics::nonlinear_program::{Settings, Status};
use rayon::prelude::*;

use super::linearised::Linearised;
use super::newton::Newton;
use super::problem::{
    EQUATIONS, FUNCTIONS, LIMITS, NODES_AT_ONCE, Node, Point, Problem, UNKNOWNS, Values, WITHOUT_CORNERS,
};

/// Multipliers at a point.
pub type Duals = nonlinear_program::Duals<EQUATIONS, LIMITS>;

/// The last point of the search.
#[derive(Clone, Debug)]
pub struct Solution {
    pub point: Point,
    pub duals: Duals,
    pub status: Status,
    pub iterations: usize,
    pub factorisations: usize,
    /// Lap time, s.
    pub time_s: f64,
    /// Energy of the lap, J.
    pub energy_j: f64,
    /// Largest error of an equation, relative to the scale of its state.
    pub error: f64,
    /// Largest violation of a limit, relative to its scale.
    pub violation: f64,
}

impl Solution {
    /// The solution `next` of a search that continues this one, with the steps of both.
    pub fn then(&self, next: Self) -> Self {
        Self {
            iterations: self.iterations + next.iterations,
            factorisations: self.factorisations + next.factorisations,
            ..next
        }
    }
}

/// State of the search, for a caller that watches it.
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

/// Whether programs without corners have code of their own, which saves 3 % of the time. In
/// WebAssembly a page would have to load it too. Results are the same to the bit.
const IS_COMPILED_TWICE: bool = !cfg!(target_family = "wasm");

/// Solves `problem` from `start`, with the multipliers of a program near this one if there are any.
///
/// # Errors
/// [`ProgramError`] for a start that does not fit.
pub fn solve(
    problem: &Problem,
    start: Point,
    duals: Option<&Duals>,
    settings: &Settings,
    watch: &dyn Fn(Progress),
) -> Result<Solution, ProgramError> {
    if !IS_COMPILED_TWICE || problem.nodes.iter().any(Node::has_corners) {
        solve_with::<LIMITS>(problem, start, duals, settings, watch)
    } else {
        solve_with::<WITHOUT_CORNERS>(problem, start, duals, settings, watch)
    }
}

/// Solves `problem` with the first `L` limits of each node.
fn solve_with<const L: usize>(
    problem: &Problem,
    start: Point,
    duals: Option<&Duals>,
    settings: &Settings,
    watch: &dyn Fn(Progress),
) -> Result<Solution, ProgramError> {
    let duals = duals.map(|duals| nonlinear_program::Duals {
        prices: duals.prices.clone(),
        multipliers: duals.multipliers.iter().map(resized).collect(),
    });
    let found = nonlinear_program::solve(problem, start, duals.as_ref(), settings, &mut |progress| {
        watch(Progress {
            iteration: progress.iteration,
            time_s: problem.time_s(progress.values),
            error: progress.values.equation_error(),
            stationarity: progress.stationarity,
            barrier: progress.barrier,
            damping: progress.damping,
            step: progress.step,
        });
    })?;
    Ok(Solution {
        status: found.status,
        iterations: found.iterations,
        factorisations: found.factorisations,
        time_s: problem.time_s(&found.values),
        energy_j: problem.energy_j(&found.values),
        error: found.values.equation_error(),
        violation: found.values.violation(),
        point: found.x,
        duals: Duals {
            prices: found.duals.prices,
            multipliers: found.duals.multipliers.iter().map(resized::<L, LIMITS>).collect(),
        },
    })
}

/// The first multipliers of a node; those that it does not have are zero.
fn resized<const FROM: usize, const TO: usize>(multipliers: &[f64; FROM]) -> [f64; TO] {
    std::array::from_fn(|k| multipliers.get(k).copied().unwrap_or(0.0))
}

impl<const L: usize> NonlinearProgram<UNKNOWNS, EQUATIONS, L> for Problem<'_> {
    type Function = [f64; FUNCTIONS];
    type Linearised = Linearised;
    type System = Newton;

    fn stages(&self) -> usize {
        self.nodes.len()
    }

    fn equations(&self) -> usize {
        EQUATIONS * self.intervals()
    }

    fn room(&self) -> (Linearised, Newton) {
        let n = self.nodes.len();
        (Linearised::new(n), Newton::new(n, self.closed))
    }

    fn evaluate(&self, x: &[[f64; UNKNOWNS]], values: &mut Values<L>) {
        Problem::evaluate(self, x, values);
    }

    fn linearise(
        &self,
        x: &[[f64; UNKNOWNS]],
        duals: &nonlinear_program::Duals<EQUATIONS, L>,
        _: &[[f64; L]],
        at: &mut Linearised,
    ) {
        at.fill(self, x, &duals.prices, &duals.multipliers);
    }

    fn forget_hessians(&self, at: &mut Linearised) {
        at.forget_hessians();
    }

    fn gradient<'a>(&self, at: &'a Linearised) -> Gradient<'a, UNKNOWNS> {
        Gradient::Objective(&at.objective)
    }

    fn stationarity(
        &self,
        _: &[[f64; UNKNOWNS]],
        at: &Linearised,
        duals: &nonlinear_program::Duals<EQUATIONS, L>,
    ) -> f64 {
        let of_node = |i: usize| {
            let gradient = at.gradient(self, i, &duals.prices, &duals.multipliers);
            gradient.iter().fold(0.0, |largest: f64, slope| largest.max(slope.abs()))
        };
        let nodes = (0..self.nodes.len()).into_par_iter().with_min_len(NODES_AT_ONCE);
        nodes.map(of_node).reduce(|| 0.0, f64::max)
    }

    /// Minus the gradient of the Lagrangian with the multipliers `μ/s + z/s (g + s)`.
    fn right_side(
        &self,
        at: &Linearised,
        prices: &[[f64; EQUATIONS]],
        limits: &LimitTerms<L>,
        side: &mut [[f64; UNKNOWNS]],
    ) {
        let LimitTerms { barrier, errors, slack, weights, .. } = *limits;
        let mut pushes = errors.to_vec();
        let state = slack.as_flattened().iter().zip(weights.as_flattened());
        for (push, (slack, weight)) in pushes.as_flattened_mut().iter_mut().zip(state) {
            *push = barrier / slack + weight * *push;
        }
        side.par_iter_mut().enumerate().with_min_len(NODES_AT_ONCE).for_each(|(i, side)| {
            *side = at.gradient(self, i, prices, &pushes).map(|slope| -slope);
        });
    }

    fn limit_changes(&self, at: &Linearised, step: &[[f64; UNKNOWNS]], changes: &mut [[f64; L]]) {
        changes.par_iter_mut().enumerate().with_min_len(NODES_AT_ONCE).for_each(|(i, changes)| {
            *changes = at.limit_changes(self, step, i);
        });
    }

    fn assemble(&self, at: &Linearised, weights: &[[f64; L]], damping: f64, system: &mut Newton) {
        at.assemble(self, weights, damping, &mut system.matrix);
    }
}

#[cfg(test)]
mod tests;
