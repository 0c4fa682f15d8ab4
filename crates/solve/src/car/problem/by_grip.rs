//! Derivatives of the car's equations by the grip.
//!
//! They are differences of the equations and of their own derivatives, and are needed only where
//! the grip changes across the road.

use super::CAR;
use crate::car::model::{Car, Derivatives, Motion};
use crate::speed::Ground;

/// Derivatives by the grip.
pub(super) struct ByGrip {
    /// Of the rates of u, v and r.
    pub rates: [f64; 3],
    /// Of the use of both axles.
    pub uses: [f64; 2],
    /// First and second derivative of the weighted sum, and those by the grip and each variable.
    pub slope: f64,
    pub bend: f64,
    pub mixed: [f64; CAR],
}

/// Step of the grip to either side, as a fraction of it.
const GRIP_STEP: f64 = 1e-4;

impl ByGrip {
    /// The derivatives at a motion on a ground, whose own are `here`.
    pub fn of(
        car: &Car,
        (motion, ground, grip): (Motion<f64>, &Ground, f64),
        here: &Derivatives,
        rate_weights: [f64; 3],
        limit_weights: [f64; 5],
    ) -> Self {
        let step = GRIP_STEP * grip;
        let uses = |grip: f64| car.rates(motion, ground, grip).use_less_one;
        let at = |grip: f64| (car.derivatives(motion, ground, grip, rate_weights, limit_weights), uses(grip));
        let ((after, uses_after), (before, uses_before)) = (at(grip + step), at(grip - step));
        let half = 0.5 / step;
        let sum = |rates: &[f64; 3], uses: &[f64; 2]| -> f64 {
            let of_rates: f64 = rates.iter().zip(&rate_weights).map(|(rate, weight)| rate * weight).sum();
            of_rates + uses[0] * limit_weights[1] + uses[1] * limit_weights[2]
        };
        let sums = [sum(&before.rates, &uses_before), sum(&here.rates, &uses(grip)), sum(&after.rates, &uses_after)];
        Self {
            rates: std::array::from_fn(|k| (after.rates[k] - before.rates[k]) * half),
            uses: std::array::from_fn(|k| (uses_after[k] - uses_before[k]) * half),
            slope: (sums[2] - sums[0]) * half,
            bend: (sums[2] - 2.0 * sums[1] + sums[0]) / (step * step),
            mixed: std::array::from_fn(|z| {
                let rates =
                    (0..3).map(|k| rate_weights[k] * (after.rate_gradients[k][z] - before.rate_gradients[k][z]));
                let limits =
                    (0..5).map(|k| limit_weights[k] * (after.limit_gradients[k][z] - before.limit_gradients[k][z]));
                (rates.sum::<f64>() + limits.sum::<f64>()) * half
            }),
        }
    }
}
