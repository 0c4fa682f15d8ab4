//! [`RacingLine`](raceline::RacingLine) → pictures and pages; no input or output happens here.
//!
//! - [`stage_pictures`]: the results of the stages of reading a picture.
//! - `html`: a page of one line or several (feature `html`).
//! - [`svg`] and [`png`]: a picture of one line or several.
//! - `network_picture`: streets and routes through them (feature `picture`).
//! - `plan_picture`: ways through free space and what their search expanded (feature `picture`).
//! - [`close_up`]: two overlaid lines at one position.
//! - [`sweep_chart`]: the picture of a sweep.

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
pub mod png;
mod road_marks;
mod scene;
pub mod stage_pictures;
mod strip_chart;
pub mod svg;
pub mod sweep_chart;

pub use backdrop::Backdrop;
pub use colour_scale::ColourBy;
pub use error::RenderError;
pub use road_marks::RoadMarks;
