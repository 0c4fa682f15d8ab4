//! First and second derivatives of the car's equations, put together from those of their parts.
//!
//! Loads, friction and longitudinal forces depend on u and p only, the slips on u, v, r and δ, and
//! the used fraction of a tyre's lateral limit on its slip alone. The derivatives of these parts
//! come from numbers that carry few of them; the chain rule joins them. This costs a fraction of
//! numbers that carry the derivatives by all five variables through all of the equations.
//!
//! Wanted are the gradients of rates and limits, and the second derivatives of their weighted sum
//!
//! ```text
//! W = f u' + l v' + q r' + w_p power + Σ_i (w_i use_i + s_i σ_i²)                            (1)
//! ```
//!
//! with the symbols of `model`. Axle i has the longitudinal force x_i(u, p) and the lateral force
//! y_i = m_i(u, p) T(σ_i), and its ellipse use_i = b_i(u, p) + e(T(σ_i)) - 1. The front's forces
//! turn with the wheels, so in W each force has the weight
//!
//! ```text
//! t = l + q a / k²                                                                           (2)
//! X_f = f cos δ + t sin δ            X_r = f                                                 (3)
//! Y_f = t cos δ - f sin δ            Y_r = l - q b / k²                                      (4)
//! ```
//!
//! Gradients by (u, v, r, δ, p), where e' is that of e(T(σ)) by σ:
//!
//! ```text
//! ∇y_i = m_i T' ∇σ_i + T ∇m_i      ∇use_i = e' ∇σ_i + ∇b_i      ∇σ_i² = 2 σ_i ∇σ_i           (5)
//! ```
//!
//! Second derivatives of W: by the slips, by slips and the axles' variables, by these alone, by the
//! turning of the wheels, where dX_f/dδ = Y_f and dY_f/dδ = -X_f, and by v r and -u r:
//!
//! ```text
//! Σ_i (Y_i m_i T'' + w_i e'' + 2 s_i) ∇σ_i ∇σ_iᵀ + (Y_i m_i T' + w_i e' + 2 s_i σ_i) ∇²σ_i   (6)
//! Σ_i Y_i T' (∇σ_i ∇m_iᵀ + ∇m_i ∇σ_iᵀ)                                                       (7)
//! w_p ∇²power - f ∇²resistance + Σ_i (X_i ∇²x_i + Y_i T ∇²m_i + w_i ∇²b_i)                   (8)
//! by δ twice: -Y_f y_f - X_f x_f      by δ and others: Y_f ∇x_f - X_f ∇y_f                   (9)
//! by v and r: f                       by u and r: -l                                        (10)
//! ```
//!
//! Gradients of the rates, where the front's forces along and across the car are turned:
//!
//! ```text
//! F_x = x_f cos δ - y_f sin δ        ∇F_x = cos δ ∇x_f - sin δ ∇y_f - F_y ∇δ                (11)
//! F_y = y_f cos δ + x_f sin δ        ∇F_y = cos δ ∇y_f + sin δ ∇x_f + F_x ∇δ                (12)
//! ∇u' = ∇F_x + ∇x_r - ∇resistance + ∇(v r)        ∇v' = ∇F_y + ∇y_r - ∇(u r)                (13)
//! ∇r' = (a ∇F_y - b ∇y_r) / k²                                                              (14)
//! ```
//!
//! **Four wheels.** m_i and b_i depend on a_y too, which is a sixth variable of all the above. It
//! is
//! A(u, v, r, δ, p), whose derivatives are carried by one number of five; the chain rule removes
//! it:
//!
//! ```text
//! ∇f + f_A ∇A                                                                               (15)
//! ∇²W + ∇W_A ∇Aᵀ + ∇A ∇W_Aᵀ + W_AA ∇A ∇Aᵀ + W_A ∇²A                                         (16)
//! ```

use super::{AxleForces, Car, Motion};
use crate::car::number::Second;
use crate::speed::Ground;
use raceline_numerics::math;

/// Number of variables: u, v, r, δ, p.
pub const VARIABLES: usize = 5;
/// Which of them are those of [`AxleForces`]: u and p.
const OF_AXLES: [usize; 2] = [0, 4];
/// Index of a_y, for a car with wheels the variable after the others, and the variables of its
/// axles.
const ACROSS: usize = VARIABLES;
const OF_WHEELS: [usize; 3] = [0, 4, ACROSS];
/// Number of those of a slip, the first ones: u, v, r, δ.
const OF_SLIP: usize = 4;
/// δ.
const STEERING: usize = 3;

/// Values, gradients and weighted second derivatives by `V` variables.
#[derive(Clone, Copy, Debug)]
pub struct Derivatives<const V: usize = VARIABLES> {
    /// Rates of change of u, v and r.
    pub rates: [f64; 3],
    /// Gradients of the rates.
    pub rate_gradients: [[f64; V]; 3],
    /// Gradients of power, of the use of both axles and of the squared slip of both axles.
    pub limit_gradients: [[f64; V]; 5],
    /// Second derivatives of W, equation (1): the sum of all of them by the weights.
    pub hessian: [[f64; V]; V],
}

