//! Nonlinear programs in stages, by a primal-dual interior-point method.
//!
//! ```text
//! minimise f(x)   subject to   c(x) = 0,   g(x) ≤ 0                                          (1)
//! ```
//!
//! | symbol | shape | value |
//! |---|---|---|
//! | x | N × U | unknowns: U for each of N stages |
//! | c, y | N × E | equations, and their multipliers (*prices*) |
//! | g, s, z | N × L | limits, their slacks s > 0 and multipliers z > 0 |
//! | A, G | | derivatives of c and g |
//! | H | | second derivatives of the Lagrangian f + yᵀ c + zᵀ g |
//! | μ | 1 | barrier, falls to almost zero |
//! | δ | 1 | damping, 0 unless the matrix has the wrong inertia or no step is accepted |
//!
//! A program is a file of equations: it implements [`NonlinearProgram`]. Its linear algebra is a
//! parameter, a [`NewtonSystem`]: [`CyclicBand`](crate::CyclicBand) for a program without equations
//! whose unknowns are coupled with few neighbours, [`StageCycle`](crate::StageCycle) for an optimal
//! control problem, or another one.
//!
//! With slacks and a barrier the conditions of a solution are
//!
//! ```text
//! ∇f + Aᵀ y + Gᵀ z = 0       c = 0       g + s = 0       s_j z_j = μ                         (2)
//! ```
//!
//! and their error is that of the worst of them, where s_d and s_c are 1 unless multipliers are
//! large:
//!
//! ```text
//! E_μ = max( |∇f + Aᵀ y + Gᵀ z| / s_d,  |c|,  |g + s|,  |s z - μ| / s_c )                    (3)
//! ```
//!
//! The barrier falls where E_μ is at most the tolerance κ times the barrier:
//!
//! ```text
//! μ ← max( μ_last, min( 0.2 μ, μ^1.5 ) )                                                     (4)
//! ```
//!
//! A step solves the conditions to first order. Slacks and their multipliers are eliminated:
//!
//! ```text
//! | H + δI + Gᵀ diag(z/s) G   Aᵀ | | Δx |   | -∇f - Aᵀ y - Gᵀ (μ/s + z/s (g + s)) |
//! | A                         0  | | Δy | = | -c                                  |          (5)
//!
//! Δs = -(g + s) - G Δx            Δz = (μ - z Δs) / s - z                                    (6)
//! ```
//!
//! The damping δ is raised until the matrix has as many negative eigenvalues as there are
//! equations, so that the step descends. Slacks and multipliers keep a fraction τ of their values:
//!
//! ```text
//! α = max { α ≤ 1 : s + α Δs ≥ τ s }      and likewise for z                                 (7)
//! ```
//!
//! The step is halved until it is accepted by its errors θ and its barrier function φ:
//!
//! ```text
//! θ = Σ |c| + Σ |g + s|           φ = f - μ Σ ln s                                           (8)
//! ```
//!
//! [`Acceptance::Filter`] is the filter of Wächter and Biegler: a point improves either θ or φ, and
//! φ by Armijo's rule where the step promises more of it than there are errors.
//! [`Acceptance::Merit`] lowers the merit function φ + ν θ. The conditions are equations (11) to
//! (14) in `nonlinear_program/acceptance.rs`. Where the filter rejects the longest step because its
//! errors grow, it is corrected once with the errors at its end,
//!
//! ```text
//! c ← α c + c(x + α Δx)           g + s ← α (g + s) + g(x + α Δx) + (s + α Δs)               (9)
//! ```
//!
//! in (5), with the factors at hand. After a step, multipliers stay near those of the slacks:
//!
//! ```text
//! z ∈ [ μ/s / K,  K μ/s ]                                                                   (10)
//! ```
//!
//! Sources: Wächter and Biegler, *On the implementation of an interior-point filter line-search
//! algorithm for large-scale nonlinear programming*, Mathematical Programming 106 (2006), sections
//! 2.1 to 2.4 (2 to 12), 3.1 (inertia) and 3.6 (first multipliers); Nocedal and Wright, *Numerical
//! Optimization*, 2nd edition (2006), sections 19.2 and 19.3 (merit function).
//!
//! Deviations: no restoration phase; where no step is accepted, δ is raised instead, which turns
//! the step towards the gradient's. Slacks are raised to -g where that is larger, which adds no
//! error. An infeasible program therefore ends as [`Status::Stuck`] or [`Status::Stopped`] with the
//! errors that remain, and not with a proof.
//!
//! The point of x₀ x₁ ≥ 1 nearest to the origin, a program of one stage:
//!
//! ```
//! use raceline_numerics::CyclicBand;
//! use raceline_numerics::nonlinear_program::{
//!     Duals, Gradient, LimitTerms, NonlinearProgram, Settings, Status, Values, solve,
//! };
//!
//! struct Nearest;
//!
//! struct AtPoint {
//!     x: [f64; 2],
//!     slope: [[f64; 2]; 1],
//!     multiplier: f64,
//! }
//!
//! impl NonlinearProgram<2, 0, 1> for Nearest {
//!     type Function = ();
//!     type Linearised = AtPoint;
//!     type System = CyclicBand<1>;
//!
//!     fn stages(&self) -> usize { 1 }
//!     fn equations(&self) -> usize { 0 }
//!     fn room(&self) -> (AtPoint, CyclicBand<1>) {
//!         (AtPoint { x: [0.0; 2], slope: [[0.0; 2]], multiplier: 0.0 }, CyclicBand::new(2, false))
//!     }
//!     fn evaluate(&self, x: &[[f64; 2]], values: &mut Values<0, 1>) {
//!         let [a, b] = x[0];
//!         values.objective = a * a + b * b;
//!         values.limits[0] = [1.0 - a * b];
//!     }
//!     fn linearise(&self, x: &[[f64; 2]], duals: &Duals<0, 1>, _: &[[f64; 1]], at: &mut AtPoint) {
//!         *at = AtPoint { x: x[0], slope: [x[0].map(|x| 2.0 * x)], multiplier: duals.multipliers[0][0] };
//!     }
//!     fn forget_hessians(&self, _: &mut AtPoint) {}
//!     fn gradient<'a>(&self, at: &'a AtPoint) -> Gradient<'a, 2> {
//!         Gradient::Objective(&at.slope)
//!     }
//!     fn stationarity(&self, _: &[[f64; 2]], at: &AtPoint, duals: &Duals<0, 1>) -> f64 {
//!         let ([a, b], [z]) = (at.x, duals.multipliers[0]);
//!         (2.0 * a - z * b).abs().max((2.0 * b - z * a).abs())
//!     }
//!     fn right_side(&self, at: &AtPoint, _: &[[f64; 0]], limits: &LimitTerms<1>, side: &mut [[f64; 2]]) {
//!         let ([a, b], z) = (at.x, limits.barrier / limits.slack[0][0] + limits.weights[0][0] * limits.errors[0][0]);
//!         side[0] = [z * b - 2.0 * a, z * a - 2.0 * b];
//!     }
//!     fn limit_changes(&self, at: &AtPoint, step: &[[f64; 2]], changes: &mut [[f64; 1]]) {
//!         changes[0] = [-at.x[1] * step[0][0] - at.x[0] * step[0][1]];
//!     }
//!     fn assemble(&self, at: &AtPoint, weights: &[[f64; 1]], damping: f64, matrix: &mut CyclicBand<1>) {
//!         let ([a, b], [w]) = (at.x, weights[0]);
//!         matrix.clear();
//!         matrix.add(0, 0, 2.0 + damping + w * b * b);
//!         matrix.add(1, 1, 2.0 + damping + w * a * a);
//!         matrix.add(0, 1, w * a * b - at.multiplier);
//!     }
//! }
//!
//! # fn main() -> Result<(), raceline_numerics::nonlinear_program::ProgramError> {
//! let found = solve(&Nearest, vec![[3.0, 0.5]], None, &Settings::default(), &mut |_| {})?;
//! assert_eq!(found.status, Status::Converged);
//! assert!((found.x[0][0] - 1.0).abs() < 1e-6 && (found.x[0][1] - 1.0).abs() < 1e-6);
//! assert!((found.duals.multipliers[0][0] - 2.0).abs() < 1e-6);
//! # Ok(())
//! # }
//! ```

