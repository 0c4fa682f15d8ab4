//! Convex quadratic programs with bounds.
//!
//! ```text
//! minimise ½ xᵀ P x + qᵀ x   subject to   l ≤ x ≤ u                                          (1)
//! ```
//!
//! | symbol | shape | value |
//! |---|---|---|
//! | x | n | unknowns |
//! | P | n × n | symmetric positive semidefinite; [`CyclicBand`] of reach 2 (five diagonals) |
//! | q | n | linear part of the objective |
//! | l, u | n | bounds, finite, `l ≤ u` |
//! | z, y | n | multipliers of the lower and of the upper bounds, positive |
//!
//! Solved by a primal-dual interior-point method with Mehrotra's predictor and corrector (Nocedal
//! and Wright, *Numerical Optimization*, 2nd edition, section 16.6). The conditions of a solution
//!
//! ```text
//! P x + q - z + y = 0       z (x - l) = 0       y (u - x) = 0       z, y ≥ 0                 (2)
//! ```
//!
//! are solved by Newton's method, the products with targets t and t' in place of 0. Their steps are
//! eliminated:
//!
//! ```text
//! (P + diag(z / (x - l) + y / (u - x))) Δx = -(P x + q) + t / (x - l) - t' / (u - x)         (3)
//! Δz = (t - z Δx) / (x - l) - z             Δy = (t' + y Δx) / (u - x) - y                   (4)
//! ```
//!
//! The predictor has t = t' = 0. With the mean product μ, and μ₊ that after the longest step of the
//! predictor, the corrector has
//!
//! ```text
//! σ = (μ₊ / μ)³            t = σ μ - Δx Δz            t' = σ μ + Δx Δy                       (5)
//! ```
//!
//! with the predictor's steps. Each step takes most of the longest one,
//!
//! ```text
//! α = 0.995 max { α ≤ 1 : no distance and no multiplier is negative }                        (6)
//! ```
//!
//! using one factorisation of the band and two solutions. Ten to twenty steps are needed regardless
//! of the size. Splitting methods need hundreds, because the objectives of smooth lines are nearly
//! flat along long waves.
//!
//! Deviations: unknowns whose bounds coincide are fixed by a large diagonal entry instead of being
//! eliminated, and a step keeps the same fraction of every distance and multiplier.

mod error;

use crate::CyclicBand;
use crate::math;
pub use error::BoxError;

/// Number of neighbours on each side with which an unknown may be coupled.
const REACH: usize = 2;
/// An unknown whose bounds are closer to each other than this keeps its value.
const FIXED_WIDTH: f64 = 1e-9;
/// Added to the diagonal of a fixed unknown.
const FIXING: f64 = 1e20;
/// A step leaves this fraction of the distance or multiplier that limits it.
const KEPT_FRACTION: f64 = 0.005;

/// The program: minimise ½ xᵀ P x + qᵀ x subject to l ≤ x ≤ u, P of five diagonals.
///
/// ```
/// use raceline_numerics::{BoxProgram, BoxSettings, BoxStatus};
///
/// # fn main() -> Result<(), raceline_numerics::BoxError> {
/// // The smallest (x₀ + x₁ - 3)² + (x₀ - x₁)² in [0, 1] × [0, 4]: x₀ is at its bound.
/// let mut program = BoxProgram::new(vec![0.0; 2], vec![1.0, 4.0], false)?;
/// program.add_square(&[(0, 1.0), (1, 1.0)], -3.0);
/// program.add_square(&[(0, 1.0), (1, -1.0)], 0.0);
/// let solution = program.solve(BoxSettings::default())?;
/// assert_eq!(solution.status, BoxStatus::Solved);
/// assert!((solution.x[0] - 1.0).abs() < 1e-6 && (solution.x[1] - 1.5).abs() < 1e-6);
/// # Ok(())
/// # }
/// ```
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

/// Stopping criteria.
///
/// ```
/// use raceline_numerics::BoxSettings;
///
/// let settings = BoxSettings { max_iterations: 20, ..BoxSettings::default() };
/// assert_eq!(settings.tolerance, 1e-14);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoxSettings {
    /// Bound on the largest product of a multiplier and the distance to its bound, and on the
    /// largest entry of the Lagrangian's gradient, with P scaled so that its largest diagonal entry
    /// is 1. Default: 1e-14, because along a wave of 2000 unknowns an eigenvalue of P is only
    /// 1e-11.
    pub tolerance: f64,
    /// Maximum number of steps. Default: 60.
    pub max_iterations: u32,
}

