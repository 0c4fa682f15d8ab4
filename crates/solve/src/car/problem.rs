//! The lap of the car as a nonlinear program: variables at nodes along a reference line, equations
//! of motion between them, limits.
//!
//! Node i lies at the arc length s_i of the reference line, whose curvature is κ. With the offset n
//! from it to the left, the heading ξ relative to it and the motion of the [`Car`], time by length
//! is τ and the states x = (n, ξ, u, v, r) change by
//!
//! ```text
//! τ  = (1 - n κ) / (u cos ξ - v sin ξ)                                                       (1)
//! n' = τ (u sin ξ + v cos ξ)     ξ' = τ r - κ                                                (2)
//! u' = τ (u' of the car - g_x cos ξ - g_y sin ξ)                                             (3)
//! v' = τ (v' of the car + g_x sin ξ - g_y cos ξ)     r' = τ r' of the car                    (4)
//! ```
//!
//! Collocation is trapezoidal, of second order:
//!
//! ```text
//! x_{i+1} - x_i - h_i / 2 (x'_i + x'_{i+1}) = 0                                              (5)
//! ```
//!
//! where the integral of κ is the exact change of the reference line's heading. Steering angle δ
//! and pedal p are linear between nodes; their rates are bounded differences, not unknowns. So a
//! node has seven unknowns and five equations. All are divided by typical values.
//!
//! ```text
//! minimise  Σ h_i (τ_i + λ E'_i + τ_{i+1} + λ E'_{i+1}) / 2                                  (6)
//!         + Σ (ρ_δ φ_i (δ_{i+1} - δ_i)² + ρ_p (p_{i+1} - p_i)²) / h_i                        (7)
//! ```
//!
//! where E' is the energy by length and λ its price, and φ is 1 but near standing ends. The rates
//! of δ and p are limited by
//!
//! ```text
//! ± (δ_{i+1} - δ_i) ≤ δ'_max h_i / 2 (τ_i + τ_{i+1})      p likewise                         (8)
//! ```
//!
//! and the path bends no more than the vehicle's largest curvature, which its steering allows. The
//! direction of the path turns by the yaw rate and the change of the sideslip atan(v / u):
//!
//! ```text
//! ± (r / V + (u v' - v u') / V³) ≤ κ_max      V² = u² + v², u' and v' by time                (9)
//! ```
//!
//! In tight bends the front corners of the body have bounds of their own (`body_corners`).

mod by_grip;
mod derivatives;
mod turning;

use std::ops::Range;

use raceline_numerics::nonlinear_program;
use rayon::prelude::*;

use super::body_corners::Bounds;
use super::model::{Car, Motion};
use super::number::Number;
use super::price::Price;
use crate::speed::Ground;
use crate::stations::{GripProfile, grip_at};
use raceline_car::Jet;

/// Number of unknowns of a node: offset, heading, u, v, yaw rate, steering angle, pedal.
pub const UNKNOWNS: usize = 7;
pub const OFFSET: usize = 0;
pub const HEADING: usize = 1;
pub const FORWARD: usize = 2;
pub const LEFTWARD: usize = 3;
pub const YAW_RATE: usize = 4;
pub const STEERING: usize = 5;
pub const PEDAL: usize = 6;
/// Number of equations between two nodes: the first unknowns' changes.
pub const EQUATIONS: usize = 5;
/// Number of limits of a node and of the interval after it.
pub const LIMITS: usize = WITHOUT_CORNERS + 2;
/// Number of limits of a program without bounds of the body's front corners, which come last.
pub const WITHOUT_CORNERS: usize = 15;
/// Limits of the interval.
pub const RATES: Range<usize> = 11..WITHOUT_CORNERS;
/// Number of functions of a node: τ, the rates of the five states, then power, use of both axles,
/// squared slip of both axles, squared speed by the largest, energy by length, curvature of the
/// path by the largest, excess of both front corners by the scale of the offset.
pub const FUNCTIONS: usize = 16;
/// The last five of them.
pub const SPEED: usize = 11;
pub const ENERGY: usize = 12;
pub const TURNING: usize = 13;
pub const CORNERS: [usize; 2] = [14, 15];

