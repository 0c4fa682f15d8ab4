//! Calls through the C interface are equal to those in Rust.

#![cfg(feature = "capi")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]
#![allow(unsafe_code, reason = "calls the C interface")]

use std::ffi::CStr;
use std::ptr::{null, null_mut};

use raceline_follower::capi::*;
use raceline_follower::{
    Body, CorridorOptions, Follower, FollowerOptions, LocalPlanner, LocalPlannerOptions, Neighbour, Path, PickUp,
    Scene, VehicleGeometry, VehicleKind, json,
};

pub(crate) fn last_error() -> String {
    // SAFETY: the text lives until the next failing call on this thread.
    unsafe { CStr::from_ptr(raceline_last_error()) }.to_str().unwrap().to_owned()
}

pub(crate) fn square() -> Vec<RacelineWaypoint> {
    let corner = |x, y| RacelineWaypoint { position_m: [x, y, 0.0], left_m: 3.0, ..RacelineWaypoint::default() };
    vec![corner(0.0, 0.0), corner(50.0, 0.0), corner(50.0, 50.0), corner(0.0, 50.0)]
}

pub(crate) fn path_of_rust() -> Path {
    Path::new(square().into_iter().map(Into::into).collect(), true).unwrap()
}

/// A path and a follower, as a C program gets them.
pub(crate) struct Handles(pub *mut Path, pub *mut Follower);

impl Handles {
    pub fn new(options: &RacelineFollowerOptions) -> Self {
        let mut handles = Self(null_mut(), null_mut());
        let waypoints = square();
        // SAFETY: every pointer leads to what the documentation of the calls requires.
        unsafe {
            assert_eq!(raceline_path_new(waypoints.as_ptr(), 4, 1, &raw mut handles.0), RacelineStatus::Ok);
            let status = raceline_follower_new(&raw const *options, &raw mut handles.1);
            assert_eq!(status, RacelineStatus::Ok, "{}", last_error());
        }
        handles
    }

    pub fn step(&self, state: &RacelineState, scene: *const RacelineScene) -> RacelineCommand {
        let mut command = RacelineCommand::default();
        // SAFETY: every pointer leads to what the documentation of the call requires.
        let status =
            unsafe { raceline_follower_step(self.1, self.0, &raw const *state, scene, 1.0 / 60.0, &raw mut command) };
        assert_eq!(status, RacelineStatus::Ok, "{}", last_error());
        command
    }
}

impl Drop for Handles {
    fn drop(&mut self) {
        // SAFETY: they were made by `new`, and nobody has them any more.
        unsafe {
            raceline_follower_free(self.1);
            raceline_path_free(self.0);
        }
    }
}

pub(crate) fn state(position_m: [f64; 3], heading_rad: f64, speed_mps: f64) -> RacelineState {
    RacelineState { position_m, heading_rad, speed_mps, ..RacelineState::default() }
}

pub(crate) fn assert_same(command: &RacelineCommand, expected: &raceline_follower::Command, follower: &Follower) {
    assert_eq!((command.pedal, command.steering_rad), (expected.pedal, expected.steering_rad));
    assert_eq!((command.s_m, command.cross_track_error_m), (expected.s_m, expected.cross_track_error_m));
    assert_eq!(command.target_point_m, expected.target_point_m);
    assert_eq!((command.reverse != 0, command.boost != 0), (expected.reverse, expected.boost));
    assert_eq!((command.avoiding != 0, command.shift_m), (follower.is_avoiding(), follower.shift_m()));
    assert_eq!(command.lacks_velocity != 0, expected.lacks_velocity);
    assert_eq!(Some(command.acceleration_mps2).filter(|value| !value.is_nan()), expected.acceleration_mps2);
}

#[test]
fn a_step_through_c_is_a_step_in_rust() {
    let handles = Handles::new(&RacelineFollowerOptions::default());
    let at = state([5.0, 0.5, 0.0], 0.0, 3.0);
    let command = handles.step(&at, null());
    let mut follower = Follower::new(FollowerOptions::default(), VehicleGeometry::default()).unwrap();
    let expected = follower.step(&path_of_rust(), &at.into(), &Scene::EMPTY, 1.0 / 60.0);
    assert_same(&command, &expected, &follower);
    assert_eq!((command.state, command.event_cause, command.place_back), (0, 0, 0));
    let mut sample = RacelinePathSample::default();
    // SAFETY: the path is alive.
    unsafe {
        assert_eq!(raceline_path_length_m(handles.0), 200.0);
        assert_eq!(raceline_path_sample_at(handles.0, 5.0, &raw mut sample), RacelineStatus::Ok);
    }
    assert_eq!((sample.position_m, sample.height_m, sample.left_m), ([5.0, 0.0, 0.0], 0.0, 3.0));
    assert_eq!(raceline_follower_version(), FOLLOWER_VERSION);
}

