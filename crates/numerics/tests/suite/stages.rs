//! Newton's matrix of an optimal control problem.

use nalgebra::{DMatrix, DVector};
use raceline_numerics::{StageCycle, StageFactors};

use crate::{Noise, backward_error, condition, negative};

const E: usize = 3;
const C: usize = 2;
const U: usize = E + C;
const S: usize = U + E;

type Matrix = StageCycle<E, C, U>;
type Factors = StageFactors<E, C, U, { 2 * U }>;

/// A course whose own second derivatives are about `curvature`, plus weights of limits that spread
/// over `decades`. `growth` is the factor by which states grow from node to node.
fn course(nodes: usize, closed: bool, [curvature, decades, growth]: [f64; 3], noise: &mut Noise) -> Matrix {
    let mut matrix = Matrix::zeros(nodes, closed);
    for i in 0..nodes {
        for r in 0..U {
            for c in 0..r {
                let value = 0.2 * noise.next();
                (matrix.hessian[i][r][c], matrix.hessian[i][c][r]) = (value, value);
            }
            let weight = if decades > 0.0 && noise.next() > 0.0 { noise.decades(-6.0, decades - 6.0) } else { 0.0 };
            matrix.hessian[i][r][r] = curvature + 0.5 * noise.next() + weight;
            matrix.coupling[i][r] = std::array::from_fn(|_| 0.1 * noise.next());
        }
        for r in 0..E {
            for c in 0..U {
                let own = f64::from(u8::from(r == c));
                matrix.here[i][r][c] = -own * growth + 0.2 * noise.next();
                matrix.there[i][r][c] = own + 0.2 * noise.next();
            }
        }
    }
    matrix
}

/// The matrix of nodes (x_i, y_i), without what is fixed.
fn dense(matrix: &Matrix, closed: bool) -> DMatrix<f64> {
    let n = matrix.hessian.len();
    let mut whole = DMatrix::zeros(S * n, S * n);
    let mut both = |r: usize, c: usize, value: f64| {
        whole[(r, c)] += value;
        whole[(c, r)] += value;
    };
    for i in 0..matrix.intervals() {
        let (here, next) = (S * i, S * ((i + 1) % n));
        for r in 0..U {
            (0..U).for_each(|c| both(next + r, here + c, matrix.coupling[i][r][c]));
            for k in 0..E {
                both(here + U + k, here + r, matrix.here[i][k][r]);
                both(here + U + k, next + r, matrix.there[i][k][r]);
            }
        }
    }
    for i in 0..n {
        for r in 0..U {
            (0..U).for_each(|c| whole[(S * i + r, S * i + c)] += matrix.hessian[i][r][c]);
        }
    }
    if !closed {
        // Multipliers of no equations, and what is fixed.
        let fixed = [0, n - 1].into_iter().zip(&matrix.fixed);
        let fixed = fixed.flat_map(|(node, fixed)| (0..U).filter(move |k| fixed[*k]).map(move |k| S * node + k));
        for k in fixed.chain(S * n - E..S * n) {
            whole.row_mut(k).fill(0.0);
            whole.column_mut(k).fill(0.0);
            whole[(k, k)] = 1.0;
        }
    }
    whole
}

fn flat(x: &[[f64; U]], y: &[[f64; E]]) -> DVector<f64> {
    DVector::from_iterator(S * x.len(), x.iter().zip(y).flat_map(|(x, y)| x.iter().chain(y).copied()))
}

