//! The distribution function of the standard normal distribution.
//!
//! By the series of Marsaglia, *Evaluating the normal distribution* (Journal of Statistical
//! Software 11, 2004), and where its sum is lost in rounding by the continued fraction of
//! Abramowitz and Stegun, *Handbook of Mathematical Functions*, 26.2.14, with t = -z:
//!
//! ```text
//! Φ(z) = ½ + φ(z) (z + z³ / 3 + z⁵ / (3 · 5) + z⁷ / (3 · 5 · 7) + …)                         (1)
//! Φ(z) = φ(z) / (t + 1 / (t + 2 / (t + 3 / (t + …))))                                        (2)
//! ```

use crate::math;
use std::f64::consts::TAU;

/// Below this, equation (2) is more exact than (1), with this many levels.
const TAIL: f64 = -3.0;
const LEVELS: i32 = 60;
/// Beyond this, Φ is 1 within 1e-15.
const FAR: f64 = 8.0;

/// The probability, 0 to 1, that a standard normal variate is below `z`: within 2e-15, and from
/// z = -3 down to -37 within a fraction of 1e-13 of itself. NaN for NaN.
///
/// ```
/// use raceline_numerics::normal_distribution;
///
/// assert_eq!(normal_distribution(0.0), 0.5);
/// assert!((normal_distribution(1.959_963_984_540_054) - 0.975).abs() < 1e-15);
/// ```
#[must_use]
pub fn normal_distribution(z: f64) -> f64 {
    let density = math::exp(-0.5 * (z * z + math::ln(TAU)));
    if z < TAIL {
        let below = (1..=LEVELS).rev().fold(-z, |below, level| f64::from(level) / below - z);
        return density / below; // equation (2)
    }
    if z > FAR {
        return 1.0;
    }
    let (mut sum, mut term, mut odd) = (z, z, 1.0);
    loop {
        odd += 2.0;
        term *= z * z / odd;
        let next = sum + term;
        if next == sum || next.is_nan() {
            break;
        }
        sum = next;
    }
    0.5 + density * sum // equation (1)
}

#[cfg(test)]
mod tests {
    use super::{TAIL, normal_distribution};

    #[test]
    fn values_are_those_of_tables() {
        let table = [
            (0.0, 0.5),
            (1.0, 0.841_344_746_068_543),
            (-2.0, 0.022_750_131_948_179_2),
            (-6.0, 9.865_876_450_376_98e-10),
            (-10.0, 7.619_853_024_160_53e-24),
            (-37.0, 5.725_571_222_524_58e-300),
        ];
        for (z, value) in table {
            assert!((normal_distribution(z) / value - 1.0).abs() < 1e-13, "{z}");
        }
        assert_eq!((normal_distribution(9.0), normal_distribution(f64::INFINITY)), (1.0, 1.0));
        assert_eq!(normal_distribution(f64::NEG_INFINITY), 0.0);
        assert!(normal_distribution(f64::NAN).is_nan());
    }

    #[test]
    fn both_tails_sum_to_one_and_both_equations_meet() {
        for i in 0..900 {
            let z = 0.01 * f64::from(i);
            let sum = normal_distribution(z) + normal_distribution(-z);
            assert!((sum - 1.0).abs() < 2e-15, "{z}: {sum}");
        }
        let [below, above] = [-1e-9, 1e-9].map(|step| normal_distribution(TAIL + step));
        // The density at -3.
        assert!(((above - below) / 2e-9 - 0.004_431_848_411_938).abs() < 1e-6);
        let at = |i: i32| normal_distribution(0.01 * f64::from(i));
        let values: Vec<f64> = (-4000..1000).map(at).collect();
        assert!(values.windows(2).all(|pair| pair[0] < pair[1] + 2e-15));
    }
}
