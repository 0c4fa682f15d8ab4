//! A step allocates nothing, with and without its record.

#![allow(clippy::expect_used, reason = "a test that can't start should fail with a message")]

use std::sync::Arc;

use raceline_tactics::{Runner, Tactics};

const FILE: &str = include_str!("../../../examples/tactics/race.toml");

#[test]
fn a_step_allocates_nothing() {
    let counted = allocation_counter::measure(|| drop(std::hint::black_box(vec![1, 2, 3]))).count_total;
    assert!(counted > 0, "the counter counts");
    let tactics = Arc::new(Tactics::from_toml(FILE).expect("the example"));
    for tracing in [false, true] {
        let mut runner = Runner::new(Arc::clone(&tactics));
        runner.set_tracing(tracing);
        let mut inputs = vec![0.0; tactics.inputs().len()];
        let mut number = 7_u32;
        let (mut events, mut states) = (0, [0; 64]);
        let found = allocation_counter::measure(|| {
            for _ in 0..50_000 {
                for input in &mut inputs {
                    // A linear congruential generator is random enough to reach every state.
                    number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    if number >> 30 == 0 {
                        *input = f64::from(number >> 8 & 63) - 8.0;
                    }
                }
                let step = runner.step(&inputs, 0.1);
                std::hint::black_box(&step);
                events += runner.trace().len();
            }
        });
        assert_eq!(found.count_total, 0, "tracing {tracing}");
        assert_eq!(events > 0, tracing);
        for _ in 0..5000 {
            for input in &mut inputs {
                number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                if number >> 30 == 0 {
                    *input = f64::from(number >> 8 & 63) - 8.0;
                }
            }
            runner.step(&inputs, 0.1).expect("as many as declared");
            for name in runner.active() {
                states[name.bytes().map(usize::from).sum::<usize>() % 64] += 1;
            }
        }
        assert!(states.iter().filter(|count| **count > 0).count() > 4, "the inputs lead to few states: {states:?}");
    }
}
