//! The point of the largest expected improvement, with noise: Huang, Allen, Notz and Zeng, *Global
//! optimization of stochastic black-box systems via sequential kriging meta-models* (Journal of Global
//! Optimization 34, 2006).
//!
//! Of a point with mean m and deviation s under noise b, and T the mean of the effective best point, which
//! has the smallest m + s of those that were measured (their equations 12 and 13):
//!
//! ```text
//! E = s h((T - m) / s) (1 - b / √(s² + b²))                                                  (1)
//! ```
//!
//! with h(z) = φ(z) + z Φ(z). The logarithm of E is compared, so that places far from the best are ordered as
//! well.

use raceline_numerics::{SplitMix64, math};

use crate::gaussian_process::GaussianProcess;
use crate::normal::ln_positive_part;
use crate::parameter::Parameter;

/// Random points in the whole space, points near the best one, and steps from the best of them.
const EVERYWHERE: usize = 400;
const NEARBY: usize = 400;
const REFINED: usize = 200;
/// Deviations of the points nearby: from the first to the last, by equal factors.
const DEVIATIONS: [f64; 2] = [0.3, 0.003];

/// What the expected improvement is computed of.
pub(crate) struct Improvement<'a> {
    /// The process.
    pub(crate) process: &'a GaussianProcess,
    /// The effective best point, and T.
    pub(crate) best: &'a [f64],
    pub(crate) target: f64,
    /// b.
    pub(crate) noise: f64,
    /// Parameters, whose integers are the only places of theirs.
    pub(crate) parameters: &'a [Parameter],
}

impl Improvement<'_> {
    /// ln E: equation (1).
    fn ln_expected(&self, x: &[f64]) -> f64 {
        let [mean, deviation] = self.process.predict(x);
        let deviation = deviation.max(1e-12);
        // 1 - b / √(s² + b²), without cancellation.
        let root = math::hypot(deviation, self.noise);
        let of_noise = deviation * deviation / (root * (root + self.noise));
        math::ln(deviation) + ln_positive_part((self.target - mean) / deviation) + math::ln(of_noise)
    }

    /// The point of the largest E that a search with `random` finds.
    pub(crate) fn maximum(&self, random: &mut SplitMix64) -> Vec<f64> {
        let n = self.parameters.len();
        let mut best = (f64::NEG_INFINITY, self.best.to_vec());
        let take = |best: &mut (f64, Vec<f64>), x: Vec<f64>| {
            let value = self.ln_expected(&x);
            if value > best.0 {
                *best = (value, x);
            }
        };
        let rounded = |x: Vec<f64>| -> Vec<f64> {
            x.iter().zip(self.parameters).map(|(x, parameter)| parameter.rounded(x.clamp(0.0, 1.0))).collect()
        };
        for _ in 0..EVERYWHERE {
            let x = (0..n).map(|_| random.uniform()).collect();
            take(&mut best, rounded(x));
        }
        let deviation = |i: usize, count: usize| {
            DEVIATIONS[0] * math::powf(DEVIATIONS[1] / DEVIATIONS[0], i as f64 / (count - 1) as f64)
        };
        for i in 0..NEARBY {
            let x = self.best.iter().map(|x| x + deviation(i, NEARBY) * random.normal()).collect();
            take(&mut best, rounded(x));
        }
        for i in 0..REFINED {
            // Some coordinates alone: with many, a step of all seldom improves.
            let from = best.1.clone();
            let one = (random.uniform() * n as f64) as usize;
            let all = i % 2 == 0;
            let moved = |(k, x): (usize, &f64)| {
                let step = deviation(i, REFINED) * random.normal();
                if all || k == one { x + step } else { *x }
            };
            let x = from.iter().enumerate().map(moved).collect();
            take(&mut best, rounded(x));
        }
        best.1
    }
}
