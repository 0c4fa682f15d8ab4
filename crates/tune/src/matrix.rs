//! Dense symmetric matrices: factors and eigenvalues.

use raceline_numerics::math;
use std::ops::{Index, IndexMut};

/// A square matrix by rows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Matrix {
    n: usize,
    entries: Vec<f64>,
}

impl Matrix {
    /// A matrix of zeros.
    pub(crate) fn zeros(n: usize) -> Self {
        Self { n, entries: vec![0.0; n * n] }
    }

    /// The identity.
    pub(crate) fn identity(n: usize) -> Self {
        let mut matrix = Self::zeros(n);
        for i in 0..n {
            matrix[(i, i)] = 1.0;
        }
        matrix
    }

    /// Number of rows.
    pub(crate) fn len(&self) -> usize {
        self.n
    }

    fn row(&self, i: usize) -> &[f64] {
        &self.entries[i * self.n..(i + 1) * self.n]
    }

    /// The product with a vector.
    pub(crate) fn times(&self, x: &[f64]) -> Vec<f64> {
        (0..self.n).map(|i| dot(self.row(i), x)).collect()
    }

    /// The product of the transposed matrix with a vector.
    pub(crate) fn transposed_times(&self, x: &[f64]) -> Vec<f64> {
        let mut product = vec![0.0; self.n];
        for (i, &factor) in x.iter().enumerate() {
            for (sum, entry) in product.iter_mut().zip(self.row(i)) {
                *sum += factor * entry;
            }
        }
        product
    }
}

impl Index<(usize, usize)> for Matrix {
    type Output = f64;

    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        &self.entries[i * self.n + j]
    }
}

impl IndexMut<(usize, usize)> for Matrix {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
        &mut self.entries[i * self.n + j]
    }
}

/// The scalar product, in four sums that the processor adds at the same time.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let n = a.len().min(b.len());
    let (first, rest) = a[..n].as_chunks::<4>();
    let (other, other_rest) = b[..n].as_chunks::<4>();
    let mut sums = [0.0; 4];
    for (a, b) in first.iter().zip(other) {
        for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
            *sum += a * b;
        }
    }
    let rest: f64 = rest.iter().zip(other_rest).map(|(a, b)| a * b).sum();
    (sums[0] + sums[2]) + (sums[1] + sums[3]) + rest
}

/// The lower triangular L of A = L Lᵀ (Golub and Van Loan, *Matrix Computations*, 4th edition, algorithm
/// 4.2.1).
#[derive(Clone, Debug)]
pub(crate) struct Cholesky {
    lower: Matrix,
}

impl Cholesky {
    /// The factor of a matrix; `None` if it is not positive definite.
    pub(crate) fn new(mut a: Matrix) -> Option<Self> {
        for i in 0..a.n {
            for j in 0..=i {
                let sum = a[(i, j)] - dot(&a.row(i)[..j], &a.row(j)[..j]);
                if i == j {
                    if !(sum > 0.0 && sum.is_finite()) {
                        return None;
                    }
                    a[(i, i)] = sum.sqrt();
                } else {
                    a[(i, j)] = sum / a[(j, j)];
                }
            }
        }
        Some(Self { lower: a })
    }

    /// L⁻¹ b.
    pub(crate) fn forward(&self, b: &[f64]) -> Vec<f64> {
        let mut x = b.to_vec();
        for i in 0..x.len() {
            let row = self.lower.row(i);
            x[i] = (x[i] - dot(&row[..i], &x[..i])) / row[i];
        }
        x
    }

    /// A⁻¹ b.
    pub(crate) fn solve(&self, b: &[f64]) -> Vec<f64> {
        let mut x = self.forward(b);
        for i in (0..x.len()).rev() {
            let row = self.lower.row(i);
            let value = x[i] / row[i];
            x[i] = value;
            for (before, entry) in x[..i].iter_mut().zip(row) {
                *before -= entry * value;
            }
        }
        x
    }

    /// A⁻¹.
    pub(crate) fn inverse(&self) -> Matrix {
        let n = self.lower.n;
        let mut inverse = Matrix::zeros(n);
        let mut x = vec![0.0; n];
        for column in 0..n {
            // Of the column, what lies on and below the diagonal: L⁻¹ e has zeros above it.
            x[column] = 1.0;
            for i in column..n {
                let row = self.lower.row(i);
                let unit = if i == column { 1.0 } else { 0.0 };
                x[i] = (unit - dot(&row[column..i], &x[column..i])) / row[i];
            }
            for i in (column..n).rev() {
                let row = self.lower.row(i);
                let value = x[i] / row[i];
                x[i] = value;
                for (before, entry) in x[column..i].iter_mut().zip(&row[column..i]) {
                    *before -= entry * value;
                }
                (inverse[(i, column)], inverse[(column, i)]) = (value, value);
            }
        }
        inverse
    }

