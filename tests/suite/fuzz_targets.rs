//! The fuzz targets on their seeds and on some damaged ones: a small part of what fuzzing does, which
//! finds a target that no longer works.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a target fails by panicking")]
#![allow(missing_docs, dead_code, reason = "the module belongs to the fuzz crate")]

#[path = "../../fuzz/src/inputs/mod.rs"]
pub mod inputs;

use inputs::seeds::{self, Random};

/// Damaged inputs for each of the first seeds.
const DAMAGED: usize = 2;
const MAX_DAMAGED_SEEDS: usize = 2;

/// `seed` with some bytes replaced, and cut at times.
fn damaged(seed: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    if random.below(3) == 0 {
        bytes.truncate(random.below(seed.len() + 1));
    }
    for _ in 0..1 + random.below(4) {
        let place = random.below(bytes.len());
        if let Some(byte) = bytes.get_mut(place) {
            *byte = random.below(256) as u8;
        }
    }
    bytes
}

#[test]
fn every_target_runs_on_its_seeds_and_on_damaged_ones() {
    assert!(inputs::TARGETS.len() >= 25);
    for (name, run) in inputs::TARGETS {
        let begun = std::time::Instant::now();
        run(&[]);
        let seeds = seeds::of(name);
        for (number, seed) in seeds.iter().enumerate() {
            let mut random = Random(number as u64);
            run(seed);
            for _ in 0..if number < MAX_DAMAGED_SEEDS { DAMAGED } else { 0 } {
                run(&damaged(seed, &mut random));
            }
        }
        println!("{name:20} {:3} seeds, {:6.0} ms", seeds.len(), begun.elapsed().as_secs_f64() * 1e3);
    }
}
