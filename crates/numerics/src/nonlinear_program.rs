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
//! parameter, a [`NewtonSystem`]: [`CyclicBand`] for a program without equations of which the
//! unknowns are coupled with few neighbours, [`StageCycle`](crate::StageCycle) for an optimal
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
//! The damping δ is raised until the matrix has as many negative eigenvalues as there are equations,
//! so that the step descends. Slacks and multipliers keep a fraction τ of their values:
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
//! Deviations: no restoration phase; where no step is accepted, δ is raised instead, which turns the
//! step towards the gradient's. Slacks are raised to -g where that is larger, which adds no error.
//! An infeasible program therefore ends as [`Status::Stuck`] or [`Status::Stopped`] with the errors
//! that remain, and not with a proof.
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

use std::fmt;

use crate::{CyclicBand, StageCycle, StageFactors};
pub use acceptance::Acceptance;
use acceptance::{Judge, Search, barrier_function, total_error};

/// Smallest initial slack, in the limit's unit.
const SMALLEST_FIRST_SLACK: f64 = 1e-2;
/// Factor and exponent by which the barrier falls, whichever gives the smaller value.
const BARRIER_FALL: (f64, f64) = (0.2, 1.5);
/// Fraction τ of each slack and multiplier that a step leaves at least.
const KEPT_FRACTION: f64 = 0.01;
/// Factor K within which multipliers stay of μ/s.
const MULTIPLIER_BAND: f64 = 1e10;
/// Smallest positive damping.
const FIRST_DAMPING: f64 = 1e-4;
/// Largest damping: the iteration is stuck beyond it.
const LARGEST_DAMPING: f64 = 1e10;
/// Factor on the damping of a step that was not accepted.
const DAMPING_AFTER_REJECTION: f64 = 10.0;
/// Factor on the damping of a matrix with the wrong inertia.
const DAMPING_GROWTH: f64 = 6.0;
/// Divisor of the damping from one step to the next.
const DAMPING_FALL: f64 = 3.0;
/// Barrier of a search from given multipliers, by the square of the largest error there. A larger
/// one leads away from the solution, a smaller one keeps the limits that are reached there for too
/// long.
const RESUMED_BARRIER: f64 = 1e-2;
/// Largest price that is kept of the estimate at the start (Wächter and Biegler, section 3.6).
const LARGEST_FIRST_PRICE: f64 = 1e3;

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

/// Linear algebra of Newton's matrix (5).
pub trait NewtonSystem<const U: usize, const E: usize> {
    /// Factorises the matrix and returns its number of negative eigenvalues; `None` where it is
    /// singular, or where they are not counted and there is at least one.
    fn factorise(&mut self) -> Option<usize>;

    /// Replaces the right-hand side by the solution, with the factors of the last successful
    /// [`Self::factorise`].
    fn solve(&mut self, sides: &mut Sides<U, E>);
}

/// Programs without equations: unknown k of stage i is unknown U i + k of the band.
impl<const U: usize, const REACH: usize> NewtonSystem<U, 0> for CyclicBand<REACH> {
    fn factorise(&mut self) -> Option<usize> {
        Self::factorise(self).is_ok().then_some(0)
    }

    fn solve(&mut self, sides: &mut Sides<U, 0>) {
        Self::solve(self, sides.unknowns.as_flattened_mut());
    }
}

/// Optimal control problems: a matrix with its factors.
impl<const E: usize, const C: usize, const U: usize, const J: usize> NewtonSystem<U, E>
    for (StageCycle<E, C, U>, StageFactors<E, C, U, J>)
{
    fn factorise(&mut self) -> Option<usize> {
        let (matrix, factors) = self;
        factors.factorise(matrix).ok()?;
        Some(factors.negative_eigenvalues())
    }

    fn solve(&mut self, sides: &mut Sides<U, E>) {
        let (matrix, factors) = self;
        factors.solve(matrix, &mut sides.unknowns, &mut sides.equations);
    }
}

/// Values at a point; all vectors have N entries.
#[derive(Clone, Debug, PartialEq)]
pub struct Values<const E: usize, const L: usize, F = ()> {
    /// f.
    pub objective: f64,
    /// c.
    pub equations: Vec<[f64; E]>,
    /// g.
    pub limits: Vec<[f64; L]>,
    /// What the program keeps of each stage.
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

/// A right-hand side or a solution of (5): by unknowns, and by equations; N entries each.
#[derive(Clone, Debug, PartialEq)]
pub struct Sides<const U: usize, const E: usize> {
    /// Upper part.
    pub unknowns: Vec<[f64; U]>,
    /// Lower part.
    pub equations: Vec<[f64; E]>,
}

impl<const U: usize, const E: usize> Sides<U, E> {
    /// Zeros for `stages` stages.
    #[must_use]
    pub fn zeros(stages: usize) -> Self {
        Self { unknowns: vec![[0.0; U]; stages], equations: vec![[0.0; E]; stages] }
    }

