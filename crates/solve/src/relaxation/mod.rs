//! Relaxation: each point of the line is moved along its cross-section again and again, until the
//! line is at rest. It is the classical method of drivers in racing games, and needs no solver.
//!
//! | Form | What moves a point | Source |
//! |---|---|---|
//! | [`Form::CurvatureInterpolation`] | The curvature at the point becomes the mean of its neighbours' | Coulom 2002, the appendix on K1999 |
//! | [`Form::SpringsAndHinges`] | Springs that shorten the line, hinges that straighten it, with momentum | `½ ∫ κ² ds` and length as potential energy |
//!
//! Both work on every 2^k-th cross-section first and halve the distance until they are on all: a
//! point moves with its neighbours only, so bends as long as the lap would need as many sweeps as
//! the square of the number of points.
//!
//! Deviations from K1999: the bounds are the corridor's, the same on both sides of the road, where
//! Coulom has a security margin that grows with curvature and one for the outside; the coarsest
//! level has at least 16 points in place of one in 128; there is no later search for parameters by
//! lap time.

mod curvature_interpolation;
mod relaxed_line;
mod settings;
mod springs_and_hinges;

pub use super::choices::Form;
pub use relaxed_line::{RelaxedLine, relaxation, relaxation_with};
pub use settings::Settings;
pub use springs_and_hinges::Weight;
