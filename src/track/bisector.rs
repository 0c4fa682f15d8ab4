//! The curve halfway between two edges, traced with the nearest point of each edge.
//!
//! A point of the road that is as far from the left edge as from the right is the centre of a disc that touches both
//! and holds no edge point inside. These points form one curve (the Voronoi bisector of the edges), whatever the
//! bends: unlike a skeleton it has no side branches, because distances to one and the same edge are never compared. The chord
//! from the disc's right touching point to its left one lies in the disc, so it stays on the road; along the curve both
//! touching points only move forwards. Chords whose ends move forwards on both edges and that stay on the road can't
//! cross, and that is what cross-sections need, also in bends tighter than the road is wide.

use super::TrackError;
use crate::geometry::{Point, Polyline, SegmentIndex, Vector};

/// One disc of the bisector.
#[derive(Clone, Copy, Debug)]
pub(super) struct Disc {
    /// Arc length of the touching point on the left edge, unwrapped: it grows over the lap by the edge's length.
    pub left_s: f64,
    /// The same on the right edge.
    pub right_s: f64,
}

/// The two edges in the direction of travel, ready for queries.
pub(super) struct EdgePair {
    left_start: Option<Point>,
    pub left_index: SegmentIndex,
    pub right_index: SegmentIndex,
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

/// A step goes at most this share of the disc's radius, so that it can't leave the road.
const STEP_PER_RADIUS: f64 = 0.25;
/// A disc counts as touching both edges when their distances differ by less than this share of its radius.
const BALANCE: f64 = 1e-7;
/// Steps are halved at most this often before the tracing gives up.
const HALVINGS: usize = 12;

impl EdgePair {
    /// Indexes both edges for a road of about `width` metres.
    pub fn new(left: &Polyline, right: &Polyline, width: f64) -> Self {
        let cell = width / 4.0;
        Self {
            left_start: left.points.first().copied(),
            left_index: SegmentIndex::new(left, cell),
            right_index: SegmentIndex::new(right, cell),
        }
    }

    fn contact(&self, centre: Point) -> Option<Contact> {
        Some(Contact { centre, left: self.left_index.nearest(centre)?, right: self.right_index.nearest(centre)? })
    }

    /// Moves a point of the road onto the bisector.
    fn balance(&self, start: Point) -> Option<Contact> {
        let first = self.contact(start)?;
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
            let next = self.contact(newton)?;
            if next.imbalance().abs() >= 0.9 * off.abs() {
                break;
            }
            contact = next;
        }
        // From one touching point to the other the imbalance goes from negative to positive: bisection always ends.
        let (mut near_left, mut near_right) = (first.left.point, first.right.point);
        for _ in 0..60 {
            contact = self.contact(nalgebra::center(&near_left, &near_right))?;
            if contact.imbalance().abs() <= BALANCE * (contact.left.distance + contact.right.distance) {
                break;
            }
            if contact.imbalance() < 0.0 { near_left = contact.centre } else { near_right = contact.centre }
        }
        Some(contact)
    }

    /// Traces the bisector of two closed edges once round, in steps of at most `step` metres.
    ///
    /// # Errors
    /// [`TrackError::LostCentreLine`] where the edges touch or cross, so that the curve can't be followed.
    pub fn trace(&self, step: f64) -> Result<Vec<Disc>, TrackError> {
        let seed = self.left_start.ok_or(TrackError::EmptyEdge)?;
        let lost = |at: Point| TrackError::LostCentreLine { x_m: at.x, y_m: at.y };
        let opposite = self.right_index.nearest(seed).ok_or(TrackError::EmptyEdge)?;
        let start = self.balance(nalgebra::center(&seed, &opposite.point)).ok_or(TrackError::EmptyEdge)?;
        let start_tangent = start.tangent().ok_or_else(|| lost(start.centre))?;
        let (left_length, right_length) = (self.left_index.length(), self.right_index.length());
        let advance = |from: f64, to: f64, length: f64| {
            let plain = to - from;
            plain - length * (plain / length).round()
        };
        let mut discs = vec![Disc { left_s: start.left.s, right_s: start.right.s }];
        let mut here = start;
        let mut last = discs[0];
        let smallest_radius = 1e-6 * (left_length + right_length);
        let most_steps = (50.0 * (left_length + right_length) / step) as usize + 1000;
        for _ in 0..most_steps {
            let tangent = here.tangent().ok_or_else(|| lost(here.centre))?;
            if here.left.distance < smallest_radius {
                return Err(lost(here.centre));
            }
            let mut length = step.min(STEP_PER_RADIUS * here.left.distance);
            let mut next = None;
            for _ in 0..HALVINGS {
                let tried = self.balance(here.centre + tangent * length).ok_or(TrackError::EmptyEdge)?;
                let moved = tried.centre - here.centre;
                if moved.dot(&tangent) > 0.0 && moved.norm() < 2.5 * length {
                    next = Some(tried);
                    break;
                }
                length /= 2.0;
            }
            here = next.ok_or_else(|| lost(here.centre))?;
            last = Disc {
                left_s: last.left_s + advance(last.left_s, here.left.s, left_length).max(0.0),
                right_s: last.right_s + advance(last.right_s, here.right.s, right_length).max(0.0),
            };
            let round_once = last.left_s - discs[0].left_s > 0.5 * left_length
                && last.right_s - discs[0].right_s > 0.5 * right_length;
            let past_start = (here.centre - start.centre).dot(&start_tangent) >= 0.0
                && (here.centre - start.centre).norm() < 2.0 * here.left.distance;
            if round_once && past_start {
                // The last disc lies past the first: it belongs to the next lap.
                let end = Disc { left_s: discs[0].left_s + left_length, right_s: discs[0].right_s + right_length };
                discs.retain(|disc| disc.left_s <= end.left_s && disc.right_s <= end.right_s);
                return Ok(discs);
            }
            discs.push(last);
        }
        Err(lost(here.centre))
    }
}
