//! Calls through the C interface: the same as in Rust, refusals, and absurd arguments.

#![cfg(feature = "capi")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]
#![allow(unsafe_code, reason = "calls the C interface")]

use std::ffi::{CStr, CString};
use std::mem::MaybeUninit;
use std::ptr::{null, null_mut};

use proptest::prelude::*;
use raceline_follower::capi::{
    ABI_VERSION, RlfCommand, RlfNeighbour, RlfStatus, RlfVehicleGeometry, RlfVehicleState, RlfWaypoint,
    rlf_abi_version, rlf_follower_free, rlf_follower_is_avoiding, rlf_follower_new, rlf_follower_new_of_kind,
    rlf_follower_reset, rlf_follower_step, rlf_follower_step_in_traffic, rlf_last_error, rlf_learning_apply,
    rlf_learning_fault, rlf_learning_free, rlf_learning_interrupt, rlf_learning_new, rlf_learning_new_told,
    rlf_learning_observe, rlf_learning_recall, rlf_learning_remember, rlf_learning_settle, rlf_options_free,
    rlf_options_new, rlf_options_set, rlf_path_free, rlf_path_from_json, rlf_path_height_m, rlf_path_length_m,
    rlf_path_minimum_curvature, rlf_path_new, rlf_path_sample, rlf_vehicle_default,
};
use raceline_follower::{CorridorOptions, Follower, FollowerOptions, Path, Scene};

fn last_error() -> String {
    // SAFETY: the text lives until the next failing call on this thread.
    unsafe { CStr::from_ptr(rlf_last_error()) }.to_str().unwrap().to_owned()
}

fn square() -> Vec<RlfWaypoint> {
    let corner = |x, y| RlfWaypoint {
        position_m: [x, y, 0.0],
        left_m: 3.0,
        right_m: f64::INFINITY,
        speed_mps: f64::NAN,
        curvature_radpm: f64::NAN,
    };
    vec![corner(0.0, 0.0), corner(50.0, 0.0), corner(50.0, 50.0), corner(0.0, 50.0)]
}

/// A path, options and a follower, as a C program gets them.
struct Handles(*mut Path, *mut FollowerOptions, *mut Follower);

impl Handles {
    fn new() -> Self {
        let mut handles = Self(null_mut(), null_mut(), null_mut());
        let waypoints = square();
        let mut vehicle = MaybeUninit::uninit();
        // SAFETY: every pointer leads to what the calls say.
        unsafe {
            assert_eq!(rlf_path_new(waypoints.as_ptr(), waypoints.len(), 1, &raw mut handles.0), RlfStatus::Ok);
            assert_eq!(rlf_options_new(0, &raw mut handles.1), RlfStatus::Ok);
            assert_eq!(rlf_vehicle_default(vehicle.as_mut_ptr()), RlfStatus::Ok);
            assert_eq!(rlf_follower_new(handles.1, vehicle.as_ptr(), &raw mut handles.2), RlfStatus::Ok);
        }
        handles
    }
}

impl Drop for Handles {
    fn drop(&mut self) {
        // SAFETY: they were made by `new`, and nobody has them any more.
        unsafe {
            rlf_follower_free(self.2);
            rlf_options_free(self.1);
            rlf_path_free(self.0);
        }
    }
}

fn state(position_m: [f64; 3], heading_rad: f64, speed_mps: f64) -> RlfVehicleState {
    RlfVehicleState { position_m, heading_rad, speed_mps, velocity_mps: [f64::NAN; 3], yaw_rate_radps: f64::NAN }
}

