//! The road: geometry, frames, edges, cross-sections, and the track file.
//!
//! Everything irregular about a track ends at [`track::Track`]: its edges do not cross, its cross-sections do
//! not cross, and every width is positive.

pub mod construction;
pub mod edges;
pub mod frame;
pub mod geometry;
mod position_grid;
pub mod range;
pub mod track;
pub mod track_file;

pub use position_grid::on_grid;
