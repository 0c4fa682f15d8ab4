//! First and second derivatives of the program at a point, and Newton's matrix.
//!
//! With the symbols of `problem`, F_i the functions of node i (τ, the states' rates, limits,
//! energy) and ω_i the derivative of the Lagrangian by them, which the equations' prices y, the
//! limits' multipliers z and the objective give:
//!
//! ```text
//! ω_τ = H_i - Σ h/2 rate (z₊ + z₋)       ω_x' = -Σ h/2 y     ω_g = z                        (1)
//! ∇_i L = Σ_k ω_k ∇F_k + bounds, and ± y and ± (z₊ - z₋) of both intervals at the node      (2)
//! ∇²_i L = Σ_k ω_k ∇²F_k                                                                    (3)
//! ```
//!
//! H_i is the factor of τ_i in the objective: half of both intervals at the node, scaled. h is the
//! length of an interval.
//!
//! An interval's equations (5) of `problem` have the gradients A = -I - h/2 ∇x' by its first node
//! and B = I - h/2 ∇x' by its second one. Its limits (8) have the gradients ± e - f (t + t'), where
//! t and t' are the gradients of τ at both nodes, f is h/2 times the largest rate, and e is the
//! change of steering or pedal. With the weights w = z/s, their squares are
//!
//! ```text
//! (Σ w f²) (t + t') (t + t')ᵀ - Σ ± w f (e (t + t')ᵀ + (t + t') eᵀ) + Σ w e eᵀ              (4)
//! ```
//!
//! of which each node's part belongs to its own block and the mixed part to the coupling.
//!
//! All passes go node by node and gather what both intervals at a node add, so threads may divide
//! the nodes among them and the sums are the same on any number of threads.

use raceline_numerics::{StageCycle, StageFactors};
use rayon::prelude::*;

use super::problem::{
    CORNERS, ENERGY, EQUATIONS, FORWARD, FUNCTIONS, HEADING, LIMITS, NODES_AT_ONCE, OFFSET, PEDAL, Problem, SPEED,
    STEERING, TURNING, UNKNOWNS, WITHOUT_CORNERS,
};

/// Number of unknowns that no equation of motion gives: steering angle and pedal.
const CONTROLS: usize = UNKNOWNS - EQUATIONS;
/// Newton's matrix and its factors.
pub type Matrix = StageCycle<EQUATIONS, CONTROLS, UNKNOWNS>;
pub type Factors = StageFactors<EQUATIONS, CONTROLS, UNKNOWNS, { 2 * UNKNOWNS }>;

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
const BOUNDS: [(usize, usize, f64); 3] = [(0, OFFSET, -1.0), (1, OFFSET, 1.0), (4, FORWARD, -1.0)];
/// Limits that are a function of the node: index of the limit, of the function.
const OF_NODE: [(usize, usize); 9] =
    [(2, TURNING), (5, SPEED), (6, 6), (7, 7), (8, 8), (9, 9), (10, 10), (15, CORNERS[0]), (16, CORNERS[1])];
