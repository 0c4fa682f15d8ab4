//! Vectors in the plane.

pub(super) type Vector = [f64; 2];

pub(super) const ZERO: Vector = [0.0; 2];

pub(super) fn add(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1]]
}

pub(super) fn subtract(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1]]
}

pub(super) fn scale(a: Vector, factor: f64) -> Vector {
    [a[0] * factor, a[1] * factor]
}

pub(super) fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

pub(super) fn length(a: Vector) -> f64 {
    let squared = dot(a, a);
    // The root alone takes a fifth of `hypot`, which only numbers need whose squares are out of range.
    if squared.is_normal() { squared.sqrt() } else { a[0].hypot(a[1]) }
}

/// `a` turned by a quarter to the left.
pub(super) fn left_of(a: Vector) -> Vector {
    [-a[1], a[0]]
}

/// The unit vector along `a`; zero for a zero vector.
pub(super) fn unit(a: Vector) -> Vector {
    let length = length(a);
    if length > 0.0 { scale(a, 1.0 / length) } else { ZERO }
}

/// `a`, no longer than `max_length`.
pub(super) fn truncated(a: Vector, max_length: f64) -> Vector {
    let length = length(a);
    if length > max_length { scale(a, max_length / length) } else { a }
}

/// `a` if both numbers are finite, else zero.
pub(super) fn finite(a: Vector) -> Vector {
    if a[0].is_finite() && a[1].is_finite() { a } else { ZERO }
}
