//! Normal variates from uniform ones.

use crate::math;

/// A standard normal variate from two independent ones that are uniform from 0 to below 1 (Box and
/// Muller, *A note on the generation of random normal deviates*, Annals of Mathematical Statistics
/// 29, 1958).
///
/// ```
/// use raceline_numerics::normal_variate;
///
/// assert_eq!(normal_variate([0.0, 0.7]), 0.0);
/// assert!((normal_variate([1.0 - (-0.5_f64).exp(), 0.0]) - 1.0).abs() < 1e-15);
/// ```
#[must_use]
pub fn normal_variate([of_radius, of_angle]: [f64; 2]) -> f64 {
    let radius = (-2.0 * math::ln(1.0 - of_radius)).sqrt();
    radius * math::cos(std::f64::consts::TAU * of_angle)
}

#[cfg(test)]
mod tests {
    use super::normal_variate;

    /// On a grid of uniform variates: mean 0, mean square 1, and 68.27 % within a deviation.
    #[test]
    fn a_grid_of_uniform_variates_gives_the_moments_of_a_normal_one() {
        const N: u32 = 1000;
        let grid = |i: u32| (f64::from(i) + 0.5) / f64::from(N);
        let values: Vec<f64> = (0..N * N).map(|k| normal_variate([grid(k / N), grid(k % N)])).collect();
        let mean = |of: &dyn Fn(f64) -> f64| values.iter().map(|&value| of(value)).sum::<f64>() / f64::from(N * N);
        assert!(mean(&|value| value).abs() < 1e-12);
        assert!((mean(&|value| value * value) - 1.0).abs() < 1e-3);
        assert!((mean(&|value| f64::from(value.abs() < 1.0)) - 0.682_69).abs() < 1e-3);
    }
}
