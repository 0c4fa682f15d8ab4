//! Whether a line of points leads back to its start, and which of its points coincide.

use raceline_numerics::median;

use crate::geometry::Point;

/// A line is closed when the distance between its ends is less than this many of its usual steps …
const CLOSED_STEPS: f64 = 3.0;
/// … or this many road widths. A track with its finish this near to its start is a circuit.
const CLOSED_WIDTHS: f64 = 2.0;
/// Median distance from point to point, metres; coincident points are ignored. `None` if all
/// coincide.
#[must_use]
pub fn usual_step(points: &[Point]) -> Option<f64> {
    let steps = points.windows(2).map(|pair| (pair[1] - pair[0]).norm()).filter(|&step| step > 0.0);
    median(steps.collect())
}

/// Whether the line leads back to its start, by the gap between its ends. Two road widths may be
/// nearly the whole of a short line, so a gap must also be shorter than a quarter of the line.
pub fn looks_closed(points: &[Point], width_m: f64) -> bool {
    let (Some(step), Some(first), Some(last)) = (usual_step(points), points.first(), points.last()) else {
        return false;
    };
    let length: f64 = points.windows(2).map(|pair| (pair[1] - pair[0]).norm()).sum();
    (first - last).norm() <= (CLOSED_STEPS * step).max(CLOSED_WIDTHS * width_m).min(length / 4.0)
}

/// Indices of the points to keep: each lies more than `min_step_m` metres from the one before, and a
/// closed line does not repeat its first point.
#[must_use]
pub fn distinct(points: &[Point], closed: bool, min_step_m: f64) -> Vec<usize> {
    let near = |i: usize, j: usize| (points[i] - points[j]).norm() <= min_step_m;
    let mut kept: Vec<usize> = Vec::with_capacity(points.len());
    for index in 0..points.len() {
        if kept.last().is_none_or(|&before| !near(before, index)) {
            kept.push(index);
        }
    }
    while closed && kept.len() > 1 && kept.last().is_some_and(|&last| near(last, 0)) {
        kept.pop();
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::looks_closed;
    use crate::geometry::Point;

    #[test]
    fn a_finish_within_two_widths_of_the_start_closes_the_line() {
        // A ring of 1 km with points every metre or so, from which `gap_m` are missing.
        let closed = |gap_m: f64| {
            let radius = 1000.0 / std::f64::consts::TAU;
            let points: Vec<Point> = (0..=1000)
                .map(|i| f64::from(i) / 1000.0 * (1000.0 - gap_m) / radius)
                .map(|angle| Point::new(radius * angle.cos(), radius * angle.sin()))
                .collect();
            looks_closed(&points, 10.0)
        };
        assert!(closed(19.0) && !closed(21.0));
    }
}
