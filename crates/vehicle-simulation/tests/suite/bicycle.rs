//! The dynamic bicycle against closed forms.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use raceline_car::{Vehicle, preset};
use raceline_vehicle_simulation::{
    Bicycle, BicycleState, ConstantLimits, Controls, HandlingParameters, Surface, TyreSlip,
};

use crate::cars::{LIMITS, STEP_S, assert_near, car, car_with, circle, parameters, pedal, straight};

#[test]
fn full_throttle_gains_speed_squared_by_twice_the_drive() {
    let car = car();
    let mut state = straight(0.0);
    for _ in 0..5000 {
        car.advance(&mut state, &pedal(1.0), STEP_S);
    }
    assert_near(state.forward_mps, 20.0, 1e-9);
    assert_near(state.x_m, 20.0_f64.powi(2) / (2.0 * 4.0), 1e-6);
    assert_eq!((state.y_m, state.heading_rad, state.yaw_rate_radps), (0.0, 0.0, 0.0));
}

#[test]
fn full_brake_stops_after_v_squared_by_twice_the_tyre_limit_and_stays() {
    let car = car();
    let mut state = straight(30.0);
    for _ in 0..4000 {
        car.advance(&mut state, &pedal(-1.0), STEP_S);
    }
    assert_eq!(state.forward_mps, 0.0);
    assert_near(state.x_m, 30.0_f64.powi(2) / (2.0 * 12.0), 1e-3);
}

#[test]
fn an_axle_on_a_slippery_patch_brakes_by_its_part_of_the_mass_times_its_grip() {
    let car = car_with(HandlingParameters { front_weight_fraction: 0.6, ..HandlingParameters::default() });
    for (axle_grip, braking) in [([0.5, 1.0], 0.6 * 0.5 + 0.4), ([1.0, 0.25], 0.6 + 0.4 * 0.25)] {
        let (mut state, surface) = (straight(30.0), Surface { axle_grip, ..Surface::LEVEL });
        car.advance_on(&surface, &mut state, &pedal(-1.0), STEP_S);
        assert_near(30.0 - state.forward_mps, 12.0 * braking * STEP_S, 1e-9);
        // The drive demands the same force of the axle, which is within its limit of 6 m/s² or beyond the one of 3.
        let mut state = straight(30.0);
        car.advance_on(&surface, &mut state, &pedal(1.0), STEP_S);
        let driven = if axle_grip[1] == 0.25 { 0.6 * 4.0 + 0.4 * 3.0 } else { 4.0 };
        assert_near(state.forward_mps - 30.0, driven * STEP_S, 1e-9);
    }
}

#[test]
fn a_constant_resistance_stops_it_after_v_squared_by_twice_its_deceleration() {
    let limits = ConstantLimits { resistance_mps2: 0.5, ..LIMITS };
    let car = Bicycle::new(limits, &parameters(HandlingParameters::default())).unwrap();
    let mut state = straight(5.0);
    for _ in 0..12_000 {
        car.advance(&mut state, &pedal(0.0), STEP_S);
    }
    assert_eq!(state.forward_mps, 0.0);
    assert_near(state.x_m, 25.0 / (2.0 * 0.5), 1e-2);
}

#[test]
fn a_steady_circle_has_the_centripetal_acceleration_of_its_tyres() {
    let car = car();
    let state = circle(&car, 15.0, 0.08, 10.0);
    let forces = car.forces(&state, &Controls { steering_rad: 0.08, ..pedal(0.0) });
    let speed = state.speed_mps();
    let radius = speed / state.yaw_rate_radps;
    let lateral = (forces.front_n[1] * state.steering_rad.cos() + forces.rear_n[1]) / 1200.0;
    let towards_centre = lateral / (state.leftward_mps / state.forward_mps).atan().cos();
    assert_near(towards_centre / (speed * speed / radius), 1.0, 2e-3);
}

#[test]
fn understeer_is_its_gradient_times_the_lateral_acceleration() {
    let mut handling = HandlingParameters { rear_tyre: TyreSlip::brush(0.08), ..HandlingParameters::default() };
    handling.rear_grip_reserve = 0.0;
    handling.front_weight_fraction = 0.55;
    let car = car_with(handling);
    // Milliken and Milliken (1995), section 5.3: δ = L / R + K a_y.
    let compliance = |peak: f64| peak.tan() / (3.0 * 12.0);
    let gradient = compliance(0.12) - compliance(0.08);
    assert_near(car.understeer_gradient(), gradient, 1e-12);
    let steering = 0.01;
    let speed = 8.0;
    let state = circle(&car, speed, steering, 20.0);
    let curvature = state.yaw_rate_radps / state.speed_mps();
    let expected = steering / (3.0 + gradient * speed * speed);
    assert_near(curvature / expected, 1.0, 0.01);
}

