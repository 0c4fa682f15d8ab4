//! Ranges of the numbers of parts of a road: strips along an edge, polygons and their grip.
//!
//! Each check returns the number that is outside its range, and the range.

/// What a check returns.
type Checked = Result<(), (f64, &'static str)>;

/// Smallest and largest width of a strip, m.
const WIDTH_M: (f64, f64) = (0.01, 1000.0);
/// Smallest and largest number of vertices of a polygon: each costs time at every place that is
/// looked at.
const VERTICES: (usize, usize) = (3, 1000);
/// Smallest and largest factor on the grip.
const FACTOR: (f64, f64) = (0.05, 3.0);

/// Checks the width of a strip, m.
///
/// # Errors
/// The width, and the range.
pub fn check_width(width_m: f64) -> Checked {
    within(width_m, WIDTH_M, "a width_m from 0.01 to 1000 m")
}

/// Checks the number of vertices of a polygon.
///
/// # Errors
/// The number, and the range.
pub fn check_vertices(count: usize) -> Checked {
    let (low, high) = VERTICES;
    within(count as f64, (low as f64, high as f64), "a polygon of 3 to 1000 vertices")
}

/// Checks a factor on the grip.
pub(super) fn check_factor(factor: f64) -> Checked {
    within(factor, FACTOR, "a factor from 0.05 to 3")
}

/// Checks a number.
pub(super) fn within(value: f64, (low, high): (f64, f64), range: &'static str) -> Checked {
    if (low..=high).contains(&value) { Ok(()) } else { Err((value, range)) }
}
