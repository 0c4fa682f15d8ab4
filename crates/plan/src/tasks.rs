//! Random tasks, to compare planners.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::free_space::FreeSpace;
use raceline_road::geometry::Point;

/// Pairs of places with room, uniformly drawn; each pair has a stream of random numbers of its own.
/// Empty if the map has no room.
#[must_use]
pub fn tasks(space: &FreeSpace, count: usize, seed: u64) -> Vec<[Point; 2]> {
    let free: Vec<u32> = (0..space.cell_count() as u32).filter(|&cell| space.is_free(cell)).collect();
    if free.is_empty() {
        return Vec::new();
    }
    let task = |number: usize| {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(number as u64);
        [(); 2].map(|()| space.centre(free[random.random_range(0..free.len())]))
    };
    (0..count).map(task).collect()
}
