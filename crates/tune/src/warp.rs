//! Scores as the model sees them: those above the median compressed.
//!
//! A crash is worth a minute where laps differ by tenths, and a stationary process cannot follow both. With t
//! the median and a the difference from the smallest score to it:
//!
//! ```text
//! v(s) = s                        s ≤ t                                                      (1)
//! v(s) = t + a ln(1 + (s - t) / a)   s > t                                                   (2)
//! ```
//!
//! The better half keeps its unit. The function is monotone, with a continuous derivative.

use raceline_numerics::math;

/// The compression for a set of scores.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Warp {
    median: f64,
    /// a; infinite where half of the scores are equal, so that nothing is compressed.
    range: f64,
}

impl Warp {
    /// The compression for `scores`, of which there is one at least.
    pub(crate) fn of(scores: &[f64]) -> Self {
        let mut sorted = scores.to_vec();
        sorted.sort_by(f64::total_cmp);
        let median = sorted[sorted.len() / 2];
        let range = median - sorted[0];
        Self { median, range: if range > 0.0 { range } else { f64::INFINITY } }
    }

    /// v(s).
    pub(crate) fn warped(&self, score: f64) -> f64 {
        let above = score - self.median;
        if above <= 0.0 || self.range.is_infinite() {
            return score; // equation (1)
        }
        self.median + self.range * math::ln_1p(above / self.range) // equation (2)
    }

    /// The score of v.
    pub(crate) fn score(&self, warped: f64) -> f64 {
        let above = warped - self.median;
        if above <= 0.0 || self.range.is_infinite() {
            return warped;
        }
        self.median + self.range * math::exp_m1(above / self.range)
    }
}

#[cfg(test)]
mod tests {
    use super::Warp;

    #[test]
    fn scores_keep_their_order_and_the_better_half_its_values() {
        let scores = [5.0, 1.0, 2.0, 3.0, 1e6];
        let warp = Warp::of(&scores);
        assert_eq!([1.0, 2.0, 3.0].map(|score| warp.warped(score)), [1.0, 2.0, 3.0]);
        // 3 + 2 ln(1 + 2 / 2)
        assert!((warp.warped(5.0) - (3.0 + 2.0 * 2.0_f64.ln())).abs() < 1e-15);
        for score in scores {
            assert!((warp.score(warp.warped(score)) / score - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn equal_scores_stay() {
        let warp = Warp::of(&[2.0, 2.0, 7.0]);
        assert_eq!((warp.warped(7.0), warp.score(7.0)), (7.0, 7.0));
    }
}
