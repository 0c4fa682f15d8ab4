//! Steering and pedal at the limit: closed forms, and laps of a car with sliding tyres at several
//! frame rates and delays.

// A test that can't start should fail with a message.
#![allow(clippy::expect_used)]

use crate::common::{FRAME_S, waypoint};
use crate::racing::{Drive, GRIP, WHEELBASE, car, circuit, drive, dynamics, geometry, racing, seen};
use raceline_follower::{
    Command, Follower, FollowerOptions, Path, PathInputs, Scene, SpeedMode, VehicleDynamics, VehicleState, Waypoint,
};
use raceline_vehicle_simulation::{BicycleState, Controls};

/// A circle of `radius` at a steady `speed`.
fn steady_circle(radius: f64, speed: f64) -> Path {
    let point = |i: usize| {
        let angle = i as f64 / 400.0 * std::f64::consts::TAU;
        Waypoint {
            position_m: [radius * angle.cos(), radius * angle.sin(), 0.0],
            speed_mps: speed,
            curvature_radpm: 1.0 / radius,
            ..Waypoint::default()
        }
    };
    Path::new((0..400).map(point).collect(), true).expect("a circle").with_dynamics(&dynamics())
}

#[test]
fn on_a_steady_circle_the_car_keeps_the_line_and_the_speed_up_to_nine_tenths_of_its_grip() {
    let radius = 80.0;
    for fraction in [0.1_f64, 0.5, 0.8, 0.9] {
        let speed = (fraction * GRIP * radius).sqrt();
        let path = steady_circle(radius, speed);
        let car = car();
        let mut follower = Follower::new(racing(SpeedMode::Both, 1.0), geometry()).expect("valid");
        let mut state = BicycleState {
            x_m: radius,
            heading_rad: std::f64::consts::FRAC_PI_2,
            forward_mps: speed,
            yaw_rate_radps: speed / radius,
            ..BicycleState::default()
        };
        let mut last = None;
        for _ in 0..900 {
            let command = follower.step(&path, &seen(&state), &Scene::EMPTY, 1.0 / 60.0);
            let controls =
                Controls { pedal: command.pedal, reverse: command.reverse, steering_rad: command.steering_rad };
            for _ in 0..16 {
                car.advance(&mut state, &controls, 1.0 / 960.0);
            }
            last = Some(command);
        }
        let error = last.expect("frames").cross_track_error_m;
        let moved = state.forward_mps.hypot(state.leftward_mps);
        assert!(error.abs() < 0.25, "{fraction}: {error} m from the circle");
        assert!((moved / speed - 1.0).abs() < 0.03, "{fraction}: {moved} m/s of {speed}");
    }
}

#[test]
fn on_a_road_that_leans_the_tyres_give_what_gravity_leaves() {
    let radius = 80.0;
    // The pedal of the first frame for a profile that is faster than the car, by the part of the
    // tyres' limit that the circle to the left needs on a level road, and the part that gravity pulls
    // to the right.
    let pedal = |needs: f64, pulls: f64| {
        let speed = (needs * GRIP * radius).sqrt();
        let banking = (pulls * GRIP / 9.80665).asin();
        let path = steady_circle(radius, 1.05 * speed).with_banking(|_, _| banking);
        let state = VehicleState {
            velocity_mps: [0.0, speed, 0.0],
            yaw_rate_radps: speed / radius,
            ..VehicleState::new([radius, 0.0, 0.0], std::f64::consts::FRAC_PI_2, speed)
        };
        let mut follower = Follower::new(racing(SpeedMode::Both, 1.0), geometry()).expect("valid");
        follower.step(&path, &state, &Scene::EMPTY, 1.0 / 60.0).pedal
    };
    assert!(pedal(0.6, 0.0) > 0.1, "{}", pedal(0.6, 0.0));
    // Level, the tyres are at their limit; leaning inwards, they give what they gave on a level road.
    assert!(pedal(1.0, 0.0) <= 0.0, "{}", pedal(1.0, 0.0));
    assert!(pedal(1.0, -0.4) > 0.1, "{}", pedal(1.0, -0.4));
    assert!(pedal(0.6, 0.4) <= 0.0, "{}", pedal(0.6, 0.4));
}

