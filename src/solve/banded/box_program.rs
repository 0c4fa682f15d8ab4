//! Convex quadratic programs with bounds.
//!
//! ```text
//! minimise ½ xᵀ P x + qᵀ x   subject to   l ≤ x ≤ u
//! ```
//!
//! P is n × n, symmetric and positive semidefinite, a [`CyclicBand`]; q, l and u have n entries. Solved by a primal-dual interior-point
//! method with Mehrotra's predictor and corrector (Nocedal and Wright, *Numerical Optimization*, 2nd edition, section 16.6):
//! with multipliers z of the lower and y of the upper bounds, each step solves
//!
//! ```text
//! (P + diag(z / (x - l) + y / (u - x))) Δx = -(P x + q) + σμ / (x - l) - σμ / (u - x) + corrections
//! ```
//!
//! by one factorisation of the band and two solutions. A dozen or two of steps are needed whatever the size, where
//! splitting methods need hundreds: the objectives of smooth lines are nearly flat along long waves.

use super::CyclicBand;
use crate::solve::SolveError;

/// Neighbours on each side that an unknown may be coupled with.
pub const REACH: usize = 2;

/// A program in the form of the module's documentation.
#[derive(Clone, Debug)]
pub struct BoxProgram {
    p: CyclicBand<REACH>,
    /// q, n entries.
    pub q: Vec<f64>,
    /// l, n entries.
    pub l: Vec<f64>,
    /// u, n entries.
    pub u: Vec<f64>,
}

/// When the solver stops.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoxSettings {
    /// The products of multipliers and distances to the bounds, and the gradient, must fall below this, with P scaled so that its largest
    /// diagonal entry is 1. Default: 1e-12, since along a wave of 500 steps' length P is only 1e-8.
    pub tolerance: f64,
    /// Most steps. Default: 60.
    pub max_iterations: u32,
}

impl Default for BoxSettings {
    fn default() -> Self {
        Self { tolerance: 1e-12, max_iterations: 60 }
    }
}

/// How a solve ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoxStatus {
    /// The residuals are within the tolerance.
    Solved,
    /// The steps ran out; the residuals say how far from the solution.
    OutOfIterations,
}

/// The solver's last point, strictly within its bounds, and how good it is.
#[derive(Clone, Debug)]
pub struct BoxSolution {
    /// n entries.
    pub x: Vec<f64>,
    /// How the solve ended.
    pub status: BoxStatus,
    /// Steps used.
    pub iterations: u32,
    /// Largest product of a multiplier and the distance to its bound, with P scaled.
    pub complementarity: f64,
    /// Largest entry of `P x + q - z + y`, with P scaled.
    pub dual_residual: f64,
}

/// An unknown whose bounds lie nearer than this keeps its value.
const FIXED_WIDTH: f64 = 1e-9;
/// Added to the diagonal of such an unknown.
const FIXING: f64 = 1e20;
/// A step leaves this share of each distance and multiplier.
const KEPT_SHARE: f64 = 0.005;

impl BoxProgram {
    /// A program with nothing to minimise yet, P = 0 and q = 0; on a ring the last unknowns are coupled with the first.
    ///
    /// # Errors
    /// [`SolveError::Solver`] when a lower bound exceeds its upper one, one isn't finite, or there are too few unknowns.
    pub fn new(l: Vec<f64>, u: Vec<f64>, closed: bool) -> Result<Self, SolveError> {
        let n = l.len();
        let refuse = |reason: String| Err(SolveError::Solver { reason });
        if u.len() != n || n < 3 * REACH {
            return refuse(format!("{n} lower and {} upper bounds are no program; {} are needed", u.len(), 3 * REACH));
        }
        if let Some(i) = (0..n).find(|&i| !(l[i].is_finite() && u[i].is_finite() && l[i] <= u[i])) {
            return refuse(format!("the bounds of unknown {i}, {} and {}, contradict each other", l[i], u[i]));
        }
        Ok(Self { p: CyclicBand::new(n, closed), q: vec![0.0; n], l, u })
    }

    /// Adds `value` at (`i`, `j`) and at its mirror image; off the diagonal the two are one entry.
    pub fn add(&mut self, i: usize, j: usize, value: f64) {
        self.p.add(i, j, value);
    }

