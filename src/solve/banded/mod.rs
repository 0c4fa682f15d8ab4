//! Banded systems that close to a ring, and the quadratic programs that they solve.

mod box_program;
mod cyclic_band;

pub use box_program::{BoxProgram, BoxSettings, BoxSolution, BoxStatus};
pub use cyclic_band::{CyclicBand, NotPositiveDefinite};
