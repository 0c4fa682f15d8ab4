//! Parts of the edges that lead across another leg, for a road that crosses itself.
//!
//! Edges from a centre line continue through a crossing. Each edge enters the other leg through one
//! of that leg's edges and leaves it through the other. Between the two intersections it lies on
//! the other leg, where it is not a wall.

use std::collections::BTreeMap;

use super::{Edges, crossings};
use crate::geometry::{Point, Polyline, cross};

/// Two intersections farther apart along an edge than this many road widths do not bound one leg.
/// Legs that cross at 15° share the road for about eight widths.
const LONGEST_OVERLAP_WIDTHS: f64 = 10.0;

/// The same edges, divided at their intersections; the pieces across another leg are added to their
/// crossings.
pub fn with_crossings_marked(edges: Edges) -> Edges {
    let width = edges.mean_width();
    let lines = [&edges.left, &edges.right];
    let meetings = meetings(lines, width);
    if meetings.iter().all(Vec::is_empty) {
        return edges;
    }
    let mut crossings = edges.crossings.clone();
    let [left, right] = [0, 1].map(|k| divided(lines[k], &meetings[k], LONGEST_OVERLAP_WIDTHS * width, &mut crossings));
    Edges { left, right, crossings, ..edges }
}

/// A position on a line: number of the piece and fraction of its length.
type PiecePosition = (usize, f64);

/// The intersections of each line with itself and the other, in the order of its pieces.
fn meetings(lines: [&Polyline; 2], width: f64) -> [Vec<PiecePosition>; 2] {
    // Edges that cross in many places enclose areas of both signs, and therefore almost no mean
    // width.
    let cell = crossings::cell_side(&lines).max(width).max(1e-6);
    let mut cells: BTreeMap<(i64, i64), Vec<(usize, usize)>> = BTreeMap::new();
    for (line, of) in lines.iter().enumerate() {
        for (number, piece) in of.pieces().enumerate() {
            let mut enter = |column, row| cells.entry((column, row)).or_default().push((line, number));
            crossings::for_each_cell(piece, cell, &mut enter);
        }
    }
    let mut found = [Vec::new(), Vec::new()];
    for members in cells.values() {
        for (k, &(line, number)) in members.iter().enumerate() {
            for &(other_line, other) in &members[k + 1..] {
                let (first, second) = (lines[line].piece(number), lines[other_line].piece(other));
                if let Some((t, u)) = meeting(first, second) {
                    found[line].push((number, t));
                    found[other_line].push((other, u));
                }
            }
        }
    }
    for places in &mut found {
        places.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        // Long pieces share several cells.
        places.dedup();
    }
    found
}

/// The intersection of two pieces strictly inside both, as fractions of their lengths.
fn meeting((a, b): (Point, Point), (c, d): (Point, Point)) -> Option<(f64, f64)> {
    let (along, other) = (b - a, d - c);
    let denominator = cross(along, other);
    if denominator == 0.0 {
        return None;
    }
    let (t, u) = (cross(c - a, other) / denominator, cross(c - a, along) / denominator);
    let inside = |share: f64| share > 0.0 && share < 1.0;
    (inside(t) && inside(u)).then_some((t, u))
}

/// The line with its intersections as corners; the pieces between paired intersections are added to
/// `crossings`.
fn divided(line: &Polyline, meetings: &[PiecePosition], longest: f64, crossings: &mut Vec<[Point; 2]>) -> Polyline {
    let arc_lengths = line.arc_lengths();
    let total = arc_lengths.last().copied().unwrap_or(0.0);
    let s_of =
        |(piece, share): PiecePosition| arc_lengths[piece] + share * (arc_lengths[piece + 1] - arc_lengths[piece]);
    let at: Vec<f64> = meetings.iter().map(|&place| s_of(place)).collect();
    // Neighbouring intersections are paired: the first with the second, unless the line starts on a
    // crossing.
    let gap = |i: usize| if i + 1 < at.len() { at[i + 1] - at[i] } else { at[0] + total - at[i] };
    let overlap = |first: usize| -> f64 { (first..at.len()).step_by(2).map(gap).sum() };
    let first = usize::from(line.closed && at.len() > 1 && overlap(1) < overlap(0));
    let spans: Vec<(f64, f64)> = (first..at.len())
        .step_by(2)
        .filter(|&i| (i + 1 < at.len() || line.closed) && gap(i) <= longest)
        .map(|i| (at[i], at[i] + gap(i)))
        .collect();
    let mut points: Vec<(f64, Point)> = arc_lengths.iter().copied().zip(line.points.iter().copied()).collect();
    points.extend(meetings.iter().map(|&(piece, share)| {
        let (a, b) = line.piece(piece);
        (s_of((piece, share)), a + (b - a) * share)
    }));
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    let divided = Polyline { points: points.iter().map(|&(_, point)| point).collect(), closed: line.closed };
    for (number, (a, b)) in divided.pieces().enumerate() {
        let from = points[number].0;
        let to = points.get(number + 1).map_or(total, |&(s, _)| s);
        let middle = f64::midpoint(from, to);
        if spans.iter().any(|&(start, end)| (start..end).contains(&middle) || (start..end).contains(&(middle + total)))
        {
            crossings.push([a, b]);
        }
    }
    divided
}
