//! The normal distribution.
//!
//! Φ by the series of Marsaglia, *Evaluating the normal distribution* (Journal of Statistical Software 11,
//! 2004):
//!
//! ```text
//! Φ(z) = ½ + φ(z) (z + z³ / 3 + z⁵ / (3 · 5) + z⁷ / (3 · 5 · 7) + …)                         (1)
//! ```
//!
//! The expected positive part of a standard normal variate plus z; where Φ is lost in rounding, by the
//! continued fraction of Φ(-t) (Abramowitz and Stegun, 26.2.14) with t = -z:
//!
//! ```text
//! h(z) = φ(z) + z Φ(z)                                                                       (2)
//! h(z) = φ(z) r / (t + r),  r = 1 / (t + 2 / (t + 3 / (t + …)))                              (3)
//! ```

use std::f64::consts::TAU;

/// Below this, equation (3) is more exact than (2), with this many levels.
const TAIL: f64 = -3.0;
const LEVELS: i32 = 60;
/// Beyond this, Φ is 0 or 1 to all digits.
const FAR: f64 = 8.0;

/// ln φ(z).
fn ln_density(z: f64) -> f64 {
    -0.5 * (z * z + TAU.ln())
}

/// Φ(z), within 1e-14: equation (1).
pub(crate) fn distribution(z: f64) -> f64 {
    if z.abs() > FAR {
        return f64::from(u8::from(z > 0.0));
    }
    let (mut sum, mut term, mut odd) = (z, z, 1.0);
    loop {
        odd += 2.0;
        term *= z * z / odd;
        let next = sum + term;
        if next == sum {
            break;
        }
        sum = next;
    }
    0.5 + ln_density(z).exp() * sum
}

/// ln h(z).
pub(crate) fn ln_positive_part(z: f64) -> f64 {
    if z > TAIL {
        return (ln_density(z).exp() + z * distribution(z)).ln(); // equation (2)
    }
    let t = -z;
    let r = (2..=LEVELS).rev().fold(t, |below, level| t + f64::from(level) / below).recip();
    ln_density(z) + (r / (t + r)).ln() // equation (3)
}

#[cfg(test)]
mod tests {
    use super::{distribution, ln_positive_part};

    #[test]
    fn the_distribution_has_the_values_of_tables() {
        for (z, value) in [(0.0, 0.5), (1.0, 0.841_344_746_068_543), (-2.0, 0.022_750_131_948_179), (9.0, 1.0)] {
            assert!((distribution(z) - value).abs() < 1e-14, "{z}");
        }
    }

    #[test]
    fn the_positive_part_is_continuous_where_its_series_begins() {
        assert!((ln_positive_part(0.0) - (1.0 / std::f64::consts::TAU.sqrt()).ln()).abs() < 1e-14);
        let step = ln_positive_part(-2.999_999) - ln_positive_part(-3.000_001);
        // The slope of ln h is Φ / h: at -3, 1.349898e-3 / 3.8215e-4.
        assert!((step / 2e-6 - 3.5324).abs() < 1e-3, "{step}");
        // To the first order h is φ / z².
        let far = ln_positive_part(-1e3) + 0.5 * (1e6 + std::f64::consts::TAU.ln()) + 1e6_f64.ln();
        assert!(far.abs() < 1e-5, "{far}");
        assert!(ln_positive_part(-30.0) < ln_positive_part(-29.0) && ln_positive_part(-1e6).is_finite());
    }
}
