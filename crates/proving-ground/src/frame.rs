//! Conversion between the physics engine's frame and the follower's.
//!
//! The engine's y points up, the follower's z. Both are right-handed, so that one is the other
//! rotated by 90° about x: follower (x, y, z) = engine (x, -z, y). A vehicle's own axes in the
//! engine are x ahead, y up, z to the right.

use rapier3d::math::{Rotation, Vector};

/// Converts the engine's vector to the follower's frame; for positions, velocities and axes.
#[must_use]
pub fn to_follower(v: Vector) -> [f64; 3] {
    [f64::from(v.x), -f64::from(v.z), f64::from(v.y)]
}

/// Converts the follower's vector to the engine's frame.
#[must_use]
pub fn to_engine(v: [f64; 3]) -> Vector {
    Vector::new(v[0] as f32, v[2] as f32, -v[1] as f32)
}

/// Heading in the follower's plane of a body that is turned by `rotation`, radians
/// counter-clockwise from +x.
#[must_use]
pub fn heading(rotation: Rotation) -> f64 {
    let ahead = to_follower(rotation * Vector::X);
    ahead[1].atan2(ahead[0])
}

/// The rotation of a level body that faces `heading_rad`.
#[must_use]
pub fn level(heading_rad: f64) -> Rotation {
    Rotation::from_rotation_y(heading_rad as f32)
}

/// The rotation of a body that faces `heading_rad` on ground with the upward normal `normal` in the
/// follower's frame.
#[must_use]
pub fn on_ground(heading_rad: f64, normal: [f64; 3]) -> Rotation {
    Rotation::from_rotation_arc(Vector::Y, to_engine(normal).normalize_or_zero()) * level(heading_rad)
}
