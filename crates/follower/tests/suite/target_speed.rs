//! Target speed: the paper's figures, braking distance, profile and preview.

// A test that can't start should fail with a message.
#![allow(clippy::expect_used)]

use crate::common::{Car, FRAME_S, circle, drive, path, waypoint};
use raceline_follower::bezier::{QuadraticBezier, cornering_speed};
use raceline_follower::{
    CurveSpan, Follower, FollowerOptions, Path, Scene, SpeedMode, TargetSpeedOptions, VehicleGeometry, VehicleState,
    Waypoint,
};

/// The figures of the paper.
fn papers() -> TargetSpeedOptions {
    FollowerOptions::paper().target_speed
}

fn target(path: &Path, options: TargetSpeedOptions, state: VehicleState) -> f64 {
    let options = FollowerOptions { target_speed: options, ..FollowerOptions::paper() };
    let mut follower = Follower::new(options, VehicleGeometry::default()).expect("valid");
    follower.step(path, &state, &Scene::EMPTY, FRAME_S).target_speed_mps
}

fn at(x: f64, y: f64, heading: f64, speed: f64) -> VehicleState {
    VehicleState::new([x, y, 0.0], heading, speed)
}

#[test]
fn the_papers_figures_are_kept() {
    let options = papers();
    assert_eq!((options.points, options.spacing_m, options.lateral_acceleration_g), (5, 6.0, 0.4));
    assert_eq!((options.min_speed_mps, options.max_speed_mps), (1.0, 10.0));
    assert_eq!((options.mode, options.span), (SpeedMode::Bezier, CurveSpan::Points));
}

#[test]
fn a_straight_allows_the_highest_speed_and_a_turn_back_the_lowest() {
    let straight = path(&[[0.0, 0.0], [300.0, 0.0]], false);
    assert_eq!(target(&straight, papers(), at(10.0, 0.0, 0.0, 5.0)), 10.0);
    // A path that runs into itself: infinite curvature, 6 m ahead or less.
    let back = path(&[[0.0, 0.0], [100.0, 0.0], [10.0, 0.0]], false);
    let options = TargetSpeedOptions { braking_mps2: 1e-6, stop_at_end: false, ..papers() };
    assert!((target(&back, options, at(96.0, 0.0, 0.0, 0.0)) - 1.0).abs() < 1e-3);
}

#[test]
fn on_a_circle_points_allow_twice_and_midpoints_once_the_lateral_acceleration() {
    let lateral = 0.4 * 9.80665;
    for (radius, spacing) in [(20.0, 1.0), (20.0, 6.0), (60.0, 6.0)] {
        let lap = circle(radius, 40_000);
        let base = TargetSpeedOptions {
            max_speed_mps: 100.0,
            min_speed_mps: 0.0,
            spacing_m: spacing,
            points: 40,
            preview_s: 0.0,
            ..papers()
        };
        // Chords of arcs of this angle.
        let angle: f64 = spacing / radius;
        let chord = 2.0 * radius * (angle / 2.0).sin();
        // Isosceles triangle with legs c and turning angle δ: its median is c sin(δ/2), its area c²
        // sin(δ)/2.
        let points = (chord * (angle / 2.0).sin()).powi(3) / (chord * chord * angle.sin() / 2.0).powi(2);
        let speed = target(&lap, base, at(radius, 0.0, 1.57, 0.0));
        assert!((speed * speed * points / lateral - 1.0).abs() < 1e-3, "{speed}");
        assert!((points * radius - 0.5).abs() < 0.13, "half the circle's: {}", points * radius);
        // Half the triangle in size, so twice the curvature.
        let speed = target(&lap, TargetSpeedOptions { span: CurveSpan::Midpoints, ..base }, at(radius, 0.0, 1.57, 0.0));
        assert!((speed * speed * 2.0 * points / lateral - 1.0).abs() < 1e-3, "{speed}");
    }
}

