//! The fastest mixture of the shortest path and the minimum-curvature line.
//!
//! The crossings of the two parent lines divide the lap into segments. Each segment k has one
//! mixing factor ε_k in [0, 1], and with a and b the α of the shortest path and of the
//! minimum-curvature line (Cardamone et al. 2010, section III-C),
//!
//! ```text
//! α_i = ε_i a_i + (1 - ε_i) b_i                                                              (1)
//! ```
//!
//! Both parents keep the corridor's bounds, so every mixture does. `segments`
//! computes the segments and the change of ε between them, `lap_evaluator` simulates the lap of a
//! mixture, `genetic` and `covariance` search.
//!
//! Deviation from the source: ε does not jump at a crossing but changes over a length of road with
//! continuous second derivative. A jump would cause a kink in the line and a peak of its curvature.

#[cfg(any(feature = "cmaes", test))]
mod covariance;
mod genetic;
mod lap_evaluator;
mod mixture;
mod problem;
mod segments;

pub use lap_evaluator::LapEvaluator;
pub use mixture::{Blend, blend};
pub use segments::Segments;
