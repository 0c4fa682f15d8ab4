//! What the C interface refuses: wrong pointers, structs of other headers, and absurd arguments.

#![cfg(feature = "capi")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]
#![allow(unsafe_code, reason = "calls the C interface")]

use std::ffi::CString;
use std::mem::offset_of;
use std::ptr::{null, null_mut};

use proptest::prelude::*;
use raceline_follower::capi::*;
use raceline_follower::{Follower, FollowerOptions, Path, Scene, VehicleGeometry, VehicleState};

use super::capi::{Handles, last_error, path_of_rust, square, state};

/// The first `size` bytes of a struct, as a program with an older header passes it.
fn older<T: Copy>(value: T, size: usize) -> Vec<u64> {
    let mut bytes = vec![u64::MAX; size_of::<T>().div_ceil(8)];
    // SAFETY: a struct of the interface has no padding and at most the alignment of the list, whose
    // last part is not the struct's.
    unsafe {
        std::ptr::copy_nonoverlapping((&raw const value).cast::<u8>(), bytes.as_mut_ptr().cast::<u8>(), size);
        bytes.as_mut_ptr().cast::<u32>().write(size as u32);
    }
    bytes
}

#[test]
fn structs_of_an_older_header_are_accepted_and_those_of_a_newer_are_not() {
    let handles = Handles::new(&RacelineFollowerOptions::default());
    // A state without velocity and yaw rate, a scene without pick-ups, a command that ends before s_m.
    let whole = RacelineState { velocity_mps: [9.0; 3], yaw_rate_radps: 9.0, ..state([5.0, 0.5, 0.0], 0.0, 3.0) };
    let at = older(whole, offset_of!(RacelineState, velocity_mps));
    let scene = older(RacelineScene { reverse: 1, ..Default::default() }, offset_of!(RacelineScene, pick_ups));
    let mut out = older(RacelineCommand::default(), offset_of!(RacelineCommand, s_m));
    // SAFETY: every pointer leads to as many bytes as the structs state.
    let command = unsafe {
        let (at, scene) = (at.as_ptr().cast::<RacelineState>(), scene.as_ptr().cast::<RacelineScene>());
        let out = out.as_mut_ptr().cast::<RacelineCommand>();
        assert_eq!(raceline_follower_step(handles.1, handles.0, at, scene, 1.0 / 60.0, out), RacelineStatus::Ok);
        out.read()
    };
    let mut follower = Follower::new(FollowerOptions::default(), VehicleGeometry::default()).unwrap();
    let seen = VehicleState::new([5.0, 0.5, 0.0], 0.0, 3.0);
    let expected = follower.step(&path_of_rust(), &seen, &Scene::EMPTY.with_reverse(true), 1.0 / 60.0);
    assert_eq!((command.pedal, command.nearest_point_m), (expected.pedal, expected.nearest_point_m));
    assert_eq!(command.struct_size as usize, offset_of!(RacelineCommand, s_m));
    assert!(command.s_m.to_bits() == u64::MAX && command.reverse == 255, "nothing is written behind the end");

    // An array of smaller structs has their stride; sizes that differ are refused.
    let lamps = [20.0, 30.0].map(|x| RacelineNeighbour { position_m: [x, 0.0, 0.0], ..Default::default() });
    let size = offset_of!(RacelineNeighbour, length_m);
    let mut packed = older(lamps[0], size);
    packed.truncate(size / 8);
    packed.extend(&older(lamps[1], size)[..size / 8]);
    let scene =
        |neighbours: *const RacelineNeighbour| RacelineScene { neighbours, neighbour_count: 2, ..Default::default() };
    let at = state([5.0, 0.5, 0.0], 0.0, 8.0);
    let (small, usual) = (scene(packed.as_ptr().cast()), scene(lamps.as_ptr()));
    let first = Handles::new(&RacelineFollowerOptions::default()).step(&at, &raw const small);
    let second = Handles::new(&RacelineFollowerOptions::default()).step(&at, &raw const usual);
    assert!(first.avoiding == 1 && first.steering_rad == second.steering_rad);
    let mixed = [lamps[0], RacelineNeighbour { struct_size: 8, ..lamps[1] }];
    let mut newer = RacelineState { struct_size: size_of::<RacelineState>() as u32 + 8, ..at };
    let mut command = RacelineCommand::default();
    // SAFETY: as above.
    unsafe {
        let mut step = |at: *const RacelineState, scene: &RacelineScene| {
            raceline_follower_step(handles.1, handles.0, at, &raw const *scene, 0.02, &raw mut command)
        };
        assert_eq!(step(&raw const at, &scene(mixed.as_ptr())), RacelineStatus::Value);
        assert_eq!(last_error(), "neighbours: the sizes of entries 0 and 1 differ");
        for size in [newer.struct_size, 0, 3, 9, 12, 20] {
            newer.struct_size = size;
            assert_eq!(step(&raw const newer, &usual), RacelineStatus::Value, "{size}");
            assert!(
                last_error().starts_with(&format!("state: struct_size is {size}, but must be")),
                "{}",
                last_error()
            );
        }
    }
}

