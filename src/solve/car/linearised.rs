//! First and second derivatives of the program at a point, and Newton's matrix.

use raceline_numerics::BlockCycle;
use rayon::prelude::*;

use super::problem::{EQUATIONS, FORWARD, FUNCTIONS, HEADING, LIMITS, OFFSET, PEDAL, Problem, STEERING, UNKNOWNS};

/// Size of a block of Newton's matrix: the unknowns of a node and the multipliers of its equations.
pub const BLOCK: usize = UNKNOWNS + EQUATIONS;
/// Newton's matrix.
pub type Matrix = BlockCycle<BLOCK, UNKNOWNS>;

/// Derivatives at a point.
#[derive(Clone, Debug)]
pub struct Linearised {
    /// Gradients of the functions of each node.
    gradients: Vec<[[f64; UNKNOWNS]; FUNCTIONS]>,
    /// Second derivatives of the Lagrangian by a node's own unknowns, without the smoothing.
    hessians: Vec<[[f64; UNKNOWNS]; UNKNOWNS]>,
    /// Gradient of the objective.
    pub objective: Vec<[f64; UNKNOWNS]>,
}

/// Limits that are a bound of one unknown: index of the limit, unknown, sign.
const BOUNDS: [(usize, usize, f64); 6] = [
    (0, OFFSET, -1.0),
    (1, OFFSET, 1.0),
    (2, STEERING, 1.0),
    (3, STEERING, -1.0),
    (4, FORWARD, -1.0),
    (5, FORWARD, 1.0),
];
/// Limits that are a function of the node: index of the limit, of the function.
const OF_NODE: [(usize, usize); 5] = [(6, 6), (7, 7), (8, 8), (9, 9), (10, 10)];
/// Limits of the interval: index of the limit, number of the rate, sign of the change.
const OF_INTERVAL: [(usize, usize, f64); 4] = [(11, 0, 1.0), (12, 0, -1.0), (13, 1, 1.0), (14, 1, -1.0)];

impl Linearised {
    pub fn new(nodes: usize) -> Self {
        Self {
            gradients: vec![[[0.0; UNKNOWNS]; FUNCTIONS]; nodes],
            hessians: vec![[[0.0; UNKNOWNS]; UNKNOWNS]; nodes],
            objective: vec![[0.0; UNKNOWNS]; nodes],
        }
    }

    /// Sets the derivatives at `point` with the multipliers of equations and limits.
    pub fn fill(
        &mut self,
        problem: &Problem,
        point: &[[f64; UNKNOWNS]],
        equations: &[[f64; EQUATIONS]],
        limits: &[[f64; LIMITS]],
    ) {
        let rates = problem.rates();
        let weights = |i: usize| {
            let mut weights = [0.0; FUNCTIONS];
            weights[0] = problem.per_second * problem.share(i);
            for interval in [Some(i), problem.before(i)].into_iter().flatten() {
                let half = 0.5 * problem.length(interval);
                for k in 0..EQUATIONS {
                    weights[k + 1] -= half * equations[interval][k] / problem.scales[k];
                }
                for (limit, rate, _) in OF_INTERVAL {
                    weights[0] -= half * rates[rate] * limits[interval][limit];
                }
            }
            for (limit, function) in OF_NODE {
                weights[function] = limits[i][limit];
            }
            weights[6] /= problem.scales[PEDAL];
            weights
        };
        self.gradients.par_iter_mut().zip(&mut self.hessians).enumerate().with_min_len(64).for_each(
            |(i, (gradients, hessian))| {
                (*gradients, *hessian) = problem.derivatives(i, &point[i], &weights(i));
                gradients[6].iter_mut().for_each(|entry| *entry /= problem.scales[PEDAL]);
            },
        );
        for (i, objective) in self.objective.iter_mut().enumerate() {
            let weight = problem.per_second * problem.share(i);
            *objective = self.gradients[i][0].map(|entry| weight * entry);
        }
        for i in 0..problem.intervals() {
            let next = problem.next(i);
            for k in 0..2 {
                let weight = 2.0 * problem.per_second * problem.smoothing[k] / problem.nodes[i].length_m;
                let push = weight * (point[next][STEERING + k] - point[i][STEERING + k]);
                self.objective[next][STEERING + k] += push;
                self.objective[i][STEERING + k] -= push;
            }
        }
    }

