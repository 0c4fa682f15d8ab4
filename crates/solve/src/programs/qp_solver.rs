//! The choice of the solver.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Solver of the quadratic programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum QpSolver {
    /// The bounded interior-point method on the band, the same bits on every machine.
    #[default]
    InteriorPoint,
    /// OSQP, an operator-splitting method in C. Requires the feature `osqp`.
    Osqp,
}
