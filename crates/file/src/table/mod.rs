//! Tables of text (CSV, RFC 4180): the one reader for tracks, telemetry, obstacles, reference lines
//! and the tables of a vehicle, and the quoting of what is written.
//!
//! | Part of a table | What is accepted |
//! |---|---|
//! | separator | `;`, `,`, tab or blanks, the first of them that separates the fields of the first row |
//! | quotation marks | around a field, which may then contain separators, line breaks and `""` for `"` |
//! | comments | lines that begin with `#`; the last one before the rows may be the header |
//! | header | optional; the columns are in any order |
//! | text | UTF-8 with or without byte order mark, line feeds with or without carriage returns |
//!
//! Numbers have a decimal point. Files are bounded before they are read: see [`files`](crate::files).

mod error;
mod quoting;
#[cfg(feature = "table")]
mod reader;
#[cfg(feature = "table")]
mod records;
#[cfg(feature = "table")]
mod row;
mod text;

pub use error::TableError;
pub use quoting::quoted;
#[cfg(feature = "table")]
pub use reader::Table;
#[cfg(feature = "table")]
pub use row::{Row, plain_name};
pub use text::text;