#[test]
fn braking_distance_is_respected_and_no_more_than_that() {
    // A right-angled corner 100 m ahead; points 2 m apart see 126 m.
    let corner = path(&[[0.0, 0.0], [100.0, 0.0], [100.0, 300.0]], false);
    let options = TargetSpeedOptions {
        points: 64,
        spacing_m: 2.0,
        max_speed_mps: 60.0,
        braking_mps2: 5.0,
        preview_s: 0.0,
        ..papers()
    };
    let mut previous = f64::INFINITY;
    for x in 0..=90 {
        let x = f64::from(x);
        let speed = target(&corner, options, at(x, 0.0, 0.0, 0.0));
        // By hand: each three points, each where it begins.
        let place = |i: f64| {
            let s = x + 2.0 * i;
            if s < 100.0 { [s, 0.0, 0.0] } else { [100.0, s - 100.0, 0.0] }
        };
        let allowed = (0..62).map(|i| {
            let i = f64::from(i);
            let curve = QuadraticBezier { start: place(i), control: place(i + 1.0), end: place(i + 2.0) };
            let v = cornering_speed(0.4 * 9.80665, curve.max_curvature(), 60.0).max(1.0);
            v * v + 2.0 * 5.0 * 2.0 * i
        });
        let horizon = 1.0 + 2.0 * 5.0 * 126.0;
        let expected = allowed.fold(horizon, f64::min).sqrt();
        assert!((speed - expected).abs() < 1e-9, "at {x}: {speed}, by hand {expected}");
        // Nearer is never faster, but for where the corner falls between the points.
        assert!(speed < previous + 3.0, "at {x}");
        previous = speed;
    }
    // The vehicle can always brake as hard as it may and be slow enough: from one metre to the next
    // v² falls by 2 a at most, over the distance between two points.
    let squares: Vec<f64> =
        (0..45).map(|i| target(&corner, options, at(2.0 * f64::from(i), 0.0, 0.0, 0.0)).powi(2)).collect();
    for pair in squares.windows(2) {
        assert!(pair[0] - pair[1] <= 2.0 * 5.0 * 2.0 + 1e-6, "{pair:?}");
    }
}

#[test]
fn a_fast_car_slows_before_the_bend() {
    let mut points: Vec<[f64; 2]> = (0..=100).map(|i| [4.0 * f64::from(i), 0.0]).collect();
    // A quarter circle of 20 m, then straight on.
    points.extend((1..=16).map(|i| {
        let angle = f64::from(i) / 16.0 * std::f64::consts::FRAC_PI_2;
        [400.0 + 20.0 * angle.sin(), 20.0 - 20.0 * angle.cos()]
    }));
    points.extend((1..=40).map(|i| [420.0, 20.0 + 5.0 * f64::from(i)]));
    let bend = path(&points, false);
    let target_speed = TargetSpeedOptions {
        points: 40,
        spacing_m: 4.0,
        span: CurveSpan::Midpoints,
        lateral_acceleration_g: 0.8,
        max_speed_mps: 35.0,
        braking_mps2: 6.0,
        ..papers()
    };
    let options = FollowerOptions { target_speed, ..FollowerOptions::paper() };
    let mut follower = Follower::new(options, VehicleGeometry::default()).expect("valid");
    let mut car = Car::new([0.0, 0.0], 0.0, 0.0);
    let (mut fastest, mut worst) = (0.0_f64, 0.0_f64);
    let last = drive(&mut follower, &bend, &mut car, 60.0, |car, command| {
        fastest = fastest.max(car.speed);
        if (400.0..431.0).contains(&command.s_m) {
            worst = worst.max(car.speed * car.speed / 20.0);
        }
    });
    assert!(last.arrived && fastest > 30.0, "{fastest}");
    assert!(worst < 1.1 * 0.8 * 9.80665, "{worst} m/s² in the bend");
    assert!(worst > 0.6 * 0.8 * 9.80665, "{worst} m/s² in the bend: too timid");
}

/// A straight whose profile falls with 4 m/s² from 30 m/s.
fn braking_profile() -> Path {
    let points = (0..=50).map(|i| {
        let x = 2.0 * f64::from(i);
        Waypoint { speed_mps: (900.0 - 8.0 * x).sqrt(), ..waypoint(x, 0.0) }
    });
    Path::new(points.chain([waypoint(300.0, 0.0)]).collect(), false).expect("a path")
}

