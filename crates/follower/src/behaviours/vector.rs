//! Vectors in the plane.

use raceline_numerics::math;

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
    // `hypot` is slower, and needed only where squares are out of range.
    if squared.is_normal() { squared.sqrt() } else { math::hypot(a[0], a[1]) }
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
    // No root for the usual vector, which is short.
    let squared = dot(a, a);
    if squared.is_normal() && squared <= max_length * max_length {
        return a;
    }
    let length = length(a);
    if length > max_length { scale(a, max_length / length) } else { a }
}

/// `a` if both numbers are finite, else zero.
pub(super) fn finite(a: Vector) -> Vector {
    if a[0].is_finite() && a[1].is_finite() { a } else { ZERO }
}

#[cfg(test)]
mod tests {
    use super::length;

    #[test]
    fn lengths_of_all_sizes_are_those_of_hypot() {
        for size in [0.0, 5e-324, 1e-200, 1e-3, 1.0, 1e8, 1e200, f64::MAX, f64::INFINITY, f64::NAN] {
            for [x, y] in [[3.0 / 5.0, -4.0 / 5.0], [1.0, 0.0], [0.0, -1.0]] {
                let (found, expected) = (length([size * x, size * y]), (size * x).hypot(size * y));
                let is_near = (found - expected).abs() <= 1e-15 * expected;
                assert!(
                    is_near || found == expected || (found.is_nan() && expected.is_nan()),
                    "{size} {x} {y}: {found}"
                );
            }
        }
    }
}
