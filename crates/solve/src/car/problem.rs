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
//!         + Σ (ρ_δ (δ_{i+1} - δ_i)² + ρ_p (p_{i+1} - p_i)²) / h_i                            (7)
//! ```
//!
//! where E' is the energy by length and λ its price. The rates of δ and p are limited by
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

mod by_grip;
mod turning;

use raceline_numerics::nonlinear_program;
use rayon::prelude::*;

use self::by_grip::ByGrip;
use self::turning::Turning;
use super::model::{Car, Motion};
use super::number::{Number, Second};
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
pub const LIMITS: usize = 15;
/// The first of those of the interval.
pub const RATES: usize = 11;
/// Number of functions of a node: τ, the rates of the five states, then power, use of both axles,
/// squared slip of both axles, squared speed by the largest, energy by length, curvature of the
/// path by the largest.
pub const FUNCTIONS: usize = 14;
/// The last three of them.
pub const SPEED: usize = 11;
pub const ENERGY: usize = 12;
pub const TURNING: usize = 13;

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
}

impl Node {
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

/// Values of objective, equations and limits at a point, with the functions of the nodes.
pub type Values = nonlinear_program::Values<EQUATIONS, LIMITS, [f64; FUNCTIONS]>;

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
            self.car.mass_kg * time * x[FORWARD] * self.price.work(x[PEDAL])[0],
            by_forward * (rates.forward + pull_along / time)
                + by_leftward * (rates.leftward + pull_across / time)
                + by_yaw_rate * x[YAW_RATE],
        ]
    }

    /// The unknowns of node `i` in their units.
    pub fn unscaled(&self, x: &[f64; UNKNOWNS]) -> [f64; UNKNOWNS] {
        std::array::from_fn(|k| x[k] * self.scales[k])
    }

    /// Values of objective, equations and limits at `point`.
    pub fn evaluate(&self, point: &[[f64; UNKNOWNS]], values: &mut Values) {
        let functions = values.functions.par_iter_mut().zip(&self.nodes).zip(point);
        functions.with_min_len(NODES_AT_ONCE).for_each(|((functions, node), x)| {
            *functions = self.functions(node, &self.unscaled(x));
        });
        self.combine(point, values);
    }

    /// Objective, equations and limits by the functions of the nodes.
    fn combine(&self, point: &[[f64; UNKNOWNS]], values: &mut Values) {
        let rates = self.rates();
        let scales = &self.scales;
        values.objective = 0.0;
        for (i, (node, x)) in self.nodes.iter().zip(point).enumerate() {
            let here = &values.functions[i];
            let cost = here[0] + self.price.seconds_per_joule * here[ENERGY];
            values.objective += self.per_second * self.node_length_m(i) * cost; // equation (6)
            let limits = &mut values.limits[i];
            *limits = [
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
            ];
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
                limits[RATES + 2 * k] = change - rate * time;
                limits[RATES + 2 * k + 1] = -change - rate * time;
                // Equation (7).
                values.objective += self.per_second * self.smoothing[k] * change * change / node.length_m;
            }
        }
    }

    /// Lap time of a point with these `values`, s, without the smoothing.
    pub fn time_s(&self, values: &Values) -> f64 {
        self.total(values, 0)
    }

    /// Energy of a point with these `values`, J.
    pub fn energy_j(&self, values: &Values) -> f64 {
        self.total(values, ENERGY)
    }

    /// The integral of a function over the length.
    fn total(&self, values: &Values, function: usize) -> f64 {
        values.functions.iter().enumerate().map(|(i, functions)| self.node_length_m(i) * functions[function]).sum()
    }

    /// Time from each node to the next at `point`, s.
    pub fn interval_times(&self, point: &[[f64; UNKNOWNS]]) -> Vec<f64> {
        let mut values = Values::zeros(point.len());
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

impl Problem<'_> {
    /// Gradients of the functions of node `i` and the second derivatives of their sum with
    /// `weights`, by the scaled unknowns.
    pub fn derivatives(
        &self,
        i: usize,
        x: &[f64; UNKNOWNS],
        weights: &[f64; FUNCTIONS],
    ) -> ([[f64; UNKNOWNS]; FUNCTIONS], [[f64; UNKNOWNS]; UNKNOWNS]) {
        let x = self.unscaled(x);
        let node = &self.nodes[i];
        let place = along(node, std::array::from_fn(|k| Second::<PATH>::variable(x[k], k)));
        let time = &place[0];
        let motion = motion(std::array::from_fn(|k| x[FORWARD + k]));
        let turning = Turning::new(x[FORWARD], x[LEFTWARD], self.car.max_curvature_radpm);
        let [by_forward, by_leftward, _] = turning.values();
        let mut rate_weights: [f64; 3] = std::array::from_fn(|k| time.value * weights[3 + k]);
        rate_weights[0] += weights[TURNING] * by_forward;
        rate_weights[1] += weights[TURNING] * by_leftward;
        let limit_weights = std::array::from_fn(|k| weights[6 + k]);
        let grip = self.grip(node, x[OFFSET]);
        let car = self.car.derivatives(motion, &node.ground, grip.value, rate_weights, limit_weights);
        let mut yawing = [0.0; CAR];
        yawing[YAW_RATE - FORWARD] = 1.0;
        let [work, work_slope, work_bend] = self.price.work(x[PEDAL]).map(|work| self.car.mass_kg * work);
        let mut powered = [0.0; CAR];
        (powered[0], powered[PEDAL - FORWARD]) = (work, x[FORWARD] * work_slope);
        let factors = [x[YAW_RATE], car.rates[0], car.rates[1], car.rates[2], x[FORWARD] * work];
        let [forward, leftward, yaw] = car.rate_gradients;
        let factor_gradients = [yawing, forward, leftward, yaw, powered];

        let mut gradients = [[0.0; UNKNOWNS]; FUNCTIONS];
        for (function, number) in [(0, &place[0]), (1, &place[1]), (3, &place[2]), (4, &place[3])] {
            gradients[function][..PATH].copy_from_slice(&number.gradient);
        }
        let mut factor = 0.0;
        let mut factor_gradient = [0.0; CAR];
        for (function, (value, own)) in PRODUCTS.into_iter().zip(factors.iter().zip(&factor_gradients)) {
            let gradient = &mut gradients[function];
            gradient.iter_mut().zip(&time.gradient).for_each(|(entry, slope)| *entry += value * slope);
            gradient[FORWARD..].iter_mut().zip(own).for_each(|(entry, slope)| *entry += time.value * slope);
            factor += weights[function] * value;
            factor_gradient.iter_mut().zip(own).for_each(|(entry, slope)| *entry += weights[function] * slope);
        }
        for (gradient, limit) in gradients[6..].iter_mut().zip(&car.limit_gradients) {
            gradient[FORWARD..].copy_from_slice(limit);
        }
        let per_square = node.speed_limit_mps(self.car).powi(-2);

        let mut hessian = [[0.0; UNKNOWNS]; UNKNOWNS];
        for k in [FORWARD, LEFTWARD] {
            gradients[SPEED][k] = 2.0 * per_square * x[k];
            hessian[k][k] = 2.0 * per_square * weights[SPEED];
        }
        let energy_weight = weights[ENERGY] * time.value;
        hessian[PEDAL][PEDAL] += energy_weight * x[FORWARD] * work_bend;
        hessian[FORWARD][PEDAL] += energy_weight * work_slope;
        hessian[PEDAL][FORWARD] += energy_weight * work_slope;
        let of_place = weighted(&place, &[weights[0] + factor, weights[1], weights[3], weights[4]]);
        for (row, entries) in hessian.iter_mut().zip(&of_place.hessian) {
            row.iter_mut().zip(entries).for_each(|(entry, more)| *entry += more);
        }
        for (row, entries) in hessian[FORWARD..].iter_mut().zip(&car.hessian) {
            row[FORWARD..].iter_mut().zip(entries).for_each(|(entry, more)| *entry += more);
        }
        for (i, slope) in time.gradient.iter().enumerate() {
            for (j, other) in factor_gradient.iter().enumerate() {
                hessian[i][FORWARD + j] += slope * other;
                hessian[FORWARD + j][i] += slope * other;
            }
        }
        // Equation (9). Gravity's part of u' turns into its part of v' with the heading.
        let [pulled_along, pulled_across] = [2, 3].map(|k| place[k].value / time.value);
        let of_car = |own: &[f64; CAR], by_heading: f64| {
            let mut gradient = [0.0; UNKNOWNS];
            gradient[HEADING] = by_heading;
            gradient[FORWARD..].copy_from_slice(own);
            gradient
        };
        let turned = [
            (car.rates[0] + pulled_along, of_car(&forward, pulled_across)),
            (car.rates[1] + pulled_across, of_car(&leftward, -pulled_along)),
            (x[YAW_RATE], of_car(&yawing, 0.0)),
        ];
        gradients[TURNING] = turning.add_to(&turned, weights[TURNING], &mut hessian);
        hessian[HEADING][HEADING] -= weights[TURNING] * (by_forward * pulled_along + by_leftward * pulled_across);
        if node.profile.is_some() {
            let by_grip = ByGrip::of(self.car, (motion, &node.ground, grip.value), &car, rate_weights, limit_weights);
            for (k, rate) in by_grip.rates.iter().enumerate() {
                gradients[3 + k][OFFSET] += time.value * rate * grip.slope;
            }
            let turned = by_forward * by_grip.rates[0] + by_leftward * by_grip.rates[1];
            gradients[TURNING][OFFSET] += turned * grip.slope;
            for (k, used) in by_grip.uses.iter().enumerate() {
                gradients[7 + k][OFFSET] += used * grip.slope;
            }
            hessian[OFFSET][OFFSET] += by_grip.bend * grip.slope * grip.slope + by_grip.slope * grip.bend;
            let of_rates: f64 = (0..3).map(|k| weights[3 + k] * by_grip.rates[k]).sum();
            let mut mixed = [0.0; UNKNOWNS];
            mixed[FORWARD..].copy_from_slice(&by_grip.mixed);
            mixed.iter_mut().zip(&time.gradient).for_each(|(entry, slope)| *entry += of_rates * slope);
            for (slopes, rate) in turning.slopes().iter().zip(&by_grip.rates) {
                let weight = weights[TURNING] * rate;
                mixed[FORWARD..].iter_mut().zip(slopes).for_each(|(entry, slope)| *entry += weight * slope);
            }
            for (k, entry) in mixed.into_iter().enumerate() {
                hessian[OFFSET][k] += entry * grip.slope;
                hessian[k][OFFSET] += entry * grip.slope;
            }
        }
        for (row, scale) in hessian.iter_mut().zip(&self.scales) {
            row.iter_mut().zip(&self.scales).for_each(|(entry, other)| *entry *= scale * other);
        }
        for gradient in &mut gradients {
            gradient.iter_mut().zip(&self.scales).for_each(|(entry, scale)| *entry *= scale);
        }
        (gradients, hessian)
    }
}

/// The sum of `numbers` by `weights`.
fn weighted<const N: usize>(numbers: &[Second<N>], weights: &[f64]) -> Second<N> {
    let sum = Second::constant(0.0);
    numbers.iter().zip(weights).fold(sum, |sum, (number, weight)| sum + *number * *weight)
}

#[cfg(test)]
mod tests;