/// The limit of the negative of a function: index of the limit, that of the function's own limit.
const NEGATIVE: (usize, usize) = (3, 2);
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
    pub fn fill<const L: usize>(
        &mut self,
        problem: &Problem,
        point: &[[f64; UNKNOWNS]],
        equations: &[[f64; EQUATIONS]],
        limits: &[[f64; L]],
    ) {
        let own = self.gradients.par_iter_mut().zip(&mut self.hessians).zip(&mut self.objective);
        own.enumerate().with_min_len(NODES_AT_ONCE).for_each(|(i, ((gradients, hessian), objective))| {
            let time_weight = problem.per_second * problem.node_length_m(i);
            let priced = time_weight * problem.price.seconds_per_joule;
            let mut weights = function_weights(problem, i, equations, limits);
            weights[0] += time_weight;
            weights[ENERGY] = priced;
            weights[6] /= problem.scales[PEDAL];
            // Equation (3).
            (*gradients, *hessian) = problem.derivatives(i, &point[i], &weights);
            gradients[6].iter_mut().for_each(|entry| *entry /= problem.scales[PEDAL]);
            *objective = std::array::from_fn(|k| time_weight * gradients[0][k] + priced * gradients[ENERGY][k]);
            for (interval, from, to) in intervals(problem, i) {
                let sign = if i == to { 1.0 } else { -1.0 };
                for (unknown, weight) in smoothing(problem, interval) {
                    objective[unknown] += sign * weight * (point[to][unknown] - point[from][unknown]);
                }
            }
        });
    }

    /// Sets the second derivatives to zero.
    pub fn forget_hessians(&mut self) {
        self.hessians.fill([[0.0; UNKNOWNS]; UNKNOWNS]);
    }

    /// Gradient of the Lagrangian by the unknowns of node `i`, with the multipliers of equations
    /// and limits; zero for what is fixed.
    pub fn gradient<const L: usize>(
        &self,
        problem: &Problem,
        i: usize,
        equations: &[[f64; EQUATIONS]],
        limits: &[[f64; L]],
    ) -> [f64; UNKNOWNS] {
        // Equation (2).
        let mut sum = self.objective[i];
        let weights = function_weights(problem, i, equations, limits);
        // Without their bounds, the corners' functions have no weight.
        let functions = FUNCTIONS + L - LIMITS;
        for (gradient, weight) in self.gradients[i].iter().zip(&weights).take(functions) {
            sum.iter_mut().zip(gradient).for_each(|(entry, slope)| *entry += weight * slope);
        }
        for (limit, unknown, sign) in BOUNDS {
            sum[unknown] += sign * limits[i][limit];
        }
        for (interval, _, to) in intervals(problem, i) {
            let sign = if i == to { 1.0 } else { -1.0 };
            for (entry, weight) in sum.iter_mut().zip(&equations[interval]) {
                *entry += sign * weight;
            }
            for (limit, rate, side) in OF_INTERVAL {
                sum[STEERING + rate] += sign * side * limits[interval][limit];
            }
        }
        problem.fixed.iter().filter(|(node, _)| *node == i).for_each(|&(_, unknown)| sum[unknown] = 0.0);
        sum
    }

    /// Changes of the limits of node `i`, to first order, when the unknowns change by `step`.
    pub fn limit_changes<const L: usize>(&self, problem: &Problem, step: &[[f64; UNKNOWNS]], i: usize) -> [f64; L] {
        let slope = |node: usize, function: usize| -> f64 {
            self.gradients[node][function].iter().zip(&step[node]).map(|(a, b)| a * b).sum()
        };
        let mut changes = [0.0; L];
        for (limit, unknown, sign) in BOUNDS {
            changes[limit] = sign * step[i][unknown];
        }
        for &(limit, function) in of_node::<L>(problem, i) {
            changes[limit] = slope(i, function);
        }
        changes[NEGATIVE.0] = -changes[NEGATIVE.1];
        if i < problem.intervals() {
            let (next, rates) = (problem.next(i), problem.rates());
            let time = 0.5 * problem.nodes[i].length_m * (slope(i, 0) + slope(next, 0));
            for (limit, rate, sign) in OF_INTERVAL {
                let change = step[next][STEERING + rate] - step[i][STEERING + rate];
                changes[limit] = sign * change - rates[rate] * time;
            }
        }
        changes
    }

    /// Sets `matrix` to Newton's matrix: the second derivatives of the Lagrangian plus `damping`,
    /// the squared gradients of the limits with `weights` (multiplier by slack), and the gradients
    /// of the equations.
    pub fn assemble<const L: usize>(&self, problem: &Problem, weights: &[[f64; L]], damping: f64, matrix: &mut Matrix) {
        let blocks = matrix.hessian.par_iter_mut().zip(&mut matrix.coupling);
        let equations = matrix.here.par_iter_mut().zip(&mut matrix.there);
        let all = blocks.zip(equations).enumerate().with_min_len(NODES_AT_ONCE);
        all.for_each(|(i, ((hessian, coupling), (here, there)))| {
            *hessian = self.own_block(problem, weights, damping, i);
            if i < problem.intervals() {
                // A and B.
                let next = problem.next(i);
                let half = 0.5 * problem.nodes[i].length_m;
                for (k, scale) in problem.scales.iter().enumerate().take(EQUATIONS) {
                    let factor = half / scale;
                    here[k] = self.gradients[i][k + 1].map(|slope| -factor * slope);
                    there[k] = self.gradients[next][k + 1].map(|slope| -factor * slope);
                    here[k][k] -= 1.0;
                    there[k][k] += 1.0;
                }
                let squares = RateSquares::new(problem, &weights[i], i);
                *coupling = squares.coupling(&self.gradients[i][0], &self.gradients[next][0]);
            }
        });
        for &(node, unknown) in &problem.fixed {
            matrix.fixed[usize::from(node > 0)][unknown] = true;
        }
    }

    /// The second derivatives by the unknowns of node `i`.
    fn own_block<const L: usize>(
        &self,
        problem: &Problem,
        weights: &[[f64; L]],
        damping: f64,
        i: usize,
    ) -> [[f64; UNKNOWNS]; UNKNOWNS] {
        let mut block = self.hessians[i];
        let gradients = &self.gradients[i];
        for (k, row) in block.iter_mut().enumerate() {
            row[k] += damping;
        }
        for (limit, unknown, _) in BOUNDS {
            block[unknown][unknown] += weights[i][limit];
        }
        let mut own = weights[i];
        own[NEGATIVE.1] += own[NEGATIVE.0];
        for &(limit, function) in of_node::<L>(problem, i) {
            add_square(&mut block, &gradients[function], &gradients[function], own[limit]);
        }
        // Equation (4), this node's part.
        let (mut of_time, mut across) = (0.0, [0.0; UNKNOWNS]);
        for (interval, _, to) in intervals(problem, i) {
            let squares = RateSquares::new(problem, &weights[interval], interval);
            of_time += squares.of_time;
            for k in 0..CONTROLS {
                across[STEERING + k] += if i == to { -squares.across[k] } else { squares.across[k] };
                block[STEERING + k][STEERING + k] += squares.own[k];
            }
        }
        add_square(&mut block, &gradients[0], &gradients[0], of_time);
        add_square(&mut block, &gradients[0], &across, 1.0);
        add_square(&mut block, &across, &gradients[0], 1.0);
        block
    }
}

