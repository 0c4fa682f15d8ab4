//! The line near which the car's lap is searched: its nodes, and the program on them with a start.

use super::body_corners::{Bounds, corner_bounds};
use super::model::{CURVATURE_FRACTION, Car};
use super::price::{Energy, Price};
use super::problem::{self, FORWARD, HEADING, LEFTWARD, Node, OFFSET, PEDAL, Problem, STEERING, UNKNOWNS, YAW_RATE};
use super::standing_end::{StandingEnd, nodes_between};
use crate::SolveError;
use crate::speed::{Course, Ground, SPEED_FLOOR_MPS, SpeedOptions, SpeedProfile};
use crate::stations::{GripProfile, Station, set_grip};
use crate::time_optimal::{GIVEN_SPEED_FRACTION, Task};
use raceline_car::Vehicle;
use raceline_numerics::math;
use raceline_road::geometry::{CurvePoint, Point, SplineCurve};

/// The search begins with this fraction of the point mass's speeds, inside the limits.
const STARTING_SPEED_FRACTION: f64 = 0.95;
/// Penalty of a change over a length of one mean width of the road, as a fraction of the time that
/// this length takes. The change of steering is as large as the slip angle of the tyres' peak, the
/// change of the pedal as the tyres' limit.
const SMOOTHING: f64 = 4e-3;
/// What is added to the factor 1 on the penalty of steering one mean width of the road from a
/// standing end, and the distance in widths at which it is zero; it falls with the distance, which
/// has a fiftieth of the width as its minimum. Without it, a car turns to another heading within
/// two nodes. On seven rally stages it costs 0.1 to 4 ms.
const STEADY: (f64, f64) = (100.0, 3.0);
const AT_END: f64 = 0.02;
/// Typical change of heading relative to the start line, rad.
const USUAL_HEADING_RAD: f64 = 0.1;
/// Typical sideslip, as a fraction of the slip angle of the tyres' peak.
const USUAL_SIDESLIP: f64 = 0.3;
/// Lowest speed of the search, as a fraction of the lowest speed of the point mass, and its floor,
/// m/s: slip angles are not defined at rest.
const MIN_SPEED: (f64, f64) = (0.5, 0.5);
/// Likewise where energy costs something: the fastest lap may then be much slower.
const MIN_SPEED_PRICED: f64 = 0.1;
/// Places per station at which the line's curvature is checked.
const PLACES_PER_STATION: usize = 4;
/// Fraction of the vehicle's largest curvature that these places may have: between them, the line
/// bends a little more.
const CURVATURE_BETWEEN: f64 = 0.995;
/// The bound of the curvature is lowered by no more than to this fraction at once.
const MIN_LOWERED: f64 = 0.8;
/// The start's pedal is at most this fraction of the tyres' limit.
const STARTING_PEDAL: f64 = 0.9;

/// The start line with its nodes, and the point mass on it.
#[derive(Clone, Debug)]
pub(super) struct Reference {
    closed: bool,
    pinned_ends: [bool; 2],
    speeds: SpeedOptions,
    /// Mean width of the road, m.
    width_m: f64,
    stations: Vec<Station>,
    /// Profiles of the grip across the road.
    profiles: Vec<GripProfile>,
    places: Vec<CurvePoint>,
    /// The road at each station.
    grounds: Vec<Ground>,
    profile: SpeedProfile,
    /// Bounds of the body's front corners at each station.
    corners: Vec<Bounds>,
    /// The standing ends of the road, which the program does not have; empty where it has all.
    ends: [StandingEnd; 2],
}

impl Reference {
    /// The start line `curve` with these stations, for `car`.
    pub fn new(
        task: Task,
        curve: &SplineCurve,
        mut stations: Vec<Station>,
        (car, energy): (&Car, Energy),
    ) -> Result<Self, SolveError> {
        let mut along = 0.0;
        let mut places = Vec::with_capacity(stations.len());
        for station in &stations {
            places.push(curve.at(along));
            along += station.step;
        }
        let grounds = task.lap.relief.map(|relief| relief.along(&places));
        let profiles = set_grip(&mut stations, task.lap.grip);
        let profile = task.profile(&stations, grounds.as_deref())?;
        let grounds = grounds.unwrap_or_else(|| vec![Ground::LEVEL; stations.len()]);
        let road = task.corridor;
        let count = stations.len();
        let corners = corner_bounds(task, &stations);
        let range = nodes_between(&profile.speed_mps, task.lap.speeds.course(road.closed));
        let ends = [0..range.start, range.end..count]
            .map(|range| StandingEnd::of(range, (&stations, &grounds, &profile), car, energy));
        Ok(Self {
            ends,
            closed: road.closed,
            pinned_ends: road.pinned_ends(),
            speeds: task.lap.speeds,
            width_m: road.mean_width(),
            profiles,
            profile: profile.within(range.clone()),
            stations: stations[range.clone()].to_vec(),
            places: places[range.clone()].to_vec(),
            corners: corners[range.clone()].to_vec(),
            grounds: grounds[range].to_vec(),
        })
    }

