//! From a route's triangles to the two edges beside it.
//!
//! The sides that a route passes through give its left and right corners; between them, an edge
//! follows the contour. Where another arm leaves the road, a straight piece crosses its mouth.
//! Where the road crosses itself, a straight piece connects the corners of the crossing. At a dead
//! end, the edges stop at the corners of the end.

use std::collections::BTreeMap;

use super::chordal_axis::ChordalAxis;
use super::route::Route;
use super::triangulation::Triangles;
use raceline_road::geometry::{Point, Vector, cross, left_of};

/// An open road is cut across at this many of its widths from the tip, which lies in a corner of
/// the end. From there to the end, its edges follow the contour to its corners. The direction is
/// measured over the same length.
const END_WIDTHS: f64 = 1.0;

/// Both lengths apply if the end is square. An end that the picture's border cuts obliquely is
/// longer on one side. If the distance between the corners is less than this many widths, the
/// search is repeated from farther inside, with more weight on the lateral distance. The end
/// between the corners is about straight.
const MIN_END_WIDTHS: f64 = 0.5;
const DEEPEST_END_WIDTHS: f64 = 0.2;
const END_TRIES: [(f64, f64); 3] = [(1.0, 1.0), (2.0, 2.0), (3.0, 4.0)];

/// The corners of a crossing are searched along the edges over this many road widths. Legs that
/// cross at 30° have their outermost corners four widths apart.
const CORNER_REACH_WIDTHS: f64 = 4.0;

/// The edges of a route, in pixels with y upwards.
#[derive(Debug, Default)]
pub(super) struct Strand {
    pub left: Vec<Point>,
    pub right: Vec<Point>,
    /// Pieces of either edge across another leg of the same route.
    pub crossings: Vec<[Point; 2]>,
}

/// An end of an open road: the number of the gate inside it, the edges' points from there to the
/// corners, and the distance between the corners.
struct End {
    gate: usize,
    left: Vec<Point>,
    right: Vec<Point>,
    width: f64,
    /// Distance of the contour between the corners from their chord.
    depth: f64,
}

/// A side that the route passes through.
#[derive(Clone, Copy)]
struct Gate {
    left: u32,
    right: u32,
}

/// Computes the edges along `route`, on a road of mean width `width`.
pub(super) fn strand(triangles: &Triangles, axis: &ChordalAxis, route: &Route, width: f64) -> Strand {
    let twice = passed_twice(triangles, route);
    let path = clear_of_crossings(route, &twice);
    let centres = crossing_centres(triangles, &path, &twice);
    let walker = Walker { triangles, axis, centres, width };
    let count = path.len();
    let gate = |i: usize| {
        let (here, next) = (path[i], path[(i + 1) % count]);
        let side = triangles.side_towards(here, next)?;
        let (right, left) = triangles.side(here, side);
        Some(Gate { left, right })
    };
    let gates: Vec<Gate> = (0..if route.closed { count } else { count.saturating_sub(1) }).filter_map(gate).collect();
    let mut strand = Strand::default();
    if gates.len() < 2 {
        return strand;
    }
    let (mut left, mut right) = (Side::new(true), Side::new(false));
    if route.closed {
        for i in 0..gates.len() {
            let before = gates[(i + gates.len() - 1) % gates.len()];
            walker.step(path[i], before, gates[i], [&mut left, &mut right]);
        }
    } else {
        let tips = [path[0], path[count - 1]];
        let from_last: Vec<Gate> = gates.iter().rev().copied().collect();
        let (mut start, mut end) = (walker.end(tips[0], &gates, true), walker.end(tips[1], &from_last, false));
        if start.gate + end.gate + 1 >= gates.len() {
            (start, end) = (walker.end_at(0, 1.0, &gates, true), walker.end_at(0, 1.0, &from_last, false));
        }
        let (first, last) = (start.gate, gates.len() - 1 - end.gate);
        left.points.extend(start.left.into_iter().rev());
        right.points.extend(start.right);
        for i in first + 1..=last {
            walker.step(path[i], gates[i - 1], gates[i], [&mut left, &mut right]);
        }
        left.points.extend(end.left.into_iter().rev());
        right.points.extend(end.right);
    }
    let reach = CORNER_REACH_WIDTHS * width;
    strand.left = left.with_straight_crossings(reach, &mut strand.crossings);
    strand.right = right.with_straight_crossings(reach, &mut strand.crossings);
    for line in [&mut strand.left, &mut strand.right] {
        line.dedup();
        if route.closed && line.len() > 1 && line.first() == line.last() {
            line.pop();
        }
    }
    strand
}

