//! Whether a line of points leads back to its start, and which of its points are there twice.

use crate::geometry::Point;

/// A line counts as closed when its ends lie nearer to one another than this many of its usual steps …
const CLOSED_STEPS: f64 = 3.0;
/// … or this many widths of road. A track whose finish is that near to its start is driven round.
const CLOSED_WIDTHS: f64 = 2.0;
/// Median distance from point to point, metres; points that coincide don't count. `None` if all do.
pub(super) fn usual_step(points: &[Point]) -> Option<f64> {
    let steps = points.windows(2).map(|pair| (pair[1] - pair[0]).norm()).filter(|&step| step > 0.0);
    median(steps.collect())
}

/// The middle one of `values`; the upper one of two.
pub(super) fn median(mut values: Vec<f64>) -> Option<f64> {
    let middle = values.len() / 2;
    if values.is_empty() {
        return None;
    }
    Some(*values.select_nth_unstable_by(middle, f64::total_cmp).1)
}

/// Whether the line leads back to its start, by the gap between its ends. Two widths of road may be nearly the whole of a short
/// line, so a gap must also be shorter than a quarter of the line.
pub(super) fn looks_closed(points: &[Point], width_m: f64) -> bool {
    let (Some(step), Some(first), Some(last)) = (usual_step(points), points.first(), points.last()) else {
        return false;
    };
    let length: f64 = points.windows(2).map(|pair| (pair[1] - pair[0]).norm()).sum();
    (first - last).norm() <= (CLOSED_STEPS * step).max(CLOSED_WIDTHS * width_m).min(length / 4.0)
}

/// Which points to keep, so that each lies more than `least` metres from the one before, and a closed line doesn't repeat its first.
pub(super) fn distinct(points: &[Point], closed: bool, least: f64) -> Vec<usize> {
    let near = |i: usize, j: usize| (points[i] - points[j]).norm() <= least;
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
