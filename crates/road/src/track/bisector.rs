//! The curve halfway between two edges, traced with the nearest point of each edge.
//!
//! A point of the road at the same distance from the left and the right edge is the centre of a
//! disc that touches both and contains no edge point. These points form one curve (the Voronoi
//! bisector of the edges), whatever the bends. Unlike a skeleton, it has no side branches, because
//! distances to the same edge are never compared. The chord from the disc's right touching point to
//! its left one lies in the disc, so it stays on the road; along the curve, both touching points
//! only move forwards. Chords on the road whose ends move forwards on both edges cannot cross.
//! Cross-sections require this, also in bends tighter than the road is wide.

use super::TrackError;
use crate::edges::{COINCIDENT_M, Edges};
use crate::geometry::{Point, Polyline, Segment, SegmentIndex, Vector, cross};

/// One disc of the bisector.
#[derive(Clone, Copy, Debug)]
pub(super) struct Disc {
    /// Arc length of the touching point on the left edge, unwrapped: it increases over the lap by
    /// the edge's length.
    pub left_s: f64,
    /// Arc length of the touching point on the right edge, metres.
    pub right_s: f64,
}

/// The two edges in the direction of travel, ready for queries.
pub(super) struct EdgePair {
    /// Start of the tracing: a point of an edge, and whether that is the left one; its first end if
    /// the road is open.
    seed: Option<(Point, bool)>,
    /// Ends of an open road: from right to left at its start and at its end.
    ends: Option<[(Point, Point); 2]>,
    pub left_index: SegmentIndex,
    pub right_index: SegmentIndex,
    /// The edges without the pieces that lead across another leg.
    walls: [SegmentIndex; 2],
    /// For a road that crosses itself, only edges within this distance of the last touching points
    /// are considered, metres.
    reach: Option<f64>,
    /// A point where the edges cross although no legs do.
    tangle: Option<Point>,
    /// Low and high corner of the area of the edges, enlarged by a road width. A disc with its
    /// centre outside has left the road.
    bounds: [Point; 2],
}

/// Centre and touching points of a disc.
#[derive(Clone, Copy)]
struct Contact {
    centre: Point,
    left: crate::geometry::Nearest,
    right: crate::geometry::Nearest,
}

impl Contact {
    /// Positive when the left edge is farther.
    fn imbalance(&self) -> f64 {
        self.left.distance - self.right.distance
    }

    /// The direction of travel: perpendicular to the chord, with the left edge on the left.
    fn tangent(&self) -> Option<Vector> {
        let chord = self.left.point - self.right.point;
        Vector::new(chord.y, -chord.x).try_normalize(1e-12)
    }
}

/// Maximum step as a fraction of the disc's radius, so that it cannot leave the road.
const STEP_PER_RADIUS: f64 = 0.25;
/// A disc touches both edges if their distances differ by less than this fraction of its radius.
const BALANCE: f64 = 1e-7;
/// Edge that is considered on either side of a touching point on a road that crosses itself, in road
/// widths …
const CROSSING_REACH_WIDTHS: f64 = 5.0;
/// … but at most this fraction of the shortest loop of an edge, after which it is on the other leg.
const LOOP_FRACTION: f64 = 0.9;
/// Maximum number of halvings of a step before the tracing fails.
const HALVINGS: usize = 12;
/// An edge is passed once per lap, so the tracing fails if a touching point has moved more than
/// this many laps. More than one, because the last step may jump over a stretch that no disc
/// reaches.
const MAX_LAPS: f64 = 1.5;
/// Neither touching point moves while a disc passes between two corners, over at most the sum of
/// its radii before and after. This many times the steps required for that are allowed, because
/// some are halved.
const IDLE_STEPS_FRACTION: f64 = 16.0;
const IDLE_STEPS_ALWAYS: f64 = 256.0;
/// At most this many pairs of a point and a crossing are compared to find where tracing starts;
/// with more, only every second, third … point is considered.
const MAX_CLEARANCES: usize = 10_000_000;

