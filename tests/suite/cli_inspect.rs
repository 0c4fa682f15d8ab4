//! `raceline inspect` as a process.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, is_empty, starts_with};
use raceline::RacingLine;
use raceline::file::json;
use raceline::vehicle::preset;
use serde_json::Value;
use tempfile::TempDir;

use crate::sample_lines;

fn raceline(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("raceline").unwrap();
    command.current_dir(folder).env("NO_COLOR", "1").args(arguments);
    command
}

/// A circle of 400 m radius, driven at the cornering limit by a car without drag: the file's lap is
/// the simulated one, but for what rounding to the millimetre does to the curvature.
fn circle() -> RacingLine {
    let mut line = sample_lines::circle(400.0, 100);
    line.vehicle = preset("tum-racecar").unwrap();
    line.vehicle.drag_kgpm = 0.0;
    line.vehicle.max_speed_mps = 200.0;
    let speed = (line.vehicle.lateral_limit_mps2 * 400.0).sqrt();
    line.lap_time_s = line.length_m / speed;
    for point in &mut line.points {
        point.speed_mps = speed;
        point.time_s = point.s_m / speed;
    }
    line
}

fn folder_with(line: &RacingLine) -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("line.json"), json::write(line).unwrap()).unwrap();
    folder
}

#[test]
fn the_overview_states_what_the_line_is() {
    let line = circle();
    let folder = folder_with(&line);
    raceline(folder.path(), &["inspect", "line.json", "--no-verify"]).assert().success().stderr(is_empty()).stdout(
        starts_with(format!("{}\n", line.name))
            .and(contains("closed"))
            .and(contains("tum-racecar"))
            .and(contains(format!("{:.3} s", line.lap_time_s)))
            .and(contains("69.28 m/s, 249.4 km/h"))
            .and(contains("grip").not()),
    );
}

#[test]
fn sensitivities_are_printed_strongest_first() {
    let line = circle();
    let folder = folder_with(&line);
    let run = raceline(folder.path(), &["inspect", "line.json", "--sensitivities", "--no-verify"]).assert().success();
    let text = String::from_utf8(run.stderr(is_empty()).get_output().stdout.clone()).unwrap();
    let rows: Vec<Vec<&str>> = text.lines().map(|row| row.split_whitespace().collect()).collect();
    let row = |key: &str| rows.iter().position(|row| row.first() == Some(&key)).unwrap();
    let limit = &rows[row("lateral_limit_mps2")];
    assert_eq!(limit[1..3], ["m/s²", "12"]);
    let expected = -line.lap_time_s / 24.0;
    assert!((limit[3].parse::<f64>().unwrap() - expected).abs() < 5e-3 * expected.abs(), "{limit:?}");
    assert!((limit[4].parse::<f64>().unwrap() - 0.12 * expected).abs() < 6e-4 * expected.abs(), "{limit:?}");
    // The mass counts only where curvature changes, by the yaw inertia divided by it: rounding here.
    assert!(rows[row("mass_kg")][3].parse::<f64>().unwrap().abs() < 1e-6);
    assert_eq!(rows[row("drag_kgpm")][4], "-", "no percent of nothing");
    assert!(row("lateral_limit_mps2") < row("mass_kg") && row("mass_kg") < row("drag_kgpm"));
    assert!(text.contains("require a new line (raceline sweep): max_curvature_radpm, safety_distance_m, width_m\n"));
}

#[test]
fn json_has_the_same() {
    let line = circle();
    let folder = folder_with(&line);
    let run =
        raceline(folder.path(), &["inspect", "line.json", "--sensitivities", "--format", "json"]).assert().success();
    let value: Value = serde_json::from_slice(&run.get_output().stdout).unwrap();
    assert_eq!(value["method"], "blend");
    assert_eq!(value["closed"], true);
    assert_eq!(value["vehicle"], "tum-racecar");
    let all = value["sensitivities"].as_array().unwrap();
    let of = |key: &str| all.iter().find(|entry| entry["key"] == key).unwrap();
    assert_eq!(of("grip")["effect"], "lap-time");
    let per_unit = of("grip")["s_per_unit"].as_f64().unwrap();
    assert!((per_unit + line.lap_time_s / 2.0).abs() < 3e-3 * line.lap_time_s);
    assert!(of("drag_kgpm").get("s_per_percent").is_none());
    assert_eq!(of("width_m")["effect"], "road");
    let plain = raceline(folder.path(), &["inspect", "line.json", "--format", "json"]).assert().success();
    let plain: Value = serde_json::from_slice(&plain.get_output().stdout).unwrap();
    assert!(plain.get("sensitivities").is_none());
}

#[test]
fn a_lap_that_is_not_the_simulated_one_is_reported() {
    let mut line = circle();
    line.vehicle.lateral_limit_mps2 = 10.0;
    let folder = folder_with(&line);
    raceline(folder.path(), &["inspect", "line.json", "--sensitivities"])
        .assert()
        .success()
        .stderr(contains("warning: line.json: its points take").and(contains("the file states")));
    raceline(folder.path(), &["inspect", "line.json", "--no-verify"]).assert().success().stderr(is_empty());
}

