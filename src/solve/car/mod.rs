//! The fastest lap of a car with axles, tyres and inertia, from a point mass's line on.
//!
//! The car is a single track of seven unknowns per place, with load transfer, aerodynamics, a tyre
//! with a peak at each axle, and bounded rates of steering and pedal (`model`). Its lap is a
//! nonlinear program on nodes along the start line (`problem`), solved by an interior-point method
//! with exact second derivatives (`interior_point`), on every fourth node first (`mesh`).
//! Derivatives of the equations' parts are those of numbers that carry them (`number`), so the
//! equations are written once; the chain rule joins them (`model::derivatives`). Newton's matrix is
//! eliminated stage by stage ([`StageCycle`](raceline_numerics::StageCycle)), in segments that
//! threads share (`newton`).
//!
//! The smoothing of steering and pedal costs some hundredths of a percent of the lap and saves half
//! of the steps: without it, a car may meander on straights at no cost, and the program is not
//! convex there.
//!
//! Sources: Perantoni and Limebeer, *Optimal control for a Formula One car with variable
//! parameters*, Vehicle System Dynamics 52 (2014), sections 2 and 3; Lot and Biral, *A curvilinear
//! abscissa approach for the lap time optimization of racing vehicles* (2014); Christ et al.,
//! *Time-optimal trajectory planning for a race car considering variable tyre-road friction
//! coefficients*, Vehicle System Dynamics 59 (2021), section 2. Deviations: rates are differences,
//! not unknowns; the reference is the point mass's line, not the road's centre, so that offsets and
//! changes of heading are small; load moves along the car only, since the vehicle's limits contain
//! what moves across.

mod axle_use;
mod interior_point;
mod linearised;
mod mesh;
mod model;
mod newton;
mod number;
mod optimum;
mod problem;
mod reserve;

pub use axle_use::{AxleUse, Axles};
pub use interior_point::{Progress, Status};
pub use optimum::{Optimum, car_lap_from};
pub use reserve::Reserve;

use std::sync::Arc;

use super::SolveError;
use super::stations::{Margin, ReferenceLine, Room, Spacing, Station, pin_ends, stations};
use super::time_optimal::{Task, TimeOptimal};
use crate::geometry::{CurvePoint, Point, SplineCurve};
use crate::speed::{Course, Ground, SPEED_FLOOR_MPS, SpeedError, SpeedOptions, SpeedProfile};
use crate::vehicle::Vehicle;
use model::Car;
use optimum::Frame;
use problem::{FORWARD, HEADING, LEFTWARD, Node, OFFSET, PEDAL, Problem, STEERING, UNKNOWNS, YAW_RATE};

/// The car at a point of its line.
#[derive(Clone, Copy, Debug)]
pub struct CarState {
    /// Time from the start, s.
    pub time_s: f64,
    /// Speed of the centre of gravity, m/s.
    pub speed_mps: f64,
    /// Angle from the body to the direction of travel, rad, positive to the left.
    pub sideslip_rad: f64,
    /// rad/s, positive to the left.
    pub yaw_rate_radps: f64,
    /// Angle of the front wheels, rad, positive to the left.
    pub steering_rad: f64,
    /// Drive as a share of the drive's limit at this speed, or the negative of braking as a share
    /// of the tyres' longitudinal limit.
    pub pedal: f64,
}

/// The car's lap and statistics of the search.
#[derive(Clone, Debug)]
pub struct CarLap {
    /// Points of the line; a closed line does not repeat its first point.
    pub points: Vec<Point>,
    /// The car at each of them.
    pub states: Vec<CarState>,
    /// s.
    pub lap_time_s: f64,
    /// How the search ended. Check it: a lap is returned even if the search has not converged.
    pub status: Status,
    /// Newton steps.
    pub iterations: usize,
    /// Number of factorisations.
    pub factorisations: usize,
    /// Largest error of an equation of motion over an interval, relative to typical values.
    pub error: f64,
    /// Largest violation of a limit, relative to typical values.
    pub violation: f64,
    /// The solution with its multipliers.
    pub optimum: Optimum,
}