#[test]
fn any_scene_through_c_is_that_scene_in_rust() {
    let parked = RacelineNeighbour { position_m: [25.0, 0.0, 0.0], ..RacelineNeighbour::default() };
    let bodies = [30.0, 34.0].map(|x| RacelineBody { position_m: [x, 0.4], ..RacelineBody::default() });
    let coins = [15.0, 20.0].map(|x| RacelinePickUp { position_m: [x, 1.0, 0.0], radius_m: 0.8, ..Default::default() });
    let all = RacelineScene {
        neighbours: &raw const parked,
        neighbour_count: 1,
        obstacles: bodies.as_ptr(),
        obstacle_count: 2,
        pick_ups: coins.as_ptr(),
        pick_up_count: 2,
        ..RacelineScene::default()
    };
    let no_neighbours = RacelineScene { neighbours: null(), neighbour_count: 0, ..all };
    let only_coins = RacelineScene { obstacles: null(), obstacle_count: 0, ..no_neighbours };
    let empty = RacelineScene { pick_up_count: 0, ..only_coins };
    let backwards = RacelineScene { reverse: 1, ..all };
    let neighbours: [Neighbour; 1] = [parked.into()];
    let obstacles: [Body; 2] = bodies.map(Into::into);
    let pick_ups = coins.map(|coin| PickUp { position_m: coin.position_m, radius_m: coin.radius_m });
    let planner = RacelinePlannerOptions { gap_m: 0.7, ..RacelinePlannerOptions::default() };
    for planned in [false, true] {
        let handles = Handles::new(&RacelineFollowerOptions::default());
        if planned {
            // SAFETY: every pointer leads to what the documentation of the call requires.
            let status = unsafe { raceline_follower_set_planner(handles.1, null(), &raw const planner) };
            assert_eq!(status, RacelineStatus::Ok);
        }
        let mut follower = Follower::new(FollowerOptions::default(), VehicleGeometry::default()).unwrap();
        let options = LocalPlannerOptions { gap_m: 0.7, ..LocalPlannerOptions::default() };
        follower.set_planner(planned.then(|| LocalPlanner::new(options).unwrap()));
        let path = path_of_rust();
        for (frame, scene) in [empty, only_coins, no_neighbours, all, backwards].iter().enumerate() {
            let at = state([5.0, 0.5, 0.0], if frame == 4 { 3.1 } else { 0.0 }, 8.0);
            let command = handles.step(&at, &raw const *scene);
            let around = Scene::EMPTY
                .with_neighbours(&neighbours[..scene.neighbour_count])
                .with_obstacles(&obstacles[..scene.obstacle_count])
                .with_pick_ups(&pick_ups[..scene.pick_up_count])
                .with_reverse(scene.reverse != 0);
            let expected = follower.step(&path, &at.into(), &around, 1.0 / 60.0);
            assert_same(&command, &expected, &follower);
            assert_eq!(command.avoiding != 0, frame >= 2, "{frame}");
        }
        let (mut command, at) = (RacelineCommand::default(), state([5.0, 0.5, 0.0], 0.0, 8.0));
        let missing = RacelineScene { obstacles: null(), ..all };
        // SAFETY: null is refused.
        let status = unsafe {
            raceline_follower_step(handles.1, handles.0, &raw const at, &raw const missing, 0.02, &raw mut command)
        };
        assert_eq!((status, last_error().as_str()), (RacelineStatus::Pointer, "obstacles is null"));
    }
}

#[test]
fn a_line_is_judged() {
    let sound =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tracks/club.raceline.json")).unwrap();
    // SAFETY: the pointer and the count are those of a text.
    let judge = |text: &str| unsafe { raceline_verify(text.as_ptr(), text.len()) };
    assert_eq!(judge(&sound), RacelineStatus::Ok);
    assert_eq!(judge(&sound.replace("\"width_m\": 2.0", "\"width_m\": 4.0")), RacelineStatus::Unsound);
    let message = last_error();
    assert!(message.contains("margin: missing margin to the nearest edge is"), "{message}");
    assert_eq!(judge(&sound.replace("\"mass_kg\": 1200.0", "\"mass_kg\": -1.0")), RacelineStatus::Value);
    assert_eq!(judge("{}"), RacelineStatus::Json);
    // SAFETY: null is refused.
    assert_eq!(unsafe { raceline_verify(null(), 7) }, RacelineStatus::Pointer);
}

