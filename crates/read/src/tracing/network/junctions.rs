//! Possible routes where arms meet: forks, and straight through crossings.

use std::collections::BTreeMap;

use super::chordal_axis::{Arm, ChordalAxis};
use super::triangulation::Triangles;
use raceline_numerics::math;
use raceline_road::geometry::{Vector, angle_between, cross};

/// Two junctions at most this many mean road widths apart may be the halves of one crossing. Legs
/// that cross at 30° run on one road for about four widths.
const LONGEST_CROSSING_WIDTHS: f64 = 4.5;

/// Legs that cross at an angle run on one road over its width divided by the sine of half that
/// angle, and at most this many widths more. Junctions farther apart belong to a roundabout.
const CROSSING_SLACK_WIDTHS: f64 = 1.0;

/// Legs go straight through a crossing if they turn by less than this, radians.
const STRAIGHT_RAD: f64 = 0.7;

/// Maximum turn at a fork, radians: a route does not return along the arm that it came from.
const SHARPEST_TURN_RAD: f64 = 2.1;

/// The direction of an arm is measured between these distances from its end, in mean road widths:
/// beyond the corners of the junction, before the next bend.
const DIRECTION_FROM_WIDTHS: f64 = 0.7;
const DIRECTION_TO_WIDTHS: f64 = 2.2;

/// An arm with a direction of travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Leg {
    /// Number of the arm.
    pub arm: usize,
    /// Whether it is travelled from its first end to its second.
    pub forward: bool,
}

impl Leg {
    fn reversed(self) -> Self {
        Self { forward: !self.forward, ..self }
    }
}

/// A passage through a junction: the next leg, and the junction's triangles in between.
#[derive(Clone, Debug)]
pub(super) struct Passage {
    pub next: Leg,
    pub triangles: Vec<u32>,
    /// Identifies the junction; a fork may be passed only once.
    pub junction: u32,
    /// Whether the road crosses another leg here.
    pub crosses: bool,
}

/// The arms of a road and the passages between them.
pub(super) struct RoadGraph {
    pub arms: Vec<Arm>,
    /// For each leg that ends in a junction, its possible passages.
    passages: BTreeMap<Leg, Vec<Passage>>,
    /// Arms that are part of a crossing and not arms of their own.
    pub joints: Vec<usize>,
    width: f64,
}

impl RoadGraph {
    /// The graph of a pruned axis, for a road of mean width `width`.
    pub fn new(triangles: &Triangles, axis: &ChordalAxis, width: f64) -> Self {
        let mut graph = Self { arms: axis.arms(), passages: BTreeMap::new(), joints: Vec::new(), width };
        let doors = graph.doors(triangles);
        let mut crossed = Vec::new();
        for joint in 0..graph.arms.len() {
            let ends = graph.arms[joint].ends;
            let ([Some(a), Some(b)], true) = (ends, graph.arms[joint].length() <= LONGEST_CROSSING_WIDTHS * width)
            else {
                continue;
            };
            if a == b || crossed.contains(&a) || crossed.contains(&b) {
                continue;
            }
            if graph.try_crossing(&doors, joint, a, b) {
                crossed.extend([a, b]);
                graph.joints.push(joint);
            }
        }
        for (&junction, legs) in doors.iter().filter(|(junction, _)| !crossed.contains(junction)) {
            for &out in legs {
                let forks = legs.iter().filter(|&&next| next != out && graph.turn(out, next) <= SHARPEST_TURN_RAD);
                let passage = |&next: &Leg| Passage { next, triangles: vec![junction], junction, crosses: false };
                let courses = forks.map(passage).collect();
                graph.passages.insert(out.reversed(), courses);
            }
        }
        graph
    }

    /// The passages from the end of a leg; none from a dead end.
    pub fn onwards(&self, leg: Leg) -> &[Passage] {
        self.passages.get(&leg).map_or(&[], Vec::as_slice)
    }

    /// The junction at which a leg starts or ends; `None` at a dead end.
    pub fn end(&self, leg: Leg, last: bool) -> Option<u32> {
        self.arms[leg.arm].ends[usize::from(leg.forward == last)]
    }

