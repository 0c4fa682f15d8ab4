//! Factorisation of a symmetric positive definite band matrix, open or cyclic.
//!
//! ```text
//! A x = b        A = L D Lᵀ                                                                  (1)
//! L u = b        D v = u        Lᵀ x = v                                                     (2)
//! ```
//!
//! | symbol | shape | value |
//! |---|---|---|
//! | A | n × n | symmetric; `A_ij = 0` where i and j are more than `REACH` apart, on a ring counted round it |
//! | L | n × n | unit lower triangular; a band, and on a ring `REACH` full rows at its end |
//! | D | n | the pivots, positive |
//! | x, b | n | |
//!
//! In the problems of a lap, each unknown is coupled with a few before and after it, its reach; on
//! a closed course the last ones are also coupled with the first. The band is eliminated from the
//! first unknown on, without pivoting (Golub and Van Loan, *Matrix Computations*, 4th edition,
//! section 4.3): with the pivot d_j = A_jj of what remains,
//!
//! ```text
//! L_ij = A_ij / d_j        A_ik ← A_ik - A_ij L_kj                     for i, k after j      (3)
//! ```
//!
//! Deviation: on a ring the last `REACH` unknowns form a border. Each elimination step adds to it,
//! and it is solved last as a small dense system. Time and memory are linear in the number of
//! unknowns in both cases.

use std::fmt;

/// The matrix, or its factors in the same memory. An unknown is coupled with at most `REACH`
/// unknowns before it and after it.
///
/// ```
/// use raceline_numerics::CyclicBand;
///
/// # fn main() -> Result<(), raceline_numerics::NotPositiveDefinite> {
/// // 4 x_i - x_{i-1} - x_{i+1} = 2 on a ring: every x is 1.
/// let mut band = CyclicBand::<1>::new(5, true);
/// for i in 0..5 {
///     band.add(i, i, 4.0);
///     band.add(i, (i + 1) % 5, -1.0);
/// }
/// band.factorise()?;
/// let mut x = [2.0; 5];
/// band.solve(&mut x);
/// assert!(x.iter().all(|x| (x - 1.0).abs() < 1e-12));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct CyclicBand<const REACH: usize> {
    /// Entries (j, j) of the band; the remaining unknowns form the border.
    diagonal: Vec<f64>,
    /// Entries (j + 1, j) to (j + REACH, j).
    below: Vec<[f64; REACH]>,
    /// Entries (border row, j).
    border: Vec<[f64; REACH]>,
    /// Lower triangle of the border's own block.
    corner: [[f64; REACH]; REACH],
}

/// The matrix is not positive definite: the pivot of this unknown is not positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotPositiveDefinite(pub usize);

impl fmt::Display for NotPositiveDefinite {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "the matrix is not positive definite: the pivot of unknown {} is not positive", self.0)
    }
}

impl std::error::Error for NotPositiveDefinite {}

impl<const REACH: usize> Clone for CyclicBand<REACH> {
    fn clone(&self) -> Self {
        Self {
            diagonal: self.diagonal.clone(),
            below: self.below.clone(),
            border: self.border.clone(),
            corner: self.corner,
        }
    }

    /// Copies a matrix of the same shape without allocating.
    fn clone_from(&mut self, source: &Self) {
        self.diagonal.clone_from(&source.diagonal);
        self.below.clone_from(&source.below);
        self.border.clone_from(&source.border);
        self.corner = source.corner;
    }
}

impl<const REACH: usize> CyclicBand<REACH> {
    /// Minimum number of unknowns of a ring: with fewer, the two ends of the band would overlap.
    pub const MIN_ON_RING: usize = 3 * REACH;

    /// The zero matrix of `unknowns` unknowns, cyclic when `closed`.
    ///
    /// # Panics
    /// When a ring has fewer unknowns than [`Self::MIN_ON_RING`].
    #[must_use]
    pub fn new(unknowns: usize, closed: bool) -> Self {
        assert!(!closed || unknowns >= Self::MIN_ON_RING, "a ring of {unknowns} unknowns is too short");
        let inner = if closed { unknowns - REACH } else { unknowns };
        Self {
            diagonal: vec![0.0; inner],
            below: vec![[0.0; REACH]; inner],
            border: vec![[0.0; REACH]; if closed { inner } else { 0 }],
            corner: [[0.0; REACH]; REACH],
        }
    }

    /// Number of unknowns, n.
    #[must_use]
    pub fn unknowns(&self) -> usize {
        self.diagonal.len() + if self.border.is_empty() { 0 } else { REACH }
    }