/// Functions that are a product of τ and something of the car.
const PRODUCTS: [usize; 5] = [2, 3, 4, 5, ENERGY];

/// Nodes that a thread takes at once.
pub const NODES_AT_ONCE: usize = 128;

/// Values of the unknowns at every node, divided by [`Problem::scales`].
pub type Point = Vec<[f64; UNKNOWNS]>;

/// A node of the reference line.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// Curvature of the reference line in the road's surface, 1/m.
    pub curvature: f64,
    /// Bounds of the offset, m.
    pub low_m: f64,
    pub high_m: f64,
    /// Distance to the next node along the reference line, m.
    pub length_m: f64,
    /// Change of the reference line's heading to the next node, rad.
    pub turn_rad: f64,
    /// The road.
    pub ground: Ground,
    /// Factor on the tyre limits.
    pub grip: f64,
    /// Index of the profile of grip across the road in [`Problem::profiles`].
    pub profile: Option<usize>,
    /// Maximum speed beside the vehicle's, m/s.
    pub max_speed_mps: f64,
    /// Factor on ρ_δ over the interval to the next node.
    pub steering_price: f64,
    /// Bounds of the body's front corners.
    pub corners: Bounds,
}

impl Node {
    /// Whether a front corner of the body has a bound here.
    pub fn has_corners(&self) -> bool {
        self.corners.iter().any(Option::is_some)
    }

    /// The highest speed of `car` here, m/s.
    pub fn speed_limit_mps(&self, car: &Car) -> f64 {
        car.speed_limit_mps(&self.ground).min(self.max_speed_mps)
    }
}

/// The nonlinear program.
#[derive(Clone, Debug)]
pub struct Problem<'a> {
    pub car: &'a Car,
    pub nodes: Vec<Node>,
    /// Profiles of the grip across the road.
    pub profiles: Vec<GripProfile>,
    pub closed: bool,
    /// Lowest u, m/s.
    pub min_speed_mps: f64,
    /// Typical values of the unknowns, in their units.
    pub scales: [f64; UNKNOWNS],
    /// Factor on the objective.
    pub per_second: f64,
    /// Price of energy.
    pub price: Price,
    /// ρ_δ and ρ_p by [`Problem::scales`], s m.
    pub smoothing: [f64; 2],
    /// Unknowns that keep their values: node and unknown.
    pub fixed: Vec<(usize, usize)>,
}

/// Values of objective, equations and the first `L` limits at a point, with the functions of the
/// nodes.
pub type Values<const L: usize> = nonlinear_program::Values<EQUATIONS, L, [f64; FUNCTIONS]>;

impl<'a> Problem<'a> {
    /// A copy of this program with another car.
    pub fn with_car<'b>(&self, car: &'b Car) -> Problem<'b>
    where
        'a: 'b,
    {
        Problem { car, ..self.clone() }
    }
}

