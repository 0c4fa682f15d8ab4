//! [`RacingLine`](crate::RacingLine) → pictures and pages; no input or output happens here.
//!
//! - [`stage_pictures`]: what each stage found in a picture.
//! - `html`: a page of one line or several (feature `html`).
//! - [`svg`] and [`png`]: a picture of one line or several.
//! - [`close_up`]: two lines over each other at one place.
//! - [`heat_map`]: the picture of a sweep.

mod backdrop;
mod chart;
pub mod close_up;
mod colour_scale;
mod corner_marks;
mod error;
pub mod heat_map;
#[cfg(feature = "html")]
pub mod html;
mod layout;
mod legend;
mod line_chart;
mod markup;
pub mod palette;
pub mod png;
mod scene;
#[cfg(feature = "picture")]
pub mod stage_pictures;
pub mod svg;

pub use backdrop::Backdrop;
pub use colour_scale::ColourBy;
pub use error::RenderError;