#[test]
fn a_step_through_c_is_a_step_in_rust() {
    let handles = Handles::new();
    let at = state([5.0, 0.5, 0.0], 0.0, 3.0);
    let mut command = MaybeUninit::<RlfCommand>::uninit();
    // SAFETY: every pointer leads to what the call says.
    let command = unsafe {
        let status = rlf_follower_step(handles.2, handles.0, &raw const at, 1.0 / 60.0, command.as_mut_ptr());
        assert_eq!(status, RlfStatus::Ok);
        command.assume_init()
    };
    let waypoints = square().into_iter().map(Into::into).collect();
    let path = Path::new(waypoints, true).unwrap();
    let mut follower =
        Follower::new(FollowerOptions::default(), raceline_follower::VehicleGeometry::default()).unwrap();
    let expected = follower.step(&path, &at.into(), &Scene::EMPTY, 1.0 / 60.0);
    assert_eq!((command.pedal, command.steering_rad), (expected.pedal, expected.steering_rad));
    assert_eq!((command.s_m, command.cross_track_error_m), (expected.s_m, expected.cross_track_error_m));
    assert_eq!(command.target_point_m, expected.target_point_m);
    assert_eq!((command.state, command.event_cause, command.reverse, command.place_back), (0, 0, 0, 0));
    // SAFETY: the path is alive.
    assert_eq!(unsafe { (rlf_path_length_m(handles.0), rlf_path_height_m(handles.0, 5.0)) }, (200.0, 0.0));
    assert_eq!(rlf_abi_version(), ABI_VERSION);
}

#[test]
fn a_line_through_c_is_a_line_in_rust() {
    let handles = Handles::new();
    let mut line = null_mut();
    // SAFETY: every pointer leads to what the calls say, and the line is freed once.
    let length = unsafe {
        assert_eq!(rlf_path_minimum_curvature(handles.0, 0.8, 1.2, 2.0, &raw mut line), RlfStatus::Ok);
        let length = rlf_path_length_m(line);
        rlf_path_free(line);
        length
    };
    let waypoints = square().into_iter().map(Into::into).collect();
    let expected = Path::new(waypoints, true).unwrap().minimum_curvature(&CorridorOptions::default()).unwrap();
    assert_eq!(length, expected.length_m());
    assert!(length < 195.0, "the square's corners are cut: {length} m of 200");
}

#[test]
fn every_option_has_its_key() {
    // The names as Rust prints them: `group: Struct { field: value, … }`.
    let printed = format!("{:?}", FollowerOptions::for_racing());
    let (_, inner) = printed.split_once('{').unwrap();
    let (mut group, mut keys) = (String::new(), 0);
    let handles = Handles::new();
    for part in inner.split([',', '}']).map(str::trim).filter(|part| part.contains(':')) {
        let field = match part.split_once('{') {
            Some((head, field)) => {
                head.split(':').next().unwrap().trim().clone_into(&mut group);
                field
            }
            None => part,
        };
        let key = CString::new(format!("{group}.{}", field.split(':').next().unwrap().trim())).unwrap();
        // SAFETY: both pointers lead to what the call says.
        let status = unsafe { rlf_options_set(handles.1, key.as_ptr(), 1.0) };
        assert_eq!(status, RlfStatus::Ok, "{key:?}: {}", last_error());
        keys += 1;
    }
    assert!(keys > 50, "only {keys} options found in {printed}");
}

#[test]
fn traffic_through_c_is_traffic_in_rust() {
    let handles = Handles::new();
    let at = state([5.0, 0.5, 0.0], 0.0, 8.0);
    let parked = RlfNeighbour {
        position_m: [25.0, 0.0, 0.0],
        velocity_mps: [0.0; 3],
        heading_rad: 0.0,
        length_m: 4.0,
        width_m: 1.8,
    };
    let waypoints = square().into_iter().map(Into::into).collect();
    let path = Path::new(waypoints, true).unwrap();
    let mut follower =
        Follower::new(FollowerOptions::default(), raceline_follower::VehicleGeometry::default()).unwrap();
    for (count, avoids) in [(0, 0), (1, 1)] {
        let mut command = MaybeUninit::<RlfCommand>::uninit();
        let neighbours = if count == 0 { null() } else { &raw const parked };
        // SAFETY: every pointer leads to what the calls say.
        let command = unsafe {
            let status = rlf_follower_step_in_traffic(
                handles.2,
                handles.0,
                &raw const at,
                neighbours,
                count,
                1.0 / 60.0,
                command.as_mut_ptr(),
            );
            assert_eq!(status, RlfStatus::Ok);
            assert_eq!(rlf_follower_is_avoiding(handles.2), avoids);
            command.assume_init()
        };
        let others = [parked.into()];
        let expected = follower.step(&path, &at.into(), &Scene::EMPTY.with_neighbours(&others[..count]), 1.0 / 60.0);
        assert_eq!((command.pedal, command.steering_rad), (expected.pedal, expected.steering_rad));
        assert_eq!(command.target_point_m, expected.target_point_m);
    }
    // SAFETY: as above; null is refused.
    unsafe {
        let mut command = MaybeUninit::<RlfCommand>::uninit();
        let (at, command) = (&raw const at, command.as_mut_ptr());
        let status = rlf_follower_step_in_traffic(handles.2, handles.0, at, null(), 2, 0.02, command);
        assert_eq!((status, last_error().as_str()), (RlfStatus::Pointer, "neighbours is null"));
        assert_eq!(rlf_follower_is_avoiding(null()), 0);
    }
}

