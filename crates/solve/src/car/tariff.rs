//! What a lap of a stint uses, and its cost in the program: work of the engine, charge of the
//! battery, friction of the tyres.
//!
//! The drive is an engine and a motor: what the pedal asks beyond the engine's power P_e comes from
//! the battery, and the motor brakes with a part of the brakes' work up to its power R. With the
//! power by the pedal p at the speed u, m u each m/s²:
//!
//! ```text
//! driving      p₊ = (p + √(p² + ε²)) / 2            braking   p₋ = p₊ - p                    (1)
//! beyond       b₊ of b = p - P_e / (m u)            engine    p₊ - b₊                        (2)
//! recuperated  r  = η p₋ - (η p₋ - R / (m u))₊                                               (3)
//! friction     f  = u α̂ Σ_i (y_i σ_i + x_i² / (3 m_i))                                       (4)
//! ```
//!
//! f is the power with which both axles' tyres slide, by the mass: the lateral force y_i times the
//! speed across the wheel, and the longitudinal force x_i times that along it, where a tyre with
//! the slope 3 at no slip slides by α̂ x_i / (3 m_i). y_i, σ_i, α̂ and the limits m_i are those of
//! `model`.
//!
//! A lap of a stint minimises
//!
//! ```text
//! T + Σ_j λ_j U_j                                                                           (5)
//! ```
//!
//! where U_j are the sums of these powers over the lap and λ_j their prices. Its value is a concave
//! function of the prices, and its derivatives by them are U_j.
//!
//! Sources: van den Eshof, de Vries and Salazar, *A computationally efficient and human
//! implementable minimum-lap-time control policy for energy-limited race cars* (arXiv 2603.02339,
//! 2026), section II, for an energy with one price; van den Eshof, van Kampen and Salazar, *A
//! computationally efficient framework for free-trajectory minimum-lap-time optimization of racing
//! cars* (arXiv 2511.13522, 2025), for lines that change with it. Deviation: the tyres' friction
//! has a price too.

use super::model::{Car, Motion};
use super::number::Number;
use crate::speed::Ground;

/// Engine, motor and battery of a stint, at the wheels.
///
/// ```
/// use raceline_solve::car::Powertrain;
///
/// // 400 kW of the engine, and a motor that charges with up to 350 kW.
/// let hybrid = Powertrain { engine_power_w: 4e5, recuperation_power_w: 3.5e5, recuperation: 0.4 };
/// assert_ne!(hybrid, Powertrain::ENGINE);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Powertrain {
    /// P_e: largest power of the engine at the wheels, W. What the vehicle's drive gives beyond it
    /// is the motor's. Infinite: there is no motor; 0: there is no engine.
    pub engine_power_w: f64,
    /// R: largest power with which the motor charges the battery, W. Infinite: no limit.
    pub recuperation_power_w: f64,
    /// η: fraction of the brakes' work that charges the battery, 0 to 1.
    pub recuperation: f64,
}

impl Powertrain {
    /// All of the drive is the engine's, and nothing is recuperated.
    pub const ENGINE: Self = Self { engine_power_w: f64::INFINITY, recuperation_power_w: 0.0, recuperation: 0.0 };
}

impl Default for Powertrain {
    fn default() -> Self {
        Self::ENGINE
    }
}

/// Numbers by what a lap uses: amounts, J, or their prices, s/J.
///
/// ```
/// use raceline_solve::car::Uses;
///
/// let (uses, prices) = (Uses { engine: 2e7, ..Uses::default() }, Uses { engine: 1e-8, ..Uses::default() });
/// assert!((uses.cost_s(&prices) - 0.2).abs() < 1e-12);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Uses {
    /// Work of the engine at the wheels.
    pub engine: f64,
    /// Work of the motor at the wheels, which the battery gives.
    pub deployed: f64,
    /// Work of the brakes that charges the battery. It lowers the cost of a lap.
    pub recuperated: f64,
    /// Work of the tyres' sliding.
    pub friction: f64,
}

impl Uses {
    /// The sum of the uses by their prices, s.
    #[must_use]
    pub fn cost_s(&self, prices: &Self) -> f64 {
        self.engine * prices.engine + self.deployed * prices.deployed - self.recuperated * prices.recuperated
            + self.friction * prices.friction
    }
}

/// The prices of a lap's uses in its program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tariff {
    pub powertrain: Powertrain,
    pub prices: Uses,
}

impl Tariff {
    /// Whether every price is `near` that of `other`, for the same powertrain.
    pub fn is_near(&self, other: &Self, near: impl Fn(f64, f64) -> bool) -> bool {
        let (own, to) = (&self.prices, &other.prices);
        let pairs = [
            (own.engine, to.engine),
            (own.deployed, to.deployed),
            (own.recuperated, to.recuperated),
            (own.friction, to.friction),
        ];
        self.powertrain == other.powertrain && pairs.into_iter().all(|(own, to)| near(own, to))
    }

    /// The cost by time at a motion, without a unit.
    pub fn cost<T: Number>(&self, car: &Car, motion: Motion<T>, ground: &Ground, grip: f64, rounding: f64) -> T {
        let Motion { forward: u, pedal: p, .. } = motion;
        let [engine, deployed, recuperated] = self.powertrain.pedals(car.mass_kg, u, p, rounding);
        let prices = &self.prices;
        // The cost in equation (5).
        let mut cost = engine * prices.engine + deployed * prices.deployed - recuperated * prices.recuperated;
        if prices.friction != 0.0 {
            // Equation (4).
            cost = cost + car.sliding(motion, ground, grip) * prices.friction;
        }
        cost * u * car.mass_kg
    }
}

impl Powertrain {
    /// What engine and motor give and take at the pedal p and the speed u, m/s²: equations (1) to
    /// (3).
    pub(super) fn pedals<T: Number>(&self, mass_kg: f64, u: T, p: T, rounding: f64) -> [T; 3] {
        let above = |x: T| (x + (x.square() + rounding * rounding).sqrt()) * 0.5;
        let by_power = |power_w: f64| u.recip() * (power_w / mass_kg);
        let driving = above(p); // equation (1)
        let braking = driving - p;
        let nothing = p * 0.0;
        // Equation (2).
        let deployed = if self.engine_power_w.is_finite() { above(p - by_power(self.engine_power_w)) } else { nothing };
        // Equation (3).
        let recuperated = if self.recuperation > 0.0 && self.recuperation_power_w > 0.0 {
            let asked = braking * self.recuperation;
            if self.recuperation_power_w.is_finite() {
                asked - above(asked - by_power(self.recuperation_power_w))
            } else {
                asked
            }
        } else {
            nothing
        };
        [driving - deployed, deployed, recuperated]
    }
}

#[cfg(test)]
mod tests;
