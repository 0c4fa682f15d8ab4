//! Cones in any order → the two edges of the road between them, as in Formula Student.
//!
//! The cones are the corners of a Delaunay triangulation. A *gate* is a side of a triangle between a cone
//! of the left edge and one of the right edge; crossing a triangle from gate to gate adds one cone to one
//! of the edges. A beam search looks for the cheapest sequence of gates: cones of the wrong
//! colour, wide gates, long gaps and sharp turns cost. So cones may be missing, be of the wrong colour or of
//! none.
//!
//! | Function | Result |
//! |---|---|
//! | [`boundaries`] | both edges of a whole track |
//! | [`path_ahead`] | the path in front of a vehicle through the cones that it has seen so far |

mod ahead;
mod boundaries;
mod cone;
mod gates;
mod missing;
mod search;

pub use ahead::{PathAhead, Pose, path_ahead};
pub use boundaries::{Boundaries, ConesError, boundaries};
pub use cone::{Cone, ConeColour};
