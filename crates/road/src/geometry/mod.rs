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

pub use near_pieces::{TooManyNeighbours, for_each_near_pair};
pub use polyline::{Polyline, turns_counterclockwise};
pub use projection::Projection;
pub use raceline_numerics::{SplineKnots, wrap_angle};
pub use segment::{Ends, Intersection, Segment};
pub use segment_index::{Nearest, SegmentIndex};
pub use slope::Slope;
pub use spline_curve::{CurvePoint, SplineCurve};

/// A point in the plane, metres in the world frame.
pub type Point = nalgebra::Point2<f64>;
/// A displacement in the plane, metres.
pub type Vector = nalgebra::Vector2<f64>;

/// z component of the three-dimensional cross product: positive when `b` lies to the left of `a`.
#[inline]
#[must_use]
pub fn cross(a: Vector, b: Vector) -> f64 {
    a.x * b.y - a.y * b.x
}

/// An origin near the polylines, for computations that need differences of coordinates: the middle of
/// their extent, rounded to whole metres. Zero where there is none.
#[must_use]
pub fn local_origin(polylines: &[&Polyline]) -> Vector {
    let points = || polylines.iter().flat_map(|polyline| &polyline.points);
    let low = points().fold(Point::new(f64::INFINITY, f64::INFINITY), |low, p| low.inf(p));
    let high = points().fold(Point::new(f64::NEG_INFINITY, f64::NEG_INFINITY), |high, p| high.sup(p));
    nalgebra::center(&low, &high).coords.map(|value| if value.is_finite() { value.round() } else { 0.0 })
}

/// `v` rotated by a quarter turn counter-clockwise.
#[inline]
#[must_use]
pub fn left_of(v: Vector) -> Vector {
    Vector::new(-v.y, v.x)
}
