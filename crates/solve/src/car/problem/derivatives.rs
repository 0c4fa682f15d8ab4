//! First and second derivatives of the functions of a node.

use super::by_grip::ByGrip;
use super::turning::Turning;
use super::{
    CAR, CORNERS, ENERGY, FORWARD, FUNCTIONS, HEADING, LEFTWARD, OFFSET, PATH, PEDAL, PRODUCTS, Problem, SPEED,
    TURNING, UNKNOWNS, YAW_RATE, along, motion as as_motion,
};
use crate::car::number::Second;
use raceline_numerics::math;

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
        let motion = as_motion(std::array::from_fn(|k| x[FORWARD + k]));
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
        let mut power = x[FORWARD] * work;
        let spending = self.price.tariff.as_ref().map(|tariff| {
            let variables = std::array::from_fn(|k| Second::<CAR>::variable(x[FORWARD + k], k));
            tariff.cost(self.car, as_motion(variables), &node.ground, node.grip, self.price.rounding_mps2)
        });
        if let Some(spending) = &spending {
            (power, powered) = (spending.value, spending.gradient);
        }
        let factors = [x[YAW_RATE], car.rates[0], car.rates[1], car.rates[2], power];
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
        let per_square = math::powi(node.speed_limit_mps(self.car), -2);

        let mut hessian = [[0.0; UNKNOWNS]; UNKNOWNS];
        for k in [FORWARD, LEFTWARD] {
            gradients[SPEED][k] = 2.0 * per_square * x[k];
            hessian[k][k] = 2.0 * per_square * weights[SPEED];
        }
        let energy_weight = weights[ENERGY] * time.value;
        if let Some(spending) = &spending {
            for (row, bends) in hessian[FORWARD..].iter_mut().zip(&spending.hessian) {
                row[FORWARD..].iter_mut().zip(bends).for_each(|(entry, bend)| *entry += energy_weight * bend);
            }
        } else {
            hessian[PEDAL][PEDAL] += energy_weight * x[FORWARD] * work_bend;
            hessian[FORWARD][PEDAL] += energy_weight * work_slope;
            hessian[PEDAL][FORWARD] += energy_weight * work_slope;
        }
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
        for (function, bound) in CORNERS.into_iter().zip(node.corners) {
            let Some(bound) = bound else { continue };
            let variables = [OFFSET, HEADING].map(|k| Second::<{ HEADING + 1 }>::variable(x[k], k));
            let excess = bound.excess_m(variables[0], variables[1]);
            let by_scale = 1.0 / self.scales[OFFSET];
            for (k, bends) in excess.hessian.iter().enumerate() {
                gradients[function][k] = by_scale * excess.gradient[k];
                let weight = weights[function] * by_scale;
                hessian[k].iter_mut().zip(bends).for_each(|(entry, bend)| *entry += weight * bend);
            }
        }
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
