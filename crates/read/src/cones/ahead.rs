//! The path in front of a vehicle through the cones that it has seen so far.

use std::collections::HashSet;

use nalgebra::Vector2;

use super::gates::Gates;
use super::search::{Edges, Gate, roads_from};
use super::{Cone, ConeColour};
use raceline_numerics::math;
use raceline_road::geometry::Point;

/// Cones that the path ahead passes at most.
const MAX_CONES: usize = 24;
/// Cones farther from the vehicle than this are left out, metres.
const FARTHEST_M: f64 = 40.0;
/// Points of a straight path, and their distance, metres.
const STRAIGHT_POINTS: usize = 10;
const STRAIGHT_STEP_M: f64 = 1.0;

/// Where a vehicle is and where it heads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Place, metres.
    pub position: Point,
    /// Heading, radians from +x counter-clockwise.
    pub heading_rad: f64,
}

impl Pose {
    fn direction(self) -> Vector2<f64> {
        let (sin, cos) = math::sin_cos(self.heading_rad);
        Vector2::new(cos, sin)
    }

    /// Distance to the middle of a gate, metres.
    pub(super) fn distance_to(self, gates: &Gates, gate: Gate) -> f64 {
        (middle(gates, gate) - self.position).norm()
    }

    /// Whether a vehicle with this heading has the gate's left cone on its left.
    pub(super) fn faces(self, gates: &Gates, gate: Gate) -> bool {
        let [left, right] = [gate.left, gate.right].map(|cone| gates.cones[cone].position);
        let across = left - right;
        // Forward is a quarter turn clockwise from the direction to the left cone.
        Vector2::new(across.y, -across.x).dot(&self.direction()) > 0.5 * across.norm()
    }
}

/// The path in front of a vehicle.
#[derive(Clone, Debug, PartialEq)]
pub struct PathAhead {
    /// Points of the middle of the road, metres, the vehicle's place first.
    pub points: Vec<Point>,
    /// Cones of the left edge, metres, from the vehicle on.
    pub left: Vec<Point>,
    /// Cones of the right edge, metres.
    pub right: Vec<Point>,
    /// Whether no road was found, so that the path leads straight ahead.
    pub is_straight_guess: bool,
}

/// The path ahead of a vehicle at `pose` between the cones that it has seen so far, in any order. Cones
/// behind it and farther than 40 m are left out. Where no road is found, the path leads straight ahead and
/// is marked as a guess. Time is bounded by the number of cones within 40 m.
///
/// ```
/// use raceline_read::cones::{Cone, ConeColour, Pose, path_ahead};
/// use raceline_road::geometry::Point;
///
/// let cone = |x: i32, y, colour| Cone { position: Point::new(4.0 * f64::from(x), y), colour };
/// let cones: Vec<Cone> =
///     (0..6).flat_map(|x| [cone(x, 1.75, ConeColour::Left), cone(x, -1.75, ConeColour::Right)]).collect();
/// let pose = Pose { position: Point::new(-1.0, 0.0), heading_rad: 0.0 };
/// let path = path_ahead(&cones, pose, None);
/// assert!(!path.is_straight_guess && path.points.iter().all(|point| point.y.abs() < 1e-9));
/// assert!(path_ahead(&[], pose, None).is_straight_guess);
/// ```
#[must_use]
pub fn path_ahead(cones: &[Cone], pose: Pose, width_m: Option<f64>) -> PathAhead {
    road_ahead(cones, pose, width_m).unwrap_or_else(|| {
        let step = pose.direction() * STRAIGHT_STEP_M;
        let points = (0..=STRAIGHT_POINTS).map(|i| pose.position + step * i as f64).collect();
        PathAhead { points, left: Vec::new(), right: Vec::new(), is_straight_guess: true }
    })
}

fn road_ahead(cones: &[Cone], pose: Pose, width_m: Option<f64>) -> Option<PathAhead> {
    let is_near = |cone: &&Cone| {
        let to = cone.position - pose.position;
        to.norm() <= FARTHEST_M && to.x.is_finite() && to.y.is_finite()
    };
    let near: Vec<Cone> = cones.iter().filter(is_near).copied().collect();
    let gates = Gates::new(&near, width_m)?;
    let fits = |gate: &Gate| {
        let ahead = (middle(&gates, *gate) - pose.position).dot(&pose.direction());
        let width = gates.distance(gate.left, gate.right) / gates.width_m;
        let of = |cone: usize, wrong| gates.cones[cone].colour != wrong;
        pose.faces(&gates, *gate)
            && ahead > -gates.width_m / 2.0
            && (0.4..1.8).contains(&width)
            && of(gate.left, ConeColour::Right)
            && of(gate.right, ConeColour::Left)
    };
    let mut candidates: Vec<Gate> =
        gates.sides().map(|(left, right)| Gate { left, right }).filter(|gate| fits(gate)).collect();
    candidates.sort_unstable_by_key(|gate| (gate.left, gate.right));
    candidates.sort_by(|a, b| pose.distance_to(&gates, *a).total_cmp(&pose.distance_to(&gates, *b)));
    let start = *candidates.first()?;
    if pose.distance_to(&gates, start) > 4.0 * gates.width_m {
        return None;
    }
    let (closed, open) = roads_from(&gates, start, MAX_CONES, &HashSet::new());
    let edges = closed.filter(|closed| closed.used() > open.used()).unwrap_or(open);
    let place = |edge: &[usize]| edge.iter().map(|&cone| gates.cones[cone].position).collect::<Vec<_>>();
    let points = std::iter::once(pose.position).chain(middles(&gates, &edges)).collect();
    Some(PathAhead { points, left: place(&edges.left), right: place(&edges.right), is_straight_guess: false })
}

fn middle(gates: &Gates, gate: Gate) -> Point {
    let [left, right] = [gate.left, gate.right].map(|cone| gates.cones[cone].position);
    nalgebra::center(&left, &right)
}

/// The middles between each cone of one edge and the nearest of the other, in the direction of travel.
fn middles(gates: &Gates, edges: &Edges) -> Vec<Point> {
    let mut found = Vec::new();
    let mut at = 0;
    for &left in &edges.left {
        let nearest = (at..edges.right.len())
            .min_by(|&a, &b| gates.distance(left, edges.right[a]).total_cmp(&gates.distance(left, edges.right[b])));
        let Some(nearest) = nearest else { break };
        at = nearest;
        found.push(middle(gates, Gate { left, right: edges.right[nearest] }));
    }
    found
}
