//! Recorded states of a vehicle and the commands for them: Rust, C and Python give the same ones, bit for bit.
//!
//! `tests/recorded` has the states and the commands as decimal numbers that are read back exactly; the test of the
//! Python package reads them too. `RACELINE_BLESS=1` writes them anew.

#![cfg(feature = "json")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]

use std::fmt::Write;
use std::path::{Path as FilePath, PathBuf};

use raceline_follower::{Command, Follower, FollowerOptions, Neighbour, Scene, VehicleState, json};
use raceline_vehicle_simulation::{BicycleState, Controls};

use crate::racing::{car_with, seen};

const FRAME_S: f64 = 1.0 / 60.0;
/// Frames that are recorded: once round, a bend every few seconds.
const FRAMES: usize = 2400;
/// Every so many frames are kept; the follower is given those between them too.
const KEPT: usize = 8;
const STATES: &str = "x_m,y_m,heading_rad,speed_mps,velocity_x_mps,velocity_y_mps,yaw_rate_radps,neighbour_x_m,\
    neighbour_y_m,neighbour_heading_rad,neighbour_velocity_x_mps,neighbour_velocity_y_mps";
const COMMANDS: &str = "pedal,steering_rad,target_speed_mps,s_m,cross_track_error_m,shift_m";

fn folder() -> PathBuf {
    FilePath::new(env!("CARGO_MANIFEST_DIR")).join("tests/recorded")
}

fn line() -> json::RacingLine {
    let file = FilePath::new(env!("CARGO_MANIFEST_DIR")).join("../../tracks/club.raceline.json");
    json::read(&std::fs::read(file).unwrap()).unwrap()
}

fn follower(line: &json::RacingLine) -> Follower {
    let options = FollowerOptions::for_vehicle(line.path.dynamics().unwrap(), &line.vehicle);
    Follower::new(options, line.vehicle).unwrap()
}

fn numbers(text: &str) -> Vec<Vec<f64>> {
    text.lines().skip(1).map(|row| row.split(',').map(|number| number.parse().unwrap()).collect()).collect()
}

fn step(follower: &mut Follower, line: &json::RacingLine, row: &[f64]) -> Vec<f64> {
    let state = VehicleState {
        position_m: [row[0], row[1], 0.0],
        heading_rad: row[2],
        speed_mps: row[3],
        velocity_mps: [row[4], row[5], 0.0],
        yaw_rate_radps: row[6],
    };
    let other = Neighbour {
        position_m: [row[7], row[8], 0.0],
        heading_rad: row[9],
        velocity_mps: [row[10], row[11], 0.0],
        length_m: 4.4,
        width_m: 1.8,
    };
    let others = [other];
    let scene = if row[7].is_nan() { Scene::EMPTY } else { Scene::EMPTY.with_neighbours(&others) };
    let command: Command = follower.step(&line.path, &state, &scene, FRAME_S);
    let Command { pedal, steering_rad, target_speed_mps, s_m, cross_track_error_m, .. } = command;
    vec![pedal, steering_rad, target_speed_mps, s_m, cross_track_error_m, follower.shift_m()]
}

/// A lap of a car with slightly less grip than the file's, which catches up with a slower one.
fn recorded() -> Vec<Vec<f64>> {
    let line = line();
    let (mut follower, car) = (follower(&line), car_with(0.9));
    let start = line.path.sample(0.0);
    let mut state = BicycleState {
        x_m: start.position_m[0],
        y_m: start.position_m[1],
        heading_rad: start.heading_rad,
        forward_mps: 0.7 * start.speed_mps,
        ..BicycleState::default()
    };
    let mut rows = Vec::new();
    let mut other_m = 0.0;
    for frame in 0..FRAMES {
        let seen = seen(&state);
        let place = line.path.sample(other_m);
        let speed = 0.6 * place.speed_mps;
        other_m += speed * FRAME_S;
        let (sin, cos) = place.heading_rad.sin_cos();
        let other = if frame < FRAMES / 4 {
            [f64::NAN; 5]
        } else {
            [place.position_m[0], place.position_m[1], place.heading_rad, speed * cos, speed * sin]
        };
        let [x, y, _] = seen.position_m;
        let [vx, vy, _] = seen.velocity_mps;
        let row = [&[x, y, seen.heading_rad, seen.speed_mps, vx, vy, seen.yaw_rate_radps][..], &other].concat();
        let command = step(&mut follower, &line, &row);
        if frame <= FRAMES / 4 {
            other_m = command[3] + 40.0;
        }
        let controls = Controls { pedal: command[0], steering_rad: command[1], ..Controls::default() };
        for _ in 0..16 {
            car.advance(&mut state, &controls, FRAME_S / 16.0);
        }
        rows.push(row);
    }
    rows.into_iter().step_by(KEPT).collect()
}

