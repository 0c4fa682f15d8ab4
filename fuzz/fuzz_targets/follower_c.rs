//! Any numbers as arguments of the C interface; a bit of the first byte each says which pointers
//! are null.
#![no_main]

use std::mem::MaybeUninit;
use std::ptr::{null, null_mut};

use libfuzzer_sys::fuzz_target;
use raceline_follower::capi::{
    RlfCommand, RlfStatus, RlfVehicleGeometry, RlfVehicleState, RlfWaypoint, rlf_follower_free, rlf_follower_new_of_kind,
    rlf_follower_step, rlf_options_free, rlf_options_new, rlf_options_set, rlf_path_free, rlf_path_from_json,
    rlf_path_new,
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

fuzz_target!(|bytes: &[u8]| {
    let Some((&[nulls, closed, count, key_length], rest)) = bytes.split_first_chunk::<4>() else { return };
    let (key, rest) = rest.split_at(usize::from(key_length).min(rest.len()));
    let Ok(key) = std::ffi::CString::new(key) else { return };
    let mut numbers = Numbers(rest);
    let is_null = |bit: u8| nulls >> bit & 1 == 1;
    let waypoints: Vec<RlfWaypoint> = (0..count)
        .map(|_| RlfWaypoint {
            position_m: numbers.point(),
            left_m: numbers.next(),
            right_m: numbers.next(),
            speed_mps: numbers.next(),
            curvature_radpm: numbers.next(),
        })
        .collect();
    let vehicle = RlfVehicleGeometry {
        wheelbase_m: numbers.next(),
        max_steering_rad: numbers.next(),
        length_m: numbers.next(),
        width_m: numbers.next(),
        rear_axle_m: numbers.next(),
        grip_g: numbers.next(),
        max_yaw_rate_radps: numbers.next(),
    };
    let (mut path, mut options, mut follower) = (null_mut(), null_mut(), null_mut());
    // SAFETY: every pointer is null or leads to what the calls say, and handles are freed once.
    unsafe {
        let first = if is_null(0) { null() } else { waypoints.as_ptr() };
        rlf_path_new(first, waypoints.len(), i32::from(closed), if is_null(1) { null_mut() } else { &raw mut path });
        if path.is_null() {
            rlf_path_from_json(rest.as_ptr(), rest.len(), &raw mut path, null_mut());
        }
        if !is_null(2) {
            rlf_options_new(i32::from(closed & 2), &raw mut options);
        }
        rlf_options_set(options, key.as_ptr(), numbers.next());
        let build = if is_null(3) { null() } else { &raw const vehicle };
        let kind = numbers.next() as i32;
        rlf_follower_new_of_kind(options, build, kind, if is_null(4) { null_mut() } else { &raw mut follower });
        for _ in 0..16 {
            let state = RlfVehicleState {
                position_m: numbers.point(),
                heading_rad: numbers.next(),
                speed_mps: numbers.next(),
                velocity_mps: numbers.point(),
                yaw_rate_radps: numbers.next(),
            };
            let mut command = MaybeUninit::<RlfCommand>::uninit();
            let at = if is_null(5) { null() } else { &raw const state };
            let out = if is_null(6) { null_mut() } else { command.as_mut_ptr() };
            let status = rlf_follower_step(follower, path, at, numbers.next(), out);
            assert!(matches!(status, RlfStatus::Ok | RlfStatus::Pointer));
            if status == RlfStatus::Ok {
                let command = command.assume_init();
                assert!(command.pedal.abs() <= 1.0 && command.steering_rad.is_finite());
            }
        }
        rlf_follower_free(follower);
        rlf_options_free(options);
        rlf_path_free(path);
    }
});
