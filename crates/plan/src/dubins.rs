//! Shortest paths of a vehicle that drives forwards and turns with a smallest radius.
//!
//! L. Dubins, "On curves of minimal length with a constraint on average curvature" (1957): a shortest
//! path between two poses consists of at most three pieces, arcs of the smallest radius and
//! straights. The lengths of the six words are those of A. Shkel and V. Lumelsky, "Classification of
//! the Dubins set" (2001), section 3. To a point with any heading, an arc and a straight are enough
//! unless the point lies in the turning circle.

use std::f64::consts::{PI, TAU};

use super::FreeSpace;
use raceline_numerics::math;
use raceline_road::geometry::{Point, Vector};

/// Place and heading.
///
/// ```
/// use raceline_plan::Pose;
/// use raceline_road::geometry::Point;
///
/// // A quarter of a circle of 10 m to the left.
/// let pose = Pose { at: Point::origin(), heading_rad: 0.0 }.advanced(0.1, 5.0 * std::f64::consts::PI);
/// assert!((pose.at - Point::new(10.0, 10.0)).norm() < 1e-12);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Place, metres.
    pub at: Point,
    /// Heading, radians counter-clockwise from the x axis.
    pub heading_rad: f64,
}

impl Pose {
    /// The pose after `length_m` along an arc; a positive curvature turns left.
    #[must_use]
    pub fn advanced(self, curvature_radpm: f64, length_m: f64) -> Self {
        let turn = curvature_radpm * length_m;
        let middle = self.heading_rad + turn / 2.0;
        // The chord of an arc, which is its length where it is straight.
        let half = turn / 2.0;
        let chord = length_m * if half.abs() > 1e-6 { math::sin(half) / half } else { 1.0 };
        Self {
            at: self.at + Vector::new(math::cos(middle), math::sin(middle)) * chord,
            heading_rad: self.heading_rad + turn,
        }
    }

    fn reversed(self) -> Self {
        Self { heading_rad: self.heading_rad + PI, ..self }
    }
}

/// A path of arcs and straights.
#[derive(Clone, Debug, PartialEq)]
pub struct ArcPath {
    /// Start.
    pub start: Pose,
    /// Curvature, 1/m, and length, metres, of each piece.
    pub pieces: Vec<[f64; 2]>,
}

impl ArcPath {
    /// Length, metres.
    #[must_use]
    pub fn length_m(&self) -> f64 {
        self.pieces.iter().map(|piece| piece[1]).sum()
    }

    /// End.
    #[must_use]
    pub fn end(&self) -> Pose {
        self.pieces.iter().fold(self.start, |pose, &[curvature, length]| pose.advanced(curvature, length))
    }

    /// The poses at most `step_m` apart, with its start and its end.
    #[must_use]
    pub fn poses(&self, step_m: f64) -> Vec<Pose> {
        let mut poses = vec![self.start];
        let mut from = self.start;
        for &[curvature, length] in &self.pieces {
            let parts = (length / step_m).ceil() as usize;
            poses.extend((1..=parts).map(|k| from.advanced(curvature, length * k as f64 / parts as f64)));
            from = from.advanced(curvature, length);
        }
        poses
    }

    /// Whether the vehicle's centre may drive it. Steps are as in [`FreeSpace::is_clear`].
    #[must_use]
    pub(super) fn is_clear(&self, space: &FreeSpace) -> bool {
        let cell = space.frame.metres_per_pixel;
        let mut from = self.start;
        // What is left of the last step goes into the next piece.
        let mut at = 0.0;
        for &[curvature, length] in &self.pieces {
            while at < length {
                let spare = space.clearance_at_m(from.advanced(curvature, at).at) - space.needed_m;
                if spare < 0.0 {
                    return false;
                }
                at += (spare - cell).max(0.5 * cell);
            }
            at -= length;
            from = from.advanced(curvature, length);
        }
        space.has_room(from.at)
    }

