//! The road in a drawing of several strokes: pieces that end at one another, a casing under a narrower
//! stroke, and marks beside the road.

use raceline_road::geometry::{Point, Polyline, SegmentIndex};

/// Drawings with more lines than this are not searched for a road.
const MAX_LINES: usize = 400;
/// Points of a line that are compared with another line.
const SAMPLES: usize = 64;
/// Cells of the index of the road's segments per length of the road.
const CELLS: f64 = 500.0;
/// A gap that the next piece continues straight on may be this many strokes wide, as where the road
/// passes under itself.
const WIDEST_GAP: f64 = 4.0;
/// Cosine of the largest angle between a piece and the gap after it, 30 degrees.
const STRAIGHT_ON: f64 = 0.866;
/// A line beside the road may have this fraction of its length. Where a second line is longer, either may
/// be the road.
const LONGEST_MARK: f64 = 0.5;

/// A line of a path, in user units with y upwards.
pub(super) struct Outline {
    pub points: Vec<Point>,
    /// Whether the path is declared closed.
    pub closed: bool,
}

/// A visible path.
pub(super) struct Shape {
    pub outlines: Vec<Outline>,
    /// Width of the stroke, user units.
    pub stroke: Option<f64>,
}

/// The road of a drawing.
pub(super) struct DrawnRoad {
    pub outline: Outline,
    /// Width of the widest stroke along it, user units.
    pub width: f64,
    /// Number of strokes that lie on one another along it.
    pub strokes: usize,
    /// Number of paths that are not part of it.
    pub ignored: usize,
}

/// The longest stroke of a drawing, where it is clearly the road.
pub(super) fn road(shapes: &[Shape]) -> Option<DrawnRoad> {
    if shapes.iter().map(|shape| shape.outlines.len()).sum::<usize>() > MAX_LINES {
        return None;
    }
    let mut chains: Vec<(Polyline, f64)> = Vec::new();
    let mut strokes = 0;
    for shape in shapes {
        let Some(width) = shape.stroke.filter(|&width| width > 0.0) else { continue };
        strokes += 1;
        chains.extend(joined(&shape.outlines, width).into_iter().map(|chain| (chain, width)));
    }
    let lengths: Vec<f64> = chains.iter().map(|(chain, _)| chain.length()).collect();
    // The first of the longest, so that the order of drawing decides between equal ones.
    let longest = (0..chains.len()).rev().max_by(|&a, &b| lengths[a].total_cmp(&lengths[b]))?;
    let (road, _) = &chains[longest];
    let index = SegmentIndex::new(road, lengths[longest] / CELLS);
    let (mut width, mut along, mut beside) = (0.0_f64, 0, 0.0_f64);
    for ((chain, stroke), &length) in chains.iter().zip(&lengths) {
        if lies_on(chain, &index, stroke.max(chains[longest].1) / 2.0) {
            // A short piece along the road, as a mark of the start, does not set its width.
            if length > LONGEST_MARK * lengths[longest] {
                (width, along) = (width.max(*stroke), along + 1);
            }
        } else {
            beside = beside.max(length);
        }
    }
    if beside > LONGEST_MARK * lengths[longest] {
        return None;
    }
    let ignored = shapes.len() - along.min(strokes);
    let Polyline { points, closed } = road.clone();
    Some(DrawnRoad { outline: Outline { points, closed }, width, strokes: along, ignored })
}

/// Whether all of `line` is nearer than `distance` to `road`.
fn lies_on(line: &Polyline, road: &SegmentIndex, distance: f64) -> bool {
    let arc_lengths = line.arc_lengths();
    let length = line.length();
    let sample = |i: usize| line.point_at(&arc_lengths, length * i as f64 / (SAMPLES - 1) as f64);
    (0..SAMPLES).all(|i| road.nearest(sample(i)).is_some_and(|nearest| nearest.distance <= distance))
}

