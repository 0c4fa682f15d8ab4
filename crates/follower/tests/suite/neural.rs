//! Neural drivers: networks with known weights, their inputs, and their files.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;

use proptest::prelude::*;
use raceline_follower::neural::{
    INPUTS, Layer, MAX_UNITS, Network, NetworkError, NeuralDriver, NeuralDriverOptions, OUTPUTS, PREVIEW_S,
};
use raceline_follower::{Path, PathFollower, Scene, VehicleDynamics, VehicleGeometry, VehicleState, Waypoint};

use super::common::{Car, FRAME_S, drive, numbers};

/// Lateral, longitudinal and drive limit, m/s².
const LIMITS: [f64; 3] = [8.0, 10.0, 5.0];
/// Place of the first input of the preview.
const PREVIEW: usize = 13;

/// A path through `points` with a profile of `speed`, for a vehicle of [`LIMITS`].
fn course(points: &[[f64; 2]], closed: bool, speed: f64) -> Path {
    let waypoint = |&[x, y]: &[f64; 2]| Waypoint {
        position_m: [x, y, 0.0],
        left_m: 4.0,
        right_m: 4.0,
        speed_mps: speed,
        ..Waypoint::default()
    };
    let dynamics = VehicleDynamics {
        max_speed_mps: 50.0,
        peak_slip_rad: 0.1,
        ..VehicleDynamics::constant(LIMITS[0], LIMITS[1], LIMITS[2])
    };
    Path::new(points.iter().map(waypoint).collect(), closed).unwrap().with_dynamics(&dynamics)
}

fn circle(radius: f64, speed: f64) -> Path {
    let at = |i: u32| (f64::from(i) / 720.0 * std::f64::consts::TAU).sin_cos();
    course(&(0..720).map(|i| [radius * at(i).1, radius * at(i).0]).collect::<Vec<_>>(), true, speed)
}

/// A linear network: the weights of steering and pedal by input.
fn linear(steering: &[(usize, f64)], pedal: &[(usize, f64)]) -> Network {
    let mut weights = vec![0.0; OUTPUTS * INPUTS];
    for &(input, weight) in steering {
        weights[input] = weight;
    }
    for &(input, weight) in pedal {
        weights[INPUTS + input] = weight;
    }
    Network::new(vec![Layer { weights, biases: vec![0.0; OUTPUTS] }]).unwrap()
}

fn driver(network: Network) -> NeuralDriver {
    NeuralDriver::new(Arc::new(network), NeuralDriverOptions::default(), VehicleGeometry::default()).unwrap()
}

/// Random layers of `sizes` units.
fn random_network(sizes: &[usize], seed: u32) -> Network {
    let mut next = numbers(seed.into());
    let mut inputs = INPUTS;
    let mut layers = Vec::new();
    for &units in sizes.iter().chain(&[OUTPUTS]) {
        let weights = (0..units * inputs).map(|_| next() - 0.5).collect();
        layers.push(Layer { weights, biases: (0..units).map(|_| next() - 0.5).collect() });
        inputs = units;
    }
    Network::new(layers).unwrap()
}

#[test]
fn a_network_with_known_weights_has_known_outputs() {
    // h = [tanh(x₀ + 0.5), tanh(2 x₃)]; steering = 2 h₀ - h₁ + 0.25, pedal = 3 h₁ - 1.
    let mut weights = vec![0.0; 2 * INPUTS];
    (weights[0], weights[INPUTS + 3]) = (1.0, 2.0);
    let network = Network::new(vec![
        Layer { weights, biases: vec![0.5, 0.0] },
        Layer { weights: vec![2.0, -1.0, 0.0, 3.0], biases: vec![0.25, -1.0] },
    ])
    .unwrap();
    let mut inputs = [0.7; INPUTS];
    (inputs[0], inputs[3]) = (0.3, -0.2);
    let (h0, h1) = (0.8_f64.tanh(), (-0.4_f64).tanh());
    let expected = [2.0 * h0 - h1 + 0.25, 3.0 * h1 - 1.0];
    let found = network.evaluate(&inputs);
    // The hyperbolic tangent of the standard library may differ in its last bit.
    assert!(found.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-14), "{found:?} {expected:?}");
}

#[test]
fn weights_that_are_no_network_are_refused_with_their_place() {
    let good = || random_network(&[4], 1).layers().to_vec();
    let refusal = |layers: Vec<Layer>| Network::new(layers).unwrap_err().to_string();
    assert_eq!(Network::new(Vec::new()), Err(NetworkError::Layers { given: 0 }));
    assert_eq!(refusal(vec![Layer::default(); 5]), "the network has 5 layers, but must have 1 to 4");
    let mut layers = good();
    layers[1].biases.push(0.0);
    assert_eq!(refusal(layers), "layer 2 has 3 units, but must have 2, steering and pedal");
    let mut layers = good();
    layers[0].biases = vec![0.0; MAX_UNITS + 1];
    assert_eq!(refusal(layers), "layer 1 has 129 units, but must have 1 to 128");
    let mut layers = good();
    layers[0].weights.pop();
    let all = 4 * INPUTS;
    let short = format!("layer 1 has {} weights, but its 4 units with {INPUTS} inputs each must have {all}", all - 1);
    assert_eq!(refusal(layers), short);
    for value in [f64::NAN, f64::INFINITY, 2e6] {
        let mut layers = good();
        layers[0].weights[2 * INPUTS + 1] = value;
        assert!(refusal(layers).starts_with(&format!("layer 1, unit 3: a weight or the bias is {value}")));
    }
}