#[test]
fn a_neutral_car_turns_by_its_steering_alone() {
    let handling = HandlingParameters { rear_grip_reserve: 0.0, ..HandlingParameters::default() };
    let car = car_with(handling);
    assert_eq!(car.understeer_gradient(), 0.0);
    for speed in [5.0, 15.0, 25.0] {
        let state = circle(&car, speed, 0.02, 20.0);
        assert_near(state.yaw_rate_radps / state.speed_mps(), 0.02_f64.tan() / 3.0, 2e-5);
    }
}

#[test]
fn the_fastest_circle_is_the_root_of_limit_times_radius() {
    let car = car();
    // More steering than the limit needs: the front tyre is at its limit and decides.
    let mut state = straight(20.0);
    for step in 0..40_000 {
        let steering_rad = (f64::from(step) * 5e-6).min(0.14);
        let pedal = 5.0 * (20.0 - state.forward_mps);
        car.advance(&mut state, &Controls { pedal, steering_rad, reverse: false }, STEP_S);
    }
    let speed = state.speed_mps();
    let radius = speed / state.yaw_rate_radps;
    // The drive must also overcome the tyre's drag, which takes a part of the force.
    assert!(speed <= (12.0 * radius).sqrt() * 1.001, "{speed} at {radius}");
    assert!(speed >= (12.0 * radius).sqrt() * 0.98, "{speed} at {radius}");
}

#[test]
fn standing_still_it_turns_no_more_than_its_wheel() {
    let car = car();
    let mut state = straight(0.0);
    for _ in 0..1000 {
        car.advance(&mut state, &Controls { pedal: -1.0, steering_rad: 0.3, reverse: false }, STEP_S);
    }
    assert_near(state.steering_rad, 0.3, 1e-12);
    assert_eq!((state.x_m, state.y_m, state.heading_rad, state.forward_mps), (0.0, 0.0, 0.0, 0.0));
}

#[test]
fn slowly_it_rolls_round_the_circle_of_its_steering() {
    let car = car();
    for (gear, pedal_fraction) in [(false, 1.0), (true, 1.0)] {
        let mut state = straight(0.0);
        for _ in 0..4000 {
            let wanted = if gear { -0.8 } else { 0.8 };
            let error = (wanted - state.forward_mps) * if gear { -1.0 } else { 1.0 };
            let controls = Controls { pedal: pedal_fraction * error.clamp(0.0, 1.0), steering_rad: 0.2, reverse: gear };
            car.advance(&mut state, &controls, STEP_S);
        }
        assert!(state.forward_mps.abs() > 0.7);
        assert_near(state.yaw_rate_radps / state.forward_mps, 0.2_f64.tan() / 3.0, 1e-3);
        assert_near(state.leftward_mps, 1.5 * state.yaw_rate_radps, 1e-3);
    }
}

#[test]
fn the_steering_turns_at_its_rate() {
    let handling = HandlingParameters { steering_rate_radps: 0.5, ..HandlingParameters::default() };
    let car = car_with(handling);
    let mut state = straight(0.0);
    for _ in 0..200 {
        car.advance(&mut state, &Controls { steering_rad: 0.3, ..Controls::default() }, STEP_S);
    }
    assert_near(state.steering_rad, 0.1, 1e-12);
}

/// A car whose centre of gravity is 0.5 m high, in the middle of its 3 m.
fn tall() -> Bicycle<ConstantLimits> {
    car_with(HandlingParameters { centre_of_gravity_m: 0.5, rear_grip_reserve: 0.0, ..HandlingParameters::default() })
}

#[test]
fn load_transfer_leaves_the_braking_limit_as_it_is() {
    let car = tall();
    let mut state = straight(30.0);
    for _ in 0..4000 {
        car.advance(&mut state, &pedal(-1.0), STEP_S);
    }
    assert_near(state.x_m, 30.0_f64.powi(2) / (2.0 * 12.0), 1e-3);
    // The brake force is that of the loads: m g / 2 ± m a h / L.
    let forces = car.forces(&straight(20.0), &pedal(-1.0));
    let moved = 12.0 * 0.5 / 3.0 / 9.80665;
    assert_near(forces.front_n[0], -1200.0 * 12.0 * (0.5 + moved), 1e-6);
    assert_near(forces.rear_n[0], -1200.0 * 12.0 * (0.5 - moved), 1e-6);
}

