//! Edges of a road along a centre line: points at both widths on the spline's normals, without the
//! loops that occur where a bend is tighter than the road is wide.
//!
//! At distance w from a curve, the parallel curve has 1 - κw times its speed. Where that is
//! negative, the parallel curve runs backwards between two cusps and crosses itself before and
//! behind them (Farouki and Neff, *Analytic properties of plane offset curves*, Computer Aided
//! Geometric Design 7, 1990). The loop at the crossing is covered by the road, so the road's edge
//! passes through the crossing without it. A crossing without a backward stretch belongs to a track
//! that crosses itself, and is kept.
//!
//! Where the width changes inside such a bend, the loop may open into an S that never crosses
//! itself. The points of an S that do not advance along the centre line are dropped.

use super::legs;
use super::road::Road;
use super::{ImportError, ImportNote};
use crate::edges::{Edges, RoadSurface};
use crate::geometry::{Ends, Point, Polyline, Segment, Vector, cross};

/// The crossing of a loop is searched over this many road widths before and behind the backward
/// stretch. Two legs that leave a hairpin nearly parallel cross late.
const WINDOW_WIDTHS: f64 = 12.0;
/// The search compares every piece before the stretch with every piece behind it, so it is limited
/// to this many of either.
const MAX_PIECES: usize = 4000;
/// A backward stretch without a crossing is removed without a note if it is shorter than this,
/// metres: a wrinkle in the widths.
const WRINKLE_M: f64 = 0.05;
/// A longer one is removed with a note, unless it runs back by more than this fraction of the
/// road's width: then the widths do not belong to this centre line.
const MAX_BACK_WIDTHS: f64 = 0.5;
/// Points of an edge nearer to one another than this are merged, metres.
const COINCIDENT_M: f64 = 1e-4;

/// A point of an edge, with its position on the centre line.
#[derive(Clone, Copy)]
struct EdgePoint {
    s: f64,
    along: Vector,
    point: Point,
}

/// The edges of `road`, with a note for each fold that was removed and for legs that were clipped.
///
/// # Errors
/// [`ImportError::FoldedEdge`] if an edge runs backwards by more than half the road's width and
/// does not cross itself within the window.
pub fn edges(road: &Road) -> Result<(Edges, Vec<ImportNote>), ImportError> {
    let mut cuts = road.cuts();
    let mut notes = legs::clip(&mut cuts, road.curve.length(), road.curve.is_closed());
    let mut edge = |side: usize, name: &'static str| {
        let points = cuts.iter().map(|cut| EdgePoint { s: cut.s, along: cut.along, point: cut.ends[side] }).collect();
        let widths = if side == 0 { &road.left_m } else { &road.right_m };
        let window = WINDOW_WIDTHS * widths.iter().fold(0.0, |widest: f64, &width| widest.max(width));
        let (points, folds) = unlooped(points, road, window).map_err(|s| {
            let at = road.curve.at(s).position;
            ImportError::FoldedEdge { side: name, x_m: at.x, y_m: at.y, line: road.line_at(s) }
        })?;
        notes.extend(folds.into_iter().map(|(s, back_m)| {
            let at = road.curve.at(s).position;
            ImportNote::FoldRemoved { side: name, x_m: at.x, y_m: at.y, back_m }
        }));
        Ok::<_, ImportError>(points)
    };
    let (left, right) = (edge(0, "left")?, edge(1, "right")?);
    let line = |points: &[EdgePoint]| Polyline {
        points: points.iter().map(|point| point.point).collect(),
        closed: road.curve.is_closed(),
    };
    let with_heights = |points: &[EdgePoint], side: f64| -> Option<Vec<_>> {
        points.iter().map(|point| road.edge_point(point.s, point.point, side)).collect()
    };
    let surface = with_heights(&left, 1.0).zip(with_heights(&right, -1.0));
    let surface = surface.map(|(left, right)| RoadSurface { left, right });
    Ok((Edges { surface, ..Edges::between(line(&left), line(&right)) }, notes))
}

/// An edge without its local loops, and the folds that were removed without a crossing: position on
/// the centre line and distance that the edge ran back, metres.
type Unlooped = (Vec<EdgePoint>, Vec<(f64, f64)>);

/// The edge without its local loops, and the folds that were removed without a crossing: position
/// on the centre line and distance that the edge ran back, metres. `Err` is the position of a
/// backward stretch that cannot be removed.
fn unlooped(points: Vec<EdgePoint>, road: &Road, window: f64) -> Result<Unlooped, f64> {
    let closed = road.curve.is_closed();
    let mut points = without_coincident(points, closed);
    if closed {
        let start = middle_of_longest_forward_run(&points);
        points.rotate_left(start);
        // Unrolled: positions increase along the points.
        let length = road.curve.length();
        let wrap = points.windows(2).position(|pair| pair[1].s < pair[0].s).map_or(points.len(), |last| last + 1);
        for point in points.iter_mut().skip(wrap) {
            point.s += length;
        }
    }
    let mut folds = Vec::new();
    let mut from = 0;
    while let Some(stretch) = next_backward_stretch(&points, from) {
        let (first, last) = stretch;
        let at = points[first].s;
        if let Some((before, behind, crossing)) = crossing_round(&points, stretch, window) {
            let corner = EdgePoint { point: crossing, s: points[before].s, along: points[before].along };
            points.splice(before + 1..=behind, [corner]);
            // The corner's two pieces may themselves run backwards if loops are nested.
            from = before;
        } else {
            let back: f64 = (first..=last).map(|i| (points[i + 1].point - points[i].point).norm()).sum();
            if back > WRINKLE_M {
                let at = if closed { at.rem_euclid(road.curve.length()) } else { at };
                let width = road.width_at(&road.left_m, at) + road.width_at(&road.right_m, at);
                let ends = if back <= MAX_BACK_WIDTHS * width { ends_of_fold(&points, stretch, window) } else { None };
                let (before, behind) = ends.ok_or(at)?;
                folds.push((at, back));
                points.drain(before + 1..behind);
                from = before;
            } else {
                points.drain(first..=last);
                from = first.saturating_sub(1);
            }
        }
    }
    let mut points = without_coincident(points, closed);
    if closed && let Some(start) = points.iter().position(|point| point.s >= road.curve.length()) {
        points.rotate_left(start);
    }
    let min = if closed { 3 } else { 2 };
    if points.len() < min {
        return Err(0.0);
    }
    Ok((points, folds))
}

