//! Track and vehicle → line: shortest path, minimum curvature, their blend, and the line of minimum
//! lap time.
//!
//! # From arrays to a line
//!
//! ```
//! use raceline_road::edges::RoadShape;
//! use raceline_road::track::{Track, TrackOptions};
//! use raceline_solve::{LineOptions, LineStatus, optimize};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let angles = (0..64).map(|i| f64::from(i) * std::f64::consts::TAU / 64.0);
//! let middle: Vec<[f64; 2]> = angles.map(|t| [90.0 * t.cos(), 50.0 * t.sin()]).collect();
//! let widths_m = vec![[5.0, 5.0]; middle.len()]; // to the left, to the right
//! let track = Track::from_centre_line(&middle, &widths_m, RoadShape::Closed, &TrackOptions::default())?;
//! let line = optimize(&track, &raceline_car::preset("gt")?, &LineOptions::default())?;
//! if line.status != LineStatus::Solved {
//!     eprintln!("{:?}: {:?}", line.status, line.warnings);
//! }
//! for point in line.points() {
//!     println!("{:.2} {:.2} m, {:.1} m/s, {:.2} m to the left edge", point.x_m, point.y_m, point.speed_mps, point.left_m);
//! }
//! # assert!((12.0..16.0).contains(&line.lap_time_s), "{}", line.lap_time_s);
//! # Ok(())
//! # }
//! ```
//!
//! # Many vehicles on one road
//!
//! [`RoadSearch`] computes once what is common to vehicles with an equal [`RoadUse`]: the corridor
//! within the margin, the shortest path and the minimum-curvature line.
//!
//! # A method alone
//!
//! Each method is a module with a function from a [`Corridor`] to its line, as
//! [`shortest_path::shortest_path`] and [`time_optimal::time_optimal`]. [`speed`] has the lap of a
//! line that exists.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod barrier;
mod bending;
pub mod blend;
pub mod car;
mod choices;
mod constraint_error;
mod corridor;
mod edge_distance;
mod error;
mod fault;
mod local_road;
pub mod min_curvature;
mod narrowing;
mod no_go;
mod no_go_area;
mod no_go_on_road;
mod options;
mod parent;
pub mod passing;
mod passing_error;
mod pin;
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
#[cfg(test)]
mod test_roads;
pub mod time_optimal;
mod track_maps;

pub use barrier::{Barrier, Outline, PassingSide};
pub use choices::{Formulation, Model, Objective, Search};
pub use constraint_error::ConstraintError;
pub use corridor::{Corridor, EndOffsetWarning};
pub use edge_distance::EdgeDistance;
pub use error::SolveError;
pub use fault::Fault;
pub use local_road::LocalRoad;
pub use no_go::{NoGo, PolygonNoGo, StretchNoGo};
pub use no_go_area::NoGoArea;
pub use no_go_on_road::{NoGoOnRoad, no_go_on_road};
pub use options::SolveOptions;
pub use parent::{Parent, SolverReport};
pub use passing_error::PassingError;
pub use pin::{MAX_CONSTRAINTS, Pin, PinnedPlace, pins_on_road};
pub use programs::QpSolver;
pub use search::{
    Candidate, CandidateSummary, Detail, LapEnergy, Line, LineOptions, LineStatus, LineWarning, POINT_SPACING,
    Progress, RoadConditions, RoadSearch, RoadUse, Silent, optimize, optimize_with_progress, profile,
};
pub use soundness::Soundness;
pub use stations::{Margin, Spacing};
pub use steering_limit::SteeringLimit;
pub use track_maps::LoadedRelief;

pub use raceline_numerics::BoxError;
pub use raceline_numerics::nonlinear_program::ProgramError;
