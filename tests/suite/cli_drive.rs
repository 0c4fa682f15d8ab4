//! `raceline drive` as a process.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

use std::fs;

use assert_cmd::Command;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, is_empty, starts_with};
use raceline::file::json;
use serde_json::Value;
use tempfile::TempDir;

use crate::sample_lines;

fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    let line = json::write(&sample_lines::circle(80.0, 160)).unwrap();
    fs::write(folder.path().join("line.json"), line).unwrap();
    folder
}

fn drive(folder: &TempDir, arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("raceline").unwrap();
    command
        .current_dir(folder.path())
        .env("NO_COLOR", "1")
        .args(["drive", "line.json", "--laps", "1", "--no-verify"])
        .args(arguments);
    command
}

#[test]
fn a_table_shows_laps_and_distance_from_the_line() {
    drive(&folder(), &[]).assert().success().stderr(is_empty()).stdout(
        starts_with("circle\n")
            .and(contains("follower          both"))
            .and(contains("worst"))
            .and(contains("100.00 %")),
    );
}

#[test]
fn json_and_trace_go_where_specified() {
    let folder = folder();
    let output = drive(&folder, &["--json", "-o", "trace.csv", "--vehicle", "gt"]).output().unwrap();
    assert!(output.status.success());
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&summary["complete"], &summary["vehicle"]), (&Value::Bool(true), &Value::from("gt")));
    assert_eq!(summary["lap_times_s"].as_array().unwrap().len(), 1);
    let trace = fs::read_to_string(folder.path().join("trace.csv")).unwrap();
    assert!(trace.starts_with("time_s,lap,s_m,") && trace.lines().count() > 1000);
    let stdout = drive(&folder, &["-o", "-"]).assert().success().stderr(starts_with("circle\n"));
    stdout.stdout(starts_with("time_s,lap,"));
}

#[test]
fn wrong_usage_exits_with_2_and_a_failed_job_with_1() {
    let folder = folder();
    for (arguments, message) in [
        (["--speed-share", "2"], "--speed-share 2: it must be from 0.1 to 1.1"),
        (["--vehicle", "cart"], "cart"),
        (["--follower", "human"], "human"),
    ] {
        drive(&folder, &arguments).assert().code(2).stdout(is_empty()).stderr(contains(message));
    }
    drive(&folder, &["-o", "none/trace.csv"]).assert().code(1).stderr(contains("none"));
    // A profile's time that nobody can come near.
    let mut line = sample_lines::circle(80.0, 160);
    line.lap_time_s = 2.0;
    line.points.iter_mut().for_each(|point| point.time_s *= 0.05);
    fs::write(folder.path().join("line.json"), json::write(&line).unwrap()).unwrap();
    let slow = drive(&folder, &["--speed-share", "0.1", "-o", "slow.csv"]).assert().code(1);
    slow.stdout(contains("none completed")).stderr(contains("line.json: 0 of 1 lap completed"));
    assert!(folder.path().join("slow.csv").exists());
    fs::write(folder.path().join("line.json"), "{}").unwrap();
    drive(&folder, &[]).assert().code(1).stderr(contains("line.json"));
}

#[test]
fn a_body_off_the_road_is_a_failed_job() {
    let folder = folder();
    let mut line = sample_lines::circle(80.0, 160);
    // Narrower on the left than half the body.
    line.points.iter_mut().for_each(|point| point.left_m = 0.9);
    fs::write(folder.path().join("line.json"), json::write(&line).unwrap()).unwrap();
    let off = drive(&folder, &[]).assert().code(1);
    off.stdout(contains("body on the road")).stderr(contains("line.json: the body left the road, by 0."));
    let none = drive(&folder, &["--best"]).assert().code(1);
    none.stdout(contains("none is clean"));
}