    /// Whether the last unknowns are coupled with the first.
    #[must_use]
    pub fn is_ring(&self) -> bool {
        !self.border.is_empty()
    }

    /// Sets every entry to zero.
    pub fn clear(&mut self) {
        self.diagonal.fill(0.0);
        self.below.fill([0.0; REACH]);
        self.border.fill([0.0; REACH]);
        self.corner = [[0.0; REACH]; REACH];
    }

    /// Adds `value` at (`row`, `column`) and, off the diagonal, at its mirror image.
    ///
    /// # Panics
    /// When `row` and `column` are more than `REACH` apart, or not below n.
    #[inline]
    pub fn add(&mut self, row: usize, column: usize, value: f64) {
        let (low, high) = if row < column { (row, column) } else { (column, row) };
        let inner = self.diagonal.len();
        if high == low && high < inner {
            self.diagonal[low] += value;
        } else if high < inner {
            self.below[low][high - low - 1] += value;
        } else if low < inner {
            self.border[low][high - inner] += value;
        } else {
            self.corner[high - inner][low - inner] += value;
        }
    }

    /// Entry (`row`, `column`) of the matrix (not yet factorised); 0 outside the band.
    ///
    /// # Panics
    /// When `row` or `column` is not below n.
    #[must_use]
    pub fn get(&self, row: usize, column: usize) -> f64 {
        let (low, high) = if row < column { (row, column) } else { (column, row) };
        let inner = self.diagonal.len();
        if high >= inner {
            return if low < inner { self.border[low][high - inner] } else { self.corner[high - inner][low - inner] };
        }
        match high - low {
            0 => self.diagonal[low],
            distance if distance <= REACH => self.below[low][distance - 1],
            _ => 0.0,
        }
    }

    /// Multiplies every entry by a factor.
    pub fn scale(&mut self, factor: f64) {
        let rows = self.below.iter_mut().chain(&mut self.border).chain(&mut self.corner);
        for entry in rows.flatten().chain(&mut self.diagonal) {
            *entry *= factor;
        }
    }

    /// The largest entry on the diagonal, at least 0.
    #[must_use]
    pub fn largest_diagonal(&self) -> f64 {
        let corner = (0..if self.border.is_empty() { 0 } else { REACH }).map(|i| self.corner[i][i]);
        self.diagonal.iter().copied().chain(corner).fold(0.0, f64::max)
    }

    /// The matrix (not yet factorised) times a vector; `x` and `out` have n entries.
    pub fn times(&self, x: &[f64], out: &mut [f64]) {
        let inner = self.diagonal.len();
        for (out, (diagonal, x)) in out.iter_mut().zip(self.diagonal.iter().zip(x)) {
            *out = diagonal * x;
        }
        out[inner..].fill(0.0);
        for (j, below) in self.below.iter().enumerate() {
            for (k, value) in below.iter().enumerate().take(inner - j - 1) {
                out[j + 1 + k] += value * x[j];
                out[j] += value * x[j + 1 + k];
            }
        }
        for (j, row) in self.border.iter().enumerate() {
            for (k, value) in row.iter().enumerate() {
                out[inner + k] += value * x[j];
                out[j] += value * x[inner + k];
            }
        }
        for i in 0..out.len() - inner {
            for k in 0..=i {
                out[inner + i] += self.corner[i][k] * x[inner + k];
                if k < i {
                    out[inner + k] += self.corner[i][k] * x[inner + i];
                }
            }
        }
    }

    /// Replaces the matrix by its factors. Does not allocate.
    ///
    /// # Errors
    /// [`NotPositiveDefinite`] where a pivot is not positive; the matrix is then overwritten.
    pub fn factorise(&mut self) -> Result<(), NotPositiveDefinite> {
        factorise(&mut self.diagonal, &mut self.below, &mut self.border, &mut self.corner)
    }

    /// Solves the factorised system in place. Does not allocate.
    ///
    /// # Panics
    /// When `rhs` has fewer than n entries.
    pub fn solve(&self, rhs: &mut [f64]) {
        solve(&self.diagonal, &self.below, &self.border, &self.corner, rhs);
    }
}

