//! One edge of a road, moved so that it passes through places.
//!
//! A place alone moves the edge about it, by less the farther away along the edge. Between two places near to
//! one another the edge that was read is of no use, as where a shadow hides it: there it is a cubic curve from one
//! to the other.

use crate::geometry::{Point, Polyline, SegmentIndex, Vector, left_of};

/// Vertices of a stretch over which a move fades out, and of a curve between two places at minimum. Fewer make
/// corners that a line feels.
const FADE_VERTICES: usize = 24;
const MIN_CURVE_VERTICES: usize = 8;
/// Vertices of a curve between two places at maximum, and the distance of two, as a fraction of the road's width.
const MAX_CURVE_VERTICES: f64 = 1000.0;
const CURVE_STEP_WIDTHS: f64 = 0.05;
/// The direction of an edge at a place is that of its chord to either side over this distance, in widths of the road:
/// at a corner or a pixel's step, a moved edge would fold.
const NORMAL_WIDTHS: f64 = 0.5;
/// Baseline of the direction of an edge where a curve ends, in widths of the road.
const TANGENT_WIDTHS: f64 = 0.25;
/// Two places that are near to one another may be so many times the longer of their lengths apart along the road.
const DETOUR: f64 = 2.0;
/// Vertices nearer than this along the edge are one, metres, and a place nearer than this to the edge is on it.
const SAME_M: f64 = 1e-6;

/// A place that an edge is to pass through, beside the edge as it was read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move {
    /// Number of the entry, from 1.
    pub number: usize,
    /// The place.
    pub to: Point,
    /// The arc length of the edge's nearest point.
    pub s: f64,
    /// The distance of that point along the centre line, metres.
    pub road_m: f64,
    /// Length over which the move fades out, metres.
    pub length_m: f64,
}

/// A [`Move`] with what follows from its neighbours.
#[derive(Clone, Copy, Debug)]
struct Fitted {
    of: Move,
    /// How far outwards the edge is moved, and what else leads to the place.
    offset_m: f64,
    rest: Vector,
    /// Distance from the edge, metres.
    far_m: f64,
    /// Lengths over which the move fades out, before and after.
    reach_m: [f64; 2],
    /// Whether a crossing shortens them.
    is_short: [bool; 2],
    /// Whether a curve leads to the next place.
    is_joined: bool,
}

/// A place that would move its edge too steeply.
#[derive(Clone, Copy, Debug)]
pub(super) struct Steep {
    pub number: usize,
    pub offset_m: f64,
    pub length_m: f64,
    pub is_crossing: bool,
}

/// Why an edge cannot be moved.
#[derive(Clone, Copy, Debug)]
pub(super) enum MoveProblem {
    Same([usize; 2]),
    Steep(Steep),
}

/// A vertex of the moved edge: one of the edge that was read, the place of an entry, or one between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Vertex {
    Between,
    Read(usize),
    Entry(usize),
    Fixed(usize),
}

/// An edge with the places that it is to pass through.
pub(super) struct MovedEdge<'a> {
    edge: &'a Polyline,
    lengths: Vec<f64>,
    outwards: f64,
    width_m: f64,
    road_length_m: f64,
    moves: Vec<Fitted>,
    /// Whether each piece leads across another leg of the road.
    crosses: Vec<bool>,
}

