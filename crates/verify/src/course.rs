//! The steps of a line: from each point to the next, on a closed line from the last to the first.

use raceline_file::{LinePoint, RacingLine};
use raceline_numerics::math;

use super::vector::{Xy, length, minus, wrapped};

/// A step between two points, measured anew from positions, heights and headings.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub from: usize,
    pub to: usize,
    /// `s_m` of the end less that of the beginning, m.
    pub stated_m: f64,
    /// `time_s` of the end less that of the beginning, s.
    pub stated_s: f64,
    /// Straight distance in the plane, m.
    pub chord_m: f64,
    /// Length in the plane, m.
    pub plane_m: f64,
    /// Length in space, m.
    pub space_m: f64,
    /// What its bends add to the chord, m.
    pub bent_m: f64,
    /// Difference of the headings, rad.
    pub turn_rad: f64,
    /// From the direction of the chord to the mean heading, rad.
    pub aside_rad: f64,
    /// Difference of the heights, m.
    pub rise_m: f64,
}

/// A position of a point.
pub fn position(point: &LinePoint) -> Xy {
    [point.x_m, point.y_m]
}

/// The steps of `line`.
pub fn steps<V, O>(line: &RacingLine<V, O>) -> Vec<Step> {
    let points = &line.points;
    let n = points.len();
    let count = if line.closed { n } else { n.saturating_sub(1) };
    (0..count)
        .map(|from| {
            let to = (from + 1) % n;
            let (a, b) = (&points[from], &points[to]);
            let (end_m, end_s) = if to == 0 { (line.length_m, line.lap_time_s) } else { (b.s_m, b.time_s) };
            let chord = minus(position(b), position(a));
            let chord_m = length(chord);
            let direction = math::atan2(chord[1], chord[0]);
            let (before, after) = (wrapped(a.heading_rad - direction), wrapped(b.heading_rad - direction));
            // Length of the cubic with these directions at its ends, to the fourth order of the angles.
            let (p, q) = (before.clamp(-1.0, 1.0), after.clamp(-1.0, 1.0));
            // Equation (1) of `shape`.
            let bent_m = chord_m * (2.0 * p * p - p * q + 2.0 * q * q) / 30.0;
            let rise_m = b.z_m.unwrap_or_default() - a.z_m.unwrap_or_default();
            let plane_m = chord_m + bent_m;
            Step {
                from,
                to,
                stated_m: end_m - a.s_m,
                stated_s: end_s - a.time_s,
                chord_m,
                plane_m,
                space_m: math::hypot(plane_m, rise_m),
                bent_m,
                turn_rad: wrapped(b.heading_rad - a.heading_rad),
                aside_rad: 0.5 * (before + after),
                rise_m,
            }
        })
        .collect()
}

/// The steps before and after a point; `None` at an end of an open line.
pub fn around(index: usize, count: usize, closed: bool) -> (Option<usize>, Option<usize>) {
    let before = match index {
        0 if closed => Some(count - 1),
        0 => None,
        _ => Some(index - 1),
    };
    (before, (index < count).then_some(index))
}