#[test]
fn the_axle_that_lost_load_has_its_part_of_the_lateral_limit_and_the_other_more() {
    let car = tall();
    // Both tyres slide at full slip: the front wheel is turned, and the body turns.
    let sliding = BicycleState { leftward_mps: -4.0, steering_rad: 0.1, ..straight(20.0) };
    let half = 600.0 * 12.0;
    let at_rest = car.forces(&sliding, &pedal(0.0));
    assert_near(at_rest.front_n[1], half, 1e-6);
    assert_near(at_rest.rear_n[1], half, 1e-6);
    for demand in [-0.5, 1.0] {
        let forces = car.forces(&sliding, &pedal(demand));
        let along = (forces.front_n[0] + forces.rear_n[0]) / 1200.0;
        let moved = along * 0.5 / 3.0 / 9.80665;
        let loads = [0.5 - moved, 0.5 + moved];
        // What braking or driving leaves of the weaker axle's limit.
        let use_along = along.abs() / 12.0;
        let left = half * (1.0 - use_along * use_along).sqrt();
        let [weak, strong] =
            if demand < 0.0 { [forces.rear_n[1], forces.front_n[1]] } else { [forces.front_n[1], forces.rear_n[1]] };
        let ratio = loads[0].max(loads[1]) / loads[0].min(loads[1]);
        assert!((weak / left - 1.0).abs() < 0.01, "{demand}: {weak} {left}");
        assert!((strong / weak / ratio - 1.0).abs() < 0.01, "{demand}: {strong} {weak} {ratio}");
    }
}

/// A car that brakes and is driven by its axles' given fractions.
fn balanced(front_brake: f64, front_drive: f64) -> Bicycle<ConstantLimits> {
    car_with(HandlingParameters {
        centre_of_gravity_m: 0.5,
        rear_grip_reserve: 0.0,
        front_brake_fraction: Some(front_brake),
        front_drive_fraction: Some(front_drive),
        ..HandlingParameters::default()
    })
}

#[test]
fn full_brakes_of_any_balance_reach_the_limit_of_the_vehicle() {
    for front in [0.0, 0.3, 0.6, 1.0] {
        let forces = balanced(front, 0.0).forces(&straight(20.0), &pedal(-1.0));
        assert_near(forces.front_n[0], -1200.0 * 12.0 * front, 1.0);
        assert_near(forces.rear_n[0], -1200.0 * 12.0 * (1.0 - front), 1.0);
    }
}

#[test]
fn brakes_and_drive_of_one_axle_leave_the_other_its_lateral_limit() {
    // Both tyres at full slip.
    let sliding = BicycleState { leftward_mps: -4.0, steering_rad: 0.1, ..straight(20.0) };
    for (front_brake, braked) in [(0.0, 1), (1.0, 0)] {
        let forces = balanced(front_brake, 0.0).forces(&sliding, &pedal(-0.6));
        let forces = [forces.front_n, forces.rear_n];
        assert_eq!(forces[1 - braked][0], 0.0);
        // The load that braking moves, by which the axle in front is stronger.
        let moved = -forces[braked][0] / 1200.0 * 0.5 / 3.0 / 9.80665;
        let across = [600.0 * 12.0 * (0.5 + moved) / (0.5 - moved), 600.0 * 12.0];
        assert!((forces[1 - braked][1] / across[1 - braked] - 1.0).abs() < 0.01, "{forces:?} {across:?}");
        assert!(forces[braked][1] < 0.98 * across[braked], "{forces:?} {across:?}");
    }
    let forces = balanced(0.5, 0.0).forces(&straight(20.0), &pedal(1.0));
    assert_eq!(forces.front_n[0], 0.0);
    assert_near(forces.rear_n[0], 1200.0 * LIMITS.drive_mps2, 1e-6);
}