#[test]
fn braking_before_the_profile_does_leaves_the_steering_for_the_bend_alone() {
    // Into a bend that tightens, with a profile that accelerates for another 8 m and then brakes.
    let (turn_in, brake) = (400.0, 408.0);
    let (mut heading, mut position) = (0.0_f64, [0.0_f64, 0.0]);
    let waypoints = (0..600).map(|i| {
        let s = f64::from(i);
        let curvature = 1.3e-4 * (s - turn_in + 8.0).clamp(0.0, 35.0);
        let square = 1764.0 + if s < brake { 8.0 * (s - brake) } else { -11.0 * (s - brake) };
        let here = Waypoint {
            position_m: [position[0], position[1], 0.0],
            speed_mps: square.max(100.0).sqrt(),
            curvature_radpm: curvature,
            ..Waypoint::default()
        };
        heading += curvature;
        position = [position[0] + heading.cos(), position[1] + heading.sin()];
        here
    });
    let dynamics = VehicleDynamics::constant(10.3, 8.3, 5.0);
    let path = Path::new(waypoints.collect(), false).expect("a path").with_dynamics(&dynamics);
    let here = path.sample(turn_in);
    assert!(here.acceleration_mps2 > 3.9);
    let speed = here.speed_mps;
    let (sin, cos) = here.heading_rad.sin_cos();
    let state = VehicleState {
        velocity_mps: [speed * cos, speed * sin, 0.0],
        yaw_rate_radps: speed * here.curvature_radpm,
        ..VehicleState::new(here.position_m, here.heading_rad, speed)
    };
    let mut follower = Follower::new(racing(SpeedMode::Both, 1.0), geometry()).expect("valid");
    let command = follower.step(&path, &state, &Scene::EMPTY, 1.0 / 60.0);
    assert!(command.pedal < -0.5, "{command:?}");
    // The angle of rolling through the curvature a tenth of a second ahead. Slip takes as much, and beside
    // nine tenths of the brakes 1.8 times that. With both brakes added up it was five times the angle.
    let rolling = WHEELBASE * path.sample(turn_in + 0.1 * speed).curvature_radpm;
    assert!((rolling..4.0 * rolling).contains(&command.steering_rad), "{} {rolling}", command.steering_rad);
}

#[test]
fn a_lap_at_the_limit_keeps_to_the_line_at_any_frame_rate_and_with_a_known_delay() {
    let (path, profile) = circuit();
    let path = path.with_dynamics(&dynamics());
    for (rate, delay_s, scale, worst) in [
        (60.0, 0.0, 0.985, 0.8),
        (120.0, 0.0, 0.97, 0.6),
        (30.0, 0.0, 0.95, 0.5),
        (60.0, 0.05, 0.95, 0.8),
        (60.0, 0.08, 0.92, 0.8),
    ] {
        let mut options = racing(SpeedMode::Both, scale);
        options.limit.delay_s = delay_s;
        let driven = drive(options, &path, &Drive { frame_s: 1.0 / rate, delay_s, grip: 1.0 });
        println!("{rate} Hz, {delay_s} s: {driven:?} of {profile} s");
        assert!(driven.worst_m < worst, "{rate} Hz, {delay_s} s: {driven:?}");
        assert!(driven.best_s < 1.03 / scale * profile, "{rate} Hz, {delay_s} s: {driven:?}");
    }
}

#[test]
fn with_five_percent_less_grip_than_expected_the_car_stays_near_the_line() {
    let (path, _) = circuit();
    let path = path.with_dynamics(&dynamics());
    let driven = drive(racing(SpeedMode::Both, 0.95), &path, &Drive { frame_s: 1.0 / 60.0, delay_s: 0.0, grip: 0.95 });
    assert!(driven.worst_m < 0.5, "{driven:?}");
}

