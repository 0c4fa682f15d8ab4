//! The places of a line with their distances, as close as a curve needs.

use raceline_road::construction::{distinct, usual_step};
use raceline_road::geometry::{Point, Vector};

/// Distance between stations of the lap, and of the curve between the points of a coarse line, m.
pub(super) const STEP_M: f64 = 4.0;
/// Segments are divided into at most so many, and lines of more points are not.
const MAX_DIVISIONS: f64 = 16.0;
const MAX_REFINED: usize = 100_000;
/// Of longer lists a part is taken.
const MAX_PLACES: usize = 200_000;

/// A place of the line.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) point: Point,
    pub(super) height_m: f64,
    /// Distance from the line's start, m.
    pub(super) s_m: f64,
}

/// The points with their distances from the start. A receiver at rest gives many at one place; those nearer than
/// `nearest_m` to the one before are left out.
pub(super) fn measured(points: &[Point], heights_m: Option<&[f64]>, nearest_m: f64) -> Vec<Place> {
    let kept = distinct(points, false, nearest_m);
    let mut places: Vec<Place> = Vec::with_capacity(kept.len());
    for index in kept {
        let (point, last) = (points[index], places.last());
        let height_m = heights_m.and_then(|heights| heights.get(index)).copied().unwrap_or(0.0);
        let s_m = last.map_or(0.0, |last| last.s_m + (point - last.point).norm());
        places.push(Place { point, height_m, s_m });
    }
    let every = places.len().div_ceil(MAX_PLACES);
    if every > 1 { places.into_iter().step_by(every).collect() } else { places }
}

/// The line with places at most about [`STEP_M`] apart, on a cubic through each four places: the chords of a
/// receiver with a position a second would lie inside of its bends.
pub(super) fn refined(places: &[Place]) -> Vec<Place> {
    let usual_m = usual_step(&places.iter().map(|place| place.point).collect::<Vec<_>>()).unwrap_or(0.0);
    if usual_m <= STEP_M || places.len() > MAX_REFINED {
        return places.to_vec();
    }
    let slope = |index: usize| -> Vector {
        let before = places[index.saturating_sub(1)];
        let after = places[(index + 1).min(places.len() - 1)];
        (after.point - before.point) / (after.s_m - before.s_m).max(f64::MIN_POSITIVE)
    };
    let mut refined = Vec::new();
    let mut s_m = 0.0;
    let mut push = |point: Point, height_m: f64| {
        let last: Option<&Place> = refined.last();
        s_m += last.map_or(0.0, |last| (point - last.point).norm());
        refined.push(Place { point, height_m, s_m });
    };
    for (index, pair) in places.windows(2).enumerate() {
        let [from, to] = [pair[0], pair[1]];
        let step_m = to.s_m - from.s_m;
        // A longer step is a pause of the recording.
        let parts = if step_m <= 5.0 * usual_m { (step_m / STEP_M).ceil().clamp(1.0, MAX_DIVISIONS) } else { 1.0 };
        let [first, last] = [slope(index) * step_m, slope(index + 1) * step_m];
        for part in 0..parts as usize {
            let t = part as f64 / parts;
            let [t2, t3] = [t * t, t * t * t];
            let chord = to.point - from.point;
            let moved = chord * (3.0 * t2 - 2.0 * t3) + first * (t3 - 2.0 * t2 + t) + last * (t3 - t2);
            push(from.point + moved, from.height_m + t * (to.height_m - from.height_m));
        }
    }
    if let Some(last) = places.last() {
        push(last.point, last.height_m);
    }
    refined
}
