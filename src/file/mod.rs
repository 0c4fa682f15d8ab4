//! The racing-line file and the track file: types, rounding, reading, writing, schema.

mod error;
pub mod json;
pub(crate) mod json_text;
mod millimetres;
mod racing_line;
mod rounding;
pub mod schema;
pub mod track_file;

pub use error::{Inconsistency, ReadError, WriteError};
pub(crate) use millimetres::to_millimetres;
pub use racing_line::{Candidate, EdgeCoordinates, FORMAT, GENERATOR, LinePoint, Method, RacingLine, Source, VERSION};
pub(crate) use rounding::round_to;
