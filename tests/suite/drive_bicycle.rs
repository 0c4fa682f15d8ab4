//! The dynamic bicycle against closed forms.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

use proptest::prelude::*;
use raceline::drive::actuators::{Actuators, Controls};
use raceline::drive::bicycle::{Bicycle, BicycleState};
use raceline::drive::{BicycleOptions, BrushTyre, DriveError, inside_ellipse};
use raceline::vehicle::{DriveLimit, STANDARD_GRAVITY, Vehicle, preset, presets};

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

fn bicycle(vehicle: &Vehicle) -> Bicycle {
    Bicycle::new(vehicle, &BicycleOptions::default()).unwrap()
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
fn circle(bicycle: &Bicycle, speed_mps: f64, steering_rad: f64, seconds: f64) -> BicycleState {
    let mut state = straight(speed_mps);
    for _ in 0..(seconds / STEP_S) as usize {
        let pedal = 5.0 * (speed_mps - state.forward_mps);
        bicycle.advance(&mut state, &Controls { pedal, steering_rad, reverse: false }, STEP_S);
    }
    state
}

#[test]
fn full_throttle_gains_speed_squared_by_twice_the_drive() {
    let bicycle = bicycle(&car());
    let mut state = straight(0.0);
    for _ in 0..5000 {
        bicycle.advance(&mut state, &pedal(1.0), STEP_S);
    }
    assert_near(state.forward_mps, 20.0, 1e-9);
    assert_near(state.x_m, 20.0_f64.powi(2) / (2.0 * 4.0), 1e-6);
    assert_eq!((state.y_m, state.heading_rad, state.yaw_rate_radps), (0.0, 0.0, 0.0));
}

#[test]
fn full_brake_stops_after_v_squared_by_twice_the_tyre_limit_and_stays() {
    let bicycle = bicycle(&car());
    let mut state = straight(30.0);
    for _ in 0..4000 {
        bicycle.advance(&mut state, &pedal(-1.0), STEP_S);
    }
    assert_eq!(state.forward_mps, 0.0);
    assert_near(state.x_m, 30.0_f64.powi(2) / (2.0 * 12.0), 1e-3);
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
fn downforce_shortens_braking_as_its_closed_form_says() {
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
fn a_steady_circle_has_the_centripetal_acceleration_of_its_tyres() {
    let bicycle = bicycle(&car());
    let state = circle(&bicycle, 15.0, 0.08, 10.0);
    let forces = bicycle.forces(&state, &Controls { steering_rad: 0.08, ..pedal(0.0) });
    let speed = state.velocity().norm();
    let radius = speed / state.yaw_rate_radps;
    let lateral = (forces.front_n[1] * state.steering_rad.cos() + forces.rear_n[1]) / 1200.0;
    let towards_centre = lateral / (state.leftward_mps / state.forward_mps).atan().cos();
    assert_near(towards_centre / (speed * speed / radius), 1.0, 2e-3);
}

#[test]
fn understeer_is_its_gradient_times_the_lateral_acceleration() {
    let mut options = BicycleOptions { rear_peak_slip_rad: 0.08, ..BicycleOptions::default() };
    options.rear_grip_reserve = 0.0;
    options.front_weight_share = 0.55;
    let bicycle = Bicycle::new(&car(), &options).unwrap();
    // Milliken and Milliken (1995), section 5.3: δ = L / R + K a_y.
    let compliance = |peak: f64| peak.tan() / (3.0 * 12.0);
    let gradient = compliance(0.12) - compliance(0.08);
    assert_near(bicycle.understeer_gradient(), gradient, 1e-12);
    let steering = 0.01;
    let speed = 8.0;
    let state = circle(&bicycle, speed, steering, 20.0);
    let curvature = state.yaw_rate_radps / state.velocity().norm();
    let expected = steering / (3.0 + gradient * speed * speed);
    assert_near(curvature / expected, 1.0, 0.01);
}

#[test]
fn a_neutral_car_turns_by_its_steering_alone() {
    let options = BicycleOptions { rear_grip_reserve: 0.0, ..BicycleOptions::default() };
    let bicycle = Bicycle::new(&car(), &options).unwrap();
    assert_eq!(bicycle.understeer_gradient(), 0.0);
    for speed in [5.0, 15.0, 25.0] {
        let state = circle(&bicycle, speed, 0.02, 20.0);
        assert_near(state.yaw_rate_radps / state.velocity().norm(), 0.02_f64.tan() / 3.0, 2e-5);
    }
}

#[test]
fn the_fastest_circle_is_the_root_of_limit_times_radius() {
    let bicycle = bicycle(&car());
    // More steering than the limit needs: the front tyre is at its limit and decides.
    let mut state = straight(20.0);
    for step in 0..40_000 {
        let steering_rad = (f64::from(step) * 5e-6).min(0.14);
        let pedal = 5.0 * (20.0 - state.forward_mps);
        bicycle.advance(&mut state, &Controls { pedal, steering_rad, reverse: false }, STEP_S);
    }
    let speed = state.velocity().norm();
    let radius = speed / state.yaw_rate_radps;
    // The limit at the wheel turns with it and holds the speed against the tyre's drag besides, which takes some of it.
    assert!(speed <= (12.0 * radius).sqrt() * 1.001, "{speed} at {radius}");
    assert!(speed >= (12.0 * radius).sqrt() * 0.98, "{speed} at {radius}");
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
            let limit = bicycle.diagram().lateral_limit(state.forward_mps.powi(2));
            assert!(lateral <= vehicle.mass_kg * limit * 1.05, "{} at {steering}", preset.name);
        }
    }
}

#[test]
fn standing_still_it_turns_no_more_than_its_wheel() {
    let bicycle = bicycle(&car());
    let mut state = straight(0.0);
    for _ in 0..1000 {
        bicycle.advance(&mut state, &Controls { pedal: -1.0, steering_rad: 0.3, reverse: false }, STEP_S);
    }
    assert_near(state.steering_rad, 0.3, 1e-12);
    assert_eq!((state.x_m, state.y_m, state.heading_rad, state.forward_mps), (0.0, 0.0, 0.0, 0.0));
}

#[test]
fn slowly_it_rolls_round_the_circle_of_its_steering() {
    let bicycle = bicycle(&car());
    for (gear, pedal_share) in [(false, 1.0), (true, 1.0)] {
        let mut state = straight(0.0);
        for _ in 0..4000 {
            let wanted = if gear { -0.8 } else { 0.8 };
            let error = (wanted - state.forward_mps) * if gear { -1.0 } else { 1.0 };
            let controls = Controls { pedal: pedal_share * error.clamp(0.0, 1.0), steering_rad: 0.2, reverse: gear };
            bicycle.advance(&mut state, &controls, STEP_S);
        }
        assert!(state.forward_mps.abs() > 0.7);
        assert_near(state.yaw_rate_radps / state.forward_mps, 0.2_f64.tan() / 3.0, 1e-3);
        assert_near(state.leftward_mps, 1.5 * state.yaw_rate_radps, 1e-3);
    }
}

#[test]
fn the_steering_turns_at_its_rate() {
    let options = BicycleOptions { steering_rate_radps: 0.5, ..BicycleOptions::default() };
    let bicycle = Bicycle::new(&car(), &options).unwrap();
    let mut state = straight(0.0);
    for _ in 0..200 {
        bicycle.advance(&mut state, &Controls { steering_rad: 0.3, ..Controls::default() }, STEP_S);
    }
    assert_near(state.steering_rad, 0.1, 1e-12);
}

#[test]
fn a_command_acts_after_its_delay() {
    let mut actuators = Actuators::new(0.05);
    actuators.command(0.0, pedal(1.0));
    actuators.command(0.02, pedal(0.5));
    assert_eq!(actuators.acting(0.049).pedal, 0.0);
    assert_eq!(actuators.acting(0.05).pedal, 1.0);
    assert_eq!(actuators.acting(0.069).pedal, 1.0);
    assert_eq!(actuators.acting(0.07).pedal, 0.5);
    actuators.command(0.08, Controls { pedal: f64::NAN, steering_rad: f64::INFINITY, reverse: true });
    assert_eq!(actuators.acting(0.2), Controls { reverse: true, ..Controls::default() });
}

#[test]
fn the_brush_tyre_starts_with_its_stiffness_and_ends_at_one() {
    let tyre = BrushTyre::new(0.12);
    assert_near(tyre.share(1e-6) / 1e-6, tyre.stiffness(), 1e-3);
    assert_near(tyre.stiffness(), 3.0 / 0.12_f64.tan(), 1e-12);
    assert_near(tyre.share(0.12), 1.0, 1e-12);
    assert_eq!(tyre.share(0.5), 1.0);
    // Half of the sliding slip: 1 - 1/8.
    assert_near(tyre.share((0.12_f64.tan() / 2.0).atan()), 0.875, 1e-12);
}

#[test]
fn options_out_of_range_are_refused_by_name() {
    for (name, options) in [
        ("front_weight_share", BicycleOptions { front_weight_share: 1.0, ..BicycleOptions::default() }),
        ("yaw_inertia_index", BicycleOptions { yaw_inertia_index: 0.0, ..BicycleOptions::default() }),
        ("rear_peak_slip_rad", BicycleOptions { rear_peak_slip_rad: f64::NAN, ..BicycleOptions::default() }),
        ("sliding_above_mps", BicycleOptions { sliding_above_mps: 1.0, ..BicycleOptions::default() }),
        ("time_step_s", BicycleOptions { time_step_s: 0.01, ..BicycleOptions::default() }),
    ] {
        let refusal = Bicycle::new(&car(), &options).unwrap_err();
        assert!(matches!(refusal, DriveError::Option { .. }), "{refusal}");
        assert!(refusal.to_string().starts_with(name), "{refusal}");
    }
    let mut car = car();
    car.mass_kg = -1.0;
    assert!(matches!(Bicycle::new(&car, &BicycleOptions::default()), Err(DriveError::Vehicle(_))));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn slip_is_the_inverse_of_share(share in -0.999_f64..0.999, peak in 0.02_f64..0.9) {
        let tyre = BrushTyre::new(peak);
        prop_assert!((tyre.share(tyre.slip(share)) - share).abs() < 1e-9);
    }

    #[test]
    fn demands_end_inside_the_ellipse_and_keep_their_ratio(
        x in -3.0_f64..3.0, y in -1.0_f64..1.0, exponent in 1.0_f64..4.0,
    ) {
        let (a, b) = inside_ellipse(x, y, exponent);
        prop_assert!(a.abs().powf(exponent) + b.abs().powf(exponent) <= 1.0 + 1e-12);
        prop_assert!((a * y - b * x).abs() < 1e-12);
        if x.abs().powf(exponent) + y.abs().powf(exponent) <= 1.0 {
            prop_assert_eq!((a, b), (x, y));
        }
    }

    /// Whatever is asked, the state stays finite, and without drive the energy of the motion never grows.
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
            let speed = state.velocity().norm();
            prop_assert!(speed.is_finite() && speed < 1.2 * vehicle.max_speed_mps.max(60.0) + 5.0, "{state:?}");
        }
        let mut before = state.velocity().norm();
        for _ in 0..2000 {
            bicycle.advance(&mut state, &Controls { steering_rad: 0.1, ..pedal(0.0) }, STEP_S);
        }
        let after = state.velocity().norm();
        before += state.yaw_rate_radps.abs() * vehicle.wheelbase_m;
        prop_assert!(after <= before + 1.0, "{before} to {after}");
    }
}
