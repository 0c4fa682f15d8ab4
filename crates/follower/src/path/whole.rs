//! The path as a whole.

use std::f64::consts::FRAC_PI_2;
use std::sync::atomic::{AtomicU64, Ordering};

use raceline_numerics::{STANDARD_GRAVITY, math};

use super::inputs::PathInputs;
use super::nodes::{Node, fraction, mix_width, nodes, speed_between, stretches};
use super::sample::{PathSample, ProfileSample};
use super::waypoint::{FARTHEST_M, Waypoint, check};
use crate::error::{MAX_WAYPOINTS, PathError};
use crate::geometry::{Point, distance, lerp, mix, wrap_angle};
use crate::segment_tree::SegmentTree;
use raceline_car::VehicleDynamics;

/// Waypoints nearer than this to the previous one are dropped, metres.
const DUPLICATE_M: f64 = 1e-3;
static PATHS_BUILT: AtomicU64 = AtomicU64::new(1);

/// A path. Its construction allocates and takes time in proportion to the waypoints; no later
/// operation does.
///
/// Arc lengths are those of the polyline through the waypoints, in space. Every constructed path
/// has a unique number, by which a follower detects a change of the path; a clone keeps the number.
///
/// ```
/// use raceline_follower::{Path, Waypoint};
///
/// let at = |x, y| Waypoint { position_m: [x, y, 0.0], left_m: 4.0, right_m: 4.0, ..Waypoint::default() };
/// let path = Path::new(vec![at(0.0, 0.0), at(60.0, 0.0), at(60.0, 40.0), at(0.0, 40.0)], true)?;
/// assert_eq!(path.length_m(), 200.0);
/// assert_eq!(path.sample(70.0).position_m, [60.0, 10.0, 0.0]);
/// # Ok::<(), raceline_follower::PathError>(())
/// ```
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
    /// What drives a car along it, for every waypoint.
    inputs: Option<Box<[PathInputs]>>,
}

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
        Ok(Self { waypoints, nodes, stretches, tree, closed, length_m, id, dynamics: None, inputs: None })
    }

    /// The path with the dynamics of the vehicle that its profile is for; limits that are not
    /// positive and finite are not kept.
    #[must_use]
    pub fn with_dynamics(mut self, dynamics: &VehicleDynamics) -> Self {
        self.dynamics = dynamics.is_usable().then(|| Box::new(*dynamics));
        self
    }

    /// The path with the height of the road, metres, as a function of the kept waypoint's index and the
    /// waypoint, for a line that is followed in the plane: it is what [`PathSample::height_m`] and the
    /// heights of a command's points report, and nothing else. Without it, and where it is not finite and
    /// within 1e7 m, it is that of the waypoint.
    #[must_use]
    pub fn with_heights(mut self, height_m: impl Fn(usize, &Waypoint) -> f64) -> Self {
        let count = self.waypoints.len();
        for (i, node) in self.nodes.iter_mut().enumerate() {
            let height = height_m(i % count, &self.waypoints[i % count]);
            node.height = if height.abs() <= FARTHEST_M { height } else { node.position[2] };
        }
        self
    }

    /// The height of the road at arc length `s_m`, metres, see [`Self::with_heights`].
    pub fn height_m(&self, s_m: f64) -> f64 {
        self.sample(s_m).height_m
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

    /// The path on a road that leans by an angle at each waypoint, positive where its left is
    /// higher, rad: gravity gives a part of what bends need, or takes it. Other than angles below a
    /// right one count as 0, and so do those of paths without it.
    #[must_use]
    pub fn with_banking(mut self, banking_rad: impl Fn(usize, &Waypoint) -> f64) -> Self {
        let count = self.waypoints.len();
        for (i, node) in self.nodes.iter_mut().enumerate() {
            let angle = banking_rad(i % count, &self.waypoints[i % count]);
            node.gravity_across = if angle.abs() < FRAC_PI_2 { STANDARD_GRAVITY * math::sin(angle) } else { 0.0 };
        }
        self
    }

    /// The path with what drives a car along it at the speeds of its waypoints, as a function of the
    /// kept waypoint's index and the waypoint. Where a waypoint has none, or a number that is not
    /// finite, an angle of a right one or more, a pedal beyond 1.05 or a yaw rate beyond 20 rad/s, the
    /// path has none at all.
    #[must_use]
    pub fn with_inputs(mut self, inputs: impl Fn(usize, &Waypoint) -> Option<PathInputs>) -> Self {
        let usable = |(i, waypoint)| inputs(i, waypoint).filter(PathInputs::is_usable);
        self.inputs = self.waypoints.iter().enumerate().map(usable).collect();
        self
    }

    /// What drives a car at arc length `s_m`, see [`Self::with_inputs`].
    pub fn inputs(&self, s_m: f64) -> Option<PathInputs> {
        let s = self.wrap(s_m);
        self.inputs_in(self.segment_at(s), s).map(|(inputs, _)| inputs)
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

    /// Distance from `from` forward to `to`; on a closed path in the shorter direction, between ± half the
    /// length.
    pub(crate) fn signed_distance(&self, from: f64, to: f64) -> f64 {
        let distance = to - from;
        if !self.closed {
            distance
        } else if distance > self.length_m / 2.0 {
            distance - self.length_m
        } else if distance < -self.length_m / 2.0 {
            distance + self.length_m
        } else {
            distance
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

    /// As `segment_at`, but fast where `s` probably lies in `hint` or soon after.
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
        lerp(a.position, b.position, fraction(a, b, s))
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
        let t = fraction(a, b, s);
        let (speed_squared, acceleration) = speed_between(a, b, t);
        ProfileSample {
            curvature: mix(a.curvature, b.curvature, t),
            speed_squared,
            acceleration,
            grip: mix(a.grip, b.grip, t),
            gravity_across: mix(a.gravity_across, b.gravity_across, t),
        }
    }

    /// What drives a car here, and the square of the waypoints' speed that it is for, m²/s².
    pub(crate) fn inputs_in(&self, segment: usize, s: f64) -> Option<(PathInputs, f64)> {
        let inputs = self.inputs.as_deref()?;
        let next = (segment + 1) % self.waypoints.len();
        let t = fraction(&self.nodes[segment], &self.nodes[segment + 1], s);
        let [a, b] = [segment, next].map(|i| self.waypoints[i].speed_mps);
        let square = mix(a * a, b * b, t);
        square.is_finite().then(|| (inputs[segment].mixed(&inputs[next], t), square))
    }

    pub(crate) fn sample_in(&self, segment: usize, s: f64) -> PathSample {
        let (a, b) = (&self.nodes[segment], &self.nodes[segment + 1]);
        let t = fraction(a, b, s);
        let (speed_squared, acceleration) = speed_between(a, b, t);
        PathSample {
            s_m: s,
            position_m: lerp(a.position, b.position, t),
            height_m: mix(a.height, b.height, t),
            heading_rad: wrap_angle(a.heading + t * wrap_angle(b.heading - a.heading)),
            curvature_radpm: mix(a.curvature, b.curvature, t),
            left_m: mix_width(a.left, b.left, t),
            right_m: mix_width(a.right, b.right, t),
            speed_mps: speed_squared.max(0.0).sqrt(),
            acceleration_mps2: acceleration,
        }
    }
}
