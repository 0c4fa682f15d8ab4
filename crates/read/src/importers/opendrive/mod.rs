//! OpenDRIVE (ASAM, versions 1.4 to 1.8): roads with a plan view, heights, banking and lanes, linked to one
//! another.
//!
//! The road of a run reaches from the outer border of the outermost driving lane on the one side to that on the
//! other. Its heights are those of the elevation profile; superelevation and crossfall are its banking.

mod cross_section;
mod geometry;
mod links;
mod road;
mod streets;
mod xml;

pub use road::open_drive;
pub use streets::{OpenDriveStreet, open_drive_streets};

#[cfg(test)]
mod tests;
