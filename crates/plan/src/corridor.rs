//! The road about a path: the free space on both of its sides, as two edges.
//!
//! From each point of the relaxed path a straight line leads to the left and to the right, until an
//! obstacle, until another part of the path is nearer than its own, or for a limited distance. Such
//! lines do not cross: each stays where its own point is the nearest of the path. Obstacles beside
//! the path so become part of the edge on their side. An edge that jumps from an obstacle far
//! behind it becomes a slope, which takes from the road and adds nothing.

use super::elastic_band::{STEP_CELLS, relaxed};
use super::taut::{length_of, resampled};
use super::{FreeSpace, PlanError};
use raceline_road::edges::Edges;
use raceline_road::geometry::{Point, Polyline, Vector, circle_curvature, left_of};

/// Fraction of the width that is kept where another part of the path limits it, 0 to 1: in a tight
/// bend the lines to its inner side meet there. A larger one gives a wider road, whose sections may
/// cross.
const INNER_FRACTION: f64 = 0.85;
/// Largest movement of an edge when points are taken from it, in cells. A larger one is smoother
/// and cuts corners of obstacles; a smaller one keeps the steps of the cells.
const SIMPLIFY_CELLS: f64 = 0.25;
/// The greatest change of the width to a side, per metre of the path. A larger one uses more of the
/// free space, with edges that the line must follow quickly.
const SLOPE: f64 = 0.5;
/// Width to a side at the ends of an open path, in needed clearances, above 1: the line begins and
/// ends at the points that were specified, but for this play.
const END_FRACTION: f64 = 1.1;
/// A point is nearer to another part of the path if it is so by this fraction of its distance.
const NEARER: f64 = 0.02;
/// Minimum width to a side, as a fraction of the needed clearance; less means that the path meets
/// itself.
const MIN_FRACTION: f64 = 0.3;
/// The shortest path about which a road is cut, in needed clearances.
const SHORTEST: f64 = 3.0;
/// Expected error of the edges, in cells.
const UNCERTAINTY_CELLS: f64 = 0.5;

/// Distance of the points between which a bend is measured, in turning radii.
const BEND_FRACTION: f64 = 0.4;

/// Whether the relaxed path, about which a road would be cut, bends tighter than `max_radpm`.
pub(super) fn bends_tighter_than(space: &FreeSpace, path: &[Point], closed: bool, max_radpm: f64) -> bool {
    let band = relaxed(space, path, closed);
    let apart = ((BEND_FRACTION / max_radpm / (length_of(&band) / (band.len() - 1) as f64)) as usize).max(1);
    let count = band.len();
    let middles = if closed { 0..count } else { apart..count.saturating_sub(apart) };
    middles.into_iter().any(|i| {
        let (a, b, c) = (band[(i + count - apart % count) % count], band[i], band[(i + apart) % count]);
        circle_curvature(a, b, c).abs() > max_radpm
    })
}

/// The edges of the free space about a path, directed along it, at most `reach` times the needed
/// clearance from it. The path is relaxed before.
///
/// # Errors
/// [`PlanError::TooShort`], and [`PlanError::MeetsItself`] where the path crosses itself or runs
/// back beside itself without an obstacle between.
pub fn road_about(space: &FreeSpace, path: &[Point], closed: bool, reach: f64) -> Result<Edges, PlanError> {
    check_length(space, path)?;
    about(space, &relaxed(space, path, closed), closed, reach)
}

/// The edges about a path that the vehicle can drive as it is, and which stays the middle of the
/// road.
///
/// # Errors
/// As [`road_about`].
pub fn road_about_arcs(space: &FreeSpace, path: &[Point], closed: bool, reach: f64) -> Result<Edges, PlanError> {
    check_length(space, path)?;
    about(space, &resampled(path, STEP_CELLS * space.frame.metres_per_pixel, closed), closed, reach)
}

fn check_length(space: &FreeSpace, path: &[Point]) -> Result<(), PlanError> {
    let length_m = length_of(path);
    if length_m < SHORTEST * space.needed_m { Err(PlanError::TooShort { length_m }) } else { Ok(()) }
}

