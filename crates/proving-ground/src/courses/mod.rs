//! The paths that followers are judged on, those that they are tuned on, and the map of the soak.
//!
//! They are drawn without regard to what any of the vehicles can do: some bends are tighter than
//! the truck and the hovercraft can turn.

mod ground;
mod map;
mod test_paths;
mod training_paths;

pub use map::{Map, soak_map};
pub use test_paths::test_paths;
pub use training_paths::training_paths;
