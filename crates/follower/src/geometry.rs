//! Vectors and angles.

use raceline_numerics::math;

pub(crate) use raceline_numerics::wrap_angle;

pub(crate) type Point = [f64; 3];

pub(crate) fn subtract(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(crate) fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Coordinates are bounded, so that squares do not overflow.
pub(crate) fn distance(a: Point, b: Point) -> f64 {
    let d = subtract(a, b);
    dot(d, d).sqrt()
}

/// The fraction `t` of the distance from `a` to `b`, and exactly `b` at 1.
pub(crate) fn mix(a: f64, b: f64, t: f64) -> f64 {
    (1.0 - t) * a + t * b
}

pub(crate) fn lerp(a: Point, b: Point, t: f64) -> Point {
    [mix(a[0], b[0], t), mix(a[1], b[1], t), mix(a[2], b[2], t)]
}

/// Direction in the plane from one point to another; `None` if one lies above the other.
pub(crate) fn direction(from: Point, to: Point) -> Option<f64> {
    let (x, y) = (to[0] - from[0], to[1] - from[1]);
    (x != 0.0 || y != 0.0).then(|| math::atan2(y, x))
}

/// Half the extents of a rectangle along an axis and across it, with its length at `angle` to the axis.
pub(crate) fn half_extents(length: f64, width: f64, angle: f64) -> (f64, f64) {
    let (sin, cos) = (math::sin(angle).abs(), math::cos(angle).abs());
    (0.5 * (length * cos + width * sin), 0.5 * (length * sin + width * cos))
}

/// Square of the distance from `p` to the segment `a`-`b`, and the position of the nearest point
/// along it, 0 to 1.
pub(crate) fn segment_distance_squared(p: Point, a: Point, b: Point) -> (f64, f64) {
    let (ab, ap) = (subtract(b, a), subtract(p, a));
    let length_squared = dot(ab, ab);
    let t = if length_squared > 0.0 { (dot(ap, ab) / length_squared).clamp(0.0, 1.0) } else { 0.0 };
    let away = [ap[0] - t * ab[0], ap[1] - t * ab[1], ap[2] - t * ab[2]];
    (dot(away, away), t)
}
