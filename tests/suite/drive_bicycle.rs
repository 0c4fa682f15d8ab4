//! The bicycle of a vehicle: limits of the g-g diagram in the simulation, against closed forms.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

use proptest::prelude::*;
use raceline::drive::{DriveError, bicycle_of};
use raceline::vehicle::{DriveLimit, GgDiagram, STANDARD_GRAVITY, Vehicle, preset, presets};
use raceline_vehicle_simulation::{Bicycle, BicycleState, Controls};

use crate::sample_lines;

const STEP_S: f64 = 1e-3;

/// A car without drag whose drive gives 4 m/s² at any speed.
fn car() -> Vehicle {
    let mut car = sample_lines::vehicle();
    car.drag_kgpm = 0.0;
    car.drive = DriveLimit::TableMps2(vec![[0.0, 4.0]]);
    car.max_speed_mps = 200.0;
    car
}

fn bicycle(vehicle: &Vehicle) -> Bicycle<GgDiagram> {
    // Without load transfer, with the defaults of the other keys: the closed forms are of such a car.
    bicycle_of(&Vehicle {
        front_weight_fraction: None,
        front_downforce_fraction: None,
        yaw_inertia_kgm2: None,
        peak_slip_rad: None,
        steering_rate_radps: None,
        centre_of_gravity_m: Some(0.0),
        ..vehicle.clone()
    })
    .unwrap()
}

fn straight(speed_mps: f64) -> BicycleState {
    BicycleState { forward_mps: speed_mps, ..BicycleState::default() }
}

fn pedal(pedal: f64) -> Controls {
    Controls { pedal, ..Controls::default() }
}

fn assert_near(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found}, not {expected} ± {tolerance}");
}

/// Drives for `seconds` with a pedal that keeps `speed_mps`, and a constant steering angle.
fn circle(bicycle: &Bicycle<GgDiagram>, speed_mps: f64, steering_rad: f64, seconds: f64) -> BicycleState {
    let mut state = straight(speed_mps);
    for _ in 0..(seconds / STEP_S) as usize {
        let pedal = 5.0 * (speed_mps - state.forward_mps);
        bicycle.advance(&mut state, &Controls { pedal, steering_rad, reverse: false }, STEP_S);
    }
    state
}

#[test]
fn drag_alone_slows_as_the_inverse_of_distance_and_time() {
    let mut car = car();
    car.drag_kgpm = 0.75;
    let bicycle = bicycle(&car);
    let mut state = straight(60.0);
    for _ in 0..20_000 {
        bicycle.advance(&mut state, &pedal(0.0), STEP_S);
    }
    // m v' = -c v²: v = v0 / (1 + c v0 t / m), x = (m / c) ln(v0 / v).
    let slowed = 1.0 + 0.75 * 60.0 * 20.0 / 1200.0;
    assert_near(state.forward_mps, 60.0 / slowed, 1e-9);
    assert_near(state.x_m, 1200.0 / 0.75 * slowed.ln(), 1e-6);
}

#[test]
fn rolling_resistance_stops_it_after_v_squared_by_twice_its_deceleration() {
    let mut car = car();
    car.rolling_resistance = 0.02;
    let bicycle = bicycle(&car);
    let mut state = straight(5.0);
    for _ in 0..40_000 {
        bicycle.advance(&mut state, &pedal(0.0), STEP_S);
    }
    assert_eq!(state.forward_mps, 0.0);
    assert_near(state.x_m, 25.0 / (2.0 * 0.02 * STANDARD_GRAVITY), 1e-2);
}

#[test]
fn downforce_shortens_braking_as_in_its_closed_form() {
    let mut car = car();
    car.downforce_kgpm = 2.0;
    let bicycle = bicycle(&car);
    let mut state = straight(70.0);
    for _ in 0..12_000 {
        bicycle.advance(&mut state, &pedal(-1.0), STEP_S);
    }
    // dw/dx = -2 A (1 + g w): x = ln(1 + g w0) / (2 A g).
    let growth = 2.0 / (1200.0 * STANDARD_GRAVITY);
    assert_near(state.x_m, (growth * 70.0_f64.powi(2)).ln_1p() / (2.0 * 12.0 * growth), 2e-3);
}

#[test]
fn no_bend_has_more_lateral_acceleration_than_the_reserves_allow() {
    for preset in presets() {
        let vehicle = raceline::vehicle::preset(preset.name).unwrap();
        let bicycle = bicycle(&vehicle);
        for steering in [0.02, 0.1, 0.3] {
            let state = circle(&bicycle, 15.0, steering, 5.0);
            let forces = bicycle.forces(&state, &pedal(0.2));
            let lateral = forces.front_n[1].abs() + forces.rear_n[1].abs();
            let limit = bicycle.limits().lateral_limit(state.forward_mps.powi(2));
            assert!(lateral <= vehicle.mass_kg * limit * 1.05, "{} at {steering}", preset.name);
        }
    }
}

