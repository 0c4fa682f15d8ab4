//! Numbers for which equations are written once: plain ones, and ones with first and second
//! derivatives.
//!
//! The chain rule of second order, forward: of f(x) with the gradient g and the Hessian H of x,
//!
//! ```text
//! gradient  f' g          Hessian  f' H + f'' g gᵀ                                           (1)
//! ```
//!
//! Source: Griewank and Walther, *Evaluating Derivatives*, 2nd edition (2008), chapter 13.

use crate::math;
use std::ops::{Add, Mul, Neg, Sub};

/// A number that equations can be evaluated with.
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
        let (sin, cos) = math::sin_cos(self.value());
        (self.through(sin, cos, -sin), self.through(cos, -sin, -cos))
    }

    /// Arc tangent.
    fn atan(self) -> Self {
        let x = self.value();
        let slope = 1.0 / (1.0 + x * x);
        self.through(math::atan(x), slope, -2.0 * x * slope * slope)
    }

    /// |x|^(2 p) of x², smooth at zero where p ≥ 1: x² itself for p = 1.
    fn power(self, exponent: f64) -> Self {
        if exponent == 1.0 {
            return self;
        }
        // Powers below 2 have no second derivative at zero.
        let x = self.value() + POWER_FLOOR;
        let value = math::powf(x, exponent);
        let slope = exponent * value / x;
        self.through(value, slope, (exponent - 1.0) * slope / x)
    }
}

/// Added to the base of a power.
const POWER_FLOOR: f64 = 1e-4;

impl Number for f64 {
    #[inline]
    fn value(self) -> f64 {
        self
    }

    #[inline]
    fn through(self, value: f64, _: f64, _: f64) -> f64 {
        value
    }
}

/// A number with its first and second derivatives with respect to `N` variables.
///
/// ```
/// use raceline_numerics::{Number, Second};
///
/// // x² y at (3, 2).
/// let (x, y) = (Second::<2>::variable(3.0, 0), Second::variable(2.0, 1));
/// let product = x.square() * y;
/// assert_eq!((product.value, product.gradient, product.hessian), (18.0, [12.0, 9.0], [[4.0, 6.0], [6.0, 0.0]]));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Second<const N: usize> {
    /// Value.
    pub value: f64,
    /// First derivatives.
    pub gradient: [f64; N],
    /// Second derivatives, symmetric.
    pub hessian: [[f64; N]; N],
}

impl<const N: usize> Second<N> {
    /// A number without derivatives.
    #[must_use]
    #[inline]
    pub fn constant(value: f64) -> Self {
        Self { value, gradient: [0.0; N], hessian: [[0.0; N]; N] }
    }

    /// Variable number `index`, below `N`.
    #[must_use]
    #[inline]
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
                // equation (1)
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
    use super::{Number, POWER_FLOOR, Second};

    /// A function of two variables, once for plain numbers and once with derivatives.
    macro_rules! functions {
        ($($name:literal: |$x:ident, $y:ident| $body:expr;)*) => {
            [$((
                $name,
                (|$x: f64, $y: f64| $body) as fn(f64, f64) -> f64,
                (|$x: Second<2>, $y: Second<2>| $body) as fn(Second<2>, Second<2>) -> Second<2>,
            )),*]
        };
    }

    #[test]
    fn derivatives_are_those_of_the_plain_numbers() {
        let functions = functions! {
            "sum": |x, y| x.square() + x * y;
            "difference": |x, y| x.square() * y - y.square() * x;
            "product": |x, y| (x * y + 0.5) * (x.square() + y * 2.0);
            "quotient": |x, y| (x.square() + y) * (x * y + 3.0).recip();
            "opposite": |x, y| -(x * y.square());
            "root": |x, y| (x * y + x.square() + 1.0).sqrt();
            "sine": |x, y| (x * y + x).sin_cos().0;
            "cosine": |x, y| (x * y + y).sin_cos().1;
            "arc tangent": |x, y| (x * y * 1.5 + x.square()).atan();
            "power": |x, y| (x.square() + y * x).power(1.7);
            "power of one": |x, y| (x.square() + y * x).power(1.0);
        };
        let h = 1e-4;
        for (name, plain, second) in functions {
            for (x, y) in [(0.7, 1.9), (1.3, 0.4)] {
                let found = second(Second::variable(x, 0), Second::variable(y, 1));
                // A closure of plain numbers calls the standard library, whose last bit may differ.
                assert!((found.value - plain(x, y)).abs() < 1e-15 * plain(x, y).abs().max(1.0), "{name}");
                assert_eq!(found.value(), found.value, "{name}");
                let at = |i: f64, j: f64| plain(x + i * h, y + j * h);
                let gradient =
                    [at(1.0, 0.0) - at(-1.0, 0.0), at(0.0, 1.0) - at(0.0, -1.0)].map(|rise| rise / (2.0 * h));
                let across = (at(1.0, 1.0) - at(1.0, -1.0) - at(-1.0, 1.0) + at(-1.0, -1.0)) / (4.0 * h * h);
                let own = [at(1.0, 0.0) + at(-1.0, 0.0), at(0.0, 1.0) + at(0.0, -1.0)];
                let own = own.map(|ends| (ends - 2.0 * at(0.0, 0.0)) / (h * h));
                let expected = [gradient[0], gradient[1], own[0], across, across, own[1]];
                let [[xx, xy], [yx, yy]] = found.hessian;
                let all = [found.gradient[0], found.gradient[1], xx, xy, yx, yy];
                for (found, expected) in all.iter().zip(expected) {
                    assert!((found - expected).abs() < 1e-5 * (1.0 + expected.abs()), "{name}: {all:?} {expected}");
                }
            }
        }
    }

    #[test]
    fn plain_numbers_are_their_own_values() {
        assert_eq!(Number::value(3.5_f64), 3.5);
        assert_eq!(Number::through(3.5_f64, 2.0, 7.0, 9.0), 2.0);
        assert_eq!([Number::recip(4.0), Number::square(3.0), Number::sqrt(6.25)], [0.25, 9.0, 2.5]);
        assert_eq!(Number::atan(1.0), std::f64::consts::FRAC_PI_4);
        assert_eq!(Number::power(2.0, 1.0), 2.0);
        assert_eq!(Number::power(2.0, 3.0), (2.0 + POWER_FLOOR).powi(3));
    }
}