#[test]
fn learning_through_c_remembers_and_refuses() {
    let mut waypoints = square();
    let (mut path, mut other, mut learning) = (null_mut(), null_mut(), null_mut());
    let mut vehicle = MaybeUninit::uninit();
    let handles = Handles::new();
    let at = state([5.0, 0.5, 0.0], 0.0, 3.0);
    let mut command = MaybeUninit::<RlfCommand>::uninit();
    // SAFETY: every pointer leads to what the calls say, and all is freed once.
    unsafe {
        assert_eq!(rlf_vehicle_default(vehicle.as_mut_ptr()), RlfStatus::Ok);
        let new = |path, lowest, learning| rlf_learning_new(path, vehicle.as_ptr(), lowest, f64::NAN, learning);
        assert_eq!(new(handles.0, f64::NAN, &raw mut learning), RlfStatus::Path);
        assert!(last_error().starts_with("waypoint 0 has no speed") && learning.is_null());
        waypoints.iter_mut().for_each(|waypoint| waypoint.speed_mps = 5.0);
        assert_eq!(rlf_path_new(waypoints.as_ptr(), 4, 1, &raw mut path), RlfStatus::Ok);
        assert_eq!(rlf_path_new(waypoints.as_ptr(), 3, 1, &raw mut other), RlfStatus::Ok);
        assert_eq!(new(path, 0.1, &raw mut learning), RlfStatus::Value);
        assert_eq!(new(path, 0.9, &raw mut learning), RlfStatus::Ok);
        let status = rlf_follower_step(handles.2, path, &raw const at, 1.0 / 60.0, command.as_mut_ptr());
        assert_eq!(status, RlfStatus::Ok);
        let (mut ended, mut time) = (-1, 0.0);
        let (at, command) = (&raw const at, command.as_ptr());
        let status = rlf_learning_observe(learning, path, at, command, 0.02, &raw mut ended, &raw mut time);
        assert!(status == RlfStatus::Ok && ended == 0 && time.is_nan());
        assert_eq!(rlf_learning_observe(learning, path, at, command, 0.02, &raw mut ended, null_mut()), RlfStatus::Ok);
        assert_eq!(rlf_learning_apply(learning, path), RlfStatus::Ok);
        assert_eq!(rlf_learning_apply(learning, other), RlfStatus::Path);
        let mut count = 0;
        assert_eq!(rlf_learning_remember(learning, null_mut(), 0, &raw mut count), RlfStatus::Ok);
        let mut bytes = vec![0_u8; count];
        assert_eq!(rlf_learning_remember(learning, bytes.as_mut_ptr(), count, &raw mut count), RlfStatus::Ok);
        assert!(bytes.starts_with(b"{\"format\":\"raceline-learned\""));
        assert_eq!(rlf_learning_recall(learning, bytes.as_ptr(), count), RlfStatus::Ok);
        assert_eq!(rlf_learning_recall(learning, bytes.as_ptr(), 5), RlfStatus::Json);
        assert_eq!(rlf_learning_interrupt(learning), RlfStatus::Ok);
        rlf_learning_free(learning);
        let told = rlf_learning_new_told(path, vehicle.as_ptr(), f64::NAN, 1.6, &raw mut learning);
        assert!(told == RlfStatus::Value && learning.is_null());
        let told = rlf_learning_new_told(path, vehicle.as_ptr(), f64::NAN, f64::NAN, &raw mut learning);
        assert_eq!((told, rlf_learning_fault(learning)), (RlfStatus::Ok, RlfStatus::Ok));
        assert_eq!(rlf_learning_fault(null_mut()), RlfStatus::Pointer);
        assert_eq!(rlf_learning_settle(learning), RlfStatus::Ok);
        assert_eq!(rlf_learning_settle(null_mut()), RlfStatus::Pointer);
        rlf_learning_free(learning);
        rlf_learning_free(null_mut());
        rlf_path_free(path);
        rlf_path_free(other);
    }
}

