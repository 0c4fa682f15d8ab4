//! Quadratic programs with bounds.

use nalgebra::{DMatrix, DVector};
use raceline_numerics::{BoxProgram, BoxSettings, BoxStatus};

use crate::{Noise, condition};

/// A program as band and dense: squares of `width` successive unknowns whose weights spread over
/// `decades`.
fn program(n: usize, closed: bool, decades: f64, noise: &mut Noise) -> (BoxProgram, DMatrix<f64>) {
    let l: Vec<f64> = (0..n).map(|_| -noise.decades(-1.0, 0.5)).collect();
    let u: Vec<f64> = (0..n).map(|_| noise.decades(-1.0, 0.5)).collect();
    let mut program = BoxProgram::new(l, u, closed).unwrap();
    for i in 0..if closed { n } else { n - 2 } {
        let weight = noise.decades(-0.5 * decades, 0.0);
        let terms: [(usize, f64); 3] = std::array::from_fn(|k| ((i + k) % n, weight * (1.0 + 0.5 * noise.next())));
        program.add_square(&terms, 2.0 * weight * noise.next());
    }
    for i in 0..n {
        program.add(i, i, 0.3 * 10f64.powf(-decades));
        program.q[i] += 10f64.powf(-decades) * noise.next();
    }
    let dense = DMatrix::from_fn(n, n, |i, j| program.p().get(i, j));
    (program, dense)
}

/// The exact solution, by trying every set of unknowns at their bounds.
fn by_enumeration(program: &BoxProgram, p: &DMatrix<f64>) -> DVector<f64> {
    let n = program.q.len();
    let q = DVector::from_row_slice(&program.q);
    'sets: for set in 0..3usize.pow(n as u32) {
        let state: Vec<usize> = (0..n).map(|i| set / 3usize.pow(i as u32) % 3).collect();
        let free: Vec<usize> = (0..n).filter(|i| state[*i] == 0).collect();
        let bound = |i: usize| if state[i] == 1 { program.l[i] } else { program.u[i] };
        let mut x = DVector::from_fn(n, |i, _| if state[i] == 0 { 0.0 } else { bound(i) });
        if !free.is_empty() {
            let inner = DMatrix::from_fn(free.len(), free.len(), |a, b| p[(free[a], free[b])]);
            let rest = p * &x + &q;
            let side = DVector::from_fn(free.len(), |a, _| -rest[free[a]]);
            let Some(cholesky) = inner.cholesky() else { continue };
            let found = cholesky.solve(&side);
            for (a, &i) in free.iter().enumerate() {
                if found[a] < program.l[i] || found[a] > program.u[i] {
                    continue 'sets;
                }
                x[i] = found[a];
            }
        }
        let gradient = p * &x + &q;
        if (0..n).all(|i| state[i] == 0 || state[i] == 1 && gradient[i] >= 0.0 || state[i] == 2 && gradient[i] <= 0.0) {
            return x;
        }
    }
    panic!("a program with a solution");
}

#[test]
fn small_programs_have_the_solution_that_enumeration_finds() {
    let mut noise = Noise(51);
    let mut at_bounds = 0;
    for number in 0..24 {
        let closed = number % 2 == 0;
        let decades = [0.0, 2.0, 4.0][number % 3];
        let (program, dense) = program(6, closed, decades, &mut noise);
        let exact = by_enumeration(&program, &dense);
        let found = program.solve(BoxSettings::default()).unwrap();
        assert_eq!(found.status, BoxStatus::Solved, "{number}");
        let value = |x: &DVector<f64>| 0.5 * x.dot(&(&dense * x)) + x.dot(&DVector::from_row_slice(&program.q));
        let x = DVector::from_vec(found.x);
        assert!(value(&x) - value(&exact) <= 1e-11 * dense.amax(), "{number}: {} {}", value(&x), value(&exact));
        // An error of the products of 1e-14 moves an unknown by its root at most, by P's smallest
        // eigenvalue.
        let difference = (&x - &exact).amax();
        assert!(difference <= 1e-5 * 10f64.powf(0.5 * decades), "{number}: {difference:e}");
        at_bounds += exact.iter().zip(&program.l).filter(|(x, l)| x == l).count();
    }
    assert!(at_bounds > 5, "{at_bounds}");
}

#[test]
fn ill_conditioned_programs_satisfy_the_conditions_of_a_solution() {
    let mut noise = Noise(52);
    let mut worst = 0.0f64;
    for closed in [false, true] {
        for decades in [0.0, 6.0, 12.0] {
            for n in [20, 80] {
                let name = format!("{closed} {decades} {n}");
                let (program, dense) = program(n, closed, decades, &mut noise);
                let found = program.solve(BoxSettings::default()).unwrap();
                assert_eq!(found.status, BoxStatus::Solved, "{name}: {found:?}");
                let x = DVector::from_vec(found.x);
                let scale = 1.0 / dense.diagonal().max();
                let gradient = scale * (&dense * &x + DVector::from_row_slice(&program.q));
                for i in 0..n {
                    let (low, high) = (x[i] - program.l[i], program.u[i] - x[i]);
                    assert!(low >= 0.0 && high >= 0.0, "{name} {i}: outside: {low:e} {high:e}");
                    // A slope is held by the bound in whose direction the objective falls.
                    let product = if gradient[i] > 0.0 { gradient[i] * low } else { -gradient[i] * high };
                    assert!(product <= 4e-14, "{name} {i}: {product:e}");
                }
                worst = worst.max(condition(&dense));
            }
        }
    }
    assert!(worst > 1e11, "the worst condition is only {worst:e}");
}
