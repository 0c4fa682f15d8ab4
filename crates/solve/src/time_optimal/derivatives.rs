//! Derivatives of functions of an interval, with respect to its arguments and to what is in its
//! middle, and the chain rule from the latter to the former.
//!
//! With the middle m = (κ, c, w, a) as a function of the arguments x = (κ₁, κ₂, d, w₁, w₂), J =
//! dm/dx, a function F of the middle has
//!
//! ```text
//! ∇F = Jᵀ F_m              ∇²F = Jᵀ F_mm J + Σ_k F_k ∇²m_k                                   (1)
//! ```
//!
//! where only c = (κ₂ - κ₁) / d and a = (w₂ - w₁) / 2d have second derivatives by the arguments:
//!
//! ```text
//! c_dd = 2 c / d²   c_dκ₂ = -c_dκ₁ = -1 / d²   a_dd = 2 a / d²   a_dw₂ = -a_dw₁ = -1 / 2d²  (2)
//! ```
//!
//! Products with a function q of w, and an outer function h:
//!
//! ```text
//! (F q)_mm = q F_mm + q' (F_m e_wᵀ + e_w F_mᵀ) + F q'' e_w e_wᵀ                              (3)
//! h(F)_mm = h' F_mm + h'' F_m F_mᵀ                                                           (4)
//! (F G)_mm = G F_mm + F G_mm + F_m G_mᵀ + G_m F_mᵀ                                           (5)
//! ```

use raceline_car::Jet;

/// Arguments of an interval's functions, in this order: curvature at its two ends, length, w at its
/// two ends.
pub const ARGUMENTS: usize = 5;

/// Derivatives of a function of an interval with respect to the [`ARGUMENTS`].
#[derive(Clone, Copy, Debug, Default)]
pub struct IntervalDerivatives {
    pub gradient: [f64; ARGUMENTS],
    /// Symmetric.
    pub hessian: [[f64; ARGUMENTS]; ARGUMENTS],
}

impl IntervalDerivatives {
    /// The function times `factor`.
    #[inline]
    pub fn scaled(mut self, factor: f64) -> Self {
        self.gradient.iter_mut().chain(self.hessian.as_flattened_mut()).for_each(|value| *value *= factor);
        self
    }

    /// Sets the second derivative with respect to the arguments `i` and `j`.
    pub fn set(&mut self, i: usize, j: usize, value: f64) {
        self.hessian[i][j] = value;
        self.hessian[j][i] = value;
    }
}

/// Derivatives of a function of an interval by the grip.
#[derive(Clone, Copy, Debug, Default)]
pub struct GripDerivatives {
    pub slope: f64,
    pub bend: f64,
    /// Second derivatives by the grip and each of the [`ARGUMENTS`].
    pub mixed: [f64; ARGUMENTS],
}

impl GripDerivatives {
    /// The sum of both functions.
    #[inline]
    pub fn plus(mut self, other: &Self) -> Self {
        self.slope += other.slope;
        self.bend += other.bend;
        self.mixed.iter_mut().zip(&other.mixed).for_each(|(entry, more)| *entry += more);
        self
    }
}

/// Number of arguments of the functions in the middle of an interval, and their indices: curvature,
/// its change, w, acceleration.
const MIDDLE: usize = 4;
pub const K: usize = 0;
pub const C: usize = 1;
pub const W: usize = 2;
pub const A: usize = 3;

/// Curvature, its change per length, w and acceleration in the middle of an interval.
#[derive(Clone, Copy, Debug)]
pub struct Middle {
    /// κ, 1/m.
    pub curvature: f64,
    /// c, 1/m².
    pub change: f64,
    /// m²/s².
    pub w: f64,
    /// a, m/s².
    pub acceleration: f64,
}

/// Derivatives of a function of κ, c, w and a in the middle of an interval.
#[derive(Clone, Copy, Debug, Default)]
pub struct MiddleDerivatives {
    pub gradient: [f64; MIDDLE],
    /// Symmetric.
    pub hessian: [[f64; MIDDLE]; MIDDLE],
}

impl MiddleDerivatives {
    /// Sets the second derivative with respect to the arguments `i` and `j`.
    #[inline]
    pub fn set(&mut self, i: usize, j: usize, value: f64) {
        self.hessian[i][j] = value;
        self.hessian[j][i] = value;
    }

