//! Programs with known solutions, and invalid programs.

use super::{BoxError, BoxProgram, BoxSettings, BoxStatus};

/// Sums `(x_i - target_i)²` and, on a ring, `coupling (x_i - x_{i+1})²`.
fn ring(targets: &[f64], coupling: f64, l: f64, u: f64) -> BoxProgram {
    let n = targets.len();
    let mut program = BoxProgram::new(vec![l; n], vec![u; n], true).unwrap();
    for (i, target) in targets.iter().enumerate() {
        let next = (i + 1) % n;
        program.add(i, i, 2.0 + 2.0 * coupling);
        program.add(next, next, 2.0 * coupling);
        program.add(i, next, -2.0 * coupling);
        program.q[i] -= 2.0 * target;
    }
    program
}

/// Without coupling, each unknown reaches its target or the bound before it.
#[test]
fn unknowns_that_are_not_coupled_stop_at_their_bounds() {
    let targets = [0.3, 2.0, -1.0, 0.5, 0.9, 0.1, 7.0, 0.0];
    let solution = ring(&targets, 0.0, 0.0, 1.0).solve(BoxSettings::default()).unwrap();
    assert_eq!(solution.status, BoxStatus::Solved);
    for (found, target) in solution.x.iter().zip(targets) {
        assert!((found - target.clamp(0.0, 1.0)).abs() < 1e-6, "{found} {target}");
    }
}

/// A wave round a ring is an eigenvector of the coupling: `target cos(2πi/n)` is divided by
/// `1 + 2 c (1 - cos(2π/n))`.
#[test]
fn a_wave_round_a_ring_is_damped_as_in_its_closed_form() {
    let (n, coupling) = (24, 5.0);
    let angle = std::f64::consts::TAU / n as f64;
    let targets: Vec<f64> = (0..n).map(|i| (angle * i as f64).cos()).collect();
    let solution = ring(&targets, coupling, -2.0, 2.0).solve(BoxSettings::default()).unwrap();
    let factor = 1.0 / (1.0 + 2.0 * coupling * (1.0 - angle.cos()));
    for (found, target) in solution.x.iter().zip(targets) {
        assert!((found - factor * target).abs() < 1e-9, "{found} {target}");
    }
}

/// `x² + (x - y)² + y²` with y ≥ 1: stationary in x where x = y / 2.
#[test]
fn a_small_open_program_solved_by_hand() {
    let mut program = BoxProgram::new(vec![-3.0, 1.0, -3.0, -3.0, -3.0, -3.0], vec![3.0; 6], false).unwrap();
    (2..6).for_each(|i| program.add(i, i, 2.0));
    for (i, j, value) in [(0, 0, 4.0), (1, 1, 4.0), (0, 1, -2.0)] {
        program.add(i, j, value);
    }
    let solution = program.solve(BoxSettings::default()).unwrap();
    for (found, known) in solution.x.iter().zip([0.5, 1.0, 0.0, 0.0, 0.0, 0.0]) {
        assert!((found - known).abs() < 1e-6, "{solution:?}");
    }
}

/// A program built from squares is the one built from its entries. Without uncoupled unknowns,
/// since an open band may have any length.
#[test]
fn squares_add_up_to_the_same_program() {
    let mut program = BoxProgram::new(vec![-3.0, 1.0], vec![3.0; 2], false).unwrap();
    for terms in [&[(0, 2f64.sqrt())][..], &[(0, 2f64.sqrt()), (1, -(2f64.sqrt()))], &[(1, 2f64.sqrt())]] {
        program.add_square(terms, 0.0);
    }
    let solution = program.solve(BoxSettings::default()).unwrap();
    assert!((solution.x[0] - 0.5).abs() < 1e-6 && (solution.x[1] - 1.0).abs() < 1e-6, "{solution:?}");
    // ½ (2 x - 3)² alone: x = 3/2.
    let mut single = BoxProgram::new(vec![0.0], vec![9.0], false).unwrap();
    single.add_square(&[(0, 2.0)], -3.0);
    assert!((single.solve(BoxSettings::default()).unwrap().x[0] - 1.5).abs() < 1e-9);
}

