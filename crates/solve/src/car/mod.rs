//! The fastest lap of a car with axles, tyres and inertia, from a point mass's line on.
//!
//! The car is a single track of seven unknowns per place, with load transfer, aerodynamics, a tyre
//! with a peak at each axle, and bounded rates of steering and pedal (`model`). Its lap is a
//! nonlinear program on nodes along the start line (`problem`), solved by an interior-point method
//! with exact second derivatives ([`nonlinear_program`](raceline_numerics::nonlinear_program)), on
//! every fourth node first (`mesh`).
//! Derivatives of the equations' parts are those of numbers that carry them (`number`), so the
//! equations are written once; the chain rule joins them (`model::derivatives`). Newton's matrix is
//! eliminated stage by stage ([`StageCycle`](raceline_numerics::StageCycle)), in segments on which
//! several threads work (`newton`).
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
mod energy;
mod linearised;
mod mesh;
mod model;
mod newton;
mod number;
mod optimum;
mod price;
mod problem;
mod program;
mod reference;

pub use super::reserve::Reserve;
pub use axle_use::{AxleUse, Axles};
pub use energy::car_lap_from;
pub use optimum::Optimum;
pub use price::{Energy, EnergyLimit};
pub use program::{Progress, Status};

use std::sync::Arc;

use super::SolveError;
use super::stations::{Margin, ReferenceLine, Room, Spacing, pin_ends, stations};
use super::time_optimal::{Task, TimeOptimal};
use crate::speed::SpeedError;
use crate::{Objective, SolveOptions};
use model::Car;
use optimum::Frame;
use raceline_car::Vehicle;
use raceline_road::geometry::{Point, SplineCurve};
use reference::Reference;

/// The car at a point of its line.
#[derive(Clone, Copy, Debug)]
pub struct CarState {
    /// Time from the start, s.
    pub time_s: f64,
    /// Speed of the centre of gravity, m/s.
    pub speed_mps: f64,
    /// Angle from the body to the direction of travel, rad, positive to the left.
    pub sideslip_rad: f64,
    /// Yaw rate, rad/s, positive to the left.
    pub yaw_rate_radps: f64,
    /// Angle of the front wheels, rad, positive to the left.
    pub steering_rad: f64,
    /// Drive as a fraction of the drive's limit at this speed, or the negative of braking as a
    /// fraction of the tyres' longitudinal limit.
    pub pedal: f64,
}

/// Options of the search for a car's lap.
///
/// ```
/// # use raceline_road::{edges::RoadShape, track::{Track, TrackOptions}};
/// # let angle = |i: i32| f64::from(i) * std::f64::consts::TAU / 48.0;
/// # let middle: Vec<[f64; 2]> = (0..48).map(|i| [60.0 * angle(i).cos(), 60.0 * angle(i).sin()]).collect();
/// # let track = Track::from_centre_line(&middle, &[[5.0, 5.0]; 48], RoadShape::Closed, &TrackOptions::default())?;
/// # use raceline_car::preset;
/// # use raceline_solve::time_optimal::{Task, time_optimal};
/// # use raceline_solve::{Corridor, EdgeDistance};
/// # let (vehicle, edges) = (preset("kart")?, EdgeDistance::new(&track));
/// # let margin_m = vehicle.margin_m();
/// # let corridor = Corridor::new(&track, &edges, margin_m)?;
/// # let spacing_m = track.spacing_m;
/// # let task = Task { corridor: &corridor, edges: &edges, margin_m, spacing_m, lap: (&vehicle).into() };
/// use raceline_solve::car::{CarOptions, Energy, EnergyLimit, car_lap};
///
/// let start = time_optimal(task, &corridor.middle())?;
/// let free = car_lap(task, &start, CarOptions::default(), &|_| {})?;
/// let limit = EnergyLimit::Price(1e-4); // s/J
/// let priced = CarOptions { energy: Energy { limit, recuperation: 0.0 }, ..CarOptions::default() };
/// let saving = car_lap(task, &start, priced, &|_| {})?;
/// assert!(saving.energy_j < free.energy_j && saving.lap_time_s > free.lap_time_s);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CarOptions {
    /// Reserve of the tyres that the lap leaves to the driver.
    pub reserve: Reserve,
    /// The energy that it may take.
    pub energy: Energy,
}

