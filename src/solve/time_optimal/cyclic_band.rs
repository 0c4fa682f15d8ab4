//! Factorisation of a symmetric positive definite matrix that is a band, closed to a ring or open.
//!
//! Newton's matrix of a lap couples each unknown with the [`REACH`] unknowns before and after it, and on a closed course the last
//! ones with the first. The band is eliminated from the first unknown on (LDLᵀ without pivoting: Golub and Van Loan, *Matrix
//! Computations*, 4th edition, section 4.3). On a ring the last [`REACH`] unknowns are set apart as a border, which every
//! elimination step fills in a little more, and are solved last as a small dense system. The cost is linear in the number of unknowns.

/// An unknown is coupled with at most so many before it and after it.
pub const REACH: usize = 6;

/// The matrix, and its factors in the same place.
#[derive(Clone, Debug)]
pub struct CyclicBand {
    /// Unknowns in the band; the others form the border.
    inner: usize,
    /// Column j of the band: entries (j, j) to (j + REACH, j).
    columns: Vec<[f64; REACH + 1]>,
    /// Entries (border row, j).
    border: Vec<[f64; REACH]>,
    /// Lower triangle of the border's own block.
    corner: [[f64; REACH]; REACH],
}

/// The matrix isn't positive definite: the pivot of this unknown isn't positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotPositiveDefinite(pub usize);

impl CyclicBand {
    /// The zero matrix of `unknowns` unknowns; a ring needs at least three times [`REACH`].
    pub fn new(unknowns: usize, closed: bool) -> Self {
        let inner = if closed { unknowns - REACH } else { unknowns };
        Self {
            inner,
            columns: vec![[0.0; REACH + 1]; inner],
            border: vec![[0.0; REACH]; if closed { inner } else { 0 }],
            corner: [[0.0; REACH]; REACH],
        }
    }

    /// Sets every entry to zero.
    pub fn clear(&mut self) {
        self.columns.fill([0.0; REACH + 1]);
        self.border.fill([0.0; REACH]);
        self.corner = [[0.0; REACH]; REACH];
    }

    /// Adds `value` at (`row`, `column`) and at its mirror image; off the diagonal the two are one entry.
    #[inline]
    pub fn add(&mut self, row: usize, column: usize, value: f64) {
        let (low, high) = if row < column { (row, column) } else { (column, row) };
        if high < self.inner {
            self.columns[low][high - low] += value;
        } else if low < self.inner {
            self.border[low][high - self.inner] += value;
        } else {
            self.corner[high - self.inner][low - self.inner] += value;
        }
    }

    /// Replaces the matrix by its factors.
    ///
    /// # Errors
    /// [`NotPositiveDefinite`] where a pivot isn't positive; the matrix is then lost.
    pub fn factorise(&mut self) -> Result<(), NotPositiveDefinite> {
        let is_ring = !self.border.is_empty();
        for j in 0..self.inner {
            let (done, rest) = self.columns.split_at_mut(j + 1);
            let column = &mut done[j];
            let pivot = column[0];
            // A pivot that is not a number is no pivot either.
            if pivot.is_nan() || pivot <= 0.0 {
                return Err(NotPositiveDefinite(j));
            }
            let inverse = 1.0 / pivot;
            let entries = *column;
            for entry in &mut column[1..] {
                *entry *= inverse;
            }
            let reach = REACH.min(rest.len());
            for k in 1..=reach {
                let target = &mut rest[k - 1];
                let factor = entries[k];
                for (entry, above) in target.iter_mut().zip(&column[k..]) {
                    *entry -= factor * above;
                }
            }
            if is_ring {
                let (done, rest) = self.border.split_at_mut(j + 1);
                let row = &mut done[j];
                let border = *row;
                for entry in row.iter_mut() {
                    *entry *= inverse;
                }
                for (target, &factor) in rest.iter_mut().zip(&entries[1..]) {
                    for (entry, above) in target.iter_mut().zip(row.iter()) {
                        *entry -= factor * above;
                    }
                }
                for (target, &factor) in self.corner.iter_mut().zip(&border) {
                    for (entry, above) in target.iter_mut().zip(row.iter()) {
                        *entry -= factor * above;
                    }
                }
            }
        }
        if is_ring { self.factorise_corner() } else { Ok(()) }
    }

