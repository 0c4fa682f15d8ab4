//! Any laps and any bytes as learned speeds, through the C interface.

use std::ptr::{null, null_mut};

use arbitrary::Unstructured;
use raceline_follower::capi::{
    RacelineCommand, RacelineLap, RacelineLearningOptions, RacelineState, RacelineStatus, raceline_learning_apply,
    raceline_learning_fault, raceline_learning_free, raceline_learning_interrupt, raceline_learning_new,
    raceline_learning_observe, raceline_learning_recall, raceline_learning_remember, raceline_learning_settle,
    raceline_path_free, raceline_path_from_json,
};

use super::LINE;

/// One input.
pub fn run(bytes: &[u8]) {
    let line = LINE;
    let mut bytes = Unstructured::new(bytes);
    let numbers = bytes.arbitrary::<[f32; 6]>().unwrap_or([f32::NAN; 6]);
    let or_usual = |index: usize, range: [f64; 2]| {
        let number = f64::from(numbers[index]);
        if number.abs() < 1e3 { range[0] + number.abs() % 1.0 * (range[1] - range[0]) } else { number }
    };
    let options = RacelineLearningOptions {
        lowest: or_usual(0, [0.5, 1.0]),
        highest: or_usual(1, [1.0, 1.5]),
        step: or_usual(2, [0.001, 0.1]),
        spacing_m: or_usual(3, [5.0, 30.0]),
        faults_reported: i32::from(numbers[4] > 0.0),
        ..RacelineLearningOptions::default()
    };
    let (mut path, mut learning) = (null_mut(), null_mut());
    // SAFETY: every pointer leads to what the calls state, and handles are freed once.
    unsafe {
        raceline_path_from_json(line.as_ptr(), line.len(), &raw mut path, null_mut(), null_mut());
        raceline_learning_new(path, null(), &raw const options, &raw mut learning);
        let mut s_m = 0.0;
        while let Ok([action, step, error, speed]) = bytes.arbitrary::<[u8; 4]>() {
            if bytes.is_empty() {
                break;
            }
            s_m += f64::from(step);
            let state = RacelineState { speed_mps: f64::from(speed), ..RacelineState::default() };
            let command = RacelineCommand {
                s_m: if action & 128 == 0 { s_m % 200.0 } else { f64::from(speed) - s_m },
                cross_track_error_m: f64::from(error) / 32.0 - 4.0,
                inside_corridor: error & 1,
                ..RacelineCommand::default()
            };
            let mut lap = RacelineLap::default();
            raceline_learning_observe(learning, path, &raw const state, &raw const command, 0.1, &raw mut lap);
            match action % 16 {
                0 => drop(raceline_learning_fault(learning)),
                1 => drop(raceline_learning_interrupt(learning)),
                2 => drop(raceline_learning_settle(learning)),
                3 => drop(raceline_learning_apply(learning, path)),
                4 => {
                    let mut kept = [0_u8; 4096];
                    let mut count = 0;
                    let status = raceline_learning_remember(learning, kept.as_mut_ptr(), kept.len(), &raw mut count);
                    if status == RacelineStatus::Ok && count <= kept.len() {
                        let again = raceline_learning_recall(learning, kept.as_ptr(), count);
                        assert_eq!(again, RacelineStatus::Ok, "what is remembered is recalled");
                    }
                }
                5 => {
                    let rest = bytes.peek_bytes(bytes.len()).unwrap_or_default();
                    let status = raceline_learning_recall(learning, rest.as_ptr(), rest.len());
                    assert!(status != RacelineStatus::Internal);
                }
                _ => {}
            }
        }
        raceline_learning_free(learning);
        raceline_path_free(path);
    }
}