    /// Solves the program.
    ///
    /// # Errors
    /// [`SolveError::Solver`] when a pivot shows that P isn't positive semidefinite, or a number isn't finite. Running out of steps is a status, not an
    /// error.
    pub fn solve(&self, settings: BoxSettings) -> Result<BoxSolution, SolveError> {
        let n = self.q.len();
        let scale = 1.0 / self.p.largest_diagonal().max(f64::MIN_POSITIVE);
        let fixed = |i: usize| self.u[i] - self.l[i] < FIXED_WIDTH;
        let mut x: Vec<f64> = self.l.iter().zip(&self.u).map(|(&l, &u)| f64::midpoint(l, u)).collect();
        // Distances to the bounds, kept beside x: as differences they would round to zero.
        let mut low: Vec<f64> = self.l.iter().zip(&self.u).map(|(&l, &u)| 0.5 * (u - l)).collect();
        let mut high = low.clone();
        let mut gradient = vec![0.0; n];
        self.gradient(&x, scale, &mut gradient);
        // Multipliers that balance the gradient at the start, and no less than its mean.
        let mean = (gradient.iter().map(|g| g.abs()).sum::<f64>() / n as f64).max(settings.tolerance);
        let mut z: Vec<f64> = gradient.iter().map(|g| g.max(0.0) + mean).collect();
        let mut y: Vec<f64> = gradient.iter().map(|g| (-g).max(0.0) + mean).collect();
        let (mut step, mut z_step, mut y_step) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
        let mut solution = BoxSolution {
            x: Vec::new(),
            status: BoxStatus::OutOfIterations,
            iterations: 0,
            complementarity: 0.0,
            dual_residual: 0.0,
        };
        loop {
            if gradient.iter().any(|g| !g.is_finite()) {
                return Err(SolveError::Solver { reason: "a number of the program isn't finite".into() });
            }
            let mut products = 0.0;
            (solution.complementarity, solution.dual_residual) = (0.0, 0.0);
            for i in (0..n).filter(|&i| !fixed(i)) {
                let pair = (z[i] * low[i], y[i] * high[i]);
                products += pair.0 + pair.1;
                solution.complementarity = pair.0.max(pair.1).max(solution.complementarity);
                solution.dual_residual = (gradient[i] - z[i] + y[i]).abs().max(solution.dual_residual);
            }
            if solution.complementarity.max(solution.dual_residual) <= settings.tolerance {
                solution.status = BoxStatus::Solved;
                break;
            }
            if solution.iterations == settings.max_iterations {
                break;
            }
            solution.iterations += 1;
            let barrier = products / (2 * n) as f64;
            let mut factors = self.p.clone();
            factors.scale(scale);
            for i in 0..n {
                let stiffness = if fixed(i) { FIXING } else { z[i] / low[i] + y[i] / high[i] };
                factors.add(i, i, stiffness);
            }
            factors.factorise().map_err(|_| SolveError::Solver { reason: "the objective has no minimum".into() })?;
            let direction =
                |centring: f64, corrected: bool, step: &mut [f64], z_step: &mut [f64], y_step: &mut [f64]| {
                    let targets: Vec<(f64, f64)> = (0..n)
                        .map(|i| {
                            let correction =
                                if corrected { (step[i] * z_step[i], -step[i] * y_step[i]) } else { (0.0, 0.0) };
                            (centring - correction.0, centring - correction.1)
                        })
                        .collect();
                    for i in 0..n {
                        let push = -gradient[i] + targets[i].0 / low[i] - targets[i].1 / high[i];
                        step[i] = if fixed(i) { 0.0 } else { push };
                    }
                    factors.solve(step);
                    for i in (0..n).filter(|&i| !fixed(i)) {
                        z_step[i] = (targets[i].0 - z[i] * step[i]) / low[i] - z[i];
                        y_step[i] = (targets[i].1 + y[i] * step[i]) / high[i] - y[i];
                    }
                };
            let longest = |step: &[f64], z_step: &[f64], y_step: &[f64]| {
                let (mut primal, mut dual) = (1.0f64, 1.0f64);
                for i in (0..n).filter(|&i| !fixed(i)) {
                    primal = primal.min(reach(low[i], step[i])).min(reach(high[i], -step[i]));
                    dual = dual.min(reach(z[i], z_step[i])).min(reach(y[i], y_step[i]));
                }
                (primal, dual)
            };
            direction(0.0, false, &mut step, &mut z_step, &mut y_step);
            let (primal, dual) = longest(&step, &z_step, &y_step);
            let predicted: f64 = (0..n)
                .filter(|&i| !fixed(i))
                .map(|i| {
                    (z[i] + dual * z_step[i]) * (low[i] + primal * step[i])
                        + (y[i] + dual * y_step[i]) * (high[i] - primal * step[i])
                })
                .sum();
            let centring = (predicted / products).powi(3) * barrier;
            direction(centring, true, &mut step, &mut z_step, &mut y_step);
            let (primal, dual) = longest(&step, &z_step, &y_step);
            for i in (0..n).filter(|&i| !fixed(i)) {
                let moved = (1.0 - KEPT_SHARE) * primal * step[i];
                x[i] += moved;
                low[i] += moved;
                high[i] -= moved;
                z[i] += (1.0 - KEPT_SHARE) * dual * z_step[i];
                y[i] += (1.0 - KEPT_SHARE) * dual * y_step[i];
            }
            self.gradient(&x, scale, &mut gradient);
        }
        solution.x = x;
        Ok(solution)
    }

    /// `P x + q`, scaled.
    fn gradient(&self, x: &[f64], scale: f64, out: &mut [f64]) {
        self.p.times(x, out);
        for (out, q) in out.iter_mut().zip(&self.q) {
            *out = scale * (*out + q);
        }
    }
}

/// The longest step, at most 1, after which `value` is still not negative.
fn reach(value: f64, step: f64) -> f64 {
    if step < 0.0 { (-value / step).min(1.0) } else { 1.0 }
}
