//! Bends sharper than the vehicle can turn.

#![allow(clippy::expect_used, reason = "a helper of a test fails the test")]

use crate::common;
use crate::common::{Car, drive, path};
use raceline_follower::{Follower, FollowerOptions, Path, VehicleGeometry, VehicleKind};

/// Smallest radius of turn 10.3 m.
const WIDE: VehicleGeometry = VehicleGeometry {
    kind: VehicleKind::Wheels,
    wheelbase_m: 3.2,
    max_steering_rad: 0.3,
    length_m: 5.0,
    width_m: 2.4,
    rear_axle_m: 0.0,
    grip_g: f64::INFINITY,
    max_yaw_rate_radps: f64::INFINITY,
};

fn follower(early_turn: f64, vehicle: VehicleGeometry) -> Follower {
    let mut options = FollowerOptions::paper();
    options.steering.early_turn = early_turn;
    Follower::new(options, vehicle).expect("valid")
}

fn car(vehicle: VehicleGeometry) -> Car {
    let mut car = Car::new([0.0, 0.0], 0.0, 4.0);
    car.vehicle = vehicle;
    car.rear = [0.0, 0.0];
    car
}

/// The furthest that a car with a turning circle of 10.3 m goes past a corner of 90° at x = 60, and
/// where it is in the end.
fn past_the_corner(early_turn: f64) -> (f64, [f64; 2]) {
    let corner = path(&[[0.0, 0.0], [60.0, 0.0], [60.0, 80.0]], false);
    let mut car = car(WIDE);
    let mut furthest = f64::NEG_INFINITY;
    drive(&mut follower(early_turn, WIDE), &corner, &mut car, 25.0, |car, _| furthest = car.rear[0].max(furthest));
    (furthest - 60.0, car.rear)
}

#[test]
fn a_corner_is_cut_by_the_smallest_arc_that_touches_both_legs() {
    let (late, _) = past_the_corner(0.0);
    let (early, end) = past_the_corner(1.0);
    assert!(late > 2.0, "runs {late} m wide without");
    assert!(early < 1.0, "runs {early} m wide with");
    assert!((end[0] - 60.0).abs() < 0.3 && end[1] > 20.0, "{end:?}");
}

#[test]
fn bends_within_the_turning_circle_are_driven_as_without() {
    let bend: Vec<[f64; 2]> = (0..=60)
        .map(|i| {
            let angle = f64::from(i) / 60.0 * std::f64::consts::PI;
            [40.0 + 25.0 * angle.sin(), 25.0 - 25.0 * angle.cos()]
        })
        .collect();
    let mut points = vec![[0.0, 0.0]];
    points.extend(bend);
    points.push([0.0, 50.0]);
    let bend: Path = path(&points, false);
    let track = |early_turn: f64| {
        let (mut car, mut steps) = (car(WIDE), Vec::new());
        drive(&mut follower(early_turn, WIDE), &bend, &mut car, 15.0, |_, command| steps.push(command.steering_rad));
        steps
    };
    assert_eq!(track(0.0), track(1.0));
}

#[test]
fn a_yaw_rate_limit_widens_the_circle_with_speed() {
    // 0.45 rad/s at 4 m/s is a radius of 8.9 m; at 1 m/s the wheels' own 5.3 m count.
    let vehicle = VehicleGeometry { wheelbase_m: 3.6, max_steering_rad: 0.6, ..WIDE };
    let corner = path(&[[0.0, 0.0], [60.0, 0.0], [60.0, 80.0]], false);
    let mut options = FollowerOptions::paper();
    options.steering.early_turn = 1.0;
    options.target_speed.yaw_rate_radps = 0.45;
    let turns_at = |speed: f64| {
        (0..60).map(f64::from).find(|&x| {
            let mut follower = Follower::new(options, vehicle).expect("valid");
            let mut car = car(vehicle);
            (car.rear[0], car.speed) = (x, speed);
            let mut steering = 0.0;
            drive(&mut follower, &corner, &mut car, common::FRAME_S, |_, command| steering = command.steering_rad);
            steering > 0.2
        })
    };
    let (fast, slow) = (turns_at(4.0).expect("turns"), turns_at(1.0).expect("turns"));
    assert!((fast - 51.5).abs() < 1.5 && (slow - 55.0).abs() < 1.5, "turns in at {fast} and {slow}");
}

#[test]
fn no_bend_counts_as_sharper_than_the_turning_circle() {
    let corner = path(&[[0.0, 0.0], [60.0, 0.0], [60.0, 80.0]], false);
    let slowest = |early_turn: f64| {
        let (mut car, mut lowest) = (car(WIDE), f64::INFINITY);
        drive(&mut follower(early_turn, WIDE), &corner, &mut car, 11.0, |_, command| {
            lowest = command.target_speed_mps.min(lowest)
        });
        lowest
    };
    // √(0.4 g · 10.3 m) is 6.4 m/s.
    let (late, early) = (slowest(0.0), slowest(1.0));
    assert!(late < 5.0 && (early - 6.37).abs() < 0.1, "{late} without, {early} with");
}

#[test]
fn values_out_of_range_are_refused() {
    for value in [-0.1, 2.1, f64::NAN] {
        let mut options = FollowerOptions::paper();
        options.steering.early_turn = value;
        assert_eq!(options.validate().expect_err("refused").field, "steering.early_turn");
    }
}
