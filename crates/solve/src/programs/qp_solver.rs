//! The choice of the solver.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
