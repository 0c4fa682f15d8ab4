//! A path to follow: waypoints with a corridor, prepared for sampling by arc length and for
//! nearest-point searches.

use std::f64::consts::FRAC_PI_2;
use std::sync::atomic::{AtomicU64, Ordering};

use raceline_numerics::STANDARD_GRAVITY;

use crate::dynamics::VehicleDynamics;
use crate::error::{MAX_WAYPOINTS, PathError};
use crate::geometry::{Point, direction, distance, lerp, mix, wrap_angle};
use crate::segment_tree::SegmentTree;

/// One point of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Waypoint {
    /// Position, metres, each coordinate within ± 1e7; default the origin.
    pub position_m: [f64; 3],
    /// Width of the corridor to the left in the direction of travel, metres, 0 to infinity; default
    /// infinity.
    pub left_m: f64,
    /// The same to the right.
    pub right_m: f64,
    /// Speed of the profile, m/s, at least 0; NaN or infinite if there is none; default NaN.
    pub speed_mps: f64,
    /// Curvature of the line here, 1/m, positive to the left, at most 1e3; NaN if unknown: then it
    /// is that of the circle through this waypoint and two others; default NaN.
    pub curvature_radpm: f64,
}

impl Default for Waypoint {
    fn default() -> Self {
        Self {
            position_m: [0.0; 3],
            left_m: f64::INFINITY,
            right_m: f64::INFINITY,
            speed_mps: f64::NAN,
            curvature_radpm: f64::NAN,
        }
    }
}

/// A path. Its construction allocates and takes time in proportion to the waypoints; no later
/// operation does.
///
/// Arc lengths are those of the polyline through the waypoints, in space. Every constructed path
/// has a unique number, by which a follower detects a change of the path; a clone keeps the number.
#[derive(Clone, Debug)]
pub struct Path {
    waypoints: Vec<Waypoint>,
    /// One more than the segments: a closed path repeats its first node at the end.
    nodes: Vec<Node>,
    /// The path is divided into as many equal stretches as there are segments: for each the segment
    /// of its start.
    stretches: Vec<u32>,
    tree: SegmentTree,
    closed: bool,
    length_m: f64,
    id: u64,
    /// Of the vehicle that the profile is for.
    dynamics: Option<Box<VehicleDynamics>>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub position: Point,
    pub s: f64,
    heading: f64,
    curvature: f64,
    left: f64,
    right: f64,
    /// Square of the profile's speed; infinite without a profile.
    speed_squared: f64,
    /// Factor of the surface on the tyres' limits.
    surface_grip: f64,
    /// The same with what was learned about it.
    grip: f64,
    /// Gravity to the right in the road's surface, m/s².
    gravity_across: f64,
}

/// What the profile and the road ask for at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ProfileSample {
    /// 1/m.
    pub curvature: f64,
    /// Square of the profile's speed, m²/s²; infinite without a profile.
    pub speed_squared: f64,
    /// m/s².
    pub acceleration: f64,
    /// Factor of the road on the tyres' limits.
    pub grip: f64,
    /// Gravity to the right in the road's surface, m/s².
    pub gravity_across: f64,
}

/// A position on a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathSample {
    /// Arc length from the start, metres.
    pub s_m: f64,
    /// Position, metres.
    pub position_m: [f64; 3],
    /// Direction of travel in the plane, radians, interpolated between waypoints.
    pub heading_rad: f64,
    /// Curvature in the plane, 1/m, positive to the left.
    pub curvature_radpm: f64,
    /// Width of the corridor to the left, metres.
    pub left_m: f64,
    /// Width of the corridor to the right, metres.
    pub right_m: f64,
    /// The profile's speed, m/s; infinite without a profile.
    pub speed_mps: f64,
    /// The profile's acceleration along the path, m/s²; 0 without a profile.
    pub acceleration_mps2: f64,
}

