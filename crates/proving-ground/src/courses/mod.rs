//! The test paths, the training paths for tuning, and the map of the soak test.
//!
//! The courses do not consider the vehicles' limits: some bends are tighter than the turning
//! circles of the truck and the hovercraft.

mod ground;
mod map;
mod test_paths;
mod training_paths;

pub use map::{Map, soak_map};
pub use test_paths::test_paths;
pub use training_paths::training_paths;
