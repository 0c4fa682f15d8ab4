//! The prices of all laps of a stint, by the value of a lap.
//!
//! With the costates p of the states after lap k, that lap is the one of minimum
//!
//! ```text
//! t + p_f (-U_e / c) + p_w U_s / L + p_T T'(T, U_s, t) + p_q (U_r - U_d)                      (1)
//! ```
//!
//! c and L are the fuel's work and the tyres' life, U the work of the engine, the sliding, and what
//! is recuperated and deployed. To first order in T' this is (1 + a)(t + λ U) with a = p_T ∂T'/∂t, so
//! the lap's prices are
//!
//! ```text
//! λ_e = -p_f / (c (1 + a))     λ_s = (p_w / L + p_T ∂T'/∂U_s) / (1 + a)     λ_d = λ_r = -p_q / (1 + a)   (2)
//! ```
//!
//! and the costates before the lap, with V of [`value`](super::value),
//!
//! ```text
//! p_f + (1 + a) V_m     p_w + (1 + a) V_g g_w     p_T ∂T'/∂T + (1 + a) V_g g_T     p_q        (3)
//! ```
//!
//! The costates at the end are the prices of the budgets, p_f at the start is 0 where the fuel is
//! free, and p_q changes where the charge is at an end of its range: the lap at which a stint with
//! one price leaves the range the most splits it into two of such stints, which is exact for
//! resources that are bounded at the end of every lap (Vidal, Gribel and Jaillet, *Separable convex
//! optimization with nested lower and upper constraints*, INFORMS Journal on Optimization 1, 2019).
//! What is recuperated in a lap has a price of its own, lower than that of the deployed, where a rule
//! limits it.
//!
//! No price is below 0: a car does not burn fuel or wear tyres on purpose.
//!
//! Prices and budgets are iterated together: (2) and (3) from the last prices, and a Newton step for
//! the price of each budget by how its use falls with it. As the states change little in a lap, they
//! contract.

use super::StintCar;
use super::conditions::State;
use super::value::{AXES, DEPLOYED, ENGINE, FRICTION, GRIP, LapValue, MASS, Place, RECUPERATED, Value};
use crate::solve::car::Uses;

/// Largest number of iterations.
const MAX_ITERATIONS: usize = 2000;
/// Fraction of the step to the new prices.
const STEP: f64 = 0.6;
/// The iteration ends where no price changes by more than this fraction of that at which its use
/// would cost the lap time.
const SETTLED: f64 = 1e-10;
/// A budget is kept to this fraction of what a lap uses.
const KEPT: f64 = 1e-7;
/// Largest number of laps at which the charge is at an end of its range.
const MAX_SPLITS: usize = 64;
/// Fraction of the capacity by which the charge may leave its range.
const CHARGE_TOLERANCE: f64 = 1e-6;

/// A lap of a course.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Lap {
    /// At its start.
    pub state: State,
    /// Mass, grip and prices.
    pub place: Place,
    pub value: Value,
    /// t of the value, which contains the price of the smoothing, s.
    pub time_s: f64,
    pub uses: Uses,
}

/// The laps of a stint by the value of a lap.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Course {
    pub laps: Vec<Lap>,
    /// At the end.
    pub end: State,
    /// Largest change of a price in the last iteration, by that at which its use would cost the lap
    /// time.
    pub stationarity: f64,
    /// Largest violation of a budget, as a fraction of what a lap uses.
    pub excess: f64,
    /// The price of fuel and battery in s/J, and that of a worn tyre in s: what more of each would save.
    pub budgets: Budgets,
}

/// Prices of the budgets.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Budgets {
    /// Of the fuel, s/kg.
    pub fuel_spkg: f64,
    /// Of the largest wear, s.
    pub wear_s: f64,
    /// Of the charge in each lap, s/J.
    pub charge_spj: Vec<f64>,
    /// By how much that of what is recuperated is lower.
    pub recuperated_spj: Vec<f64>,
}

/// The stint to solve.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task<'a> {
    pub car: &'a StintCar,
    /// Mass without fuel, kg.
    pub mass_kg: f64,
    pub laps: usize,
    pub value: &'a LapValue,
    /// Largest prices that the value is trusted for.
    pub max_prices: [f64; AXES],
}

impl Course {
    /// The stint with the minimum time.
    pub fn solve(task: &Task, before: Option<&Self>) -> Self {
        // The lap at whose end the charge is at an end of its range, and that charge.
        let mut pins: Vec<(usize, f64)> = Vec::new();
        let mut course = Self::with_pins(task, &pins, before);
        let Some(battery) = &task.car.battery else { return course };
        let tolerance = CHARGE_TOLERANCE * battery.capacity_j;
        for _ in 0..MAX_SPLITS.min(task.laps) {
            let beyond = |charge_j: f64| (-charge_j).max(charge_j - battery.capacity_j);
            let charges = course.unclipped_charges(battery.capacity_j);
            let inner = charges.iter().enumerate().take(task.laps.saturating_sub(1));
            let worst = inner
                .filter(|(lap, _)| pins.iter().all(|pin| pin.0 != *lap))
                .max_by(|a, b| beyond(*a.1).total_cmp(&beyond(*b.1)));
            let Some((lap, &charge_j)) = worst.filter(|(_, charge_j)| beyond(**charge_j) > tolerance) else { break };
            pins.push((lap, if charge_j < 0.0 { 0.0 } else { battery.capacity_j }));
            pins.sort_by_key(|pin| pin.0);
            course = Self::with_pins(task, &pins, Some(&course));
        }
        course
    }

