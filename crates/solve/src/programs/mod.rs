//! The solvers of the quadratic programs. Shortest path and minimum curvature state each program
//! once, as a [`BoxProgram`](raceline_numerics::BoxProgram) in the standard form (P, q, A, l, u)
//! with A the identity; this module passes it to the selected solver.

#[cfg(feature = "osqp")]
mod osqp_solver;
mod program_solver;
mod qp_solver;

pub(super) use program_solver::ProgramSolver;
pub use qp_solver::QpSolver;

#[cfg(test)]
#[cfg(feature = "osqp")]
mod tests;
