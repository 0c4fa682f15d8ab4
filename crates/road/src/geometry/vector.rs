//! Points and vectors in the plane.

use raceline_numerics::math;

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

/// Angle between two vectors whatever their order, radians in [0, π]; 0 where one of them is zero.
///
/// ```
/// use raceline_road::geometry::{Vector, angle_between};
///
/// assert_eq!(angle_between(Vector::new(2.0, 0.0), Vector::new(0.0, -3.0)), std::f64::consts::FRAC_PI_2);
/// ```
#[inline]
#[must_use]
pub fn angle_between(a: Vector, b: Vector) -> f64 {
    math::atan2(cross(a, b).abs(), a.dot(&b))
}

/// Curvature of the circle through three points in a row, 1/m, positive to the left; 0 where two of
/// them coincide.
///
/// ```
/// use raceline_road::geometry::{Point, circle_curvature};
///
/// let [a, b, c] = [[5.0, 0.0], [0.0, 5.0], [-5.0, 0.0]].map(Point::from);
/// assert!((circle_curvature(a, b, c) - 0.2).abs() < 1e-12);
/// assert_eq!(circle_curvature(a, a, c), 0.0);
/// ```
#[must_use]
pub fn circle_curvature(a: Point, b: Point, c: Point) -> f64 {
    let (before, after) = (b - a, c - b);
    let sides = before.norm() * after.norm() * (c - a).norm();
    if sides > 0.0 { 2.0 * cross(before, after) / sides } else { 0.0 }
}

/// `v` rotated by a quarter turn counter-clockwise.
#[inline]
#[must_use]
pub fn left_of(v: Vector) -> Vector {
    Vector::new(-v.y, v.x)
}
