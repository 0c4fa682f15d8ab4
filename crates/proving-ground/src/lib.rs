//! Tests the follower in an independent physics engine: [rapier](https://rapier.rs), headless and
//! deterministic.
//!
//! A *trial* is one path driven by one vehicle with one follower. Ten paths and six vehicles make
//! the 60 trials of a table. Frames: the follower's (z up) everywhere but in [`frame`],
//! [`terrain`], [`scene`] and [`rig`], which call the engine (y up).

pub mod behaviours_sheet;
pub mod contender;
pub mod courses;
pub mod crowd;
pub mod frame;
pub mod parameters;
pub mod picture;
pub mod rig;
pub mod route;
pub mod scene;
pub mod settings;
pub mod soak;
pub mod soak_picture;
pub mod soak_together;
pub mod table;
pub mod terrain;
pub mod tracker;
pub mod traffic;
pub mod trial;
pub mod tune;
pub mod vehicle;
