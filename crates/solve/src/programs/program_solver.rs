//! The selected solver, with what it keeps from one program to the next.

#[cfg(feature = "osqp")]
use super::osqp_solver::OsqpSolver;
use super::qp_solver::QpSolver;
use crate::SolveError;
use raceline_numerics::{BoxProgram, BoxSettings, BoxSolution};

/// Solves a sequence of similar programs.
pub(crate) enum ProgramSolver {
    #[cfg(feature = "osqp")]
    Osqp(OsqpSolver),
    InteriorPoint,
}

impl ProgramSolver {
    /// # Errors
    /// [`SolveError::SolverNotBuilt`].
    pub fn new(solver: QpSolver) -> Result<Self, SolveError> {
        match solver {
            #[cfg(feature = "osqp")]
            QpSolver::Osqp => Ok(Self::Osqp(OsqpSolver::default())),
            #[cfg(not(feature = "osqp"))]
            QpSolver::Osqp => Err(SolveError::SolverNotBuilt),
            QpSolver::InteriorPoint => Ok(Self::InteriorPoint),
        }
    }

    /// Solves `program`. OSQP starts from `start`, which may violate the bounds; the interior-point
    /// method does not need a start.
    pub fn solve(&mut self, program: &BoxProgram, start: &[f64]) -> Result<BoxSolution, SolveError> {
        match self {
            #[cfg(feature = "osqp")]
            Self::Osqp(solver) => solver.solve(program, start),
            Self::InteriorPoint => {
                let _ = start;
                Ok(program.solve(BoxSettings::default())?)
            }
        }
    }
}
