//! The waypoints of a path with what is computed from them, and the values between two of them.

use super::waypoint::Waypoint;
use crate::geometry::{Point, direction, distance, mix, wrap_angle};
use raceline_numerics::math;

/// The circle that gives a waypoint's curvature passes through waypoints at least this far to both
/// sides, metres: coordinates rounded to a millimetre then change it by less than 4e-4 1/m.
const CURVATURE_REACH_M: f64 = 2.5;
/// Largest number of waypoints to either side that are searched for it.
const CURVATURE_REACH_WAYPOINTS: usize = 64;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub position: Point,
    pub s: f64,
    /// Height of the road, metres: that of `position` unless it was given.
    pub height: f64,
    pub heading: f64,
    pub curvature: f64,
    pub left: f64,
    pub right: f64,
    /// Square of the profile's speed; infinite without a profile.
    pub speed_squared: f64,
    /// Factor of the surface on the tyres' limits.
    pub surface_grip: f64,
    /// Grip with what was learned about it.
    pub grip: f64,
    /// Gravity to the right in the road's surface, m/s².
    pub gravity_across: f64,
}

/// Square of the speed and acceleration: constant acceleration between two waypoints, so that v² is
/// linear in s. If only one of them has a speed, that speed applies.
pub(super) fn speed_between(a: &Node, b: &Node, t: f64) -> (f64, f64) {
    match (a.speed_squared.is_finite(), b.speed_squared.is_finite()) {
        (true, true) => {
            let acceleration = (b.speed_squared - a.speed_squared) / (2.0 * (b.s - a.s));
            (mix(a.speed_squared, b.speed_squared, t), acceleration)
        }
        (true, false) => (a.speed_squared, 0.0),
        _ => (b.speed_squared, 0.0),
    }
}

/// Fraction of the distance from one node to the next.
pub(super) fn fraction(a: &Node, b: &Node, s: f64) -> f64 {
    ((s - a.s) / (b.s - a.s)).clamp(0.0, 1.0)
}

/// Between a known width and an unknown (infinite) one, the known one applies.
pub(super) fn mix_width(a: f64, b: f64, t: f64) -> f64 {
    if a.is_finite() && b.is_finite() { mix(a, b, t) } else { a.min(b) }
}

/// The nodes of a path through `waypoints`.
pub(super) fn nodes(waypoints: &[Waypoint], closed: bool) -> Vec<Node> {
    let count = waypoints.len();
    let mut nodes = Vec::with_capacity(count + 1);
    let mut s = 0.0;
    for i in 0..count + usize::from(closed) {
        let waypoint = &waypoints[i % count];
        if i > 0 {
            s += distance(waypoints[i - 1].position_m, waypoint.position_m);
        }
        let speed = waypoint.speed_mps;
        let known = waypoint.curvature_radpm;
        nodes.push(Node {
            position: waypoint.position_m,
            s,
            height: waypoint.position_m[2],
            heading: heading(waypoints, closed, i % count),
            curvature: if known.is_nan() { curvature(waypoints, closed, i % count) } else { known },
            left: waypoint.left_m,
            right: waypoint.right_m,
            speed_squared: if speed.is_finite() { speed * speed } else { f64::INFINITY },
            surface_grip: 1.0,
            grip: 1.0,
            gravity_across: 0.0,
        });
    }
    nodes
}

/// The neighbour `steps` forward (or back, when negative), if there is one.
fn neighbour(count: usize, closed: bool, index: usize, steps: isize) -> Option<usize> {
    let place = index as isize + steps;
    if closed {
        Some(place.rem_euclid(count as isize) as usize)
    } else {
        usize::try_from(place).ok().filter(|&place| place < count)
    }
}

/// Direction at a waypoint: the tangent to the circle through it and its neighbours, which weights
/// each leg's direction by the other leg's length.
fn heading(waypoints: &[Waypoint], closed: bool, index: usize) -> f64 {
    let at = |steps| neighbour(waypoints.len(), closed, index, steps).map(|i| waypoints[i].position_m);
    let here = waypoints[index].position_m;
    let leg = |from: Point, to: Point| direction(from, to).map(|heading| (heading, distance(from, to)));
    let before = at(-1).and_then(|from| leg(from, here));
    let after = at(1).and_then(|to| leg(here, to));
    match (before, after) {
        (Some((a, length_a)), Some((b, length_b))) => {
            wrap_angle(a + wrap_angle(b - a) * length_a / (length_a + length_b))
        }
        (Some((only, _)), None) | (None, Some((only, _))) => only,
        (None, None) => 0.0,
    }
}

/// Signed curvature in the plane of the circle through a waypoint and two others about
/// [`CURVATURE_REACH_M`] away.
fn curvature(waypoints: &[Waypoint], closed: bool, index: usize) -> f64 {
    let here = waypoints[index].position_m;
    let reach = |sign: isize| {
        let mut found = None;
        let max_steps = CURVATURE_REACH_WAYPOINTS.min(waypoints.len() / 3).max(1);
        for steps in 1..=max_steps as isize {
            let Some(i) = neighbour(waypoints.len(), closed, index, sign * steps) else { break };
            found = Some(waypoints[i].position_m);
            if distance(waypoints[i].position_m, here) >= CURVATURE_REACH_M {
                break;
            }
        }
        found
    };
    let (Some(before), Some(after)) = (reach(-1), reach(1)) else { return 0.0 };
    let (a, b) = ([here[0] - before[0], here[1] - before[1]], [after[0] - here[0], after[1] - here[1]]);
    let cross = a[0] * b[1] - a[1] * b[0];
    let chord = math::hypot(after[0] - before[0], after[1] - before[1]);
    let sides = math::hypot(a[0], a[1]) * math::hypot(b[0], b[1]) * chord;
    // Where the path turns back the circle is meaningless; no vehicle has a curvature above 1e3.
    let value = 2.0 * cross / sides;
    if value.is_finite() { value.clamp(-1e3, 1e3) } else { 0.0 }
}

/// The path divided into as many equal stretches as there are segments: for each the segment of its
/// start.
pub(super) fn stretches(nodes: &[Node], length: f64) -> Vec<u32> {
    let count = nodes.len() - 1;
    let mut segment = 0;
    (0..count)
        .map(|stretch| {
            let s = length * stretch as f64 / count as f64;
            while segment + 1 < count && nodes[segment + 1].s <= s {
                segment += 1;
            }
            segment as u32
        })
        .collect()
}
