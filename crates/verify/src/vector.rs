//! Points and angles of the plane.

use std::f64::consts::{PI, TAU};

/// A point or a vector, m.
pub type Xy = [f64; 2];

pub fn minus(a: Xy, b: Xy) -> Xy {
    [a[0] - b[0], a[1] - b[1]]
}

/// `a + t b`.
pub fn plus(a: Xy, t: f64, b: Xy) -> Xy {
    [a[0] + t * b[0], a[1] + t * b[1]]
}

pub fn dot(a: Xy, b: Xy) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// Positive where `b` points to the left of `a`.
pub fn cross(a: Xy, b: Xy) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

/// Length of a vector whose coordinates are those of a road: their squares are numbers too.
pub fn length(a: Xy) -> f64 {
    dot(a, a).sqrt()
}

/// The angle between -π and π that differs from `angle` by whole turns.
pub fn wrapped(angle: f64) -> f64 {
    let turns = ((angle + PI) / TAU).floor();
    angle - turns * TAU
}
