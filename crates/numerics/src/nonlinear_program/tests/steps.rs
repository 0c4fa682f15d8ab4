//! A program of many stages.

use super::assert_near;
use crate::nonlinear_program::{Duals, Gradient, LimitTerms, NonlinearProgram, Settings, Status, Values, solve};
use crate::{StageCycle, StageFactors};

/// A point moves from 0 to 1 in a number of steps: minimise Σ u² with x_{i+1} - x_i = u_{i+1} and
/// u ≤ limit_i. The first stage's u has no effect, so it is 0.
pub(super) struct Steps {
    pub limits: Vec<f64>,
}

/// A linearisation that keeps only the point: all derivatives are constant.
pub(super) struct StepsAt {
    gradient: Vec<[f64; 2]>,
}

impl NonlinearProgram<2, 1, 1> for Steps {
    type Function = ();
    type Linearised = StepsAt;
    type System = (StageCycle<1, 1, 2>, StageFactors<1, 1, 2, 4>);

    fn stages(&self) -> usize {
        self.limits.len()
    }

    fn equations(&self) -> usize {
        self.limits.len() - 1
    }

    fn room(&self) -> (StepsAt, Self::System) {
        let n = self.stages();
        (StepsAt { gradient: vec![[0.0; 2]; n] }, (StageCycle::zeros(n, false), StageFactors::new(n, false)))
    }

    fn evaluate(&self, x: &[[f64; 2]], values: &mut Values<1, 1>) {
        values.objective = x.iter().map(|[_, u]| u * u).sum();
        for (i, limit) in self.limits.iter().enumerate() {
            values.limits[i] = [x[i][1] - limit];
            values.equations[i] = [x.get(i + 1).map_or(0.0, |next| next[0] - x[i][0] - next[1])];
        }
    }

    fn linearise(&self, x: &[[f64; 2]], _: &Duals<1, 1>, _: &[[f64; 1]], at: &mut StepsAt) {
        at.gradient = x.iter().map(|[_, u]| [0.0, 2.0 * u]).collect();
    }

    fn forget_hessians(&self, _: &mut StepsAt) {}

    fn gradient<'a>(&self, at: &'a StepsAt) -> Gradient<'a, 2> {
        Gradient::Objective(&at.gradient)
    }

    fn stationarity(&self, _: &[[f64; 2]], at: &StepsAt, duals: &Duals<1, 1>) -> f64 {
        let slopes = self.slopes(at, &duals.prices, |i| duals.multipliers[i][0]);
        slopes.as_flattened().iter().fold(0.0, |largest, slope| slope.abs().max(largest))
    }

    fn right_side(&self, at: &StepsAt, prices: &[[f64; 1]], limits: &LimitTerms<1>, side: &mut [[f64; 2]]) {
        let push = |i: usize| limits.barrier / limits.slack[i][0] + limits.weights[i][0] * limits.errors[i][0];
        side.copy_from_slice(&self.slopes(at, prices, push));
        side.as_flattened_mut().iter_mut().for_each(|entry| *entry = -*entry);
    }

    fn limit_changes(&self, _: &StepsAt, step: &[[f64; 2]], changes: &mut [[f64; 1]]) {
        changes.iter_mut().zip(step).for_each(|(change, [_, u])| *change = [*u]);
    }

    fn assemble(&self, _: &StepsAt, weights: &[[f64; 1]], damping: f64, (matrix, _): &mut Self::System) {
        for (i, [weight]) in weights.iter().enumerate() {
            matrix.hessian[i] = [[damping, 0.0], [0.0, 2.0 + damping + weight]];
            matrix.here[i] = [[-1.0, 0.0]];
            matrix.there[i] = [[1.0, -1.0]];
        }
        matrix.fixed = [[true, true], [true, false]];
    }
}

impl Steps {
    fn slopes(&self, at: &StepsAt, prices: &[[f64; 1]], push: impl Fn(usize) -> f64) -> Vec<[f64; 2]> {
        let last = self.stages() - 1;
        let slope = |i: usize| {
            let before = if i > 0 { prices[i - 1][0] } else { 0.0 };
            let after = if i < last { prices[i][0] } else { 0.0 };
            let position = if i == 0 || i == last { 0.0 } else { before - after };
            [position, if i == 0 { 0.0 } else { at.gradient[i][1] - before + push(i) }]
        };
        (0..=last).map(slope).collect()
    }
}

#[test]
fn steps_are_equal_except_where_a_limit_is_reached() {
    let mut limits = vec![1.0; 301];
    limits[100] = 0.001;
    let program = Steps { limits };
    // The start is where the fixed unknowns stay.
    let start = (0..301).map(|i| [if i == 300 { 1.0 } else { 0.0 }, 0.0]).collect();
    let settings = Settings { first_barrier: 1e-3, last_barrier: 1e-10, ..Settings::default() };
    let found = solve(&program, start, None, &settings, &mut |_| {}).expect("dimensions that fit");
    assert_eq!(found.status, Status::Converged);
    let equal = (1.0 - 0.001) / 299.0;
    for (i, [_, u]) in found.x.iter().enumerate().skip(1) {
        assert!((u - if i == 100 { 0.001 } else { equal }).abs() < 1e-6, "{i}: {u}");
    }
    // The limit saves what an equal step costs more: 2 (equal - 0.001).
    assert_near(&found.duals.multipliers[100], &[2.0 * (equal - 0.001)], 1e-6);
    assert_near(&found.duals.prices[7], &[2.0 * equal], 1e-6);
}

#[test]
fn steps_that_are_too_short_in_all_do_not_converge() {
    let start = (0..31).map(|i| [if i == 30 { 1.0 } else { 0.0 }, 0.0]).collect();
    let found = solve(&Steps { limits: vec![0.01; 31] }, start, None, &Settings::default(), &mut |_| {});
    assert_ne!(found.expect("dimensions that fit").status, Status::Converged);
}
