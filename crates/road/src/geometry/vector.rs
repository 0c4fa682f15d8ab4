//! Points and vectors in the plane.

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

/// `v` rotated by a quarter turn counter-clockwise.
#[inline]
#[must_use]
pub fn left_of(v: Vector) -> Vector {
    Vector::new(-v.y, v.x)
}
