//! Steering and pedal at the limit: closed forms, poles of the closed loop, and laps of a car with
//! sliding tyres at several frame rates and delays.

// A test that can't start should say so.
#![allow(clippy::expect_used)]

use crate::racing::{Drive, GRIP, PEAK, WHEELBASE, car, circuit, drive, dynamics, geometry, racing};
use raceline_follower::{
    Follower, FollowerOptions, LimitOptions, Path, SpeedMode, VehicleDynamics, VehicleState, Waypoint,
};
use raceline_vehicle_simulation::{BicycleState, Controls};

/// A matrix of the closed loop: offset, heading, velocity across, yaw rate, then the commands under
/// way, the oldest first.
type Matrix = Vec<Vec<f64>>;

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    let entry = |i: usize, j: usize| (0..b.len()).map(|k| a[i][k] * b[k][j]).sum();
    (0..a.len()).map(|i| (0..b.len()).map(|j| entry(i, j)).collect()).collect()
}

/// The slowest decay of the loop's motions, 1/s, negative when one grows: from the norm of a high
/// power of the matrix, which its largest eigenvalue decides.
fn slowest_decay(one_frame: &Matrix, frame_s: f64) -> f64 {
    let (mut power, mut frames, mut logarithm) = (one_frame.clone(), 1.0, 0.0);
    for _ in 0..14 {
        power = product(&power, &power);
        (frames, logarithm) = (2.0 * frames, 2.0 * logarithm);
        let size = power.iter().flatten().fold(0.0_f64, |most, entry| most.max(entry.abs()));
        power.iter_mut().flatten().for_each(|entry| *entry /= size);
        logarithm += size.ln();
    }
    -logarithm / (frames * frame_s)
}

/// One frame of the linear bicycle about a straight under the feedback of `options`. The axles keep
/// the fractions `front` and `rear` of the cornering stiffness of fresh tyres; commands act
/// `delay` frames late.
fn closed_loop(options: &LimitOptions, speed: f64, [front, rear]: [f64; 2], frame_s: f64, delay: usize) -> Matrix {
    let (a, b) = (WHEELBASE / 2.0, WHEELBASE / 2.0);
    let stiffness = 3.0 / PEAK * GRIP;
    let (front, rear) = (front * stiffness * b / WHEELBASE, rear * stiffness * a / WHEELBASE);
    let gyration = a * b;
    let rate = |[_, heading, across, turning]: [f64; 4], steering: f64| {
        let by_front = front * (steering - (across + a * turning) / speed);
        let by_rear = -rear * (across - b * turning) / speed;
        [
            speed * heading + across,
            turning,
            by_front + by_rear - speed * turning,
            (a * by_front - b * by_rear) / gyration,
        ]
    };
    let weaker = 1.0 / (1.0 + 12.0 * options.delay_s);
    let gain = weaker * options.heading_gain.min(options.heading_rate_radps * WHEELBASE / speed);
    let late = delay as f64 * frame_s + 0.5 * frame_s;
    // The command for a state, predicted as the follower does.
    let command = |[offset, heading, across, turning]: [f64; 4]| {
        let offset = offset + (speed * (heading + 0.5 * turning * late) + across) * late;
        let heading = heading + turning * late;
        let course = heading + options.course_share * across / speed;
        -gain * (course + offset / (options.return_s * speed)) - weaker * options.yaw_damping_s * turning
    };
    let size = 4 + delay;
    let mut matrix = vec![vec![0.0; size]; size];
    for column in 0..size {
        let mut state = [0.0; 4];
        let mut waiting = vec![0.0; delay];
        if column < 4 {
            state[column] = 1.0;
        } else {
            waiting[column - 4] = 1.0;
        }
        let new = command(state);
        let steering = if delay == 0 { new } else { waiting.remove(0) };
        if delay > 0 {
            waiting.push(new);
        }
        for _ in 0..64 {
            // The midpoint rule.
            let step = frame_s / 64.0;
            let first = rate(state, steering);
            let middle = std::array::from_fn(|i| state[i] + 0.5 * step * first[i]);
            let second = rate(middle, steering);
            state = std::array::from_fn(|i| state[i] + step * second[i]);
        }
        for (row, value) in state.iter().chain(&waiting).enumerate() {
            matrix[row][column] = *value;
        }
    }
    matrix
}