impl EdgePair {
    /// Indexes both edges for a road of about `width` metres.
    pub fn new(edges: &Edges, width: f64) -> Self {
        let cell = width / 4.0;
        let (left, right) = (&edges.left, &edges.right);
        let ends = match (&*left.points, &*right.points) {
            ([l0, .., l1], [r0, .., r1]) if !edges.is_closed() => Some([(*r0, *l0), (*r1, *l1)]),
            _ => None,
        };
        // At the largest possible distance from the crossings of legs. Points of both edges count, so
        // that the sections of a mirrored road are at the same places.
        let clearance = |p: &Point| {
            let ends = edges.crossings.iter().flatten();
            ends.map(|end| (p - end).norm_squared()).fold(f64::INFINITY, f64::min)
        };
        let points = left.points.len() + right.points.len();
        let stride = (points * edges.crossings.len()).div_ceil(MAX_CLEARANCES).max(1);
        let of_edge = |edge: &Polyline, is_left: bool| {
            let points = edge.points.iter().step_by(stride).copied();
            points.map(|p| (clearance(&p), (p, is_left))).max_by(|(a, _), (b, _)| a.total_cmp(b))
        };
        let clearest = || {
            let of_edges = of_edge(left, true).into_iter().chain(of_edge(right, false));
            of_edges.max_by(|(a, _), (b, _)| a.total_cmp(b)).map(|(_, seed)| seed)
        };
        let first = || left.points.first().map(|&first| (first, true));
        let crosses = !edges.crossings.is_empty();
        let (left_index, right_index) = (SegmentIndex::new(left, cell), SegmentIndex::new(right, cell));
        let tangle = if crosses { None } else { right.pieces().find_map(|piece| left_index.crossing(piece.into())) };
        let all = || left.points.iter().chain(&right.points);
        let around = Vector::new(width, width);
        let low = all().fold(Point::new(f64::INFINITY, f64::INFINITY), |low, p| low.inf(p)) - around;
        let high = all().fold(Point::new(f64::NEG_INFINITY, f64::NEG_INFINITY), |high, p| high.sup(p)) + around;
        let walls = [left, right].map(|edge| SegmentIndex::without(edge, cell, &edges.crossings));
        let shortest = || shortest_loop(left, &walls[0]).min(shortest_loop(right, &walls[1]));
        Self {
            seed: if crosses && ends.is_none() { clearest() } else { first() },
            ends,
            left_index,
            right_index,
            reach: crosses.then(|| (CROSSING_REACH_WIDTHS * width).min(LOOP_FRACTION * shortest())),
            walls,
            tangle,
            bounds: [low, high],
        }
    }

    /// Whether the road is closed.
    pub fn is_closed(&self) -> bool {
        self.ends.is_none()
    }

    /// Whether a straight piece does not meet the walls.
    pub fn is_clear(&self, a: Point, b: Point) -> bool {
        !self.walls.iter().any(|wall| wall.meets(Segment::new(a, b)))
    }

    fn contact(&self, centre: Point, near: Option<Disc>) -> Option<Contact> {
        let touch = |index: &SegmentIndex, s: Option<f64>| match (self.reach, s) {
            (Some(reach), Some(s)) => index.nearest_along(centre, s, reach),
            _ => index.nearest(centre),
        };
        let left = touch(&self.left_index, near.map(|disc| disc.left_s))?;
        let right = touch(&self.right_index, near.map(|disc| disc.right_s))?;
        Some(Contact { centre, left, right })
    }

