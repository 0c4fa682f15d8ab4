//! The racing-line file, version 1: its types, its rules and its reader. `docs/reference/file-format.md`
//! describes every key.
//!
//! ```no_run
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use serde::de::IgnoredAny;
//!
//! let bytes = std::fs::read("monza.raceline.json")?;
//! // The vehicle as a map, the options not at all.
//! let line = raceline_file::read::<serde_json::Value, IgnoredAny>(&bytes)?;
//! println!("{}: {:.3} s over {:.0} m", line.name, line.lap_time_s, line.length_m);
//! # Ok(())
//! # }
//! ```
//!
//! [`RacingLine`] is generic over the types of `vehicle` and `options`, so that a program can read
//! only the parts that it needs. `raceline` reads both in full; `raceline-follower` reads a few
//! dimensions of the vehicle. Every reader checks the same rules and reports the same errors.
//!
//! A reader ignores unknown keys, because a later version may add keys without raising `version`.
//!
//! # Features
//!
//! - `schema` derives `schemars::JsonSchema` for the types.
//! - `table` adds the reader of tables, [`table`], and with it the crate `csv-core`.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod causes;
mod error;
pub mod files;
mod finite;
mod json_text;
mod known_keys;
mod racing_line;
mod reading;
mod rounding;
mod rules;
mod shortened;
mod sizes;
pub mod table;
mod write_error;

pub use causes::with_causes;
pub use error::{Inconsistency, ReadError};
pub use finite::{finite, finite_all, finite_object};
pub use json_text::ObjectText;
pub use racing_line::{
    Candidate, Constraint, ConstraintKind, Direction, EdgeCoordinates, EdgeUncertainty, FORMAT, LinePoint, Method,
    RacingLine, Source, Streets, VERSION,
};
pub use reading::{FileKind, RACING_LINE, read, read_kind};
pub use rounding::{GRIP_DECIMALS, POSITION_DECIMALS, round_to};
pub use shortened::shortened;
pub use write_error::WriteError;
