//! The expected positive part of a standard normal variate plus z, with its density φ and its distribution
//! function Φ; where Φ is lost in rounding, by the continued fraction of Φ(-t) (Abramowitz and Stegun,
//! 26.2.14) with t = -z:
//!
//! ```text
//! h(z) = φ(z) + z Φ(z)                                                                       (1)
//! h(z) = φ(z) r / (t + r),  r = 1 / (t + 2 / (t + 3 / (t + …)))                              (2)
//! ```

use std::f64::consts::TAU;

use raceline_numerics::{math, normal_distribution};

/// Below this, equation (2) is more exact than (1), with this many levels.
const TAIL: f64 = -3.0;
const LEVELS: i32 = 60;

/// ln φ(z).
fn ln_density(z: f64) -> f64 {
    -0.5 * (z * z + math::ln(TAU))
}

/// ln h(z).
pub(crate) fn ln_positive_part(z: f64) -> f64 {
    if z > TAIL {
        return math::ln(math::exp(ln_density(z)) + z * normal_distribution(z)); // equation (1)
    }
    let t = -z;
    let r = (2..=LEVELS).rev().fold(t, |below, level| t + f64::from(level) / below).recip();
    ln_density(z) + math::ln(r / (t + r)) // equation (2)
}

#[cfg(test)]
mod tests {
    use super::ln_positive_part;

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
