//! The algebra of bands, blocks, stages and bounds compared with dense matrices, on random systems
//! and on ill-conditioned ones.
//!
//! A solution is judged by its backward error: the smallest change of the matrix and of the
//! right-hand side, by their magnitudes, for which it is exact,
//!
//! ```text
//! η = |b - A x| / (|A| |x| + |b|)      in the maximum norm
//! ```
//!
//! (Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd edition, theorem 7.1). It does
//! not depend on the condition, so a limit on it can be small: a few roundings. The forward error
//! is at most about the condition times η.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]

mod bands;
mod blocks;
mod box_programs;
mod elementary;
mod splines;
mod stages;

use nalgebra::{DMatrix, DVector};

/// Repeatable random numbers.
struct Noise(u64);

impl Noise {
    /// From -1 to 1.
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    /// A power of ten with an exponent from `low` to `high`, which spreads over all decades.
    fn decades(&mut self, low: f64, high: f64) -> f64 {
        10f64.powf(low + (high - low) * 0.5 * (self.next() + 1.0))
    }

    fn vector(&mut self, length: usize) -> DVector<f64> {
        DVector::from_fn(length, |_, _| self.next())
    }
}

/// Backward error of `x` as the solution of `a x = b`.
fn backward_error(a: &DMatrix<f64>, x: &DVector<f64>, b: &DVector<f64>) -> f64 {
    let norm = a.row_iter().map(|row| row.iter().map(|entry| entry.abs()).sum()).fold(0.0, f64::max);
    (b - a * x).amax() / (norm * x.amax() + b.amax())
}

/// Condition number of a symmetric matrix: its largest eigenvalue by its smallest.
fn condition(a: &DMatrix<f64>) -> f64 {
    let eigenvalues = a.clone().symmetric_eigen().eigenvalues.abs();
    eigenvalues.max() / eigenvalues.min()
}

/// Number of negative eigenvalues of a symmetric matrix. By Sylvester's law they are those of the
/// matrix with rows and columns scaled alike; scaled, none drowns in the rounding of another.
fn negative(a: &DMatrix<f64>) -> usize {
    let mut scaled = a.clone();
    for _ in 0..10 {
        let factors = DVector::from_iterator(a.nrows(), scaled.row_iter().map(|row| row.amax().sqrt().recip()));
        scaled = DMatrix::from_fn(a.nrows(), a.ncols(), |i, j| scaled[(i, j)] * factors[i] * factors[j]);
    }
    scaled.symmetric_eigen().eigenvalues.iter().filter(|value| **value < 0.0).count()
}