/// A table whose numbers are read back exactly.
fn table(head: &str, rows: &[Vec<f64>]) -> String {
    let mut text = format!("{head}\n");
    for row in rows {
        let row: Vec<String> = row.iter().map(|number| format!("{number}")).collect();
        writeln!(text, "{}", row.join(",")).unwrap();
    }
    text
}

/// The states and the commands that are committed.
fn committed() -> (Vec<Vec<f64>>, Vec<Vec<f64>>) {
    let [states, commands] = ["states.csv", "commands.csv"].map(|name| {
        let text = std::fs::read_to_string(folder().join(name)).unwrap();
        numbers(&text)
    });
    (states, commands)
}

/// Compares the commands of a language. Where the C library's functions are others, the last bits may differ.
#[track_caller]
fn assert_same(found: &[Vec<f64>], expected: &[Vec<f64>]) {
    let exact = cfg!(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"));
    assert_eq!(found.len(), expected.len());
    for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
        for ((name, found), expected) in COMMANDS.split(',').zip(found).zip(expected) {
            let same = found.to_bits() == expected.to_bits() || !exact && (found - expected).abs() < 1e-6;
            assert!(same, "state {i}: {name} is {found:?}, recorded {expected:?}");
        }
    }
}

#[test]
fn recorded_states_give_the_recorded_commands() {
    let line = line();
    if std::env::var_os("RACELINE_BLESS").is_some() {
        let states = recorded();
        let mut follower = follower(&line);
        let commands: Vec<Vec<f64>> = states.iter().map(|row| step(&mut follower, &line, row)).collect();
        std::fs::create_dir_all(folder()).unwrap();
        std::fs::write(folder().join("states.csv"), table(STATES, &states)).unwrap();
        std::fs::write(folder().join("commands.csv"), table(COMMANDS, &commands)).unwrap();
    }
    let (states, expected) = committed();
    let mut follower = follower(&line);
    let found: Vec<Vec<f64>> = states.iter().map(|row| step(&mut follower, &line, row)).collect();
    assert_same(&found, &expected);
    // Bends to both sides, full throttle, brakes, and a vehicle that is driven past.
    let of = |column: usize| expected.iter().map(move |row| row[column]);
    assert!(of(0).any(|pedal| pedal > 0.99) && of(0).any(|pedal| pedal < -0.3));
    assert!(of(1).any(|angle| angle > 0.05) && of(1).any(|angle| angle < -0.05));
    assert!(of(5).any(|shift| shift.abs() > 0.5));
}

#[cfg(feature = "capi")]
#[test]
fn recorded_states_give_the_recorded_commands_in_c() {
    use crate::capi_header::{compiled, compiler, run};
    let Some(cc) = compiler() else { return };
    if !cfg!(target_os = "linux") {
        println!("skipped: the libraries that a static library needs are only known for Linux");
        return;
    }
    let source = FilePath::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/recorded.c");
    let mut program = std::process::Command::new(compiled(&cc, &source, "recorded", true));
    program.arg(FilePath::new(env!("CARGO_MANIFEST_DIR")).join("../../tracks/club.raceline.json"));
    program.arg(folder().join("states.csv"));
    let printed = run(program);
    assert_same(&numbers(&format!("{COMMANDS}\n{printed}")), &committed().1);
}