#[test]
fn refusals_say_what_is_wrong() {
    let handles = Handles::new();
    let mut path = std::ptr::dangling_mut::<Path>();
    let at = state([0.0; 3], 0.0, 0.0);
    let mut command = MaybeUninit::<RlfCommand>::uninit();
    let waypoints = square();
    // SAFETY: every pointer that isn't null leads to what the calls say, or is misaligned, which is
    // refused.
    unsafe {
        assert_eq!(rlf_path_new(null(), 4, 1, &raw mut path), RlfStatus::Pointer);
        assert_eq!((last_error().as_str(), path.is_null()), ("waypoints is null", true));
        assert_eq!(rlf_path_new(null(), 0, 1, &raw mut path), RlfStatus::Path);
        assert_eq!(rlf_path_new(waypoints.as_ptr(), usize::MAX, 1, &raw mut path), RlfStatus::Value);
        assert_eq!(rlf_path_new(waypoints.as_ptr(), 4, 1, null_mut()), RlfStatus::Pointer);
        assert_eq!(rlf_path_new(waypoints.as_ptr().byte_add(1), 3, 1, &raw mut path), RlfStatus::Pointer);
        assert!(last_error().contains("isn't aligned to 8 bytes"));
        assert_eq!(rlf_path_from_json(b"{}".as_ptr(), 2, &raw mut path, null_mut()), RlfStatus::Json);
        assert!(last_error().starts_with("\"format\" is missing"), "{}", last_error());
        assert_eq!(rlf_path_from_json(null(), usize::MAX, &raw mut path, null_mut()), RlfStatus::Pointer);
        assert!(rlf_path_length_m(null()).is_nan());
        assert!(rlf_path_height_m(null(), 0.0).is_nan());
        assert_eq!(rlf_path_minimum_curvature(null(), 0.5, 1.0, 2.0, &raw mut path), RlfStatus::Pointer);
        assert_eq!(rlf_path_minimum_curvature(handles.0, 1.5, 1.0, 2.0, &raw mut path), RlfStatus::Value);
        assert_eq!((last_error().as_str(), path.is_null()), ("share is 1.5, but must be 0 to 1", true));
        assert_eq!(rlf_path_sample(null(), 0.0, null_mut(), null_mut()), RlfStatus::Pointer);
        assert_eq!(rlf_options_set(handles.1, null(), 1.0), RlfStatus::Pointer);
        assert_eq!(rlf_options_set(null_mut(), c"stuck.attempts".as_ptr(), 1.0), RlfStatus::Pointer);
        assert_eq!(rlf_options_set(handles.1, c"stuck.tries".as_ptr(), 1.0), RlfStatus::Value);
        assert!(last_error().starts_with("there is no option stuck.tries"));
        assert_eq!(rlf_options_set(handles.1, c"stuck.attempts".as_ptr(), 1.5), RlfStatus::Value);
        assert_eq!(rlf_options_set(handles.1, c"target_speed.mode".as_ptr(), f64::NAN), RlfStatus::Value);
        assert_eq!(rlf_options_set(handles.1, c"target_speed.mode".as_ptr(), 2.0), RlfStatus::Ok);
        assert_eq!(rlf_options_set(handles.1, c"lookahead.base_m".as_ptr(), -5.0), RlfStatus::Ok);
        let mut follower = null_mut();
        let mut vehicle = MaybeUninit::uninit();
        assert_eq!(rlf_vehicle_default(vehicle.as_mut_ptr()), RlfStatus::Ok);
        assert_eq!(rlf_follower_new(handles.1, vehicle.as_ptr(), &raw mut follower), RlfStatus::Value);
        assert!(last_error().starts_with("lookahead.base_m is -5"), "{}", last_error());
        let vehicle_of_kind = |kind, follower| rlf_follower_new_of_kind(handles.1, vehicle.as_ptr(), kind, follower);
        assert_eq!(vehicle_of_kind(3, &raw mut follower), RlfStatus::Value);
        assert_eq!(last_error(), "kind is 3, but must be 0, 1 or 2");
        assert_eq!(rlf_follower_new(null(), vehicle.as_ptr(), &raw mut follower), RlfStatus::Pointer);
        assert_eq!(rlf_follower_reset(null_mut()), RlfStatus::Pointer);
        let step = |follower, path, state, command| rlf_follower_step(follower, path, state, 0.016, command);
        assert_eq!(step(null_mut(), handles.0, &raw const at, command.as_mut_ptr()), RlfStatus::Pointer);
        assert_eq!(step(handles.2, null(), &raw const at, command.as_mut_ptr()), RlfStatus::Pointer);
        assert_eq!(step(handles.2, handles.0, null(), command.as_mut_ptr()), RlfStatus::Pointer);
        assert_eq!(step(handles.2, handles.0, &raw const at, null_mut()), RlfStatus::Pointer);
        rlf_path_free(null_mut());
        rlf_options_free(null_mut());
        rlf_follower_free(null_mut());
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
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

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
        let handles = Handles::new();
        let waypoints: Vec<RlfWaypoint> = points
            .iter()
            .map(|&[x, y, z, left_m, right_m, speed_mps, curvature_radpm]| RlfWaypoint {
                position_m: [x, y, z], left_m, right_m, speed_mps, curvature_radpm,
            })
            .collect();
        let [wheelbase_m, max_steering_rad, length_m, width_m, rear_axle_m, grip_g, max_yaw_rate_radps] = sizes;
        let vehicle = RlfVehicleGeometry {
            wheelbase_m, max_steering_rad, length_m, width_m, rear_axle_m, grip_g, max_yaw_rate_radps,
        };
        let key = CString::new(key).unwrap();
        // SAFETY: every pointer leads to what the calls say.
        unsafe {
            let mut path = null_mut();
            let path_status = rlf_path_new(waypoints.as_ptr(), waypoints.len(), closed, &raw mut path);
            prop_assert_eq!(path_status == RlfStatus::Ok, !path.is_null());
            prop_assert!(path_status != RlfStatus::Internal);
            let status = rlf_options_set(handles.1, key.as_ptr(), value);
            prop_assert!(status == RlfStatus::Ok || status == RlfStatus::Value);
            let mut follower = null_mut();
            let status = rlf_follower_new_of_kind(handles.1, &raw const vehicle, kind, &raw mut follower);
            prop_assert!(status == RlfStatus::Ok || status == RlfStatus::Value);
            let driver = if follower.is_null() { handles.2 } else { follower };
            for (index, &([x, y, z, heading, speed, vx, vy, vz, yaw], dt)) in frames.iter().enumerate() {
                let at = RlfVehicleState {
                    position_m: [x, y, z],
                    heading_rad: heading,
                    speed_mps: speed,
                    velocity_mps: [vx, vy, vz],
                    yaw_rate_radps: yaw,
                };
                let on = if index % 3 == 2 || path.is_null() { handles.0 } else { path };
                let mut command = MaybeUninit::<RlfCommand>::uninit();
                let status = rlf_follower_step(driver, on, &raw const at, dt, command.as_mut_ptr());
                prop_assert_eq!(status, RlfStatus::Ok, "{}", last_error());
                let command = command.assume_init();
                prop_assert!(command.pedal.abs() <= 1.0 && command.steering_rad.is_finite(), "{:?}", command);
                prop_assert!(command.target_speed_mps.is_finite() && command.s_m.is_finite(), "{:?}", command);
            }
            rlf_follower_free(follower);
            rlf_path_free(path);
        }
    }
}
