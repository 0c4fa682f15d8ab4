//! Decisions in steps, their declaration, and plans of a race.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking, in its helpers too"
)]

mod declarations;
mod machines;
mod race;
mod race_file;
mod trees;
