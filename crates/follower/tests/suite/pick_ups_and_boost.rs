//! Pick-ups taken or left, and where a boost is worth lighting.

// A test that can't start should fail with a message.
#![allow(clippy::expect_used)]

use crate::common::{Car, FRAME_S, circle, path, stadium};
use raceline_follower::boost::circle_radius;
use raceline_follower::{Follower, FollowerOptions, Path, PickUp, Scene, VehicleGeometry, VehicleState};

/// Drives past pick-ups and returns how near each was passed.
fn drive_past(options: FollowerOptions, path: &Path, pick_ups: &[PickUp], seconds: f64) -> Vec<f64> {
    let mut follower = Follower::new(options, VehicleGeometry::default()).expect("valid");
    let mut car = Car::new([0.0, 0.0], 0.0, 8.0);
    let mut near = vec![f64::INFINITY; pick_ups.len()];
    for _ in 0..(seconds / FRAME_S) as usize {
        let command = follower.step(path, &car.state(), &Scene::EMPTY.with_pick_ups(pick_ups), FRAME_S);
        car.drive(&command, FRAME_S);
        let [x, y] = car.position();
        for (near, pick_up) in near.iter_mut().zip(pick_ups) {
            *near = near.min((pick_up.position_m[0] - x).hypot(pick_up.position_m[1] - y));
        }
    }
    near
}

fn pick_up(x: f64, y: f64) -> PickUp {
    PickUp { position_m: [x, y, 0.0], radius_m: 0.8 }
}

#[test]
fn pick_ups_near_the_line_are_taken_and_others_left() {
    let straight = path(&[[-20.0, 0.0], [400.0, 0.0]], false);
    let options = FollowerOptions::default();
    for (name, pick_up, taken) in [
        ("on the line", pick_up(60.0, 0.0), true),
        ("to the left", pick_up(60.0, 2.0), true),
        ("to the right", pick_up(60.0, -2.5), true),
        // The corridor is 4 m wide to each side, less half the car's 1.8 m; a radius of 0.8 m helps
        // by 0.56 m.
        ("outside the corridor", pick_up(60.0, 3.9), false),
        ("far off", pick_up(60.0, 9.0), false),
        ("behind", pick_up(-15.0, 1.5), false),
        ("too sharp a detour", pick_up(7.0, 2.5), false),
    ] {
        let near = drive_past(options, &straight, &[pick_up], 20.0)[0];
        assert_eq!(near <= pick_up.radius_m, taken, "{name}: passed at {near}");
    }
    // With a range of nothing none is sought.
    let mut none = options;
    none.pick_ups.range_m = 0.0;
    assert!(drive_past(none, &straight, &[pick_up(60.0, 2.0)], 20.0)[0] > 1.9);
}

#[test]
fn the_cheaper_of_two_is_taken_and_the_vehicle_comes_back() {
    let straight = path(&[[-20.0, 0.0], [400.0, 0.0]], false);
    let pair = [pick_up(60.0, 2.9), pick_up(60.0, -1.5), pick_up(120.0, 0.0)];
    let near = drive_past(FollowerOptions::default(), &straight, &pair, 20.0);
    assert!(near[0] > 2.0 && near[1] <= 0.8 && near[2] < 0.3, "{near:?}");
    // Two alike: one of them, not neither.
    let alike = [pick_up(60.0, 2.0), pick_up(60.0, -2.0)];
    let near = drive_past(FollowerOptions::default(), &straight, &alike, 20.0);
    assert_eq!(near.iter().filter(|near| **near <= 0.8).count(), 1, "{near:?}");
}

#[test]
fn none_is_sought_that_the_speed_forbids() {
    // A bend that takes all the grip there is leaves none for a detour.
    let lap = circle(25.0, 300);
    let mut options = FollowerOptions::default();
    options.target_speed.lateral_acceleration_g = 0.3;
    let mut follower = Follower::new(options, VehicleGeometry::default()).expect("valid");
    let state = |speed| VehicleState::new([25.0, 0.0, 0.0], 1.57, speed);
    let angle = 0.8_f64;
    let inside = [PickUp { position_m: [23.0 * angle.cos(), 23.0 * angle.sin(), 0.0], radius_m: 0.5 }];
    let mut differs = |speed| {
        follower.reset();
        let with = follower.step(&lap, &state(speed), &Scene::EMPTY.with_pick_ups(&inside), FRAME_S).target_point_m;
        follower.reset();
        with != follower.step(&lap, &state(speed), &Scene::EMPTY, FRAME_S).target_point_m
    };
    assert!(differs(3.0));
    assert!(!differs(9.0), "81 m²/s² / 25 m is more than 0.3 g");
}