    /// Largest absolute value of all entries.
    #[must_use]
    pub fn largest(&self) -> f64 {
        largest(&self.unknowns).max(largest(&self.equations))
    }
}

/// What limits add to the right-hand side of (5); N entries each.
#[derive(Clone, Copy, Debug)]
pub struct LimitTerms<'a, const L: usize> {
    /// μ.
    pub barrier: f64,
    /// g + s.
    pub errors: &'a [[f64; L]],
    /// s.
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
    /// κ: a barrier problem is solved where E_μ is at most this many times μ; positive. Default: 10.
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
    /// f, c and g.
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
    /// f, c and g.
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

/// Why a search cannot begin.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum ProgramError {
    /// The start has another number of stages than the program, or none.
    Stages {
        /// Stages of the start.
        start: usize,
        /// Stages of the program.
        program: usize,
    },
    /// The given multipliers have another number of stages than the program.
    Duals {
        /// Stages of the prices.
        prices: usize,
        /// Stages of the multipliers.
        multipliers: usize,
        /// Stages of the program.
        program: usize,
    },
    /// The program states more equations than its stages can have.
    Equations {
        /// What it states.
        equations: usize,
        /// N E.
        maximum: usize,
    },
    /// A setting is out of its range.
    Setting {
        /// Its name.
        name: &'static str,
        /// Its value.
        value: f64,
    },
}

impl fmt::Display for ProgramError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Stages { start, program } => {
                write!(f, "the start has {start} stages, the program {program}: they must be equal and at least 1")
            }
            Self::Duals { prices, multipliers, program } => {
                write!(f, "prices of {prices} and multipliers of {multipliers} stages do not fit {program} stages")
            }
            Self::Equations { equations, maximum } => {
                write!(f, "the program states {equations} equations, its stages have at most {maximum}")
            }
            Self::Setting { name, value } => write!(f, "the setting {name} = {value} is out of its range"),
        }
    }
}

impl std::error::Error for ProgramError {}

/// Solves `program` from `start`, which has one entry per stage and need not fulfil the equations or
/// limits. Multipliers of a program near this one, `duals`, continue its search. `watch` is called
/// before each step and at the end.
///
/// # Errors
/// [`ProgramError`] for wrong dimensions and settings. A search that does not converge is a status,
/// not an error.
pub fn solve<P, const U: usize, const E: usize, const L: usize>(
    program: &P,
    start: Vec<[f64; U]>,
    duals: Option<&Duals<E, L>>,
    settings: &Settings,
    watch: &mut dyn FnMut(&Progress<E, L, P::Function>),
) -> Result<Solution<U, E, L, P::Function>, ProgramError>
where
    P: NonlinearProgram<U, E, L>,
{
    check(program, &start, duals, settings)?;
    // ---- Start: slacks of the limits, multipliers that fit them, prices by least squares
    let mut iteration = Iteration::new(program, start, settings);
    match duals {
        Some(duals) => iteration.resume(duals),
        None if E > 0 => iteration.estimate_prices(),
        None => {}
    }
    let mut status = Status::Stopped;
    while iteration.count < settings.max_iterations {
        // ---- Derivatives at the point
        iteration.linearise();
        // ---- Barrier: lower it while its problem is solved
        let mut error = iteration.error(); // equation (3)
        while error <= settings.tolerance * iteration.barrier && iteration.barrier > settings.last_barrier {
            iteration.lower_barrier(); // equation (4)
            error = iteration.error();
        }
        watch(&iteration.progress());
        // ---- Convergence: the last barrier's problem is solved
        if error <= settings.tolerance * iteration.barrier {
            status = Status::Converged;
            break;
        }
        // ---- Step: Newton's direction and a line search, with more damping where none is accepted
        if !iteration.advance() {
            status = Status::Stuck;
            break;
        }
    }
    Ok(Solution {
        x: iteration.x,
        duals: iteration.duals,
        values: iteration.values,
        status,
        iterations: iteration.count,
        factorisations: iteration.factorisations,
    })
}

