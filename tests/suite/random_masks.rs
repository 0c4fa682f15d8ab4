//! Road masks from random bytes, as the fuzz target `mask` makes them: a small part of what fuzzing
//! does.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;

use crate::fuzz_targets::inputs::drawn;

/// Knuth's linear congruential generator (MMIX): the same masks on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}

/// The seeds of the target, in the order of their names.
fn seeds() -> Vec<Vec<u8>> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("fuzz/seeds/mask");
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.into_iter().map(|path| fs::read(path).unwrap()).collect()
}

#[test]
fn every_seed_is_a_road() {
    for seed in seeds() {
        let (mask, shape) = drawn::mask(&seed).unwrap();
        let route = raceline::edges::RouteOptions { shape, ..Default::default() };
        let scale = raceline::frame::Scale::MetresPerPixel(1.0);
        let traced = raceline::tracing::trace(&mask, scale, raceline::geometry::Point::origin(), &route).unwrap();
        raceline::track::cut(&traced.edges, &Default::default()).unwrap();
    }
}

#[test]
fn masks_from_random_bytes_give_a_road_or_an_error() {
    let (seeds, mut random) = (seeds(), Random(1));
    for round in 0..4000 {
        let mut bytes = match round % 4 {
            // Noise, from sparse to dense.
            0 => (0..3 + random.below(98)).map(|_| random.below(256) as u8).collect(),
            _ => seeds[random.below(seeds.len())].clone(),
        };
        for _ in 0..random.below(12) {
            let at = random.below(bytes.len());
            match random.below(4) {
                0 => bytes[at] = random.below(256) as u8,
                1 => bytes[at] ^= 1 << random.below(8),
                2 => bytes.truncate(at.max(4)),
                _ => bytes.insert(at, random.below(256) as u8),
            }
        }
        drawn::stages(&bytes);
    }
    drawn::stages(&[]);
    drawn::stages(&[9, 9, 9]);
}
