//! Junctions of a medial axis, with the arms led straight into them.
//!
//! Beside the mouth of a side street the axis of a street has a wall on one side only and bends
//! towards the mouth: between streets of the width w that meet at right angles by w/8. Beyond the
//! largest free circle about the junction it is the middle of the street. So each arm ends there,
//! and the junction is moved to the place nearest to the arms' tangents, by least squares.

use nalgebra::{Matrix2, Vector2};

use super::streets::length_of;
use raceline_road::geometry::{Point, Polyline};

/// An arm is led straight within this multiple of the junction's clearance.
const REACH: f64 = 1.0;
/// Of an arm between two junctions at least this fraction remains, in its middle.
const MIN_FRACTION: f64 = 0.3;
/// Tangents are chords of this multiple of the clearance.
const CHORD: f64 = 1.0;
/// Weight of the junction's present place among the tangents, for arms that are all parallel.
const STAYS: f64 = 0.02;

/// A junction of the axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Junction {
    pub place: Point,
    /// Radius of the largest free circle about it, metres.
    pub clearance_m: f64,
}

/// A line between two nodes; what is no junction is an end.
#[derive(Clone, Debug)]
pub(super) struct Arm {
    /// Numbers of its junctions, `None` for an end.
    pub junctions: [Option<usize>; 2],
    pub line: Vec<Point>,
}

/// Ends the arms where their junctions begin, moves the junctions to where the tangents meet, and
/// leads the arms there.
pub(super) fn straighten(junctions: &mut [Junction], arms: &mut [Arm]) {
    let mut tangents: Vec<Vec<[Point; 2]>> = vec![Vec::new(); junctions.len()];
    for arm in arms.iter_mut() {
        let reach = |junction: Option<usize>| junction.map_or(0.0, |number| REACH * junctions[number].clearance_m);
        let length_m = length_of(&arm.line);
        let [first, last] = arm.junctions.map(reach);
        let fraction = ((1.0 - MIN_FRACTION) * length_m / (first + last).max(f64::MIN_POSITIVE)).min(1.0);
        let Some(middle) = between(&arm.line, fraction * first, length_m - fraction * last) else { continue };
        let kept_m = length_of(&middle);
        let whole = Polyline::open(middle);
        let lengths = whole.arc_lengths();
        for (end, junction) in arm.junctions.into_iter().enumerate() {
            let Some(number) = junction else { continue };
            let chord_m = (CHORD * junctions[number].clearance_m).min(kept_m);
            let along = if end == 0 { [0.0, chord_m] } else { [kept_m, kept_m - chord_m] };
            tangents[number].push(along.map(|s| whole.point_at(&lengths, s)));
        }
        arm.line = whole.points;
    }
    for (junction, tangents) in junctions.iter_mut().zip(&tangents) {
        let place = nearest_to_all(junction.place, tangents);
        if (place - junction.place).norm() < junction.clearance_m {
            junction.place = place;
        }
    }
    for arm in arms.iter_mut() {
        let [first, last] = arm.junctions.map(|junction| junction.map(|number| junctions[number].place));
        arm.line.splice(0..0, first);
        arm.line.extend(last);
        arm.line.dedup();
    }
}

/// The chord of a line from `reach_m` on, where the junction at its beginning no longer bends it;
/// `None` if the line is too short.
pub(super) fn tangent(line: &[Point], reach_m: f64) -> Option<[Point; 2]> {
    let whole = Polyline::open(line.to_vec());
    let lengths = whole.arc_lengths();
    let is_long = lengths.last().is_some_and(|&length| length >= (1.0 + CHORD) * reach_m);
    is_long.then(|| [reach_m, (1.0 + CHORD) * reach_m].map(|s| whole.point_at(&lengths, s)))
}

/// Whether straight lines through pairs of points all pass one point near `present` within
/// `accuracy_m`.
pub(super) fn tangents_meet(present: Point, lines: &[[Point; 2]], accuracy_m: f64) -> bool {
    let place = nearest_to_all(present, lines);
    lines.iter().all(|[from, to]| {
        let along = (to - from).try_normalize(0.0).unwrap_or_default();
        along.perp(&(place - from)).abs() < accuracy_m
    })
}

/// The part of a line between two distances along it; `None` if nothing is left.
fn between(line: &[Point], from_m: f64, to_m: f64) -> Option<Vec<Point>> {
    let whole = Polyline::open(line.to_vec());
    let lengths = whole.arc_lengths();
    if from_m >= to_m {
        return None;
    }
    let inner = line.iter().zip(&lengths).filter(|&(_, &s)| s > from_m && s < to_m).map(|(&point, _)| point);
    let (first, last) = (whole.point_at(&lengths, from_m), whole.point_at(&lengths, to_m));
    Some(std::iter::once(first).chain(inner).chain([last]).collect())
}

/// The point with the smallest sum of squared distances from straight lines through pairs of
/// points, and a little from `present`.
fn nearest_to_all(present: Point, lines: &[[Point; 2]]) -> Point {
    let mut matrix = STAYS * Matrix2::identity();
    let mut right = Vector2::zeros();
    for [from, to] in lines {
        let Some(along) = (to - from).try_normalize(0.0) else { continue };
        let across = Matrix2::identity() - along * along.transpose();
        matrix += across;
        right += across * (from - present);
    }
    matrix.try_inverse().map_or(present, |inverse| present + inverse * right)
}
