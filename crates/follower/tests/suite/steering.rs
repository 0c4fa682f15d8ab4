//! Pure pursuit in a closed loop with a car without slip.

// A test that can't start should fail with a message.
#![allow(clippy::expect_used)]

use crate::common::{Car, FRAME_S, circle, drive, path, stadium};
use raceline_follower::pure_pursuit::{bicycle_steering, pursuit_curvature};
use raceline_follower::{
    Follower, FollowerOptions, LookaheadOptions, Scene, SteeringOptions, VehicleGeometry, VehicleState,
};

/// A fixed lookahead, and a fixed speed.
fn options(lookahead: f64) -> FollowerOptions {
    let lookahead = LookaheadOptions {
        base_m: lookahead,
        time_s: 0.0,
        curvature_gain_m: 0.0,
        cross_track_gain: 0.0,
        min_m: 0.5,
        max_m: 50.0,
    };
    let mut options = FollowerOptions { lookahead, ..FollowerOptions::paper() };
    options.target_speed.max_speed_mps = 5.0;
    options.target_speed.lateral_acceleration_g = 10.0;
    options
}

fn follower(options: FollowerOptions) -> Follower {
    Follower::new(options, VehicleGeometry::default()).expect("valid")
}

#[test]
fn the_arc_passes_through_its_target() {
    for (x, y) in [(5.0, 1.0), (3.0, -2.0), (1.0, 4.0), (-4.0, 1.0), (7.0, 1e-6)] {
        let k = pursuit_curvature(x, y);
        // The circle through the origin along +x: x² + (y - 1/k)² = 1/k².
        let off = x * x + (y - 1.0 / k).powi(2) - 1.0 / (k * k);
        assert!(off.abs() < 1e-6 / (k * k), "{x} {y}: {off}");
    }
    assert_eq!(pursuit_curvature(5.0, 0.0), 0.0);
    assert_eq!(pursuit_curvature(0.0, 0.0), 0.0);
    // A bicycle with its wheels at that angle turns about a point on the rear axle's line at 1/κ.
    assert!((2.6 / bicycle_steering(2.6, 0.1).tan() - 10.0).abs() < 1e-12);
}

#[test]
fn on_a_circle_the_rear_axle_settles_on_the_path() {
    // The arc from the rear axle through a point of the path is the path itself only if the axle is
    // on it and along it. So that's where it settles, and the reference point ahead of it runs
    // outside by √(r² + b²) - r.
    for (radius, lookahead) in [(15.0, 3.0), (15.0, 6.0), (40.0, 8.0)] {
        let lap = circle(radius, 3000);
        let mut car = Car::new([radius, -8.0], 1.5, 5.0);
        let last = drive(&mut follower(options(lookahead)), &lap, &mut car, 40.0, |_, _| {});
        let rear = car.rear[0].hypot(car.rear[1]) - radius;
        assert!(rear.abs() < 5e-3, "rear axle off by {rear} at {radius}, {lookahead}");
        let ahead = car.vehicle.rear_axle_m;
        let outside = radius.hypot(ahead) - radius;
        // The path is on the left of a car outside it.
        assert!((last.cross_track_error_m + outside).abs() < 5e-3, "{} at {radius}", last.cross_track_error_m);
        let expected = bicycle_steering(car.vehicle.wheelbase_m, 1.0 / radius);
        assert!((last.steering_rad - expected).abs() < 2e-3, "{} {expected}", last.steering_rad);
    }
}

#[test]
fn with_feed_forward_the_reference_point_settles_on_the_path() {
    let mut options = options(6.0);
    options.steering.curvature_feedforward = 1.0;
    for radius in [15.0, 40.0] {
        let lap = circle(radius, 3000);
        let mut car = Car::new([radius + 1.0, -8.0], 1.5, 5.0);
        let last = drive(&mut follower(options), &lap, &mut car, 60.0, |_, _| {});
        // The wheels' angle is for a rear axle on the path; it runs inside by b²/2r, whose
        // curvature the feedback makes up: κ(b²/2r)/r · L²/2.
        let inside = 1.3_f64.powi(2) / (2.0 * radius);
        let bound = inside / (radius * radius) * 36.0 / 2.0 + 2e-3;
        assert!(last.cross_track_error_m.abs() < bound, "{} at {radius}", last.cross_track_error_m);
    }
}

