//! Robust figures of samples.

/// The median absolute deviation of a normal distribution times this is its standard deviation.
const MAD_TO_DEVIATION: f64 = 1.4826;
/// Values beyond this many deviations have no weight: Tukey's biweight, which with this constant
/// needs 5 % more samples than the mean where there are no outliers.
pub(super) const REJECTED: f64 = 4.685;

/// The quantile `fraction`, 0 to 1, of `values`, which are reordered; 0 for none.
pub(super) fn quantile(values: &mut [f64], fraction: f64) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    let place = (fraction * (values.len() - 1) as f64).round() as usize;
    *values.select_nth_unstable_by(place, f64::total_cmp).1
}

/// The median of `values`, which are reordered; 0 for none.
pub(super) fn median(values: &mut [f64]) -> f64 {
    quantile(values, 0.5)
}

/// Standard deviation about zero of the bulk of `values`, which become absolute and are reordered.
pub(super) fn deviation(values: &mut [f64]) -> f64 {
    values.iter_mut().for_each(|value| *value = value.abs());
    MAD_TO_DEVIATION * median(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_and_deviations() {
        let mut values = [5.0, 1.0, 4.0, 2.0, 3.0];
        assert_eq!((median(&mut values), quantile(&mut values, 1.0), quantile(&mut [], 0.5)), (3.0, 5.0, 0.0));
        let mut noise = [-1.0, 0.5, 0.2, -0.6745, 30.0];
        assert!((deviation(&mut noise) - 1.0).abs() < 1e-4);
    }
}