#[test]
fn the_best_fraction_is_clean_and_those_tried_above_it_are_not() {
    let folder = folder();
    let output = drive(&folder, &["--best", "--json", "--verbose"]).output().unwrap();
    assert!(output.status.success());
    // What takes long reports what it does.
    let stages = String::from_utf8(output.stderr).unwrap();
    assert!(stages.contains(": driven at 0.30 of the speed\n"), "{stages}");
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    let best = summary["speed_share"].as_f64().unwrap();
    assert_eq!(summary["clean"], true);
    let tried = summary["tried"].as_array().unwrap();
    assert!(tried.len() > 4, "{tried:?}");
    for fraction in tried {
        let is_above = fraction["speed_share"].as_f64().unwrap() > best;
        assert!(!(is_above && fraction["clean"] == true), "{tried:?}");
    }
    drive(&folder, &["--best", "--speed-share", "0.9"]).assert().code(2);
}

#[test]
fn a_sensitivity_has_a_row_for_each_quantity_lower_and_higher() {
    let output = drive(&folder(), &["--sensitivity", "--speed-share", "0.8", "--json"]).output().unwrap();
    assert!(output.status.success());
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    let rows = summary["sensitivity"].as_array().unwrap();
    let named: Vec<(&str, f64)> =
        rows.iter().map(|row| (row["quantity"].as_str().unwrap(), row["change"].as_f64().unwrap())).collect();
    let expected = ["grip", "mass", "delay", "frame rate"].map(|name| [(name, -0.1), (name, 0.1)]);
    assert_eq!(named, expected.as_flattened());
    // At 0.8 of the speed, a circle needs 0.64 of the grip.
    assert!(rows.iter().all(|row| row["clean"] == true), "{rows:?}");
}

#[test]
fn traffic_is_reported_and_drawn() {
    let folder = folder();
    fs::write(folder.path().join("obstacles.csv"), "x_m,y_m,radius_m\n0.0,80.3,0.5\n").unwrap();
    let traffic =
        ["--obstacles", "obstacles.csv", "--traffic", "2", "--traffic-speeds", "0.3-0.4", "--speed-share", "0.7"];
    drive(&folder, &[&traffic[..], &["--picture", "drive.svg"]].concat())
        .assert()
        .success()
        .stdout(contains("contacts          0 with 1 obstacles, 0 with 2 vehicles").and(contains("overtakes")));
    let picture = fs::read_to_string(folder.path().join("drive.svg")).unwrap();
    for part in [r#"class="ways""#, r#"class="obstacle""#, "2 other vehicles", "1 obstacle<"] {
        assert!(picture.contains(part), "{part}");
    }
    let output = drive(&folder, &[&traffic[..], &["--json"]].concat()).output().unwrap();
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(summary["company"]["vehicles"], Value::from(2));
    for (arguments, message) in [
        (&["--traffic-speeds", "0.8-0.5", "--traffic", "1"][..], "from the lower one to 1"),
        (&["--traffic-speeds", "fast", "--traffic", "1"], "must be LOW-HIGH"),
        (&["--traffic", "500"], "from 0 to 200"),
        (&["--traffic", "2", "--learn-laps", "1"], "cannot be used with"),
        (&["--picture", "drive.txt"], ".svg or .png"),
    ] {
        drive(&folder, arguments).assert().code(2).stderr(contains(message));
    }
}

#[test]
fn a_neural_driver_needs_its_file_and_nobody_else_does() {
    let folder = folder();
    let committed = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/neural/driver.json");
    let neural = |file: &str| drive(&folder, &["--follower", "neural", "--driver", file, "--json"]);
    let output = neural(committed).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&summary["complete"], &summary["follower"]), (&Value::Bool(true), &Value::from("neural")));
    drive(&folder, &["--follower", "neural"]).assert().code(2).stderr(contains("pass --driver DRIVER.json"));
    drive(&folder, &["--driver", committed]).assert().code(2).stderr(contains("--driver needs --follower neural"));
    neural("nowhere.json").assert().code(1).stderr(contains("can't read nowhere.json"));
    neural("line.json").assert().code(1).stderr(contains("line.json: not a neural driver: missing field"));
}