#[test]
fn an_offset_from_a_straight_dies_away_like_a_damped_oscillation() {
    // For small angles pure pursuit with a target at arc length L ahead of the reference point is
    // e'' + 2/L e' + 2/L² e = 0 over the distance (rear axle at the reference point): frequency
    // √2/L, damping 1/√2; overshoot e^(-π) = 4.3 %.
    let vehicle = VehicleGeometry { rear_axle_m: 0.0, ..VehicleGeometry::default() };
    let straight = path(&[[-50.0, 0.0], [400.0, 0.0]], false);
    let lookahead = 12.0;
    let mut follower = Follower::new(options(lookahead), vehicle).expect("valid");
    let mut car = Car::new([0.0, 0.0], 0.0, 5.0);
    (car.vehicle, car.rear) = (vehicle, [0.0, 0.5]);
    let mut lowest = 0.0_f64;
    drive(&mut follower, &straight, &mut car, 60.0, |car, command| {
        let x = car.rear[0];
        if x < 3.0 * lookahead {
            let z = x / lookahead;
            let expected = 0.5 * (-z).exp() * (z.cos() + z.sin());
            assert!((command.cross_track_error_m - expected).abs() < 0.01, "at {x}: {} {expected}", car.rear[1]);
        }
        lowest = lowest.min(command.cross_track_error_m);
    });
    let overshoot = -lowest / 0.5;
    assert!((overshoot - (-std::f64::consts::PI).exp()).abs() < 5e-3, "{overshoot}");
    assert!(car.rear[1].abs() < 1e-6);
}

#[test]
fn lookahead_grows_with_speed_and_shrinks_with_curvature_and_error() {
    let straight = path(&[[0.0, 0.0], [500.0, 0.0]], false);
    let lookahead = |path: &raceline_follower::Path, x: f64, y: f64, heading: f64, speed: f64| {
        let state = VehicleState::new([x, y, 0.0], heading, speed);
        let command = follower(FollowerOptions::paper()).step(path, &state, &Scene::EMPTY, FRAME_S);
        path.sample(command.s_m);
        let [tx, ty, _] = command.target_point_m;
        let [nx, ny, _] = command.nearest_point_m;
        (tx - nx).hypot(ty - ny)
    };
    let slow = lookahead(&straight, 10.0, 0.0, 0.0, 4.0);
    assert!((slow - 5.0).abs() < 1e-9, "base 3 m and half a second: {slow}");
    assert!((lookahead(&straight, 10.0, 0.0, 0.0, 10.0) - 8.0).abs() < 1e-9);
    assert!((lookahead(&straight, 10.0, 2.0, 0.0, 10.0) - 8.0).abs() > 1.0);
    assert_eq!(lookahead(&straight, 10.0, 0.0, 0.0, 900.0), 20.0);
    assert_eq!(lookahead(&straight, 10.0, 0.0, 0.0, 0.0), 3.0);
    let lap = circle(12.0, 300);
    assert!(lookahead(&lap, 12.0, 0.0, 1.57, 10.0) < 7.5);
}

#[test]
fn steering_stays_within_the_limit_and_turns_towards_the_path() {
    let straight = path(&[[0.0, 0.0], [500.0, 0.0]], false);
    let limit = VehicleGeometry::default().max_steering_rad;
    for (y, heading, sign) in
        [(30.0, 0.0, -1.0), (-30.0, 0.0, 1.0), (0.0, 1.5, -1.0), (0.1, 3.0, -1.0), (0.0, -2.0, 1.0)]
    {
        let state = VehicleState::new([100.0, y, 0.0], heading, 2.0);
        let steering = follower(FollowerOptions::paper()).step(&straight, &state, &Scene::EMPTY, FRAME_S).steering_rad;
        assert!(steering * sign > 0.0 && steering.abs() <= limit, "{steering} for {y}, {heading}");
    }
}