#[test]
fn on_a_straight_line_only_what_is_off_shows() {
    let path = course(&[[0.0, 0.0], [500.0, 0.0]], false, 20.0);
    let mut driver = driver(linear(&[], &[]));
    let mut state = VehicleState::new([50.0, 0.5, 0.0], 0.0, 18.0);
    driver.step(&path, &state, &Scene::EMPTY, FRAME_S);
    let inputs = *driver.inputs().unwrap();
    // Offset by a_y T², by the wheelbase; speed by the largest; drive by braking.
    let near = |k: usize, value: f64| assert!((inputs[k] - value).abs() < 1e-12, "input {k}: {}", inputs[k]);
    for (k, value) in [(0, 0.5 / (8.0 * 0.25)), (1, 0.5 / 2.6), (7, 18.0 / 50.0), (8, 0.5)] {
        near(k, value);
    }
    for k in [2, 3, 4, 5, 6, 9, 10, 11, 12] {
        near(k, 0.0);
    }
    for place in 0..PREVIEW_S.len() {
        let at = PREVIEW + 3 * place;
        near(at, 0.0);
        near(at + 1, 0.2);
        near(at + 2, 0.0);
    }
    state.heading_rad = 0.05;
    driver.step(&path, &state, &Scene::EMPTY, FRAME_S);
    let turned = driver.inputs().unwrap();
    assert!((turned[3] - 0.5).abs() < 1e-12 && (turned[2] - 0.05 * 18.0 / (8.0 * 0.5)).abs() < 1e-12);
}

#[test]
fn the_preview_looks_ahead_by_time() {
    // A straight into a bend: the bend shows at the places beyond its begin.
    let radius = 60.0;
    let bend = (1..=120).map(|i| f64::from(i) * 0.01).map(|a| [100.0 + radius * a.sin(), radius * (1.0 - a.cos())]);
    let points: Vec<[f64; 2]> = (0..=50).map(|i| [f64::from(i) * 2.0, 0.0]).chain(bend).collect();
    let path = course(&points, false, 20.0);
    let mut driver = driver(linear(&[], &[]));
    let speed = 20.0;
    driver.step(&path, &VehicleState::new([86.0, 0.0, 0.0], 0.0, speed), &Scene::EMPTY, FRAME_S);
    let inputs = *driver.inputs().unwrap();
    for (place, time) in PREVIEW_S.into_iter().enumerate().filter(|(_, time)| *time <= 1.8) {
        let curved = inputs[PREVIEW + 3 * place];
        let ahead = 86.0 + speed * time - 100.0;
        if ahead < -2.0 {
            assert!(curved.abs() < 1e-9, "{time} s: {curved}");
        } else if ahead > 2.0 {
            let there = speed * speed / radius / LIMITS[0];
            assert!((curved - there).abs() < 0.01 * there, "{time} s: {curved}");
        }
    }
}

#[test]
fn a_linear_network_that_is_a_controller_drives_a_circle() {
    let (radius, speed) = (50.0, 12.0);
    let path = circle(radius, speed);
    // The curvature here, less what offset and course are off; the pedal by what the speed lacks.
    let mut driver = driver(linear(&[(10, 1.0), (0, -0.6), (2, -0.6)], &[(PREVIEW + 1, 10.0)]));
    let mut car = Car::new([radius + 1.0, 0.0], FRAC_PI_2 + 0.1, 6.0);
    let seconds = 2.0 * std::f64::consts::TAU * radius / speed;
    let mut worst = 0.0_f64;
    let mut time = 0.0;
    let last = drive(&mut driver, &path, &mut car, seconds, |_, command| {
        time += FRAME_S;
        if time > 8.0 {
            worst = worst.max(command.cross_track_error_m.abs());
        }
    });
    assert!(worst < 0.3, "{worst} m");
    assert!((car.speed - speed).abs() < 0.5, "{} m/s", car.speed);
    assert!(last.inside_corridor && last.event.is_none());
    assert_eq!(last.target_speed_mps, speed);
}