    /// Sets the second derivatives to zero.
    pub fn forget_hessians(&mut self) {
        self.hessians.fill([[0.0; UNKNOWNS]; UNKNOWNS]);
    }

    /// Adds the gradients of the equations with `weights` to `sum`.
    pub fn add_equations(&self, problem: &Problem, weights: &[[f64; EQUATIONS]], sum: &mut [[f64; UNKNOWNS]]) {
        for i in 0..problem.intervals() {
            let next = problem.next(i);
            for (k, weight) in weights[i].iter().enumerate() {
                sum[i][k] -= weight;
                sum[next][k] += weight;
                let factor = 0.5 * problem.nodes[i].length_m / problem.scales[k] * weight;
                for node in [i, next] {
                    let gradient = &self.gradients[node][k + 1];
                    sum[node].iter_mut().zip(gradient).for_each(|(entry, slope)| *entry -= factor * slope);
                }
            }
        }
    }

    /// Adds the gradients of the limits with `weights` to `sum`.
    pub fn add_limits(&self, problem: &Problem, weights: &[[f64; LIMITS]], sum: &mut [[f64; UNKNOWNS]]) {
        let rates = problem.rates();
        for (i, weights) in weights.iter().enumerate() {
            for (limit, unknown, sign) in BOUNDS {
                sum[i][unknown] += sign * weights[limit];
            }
            for (limit, function) in OF_NODE {
                let gradient = &self.gradients[i][function];
                sum[i].iter_mut().zip(gradient).for_each(|(entry, slope)| *entry += weights[limit] * slope);
            }
            if i >= problem.intervals() {
                continue;
            }
            let next = problem.next(i);
            for (limit, rate, sign) in OF_INTERVAL {
                sum[i][STEERING + rate] -= sign * weights[limit];
                sum[next][STEERING + rate] += sign * weights[limit];
                let factor = 0.5 * problem.nodes[i].length_m * rates[rate] * weights[limit];
                for node in [i, next] {
                    let gradient = &self.gradients[node][0];
                    sum[node].iter_mut().zip(gradient).for_each(|(entry, slope)| *entry -= factor * slope);
                }
            }
        }
    }

    /// Changes of the limits, to first order, when the unknowns change by `step`.
    pub fn limit_changes(&self, problem: &Problem, step: &[[f64; BLOCK]], changes: &mut [[f64; LIMITS]]) {
        let rates = problem.rates();
        let slope = |node: usize, function: usize| -> f64 {
            self.gradients[node][function].iter().zip(&step[node]).map(|(a, b)| a * b).sum()
        };
        for (i, changes) in changes.iter_mut().enumerate() {
            *changes = [0.0; LIMITS];
            for (limit, unknown, sign) in BOUNDS {
                changes[limit] = sign * step[i][unknown];
            }
            for (limit, function) in OF_NODE {
                changes[limit] = slope(i, function);
            }
            if i >= problem.intervals() {
                continue;
            }
            let next = problem.next(i);
            let time = 0.5 * problem.nodes[i].length_m * (slope(i, 0) + slope(next, 0));
            for (limit, rate, sign) in OF_INTERVAL {
                let change = step[next][STEERING + rate] - step[i][STEERING + rate];
                changes[limit] = sign * change - rates[rate] * time;
            }
        }
    }