#[test]
fn a_vehicle_that_does_not_report_its_velocity_is_driven_by_pursuit() {
    let path = steady_circle(80.0, 20.0);
    let state = VehicleState::new([80.5, 0.0, 0.0], std::f64::consts::FRAC_PI_2, 20.0);
    let mut with = Follower::new(FollowerOptions::for_racing(), geometry()).expect("valid");
    let mut options = FollowerOptions::for_racing();
    options.limit.enabled = false;
    let mut without = Follower::new(options, geometry()).expect("valid");
    let (with_it, without_it) =
        (with.step(&path, &state, &Scene::EMPTY, 1.0 / 60.0), without.step(&path, &state, &Scene::EMPTY, 1.0 / 60.0));
    // The command shows it, unless nothing else was asked for.
    assert!(with_it.lacks_velocity && !without_it.lacks_velocity);
    assert_eq!(Command { lacks_velocity: false, ..with_it }, without_it);
    let known = VehicleState { velocity_mps: [0.0, 20.0, 0.0], ..state };
    assert!(!with.step(&path, &known, &Scene::EMPTY, 1.0 / 60.0).lacks_velocity);
    // A path without the dynamics of its vehicle has no limit to be driven at.
    let plain = Path::new(path.waypoints().to_vec(), true).expect("a circle");
    assert!(!with.step(&plain, &state, &Scene::EMPTY, 1.0 / 60.0).lacks_velocity);
}

#[test]
fn what_is_not_known_of_a_vehicle_is_estimated() {
    let resolved = VehicleDynamics::constant(GRIP, GRIP, 5.0).resolve(geometry().wheelbase_m, geometry().rear_axle_m);
    assert!((resolved.front_weight_fraction - 0.5).abs() < 1e-12);
    assert!((resolved.gyration_m2 - WHEELBASE * WHEELBASE / 4.0).abs() < 1e-9);
    assert!(resolved.centre_of_gravity_m > 0.0 && resolved.peak_slip_rad > 0.1);
    // A reference point at the rear axle is not the centre of gravity.
    let at_rear = raceline_follower::VehicleGeometry { rear_axle_m: 0.0, ..geometry() };
    assert!((dynamics().resolve(at_rear.wheelbase_m, at_rear.rear_axle_m).front_weight_fraction - 0.5).abs() < 1e-12);
}

/// Inputs of a path for a car that brakes with half of its tyres.
const INPUTS: PathInputs = PathInputs { steering_rad: 0.2, pedal: -0.5, sideslip_rad: 0.0, yaw_rate_radps: 0.1 };

#[test]
fn the_inputs_of_a_path_drive_a_car_at_their_speed_and_at_no_other() {
    let (radius, speed) = (80.0, 15.0);
    let plain = steady_circle(radius, speed);
    let given = steady_circle(radius, speed).with_inputs(|_, _| Some(INPUTS));
    let first = |path: &Path, options: FollowerOptions, speed: f64| {
        let state = VehicleState {
            velocity_mps: [0.0, speed, 0.0],
            yaw_rate_radps: speed / radius,
            ..VehicleState::new([radius, 0.0, 0.0], std::f64::consts::FRAC_PI_2, speed)
        };
        Follower::new(options, geometry()).expect("valid").step(path, &state, &Scene::EMPTY, 1.0 / 60.0)
    };
    let usual = first(&plain, racing(SpeedMode::Both, 1.0), speed);
    let with = first(&given, racing(SpeedMode::Both, 1.0), speed);
    assert!(usual.pedal.abs() < 0.1 && (with.pedal + 0.5).abs() < 0.1, "{usual:?} {with:?}");
    assert!(with.steering_rad > usual.steering_rad + 0.05, "{usual:?} {with:?}");
    // An eighth faster than the inputs are for, and where they are not asked for.
    let fast = 1.125 * speed;
    assert_eq!(first(&given, racing(SpeedMode::Both, 1.0), fast), first(&plain, racing(SpeedMode::Both, 1.0), fast));
    let mut off = racing(SpeedMode::Both, 1.0);
    off.limit.inputs_fraction = 0.0;
    assert_eq!(first(&given, off, speed), usual);
}

#[test]
fn a_path_has_inputs_at_every_waypoint_or_none() {
    let given =
        steady_circle(80.0, 15.0).with_inputs(|i, _| Some(PathInputs { steering_rad: 1e-3 * i as f64, ..INPUTS }));
    let between = given.inputs(1.5 * given.length_m() / 400.0).expect("inputs");
    assert!((between.steering_rad - 1.5e-3).abs() < 1e-9 && between.pedal == -0.5, "{between:?}");
    let lacks = |inputs: Option<PathInputs>| {
        let path = steady_circle(80.0, 15.0).with_inputs(|i, _| if i == 7 { inputs } else { Some(INPUTS) });
        path.inputs(0.0).is_none()
    };
    assert!(lacks(None) && lacks(Some(PathInputs { pedal: -4.1, ..INPUTS })));
    assert!(lacks(Some(PathInputs { yaw_rate_radps: f64::NAN, ..INPUTS })));
    assert!(!lacks(Some(PathInputs { pedal: 1.0001, ..INPUTS })));
    // Where the road has more grip, brakes give more than the limit of a level road of grip 1.
    assert!(!lacks(Some(PathInputs { pedal: -1.3, ..INPUTS })));
}

