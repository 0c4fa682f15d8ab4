//! Symmetric indefinite matrices of small dense blocks along the diagonal, open or closed to a
//! ring.
//!
//! An optimal control problem has such a matrix: block i holds the variables of node i and the
//! multipliers of the equations that lead from node i to the next, and only neighbours are coupled.
//!
//! ```text
//! D_0  E_0ᵀ                 E_{n-1}      D_i  B × B, symmetric
//! E_0  D_1  E_1ᵀ                         E_i  row block i + 1, column block i; only its first C
//!      E_1  D_2  ⋱                            rows are not zero
//!           ⋱    ⋱   E_{n-2}ᵀ            E_{n-1} closes the ring: row block 0, column block n - 1
//! E_{n-1}ᵀ       E_{n-2}  D_{n-1}
//! ```
//!
//! The blocks are eliminated one after the other. In a ring, F_i is what couples the last block
//! with block i after the elimination of those before, and at first E_{n-1}ᵀ:
//!
//! ```text
//! D_{i+1} ← D_{i+1} - E_i D_i⁻¹ E_iᵀ                                                         (1)
//! F_{i+1} ← -F_i D_i⁻¹ E_iᵀ                                                                  (2)
//! D_{n-1} ← D_{n-1} - F_i D_i⁻¹ F_iᵀ                                                         (3)
//! ```
//!
//! Block n - 2 is coupled with the last one by the sum E_{n-2} + F_{n-2}. Right-hand sides are
//! eliminated downwards and substituted upwards in the same order:
//!
//! ```text
//! b_{i+1} ← b_{i+1} - E_i D_i⁻¹ b_i      b_{n-1} ← b_{n-1} - F_i D_i⁻¹ b_i                   (4)
//! x_i = D_i⁻¹ (b_i - E_iᵀ x_{i+1} - F_iᵀ x_{n-1})                                            (5)
//! ```
//!
//! Each block is factorised as L D Lᵀ with the pivots of Bunch and Kaufman (Golub and Van Loan,
//! *Matrix Computations*, 4th edition, section 4.4), so that it may be indefinite. The number of
//! negative eigenvalues is the sum of those of the pivots (Sylvester's law of inertia), which an
//! interior-point method needs to know.
//!
//! Deviation: there is no pivoting between blocks. The matrix of a problem whose regularised
//! Hessian is positive definite where the equations hold does not need it.

use super::symmetric_pivot::SymmetricPivot;

/// A matrix whose blocks have the size `B` and couple by `C` of their rows.
///
/// ```
/// use raceline_numerics::{BlockCycle, BlockFactors};
///
/// # fn main() -> Result<(), raceline_numerics::SingularBlock> {
/// // A ring of three blocks (2 1; 1 -1), each coupled by its first variable with the next one's.
/// let mut matrix = BlockCycle::<2, 1>::zeros(3, true);
/// matrix.diagonal.fill([[2.0, 1.0], [1.0, -1.0]]);
/// matrix.coupling.fill([[0.5, 0.0]]);
/// let mut factors = BlockFactors::new(3);
/// matrix.factorise(&mut factors)?;
/// // One negative eigenvalue per block.
/// assert_eq!(factors.negative_eigenvalues(), 3);
/// let mut x = vec![[4.0, 0.0]; 3];
/// factors.solve(&mut x);
/// assert!(x.as_flattened().iter().all(|x| (x - 1.0).abs() < 1e-12));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct BlockCycle<const B: usize, const C: usize> {
    /// D_i: row by row.
    pub diagonal: Vec<[[f64; B]; B]>,
    /// E_i. The last one closes the ring; in an open matrix it is not used.
    pub coupling: Vec<[[f64; B]; C]>,
    closed: bool,
}

/// Factors of a [`BlockCycle`].
#[derive(Clone, Debug)]
pub struct BlockFactors<const B: usize, const C: usize> {
    pivots: Vec<SymmetricPivot<B>>,
    coupling: Vec<[[f64; B]; C]>,
    /// Rows of the last block, columns of the first C variables of block i: what closes the ring.
    border: Vec<[[f64; C]; B]>,
    closed: bool,
    /// Number of negative eigenvalues.
    negative: usize,
}

/// A pivot block was singular.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SingularBlock {
    /// Index of the block, from 0.
    pub block: usize,
}

impl std::fmt::Display for SingularBlock {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "block {} of the matrix is singular", self.block)
    }
}

impl std::error::Error for SingularBlock {}

impl<const B: usize, const C: usize> BlockCycle<B, C> {
    /// A matrix of `blocks` ≥ 3 blocks of zeros.
    #[must_use]
    pub fn zeros(blocks: usize, closed: bool) -> Self {
        Self { diagonal: vec![[[0.0; B]; B]; blocks], coupling: vec![[[0.0; B]; C]; blocks], closed }
    }