    /// Sets `matrix` to Newton's matrix: the second derivatives of the Lagrangian plus `damping`,
    /// the squared gradients of the limits with `weights` (multiplier by slack), and the gradients
    /// of the equations.
    pub fn assemble(&self, problem: &Problem, weights: &[[f64; LIMITS]], damping: f64, matrix: &mut Matrix) {
        matrix.clear();
        let rates = problem.rates();
        for (i, weights) in weights.iter().enumerate() {
            let block = &mut matrix.diagonal[i];
            for (row, entries) in block.iter_mut().zip(&self.hessians[i]) {
                row.iter_mut().zip(entries).for_each(|(target, entry)| *target += entry);
            }
            for (k, row) in block.iter_mut().enumerate().take(UNKNOWNS) {
                row[k] += damping;
            }
            for (limit, unknown, _) in BOUNDS {
                block[unknown][unknown] += weights[limit];
            }
            for (limit, function) in OF_NODE {
                let gradient = &self.gradients[i][function];
                add_square(block, gradient, gradient, weights[limit]);
            }
            if i >= problem.intervals() {
                for (k, row) in block.iter_mut().enumerate().skip(UNKNOWNS) {
                    row[k] = -1.0;
                }
                continue;
            }
            let next = problem.next(i);
            let half = 0.5 * problem.nodes[i].length_m;
            for k in 0..EQUATIONS {
                let factor = half / problem.scales[k];
                let mut here = self.gradients[i][k + 1].map(|slope| -factor * slope);
                let mut there = self.gradients[next][k + 1].map(|slope| -factor * slope);
                here[k] -= 1.0;
                there[k] += 1.0;
                for (unknown, (here, there)) in here.into_iter().zip(there).enumerate() {
                    matrix.diagonal[i][UNKNOWNS + k][unknown] = here;
                    matrix.diagonal[i][unknown][UNKNOWNS + k] = here;
                    matrix.coupling[i][unknown][UNKNOWNS + k] = there;
                }
            }
            for (limit, rate, sign) in OF_INTERVAL {
                let factor = half * rates[rate];
                let mut here = self.gradients[i][0].map(|slope| -factor * slope);
                let mut there = self.gradients[next][0].map(|slope| -factor * slope);
                here[STEERING + rate] -= sign;
                there[STEERING + rate] += sign;
                let weight = weights[limit];
                add_square(&mut matrix.diagonal[i], &here, &here, weight);
                add_square(&mut matrix.diagonal[next], &there, &there, weight);
                add_square(&mut matrix.coupling[i], &there, &here, weight);
            }
            for k in 0..2 {
                let unknown = STEERING + k;
                let weight = 2.0 * problem.per_second * problem.smoothing[k] / problem.nodes[i].length_m;
                matrix.diagonal[i][unknown][unknown] += weight;
                matrix.diagonal[next][unknown][unknown] += weight;
                matrix.coupling[i][unknown][unknown] -= weight;
            }
        }
        for &(node, unknown) in &problem.fixed {
            fix(problem, matrix, node, unknown);
        }
    }
}

/// Replaces an unknown's row and column by those of the identity.
fn fix(problem: &Problem, matrix: &mut Matrix, node: usize, unknown: usize) {
    let block = &mut matrix.diagonal[node];
    block[unknown] = [0.0; BLOCK];
    block.iter_mut().for_each(|row| row[unknown] = 0.0);
    block[unknown][unknown] = 1.0;
    if node < problem.intervals() {
        matrix.coupling[node].iter_mut().for_each(|row| row[unknown] = 0.0);
    }
    if let Some(before) = problem.before(node) {
        matrix.coupling[before][unknown] = [0.0; BLOCK];
    }
}

/// Adds `weight` times `rows` `columns`ᵀ to the leading part of `block`.
fn add_square<const R: usize>(
    block: &mut [[f64; BLOCK]; R],
    rows: &[f64; UNKNOWNS],
    columns: &[f64; UNKNOWNS],
    weight: f64,
) {
    for (entries, row) in block.iter_mut().zip(rows) {
        let factor = weight * row;
        entries.iter_mut().zip(columns).for_each(|(entry, column)| *entry += factor * column);
    }
}

const _: () = assert!(HEADING == 1 && PEDAL == STEERING + 1, "rates of steering and pedal are numbered so");
