//! First and second derivatives of a node's functions.

use super::super::number::Second;
use super::{
    CAR, ENERGY, FORWARD, FUNCTIONS, LEFTWARD, PATH, PEDAL, Problem, SPEED, UNKNOWNS, YAW_RATE, along, motion,
};

/// Functions that are a product of τ and something of the car.
const PRODUCTS: [usize; 5] = [2, 3, 4, 5, ENERGY];

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
        let rate_weights = std::array::from_fn(|k| time.value * weights[3 + k]);
        let limit_weights = std::array::from_fn(|k| weights[6 + k]);
        let car = self.car.derivatives(motion, &node.ground, node.grip, rate_weights, limit_weights);
        let mut turning = [0.0; CAR];
        turning[YAW_RATE - FORWARD] = 1.0;
        let [work, work_slope, work_bend] = self.price.work(x[PEDAL]).map(|work| self.car.mass_kg * work);
        let mut powered = [0.0; CAR];
        (powered[0], powered[PEDAL - FORWARD]) = (work, x[FORWARD] * work_slope);
        let factors = [x[YAW_RATE], car.rates[0], car.rates[1], car.rates[2], x[FORWARD] * work];
        let [forward, leftward, yaw] = car.rate_gradients;
        let factor_gradients = [turning, forward, leftward, yaw, powered];

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
        let per_square = self.car.speed_limit_mps(&node.ground).powi(-2);

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