    /// Sets all entries to zero.
    pub fn clear(&mut self) {
        self.diagonal.fill([[0.0; B]; B]);
        self.coupling.fill([[0.0; B]; C]);
    }

    /// Adds the product of this matrix and `x` to `product`.
    pub fn add_product(&self, x: &[[f64; B]], product: &mut [[f64; B]]) {
        let n = self.diagonal.len();
        for i in 0..n {
            for (target, row) in product[i].iter_mut().zip(&self.diagonal[i]) {
                *target += dot(row, &x[i]);
            }
            if i + 1 == n && !self.closed {
                continue;
            }
            let next = (i + 1) % n;
            for (c, row) in self.coupling[i].iter().enumerate() {
                product[next][c] += dot(row, &x[i]);
                for (target, entry) in product[i].iter_mut().zip(row) {
                    *target += entry * x[next][c];
                }
            }
        }
    }

    /// Factorises the matrix.
    ///
    /// # Errors
    /// [`SingularBlock`] when a pivot block is singular.
    pub fn factorise(&self, factors: &mut BlockFactors<B, C>) -> Result<(), SingularBlock> {
        let n = self.diagonal.len();
        let last = n - 1;
        factors.coupling.copy_from_slice(&self.coupling);
        factors.closed = self.closed;
        factors.negative = 0;
        let mut block = self.diagonal[0];
        let mut last_block = self.diagonal[last];
        let mut border = [[0.0; C]; B];
        if self.closed {
            border = transposed(&self.coupling[last]);
        }
        for i in 0..last {
            let pivot = &mut factors.pivots[i];
            factors.negative += pivot.set(block).ok_or(SingularBlock { block: i })?;
            factors.border[i] = border;
            let coupling = &self.coupling[i];
            if i + 1 == last {
                // The last block's coupling with this one, direct and by the ring.
                let mut rows = [[0.0; B]; B];
                rows[..C].copy_from_slice(coupling);
                for (row, border) in rows.iter_mut().zip(&border) {
                    row.iter_mut().zip(border).for_each(|(entry, more)| *entry += more);
                }
                subtract_through(pivot, &rows, &mut last_block);
                break;
            }
            // D⁻¹ Eᵀ, then equation (1).
            let mut columns = transposed(coupling);
            pivot.solve_columns(&mut columns);
            block = self.diagonal[i + 1];
            for (row, coupling) in block.iter_mut().zip(coupling) {
                for (factor, column) in coupling.iter().zip(&columns) {
                    for (entry, value) in row.iter_mut().zip(column) {
                        *entry -= factor * value;
                    }
                }
            }
            if self.closed {
                // Equation (2).
                let mut next = [[0.0; C]; B];
                for (row, border) in next.iter_mut().zip(&border) {
                    for (factor, column) in border.iter().zip(&columns) {
                        for (entry, value) in row.iter_mut().zip(column) {
                            *entry -= factor * value;
                        }
                    }
                }
                // Equation (3).
                let mut rows = [[0.0; B]; B];
                for (row, border) in rows.iter_mut().zip(&border) {
                    row[..C].copy_from_slice(border);
                }
                subtract_through(pivot, &rows, &mut last_block);
                border = next;
            }
        }
        factors.negative += factors.pivots[last].set(last_block).ok_or(SingularBlock { block: last })?;
        Ok(())
    }
}

impl<const B: usize, const C: usize> BlockFactors<B, C> {
    /// Room for the factors of a matrix of `blocks` blocks.
    #[must_use]
    pub fn new(blocks: usize) -> Self {
        Self {
            pivots: vec![SymmetricPivot::default(); blocks],
            coupling: vec![[[0.0; B]; C]; blocks],
            border: vec![[[0.0; C]; B]; blocks],
            closed: false,
            negative: 0,
        }
    }

    /// Number of negative eigenvalues of the matrix.
    #[must_use]
    pub fn negative_eigenvalues(&self) -> usize {
        self.negative
    }