/// Second differences with both ends fixed: the straight line between them, `x_i = i / (n - 1)`. A
/// lower bound in the middle raises it to a kink, held by its multiplier.
#[test]
fn a_string_between_two_ends_is_straight_and_bends_at_its_bound() {
    let n = 21;
    let (mut l, mut u) = (vec![-5.0; n], vec![5.0; n]);
    ((l[0], u[0]), (l[n - 1], u[n - 1])) = ((0.0, 0.0), (1.0, 1.0));
    let string = |l: Vec<f64>, u: Vec<f64>| {
        let mut program = BoxProgram::new(l, u, false).unwrap();
        (1..n).for_each(|i| program.add_square(&[(i - 1, -1.0), (i, 1.0)], 0.0));
        program.solve(BoxSettings::default()).unwrap().x
    };
    for (i, x) in string(l.clone(), u.clone()).iter().enumerate() {
        assert!((x - i as f64 / 20.0).abs() < 1e-6, "{i}: {x}");
    }
    l[10] = 2.0;
    for (i, x) in string(l, u).iter().enumerate() {
        let known = if i <= 10 { 0.2 * i as f64 } else { 2.0 - 0.1 * (i - 10) as f64 };
        assert!((x - known).abs() < 1e-5, "{i}: {x} {known}");
    }
}

#[test]
fn an_unknown_between_equal_bounds_stays_there() {
    let mut program = ring(&[0.0; 8], 1.0, -1.0, 1.0);
    (program.l[3], program.u[3]) = (0.5, 0.5);
    let solution = program.solve(BoxSettings::default()).unwrap();
    assert_eq!(solution.x[3], 0.5);
    assert!(solution.x[2] > 0.1 && solution.x[4] > 0.1);
}

/// P = 0 is still convex: the solution of a linear program is at the bounds.
#[test]
fn without_curvature_the_slope_decides() {
    let mut program = BoxProgram::new(vec![-1.0; 3], vec![2.0; 3], false).unwrap();
    // Scaled with P, so the slopes must be of similar magnitude as P.
    (0..3).for_each(|i| program.add(i, i, 1e-9));
    program.q = vec![1e-3, -1e-3, 0.0];
    let solution = program.solve(BoxSettings { tolerance: 1e-6, ..BoxSettings::default() }).unwrap();
    assert!((solution.x[0] + 1.0).abs() < 1e-6 && (solution.x[1] - 2.0).abs() < 1e-6, "{solution:?}");
}

#[test]
fn contradicting_bounds_are_errors() {
    let new = |l: f64, u: f64| BoxProgram::new(vec![0.0, l, 0.0], vec![1.0, u, 1.0], false).map(|_| ());
    assert_eq!(new(0.5, 0.5), Ok(()));
    assert_eq!(new(0.5, 0.4), Err(BoxError::Bounds { unknown: 1, lower: 0.5, upper: 0.4 }));
    for (l, u) in [(f64::NAN, 1.0), (0.0, f64::NAN), (f64::NEG_INFINITY, 1.0), (0.0, f64::INFINITY)] {
        assert!(matches!(new(l, u), Err(BoxError::Bounds { unknown: 1, .. })), "{l} {u}");
    }
    let mut program = ring(&[0.0; 8], 1.0, -1.0, 1.0);
    program.l[5] = 2.0;
    let error = program.solve(BoxSettings::default()).unwrap_err();
    assert_eq!(error.to_string(), "the bounds of unknown 5 are 2 and 1: they must be finite and in order");
}