fn without_coincident(points: Vec<EdgePoint>, closed: bool) -> Vec<EdgePoint> {
    let mut kept: Vec<EdgePoint> = Vec::with_capacity(points.len());
    for point in points {
        if kept.last().is_none_or(|before| (point.point - before.point).norm() > COINCIDENT_M) {
            kept.push(point);
        }
    }
    if closed {
        while kept.len() > 1 && (kept[0].point - kept[kept.len() - 1].point).norm() <= COINCIDENT_M {
            kept.pop();
        }
    }
    kept
}

/// Whether the edge runs opposite to the centre line from `from` to `to`.
fn runs_backwards(from: &EdgePoint, to: &EdgePoint) -> bool {
    (to.point - from.point).dot(&(from.along + to.along)) < 0.0
}

/// Index of the point farthest from any backward piece of a closed edge.
fn middle_of_longest_forward_run(points: &[EdgePoint]) -> usize {
    let count = points.len();
    let backward = |i: usize| runs_backwards(&points[i % count], &points[(i + 1) % count]);
    let Some(first) = (0..count).find(|&i| backward(i)) else { return 0 };
    let (mut best, mut run_start) = ((0, 0), first + 1);
    for i in first + 1..=first + count {
        if backward(i) {
            best = best.max((i - run_start, usize::midpoint(i, run_start) % count));
            run_start = i + 1;
        }
    }
    best.1
}

/// First and last piece of the next stretch of backward pieces at or after `from`.
fn next_backward_stretch(points: &[EdgePoint], from: usize) -> Option<(usize, usize)> {
    let pieces = points.len().saturating_sub(1);
    let backward = |i: usize| runs_backwards(&points[i], &points[i + 1]);
    let first = (from..pieces).find(|&i| backward(i))?;
    let last = (first..pieces).take_while(|&i| backward(i)).last().unwrap_or(first);
    Some((first, last))
}

/// The nearest crossing of a piece before the stretch with one behind it: the two pieces and the
/// point.
fn crossing_round(points: &[EdgePoint], (first, last): (usize, usize), window: f64) -> Option<(usize, usize, Point)> {
    let pieces = points.len() - 1;
    let near = |i: usize, j: usize| (points[j].s - points[i].s) <= window;
    let before: Vec<usize> = (0..first).rev().take(MAX_PIECES).take_while(|&i| near(i + 1, first)).collect();
    let behind: Vec<usize> = (last + 1..pieces).take(MAX_PIECES).take_while(|&i| near(last + 1, i)).collect();
    let meet = |i: usize, j: usize| {
        let [before, behind] = [i, j].map(|k| Segment::new(points[k].point, points[k + 1].point));
        let found = before.intersection(behind, Ends::Included)?;
        Some((i, j, before.at(found.fraction)))
    };
    // In order of increasing distance, so that the smallest loop comes first.
    (0..before.len().max(behind.len())).find_map(|ring| {
        let far_before = before.get(ring).and_then(|&i| behind.iter().take(ring + 1).find_map(|&j| meet(i, j)));
        far_before.or_else(|| behind.get(ring).and_then(|&j| before.iter().take(ring).find_map(|&i| meet(i, j))))
    })
}

/// The nearest points before and behind a backward stretch between which the edge advances along
/// the centre line, at 45° at widest. The points between them make the fold.
fn ends_of_fold(points: &[EdgePoint], (first, last): (usize, usize), window: f64) -> Option<(usize, usize)> {
    let before = |ring: usize| {
        first.checked_sub(ring).filter(|&i| points[first].s - points[i].s <= window && ring <= MAX_PIECES)
    };
    let behind = |ring: usize| {
        Some(last + 1 + ring)
            .filter(|&j| j < points.len() && points[j].s - points[last + 1].s <= window && ring <= MAX_PIECES)
    };
    let advances = |i: usize, j: usize| {
        let (from, to) = (&points[i], &points[j]);
        let (moved, along) = (to.point - from.point, from.along + to.along);
        moved.norm() > COINCIDENT_M && cross(along, moved).abs() <= along.dot(&moved)
    };
    for ring in 0.. {
        let (i, j) = (before(ring), behind(ring));
        if i.is_none() && j.is_none() {
            return None;
        }
        for other in 0..=ring {
            let pairs = [(before(other), j), (i, behind(other))];
            let fits = |&(i, j): &(Option<usize>, Option<usize>)| i.zip(j).is_some_and(|(i, j)| advances(i, j));
            if let Some(&(Some(i), Some(j))) = pairs.iter().find(|&pair| fits(pair)) {
                return Some((i, j));
            }
        }
    }
    None
}
