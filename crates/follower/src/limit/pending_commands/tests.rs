use super::{CAPACITY, PendingCommands};
use crate::chassis::testing::{frame, on_straight, ring, straight};
use crate::limit::leaning;
use crate::limit::model::Model;
use crate::limit::motion::Motion;
use crate::limit::plan::Ahead;
use crate::path::Path;
use crate::vehicle::{VehicleGeometry, VehicleState};
use raceline_car::VehicleDynamics;

const STILL: Motion = Motion { advance: 0.0, offset: 0.0, heading: 0.0, speed: 20.0, across: 0.0, yaw_rate: 0.0 };

fn near(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-9, "{a} and {b}");
}

/// The motion after a delay on a straight, by commands of the acceleration along and the time since the one before.
fn along(commands: &[(f64, f64)], delay: f64, dt: f64) -> Motion {
    let (dynamics, geometry) = (VehicleDynamics::constant(10.0, 8.0, 5.0), VehicleGeometry::default());
    let model = Model::new(&dynamics, &geometry, 1.0);
    let path = straight([50.0; 2], 20.0);
    let on_path = on_straight(&path, [100.0, 0.0], 20.0);
    let mut pending = PendingCommands::default();
    for (along, since) in commands {
        pending.push(0.0, *along, *since);
    }
    pending.motion_after(STILL, 0.0, &model, [delay, dt], || Ahead::new(&on_path, 1.0, 100.0))
}

#[test]
fn each_command_acts_after_the_delay_until_the_next() {
    // The last was given 0.02 s ago and acts from 0.05 - 0.02 s on, to 0.06 s; the one before 0.03 s sooner.
    let after = along(&[(7.0, 0.02), (-2.0, 0.02), (4.0, 0.01), (1.0, 0.03)], 0.05, 0.02);
    near(after.speed, 20.0 + 4.0 * 0.03 + 1.0 * 0.03);
    let after = along(&[(7.0, 0.02), (-2.0, 0.02), (4.0, 0.01), (1.0, 0.01)], 0.05, 0.02);
    near(after.speed, 20.0 + 7.0 * 0.01 - 2.0 * 0.01 + 4.0 * 0.01 + 1.0 * 0.03);
    // The oldest that is known counts from now on.
    near(along(&[(3.0, 0.02)], 0.05, 0.02).speed, 20.0 + 3.0 * 0.06);
    near(along(&[(3.0, 0.02), (1.0, 0.01)], 0.05, 0.02).speed, 20.0 + 3.0 * 0.03 + 1.0 * 0.03);
    // Without a delay the last, for half a frame.
    near(along(&[(7.0, 0.02), (3.0, 0.02)], 0.0, 0.04).speed, 20.0 + 3.0 * 0.02);
    // By steps of at most 5 ms, each at the speed at its begin: 12 of them.
    let after = along(&[(4.0, 0.02)], 0.05, 0.02);
    near(after.advance, 20.0 * 0.06 + 0.5 * 4.0 * 0.06 * 0.06 * (1.0 - 1.0 / 12.0));
    let after = along(&[(4.0, 0.02)], 0.05, 0.021);
    near(after.advance, 20.0 * 0.0605 + 0.5 * 4.0 * 0.0605 * 0.0605 * (1.0 - 1.0 / 13.0));
    assert_eq!(along(&[(-500.0, 0.02)], 0.05, 0.02).speed, 0.0);
}

/// What was in effect in the last 0.02 s by commands that act after a delay.
fn acted(commands: &[(f64, f64)], delay: f64) -> Option<f64> {
    let mut pending = PendingCommands::default();
    for (along, since) in commands {
        pending.push(0.0, *along, *since);
    }
    pending.acted(delay, 0.02)
}

#[test]
fn what_acted_is_the_mean_over_the_last_frame() {
    // They were given 0.08, 0.06, 0.05 and 0.02 s ago. With 0.05 s of delay the third begins to act now.
    let commands = [(7.0, 0.02), (-2.0, 0.02), (4.0, 0.01), (1.0, 0.03)];
    near(acted(&commands, 0.05).expect("commands"), 0.5 * 7.0 + 0.5 * -2.0);
    near(acted(&commands, 0.0).expect("commands"), 1.0);
    near(acted(&commands, 0.015).expect("commands"), 0.75 * 4.0 + 0.25 * 1.0);
    // The oldest that is known acts before.
    near(acted(&commands, 0.5).expect("commands"), 7.0);
    near(acted(&commands[3..], 0.05).expect("a command"), 1.0);
    assert_eq!(acted(&[], 0.05), None);
}

#[test]
fn more_commands_than_are_kept_are_forgotten_from_the_oldest_on() {
    // In frames of 1 ms the last 64 are known; the first of them acts until 0.1 s less the age of the second.
    let commands: Vec<_> = (0..70).map(|k| (f64::from(k), 1e-3)).collect();
    let after = along(&commands, 0.1, 1e-3);
    let oldest = 70.0 - CAPACITY as f64;
    let rest: f64 = (70 - CAPACITY + 1..69).map(|k| k as f64 * 1e-3).sum();
    near(after.speed, 20.0 + oldest * (0.1 - 0.063) + rest + 69.0 * 1.5e-3);
}

