//! The states of a stint, and how a lap changes them.

use super::{StintCar, Temperature};
use crate::solve::car::Uses;
use raceline_numerics::math;

/// The car at the start of a lap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct State {
    pub fuel_kg: f64,
    pub wear: f64,
    pub temperature_c: f64,
    pub charge_j: f64,
}

/// Grip of a state, with its derivatives by wear and temperature.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Grip {
    pub value: f64,
    pub by_wear: f64,
    pub by_temperature: f64,
}

/// Temperature after a lap, with its derivatives by that before, the friction's work and the time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Heated {
    pub value_c: f64,
    pub by_before: f64,
    pub by_friction: f64,
    pub by_time: f64,
}

impl StintCar {
    /// The state at the start, with `fuel_kg` of fuel.
    pub(super) fn start(&self, fuel_kg: f64) -> State {
        let temperature = self.tyres.and_then(|tyres| tyres.temperature);
        State {
            fuel_kg,
            wear: self.tyres.map_or(0.0, |tyres| tyres.start_wear),
            temperature_c: temperature.map_or(0.0, |temperature| temperature.start_c()),
            charge_j: self.battery.map_or(0.0, |battery| battery.start_j()),
        }
    }

    /// Grip of the tyres.
    pub(super) fn grip(&self, state: &State) -> Grip {
        let Some(tyres) = &self.tyres else { return Grip { value: 1.0, by_wear: 0.0, by_temperature: 0.0 } };
        let worn = 1.0 - tyres.worn_grip_loss * state.wear;
        let (bell, slope) = tyres.temperature.map_or((1.0, 0.0), |temperature| temperature.bell(state.temperature_c));
        Grip { value: worn * bell, by_wear: -tyres.worn_grip_loss * bell, by_temperature: worn * slope }
    }

    /// Temperature of the tyres after a lap of `time_s`.
    pub(super) fn heated(&self, state: &State, uses: &Uses, time_s: f64) -> Heated {
        match self.tyres.and_then(|tyres| tyres.temperature) {
            Some(temperature) => temperature.after(state.temperature_c, uses.friction, time_s),
            None => Heated { value_c: state.temperature_c, by_before: 1.0, by_friction: 0.0, by_time: 0.0 },
        }
    }

    /// The state after a lap: F of equation (1) of the stint.
    pub(super) fn after(&self, state: &State, uses: &Uses, time_s: f64) -> State {
        let burnt_kg = self.fuel.map_or(0.0, |fuel| uses.engine / fuel.work_jpkg);
        let worn = self.tyres.map_or(0.0, |tyres| uses.friction / tyres.life_j);
        let charge_j = state.charge_j - uses.deployed + uses.recuperated;
        State {
            fuel_kg: state.fuel_kg - burnt_kg,
            wear: state.wear + worn,
            temperature_c: self.heated(state, uses, time_s).value_c,
            // A full battery takes no more.
            charge_j: self.battery.map_or(0.0, |battery| charge_j.min(battery.capacity_j)),
        }
    }
}

impl Temperature {
    /// Factor on the grip at a temperature, and its derivative.
    fn bell(&self, temperature_c: f64) -> (f64, f64) {
        let x = (temperature_c - self.best_c) / self.width_c;
        let near = math::exp(-0.5 * x * x);
        (1.0 - self.grip_loss * (1.0 - near), -self.grip_loss * near * x / self.width_c)
    }

    /// The temperature after a lap in which the tyres slide with the work `friction_j`: the solution of
    /// the balance at the mean power.
    fn after(&self, before_c: f64, friction_j: f64, time_s: f64) -> Heated {
        let rate = self.cooling_wpk / self.heat_capacity_jpk;
        let kept = math::exp(-rate * time_s);
        let by_power = self.heat_fraction / self.cooling_wpk;
        let settled_c = self.air_c + by_power * friction_j / time_s;
        Heated {
            value_c: settled_c + (before_c - settled_c) * kept,
            by_before: kept,
            by_friction: (1.0 - kept) * by_power / time_s,
            by_time: -(1.0 - kept) * by_power * friction_j / (time_s * time_s) - rate * kept * (before_c - settled_c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::State;
    use crate::solve::car::Uses;
    use crate::stint::StintCar;

    const CAR: &str = "
[fuel]
work_jpkg = 1e7
[tyres]
life_j = 1e9
worn_grip_loss = 0.2
[tyres.temperature]
best_c = 90.0
width_c = 30.0
grip_loss = 0.1
cooling_wpk = 400.0
heat_capacity_jpk = 3e4
[battery]
engine_power_w = 0.0
capacity_j = 5e6
";

    #[test]
    fn derivatives_are_those_of_the_values() {
        let car = StintCar::from_toml(CAR, "car.toml").unwrap();
        let state = State { fuel_kg: 5.0, wear: 0.3, temperature_c: 70.0, charge_j: 4e6 };
        let uses = Uses { engine: 2e7, deployed: 3e6, recuperated: 1e6, friction: 6e6 };
        let near = |found: f64, slope: f64| assert!((found - slope).abs() < 1e-6 * slope.abs(), "{found} {slope}");
        let h = 1e-4;
        let grip = |wear: f64, temperature_c: f64| car.grip(&State { wear, temperature_c, ..state }).value;
        near((grip(0.3 + h, 70.0) - grip(0.3 - h, 70.0)) / (2.0 * h), car.grip(&state).by_wear);
        near((grip(0.3, 70.0 + h) - grip(0.3, 70.0 - h)) / (2.0 * h), car.grip(&state).by_temperature);
        let heated = car.heated(&state, &uses, 80.0);
        let after = |temperature_c: f64, friction: f64, time_s: f64| {
            car.after(&State { temperature_c, ..state }, &Uses { friction, ..uses }, time_s).temperature_c
        };
        near((after(70.0 + h, 6e6, 80.0) - after(70.0 - h, 6e6, 80.0)) / (2.0 * h), heated.by_before);
        near((after(70.0, 6e6 + 1e3, 80.0) - after(70.0, 6e6 - 1e3, 80.0)) / 2e3, heated.by_friction);
        near((after(70.0, 6e6, 80.0 + h) - after(70.0, 6e6, 80.0 - h)) / (2.0 * h), heated.by_time);
    }

    #[test]
    fn a_lap_burns_wears_heats_and_discharges() {
        let car = StintCar::from_toml(CAR, "car.toml").unwrap();
        let uses = Uses { engine: 2e7, deployed: 3e6, recuperated: 1e6, friction: 1e7 };
        let after = car.after(&car.start(5.0), &uses, 80.0);
        assert!((after.fuel_kg - 3.0).abs() < 1e-12 && (after.wear - 0.01).abs() < 1e-12);
        assert_eq!(after.charge_j, 3e6);
        // After very long the power of 125 kW, a half of it in the tyres, holds 20 + 62 500 / 400 °C.
        let long = Uses { friction: 1.25e5 * 1e5, ..uses };
        assert!((car.after(&car.start(5.0), &long, 1e5).temperature_c - 176.25).abs() < 1e-6);
    }
}
