//! The interface before version 1, which programs that cannot be changed use.

#![cfg(feature = "capi")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]
#![allow(unsafe_code, reason = "calls the C interface")]

use std::ffi::CStr;
use std::mem::MaybeUninit;
use std::ptr::null_mut;

use raceline_follower::capi::*;
use raceline_follower::{Follower, FollowerOptions, Scene, VehicleState, json};

#[test]
fn the_earlier_interface_drives_as_the_present_one() {
    let bytes = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tracks/stadium.raceline.json")).unwrap();
    let line = json::read(&bytes).unwrap();
    let mut options = FollowerOptions::for_racing();
    options.set("target_speed.max_speed_mps", 30.0).unwrap();
    let mut follower = Follower::new(options, line.vehicle).unwrap();
    let (mut path, mut options, mut handle) = (null_mut(), null_mut(), null_mut());
    let (mut info, mut command) = (MaybeUninit::<RlfLineInfo>::uninit(), MaybeUninit::<RlfCommand>::uninit());
    // SAFETY: every pointer leads to what the documentation of the calls requires, and all is freed once.
    unsafe {
        assert_eq!(rlf_abi_version(), 1);
        let status = rlf_path_from_json(bytes.as_ptr(), bytes.len(), &raw mut path, info.as_mut_ptr());
        assert_eq!(status, RacelineStatus::Ok);
        let info = info.assume_init();
        assert_eq!((info.lap_time_s, info.has_vehicle), (line.lap_time_s, 1));
        assert_eq!(rlf_options_new(1, &raw mut options), RacelineStatus::Ok);
        assert_eq!(rlf_options_set(options, c"target_speed.max_speed_mps".as_ptr(), 30.0), RacelineStatus::Ok);
        assert_eq!(rlf_options_set(options, c"stuck.tries".as_ptr(), 30.0), RacelineStatus::Value);
        assert!(CStr::from_ptr(rlf_last_error()).to_str().unwrap().contains("stuck.tries"));
        assert_eq!(rlf_follower_new(options, &raw const info.vehicle, &raw mut handle), RacelineStatus::Ok);
        rlf_options_free(options);
        for frame in 0..50 {
            let there = line.path.sample(f64::from(frame));
            let (sin, cos) = there.heading_rad.sin_cos();
            let seen = RlfVehicleState {
                position_m: there.position_m,
                heading_rad: there.heading_rad + 0.05,
                speed_mps: 20.0,
                velocity_mps: [20.0 * cos, 20.0 * sin, 0.0],
                yaw_rate_radps: 20.0 * there.curvature_radpm,
            };
            let status = rlf_follower_step(handle, path, &raw const seen, 1.0 / 60.0, command.as_mut_ptr());
            assert_eq!(status, RacelineStatus::Ok);
            let state = VehicleState {
                position_m: seen.position_m,
                heading_rad: seen.heading_rad,
                speed_mps: seen.speed_mps,
                velocity_mps: seen.velocity_mps,
                yaw_rate_radps: seen.yaw_rate_radps,
            };
            let expected = follower.step(&line.path, &state, &Scene::EMPTY, 1.0 / 60.0);
            let command = command.assume_init();
            assert_eq!((command.pedal, command.steering_rad), (expected.pedal, expected.steering_rad));
            assert_eq!((command.s_m, command.target_speed_mps), (expected.s_m, expected.target_speed_mps));
        }
        rlf_follower_free(handle);
        rlf_path_free(path);
    }
}
