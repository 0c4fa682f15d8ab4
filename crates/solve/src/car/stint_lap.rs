//! The search for a lap of a stint at the prices of its uses, equation (5) of `tariff`.

use std::sync::Arc;

use super::lap::CarLap;
use super::lap_search::{Start, search_at};
use super::model::{Car, Motion};
use super::optimum::Optimum;
use super::price::Price;
use super::problem::{FORWARD, LEFTWARD, PEDAL, STEERING, YAW_RATE};
use super::program::{Progress, Status};
use super::tariff::{Powertrain, Tariff, Uses};
use crate::SolveError;
use crate::speed::SpeedError;
use raceline_car::Vehicle;

/// ε of equation (1) of `tariff`, m/s²: a car that coasts counts as using the engine with 0.1 m/s².
const ROUNDING_MPS2: f64 = 0.2;
/// ε of a lap that is searched without one nearby.
const FIRST_ROUNDING_MPS2: f64 = 1.0;
/// Mass and tyre limits of a lap nearby differ by at most this fraction.
const NEAR: f64 = 0.02;

/// A lap of a stint, with what it uses.
#[derive(Clone, Debug)]
pub struct StintLap {
    /// The lap. Its energy is the cost of the uses, s.
    pub lap: CarLap,
    /// What it uses, J.
    pub uses: Uses,
    /// The smallest T + Σ λ_j U_j with the price of the smoothing, s (module `tariff`).
    pub value_s: f64,
}

/// Finds the lap of minimum T + Σ λ_j U_j of a vehicle on the nodes and the tyres of the lap
/// `near`.
/// It is searched from that lap where mass and tyre limits are near, and else, or where no lap is
/// found from there, as a lap is searched without one, with the pedals rounded more at first.
///
/// # Errors
/// [`SolveError::Speed`] for a vehicle that cannot be simulated, [`SolveError::NoCarLap`] where the
/// search does not converge.
pub fn stint_lap(
    near: &Optimum,
    vehicle: &Vehicle,
    powertrain: Powertrain,
    prices: Uses,
    watch: &dyn Fn(Progress),
) -> Result<StintLap, SolveError> {
    let tariff = Some(Tariff { powertrain, prices });
    let at = |rounding_mps2: f64| Price { seconds_per_joule: 1.0, recuperation: 0.0, rounding_mps2, tariff };
    let car = Car::on_tyres(vehicle, near.car.tyres()).map_err(SpeedError::from)?;
    let search =
        |price: Price, begin: Start| search_at(Arc::clone(&near.frame), vehicle, car.clone(), price, begin, watch);
    let price = at(ROUNDING_MPS2);
    let mut lap = None;
    if is_near(&near.vehicle, vehicle) {
        lap = Some(search(price, Start::Near(near))?);
    }
    if !lap.as_ref().is_some_and(is_found) {
        for begin in [None, Some(near)] {
            let rounded = search(at(FIRST_ROUNDING_MPS2), begin.map_or(Start::Cold, Start::Near))?;
            if is_found(&rounded) {
                lap = Some(search(price, Start::Near(&rounded.optimum))?);
            }
            if lap.as_ref().is_some_and(is_found) {
                break;
            }
        }
    }
    let lap = lap.filter(is_found).ok_or(SolveError::NoCarLap)?;
    let uses = lap.optimum.uses(powertrain);
    let value_s = lap.optimum.lagrangian_s(vehicle)?;
    Ok(StintLap { lap, uses, value_s })
}

fn is_found(lap: &CarLap) -> bool {
    lap.status == Status::Converged
}

/// Whether the lap of a vehicle is found from that of another: its multipliers help for changes of
/// a few percent.
fn is_near(a: &Vehicle, b: &Vehicle) -> bool {
    let alike = |a: f64, b: f64| (a - b).abs() <= NEAR * b.abs();
    alike(a.mass_kg, b.mass_kg)
        && alike(a.lateral_limit_mps2, b.lateral_limit_mps2)
        && a.ggv_table.iter().flatten().zip(b.ggv_table.iter().flatten()).all(|(a, b)| alike(*a, *b))
}

impl Optimum {
    /// What the lap uses with a powertrain, J.
    fn uses(&self, powertrain: Powertrain) -> Uses {
        let problem = self.problem(&self.car);
        let mass_kg = self.car.mass_kg;
        let mut sums = Uses::default();
        for (i, x) in self.point.iter().enumerate() {
            let x = problem.unscaled(x);
            let node = &problem.nodes[i];
            let length_m = problem.node_length_m(i);
            let motion = Motion {
                forward: x[FORWARD],
                leftward: x[LEFTWARD],
                yaw_rate: x[YAW_RATE],
                steering: x[STEERING],
                pedal: x[PEDAL],
            };
            let work = mass_kg * x[FORWARD] * problem.time_by_length(node, &x) * length_m;
            let [engine, deployed, recuperated] =
                powertrain.pedals(mass_kg, x[FORWARD], x[PEDAL], self.price.rounding_mps2);
            sums.engine += work * engine;
            sums.deployed += work * deployed;
            sums.recuperated += work * recuperated;
            sums.friction += work * self.car.sliding(motion, &node.ground, node.grip);
        }
        sums
    }
}