mod acceptance;
mod error;
mod interior_point;
mod line_search;
mod newton_system;

pub use acceptance::Acceptance;
pub use error::ProgramError;
pub use interior_point::solve;
pub use newton_system::{NewtonSystem, Sides};

/// A nonlinear program (1) of [`Self::stages`] stages with U unknowns, E equations and L limits
/// each.
///
/// All slices have one entry per stage. A stage that lacks an equation, as the last of an open
/// course does, has the value 0 there and its price has no effect; a limit that a stage lacks is a
/// negative constant.
pub trait NonlinearProgram<const U: usize, const E: usize, const L: usize> {
    /// Functions of a stage that [`Self::evaluate`] keeps beside the values; `()` for none.
    type Function: Copy + Default;
    /// First and second derivatives at a point.
    type Linearised;
    /// The linear algebra of Newton's matrix.
    type System: NewtonSystem<U, E>;

    /// Number of stages, N.
    fn stages(&self) -> usize;

    /// Number of equations of all stages that are more than a constant 0: at most N E.
    fn equations(&self) -> usize;

    /// Memory for the derivatives and for Newton's matrix.
    fn room(&self) -> (Self::Linearised, Self::System);

    /// Sets f, c and g at `x`.
    fn evaluate(&self, x: &[[f64; U]], values: &mut Values<E, L, Self::Function>);