    /// ln |A|.
    pub(crate) fn ln_determinant(&self) -> f64 {
        2.0 * (0..self.lower.n).map(|i| math::ln(self.lower[(i, i)])).sum::<f64>()
    }
}

/// Sweeps of Jacobi's method; each about squares what remains beside the diagonal.
const SWEEPS: usize = 30;
/// Entries beside the diagonal count as 0 below this fraction of the largest one on it.
const NEGLIGIBLE: f64 = 1e-15;

/// Eigenvalues and eigenvectors of a symmetric matrix by the cyclic Jacobi method (Golub and Van Loan,
/// section 8.5.2): A = V diag(e) Vᵀ, with eigenvector k in column k.
pub(crate) fn eigen(mut a: Matrix) -> (Vec<f64>, Matrix) {
    let n = a.n;
    let mut vectors = Matrix::identity(n);
    for _ in 0..SWEEPS {
        let largest = (0..n).map(|i| a[(i, i)].abs()).fold(f64::MIN_POSITIVE, f64::max);
        let mut is_diagonal = true;
        for p in 0..n {
            for q in p + 1..n {
                let beside = a[(p, q)];
                if beside.abs() <= NEGLIGIBLE * largest {
                    continue;
                }
                is_diagonal = false;
                let tau = (a[(q, q)] - a[(p, p)]) / (2.0 * beside);
                let t = tau.signum() / (tau.abs() + (1.0 + tau * tau).sqrt());
                let c = 1.0 / (1.0 + t * t).sqrt();
                rotate(&mut a, &mut vectors, [p, q], [c, t * c]);
            }
        }
        if is_diagonal {
            break;
        }
    }
    ((0..n).map(|i| a[(i, i)]).collect(), vectors)
}

/// Rotates the rows and columns p and q of `a`, and the columns of `vectors`.
fn rotate(a: &mut Matrix, vectors: &mut Matrix, [p, q]: [usize; 2], [c, s]: [f64; 2]) {
    let turned = |x: f64, y: f64| (c * x - s * y, s * x + c * y);
    for k in 0..a.len() {
        (a[(k, p)], a[(k, q)]) = turned(a[(k, p)], a[(k, q)]);
    }
    for k in 0..a.len() {
        (a[(p, k)], a[(q, k)]) = turned(a[(p, k)], a[(q, k)]);
    }
    for k in 0..a.len() {
        (vectors[(k, p)], vectors[(k, q)]) = turned(vectors[(k, p)], vectors[(k, q)]);
    }
}

#[cfg(test)]
mod tests {
    use super::{Cholesky, Matrix, dot, eigen};

    fn symmetric(n: usize) -> Matrix {
        let mut a = Matrix::zeros(n);
        for i in 0..n {
            for j in 0..=i {
                let entry = ((7 * i + 3 * j) % 5) as f64 / 5.0 + if i == j { n as f64 } else { 0.0 };
                (a[(i, j)], a[(j, i)]) = (entry, entry);
            }
        }
        a
    }

    #[test]
    fn a_factor_solves_and_has_the_determinant() {
        // |A| = 4 · 3 - 2² = 8, by hand.
        let mut small = Matrix::zeros(2);
        (small[(0, 0)], small[(0, 1)], small[(1, 0)], small[(1, 1)]) = (4.0, 2.0, 2.0, 3.0);
        let factor = Cholesky::new(small).unwrap();
        assert!((factor.ln_determinant() - 8.0_f64.ln()).abs() < 1e-15);
        assert!(factor.solve(&[8.0, 7.0]).iter().zip([1.25, 1.5]).all(|(x, y)| (x - y).abs() < 1e-15));

        let a = symmetric(9);
        let b: Vec<f64> = (0..9).map(f64::from).collect();
        let x = Cholesky::new(a.clone()).unwrap().solve(&b);
        assert!(a.times(&x).iter().zip(&b).all(|(ax, b)| (ax - b).abs() < 1e-12));
        let inverse = Cholesky::new(a).unwrap().inverse();
        assert!(inverse.times(&b).iter().zip(&x).all(|(one, other)| (one - other).abs() < 1e-12));
    }

    #[test]
    fn an_indefinite_matrix_has_no_factor() {
        let mut a = Matrix::identity(3);
        a[(2, 2)] = -1.0;
        assert!(Cholesky::new(a).is_none());
    }

    #[test]
    fn eigenvectors_are_stretched_by_their_eigenvalues() {
        let a = symmetric(12);
        let (values, vectors) = eigen(a.clone());
        for (k, value) in values.iter().enumerate() {
            let vector: Vec<f64> = (0..12).map(|i| vectors[(i, k)]).collect();
            assert!((dot(&vector, &vector) - 1.0).abs() < 1e-12);
            assert!(a.times(&vector).iter().zip(&vector).all(|(av, v)| (av - value * v).abs() < 1e-11));
        }
        let trace: f64 = (0..12).map(|i| a[(i, i)]).sum();
        assert!((values.iter().sum::<f64>() - trace).abs() < 1e-11);
    }
}
