//! Elementary functions with the same bits on every machine.
//!
//! `f64::sin` and its relatives call the C library of the platform, and compilers evaluate them
//! themselves where the argument is known: the last bits differ from one platform to another, from
//! one release of a C library to the next, and between builds. The functions here are those of the
//! crate [`libm`], which is Rust: additions, multiplications, divisions and square roots, which
//! IEEE 754 rounds alike everywhere, in an order that is the same everywhere.
//!
//! `f64::sqrt`, `abs`, `floor`, `ceil`, `round`, `mul_add`, `to_radians`, `%` and `rem_euclid` are
//! exact by that standard, so they are not repeated here. The lint `disallowed_methods` refuses the
//! others in the packages whose results must be equal.
//!
//! ```
//! use raceline_numerics::math;
//!
//! assert_eq!(math::hypot(3.0, 4.0), 5.0);
//! assert_eq!(math::sin(1.0).to_bits(), 0x3fea_ed54_8f09_0cee);
//! ```

/// Sine of an angle in radians.
#[inline]
#[must_use]
pub fn sin(angle_rad: f64) -> f64 {
    libm::sin(angle_rad)
}

/// Cosine of an angle in radians.
#[inline]
#[must_use]
pub fn cos(angle_rad: f64) -> f64 {
    libm::cos(angle_rad)
}

/// Sine and cosine of an angle in radians, by one reduction of the angle.
#[inline]
#[must_use]
pub fn sin_cos(angle_rad: f64) -> (f64, f64) {
    libm::sincos(angle_rad)
}

/// Tangent of an angle in radians.
#[inline]
#[must_use]
pub fn tan(angle_rad: f64) -> f64 {
    libm::tan(angle_rad)
}

/// Arc sine in radians, in [-π/2, π/2]; not a number outside [-1, 1].
#[inline]
#[must_use]
pub fn asin(x: f64) -> f64 {
    libm::asin(x)
}

/// Arc cosine in radians, in [0, π]; not a number outside [-1, 1].
#[inline]
#[must_use]
pub fn acos(x: f64) -> f64 {
    libm::acos(x)
}

/// Arc tangent in radians, in [-π/2, π/2].
#[inline]
#[must_use]
pub fn atan(x: f64) -> f64 {
    libm::atan(x)
}

/// The angle of the vector (x, y) in radians, in [-π, π].
#[inline]
#[must_use]
pub fn atan2(y: f64, x: f64) -> f64 {
    libm::atan2(y, x)
}

/// Hyperbolic sine.
#[inline]
#[must_use]
pub fn sinh(x: f64) -> f64 {
    libm::sinh(x)
}

/// Hyperbolic tangent.
#[inline]
#[must_use]
pub fn tanh(x: f64) -> f64 {
    libm::tanh(x)
}

/// Inverse hyperbolic sine.
#[inline]
#[must_use]
pub fn asinh(x: f64) -> f64 {
    libm::asinh(x)
}

/// eˣ.
#[inline]
#[must_use]
pub fn exp(x: f64) -> f64 {
    libm::exp(x)
}

/// eˣ - 1, accurate near zero.
#[inline]
#[must_use]
pub fn exp_m1(x: f64) -> f64 {
    libm::expm1(x)
}

/// Natural logarithm; not a number below 0.
#[inline]
#[must_use]
pub fn ln(x: f64) -> f64 {
    libm::log(x)
}

/// Natural logarithm of 1 + x, accurate near zero; not a number below -1.
#[inline]
#[must_use]
pub fn ln_1p(x: f64) -> f64 {
    libm::log1p(x)
}

/// Logarithm to base 2; not a number below 0.
#[inline]
#[must_use]
pub fn log2(x: f64) -> f64 {
    libm::log2(x)
}

/// Logarithm to base 10; not a number below 0.
#[inline]
#[must_use]
pub fn log10(x: f64) -> f64 {
    libm::log10(x)
}

/// xʸ; not a number for a negative x unless y is whole.
#[inline]
#[must_use]
pub fn powf(x: f64, y: f64) -> f64 {
    libm::pow(x, y)
}

/// xⁿ by repeated squaring: where n is known, the multiplications alone.
///
/// `f64::powi` multiplies in the same order, but a compiler that knows x rounds only once.
#[inline]
#[must_use]
pub fn powi(x: f64, n: i32) -> f64 {
    let mut left = n.unsigned_abs();
    let mut square = x;
    let mut power = if left & 1 == 1 { x } else { 1.0 };
    left >>= 1;
    while left > 0 {
        square *= square;
        if left & 1 == 1 {
            power *= square;
        }
        left >>= 1;
    }
    if n < 0 { power.recip() } else { power }
}

/// Cube root.
#[inline]
#[must_use]
pub fn cbrt(x: f64) -> f64 {
    libm::cbrt(x)
}

/// √(x² + y²) without overflow of the squares.
#[inline]
#[must_use]
pub fn hypot(x: f64, y: f64) -> f64 {
    libm::hypot(x, y)
}