    /// The product of this function, which has the value `value`, and a function of w: its value
    /// and derivatives.
    #[inline]
    pub fn times(&self, value: f64, factor: Jet) -> (f64, Self) {
        // Equation (3).
        let mut product = self.scaled(factor.value);
        for i in 0..MIDDLE {
            let mixed = factor.slope * self.gradient[i];
            product.hessian[i][W] += mixed;
            product.hessian[W][i] += mixed;
        }
        product.gradient[W] += value * factor.slope;
        product.hessian[W][W] += value * factor.bend;
        (value * factor.value, product)
    }

    /// The product of this function, which has the value `value`, and another one: its value and
    /// derivatives.
    pub fn product(&self, value: f64, of_other: f64, other: &Self) -> (f64, Self) {
        // Equation (5).
        let mut product = self.scaled(of_other).plus(&other.scaled(value));
        for i in 0..MIDDLE {
            for j in 0..MIDDLE {
                product.hessian[i][j] += self.gradient[i] * other.gradient[j] + other.gradient[i] * self.gradient[j];
            }
        }
        (value * of_other, product)
    }

    /// An outer function of this one.
    #[inline]
    pub fn through(&self, outer: Jet) -> Self {
        // Equation (4).
        let mut composed = self.scaled(outer.slope);
        for i in 0..MIDDLE {
            for j in 0..MIDDLE {
                composed.hessian[i][j] += outer.bend * self.gradient[i] * self.gradient[j];
            }
        }
        composed
    }

    /// The sum of both functions.
    #[inline]
    pub fn plus(mut self, other: &Self) -> Self {
        for i in 0..MIDDLE {
            self.gradient[i] += other.gradient[i];
            for j in 0..MIDDLE {
                self.hessian[i][j] += other.hessian[i][j];
            }
        }
        self
    }

    /// The function times `factor`.
    #[inline]
    pub fn scaled(mut self, factor: f64) -> Self {
        self.gradient.iter_mut().chain(self.hessian.as_flattened_mut()).for_each(|value| *value *= factor);
        self
    }

    /// Derivatives by the interval's arguments, from these by the chain rule. Curvature in the
    /// road's surface is `geodesic` times the arguments' curvature, and a constant.
    pub fn by_arguments(&self, length: f64, geodesic: f64, middle: &Middle) -> IntervalDerivatives {
        let Middle { change, acceleration, .. } = *middle;
        let (inverse, half) = (1.0 / length, 0.5 / length);
        // J.
        let rows = [
            [0.5 * geodesic, 0.5 * geodesic, 0.0, 0.0, 0.0],
            [-inverse * geodesic, inverse * geodesic, -change * inverse, 0.0, 0.0],
            [0.0, 0.0, 0.0, 0.5, 0.5],
            [0.0, 0.0, -acceleration * inverse, -half, half],
        ];
        // Equation (1), first the part with J.
        let mut function = IntervalDerivatives::default();
        let mut product = [[0.0; ARGUMENTS]; MIDDLE];
        for (k, row) in rows.iter().enumerate() {
            for j in 0..ARGUMENTS {
                function.gradient[j] += self.gradient[k] * row[j];
                for (target, hessian) in product.iter_mut().zip(&self.hessian) {
                    target[j] += hessian[k] * row[j];
                }
            }
        }
        for (row, product) in rows.iter().zip(&product) {
            for (target, factor) in function.hessian.iter_mut().zip(row) {
                for (entry, value) in target.iter_mut().zip(product) {
                    *entry += factor * value;
                }
            }
        }
        // Equation (2): c and a are inversely proportional to the length.
        let by_change = self.gradient[C] * inverse;
        let by_acceleration = self.gradient[A] * inverse;
        function.hessian[2][2] += 2.0 * (by_change * change + by_acceleration * acceleration) * inverse;
        let mixed = [
            (0, by_change * inverse * geodesic),
            (1, -by_change * inverse * geodesic),
            (3, by_acceleration * half),
            (4, -by_acceleration * half),
        ];
        for (j, value) in mixed {
            function.hessian[2][j] += value;
            function.hessian[j][2] += value;
        }
        function
    }
}