impl CarLap {
    /// The car at the parameters `places` of the curve through [`Self::points`]; times are not
    /// interpolated.
    #[must_use]
    pub fn along(&self, curve: &SplineCurve, places: &[f64]) -> Vec<CarState> {
        let knots = curve.positions();
        let n = self.states.len();
        places
            .iter()
            .map(|&place| {
                let i = knots.partition_point(|&knot| knot <= place).clamp(1, knots.len() - 1) - 1;
                let share = ((place - knots[i]) / (knots[i + 1] - knots[i])).clamp(0.0, 1.0);
                let (a, b) = (&self.states[i % n], &self.states[(i + 1) % n]);
                let between = |from: f64, to: f64| from + share * (to - from);
                CarState {
                    time_s: a.time_s,
                    // The squared speed is linear where the acceleration is constant.
                    speed_mps: between(a.speed_mps * a.speed_mps, b.speed_mps * b.speed_mps).sqrt(),
                    sideslip_rad: between(a.sideslip_rad, b.sideslip_rad),
                    yaw_rate_radps: between(a.yaw_rate_radps, b.yaw_rate_radps),
                    steering_rad: between(a.steering_rad, b.steering_rad),
                    pedal: between(a.pedal, b.pedal),
                }
            })
            .collect()
    }
}

/// The search begins with this fraction of the point mass's speeds, inside the limits.
const STARTING_SPEED_SHARE: f64 = 0.95;
/// Penalty of a change of steering by the slip angle of the tyres' peak, or of the pedal by the
/// tyres' limit, over a length of one mean width of the road: as a fraction of the time that this
/// length takes.
const SMOOTHING: f64 = 4e-3;
/// Typical change of heading relative to the start line, rad.
const USUAL_HEADING_RAD: f64 = 0.1;
/// Typical sideslip, as a fraction of the slip angle of the tyres' peak.
const USUAL_SIDESLIP: f64 = 0.3;
/// Least speed of the search by the lowest of the point mass, and its floor, m/s: slip angles are
/// not defined at rest.
const LEAST_SPEED: (f64, f64) = (0.5, 0.5);
/// Places per station at which the line's curvature is checked.
const PLACES_PER_STATION: usize = 4;
/// Fraction of the vehicle's largest curvature that these places may have: between them, the line
/// bends a little more.
const CURVATURE_BETWEEN: f64 = 0.995;
/// Fraction of the vehicle's largest curvature to which it is lowered.
const CURVATURE_SHARE: f64 = 0.98;
/// The start's pedal is at most this fraction of the tyres' limit.
const STARTING_PEDAL: f64 = 0.9;
/// The speed at an open end is fixed where the point mass reaches this fraction of it.
const GIVEN_SPEED_SHARE: f64 = 0.999;

/// Finds the car's fastest lap near the line `start` of a point mass.
///
/// On an open road the lap begins at least at a walking speed: the tyres' slip is not defined at
/// rest.
///
/// # Errors
/// [`SolveError::Degenerate`] when points of the line coincide, [`SolveError::Speed`] for a vehicle
/// that cannot be simulated.
pub fn car_lap(
    task: Task,
    start: &TimeOptimal,
    reserve: Reserve,
    watch: &dyn Fn(Progress),
) -> Result<CarLap, SolveError> {
    car_lap_on(task, start, task.lap.vehicle, reserve, watch)
}

/// The same on the tyres of the vehicle `tyres`, of which that of the task is a variation: the
/// friction along the car is then what `tyres` makes of its longitudinal limit by its brake balance.
///
/// # Errors
/// Those of [`car_lap`].
pub fn car_lap_on(
    task: Task,
    start: &TimeOptimal,
    tyres: &Vehicle,
    reserve: Reserve,
    watch: &dyn Fn(Progress),
) -> Result<CarLap, SolveError> {
    let curve = SplineCurve::through(&start.points, task.corridor.closed).ok_or(SolveError::Degenerate)?;
    let line = ReferenceLine { curve, rooms: start.rooms.clone() };
    lap_along(task, &line, tyres, reserve, watch)
}

/// The same near a line through `points`, from which the car may move by `rooms` to the left and to
/// the right, m, and by the margin to the edges of the road at most.
///
/// # Errors
/// Those of [`car_lap`].
pub fn car_lap_near(
    task: Task,
    points: &[Point],
    rooms: &[[f64; 2]],
    reserve: Reserve,
    watch: &dyn Fn(Progress),
) -> Result<CarLap, SolveError> {
    let curve = SplineCurve::through(points, task.corridor.closed).ok_or(SolveError::Degenerate)?;
    let rooms = rooms.iter().map(|&[left, right]| Room { left, right }).collect();
    lap_along(task, &ReferenceLine { curve, rooms }, task.lap.vehicle, reserve, watch)
}

