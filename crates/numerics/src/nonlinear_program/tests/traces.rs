//! The steps of searches, so that no part of the method changes unseen: a rule that is lost often
//! still leads to the solution, by other steps.

use super::steps::Steps;
use super::{BOTH, Bounded, By, Circle, Concave, Disc, Hs71, OneStage, Settings};
use crate::nonlinear_program::{Duals, NonlinearProgram, Status, solve};

/// Steps, factorisations, and sums over all steps: of the lengths, and of the logarithms of the
/// barrier and of the damping, each by the number of the step.
type Trace = (Status, usize, usize, [f64; 3]);

fn trace<P, const U: usize, const E: usize, const L: usize>(
    program: &P,
    start: Vec<[f64; U]>,
    duals: Option<&Duals<E, L>>,
    settings: &Settings,
) -> Trace
where
    P: NonlinearProgram<U, E, L>,
{
    let mut sums = [0.0; 3];
    let found = solve(program, start, duals, settings, &mut |progress| {
        let number = (progress.iteration + 1) as f64;
        sums[0] += number * progress.step;
        sums[1] += number * progress.barrier.ln();
        sums[2] += number * (progress.damping + 1e-9).ln();
    })
    .expect("dimensions that fit");
    (found.status, found.iterations, found.factorisations, sums)
}

fn traces() -> Vec<(String, Trace)> {
    let mut all = Vec::new();
    for acceptance in BOTH {
        let settings = Settings { acceptance, ..Settings::default() };
        let mut add = |name: &str, trace| all.push((format!("{name}, {acceptance:?}"), trace));
        let hs71 = OneStage::<_, 5>(Hs71, By::Objective);
        add("published", trace(&hs71, vec![[1.0, 5.0, 5.0, 1.0]], None, &settings));
        add("published, from afar", trace(&hs71, vec![[4.9, 1.1, 1.1, 4.9]], None, &settings));
        let solved = solve(&hs71, vec![[1.0, 5.0, 5.0, 1.0]], None, &settings, &mut |_| {}).expect("it fits");
        let near = solved.x.iter().map(|x| x.map(|x| x + 0.02)).collect();
        add("resumed", trace(&hs71, near, Some(&solved.duals), &settings));
        let beyond = solved.x.iter().map(|x| x.map(|x| x - 0.02)).collect();
        add("resumed beyond a limit", trace(&hs71, beyond, Some(&solved.duals), &settings));
        let bounded = OneStage::<_, 1>(Bounded { low: 0.0, high: 1.0 }, By::Objective);
        add("bounded", trace(&bounded, vec![[-10.0]], None, &settings));
        let empty = OneStage::<_, 1>(Bounded { low: 1.0, high: 0.0 }, By::Objective);
        add("empty", trace(&empty, vec![[0.5]], None, &settings));
        add("concave", trace(&OneStage::<_, 1>(Concave, By::Objective), vec![[1.2]], None, &settings));
        let circle = OneStage::<_, 3>(Circle { square: 1.0 }, By::Objective);
        add("circle", trace(&circle, vec![[0.1_f64.cos(), 0.1_f64.sin()]], None, &settings));
        add("circle, from the other side", trace(&circle, vec![[-0.9, 0.2]], None, &settings));
        let nothing = OneStage::<_, 3>(Circle { square: -1.0 }, By::Objective);
        add("no circle", trace(&nothing, vec![[0.8, 0.6]], None, &settings));
        let mut limits = vec![1.0; 31];
        limits[10] = 0.01;
        let start = (0..31).map(|i| [if i == 30 { 1.0 } else { 0.0 }, 0.0]).collect();
        add("stages", trace(&Steps { limits: limits.clone() }, start, None, &settings));
        let disc = OneStage::<_, 2>(Disc, By::Objective);
        add("disc", trace(&disc, vec![[0.1_f64.cos(), 0.1_f64.sin()]], None, &settings));
        add("disc, from the other side", trace(&disc, vec![[-0.9, 0.2]], None, &settings));
        add("disc, from outside", trace(&disc, vec![[1.5, 0.3]], None, &settings));
        add("disc, from beside", trace(&disc, vec![[0.2, 1.2]], None, &settings));
        // Errors are divided by the mean multiplier where it is above the usual one.
        let usual = Settings { usual_multiplier: Some(0.01), tolerance: 1e-4, ..settings };
        add("published, small multipliers", trace(&hs71, vec![[1.0, 5.0, 5.0, 1.0]], None, &usual));
        let start = (0..31).map(|i| [if i == 30 { 1.0 } else { 0.0 }, 0.0]).collect();
        add("stages, small multipliers", trace(&Steps { limits }, start, None, &usual));
    }
    all
}