#[test]
fn the_profile_is_read_ahead_by_the_preview() {
    let options = TargetSpeedOptions { mode: SpeedMode::Profile, preview_s: 0.3, max_speed_mps: 50.0, ..papers() };
    for (x, speed) in [(0.0_f64, 0.0), (20.0, 25.0), (50.0, 10.0)] {
        let there = x + 0.3 * speed;
        let found = target(&braking_profile(), options, at(x, 0.0, 0.0, speed));
        assert!((found - (900.0 - 8.0 * there).sqrt()).abs() < 1e-9, "{found} at {x}");
    }
    // Twice as slow by choice.
    let slow = TargetSpeedOptions { profile_scale: 0.5, ..options };
    assert!((target(&braking_profile(), slow, at(0.0, 0.0, 0.0, 0.0)) - 15.0).abs() < 1e-9);
    // Without a profile the curves count.
    let straight = path(&[[0.0, 0.0], [300.0, 0.0]], false);
    let seen = (1.0 + 2.0 * 4.0 * 24.0_f64).sqrt();
    assert!((target(&straight, options, at(10.0, 0.0, 0.0, 0.0)) - seen).abs() < 1e-9);
}

#[test]
fn both_is_the_lower_of_the_two() {
    // A profile that is too fast for the corner, and a slow one for the straight.
    let with = |speed_mps| {
        let points = [[0.0, 0.0], [60.0, 0.0], [60.0, 60.0], [0.0, 60.0]];
        let points = points.iter().map(|&[x, y]| Waypoint { speed_mps, ..waypoint(x, y) });
        Path::new(points.collect(), true).expect("a path")
    };
    for speed in [2.0, 5.0, 9.0] {
        for x in [5.0, 30.0, 55.0, 58.0] {
            let by = |mode| target(&with(speed), TargetSpeedOptions { mode, ..papers() }, at(x, 0.0, 0.0, 0.0));
            let lower = by(SpeedMode::Bezier).min(by(SpeedMode::Profile));
            assert_eq!(by(SpeedMode::Both), lower, "{speed} at {x}");
            assert_eq!(by(SpeedMode::Profile), speed);
        }
    }
}

#[test]
fn a_profile_that_stands_at_the_start_is_no_reason_to_stay_there() {
    let points = [0.0, 10.0, 20.0].map(|x| Waypoint { speed_mps: x, ..waypoint(x, 0.0) });
    let start = Path::new(points.to_vec(), false).expect("a path");
    let options = TargetSpeedOptions { mode: SpeedMode::Profile, ..papers() };
    assert_eq!(target(&start, options, at(0.0, 0.0, 0.0, 0.0)), options.min_speed_mps);
}

#[test]
fn the_end_of_an_open_path_is_stopped_at() {
    let straight = path(&[[0.0, 0.0], [200.0, 0.0]], false);
    let mut follower = Follower::new(FollowerOptions::paper(), VehicleGeometry::default()).expect("valid");
    let mut car = Car::new([0.0, 0.0], 0.0, 0.0);
    let last = drive(&mut follower, &straight, &mut car, 40.0, |_, _| {});
    assert!(last.arrived && last.target_speed_mps == 0.0 && last.pedal == -1.0, "{last:?}");
    assert!((199.0..200.5).contains(&car.position()[0]) && car.speed == 0.0, "{car:?}");
    // Unless it isn't to stop.
    let mut options = FollowerOptions::paper();
    options.target_speed.stop_at_end = false;
    let mut follower = Follower::new(options, VehicleGeometry::default()).expect("valid");
    let mut car = Car::new([0.0, 0.0], 0.0, 0.0);
    let last = drive(&mut follower, &straight, &mut car, 40.0, |_, _| {});
    assert!(last.arrived && car.speed > 9.0 && car.position()[1].abs() < 1e-6);
}

#[test]
fn no_vehicle_outruns_what_it_sees() {
    let straight = path(&[[0.0, 0.0], [3000.0, 0.0]], false);
    let options = TargetSpeedOptions { max_speed_mps: 90.0, braking_mps2: 8.0, ..papers() };
    let seen = 4.0 * 6.0;
    let speed = target(&straight, TargetSpeedOptions { preview_s: 0.0, ..options }, at(10.0, 0.0, 0.0, 60.0));
    assert!((speed * speed - 1.0 - 2.0 * 8.0 * seen).abs() < 1e-9);
}

#[test]
fn height_bends_the_path_too() {
    // A crest: 6 m up and 6 m down again.
    let at = |x, z| Waypoint { position_m: [x, 0.0, z], ..Waypoint::default() };
    let crest = Path::new(vec![at(0.0, 0.0), at(30.0, 0.0), at(36.0, 6.0), at(42.0, 0.0), at(80.0, 0.0)], false);
    let state = VehicleState::new([31.0, 0.0, 0.0], 0.0, 0.0);
    assert!(target(&crest.expect("a path"), papers(), state) < 6.0);
    // A reference point above the ground is no crest.
    let straight = path(&[[0.0, 0.0], [300.0, 0.0]], false);
    let lifted = VehicleState::new([10.0, 0.0, 3.0], 0.0, 0.0);
    assert_eq!(target(&straight, papers(), lifted), 10.0);
}