/// Waypoints nearer than this to the previous one are dropped, metres.
const DUPLICATE_M: f64 = 1e-3;
/// The largest coordinate, metres: at this distance a coordinate still has a resolution of 2 nm.
const FARTHEST_M: f64 = 1e7;
/// The circle that gives a waypoint's curvature passes through waypoints at least this far to both
/// sides, metres: coordinates rounded to a millimetre then change it by less than 4e-4 1/m.
const CURVATURE_REACH_M: f64 = 2.5;
/// Largest number of waypoints to either side that are searched for it.
const CURVATURE_REACH_WAYPOINTS: usize = 64;

static PATHS_BUILT: AtomicU64 = AtomicU64::new(1);

impl Path {
    /// Largest number of waypoints of a path: 2²⁴.
    pub const MAX_WAYPOINTS: usize = MAX_WAYPOINTS;

    /// Constructs a path. Waypoints within a millimetre of the previous one are dropped, and so is
    /// a closed path's last if it repeats the first.
    ///
    /// # Errors
    /// [`PathError`] for fewer than 2 (closed: 3) distinct waypoints, for too many, and for a
    /// number out of its range.
    pub fn new(mut waypoints: Vec<Waypoint>, closed: bool) -> Result<Self, PathError> {
        if waypoints.len() > Self::MAX_WAYPOINTS {
            return Err(PathError::TooManyWaypoints { given: waypoints.len() });
        }
        for (index, waypoint) in waypoints.iter().enumerate() {
            check(index, waypoint)?;
        }
        waypoints.dedup_by(|next, kept| distance(next.position_m, kept.position_m) < DUPLICATE_M);
        if closed {
            while let [first, .., last] = waypoints[..]
                && distance(first.position_m, last.position_m) < DUPLICATE_M
            {
                waypoints.pop();
            }
        }
        let needed = if closed { 3 } else { 2 };
        if waypoints.len() < needed {
            return Err(PathError::TooFewWaypoints { distinct: waypoints.len(), needed });
        }
        let nodes = nodes(&waypoints, closed);
        let length_m = nodes.last().map_or(0.0, |node| node.s);
        let stretches = stretches(&nodes, length_m);
        let tree = SegmentTree::new(nodes.len() - 1, |k| nodes[k].position);
        let id = PATHS_BUILT.fetch_add(1, Ordering::Relaxed);
        Ok(Self { waypoints, nodes, stretches, tree, closed, length_m, id, dynamics: None })
    }

    /// The path with the dynamics of the vehicle that its profile is for; limits that are not
    /// positive and finite are not kept.
    #[must_use]
    pub fn with_dynamics(mut self, dynamics: &VehicleDynamics) -> Self {
        self.dynamics = dynamics.is_usable().then(|| Box::new(*dynamics));
        self
    }

    /// The path with the grip of the road's surface, a factor on both tyre limits, as a function of the
    /// kept waypoint's index and the waypoint. Without it, and where it is not 0.01 to 10, it is 1.
    #[must_use]
    pub fn with_grip(mut self, grip: impl Fn(usize, &Waypoint) -> f64) -> Self {
        let count = self.waypoints.len();
        for (i, node) in self.nodes.iter_mut().enumerate() {
            let factor = grip(i % count, &self.waypoints[i % count]);
            node.surface_grip = if (0.01..=10.0).contains(&factor) { factor } else { 1.0 };
            node.grip = node.surface_grip;
        }
        self
    }

    /// The same path on a road that leans by an angle at each waypoint, positive where its left is
    /// higher, rad: gravity gives a part of what bends need, or takes it. Other than angles below a
    /// right one count as 0, and so do those of paths without it.
    #[must_use]
    pub fn with_banking(mut self, banking_rad: impl Fn(usize, &Waypoint) -> f64) -> Self {
        let count = self.waypoints.len();
        for (i, node) in self.nodes.iter_mut().enumerate() {
            let angle = banking_rad(i % count, &self.waypoints[i % count]);
            node.gravity_across = if angle.abs() < FRAC_PI_2 { STANDARD_GRAVITY * angle.sin() } else { 0.0 };
        }
        self
    }

    /// The grip of the road's surface at arc length `s_m`, see [`Self::with_grip`].
    pub fn grip(&self, s_m: f64) -> f64 {
        let s = self.wrap(s_m);
        self.profile_in(self.segment_at(s), s).grip
    }

