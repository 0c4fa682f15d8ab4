//! A lap that was found, with the multipliers of its program: how it changes with the vehicle.
//!
//! **Sensitivities.** At the solution of `minimise f(x, θ) subject to c(x, θ) = 0, g(x, θ) ≤ 0`
//! with the multipliers y and z, the minimum of f changes with a parameter θ by
//!
//! ```text
//! df/dθ = ∂L/∂θ,   L = f + y c + z g                                                         (1)
//! ```
//!
//! at a fixed x: the adjoint, since y and z are what a change of the equations and limits costs
//! (Fiacco, *Introduction to Sensitivity and Stability Analysis in Nonlinear Programming*, 1983,
//! chapter 3). One solution gives the derivatives by all parameters. ∂L/∂θ is a difference of L
//! with the vehicle changed and everything else fixed: L is smooth and costs microseconds, the
//! difference has an error of 1e-8, and each parameter acts through the same code as in the search,
//! tables and gear changes included. Dual numbers would have to be carried through the vehicle's
//! limit curves.
//!
//! Fixed are the parts of the program that are not the vehicle: nodes, bounds of the offset and
//! lowest speed, scales and the weight of the smoothing, and the tyres
//! ([`Tyres`](super::model::Tyres)). The derivatives are those of the lap time and the price of the
//! smoothing, some hundredths of a percent of it. Where energy is limited, the effects are those on
//! the time at the same budget, since a budget that does not change adds nothing to L.
//!
//! **Warm starts.** The fastest lap of a vehicle near this one is searched on the same nodes from
//! this solution and its multipliers.

use std::sync::Arc;

use super::mesh;
use super::model::Car;
use super::price::{Energy, Price};
use super::problem::{FORWARD, LEFTWARD, OFFSET, PEDAL, Point, STEERING, Values, YAW_RATE};
use super::program::{self, Duals, Progress, Settings, Status};
use super::reference::Reference;
use super::{CarLap, CarState, SolveError};
use crate::speed::{Sensitivity, SpeedError, sensitivities_of};
use raceline_car::Vehicle;

/// Initial and final barrier, relative to the mean time between nodes.
const BARRIERS: (f64, f64) = (2e-3, 1e-6);
/// Multipliers of a lap nearby are kept within this factor of those of the slacks.
const WARM_BAND: f64 = 1000.0;
/// A barrier problem is solved when its residual is at most this many times the barrier.
const TOLERANCE: f64 = 10.0;
/// Largest initial barrier from a solution nearby.
const WARM_BARRIER: f64 = 3e-4;
/// Maximum number of Newton steps, and from a solution nearby.
const MAX_ITERATIONS: (usize, usize) = (300, 60);
/// Effects of 1 % that are below this fraction of the lap count as zero. The last barrier gives a
/// limit that is not reached a multiplier of about this size.
const MIN_FRACTION_PER_PERCENT: f64 = 1e-7;
/// Number of times that the largest steering angle is lowered where the line bends more than the
/// vehicle may, each with a few more steps.
const STEERING_ROUNDS: usize = 8;

/// The program without a vehicle: the nodes, and the car by which it is scaled.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub reference: Reference,
    pub car: Car,
    pub energy: Energy,
}

/// The solution of a car's program.
#[derive(Clone, Debug)]
pub struct Optimum {
    pub(super) frame: Arc<Frame>,
    /// Price of energy in the program.
    pub(super) price: Price,
    vehicle: Vehicle,
    pub(super) car: Car,
    /// Whether the largest steering angle was lowered for the line's curvature.
    steers_less: bool,
    point: Point,
    duals: Duals,
}