#[test]
fn from_far_beside_the_path_the_car_returns_without_crossing_it() {
    let points = (0..=300).map(|i| Waypoint { speed_mps: 60.0, ..waypoint(f64::from(i) * 3.0, 0.0) });
    let path = Path::new(points.collect(), false).expect("valid").with_dynamics(&dynamics());
    for (offset, speed, bound) in
        [(7.5, 2.0, 0.25), (7.5, 8.0, 0.25), (-7.5, 12.0, 0.25), (4.0, 12.0, 0.25), (-5.0, 25.0, 0.8)]
    {
        let mut follower = Follower::new(racing(SpeedMode::Profile, 1.0), geometry()).expect("valid");
        let mut state = BicycleState { x_m: 3.0, y_m: offset, forward_mps: speed, ..BicycleState::default() };
        let (mut beyond, mut steepest) = (0.0_f64, 0.0_f64);
        for _ in 0..400 {
            let command = follower.step(&path, &seen(&state), &Scene::EMPTY, FRAME_S);
            let controls = Controls { pedal: command.pedal, reverse: false, steering_rad: command.steering_rad };
            for _ in 0..16 {
                car().advance(&mut state, &controls, FRAME_S / 16.0);
            }
            beyond = beyond.max(-state.y_m * offset.signum());
            steepest = steepest.max(state.heading_rad.abs());
        }
        println!("{offset} m at {speed} m/s: {beyond:.3} m beyond, at most {steepest:.2} rad, ends {:.3} m", state.y_m);
        assert!(beyond < bound && steepest < 0.45 && state.y_m.abs() < 0.1, "{offset} m at {speed} m/s");
    }
}

#[test]
fn the_acceleration_of_a_command_is_its_pedal_in_the_vehicles_limits() {
    let mut known = dynamics();
    (known.rolling_mps2, known.drag_radpm) = (0.15, 0.001);
    let path = steady_circle(80.0, 20.0).with_dynamics(&known);
    let step = |path: &Path, speed: f64, options: FollowerOptions| {
        let state = VehicleState {
            velocity_mps: [0.0, speed, 0.0],
            yaw_rate_radps: speed / 80.0,
            ..VehicleState::new([80.0, 0.0, 0.0], std::f64::consts::FRAC_PI_2, speed)
        };
        Follower::new(options, geometry()).expect("valid").step(path, &state, &Scene::EMPTY, 1.0 / 60.0)
    };
    for speed in [10.0, 19.0, 21.0, 26.0] {
        let command = step(&path, speed, FollowerOptions::for_vehicle(&known, &geometry()));
        let full = if command.pedal > 0.0 { known.drive_mps2.at(speed) } else { known.longitudinal_mps2.at(speed) };
        let expected = command.pedal * full - 0.15 - 0.001 * speed * speed;
        assert!((command.acceleration_mps2.expect("limits") - expected).abs() < 1e-12, "{speed}: {command:?}");
    }
    // Slower than the path: it accelerates. Faster: it brakes.
    let options = FollowerOptions::for_vehicle(&known, &geometry());
    assert!(step(&path, 10.0, options).acceleration_mps2 > Some(1.0));
    assert!(step(&path, 26.0, options).acceleration_mps2 < Some(-1.0));
    // A path without a vehicle's limits.
    let points = [[0.0, 0.0], [50.0, 0.0], [100.0, 0.0]];
    let bare: Vec<Waypoint> = points
        .iter()
        .map(|[x, y]| Waypoint { position_m: [*x, *y, 0.0], speed_mps: 20.0, ..Waypoint::default() })
        .collect();
    let bare = Path::new(bare, false).expect("a straight");
    assert_eq!(step(&bare, 10.0, FollowerOptions::default()).acceleration_mps2, None);
}