fn check<P, const U: usize, const E: usize, const L: usize>(
    program: &P,
    start: &[[f64; U]],
    duals: Option<&Duals<E, L>>,
    settings: &Settings,
) -> Result<(), ProgramError>
where
    P: NonlinearProgram<U, E, L>,
{
    let n = program.stages();
    if start.len() != n || n == 0 {
        return Err(ProgramError::Stages { start: start.len(), program: n });
    }
    if let Some(duals) = duals
        && (duals.prices.len() != n || duals.multipliers.len() != n)
    {
        let (prices, multipliers) = (duals.prices.len(), duals.multipliers.len());
        return Err(ProgramError::Duals { prices, multipliers, program: n });
    }
    if program.equations() > n * E {
        return Err(ProgramError::Equations { equations: program.equations(), maximum: n * E });
    }
    settings.validate()
}

/// The point, its derivatives and the working memory; all vectors have N entries.
struct Iteration<'a, P, const U: usize, const E: usize, const L: usize>
where
    P: NonlinearProgram<U, E, L>,
{
    program: &'a P,
    settings: &'a Settings,
    x: Vec<[f64; U]>,
    values: Values<E, L, P::Function>,
    /// s.
    slack: Vec<[f64; L]>,
    /// y and z.
    duals: Duals<E, L>,
    /// μ.
    barrier: f64,
    /// δ of the last step that was damped.
    last_damping: f64,
    /// α of the last step.
    last_step: f64,
    count: usize,
    factorisations: usize,
    judge: Judge,
    linearised: P::Linearised,
    system: P::System,
    /// |∇f + Aᵀ y + Gᵀ z| of the last linearisation.
    stationarity: f64,
    /// z/s.
    weights: Vec<[f64; L]>,
    /// c and g + s for which the steps are computed.
    equation_errors: Vec<[f64; E]>,
    limit_errors: Vec<[f64; L]>,
    /// Δx and Δy.
    step: Sides<U, E>,
    /// Δs and Δz.
    slack_step: Vec<[f64; L]>,
    multiplier_step: Vec<[f64; L]>,
    /// x + α Δx, its values, and s + α Δs.
    trial: Vec<[f64; U]>,
    trial_values: Values<E, L, P::Function>,
    trial_slack: Vec<[f64; L]>,
}

