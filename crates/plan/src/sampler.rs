//! Random places on a map.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::FreeSpace;
use raceline_road::geometry::Point;

/// Uniform random places with room.
pub(super) struct Sampler<'a> {
    space: &'a FreeSpace,
    free: Vec<u32>,
    random: ChaCha8Rng,
}

impl<'a> Sampler<'a> {
    pub fn new(space: &'a FreeSpace, seed: u64) -> Self {
        let free = (0..space.cell_count() as u32).filter(|&cell| space.is_free(cell)).collect();
        Self { space, free, random: ChaCha8Rng::seed_from_u64(seed) }
    }

    /// The centre of a random cell; the planners' ends have room, so there is one.
    pub fn sample(&mut self) -> Point {
        let index = self.random.random_range(0..self.free.len().max(1));
        self.space.centre(self.free.get(index).copied().unwrap_or_default())
    }

    /// The centre of any cell of the map, with room or without.
    pub fn any_place(&mut self) -> Point {
        self.space.centre(self.random.random_range(0..self.space.cell_count().max(1) as u32))
    }

    /// The centre of the cell at a place on the map.
    pub fn centred(&self, place: Point) -> Point {
        self.space.cell_at(place).map_or(place, |cell| self.space.centre(cell))
    }

    /// A uniform random number from 0 to below 1.
    pub fn fraction(&mut self) -> f64 {
        self.random.random()
    }

    /// Whether an event of this probability happens.
    pub fn happens(&mut self, probability: f64) -> bool {
        self.fraction() < probability
    }

    /// Whether a place of the map has room.
    pub fn has_room(&self) -> bool {
        !self.free.is_empty()
    }

    pub fn space(&self) -> &'a FreeSpace {
        self.space
    }
}