    /// Moves a point of the road onto the bisector; `near` is the previous disc.
    fn balance(&self, start: Point, near: Option<Disc>) -> Option<Contact> {
        let first = self.contact(start, near)?;
        let mut contact = first;
        for _ in 0..6 {
            let off = contact.imbalance();
            if off.abs() <= BALANCE * (contact.left.distance + contact.right.distance) {
                return Some(contact);
            }
            let away = |foot: Point, distance: f64| (contact.centre - foot) / distance.max(1e-12);
            let gradient =
                away(contact.left.point, contact.left.distance) - away(contact.right.point, contact.right.distance);
            let size = gradient.norm_squared();
            let newton = if size > 1e-6 { contact.centre - gradient * (off / size) } else { break };
            let next = self.contact(newton, near)?;
            if next.imbalance().abs() >= 0.9 * off.abs() {
                break;
            }
            contact = next;
        }
        // Between the touching points, the imbalance changes from negative to positive: the
        // bisection always converges.
        let (mut near_left, mut near_right) = (first.left.point, first.right.point);
        for _ in 0..60 {
            contact = self.contact(nalgebra::center(&near_left, &near_right), near)?;
            if contact.imbalance().abs() <= BALANCE * (contact.left.distance + contact.right.distance) {
                break;
            }
            if contact.imbalance() < 0.0 { near_left = contact.centre } else { near_right = contact.centre }
        }
        Some(contact)
    }

    /// Traces the bisector over one lap, or from the start of an open road to its end, in steps of
    /// at most `step` metres.
    ///
    /// # Errors
    /// [`TrackError::LostCentreLine`] if the edges touch or cross, so that the curve cannot be
    /// followed.
    pub fn trace(&self, step: f64) -> Result<Vec<Disc>, TrackError> {
        let (seed, is_left) = self.seed.ok_or(TrackError::EmptyEdge)?;
        // A place to report: among the edges, even if the curve has left them.
        let [low, high] = self.bounds;
        let lost = |at: Point| {
            let at = at.sup(&low).inf(&high);
            TrackError::LostCentreLine { x_m: at.x, y_m: at.y }
        };
        if let Some(at) = self.tangle {
            return Err(lost(at));
        }
        let other = if is_left { &self.right_index } else { &self.left_index };
        let opposite = other.nearest(seed).ok_or(TrackError::EmptyEdge)?;
        let seed = match self.ends {
            Some([(right, left), _]) => nalgebra::center(&right, &left),
            None => nalgebra::center(&seed, &opposite.point),
        };
        let start = self.balance(seed, None).ok_or(TrackError::EmptyEdge)?;
        let start_tangent = start.tangent().ok_or_else(|| lost(start.centre))?;
        let (left_length, right_length) = (self.left_index.length(), self.right_index.length());
        let advance = |from: f64, to: f64, length: f64| {
            let plain = to - from;
            plain - length * (plain / length).round()
        };
        let mut discs = vec![match self.ends {
            Some(_) => Disc { left_s: 0.0, right_s: 0.0 },
            None => Disc { left_s: start.left.s, right_s: start.right.s },
        }];
        let mut here = start;
        let mut last = discs[0];
        let smallest_radius = 1e-6 * (left_length + right_length);
        let mut idle = Idle::new(&start, last);
        let max_steps = (50.0 * (left_length + right_length) / step) as usize + 1000;
        for _ in 0..max_steps {
            let tangent = here.tangent().ok_or_else(|| lost(here.centre))?;
            if here.left.distance < smallest_radius {
                return Err(lost(here.centre));
            }
            let full_length = step.min(STEP_PER_RADIUS * here.left.distance);
            let mut length = full_length;
            let mut next = None;
            for _ in 0..HALVINGS {
                let tried = self.balance(here.centre + tangent * length, Some(last)).ok_or(TrackError::EmptyEdge)?;
                let moved = tried.centre - here.centre;
                if moved.dot(&tangent) > 0.0 && moved.norm() < 2.5 * length {
                    next = Some(tried);
                    break;
                }
                length /= 2.0;
            }
            here = next.ok_or_else(|| lost(here.centre))?;
            if !self.encloses(here.centre) || idle.is_too_long(&here, last, full_length) {
                return Err(lost(here.centre));
            }
            if let Some([_, (right, left)]) = self.ends {
                last = Disc { left_s: last.left_s.max(here.left.s), right_s: last.right_s.max(here.right.s) };
                let beyond = cross(left - right, here.centre - right) <= 0.0;
                let near_end = (here.centre - nalgebra::center(&right, &left)).norm() < (left - right).norm();
                let at_end = last.left_s >= left_length || last.right_s >= right_length;
                if near_end && (beyond || at_end) {
                    discs.push(Disc { left_s: left_length, right_s: right_length });
                    return Ok(discs);
                }
                discs.push(last);
                continue;
            }
            last = Disc {
                left_s: last.left_s + advance(last.left_s, here.left.s, left_length).max(0.0),
                right_s: last.right_s + advance(last.right_s, here.right.s, right_length).max(0.0),
            };
            let laps =
                ((last.left_s - discs[0].left_s) / left_length).max((last.right_s - discs[0].right_s) / right_length);
            if laps > MAX_LAPS {
                return Err(lost(here.centre));
            }
            let round_once = last.left_s - discs[0].left_s > 0.5 * left_length
                && last.right_s - discs[0].right_s > 0.5 * right_length;
            let past_start = (here.centre - start.centre).dot(&start_tangent) >= 0.0
                && (here.centre - start.centre).norm() < 2.0 * here.left.distance;
            if round_once && past_start {
                // The last disc lies past the first one and belongs to the next lap.
                let end = Disc { left_s: discs[0].left_s + left_length, right_s: discs[0].right_s + right_length };
                discs.retain(|disc| disc.left_s <= end.left_s && disc.right_s <= end.right_s);
                return Ok(discs);
            }
            discs.push(last);
        }
        Err(lost(here.centre))
    }

