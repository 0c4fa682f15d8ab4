//! The search for the lap at one price of energy.

use std::sync::Arc;

use super::lap::{CarLap, CarState};
use super::mesh;
use super::model::Car;
use super::optimum::{Frame, Optimum};
use super::price::Price;
use super::problem::{FORWARD, LEFTWARD, OFFSET, PEDAL, STEERING, YAW_RATE};
use super::program::{self, Progress, Settings, Status};
use crate::SolveError;
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
/// Number of times that the largest steering angle is lowered where the line bends more than the
/// vehicle may, each with a few more steps.
const STEERING_ROUNDS: usize = 8;

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
