//! Road mask → sub-pixel edge polylines in metres.
//!
//! Marching squares follow the half level of the mask's coverage. The edges are the longest contour
//! round the road and the contour of its one large hole. If the picture has grey levels along its
//! edges, they place each crossing to a few hundredths of a pixel; otherwise the mask is smoothed
//! first.

mod network;
mod smoothing;
mod sub_pixel;
mod trace;

pub use network::medial_axis;
pub use trace::{Dropped, SideRoad, Traced, trace};
