//! Rates of change of noisy columns.

use super::statistics::{deviation, median};

/// Noise of a derived rate above which more samples are used, m/s².
pub(super) const NOISE_MPS2: f64 = 0.3;
/// Maximum number of samples to either side of the one whose rate is derived.
const MAX_HALF: usize = 12;
/// A sample is a spike if it is this many deviations away from the median of its neighbours.
const SPIKE: f64 = 6.0;
/// A rate is not derived across a gap of this many usual steps.
const LONGEST_GAP: f64 = 3.0;

/// Standard deviation of the noise of `values`, taken as a polynomial of second degree with white
/// noise: by their third differences, whose variance is 20 times that of the noise.
pub(super) fn noise(values: &[f64]) -> f64 {
    let mut thirds: Vec<f64> = values.windows(4).map(|v| (v[3] - 3.0 * (v[2] - v[1]) - v[0]) / 20_f64.sqrt()).collect();
    deviation(&mut thirds)
}

/// `values` with single spikes replaced by the median of five.
pub(super) fn without_spikes(values: &[f64]) -> Vec<f64> {
    let mut cleaned = values.to_vec();
    let middle = |i: usize| {
        let mut five = [values[i - 2], values[i - 1], values[i], values[i + 1], values[i + 2]];
        median(&mut five)
    };
    let inner = 2..values.len().saturating_sub(2);
    let mut deviations: Vec<f64> = inner.clone().map(|i| values[i] - middle(i)).collect();
    let usual = deviation(&mut deviations).max(noise(values));
    for i in inner {
        let centre = middle(i);
        if usual > 0.0 && (values[i] - centre).abs() > SPIKE * usual {
            cleaned[i] = centre;
        }
    }
    cleaned
}

/// Samples to either side, so that the rate of a column with this noise has less than
/// [`NOISE_MPS2`].
pub(super) fn half_width(noise: f64, step_s: f64) -> usize {
    (1..MAX_HALF).find(|&half| rate_noise(noise, step_s, half) <= NOISE_MPS2).unwrap_or(MAX_HALF)
}

/// Noise of a rate from `half` samples to either side.
pub(super) fn rate_noise(noise: f64, step_s: f64, half: usize) -> f64 {
    let n = (2 * half + 1) as f64;
    noise / (step_s * (n * (n * n - 1.0) / 12.0).sqrt())
}

/// The slope of `values` over `time_s` at each sample by least squares over `half` samples to either
/// side, `NaN` at the ends and beside gaps. `of_time_s` are the times against which it is computed.
pub(super) fn slope_over_time(time_s: &[f64], values: &[f64], of_time_s: &[f64], half: usize) -> Option<Vec<f64>> {
    let n = time_s.len();
    if n < 2 * half + 1 || half == 0 {
        return None;
    }
    let mut steps: Vec<f64> = time_s.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let longest = LONGEST_GAP * median(&mut steps);
    let mut slopes = vec![f64::NAN; n];
    for (centre, slope) in slopes.iter_mut().enumerate().take(n - half).skip(half) {
        let window = centre - half..=centre + half;
        if time_s[window.clone()].windows(2).any(|pair| pair[1] - pair[0] > longest) {
            continue;
        }
        let count = (2 * half + 1) as f64;
        let mean_t = of_time_s[window.clone()].iter().sum::<f64>() / count;
        let mean_v = values[window.clone()].iter().sum::<f64>() / count;
        let (mut across, mut along) = (0.0, 0.0);
        for i in window {
            let t = of_time_s[i] - mean_t;
            along += t * t;
            across += t * (values[i] - mean_v);
        }
        *slope = across / along;
    }
    Some(slopes)
}

/// The integral of `values` over `time_s` up to each sample, by the trapezoidal rule.
pub(super) fn integral_over_time(time_s: &[f64], values: &[f64]) -> Vec<f64> {
    let mut sum = 0.0;
    let steps = time_s.windows(2).zip(values.windows(2));
    let sums = steps.map(|(times, values)| {
        sum += 0.5 * (times[1] - times[0]) * (values[0] + values[1]);
        sum
    });
    std::iter::once(0.0).chain(sums).take(values.len()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_integral_of_a_straight_line_is_a_parabola() {
        let time = [1.0, 1.5, 3.0, 4.0];
        let integral = integral_over_time(&time, &time.map(|t| 2.0 * t));
        assert!(integral.iter().zip(time).all(|(sum, t)| (sum - (t * t - 1.0)).abs() < 1e-12), "{integral:?}");
        assert!(integral_over_time(&[], &[]).is_empty());
    }

    #[test]
    fn slopes_of_a_parabola_are_exact_and_spikes_go() {
        let time: Vec<f64> = (0..50).map(|i| f64::from(i) * 0.02).collect();
        let mut values: Vec<f64> = time.iter().map(|t| 3.0 + 2.0 * t - 5.0 * t * t).collect();
        for half in [1, 3] {
            let slopes = slope_over_time(&time, &values, &time, half).unwrap();
            for i in half..50 - half {
                assert!((slopes[i] - (2.0 - 10.0 * time[i])).abs() < 1e-9);
            }
        }
        let clean = values[20];
        values[20] += 4.0;
        assert!((without_spikes(&values)[20] - clean).abs() < 0.2);
    }
}