impl Derivatives<{ VARIABLES + 1 }> {
    /// Derivatives by the five variables, where the sixth is `across`.
    fn without(&self, across: &Second<VARIABLES>, rate_weights: [f64; 3], limit_weights: [f64; 5]) -> Derivatives {
        let by = &across.gradient;
        let gradient =
            |of: &[f64; VARIABLES + 1]| -> [f64; VARIABLES] { std::array::from_fn(|k| of[k] + of[ACROSS] * by[k]) };
        let weighted = |weights: &[f64], gradients: &[[f64; VARIABLES + 1]]| -> f64 {
            weights.iter().zip(gradients).map(|(weight, gradient)| weight * gradient[ACROSS]).sum()
        };
        let slope = weighted(&rate_weights, &self.rate_gradients) + weighted(&limit_weights, &self.limit_gradients);
        let bend = self.hessian[ACROSS][ACROSS];
        Derivatives {
            rates: self.rates,
            // Equation (15).
            rate_gradients: self.rate_gradients.each_ref().map(gradient),
            limit_gradients: self.limit_gradients.each_ref().map(gradient),
            // Equation (16).
            hessian: std::array::from_fn(|i| {
                let mixed = self.hessian[i][ACROSS] + bend * by[i];
                std::array::from_fn(|j| {
                    self.hessian[i][j] + mixed * by[j] + by[i] * self.hessian[ACROSS][j] + slope * across.hessian[i][j]
                })
            }),
        }
    }
}

impl Car {
    /// The derivatives of [`Car::rates`], with the weights of rates and limits.
    pub fn derivatives(
        &self,
        motion: Motion<f64>,
        ground: &Ground,
        grip: f64,
        rate_weights: [f64; 3],
        limit_weights: [f64; 5],
    ) -> Derivatives {
        let (u, p, r) = (motion.forward, motion.pedal, motion.yaw_rate);
        if self.wheels.is_some() {
            let by_all = |value, index| Second::<VARIABLES>::variable(value, index);
            let all = [by_all(u, 0), by_all(motion.leftward, 1), by_all(r, 2), by_all(motion.steering, STEERING)];
            let fractions = self.slips(all[0], all[1], all[2], all[3]).map(|slip| self.force_fraction(slip));
            let across = self.tyres_across(all[0], by_all(p, 4), fractions, ground, grip);
            let by_three = |value, index| Second::<3>::variable(value, index);
            let axles = self.axles(by_three(u, 0), by_three(p, 1), Some(by_three(across.value, 2)), ground, grip);
            let apart = self.joined(motion, &axles, OF_WHEELS, rate_weights, limit_weights);
            apart.without(&across, rate_weights, limit_weights)
        } else {
            let by_two = |value, index| Second::<2>::variable(value, index);
            let axles = self.axles(by_two(u, 0), by_two(p, 1), None, ground, grip);
            self.joined(motion, &axles, OF_AXLES, rate_weights, limit_weights)
        }
    }