impl Default for BoxSettings {
    fn default() -> Self {
        Self { tolerance: 1e-14, max_iterations: 60 }
    }
}

/// How a solve ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoxStatus {
    /// The residuals are within the tolerance.
    Solved,
    /// The maximum number of steps was reached. The residuals measure the distance from the
    /// solution.
    OutOfIterations,
}

/// The solver's last point, within its bounds, and its residuals.
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

impl BoxProgram {
    /// A program with P = 0 and q = 0. When `closed`, the last unknowns may be coupled with the
    /// first.
    ///
    /// # Errors
    /// [`BoxError::Dimensions`], [`BoxError::TooFewUnknowns`] (a ring needs 6, else 1) or
    /// [`BoxError::Bounds`].
    pub fn new(l: Vec<f64>, u: Vec<f64>, closed: bool) -> Result<Self, BoxError> {
        let n = l.len();
        let needed = if closed { CyclicBand::<REACH>::MIN_ON_RING } else { 1 };
        if n < needed && u.len() == n {
            return Err(BoxError::TooFewUnknowns { unknowns: n, needed });
        }
        check_bounds(&l, &u, n)?;
        Ok(Self { p: CyclicBand::new(n, closed), q: vec![0.0; n], l, u })
    }

    /// Adds `value` to P at (`i`, `j`) and, off the diagonal, at its mirror image.
    ///
    /// # Panics
    /// When `i` and `j` are more than two unknowns apart (cyclically on a ring) or not below n.
    pub fn add(&mut self, i: usize, j: usize, value: f64) {
        self.p.add(i, j, value);
    }

    /// Adds `½ (Σ_k a_k x_k + constant)²`, without its constant term, to the objective; `terms` are
    /// pairs (k, a_k).
    ///
    /// # Panics
    /// As [`Self::add`], for every pair of unknowns in `terms`.
    pub fn add_square(&mut self, terms: &[(usize, f64)], constant: f64) {
        for (index, &(k, factor)) in terms.iter().enumerate() {
            self.q[k] += factor * constant;
            for &(m, other) in &terms[index..] {
                self.p.add(k, m, factor * other);
            }
        }
    }

    /// Checks that q, l and u have n entries, and that every pair of bounds is finite and in order.
    ///
    /// # Errors
    /// [`BoxError::Dimensions`] or [`BoxError::Bounds`].
    pub fn check_bounds(&self) -> Result<(), BoxError> {
        check_bounds(&self.l, &self.u, self.q.len())?;
        if self.q.len() != self.p.unknowns() {
            let (lower, upper, linear) = (self.l.len(), self.u.len(), self.q.len());
            return Err(BoxError::Dimensions { lower, upper, linear });
        }
        Ok(())
    }

    /// P, n × n.
    #[must_use]
    pub fn p(&self) -> &CyclicBand<REACH> {
        &self.p
    }

    /// Solves the program (1).
    ///
    /// # Errors
    /// [`BoxError::Dimensions`] or [`BoxError::Bounds`] when q, l or u has been changed to invalid
    /// values; [`BoxError::NotConvex`] or [`BoxError::NotFinite`]. Reaching the maximum number of
    /// steps is a status, not an error.
    pub fn solve(&self, settings: BoxSettings) -> Result<BoxSolution, BoxError> {
        self.check_bounds()?;
        let mut iterate = Iterate::new(self, settings.tolerance);
        let mut iterations = 0;
        loop {
            // ---- Residuals: equation (2)
            let residuals = iterate.residuals()?;
            let is_solved = residuals.complementarity.max(residuals.dual) <= settings.tolerance;
            if is_solved || iterations == settings.max_iterations {
                return Ok(BoxSolution {
                    x: iterate.bounded(),
                    status: if is_solved { BoxStatus::Solved } else { BoxStatus::OutOfIterations },
                    iterations,
                    complementarity: residuals.complementarity,
                    dual_residual: residuals.dual,
                });
            }
            iterations += 1;
            // ---- Factorise the matrix of (3), once for predictor and corrector
            iterate.factorise()?;
            // ---- Predictor: the full step to the solution
            iterate.find_direction(0.0, false);
            let predicted = iterate.predicted_products();
            // ---- Corrector: towards the central path, with the predictor's second-order terms
            let barrier = residuals.products / (2 * self.q.len()) as f64;
            let centring = math::powi(predicted / residuals.products, 3) * barrier; // σ μ of equation (5)
            iterate.find_direction(centring, true);
            // ---- Step
            iterate.advance();
        }
    }
}