impl<'a> MovedEdge<'a> {
    /// The left or right `edge`, which `index` has without its pieces across other legs, of a road of this width and
    /// length, metres.
    pub fn new(
        (edge, index): (&'a Polyline, &SegmentIndex),
        is_left: bool,
        [width_m, road_length_m]: [f64; 2],
        mut moves: Vec<Move>,
    ) -> Result<Self, MoveProblem> {
        moves.sort_by(|a, b| a.s.total_cmp(&b.s).then(a.number.cmp(&b.number)));
        let crosses = (0..edge.piece_count()).map(|piece| index.is_left_out(piece)).collect();
        let (outwards, lengths) = (if is_left { 1.0 } else { -1.0 }, edge.arc_lengths());
        let mut moved = Self { edge, lengths, outwards, width_m, road_length_m, moves: Vec::new(), crosses };
        moved.moves = moved.fitted(&moves)?;
        Ok(moved)
    }

    fn fitted(&self, moves: &[Move]) -> Result<Vec<Fitted>, MoveProblem> {
        let (n, total) = (moves.len(), self.length());
        let gap = |k: usize| match (k + 1 < n, self.edge.closed) {
            (true, _) => moves[k + 1].s - moves[k].s,
            (false, true) => moves[0].s + total - moves[k].s,
            (false, false) => f64::INFINITY,
        };
        let mut fitted = Vec::with_capacity(n);
        for (k, &of) in moves.iter().enumerate() {
            let next = moves[(k + 1) % n];
            let apart_m = (next.to - of.to).norm();
            if n > 1 && gap(k).min(apart_m) < SAME_M {
                let (first, second) = (of.number.min(next.number), of.number.max(next.number));
                return Err(MoveProblem::Same([first, second]));
            }
            let free_m = self.free_about(of.s);
            let longer_m = of.length_m.max(next.length_m);
            let half_m = if self.edge.closed { 0.5 * total } else { f64::INFINITY };
            // The edge that was read goes round what covers it, and the middle of the road partly; not round a hairpin.
            let is_detour = apart_m <= longer_m && self.apart_m(of.road_m, next.road_m) <= DETOUR * longer_m;
            let is_near = gap(k) <= longer_m || gap(k) <= half_m.min(total) && is_detour;
            let is_joined = n > 1 && is_near && gap(k) <= free_m[1];
            let (there, normal) = self.read(of.s);
            // On the edge but for rounding.
            let shift = Some(of.to - there).filter(|shift| shift.norm() >= SAME_M).unwrap_or_default();
            let offset_m = shift.dot(&normal);
            let length_m = of.length_m.min(half_m);
            fitted.push(Fitted {
                of,
                offset_m,
                rest: shift - normal * offset_m,
                far_m: shift.norm(),
                reach_m: free_m.map(|free_m| length_m.min(free_m)),
                is_short: free_m.map(|free_m| free_m < length_m),
                is_joined,
            });
        }
        for k in 0..n {
            let is_joined = [fitted[(k + n - 1) % n].is_joined, fitted[k].is_joined];
            let Fitted { of, far_m, reach_m, is_short, .. } = fitted[k];
            for end in 0..2 {
                if !is_joined[end] && far_m > reach_m[end] {
                    let (number, length_m, is_crossing) = (of.number, reach_m[end], is_short[end]);
                    return Err(MoveProblem::Steep(Steep { number, offset_m: far_m, length_m, is_crossing }));
                }
            }
        }
        Ok(fitted)
    }

    /// How far apart two places are along the road.
    fn apart_m(&self, one_m: f64, other_m: f64) -> f64 {
        let apart_m = (one_m - other_m).abs();
        if self.edge.closed { apart_m.min(self.road_length_m - apart_m) } else { apart_m }
    }

    /// Length of the edge, metres.
    fn length(&self) -> f64 {
        self.lengths.last().copied().unwrap_or_default()
    }

    /// How far the edge goes on before and after an arc length until it crosses another leg.
    fn free_about(&self, s: f64) -> [f64; 2] {
        let (total, closed) = (self.length(), self.edge.closed);
        let mut free_m = [f64::INFINITY; 2];
        for piece in (0..self.crosses.len()).filter(|&piece| self.crosses[piece]) {
            let ends = [s - self.lengths[piece + 1], self.lengths[piece] - s];
            for (free_m, ahead_m) in free_m.iter_mut().zip(ends) {
                let ahead_m = if closed && ahead_m < -SAME_M { ahead_m + total } else { ahead_m };
                // On an open road the piece may lie on the other side.
                if ahead_m >= -SAME_M {
                    *free_m = free_m.min(ahead_m.max(0.0));
                }
            }
        }
        free_m
    }

    /// Whether no entry changes anything.
    pub fn is_as_read(&self) -> bool {
        self.moves.iter().all(|one| !one.is_joined && one.far_m == 0.0)
    }

    /// The edge as it was read at an arc length: the point, and the normal outwards.
    fn read(&self, s: f64) -> (Point, Vector) {
        let step = NORMAL_WIDTHS * self.width_m;
        let [at, before, after] = [s, s - step, s + step].map(|s| self.edge.point_at(&self.lengths, s));
        let along = (after - before).try_normalize(1e-9).unwrap_or_default();
        (at, left_of(along) * self.outwards)
    }

    fn piece_at(&self, s: f64) -> usize {
        let after = self.lengths.partition_point(|&length| length <= s);
        after.saturating_sub(1).min(self.edge.piece_count() - 1)
    }

    /// The entries before and after an arc length, each with its distance along the edge.
    fn about(&self, s: f64) -> [Option<(usize, f64)>; 2] {
        let (n, closed, total) = (self.moves.len(), self.edge.closed, self.length());
        let after = self.moves.partition_point(|one| one.of.s <= s);
        let before = match after {
            0 if closed => Some((n - 1, s + total - self.moves[n - 1].of.s)),
            0 => None,
            _ => Some((after - 1, s - self.moves[after - 1].of.s)),
        };
        let next = match after < n {
            true => Some((after, self.moves[after].of.s - s)),
            false if closed => Some((0, self.moves[0].of.s + total - s)),
            false => None,
        };
        [before, next]
    }

    /// Where the edge as it was read at arc length `s` is moved to; `None` where it stays.
    pub fn place(&self, s: f64) -> Option<Point> {
        if self.moves.is_empty() {
            return None;
        }
        let [before, next] = self.about(s);
        if let Some((k, along)) = before.filter(|&(k, _)| self.moves[k].is_joined) {
            let gap = along + next.map_or(0.0, |(_, ahead)| ahead);
            return Some(self.curve(k).at(along / gap));
        }
        let (at, normal) = self.read(s);
        let fading = |near: Option<(usize, f64)>, end: usize| {
            let Some((k, along)) = near else { return Vector::zeros() };
            let Fitted { offset_m, rest, reach_m, .. } = self.moves[k];
            if along >= reach_m[end] {
                Vector::zeros()
            } else {
                (normal * offset_m + rest) * fade(along / reach_m[end])
            }
        };
        let shift = fading(before, 1) + fading(next, 0);
        (shift != Vector::zeros()).then(|| at + shift)
    }

    /// The curve from entry `k` to the next one.
    fn curve(&self, k: usize) -> Curve {
        let n = self.moves.len();
        let next = (k + 1) % n;
        let (from, to) = (self.moves[k].of.to, self.moves[next].of.to);
        let chord = (to - from).norm();
        let tangents = [self.tangent(k), self.tangent(next)];
        // That of a circle's arc whose tangents turn by as much.
        let turn = tangents[0].dot(&tangents[1]).clamp(-1.0, 1.0);
        let half_turn = (0.5 * (1.0 + turn)).max(0.0).sqrt();
        Curve { from, to, tangents: tangents.map(|tangent| tangent * (2.0 * chord / (1.0 + half_turn))) }
    }

    /// The direction of the moved edge at entry `k`: that of a parabola through it and its neighbours, or of the
    /// edge that goes on there.
    fn tangent(&self, k: usize) -> Vector {
        let n = self.moves.len();
        let before = (k + n - 1) % n;
        let here = self.moves[k];
        let along = match (self.moves[before].is_joined, here.is_joined) {
            (true, true) => {
                let (back, ahead) = (here.of.to - self.moves[before].of.to, self.moves[(k + 1) % n].of.to - here.of.to);
                let (first, second) = (back.norm(), ahead.norm());
                back * (second / first) + ahead * (first / second)
            }
            (true, false) => self.end_of_parabola(here.of.s, 1.0),
            _ => self.end_of_parabola(here.of.s, -1.0),
        };
        along.try_normalize(1e-12).unwrap_or_default()
    }

    /// The direction of the edge as it was read at `s`, from what lies ahead of it (1) or behind it (-1).
    fn end_of_parabola(&self, s: f64, sign: f64) -> Vector {
        let total = self.length();
        let step = TANGENT_WIDTHS * self.width_m;
        let farthest = s + 2.0 * sign * step;
        if !self.edge.closed && !(0.0..=total).contains(&farthest) {
            let (a, b) = self.edge.piece(self.piece_at(s));
            return b - a;
        }
        let at = |steps: f64| {
            let s = s + sign * steps * step;
            self.read(if self.edge.closed { s.rem_euclid(total) } else { s }).0
        };
        let (here, near, far) = (at(0.0), at(1.0), at(2.0));
        ((near - here) * 4.0 - (far - here)) * sign
    }

    /// The moved edge, and whether each of its pieces was moved.
    pub fn polyline(&self) -> (Polyline, Vec<bool>) {
        let (n, total) = (self.edge.points.len(), self.length());
        if self.moves.is_empty() {
            return (self.edge.clone(), vec![false; self.edge.piece_count()]);
        }
        let mut vertices: Vec<(f64, Vertex)> = Vec::new();
        let wrapped = |s: f64| if self.edge.closed { s.rem_euclid(total) } else { s };
        for (i, &s) in self.lengths.iter().enumerate().take(n) {
            let before = if i > 0 { Some(i - 1) } else { self.edge.closed.then(|| n - 1) };
            let is_fixed = [before, Some(i)].iter().flatten().any(|&piece| self.crosses.get(piece) == Some(&true));
            let is_in_curve = self.about(s)[0].is_some_and(|(k, _)| self.moves[k].is_joined);
            if is_fixed || !is_in_curve {
                vertices.push((s, if is_fixed { Vertex::Fixed(i) } else { Vertex::Read(i) }));
            }
        }
        for (k, one) in self.moves.iter().enumerate() {
            let s = one.of.s;
            vertices.push((s, Vertex::Entry(k)));
            let mut between = |span: f64, count: usize| {
                vertices.extend((1..count).map(|i| s + span * i as f64 / count as f64).filter_map(|s| {
                    let is_there = self.edge.closed || (0.0..=total).contains(&s);
                    is_there.then(|| (wrapped(s), Vertex::Between))
                }));
            };
            if one.is_joined {
                let next = self.moves[(k + 1) % self.moves.len()].of;
                let steps = ((next.to - one.of.to).norm() / (CURVE_STEP_WIDTHS * self.width_m)).ceil();
                let gap = next.s - s;
                between(
                    if gap > 0.0 { gap } else { gap + total },
                    (steps.min(MAX_CURVE_VERTICES) as usize).max(MIN_CURVE_VERTICES),
                );
            } else {
                between(one.reach_m[1], FADE_VERTICES);
            }
            if !self.moves[(k + self.moves.len() - 1) % self.moves.len()].is_joined {
                between(-one.reach_m[0], FADE_VERTICES);
            }
        }
        vertices.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut kept: Vec<(f64, Vertex)> = Vec::with_capacity(vertices.len());
        for (s, vertex) in vertices {
            match kept.last_mut() {
                Some(last) if s - last.0 < SAME_M => {
                    if vertex > last.1 {
                        *last = (s, vertex);
                    }
                }
                _ => kept.push((s, vertex)),
            }
        }
        let is_doubled = |kept: &[(f64, Vertex)]| kept.len() > 1 && total - kept[kept.len() - 1].0 < SAME_M;
        if self.edge.closed && is_doubled(&kept) {
            kept.pop();
        }
        let places: Vec<(Point, bool)> = kept.iter().map(|&(s, vertex)| self.vertex(s, vertex)).collect();
        let polyline = Polyline { points: places.iter().map(|&(point, _)| point).collect(), closed: self.edge.closed };
        let count = places.len();
        let touched = (0..polyline.piece_count()).map(|i| places[i].1 || places[(i + 1) % count].1).collect();
        (polyline, touched)
    }

    /// The place of a vertex, and whether it is another than that of the edge as it was read.
    fn vertex(&self, s: f64, vertex: Vertex) -> (Point, bool) {
        match vertex {
            Vertex::Fixed(i) => (self.edge.points[i], false),
            Vertex::Entry(k) => {
                let one = &self.moves[k];
                let is_moved = one.is_joined || one.far_m > 0.0;
                if is_moved { (one.of.to, true) } else { (self.read(s).0, false) }
            }
            Vertex::Read(i) => self.place(s).map_or((self.edge.points[i], false), |place| (place, true)),
            Vertex::Between => self.place(s).map_or_else(|| (self.read(s).0, false), |place| (place, true)),
        }
    }
}

/// A cubic curve with its tangents at both ends.
struct Curve {
    from: Point,
    to: Point,
    tangents: [Vector; 2],
}

impl Curve {
    /// The point at `u`, 0 at the beginning to 1 at the end.
    fn at(&self, u: f64) -> Point {
        let v = 1.0 - u;
        let [first, second] = self.tangents;
        self.from + (self.to - self.from) * (u * u * (1.0 + 2.0 * v)) + first * (u * v * v) - second * (u * u * v)
    }
}

/// 1 at 0, 0 from 1 on, without a step in its first two derivatives.
fn fade(u: f64) -> f64 {
    if u >= 1.0 { 0.0 } else { 1.0 - u * u * u * (10.0 - 15.0 * u + 6.0 * u * u) }
}

#[cfg(test)]
mod tests;
