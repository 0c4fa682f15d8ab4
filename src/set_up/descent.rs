//! The smallest value of a function of few variables, each from 0 to 1, by values with slopes.
//!
//! A trust-region method with bounds: the next place minimises a quadratic model within the bounds
//! and within a radius that grows and shrinks as the model is right or wrong (Nocedal and Wright,
//! *Numerical Optimization*, 2nd edition, algorithm 4.1, with the radius in the maximum norm so that
//! both are bounds of each coordinate). The model's second derivatives follow from the slopes at
//! successive places by the damped BFGS formula (procedure 18.2 there), which keeps them positive
//! definite where the function is not convex. Places without a value count as worse.

use nalgebra::{DMatrix, DVector};

use super::bounded_step::bounded_step;

/// First radius of trust: a quarter of a range.
const FIRST_RADIUS: f64 = 0.25;
/// Below this radius, of a range of 1, nothing better is found.
const MIN_RADIUS: f64 = 1e-3;
/// The search ends where the model promises less than this fraction of the value.
const SETTLED: f64 = 3e-6;
/// The radius shrinks where less than the first fraction of the promise is kept, and grows where
/// more than the second is.
const KEPT: [f64; 2] = [0.25, 0.75];
/// Factors on the radius.
const SHRINK: f64 = 0.4;
const GROW: f64 = 2.0;
/// Damping of BFGS, equation (18.15) there: the smallest fraction of the model's own curvature that an
/// update keeps.
const DAMPING: f64 = 0.2;

/// A value with its slopes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sample {
    pub value: f64,
    /// Derivative by each coordinate.
    pub slopes: Vec<f64>,
}

/// Where a search ended.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Minimum {
    pub place: Vec<f64>,
    pub sample: Sample,
    /// Whether no better place is near, rather than that the samples were used up.
    pub settled: bool,
}

/// The minimum near `start`, where the function has the value `first`, with at most `max_samples`
/// more samples. A sample of `None` is a place without a value.
pub(super) fn minimise(
    start: Vec<f64>,
    first: Sample,
    max_samples: usize,
    mut sample: impl FnMut(&[f64]) -> Option<Sample>,
) -> Minimum {
    let mut curvature: Option<DMatrix<f64>> = None;
    let mut radius = FIRST_RADIUS;
    let mut best = Minimum { place: start, sample: first, settled: false };
    for _ in 0..max_samples {
        let slopes = DVector::from_column_slice(&best.sample.slopes);
        // Without a pair of samples, the steepest coordinate would go to the radius.
        let model = curvature.clone().unwrap_or_else(|| {
            DMatrix::from_diagonal_element(slopes.len(), slopes.len(), slopes.amax().max(f64::MIN_POSITIVE) / radius)
        });
        let within = |radius: f64| -> Vec<[f64; 2]> {
            best.place.iter().map(|place| [(-place).max(-radius), (1.0 - place).min(radius)]).collect()
        };
        let (step, promised) = bounded_step(&slopes, &model, &within(radius));
        let (_, promised_at_all) = bounded_step(&slopes, &model, &within(1.0));
        if -promised_at_all <= SETTLED * best.sample.value.abs() || radius < MIN_RADIUS {
            best.settled = true;
            break;
        }
        let place: Vec<f64> =
            best.place.iter().zip(&step).map(|(place, step)| (place + step).clamp(0.0, 1.0)).collect();
        let Some(found) = sample(&place) else {
            radius = SHRINK * step.amax();
            continue;
        };
        curvature = Some(updated(curvature, &step, &(DVector::from_column_slice(&found.slopes) - &slopes), &model));
        let kept = (found.value - best.sample.value) / promised;
        if kept < KEPT[0] {
            radius = SHRINK * step.amax();
        } else if kept > KEPT[1] && step.amax() > 0.99 * radius {
            radius = (GROW * radius).min(1.0);
        }
        if found.value < best.sample.value {
            best = Minimum { place, sample: found, settled: false };
        }
    }
    best
}

