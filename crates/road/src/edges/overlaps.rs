//! Parts of the edges that lead across another leg, for a road that crosses itself.
//!
//! Edges from a centre line continue through a crossing. Each edge enters the other leg through one
//! of that leg's edges and leaves it through the other. Between the two intersections it lies on
//! the other leg, where it is not a wall.

use std::ops::ControlFlow;

use super::{EdgeError, Edges};
use crate::geometry::{Ends, Point, Polyline, Segment, TooManyNeighbours, cross, for_each_near_pair};

/// Two intersections farther apart along an edge than this many road widths do not bound one leg.
/// Legs that cross at 15° have the road in common for about eight widths.
const LONGEST_OVERLAP_WIDTHS: f64 = 10.0;
/// Maximum number of places at which the edges of a road may cross or lie on one another. Two legs that cross
/// make four; more than a thousand such crossings are no road, but laps that lie on one another.
pub const MAX_MEETINGS: usize = 4000;
/// Maximum number of comparisons of pieces' boxes for each piece of the edges. Circuits need 7 to 11.
const STEPS_PER_PIECE: usize = 1000;
/// Pieces within this distance of one another lie on one another, metres …
pub(crate) const COINCIDENT_M: f64 = 1e-6;
/// … if the sine of the angle between them is at most this.
const PARALLEL_SINE: f64 = 1e-6;

/// Divides the edges at their intersections; the pieces across another leg are added to their
/// crossings. The work is about n log n in the pieces and their intersections.
///
/// # Errors
/// [`EdgeError::LiesOnItself`] for edges with more than [`MAX_MEETINGS`] places at which they cross
/// or lie on one another, or whose pieces are too crowded to compare.
pub fn with_crossings_marked(edges: Edges) -> Result<Edges, EdgeError> {
    let width = edges.mean_width();
    let lines = [&edges.left, &edges.right];
    let meetings = meetings(lines)?;
    if meetings.iter().all(Vec::is_empty) {
        return Ok(edges);
    }
    let mut crossings = edges.crossings.clone();
    let [left, right] = [0, 1].map(|k| divided(lines[k], &meetings[k], LONGEST_OVERLAP_WIDTHS * width, &mut crossings));
    Ok(Edges { left, right, crossings, ..edges })
}

/// Checks that edges from elsewhere, such as those of an extracted track, do not lie on one another
/// so often that queries on them take too long.
///
/// # Errors
/// Those of [`with_crossings_marked`].
pub fn check_crossings(left: &Polyline, right: &Polyline) -> Result<(), EdgeError> {
    meetings([left, right]).map(drop)
}

/// Whether any two pieces of the lines cross in their interiors, or are too crowded for a decision.
#[must_use]
pub fn any_crossing(lines: &[&Polyline]) -> bool {
    let pieces: Vec<Segment> = lines.iter().flat_map(|line| line.pieces()).map(Segment::from).collect();
    let mut found = false;
    let compared = for_each_near_pair(lines, STEPS_PER_PIECE * (pieces.len() + 1), |first, second| {
        found = pieces[first].meets(pieces[second], Ends::Excluded);
        if found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    found || compared.is_err()
}

/// A position on a line: number of the piece and fraction of its length.
type PiecePosition = (usize, f64);

/// The intersections of each line with itself and the other, in the order of its pieces.
fn meetings(lines: [&Polyline; 2]) -> Result<[Vec<PiecePosition>; 2], EdgeError> {
    let pieces: Vec<Segment> = lines.iter().flat_map(|line| line.pieces()).map(Segment::from).collect();
    let lies_on_itself = |piece: usize| {
        let at = pieces.get(piece).map_or_else(Point::origin, |piece| piece.from);
        EdgeError::LiesOnItself { x_m: at.x, y_m: at.y, limit: MAX_MEETINGS }
    };
    let own = |piece: usize| piece.checked_sub(lines[0].piece_count()).map_or((0, piece), |number| (1, number));
    let mut found = [Vec::new(), Vec::new()];
    let (mut count, mut one_too_many) = (0, None);
    for_each_near_pair(&lines, STEPS_PER_PIECE * (pieces.len() + 1), |first, second| {
        let (a, b) = (pieces[first], pieces[second]);
        if let Some(found_at) = a.intersection(b, Ends::Excluded) {
            for (piece, fraction) in [(first, found_at.fraction), (second, found_at.other_fraction)] {
                let (line, number) = own(piece);
                found[line].push((number, fraction));
            }
            count += 1;
        } else if lie_on_one_another(a, b) {
            count += 1;
        }
        if count <= MAX_MEETINGS {
            return ControlFlow::Continue(());
        }
        one_too_many = Some(first);
        ControlFlow::Break(())
    })
    .map_err(|TooManyNeighbours { piece }| lies_on_itself(piece))?;
    if let Some(piece) = one_too_many {
        return Err(lies_on_itself(piece));
    }
    for places in &mut found {
        places.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        // More than two pieces may cross at one point.
        places.dedup();
    }
    Ok(found)
}

/// Whether the pieces are parallel and a part of one lies on the other, as on laps that were
/// recorded twice.
fn lie_on_one_another(Segment { from: a, to: b }: Segment, Segment { from: c, to: d }: Segment) -> bool {
    let (Some(along), Some(other)) = ((b - a).try_normalize(0.0), (d - c).try_normalize(0.0)) else { return false };
    let place = |p: Point| along.dot(&(p - a));
    let (from, to) = (place(c).min(place(d)), place(c).max(place(d)));
    cross(along, other).abs() <= PARALLEL_SINE
        && cross(along, c - a).abs() <= COINCIDENT_M
        && to.min((b - a).norm()) - from.max(0.0) > COINCIDENT_M
}

/// The line with its intersections as corners; the pieces between paired intersections are added to
/// `crossings`.
fn divided(line: &Polyline, meetings: &[PiecePosition], longest: f64, crossings: &mut Vec<[Point; 2]>) -> Polyline {
    let arc_lengths = line.arc_lengths();
    let total = arc_lengths.last().copied().unwrap_or(0.0);
    let s_of = |(piece, fraction): PiecePosition| {
        arc_lengths[piece] + fraction * (arc_lengths[piece + 1] - arc_lengths[piece])
    };
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
    points.extend(meetings.iter().map(|&(piece, fraction)| {
        let (a, b) = line.piece(piece);
        (s_of((piece, fraction)), a + (b - a) * fraction)
    }));
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    let divided = Polyline { points: points.iter().map(|&(_, point)| point).collect(), closed: line.closed };
    for (number, (a, b)) in divided.pieces().enumerate() {
        let from = points[number].0;
        let to = points.get(number + 1).map_or(total, |&(s, _)| s);
        let middle = f64::midpoint(from, to);
        // Only the last span may reach past the end of a closed line.
        let past_end = spans.last().is_some_and(|&(start, end)| (start..end).contains(&(middle + total)));
        let before = spans.partition_point(|&(start, _)| start <= middle);
        if past_end || before.checked_sub(1).is_some_and(|last| middle < spans[last].1) {
            crossings.push([a, b]);
        }
    }
    divided
}