/// The car's lap and statistics of the search.
#[derive(Clone, Debug)]
pub struct CarLap {
    /// Points of the line; a closed line does not repeat its first point.
    pub points: Vec<Point>,
    /// The car at each of them.
    pub states: Vec<CarState>,
    /// Lap time, s.
    pub lap_time_s: f64,
    /// Work of the drive at the tyres, less the part of the brakes' work that returns, J.
    pub energy_j: f64,
    /// Price of a joule in the search, s/J: where a budget limits the energy, the seconds that one
    /// more joule saves.
    pub energy_price_spj: f64,
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
                let fraction = ((place - knots[i]) / (knots[i + 1] - knots[i])).clamp(0.0, 1.0);
                let (a, b) = (&self.states[i % n], &self.states[(i + 1) % n]);
                let between = |from: f64, to: f64| from + fraction * (to - from);
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

/// Finds the car's fastest lap near the line `start` of a point mass.
///
/// On an open road the lap begins at least at a walking speed: the tyres' slip is not defined at
/// rest.
///
/// # Errors
/// [`SolveError::Degenerate`] when points of the line coincide, [`SolveError::Speed`] for a vehicle
/// that cannot be simulated, [`SolveError::EnergyBudget`] for a budget of energy that no lap keeps
/// to.
pub fn car_lap(
    task: Task,
    start: &TimeOptimal,
    options: CarOptions,
    watch: &dyn Fn(Progress),
) -> Result<CarLap, SolveError> {
    car_lap_on(task, start, task.lap.vehicle, options, watch)
}

/// Searches the lap of the car on the tyres of the vehicle `tyres`, of which the vehicle of the
/// task is a variation: the longitudinal friction then follows from the longitudinal limit and the
/// brake balance of `tyres`.
///
/// # Errors
/// The errors of [`car_lap`].
pub fn car_lap_on(
    task: Task,
    start: &TimeOptimal,
    tyres: &Vehicle,
    options: CarOptions,
    watch: &dyn Fn(Progress),
) -> Result<CarLap, SolveError> {
    let curve = SplineCurve::through(&start.points, task.corridor.closed).ok_or(SolveError::Degenerate)?;
    let line = ReferenceLine { curve, rooms: start.rooms.clone() };
    lap_along(task, &line, tyres, options, watch)
}

/// Searches the lap of the car near a line through `points`, from which the car may move by `rooms`
/// to the left and to the right, m, and at most as far as the margin to the edges of the road.
///
/// # Errors
/// The errors of [`car_lap`].
pub fn car_lap_near(
    task: Task,
    points: &[Point],
    rooms: &[[f64; 2]],
    options: CarOptions,
    watch: &dyn Fn(Progress),
) -> Result<CarLap, SolveError> {
    let curve = SplineCurve::through(points, task.corridor.closed).ok_or(SolveError::Degenerate)?;
    let rooms = rooms.iter().map(|&[left, right]| Room { left, right }).collect();
    lap_along(task, &ReferenceLine { curve, rooms }, task.lap.vehicle, options, watch)
}

fn lap_along(
    task: Task,
    line: &ReferenceLine,
    tyres: &Vehicle,
    options: CarOptions,
    watch: &dyn Fn(Progress),
) -> Result<CarLap, SolveError> {
    let vehicle = task.lap.vehicle;
    let tyres = Car::new(tyres, options.reserve).map_err(SpeedError::from)?.tyres();
    let car = Car::on_tyres(vehicle, tyres).map_err(SpeedError::from)?;
    let width_m = task.corridor.mean_width();
    let spacing = Spacing { longest_m: task.spacing_m, ..Spacing::of_stations(width_m) };
    let mut stations = stations(line, spacing, Margin { edges: task.edges, distance_m: task.margin_m });
    if !task.corridor.closed {
        pin_ends(&mut stations, task.corridor.pinned_ends());
    }
    let reference = Reference::new(task, &line.curve, stations)?;
    let frame = Arc::new(Frame { reference, car: car.clone(), energy: options.energy });
    energy::search(frame, vehicle, &car, None, watch)
}

impl SolveOptions {
    /// The options of the lap of `model = "car"`.
    #[must_use]
    pub fn car(&self) -> CarOptions {
        let limit = match (self.objective, self.energy_j, self.energy_price_spj) {
            (Objective::Energy, Some(budget_j), _) => EnergyLimit::Budget(budget_j),
            (Objective::Energy, None, Some(price)) => EnergyLimit::Price(price),
            _ => EnergyLimit::None,
        };
        CarOptions {
            reserve: Reserve { longitudinal: self.longitudinal_reserve, rear: self.rear_reserve },
            energy: Energy { limit, recuperation: self.recuperation.unwrap_or_default() },
        }
    }
}
