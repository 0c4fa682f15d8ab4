//! Symmetric indefinite matrices of blocks, open and closed.

use nalgebra::{DMatrix, DVector};
use raceline_numerics::{BlockCycle, BlockFactors};

use crate::{Noise, backward_error, condition, negative};

const B: usize = 5;
const C: usize = 3;

/// Blocks like those of a control problem, three variables and two equations; the second
/// derivatives of the variables spread over `decades`, as where limits are nearly reached.
fn problem(blocks: usize, closed: bool, decades: f64, noise: &mut Noise) -> BlockCycle<B, C> {
    let mut matrix = BlockCycle::zeros(blocks, closed);
    for i in 0..blocks {
        for r in 0..C {
            for c in 0..r {
                let value = 0.3 * noise.next();
                (matrix.diagonal[i][r][c], matrix.diagonal[i][c][r]) = (value, value);
            }
            matrix.diagonal[i][r][r] = 1.5 + noise.decades(0.0, decades);
            for c in C..B {
                let value = noise.next();
                (matrix.diagonal[i][r][c], matrix.diagonal[i][c][r]) = (value, value);
            }
            matrix.coupling[i][r] = std::array::from_fn(|k| if k < C { 0.3 } else { 0.7 } * noise.next());
        }
    }
    matrix
}

fn dense(matrix: &BlockCycle<B, C>, closed: bool) -> DMatrix<f64> {
    let n = matrix.diagonal.len();
    let mut whole = DMatrix::zeros(B * n, B * n);
    for i in 0..n {
        for r in 0..B {
            for c in 0..B {
                whole[(B * i + r, B * i + c)] += matrix.diagonal[i][r][c];
            }
        }
        if i + 1 == n && !closed {
            continue;
        }
        let next = (i + 1) % n;
        for r in 0..C {
            for c in 0..B {
                whole[(B * next + r, B * i + c)] += matrix.coupling[i][r][c];
                whole[(B * i + c, B * next + r)] += matrix.coupling[i][r][c];
            }
        }
    }
    whole
}

#[test]
fn rings_and_rows_of_blocks_are_solved_and_their_inertia_is_that_of_the_eigenvalues() {
    let mut noise = Noise(21);
    let (mut worst, mut worst_backward) = (0.0f64, 0.0f64);
    for closed in [false, true] {
        for decades in [0.0, 6.0, 12.0] {
            for blocks in [3, 4, 11, 24] {
                let name = format!("{closed} {decades} {blocks}");
                let matrix = problem(blocks, closed, decades, &mut noise);
                let whole = dense(&matrix, closed);
                let known: Vec<[f64; B]> = (0..blocks).map(|_| std::array::from_fn(|_| noise.next())).collect();
                let mut x = vec![[0.0; B]; blocks];
                matrix.add_product(&known, &mut x);
                let b = DVector::from_row_slice(x.as_flattened());
                let known = DVector::from_row_slice(known.as_flattened());
                assert!((&b - &whole * &known).amax() <= 1e-15 * whole.amax() * 10.0, "{name}: product");
                let mut factors = BlockFactors::new(blocks);
                matrix.factorise(&mut factors).unwrap();
                factors.solve(&mut x);
                let backward = backward_error(&whole, &DVector::from_row_slice(x.as_flattened()), &b);
                worst_backward = worst_backward.max(backward);
                assert_eq!(factors.negative_eigenvalues(), negative(&whole), "{name}");
                worst = worst.max(condition(&whole));
            }
        }
    }
    // Pivots within blocks alone: a few blocks of these are nearly singular.
    assert!(worst_backward <= 1e-13, "backward error {worst_backward:e}");
    println!("backward error {worst_backward:e}, condition {worst:e}");
    assert!(worst > 1e11, "the worst condition is only {worst:e}");
}

#[test]
fn a_cleared_matrix_is_one_of_zeros() {
    let mut noise = Noise(21);
    let mut matrix = problem(4, true, 1.0, &mut noise);
    assert!(dense(&matrix, true).amax() > 1.0);
    matrix.clear();
    assert_eq!(dense(&matrix, true).amax(), 0.0);
}