    /// The charge after each lap, if the battery took more than its capacity.
    fn unclipped_charges(&self, capacity_j: f64) -> Vec<f64> {
        let charge = |lap: &Lap| lap.state.charge_j - lap.uses.deployed + lap.uses.recuperated;
        // A lap with a price of 0 fills a full battery: there is nothing to gain from a pin.
        let is_free = |lap: &Lap| lap.place[DEPLOYED] == 0.0;
        self.laps.iter().map(|lap| if is_free(lap) { charge(lap).min(capacity_j) } else { charge(lap) }).collect()
    }

    fn with_pins(task: &Task, pins: &[(usize, f64)], before: Option<&Self>) -> Self {
        let n = task.laps;
        let mut budgets = before.map_or_else(Budgets::default, |before| before.budgets.clone());
        budgets.charge_spj.resize(n, 0.0);
        budgets.recuperated_spj.resize(n, 0.0);
        let mut prices: Vec<Uses> = match before {
            Some(before) => before.laps.iter().map(|lap| prices_of(&lap.place)).collect(),
            None => vec![Uses::default(); n],
        };
        let mut fuel_kg = before.map_or(0.0, |before| before.laps[0].state.fuel_kg);
        let mut course = forward(task, &prices, fuel_kg);
        for _ in 0..MAX_ITERATIONS {
            fuel_kg = start_fuel_kg(task.car, &course);
            course = forward(task, &prices, fuel_kg);
            let excess = adapt(task, pins, &course, &mut budgets);
            let next = backward(task, &course, &budgets);
            let mut change: f64 = 0.0;
            for (price, next) in prices.iter_mut().zip(&next) {
                for axis in ENGINE..AXES {
                    let (was, to) = (price_of(price, axis), price_of(next, axis));
                    change = change.max((to - was).abs() / task.value.price_scale(axis));
                    set_price(price, axis, was + STEP * (to - was));
                }
            }
            (course.stationarity, course.excess) = (change, excess);
            if change < SETTLED && excess < KEPT {
                break;
            }
        }
        course.budgets = budgets;
        course
    }
}

/// Fuel at the start, kg: as specified, or what the laps use.
fn start_fuel_kg(car: &StintCar, course: &Course) -> f64 {
    let Some(fuel) = &car.fuel else { return 0.0 };
    let used_j: f64 = course.laps.iter().map(|lap| lap.uses.engine).sum();
    fuel.start_kg.unwrap_or(fuel.end_kg + used_j / fuel.work_jpkg)
}

/// The laps at these prices, from the first to the last.
fn forward(task: &Task, prices: &[Uses], fuel_kg: f64) -> Course {
    let mut state = task.car.start(fuel_kg);
    let mut laps = Vec::with_capacity(prices.len());
    for prices in prices {
        let mut place = [0.0; AXES];
        place[MASS] = task.mass_kg + state.fuel_kg;
        place[GRIP] = task.car.grip(&state).value;
        (ENGINE..AXES).for_each(|axis| place[axis] = price_of(prices, axis));
        let value = task.value.at(&place);
        let slope = |axis: usize| value.slopes[axis].max(0.0);
        let uses = Uses {
            engine: slope(ENGINE),
            deployed: slope(DEPLOYED),
            recuperated: (-value.slopes[RECUPERATED]).max(0.0),
            friction: slope(FRICTION),
        };
        let time_s = value.value_s - uses.cost_s(prices);
        laps.push(Lap { state, place, value, time_s, uses });
        state = task.car.after(&state, &uses, time_s);
    }
    Course { laps, end: state, stationarity: 0.0, excess: 0.0, budgets: Budgets::default() }
}

