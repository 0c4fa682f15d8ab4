//! Drives in TORCS where it is installed; skipped with the reason where it is not.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;
use std::process::Command;

/// Two laps of aalborg in the smallest time that is honest, s; the best stock robot needs 76.4.
const AALBORG_S: f64 = 72.5;

#[test]
fn two_laps_of_aalborg_count_and_are_faster_than_the_stock_robots() {
    if !Path::new("/usr/lib/x86_64-linux-gnu/torcs/torcs-bin").exists() {
        println!("skipped: TORCS is not installed (apt-get install --no-install-recommends torcs)");
        return;
    }
    let json = Path::new(env!("CARGO_TARGET_TMPDIR")).join("aalborg.json");
    let output = Command::new(env!("CARGO_BIN_EXE_raceline-torcs"))
        .args(["race", "aalborg", "--laps", "2", "--json"])
        .arg(&json)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let table: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&json).unwrap()).unwrap();
    let track = &table["tracks"][0];
    assert_eq!((&track["track"], &track["valid_laps"]), (&"aalborg".into(), &2.into()), "{track}");
    assert!(track["driven_lap_s"].as_f64().unwrap() < AALBORG_S, "{track}");
    assert!(track["damage"].as_f64().unwrap() < 200.0, "{track}");
}

#[test]
fn what_is_wrong_is_reported() {
    let run = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_raceline-torcs")).args(arguments).output().unwrap();
        (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (done, given) = run(&["race", "aalborg", "--torcs-libraries", "/nowhere", "--torcs-data", "/nowhere"]);
    assert!(!done && given.contains("TORCS is not installed") && given.contains("apt-get"), "{given}");
    let (done, given) = run(&["race"]);
    assert!(!done && given.contains("TRACK"), "{given}");
}
