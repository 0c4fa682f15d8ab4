//! How much noise disturbs the order of a generation: Hansen, Niederberger, Guzzella and Koumoutsakos, *A
//! method for handling uncertainty in evolutionary optimization with an application to feedback control of
//! combustion* (IEEE Transactions on Evolutionary Computation 13, 2009), algorithm 3.
//!
//! Of λ points some are measured twice. All 2 λ values are ranked together, a point without a second value
//! having its first twice. With r and r' the ranks of both values of a point and Δ = r - r' without the step
//! between neighbours,
//!
//! ```text
//! s = mean of 2 |Δ| - q(r') - q(r)                                                           (1)
//! ```
//!
//! where q is the 10 % quantile of |1 - r|, |2 - r| … |2 λ - 1 - r|: half of θ = 0.2. Noise matters where s >
//! 0.

/// θ / 2 of the paper.
const QUANTILE: f64 = 0.1;

/// Points that are measured again in a generation of `lambda`.
pub(crate) fn second_measurements(lambda: usize) -> usize {
    (lambda / 10).max(2)
}

/// s of equation (1), from the scores of all points and the second ones of the first points.
pub(crate) fn rank_change(first: &[f64], second: &[f64]) -> f64 {
    let count = first.len();
    let again = |i: usize| second.get(i).copied().unwrap_or(first[i]);
    // Ranks from 0; of equal values, a point's first stands before its second.
    let mut order: Vec<(f64, usize)> = (0..count).flat_map(|i| [(first[i], 2 * i), (again(i), 2 * i + 1)]).collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut rank = vec![0.0; 2 * count];
    for (place, (_, of)) in order.iter().enumerate() {
        rank[*of] = place as f64;
    }
    let change = |i: usize| {
        let (one, other) = (rank[2 * i], rank[2 * i + 1]);
        let delta = ((one - other).abs() - 1.0).max(0.0);
        // Among the other values, as if this one were not there.
        let place = |own: f64, other: f64| if own > other { own } else { own + 1.0 };
        2.0 * delta - limit(place(one, other), count) - limit(place(other, one), count)
    };
    (0..second.len()).map(change).sum::<f64>() / second.len().max(1) as f64
}

/// The quantile of the changes that a random rank would have from `rank`, of 2 `count` - 1 ranks from 1.
fn limit(rank: f64, count: usize) -> f64 {
    let mut changes: Vec<f64> = (1..2 * count).map(|other| (other as f64 - rank).abs()).collect();
    changes.sort_by(f64::total_cmp);
    changes[(QUANTILE * changes.len() as f64) as usize]
}

#[cfg(test)]
mod tests {
    use raceline_numerics::SplitMix64;

    use super::rank_change;

    #[test]
    fn equal_second_scores_change_no_rank() {
        let first = [3.0, 1.0, 2.0, 5.0, 4.0, 9.0, 7.0, 8.0, 6.0, 0.0];
        assert!(rank_change(&first, &first[..4]) <= 0.0);
    }

    #[test]
    fn noise_alone_changes_ranks() {
        let mut random = SplitMix64::new(4);
        let mean: f64 = (0..50)
            .map(|_| {
                let first: Vec<f64> = (0..10).map(|_| random.normal()).collect();
                rank_change(&first, &[random.normal(), random.normal()])
            })
            .sum::<f64>()
            / 50.0;
        assert!(mean > 3.0, "{mean}");
    }
}
