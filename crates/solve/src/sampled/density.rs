//! The linear density over the width of the road.

/// A number in `low..=high`, a part of 0 to 1, from the density with the slope m there, for an evenly
/// distributed number `uniform` from 0 to 1: the inverse of the distribution F, equation (3) of `sampled`.
pub(super) fn linear(uniform: f64, slope: f64, low: f64, high: f64) -> f64 {
    let below = |u: f64| (1.0 - slope) * u + slope * u * u; // equation (3)
    let target = below(low) + uniform * (below(high) - below(low));
    let linear = 1.0 - slope;
    // The stable form of the quadratic's root, for m of either sign and m = 0.
    let root = (linear * linear + 4.0 * slope * target).max(0.0).sqrt();
    let sum = linear + root;
    let u = if sum > 0.0 { 2.0 * target / sum } else { low };
    u.clamp(low, high)
}

#[cfg(test)]
mod tests {
    use super::linear;

    #[test]
    fn the_mean_is_that_of_the_density() {
        for slope in [-1.0, -0.4, 0.0, 0.3, 1.0] {
            let count = 10_000;
            let draw = |i: i32| linear((f64::from(i) + 0.5) / f64::from(count), slope, 0.0, 1.0);
            let mean = (0..count).map(draw).sum::<f64>() / f64::from(count);
            // ∫ u (1 + m (2 u - 1)) du = 1/2 + m/6.
            assert!((mean - (0.5 + slope / 6.0)).abs() < 1e-4, "{slope}: {mean}");
        }
    }

    #[test]
    fn a_part_of_the_width_is_not_left() {
        for (uniform, low, high) in [(0.0, 0.2, 0.3), (1.0, 0.2, 0.3), (0.5, 0.7, 0.7)] {
            let u = linear(uniform, 0.8, low, high);
            assert!((low..=high).contains(&u), "{u}");
        }
    }
}