#[test]
fn a_yaw_rate_limit_allows_its_rate_times_the_radius() {
    let lap = circle(20.0, 40_000);
    let base = TargetSpeedOptions { span: CurveSpan::Midpoints, spacing_m: 1.0, points: 40, ..papers() };
    let free = target(&lap, base, at(20.0, 0.0, 1.57, 0.0));
    let limited = target(&lap, TargetSpeedOptions { yaw_rate_radps: 0.2, ..base }, at(20.0, 0.0, 1.57, 0.0));
    assert!((limited - 4.0).abs() < 0.05 && free > 8.0, "{limited}, {free} without");
    let straight = path(&[[0.0, 0.0], [300.0, 0.0]], false);
    assert_eq!(target(&straight, TargetSpeedOptions { yaw_rate_radps: 0.2, ..base }, at(10.0, 0.0, 0.0, 5.0)), 10.0);
    let refused = TargetSpeedOptions { yaw_rate_radps: 0.0, ..base };
    let options = FollowerOptions { target_speed: refused, ..FollowerOptions::paper() };
    assert_eq!(options.validate().unwrap_err().field, "target_speed.yaw_rate_radps");
}

#[test]
fn the_fractions_of_the_vehicles_own_limits_count_where_they_are_lower() {
    let speed = |path: &Path, vehicle: VehicleGeometry, change: fn(&mut TargetSpeedOptions), state: VehicleState| {
        let mut options = FollowerOptions::paper();
        options.target_speed = TargetSpeedOptions {
            span: CurveSpan::Midpoints,
            spacing_m: 1.0,
            points: 40,
            min_speed_mps: 0.0,
            preview_s: 0.0,
            ..options.target_speed
        };
        change(&mut options.target_speed);
        Follower::new(options, vehicle).expect("valid").step(path, &state, &Scene::EMPTY, FRAME_S).target_speed_mps
    };
    let base = VehicleGeometry::default();
    let (lap, on_lap) = (circle(20.0, 40_000), at(20.0, 0.0, 1.57, 0.0));
    // Default fractions 0.8 and 1.
    let slippery = VehicleGeometry { grip_g: 0.25, ..base };
    let expected = (0.8 * 0.25 * 9.80665 * 20.0_f64).sqrt();
    assert!((speed(&lap, slippery, |_| (), on_lap) - expected).abs() < 0.01);
    let half = (0.5 * 0.25 * 9.80665 * 20.0_f64).sqrt();
    assert!((speed(&lap, slippery, |options| options.grip_fraction = 0.5, on_lap) - half).abs() < 0.01);
    // Grip beyond what the option allows changes nothing.
    let sticky = VehicleGeometry { grip_g: 2.0, max_yaw_rate_radps: 9.0, ..base };
    assert_eq!(speed(&lap, sticky, |_| (), on_lap), speed(&lap, base, |_| (), on_lap));
    let slow = VehicleGeometry { max_yaw_rate_radps: 0.25, ..base };
    assert!((speed(&lap, slow, |_| (), on_lap) - 0.25 * 20.0).abs() < 0.05);
    assert!((speed(&lap, slow, |options| options.yaw_rate_fraction = 0.5, on_lap) - 0.5 * 0.25 * 20.0).abs() < 0.02);
    // Braking: to the end of a straight path, 20.5 m away.
    let straight = path(&[[0.0, 0.0], [100.0, 0.0]], false);
    let stop = (2.0 * 0.8 * 0.25 * 9.80665 * 20.0_f64).sqrt();
    assert!((speed(&straight, slippery, |_| (), at(79.5, 0.0, 0.0, 5.0)) - stop).abs() < 0.01);
    for (vehicle, field) in [
        (VehicleGeometry { grip_g: 0.0, ..base }, "vehicle.grip_g"),
        (VehicleGeometry { max_yaw_rate_radps: f64::NAN, ..base }, "vehicle.max_yaw_rate_radps"),
    ] {
        assert_eq!(Follower::new(FollowerOptions::paper(), vehicle).unwrap_err().field, field);
    }
}