/// In a bend at a steady steering angle the forces are smooth, so that the order is that of the
/// method.
#[test]
fn motion_converges_with_fourth_order_in_the_time_step() {
    let car = car();
    let at_the_end = |steps: u32| {
        let mut state = straight(20.0);
        state.steering_rad = 0.02;
        let controls = Controls { steering_rad: 0.02, ..pedal(0.3) };
        (0..steps).for_each(|_| car.advance(&mut state, &controls, 0.64 / f64::from(steps)));
        [state.x_m, state.y_m, state.heading_rad, state.forward_mps, state.leftward_mps, state.yaw_rate_radps]
    };
    let finest = at_the_end(4096);
    let errors = [64, 128, 256]
        .map(|steps| at_the_end(steps).iter().zip(&finest).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max));
    for pair in errors.windows(2) {
        let order = (pair[0] / pair[1]).log2();
        assert!((order - 4.0).abs() < 0.3, "{order}: {errors:?}");
    }
    println!("bicycle: {errors:?}");
}

/// A car of 1.2 t and 3 m whose axles have wheels 1.6 m apart, with the keys of `change`.
fn wheeled(change: impl Fn(&mut Vehicle)) -> Bicycle<ConstantLimits> {
    let mut vehicle = Vehicle {
        lateral_limit_mps2: LIMITS.lateral_mps2,
        longitudinal_limit_mps2: LIMITS.longitudinal_mps2,
        wheelbase_m: 3.0,
        centre_of_gravity_m: Some(0.5),
        front_weight_fraction: Some(0.5),
        rear_grip_reserve: Some(0.0),
        front_track_width_m: Some(1.6),
        rear_track_width_m: Some(1.6),
        ..preset("tum-racecar").unwrap()
    };
    change(&mut vehicle);
    let handling = HandlingParameters {
        centre_of_gravity_m: 0.5,
        rear_grip_reserve: 0.0,
        wheels: Some(vehicle.wheels().unwrap()),
        ..HandlingParameters::default()
    };
    car_with(handling)
}

/// In a bend to the left, with these velocities across and steering.
fn bend(leftward_mps: f64, steering_rad: f64) -> BicycleState {
    BicycleState { leftward_mps, steering_rad, yaw_rate_radps: 0.3, ..straight(20.0) }
}

#[test]
fn brakes_of_a_car_with_wheels_reach_the_limit_of_the_inner_ones() {
    // ΔN = ρ h a_y / t of N / 2 moves from the inner wheel; the outer one gives what the inner one can, and 2 %.
    let car = wheeled(|_| ());
    let forces = car.forces(&bend(-1.2, 0.04), &pedal(-1.0));
    let [along, across] = [0, 1].map(|i| (forces.front_n[i] + forces.rear_n[i]) / 1200.0);
    assert!(across > 4.0, "{forces:?}");
    let moved = -along * 0.5 / 3.0;
    for (force, load) in [(forces.front_n, 0.5 * 9.80665 + moved), (forces.rear_n, 0.5 * 9.80665 - moved)] {
        let inner = 1.0 - 0.98 * 2.0 * 0.5 * 0.5 * across / (1.6 * load);
        let slip = (force[1] / (600.0 * 12.0 * load / (0.5 * 9.80665 - moved))).powi(2);
        let expected = -1200.0 * 12.0 * load / 9.80665 * inner * (1.0 - slip).sqrt();
        assert!((force[0] / expected - 1.0).abs() < 0.04, "{force:?} {expected}");
    }
    // On a straight all of the load counts.
    let mut state = straight(30.0);
    for _ in 0..4000 {
        car.advance(&mut state, &pedal(-1.0), STEP_S);
    }
    assert_near(state.x_m, 30.0_f64.powi(2) / (2.0 * 12.0), 1e-3);
}

#[test]
fn sensitive_tyres_and_a_stiff_front_let_the_rear_give_more() {
    let car = wheeled(|vehicle| {
        vehicle.front_roll_stiffness_fraction = Some(0.55);
        vehicle.tyre_load_sensitivity = Some(0.2);
    });
    // Σ N_w (1 - k (N_w / N₀ - 1)) = N (1 - k (2 ΔN / N)²), and the front reaches 12 m/s² where it limits.
    let usable = |part: f64, lateral: f64| 1.0 - 0.2 * (2.0 * part * 0.5 * lateral / (1.6 * 0.5 * 9.80665)).powi(2);
    // Both tyres at full slip; at the front inner wheel, a sixth of its load is left.
    let forces = car.forces(&bend(-4.0, 0.1), &pedal(0.0));
    let lateral = (forces.front_n[1] + forces.rear_n[1]) / 1200.0;
    for (force, part) in [(forces.front_n[1], 0.55), (forces.rear_n[1], 0.45)] {
        let expected = 600.0 * 12.0 * usable(part, lateral) / usable(0.55, 12.0);
        assert!((force / expected - 1.0).abs() < 0.02, "{force} {expected}");
    }
}