/// Searches the lap of `car`, that of `vehicle`, with the smallest sum of its time and the price of
/// its energy: from below the point mass's speeds, or from a solution nearby.
pub(super) fn search_at(
    frame: Arc<Frame>,
    vehicle: &Vehicle,
    mut car: Car,
    price: Price,
    near: Option<&Optimum>,
    watch: &dyn Fn(Progress),
) -> Result<CarLap, SolveError> {
    let reference = &frame.reference;
    let (framed, start) = reference.problem(&frame.car, price);
    let cold = Settings {
        first_barrier: BARRIERS.0,
        last_barrier: BARRIERS.1,
        resumed_barrier: BARRIERS.1,
        resumed_band: WARM_BAND,
        tolerance: TOLERANCE,
        max_iterations: MAX_ITERATIONS.0,
        ..Settings::default()
    };
    let is_priced_anew = near.is_some_and(|near| near.price != price);
    let warm = Settings {
        first_barrier: WARM_BARRIER,
        resumed_barrier: if is_priced_anew { WARM_BARRIER } else { BARRIERS.1 },
        max_iterations: if is_priced_anew { MAX_ITERATIONS.0 } else { MAX_ITERATIONS.1 },
        ..cold
    };
    let mut found = match near {
        None => mesh::solve_by_meshes(&framed.with_car(&car), start, &cold, watch)?,
        Some(near) => {
            let problem = framed.with_car(&car);
            program::solve(&problem, near.point.clone(), Some(&near.duals), &warm, watch)?
        }
    };
    let mut steers_less = false;
    for _ in 0..STEERING_ROUNDS {
        let Some(angle) = reference.steering_within(vehicle, &framed.scales, &found.point) else { break };
        if found.status != Status::Converged {
            break;
        }
        car.max_steering_rad = angle;
        steers_less = true;
        let (iterations, factorisations) = (found.iterations, found.factorisations);
        let problem = framed.with_car(&car);
        found = match near {
            None => program::solve(&problem, found.point, None, &cold, watch)?,
            Some(_) => program::solve(&problem, found.point, Some(&found.duals), &warm, watch)?,
        };
        found.iterations += iterations;
        found.factorisations += factorisations;
    }
    let problem = framed.with_car(&car);
    let mut time_s = 0.0;
    let times = problem.interval_times(&found.point);
    let states = found.point.iter().zip(times).map(|(x, time)| {
        let x = problem.unscaled(x);
        let state = CarState {
            time_s,
            speed_mps: x[FORWARD].hypot(x[LEFTWARD]),
            sideslip_rad: x[LEFTWARD].atan2(x[FORWARD]),
            yaw_rate_radps: x[YAW_RATE],
            steering_rad: x[STEERING],
            pedal: car.pedal_fraction(x[PEDAL], x[FORWARD]),
        };
        time_s += time;
        state
    });
    let states = states.collect();
    let offsets = found.point.iter().map(|x| x[OFFSET] * problem.scales[OFFSET]);
    let points = reference.points(offsets);
    Ok(CarLap {
        points,
        states,
        lap_time_s: found.time_s,
        energy_j: found.energy_j,
        energy_price_spj: price.seconds_per_joule,
        status: found.status,
        iterations: found.iterations,
        factorisations: found.factorisations,
        error: found.error,
        violation: found.violation,
        optimum: Optimum {
            price,
            vehicle: vehicle.clone(),
            car,
            steers_less,
            point: found.point,
            duals: found.duals,
            frame,
        },
    })
}

impl Optimum {
    /// The effect of every number of the vehicle on the lap time, set-up included, where the
    /// vehicle has no such key for the value that the model uses; the largest per percent first.
    ///
    /// # Errors
    /// [`SpeedError::Vehicle`] for a vehicle that cannot be changed.
    pub fn sensitivities(&self) -> Result<Vec<Sensitivity>, SpeedError> {
        let filled = self.vehicle.with_defaults();
        let mut vehicle = self.vehicle.clone();
        // The fraction of the downforce needs it, and is listed.
        vehicle.front_weight_fraction = filled.front_weight_fraction;
        let parameters = filled.all_parameters()?;
        sensitivities_of(&|vehicle| self.lagrangian_s(vehicle), &vehicle, parameters, MIN_FRACTION_PER_PERCENT)
    }

    /// The Lagrangian of the program of `vehicle` at this solution, s.
    ///
    /// # Errors
    /// [`SpeedError::Vehicle`] for an invalid vehicle.
    pub fn lagrangian_s(&self, vehicle: &Vehicle) -> Result<f64, SpeedError> {
        let mut car = Car::on_tyres(vehicle, self.car.tyres())?;
        if self.steers_less {
            car.max_steering_rad = self.car.max_steering_rad;
        }
        let (framed, _) = self.frame.reference.problem(&self.frame.car, self.price);
        let problem = framed.with_car(&car);
        let mut values = Values::zeros(self.point.len());
        problem.evaluate(&self.point, &mut values);
        let equations = values.equations.as_flattened().iter().zip(self.duals.prices.as_flattened());
        let limits = values.limits.as_flattened().iter().zip(self.duals.multipliers.as_flattened());
        let prices: f64 = equations.chain(limits).map(|(value, price)| value * price).sum();
        Ok((values.objective + prices) / problem.per_second) // L of equation (1)
    }
}
