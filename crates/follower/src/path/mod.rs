//! A path to follow: waypoints with a corridor, prepared for sampling by arc length and for
//! nearest-point searches.

mod inputs;
mod nodes;
mod sample;
mod waypoint;
mod whole;

pub use inputs::PathInputs;
pub use sample::PathSample;
pub(crate) use sample::ProfileSample;
pub use waypoint::Waypoint;
pub use whole::Path;
