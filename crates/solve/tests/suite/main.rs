//! Tests of the package alone. Most of its tests are those of the whole workspace, in `tests/suite`.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

mod convergence;
