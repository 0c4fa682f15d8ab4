//! The targets of the C interface, as functions. The tests of `raceline-follower` have this module too.

pub mod follower_c;
pub mod learning_c;
pub mod traffic_c;

/// A racing-line file.
pub const LINE: &[u8] = include_bytes!("../../../tracks/hairpin.raceline.json");

/// A target: any bytes are an input.
pub type Target = fn(&[u8]);

/// Every target by its name.
pub const TARGETS: &[(&str, Target)] =
    &[("follower_c", follower_c::run), ("learning_c", learning_c::run), ("traffic_c", traffic_c::run)];