impl<'a, P, const U: usize, const E: usize, const L: usize> Iteration<'a, P, U, E, L>
where
    P: NonlinearProgram<U, E, L>,
{
    fn new(program: &'a P, start: Vec<[f64; U]>, settings: &'a Settings) -> Self {
        let n = start.len();
        let barrier = settings.first_barrier;
        let mut values = Values::zeros(n);
        program.evaluate(&start, &mut values);
        let first = |limit: f64| (-limit).max(SMALLEST_FIRST_SLACK);
        let slack: Vec<[f64; L]> = values.limits.iter().map(|limits| limits.map(first)).collect();
        let multipliers = slack.iter().map(|slack| slack.map(|slack| barrier / slack)).collect();
        let (linearised, system) = program.room();
        Self {
            program,
            settings,
            judge: Judge::new(settings.acceptance, total_error(&values, &slack)),
            trial: start.clone(),
            x: start,
            trial_values: values.clone(),
            values,
            slack,
            duals: Duals { prices: vec![[0.0; E]; n], multipliers },
            barrier,
            last_damping: 0.0,
            last_step: 0.0,
            count: 0,
            factorisations: 0,
            linearised,
            system,
            stationarity: 0.0,
            weights: vec![[0.0; L]; n],
            equation_errors: vec![[0.0; E]; n],
            limit_errors: vec![[0.0; L]; n],
            step: Sides::zeros(n),
            slack_step: vec![[0.0; L]; n],
            multiplier_step: vec![[0.0; L]; n],
            trial_slack: vec![[0.0; L]; n],
        }
    }

    /// Takes the multipliers of a program near this one; slacks are those that fit them where the
    /// point is at a limit or beyond it.
    fn resume(&mut self, duals: &Duals<E, L>) {
        let (smallest, band) = (self.settings.resumed_barrier, self.settings.resumed_band);
        let limits = self.values.limits.as_flattened().iter().copied();
        let error = limits.fold(self.values.equation_error(), f64::max);
        self.barrier = (RESUMED_BARRIER * error * error).clamp(smallest, self.barrier.max(smallest));
        self.duals.clone_from(duals);
        let limits = self.values.limits.as_flattened().iter();
        let state = self.slack.as_flattened_mut().iter_mut().zip(self.duals.multipliers.as_flattened_mut());
        for (limit, (slack, multiplier)) in limits.zip(state) {
            *slack = (-limit).max((self.barrier / *multiplier).min(SMALLEST_FIRST_SLACK));
            let centre = self.barrier / *slack;
            *multiplier = multiplier.clamp(centre / band, centre * band);
        }
        self.judge = Judge::new(self.settings.acceptance, total_error(&self.values, &self.slack));
    }

    /// Sets y to the least squares estimate by the gradients, unless it is very large: (5) with the
    /// unit matrix in place of H, and without the errors.
    fn estimate_prices(&mut self) {
        self.program.linearise(&self.x, &self.duals, &self.weights, &mut self.linearised);
        self.program.forget_hessians(&mut self.linearised);
        // The weights are still 0.
        self.program.assemble(&self.linearised, &self.weights, 1.0, &mut self.system);
        if self.system.factorise().is_none() {
            return;
        }
        let mut sides = Sides::zeros(self.x.len());
        let terms = LimitTerms {
            barrier: self.barrier,
            errors: &self.limit_errors,
            slack: &self.slack,
            multipliers: &self.duals.multipliers,
            weights: &self.weights,
        };
        self.program.right_side(&self.linearised, &self.duals.prices, &terms, &mut sides.unknowns);
        self.system.solve(&mut sides);
        if largest(&sides.equations) < LARGEST_FIRST_PRICE {
            self.duals.prices = sides.equations;
        }
    }

    fn linearise(&mut self) {
        let state = self.slack.as_flattened().iter().zip(self.duals.multipliers.as_flattened());
        for (weight, (slack, multiplier)) in self.weights.as_flattened_mut().iter_mut().zip(state) {
            *weight = multiplier / slack;
        }
        self.program.linearise(&self.x, &self.duals, &self.weights, &mut self.linearised);
        self.stationarity = self.program.stationarity(&self.x, &self.linearised, &self.duals);
    }

    /// E_μ, equation (3).
    fn error(&self) -> f64 {
        let (of_all, of_limits) = self.multiplier_scales();
        let mut error = (self.stationarity / of_all).max(self.values.equation_error());
        let limits = self.values.limits.as_flattened().iter().zip(self.slack.as_flattened());
        for ((limit, slack), multiplier) in limits.zip(self.duals.multipliers.as_flattened()) {
            error = error.max((limit + slack).abs()).max((slack * multiplier - self.barrier).abs() / of_limits);
        }
        error
    }

    /// s_d and s_c of equation (3).
    fn multiplier_scales(&self) -> (f64, f64) {
        let Some(usual) = self.settings.usual_multiplier else { return (1.0, 1.0) };
        let count = self.slack.len() as f64;
        let sum = |values: &[f64]| values.iter().map(|value| value.abs()).sum::<f64>();
        let limits = sum(self.duals.multipliers.as_flattened());
        let mean = (sum(self.duals.prices.as_flattened()) + limits) / (count * (E + L) as f64);
        (mean.max(usual) / usual, (limits / (count * L as f64)).max(usual) / usual)
    }

    /// Equation (4).
    fn lower_barrier(&mut self) {
        let (factor, exponent) = BARRIER_FALL;
        self.barrier = (factor * self.barrier).min(self.barrier.powf(exponent)).max(self.settings.last_barrier);
        self.judge.forget();
    }

    fn progress(&self) -> Progress<'_, E, L, P::Function> {
        Progress {
            iteration: self.count,
            values: &self.values,
            stationarity: self.stationarity,
            barrier: self.barrier,
            damping: self.last_damping,
            step: self.last_step,
        }
    }

    /// Takes one step, with more damping where none is accepted; `false` where none helps.
    fn advance(&mut self) -> bool {
        let rules = self.judge.damping_rules();
        let mut damping = 0.0;
        if rules.is_carried {
            // Where the last step had to be damped, this one often has to be too.
            if self.last_damping > FIRST_DAMPING {
                damping = self.last_damping / DAMPING_FALL;
            }
            self.last_damping = 0.0;
        }
        loop {
            let Some(used) = self.find_step(damping) else { return false };
            if self.line_search() {
                self.count += 1;
                return true;
            }
            damping = (DAMPING_AFTER_REJECTION * used).max(rules.after_rejection * FIRST_DAMPING);
            if damping > LARGEST_DAMPING {
                return false;
            }
        }
    }

    /// Computes the steps of all unknowns with at least `damping`; returns the damping that was
    /// needed, `None` where none gives the right inertia.
    fn find_step(&mut self, mut damping: f64) -> Option<f64> {
        // ---- Inertia correction: as many negative eigenvalues as equations
        loop {
            self.factorisations += 1;
            self.program.assemble(&self.linearised, &self.weights, damping, &mut self.system);
            if self.system.factorise() == Some(self.program.equations()) {
                break;
            }
            damping = match (damping > 0.0, self.last_damping > 0.0) {
                (false, false) => FIRST_DAMPING,
                (false, true) => (self.last_damping / DAMPING_FALL).max(FIRST_DAMPING),
                (true, false) => self.judge.damping_rules().first_growth * damping,
                (true, true) => DAMPING_GROWTH * damping,
            };
            if damping > LARGEST_DAMPING {
                return None;
            }
        }
        if damping > 0.0 {
            self.last_damping = damping;
        }
        // ---- Newton's direction
        self.equation_errors.clone_from(&self.values.equations);
        let limits = self.values.limits.as_flattened().iter().zip(self.slack.as_flattened());
        for (error, (limit, slack)) in self.limit_errors.as_flattened_mut().iter_mut().zip(limits) {
            *error = limit + slack;
        }
        self.solve_for_errors();
        Some(damping)
    }

    /// Sets the steps for the errors of equations and limits at hand.
    fn solve_for_errors(&mut self) {
        let terms = LimitTerms {
            barrier: self.barrier,
            errors: &self.limit_errors,
            slack: &self.slack,
            multipliers: &self.duals.multipliers,
            weights: &self.weights,
        };
        // Equation (5).
        self.program.right_side(&self.linearised, &self.duals.prices, &terms, &mut self.step.unknowns);
        for (side, error) in self.step.equations.as_flattened_mut().iter_mut().zip(self.equation_errors.as_flattened())
        {
            *side = -error;
        }
        self.system.solve(&mut self.step);
        // Equation (6).
        self.program.limit_changes(&self.linearised, &self.step.unknowns, &mut self.slack_step);
        let state = self.slack.as_flattened().iter().zip(self.duals.multipliers.as_flattened());
        let errors = self.limit_errors.as_flattened().iter().zip(state);
        let steps = self.slack_step.as_flattened_mut().iter_mut().zip(self.multiplier_step.as_flattened_mut());
        for ((slack_step, multiplier_step), (error, (slack, multiplier))) in steps.zip(errors) {
            let change = *slack_step;
            *slack_step = -error - change;
            *multiplier_step = (self.barrier - multiplier * *slack_step) / slack - multiplier;
        }
    }

    /// Goes along the steps as far as they are accepted; `false` where they are not.
    fn line_search(&mut self) -> bool {
        let search = self.search();
        self.judge.begin(&search);
        // ---- Fraction to the boundary
        let longest = longest_step(&self.slack, &self.slack_step); // equation (7)
        let mut length = longest;
        for halvings in 0..self.judge.trials() {
            // ---- Trial point
            let (errors, barrier_function) = self.try_step(length);
            if let Some(augments) = self.judge.accepts(&search, length, errors, barrier_function) {
                self.take(&search, length, augments);
                return true;
            }
            // ---- Second-order correction of the longest step
            if halvings == 0 && self.judge.corrects() && errors >= search.errors && self.correct(&search, length) {
                return true;
            }
            // ---- Backtracking
            length *= 0.5;
        }
        false
    }

    /// Errors θ and barrier function φ of the point, equation (8), and the slope of φ along the steps.
    fn search(&self) -> Search {
        let slacks = || self.slack.as_flattened().iter().zip(self.slack_step.as_flattened());
        let mut slope: f64;
        match self.program.gradient(&self.linearised) {
            Gradient::Objective(gradient) => {
                let stages = gradient.iter().zip(&self.step.unknowns);
                slope = stages.map(|(gradient, step)| dot(gradient, step)).sum();
                for (slack, step) in slacks() {
                    slope -= self.barrier * step / slack;
                }
            }
            Gradient::Lagrangian(gradient) => {
                slope = dot(gradient.as_flattened(), self.step.unknowns.as_flattened());
                // Less what the constraints are part of: A Δx = -c and G Δx = -(g + s) - Δs.
                for (price, error) in self.duals.prices.as_flattened().iter().zip(self.equation_errors.as_flattened()) {
                    slope += price * error;
                }
                let limits = self.limit_errors.as_flattened().iter().zip(self.duals.multipliers.as_flattened());
                for ((error, multiplier), (slack, step)) in limits.zip(slacks()) {
                    slope += multiplier * (error + step) - self.barrier * step / slack;
                }
            }
        }
        Search {
            errors: total_error(&self.values, &self.slack),
            barrier_function: barrier_function(&self.values, &self.slack, self.barrier, self.settings.acceptance),
            slope,
        }
    }

    /// Sets the trial point at the step length `length`; returns its θ and φ, equation (8).
    fn try_step(&mut self, length: f64) -> (f64, f64) {
        let steps = self.x.iter().zip(&self.step.unknowns);
        for (trial, (x, step)) in self.trial.iter_mut().zip(steps) {
            *trial = std::array::from_fn(|k| x[k] + length * step[k]);
        }
        self.program.evaluate(&self.trial, &mut self.trial_values);
        let slacks = self.slack.as_flattened().iter().zip(self.slack_step.as_flattened());
        let trials = self.trial_slack.as_flattened_mut().iter_mut().zip(self.trial_values.limits.as_flattened());
        for ((trial, limit), (slack, step)) in trials.zip(slacks) {
            *trial = (slack + length * step).max(-limit);
        }
        let (values, slack) = (&self.trial_values, &self.trial_slack);
        (total_error(values, slack), barrier_function(values, slack, self.barrier, self.settings.acceptance))
    }

    /// Second-order correction: the same matrix with the errors at the end of the step, which the
    /// trial contains. Whether it was accepted; if not, the steps are what they were.
    fn correct(&mut self, search: &Search, length: f64) -> bool {
        let steps = (self.step.clone(), self.slack_step.clone(), self.multiplier_step.clone());
        // Equation (9).
        let equations = self.values.equations.as_flattened().iter().zip(self.trial_values.equations.as_flattened());
        for (error, (before, after)) in self.equation_errors.as_flattened_mut().iter_mut().zip(equations) {
            *error = after + length * before;
        }
        let before = self.values.limits.as_flattened().iter().zip(self.slack.as_flattened());
        let after = self.trial_values.limits.as_flattened().iter().zip(self.trial_slack.as_flattened());
        let limits = before.zip(after);
        for (error, ((limit, slack), (trial, trial_slack))) in
            self.limit_errors.as_flattened_mut().iter_mut().zip(limits)
        {
            *error = trial + (trial_slack + length * (limit + slack));
        }
        self.solve_for_errors();
        let length = longest_step(&self.slack, &self.slack_step); // equation (7)
        let (errors, barrier_function) = self.try_step(length);
        if let Some(augments) = self.judge.accepts(search, length, errors, barrier_function) {
            self.take(search, length, augments);
            return true;
        }
        (self.step, self.slack_step, self.multiplier_step) = steps;
        false
    }

    /// Makes the trial, which lies at `length` of the steps, the present point.
    fn take(&mut self, search: &Search, length: f64, augments: bool) {
        if augments {
            self.judge.augment(search);
        }
        self.last_step = length;
        std::mem::swap(&mut self.x, &mut self.trial);
        std::mem::swap(&mut self.values, &mut self.trial_values);
        std::mem::swap(&mut self.slack, &mut self.trial_slack);
        let prices = self.duals.prices.as_flattened_mut().iter_mut();
        prices.zip(self.step.equations.as_flattened()).for_each(|(price, step)| *price += length * step);
        let dual_length = longest_step(&self.duals.multipliers, &self.multiplier_step); // equation (7)
        let steps = self.multiplier_step.as_flattened().iter().zip(self.slack.as_flattened());
        for (multiplier, (step, slack)) in self.duals.multipliers.as_flattened_mut().iter_mut().zip(steps) {
            let centre = self.barrier / slack;
            // Equation (10).
            *multiplier = (*multiplier + dual_length * step).clamp(centre / MULTIPLIER_BAND, centre * MULTIPLIER_BAND);
        }
    }
}

/// Equation (7): the longest step, at most 1, that keeps a fraction of every value.
fn longest_step<const L: usize>(values: &[[f64; L]], steps: &[[f64; L]]) -> f64 {
    let pairs = values.as_flattened().iter().zip(steps.as_flattened());
    let falling = pairs.filter(|(_, step)| **step < 0.0);
    falling.map(|(value, step)| -(1.0 - KEPT_FRACTION) * value / step).fold(1.0, f64::min)
}

/// Largest absolute value.
fn largest<const N: usize>(values: &[[f64; N]]) -> f64 {
    values.as_flattened().iter().fold(0.0, |largest, value| value.abs().max(largest))
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests;
