//! Plane geometry used by several stages: polylines, nearest-segment queries and cubic splines.
//!
//! Coordinates are in the world frame (metres, x right, y up) unless a caller works in pixels.

mod near_pieces;
mod polyline;
mod projection;
mod segment_index;
mod spline_curve;

pub(crate) use near_pieces::{TooManyNeighbours, for_each_near_pair};
pub use polyline::{Polyline, turns_counterclockwise};
pub(crate) use projection::Projection;
pub use raceline_numerics::{SplineKnots, wrap_angle};
pub use segment_index::{Nearest, SegmentIndex, segments_meet};
pub use spline_curve::{CurvePoint, SplineCurve};

/// A point in the plane, metres in the world frame.
pub type Point = nalgebra::Point2<f64>;
/// A displacement in the plane, metres.
pub type Vector = nalgebra::Vector2<f64>;

/// z component of the three-dimensional cross product: positive when `b` lies to the left of `a`.
#[inline]
pub fn cross(a: Vector, b: Vector) -> f64 {
    a.x * b.y - a.y * b.x
}

/// `v` rotated by a quarter turn counter-clockwise.
#[inline]
pub fn left_of(v: Vector) -> Vector {
    Vector::new(-v.y, v.x)
}
