//! Offline racing-line optimizer: a picture of a track in, the fast line with its speed profile out.

pub mod edges;
pub mod export;
pub mod geometry;
pub mod options;
pub mod picture;
pub mod pipeline;
pub mod racing_line;
pub mod solve;
pub mod speed;
pub mod track;
pub mod vehicle;

pub use options::Options;
pub use racing_line::RacingLine;