    /// Path from its end to its start, with opposite headings.
    fn reversed(&self) -> Self {
        let pieces = self.pieces.iter().rev().map(|&[curvature, length]| [-curvature, length]).collect();
        Self { start: self.end().reversed(), pieces }
    }
}

/// The shortest path between two poses with turns of `radius_m`, without regard to obstacles.
#[must_use]
pub fn dubins(start: Pose, goal: Pose, radius_m: f64) -> Option<ArcPath> {
    let across = goal.at - start.at;
    let distance = across.norm();
    let bearing = math::atan2(across.y, across.x);
    let d = distance / radius_m;
    let (a, b) = (start.heading_rad - bearing, goal.heading_rad - bearing);
    let ((sa, ca), (sb, cb)) = (math::sin_cos(a), math::sin_cos(b));
    let between = math::cos(a - b);
    let straight = |squared: f64| (squared >= -1e-12).then(|| squared.max(0.0).sqrt());
    let arc = |cosine: f64| (cosine.abs() <= 1.0).then(|| TAU - math::acos(cosine));
    let words = [
        straight(2.0 + d * d - 2.0 * between + 2.0 * d * (sa - sb)).map(|p| {
            let turn = math::atan2(cb - ca, d + sa - sb);
            ([1.0, 0.0, 1.0], [turn - a, p, b - turn])
        }),
        straight(2.0 + d * d - 2.0 * between + 2.0 * d * (sb - sa)).map(|p| {
            let turn = math::atan2(ca - cb, d - sa + sb);
            ([-1.0, 0.0, -1.0], [a - turn, p, turn - b])
        }),
        straight(-2.0 + d * d + 2.0 * between + 2.0 * d * (sa + sb)).map(|p| {
            let turn = math::atan2(-ca - cb, d + sa + sb) - math::atan2(-2.0_f64, p);
            ([1.0, 0.0, -1.0], [turn - a, p, turn - b])
        }),
        straight(-2.0 + d * d + 2.0 * between - 2.0 * d * (sa + sb)).map(|p| {
            let turn = math::atan2(ca + cb, d - sa - sb) - math::atan2(2.0_f64, p);
            ([-1.0, 0.0, 1.0], [a - turn, p, b - turn])
        }),
        arc((6.0 - d * d + 2.0 * between + 2.0 * d * (sa - sb)) / 8.0).map(|p| {
            let first = turned(a - math::atan2(ca - cb, d - sa + sb) + p / 2.0);
            ([-1.0, 1.0, -1.0], [first, p, a - b - first + p])
        }),
        arc((6.0 - d * d + 2.0 * between + 2.0 * d * (sb - sa)) / 8.0).map(|p| {
            let first = turned(math::atan2(cb - ca, d + sa - sb) - a + p / 2.0);
            ([1.0, -1.0, 1.0], [first, p, b - a - first + p])
        }),
    ];
    let paths = words.into_iter().flatten().map(|(turns, lengths)| {
        let piece = |k: usize| {
            let length = if turns[k] == 0.0 { lengths[k] } else { turned(lengths[k]) };
            [turns[k] / radius_m, length * radius_m]
        };
        ArcPath { start, pieces: (0..3).map(piece).filter(|piece| piece[1] > 1e-9).collect() }
    });
    // Rounding may turn a word into one that ends elsewhere.
    let arrives = |path: &ArcPath| (path.end().at - goal.at).norm() <= 1e-6 * (radius_m + distance);
    paths.filter(arrives).min_by(|a, b| a.length_m().total_cmp(&b.length_m()))
}