/// The lines of one stroke, joined where one ends at another or the next one continues it straight on. A
/// line whose ends meet is closed.
fn joined(outlines: &[Outline], width: f64) -> Vec<Polyline> {
    let line = |outline: &Outline| Polyline { points: outline.points.clone(), closed: outline.closed };
    let (mut done, mut open): (Vec<_>, Vec<_>) = outlines.iter().map(line).partition(|line| line.closed);
    while let Some((first, second)) = nearest_ends(&open, width) {
        let [b, a] = [first.line.max(second.line), first.line.min(second.line)].map(|index| open.swap_remove(index));
        let (a_end, b_end) = if first.line < second.line { (first, second) } else { (second, first) };
        open.push(chained(turned(a, a_end.at_start), turned(b, !b_end.at_start), width));
    }
    for line in &mut open {
        let gap = place(line, true, width).zip(place(line, false, width)).and_then(|(a, b)| joining_gap(a, b, width));
        if let Some(gap) = gap.filter(|_| line.length() > 2.0 * WIDEST_GAP * width) {
            line.closed = true;
            // The spline of a closed line needs no point twice.
            if gap < 1e-9 * width {
                line.points.pop();
            }
        }
    }
    done.append(&mut open);
    done
}

/// An end of an open line.
#[derive(Clone, Copy)]
struct End {
    line: usize,
    at_start: bool,
}

/// The two nearest ends of different lines that are to be joined.
fn nearest_ends(lines: &[Polyline], width: f64) -> Option<(End, End)> {
    let ends = (0..lines.len()).flat_map(|line| [false, true].map(|at_start| End { line, at_start }));
    let ends: Vec<End> = ends.collect();
    let mut best: Option<(f64, End, End)> = None;
    for (index, &first) in ends.iter().enumerate() {
        for &second in &ends[index + 1..] {
            if first.line == second.line {
                continue;
            }
            let [a, b] = [first, second].map(|end| place(&lines[end.line], end.at_start, width));
            let gap = a.zip(b).and_then(|(a, b)| joining_gap(a, b, width));
            if let Some(gap) = gap
                && best.is_none_or(|(smallest, ..)| gap < smallest)
            {
                best = Some((gap, first, second));
            }
        }
    }
    best.map(|(_, first, second)| (first, second))
}

/// Position of an end, and the direction in which the line would go on there.
type Place = (Point, nalgebra::Vector2<f64>);

/// The distance between two ends that are to be joined; `None` if they are not.
fn joining_gap((a, out): Place, (b, back): Place, width: f64) -> Option<f64> {
    let gap = (b - a).norm();
    let straight_on = out.dot(&(b - a)) > STRAIGHT_ON * gap && back.dot(&(a - b)) > STRAIGHT_ON * gap;
    (gap <= width || gap <= WIDEST_GAP * width && straight_on).then_some(gap)
}

/// The place of an end of a line, with its direction over the length of a stroke's width.
fn place(line: &Polyline, at_start: bool, width: f64) -> Option<Place> {
    let points = &line.points;
    let from_end = |index: usize| if at_start { points.get(index) } else { points.iter().rev().nth(index) };
    let at = *from_end(0)?;
    let inner = (1..points.len()).filter_map(from_end).find(|point| (**point - at).norm() >= width);
    let inner = inner.or_else(|| from_end(points.len() - 1))?;
    Some((at, (at - inner).try_normalize(0.0)?))
}

fn turned(mut line: Polyline, turn: bool) -> Polyline {
    if turn {
        line.points.reverse();
    }
    line
}

/// The second line after the first, without its first points that lie behind the end of the first, where the
/// two overlap by less than `width`.
fn chained(mut first: Polyline, second: Polyline, width: f64) -> Polyline {
    let ahead = first.points.last().copied().zip(first.points.iter().rev().nth(1).copied());
    let is_behind = |point: &Point| {
        ahead.is_some_and(|(last, before)| (point - last).norm() < width && (point - last).dot(&(last - before)) <= 0.0)
    };
    let kept = second.points.iter().skip_while(|point| is_behind(point)).copied();
    first.points.extend(kept);
    first
}