/// The triangles that a route passes twice: those of its crossings.
fn passed_twice(triangles: &Triangles, route: &Route) -> Vec<bool> {
    let (mut once, mut twice) = (vec![false; triangles.list.len()], vec![false; triangles.list.len()]);
    for &triangle in &route.triangles {
        twice[triangle as usize] = once[triangle as usize];
        once[triangle as usize] = true;
    }
    twice
}

/// The route's triangles; those of a closed route start in the middle of its longest stretch
/// without crossings.
fn clear_of_crossings(route: &Route, twice: &[bool]) -> Vec<u32> {
    let mut path = route.triangles.clone();
    let crossing = path.iter().position(|&triangle| twice[triangle as usize]);
    if let (true, Some(crossing)) = (route.closed, crossing) {
        path.rotate_left(crossing);
        let mut longest = (0, 0);
        let mut start = 0;
        for end in 0..=path.len() {
            if path.get(end).is_none_or(|&triangle| twice[triangle as usize]) {
                longest = longest.max((end - start, start));
                start = end + 1;
            }
        }
        path.rotate_left(longest.1 + longest.0 / 2);
    }
    path
}

/// For each triangle of a crossing, the middle of the crossing.
fn crossing_centres(triangles: &Triangles, path: &[u32], twice: &[bool]) -> BTreeMap<u32, Point> {
    let mut centres = BTreeMap::new();
    for run in path.chunk_by(|&a, &b| twice[a as usize] == twice[b as usize]) {
        if let (&[first, ..], &[.., last]) = (run, run)
            && twice[first as usize]
        {
            let centre = nalgebra::center(&triangles.centroid(first), &triangles.centroid(last));
            centres.extend(run.iter().map(|&triangle| (triangle, centre)));
        }
    }
    centres
}

/// An edge during construction.
struct Side {
    is_left: bool,
    points: Vec<Point>,
    /// For each mouth of a crossed leg, its start in `points` and the middle of the crossing.
    crossed: Vec<(usize, Point)>,
}

impl Side {
    fn new(is_left: bool) -> Self {
        Self { is_left, points: Vec::new(), crossed: Vec::new() }
    }

    /// The edge's points, with each crossing passed from corner to corner. The corners are the
    /// points nearest to its middle before and after the mouth of the crossed leg.
    fn with_straight_crossings(self, reach: f64, crossings: &mut Vec<[Point; 2]>) -> Vec<Point> {
        let Self { points, crossed, .. } = self;
        let mut kept = vec![true; points.len()];
        for (mouth, centre) in crossed {
            let nearest = |indices: &mut dyn Iterator<Item = usize>| {
                let near = indices.take_while(|&i| (points[i] - points[mouth]).norm() <= reach);
                near.min_by(|&i, &j| (points[i] - centre).norm().total_cmp(&(points[j] - centre).norm()))
            };
            let before = nearest(&mut (0..=mouth).rev()).unwrap_or(mouth);
            let after = nearest(&mut (mouth + 1..points.len())).unwrap_or(mouth + 1);
            kept[before + 1..after].fill(false);
            crossings.push([points[before], points[after]]);
        }
        points.into_iter().zip(kept).filter(|&(_, kept)| kept).map(|(point, _)| point).collect()
    }
}

struct Walker<'a> {
    triangles: &'a Triangles,
    axis: &'a ChordalAxis<'a>,
    /// Middles of crossings by their triangles.
    centres: BTreeMap<u32, Point>,
    width: f64,
}