/// Solves for a known solution; returns backward error and condition (of small courses).
fn solved(matrix: &Matrix, closed: bool, noise: &mut Noise, name: &str) -> (f64, f64) {
    let n = matrix.hessian.len();
    let mut x: Vec<[f64; U]> = (0..n).map(|_| std::array::from_fn(|_| noise.next())).collect();
    let mut y: Vec<[f64; E]> = (0..n).map(|_| std::array::from_fn(|_| noise.next())).collect();
    if !closed {
        y[n - 1] = [0.0; E];
        for (node, fixed) in [0, n - 1].into_iter().zip(&matrix.fixed) {
            (0..U).filter(|k| fixed[*k]).for_each(|k| x[node][k] = 0.0);
        }
    }
    let whole = dense(matrix, closed);
    let known = flat(&x, &y);
    let (mut right, mut right_y) = (x.clone(), y.clone());
    (0..n).for_each(|i| (right[i], right_y[i]) = matrix.product(&x, &y, i));
    let b = flat(&right, &right_y);
    assert!((&b - &whole * known).amax() <= 1e-14 * whole.amax(), "{name}: product");
    let mut factors = Factors::new(n, closed);
    factors.factorise(matrix).unwrap();
    factors.solve(matrix, &mut right, &mut right_y);
    let backward = backward_error(&whole, &flat(&right, &right_y), &b);
    if n > 20 {
        return (backward, 0.0);
    }
    assert_eq!(factors.negative_eigenvalues(), negative(&whole), "{name}: inertia");
    (backward, condition(&whole))
}

#[test]
fn courses_with_the_weights_of_limits_are_solved_and_have_the_inertia_of_their_eigenvalues() {
    let mut noise = Noise(31);
    let (mut worst, mut worst_condition) = (0.0f64, 0.0f64);
    for closed in [false, true] {
        for decades in [0.0, 6.0, 12.0] {
            for nodes in [3, 4, 7, 18] {
                for fixed in [[[false; U]; 2], [[true, true, true, false, true], [true, false, false, true, false]]] {
                    let mut matrix = course(nodes, closed, [2.0, decades, 1.0], &mut noise);
                    matrix.fixed = fixed;
                    let name = format!("{closed} {decades} {nodes}");
                    let (backward, condition) = solved(&matrix, closed, &mut noise, &name);
                    (worst, worst_condition) = (worst.max(backward), worst_condition.max(condition));
                }
            }
        }
    }
    println!("backward error {worst:e}, condition {worst_condition:e}");
    assert!(worst <= 1e-13, "backward error {worst:e}");
    assert!(worst_condition > 1e7, "the worst condition is only {worst_condition:e}");
}

#[test]
fn the_inertia_is_that_of_the_eigenvalues_where_second_derivatives_are_negative() {
    let mut noise = Noise(32);
    let mut counts = std::collections::BTreeSet::new();
    for closed in [false, true] {
        for curvature in [1.0, 0.3, 0.0, -0.3, -1.0] {
            for nodes in [3, 5, 9] {
                let matrix = course(nodes, closed, [curvature, 0.0, 1.0], &mut noise);
                let (backward, condition) =
                    solved(&matrix, closed, &mut noise, &format!("{closed} {curvature} {nodes}"));
                // No pivots between stages: an indefinite matrix may lose digits.
                assert!(backward * condition < 1e-6 && backward < 1e-10, "{backward:e} {condition:e}");
                let mut factors = Factors::new(nodes, closed);
                factors.factorise(&matrix).unwrap();
                counts.insert(factors.negative_eigenvalues() as isize - (E * matrix.intervals()) as isize);
            }
        }
    }
    assert!(counts.len() > 3, "{counts:?}");
}

#[test]
fn segments_of_a_long_course_lose_no_digits_even_where_its_states_grow() {
    let mut noise = Noise(33);
    for closed in [false, true] {
        for growth in [0.9, 1.0, 1.1] {
            for decades in [0.0, 10.0] {
                // Long enough for segments of tens of intervals.
                let matrix = course(90, closed, [2.0, decades, growth], &mut noise);
                let (backward, _) = solved(&matrix, closed, &mut noise, "long");
                assert!(backward <= 1e-12, "{closed} {growth} {decades}: backward error {backward:e}");
            }
        }
    }
}

/// Regression: each of the three segments had one interval, whose two controls do not lead to all
/// five variables of its last node, so the joint was singular up to rounding and no digit was
/// right.
#[test]
fn a_short_course_with_a_fixed_beginning_is_solved() {
    let mut noise = Noise(34);
    for nodes in 3..9 {
        let mut matrix = course(nodes, false, [2.0, 0.0, 1.0], &mut noise);
        matrix.fixed = [[true; U], [false; U]];
        let (backward, _) = solved(&matrix, false, &mut noise, &nodes.to_string());
        assert!(backward <= 1e-14, "{nodes}: backward error {backward:e}");
    }
}