/// Limits of node `i`, among its first `L`, that are a function of it and not a constant.
fn of_node<const L: usize>(problem: &Problem, i: usize) -> &'static [(usize, usize)] {
    let has_corners = L > WITHOUT_CORNERS && problem.nodes[i].has_corners();
    if has_corners { &OF_NODE } else { &OF_NODE[..OF_NODE.len() - CORNERS.len()] }
}

/// The intervals at node `i`, with the nodes that they lead from and to.
fn intervals(problem: &Problem, i: usize) -> impl Iterator<Item = (usize, usize, usize)> {
    let after = (i < problem.intervals()).then(|| (i, i, problem.next(i)));
    let before = problem.before(i).map(|before| (before, before, i));
    after.into_iter().chain(before)
}

/// Unknowns whose changes over interval `i` are priced, and twice the price of their squares.
fn smoothing(problem: &Problem, i: usize) -> [(usize, f64); CONTROLS] {
    std::array::from_fn(|k| {
        (STEERING + k, 2.0 * problem.per_second * problem.smoothing(i)[k] / problem.nodes[i].length_m)
    })
}

/// Derivative of the Lagrangian, without the objective, by the functions of node `i`.
fn function_weights<const L: usize>(
    problem: &Problem,
    i: usize,
    equations: &[[f64; EQUATIONS]],
    limits: &[[f64; L]],
) -> [f64; FUNCTIONS] {
    let rates = problem.rates();
    // Equation (1).
    let mut weights = [0.0; FUNCTIONS];
    for (interval, _, _) in intervals(problem, i) {
        let half = 0.5 * problem.nodes[interval].length_m;
        for k in 0..EQUATIONS {
            weights[k + 1] -= half * equations[interval][k] / problem.scales[k];
        }
        for (limit, rate, _) in OF_INTERVAL {
            weights[0] -= half * rates[rate] * limits[interval][limit];
        }
    }
    let mut own = limits[i];
    own[NEGATIVE.1] -= own[NEGATIVE.0];
    for &(limit, function) in of_node::<L>(problem, i) {
        weights[function] = own[limit];
    }
    weights
}

/// The factors of equation (4) for an interval, and its smoothing.
struct RateSquares {
    /// Factor of t tᵀ, t' t'ᵀ and t' tᵀ.
    of_time: f64,
    /// Factors of t eᵀ; those of t' eᵀ are the negative.
    across: [f64; CONTROLS],
    /// Factors of e eᵀ.
    own: [f64; CONTROLS],
}

impl RateSquares {
    fn new<const L: usize>(problem: &Problem, weights: &[f64; L], i: usize) -> Self {
        let rates = problem.rates();
        let half = 0.5 * problem.nodes[i].length_m;
        let mut squares = Self { of_time: 0.0, across: [0.0; CONTROLS], own: [0.0; CONTROLS] };
        for (limit, rate, sign) in OF_INTERVAL {
            let (weight, factor) = (weights[limit], half * rates[rate]);
            squares.of_time += weight * factor * factor;
            squares.across[rate] += sign * weight * factor;
            squares.own[rate] += weight;
        }
        for (own, (_, weight)) in squares.own.iter_mut().zip(smoothing(problem, i)) {
            *own += weight;
        }
        squares
    }

    /// Rows of the next node, columns of this one.
    fn coupling(&self, here: &[f64; UNKNOWNS], there: &[f64; UNKNOWNS]) -> [[f64; UNKNOWNS]; UNKNOWNS] {
        // Equation (4), the mixed part.
        let mut block = [[0.0; UNKNOWNS]; UNKNOWNS];
        add_square(&mut block, there, here, self.of_time);
        for k in 0..CONTROLS {
            for unknown in 0..UNKNOWNS {
                block[unknown][STEERING + k] += self.across[k] * there[unknown];
                block[STEERING + k][unknown] -= self.across[k] * here[unknown];
            }
            block[STEERING + k][STEERING + k] -= self.own[k];
        }
        block
    }
}

/// Adds `weight` times `rows` `columns`ᵀ to `block`.
fn add_square(block: &mut [[f64; UNKNOWNS]; UNKNOWNS], rows: &[f64; UNKNOWNS], columns: &[f64; UNKNOWNS], weight: f64) {
    for (entries, row) in block.iter_mut().zip(rows) {
        let factor = weight * row;
        entries.iter_mut().zip(columns).for_each(|(entry, column)| *entry += factor * column);
    }
}

const _: () = assert!(HEADING == 1 && PEDAL == STEERING + 1, "rates of steering and pedal are numbered so");

#[cfg(test)]
mod tests;
