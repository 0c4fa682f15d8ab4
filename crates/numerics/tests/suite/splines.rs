//! Splines on uneven knots.

use nalgebra::{DMatrix, DVector};
use raceline_numerics::SplineKnots;

use crate::{Noise, backward_error};

/// The system of the second derivatives, and its right-hand side.
fn system(h: &[f64], y: &[f64], closed: bool) -> (DMatrix<f64>, DVector<f64>) {
    let n = y.len();
    let (mut matrix, mut side) = (DMatrix::identity(n, n), DVector::zeros(n));
    for i in if closed { 0..n } else { 1..n - 1 } {
        let (before, after) = ((i + n - 1) % n, (i + 1) % n);
        let (left, right) = (h[before], h[i]);
        matrix[(i, i)] = (left + right) / 3.0;
        matrix[(i, before)] += left / 6.0;
        matrix[(i, after)] += right / 6.0;
        side[i] = (y[after] - y[i]) / right - (y[i] - y[before]) / left;
    }
    if !closed {
        // The ends have the second derivatives of their neighbours.
        matrix[(0, 1)] = -1.0;
        matrix[(n - 1, n - 2)] = -1.0;
    }
    (matrix, side)
}

#[test]
fn second_derivatives_solve_their_system_on_uneven_knots() {
    let mut noise = Noise(41);
    for closed in [false, true] {
        for decades in [0.0, 3.0, 6.0] {
            for n in [3, 4, 10, 60] {
                let count = if closed { n } else { n - 1 };
                let h: Vec<f64> = (0..count).map(|_| noise.decades(-decades, 0.0)).collect();
                let y: Vec<f64> = (0..n).map(|_| noise.next()).collect();
                let knots = SplineKnots::new(h.clone(), closed).unwrap();
                assert_eq!((knots.len(), knots.is_closed(), knots.is_empty()), (n, closed, false));
                assert_eq!(knots.intervals(), h);
                let mut second = vec![0.0; n];
                knots.second_derivatives(&y, &mut second);
                let (mut matrix, mut side) = system(&h, &y, closed);
                // Rows by their own magnitude: short intervals have small ones.
                for i in 0..n {
                    let row: f64 = matrix.row(i).iter().map(|entry| entry.abs()).sum();
                    matrix.row_mut(i).scale_mut(1.0 / row);
                    side[i] /= row;
                }
                let found = DVector::from_vec(second.clone());
                let backward = backward_error(&matrix, &found, &side);
                assert!(backward <= 2e-15, "{closed} {decades} {n}: {backward:e}");
                let dense = matrix.lu().solve(&side).unwrap();
                assert!((&found - &dense).amax() <= 1e-12 * dense.amax(), "{closed} {decades} {n}");
                // First derivatives from both sides of a knot agree.
                let mut first = vec![0.0; n];
                knots.first_derivatives(&y, &second, &mut first);
                for i in if closed { 0..n } else { 1..n } {
                    let before = (i + n - 1) % n;
                    let own = h[before];
                    let from_left = (y[i] - y[before]) / own + own * (second[before] + 2.0 * second[i]) / 6.0;
                    let size = ((y[i] - y[before]) / own).abs() + own * second[i].abs().max(second[before].abs()) + 1.0;
                    // What the second derivatives' own rounding changes of the slopes.
                    let rounding = 1e-14 * size.max(h[i % count] * found.amax());
                    assert!(
                        (first[i] - from_left).abs() <= rounding,
                        "{closed} {decades} {n} {i}: {} {from_left}",
                        first[i]
                    );
                }
            }
        }
    }
}
