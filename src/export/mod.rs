//! [`RacingLine`](crate::RacingLine) → bytes, one file per format; no input or output happens here.
//!
//! - [`formats`]: the line for other programs.
//! - [`json`]: the racing-line file, written and read.
//! - [`track_json`]: an extracted track, written and read.
//! - [`schema`]: the racing-line file's JSON Schema.
//! - [`stage_pictures`]: what each stage found in a picture.
//! - `html`: a page of one line or several (feature `html`).
//! - [`svg`] and [`png`]: a picture of one line or several.
//! - [`drive_csv`]: the trace of a drive.
//! - [`close_up`]: two lines over each other at one place.
//! - [`sweep_csv`] and [`heat_map`]: a sweep's table and its picture.

mod backdrop;
mod chart;
pub mod close_up;
mod colour_scale;
mod corner_marks;
pub mod drive_csv;
mod error;
pub mod formats;
pub mod heat_map;
#[cfg(feature = "html")]
pub mod html;
pub mod json;
mod json_text;
mod layout;
mod legend;
mod line_chart;
mod markup;
pub mod palette;
pub mod png;
mod scene;
pub mod schema;
pub mod stage_pictures;
pub mod svg;
pub mod sweep_csv;
pub mod track_json;

pub use backdrop::Backdrop;
pub use colour_scale::ColourBy;
pub use error::{ReadError, RenderError, WriteError};
