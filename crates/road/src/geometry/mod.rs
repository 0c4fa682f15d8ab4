//! Plane geometry used by several stages: polylines, nearest-segment queries and cubic splines.
//!
//! Coordinates are in the world frame (metres, x right, y up) unless a caller works in pixels.

mod near_pieces;
mod polyline;
mod projection;
mod segment;
mod segment_index;
mod slope;
mod spline_curve;
mod vector;

pub use near_pieces::{TooManyNeighbours, for_each_near_pair};
pub use polyline::{Polyline, local_origin, turns_counterclockwise};
pub use projection::Projection;
pub use raceline_numerics::{SplineKnots, wrap_angle};
pub use segment::{Ends, Intersection, Segment};
pub use segment_index::{Nearest, SegmentIndex};
pub use slope::Slope;
pub use spline_curve::{CurvePoint, SplineCurve};
pub use vector::{Point, Vector, angle_between, circle_curvature, cross, left_of};
