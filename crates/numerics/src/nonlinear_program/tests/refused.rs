//! Dimensions and settings that no search begins with.

use super::{Bounded, By, Equations, Functions, OneStage};
use crate::nonlinear_program::{Duals, ProgramError, Settings, solve};

#[test]
fn a_start_of_another_length_is_refused() {
    let program = OneStage::<_, 1>(Bounded { low: 0.0, high: 1.0 }, By::Objective);
    for start in [Vec::new(), vec![[0.5]; 2]] {
        let length = start.len();
        let found = solve(&program, start, None, &Settings::default(), &mut |_| {});
        assert_eq!(found.err(), Some(ProgramError::Stages { start: length, program: 1 }));
    }
}

/// A program that states one more equation than its stages have room for.
struct Overfull;

impl Equations<1, 1, 0> for Overfull {
    fn functions(&self, _: &[f64; 1]) -> Functions<1, 0> {
        (0.0, [0.0], [])
    }

    fn gradients(&self, _: &[f64; 1]) -> ([f64; 1], [[f64; 1]; 1], [[f64; 1]; 0]) {
        ([0.0], [[0.0]], [])
    }

    fn hessian(&self, _: &[f64; 1], _: &[f64; 1], _: &[f64; 0]) -> [[f64; 1]; 1] {
        [[0.0]]
    }

    fn equations(&self) -> usize {
        2
    }
}

#[test]
fn more_equations_than_the_stages_have_room_for_are_refused() {
    let found = solve(&OneStage::<_, 2>(Overfull, By::Objective), vec![[0.5]], None, &Settings::default(), &mut |_| {});
    assert_eq!(found.err(), Some(ProgramError::Equations { equations: 2, maximum: 1 }));
}

#[test]
fn multipliers_of_another_length_are_refused() {
    let program = OneStage::<_, 1>(Bounded { low: 0.0, high: 1.0 }, By::Objective);
    for (prices, multipliers) in [(2, 1), (1, 0)] {
        let duals = Duals { prices: vec![[]; prices], multipliers: vec![[1.0; 2]; multipliers] };
        let found = solve(&program, vec![[0.5]], Some(&duals), &Settings::default(), &mut |_| {});
        let error = found.expect_err("another length");
        assert_eq!(error, ProgramError::Duals { prices, multipliers, program: 1 });
        assert!(error.to_string().contains("do not fit 1 stages"), "{error}");
    }
}

#[test]
fn settings_out_of_their_ranges_are_refused_by_name() {
    let usual = Settings::default();
    let nan = f64::NAN;
    for (settings, expected) in [
        (Settings { first_barrier: 0.0, ..usual }, "first_barrier"),
        (Settings { last_barrier: nan, ..usual }, "last_barrier"),
        (Settings { resumed_barrier: -1.0, ..usual }, "resumed_barrier"),
        (Settings { resumed_band: 0.5, ..usual }, "resumed_band"),
        (Settings { tolerance: f64::INFINITY, ..usual }, "tolerance"),
        (Settings { usual_multiplier: Some(0.0), ..usual }, "usual_multiplier"),
    ] {
        match settings.validate() {
            Err(ProgramError::Setting { name, .. }) => assert_eq!(name, expected),
            other => panic!("{expected}: {other:?}"),
        }
    }
    assert_eq!(usual.validate(), Ok(()));
}
