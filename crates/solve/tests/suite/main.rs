//! Tests of the package alone; those of the whole workspace are in `tests/suite` at the root.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

mod convergence;
mod traces;