#[test]
fn without_commands_speed_and_yaw_rate_stay() {
    let (dynamics, geometry) = (VehicleDynamics::constant(10.0, 8.0, 5.0), VehicleGeometry::default());
    let model = Model::new(&dynamics, &geometry, 1.0);
    let path = straight([50.0; 2], 20.0);
    let on_path = on_straight(&path, [100.0, 0.0], 20.0);
    let now = Motion { heading: 0.1, across: 0.3, yaw_rate: 0.2, ..STILL };
    let ahead = || Ahead::new(&on_path, 1.0, 100.0);
    let mut pending = PendingCommands::default();
    assert_eq!(pending.motion_after(now, 0.01, &model, [0.1, 0.02], ahead), now.after(0.11, 0.01));
    pending.push(0.3, -5.0, 0.02);
    assert_ne!(pending.motion_after(now, 0.01, &model, [0.1, 0.02], ahead), now.after(0.11, 0.01));
    pending.clear();
    assert_eq!(pending.motion_after(now, 0.01, &model, [0.1, 0.02], ahead), now.after(0.11, 0.01));
    assert_eq!(pending.wheels, None);
}

/// One step of half a frame of 8 ms on a banked ring of 50 m with nine tenths of the grip, by a command.
fn one_step(
    dynamics: &VehicleDynamics,
    now: Motion,
    wheels: Option<f64>,
    [steering, along]: [f64; 2],
) -> (Motion, Path) {
    let path = ring(50.0, [5.0; 2], 20.0).with_dynamics(dynamics).with_grip(|_, _| 0.9).with_banking(|_, _| 0.1);
    let geometry = VehicleGeometry::default();
    let model = Model::new(dynamics, &geometry, 1.0);
    let state = VehicleState::new([50.0, 0.0, 0.0], std::f64::consts::FRAC_PI_2, 20.0);
    let on_path = frame(&path, &state);
    let mut pending = PendingCommands { wheels, ..PendingCommands::default() };
    pending.push(steering, along, 0.008);
    let after = pending.motion_after(now, 0.02, &model, [0.0, 0.008], || Ahead::new(&on_path, 1.0, 100.0));
    (after, path)
}

/// Where the velocity leads in 4 ms, which turns and speeds up before.
fn is_led(after: &Motion, now: &Motion, across: f64, yaw_rate: f64) {
    let (sin, cos) = now.heading.sin_cos();
    let forwards = (now.speed * cos - across * sin) * 0.004;
    near(after.across, across);
    near(after.yaw_rate, yaw_rate);
    near(after.advance, now.advance + forwards);
    near(after.offset, now.offset + (now.speed * sin + across * cos) * 0.004);
    assert!((after.heading - (now.heading + yaw_rate * 0.004 - 0.02 * forwards)).abs() < 1e-6, "{after:?}");
}

#[test]
fn the_tyres_turn_the_vehicle_by_their_forces() {
    let mut dynamics = VehicleDynamics::constant(10.0, 8.0, 5.0);
    (dynamics.front_weight_fraction, dynamics.gyration_m2) = (0.6, 2.0);
    (dynamics.rolling_mps2, dynamics.drag_radpm) = (0.2, 1e-3);
    let now = Motion { advance: 3.0, offset: 0.5, heading: 0.08, speed: 20.0, across: -0.4, yaw_rate: 0.35 };
    // The wheels turn by 1 rad/s: 8 ms before the step, and 4 ms in it.
    for (wheels, steering, then) in [(None, 0.09, 0.09), (Some(0.05), 0.09, 0.062), (Some(0.09), 0.085, 0.085)] {
        for along in [-3.0, 2.0] {
            let (after, _) = one_step(&dynamics, now, wheels, [steering, along]);
            let geometry = VehicleGeometry::default();
            let model = Model::new(&dynamics, &geometry, 0.9);
            let (a, b) = (0.4 * 2.6, 0.6 * 2.6);
            let axles = model.axles(20.0, along);
            let front = model.across_at(axles.front, then - (-0.4 + a * 0.35) / 20.0);
            let rear = model.across_at(axles.rear, (b * 0.35 + 0.4) / 20.0);
            let yaw_rate = 0.35 + (front - rear) * a * b / (2.6 * 2.0) * 0.004;
            let gravity = 9.80665 * 0.1_f64.sin();
            let across = -0.4 + (0.6 * front + 0.4 * rear - gravity - yaw_rate * 20.0) * 0.004;
            is_led(&after, &now, across, yaw_rate);
            near(after.speed, 20.0 + (along - 0.2 - 0.4 - 0.35 * 0.4 - 0.6 * front * f64::sin(then)) * 0.004);
        }
    }
}

#[test]
fn a_vehicle_that_leans_turns_by_its_lean() {
    let mut dynamics = VehicleDynamics { lean_rate_radps: Some(1.5), ..VehicleDynamics::constant(12.0, 10.0, 5.0) };
    dynamics.front_weight_fraction = 0.6;
    let now = Motion { advance: 3.0, offset: 0.5, heading: 0.08, speed: 20.0, across: 0.2, yaw_rate: 0.1 };
    for steering in [0.03_f64, 0.3, -0.3] {
        let (after, _) = one_step(&dynamics, now, None, [steering, -3.0]);
        let demanded = (400.0 * steering.tan() / 2.6).clamp(-10.8, 10.8);
        let yaw_rate = leaning::yaw_rate_after(&now, demanded, 1.5, [-3.0, 0.004]);
        is_led(&after, &now, 1.56 * yaw_rate, yaw_rate);
        near(after.speed, 20.0 - 3.0 * 0.004);
    }
}