fn lap_along(
    task: Task,
    line: &ReferenceLine,
    tyres: &Vehicle,
    reserve: Reserve,
    watch: &dyn Fn(Progress),
) -> Result<CarLap, SolveError> {
    let vehicle = task.lap.vehicle;
    let tyres = Car::new(tyres, reserve).map_err(SpeedError::from)?.tyres();
    let car = Car::on_tyres(vehicle, tyres).map_err(SpeedError::from)?;
    let width_m = task.corridor.mean_width();
    let spacing = Spacing { longest_m: task.spacing_m, ..Spacing::of_stations(width_m) };
    let mut stations = stations(line, spacing, Margin { edges: task.edges, distance_m: task.margin_m });
    if !task.corridor.closed {
        pin_ends(&mut stations, task.corridor.pinned_ends());
    }
    let reference = Reference::new(task, &line.curve, stations)?;
    let frame = Arc::new(Frame { reference, car: car.clone() });
    Ok(optimum::search(frame, vehicle, car, None, watch))
}

/// The start line with its nodes, and the point mass on it.
#[derive(Clone, Debug)]
struct Reference {
    closed: bool,
    pinned_ends: [bool; 2],
    speeds: SpeedOptions,
    /// Mean width of the road, m.
    width_m: f64,
    stations: Vec<Station>,
    places: Vec<CurvePoint>,
    /// The road at each station.
    grounds: Vec<Ground>,
    profile: SpeedProfile,
}

impl Reference {
    fn new(task: Task, curve: &SplineCurve, mut stations: Vec<Station>) -> Result<Self, SolveError> {
        let mut along = 0.0;
        let mut places = Vec::with_capacity(stations.len());
        for station in &stations {
            places.push(curve.at(along));
            along += station.step;
        }
        let grounds = task.lap.relief.map(|relief| relief.along(&places));
        if let Some(grip) = task.lap.grip {
            let origins: Vec<Point> = stations.iter().map(|station| station.origin).collect();
            for (station, grip) in stations.iter_mut().zip(grip.along(&origins)) {
                station.grip = grip;
            }
        }
        let profile = task.profile(&stations, grounds.as_deref())?;
        let grounds = grounds.unwrap_or_else(|| vec![Ground::LEVEL; stations.len()]);
        let road = task.corridor;
        Ok(Self {
            closed: road.closed,
            pinned_ends: road.pinned_ends(),
            speeds: task.lap.speeds,
            width_m: road.mean_width(),
            stations,
            places,
            grounds,
            profile,
        })
    }

    /// Points with these offsets, m.
    fn points(&self, offsets: impl Iterator<Item = f64>) -> Vec<Point> {
        self.stations.iter().zip(offsets).map(|(station, offset)| station.point(offset)).collect()
    }

    /// The largest steering angle with which the lap `found` would bend no more than the vehicle's
    /// largest curvature; `None` where it does not bend more.
    ///
    /// The tyres' slip lets a car turn more sharply than it is steered, but the file's curvature is
    /// bounded for every vehicle.
    fn steering_within(&self, vehicle: &Vehicle, scales: &[f64; UNKNOWNS], found: &[[f64; UNKNOWNS]]) -> Option<f64> {
        let offsets = found.iter().map(|x| x[OFFSET] * scales[OFFSET]);
        let curve = SplineCurve::through(&self.points(offsets), self.closed)?;
        let places = curve.evenly(PLACES_PER_STATION * self.stations.len());
        let sharpest = places.iter().map(|place| place.curvature().abs()).fold(0.0, f64::max);
        if sharpest <= CURVATURE_BETWEEN * vehicle.max_curvature_radpm {
            return None;
        }
        let steered = found.iter().map(|x| x[STEERING].abs() * scales[STEERING]).fold(0.0, f64::max);
        let rolling = |curvature: f64| (vehicle.wheelbase_m * curvature).atan();
        let excess = rolling(sharpest) - rolling(CURVATURE_SHARE * vehicle.max_curvature_radpm);
        Some((steered - excess).max(0.5 * rolling(vehicle.max_curvature_radpm)))
    }

