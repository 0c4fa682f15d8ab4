//! [`RacingLine`](raceline::RacingLine) → pictures and pages; no input or output happens here.
//!
//! - [`stage_pictures`]: the results of the stages of reading a picture.
//! - [`html`]: a page of one line or several.
//! - [`svg`] and [`png`]: a picture of one line or several.
//! - [`network_picture`]: streets and routes through them.
//! - [`plan_picture`]: paths through free space and what their search expanded.
//! - [`close_up`]: two overlaid lines at one position.
//! - [`sweep_chart`]: the picture of a sweep.
//! - [`tactics_picture`]: the machines and trees of decisions.
//!
//! ```no_run
//! use raceline_render::svg::{RenderOptions, render};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let line = raceline::file::json::read(&std::fs::read("monza.raceline.json")?)?;
//! std::fs::write("monza.svg", render(&[line], &RenderOptions::default())?)?;
//! # Ok(())
//! # }
//! ```

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod backdrop;
pub mod close_up;
mod colour_scale;
mod corner_marks;
mod error;
pub mod folder_page;
pub mod html;
mod layout;
mod legend;
mod markup;
pub mod network_picture;
pub mod palette;
mod passed;
pub mod plan_picture;
#[cfg(feature = "png")]
pub mod png;
mod road_marks;
mod scene;
pub mod stage_pictures;
mod strip_chart;
pub mod svg;
pub mod sweep_chart;
pub mod tactics_picture;

pub use backdrop::Backdrop;
pub use colour_scale::ColourBy;
pub use error::RenderError;
pub use road_marks::RoadMarks;
