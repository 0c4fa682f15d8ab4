//! A parent line of the blend, and how its programs were solved.

use raceline_numerics::{BoxSolution, BoxStatus};

/// A parent line of the blend.
#[derive(Clone, Debug)]
pub struct Parent {
    /// α of the line on each section, within the corridor's bounds.
    pub alpha: Vec<f64>,
    /// How its programs were solved. Check it: a line is returned even if it has not converged.
    pub report: SolverReport,
}

/// How a sequence of quadratic programs was solved.
#[derive(Clone, Debug, PartialEq)]
pub struct SolverReport {
    /// Number of programs.
    pub solves: usize,
    /// Total number of iterations.
    pub iterations: u32,
    /// Number of programs that reached the maximum number of iterations.
    pub unsolved: usize,
    /// Largest product of a multiplier and the distance to its bound in the last program, scaled.
    pub complementarity: f64,
    /// Largest entry of the gradient of the last program's Lagrangian, scaled.
    pub dual_residual: f64,
    /// Whether the last program left the line unchanged within tolerance (always true for a
    /// formulation with one program).
    pub settled: bool,
}

impl Default for SolverReport {
    fn default() -> Self {
        Self { solves: 0, iterations: 0, unsolved: 0, complementarity: 0.0, dual_residual: 0.0, settled: true }
    }
}

impl SolverReport {
    pub(crate) fn add(&mut self, solution: &BoxSolution) {
        self.solves += 1;
        self.iterations += solution.iterations;
        self.unsolved += usize::from(solution.status == BoxStatus::OutOfIterations);
        self.complementarity = solution.complementarity;
        self.dual_residual = solution.dual_residual;
    }

    /// Whether every program was solved and the line has converged.
    #[must_use]
    pub fn converged(&self) -> bool {
        self.unsolved == 0 && self.settled
    }
}