    /// The dynamics of the vehicle that the profile is for, if they are known.
    pub fn dynamics(&self) -> Option<&VehicleDynamics> {
        self.dynamics.as_deref()
    }

    /// The waypoints that were kept.
    pub fn waypoints(&self) -> &[Waypoint] {
        &self.waypoints
    }

    /// Whether the last waypoint is connected to the first.
    pub fn closed(&self) -> bool {
        self.closed
    }

    /// Length in space, metres, including the segment back to the start if closed.
    pub fn length_m(&self) -> f64 {
        self.length_m
    }

    /// The path's unique number.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// The position at arc length `s_m`, which wraps around on a closed path and is clamped to the
    /// ends of an open one.
    pub fn sample(&self, s_m: f64) -> PathSample {
        let s = self.wrap(s_m);
        self.sample_in(self.segment_at(s), s)
    }

    /// `s`, wrapped or clamped to the path.
    pub(crate) fn wrap(&self, s: f64) -> f64 {
        if !s.is_finite() {
            return 0.0;
        }
        if !self.closed {
            return s.clamp(0.0, self.length_m);
        }
        let wrapped = if (0.0..self.length_m).contains(&s) { s } else { s.rem_euclid(self.length_m) };
        // A tiny negative number's remainder rounds up to the length itself.
        if wrapped < self.length_m { wrapped } else { 0.0 }
    }

    /// Distance from `from` forward to `to`; on a closed path the shorter way, between ± half the
    /// length.
    pub(crate) fn way(&self, from: f64, to: f64) -> f64 {
        let way = to - from;
        if !self.closed {
            way
        } else if way > self.length_m / 2.0 {
            way - self.length_m
        } else if way < -self.length_m / 2.0 {
            way + self.length_m
        } else {
            way
        }
    }

    pub(crate) fn segments(&self) -> usize {
        self.nodes.len() - 1
    }

    pub(crate) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    pub(crate) fn tree(&self) -> &SegmentTree {
        &self.tree
    }

    /// The segment that contains the wrapped arc length `s`.
    pub(crate) fn segment_at(&self, s: f64) -> usize {
        let count = self.segments();
        let stretch = ((s / self.length_m * count as f64) as usize).min(count - 1);
        let low = self.stretches[stretch].saturating_sub(1) as usize;
        let high = self.stretches.get(stretch + 1).map_or(count - 1, |&segment| (segment as usize + 1).min(count - 1));
        // The first node of low..=high + 1 beyond s ends the segment.
        let beyond = self.nodes[low + 1..=high].partition_point(|node| node.s <= s);
        low + beyond
    }

    /// The same as `segment_at` where `s` probably lies in `hint` or soon after.
    pub(crate) fn segment_from(&self, hint: usize, s: f64) -> usize {
        let last = self.segments() - 1;
        let mut segment = hint.min(last);
        if self.nodes[segment].s <= s {
            for _ in 0..8 {
                if segment == last || s < self.nodes[segment + 1].s {
                    return segment;
                }
                segment += 1;
            }
        }
        self.segment_at(s)
    }

    /// The position only.
    pub(crate) fn position_in(&self, segment: usize, s: f64) -> Point {
        let (a, b) = (&self.nodes[segment], &self.nodes[segment + 1]);
        lerp(a.position, b.position, share(a, b, s))
    }

    /// Square of the speed and factor on the grip of each waypoint by its index, in place of those of
    /// the waypoints, which keep theirs.
    pub(crate) fn set_profile(&mut self, at: impl Fn(usize) -> (f64, f64)) {
        let count = self.waypoints.len();
        for (i, node) in self.nodes.iter_mut().enumerate() {
            let (speed_squared, factor) = at(i % count);
            (node.speed_squared, node.grip) = (speed_squared, node.surface_grip * factor);
        }
    }

