//! The start of the lap.

use super::TrackError;
use super::bisector::EdgePair;
use super::chord_spacing::ChordLap;
use crate::geometry::{Point, Segment, wrap_angle};
use raceline_numerics::math;

/// Largest change of the heading over [`WINDOW_WIDTHS`] road widths on a straight, rad. A larger
/// one begins a lap in a slight bend.
const STRAIGHT_RAD: f64 = 0.1;
/// Length of the window for the heading change, in road widths.
const WINDOW_WIDTHS: f64 = 3.0;

/// Distance along the lap of its start; zero on an open road. On a closed road: the point nearest
/// to `start` if specified, else the middle of the longest straight, else (a track without a
/// straight) the easternmost point.
///
/// # Errors
/// [`TrackError::StartOffTrack`] when `start` lies farther from the centre line than the road is
/// wide.
pub(super) fn distance(lap: &ChordLap, edges: &EdgePair, start: Option<Point>, width: f64) -> Result<f64, TrackError> {
    if !lap.closed {
        return Ok(0.0);
    }
    let middles: Vec<Point> = (0..lap.left_s.len())
        .map(|i| {
            let (right, left) = lap.ends(edges, i);
            nalgebra::center(&right, &left)
        })
        .collect();
    match start {
        Some(start) => nearest(&middles, lap, start, width),
        None => {
            Ok(lap.distance[middle_of_longest_straight(&middles, lap, width).unwrap_or_else(|| easternmost(&middles))])
        }
    }
}

/// Projects `start` on the path of the middles.
fn nearest(middles: &[Point], lap: &ChordLap, start: Point, width: f64) -> Result<f64, TrackError> {
    let n = middles.len();
    let mut best = (f64::INFINITY, 0.0);
    for i in 0..n {
        let piece = Segment::new(middles[i], middles[(i + 1) % n]);
        let t = piece.nearest(start);
        let off = (start - piece.at(t)).norm();
        if off < best.0 {
            best = (off, lap.distance[i] + t * (lap.distance[i + 1] - lap.distance[i]));
        }
    }
    if best.0 > width {
        let millimetres = |value: f64| (value * 1e3).round() / 1e3;
        let (x_m, y_m) = (millimetres(start.x), millimetres(start.y));
        return Err(TrackError::StartOffTrack { x_m, y_m, distance_m: best.0 });
    }
    Ok(best.1.min(lap.length() * (1.0 - 1e-12)))
}

fn middle_of_longest_straight(middles: &[Point], lap: &ChordLap, width: f64) -> Option<usize> {
    let n = middles.len();
    let half = ((0.5 * WINDOW_WIDTHS * width / lap.length() * n as f64).round() as usize).clamp(1, n / 3);
    let heading = |from: usize, to: usize| {
        let d = middles[to % n] - middles[from % n];
        math::atan2(d.y, d.x)
    };
    let straight: Vec<bool> =
        (0..n).map(|i| wrap_angle(heading(i, i + half) - heading(i + n - half, i)).abs() < STRAIGHT_RAD).collect();
    // Runs are counted from a bend, so that none is divided by the seam.
    let bend = straight.iter().position(|s| !s)?;
    let mut longest: Option<(f64, usize)> = None;
    let mut run_start = None;
    for k in 1..=n {
        let i = (bend + k) % n;
        match (straight[i], run_start) {
            (true, None) => run_start = Some(k),
            (false, Some(first)) => {
                let length = distance_between(lap, (bend + first) % n, i);
                if longest.is_none_or(|(best, _)| length > best + 1e-6) {
                    longest = Some((length, (bend + usize::midpoint(first, k)) % n));
                }
                run_start = None;
            }
            _ => {}
        }
    }
    longest.map(|(_, middle)| middle)
}

fn distance_between(lap: &ChordLap, from: usize, to: usize) -> f64 {
    let plain = lap.distance[to] - lap.distance[from];
    if plain < 0.0 { plain + lap.length() } else { plain }
}

fn easternmost(middles: &[Point]) -> usize {
    (0..middles.len()).max_by(|&i, &j| middles[i].x.total_cmp(&middles[j].x).then(j.cmp(&i))).unwrap_or(0)
}

#[cfg(test)]
mod tests;