fn about(space: &FreeSpace, band: &[Point], closed: bool, reach: f64) -> Result<Edges, PlanError> {
    let count = band.len();
    let step_m = length_of(band) / (count - 1) as f64;
    let direction = |i: usize| {
        let (before, after) = if closed {
            (band[(i + count - 1) % count], band[(i + 1) % count])
        } else {
            (band[i.saturating_sub(1)], band[(i + 1).min(count - 1)])
        };
        left_of(after - before).try_normalize(1e-12).unwrap_or_default()
    };
    let normals: Vec<Vector> = (0..count).map(direction).collect();
    let near = Neighbours { band, closed, step_m };
    let mut edges = [1.0, -1.0].map(|side| {
        let mut widths: Vec<f64> =
            (0..count).map(|i| width(space, &near, i, normals[i] * side, reach * space.needed_m)).collect();
        if !closed {
            for end in [0, count - 1] {
                widths[end] = widths[end].min(END_FRACTION * space.needed_m);
            }
        }
        limit_slope(&mut widths, SLOPE * step_m, closed);
        widths
    });
    let min = MIN_FRACTION * space.needed_m;
    for widths in &mut edges {
        if let Some(i) = (0..count).find(|&i| widths[i] < min) {
            return Err(PlanError::MeetsItself { x_m: band[i].x, y_m: band[i].y });
        }
    }
    let line = |widths: &[f64], side: f64| {
        let points = (0..count).map(|i| band[i] + normals[i] * (side * widths[i])).collect();
        Polyline { points, closed }.simplified(SIMPLIFY_CELLS * space.frame.metres_per_pixel)
    };
    let [left, right] = &edges;
    Ok(Edges {
        directed: true,
        uncertainty_m: UNCERTAINTY_CELLS * space.frame.metres_per_pixel,
        frame: Some(space.frame),
        ..Edges::between(line(left, 1.0), line(right, -1.0))
    })
}

/// The points of the path, for the question whether one of them is nearer.
struct Neighbours<'a> {
    band: &'a [Point],
    closed: bool,
    step_m: f64,
}

impl Neighbours<'_> {
    /// Whether `place`, at `distance` from point `i`, is nearer to another point of the path.
    fn is_nearer(&self, i: usize, place: Point, distance: f64) -> bool {
        let min = distance * (1.0 - NEARER);
        let count = self.band.len();
        let mut k = 0;
        while k < count {
            let other = (self.band[k] - place).norm();
            if other < min {
                // Points beside the own one are nearer by no more than rounding.
                let along = k.abs_diff(i);
                let along = if self.closed { along.min(count - along) } else { along };
                if along > 1 {
                    return true;
                }
            }
            // The next points are at most a step nearer each.
            k += (((other - min) / (1.5 * self.step_m)) as usize).max(1);
        }
        false
    }
}

/// Width of the road from point `i` along `normal`, metres.
fn width(space: &FreeSpace, near: &Neighbours, i: usize, normal: Vector, reach_m: f64) -> f64 {
    let cell = space.frame.metres_per_pixel;
    let step = 0.25 * cell;
    let mut distance = 0.0;
    while distance < reach_m {
        let next = distance + step;
        let place = near.band[i] + normal * next;
        // The clearance is measured from a cell's centre less half a cell: zero inside of obstacles.
        if space.clearance_at_m(place) <= 0.0 {
            break;
        }
        if near.is_nearer(i, place, next) {
            return INNER_FRACTION * distance;
        }
        distance = next;
    }
    distance
}

/// Lowers widths so that neighbours differ by at most `max`.
fn limit_slope(widths: &mut [f64], max: f64, closed: bool) {
    let count = widths.len();
    let rounds = if closed { 2 } else { 1 };
    for _ in 0..rounds {
        for i in 1..count {
            widths[i] = widths[i].min(widths[i - 1] + max);
        }
        if closed {
            widths[0] = widths[0].min(widths[count - 1] + max);
        }
        for i in (1..count).rev() {
            widths[i - 1] = widths[i - 1].min(widths[i] + max);
        }
        if closed {
            widths[count - 1] = widths[count - 1].min(widths[0] + max);
        }
    }
}