    /// Replaces `x`, the right-hand side, by the solution.
    pub fn solve(&self, x: &mut [[f64; B]]) {
        let last = x.len() - 1;
        let mut end = x[last];
        // Equation (4).
        for i in 0..last {
            let mut at = x[i];
            self.pivots[i].solve(&mut at);
            let target = if i + 1 == last { &mut end } else { &mut x[i + 1] };
            for (entry, row) in target.iter_mut().zip(&self.coupling[i]) {
                *entry -= dot(row, &at);
            }
            if self.closed {
                for (entry, row) in end.iter_mut().zip(&self.border[i]) {
                    *entry -= row.iter().zip(&at).map(|(a, b)| a * b).sum::<f64>();
                }
            }
        }
        self.pivots[last].solve(&mut end);
        x[last] = end;
        // Equation (5).
        for i in (0..last).rev() {
            let next = x[i + 1];
            let at = &mut x[i];
            for (row, factor) in self.coupling[i].iter().zip(&next) {
                at.iter_mut().zip(row).for_each(|(entry, value)| *entry -= factor * value);
            }
            if self.closed {
                for (row, factor) in self.border[i].iter().zip(&end) {
                    at.iter_mut().zip(row).for_each(|(entry, value)| *entry -= factor * value);
                }
            }
            self.pivots[i].solve(at);
        }
    }
}

/// Subtracts `rows` D⁻¹ `rows`ᵀ from `block`.
fn subtract_through<const B: usize>(pivot: &SymmetricPivot<B>, rows: &[[f64; B]; B], block: &mut [[f64; B]; B]) {
    let mut columns = transposed(rows);
    pivot.solve_columns(&mut columns);
    for (entries, row) in block.iter_mut().zip(rows) {
        for (factor, column) in row.iter().zip(&columns) {
            if *factor != 0.0 {
                entries.iter_mut().zip(column).for_each(|(entry, value)| *entry -= factor * value);
            }
        }
    }
}

fn transposed<const R: usize, const S: usize>(a: &[[f64; S]; R]) -> [[f64; R]; S] {
    std::array::from_fn(|i| std::array::from_fn(|j| a[j][i]))
}

fn dot<const B: usize>(a: &[f64; B], b: &[f64; B]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::{BlockCycle, BlockFactors};

    /// Repeatable numbers between -1 and 1.
    struct Noise(u64);

    impl Noise {
        fn next(&mut self) -> f64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        }
    }

    /// A matrix like that of a control problem: three variables and two equations a node.
    fn problem(blocks: usize, closed: bool, noise: &mut Noise) -> BlockCycle<5, 3> {
        let mut matrix = BlockCycle::zeros(blocks, closed);
        for i in 0..blocks {
            for r in 0..3 {
                for c in 0..r {
                    let value = 0.3 * noise.next();
                    matrix.diagonal[i][r][c] = value;
                    matrix.diagonal[i][c][r] = value;
                }
                matrix.diagonal[i][r][r] = 2.0 + noise.next();
                for c in 3..5 {
                    let value = noise.next();
                    matrix.diagonal[i][r][c] = value;
                    matrix.diagonal[i][c][r] = value;
                }
                matrix.coupling[i][r] = std::array::from_fn(|_| 0.5 * noise.next());
            }
        }
        matrix
    }

    #[test]
    fn a_solution_solves_and_the_inertia_is_that_of_the_equations() {
        let mut noise = Noise(1);
        for (blocks, closed) in [(3, true), (3, false), (40, true), (41, false)] {
            let matrix = problem(blocks, closed, &mut noise);
            let expected: Vec<[f64; 5]> = (0..blocks).map(|_| std::array::from_fn(|_| noise.next())).collect();
            let mut x = vec![[0.0; 5]; blocks];
            matrix.add_product(&expected, &mut x);
            let mut factors = BlockFactors::new(blocks);
            matrix.factorise(&mut factors).expect("a regular matrix");
            factors.solve(&mut x);
            assert_eq!(factors.negative_eigenvalues(), 2 * blocks, "{blocks} {closed}");
            for (found, expected) in x.as_flattened().iter().zip(expected.as_flattened()) {
                assert!((found - expected).abs() < 1e-9, "{found} {expected}");
            }
        }
    }

    #[test]
    fn pivots_of_two_rows_are_found() {
        // Zero diagonals: every pivot is 2 × 2.
        let mut matrix = BlockCycle::<2, 1>::zeros(3, false);
        for block in &mut matrix.diagonal {
            *block = [[0.0, 2.0], [2.0, 0.0]];
        }
        let mut factors = BlockFactors::new(3);
        matrix.factorise(&mut factors).expect("a regular matrix");
        assert_eq!(factors.negative_eigenvalues(), 3);
        let mut x = vec![[2.0, 4.0]; 3];
        factors.solve(&mut x);
        assert_eq!(x, vec![[2.0, 1.0]; 3]);
    }

    #[test]
    fn a_singular_block_is_reported() {
        let matrix = BlockCycle::<2, 1>::zeros(3, true);
        let found = matrix.factorise(&mut BlockFactors::new(3));
        assert_eq!(found.expect_err("singular").to_string(), "block 0 of the matrix is singular");
    }
}