    /// For each junction triangle, the legs that leave it, in the order of its sides:
    /// counter-clockwise.
    fn doors(&self, triangles: &Triangles) -> BTreeMap<u32, Vec<Leg>> {
        let mut doors: BTreeMap<u32, Vec<(usize, Leg)>> = BTreeMap::new();
        for (arm, of) in self.arms.iter().enumerate() {
            for forward in [true, false] {
                let [first, last] = if forward { of.ends } else { [of.ends[1], of.ends[0]] };
                let Some(junction) = first else { continue };
                let nearest = if forward { of.chain.first() } else { of.chain.last() };
                // Neighbouring junctions have no triangle between them. Both ends of an arm cannot
                // lie on one side.
                let beside = nearest.copied().or(last);
                let side = beside.and_then(|beside| triangles.side_towards(junction, beside)).unwrap_or(0);
                doors.entry(junction).or_default().push((side, Leg { arm, forward }));
            }
        }
        let sorted = |mut legs: Vec<(usize, Leg)>| {
            legs.sort_unstable();
            legs.into_iter().map(|(_, leg)| leg).collect()
        };
        doors.into_iter().map(|(junction, legs)| (junction, sorted(legs))).collect()
    }

    /// Direction in which a leg leaves its junction.
    fn direction(&self, leg: Leg) -> Vector {
        let point = |widths: f64| self.arms[leg.arm].point_at(widths * self.width, !leg.forward);
        point(DIRECTION_TO_WIDTHS) - point(DIRECTION_FROM_WIDTHS)
    }

    /// Turn of a road that arrives along the reverse of `from` and leaves along `to`, radians; zero
    /// if an arm is too short to have a direction.
    fn turn(&self, from: Leg, to: Leg) -> f64 {
        if [from, to].iter().any(|leg| self.arms[leg.arm].length() < DIRECTION_TO_WIDTHS * self.width) {
            return 0.0;
        }
        let (a, b) = (-self.direction(from), self.direction(to));
        math::atan2(cross(a, b), a.dot(&b)).abs()
    }

    /// Adds the straight passages through the crossing with the middle `joint`, if it is a
    /// crossing.
    fn try_crossing(&mut self, doors: &BTreeMap<u32, Vec<Leg>>, joint: usize, a: u32, b: u32) -> bool {
        let others = |junction: u32, leg: Leg| {
            let legs = doors.get(&junction)?;
            let at = legs.iter().position(|&other| other == leg)?;
            (legs.len() == 3).then(|| [legs[(at + 1) % 3], legs[(at + 2) % 3]])
        };
        let forward = Leg { arm: joint, forward: true };
        let (Some(first), Some(second)) = (others(a, forward), others(b, forward.reversed())) else { return false };
        let legs = [first[0], first[1], second[0], second[1]];
        if legs.iter().any(|leg| leg.arm == joint || self.arms[leg.arm].length() < self.width) {
            return false;
        }
        // Counter-clockwise round the crossing, the legs alternate; in touching bends, neighbours
        // would be paired.
        let straight = [(first[0], second[0]), (first[1], second[1])];
        let touching = [(first[0], second[1]), (first[1], second[0])];
        let worst =
            |pairs: [(Leg, Leg); 2]| pairs.map(|(from, to)| self.turn(from, to)).into_iter().fold(0.0, f64::max);
        if worst(straight) > STRAIGHT_RAD || worst(straight) > worst(touching) {
            return false;
        }
        let through = |(from, to): (Leg, Leg)| self.direction(to) - self.direction(from);
        let angle = angle_between(through(straight[0]), through(straight[1]));
        let half = angle.min(std::f64::consts::PI - angle) / 2.0;
        if self.arms[joint].length() > (1.0 / math::sin(half).max(1e-9) + CROSSING_SLACK_WIDTHS) * self.width {
            return false;
        }
        let chain = self.arms[joint].chain.clone();
        for (from, to) in straight {
            let course = |leg: Leg, backwards: bool| {
                let mut triangles: Vec<u32> = [a].into_iter().chain(chain.iter().copied()).chain([b]).collect();
                if backwards {
                    triangles.reverse();
                }
                vec![Passage { next: leg, triangles, junction: a, crosses: true }]
            };
            self.passages.insert(from.reversed(), course(to, false));
            self.passages.insert(to.reversed(), course(from, true));
        }
        true
    }
}
