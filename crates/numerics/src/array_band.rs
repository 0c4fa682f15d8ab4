//! An open band in an array: the factorisation and the solution of
//! [`cyclic_band`](crate::CyclicBand), without allocating.

use crate::cyclic_band::{NotPositiveDefinite, factorise, solve};

/// An open band of `N` unknowns in an array: a [`CyclicBand`](crate::CyclicBand) for code that must
/// not allocate.
///
/// ```
/// use raceline_numerics::ArrayBand;
///
/// # fn main() -> Result<(), raceline_numerics::NotPositiveDefinite> {
/// // 2 x_i - x_{i-1} - x_{i+1} = 1, with zeros beyond both ends.
/// let mut band = ArrayBand::<3, 1>::new();
/// for i in 0..3 {
///     band.add(i, i, 2.0);
/// }
/// band.add(0, 1, -1.0);
/// band.add(1, 2, -1.0);
/// band.factorise()?;
/// let mut x = [1.0; 3];
/// band.solve(&mut x);
/// assert!((x[1] - 2.0).abs() < 1e-12);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct ArrayBand<const N: usize, const REACH: usize> {
    diagonal: [f64; N],
    /// Entries (j + 1, j) to (j + REACH, j).
    below: [[f64; REACH]; N],
}

impl<const N: usize, const REACH: usize> Default for ArrayBand<N, REACH> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize, const REACH: usize> ArrayBand<N, REACH> {
    /// The zero matrix.
    #[must_use]
    pub const fn new() -> Self {
        Self { diagonal: [0.0; N], below: [[0.0; REACH]; N] }
    }

    /// Adds `value` at (`row`, `column`) and, off the diagonal, at its mirror image.
    ///
    /// # Panics
    /// When `row` and `column` are more than `REACH` apart, or not below `N`.
    #[inline]
    pub fn add(&mut self, row: usize, column: usize, value: f64) {
        let (low, high) = if row < column { (row, column) } else { (column, row) };
        assert!(high < N, "unknown {high} of {N}");
        if high == low {
            self.diagonal[low] += value;
        } else {
            self.below[low][high - low - 1] += value;
        }
    }

    /// Replaces the matrix by its factors.
    ///
    /// # Errors
    /// [`NotPositiveDefinite`] where a pivot is not positive; the matrix is then overwritten.
    pub fn factorise(&mut self) -> Result<(), NotPositiveDefinite> {
        factorise(&mut self.diagonal, &mut self.below, &mut [], &mut [[0.0; REACH]; REACH])
    }

    /// Solves the factorised system in place.
    pub fn solve(&self, rhs: &mut [f64; N]) {
        solve(&self.diagonal, &self.below, &[], &[[0.0; REACH]; REACH], rhs);
    }
}

#[cfg(test)]
mod tests {
    use super::ArrayBand;
    use crate::cyclic_band::{CyclicBand, NotPositiveDefinite};

    const REACH: usize = 6;

    #[test]
    fn a_band_in_an_array_is_the_one_in_memory_bit_for_bit() {
        let (mut band, mut array) = (CyclicBand::<REACH>::new(20, false), ArrayBand::<20, REACH>::new());
        for i in 0..20 {
            for j in i..(i + REACH + 1).min(20) {
                let off = ((i * 7 + j * 3) % 11) as f64 / 10.0 - 0.5;
                let value = if i == j { 8.0 + (i % 3) as f64 } else { off };
                band.add(i, j, value);
                array.add(i, j, value);
            }
        }
        let mut x: [f64; 20] = std::array::from_fn(|i| (i as f64).sin());
        let mut y = x.to_vec();
        assert_eq!((array.factorise(), band.factorise()), (Ok(()), Ok(())));
        array.solve(&mut x);
        band.solve(&mut y);
        assert_eq!(x[..], y[..]);
        let mut flat = ArrayBand::<3, 1>::default();
        flat.add(0, 0, 1.0);
        assert_eq!(flat.factorise(), Err(NotPositiveDefinite(1)));
    }
}
