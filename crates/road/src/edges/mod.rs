//! The two edges of a road, in metres.

mod error;
mod overlaps;
mod pair;
mod shape;
mod surface;

pub use error::EdgeError;
pub(crate) use overlaps::COINCIDENT_M;
pub use overlaps::{MAX_MEETINGS, any_crossing, check_crossings, with_crossings_marked};
pub use pair::{Edges, metres_per_pixel};
pub use shape::{RoadShape, RouteOptions};
pub use surface::{EdgeKind, EdgePoint, RoadSurface};