#[test]
fn each_wrong_dimension_is_an_error() {
    let new = |l: usize, u: usize, closed: bool| BoxProgram::new(vec![0.0; l], vec![1.0; u], closed).unwrap_err();
    assert_eq!(new(8, 7, true), BoxError::Dimensions { lower: 8, upper: 7, linear: 8 });
    assert_eq!(new(0, 0, false), BoxError::TooFewUnknowns { unknowns: 0, needed: 1 });
    assert_eq!(new(5, 5, true), BoxError::TooFewUnknowns { unknowns: 5, needed: 6 });
    let changed = |change: fn(&mut BoxProgram)| {
        let mut program = ring(&[0.0; 8], 1.0, -1.0, 1.0);
        change(&mut program);
        program.solve(BoxSettings::default()).unwrap_err()
    };
    let dimensions = |lower, upper, linear| BoxError::Dimensions { lower, upper, linear };
    assert_eq!(changed(|program| program.q.push(0.0)), dimensions(8, 8, 9));
    assert_eq!(changed(|program| program.l.truncate(7)), dimensions(7, 8, 8));
    assert_eq!(changed(|program| program.u.clear()), dimensions(8, 0, 8));
    let shorter = |program: &mut BoxProgram| {
        for values in [&mut program.q, &mut program.l, &mut program.u] {
            values.pop();
        }
    };
    assert_eq!(changed(shorter), dimensions(7, 7, 7));
}

#[test]
fn numbers_that_are_not_finite_are_an_error() {
    for value in [f64::NAN, f64::INFINITY] {
        let mut program = ring(&[0.0; 12], 1.0, -1.0, 1.0);
        program.q[5] = value;
        assert_eq!(program.solve(BoxSettings::default()).unwrap_err(), BoxError::NotFinite);
    }
}

#[test]
fn an_objective_that_curves_downwards_is_an_error() {
    let mut program = ring(&[0.5; 12], 1.0, -1.0, 1.0);
    program.add(5, 5, -1e6);
    assert_eq!(program.solve(BoxSettings::default()).unwrap_err(), BoxError::NotConvex);
}

#[test]
fn running_out_of_iterations_is_a_status() {
    let settings = BoxSettings { max_iterations: 2, ..BoxSettings::default() };
    let solution = ring(&[3.0, 0.0, 0.5, 0.2, 0.4, -1.0], 1.0, 0.0, 1.0).solve(settings).unwrap();
    assert_eq!((solution.status, solution.iterations), (BoxStatus::OutOfIterations, 2));
    assert!(solution.x.iter().all(|x| (0.0..1.0).contains(x)), "{solution:?}");
}

/// A step that is centred otherwise leads to the solution too, by other points.
#[test]
fn steps_are_those_that_they_were() {
    let targets = [3.0, 0.0, 0.5, 0.2, 0.4, -1.0, 0.7];
    for (iterations, expected) in [(1, EXPECTED[0]), (3, EXPECTED[1]), (5, EXPECTED[2])] {
        let settings = BoxSettings { max_iterations: iterations, ..BoxSettings::default() };
        let mut program = ring(&targets, 1.0, 0.0, 1.0);
        (program.l[2], program.u[2]) = (-0.3, 0.1);
        let found = program.solve(settings).unwrap();
        let near = |(found, expected): (&f64, f64)| (found - expected).abs() < 1e-9;
        assert!(found.x.iter().zip(expected).all(near), "{iterations}: {:?}", found.x);
    }
    let steps = |targets: &[f64], coupling: f64| {
        let found = ring(targets, coupling, 0.0, 1.0).solve(BoxSettings::default()).unwrap();
        assert_eq!(found.status, BoxStatus::Solved);
        found.iterations
    };
    assert_eq!([steps(&targets, 1.0), steps(&targets, 100.0), steps(&[0.5; 8], 1.0)], [9, 6, 0]);
}

/// Points after one, three and five steps.
const EXPECTED: [[f64; 7]; 3] = [
    [
        0.808_785_879_7,
        0.376_093_205_9,
        0.015_049_546_0,
        0.348_258_390_8,
        0.411_871_697_6,
        0.266_124_011_7,
        0.553_541_057_1,
    ],
    [
        0.999_420_173_1,
        0.366_377_052_7,
        0.099_690_650_8,
        0.166_537_402_0,
        0.193_864_622_4,
        0.011_623_386_9,
        0.570_356_926_7,
    ],
    [
        0.999_999_984_3,
        0.366_666_658_9,
        0.099_999_991_4,
        0.162_500_223_9,
        0.187_500_481_6,
        0.000_001_085_9,
        0.566_667_023_6,
    ],
];