/// Checks the lengths of the vectors, and that every pair of bounds is finite and in order.
fn check_bounds(l: &[f64], u: &[f64], linear: usize) -> Result<(), BoxError> {
    if u.len() != l.len() || l.len() != linear {
        return Err(BoxError::Dimensions { lower: l.len(), upper: u.len(), linear });
    }
    match l.iter().zip(u).position(|(l, u)| !(l.is_finite() && u.is_finite() && l <= u)) {
        Some(unknown) => Err(BoxError::Bounds { unknown, lower: l[unknown], upper: u[unknown] }),
        None => Ok(()),
    }
}

/// Residuals of the optimality conditions.
struct Residuals {
    /// Sum of all products of a multiplier and the distance to its bound.
    products: f64,
    /// The largest of them.
    complementarity: f64,
    dual: f64,
}

/// Current point, direction and working memory of the iteration. All vectors have n entries.
struct Iterate<'a> {
    program: &'a BoxProgram,
    /// Factor on P and q.
    scale: f64,
    x: Vec<f64>,
    /// Distances to the bounds, stored beside x: as differences they would round to zero.
    low: Vec<f64>,
    high: Vec<f64>,
    z: Vec<f64>,
    y: Vec<f64>,
    /// `P x + q`, scaled.
    gradient: Vec<f64>,
    factors: CyclicBand<REACH>,
    /// Targets of the products of z and low, and of y and high, after the step.
    targets: Vec<(f64, f64)>,
    step: Vec<f64>,
    z_step: Vec<f64>,
    y_step: Vec<f64>,
}

impl<'a> Iterate<'a> {
    /// Starts in the middle of the bounds.
    fn new(program: &'a BoxProgram, tolerance: f64) -> Self {
        let n = program.q.len();
        let bounds = || program.l.iter().zip(&program.u);
        let low: Vec<f64> = bounds().map(|(&l, &u)| 0.5 * (u - l)).collect();
        let mut iterate = Self {
            program,
            scale: 1.0 / program.p.largest_diagonal().max(f64::MIN_POSITIVE),
            x: bounds().map(|(&l, &u)| f64::midpoint(l, u)).collect(),
            high: low.clone(),
            low,
            z: Vec::new(),
            y: Vec::new(),
            gradient: vec![0.0; n],
            factors: program.p.clone(),
            targets: vec![(0.0, 0.0); n],
            step: vec![0.0; n],
            z_step: vec![0.0; n],
            y_step: vec![0.0; n],
        };
        iterate.find_gradient();
        // Multipliers that balance the gradient at the start, at least its mean.
        let gradient = &iterate.gradient;
        let mean = (gradient.iter().map(|g| g.abs()).sum::<f64>() / n as f64).max(tolerance);
        iterate.z = gradient.iter().map(|g| g.max(0.0) + mean).collect();
        iterate.y = gradient.iter().map(|g| (-g).max(0.0) + mean).collect();
        iterate
    }

    /// The point, within its bounds: the distances to them are positive, but the sums of many steps
    /// round.
    fn bounded(mut self) -> Vec<f64> {
        for (x, (l, u)) in self.x.iter_mut().zip(self.program.l.iter().zip(&self.program.u)) {
            *x = x.clamp(*l, *u);
        }
        self.x
    }

    fn is_fixed(&self, i: usize) -> bool {
        self.program.u[i] - self.program.l[i] < FIXED_WIDTH
    }

