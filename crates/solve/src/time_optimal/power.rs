//! A power of a used fraction of a limit, with its derivatives.

use raceline_car::Jet;
use raceline_numerics::math;

/// Below this fraction of the lateral or longitudinal limit, |x|^p is smoothed for exponents other
/// than 2, so that second derivatives exist.
const ROUNDED_FRACTION: f64 = 0.02;

/// |x|^p, smoothed near zero, with its derivatives.
#[derive(Clone, Copy, Debug)]
pub struct Power {
    exponent: f64,
}

impl Power {
    pub fn new(exponent: f64) -> Self {
        Self { exponent }
    }

    #[inline]
    pub fn value(self, x: f64) -> f64 {
        if self.exponent == 2.0 {
            return x * x;
        }
        let square = x * x + ROUNDED_FRACTION * ROUNDED_FRACTION;
        math::powf(square, 0.5 * self.exponent) - math::powf(ROUNDED_FRACTION, self.exponent)
    }

    #[inline]
    pub fn jet(self, x: f64) -> Jet {
        if self.exponent == 2.0 {
            return Jet { value: x * x, slope: 2.0 * x, bend: 2.0 };
        }
        let p = self.exponent;
        let rounding = ROUNDED_FRACTION * ROUNDED_FRACTION;
        let square = x * x + rounding;
        let power = math::powf(square, 0.5 * p - 2.0);
        Jet {
            value: power * square * square - math::powf(ROUNDED_FRACTION, p),
            slope: p * x * power * square,
            bend: p * power * ((p - 1.0) * x * x + rounding),
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};

    use super::Power;

    #[test]
    fn powers_have_their_derivatives_at_random_places() {
        let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(1);
        for exponent in [1.0, 1.3, 1.5, 2.0, 3.0, 6.0] {
            let power = Power::new(exponent);
            for _ in 0..200 {
                let (x, h) = (2.0 * random.random::<f64>() - 1.0, 1e-6);
                let (jet, after, before) = (power.jet(x), power.jet(x + h), power.jet(x - h));
                assert!((jet.value - power.value(x)).abs() < 1e-14, "{exponent} {x}");
                let (slope, bend) =
                    ((after.value - before.value) / (2.0 * h), (after.slope - before.slope) / (2.0 * h));
                assert!((slope - jet.slope).abs() < 1e-7, "{exponent} {x}: {slope} {jet:?}");
                assert!((bend - jet.bend).abs() < 1e-6 * (1.0 + jet.bend.abs()), "{exponent} {x}: {bend} {jet:?}");
            }
        }
    }
}
