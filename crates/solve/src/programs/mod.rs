//! The solvers of the quadratic programs. Shortest path and minimum curvature state each program
//! once, as a [`BoxProgram`] in the standard form (P, q, A, l, u) with A the identity; this module
//! passes it to the selected solver.

#[cfg(feature = "osqp")]
mod osqp_solver;

use raceline_numerics::{BoxProgram, BoxSettings, BoxSolution};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::SolveError;

/// Solver of the quadratic programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum QpSolver {
    /// OSQP, an operator-splitting method. Requires the feature `osqp`.
    Osqp,
    /// The bounded interior-point method on the band.
    InteriorPoint,
}

impl Default for QpSolver {
    /// OSQP where the build has it, the interior-point method elsewhere.
    fn default() -> Self {
        if cfg!(feature = "osqp") { Self::Osqp } else { Self::InteriorPoint }
    }
}

/// Solves a sequence of similar programs.
pub(super) enum ProgramSolver {
    #[cfg(feature = "osqp")]
    Osqp(osqp_solver::OsqpSolver),
    InteriorPoint,
}

impl ProgramSolver {
    /// # Errors
    /// [`SolveError::SolverNotBuilt`].
    pub fn new(solver: QpSolver) -> Result<Self, SolveError> {
        match solver {
            #[cfg(feature = "osqp")]
            QpSolver::Osqp => Ok(Self::Osqp(osqp_solver::OsqpSolver::default())),
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
