//! The search for the lap at one price of energy.

use std::sync::Arc;

use super::lap::CarLap;
use super::mesh;
use super::model::Car;
use super::optimum::{Frame, Optimum};
use super::price::Price;
use super::problem::{FORWARD, LEFTWARD, OFFSET, PEDAL, Point, Problem, STEERING, YAW_RATE};
use super::program::{self, Duals, Progress, Settings, Solution, Status};
use super::state::CarState;
use crate::SolveError;
use raceline_car::Vehicle;
use raceline_numerics::math;

/// Initial and final barrier, relative to the mean time between nodes.
pub(super) const BARRIERS: (f64, f64) = (2e-3, 1e-6);
/// Last barrier of a lap of a stint: the laps of a stint differ by less than what is left of their
/// barriers, which is the same for all.
const STINT_BARRIER: f64 = 1e-5;
/// Last barrier of a coarse lap at which the whole program begins.
pub(super) const COARSE_BARRIER: f64 = 3e-4;
/// Multipliers of a lap nearby are kept within this factor of those of the slacks.
pub(super) const WARM_BAND: f64 = 1000.0;
/// A barrier problem is solved when its residual is at most this many times the barrier.
const TOLERANCE: f64 = 10.0;
/// Largest initial barrier from a solution nearby.
const WARM_BARRIER: f64 = 3e-4;
/// Initial barrier where the price alone has changed, at most by the factor exp of the second.
const NEAR_PRICE: (f64, f64) = (1e-5, 0.1);
/// Maximum number of Newton steps, and from a solution nearby.
const MAX_ITERATIONS: (usize, usize) = (300, 60);
/// Number of times that the bound of the curvature is lowered where the line bends more than the
/// vehicle may, each with a few more steps.
const CURVATURE_ROUNDS: usize = 8;

/// Where a search begins.
pub(super) enum Start<'a> {
    /// Below the point mass's speeds.
    Cold,
    /// At the solution of a vehicle nearby, or at another price.
    Near(&'a Optimum),
    /// At the coarse lap with its multipliers, at all nodes.
    Coarse(Point, Duals),
}

/// Searches the lap of `car`, that of `vehicle`, with the smallest sum of its time and the price of
/// its energy.
pub(super) fn search_at(
    frame: Arc<Frame>,
    vehicle: &Vehicle,
    mut car: Car,
    price: Price,
    begin: Start,
    watch: &dyn Fn(Progress),
) -> Result<CarLap, SolveError> {
    let reference = &frame.reference;
    let (framed, start) = reference.problem(&frame.car, price);
    let is_stint = price.tariff.is_some() && !price.is_free();
    let last_barrier = if is_stint { STINT_BARRIER } else { BARRIERS.1 };
    let cold = Settings {
        first_barrier: BARRIERS.0,
        last_barrier,
        resumed_barrier: last_barrier,
        resumed_band: WARM_BAND,
        tolerance: TOLERANCE,
        max_iterations: MAX_ITERATIONS.0,
        ..Settings::default()
    };
    let is_priced_anew = matches!(begin, Start::Near(near) if !near.price.is_like(price));
    let is_priced_alike = matches!(begin, Start::Near(near) if near.price.is_near(price, NEAR_PRICE.1));
    let warm = Settings {
        first_barrier: WARM_BARRIER,
        resumed_barrier: match (is_priced_anew, is_priced_alike) {
            (false, _) => last_barrier,
            (true, true) => NEAR_PRICE.0.max(last_barrier),
            (true, false) => WARM_BARRIER,
        },
        max_iterations: if is_priced_anew { MAX_ITERATIONS.0 } else { MAX_ITERATIONS.1 },
        ..cold
    };
    // The bound of the curvature changes by a little.
    let near = Settings { resumed_barrier: WARM_BARRIER, max_iterations: MAX_ITERATIONS.0, ..warm };
    let problem = framed.with_car(&car);
    let mut found = match begin {
        Start::Cold => mesh::solve_by_meshes(&problem, start, &cold, watch)?,
        Start::Near(near) => program::solve(&problem, near.point.clone(), Some(&near.duals), &warm, watch)?,
        Start::Coarse(point, duals) => {
            let finely = Settings { resumed_barrier: COARSE_BARRIER, resumed_band: mesh::BAND, ..cold };
            program::solve(&problem, point, Some(&duals), &finely, watch)?
        }
    };
    let within = |framed: &Problem, car: &mut Car, mut found: Solution| -> Result<Solution, SolveError> {
        for _ in 0..CURVATURE_ROUNDS {
            let Some(factor) = reference.lower_curvature(vehicle, &framed.scales, &found.point) else { break };
            if found.status != Status::Converged {
                break;
            }
            car.max_curvature_radpm *= factor;
            let problem = framed.with_car(car);
            found = found.then(program::solve(&problem, found.point.clone(), Some(&found.duals), &near, watch)?);
        }
        Ok(found)
    };
    found = within(&framed, &mut car, found)?;
    // The few laps whose body leaves the road are searched on from here: all others are what they
    // are without these bounds. Where the steering is too slow or too small for them, they are
    // violated.
    let mut keeps_corners = false;
    if found.status == Status::Converged && reference.violates_corners(&framed, &found.point) {
        let bounded = reference.with_corners(framed.clone());
        let mut turning = car.clone();
        let problem = bounded.with_car(&turning);
        let first = Settings { max_iterations: MAX_ITERATIONS.1, ..near };
        let kept = found.then(program::solve(&problem, found.point.clone(), Some(&found.duals), &first, watch)?);
        let kept = within(&bounded, &mut turning, kept)?;
        keeps_corners = kept.status == Status::Converged;
        if keeps_corners {
            (found, car) = (kept, turning);
        } else {
            (found.iterations, found.factorisations) = (kept.iterations, kept.factorisations);
        }
    }
    let problem = framed.with_car(&car);
    let mut time_s = 0.0;
    let times = problem.interval_times(&found.point);
    let states = found.point.iter().zip(times).map(|(x, time)| {
        let x = problem.unscaled(x);
        let state = CarState {
            time_s,
            speed_mps: math::hypot(x[FORWARD], x[LEFTWARD]),
            sideslip_rad: math::atan2(x[LEFTWARD], x[FORWARD]),
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
            keeps_corners,
            point: found.point,
            duals: found.duals,
            frame,
        },
    })
}