/// Second derivatives after a step s that changed the slopes by y, damped BFGS. The first pair has
/// a scale too: yᵀy / sᵀy (equation (6.20) there).
fn updated(
    known: Option<DMatrix<f64>>,
    step: &DVector<f64>,
    change: &DVector<f64>,
    model: &DMatrix<f64>,
) -> DMatrix<f64> {
    let mut b = known.unwrap_or_else(|| {
        let along = step.dot(change);
        let scale = if along > 0.0 { change.norm_squared() / along } else { model[(0, 0)] };
        DMatrix::from_diagonal_element(step.len(), step.len(), scale)
    });
    let b_step = &b * step;
    let (own, along) = (step.dot(&b_step), step.dot(change));
    if own <= 0.0 {
        return b;
    }
    let weight = if along >= DAMPING * own { 1.0 } else { (1.0 - DAMPING) * own / (own - along) };
    let damped = change * weight + &b_step * (1.0 - weight);
    b += &damped * damped.transpose() / step.dot(&damped) - &b_step * b_step.transpose() / own;
    b
}

#[cfg(test)]
mod tests {
    use super::{Minimum, Sample, minimise};

    /// The minimum of a function with its slopes, and the number of samples.
    fn searched(start: &[f64], function: impl Fn(&[f64]) -> Option<Sample>) -> (Minimum, usize) {
        let mut count = 0;
        let first = function(start).expect("a value at the start");
        let minimum = minimise(start.to_vec(), first, 60, |place| {
            count += 1;
            function(place)
        });
        (minimum, count)
    }

    /// 80 + Σ cᵢ (xᵢ - mᵢ)² + d (x₀ - m₀)(x₁ - m₁): a lap time near its best set-up.
    fn bowl(x: &[f64], best: &[f64], curvatures: &[f64], coupling: f64) -> Sample {
        let d: Vec<f64> = x.iter().zip(best).map(|(x, best)| x - best).collect();
        let value = 80.0 + d.iter().zip(curvatures).map(|(d, c)| c * d * d).sum::<f64>() + coupling * d[0] * d[1];
        let mut slopes: Vec<f64> = d.iter().zip(curvatures).map(|(d, c)| 2.0 * c * d).collect();
        slopes[0] += coupling * d[1];
        slopes[1] += coupling * d[0];
        Sample { value, slopes }
    }

    #[test]
    fn a_bowl_is_found_in_few_samples() {
        let best = [0.6, 0.3, 0.8];
        let (minimum, count) = searched(&[0.1, 0.9, 0.5], |x| Some(bowl(x, &best, &[1.0, 3.0, 0.2], 0.8)));
        assert!(minimum.settled && minimum.sample.value < 80.0 + 2.5e-4, "{minimum:?}");
        assert!(count <= 14, "{count}");
    }

    #[test]
    fn a_minimum_beyond_the_bounds_is_found_on_them() {
        let (minimum, count) = searched(&[0.5, 0.5], |x| Some(bowl(x, &[1.4, -0.2], &[1.0, 2.0], 0.0)));
        assert_eq!(minimum.place, [1.0, 0.0]);
        assert!(minimum.settled && count <= 6, "{count}");
    }

    #[test]
    fn a_bend_that_turns_downward_is_followed() {
        // cos(5 x) has its minimum in [0, 1] at π/5, and is not convex where the search begins.
        let wave =
            |x: &[f64]| Some(Sample { value: 50.0 + (5.0 * x[0]).cos(), slopes: vec![-5.0 * (5.0 * x[0]).sin()] });
        let (minimum, count) = searched(&[0.1], wave);
        assert!((minimum.place[0] - std::f64::consts::PI / 5.0).abs() < 0.005, "{minimum:?}");
        assert!(count <= 12, "{count}");
    }

    #[test]
    fn places_without_a_value_are_left() {
        let best = [0.9, 0.5];
        let holed = |x: &[f64]| (x[0] <= 0.7).then(|| bowl(x, &best, &[1.0, 1.0], 0.0));
        let (minimum, _) = searched(&[0.2, 0.2], holed);
        assert!(minimum.settled && minimum.place[0] > 0.69 && (minimum.place[1] - 0.5).abs() < 0.02, "{minimum:?}");
    }

    #[test]
    fn samples_that_are_used_up_are_reported() {
        let first = bowl(&[0.1, 0.1], &[0.9, 0.9], &[1.0, 1.0], 0.0);
        let minimum = minimise(vec![0.1, 0.1], first, 1, |x| Some(bowl(x, &[0.9, 0.9], &[1.0, 1.0], 0.0)));
        assert!(!minimum.settled && minimum.place[0] > 0.1);
    }

    #[test]
    fn a_flat_function_ends_at_its_start() {
        let (minimum, count) = searched(&[0.3], |_| Some(Sample { value: 60.0, slopes: vec![0.0] }));
        assert_eq!((minimum.place, minimum.settled, count), (vec![0.3], true, 0));
    }
}
