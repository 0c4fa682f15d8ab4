//! Any bytes as a racing-line file. What the follower reads it must be able to drive.

use raceline_follower::{Follower, FollowerOptions, Scene, VehicleState, json};

/// One input.
pub fn run(bytes: &[u8]) {
    let Ok(line) = json::read(bytes) else { return };
    let Ok(mut follower) = Follower::new(FollowerOptions::for_racing(), line.vehicle) else { return };
    for frame in 0..20 {
        let at = line.path.sample(f64::from(frame) * 0.02 * line.path.length_m());
        let state = VehicleState::new(at.position_m, at.heading_rad + f64::from(frame) * 0.1, 20.0);
        let command = follower.step(&line.path, &state, &Scene::EMPTY, 1.0 / 60.0);
        assert!(command.pedal.abs() <= 1.0 && command.steering_rad.is_finite());
    }
}
