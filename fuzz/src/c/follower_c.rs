//! Any numbers as arguments of the C interface; a bit of the first byte each says which pointers
//! are null.

use std::ptr::{null, null_mut};

use raceline_follower::capi::{
    RacelineBody, RacelineCommand, RacelineFollowerOptions, RacelineNeighbour, RacelineOption, RacelinePickUp,
    RacelinePlannerOptions, RacelineScene, RacelineState, RacelineStatus, RacelineVehicle, RacelineWaypoint,
    raceline_follower_free, raceline_follower_new, raceline_follower_set_planner, raceline_follower_step,
    raceline_path_free, raceline_path_from_json, raceline_path_new,
};

/// Doubles out of bytes; 0 when they have run out.
struct Numbers<'a>(&'a [u8]);

impl Numbers<'_> {
    fn next(&mut self) -> f64 {
        let Some((first, rest)) = self.0.split_first_chunk::<8>() else {
            self.0 = &[];
            return 0.0;
        };
        self.0 = rest;
        f64::from_le_bytes(*first)
    }

    fn point(&mut self) -> [f64; 3] {
        [self.next(), self.next(), self.next()]
    }
}

/// One input.
pub fn run(bytes: &[u8]) {
    let Some((&[nulls, closed, count, key_length], rest)) = bytes.split_first_chunk::<4>() else { return };
    let (key, rest) = rest.split_at(usize::from(key_length).min(rest.len()));
    let Ok(key) = std::ffi::CString::new(key) else { return };
    let mut numbers = Numbers(rest);
    let is_null = |bit: u8| nulls >> bit & 1 == 1;
    let waypoints: Vec<RacelineWaypoint> = (0..count)
        .map(|_| RacelineWaypoint {
            position_m: numbers.point(),
            left_m: numbers.next(),
            right_m: numbers.next(),
            speed_mps: numbers.next(),
            curvature_radpm: numbers.next(),
            ..RacelineWaypoint::default()
        })
        .collect();
    let vehicle = RacelineVehicle {
        wheelbase_m: numbers.next(),
        max_steering_rad: numbers.next(),
        length_m: numbers.next(),
        width_m: numbers.next(),
        rear_axle_m: numbers.next(),
        grip_g: numbers.next(),
        max_yaw_rate_radps: numbers.next(),
        kind: numbers.next() as i32,
        ..RacelineVehicle::default()
    };
    let option = RacelineOption { key: key.as_ptr(), value: numbers.next() };
    let planner = RacelinePlannerOptions::default();
    let (mut path, mut follower) = (null_mut(), null_mut());
    // SAFETY: every pointer is null or leads to what the calls say, and handles are freed once.
    unsafe {
        let first = if is_null(0) { null() } else { waypoints.as_ptr() };
        let to = if is_null(1) { null_mut() } else { &raw mut path };
        raceline_path_new(first, waypoints.len(), i32::from(closed & 1), to);
        if path.is_null() {
            raceline_path_from_json(rest.as_ptr(), rest.len(), &raw mut path, null_mut(), null_mut());
        }
        let options = RacelineFollowerOptions {
            preset: i32::from(closed >> 1 & 3),
            path,
            vehicle: if is_null(3) { null() } else { &raw const vehicle },
            options: &raw const option,
            option_count: usize::from(!key.is_empty()),
            ..RacelineFollowerOptions::default()
        };
        raceline_follower_new(&raw const options, if is_null(4) { null_mut() } else { &raw mut follower });
        if !is_null(2) {
            raceline_follower_set_planner(follower, path, &raw const planner);
        }
        for frame in 0..16 {
            let state = RacelineState {
                position_m: numbers.point(),
                heading_rad: numbers.next(),
                speed_mps: numbers.next(),
                velocity_mps: numbers.point(),
                yaw_rate_radps: numbers.next(),
                ..RacelineState::default()
            };
            let neighbour = RacelineNeighbour {
                position_m: numbers.point(),
                velocity_mps: numbers.point(),
                heading_rad: numbers.next(),
                ..RacelineNeighbour::default()
            };
            let [x, y, radius_m] = numbers.point();
            let obstacle = RacelineBody { position_m: [x, y], radius_m, ..RacelineBody::default() };
            let pick_up = RacelinePickUp { position_m: numbers.point(), ..RacelinePickUp::default() };
            let scene = RacelineScene {
                reverse: frame / 4 % 2,
                neighbours: &raw const neighbour,
                neighbour_count: frame as usize % 2,
                obstacles: &raw const obstacle,
                obstacle_count: frame as usize / 2 % 2,
                pick_ups: &raw const pick_up,
                pick_up_count: 1,
                ..RacelineScene::default()
            };
            let mut command = RacelineCommand::default();
            let at = if is_null(5) { null() } else { &raw const state };
            let out = if is_null(6) { null_mut() } else { &raw mut command };
            let around = if is_null(7) { null() } else { &raw const scene };
            let status = raceline_follower_step(follower, path, at, around, numbers.next(), out);
            assert!(matches!(status, RacelineStatus::Ok | RacelineStatus::Pointer));
            if status == RacelineStatus::Ok {
                assert!(command.pedal.abs() <= 1.0 && command.steering_rad.is_finite());
            }
        }
        raceline_follower_free(follower);
        raceline_path_free(path);
    }
}
