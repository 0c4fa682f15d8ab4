//! The fuzz targets of the C interface on random bytes: a small part of what fuzzing does.

#![cfg(feature = "capi")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a target fails by panicking")]
#![allow(missing_docs, reason = "the module belongs to the fuzz crate")]
#![allow(unsafe_code, reason = "calls the C interface")]

#[path = "../../../../fuzz/src/c/mod.rs"]
mod c;

#[test]
fn every_target_of_the_c_interface_runs_on_random_bytes() {
    // Knuth's linear congruential generator (MMIX): the same inputs on every machine.
    let mut state = 1_u64;
    let mut byte = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    for (_, run) in c::TARGETS {
        run(&[]);
        for length in [3, 20, 100, 400, 1500, 3000] {
            let bytes: Vec<u8> = (0..length).map(|_| byte()).collect();
            run(&bytes);
        }
    }
}
