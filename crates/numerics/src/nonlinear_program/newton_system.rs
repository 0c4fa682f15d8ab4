//! The linear algebra of Newton's matrix, equation (5) of the [program](super).

use super::largest;
use crate::{CyclicBand, StageCycle, StageFactors};

/// Linear algebra of Newton's matrix (5).
pub trait NewtonSystem<const U: usize, const E: usize> {
    /// Factorises the matrix and returns its number of negative eigenvalues; `None` where it is
    /// singular, or where they are not counted and there is at least one.
    fn factorise(&mut self) -> Option<usize>;

    /// Replaces the right-hand side by the solution, with the factors of the last successful
    /// [`Self::factorise`].
    fn solve(&mut self, sides: &mut Sides<U, E>);
}

/// Programs without equations: unknown k of stage i is unknown U i + k of the band.
impl<const U: usize, const REACH: usize> NewtonSystem<U, 0> for CyclicBand<REACH> {
    fn factorise(&mut self) -> Option<usize> {
        Self::factorise(self).is_ok().then_some(0)
    }

    fn solve(&mut self, sides: &mut Sides<U, 0>) {
        Self::solve(self, sides.unknowns.as_flattened_mut());
    }
}

/// Optimal control problems: a matrix with its factors.
impl<const E: usize, const C: usize, const U: usize, const J: usize> NewtonSystem<U, E>
    for (StageCycle<E, C, U>, StageFactors<E, C, U, J>)
{
    fn factorise(&mut self) -> Option<usize> {
        let (matrix, factors) = self;
        factors.factorise(matrix).ok()?;
        Some(factors.negative_eigenvalues())
    }

    fn solve(&mut self, sides: &mut Sides<U, E>) {
        let (matrix, factors) = self;
        factors.solve(matrix, &mut sides.unknowns, &mut sides.equations);
    }
}

/// A right-hand side or a solution of (5): by unknowns, and by equations; N entries each.
#[derive(Clone, Debug, PartialEq)]
pub struct Sides<const U: usize, const E: usize> {
    /// Upper part.
    pub unknowns: Vec<[f64; U]>,
    /// Lower part.
    pub equations: Vec<[f64; E]>,
}

impl<const U: usize, const E: usize> Sides<U, E> {
    /// Zeros for `stages` stages.
    #[must_use]
    pub fn zeros(stages: usize) -> Self {
        Self { unknowns: vec![[0.0; U]; stages], equations: vec![[0.0; E]; stages] }
    }

    /// Largest absolute value of all entries.
    #[must_use]
    pub fn largest(&self) -> f64 {
        largest(&self.unknowns).max(largest(&self.equations))
    }
}