    /// Indices of the unknowns that are not fixed.
    fn free(&self) -> impl Iterator<Item = usize> + use<'a> {
        let program = self.program;
        (0..program.q.len()).filter(move |&i| program.u[i] - program.l[i] >= FIXED_WIDTH)
    }

    fn find_gradient(&mut self) {
        self.program.p.times(&self.x, &mut self.gradient);
        for (gradient, q) in self.gradient.iter_mut().zip(&self.program.q) {
            *gradient = self.scale * (*gradient + q);
        }
    }

    fn residuals(&self) -> Result<Residuals, BoxError> {
        if self.gradient.iter().any(|g| !g.is_finite()) {
            return Err(BoxError::NotFinite);
        }
        let mut residuals = Residuals { products: 0.0, complementarity: 0.0, dual: 0.0 };
        for i in self.free() {
            // Equation (2): z (x - l) = 0 and y (u - x) = 0.
            let pair = (self.z[i] * self.low[i], self.y[i] * self.high[i]);
            residuals.products += pair.0 + pair.1;
            residuals.complementarity = pair.0.max(pair.1).max(residuals.complementarity);
            // Equation (2): P x + q - z + y = 0.
            residuals.dual = (self.gradient[i] - self.z[i] + self.y[i]).abs().max(residuals.dual);
        }
        Ok(residuals)
    }

    /// Factorises the matrix of equation (3), `P + diag(z / (x - l) + y / (u - x))`.
    fn factorise(&mut self) -> Result<(), BoxError> {
        self.factors.clone_from(&self.program.p);
        self.factors.scale(self.scale);
        for i in 0..self.x.len() {
            let stiffness = if self.is_fixed(i) { FIXING } else { self.z[i] / self.low[i] + self.y[i] / self.high[i] };
            self.factors.add(i, i, stiffness);
        }
        self.factors.factorise().map_err(|_| BoxError::NotConvex)
    }

    /// Computes the steps of x, z and y that bring the products to `centring`; with `corrected`,
    /// the products of the previously computed steps are included.
    fn find_direction(&mut self, centring: f64, corrected: bool) {
        for (i, target) in self.targets.iter_mut().enumerate() {
            let correction =
                if corrected { (self.step[i] * self.z_step[i], -self.step[i] * self.y_step[i]) } else { (0.0, 0.0) };
            // Equation (5).
            *target = (centring - correction.0, centring - correction.1);
        }
        // Equation (3).
        for i in 0..self.x.len() {
            let (z_target, y_target) = self.targets[i];
            let push = -self.gradient[i] + z_target / self.low[i] - y_target / self.high[i];
            self.step[i] = if self.is_fixed(i) { 0.0 } else { push };
        }
        self.factors.solve(&mut self.step);
        // Equation (4).
        for i in self.free() {
            let (z_target, y_target) = self.targets[i];
            self.z_step[i] = (z_target - self.z[i] * self.step[i]) / self.low[i] - self.z[i];
            self.y_step[i] = (y_target + self.y[i] * self.step[i]) / self.high[i] - self.y[i];
        }
    }

    /// The longest steps of x and of the multipliers, at most 1, after which nothing is negative.
    fn longest_steps(&self) -> (f64, f64) {
        let (mut primal, mut dual) = (1.0f64, 1.0f64);
        for i in self.free() {
            primal = primal.min(longest(self.low[i], self.step[i])).min(longest(self.high[i], -self.step[i]));
            dual = dual.min(longest(self.z[i], self.z_step[i])).min(longest(self.y[i], self.y_step[i]));
        }
        (primal, dual)
    }

    /// Sum of the products after the longest steps.
    fn predicted_products(&self) -> f64 {
        let (primal, dual) = self.longest_steps();
        self.free()
            .map(|i| {
                (self.z[i] + dual * self.z_step[i]) * (self.low[i] + primal * self.step[i])
                    + (self.y[i] + dual * self.y_step[i]) * (self.high[i] - primal * self.step[i])
            })
            .sum()
    }

    /// Takes the step, as far as all values stay positive: equation (6).
    fn advance(&mut self) {
        let (primal, dual) = self.longest_steps();
        for i in self.free() {
            let moved = (1.0 - KEPT_FRACTION) * primal * self.step[i]; // equation (6)
            self.x[i] += moved;
            self.low[i] += moved;
            self.high[i] -= moved;
            self.z[i] += (1.0 - KEPT_FRACTION) * dual * self.z_step[i];
            self.y[i] += (1.0 - KEPT_FRACTION) * dual * self.y_step[i];
        }
        self.find_gradient();
    }
}

/// The longest step, at most 1, that keeps `value` non-negative.
fn longest(value: f64, step: f64) -> f64 {
    if step < 0.0 { (-value / step).min(1.0) } else { 1.0 }
}

#[cfg(test)]
mod tests;