/// The traces of the programs with a solution.
const EXPECTED: [(&str, usize, usize, [f64; 3]); 30] = [
    ("published, Merit", 10, 10, [64.828, -882.505, -1367.736]),
    ("published, from afar, Merit", 22, 43, [184.960, -2237.665, 267.344]),
    ("resumed, Merit", 5, 5, [19.907, -378.038, -435.189]),
    ("resumed beyond a limit, Merit", 5, 5, [19.927, -335.770, -435.189]),
    ("bounded, Merit", 9, 9, [49.259, -741.511, -1139.780]),
    ("concave, Merit", 8, 14, [40.026, -643.620, 55.129]),
    ("circle, Merit", 5, 5, [17.000, -311.383, -435.189]),
    ("circle, from the other side, Merit", 44, 76, [261.943, -5797.148, -707.032]),
    ("stages, Merit", 11, 11, [70.018, -1067.087, -1616.415]),
    ("disc, Merit", 6, 6, [25.948, -461.683, -580.251]),
    ("disc, from the other side, Merit", 14, 26, [113.640, -1343.587, 84.949]),
    ("disc, from outside, Merit", 8, 8, [43.931, -656.273, -932.547]),
    ("disc, from beside, Merit", 10, 10, [64.860, -857.993, -1367.736]),
    ("published, small multipliers, Merit", 21, 21, [251.827, -2903.027, -5242.986]),
    ("stages, small multipliers, Merit", 24, 24, [320.377, -4042.676, -6735.061]),
    ("published, Filter", 10, 10, [64.828, -882.505, -1367.736]),
    ("published, from afar, Filter", 23, 38, [238.210, -2397.205, -461.715]),
    ("resumed, Filter", 5, 5, [19.907, -378.038, -435.189]),
    ("resumed beyond a limit, Filter", 5, 5, [19.927, -335.770, -435.189]),
    ("bounded, Filter", 9, 9, [49.259, -741.511, -1139.780]),
    ("concave, Filter", 7, 14, [32.202, -548.982, -112.931]),
    ("circle, Filter", 3, 3, [9.000, -174.581, -207.233]),
    ("circle, from the other side, Filter", 13, 23, [90.375, -1212.141, -269.414]),
    ("stages, Filter", 7, 7, [34.990, -582.519, -746.038]),
    ("disc, Filter", 6, 6, [26.948, -461.683, -580.251]),
    ("disc, from the other side, Filter", 15, 26, [133.952, -1450.316, -305.717]),
    ("disc, from outside, Filter", 8, 8, [43.931, -656.273, -932.547]),
    ("disc, from beside, Filter", 10, 10, [64.860, -857.993, -1367.736]),
    ("published, small multipliers, Filter", 21, 21, [251.827, -2903.027, -5242.986]),
    ("stages, small multipliers, Filter", 24, 24, [323.846, -4042.676, -6735.061]),
];

#[test]
fn searches_take_the_steps_that_they_did() {
    let found: Vec<_> = traces().into_iter().filter(|(_, trace)| trace.0 == Status::Converged).collect();
    assert_eq!(found.len(), EXPECTED.len(), "{found:?}");
    for ((name, (_, iterations, factorisations, sums)), expected) in found.iter().zip(EXPECTED) {
        assert_eq!((name.as_str(), *iterations, *factorisations), (expected.0, expected.1, expected.2));
        let near = |(found, expected): (&f64, f64)| (found - expected).abs() < 1e-3 + 1e-5 * expected.abs();
        assert!(sums.iter().zip(expected.3).all(near), "{name}: {sums:?}");
    }
}

#[test]
fn the_gradient_of_the_lagrangian_leads_to_the_same_steps() {
    for acceptance in BOTH {
        let settings = Settings { acceptance, ..Settings::default() };
        let same = |[a, b]: [Trace; 2]| {
            assert_eq!((a.0, a.1, a.2), (b.0, b.1, b.2));
            assert!(a.3.iter().zip(b.3).all(|(a, b)| (a - b).abs() < 1e-6 * (1.0 + b.abs())), "{a:?} {b:?}");
        };
        let both = [By::Objective, By::Lagrangian];
        for start in [[1.0, 5.0, 5.0, 1.0], [4.9, 1.1, 1.1, 4.9]] {
            same(both.map(|by| trace(&OneStage::<_, 5>(Hs71, by), vec![start], None, &settings)));
        }
        let circle = |by| OneStage::<_, 3>(Circle { square: 1.0 }, by);
        same(both.map(|by| trace(&circle(by), vec![[-0.9, 0.2]], None, &settings)));
        same(both.map(|by| trace(&OneStage::<_, 1>(Concave, by), vec![[1.2]], None, &settings)));
        same(both.map(|by| trace(&OneStage::<_, 2>(Disc, by), vec![[-0.9, 0.2]], None, &settings)));
    }
}
