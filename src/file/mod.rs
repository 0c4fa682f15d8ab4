//! The racing-line file and the track file: types, rounding, reading, writing, schema.
//!
//! The types of the racing-line file, its rules and its reader are the crate `raceline-file`, which
//! the follower uses too. This module adds what only `raceline` needs: [`RacingLine`] with the full
//! vehicle and the typed options, the layout of the text that is written, and the track file.

pub mod json;
mod racing_line;
pub mod schema;

pub use raceline_file::{
    Candidate, Constraint, ConstraintKind, EdgeCoordinates, FORMAT, Inconsistency, LinePoint, Method, ReadError,
    Source, Streets, VERSION, WriteError,
};
pub use racing_line::{GENERATOR, RacingLine};

pub(crate) use raceline_file::round_to;
