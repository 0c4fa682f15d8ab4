//! Room to the edges from how far a vehicle strays.

use super::strays::Reach;
use crate::file::RacingLine;
use crate::geometry::{Point, SegmentIndex};
use crate::track::{EdgeMargin, Track};

/// Distance between the places of the margins, in mean widths of the road. Closer ones follow the strays
/// more closely; wider ones make fewer bends in the edges.
const SPACING_WIDTHS: f64 = 0.75;
/// A place has the margins of all that is within this many spacings of it: a car that comes from another side
/// or a little sooner strays there too.
const REACH_SPACINGS: f64 = 1.0;
/// A line's next point is searched within this many widths along the centre line.
const STEP_WIDTHS: f64 = 4.0;

/// The room that a vehicle needs beside its margin of `margin_m` where it strays by these reaches and by
/// `deviations` of their deviations, along the centre line of `track`.
pub(super) fn of_reaches(
    track: &Track,
    line: &RacingLine,
    reaches: &[Reach],
    deviations: f64,
    margin_m: f64,
) -> Vec<EdgeMargin> {
    let centre_line = track.centre_line();
    let (width_m, length_m) = (track.mean_width(), centre_line.arc_lengths().last().copied().unwrap_or_default());
    let index = SegmentIndex::new(&centre_line, width_m);
    // Distances along the centre line of the line's points.
    let mut along: Vec<f64> = Vec::with_capacity(line.points.len());
    for point in &line.points {
        let place = Point::new(point.x_m, point.y_m);
        let near = along.last().and_then(|&last| index.nearest_along(place, last, STEP_WIDTHS * width_m));
        along.push(near.or_else(|| index.nearest(place)).map_or(0.0, |nearest| nearest.s));
    }
    let count = (length_m / (SPACING_WIDTHS * width_m)).ceil().max(4.0);
    let spacing_m = length_m / count;
    let mut margins: Vec<EdgeMargin> =
        (0..count as usize).map(|k| EdgeMargin { s_m: k as f64 * spacing_m, left_m: 0.0, right_m: 0.0 }).collect();
    let n = margins.len() as i64;
    for reach in reaches {
        let after = line.points.partition_point(|point| point.s_m <= reach.s_m);
        let Some(&s_m) = along.get(after.saturating_sub(1)) else { continue };
        let needed = reach.sides_m.map(|side_m| side_m + deviations * reach.deviation_m - margin_m);
        let at = s_m / spacing_m;
        let (first, last) = ((at - REACH_SPACINGS).ceil() as i64, (at + REACH_SPACINGS).floor() as i64);
        for k in first..=last {
            let k = if track.closed { k.rem_euclid(n) } else { k.clamp(0, n - 1) };
            let margin = &mut margins[k as usize];
            margin.left_m = margin.left_m.max(needed[0]);
            margin.right_m = margin.right_m.max(needed[1]);
        }
    }
    margins
}
