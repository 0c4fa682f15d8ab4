//! What surrounds a vehicle, as C passes it.

use std::ptr::null;

use super::calls::Outcome;
use super::sized::{each, read_or_default, sized};
use crate::bodies::{Body, MAX_NEIGHBOURS, MAX_OBSTACLES, MAX_PICK_UPS, Neighbour, PickUp};
use crate::scene::Scene;

sized! {
    /// [`Neighbour`].
    RacelineNeighbour {
        /// Always 0.
        reserved: u32 = 0,
        /// Metres.
        position_m: [f64; 3] = [0.0; 3],
        /// m/s.
        velocity_mps: [f64; 3] = [0.0; 3],
        /// Radians.
        heading_rad: f64 = 0.0,
        /// Metres.
        length_m: f64 = 4.4,
        /// Metres.
        width_m: f64 = 1.8,
    }
}

impl From<RacelineNeighbour> for Neighbour {
    fn from(neighbour: RacelineNeighbour) -> Self {
        let RacelineNeighbour { position_m, velocity_mps, heading_rad, length_m, width_m, .. } = neighbour;
        Self { position_m, velocity_mps, heading_rad, length_m, width_m }
    }
}

sized! {
    /// [`Body`].
    RacelineBody {
        /// Always 0.
        reserved: u32 = 0,
        /// Metres.
        position_m: [f64; 2] = [0.0; 2],
        /// m/s.
        velocity_mps: [f64; 2] = [0.0; 2],
        /// Metres.
        radius_m: f64 = 0.5,
    }
}

impl From<RacelineBody> for Body {
    fn from(body: RacelineBody) -> Self {
        let RacelineBody { position_m, velocity_mps, radius_m, .. } = body;
        Self { position_m, velocity_mps, radius_m }
    }
}

impl From<Body> for RacelineBody {
    fn from(Body { position_m, velocity_mps, radius_m }: Body) -> Self {
        Self { position_m, velocity_mps, radius_m, ..Self::default() }
    }
}

sized! {
    /// [`PickUp`].
    RacelinePickUp {
        /// Always 0.
        reserved: u32 = 0,
        /// Metres.
        position_m: [f64; 3] = [0.0; 3],
        /// Metres.
        radius_m: f64 = 0.5,
    }
}

sized! {
    /// [`Scene`].
    RacelineScene {
        /// 1 or 0.
        reverse: i32 = 0,
        /// Null for none.
        neighbours: *const RacelineNeighbour = null(),
        /// Number of neighbours.
        neighbour_count: usize = 0,
        /// Null for none.
        obstacles: *const RacelineBody = null(),
        /// Number of obstacles.
        obstacle_count: usize = 0,
        /// Null for none.
        pick_ups: *const RacelinePickUp = null(),
        /// Number of pick-ups.
        pick_up_count: usize = 0,
    }
}

/// Calls `use_it` with a scene; null is an empty one. Allocates nothing.
///
/// # Safety
/// `pointer` is null or refers to a scene, whose pointers refer to as many structs as it states.
pub(super) unsafe fn with_scene(pointer: *const RacelineScene, use_it: impl FnOnce(&Scene<'_>) -> Outcome) -> Outcome {
    let nobody =
        Neighbour { position_m: [f64::NAN; 3], velocity_mps: [0.0; 3], heading_rad: 0.0, length_m: 0.0, width_m: 0.0 };
    let nothing = PickUp { position_m: [f64::NAN; 3], radius_m: 0.0 };
    let mut neighbours = List { items: [nobody; MAX_NEIGHBOURS], count: 0 };
    let mut obstacles = List { items: [Body::default(); MAX_OBSTACLES], count: 0 };
    let mut pick_ups = List { items: [nothing; MAX_PICK_UPS], count: 0 };
    // SAFETY: the function's own condition.
    let scene = unsafe {
        let scene = read_or_default(pointer, "scene")?;
        let take = |neighbour: RacelineNeighbour| neighbours.push(neighbour.into());
        each(scene.neighbours, scene.neighbour_count, MAX_NEIGHBOURS, "neighbours", take)?;
        let take = |body: RacelineBody| obstacles.push(body.into());
        each(scene.obstacles, scene.obstacle_count, MAX_OBSTACLES, "obstacles", take)?;
        let take = |RacelinePickUp { position_m, radius_m, .. }| pick_ups.push(PickUp { position_m, radius_m });
        each(scene.pick_ups, scene.pick_up_count, MAX_PICK_UPS, "pick_ups", take)?;
        scene
    };
    let around = Scene::EMPTY.with_neighbours(neighbours.as_slice()).with_obstacles(obstacles.as_slice());
    use_it(&around.with_pick_ups(pick_ups.as_slice()).with_reverse(scene.reverse != 0))
}

/// A list of bounded length on the stack.
pub(super) struct List<T, const N: usize> {
    pub(super) items: [T; N],
    pub(super) count: usize,
}

impl<T, const N: usize> List<T, N> {
    /// Appends an item; one too many is left out.
    pub(super) fn push(&mut self, item: T) {
        if let Some(place) = self.items.get_mut(self.count) {
            *place = item;
            self.count += 1;
        }
    }

    pub(super) fn as_slice(&self) -> &[T] {
        &self.items[..self.count]
    }
}