/// A step of the prices of the budgets. Returns the largest violation, as a fraction of what a lap
/// uses.
fn adapt(task: &Task, pins: &[(usize, f64)], course: &Course, budgets: &mut Budgets) -> f64 {
    let mut worst: f64 = 0.0;
    // Of a budget that is exceeded, or kept with a price above 0, the step and the violation.
    let mut step = |price: f64, excess: f64, fall: f64, of_lap: f64, max: f64| {
        let next = (price + STEP * excess / fall).clamp(0.0, max);
        if excess > 0.0 || price > 0.0 {
            worst = worst.max((excess / of_lap).abs());
        }
        next
    };
    let n = course.laps.len() as f64;
    if let Some(fuel) = &task.car.fuel
        && fuel.start_kg.is_some()
    {
        let by_price = n * task.value.fall(&[(ENGINE, 1.0)]) / (fuel.work_jpkg * fuel.work_jpkg);
        let of_lap = course.laps[0].uses.engine / fuel.work_jpkg;
        let max = task.max_prices[ENGINE] * fuel.work_jpkg * n;
        budgets.fuel_spkg = step(budgets.fuel_spkg, fuel.end_kg - course.end.fuel_kg, by_price, of_lap, max);
    }
    if let Some(tyres) = &task.car.tyres {
        let by_price = n * task.value.fall(&[(FRICTION, 1.0)]) / (tyres.life_j * tyres.life_j);
        let of_lap = course.laps[0].uses.friction / tyres.life_j;
        let max = task.max_prices[FRICTION] * tyres.life_j;
        budgets.wear_s = step(budgets.wear_s, course.end.wear - tyres.max_wear, by_price, of_lap, max);
    }
    let Some(battery) = &task.car.battery else { return worst };
    let by_price = task.value.fall(&[(DEPLOYED, 1.0), (RECUPERATED, 1.0)]);
    let of_lap = (course.laps[0].uses.deployed + course.laps[0].uses.recuperated).max(f64::MIN_POSITIVE);
    let max = task.max_prices[DEPLOYED];
    let mut from = 0;
    for &(last, charge_j) in pins.iter().chain([&(course.laps.len() - 1, battery.end_j)]) {
        let reached_j = course.laps.get(last + 1).map_or(course.end, |lap| lap.state).charge_j;
        let own = &mut budgets.charge_spj[from..=last];
        let count = own.len() as f64;
        let next = step(own[0], charge_j - reached_j, by_price * count, of_lap, max);
        own.fill(next);
        from = last + 1;
    }
    if let Some(limit_j) = battery.max_recuperated_j {
        let by_price = task.value.fall(&[(RECUPERATED, 1.0)]);
        for (lap, lowered) in course.laps.iter().zip(&mut budgets.recuperated_spj) {
            *lowered = step(*lowered, lap.uses.recuperated - limit_j, by_price, of_lap, max);
        }
    }
    worst
}

/// The prices of the laps by (2) and (3), from the last to the first.
fn backward(task: &Task, course: &Course, budgets: &Budgets) -> Vec<Uses> {
    let n = course.laps.len();
    let car = task.car;
    let mut prices = vec![Uses::default(); n];
    let is_free = car.fuel.is_some_and(|fuel| fuel.start_kg.is_none());
    let mut by_fuel = -budgets.fuel_spkg;
    let (mut by_wear, mut by_temperature) = (budgets.wear_s, 0.0);
    let mut wholes = vec![1.0; n];
    // Where the fuel is free, its costate at the start is 0; it is shifted afterwards.
    for (k, lap) in course.laps.iter().enumerate().rev() {
        let heated = car.heated(&lap.state, &lap.uses, lap.time_s);
        let grip = car.grip(&lap.state);
        // 1 + a of equation (1).
        let whole = 1.0 + by_temperature * heated.by_time;
        let of_friction = car.tyres.map_or(0.0, |tyres| by_wear / tyres.life_j) + by_temperature * heated.by_friction;
        wholes[k] = whole;
        prices[k] = Uses {
            engine: by_fuel,
            deployed: budgets.charge_spj[k],
            recuperated: budgets.charge_spj[k] - budgets.recuperated_spj[k],
            friction: of_friction,
        };
        // Equation (3).
        by_fuel += whole * lap.value.slopes[MASS];
        by_wear += whole * lap.value.slopes[GRIP] * grip.by_wear;
        by_temperature = by_temperature * heated.by_before + whole * lap.value.slopes[GRIP] * grip.by_temperature;
    }
    let shift = if is_free { by_fuel } else { 0.0 };
    for (price, whole) in prices.iter_mut().zip(wholes) {
        price.engine = car.fuel.map_or(0.0, |fuel| (shift - price.engine) / fuel.work_jpkg);
        // Equation (2).
        for axis in ENGINE..AXES {
            set_price(price, axis, (price_of(price, axis) / whole).clamp(0.0, task.max_prices[axis]));
        }
    }
    prices
}

/// The prices of a place.
pub(super) fn prices_of(place: &Place) -> Uses {
    Uses {
        engine: place[ENGINE],
        deployed: place[DEPLOYED],
        recuperated: place[RECUPERATED],
        friction: place[FRICTION],
    }
}

fn price_of(prices: &Uses, axis: usize) -> f64 {
    match axis {
        ENGINE => prices.engine,
        DEPLOYED => prices.deployed,
        RECUPERATED => prices.recuperated,
        _ => prices.friction,
    }
}

fn set_price(prices: &mut Uses, axis: usize, price: f64) {
    *match axis {
        ENGINE => &mut prices.engine,
        DEPLOYED => &mut prices.deployed,
        RECUPERATED => &mut prices.recuperated,
        _ => &mut prices.friction,
    } = price;
}

#[cfg(test)]
mod tests;
