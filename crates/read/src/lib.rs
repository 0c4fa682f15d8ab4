//! Readers: pictures, maps, drawings and track files → the edges of a road.

pub mod importers;
pub mod input;
pub mod picture;
pub mod tracing;