/// Replaces a matrix by its factors L and D.
#[inline]
pub(crate) fn factorise<const REACH: usize>(
    diagonal: &mut [f64],
    below: &mut [[f64; REACH]],
    border: &mut [[f64; REACH]],
    corner: &mut [[f64; REACH]; REACH],
) -> Result<(), NotPositiveDefinite> {
    let is_ring = !border.is_empty();
    // A = L D Lᵀ of equation (1), column by column.
    for j in 0..diagonal.len() {
        let pivot = diagonal[j];
        // Written so that NaN is rejected too.
        if pivot.is_nan() || pivot <= 0.0 {
            return Err(NotPositiveDefinite(j));
        }
        // Equation (3) in the band.
        let inverse = 1.0 / pivot;
        let entries = below[j];
        let factors = entries.map(|entry| entry * inverse);
        below[j] = factors;
        let reach = REACH.min(diagonal.len() - j - 1);
        for k in 0..reach {
            diagonal[j + 1 + k] -= entries[k] * factors[k];
            for (target, factor) in below[j + 1 + k].iter_mut().zip(&factors[k + 1..]) {
                *target -= entries[k] * factor;
            }
        }
        // Equation (3) in the border and in its own block.
        if is_ring {
            let row = border[j];
            let scaled = row.map(|entry| entry * inverse);
            border[j] = scaled;
            for (target, &factor) in border[j + 1..].iter_mut().zip(&entries) {
                for (entry, above) in target.iter_mut().zip(&scaled) {
                    *entry -= factor * above;
                }
            }
            for (target, &factor) in corner.iter_mut().zip(&row) {
                for (entry, above) in target.iter_mut().zip(&scaled) {
                    *entry -= factor * above;
                }
            }
        }
    }
    if is_ring { factorise_corner(corner, diagonal.len()) } else { Ok(()) }
}

/// Replaces the border's own block by its factors; `inner` is the number of the unknowns before it.
fn factorise_corner<const REACH: usize>(
    corner: &mut [[f64; REACH]; REACH],
    inner: usize,
) -> Result<(), NotPositiveDefinite> {
    // Equation (3), dense.
    for j in 0..REACH {
        let pivot = corner[j][j];
        if pivot.is_nan() || pivot <= 0.0 {
            return Err(NotPositiveDefinite(inner + j));
        }
        let column: [f64; REACH] = std::array::from_fn(|i| corner[i][j]);
        for i in j + 1..REACH {
            for k in j + 1..=i {
                corner[i][k] -= column[i] * column[k] / pivot;
            }
            corner[i][j] = column[i] / pivot;
        }
    }
    Ok(())
}

/// Solves L D Lᵀ x = `rhs` in place.
#[inline]
pub(crate) fn solve<const REACH: usize>(
    diagonal: &[f64],
    below: &[[f64; REACH]],
    border_rows: &[[f64; REACH]],
    corner: &[[f64; REACH]; REACH],
    rhs: &mut [f64],
) {
    let (inner, tail) = rhs.split_at_mut(diagonal.len());
    let mut border = [0.0; REACH];
    border[..tail.len()].copy_from_slice(tail);
    // Equation (2), L u = b, down the band; the border's rows come last.
    for j in 0..inner.len() {
        let value = inner[j];
        for (target, factor) in inner[j + 1..].iter_mut().zip(&below[j]) {
            *target -= factor * value;
        }
        if let Some(row) = border_rows.get(j) {
            for (target, factor) in border.iter_mut().zip(row) {
                *target -= factor * value;
            }
        }
    }
    // Equation (2), D v = u.
    for (value, pivot) in inner.iter_mut().zip(diagonal) {
        *value /= pivot;
    }
    // The border's own block: all three of (2).
    if !tail.is_empty() {
        for i in 0..REACH {
            for k in 0..i {
                border[i] -= corner[i][k] * border[k];
            }
        }
        for (value, (i, row)) in border.iter_mut().zip(corner.iter().enumerate()) {
            *value /= row[i];
        }
        for i in (0..REACH).rev() {
            for k in i + 1..REACH {
                border[i] -= corner[k][i] * border[k];
            }
        }
        tail.copy_from_slice(&border);
    }
    // Equation (2), Lᵀ x = v, up the band.
    for j in (0..inner.len()).rev() {
        let (value, later) = inner[j..].split_first_mut().map_or((0.0, &[][..]), |(v, later)| (*v, &*later));
        let mut sum = value;
        for (known, factor) in later.iter().zip(&below[j]) {
            sum -= factor * known;
        }
        if let Some(row) = border_rows.get(j) {
            for (known, factor) in border.iter().zip(row) {
                sum -= factor * known;
            }
        }
        inner[j] = sum;
    }
}

#[cfg(test)]
mod tests;