    fn encloses(&self, p: Point) -> bool {
        let [low, high] = self.bounds;
        p.x >= low.x && p.y >= low.y && p.x <= high.x && p.y <= high.y
    }
}

/// Length of the shortest part of an edge that begins and ends at a place where the edge crosses
/// itself, metres; infinite if there is none. What leads across another leg is left out of `wall`,
/// and begins and ends at such places.
fn shortest_loop(edge: &Polyline, wall: &SegmentIndex) -> f64 {
    let arc_lengths = edge.arc_lengths();
    let total = wall.length();
    let count = edge.piece_count();
    let mut places: Vec<(Point, f64)> = (0..count)
        .filter(|&piece| wall.is_left_out(piece) != wall.is_left_out((piece + count - 1) % count))
        .map(|piece| (edge.points[piece], arc_lengths[piece]))
        .collect();
    places.sort_by(|a, b| a.0.x.total_cmp(&b.0.x));
    let mut shortest = f64::INFINITY;
    for (i, &(p, s)) in places.iter().enumerate() {
        let near = places[i + 1..].iter().take_while(|(other, _)| other.x - p.x <= COINCIDENT_M);
        for &(_, other) in near.filter(|(other, _)| (other - p).norm() <= COINCIDENT_M) {
            let plain = (s - other).abs();
            shortest = shortest.min(if edge.closed { plain.min(total - plain) } else { plain });
        }
    }
    shortest
}

/// Counts the steps in which neither touching point moves forwards.
struct Idle {
    /// The disc at the last progress, and its radius.
    since: Disc,
    radius: f64,
    steps: f64,
}

impl Idle {
    fn new(start: &Contact, at: Disc) -> Self {
        Self { since: at, radius: start.left.distance, steps: 0.0 }
    }

    /// Counts one more step, of at most `length`, from the touching points `last`; true if there
    /// are more than two corners explain.
    fn is_too_long(&mut self, here: &Contact, last: Disc, length: f64) -> bool {
        let advanced = last.left_s - self.since.left_s + last.right_s - self.since.right_s;
        if advanced >= length {
            *self = Self::new(here, last);
        }
        self.steps += 1.0;
        self.steps > IDLE_STEPS_FRACTION * (self.radius + here.left.distance) / length + IDLE_STEPS_ALWAYS
    }
}

#[cfg(test)]
mod tests;
