//! A region that a line keeps out of, on a road.

use super::barrier::Barrier;

/// A region that a line keeps out of, as barriers beside which it passes.
#[derive(Clone, Debug)]
pub struct NoGoArea {
    /// Number in the options, from 1.
    pub number: usize,
    /// The parts of it; none for a region that no line comes near.
    pub barriers: Vec<Barrier>,
}

impl NoGoArea {
    /// The region with strips that are wider by `by_m`, m, or a polygon that is larger by it to
    /// every side.
    #[must_use]
    pub(crate) fn grown(&self, by_m: f64) -> Self {
        Self { number: self.number, barriers: self.barriers.iter().map(|barrier| barrier.grown(by_m)).collect() }
    }
}