    fn nodes(&self) -> Vec<Node> {
        let n = self.stations.len();
        (0..n)
            .map(|i| {
                let (station, next) = (&self.stations[i], (i + 1) % n);
                let (ground, mean) = (self.grounds[i], self.grounds[i].mean(&self.grounds[next]));
                let turned = raceline_numerics::wrap_angle(self.places[next].heading() - self.places[i].heading());
                let length_m = station.step * mean.stretch;
                Node {
                    curvature: ground.geodesic(station.curvature),
                    low_m: station.low,
                    high_m: station.high,
                    length_m,
                    turn_rad: mean.geodesic_factor * mean.stretch * turned + mean.geodesic_offset * length_m,
                    ground,
                    grip: station.grip,
                }
            })
            .collect()
    }

    /// The program, and the point from which it is solved.
    fn problem<'c>(&self, car: &'c Car) -> (Problem<'c>, problem::Point) {
        let (nodes, width_m) = (self.nodes(), self.width_m);
        let n = nodes.len();
        let mean = |values: &mut dyn Iterator<Item = f64>| values.sum::<f64>() / n as f64;
        let length_m: f64 = self.stations.iter().map(|station| station.step).sum();
        let speed = length_m / self.profile.lap_time_s;
        let slowest = self.profile.speed_mps.iter().copied().fold(f64::INFINITY, f64::min);
        let least_speed_mps = (LEAST_SPEED.0 * slowest).max(LEAST_SPEED.1.min(LEAST_SPEED.0 * speed));
        let limit = car.longitudinal_limit_mps2();
        let mut problem = Problem {
            closed: self.closed,
            least_speed_mps,
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
            smoothing: [SMOOTHING * width_m * width_m / speed; 2],
            fixed: Vec::new(),
            car,
            nodes,
        };
        let mut start: Vec<[f64; UNKNOWNS]> = (0..n).map(|i| self.start(i, &problem, limit)).collect();
        self.fix_ends(&mut problem, &mut start);
        let scales = problem.scales;
        for x in &mut start {
            x.iter_mut().zip(&scales).for_each(|(entry, scale)| *entry /= scale);
        }
        (problem, start)
    }

    /// Unknowns of node `i` in their units: the car in a steady bend below the point mass's speed.
    fn start(&self, i: usize, problem: &Problem, limit: f64) -> [f64; UNKNOWNS] {
        let (node, car) = (&problem.nodes[i], problem.car);
        let speed = (STARTING_SPEED_SHARE * self.profile.speed_mps[i]).max(1.1 * problem.least_speed_mps);
        let acceleration = STARTING_SPEED_SHARE * STARTING_SPEED_SHARE * self.profile.accel_mps2[i];
        let motion = car.steady(speed, node.curvature, acceleration, &node.ground, node.grip);
        let mut x = [0.0; UNKNOWNS];
        x[HEADING] = -motion.leftward.atan2(motion.forward);
        x[FORWARD] = motion.forward;
        x[LEFTWARD] = motion.leftward;
        x[YAW_RATE] = motion.yaw_rate;
        x[STEERING] = motion.steering.clamp(-car.max_steering_rad, car.max_steering_rad);
        x[PEDAL] = motion.pedal.clamp(-STARTING_PEDAL * limit, STARTING_PEDAL * limit);
        x[OFFSET] = 0.0;
        x
    }

    /// Fixes the given speeds at the ends of an open road that the point mass reaches.
    fn fix_ends(&self, problem: &mut Problem, start: &mut [[f64; UNKNOWNS]]) {
        let Course::Open { start_speed_mps, end_speed_mps } = self.speeds.course(problem.closed) else {
            return;
        };
        let last = start.len() - 1;
        for (node, given) in [(0, start_speed_mps), (last, end_speed_mps)] {
            let reached = self.profile.speed_mps[node];
            if given.is_some_and(|given| reached >= GIVEN_SPEED_SHARE * given.max(SPEED_FLOOR_MPS)) {
                start[node][FORWARD] = reached.max(1.1 * problem.least_speed_mps);
                problem.fixed.push((node, FORWARD));
            }
        }
        for (node, is_pinned) in [0, last].into_iter().zip(self.pinned_ends) {
            if is_pinned {
                let station = &mut problem.nodes[node];
                start[node][OFFSET] = 0.0;
                (station.low_m, station.high_m) = (-problem.scales[OFFSET], problem.scales[OFFSET]);
                problem.fixed.push((node, OFFSET));
            }
        }
    }
}
