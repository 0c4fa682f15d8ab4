use super::{StageCycle, StageFactors};
use crate::symmetric_pivot::SymmetricPivot;

type Matrix = StageCycle<2, 1, 3>;

/// Repeatable numbers between -1 and 1.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

/// A course whose variables have own second derivatives of about `curvature`.
fn course(nodes: usize, closed: bool, curvature: f64, noise: &mut Noise) -> Matrix {
    let mut matrix = Matrix::zeros(nodes, closed);
    for i in 0..nodes {
        for r in 0..3 {
            for c in 0..r {
                let value = 0.3 * noise.next();
                matrix.hessian[i][r][c] = value;
                matrix.hessian[i][c][r] = value;
            }
            matrix.hessian[i][r][r] = curvature + noise.next();
            matrix.coupling[i][r] = std::array::from_fn(|_| 0.2 * noise.next());
        }
        for r in 0..2 {
            for c in 0..3 {
                let own = f64::from(u8::from(r == c));
                matrix.here[i][r][c] = -own + 0.2 * noise.next();
                matrix.there[i][r][c] = own + 0.2 * noise.next();
            }
        }
    }
    matrix
}

#[test]
fn a_solution_solves() {
    let mut noise = Noise(1);
    for (nodes, closed) in [(3, true), (4, false), (40, true), (41, false), (500, true), (501, false)] {
        let mut matrix = course(nodes, closed, 2.0, &mut noise);
        if !closed {
            matrix.fixed = [[true, false, false], [false, true, false]];
        }
        let mut x: Vec<[f64; 3]> = (0..nodes).map(|_| std::array::from_fn(|_| noise.next())).collect();
        let mut y: Vec<[f64; 2]> = (0..nodes).map(|_| std::array::from_fn(|_| noise.next())).collect();
        if !closed {
            (x[0][0], x[nodes - 1][1], y[nodes - 1]) = (0.0, 0.0, [0.0; 2]);
        }
        let (mut right, mut right_y) = (x.clone(), y.clone());
        for i in 0..nodes {
            (right[i], right_y[i]) = matrix.product(&x, &y, i);
        }
        let mut factors = StageFactors::<2, 1, 3, 6>::new(nodes, closed);
        factors.factorise(&matrix).expect("a regular matrix");
        factors.solve(&matrix, &mut right, &mut right_y);
        let pairs = right.as_flattened().iter().zip(x.as_flattened());
        for (found, expected) in pairs.chain(right_y.as_flattened().iter().zip(y.as_flattened())) {
            assert!((found - expected).abs() < 1e-9, "{nodes} {closed}: {found} {expected}");
        }
        assert_eq!(factors.negative_eigenvalues(), 2 * matrix.intervals(), "{nodes} {closed}");
    }
}

#[test]
fn the_inertia_is_that_of_the_whole_matrix() {
    let mut noise = Noise(7);
    for curvature in [2.0, 0.5, 0.0, -0.5, -2.0] {
        let matrix = course(4, true, curvature, &mut noise);
        let mut whole = [[0.0; 20]; 20];
        for i in 0..4 {
            let (here, next) = (5 * i, 5 * ((i + 1) % 4));
            for r in 0..3 {
                for c in 0..3 {
                    whole[here + r][here + c] += matrix.hessian[i][r][c];
                    whole[next + r][here + c] += matrix.coupling[i][r][c];
                    whole[here + c][next + r] += matrix.coupling[i][r][c];
                }
                for k in 0..2 {
                    for (node, entry) in [(here, matrix.here[i][k][r]), (next, matrix.there[i][k][r])] {
                        whole[here + 3 + k][node + r] = entry;
                        whole[node + r][here + 3 + k] = entry;
                    }
                }
            }
        }
        let expected = SymmetricPivot::<20>::default().set(whole).expect("a regular matrix");
        let mut factors = StageFactors::<2, 1, 3, 6>::new(4, true);
        factors.factorise(&matrix).expect("a regular matrix");
        assert_eq!(factors.negative_eigenvalues(), expected, "{curvature}");
    }
}

#[test]
fn equations_that_give_no_states_are_reported() {
    let matrix = Matrix::zeros(4, true);
    let found = StageFactors::<2, 1, 3, 6>::new(4, true).factorise(&matrix);
    assert_eq!(found.expect_err("singular").to_string(), "block 0 of the matrix is singular");
}
