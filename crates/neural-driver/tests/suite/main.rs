//! The tests of the neural driver's training, as one program;
//! `cargo test -p raceline-neural-driver --test suite fitting::` runs one of them.

// A test that can't start should report it.
#![allow(clippy::expect_used, clippy::unwrap_used)]

mod fitting;
mod recording;
mod training;
