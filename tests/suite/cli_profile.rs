//! `raceline profile` and `optimize --start` as a process.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]

use std::fs;
use std::path::Path;
use std::time::Duration;

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

/// A run that takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(120);

/// A folder with an oval road and its middle as waypoints.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    let row = |i: i32, end: &str| {
        let angle = std::f64::consts::TAU * f64::from(i) / 90.0;
        format!("{:.4},{:.4}{end}\n", 110.0 * angle.cos(), 60.0 * angle.sin())
    };
    fs::write(folder.path().join("oval.csv"), (0..90).map(|i| row(i, ",5,5")).collect::<String>()).unwrap();
    fs::write(folder.path().join("waypoints.csv"), (0..=90).map(|i| row(i, "")).collect::<String>()).unwrap();
    folder
}

/// Runs the program, which succeeds, and returns what it prints on stdout and stderr.
fn run(folder: &Path, arguments: &[&str]) -> [String; 2] {
    let mut command = Command::cargo_bin("raceline").unwrap();
    let output = command.current_dir(folder).env("NO_COLOR", "1").args(arguments).timeout(PATIENCE).output().unwrap();
    let [stdout, stderr] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert!(output.status.success(), "{arguments:?}: {stdout}{stderr}");
    [stdout, stderr]
}

#[test]
fn every_command_takes_a_line_that_exists() {
    let folder = folder();
    let path = folder.path();
    let [table, warnings] = run(path, &["profile", "waypoints.csv", "--track", "oval.csv", "-o", "own.json"]);
    assert!(table.contains("2 columns without names") && table.contains("91 points"), "{table}");
    assert!(warnings.is_empty(), "{warnings}");
    run(path, &["verify", "own.json"]);
    run(path, &["inspect", "own.json"]);
    run(path, &["render", "own.json", "-o", "own.svg"]);
    run(path, &["render", "own.json", "-o", "own.html"]);
    run(path, &["export", "own.json", "--format", "tum", "-o", "own.csv"]);
    run(path, &["drive", "own.json", "--laps", "1"]);
    let [table, _] = run(path, &["optimize", "oval.csv", "--start", "waypoints.csv", "-o", "fast.json"]);
    assert!(table.contains("given") && table.contains("the initial line takes"), "{table}");
    run(path, &["compare", "own.json", "fast.json"]);
    // What was exported comes back with its speeds.
    let [summary, _] = run(path, &["profile", "own.csv", "--track-width-m", "10", "--json", "-q"]);
    let summary: Value = serde_json::from_str(&summary).unwrap();
    let (lap, stated) = (summary["lap_time_s"].as_f64().unwrap(), summary["stated_lap_time_s"].as_f64().unwrap());
    assert!((lap / stated - 1.0).abs() < 1e-3, "{summary}");
    assert_eq!(summary["layout"], "columns x_m, y_m, vx_mps by name");
    assert!(path.join("own.raceline.json").is_file());
}

#[test]
fn a_coordinate_is_still_a_start_and_outputs_are_guarded() {
    let folder = folder();
    run(folder.path(), &["optimize", "oval.csv", "--start", "110,0", "--method", "shortest-path", "-o", "a.json"]);
    let mut command = Command::cargo_bin("raceline").unwrap();
    let arguments = ["profile", "waypoints.csv", "-o", "waypoints.csv"];
    let output = command.current_dir(folder.path()).args(arguments).timeout(PATIENCE).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
}