/// The shortest arc and straight to a point; `None` if the point lies in both turning circles.
#[must_use]
pub fn to_point(start: Pose, goal: Point, radius_m: f64) -> Option<ArcPath> {
    let path = |side: f64| {
        let left = Vector::new(-math::sin(start.heading_rad), math::cos(start.heading_rad));
        let centre = start.at + left * (side * radius_m);
        let across = goal - centre;
        let distance = across.norm();
        if distance < radius_m {
            return None;
        }
        let straight = (distance * distance - radius_m * radius_m).sqrt();
        // Direction of the straight: that of the goal from the centre, less the angle at the goal.
        let heading = math::atan2(across.y, across.x) + side * math::asin(radius_m / distance);
        let turn = turned(side * (heading - start.heading_rad));
        let pieces = [[side / radius_m, turn * radius_m], [0.0, straight]];
        Some(ArcPath { start, pieces: pieces.into_iter().filter(|piece| piece[1] > 1e-9).collect() })
    };
    [path(1.0), path(-1.0)].into_iter().flatten().min_by(|a, b| a.length_m().total_cmp(&b.length_m()))
}

/// The shortest straight and arc from a point to a pose.
#[must_use]
pub fn from_point(start: Point, goal: Pose, radius_m: f64) -> Option<ArcPath> {
    to_point(goal.reversed(), start, radius_m).map(|path| path.reversed())
}

/// An angle as a turn from 0 to less than a full one; a full one by rounding is none.
fn turned(angle: f64) -> f64 {
    let turn = angle.rem_euclid(TAU);
    if turn > TAU - 1e-9 { 0.0 } else { turn }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    fn pose(x: f64, y: f64, heading_rad: f64) -> Pose {
        Pose { at: Point::new(x, y), heading_rad }
    }

    fn length(goal: Pose, radius_m: f64) -> f64 {
        dubins(pose(0.0, 0.0, 0.0), goal, radius_m).unwrap().length_m()
    }

    #[test]
    fn known_lengths() {
        let near = |found: f64, known: f64| assert!((found - known).abs() < 1e-9, "{found} for {known}");
        near(length(pose(5.0, 0.0, 0.0), 1.0), 5.0);
        // A quarter turn, a half turn and a lane change by two quarter turns.
        near(length(pose(2.0, 2.0, PI / 2.0), 2.0), PI);
        near(length(pose(0.0, 4.0, PI), 2.0), 2.0 * PI);
        near(length(pose(4.0, 4.0, 0.0), 2.0), 2.0 * PI);
        // Turning round in place: three arcs of 60, 300 and 60 degrees.
        near(length(pose(0.0, 0.0, PI), 1.0), 7.0 * PI / 3.0);
        let path = to_point(pose(0.0, 0.0, 0.0), Point::new(1.0, 4.0), 1.0).unwrap();
        near(path.length_m(), PI / 2.0 + 3.0);
    }

    #[test]
    fn paths_arrive_and_are_no_shorter_than_the_straight_line() {
        for k in 0..2000 {
            // A low-discrepancy sequence in place of random poses.
            let part = |g: f64| (f64::from(k) * g).fract();
            let start = pose(0.0, 0.0, TAU * part(0.7549));
            let goal = pose(8.0 * part(0.5698) - 4.0, 8.0 * part(0.4302) - 4.0, TAU * part(0.2451));
            let path = dubins(start, goal, 1.0).unwrap();
            let end = path.end();
            assert!((end.at - goal.at).norm() < 1e-6, "{k}");
            let apart = (end.heading_rad - goal.heading_rad + PI).rem_euclid(TAU) - PI;
            assert!(apart.abs() < 1e-6, "{k}: {apart}");
            assert!(path.length_m() >= (goal.at - start.at).norm() - 1e-9);
            let back = dubins(goal.reversed(), start.reversed(), 1.0).unwrap();
            assert!((back.length_m() - path.length_m()).abs() < 1e-6, "{k}");
            if let Some(to) = to_point(start, goal.at, 1.0) {
                assert!((to.end().at - goal.at).norm() < 1e-9 && to.length_m() >= (goal.at - start.at).norm() - 1e-9);
            }
            if let Some(from) = from_point(start.at, goal, 1.0) {
                assert!((from.start.at - start.at).norm() < 1e-9 && (from.end().at - goal.at).norm() < 1e-9);
            }
        }
    }
}
