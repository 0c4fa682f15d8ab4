//! Track → lines: shortest path, minimum curvature, their blend, and the line of least lap time.

mod barrier;
mod bending;
pub mod blend;
pub mod car;
mod choices;
mod corridor;
mod error;
mod fault;
mod local_road;
pub mod min_curvature;
mod options;
mod parent;
pub mod passing;
mod passing_error;
mod programs;
mod regularity;
pub mod relaxation;
mod reserve;
pub mod sampled;
mod search;
pub mod shortest_path;
mod soundness;
pub mod speed;
mod stations;
mod steering_limit;
pub mod time_optimal;
mod track_maps;

pub use barrier::{Barrier, Outline, PassingSide};
pub use choices::{Formulation, Model, Objective, Search};
pub use corridor::{Corridor, EdgeDistance, EndOffsetWarning};
pub use error::SolveError;
pub use fault::Fault;
pub use local_road::LocalRoad;
pub use options::SolveOptions;
pub use parent::{Parent, SolverReport};
pub use passing_error::PassingError;
pub use programs::QpSolver;
pub use search::{
    Candidate, CandidateSummary, Detail, LapEnergy, Line, LineOptions, LineStatus, LineWarning, POINT_SPACING,
    Progress, RoadConditions, RoadSearch, RoadUse, Silent, optimize, optimize_with_progress,
};
pub use soundness::Soundness;
pub use stations::{Margin, Spacing};
pub use steering_limit::SteeringLimit;
pub use track_maps::LoadedRelief;

pub use raceline_numerics::BoxError;
pub use raceline_numerics::nonlinear_program::ProgramError;