#[test]
fn nonsense_is_no_pick_up() {
    let straight = path(&[[-20.0, 0.0], [400.0, 0.0]], false);
    let with = |position_m, radius_m| PickUp { position_m, radius_m };
    let nonsense = [
        with([f64::NAN, 0.0, 0.0], 1.0),
        with([20.0, 1.0, f64::INFINITY], 1.0),
        with([20.0, 1.0, 0.0], -1.0),
        with([20.0, 1.0, 0.0], f64::NAN),
    ];
    let state = VehicleState::new([0.0, 0.0, 0.0], 0.0, 5.0);
    let new = || Follower::new(FollowerOptions::default(), VehicleGeometry::default()).expect("valid");
    assert_eq!(
        new().step(&straight, &state, &Scene::EMPTY.with_pick_ups(&nonsense), FRAME_S),
        new().step(&straight, &state, &Scene::EMPTY, FRAME_S)
    );
}

#[test]
fn circles_through_three_points() {
    let at = |angle: f64| [7.0 * angle.cos() + 3.0, 7.0 * angle.sin(), 2.0];
    assert!((circle_radius(at(0.1), at(0.9), at(2.5)) - 7.0).abs() < 1e-12);
    // In a tilted plane.
    assert!((circle_radius([3.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 3.0]) - 6f64.sqrt()).abs() < 1e-12);
    assert_eq!(circle_radius([0.0; 3], [1.0, 1.0, 0.0], [5.0, 5.0, 0.0]), f64::INFINITY);
    assert_eq!(circle_radius([0.0; 3], [5.0, 5.0, 0.0], [1.0, 1.0, 0.0]), 0.0);
    assert_eq!(circle_radius([1.0; 3], [1.0; 3], [1.0; 3]), f64::INFINITY);
    // Flat and far apart: 1 km to either side of a point that is 0.1 mm aside, of r = s² / 2h.
    let flat = circle_radius([-1000.0, 0.0, 0.0], [0.0, 1e-4, 0.0], [1000.0, 0.0, 0.0]);
    assert!((flat / 5e9 - 1.0).abs() < 1e-6, "{flat}");
    // Flatter than coordinates of this size resolve.
    assert_eq!(circle_radius([-1000.0, 0.0, 0.0], [0.0, 1e-10, 0.0], [1000.0, 0.0, 0.0]), f64::INFINITY);
}

#[test]
fn a_boost_is_lit_where_the_road_ahead_is_straight() {
    let mut options = FollowerOptions::default();
    options.target_speed.max_speed_mps = 30.0;
    // Looks 50 m ahead in steps of 10 m.
    let lap = stadium(200.0, 30.0, 2.0);
    let boost = |x: f64, y: f64, heading: f64| {
        let mut follower = Follower::new(options, VehicleGeometry::default()).expect("valid");
        follower.step(&lap, &VehicleState::new([x, y, 0.0], heading, 2.0), &Scene::EMPTY, FRAME_S).boost
    };
    let from_end = |left: f64| boost(100.0 - left, 0.0, 0.0);
    assert!(from_end(150.0) && from_end(55.0));
    assert!(!from_end(30.0) && !from_end(0.0), "the bend is in sight");
    assert!(boost(50.0, 60.0, std::f64::consts::PI));
    assert!(!boost(0.0, 0.0, 0.5), "not when facing elsewhere");
    // At the speed aimed at there is nothing to boost.
    let mut follower = Follower::new(options, VehicleGeometry::default()).expect("valid");
    let fast = VehicleState::new([-100.0, 0.0, 0.0], 0.0, 40.0);
    assert!(!follower.step(&lap, &fast, &Scene::EMPTY, FRAME_S).boost);
    // Nor before the end of an open path.
    let short = path(&[[0.0, 0.0], [60.0, 0.0]], false);
    let mut follower = Follower::new(options, VehicleGeometry::default()).expect("valid");
    assert!(follower.step(&short, &VehicleState::new([2.0, 0.0, 0.0], 0.0, 1.0), &Scene::EMPTY, FRAME_S).boost);
    assert!(!follower.step(&short, &VehicleState::new([25.0, 0.0, 0.0], 0.0, 1.0), &Scene::EMPTY, FRAME_S).boost);
}
