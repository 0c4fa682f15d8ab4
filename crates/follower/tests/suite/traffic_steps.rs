//! Single steps in traffic: whatever the neighbours are, and where they do not matter.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::common::{FRAME_S, numbers};
use crate::racing::{self, geometry};
use crate::traffic::{LENGTH, WIDTH, bends, straight};
use raceline_follower::{Follower, FollowerOptions, Neighbour, Path, Scene, SpeedMode, VehicleGeometry, VehicleState};

/// Frames of a car about a stadium, some of them absurd, with random neighbours.
fn random_frames(count: usize, mut check: impl FnMut(&Path, &VehicleState, &[Neighbour])) {
    let path = bends(25.0, 4.0);
    let mut next = numbers(11);
    for i in 0..count {
        let there = path.sample(i as f64 * 0.4);
        let speed = 30.0 * next();
        let heading = there.heading_rad + 0.2 * (next() - 0.5);
        let (sin, cos) = heading.sin_cos();
        let state = VehicleState {
            velocity_mps: [speed * cos, speed * sin, 0.0],
            yaw_rate_radps: next() - 0.5,
            ..VehicleState::new([there.position_m[0] + next(), there.position_m[1] + next(), 0.0], heading, speed)
        };
        let mut odd = |value: f64| match (next() * 60.0) as u32 {
            0 => f64::NAN,
            1 => f64::INFINITY,
            2 => 1e300,
            3 => 0.0,
            _ => value * (2.0 * next() - 1.0),
        };
        let neighbours: Vec<Neighbour> = (0..i % 24)
            .map(|_| Neighbour {
                position_m: [there.position_m[0] + odd(60.0), there.position_m[1] + odd(60.0), odd(1.0)],
                velocity_mps: [odd(40.0), odd(40.0), odd(1.0)],
                heading_rad: odd(7.0),
                length_m: odd(6.0).abs(),
                width_m: odd(3.0).abs(),
            })
            .collect();
        check(&path, &state, &neighbours);
    }
}

#[test]
fn with_any_neighbours_the_target_stays_in_the_corridor_and_every_number_is_one() {
    let mut pursuit = FollowerOptions::default();
    pursuit.target_speed.max_speed_mps = 30.0;
    for options in [racing::racing(SpeedMode::Both, 1.0), pursuit] {
        let mut follower = Follower::new(options, geometry()).unwrap();
        random_frames(20_000, |path, state, neighbours| {
            let command = follower.step(path, state, &Scene::EMPTY.with_neighbours(neighbours), FRAME_S);
            let numbers = [command.pedal, command.steering_rad, command.target_speed_mps, follower.shift_m()];
            assert!(numbers.iter().all(|number| number.is_finite()), "{command:?}");
            assert!(command.target_speed_mps >= 0.0 && command.pedal.abs() <= 1.0);
            let limit = 4.0 - 0.5 * WIDTH;
            assert!(follower.shift_m().abs() <= limit + 1e-9, "{}", follower.shift_m());
            let target = command.target_point_m;
            let near = (0..4200)
                .map(|i| path.sample(f64::from(i) * 0.25))
                .map(|there| (there.position_m[0] - target[0]).hypot(there.position_m[1] - target[1]));
            assert!(near.fold(f64::INFINITY, f64::min) <= limit + 0.05, "{command:?}");
        });
    }
}

#[test]
fn those_on_another_level_off_the_road_or_far_away_do_not_matter() {
    let path = straight(40.0, 4.0);
    let mut follower = Follower::new(racing::racing(SpeedMode::Profile, 1.0), VehicleGeometry::default()).unwrap();
    let state = VehicleState {
        velocity_mps: [40.0, 0.0, 0.0],
        yaw_rate_radps: 0.0,
        ..VehicleState::new([100.0, 0.0, 0.0], 0.0, 40.0)
    };
    let at = |x: f64, y: f64, z: f64| Neighbour {
        position_m: [x, y, z],
        velocity_mps: [0.0; 3],
        heading_rad: 0.0,
        length_m: LENGTH,
        width_m: WIDTH,
    };
    for (neighbour, matters) in [
        (at(130.0, 0.0, 0.0), true),
        (at(130.0, 0.0, 20.0), false),
        (at(130.0, 7.0, 0.0), false),
        (at(900.0, 0.0, 0.0), false),
        (at(60.0, 0.0, 0.0), false),
    ] {
        follower.reset();
        for _ in 0..5 {
            follower.step(&path, &state, &Scene::EMPTY.with_neighbours(&[neighbour]), FRAME_S);
        }
        assert_eq!(follower.is_avoiding(), matters, "{neighbour:?}");
    }
}