#[test]
fn the_largest_curvature_is_reached_at_the_limit_of_the_front_tyre() {
    let mut car = car();
    (car.max_steering_rad, car.peak_slip_rad) = (None, Some(0.1));
    (car.wheelbase_m, car.max_curvature_radpm, car.front_weight_fraction) = (3.0, 0.12, Some(0.5));
    let bicycle = bicycle_of(&car).unwrap();
    assert_near(bicycle.parameters().max_steering_rad, (3.0_f64 * 0.12).atan() + 0.1, 1e-12);
    assert_near(bicycle.to_rear_m(), 1.5, 1e-12);
}

#[test]
fn bad_parameters_and_vehicles_are_rejected() {
    let mut car = car();
    car.front_weight_fraction = Some(1.0);
    let error = bicycle_of(&car).unwrap_err();
    assert!(matches!(error, DriveError::Vehicle(_)), "{error}");
    assert!(error.to_string().contains("front_weight_fraction is 1: "), "{error}");
    (car.front_weight_fraction, car.mass_kg) = (None, -1.0);
    let error = bicycle_of(&car).unwrap_err();
    assert!(matches!(error, DriveError::Vehicle(_)), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever is asked, the state stays finite, and without drive the energy of the motion never
    /// grows.
    #[test]
    fn any_controls_keep_it_finite_and_coasting_never_gains_energy(
        commands in prop::collection::vec((-1.0_f64..1.0, -2.0_f64..2.0, any::<bool>()), 1..12),
        speed in -5.0_f64..60.0,
        which in 0..presets().len(),
    ) {
        let vehicle = preset(presets()[which].name).unwrap();
        let bicycle = bicycle(&vehicle);
        let mut state = straight(speed);
        for &(pedal, steering_rad, reverse) in &commands {
            for _ in 0..200 {
                bicycle.advance(&mut state, &Controls { pedal, steering_rad, reverse }, STEP_S);
            }
            let speed = state.speed_mps();
            prop_assert!(speed.is_finite() && speed < 1.2 * vehicle.max_speed_mps.max(60.0) + 5.0, "{state:?}");
        }
        let mut before = state.speed_mps();
        for _ in 0..2000 {
            bicycle.advance(&mut state, &Controls { steering_rad: 0.1, ..pedal(0.0) }, STEP_S);
        }
        let after = state.speed_mps();
        before += state.yaw_rate_radps.abs() * vehicle.wheelbase_m;
        prop_assert!(after <= before + 1.0, "{before} to {after}");
    }
}

#[test]
fn each_axle_has_the_grip_of_its_own_downforce() {
    let speed = 50.0;
    for fraction in [0.3, 0.8] {
        let mut car = car();
        car.downforce_kgpm = 2.0;
        car.front_weight_fraction = Some(0.45);
        car.front_downforce_fraction = Some(fraction);
        car.centre_of_gravity_m = Some(0.0);
        let bicycle = bicycle_of(&car).unwrap();
        let air = car.downforce_kgpm * speed * speed;
        let mass = car.mass_kg;
        let loads =
            [0.45 * mass * STANDARD_GRAVITY + fraction * air, 0.55 * mass * STANDARD_GRAVITY + (1.0 - fraction) * air];
        // Both tyres beyond their peaks: each axle gives its friction times its load.
        let sideways = BicycleState { leftward_mps: -0.5 * speed, ..straight(speed) };
        let forces = bicycle.forces(&sideways, &pedal(0.0));
        let friction = car.lateral_limit_mps2 / STANDARD_GRAVITY;
        assert_near(forces.front_n[1], friction * loads[0], 1e-6);
        assert_near(forces.rear_n[1], 1.05 * friction * loads[1], 1e-6);
        // Brakes by the weight, as far as the axle's load allows.
        let forces = bicycle.forces(&straight(speed), &pedal(-1.0));
        let friction = car.longitudinal_limit_mps2 / STANDARD_GRAVITY;
        let whole = friction * (loads[0] + loads[1]);
        let demands = [car.handling().front_brake_fraction, 1.0 - car.handling().front_brake_fraction];
        assert_near(forces.front_n[0], -(demands[0] * whole).min(friction * loads[0]), 1e-6);
        assert_near(forces.rear_n[0], -(demands[1] * whole).min(friction * loads[1]), 1e-6);
    }
}
