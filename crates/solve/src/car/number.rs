//! Numbers for which the car's equations are written: plain ones, and ones with first and second
//! derivatives.

use std::ops::{Add, Mul, Neg, Sub};

/// A number that the equations can be evaluated with.
pub trait Number:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Neg<Output = Self>
    + Add<f64, Output = Self>
    + Mul<f64, Output = Self>
{
    /// The value without its derivatives.
    fn value(self) -> f64;

    /// A function of it by the function's value and its first and second derivative there.
    fn through(self, value: f64, slope: f64, bend: f64) -> Self;

    /// 1 / x.
    fn recip(self) -> Self {
        let inverse = self.value().recip();
        self.through(inverse, -inverse * inverse, 2.0 * inverse * inverse * inverse)
    }

    /// x².
    fn square(self) -> Self {
        let x = self.value();
        self.through(x * x, 2.0 * x, 2.0)
    }

    /// √x.
    fn sqrt(self) -> Self {
        let root = self.value().sqrt();
        let slope = 0.5 / root;
        self.through(root, slope, -0.5 * slope / self.value())
    }

    /// Sine and cosine.
    fn sin_cos(self) -> (Self, Self) {
        let (sin, cos) = self.value().sin_cos();
        (self.through(sin, cos, -sin), self.through(cos, -sin, -cos))
    }

    /// Arc tangent.
    fn atan(self) -> Self {
        let x = self.value();
        let slope = 1.0 / (1.0 + x * x);
        self.through(x.atan(), slope, -2.0 * x * slope * slope)
    }

    /// |x|^(2 p) of x², smooth at zero where p ≥ 1: x² itself for p = 1.
    fn power(self, exponent: f64) -> Self {
        if exponent == 1.0 {
            return self;
        }
        // Powers below 2 have no second derivative at zero.
        let x = self.value() + POWER_FLOOR;
        let value = x.powf(exponent);
        let slope = exponent * value / x;
        self.through(value, slope, (exponent - 1.0) * slope / x)
    }
}

/// Added to the base of a power.
const POWER_FLOOR: f64 = 1e-4;

impl Number for f64 {
    fn value(self) -> f64 {
        self
    }

    fn through(self, value: f64, _: f64, _: f64) -> f64 {
        value
    }
}

/// A number with its first and second derivatives with respect to `N` variables.
#[derive(Clone, Copy, Debug)]
pub struct Second<const N: usize> {
    pub value: f64,
    pub gradient: [f64; N],
    /// Symmetric.
    pub hessian: [[f64; N]; N],
}

impl<const N: usize> Second<N> {
    /// Without derivatives.
    pub fn constant(value: f64) -> Self {
        Self { value, gradient: [0.0; N], hessian: [[0.0; N]; N] }
    }

    /// Variable number `index`.
    pub fn variable(value: f64, index: usize) -> Self {
        let mut variable = Self::constant(value);
        variable.gradient[index] = 1.0;
        variable
    }
}

impl<const N: usize> Number for Second<N> {
    fn value(self) -> f64 {
        self.value
    }

    #[inline]
    fn through(mut self, value: f64, slope: f64, bend: f64) -> Self {
        for i in 0..N {
            let across = bend * self.gradient[i];
            for j in 0..N {
                self.hessian[i][j] = slope * self.hessian[i][j] + across * self.gradient[j];
            }
        }
        self.gradient.iter_mut().for_each(|entry| *entry *= slope);
        self.value = value;
        self
    }
}

impl<const N: usize> Add for Second<N> {
    type Output = Self;
    #[inline]
    fn add(mut self, other: Self) -> Self {
        self.value += other.value;
        self.gradient.iter_mut().zip(&other.gradient).for_each(|(a, b)| *a += b);
        self.hessian.as_flattened_mut().iter_mut().zip(other.hessian.as_flattened()).for_each(|(a, b)| *a += b);
        self
    }
}

impl<const N: usize> Sub for Second<N> {
    type Output = Self;
    #[inline]
    fn sub(mut self, other: Self) -> Self {
        self.value -= other.value;
        self.gradient.iter_mut().zip(&other.gradient).for_each(|(a, b)| *a -= b);
        self.hessian.as_flattened_mut().iter_mut().zip(other.hessian.as_flattened()).for_each(|(a, b)| *a -= b);
        self
    }
}

