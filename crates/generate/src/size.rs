//! The size of a road while it is drawn.

use raceline_numerics::math;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// How large a road is, and how far the drawing has been tamed by refused attempts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size {
    pub length_m: f64,
    pub width_m: f64,
    /// 0 for the first attempt; 1 for the last, which has the smallest number of corners.
    pub tameness: f64,
}

impl Size {
    pub fn widths(&self) -> f64 {
        self.length_m / self.width_m
    }

    /// A number of corners from `low` to `high`, fewer after refused attempts, at least `min`.
    pub fn count(&self, random: &mut ChaCha8Rng, (low, high): (f64, f64), min: usize) -> usize {
        let count = (low + (high - low) * random.random::<f64>()) * (1.0 - self.tameness);
        (count.round() as usize).max(min)
    }
}

/// A number from `low` to `high` whose logarithm is uniform.
pub(crate) fn log_uniform(random: &mut ChaCha8Rng, low: f64, high: f64) -> f64 {
    low * math::powf(high.max(low) / low, random.random::<f64>())
}
