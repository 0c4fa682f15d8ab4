use std::f64::consts::TAU;

use raceline_numerics::nonlinear_program::Acceptance;

use super::{Settings, Solution, Status, solve};
use crate::car::Reserve;
use crate::car::model::Car;
use crate::car::price::Price;
use crate::car::problem::{FORWARD, Node, PEDAL, Problem, STEERING, UNKNOWNS};
use crate::speed::Ground;
use raceline_car::{STANDARD_GRAVITY, Vehicle, preset};

const SETTINGS: Settings = Settings {
    first_barrier: 2e-3,
    last_barrier: 1e-7,
    resumed_barrier: 1e-7,
    resumed_band: 1000.0,
    tolerance: 10.0,
    max_iterations: 200,
    usual_multiplier: Some(100.0),
    acceptance: Acceptance::Filter,
};
const SCALES: [f64; UNKNOWNS] = [2.0, 0.1, 20.0, 1.0, 0.5, 0.1, 10.0];

/// A lap of `length_m` with the curvature `(1 + swing cos 2φ) / R`, whose road is `half_width_m`
/// wide on either side of the reference line.
fn lap(vehicle: &Vehicle, count: usize, length_m: f64, swing: f64, half_width_m: f64) -> (Solution, [f64; 3]) {
    let car = Car::new(vehicle, Reserve::NONE).expect("a valid vehicle");
    let mean = TAU / length_m;
    let length = length_m / count as f64;
    let angle = |i: usize| TAU * i as f64 / count as f64;
    let heading = |i: usize| angle(i) + 0.5 * swing * (2.0 * angle(i)).sin();
    let nodes: Vec<Node> = (0..count)
        .map(|i| Node {
            curvature: mean * (1.0 + swing * (2.0 * angle(i)).cos()),
            low_m: -half_width_m,
            high_m: half_width_m,
            length_m: length,
            turn_rad: heading(i + 1) - heading(i),
            ground: Ground::LEVEL,
            grip: 1.0,
            profile: None,
            max_speed_mps: f64::INFINITY,
            steering_price: 1.0,
            corners: [None; 2],
        })
        .collect();
    let start = nodes.iter().map(|node| {
        let speed = 0.5 * (vehicle.lateral_limit_mps2 / (mean * (1.0 + swing))).sqrt();
        let motion = car.steady(speed, node.curvature, 0.0, &node.ground, 1.0);
        let sideslip = motion.leftward.atan2(motion.forward);
        let x = [0.0, -sideslip, motion.forward, motion.leftward, motion.yaw_rate, motion.steering, motion.pedal];
        std::array::from_fn(|k| x[k] / SCALES[k])
    });
    let start = start.collect();
    let problem = Problem {
        car: &car,
        closed: true,
        min_speed_mps: 2.0,
        scales: SCALES,
        per_second: count as f64 / 20.0,
        price: Price::NONE,
        smoothing: [1e-3; 2],
        fixed: Vec::new(),
        profiles: Vec::new(),
        nodes,
    };
    let found = solve(&problem, start, None, &SETTINGS, &|_| {}).expect("a start that fits");
    assert_eq!(found.status, Status::Converged);
    let steady = [FORWARD, PEDAL, STEERING].map(|k| found.point[0][k] * SCALES[k]);
    (found, steady)
}

#[test]
fn on_a_circle_the_axle_that_lost_load_limits() {
    let mut vehicle = preset("tum-racecar").expect("the preset exists");
    vehicle.centre_of_gravity_m = Some(0.5);
    let (found, state) = lap(&vehicle, 60, TAU * 60.0, 0.0, 0.01);
    let [speed, pedal, steering] = state;
    // The drive holds the speed against drag and slipping tyres, and moves load to the rear. The
    // front axle then carries A_y (1 - p h / (g b)), with b = 1.4 m, across its steered wheels.
    let front = 12.0 * (1.0 - pedal * 0.5 / (STANDARD_GRAVITY * 0.4667 * 3.0)) * steering.cos();
    let lateral = speed * speed / 59.99;
    assert!(pedal > 0.7, "{pedal}");
    assert!((lateral / front - 1.0).abs() < 1e-2, "{lateral} {front}");
    assert!((found.time_s - TAU * 59.99 / speed).abs() < 0.01, "{} {speed}", found.time_s);
}

#[test]
fn on_a_circle_four_wheels_reach_the_lateral_limit_of_the_vehicle() {
    let mut vehicle = preset("tum-racecar").expect("the preset exists");
    (vehicle.centre_of_gravity_m, vehicle.drag_kgpm) = (Some(0.4), 0.0);
    (vehicle.front_track_width_m, vehicle.rear_track_width_m) = (Some(1.6), Some(1.6));
    vehicle.front_roll_stiffness_fraction = Some(0.6);
    vehicle.tyre_load_sensitivity = Some(0.2);
    let (found, state) = lap(&vehicle, 60, TAU * 60.0, 0.0, 0.01);
    let [speed, pedal, steering] = state;
    // The front loses more, by the roll stiffness. The drive unloads it a little: with n of its
    // load it
    // has N (1 - k (4 ΔN²/N² + n - 1)).
    let lateral = speed * speed / 59.99;
    let usable = |n: f64, lateral: f64| {
        let moved = 2.0 * 0.6 * 0.4 * lateral / (1.6 * 0.4667 * STANDARD_GRAVITY);
        n * (1.2 - 0.2 * (n + moved * moved / n))
    };
    let n = 1.0 - pedal * 0.4 / (STANDARD_GRAVITY * 0.4667 * 3.0);
    let front = 12.0 * usable(n, lateral) / usable(1.0, 12.0) * steering.cos();
    // The acceleration of (14) moves less load than the force does: these tyres are sensitive.
    assert!((lateral / front - 1.0).abs() < 1.5e-2, "{lateral} {front}");
    assert!((found.time_s - TAU * 59.99 / speed).abs() < 0.01, "{} {speed}", found.time_s);
}

#[test]
fn the_error_of_a_lap_falls_with_the_square_of_the_distance_between_nodes() {
    let vehicle = preset("gt").expect("the preset exists");
    let [coarse, fine, finest] = [200, 800, 1600].map(|count| lap(&vehicle, count, 600.0, 0.8, 2.0).0.time_s);
    // A quarter of the distance: a sixteenth of the error, up to that of the finest.
    assert!((fine - finest).abs() < (coarse - finest).abs() / 10.0, "{coarse} {fine} {finest}");
    assert!((coarse - finest).abs() < 3e-4 * finest, "{coarse} {finest}");
}

#[test]
fn a_search_that_continues_another_has_the_steps_of_both_and_the_lap_of_the_second() {
    let vehicle = preset("gt").expect("the preset exists");
    let (first, _) = lap(&vehicle, 60, 400.0, 0.2, 3.0);
    let second = Solution { iterations: 5, factorisations: 7, time_s: 12.0, ..first.clone() };
    let both = first.then(second);
    assert_eq!(both.iterations, first.iterations + 5);
    assert_eq!(both.factorisations, first.factorisations + 7);
    assert_eq!(both.time_s, 12.0);
}
