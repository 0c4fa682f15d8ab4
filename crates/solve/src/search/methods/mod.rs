//! The methods, one per file.

mod blend;
mod car;
mod given;
mod iterated_min_curvature;
mod min_curvature;
mod relaxation;
mod sampled;
mod shortest_path;
mod time_optimal;

pub use blend::Blend;
pub use car::{Car, accept_near};
pub use given::Given;
pub use iterated_min_curvature::IteratedMinCurvature;
pub use min_curvature::MinCurvature;
pub use relaxation::Relaxation;
pub use sampled::Sampled;
pub use shortest_path::ShortestPath;
pub use time_optimal::PointMass;
