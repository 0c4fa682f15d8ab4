//! The version of the interface.

/// Incremented when a change requires programs to be changed. More fields and functions do not.
pub const FOLLOWER_VERSION: u32 = 1;

/// See the header.
#[unsafe(no_mangle)]
pub extern "C" fn raceline_follower_version() -> u32 {
    FOLLOWER_VERSION
}
