//! The middle of values that all belong to one limit, as at full throttle, among outliers.

use super::statistics::{REJECTED, deviation, median};
use super::upper_edge::{Edge, MIN, groups};

const ROUNDS: usize = 15;

/// The location of `values` (time s, value) with noise of the deviation `noise` at least. `None` for
/// fewer than [`MIN`].
pub(super) fn location(values: &[(f64, f64)], noise: f64) -> Option<Edge> {
    if values.len() < MIN {
        return None;
    }
    let all: Vec<f64> = values.iter().map(|(_, value)| *value).collect();
    let (place, scale) = biweight(&all, noise);
    let groups = groups(values);
    let count = groups.iter().max().map_or(1, |max| max + 1);
    let without = |group: usize| {
        let rest: Vec<f64> = all.iter().zip(&groups).filter(|(_, g)| **g != group).map(|(value, _)| *value).collect();
        if rest.is_empty() { place } else { biweight(&rest, noise).0 }
    };
    let places: Vec<f64> = (0..count).map(without).collect();
    let mean = places.iter().sum::<f64>() / count as f64;
    let spread: f64 = places.iter().map(|p| (p - mean) * (p - mean)).sum();
    let standard_error = if count < 2 { scale } else { (spread * (count - 1) as f64 / count as f64).sqrt() };
    let samples = all.iter().filter(|value| (*value - place).abs() < 2.0 * scale).count();
    Some(Edge { place, standard_error, samples })
}

/// Location and scale.
fn biweight(values: &[f64], noise: f64) -> (f64, f64) {
    let mut place = median(&mut values.to_vec());
    let mut residuals: Vec<f64> = values.iter().map(|value| value - place).collect();
    let scale = deviation(&mut residuals).max(noise);
    for _ in 0..ROUNDS {
        let (mut weights, mut sum) = (0.0, 0.0);
        for value in values {
            let z = (value - place) / (REJECTED * scale);
            let weight = if z.abs() < 1.0 { (1.0 - z * z) * (1.0 - z * z) } else { 0.0 };
            weights += weight;
            sum += weight * value;
        }
        if weights > 0.0 {
            place = sum / weights;
        }
    }
    (place, scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outliers_do_not_move_the_location() {
        let values: Vec<(f64, f64)> = (0..100)
            .map(|i| (f64::from(i), if i % 10 == 0 { -9.0 } else { 5.0 + 0.1 * (f64::from(i) * 0.7).sin() }))
            .collect();
        let found = location(&values, 0.01).unwrap();
        assert!((found.place - 5.0).abs() < 0.02 && found.standard_error < 0.02, "{found:?}");
        assert!(location(&values[..5], 0.01).is_none());
    }
}