#[test]
fn without_profile_or_dynamics_it_brakes() {
    let bare = |speed_mps| {
        let points = [[0.0, 0.0], [100.0, 0.0]];
        let waypoint = |[x, y]: [f64; 2]| Waypoint { position_m: [x, y, 0.0], speed_mps, ..Waypoint::default() };
        Path::new(points.map(waypoint).to_vec(), false).unwrap()
    };
    let no_profile = bare(f64::NAN).with_dynamics(&VehicleDynamics::constant(8.0, 8.0, 4.0));
    for path in [bare(20.0), no_profile] {
        let mut driver = driver(linear(&[], &[(7, 5.0)]));
        let command = driver.step(&path, &VehicleState::new([5.0, 0.0, 0.0], 0.0, 10.0), &Scene::EMPTY, FRAME_S);
        assert_eq!((command.pedal, command.steering_rad), (-1.0, 0.0));
        assert!(driver.inputs().is_none());
    }
}

#[test]
fn options_are_checked() {
    let options = NeuralDriverOptions { profile_scale: 3.0, ..NeuralDriverOptions::default() };
    let refused = NeuralDriver::new(Arc::new(linear(&[], &[])), options, VehicleGeometry::default());
    assert_eq!(refused.unwrap_err().to_string(), "profile_scale is 3, but must be 0.05 to 2");
}

proptest! {
    /// Whatever network and state: a command within its bounds.
    #[test]
    fn commands_are_finite_and_bounded(
        seed in 0_u32..1000,
        position in prop::array::uniform2(-300.0..300.0_f64),
        heading in -4.0..4.0_f64,
        speed in -20.0..200.0_f64,
        yaw in prop_oneof![Just(f64::NAN), -5.0..5.0_f64],
    ) {
        let mut driver = driver(random_network(&[16, 5], seed));
        let mut state = VehicleState::new([position[0], position[1], 0.0], heading, speed);
        state.yaw_rate_radps = yaw;
        let command = driver.step(&circle(50.0, 15.0), &state, &Scene::EMPTY, FRAME_S);
        prop_assert!(command.pedal.abs() <= 1.0);
        prop_assert!(command.steering_rad.abs() <= VehicleGeometry::default().max_steering_rad);
    }

    /// In the mirror, what has a side changes its sign and nothing else does.
    #[test]
    fn inputs_are_mirrored(
        offset in -3.0..3.0_f64,
        heading in -0.3..0.3_f64,
        speed in 2.0..25.0_f64,
        across in -2.0..2.0_f64,
        yaw in -1.0..1.0_f64,
    ) {
        let shown = |side: f64| {
            let points: Vec<[f64; 2]> =
                (0..300).map(f64::from).map(|x| [x, side * 10.0 * (x / 25.0).sin()]).collect();
            let path = course(&points, false, 18.0);
            let mut driver = driver(linear(&[], &[]));
            let (sin, cos) = (side * heading).sin_cos();
            let state = VehicleState {
                velocity_mps: [speed * cos - side * across * sin, speed * sin + side * across * cos, 0.0],
                yaw_rate_radps: side * yaw,
                ..VehicleState::new([40.0, side * offset, 0.0], side * heading, speed)
            };
            driver.step(&path, &state, &Scene::EMPTY, FRAME_S);
            *driver.inputs().unwrap()
        };
        let (usual, mirrored) = (shown(1.0), shown(-1.0));
        for (k, (a, b)) in usual.into_iter().zip(mirrored).enumerate() {
            let has_side = matches!(k, 0..=6 | 10..=12) || (k >= PREVIEW && (k - PREVIEW).is_multiple_of(3));
            let expected = if has_side { -a } else { a };
            prop_assert!((b - expected).abs() < 1e-9, "input {k}: {a}, mirrored {b}");
        }
    }
}

#[cfg(feature = "json")]
mod file {
    use raceline_follower::json::{read_network, write_network};

    use super::{INPUTS, random_network};

    #[test]
    fn what_is_written_is_read() {
        for sizes in [&[40][..], &[], &[7, 128, 3]] {
            let network = random_network(sizes, 9);
            assert_eq!(read_network(write_network(&network).as_bytes()), Ok(network));
        }
    }

    #[test]
    fn other_files_are_refused_by_name() {
        let text = write_network(&random_network(&[3], 2));
        let refusal = |text: String| read_network(text.as_bytes()).unwrap_err().to_string();
        assert!(refusal(text[..text.len() / 2].to_owned()).starts_with("not a neural driver: "));
        let other = refusal(text.replace("\"version\":1", "\"version\":2"));
        assert!(other.starts_with("format \"raceline-neural-driver\", version 2: "), "{other}");
        let inputs = refusal(text.replace(&format!("\"inputs\":{INPUTS}"), "\"inputs\":7"));
        assert!(inputs.starts_with("inputs: 7, but this version has"), "{inputs}");
        let (head, tail) = text.split_once("],\n[").unwrap();
        let uneven = refusal(format!("{head},0.5],\n[{tail}"));
        assert_eq!(uneven, "layer 1: the row of unit 2 has another length than that of unit 1");
        let no_unit = refusal(text.replacen("\"biases\":[", "\"biases\":[0.5,", 1));
        assert!(no_unit.starts_with("layer 1 has "), "{no_unit}");
    }
}
