//! The pedal: steady states, windup, standstill.

// A test that can't start should fail with a message.
#![allow(clippy::expect_used)]

use crate::common::{Car, FRAME_S, drive, path};
use raceline_follower::{Follower, FollowerOptions, Path, PathFollower, Scene, VehicleGeometry};

fn straight() -> Path {
    path(&[[0.0, 0.0], [5000.0, 0.0]], false)
}

fn follower(options: FollowerOptions) -> Follower {
    Follower::new(options, VehicleGeometry::default()).expect("valid")
}

#[test]
fn the_integral_takes_hills_and_proportional_control_alone_does_not() {
    for slope in [0.25, -0.2] {
        let mut car = Car::new([0.0, 0.0], 0.0, 0.0);
        car.slope = slope;
        let last = drive(&mut follower(FollowerOptions::paper()), &straight(), &mut car, 60.0, |_, _| {});
        assert!((car.speed - 10.0).abs() < 0.01, "{} on {slope}", car.speed);
        // The pedal that holds the speed: the part of the weight along the slope over what throttle
        // or brake can do.
        let weight = 9.80665 * slope;
        let holds = if weight > 0.0 { weight / car.throttle } else { weight / car.brake };
        assert!((last.pedal - holds).abs() < 0.01, "{} {holds}", last.pedal);

        let mut options = FollowerOptions::paper();
        options.speed_control.integral = 0.0;
        let mut car = Car::new([0.0, 0.0], 0.0, 0.0);
        car.slope = slope;
        drive(&mut follower(options), &straight(), &mut car, 60.0, |_, _| {});
        // Steady where p e is that pedal.
        let error = holds / options.speed_control.proportional;
        assert!((10.0 - car.speed - error).abs() < 0.01, "{} on {slope}", car.speed);
    }
}

#[test]
fn a_long_time_at_full_throttle_winds_nothing_up() {
    // A hill too steep to climb at the speed wanted, then a plain.
    let mut options = FollowerOptions::paper();
    options.stuck.enabled = false;
    let mut follower = follower(options);
    let mut car = Car::new([0.0, 0.0], 0.0, 3.0);
    car.slope = 0.5;
    car.throttle = 4.9;
    drive(&mut follower, &straight(), &mut car, 60.0, |_, command| assert!(command.pedal <= 1.0));
    car.slope = 0.0;
    let mut fastest = 0.0_f64;
    drive(&mut follower, &straight(), &mut car, 20.0, |car, _| fastest = fastest.max(car.speed));
    assert!(fastest < 11.0, "{fastest}");
    assert!((car.speed - 10.0).abs() < 0.1, "{}", car.speed);
}

#[test]
fn a_step_from_standstill_overshoots_by_less_than_a_tenth() {
    let mut car = Car::new([0.0, 0.0], 0.0, 0.0);
    let mut fastest = 0.0_f64;
    drive(&mut follower(FollowerOptions::paper()), &straight(), &mut car, 30.0, |car, _| {
        fastest = fastest.max(car.speed);
    });
    assert!((10.0..11.0).contains(&fastest), "{fastest}");
}

#[test]
fn at_standstill_the_pedal_rests() {
    let short = path(&[[0.0, 0.0], [60.0, 0.0]], false);
    for slope in [0.0, 0.15, -0.15] {
        let mut follower = follower(FollowerOptions::paper());
        let mut car = Car::new([0.0, 0.0], 0.0, 0.0);
        car.slope = slope;
        drive(&mut follower, &short, &mut car, 30.0, |_, _| {});
        let place = car.position();
        drive(&mut follower, &short, &mut car, 30.0, |car, command| {
            assert_eq!((command.pedal, command.reverse), (-1.0, false));
            assert_eq!(car.position(), place);
            assert!(command.arrived && command.event.is_none());
        });
    }
}

#[test]
fn the_pedal_settles_at_constant_speed() {
    let mut follower = follower(FollowerOptions::paper());
    let mut car = Car::new([0.0, 0.0], 0.0, 0.0);
    drive(&mut follower, &straight(), &mut car, 40.0, |_, _| {});
    drive(&mut follower, &straight(), &mut car, 10.0, |_, command| assert!(command.pedal.abs() < 1e-3));
}

#[test]
fn reset_forgets_the_integral() {
    let mut options = FollowerOptions::paper();
    options.stuck.enabled = false;
    let (mut used, mut fresh) = (follower(options), follower(options));
    let mut car = Car::new([0.0, 0.0], 0.0, 8.0);
    car.slope = 0.3;
    let path = straight();
    drive(&mut used, &path, &mut car, 10.0, |_, _| {});
    let state = car.state();
    assert_ne!(
        used.step(&path, &state, &Scene::EMPTY, FRAME_S).pedal,
        follower(options).step(&path, &state, &Scene::EMPTY, FRAME_S).pedal
    );
    PathFollower::reset(&mut used);
    assert_eq!(used.step(&path, &state, &Scene::EMPTY, FRAME_S), fresh.step(&path, &state, &Scene::EMPTY, FRAME_S));
}
