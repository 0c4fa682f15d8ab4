//! Linear regression that tolerates outliers and knows that neighbouring samples err alike.

use nalgebra::{DMatrix, DVector};

use super::statistics::{REJECTED, deviation};

const ROUNDS: usize = 12;
/// Samples of one block of this length are taken as one when the certainty is estimated, s.
const BLOCK_S: f64 = 2.0;
/// Keeps columns without samples solvable; relative to columns of length 1.
const RIDGE: f64 = 1e-10;

/// Rows of a regression.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    columns: usize,
    clock_s: Vec<f64>,
    x: Vec<f64>,
    y: Vec<f64>,
}

/// The result of a regression.
#[derive(Clone, Debug)]
pub(super) struct Fit {
    pub values: Vec<f64>,
    pub standard_errors: Vec<f64>,
    /// Mean size of the residuals, each at most `max`.
    pub misfit: f64,
}

impl Rows {
    pub fn new(columns: usize) -> Self {
        Self { columns, ..Self::default() }
    }

    pub fn len(&self) -> usize {
        self.y.len()
    }

    pub fn push(&mut self, clock_s: f64, x: &[f64], y: f64) {
        self.clock_s.push(clock_s);
        self.x.extend_from_slice(x);
        self.y.push(y);
    }

    /// The coefficients by iteratively reweighted least squares with Tukey's biweight, with standard
    /// errors by the spread of blocks of samples (the sandwich estimator of White, *Econometrica* 48
    /// (1980), with clusters). `noise` is the smallest deviation of a residual; residuals of more
    /// than
    /// `max` count as `max` in the misfit. `None` for fewer rows than twice the columns.
    pub fn fit(&self, noise: f64, max: f64) -> Option<Fit> {
        let (n, k) = (self.len(), self.columns);
        if n < 2 * k {
            return None;
        }
        let row = |i: usize| &self.x[i * k..(i + 1) * k];
        let mut lengths = vec![0.0_f64; k];
        for i in 0..n {
            row(i).iter().zip(&mut lengths).for_each(|(x, length)| *length += x * x);
        }
        let scales: Vec<f64> =
            lengths.iter().map(|length| if *length > 0.0 { length.sqrt().recip() } else { 0.0 }).collect();
        let mut weights = vec![1.0; n];
        let mut values = DVector::zeros(k);
        let mut inverse = DMatrix::identity(k, k);
        let mut residuals = vec![0.0; n];
        for _ in 0..ROUNDS {
            let mut normal = DMatrix::<f64>::identity(k, k) * RIDGE;
            let mut right = DVector::zeros(k);
            for (i, weight) in weights.iter().enumerate() {
                let x = row(i);
                for a in (0..k).filter(|&a| x[a] != 0.0) {
                    let scaled = weight * x[a] * scales[a];
                    right[a] += scaled * self.y[i];
                    for b in 0..=a {
                        normal[(a, b)] += scaled * x[b] * scales[b];
                    }
                }
            }
            normal.fill_upper_triangle_with_lower_triangle();
            let factor = normal.cholesky()?;
            values = factor.solve(&right);
            inverse = factor.inverse();
            for (i, residual) in residuals.iter_mut().enumerate() {
                let fitted: f64 = row(i).iter().enumerate().map(|(a, x)| x * scales[a] * values[a]).sum();
                *residual = self.y[i] - fitted;
            }
            let scale = deviation(&mut residuals.clone()).max(noise).max(1e-9);
            for (weight, residual) in weights.iter_mut().zip(&residuals) {
                let z = residual / (REJECTED * scale);
                *weight = if z.abs() < 1.0 { (1.0 - z * z) * (1.0 - z * z) } else { 0.0 };
            }
        }
        // The sum of the outer products of the blocks' gradients.
        let mut spread = DMatrix::<f64>::zeros(k, k);
        let mut block = DVector::<f64>::zeros(k);
        let mut number = f64::NAN;
        let mut blocks = 0;
        for i in 0..=n {
            let next = if i < n { (self.clock_s[i] / BLOCK_S).floor() } else { f64::INFINITY };
            if next != number {
                spread += &block * block.transpose();
                block = DVector::zeros(k);
                (number, blocks) = (next, blocks + 1);
            }
            if i < n {
                for (a, x) in row(i).iter().enumerate() {
                    block[a] += weights[i] * residuals[i] * x * scales[a];
                }
            }
        }
        let correction = if blocks > k { blocks as f64 / (blocks - k) as f64 } else { f64::INFINITY };
        // A column at a time: the product of two matrices takes the instructions that the processor has, and with them
        // other last bits.
        let variance = |a: usize| inverse.column(a).dot(&(&spread * inverse.column(a))) * correction;
        Some(Fit {
            values: (0..k).map(|a| values[a] * scales[a]).collect(),
            standard_errors: (0..k).map(|a| variance(a).max(0.0).sqrt() * scales[a]).collect(),
            misfit: residuals.iter().map(|residual| residual.abs().min(max)).sum::<f64>() / n as f64,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_found_among_outliers() {
        let mut rows = Rows::new(2);
        for i in 0..400 {
            let x = f64::from(i) / 40.0;
            let noise = 0.1 * (f64::from(i) * 12.9898).sin();
            let y = if i % 20 == 0 { 50.0 } else { 3.0 - 0.5 * x + noise };
            rows.push(f64::from(i), &[1.0, x], y);
        }
        let fit = rows.fit(0.0, 1.0).unwrap();
        assert!((fit.values[0] - 3.0).abs() < 0.02 && (fit.values[1] + 0.5).abs() < 0.004, "{:?}", fit.values);
        assert!(fit.standard_errors[0] < 0.02 && fit.standard_errors[0] > 0.001, "{:?}", fit.standard_errors);
        assert!(Rows::new(2).fit(0.0, 1.0).is_none());
    }
}
