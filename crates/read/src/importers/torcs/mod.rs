//! Track XML of TORCS and Speed Dreams: segments with heights, banking, surfaces and borders.
//!
//! A track is a chain of straights and bends. Each is divided into steps, along which curvature is
//! constant and height is linear, as in the simulator. The result lies where the simulator puts it,
//! except for the stretch over which the gap between end and start is closed.

mod gap;
mod heights;
mod placement;
mod plan;
mod reading;
mod road;
mod segment;
mod sides;
mod surfaces;
mod world;
mod xml;

pub use reading::{torcs_surfaces_file, torcs_xml};