    /// Points with these offsets, m.
    pub fn points(&self, offsets: impl Iterator<Item = f64>) -> Vec<Point> {
        self.stations.iter().zip(offsets).map(|(station, offset)| station.point(offset)).collect()
    }

    /// The factor on the program's bound of the curvature with which the lap `found` would bend no
    /// more than the vehicle's largest curvature; `None` where it does not bend more.
    ///
    /// The program bounds the curvature of the path in the road's surface at the nodes alone.
    pub fn lower_curvature(
        &self,
        vehicle: &Vehicle,
        scales: &[f64; UNKNOWNS],
        found: &[[f64; UNKNOWNS]],
    ) -> Option<f64> {
        let offsets = found.iter().map(|x| x[OFFSET] * scales[OFFSET]);
        let curve = SplineCurve::through(&self.points(offsets), self.closed)?;
        let places = curve.evenly(PLACES_PER_STATION * self.stations.len());
        let sharpest = places.iter().map(|place| place.curvature().abs()).fold(0.0, f64::max);
        let is_within = sharpest <= CURVATURE_BETWEEN * vehicle.max_curvature_radpm;
        (!is_within).then(|| (CURVATURE_FRACTION * vehicle.max_curvature_radpm / sharpest).max(MIN_LOWERED))
    }

    /// Whether a front corner of the body is beyond its bound on the lap `found` of `problem`.
    pub fn violates_corners(&self, problem: &Problem, found: &[[f64; UNKNOWNS]]) -> bool {
        self.corners.iter().zip(found).any(|(bounds, x)| {
            let x = problem.unscaled(x);
            bounds.iter().flatten().any(|bound| bound.excess_m(x[OFFSET], x[HEADING]) > 0.0)
        })
    }