    /// Sets the derivatives at `x` with the multipliers `duals`. `weights` are z/s, for programs
    /// that add Gᵀ diag(z/s) G here and not in [`Self::assemble`].
    fn linearise(&self, x: &[[f64; U]], duals: &Duals<E, L>, weights: &[[f64; L]], at: &mut Self::Linearised);

    /// Sets the second derivatives H to zero, for the estimate of prices at the start. Never called
    /// without equations.
    fn forget_hessians(&self, at: &mut Self::Linearised);

    /// The gradient that the derivatives contain.
    fn gradient<'a>(&self, at: &'a Self::Linearised) -> Gradient<'a, U>;

    /// Largest entry of ∇f + Aᵀ y + Gᵀ z by the scaled unknowns, less its rounding error.
    fn stationarity(&self, x: &[[f64; U]], at: &Self::Linearised, duals: &Duals<E, L>) -> f64;

    /// Sets `side` to the upper right-hand side of (5); 0 for unknowns that are fixed.
    fn right_side(&self, at: &Self::Linearised, prices: &[[f64; E]], limits: &LimitTerms<L>, side: &mut [[f64; U]]);

    /// Sets `changes` to G Δx for the step Δx.
    fn limit_changes(&self, at: &Self::Linearised, step: &[[f64; U]], changes: &mut [[f64; L]]);

    /// Sets `system` to the matrix of (5). `weights` are z/s.
    fn assemble(&self, at: &Self::Linearised, weights: &[[f64; L]], damping: f64, system: &mut Self::System);
}

/// Values at a point; all vectors have N entries.
#[derive(Clone, Debug, PartialEq)]
pub struct Values<const E: usize, const L: usize, F = ()> {
    /// The objective f.
    pub objective: f64,
    /// The equations c.
    pub equations: Vec<[f64; E]>,
    /// The limits g.
    pub limits: Vec<[f64; L]>,
    /// Intermediate values of each stage, which the program keeps for its linearisation.
    pub functions: Vec<F>,
}

impl<const E: usize, const L: usize, F: Copy + Default> Values<E, L, F> {
    /// Zeros for `stages` stages.
    #[must_use]
    pub fn zeros(stages: usize) -> Self {
        Self {
            objective: 0.0,
            equations: vec![[0.0; E]; stages],
            limits: vec![[0.0; L]; stages],
            functions: vec![F::default(); stages],
        }
    }
}

impl<const E: usize, const L: usize, F> Values<E, L, F> {
    /// Largest |c|; 0 without equations.
    #[must_use]
    pub fn equation_error(&self) -> f64 {
        largest(&self.equations)
    }

    /// Largest g, at least 0.
    #[must_use]
    pub fn violation(&self) -> f64 {
        self.limits.as_flattened().iter().copied().fold(0.0, f64::max)
    }
}

/// Multipliers at a point; both vectors have N entries.
#[derive(Clone, Debug, PartialEq)]
pub struct Duals<const E: usize, const L: usize> {
    /// y.
    pub prices: Vec<[f64; E]>,
    /// z.
    pub multipliers: Vec<[f64; L]>,
}

/// The terms of the limits on the right-hand side of (5); N entries each.
#[derive(Clone, Copy, Debug)]
pub struct LimitTerms<'a, const L: usize> {
    /// μ.
    pub barrier: f64,
    /// g + s.
    pub errors: &'a [[f64; L]],
    /// The slacks s.
    pub slack: &'a [[f64; L]],
    /// z.
    pub multipliers: &'a [[f64; L]],
    /// z/s.
    pub weights: &'a [[f64; L]],
}