#[test]
fn refusals_name_what_is_wrong() {
    let handles = Handles::new(&RacelineFollowerOptions::default());
    let mut path = std::ptr::dangling_mut::<Path>();
    let at = state([0.0; 3], 0.0, 0.0);
    let mut command = RacelineCommand::default();
    let waypoints = square();
    // SAFETY: every pointer that isn't null leads to what the documentation of the calls requires,
    // or is misaligned, which is refused.
    unsafe {
        assert_eq!(raceline_path_new(null(), 4, 1, &raw mut path), RacelineStatus::Pointer);
        assert_eq!((last_error().as_str(), path.is_null()), ("waypoints is null", true));
        assert_eq!(raceline_path_new(null(), 0, 1, &raw mut path), RacelineStatus::Path);
        assert_eq!(raceline_path_new(waypoints.as_ptr(), usize::MAX, 1, &raw mut path), RacelineStatus::Value);
        assert_eq!(raceline_path_new(waypoints.as_ptr(), 4, 1, null_mut()), RacelineStatus::Pointer);
        let odd = waypoints.as_ptr().byte_add(1);
        assert_eq!(raceline_path_new(odd, 3, 1, &raw mut path), RacelineStatus::Pointer);
        assert!(last_error().contains("isn't aligned to 8 bytes"));
        let from_json =
            |bytes: *const u8, count, path| raceline_path_from_json(bytes, count, path, null_mut(), null_mut());
        assert_eq!(from_json(b"{}".as_ptr(), 2, &raw mut path), RacelineStatus::Json);
        assert!(last_error().starts_with("\"format\" is missing"), "{}", last_error());
        assert_eq!(from_json(null(), usize::MAX, &raw mut path), RacelineStatus::Pointer);
        assert!(raceline_path_length_m(null()).is_nan());
        let wide = RacelineCorridorOptions { fraction: 1.5, ..RacelineCorridorOptions::default() };
        let minimum = |of, path| raceline_path_minimum_curvature(of, &raw const wide, path);
        assert_eq!(minimum(null(), &raw mut path), RacelineStatus::Pointer);
        assert_eq!(minimum(handles.0, &raw mut path), RacelineStatus::Value);
        assert!(last_error().ends_with("is 1.5, but must be 0 to 1") && path.is_null(), "{}", last_error());
        assert_eq!(raceline_path_sample_at(handles.0, 0.0, null_mut()), RacelineStatus::Pointer);
        let mut sample = RacelinePathSample::default();
        assert_eq!(raceline_path_sample_at(null(), 0.0, &raw mut sample), RacelineStatus::Pointer);

        let mut follower = null_mut();
        let mut refused = |options: RacelineFollowerOptions| {
            let status = raceline_follower_new(&raw const options, &raw mut follower);
            assert!(follower.is_null());
            (status, last_error())
        };
        let default = RacelineFollowerOptions::default();
        for (key, value, message) in [
            (c"stuck.tries", 1.0, "there is no option stuck.tries"),
            (c"stuck.attempts", 1.5, "option stuck.attempts is 1.5, but must be"),
            (c"target_speed.mode", f64::NAN, "option target_speed.mode is NaN, but must be"),
            (c"lookahead.base_m", -5.0, "lookahead.base_m is -5"),
        ] {
            let option = RacelineOption { key: key.as_ptr(), value };
            let options = RacelineFollowerOptions { options: &raw const option, option_count: 1, ..default };
            let (status, text) = refused(options);
            assert!(status == RacelineStatus::Value && text.starts_with(message), "{text}");
        }
        for (options, message) in [
            (RacelineFollowerOptions { preset: 4, ..default }, "preset is 4, but must be 0, 1, 2 or 3"),
            (RacelineFollowerOptions { preset: 2, ..default }, "preset is RACELINE_PRESET_LIMIT, but path has no"),
            (RacelineFollowerOptions { preset: 2, path: handles.0, ..default }, "preset is RACELINE_PRESET_LIMIT"),
        ] {
            let (status, text) = refused(options);
            assert!(status == RacelineStatus::Value && text.starts_with(message), "{text}");
        }
        let nameless = RacelineOption { key: null(), value: 1.0 };
        let options = RacelineFollowerOptions { options: &raw const nameless, option_count: 1, ..default };
        assert_eq!(refused(options), (RacelineStatus::Pointer, "key is null".to_owned()));
        let vehicle = RacelineVehicle { kind: 3, ..RacelineVehicle::default() };
        let options = RacelineFollowerOptions { vehicle: &raw const vehicle, ..default };
        assert_eq!(refused(options), (RacelineStatus::Value, "kind is 3, but must be 0, 1 or 2".to_owned()));
        let planner = RacelinePlannerOptions { horizon_m: 1.0, ..RacelinePlannerOptions::default() };
        let status = raceline_follower_set_planner(handles.1, handles.0, &raw const planner);
        assert!(status == RacelineStatus::Value && last_error().starts_with("horizon_m is 1, but must be"));
        assert_eq!(raceline_follower_set_planner(null_mut(), null(), null()), RacelineStatus::Pointer);
        assert_eq!(raceline_follower_new(null(), null_mut()), RacelineStatus::Pointer);

        assert_eq!(raceline_follower_reset(null_mut()), RacelineStatus::Pointer);
        let step =
            |follower, path, state, command| raceline_follower_step(follower, path, state, null(), 0.016, command);
        assert_eq!(step(null_mut(), handles.0, &raw const at, &raw mut command), RacelineStatus::Pointer);
        assert_eq!(step(handles.1, null(), &raw const at, &raw mut command), RacelineStatus::Pointer);
        assert_eq!(step(handles.1, handles.0, null(), &raw mut command), RacelineStatus::Pointer);
        assert_eq!(step(handles.1, handles.0, &raw const at, null_mut()), RacelineStatus::Pointer);
        raceline_path_free(null_mut());
        raceline_follower_free(null_mut());
    }
}

