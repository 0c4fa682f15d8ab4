//! A small dense symmetric block factorised as P L D Lᵀ Pᵀ with the pivots of Bunch and Kaufman.
//!
//! The block may be indefinite; the blocks of D have as many negative eigenvalues as it has. Golub
//! and Van Loan, *Matrix Computations*, 4th edition, section 4.4.
//!
//! With the pivot D_k of one or two rows, C the rows below it and A what remains,
//!
//! ```text
//! L = C D_k⁻¹        A ← A - L Cᵀ                                                            (1)
//! ```
//!
//! Of a column's largest entry λ in row r and that row's largest entry σ, with β = (1 + √17) / 8:
//!
//! ```text
//! |a_kk| ≥ β λ             pivot a_kk                                                        (2)
//! |a_kk| σ ≥ β λ²          pivot a_kk                                                        (3)
//! |a_rr| ≥ β σ             pivot a_rr                                                        (4)
//! otherwise                pivot of the rows k and r                                         (5)
//! ```

/// The pivot is that of the diagonal when it is at least this fraction of its column's largest
/// entry: (1 + √17) / 8, which bounds the growth of entries.
const PIVOT_FRACTION: f64 = 0.640_388_203_202_208;

/// A symmetric block as P L D Lᵀ Pᵀ, D of 1 × 1 and 2 × 2 blocks.
#[derive(Clone, Debug)]
pub(crate) struct SymmetricPivot<const B: usize> {
    /// L below the diagonal; D on the diagonal is kept as its inverse in `inverse`.
    lower: [[f64; B]; B],
    /// Row k of the factors is this row of the block.
    order: [usize; B],
    /// Inverse of D: on the diagonal, and beside it for the first row of a 2 × 2 block.
    inverse: [[f64; 2]; B],
}

impl<const B: usize> Default for SymmetricPivot<B> {
    fn default() -> Self {
        Self { lower: [[0.0; B]; B], order: [0; B], inverse: [[0.0; 2]; B] }
    }
}

impl<const B: usize> SymmetricPivot<B> {
    /// Factorises `a`; the number of its negative eigenvalues, `None` if it is singular.
    pub(crate) fn set(&mut self, mut a: [[f64; B]; B]) -> Option<usize> {
        let mut order: [usize; B] = std::array::from_fn(|i| i);
        let mut negative = 0;
        let mut k = 0;
        while k < B {
            let (row, wide) = choose(&a, k)?;
            let to = if wide { k + 1 } else { k };
            if row != to {
                a.swap(row, to);
                a.iter_mut().for_each(|entries| entries.swap(row, to));
                order.swap(row, to);
            }
            if wide {
                let (p, q, r) = (a[k][k], a[k + 1][k], a[k + 1][k + 1]);
                let determinant = p * r - q * q;
                if determinant == 0.0 || !determinant.is_finite() {
                    return None;
                }
                // By the rules (3) and (4), |p r| is below the square of the pivot fraction times
                // q²: the block's eigenvalues have different signs.
                negative += 1;
                let (ip, iq, ir) = (r / determinant, -q / determinant, p / determinant);
                self.inverse[k] = [ip, iq];
                self.inverse[k + 1] = [ir, 0.0];
                let (first, second) = (a[k], a[k + 1]);
                // Equation (1), two rows.
                for row in a.iter_mut().skip(k + 2) {
                    let (x, y) = (row[k], row[k + 1]);
                    let (lx, ly) = (x * ip + y * iq, x * iq + y * ir);
                    for j in k + 2..B {
                        row[j] -= lx * first[j] + ly * second[j];
                    }
                    (row[k], row[k + 1]) = (lx, ly);
                }
                // L has no entry inside the 2 × 2 block.
                a[k + 1][k] = 0.0;
                k += 2;
            } else {
                let d = a[k][k];
                // It is finite, as chosen.
                if d == 0.0 {
                    return None;
                }
                negative += usize::from(d < 0.0);
                let inverse = 1.0 / d;
                self.inverse[k] = [inverse, 0.0];
                let pivot = a[k];
                // Equation (1), one row.
                for row in a.iter_mut().skip(k + 1) {
                    let factor = row[k] * inverse;
                    for j in k + 1..B {
                        row[j] -= factor * pivot[j];
                    }
                    row[k] = factor;
                }
                k += 1;
            }
        }
        self.lower = a;
        self.order = order;
        Some(negative)
    }