    /// The derivatives by those of the axles, whose variables are `variables`.
    #[inline]
    fn joined<const N: usize, const V: usize>(
        &self,
        motion: Motion<f64>,
        axles: &AxleForces<Second<N>>,
        variables: [usize; N],
        rate_weights: [f64; 3],
        limit_weights: [f64; 5],
    ) -> Derivatives<V> {
        let Motion { forward: u, leftward: v, yaw_rate: r, steering, .. } = motion;
        let &AxleForces { along, lateral_limits, braking_use, power, resistance } = axles;
        let by_four = |value, index| Second::<OF_SLIP>::variable(value, index);
        let slips = self.slips(by_four(u, 0), by_four(v, 1), by_four(r, 2), by_four(steering, STEERING));
        let (sin, cos) = math::sin_cos(steering);
        let [forward, leftward, yaw] = rate_weights;
        let by_front = self.to_front_m / self.gyration_squared;
        let by_rear = self.to_rear_m / self.gyration_squared;

        // Weights of the axles' forces, front and rear.
        let turned = leftward + yaw * by_front; // equation (2)
        let along_weights = [forward * cos + turned * sin, forward]; // equation (3)
        let across_weights = [turned * cos - forward * sin, leftward - yaw * by_rear]; // equation (4)

        let mut hessian = [[0.0; V]; V];
        let mut across = [0.0; 2];
        let mut across_gradients = [[0.0; V]; 2];
        let mut limit_gradients = [[0.0; V]; 5];
        let mut of_axles = power * limit_weights[0] + resistance * -forward;
        for i in 0..2 {
            let (slip, limit) = (&slips[i], &lateral_limits[i]);
            let fraction = self.force_fraction(Second::<1>::variable(slip.value, 0));
            let used = self.part_of_use(fraction * self.used_fraction(i));
            let (fraction_slope, fraction_bend) = (fraction.gradient[0], fraction.hessian[0][0]);
            let (used_slope, used_bend) = (used.gradient[0], used.hessian[0][0]);
            let (use_weight, slip_weight) = (limit_weights[1 + i], limit_weights[3 + i]);
            across[i] = limit.value * fraction.value;

            // Equation (5).
            for (k, slope) in slip.gradient.iter().enumerate() {
                across_gradients[i][k] = limit.value * fraction_slope * slope;
                limit_gradients[1 + i][k] = used_slope * slope;
                limit_gradients[3 + i][k] = 2.0 * slip.value * slope;
            }
            for (k, variable) in variables.into_iter().enumerate() {
                across_gradients[i][variable] += fraction.value * limit.gradient[k];
                limit_gradients[1 + i][variable] += braking_use[i].gradient[k];
            }

            let weight = across_weights[i];
            // Equation (8).
            of_axles = of_axles
                + along[i] * along_weights[i]
                + *limit * (weight * fraction.value)
                + braking_use[i] * use_weight;
            // Equation (6).
            let by_slopes = weight * limit.value * fraction_bend + use_weight * used_bend + 2.0 * slip_weight;
            let by_bends =
                weight * limit.value * fraction_slope + use_weight * used_slope + 2.0 * slip_weight * slip.value;
            for (k, (row, bends)) in hessian.iter_mut().zip(&slip.hessian).enumerate() {
                let slope = by_slopes * slip.gradient[k];
                for (entry, (other, bend)) in row.iter_mut().zip(slip.gradient.iter().zip(bends)) {
                    *entry += slope * other + by_bends * bend;
                }
            }
            // Equation (7).
            for (k, variable) in variables.into_iter().enumerate() {
                let product = weight * fraction_slope * limit.gradient[k];
                for (other, slope) in slip.gradient.iter().enumerate() {
                    hessian[variable][other] += product * slope;
                    hessian[other][variable] += product * slope;
                }
            }
        }
        // Equation (8), which is by the axles' variables.
        for (row, variable) in of_axles.hessian.iter().zip(variables) {
            for (entry, other) in row.iter().zip(variables) {
                hessian[variable][other] += entry;
            }
        }
        // Equation (9): the front's forces turn with the wheels.
        hessian[STEERING][STEERING] -= across_weights[0] * across[0] + along_weights[0] * along[0].value;
        for (variable, slope) in across_gradients[0].iter().enumerate() {
            hessian[STEERING][variable] -= along_weights[0] * slope;
            hessian[variable][STEERING] -= along_weights[0] * slope;
        }
        for (slope, variable) in along[0].gradient.iter().zip(variables) {
            hessian[STEERING][variable] += across_weights[0] * slope;
            hessian[variable][STEERING] += across_weights[0] * slope;
        }
        // Equation (10): v r and -u r.
        for (a, b, weight) in [(1, 2, forward), (0, 2, -leftward)] {
            hessian[a][b] += weight;
            hessian[b][a] += weight;
        }

        for (slope, variable) in power.gradient.iter().zip(variables) {
            limit_gradients[0][variable] = *slope;
        }
        // The forces' gradients by all variables.
        let mut along_gradients = [[0.0; V]; 2];
        let mut resisted = [0.0; V];
        for (k, variable) in variables.into_iter().enumerate() {
            along_gradients[0][variable] = along[0].gradient[k];
            along_gradients[1][variable] = along[1].gradient[k];
            resisted[variable] = resistance.gradient[k];
        }
        // F_x and F_y.
        let front = [along[0].value * cos - across[0] * sin, across[0] * cos + along[0].value * sin];
        let mut rate_gradients = [[0.0; V]; 3];
        for k in 0..V {
            let (x, y) = (along_gradients[0][k], across_gradients[0][k]);
            let turn = if k == STEERING { front } else { [0.0; 2] };
            let front_along = x * cos - y * sin - turn[1]; // equation (11)
            let front_across = y * cos + x * sin + turn[0]; // equation (12)
            rate_gradients[0][k] = front_along + along_gradients[1][k] - resisted[k]; // equation (13)
            rate_gradients[1][k] = front_across + across_gradients[1][k];
            rate_gradients[2][k] = by_front * front_across - by_rear * across_gradients[1][k]; // equation (14)
        }
        // Equation (13): ∇(v r) and -∇(u r).
        rate_gradients[0][1] += r;
        rate_gradients[0][2] += v;
        rate_gradients[1][0] -= r;
        rate_gradients[1][2] -= u;
        Derivatives {
            rates: [
                front[0] + along[1].value - resistance.value + v * r,
                front[1] + across[1] - u * r,
                by_front * front[1] - by_rear * across[1],
            ],
            rate_gradients,
            limit_gradients,
            hessian,
        }
    }
}