/// Numbers that a game's defect may produce.
fn absurd() -> impl Strategy<Value = f64> {
    prop_oneof![
        3 => -100.0..100.0_f64,
        1 => prop::sample::select(vec![
            f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN, f64::MIN_POSITIVE, 5e-324, 0.0, -0.0, 1e8, -1e7, 1e300,
        ]),
        1 => any::<f64>(),
    ]
}

proptest! {
    // Miri interprets them: a case takes minutes.
    #![proptest_config(ProptestConfig { cases: if cfg!(miri) { 2 } else { 300 }, failure_persistence: None, ..ProptestConfig::default() })]

    /// What the fuzz target `follower_c` does, on numbers chosen to hurt.
    #[test]
    fn absurd_arguments_give_a_status_and_finite_commands(
        points in prop::collection::vec(prop::array::uniform7(absurd()), 0..12),
        closed in any::<i32>(),
        sizes in prop::array::uniform7(absurd()),
        kind in -1..4,
        frames in prop::collection::vec((prop::array::uniform9(absurd()), absurd()), 1..20),
        key in "(target_speed|lookahead|steering|speed_control|stuck|boost)\\.[a-z_0-9]{0,30}|[a-z.]{0,40}",
        value in absurd(),
    ) {
        let handles = Handles::new(&RacelineFollowerOptions::default());
        let waypoints: Vec<RacelineWaypoint> = points
            .iter()
            .map(|&[x, y, z, left_m, right_m, speed_mps, curvature_radpm]| RacelineWaypoint {
                position_m: [x, y, z], left_m, right_m, speed_mps, curvature_radpm, ..Default::default()
            })
            .collect();
        let [wheelbase_m, max_steering_rad, length_m, width_m, rear_axle_m, grip_g, max_yaw_rate_radps] = sizes;
        let vehicle = RacelineVehicle {
            kind, wheelbase_m, max_steering_rad, length_m, width_m, rear_axle_m, grip_g, max_yaw_rate_radps,
            ..Default::default()
        };
        let key = CString::new(key).unwrap();
        let option = RacelineOption { key: key.as_ptr(), value };
        // SAFETY: every pointer leads to what the documentation of the calls requires.
        unsafe {
            let mut path = null_mut();
            let path_status = raceline_path_new(waypoints.as_ptr(), waypoints.len(), closed, &raw mut path);
            prop_assert_eq!(path_status == RacelineStatus::Ok, !path.is_null());
            prop_assert!(path_status != RacelineStatus::Internal);
            let mut follower = null_mut();
            for option_count in [0, 1] {
                raceline_follower_free(follower);
                let options = RacelineFollowerOptions {
                    vehicle: &raw const vehicle, options: &raw const option, option_count, ..Default::default()
                };
                let status = raceline_follower_new(&raw const options, &raw mut follower);
                prop_assert!(status == RacelineStatus::Ok || status == RacelineStatus::Value);
            }
            let driver = if follower.is_null() { handles.1 } else { follower };
            for (index, &([x, y, z, heading, speed, vx, vy, vz, yaw], dt)) in frames.iter().enumerate() {
                let at = RacelineState {
                    position_m: [x, y, z],
                    heading_rad: heading,
                    speed_mps: speed,
                    velocity_mps: [vx, vy, vz],
                    yaw_rate_radps: yaw,
                    ..Default::default()
                };
                let on = if index % 3 == 2 || path.is_null() { handles.0 } else { path };
                let neighbour = RacelineNeighbour {
                    position_m: [y, x, z], velocity_mps: [vz, vx, vy], length_m: yaw, ..Default::default()
                };
                let scene = RacelineScene {
                    neighbours: &raw const neighbour, neighbour_count: index % 2, reverse: index as i32 % 5 / 4,
                    ..Default::default()
                };
                let mut command = RacelineCommand::default();
                let status =
                    raceline_follower_step(driver, on, &raw const at, &raw const scene, dt, &raw mut command);
                prop_assert_eq!(status, RacelineStatus::Ok, "{}", last_error());
                prop_assert!(command.pedal.abs() <= 1.0 && command.steering_rad.is_finite(), "{:?}", command);
                prop_assert!(command.target_speed_mps.is_finite() && command.s_m.is_finite(), "{:?}", command);
            }
            raceline_follower_free(follower);
            raceline_path_free(path);
        }
    }
}
