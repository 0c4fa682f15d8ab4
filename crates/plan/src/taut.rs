//! A path pulled taut: the shortest one that a string laid along it takes, around the same
//! obstacles or past fewer.

use super::FreeSpace;
use raceline_road::geometry::{Point, Polyline, cross};

/// Points of the path between which straight lines are tried in one round.
const MAX_POINTS: usize = 160;
/// Largest number of rounds.
const ROUNDS: usize = 6;
/// A round that shortens the path by a smaller fraction is the last.
const MIN_GAIN: f64 = 5e-4;

/// The path through `points` pulled taut. In each round the path is divided evenly, and the
/// shortest path over free straight lines between its points is found by dynamic programming; new
/// points on the result let the next round cut the corners that the first left.
#[must_use]
pub(crate) fn pulled_taut(space: &FreeSpace, points: &[Point]) -> Vec<Point> {
    let mut path = corners_of(points);
    let mut length = length_of(&path);
    for _ in 0..ROUNDS {
        let shorter = round(space, &path);
        let new_length = length_of(&shorter);
        let gain = (length - new_length) / length.max(1e-9);
        if gain <= 0.0 {
            break;
        }
        (path, length) = (shorter, new_length);
        if gain < MIN_GAIN {
            break;
        }
    }
    path
}

/// Length of an open path, metres.
#[must_use]
pub fn length_of(points: &[Point]) -> f64 {
    points.windows(2).map(|pair| (pair[1] - pair[0]).norm()).sum()
}

fn round(space: &FreeSpace, path: &[Point]) -> Vec<Point> {
    if path.len() < 2 {
        return path.to_vec();
    }
    let points = divided(path, space.frame.metres_per_pixel);
    let count = points.len();
    let mut cost = vec![f64::INFINITY; count];
    let mut before = vec![0; count];
    cost[0] = 0.0;
    for j in 1..count {
        for i in (0..j).rev() {
            let through = cost[i] + (points[j] - points[i]).norm();
            // Neighbours lie on a path that is free already.
            if through < cost[j] - 1e-12 && (j == i + 1 || space.is_clear(points[i], points[j])) {
                (cost[j], before[j]) = (through, i);
            }
        }
    }
    let mut taut = vec![points[count - 1]];
    let mut at = count - 1;
    while at > 0 {
        at = before[at];
        taut.push(points[at]);
    }
    taut.reverse();
    taut
}

/// The ends of a path and the points where its direction changes.
fn corners_of(points: &[Point]) -> Vec<Point> {
    let is_corner = |i: usize| {
        let (a, b) = (points[i] - points[i - 1], points[i + 1] - points[i]);
        cross(a, b).abs() > 1e-9 * a.norm() * b.norm() || a.dot(&b) <= 0.0
    };
    let last = points.len().saturating_sub(1);
    (0..points.len()).filter(|&i| i == 0 || i == last || is_corner(i)).map(|i| points[i]).collect()
}

/// All corners of a path and, between them, points at even distances.
fn divided(path: &[Point], cell_m: f64) -> Vec<Point> {
    let step = (length_of(path) / MAX_POINTS as f64).max(cell_m);
    let mut points = Vec::with_capacity(2 * MAX_POINTS);
    for pair in path.windows(2) {
        let parts = ((pair[1] - pair[0]).norm() / step).ceil().clamp(1.0, MAX_POINTS as f64) as usize;
        points.extend((0..parts).map(|k| pair[0] + (pair[1] - pair[0]) * (k as f64 / parts as f64)));
    }
    points.extend(path.last());
    points
}

/// The points of a path at even distances of about `step_m`, its ends included.
#[must_use]
pub fn resampled(path: &[Point], step_m: f64, closed: bool) -> Vec<Point> {
    let line = Polyline { points: path.to_vec(), closed };
    let arc_lengths = line.arc_lengths();
    let total = line.length();
    let parts = (total / step_m).ceil().max(if closed { 3.0 } else { 1.0 }) as usize;
    let count = if closed { parts } else { parts + 1 };
    (0..count).map(|k| line.point_at(&arc_lengths, total * k as f64 / parts as f64)).collect()
}