/// Fractions of the cornering stiffness: fresh tyres, a front axle and both axles near their limit,
/// and a rear axle that brakes.
const TYRES: [[f64; 2]; 4] = [[1.0, 1.0], [0.3, 1.0], [0.3, 0.3], [1.0, 0.6]];

#[test]
fn the_closed_loop_is_stable_at_every_speed_and_grip_with_frames_of_30_to_120_hz_and_80_ms_of_delay() {
    let mut options = FollowerOptions::for_racing().limit;
    println!("slowest decay, 1/s: m/s, Hz, ms, then fresh | front at limit | both at limit | rear brakes");
    for speed in [10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 80.0] {
        for (rate, delay) in [(30.0, 0), (60.0, 0), (120.0, 0), (60.0, 3), (60.0, 5)] {
            options.delay_s = delay as f64 / rate;
            let decays =
                TYRES.map(|tyres| slowest_decay(&closed_loop(&options, speed, tyres, 1.0 / rate, delay), 1.0 / rate));
            let late = 1000.0 * f64::from(u32::try_from(delay).expect("small")) / rate;
            println!("{speed} {rate} {late:.0} {decays:.2?}");
            // With fresh tyres, and near the limit of both axles, always.
            assert!(decays[0] > 0.4 && decays[1] > 0.1, "{speed} m/s, {rate} Hz, {late} ms: {decays:?}");
            if delay == 0 {
                assert!(decays.iter().all(|decay| *decay > 0.0), "{speed} m/s, {rate} Hz: {decays:?}");
            }
        }
    }
}

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
    for share in [0.1_f64, 0.5, 0.8, 0.9] {
        let speed = (share * GRIP * radius).sqrt();
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
            let command = follower.step(&path, &crate::racing::seen(&state), 1.0 / 60.0);
            let controls =
                Controls { pedal: command.pedal, reverse: command.reverse, steering_rad: command.steering_rad };
            for _ in 0..16 {
                car.advance(&mut state, &controls, 1.0 / 960.0);
            }
            last = Some(command);
        }
        let error = last.expect("frames").cross_track_error_m;
        let moved = state.forward_mps.hypot(state.leftward_mps);
        assert!(error.abs() < 0.25, "{share}: {error} m from the circle");
        assert!((moved / speed - 1.0).abs() < 0.03, "{share}: {moved} m/s of {speed}");
    }
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
fn with_five_percent_less_grip_than_told_the_car_stays_near_the_line() {
    let (path, _) = circuit();
    let path = path.with_dynamics(&dynamics());
    let driven = drive(racing(SpeedMode::Both, 0.95), &path, &Drive { frame_s: 1.0 / 60.0, delay_s: 0.0, grip: 0.95 });
    assert!(driven.worst_m < 0.5, "{driven:?}");
}

#[test]
fn a_vehicle_that_does_not_tell_its_velocity_is_driven_by_pursuit() {
    let path = steady_circle(80.0, 20.0);
    let state = VehicleState::new([80.5, 0.0, 0.0], std::f64::consts::FRAC_PI_2, 20.0);
    let mut with = Follower::new(FollowerOptions::for_racing(), geometry()).expect("valid");
    let mut options = FollowerOptions::for_racing();
    options.limit.enabled = false;
    let mut without = Follower::new(options, geometry()).expect("valid");
    assert_eq!(with.step(&path, &state, 1.0 / 60.0), without.step(&path, &state, 1.0 / 60.0));
}

#[test]
fn what_is_not_known_of_a_vehicle_is_estimated() {
    let resolved = VehicleDynamics::constant(GRIP, GRIP, 5.0).resolve(&geometry());
    assert!((resolved.front_weight_fraction - 0.5).abs() < 1e-12);
    assert!((resolved.gyration_m2 - WHEELBASE * WHEELBASE / 4.0).abs() < 1e-9);
    assert!(resolved.centre_of_gravity_m > 0.0 && resolved.peak_slip_rad > 0.1);
    // A reference point at the rear axle is not the centre of gravity.
    let at_rear = raceline_follower::VehicleGeometry { rear_axle_m: 0.0, ..geometry() };
    assert!((dynamics().resolve(&at_rear).front_weight_fraction - 0.5).abs() < 1e-12);
}
