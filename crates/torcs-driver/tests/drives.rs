//! Drives in TORCS where it is installed; skipped with the reason where it is not.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;
use std::process::Command;

/// Two laps of aalborg in the smallest time that is honest, s; the best stock robot needs 76.4.
const AALBORG_S: f64 = 72.5;

/// What the program does with these arguments: whether it succeeds, and what it prints on stdout and stderr.
fn run(arguments: &[&str]) -> (bool, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_raceline-torcs")).args(arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.success(), text(&output.stdout), text(&output.stderr))
}

/// A file of this name for a test to write.
fn file(name: &str) -> String {
    format!("{}/{name}", env!("CARGO_TARGET_TMPDIR"))
}

fn is_installed() -> bool {
    let is_there = Path::new("/usr/lib/x86_64-linux-gnu/torcs/torcs-bin").exists();
    if !is_there {
        println!("skipped: TORCS is not installed (apt-get install --no-install-recommends torcs)");
    }
    is_there
}

#[test]
fn two_laps_of_aalborg_count_and_are_faster_than_the_stock_robots() {
    if !is_installed() {
        return;
    }
    let json = file("aalborg.json");
    let (done, _, errors) = run(&["race", "aalborg", "--laps", "2", "--json", &json]);
    assert!(done, "{errors}");
    let table: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&json).unwrap()).unwrap();
    let track = &table["tracks"][0];
    assert_eq!((&track["track"], &track["valid_laps"]), (&"aalborg".into(), &2.into()), "{track}");
    assert!(track["driven_lap_s"].as_f64().unwrap() < AALBORG_S, "{track}");
    assert!(track["damage"].as_f64().unwrap() < 200.0, "{track}");
}

#[test]
fn a_car_that_nobody_measured_is_driven_until_its_vehicle_has_valid_laps() {
    if !is_installed() {
        return;
    }
    let vehicle = file("p406.toml");
    let (done, printed, errors) =
        run(&["car", "e-track-3", "--car", "p406", "--rounds", "2", "--laps", "2", "-o", &vehicle]);
    assert!(done, "{errors}");
    assert!(printed.contains("on 1 of 1 tracks") && printed.contains("rear_reserve"), "{printed}");
    let vehicle = raceline::vehicle::Vehicle::read(Path::new(&vehicle)).unwrap();
    assert_eq!((vehicle.front_drive_fraction, vehicle.wheelbase_m), (Some(1.0), 2.74));
}

#[test]
fn what_is_wrong_is_reported() {
    let (done, _, given) = run(&["race", "aalborg", "--torcs-libraries", "/nowhere", "--torcs-data", "/nowhere"]);
    assert!(!done && given.contains("TORCS is not installed") && given.contains("apt-get"), "{given}");
    let (done, _, given) = run(&["car", "aalborg", "--vehicle", "gt", "-o", "/nowhere/a.toml"]);
    assert!(!done && given.contains("--vehicle is what"), "{given}");
    let (done, _, given) = run(&["car", "aalborg", "--car", "p406", "-o", "/nowhere/a.toml"]);
    assert!(!done && (given.contains("/nowhere/a.toml") || !is_installed()), "{given}");
    let (done, _, given) = run(&["race"]);
    assert!(!done && given.contains("TRACK"), "{given}");
}