#[test]
fn what_is_no_line_is_reported() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("text.json"), "hello").unwrap();
    fs::write(folder.path().join("track.json"), r#"{"format": "raceline-track", "version": 1}"#).unwrap();
    for (arguments, code, message) in [
        (&["inspect", "none.json"][..], 1, "can't read none.json"),
        (&["inspect", "text.json"], 1, "it is not JSON, as racing lines are"),
        (&["inspect", "track.json"], 1, "`raceline optimize` makes racing-line files"),
        (&["inspect"], 2, "<LINE>"),
    ] {
        raceline(folder.path(), arguments).assert().code(code).stdout(is_empty()).stderr(contains(message));
    }
    let mut line = circle();
    line.vehicle.mass_kg = -1.0;
    let folder = folder_with(&line);
    raceline(folder.path(), &["inspect", "line.json", "--sensitivities"])
        .assert()
        .code(1)
        .stderr(contains("line.json").and(contains("mass_kg is -1: give a number from")));
}

/// An oval with two corners, each half a circle, the second slower; so that tables have rows.
fn folder_with_oval() -> TempDir {
    let folder = TempDir::new().unwrap();
    let track = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("tracks/oval.raceline.json");
    fs::copy(track, folder.path().join("line.json")).unwrap();
    folder
}

fn stdout(folder: &Path, arguments: &[&str]) -> String {
    let run = raceline(folder, arguments).assert().success().stderr(is_empty());
    String::from_utf8(run.get_output().stdout.clone()).unwrap()
}

#[test]
fn tables_come_in_every_format() {
    let folder = folder_with_oval();
    let json: Value =
        serde_json::from_str(&stdout(folder.path(), &["inspect", "line.json", "--format", "json"])).unwrap();
    let corners = json["corners"].as_array().unwrap();
    assert_eq!(corners.len(), 2);
    assert_eq!(corners[0]["direction"], "left");
    let sectors: f64 =
        json["sectors"].as_array().unwrap().iter().map(|sector| sector["time_s"].as_f64().unwrap()).sum();
    assert!((sectors - json["lap_time_s"].as_f64().unwrap()).abs() < 1e-9);
    let csv = stdout(folder.path(), &["inspect", "line.json", "--format", "csv"]);
    let rows: Vec<Vec<&str>> = csv.lines().map(|row| row.split(',').collect()).collect();
    assert_eq!((rows.len(), rows[0][0], rows[1][1]), (3, "corner", "left"));
    assert!(rows.iter().all(|row| row.len() == rows[0].len()));
    assert_eq!(rows[1][12], format!("{:.3}", corners[0]["time_s"].as_f64().unwrap()));
    let markdown = stdout(folder.path(), &["inspect", "line.json", "--format", "markdown", "--table", "sectors"]);
    assert!(markdown.starts_with("**sectors**\n\n| sector | from m |"), "{markdown}");
    assert_eq!(markdown.lines().count(), 7);
    let text = stdout(folder.path(), &["inspect", "line.json"]);
    for title in ["corners, tighter than", "sectors", "between corners", "extremes", "at the margin"] {
        assert!(text.contains(title), "{text}");
    }
}

#[test]
fn sectors_and_corners_are_as_asked() {
    let folder = folder_with_oval();
    let json = |more: &[&str]| -> Value {
        let arguments: Vec<&str> = ["inspect", "line.json", "--format", "json"].iter().chain(more).copied().collect();
        serde_json::from_str(&stdout(folder.path(), &arguments)).unwrap()
    };
    let ends = |value: &Value| {
        value["sectors"].as_array().unwrap().iter().map(|s| s["to_s_m"].as_f64().unwrap()).collect::<Vec<_>>()
    };
    let asked = json(&["--sectors-m", "100,200.5,300"]);
    assert_eq!(ends(&asked)[..3], [100.0, 200.5, 300.0]);
    assert!(json(&["--corner-curvature-radpm", "0.5"])["corners"].as_array().unwrap().is_empty());
    // The sidecar's values stand in the file.
    let path = folder.path().join("line.json");
    let mut line = json::read(&fs::read(&path).unwrap()).unwrap();
    line.options.sectors_m = vec![50.0];
    fs::write(&path, json::write(&line).unwrap()).unwrap();
    assert_eq!(ends(&json(&[]))[0], 50.0);
    for (arguments, code, message) in [
        (&["--sectors-m", "200,100"][..], 1, "sector bound 100 m is not above 200 m"),
        (&["--corner-merge-s", "0"], 2, "corner_merge_s is 0: it must be above 0"),
        (&["--table", "wheels"], 2, "invalid value 'wheels'"),
    ] {
        let all: Vec<&str> = ["inspect", "line.json"].iter().chain(arguments).copied().collect();
        raceline(folder.path(), &all).assert().code(code).stdout(is_empty()).stderr(contains(message));
    }
}

#[test]
fn the_sensitivities_of_a_car_contain_its_set_up() {
    let folder = TempDir::new().unwrap();
    let track = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("tracks/oval.png");
    let optimize = ["optimize", track.to_str().unwrap(), "--model", "car", "--vehicle", "gt", "-o", "line.json"];
    raceline(folder.path(), &optimize).assert().success();
    let run = raceline(folder.path(), &["inspect", "line.json", "--sensitivities", "--format", "json"])
        .assert()
        .success()
        .stderr(is_empty());
    let value: Value = serde_json::from_slice(&run.get_output().stdout).unwrap();
    let all = value["sensitivities"].as_array().unwrap();
    let seconds = |key: &str| all.iter().find(|entry| entry["key"] == key).unwrap()["s_per_percent"].as_f64();
    assert!(seconds("grip").unwrap() < -0.01);
    for key in ["front_brake_fraction", "front_weight_fraction", "front_downforce_fraction", "centre_of_gravity_m"] {
        assert!(seconds(key).unwrap() != 0.0, "{key}");
    }
    // It is 0, of which there is no percent.
    assert!(seconds("front_drive_fraction").is_none());
}