/// A gradient of a program, N entries: that of the barrier function φ along a step follows from
/// either.
#[derive(Clone, Copy, Debug)]
pub enum Gradient<'a, const U: usize> {
    /// ∇f.
    Objective(&'a [[f64; U]]),
    /// ∇f + Aᵀ y + Gᵀ z with the multipliers of the last [`NonlinearProgram::linearise`].
    Lagrangian(&'a [[f64; U]]),
}

/// Stopping criteria and rules.
///
/// ```
/// use raceline_numerics::nonlinear_program::{ProgramError, Settings};
///
/// assert_eq!(Settings { max_iterations: 50, ..Settings::default() }.validate(), Ok(()));
/// let wrong = Settings { tolerance: 0.0, ..Settings::default() }.validate();
/// assert_eq!(wrong, Err(ProgramError::Setting { name: "tolerance", value: 0.0 }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Initial μ, in the objective's unit; positive. Default: 0.1.
    pub first_barrier: f64,
    /// Final μ; positive. Default: 1e-9.
    pub last_barrier: f64,
    /// Smallest μ with which a search from given multipliers begins; positive. Default: 1e-9.
    pub resumed_barrier: f64,
    /// Given multipliers are kept within this factor of μ/s; at least 1. Default: 1000.
    pub resumed_band: f64,
    /// κ: a barrier problem is solved where E_μ is at most this many times μ; positive. Default:
    /// 10.
    pub tolerance: f64,
    /// Maximum number of steps. Default: 200.
    pub max_iterations: usize,
    /// Mean multiplier above which (3) is divided by the excess: s_d and s_c. `None`: never.
    /// Default: 100.
    pub usual_multiplier: Option<f64>,
    /// Rule by which a step is accepted. Default: the filter.
    pub acceptance: Acceptance,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            first_barrier: 0.1,
            last_barrier: 1e-9,
            resumed_barrier: 1e-9,
            resumed_band: 1e3,
            tolerance: 10.0,
            max_iterations: 200,
            usual_multiplier: Some(100.0),
            acceptance: Acceptance::Filter,
        }
    }
}

impl Settings {
    /// Checks the ranges.
    ///
    /// # Errors
    /// [`ProgramError::Setting`] for the first number that is out of its range.
    pub fn validate(&self) -> Result<(), ProgramError> {
        let positive = [
            ("first_barrier", self.first_barrier),
            ("last_barrier", self.last_barrier),
            ("resumed_barrier", self.resumed_barrier),
            ("tolerance", self.tolerance),
            ("usual_multiplier", self.usual_multiplier.unwrap_or(1.0)),
        ];
        let at_least_one = [("resumed_band", self.resumed_band)];
        let bad = |&(_, value): &(&str, f64)| !(value > 0.0 && value.is_finite());
        let wrong = positive.into_iter().find(bad);
        match wrong.or_else(|| at_least_one.into_iter().find(|&(_, value)| !(value >= 1.0 && value.is_finite()))) {
            Some((name, value)) => Err(ProgramError::Setting { name, value }),
            None => Ok(()),
        }
    }
}

/// How the iteration ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Status {
    /// E_μ is at most the tolerance times the final barrier.
    Converged,
    /// The maximum number of steps was reached.
    Stopped,
    /// No step was accepted with any damping.
    Stuck,
}

/// The last point of the iteration. Look at its status: there is always a point, and it solves the
/// program only where that is [`Status::Converged`].
#[derive(Clone, Debug)]
#[must_use]
pub struct Solution<const U: usize, const E: usize, const L: usize, F = ()> {
    /// x, N entries.
    pub x: Vec<[f64; U]>,
    /// y and z.
    pub duals: Duals<E, L>,
    /// The values f, c and g.
    pub values: Values<E, L, F>,
    /// How the iteration ended.
    pub status: Status,
    /// Steps.
    pub iterations: usize,
    /// Factorisations; more than the steps where damping was needed.
    pub factorisations: usize,
}

/// State of the iteration before a step.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a, const E: usize, const L: usize, F = ()> {
    /// Steps so far.
    pub iteration: usize,
    /// The values f, c and g.
    pub values: &'a Values<E, L, F>,
    /// |∇f + Aᵀ y + Gᵀ z|.
    pub stationarity: f64,
    /// μ.
    pub barrier: f64,
    /// δ of the last step.
    pub damping: f64,
    /// α of the last step.
    pub step: f64,
}

/// Largest absolute value.
fn largest<const N: usize>(values: &[[f64; N]]) -> f64 {
    values.as_flattened().iter().fold(0.0, |largest, value| value.abs().max(largest))
}

#[cfg(test)]
mod tests;
