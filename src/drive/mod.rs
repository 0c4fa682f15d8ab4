//! A racing line and a follower → how the line is driven: lap times, distance from the line, a trace.
//!
//! The vehicle of the file, a point mass, gets two axles and tyres with slip angles ([`bicycle`]).

pub mod actuators;
pub mod bicycle;
mod error;
mod options;
mod reference_line;
mod tyre;

pub use error::DriveError;
pub use options::BicycleOptions;
pub use reference_line::{LinePlace, ReferenceLine};
pub use tyre::{BrushTyre, inside_ellipse};
