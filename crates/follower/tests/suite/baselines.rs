//! The baselines do what their sources describe.

// A test that can't start should fail with a message.
#![allow(clippy::expect_used)]

use crate::common::{Car, FRAME_S, drive, path, stadium};
use raceline_follower::baselines::{PaperBaseline, PaperBaselineOptions, Reynolds, ReynoldsOptions};
use raceline_follower::{PathFollower, Scene, VehicleGeometry, VehicleState};

fn baseline() -> PaperBaseline {
    PaperBaseline::new(PaperBaselineOptions::default(), VehicleGeometry::default()).expect("valid")
}

fn reynolds() -> Reynolds {
    Reynolds::new(ReynoldsOptions::default(), VehicleGeometry::default()).expect("valid")
}

#[test]
fn the_papers_baseline_goes_by_the_largest_angle_ahead() {
    // A corner of 60° 16 m ahead, another back to 20° in sight too.
    let direction = |degrees: f64, length: f64| {
        let angle = degrees.to_radians();
        [length * angle.cos(), length * angle.sin()]
    };
    let (a, b) = ([16.0, 0.0], direction(60.0, 60.0));
    let corner = path(&[[-50.0, 0.0], a, [a[0] + b[0], a[1] + b[1]]], false);
    let options = PaperBaselineOptions::default();
    let target = |heading: f64, x: f64| {
        baseline()
            .step(&corner, &VehicleState::new([x, 0.0, 0.0], heading, 0.0), &Scene::EMPTY, FRAME_S)
            .target_speed_mps
    };
    let sixty = 60f64.to_radians();
    assert!((target(0.0, 0.0) - options.speed_angle_mps / sixty).abs() < 1e-9);
    // The angle is the heading's own: facing away to the right makes it larger.
    assert!((target(-0.3, 0.0) - options.speed_angle_mps / (sixty + 0.3)).abs() < 1e-9);
    // Out of sight it doesn't count; nor is the distance to it looked at.
    assert_eq!(target(0.0, -10.0), options.max_speed_mps);
    assert!((target(0.0, -5.0) - target(0.0, 10.0)).abs() < 1e-9);
}

#[test]
fn the_papers_baseline_has_no_integral() {
    let straight = path(&[[0.0, 0.0], [2000.0, 0.0]], false);
    let mut car = Car::new([0.0, 0.0], 0.0, 0.0);
    car.slope = 0.2;
    let last = drive(&mut baseline(), &straight, &mut car, 60.0, |_, _| {});
    let error = 9.80665 * 0.2 / car.throttle / PaperBaselineOptions::default().proportional;
    assert!((10.0 - car.speed - error).abs() < 0.01 && (last.pedal - 0.4 * error).abs() < 0.01, "{}", car.speed);
}

#[test]
fn reynolds_steers_only_when_the_prediction_leaves_the_tube() {
    let straight = path(&[[0.0, 0.0], [300.0, 0.0]], false);
    let steering = |y: f64, heading: f64, speed: f64| {
        let command =
            reynolds().step(&straight, &VehicleState::new([50.0, y, 0.0], heading, speed), &Scene::EMPTY, FRAME_S);
        (command.steering_rad, command.target_point_m)
    };
    // Inside: half a metre less what half a second's drift adds.
    assert_eq!(steering(0.4, 0.0, 8.0).0, 0.0);
    assert_eq!(steering(0.0, 0.1, 4.0).0, 0.0);
    // Outside now, or soon.
    assert!(steering(0.6, 0.0, 8.0).0 < 0.0);
    assert!(steering(0.0, 0.2, 8.0).0 < 0.0);
    assert!(steering(-2.0, 0.0, 8.0).0 > 0.0);
    // The point sought lies 4 m beyond the prediction's place on the path: 50 + 4 + 4.
    let (_, [x, y, _]) = steering(0.0, 0.0, 8.0);
    assert!((x - 58.0).abs() < 1e-9 && y == 0.0);
}

#[test]
fn reynolds_arrives() {
    let straight = path(&[[0.0, 0.0], [100.0, 0.0]], false);
    let target = |x: f64| {
        reynolds().step(&straight, &VehicleState::new([x, 0.0, 0.0], 0.0, 0.0), &Scene::EMPTY, FRAME_S).target_speed_mps
    };
    assert_eq!(target(50.0), 10.0);
    assert!((target(94.0) - 10.0 * 6.0 / 15.0).abs() < 1e-9);
    let mut car = Car::new([0.0, 0.3], 0.0, 0.0);
    let last = drive(&mut reynolds(), &straight, &mut car, 60.0, |_, _| {});
    assert!(last.arrived && car.speed.abs() < 1e-9, "{car:?}");
}

#[test]
fn both_get_round_a_stadium() {
    let lap = stadium(60.0, 20.0, 3.0);
    let mut both: [Box<dyn PathFollower>; 2] = [Box::new(baseline()), Box::new(reynolds())];
    for follower in &mut both {
        let mut car = Car::new([0.0, 0.0], 0.0, 0.0);
        let (mut laps, mut last, mut worst) = (0, 0.0, 0.0_f64);
        drive(follower.as_mut(), &lap, &mut car, 150.0, |_, command| {
            laps += i32::from(command.s_m < last - 100.0);
            last = command.s_m;
            worst = worst.max(command.cross_track_error_m.abs());
        });
        assert!(laps >= 2 && worst < 4.0, "{laps} laps, {worst} m");
    }
}

#[test]
fn options_out_of_range_are_refused() {
    let vehicle = VehicleGeometry::default();
    let bad = PaperBaselineOptions { horizon_m: 0.0, ..PaperBaselineOptions::default() };
    assert_eq!(PaperBaseline::new(bad, vehicle).expect_err("refused").field, "horizon_m");
    let bad = ReynoldsOptions { prediction_s: f64::NAN, ..ReynoldsOptions::default() };
    assert_eq!(Reynolds::new(bad, vehicle).expect_err("refused").field, "prediction_s");
    let thin = VehicleGeometry { width_m: 0.0, ..vehicle };
    assert_eq!(Reynolds::new(ReynoldsOptions::default(), thin).expect_err("refused").field, "vehicle.width_m");
}