impl Problem<'_> {
    /// Number of intervals.
    pub fn intervals(&self) -> usize {
        if self.closed { self.nodes.len() } else { self.nodes.len() - 1 }
    }

    /// The node after `i`.
    pub fn next(&self, i: usize) -> usize {
        (i + 1) % self.nodes.len()
    }

    /// The interval before node `i`.
    pub fn before(&self, i: usize) -> Option<usize> {
        if i > 0 { Some(i - 1) } else { self.closed.then(|| self.nodes.len() - 1) }
    }

    /// ρ_δ φ and ρ_p of interval `i` by [`Self::scales`], s m.
    pub fn smoothing(&self, i: usize) -> [f64; 2] {
        let [steering, pedal] = self.smoothing;
        [self.nodes[i].steering_price * steering, pedal]
    }

    /// Length of interval `i`, m; 0 for none.
    pub fn length(&self, i: usize) -> f64 {
        if i < self.intervals() { self.nodes[i].length_m } else { 0.0 }
    }

    /// Length of the road that node `i` stands for, m: half of the intervals on both sides.
    pub fn node_length_m(&self, i: usize) -> f64 {
        0.5 * (self.length(i) + self.before(i).map_or(0.0, |before| self.length(before)))
    }

    /// Largest rates of steering angle and pedal by their scales, 1/s.
    pub fn rates(&self) -> [f64; 2] {
        [self.car.steering_rate_radps / self.scales[STEERING], self.car.pedal_rate_mps3 / self.scales[PEDAL]]
    }

    /// The grip at an offset, m, from a node.
    fn grip(&self, node: &Node, offset: f64) -> Jet {
        grip_at(node.grip, node.profile.and_then(|profile| self.profiles.get(profile)), offset)
    }

    /// The functions of a node with the unknowns `x`, in their units.
    fn functions(&self, node: &Node, x: &[f64; UNKNOWNS]) -> [f64; FUNCTIONS] {
        let [time, across, pull_along, pull_across] = along(node, std::array::from_fn(|k| x[k]));
        let grip = self.grip(node, x[OFFSET]).value;
        let rates = self.car.rates(motion(std::array::from_fn(|k| x[FORWARD + k])), &node.ground, grip);
        let [by_forward, by_leftward, by_yaw_rate] =
            turning::factors(x[FORWARD], x[LEFTWARD], self.car.max_curvature_radpm);
        let [left, right] = node
            .corners
            .map(|bound| bound.map_or(-1.0, |bound| bound.excess_m(x[OFFSET], x[HEADING]) / self.scales[OFFSET]));
        [
            time,
            across,
            time * x[YAW_RATE],
            time * rates.forward + pull_along,
            time * rates.leftward + pull_across,
            time * rates.yaw,
            rates.power,
            rates.use_less_one[0],
            rates.use_less_one[1],
            rates.slip[0].square(),
            rates.slip[1].square(),
            (x[FORWARD].square() + x[LEFTWARD].square()) / node.speed_limit_mps(self.car).square(),
            time * self.spending(node, x),
            by_forward * (rates.forward + pull_along / time)
                + by_leftward * (rates.leftward + pull_across / time)
                + by_yaw_rate * x[YAW_RATE],
            left,
            right,
        ]
    }

    /// What the price is for, by time: the power E' / τ, or the cost of a stint's uses.
    fn spending(&self, node: &Node, x: &[f64; UNKNOWNS]) -> f64 {
        match &self.price.tariff {
            None => self.car.mass_kg * x[FORWARD] * self.price.work(x[PEDAL])[0],
            Some(tariff) => {
                let motion = motion(std::array::from_fn(|k| x[FORWARD + k]));
                // The grip across the road changes the tyres' friction too little to count.
                tariff.cost(self.car, motion, &node.ground, node.grip, self.price.rounding_mps2)
            }
        }
    }

    /// τ at a node with the unknowns `x`, in their units, s/m.
    pub fn time_by_length(&self, node: &Node, x: &[f64; UNKNOWNS]) -> f64 {
        along(node, std::array::from_fn(|k| x[k]))[0]
    }

    /// The unknowns of node `i` in their units.
    pub fn unscaled(&self, x: &[f64; UNKNOWNS]) -> [f64; UNKNOWNS] {
        std::array::from_fn(|k| x[k] * self.scales[k])
    }

    /// Values of objective, equations and limits at `point`.
    pub fn evaluate<const L: usize>(&self, point: &[[f64; UNKNOWNS]], values: &mut Values<L>) {
        let functions = values.functions.par_iter_mut().zip(&self.nodes).zip(point);
        functions.with_min_len(NODES_AT_ONCE).for_each(|((functions, node), x)| {
            *functions = self.functions(node, &self.unscaled(x));
        });
        self.combine(point, values);
    }

    /// Objective, equations and limits by the functions of the nodes.
    fn combine<const L: usize>(&self, point: &[[f64; UNKNOWNS]], values: &mut Values<L>) {
        let rates = self.rates();
        let scales = &self.scales;
        values.objective = 0.0;
        for (i, (node, x)) in self.nodes.iter().zip(point).enumerate() {
            let here = &values.functions[i];
            let cost = here[0] + self.price.seconds_per_joule * here[ENERGY];
            values.objective += self.per_second * self.node_length_m(i) * cost; // equation (6)
            let all: [f64; LIMITS] = [
                node.low_m / scales[OFFSET] - x[OFFSET],
                x[OFFSET] - node.high_m / scales[OFFSET],
                here[TURNING] - 1.0,
                -here[TURNING] - 1.0,
                self.min_speed_mps / scales[FORWARD] - x[FORWARD],
                here[SPEED] - 1.0,
                here[6] / scales[PEDAL],
                here[7],
                here[8],
                here[9] - 1.0,
                here[10] - 1.0,
                -1.0,
                -1.0,
                -1.0,
                -1.0,
                here[CORNERS[0]],
                here[CORNERS[1]],
            ];
            let limits = &mut values.limits[i];
            limits.copy_from_slice(&all[..L]);
            let equations = &mut values.equations[i];
            *equations = [0.0; EQUATIONS];
            if i >= self.intervals() {
                continue;
            }
            let next = self.next(i);
            let (there, y) = (&values.functions[next], &point[next]);
            let half = 0.5 * node.length_m;
            // Equation (5).
            for k in 0..EQUATIONS {
                equations[k] = y[k] - x[k] - half * (here[k + 1] + there[k + 1]) / scales[k];
            }
            equations[HEADING] += node.turn_rad / scales[HEADING];
            let time = half * (here[0] + there[0]);
            for (k, rate) in rates.iter().enumerate() {
                let change = y[STEERING + k] - x[STEERING + k];
                // Equation (8).
                limits[RATES.start + 2 * k] = change - rate * time;
                limits[RATES.start + 2 * k + 1] = -change - rate * time;
                // Equation (7).
                values.objective += self.per_second * self.smoothing(i)[k] * change * change / node.length_m;
            }
        }
    }

    /// Lap time of a point with these `values`, s, without the smoothing.
    pub fn time_s<const L: usize>(&self, values: &Values<L>) -> f64 {
        self.total(values, 0)
    }

    /// Energy of a point with these `values`, J.
    pub fn energy_j<const L: usize>(&self, values: &Values<L>) -> f64 {
        self.total(values, ENERGY)
    }

    /// The integral of a function over the length.
    fn total<const L: usize>(&self, values: &Values<L>, function: usize) -> f64 {
        values.functions.iter().enumerate().map(|(i, functions)| self.node_length_m(i) * functions[function]).sum()
    }

    /// Time from each node to the next at `point`, s.
    pub fn interval_times(&self, point: &[[f64; UNKNOWNS]]) -> Vec<f64> {
        let mut values = Values::<WITHOUT_CORNERS>::zeros(point.len());
        self.evaluate(point, &mut values);
        let time = |i: usize| values.functions[i][0] + values.functions[self.next(i)][0];
        (0..point.len()).map(|i| 0.5 * self.length(i) * time(i)).collect()
    }
}

/// Number of variables of the car's own equations, the last of the unknowns.
const CAR: usize = UNKNOWNS - FORWARD;

/// Number of variables of the path's equations, the first of the unknowns.
const PATH: usize = LEFTWARD + 1;

/// τ, the rate of the offset, and what gravity adds to those of u and v, by offset, heading, u and
/// v.
fn along<T: Number>(node: &Node, [offset, heading, u, v]: [T; PATH]) -> [T; PATH] {
    let (sin, cos) = heading.sin_cos();
    // Equation (1), then the rest of (2) to (4) without the car's rates.
    let time = (offset * -node.curvature + 1.0) * (u * cos - v * sin).recip();
    let (g_x, g_y) = (node.ground.gravity_along, node.ground.gravity_across);
    [time, time * (u * sin + v * cos), -time * (cos * g_x + sin * g_y), time * (sin * g_x - cos * g_y)]
}

fn motion<T: Copy>([forward, leftward, yaw_rate, steering, pedal]: [T; CAR]) -> Motion<T> {
    Motion { forward, leftward, yaw_rate, steering, pedal }
}

#[cfg(test)]
mod tests;