    /// What the profile and the road ask for only.
    pub(crate) fn profile_in(&self, segment: usize, s: f64) -> ProfileSample {
        let (a, b) = (&self.nodes[segment], &self.nodes[segment + 1]);
        let t = share(a, b, s);
        let (speed_squared, acceleration) = speed_between(a, b, t);
        ProfileSample {
            curvature: mix(a.curvature, b.curvature, t),
            speed_squared,
            acceleration,
            grip: mix(a.grip, b.grip, t),
            gravity_across: mix(a.gravity_across, b.gravity_across, t),
        }
    }

    pub(crate) fn sample_in(&self, segment: usize, s: f64) -> PathSample {
        let (a, b) = (&self.nodes[segment], &self.nodes[segment + 1]);
        let t = share(a, b, s);
        let (speed_squared, acceleration) = speed_between(a, b, t);
        PathSample {
            s_m: s,
            position_m: lerp(a.position, b.position, t),
            heading_rad: wrap_angle(a.heading + t * wrap_angle(b.heading - a.heading)),
            curvature_radpm: mix(a.curvature, b.curvature, t),
            left_m: mix_width(a.left, b.left, t),
            right_m: mix_width(a.right, b.right, t),
            speed_mps: speed_squared.max(0.0).sqrt(),
            acceleration_mps2: acceleration,
        }
    }
}

/// Square of the speed and acceleration: constant acceleration between two waypoints, so that v² is
/// linear in s. If only one of them has a speed, that speed applies.
fn speed_between(a: &Node, b: &Node, t: f64) -> (f64, f64) {
    match (a.speed_squared.is_finite(), b.speed_squared.is_finite()) {
        (true, true) => {
            let acceleration = (b.speed_squared - a.speed_squared) / (2.0 * (b.s - a.s));
            (mix(a.speed_squared, b.speed_squared, t), acceleration)
        }
        (true, false) => (a.speed_squared, 0.0),
        _ => (b.speed_squared, 0.0),
    }
}

fn share(a: &Node, b: &Node, s: f64) -> f64 {
    ((s - a.s) / (b.s - a.s)).clamp(0.0, 1.0)
}

/// Between a known width and an unknown (infinite) one, the known one applies.
fn mix_width(a: f64, b: f64, t: f64) -> f64 {
    if a.is_finite() && b.is_finite() { mix(a, b, t) } else { a.min(b) }
}

fn check(index: usize, waypoint: &Waypoint) -> Result<(), PathError> {
    let bad = |field, value, must| Err(PathError::BadNumber { waypoint: index, field, value, must });
    for value in waypoint.position_m {
        if value.is_nan() || value.abs() > FARTHEST_M {
            return bad("position_m", value, "finite and within 1e7 m of the origin");
        }
    }
    for (field, value) in [("left_m", waypoint.left_m), ("right_m", waypoint.right_m)] {
        if value.is_nan() || value < 0.0 {
            return bad(field, value, "0 or more, or infinite");
        }
    }
    if waypoint.speed_mps < 0.0 || (waypoint.speed_mps.is_finite() && waypoint.speed_mps > 1e4) {
        return bad("speed_mps", waypoint.speed_mps, "0 to 1e4 m/s, or NaN or infinite for no profile");
    }
    if waypoint.curvature_radpm.abs() > 1e3 {
        return bad(
            "curvature_radpm",
            waypoint.curvature_radpm,
            "within ± 1e3 1/m, or NaN for one computed from the waypoints",
        );
    }
    Ok(())
}

fn nodes(waypoints: &[Waypoint], closed: bool) -> Vec<Node> {
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
        let most = CURVATURE_REACH_WAYPOINTS.min(waypoints.len() / 3).max(1);
        for steps in 1..=most as isize {
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
    let chord = (after[0] - before[0]).hypot(after[1] - before[1]);
    let sides = a[0].hypot(a[1]) * b[0].hypot(b[1]) * chord;
    // Where the path turns back the circle is meaningless; no vehicle has a curvature above 1e3.
    let value = 2.0 * cross / sides;
    if value.is_finite() { value.clamp(-1e3, 1e3) } else { 0.0 }
}

fn stretches(nodes: &[Node], length: f64) -> Vec<u32> {
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