    fn factorise_corner(&mut self) -> Result<(), NotPositiveDefinite> {
        for j in 0..REACH {
            let pivot = self.corner[j][j];
            if pivot.is_nan() || pivot <= 0.0 {
                return Err(NotPositiveDefinite(self.inner + j));
            }
            let column: [f64; REACH] = std::array::from_fn(|i| self.corner[i][j]);
            for i in j + 1..REACH {
                for k in j + 1..=i {
                    self.corner[i][k] -= column[i] * column[k] / pivot;
                }
                self.corner[i][j] = column[i] / pivot;
            }
        }
        Ok(())
    }

    /// Solves the factorised system in place.
    pub fn solve(&self, rhs: &mut [f64]) {
        let (inner, tail) = rhs.split_at_mut(self.inner);
        let mut border = [0.0; REACH];
        border[..tail.len()].copy_from_slice(tail);
        for j in 0..inner.len() {
            let value = inner[j];
            for (target, factor) in inner[j + 1..].iter_mut().zip(&self.columns[j][1..]) {
                *target -= factor * value;
            }
            if let Some(row) = self.border.get(j) {
                for (target, factor) in border.iter_mut().zip(row) {
                    *target -= factor * value;
                }
            }
        }
        for (value, column) in inner.iter_mut().zip(&self.columns) {
            *value /= column[0];
        }
        if !tail.is_empty() {
            for i in 0..REACH {
                for k in 0..i {
                    border[i] -= self.corner[i][k] * border[k];
                }
            }
            for (value, (i, row)) in border.iter_mut().zip(self.corner.iter().enumerate()) {
                *value /= row[i];
            }
            for i in (0..REACH).rev() {
                for k in i + 1..REACH {
                    border[i] -= self.corner[k][i] * border[k];
                }
            }
            tail.copy_from_slice(&border);
        }
        for j in (0..inner.len()).rev() {
            let (value, later) = inner[j..].split_first_mut().map_or((0.0, &[][..]), |(v, later)| (*v, &*later));
            let mut sum = value;
            for (known, factor) in later.iter().zip(&self.columns[j][1..]) {
                sum -= factor * known;
            }
            if let Some(row) = self.border.get(j) {
                for (known, factor) in border.iter().zip(row) {
                    sum -= factor * known;
                }
            }
            inner[j] = sum;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{CyclicBand, NotPositiveDefinite, REACH};

    /// A diagonally dominant matrix with entries all over the band.
    fn filled(unknowns: usize, closed: bool) -> (CyclicBand, Vec<Vec<f64>>) {
        let mut band = CyclicBand::new(unknowns, closed);
        let mut dense = vec![vec![0.0; unknowns]; unknowns];
        for i in 0..unknowns {
            for k in 0..=REACH {
                let j = i + k;
                if j >= unknowns && !closed {
                    continue;
                }
                let j = j % unknowns;
                let value = if k == 0 { 8.0 + (i % 3) as f64 } else { ((i * 7 + k * 3) % 11) as f64 / 10.0 - 0.5 };
                band.add(i, j, value);
                dense[i][j] += value;
                if k > 0 {
                    dense[j][i] += value;
                }
            }
        }
        (band, dense)
    }

    #[test]
    fn a_band_and_a_ring_are_solved() {
        for closed in [false, true] {
            for unknowns in [18, 24, 50] {
                let (mut band, dense) = filled(unknowns, closed);
                let expected: Vec<f64> = (0..unknowns).map(|i| (i as f64 * 0.7).sin() + 0.1).collect();
                let mut x: Vec<f64> =
                    dense.iter().map(|row| row.iter().zip(&expected).map(|(a, b)| a * b).sum()).collect();
                assert_eq!(band.factorise(), Ok(()));
                band.solve(&mut x);
                for (got, want) in x.iter().zip(&expected) {
                    assert!((got - want).abs() < 1e-12, "{closed} {unknowns}: {got} {want}");
                }
            }
        }
    }

    #[test]
    fn an_indefinite_matrix_is_told() {
        let (mut band, _) = filled(30, true);
        band.add(11, 11, -40.0);
        assert_eq!(band.factorise(), Err(NotPositiveDefinite(11)));
        let (mut band, _) = filled(30, true);
        band.add(28, 28, -40.0);
        assert_eq!(band.factorise(), Err(NotPositiveDefinite(28)));
    }
}