    /// Replaces `x` by the solution.
    pub(crate) fn solve(&self, x: &mut [f64; B]) {
        let mut columns: [[f64; 1]; B] = x.map(|value| [value]);
        self.solve_columns(&mut columns);
        *x = columns.map(|[value]| value);
    }

    /// Replaces the columns of `x` by the solutions.
    #[inline]
    pub(crate) fn solve_columns<const R: usize>(&self, x: &mut [[f64; R]; B]) {
        let mut y: [[f64; R]; B] = std::array::from_fn(|i| x[self.order[i]]);
        for i in 1..B {
            let (done, rest) = y.split_at_mut(i);
            for (factor, row) in self.lower[i].iter().zip(&*done) {
                rest[0].iter_mut().zip(row).for_each(|(entry, value)| *entry -= factor * value);
            }
        }
        let mut i = 0;
        while i < B {
            let [own, beside] = self.inverse[i];
            if beside == 0.0 {
                y[i].iter_mut().for_each(|entry| *entry *= own);
                i += 1;
                continue;
            }
            let other = self.inverse[i + 1][0];
            let (first, second) = (y[i], y[i + 1]);
            for (c, (a, b)) in first.iter().zip(&second).enumerate() {
                y[i][c] = own * a + beside * b;
                y[i + 1][c] = beside * a + other * b;
            }
            i += 2;
        }
        for i in (1..B).rev() {
            let (rest, done) = y.split_at_mut(i);
            for (row, factor) in rest.iter_mut().zip(&self.lower[i]) {
                row.iter_mut().zip(&done[0]).for_each(|(entry, value)| *entry -= factor * value);
            }
        }
        for (row, &to) in y.iter().zip(&self.order) {
            x[to] = *row;
        }
    }
}

/// The row that becomes the pivot, and whether the pivot is 2 × 2 (that row is then its second).
fn choose<const B: usize>(a: &[[f64; B]; B], k: usize) -> Option<(usize, bool)> {
    let own = a[k][k].abs();
    let (mut row, mut column_largest) = (k, 0.0);
    for (i, entries) in a.iter().enumerate().skip(k + 1) {
        if entries[k].abs() > column_largest {
            (row, column_largest) = (i, entries[k].abs());
        }
    }
    if own == 0.0 && column_largest == 0.0 || !own.is_finite() || !column_largest.is_finite() {
        return None;
    }
    if own >= PIVOT_FRACTION * column_largest {
        return Some((k, false)); // equation (2)
    }
    let row_largest = (k..B).filter(|&j| j != row).map(|j| a[row][j].abs()).fold(0.0, f64::max);
    Some(if own * row_largest >= PIVOT_FRACTION * column_largest * column_largest {
        (k, false) // equation (3)
    } else if a[row][row].abs() >= PIVOT_FRACTION * row_largest {
        (row, false) // equation (4)
    } else {
        (row, true) // equation (5)
    })
}

#[cfg(test)]
mod tests {
    use nalgebra::{DMatrix, DVector};

    use super::{PIVOT_FRACTION, SymmetricPivot, choose};

    /// Repeatable numbers between -1 and 1.
    fn noise(state: &mut u64) -> f64 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    #[expect(clippy::needless_range_loop, reason = "indices of matrices, as in formulas")]
    fn symmetric<const B: usize>(state: &mut u64, diagonal: f64) -> [[f64; B]; B] {
        let mut a = [[0.0; B]; B];
        for i in 0..B {
            for j in 0..i {
                let value = noise(state);
                (a[i][j], a[j][i]) = (value, value);
            }
            a[i][i] = diagonal * noise(state);
        }
        a
    }

