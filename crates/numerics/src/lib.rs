//! The numerical building blocks of both `raceline` and `raceline-follower`.
//!
//! | Item | Problem |
//! |---|---|
//! | [`CyclicBand`] | solve `A x = b` for a symmetric positive definite band, open or cyclic |
//! | [`ArrayBand`] | the same for an open band in an array, without allocating |
//! | [`BlockCycle`] | the same for dense blocks along the diagonal, symmetric, indefinite |
//! | [`StageCycle`] | the same for Newton's matrix of an optimal control problem, by Riccati's recursion |
//! | [`BoxProgram`] | minimise `½ xᵀ P x + qᵀ x` subject to `l ≤ x ≤ u`, P a band of reach 2 |
//! | [`nonlinear_program`] | minimise `f(x)` subject to `c(x) = 0`, `g(x) ≤ 0`, in stages |
//! | [`Number`], [`Second`] | equations written once, with first and second derivatives |
//! | [`SplitMix64`] | random numbers from a seed |
//! | [`normal_variate`] | a normal variate from two uniform ones |
//! | [`normal_distribution`] | the fraction of normal variates below a value |
//! | [`SplineKnots`] | derivatives of cubic splines through values on fixed knots |
//! | [`bisected`] | where a condition ends |
//! | [`median`] | the value in the middle of samples |
//! | [`wrap_angle`] | the equivalent angle in (-π, π] |
//! | [`brush_peak_slip_rad`] | the peak of the brush tyre that stands for a real one |
//! | [`TyreSlip`] | slip angle over the use of a tyre's limit |
//! | [`math`] | elementary functions with the same bits on every machine |
//! | [`STANDARD_GRAVITY`] | 9.80665 m/s² |
//!
//! The crate has one dependency, the elementary functions of `libm`. Every result is a fixed
//! sequence of `f64` operations: the same input gives the same bits on every machine. All work is
//! linear in the number of unknowns.
//!
//! ```
//! use raceline_numerics::{BoxProgram, BoxSettings, BoxStatus};
//!
//! # fn main() -> Result<(), raceline_numerics::BoxError> {
//! // The three numbers nearest to 0.2, 3 and -1 in [0, 1].
//! let mut program = BoxProgram::new(vec![0.0; 3], vec![1.0; 3], false)?;
//! for (i, target) in [0.2, 3.0, -1.0].into_iter().enumerate() {
//!     program.add_square(&[(i, 1.0)], -target);
//! }
//! let solution = program.solve(BoxSettings::default())?;
//! assert_eq!(solution.status, BoxStatus::Solved);
//! assert!((solution.x[0] - 0.2).abs() < 1e-9 && solution.x[1] > 0.999 && solution.x[2] < 0.001);
//! # Ok(())
//! # }
//! ```

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod angle;
mod array_band;
mod bisection;
mod block_cycle;
mod box_program;
mod brush_peak;
mod constants;
mod cyclic_band;
pub mod math;
mod median;
pub mod nonlinear_program;
mod normal_distribution;
mod normal_variate;
mod number;
mod spline_knots;
mod split_mix;
mod stage_cycle;
mod symmetric_pivot;
mod tyre_slip;

pub use angle::wrap_angle;
pub use array_band::ArrayBand;
pub use bisection::bisected;
pub use block_cycle::{BlockCycle, BlockFactors, SingularBlock};
pub use box_program::{BoxError, BoxProgram, BoxSettings, BoxSolution, BoxStatus};
pub use brush_peak::brush_peak_slip_rad;
pub use constants::STANDARD_GRAVITY;
pub use cyclic_band::{CyclicBand, NotPositiveDefinite};
pub use median::median;
pub use normal_distribution::normal_distribution;
pub use normal_variate::normal_variate;
pub use number::{Number, Second};
pub use spline_knots::SplineKnots;
pub use split_mix::SplitMix64;
pub use stage_cycle::{Segment, StageCycle, StageFactors};
pub use tyre_slip::TyreSlip;
