//! The route of a road that forks, crosses itself, or ends.
//!
//! The road between its contours is divided into triangles ([`triangulation`]). Their adjacency
//! gives a graph of arms and junctions ([`chordal_axis`], [`junctions`]). The route that covers the
//! most of the road is selected ([`route`]) and its two edges are derived ([`strand`]). A plain
//! ring keeps its contours.

mod chordal_axis;
mod course;
mod junctions;
mod medial_axis;
mod route;
mod strand;
mod triangulation;

pub(super) use course::{Course, LeftOut, NoCourse, course};
pub use medial_axis::medial_axis;