    fn check<const B: usize>(state: &mut u64) {
        for number in 0..60 {
            let a = symmetric::<B>(state, [1.0, 0.1, 0.0][number % 3]);
            let dense = DMatrix::from_fn(B, B, |i, j| a[i][j]);
            let eigenvalues = dense.clone().symmetric_eigen().eigenvalues;
            let mut pivot = SymmetricPivot::default();
            let negative = pivot.set(a).expect("a regular matrix");
            assert_eq!(negative, eigenvalues.iter().filter(|value| **value < 0.0).count(), "{B} {number}");
            let side: [f64; B] = std::array::from_fn(|_| noise(state));
            let mut x = side;
            pivot.solve(&mut x);
            let rest = &dense * DVector::from_row_slice(&x) - DVector::from_row_slice(&side);
            let size = dense.amax() * x.iter().fold(0.0f64, |largest, x| x.abs().max(largest)) + 1.0;
            assert!(rest.amax() <= 4e-15 * B as f64 * size, "{B} {number}: {:e}", rest.amax());
            // Two columns at once are both.
            let mut columns: [[f64; 2]; B] = side.map(|value| [value, -2.0 * value]);
            pivot.solve_columns(&mut columns);
            let same = columns
                .iter()
                .zip(&x)
                .all(|([a, b], x)| (a - x).abs() <= 1e-12 * size && (b + 2.0 * x).abs() <= 1e-12 * size);
            assert!(same, "{B} {number}");
        }
    }

    #[test]
    fn indefinite_blocks_are_solved_to_a_few_roundings_and_have_the_inertia_of_their_eigenvalues() {
        let mut state = 61;
        check::<2>(&mut state);
        check::<3>(&mut state);
        check::<5>(&mut state);
        check::<9>(&mut state);
    }

    #[test]
    fn pivots_are_chosen_by_their_rules() {
        let near = PIVOT_FRACTION;
        // The choice does not depend on the unit of the matrix.
        for scale in [1.0, 4.0, 0.25] {
            let choice2 = |a: [[f64; 2]; 2]| choose(&a.map(|row| row.map(|entry| scale * entry)), 0);
            let choice3 = |a: [[f64; 3]; 3], k: usize| choose(&a.map(|row| row.map(|entry| scale * entry)), k);
            // Equation (2), at its limit and below it: then the row has more.
            assert_eq!(choice2([[near, 1.0], [1.0, 0.0]]), Some((0, false)));
            assert_eq!(choice2([[0.99 * near, 1.0], [1.0, 0.0]]), Some((1, true)));
            // Equation (3): the row of the largest entry has a much larger one.
            assert_eq!(choice3([[0.2, 1.0, 0.0], [1.0, 0.0, 4.0], [0.0, 4.0, 0.0]], 0), Some((0, false)));
            assert_eq!(choice3([[0.1, 1.0, 0.0], [1.0, 0.0, 4.0], [0.0, 4.0, 0.0]], 0), Some((1, true)));
            // Equation (4): the other diagonal entry is large, also by the largest entry of its
            // row.
            assert_eq!(choice2([[0.1, 1.0], [1.0, -2.0]]), Some((1, false)));
            assert_eq!(choice3([[0.1, 1.0, 0.0], [1.0, 2.6, 4.0], [0.0, 4.0, 0.0]], 0), Some((1, false)));
            assert_eq!(choice3([[0.1, 1.0, 0.0], [1.0, 2.5, 4.0], [0.0, 4.0, 0.0]], 0), Some((1, true)));
            // The search begins at the row of the pivot.
            assert_eq!(choice3([[9.0, 9.0, 9.0], [9.0, 0.0, 1.0], [9.0, 1.0, 0.0]], 1), Some((2, true)));
        }
    }

    #[test]
    fn singular_blocks_and_what_is_no_number_are_refused() {
        let refused = |a: [[f64; 2]; 2]| SymmetricPivot::default().set(a).is_none();
        assert!(refused([[0.0; 2]; 2]));
        assert!(refused([[1.0, 1.0], [1.0, 1.0]]));
        assert!(refused([[f64::NAN, 1.0], [1.0, 1.0]]) && refused([[1.0, f64::NAN], [f64::NAN, 1.0]]));
        assert!(refused([[1.0, 0.0], [0.0, f64::INFINITY]]));
        // Squares that are no numbers: too small and too large.
        assert!(refused([[0.0, 1e-200], [1e-200, 0.0]]) && refused([[0.0, 1e200], [1e200, 0.0]]));
        // Zero beside the diagonal, and on it in one place.
        assert!(refused([[0.0, 0.0], [0.0, 1.0]]));
        assert!(!refused([[1.0, 0.0], [0.0, 1.0]]));
    }
}
