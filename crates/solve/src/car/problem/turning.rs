//! The curvature of the car's path, equation (9) of `problem`.
//!
//! With D = 1 / V, whose derivatives by u and v are D_u = -u / V³ and D_v = -v / V³, it is
//!
//! ```text
//! κ = D_v u' - D_u v' + D r                                                                  (1)
//! ```

use super::{FORWARD, UNKNOWNS};

/// A factor of equation (1) by the bound of κ, with its derivatives by u and v.
#[derive(Clone, Copy)]
struct Factor {
    value: f64,
    slope: [f64; 2],
    bend: [[f64; 2]; 2],
}

/// The factors of u', v' and r.
#[derive(Clone, Copy)]
pub(super) struct Turning([Factor; 3]);

/// The values of these factors.
pub(super) fn factors(u: f64, v: f64, bound: f64) -> [f64; 3] {
    let square = u * u + v * v;
    let by_yaw_rate = 1.0 / (bound * square.sqrt());
    let per_square = by_yaw_rate / square;
    [-v * per_square, u * per_square, by_yaw_rate]
}

impl Turning {
    pub fn new(u: f64, v: f64, bound: f64) -> Self {
        let [by_forward, by_leftward, by_yaw_rate] = factors(u, v, bound);
        let square = u * u + v * v;
        let cube = by_yaw_rate / square;
        let fifth = 3.0 * cube / square;
        let seventh = 5.0 * fifth / square;
        // Derivatives of D to the third.
        let [uu, uv, vv] = [fifth * u * u - cube, fifth * u * v, fifth * v * v - cube];
        let [uuu, uuv, uvv, vvv] = [
            (3.0 * fifth - seventh * u * u) * u,
            (fifth - seventh * u * u) * v,
            (fifth - seventh * v * v) * u,
            (3.0 * fifth - seventh * v * v) * v,
        ];
        Self([
            Factor { value: by_forward, slope: [uv, vv], bend: [[uuv, uvv], [uvv, vvv]] },
            Factor { value: by_leftward, slope: [-uu, -uv], bend: [[-uuu, -uuv], [-uuv, -uvv]] },
            Factor { value: by_yaw_rate, slope: [-u * cube, -v * cube], bend: [[uu, uv], [uv, vv]] },
        ])
    }

    /// The factors of u', v' and r.
    pub fn values(&self) -> [f64; 3] {
        self.0.map(|factor| factor.value)
    }

    /// Derivatives of the factors of u' and v' by u and v.
    pub fn slopes(&self) -> [[f64; 2]; 2] {
        [self.0[0].slope, self.0[1].slope]
    }

    /// The gradient of κ, where u', v' and r have these values and gradients. What their second
    /// derivatives do not give of κ's is added to `hessian`, times `weight`.
    pub fn add_to(
        &self,
        rates: &[(f64, [f64; UNKNOWNS]); 3],
        weight: f64,
        hessian: &mut [[f64; UNKNOWNS]; UNKNOWNS],
    ) -> [f64; UNKNOWNS] {
        let mut gradient = [0.0; UNKNOWNS];
        for (factor, (value, own)) in self.0.iter().zip(rates) {
            gradient.iter_mut().zip(own).for_each(|(entry, slope)| *entry += factor.value * slope);
            for i in 0..2 {
                gradient[FORWARD + i] += factor.slope[i] * value;
                for j in 0..2 {
                    hessian[FORWARD + i][FORWARD + j] += weight * factor.bend[i][j] * value;
                }
                for (j, slope) in own.iter().enumerate() {
                    let mixed = weight * factor.slope[i] * slope;
                    hessian[FORWARD + i][j] += mixed;
                    hessian[j][FORWARD + i] += mixed;
                }
            }
        }
        gradient
    }
}