#[test]
fn understeer_and_yaw_feedback_add_their_terms() {
    let lap = circle(50.0, 4000);
    let steering = |change: &dyn Fn(&mut SteeringOptions), yaw_rate_radps: f64| {
        let mut options = options(6.0);
        options.steering.curvature_feedforward = 1.0;
        options.steering.preview_s = 0.0;
        change(&mut options.steering);
        let b = VehicleGeometry::default().rear_axle_m;
        let heading = std::f64::consts::FRAC_PI_2 - (b / 50.0).atan();
        let state = VehicleState { yaw_rate_radps, ..VehicleState::new([50.0, 0.0, 0.0], heading, 10.0) };
        follower(options).step(&lap, &state, &Scene::EMPTY, FRAME_S).steering_rad
    };
    let plain = steering(&|_| {}, f64::NAN);
    assert!((plain - (2.6_f64 / 50.0).atan()).abs() < 1e-4, "{plain}");
    let understeer = steering(&|o| o.understeer_radpmps2 = 0.005, f64::NAN);
    assert!((understeer - plain - 0.005 * 2.0).abs() < 1e-4, "{understeer}");
    // A yaw rate of 0.2 rad/s is the circle's at 10 m/s; 0.1 less is made up for.
    assert!((steering(&|o| o.yaw_damping_s = 0.5, 0.2) - plain).abs() < 1e-3);
    assert!((steering(&|o| o.yaw_damping_s = 0.5, 0.1) - plain - 0.05).abs() < 1e-3);
}

#[test]
fn a_lap_of_a_stadium_stays_near_the_line() {
    let lap = stadium(80.0, 15.0, 2.0);
    // A stadium's curvature jumps, which no wheels follow; pure pursuit alone cuts the bends
    // besides.
    for (mut options, bound) in [(FollowerOptions::paper(), 0.65), (FollowerOptions::for_racing(), 0.5)] {
        options.target_speed.lateral_acceleration_g = 0.4;
        options.target_speed.max_speed_mps = 20.0;
        let mut car = Car::new([0.0, 0.0], 0.0, 0.0);
        car.steering_lag = 0.1;
        let (mut worst, mut last, mut laps) = (0.0_f64, 0.0, 0);
        drive(&mut follower(options), &lap, &mut car, 120.0, |_, command| {
            worst = worst.max(command.cross_track_error_m.abs());
            laps += i32::from(command.s_m < last - 100.0);
            last = command.s_m;
        });
        assert!(worst < bound, "{worst}");
        assert!(laps >= 3, "{laps}");
    }
}

#[test]
fn backwards_it_follows_tail_first() {
    let lap = stadium(60.0, 20.0, 2.0);
    let mut follower = follower(options(6.0));
    // Faces against the path.
    let mut car = Car::new([0.0, 0.5], std::f64::consts::PI, 0.0);
    let (mut last, mut advance, mut worst) = (0.0, 0.0, 0.0_f64);
    for frame in 0..3600 {
        let command = follower.step(&lap, &car.state(), &Scene::EMPTY.with_reverse(true), FRAME_S);
        let distance = (command.s_m - last + lap.length_m() / 2.0).rem_euclid(lap.length_m()) - lap.length_m() / 2.0;
        (last, advance) = (command.s_m, advance + if frame > 0 { distance } else { 0.0 });
        if frame > 600 {
            worst = worst.max(command.cross_track_error_m.abs());
        }
        assert!(command.reverse);
        car.drive(&command, FRAME_S);
    }
    assert!(advance > lap.length_m() && car.speed < 0.0, "{advance}");
    assert!(worst < 0.5, "{worst}");
}

/// With the yaw feedback of the racing options a vehicle without slip once swung at full lock from
/// 5 m/s on.
#[test]
fn a_vehicle_that_turns_at_once_does_not_swing_under_racing_options() {
    let lap = stadium(200.0, 60.0, 2.0);
    for speed in [4.0, 12.0, 24.0] {
        let mut options = FollowerOptions::for_racing();
        options.target_speed.max_speed_mps = speed;
        let mut car = Car::new([0.0, 0.3], 0.0, speed);
        let (mut before, mut largest) = (f64::NAN, 0.0_f64);
        drive(&mut follower(options), &lap, &mut car, 60.0, |_, command| {
            largest = largest.max((command.steering_rad - before).abs());
            before = command.steering_rad;
        });
        assert!(largest < 0.06, "at {speed} m/s the wheels jump by {largest} rad from frame to frame");
    }
}