    /// `problem` with the bounds of the body's front corners.
    pub fn with_corners<'c>(&self, mut problem: Problem<'c>) -> Problem<'c> {
        problem.nodes.iter_mut().zip(&self.corners).for_each(|(node, &corners)| node.corners = corners);
        problem
    }

    /// The energy at the ends that the program does not have, J.
    pub fn energy_at_ends_j(&self) -> f64 {
        self.ends.iter().map(|end| end.energy_j).sum()
    }

    /// The ends of the road that the program does not have.
    pub fn ends(&self) -> &[StandingEnd; 2] {
        &self.ends
    }

    /// Whether the program begins after a standing start, and ends before a standing end.
    fn is_within(&self) -> [bool; 2] {
        self.ends.each_ref().map(|end| !end.points.is_empty())
    }

    /// Number of nodes.
    pub fn node_count(&self) -> usize {
        self.stations.len()
    }

    fn nodes(&self) -> Vec<Node> {
        let n = self.stations.len();
        let length_m: f64 = self.stations.iter().map(|station| station.step).sum();
        let mut along_m = 0.0;
        (0..n)
            .map(|i| {
                let (station, next) = (&self.stations[i], (i + 1) % n);
                let (ground, mean) = (self.grounds[i], self.grounds[i].mean(&self.grounds[next]));
                let turned = raceline_numerics::wrap_angle(self.places[next].heading() - self.places[i].heading());
                let steering_price = self.steering_price([along_m, length_m - along_m]);
                along_m += station.step;
                let length_m = station.step * mean.stretch;
                Node {
                    curvature: ground.geodesic(station.curvature),
                    low_m: station.low,
                    high_m: station.high,
                    length_m,
                    turn_rad: mean.geodesic_factor * mean.stretch * turned + mean.geodesic_offset * length_m,
                    ground,
                    grip: station.grip,
                    profile: station.profile,
                    max_speed_mps: station.max_speed_mps,
                    steering_price,
                    corners: [None; 2],
                }
            })
            .collect()
    }

    /// φ at these distances from both ends, m.
    fn steering_price(&self, from_ends_m: [f64; 2]) -> f64 {
        let (factor, widths) = STEADY;
        let near = |(distance_m, is_within): (f64, bool)| {
            let distance = distance_m / self.width_m;
            let fraction = (1.0 - distance / widths).max(0.0);
            if is_within { 1.0 + factor * fraction / distance.max(AT_END) } else { 1.0 }
        };
        from_ends_m.into_iter().zip(self.is_within()).map(near).fold(1.0, f64::max)
    }

    /// The program, and the point from which it is solved.
    pub fn problem<'c>(&self, car: &'c Car, price: Price) -> (Problem<'c>, problem::Point) {
        let (nodes, width_m) = (self.nodes(), self.width_m);
        let n = nodes.len();
        let mean = |values: &mut dyn Iterator<Item = f64>| values.sum::<f64>() / n as f64;
        let length_m: f64 = self.stations.iter().map(|station| station.step).sum();
        let speed = length_m / self.profile.lap_time_s;
        let slowest = self.profile.speed_mps.iter().copied().fold(f64::INFINITY, f64::min);
        let fraction = if price.seconds_per_joule > 0.0 { MIN_SPEED_PRICED } else { MIN_SPEED.0 };
        let min_speed_mps = (fraction * slowest).max(MIN_SPEED.1.min(fraction * speed));
        let limit = car.longitudinal_limit_mps2();
        let mut problem = Problem {
            closed: self.closed,
            min_speed_mps,
            scales: [
                0.5 * mean(&mut nodes.iter().map(|node| node.high_m - node.low_m)).max(0.01 * width_m),
                USUAL_HEADING_RAD,
                speed,
                USUAL_SIDESLIP * car.peak_slip_rad() * speed,
                limit / speed,
                car.peak_slip_rad(),
                limit,
            ],
            per_second: n as f64 / self.profile.lap_time_s,
            price,
            smoothing: [SMOOTHING * width_m * width_m / speed; 2],
            fixed: Vec::new(),
            car,
            nodes,
            profiles: self.profiles.clone(),
        };
        let mut start: Vec<[f64; UNKNOWNS]> = (0..n).map(|i| self.start(i, &problem)).collect();
        self.fix_ends(&mut problem, &mut start);
        let scales = problem.scales;
        for x in &mut start {
            x.iter_mut().zip(&scales).for_each(|(entry, scale)| *entry /= scale);
        }
        (problem, start)
    }

    /// Unknowns of node `i` in their units: the car in a steady bend below the point mass's speed.
    fn start(&self, i: usize, problem: &Problem) -> [f64; UNKNOWNS] {
        let speed = (STARTING_SPEED_FRACTION * self.profile.speed_mps[i]).max(1.1 * problem.min_speed_mps);
        let acceleration = STARTING_SPEED_FRACTION * STARTING_SPEED_FRACTION * self.profile.accel_mps2[i];
        steady(problem, i, speed, acceleration)
    }

    /// Fixes the given speeds at the ends of an open road that the point mass reaches, pinned
    /// places there, and the motion with its steering where the program begins or ends within the
    /// road.
    fn fix_ends(&self, problem: &mut Problem, start: &mut [[f64; UNKNOWNS]]) {
        let Course::Open { start_speed_mps, end_speed_mps } = self.speeds.course(problem.closed) else {
            return;
        };
        let (given, is_within) = ([start_speed_mps, end_speed_mps], self.is_within());
        for (end, node) in [0, start.len() - 1].into_iter().enumerate() {
            let reached = self.profile.speed_mps[node];
            if is_within[end] {
                start[node] = steady(problem, node, reached, self.profile.accel_mps2[node]);
                problem.fixed.extend([HEADING, FORWARD, LEFTWARD, YAW_RATE, STEERING].map(|unknown| (node, unknown)));
            } else if given[end].is_some_and(|given| reached >= GIVEN_SPEED_FRACTION * given.max(SPEED_FLOOR_MPS)) {
                start[node][FORWARD] = reached.max(1.1 * problem.min_speed_mps);
                problem.fixed.push((node, FORWARD));
            }
            if is_within[end] || self.pinned_ends[end] {
                let station = &mut problem.nodes[node];
                start[node][OFFSET] = 0.0;
                (station.low_m, station.high_m) = (-problem.scales[OFFSET], problem.scales[OFFSET]);
                problem.fixed.push((node, OFFSET));
            }
        }
    }
}

/// Unknowns of node `i` in their units: the car in a steady bend at this speed along the line.
fn steady(problem: &Problem, i: usize, speed: f64, acceleration: f64) -> [f64; UNKNOWNS] {
    let node = &problem.nodes[i];
    let motion = problem.car.steady(speed, node.curvature, acceleration, &node.ground, node.grip);
    let limit = STARTING_PEDAL * problem.scales[PEDAL];
    let mut x = [0.0; UNKNOWNS];
    x[HEADING] = -math::atan2(motion.leftward, motion.forward);
    x[FORWARD] = motion.forward;
    x[LEFTWARD] = motion.leftward;
    x[YAW_RATE] = motion.yaw_rate;
    x[STEERING] = motion.steering;
    x[PEDAL] = motion.pedal.clamp(-limit, limit);
    x
}
