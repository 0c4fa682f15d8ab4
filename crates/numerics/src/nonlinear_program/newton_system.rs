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

#[cfg(test)]
mod tests {
    use super::{NewtonSystem, Sides};
    use crate::CyclicBand;

    #[test]
    fn the_largest_entry_may_be_of_either_part_and_sign() {
        let mut sides = Sides::<2, 1>::zeros(3);
        assert_eq!(sides.largest(), 0.0);
        sides.unknowns[1] = [2.0, -3.0];
        assert_eq!(sides.largest(), 3.0);
        sides.equations[2] = [-4.0];
        assert_eq!(sides.largest(), 4.0);
    }

    #[test]
    fn a_band_is_a_system_without_equations() {
        // Two stages of two unknowns; the matrix has 3 on its diagonal and 1 beside it.
        let mut band = CyclicBand::<1>::new(4, false);
        for k in 0..4 {
            band.add(k, k, 3.0);
            if k > 0 {
                band.add(k, k - 1, 1.0);
            }
        }
        assert_eq!(NewtonSystem::<2, 0>::factorise(&mut band), Some(0));
        let mut sides = Sides::<2, 0>::zeros(2);
        sides.unknowns = vec![[4.0, 5.0], [5.0, 4.0]];
        NewtonSystem::solve(&mut band, &mut sides);
        assert!(sides.unknowns.as_flattened().iter().all(|x| (x - 1.0).abs() < 1e-12), "{sides:?}");
        let mut negative = CyclicBand::<1>::new(4, false);
        (0..4).for_each(|k| negative.add(k, k, -1.0));
        assert_eq!(NewtonSystem::<2, 0>::factorise(&mut negative), None);
        let mut refused = CyclicBand::<1>::new(2, false);
        refused.add(0, 0, 1.0);
        refused.add(1, 1, -1.0);
        let message = refused.factorise().expect_err("a negative pivot").to_string();
        assert_eq!(message, "the matrix is not positive definite: the pivot of unknown 1 is not positive");
    }
}
