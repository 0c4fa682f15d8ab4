//! Both solvers on programs of the kinds that lines need, against each other and against the
//! conditions of a solution.

use raceline_numerics::{BoxProgram, BoxStatus};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{ProgramSolver, QpSolver};

/// Kinds of objectives: squares of the unknowns, of first and of second differences.
const STENCILS: [&[f64]; 3] = [&[1.0], &[-1.0, 1.0], &[1.0, -2.0, 1.0]];

fn between(random: &mut ChaCha8Rng, low: f64, high: f64) -> f64 {
    low + (high - low) * random.random::<f64>()
}

/// Squares of a stencil of the unknowns about random values, with weights that vary by `spread`,
/// and a little of each unknown's own.
fn program(n: usize, closed: bool, stencil: &[f64], spread: f64, random: &mut ChaCha8Rng) -> BoxProgram {
    let l = (0..n).map(|_| between(random, -1.0, -0.1)).collect();
    let u = (0..n).map(|_| between(random, 0.1, 1.0)).collect();
    let mut program = BoxProgram::new(l, u, closed).expect("bounds in order");
    for i in 0..if closed { n } else { n + 1 - stencil.len() } {
        let weight = 10f64.powf(between(random, -0.5 * spread, 0.0));
        let terms: Vec<_> = stencil.iter().enumerate().map(|(k, c)| ((i + k) % n, weight * c)).collect();
        program.add_square(&terms, weight * between(random, -0.5, 0.5));
    }
    for i in 0..n {
        program.add(i, i, 1e-6);
    }
    program
}

/// Value of the objective.
fn value(program: &BoxProgram, x: &[f64]) -> f64 {
    let mut product = vec![0.0; x.len()];
    program.p().times(x, &mut product);
    x.iter().zip(product.iter().zip(&program.q)).map(|(x, (p, q))| x * (0.5 * p + q)).sum()
}

/// Largest distance between x and the projection of a gradient step on the bounds, P scaled: 0 at a
/// solution alone.
fn projected_gradient(program: &BoxProgram, x: &[f64]) -> f64 {
    let scale = 1.0 / program.p().largest_diagonal();
    let mut product = vec![0.0; x.len()];
    program.p().times(x, &mut product);
    let distance = |i: usize| {
        let moved = x[i] - scale * (product[i] + program.q[i]);
        (moved.clamp(program.l[i], program.u[i]) - x[i]).abs()
    };
    (0..x.len()).map(distance).fold(0.0, f64::max)
}

#[test]
fn both_solvers_find_the_solution_of_every_kind_of_program() {
    let mut random = ChaCha8Rng::seed_from_u64(8);
    let mut worst = [0.0f64; 3];
    for (kind, stencil) in STENCILS.into_iter().enumerate() {
        for closed in [false, true] {
            for (n, spread) in [(6, 0.0), (40, 0.0), (40, 2.0), (150, 0.0)] {
                let name = format!("kind {kind}, closed: {closed}, {n}, {spread}");
                let program = program(n, closed, stencil, spread, &mut random);
                let [interior, splitting] = [QpSolver::InteriorPoint, QpSolver::Osqp].map(|solver| {
                    let mut solver = ProgramSolver::new(solver).expect("built");
                    solver.solve(&program, &vec![0.0; n]).expect("a convex program")
                });
                assert_eq!(interior.status, BoxStatus::Solved, "{name}");
                assert_eq!(splitting.status, BoxStatus::Solved, "{name}");
                for solution in [&interior, &splitting] {
                    let bounds = program.l.iter().zip(&program.u);
                    assert!(solution.x.iter().zip(bounds).all(|(x, (l, u))| (*l..=*u).contains(x)), "{name}");
                }
                let residuals = [&interior.x, &splitting.x].map(|x| projected_gradient(&program, x));
                let (best, other) = (value(&program, &interior.x), value(&program, &splitting.x));
                let scale = program.p().largest_diagonal();
                let difference = (best - other).abs() / scale;
                for (worst, found) in worst.iter_mut().zip([residuals[0], residuals[1], difference]) {
                    *worst = worst.max(found);
                }
                assert!(residuals[0] < 1e-6, "{name}: {residuals:?}");
                assert!(residuals[1] < 3e-5, "{name}: {residuals:?}");
                assert!(difference < 3e-5, "{name}: {best} {other}");
            }
        }
    }
    println!("projected gradients {:e} and {:e}, objectives {:e}", worst[0], worst[1], worst[2]);
}

/// A sequence of similar programs, as the iterated methods solve: OSQP keeps its state.
#[test]
fn a_sequence_of_programs_is_solved_from_what_is_kept() {
    let mut random = ChaCha8Rng::seed_from_u64(9);
    let mut solver = ProgramSolver::new(QpSolver::Osqp).expect("built");
    let mut program = program(60, true, STENCILS[2], 0.0, &mut random);
    let mut start = vec![0.0; 60];
    for number in 0..6 {
        let kept = solver.solve(&program, &start).expect("a convex program");
        let anew = program.solve(raceline_numerics::BoxSettings::default()).expect("a convex program");
        assert_eq!(kept.status, BoxStatus::Solved, "{number}");
        let difference = (value(&program, &kept.x) - value(&program, &anew.x)).abs();
        assert!(difference < 1e-4 * program.p().largest_diagonal(), "{number}: {difference:e}");
        start = kept.x;
        (0..60).for_each(|i| program.q[i] += between(&mut random, -0.05, 0.05));
        // Bounds and matrix change too.
        program.add(7, 7, 0.3);
        program.l[number] = -0.5;
    }
}
