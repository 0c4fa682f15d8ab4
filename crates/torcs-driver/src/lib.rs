//! A robot for TORCS 1.3.7 (x86-64) that drives a racing-line file with `raceline-follower`.
//!
//! | Module | Contents |
//! |---|---|
//! | `interface` | what TORCS calls, and all unsafe code |
//! | [`layout`] | where TORCS keeps what: offsets read from bounded images of its structs |
//! | [`image`] | the bytes of a struct |
//! | [`checks`] | whether these images can be what they are taken for |
//! | [`configuration`] | the file beside the robot that specifies what to drive and how |
//! | [`robot`] | state to follower, command to steering, pedals and gear |
//! | [`learning`] | speeds by place, learned over laps and kept in a file |
//! | [`pits`], [`pit_lane`] | the pits in TORCS's structs, and the paths through them |
//! | [`strategy`], [`pit_stop`] | when to stop and for what, and the stop itself |
//! | [`others`] | the other cars as the follower's neighbours |
//! | [`contacts`] | which contacts did a car's damage |
//! | [`engine`] | the engine's torque by throttle |
//! | [`figures`] | what the car's parameter files give: brakes, axles, mass |
//! | [`telemetry`], [`summary`] | what was driven, as CSV and JSON |
//!
//! Everything that is not TORCS's own is in `raceline-follower`. The runner is the package's binary.

pub mod checks;
pub mod configuration;
pub mod contacts;
pub mod engine;
pub mod figures;
pub mod image;
mod interface;
pub mod layout;
pub mod learning;
pub mod others;
pub mod pit_lane;
pub mod pit_stop;
pub mod pits;
pub mod robot;
pub mod strategy;
pub mod summary;
pub mod telemetry;
