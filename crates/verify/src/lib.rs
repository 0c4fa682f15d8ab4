//! An independent judge of racing lines.
//!
//! [`consistency`] is the cheap half: it needs the line alone and proves that positions, arc length,
//! heading, curvature, heights, speeds, times, accelerations and distances to the edges describe the same
//! line, and that it lies between its edges. [`verify`] also proves that a vehicle keeps its margin and
//! stays inside its limits.
//!
//! Nothing here uses the code that makes lines: lengths, curvature, times, distances to the edges and the
//! forces of a road in three dimensions are computed by other methods, from the file's numbers alone. Only
//! the file's types and the vehicle's g-g diagram are shared.
//!
//! ```no_run
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let bytes = std::fs::read("monza.raceline.json")?;
//! let line = raceline_verify::read(&bytes)?;
//! let report = raceline_verify::verify(&line, &raceline_verify::Against::of(&line))?;
//! for finding in report.findings() {
//!     println!("{finding}");
//! }
//! # Ok(())
//! # }
//! ```

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod against;
mod changes;
mod clearance;
mod conditions;
mod constraints;
mod course;
mod edge_tree;
mod error;
mod ground;
mod judgement;
mod limits;
mod no_go;
mod patches;
mod region;
mod report;
mod road;
mod rule;
mod shape;
mod timing;
mod vector;

pub use against::{Against, JudgedLine};
pub use conditions::{Conditions, Grip, GripPolygon, GripStretch, GripStrip};
pub use error::VerifyError;
pub use judgement::{consistency, prove, read, verify};
pub use report::{Check, Place, Report, Unsound};
pub use rule::Rule;