impl<const N: usize> Mul for Second<N> {
    type Output = Self;
    #[inline]
    fn mul(mut self, other: Self) -> Self {
        for i in 0..N {
            let (a, b) = (self.gradient[i], other.gradient[i]);
            for j in 0..N {
                self.hessian[i][j] = self.hessian[i][j] * other.value
                    + self.value * other.hessian[i][j]
                    + (a * other.gradient[j] + b * self.gradient[j]);
            }
        }
        for (a, b) in self.gradient.iter_mut().zip(&other.gradient) {
            *a = *a * other.value + self.value * b;
        }
        self.value *= other.value;
        self
    }
}

impl<const N: usize> Neg for Second<N> {
    type Output = Self;
    fn neg(self) -> Self {
        self * -1.0
    }
}

impl<const N: usize> Add<f64> for Second<N> {
    type Output = Self;
    fn add(mut self, other: f64) -> Self {
        self.value += other;
        self
    }
}

impl<const N: usize> Mul<f64> for Second<N> {
    type Output = Self;
    #[inline]
    fn mul(mut self, other: f64) -> Self {
        self.value *= other;
        self.gradient.iter_mut().for_each(|entry| *entry *= other);
        self.hessian.as_flattened_mut().iter_mut().for_each(|entry| *entry *= other);
        self
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::{Number, Second};

    /// A function of two variables.
    type Function = (&'static str, fn(Second<2>, Second<2>) -> Second<2>, fn(f64, f64) -> f64);

    /// Every operation, with numbers that carry derivatives and with plain ones.
    const FUNCTIONS: [Function; 11] = [
        ("sum", |x, y| x + y * 2.0 + 3.0, |x, y| x + y * 2.0 + 3.0),
        ("difference", |x, y| -x - y * x, |x, y| -x - y * x),
        ("product", |x, y| x * y * y, |x, y| x * y * y),
        ("reciprocal", |x, y| (x * y).recip(), |x, y| Number::recip(x * y)),
        ("square", |x, y| (x - y).square(), |x, y| (x - y).square()),
        ("root", |x, y| Number::sqrt(x + y * y), |x, y| Number::sqrt(x + y * y)),
        ("sine", |x, y| Number::sin_cos(x * y).0, |x, y| Number::sin_cos(x * y).0),
        ("cosine", |x, y| Number::sin_cos(x * y).1, |x, y| Number::sin_cos(x * y).1),
        ("arc tangent", |x, y| Number::atan(x - y * x), |x, y| Number::atan(x - y * x)),
        ("power", |x, y| (x * y).power(0.7), |x, y| (x * y).power(0.7)),
        ("first power", |x, y| (x * y).power(1.0), |x, y| (x * y).power(1.0)),
    ];

    #[test]
    fn operations_have_their_derivatives_at_random_places() {
        let mut random = ChaCha8Rng::seed_from_u64(4);
        let h = 1e-5;
        for (name, carried, plain) in FUNCTIONS {
            for _ in 0..100 {
                let x: [f64; 2] = std::array::from_fn(|_| 0.3 + 1.5 * random.random::<f64>());
                let exact = carried(Second::variable(x[0], 0), Second::variable(x[1], 1));
                assert!((exact.value - plain(x[0], x[1])).abs() < 1e-14 * (1.0 + exact.value.abs()), "{name}");
                let at = |i: f64, j: f64| plain(x[0] + i * h, x[1] + j * h);
                let near = |found: f64, exact: f64, tolerance: f64| {
                    assert!((found - exact).abs() < tolerance * (1.0 + exact.abs()), "{name} {x:?}: {found} {exact}");
                };
                near((at(1.0, 0.0) - at(-1.0, 0.0)) / (2.0 * h), exact.gradient[0], 1e-7);
                near((at(0.0, 1.0) - at(0.0, -1.0)) / (2.0 * h), exact.gradient[1], 1e-7);
                let slope = |k: usize, sign: f64| {
                    let mut x = x;
                    x[k] += sign * h;
                    carried(Second::variable(x[0], 0), Second::variable(x[1], 1)).gradient
                };
                for k in 0..2 {
                    let (after, before) = (slope(k, 1.0), slope(k, -1.0));
                    (0..2).for_each(|j| near((after[j] - before[j]) / (2.0 * h), exact.hessian[k][j], 1e-6));
                }
            }
        }
    }
}
