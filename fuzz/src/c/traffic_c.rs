//! Any numbers around a vehicle, through the C interface: a planner with any options among neighbours,
//! obstacles and pick-ups.

use std::ptr::null_mut;

use arbitrary::{Arbitrary, Unstructured};
use raceline_follower::capi::{
    RacelineBody, RacelineCommand, RacelineFollowerOptions, RacelineNeighbour, RacelinePickUp, RacelinePlannerOptions,
    RacelineScene, RacelineState, RacelineStatus, raceline_follower_free, raceline_follower_new,
    raceline_follower_set_planner, raceline_follower_step, raceline_path_free, raceline_path_from_json,
};

use super::LINE;

#[derive(Debug)]
struct Frame {
    state: [f64; 4],
    others: Vec<[f32; 5]>,
    dt_s: f32,
}

fn frame(bytes: &mut Unstructured<'_>) -> arbitrary::Result<Frame> {
    Ok(Frame {
        state: <[f32; 4]>::arbitrary(bytes)?.map(f64::from),
        others: bytes.arbitrary()?,
        dt_s: bytes.arbitrary()?,
    })
}

/// One input.
pub fn run(bytes: &[u8]) {
    let line = LINE;
    let mut bytes = Unstructured::new(bytes);
    let (preset, planner_numbers) =
        (bytes.arbitrary::<u8>().unwrap_or(0), bytes.arbitrary::<[f32; 4]>().unwrap_or([f32::NAN; 4]).map(f64::from));
    let [gap_m, following_s, horizon_m, braking_mps2] = planner_numbers;
    let (mut path, mut follower) = (null_mut(), null_mut());
    // SAFETY: every pointer leads to what the calls state, and handles are freed once.
    unsafe {
        raceline_path_from_json(line.as_ptr(), line.len(), &raw mut path, null_mut(), null_mut());
        let options =
            RacelineFollowerOptions { preset: i32::from(preset % 4), path, ..RacelineFollowerOptions::default() };
        let made = raceline_follower_new(&raw const options, &raw mut follower);
        assert_eq!(made, RacelineStatus::Ok);
        let planner =
            RacelinePlannerOptions { gap_m, following_s, horizon_m, braking_mps2, ..RacelinePlannerOptions::default() };
        raceline_follower_set_planner(follower, path, &raw const planner);
        for _ in 0..12 {
            let Ok(frame) = frame(&mut bytes) else { break };
            let [x, y, heading_rad, speed_mps] = frame.state;
            // Every second vehicle is near the line.
            let near = |value: f64| if preset & 64 == 0 { value % 100.0 } else { value };
            let state = RacelineState {
                position_m: [near(x), near(y), 0.0],
                heading_rad,
                speed_mps: near(speed_mps),
                ..RacelineState::default()
            };
            let other = |&[x, y, dx, dy, size]: &[f32; 5]| {
                (([x, y].map(|value| near(f64::from(value)))), [dx, dy].map(f64::from), f64::from(size))
            };
            let others: Vec<_> = frame.others.iter().map(other).collect();
            let neighbours: Vec<RacelineNeighbour> = others
                .iter()
                .map(|&([x, y], [dx, dy], length_m)| RacelineNeighbour {
                    position_m: [x, y, 0.0],
                    velocity_mps: [dx, dy, 0.0],
                    length_m,
                    ..RacelineNeighbour::default()
                })
                .collect();
            let obstacles: Vec<RacelineBody> = others
                .iter()
                .map(|&(position_m, velocity_mps, radius_m)| RacelineBody {
                    position_m,
                    velocity_mps,
                    radius_m,
                    ..RacelineBody::default()
                })
                .collect();
            let pick_ups: Vec<RacelinePickUp> = others
                .iter()
                .map(|&([x, y], _, radius_m)| RacelinePickUp {
                    position_m: [x, y, 0.0],
                    radius_m,
                    ..RacelinePickUp::default()
                })
                .collect();
            let scene = RacelineScene {
                neighbours: neighbours.as_ptr(),
                neighbour_count: neighbours.len(),
                obstacles: obstacles.as_ptr(),
                obstacle_count: obstacles.len() / 2,
                pick_ups: pick_ups.as_ptr(),
                pick_up_count: pick_ups.len(),
                ..RacelineScene::default()
            };
            let mut command = RacelineCommand::default();
            let dt_s = f64::from(frame.dt_s);
            let status =
                raceline_follower_step(follower, path, &raw const state, &raw const scene, dt_s, &raw mut command);
            assert_eq!(status, RacelineStatus::Ok);
            assert!(command.pedal.abs() <= 1.0 && command.steering_rad.is_finite());
        }
        raceline_follower_free(follower);
        raceline_path_free(path);
    }
}