#[test]
fn the_options_make_the_follower_of_rust() {
    let bytes = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tracks/club.raceline.json")).unwrap();
    let line = json::read(&bytes).unwrap();
    let (mut path, mut info, mut vehicle) = (null_mut(), RacelineLineInfo::default(), RacelineVehicle::default());
    let key = c"target_speed.profile_scale";
    let scale = RacelineOption { key: key.as_ptr(), value: 0.9 };
    // SAFETY: every pointer leads to what the documentation of the calls requires, and all is freed once.
    unsafe {
        let status =
            raceline_path_from_json(bytes.as_ptr(), bytes.len(), &raw mut path, &raw mut info, &raw mut vehicle);
        assert_eq!((status, info.lap_time_s), (RacelineStatus::Ok, line.lap_time_s));
        for preset in 0..4 {
            let options = RacelineFollowerOptions {
                preset,
                path,
                vehicle: &raw const vehicle,
                options: &raw const scale,
                option_count: 1,
                ..RacelineFollowerOptions::default()
            };
            let geometry = line.vehicle;
            let mut expected = match preset {
                0 => FollowerOptions::default(),
                1 => FollowerOptions::for_racing(),
                3 => FollowerOptions::paper(),
                _ => FollowerOptions::for_vehicle(line.path.dynamics().unwrap(), &geometry),
            };
            expected.target_speed.profile_scale = 0.9;
            let mut follower = null_mut();
            assert_eq!(raceline_follower_new(&raw const options, &raw mut follower), RacelineStatus::Ok);
            assert_eq!((*follower).options(), &expected);
            assert_eq!((*follower).vehicle(), &geometry);
            raceline_follower_free(follower);
        }
        raceline_path_free(path);
    }
}

#[test]
fn a_line_through_c_is_a_line_in_rust() {
    let handles = Handles::new(&RacelineFollowerOptions::default());
    let mut line = null_mut();
    // SAFETY: every pointer leads to what the documentation of the calls requires, and the line is
    // freed once.
    let length = unsafe {
        assert_eq!(raceline_path_minimum_curvature(handles.0, null(), &raw mut line), RacelineStatus::Ok);
        let length = raceline_path_length_m(line);
        raceline_path_free(line);
        length
    };
    let expected = path_of_rust().minimum_curvature(&CorridorOptions::default()).unwrap();
    assert_eq!(length, expected.length_m());
    assert!(length < 195.0, "the square's corners are cut: {length} m of 200");
}

#[test]
fn every_option_has_its_key() {
    // The names as Rust prints them: `group: Struct { field: value, … }`.
    let printed = format!("{:?}", FollowerOptions::for_racing());
    let (_, inner) = printed.split_once('{').unwrap();
    let (mut group, mut keys, mut options) = (String::new(), 0, FollowerOptions::default());
    for part in inner.split([',', '}']).map(str::trim).filter(|part| part.contains(':')) {
        let field = match part.split_once('{') {
            Some((head, field)) => {
                head.split(':').next().unwrap().trim().clone_into(&mut group);
                field
            }
            None => part,
        };
        let key = format!("{group}.{}", field.split(':').next().unwrap().trim());
        options.set(&key, 1.0).unwrap();
        keys += 1;
    }
    assert!(keys > 50, "only {keys} options found in {printed}");
    // The names before pick-ups had one name.
    options.set("bonuses.range_m", 44.0).unwrap();
    assert_eq!(options.pick_ups.range_m, 44.0);
}

#[test]
fn every_kind_of_vehicle_arrives() {
    for (kind, expected) in [(0, VehicleKind::Wheels), (1, VehicleKind::SkidSteer), (2, VehicleKind::Hover)] {
        let vehicle = RacelineVehicle { kind, ..RacelineVehicle::default() };
        let options = RacelineFollowerOptions { vehicle: &raw const vehicle, ..RacelineFollowerOptions::default() };
        let handles = Handles::new(&options);
        // SAFETY: the follower is alive.
        assert_eq!(unsafe { (*handles.1).vehicle() }.kind, expected);
    }
}