impl Walker<'_> {
    /// Extends the edges through one triangle.
    fn step(&self, triangle: u32, before: Gate, after: Gate, sides: [&mut Side; 2]) {
        for side in sides {
            let ends = if side.is_left { (before.left, after.left) } else { (before.right, after.right) };
            if ends.0 != ends.1 {
                self.advance(triangle, ends, side);
            }
        }
    }

    fn advance(&self, triangle: u32, (from, to): (u32, u32), side: &mut Side) {
        let number = (0..3).find(|&k| {
            let ends = self.triangles.side(triangle, k);
            ends == (from, to) || ends == (to, from)
        });
        let Some(number) = number else { return };
        let is_contour = self.triangles.list[triangle as usize].beside[number].is_none();
        if is_contour {
            self.push(side, to);
        } else if self.axis.is_open(triangle, number) || self.axis.is_cut(triangle, number) {
            // The mouth of another arm.
            side.points.extend([self.triangles.at(from), self.triangles.at(to)]);
            if let Some(&centre) = self.centres.get(&triangle) {
                side.crossed.push((side.points.len() - 2, centre));
            }
        } else {
            let round = if side.is_left { self.contour(to, from) } else { self.contour(from, to) };
            match round {
                Some(mut round) => {
                    if side.is_left {
                        round.reverse();
                    }
                    round.into_iter().for_each(|corner| self.push(side, corner));
                }
                None => side.points.push(self.triangles.at(to)),
            }
        }
    }

    /// Adds a corner of the contour; corners that only divide a straight piece are skipped.
    fn push(&self, side: &mut Side, corner: u32) {
        let corner = self.triangles.corners[corner as usize];
        if !corner.divides {
            side.points.push(corner.point);
        }
    }

    /// The corners from one to another along their contour, both included; `None` on different
    /// contours.
    fn contour(&self, from: u32, to: u32) -> Option<Vec<u32>> {
        let (a, b) = (self.triangles.corners[from as usize], self.triangles.corners[to as usize]);
        if a.contour != b.contour {
            return None;
        }
        let ring = &self.triangles.contours[a.contour as usize];
        let count = (b.index as usize + ring.len() - a.index as usize) % ring.len();
        Some((0..=count).map(|k| ring[(a.index as usize + k) % ring.len()]).collect())
    }

    fn middle(&self, gate: Gate) -> Point {
        nalgebra::center(&self.triangles.at(gate.left), &self.triangles.at(gate.right))
    }

    /// The end of the road at a tip; `gates` are those from there.
    fn end(&self, tip: u32, gates: &[Gate], at_start: bool) -> End {
        let mut tries = END_TRIES.iter().map(|&(inside, sideways)| {
            let gate = self.end_gate(tip, inside * self.width, gates.iter().take(gates.len() / 2).copied());
            self.end_at(gate, sideways, gates, at_start)
        });
        let first = tries.next().unwrap_or_else(|| self.end_at(0, 1.0, gates, at_start));
        let is_wide = |end: &End| end.width >= MIN_END_WIDTHS * self.width;
        // A road with a tapered end has no corners.
        let is_cut = |end: &End| is_wide(end) && end.depth <= DEEPEST_END_WIDTHS * self.width;
        if is_wide(&first) { first } else { tries.find(is_cut).unwrap_or(first) }
    }

    /// The end of the road as seen from a gate.
    fn end_at(&self, gate: usize, sideways: f64, gates: &[Gate], at_start: bool) -> End {
        let middle = self.middle(gates[gate]);
        let mut inwards = gates[gate..].iter().map(|&gate| self.middle(gate));
        let deeper = inwards.find(|deeper| (deeper - middle).norm() >= END_WIDTHS * self.width);
        let deeper = deeper.unwrap_or_else(|| self.middle(gates[gates.len() - 1]));
        let (corners, points) = self.end_corners(gates[gate], middle - deeper, sideways, at_start);
        let (first, last) = (points[corners.0], points[corners.1]);
        let chord = (last - first).try_normalize(1e-9).unwrap_or_default();
        let depths = points[corners.0..=corners.1].iter().map(|p| cross(chord, p - first).abs());
        let (width, depth) = ((last - first).norm(), depths.fold(0.0, f64::max));
        let (before, after) = (points[..=corners.0].to_vec(), points[corners.1..].to_vec());
        let [left, right] = if at_start { [before, after] } else { [after, before] };
        End { gate, left, right, width, depth }
    }

    /// The first gate from a tip that is well inside the road.
    fn end_gate(&self, tip: u32, inside: f64, gates: impl Iterator<Item = Gate>) -> usize {
        let mut last = self.triangles.centroid(tip);
        let mut distance = 0.0;
        for (number, gate) in gates.enumerate() {
            let middle = self.middle(gate);
            distance += (middle - last).norm();
            last = middle;
            if distance >= inside {
                return number;
            }
        }
        0
    }

    /// The contour round an end, from one side of the gate inside it to the other, and the indices
    /// of the end's corners on it. `outward` is the direction in which the road ends.
    fn end_corners(&self, gate: Gate, outward: Vector, sideways: f64, at_start: bool) -> ((usize, usize), Vec<Point>) {
        let (from, to) = if at_start { (gate.left, gate.right) } else { (gate.right, gate.left) };
        let round = self.contour(from, to).unwrap_or_else(|| vec![from, to]);
        let points: Vec<Point> = round.into_iter().map(|corner| self.triangles.at(corner)).collect();
        let outward = outward.try_normalize(1e-9).unwrap_or_default();
        let across = sideways * if at_start { left_of(-outward) } else { left_of(outward) };
        let farthest = |towards: Vector| {
            let reach = |k: usize| (points[k] - points[0]).dot(&towards);
            (0..points.len()).max_by(|&i, &j| reach(i).total_cmp(&reach(j)).then(j.cmp(&i))).unwrap_or(0)
        };
        let (left, right) = (farthest(outward + across), farthest(outward - across));
        let (first, last) = if at_start { (left, right) } else { (right, left) };
        (if first < last { (first, last) } else { (0, points.len() - 1) }, points)
    }
}
