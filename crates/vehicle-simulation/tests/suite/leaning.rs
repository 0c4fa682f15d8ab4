//! A vehicle on two wheels against closed forms.

use raceline_car::STANDARD_GRAVITY;
use raceline_car::lean::{LEANING_TIME_S, lean_rad};
use raceline_vehicle_simulation::{Bicycle, BicycleState, ConstantLimits, Controls, HandlingParameters};

use crate::cars::{STEP_S, assert_near, car_with, circle, pedal, straight};

const LEAN_RATE: f64 = 1.2;

#[track_caller]
fn motorcycle() -> Bicycle<ConstantLimits> {
    car_with(HandlingParameters { lean_rate_radps: Some(LEAN_RATE), steering_rate_radps: 100.0, ..Default::default() })
}

fn lean(state: &BicycleState) -> f64 {
    lean_rad(state.forward_mps * state.yaw_rate_radps)
}

/// The curvature of the steering angle without slip, up to the tyres' limit.
#[test]
fn a_steady_circle_has_the_curvature_of_the_steering_or_the_limit() {
    let steering_rad = 0.05_f64;
    let state = circle(&motorcycle(), 20.0, steering_rad, 8.0);
    assert_near(state.yaw_rate_radps / state.forward_mps, steering_rad.tan() / 3.0, 1e-6);
    // The rear wheel rolls: the centre of gravity, half a wheelbase ahead of it, moves to the left.
    assert_near(state.leftward_mps, 1.5 * state.yaw_rate_radps, 1e-6);
    let limited = circle(&motorcycle(), 30.0, 0.2, 8.0);
    assert_near(limited.forward_mps * limited.yaw_rate_radps, 12.0, 1e-3);
}

/// From upright to 0.8 rad: 0.8 less the lean at which the rate falls below its largest, at that rate, and the rest in
/// the time constant.
#[test]
fn it_leans_at_its_rate() {
    let (bike, speed) = (motorcycle(), 25.0);
    let steering_rad = (3.0 * STANDARD_GRAVITY * 0.8_f64.tan() / (speed * speed)).atan();
    let controls = Controls { steering_rad, ..pedal(0.0) };
    let mut state = straight(speed);
    let slow = LEAN_RATE * LEANING_TIME_S;
    let until = (0.8 - slow) / LEAN_RATE;
    for step in 0..(until / STEP_S) as usize {
        bike.advance(&mut state, &controls, STEP_S);
        assert_near(lean(&state), LEAN_RATE * (step + 1) as f64 * STEP_S, 1e-3);
    }
    let missing = 0.8 - lean(&state);
    for _ in 0..(LEANING_TIME_S / STEP_S) as usize {
        bike.advance(&mut state, &controls, STEP_S);
    }
    assert_near(0.8 - lean(&state), missing / std::f64::consts::E, 2e-3);
}

/// The rate holds while it brakes, too, where the steering angle asks for less lean from instant to instant.
#[test]
fn brakes_have_what_the_ellipse_leaves() {
    let bike = motorcycle();
    let mut state = circle(&bike, 25.0, 0.04, 8.0);
    let across = state.forward_mps * state.yaw_rate_radps;
    let forces = bike.forces(&state, &pedal(-1.0));
    let braking = -(forces.front_n[0] + forces.rear_n[0]) / 1200.0;
    assert_near(braking, (144.0 - across * across).sqrt(), 1e-6);
    assert_near((forces.front_n[1] + forces.rear_n[1]) / 1200.0, across, 1e-9);
    for _ in 0..1000 {
        let before = lean(&state);
        bike.advance(&mut state, &Controls { steering_rad: -0.3, ..pedal(-0.5) }, STEP_S);
        assert!((lean(&state) - before).abs() <= LEAN_RATE * STEP_S * 1.001);
    }
}

#[test]
fn it_starts_and_turns_at_walking_pace() {
    let bike = motorcycle();
    let state = circle(&bike, 0.8, 0.3, 8.0);
    assert_near(state.yaw_rate_radps, state.forward_mps * 0.3_f64.tan() / 3.0, 1e-3);
    assert!((0.5..1.5).contains(&state.forward_mps), "{state:?}");
}
