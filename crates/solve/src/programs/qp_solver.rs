//! The choice of the solver.

use raceline_file::Method;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Solver of the quadratic programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum QpSolver {
    /// OSQP, an operator-splitting method in C. Requires the feature `osqp`.
    Osqp,
    /// The bounded interior-point method on the band, with equal bits on every machine.
    InteriorPoint,
}

impl Default for QpSolver {
    /// OSQP where the build has it, the interior-point method elsewhere.
    fn default() -> Self {
        if cfg!(feature = "osqp") { Self::Osqp } else { Self::InteriorPoint }
    }
}

impl QpSolver {
    /// The solver for a search by `method` whose options leave it open.
    ///
    /// A line that is a program's solution, or a mixture of two, is [the default](Self::default)'s.
    /// A lap of minimum time starts from such a line and keeps differences of its last digits. Its
    /// start is the interior point's, so that it has the same bytes in every build.
    #[must_use]
    pub fn for_method(method: Method) -> Self {
        match method {
            Method::ShortestPath | Method::MinCurvature | Method::IteratedMinCurvature | Method::Blend => {
                Self::default()
            }
            Method::TimeOptimal | Method::Relaxation | Method::Sampled | Method::Given => Self::InteriorPoint,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Method, QpSolver};

    #[test]
    fn the_lap_of_minimum_time_starts_from_a_line_that_every_build_has() {
        assert_eq!(QpSolver::for_method(Method::TimeOptimal), QpSolver::InteriorPoint);
        assert_eq!(QpSolver::for_method(Method::MinCurvature), QpSolver::default());
        assert_eq!(QpSolver::default() == QpSolver::Osqp, cfg!(feature = "osqp"));
    }
}
