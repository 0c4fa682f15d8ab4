//! `raceline compare` as a process.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use predicates::str::{contains, is_empty};
use raceline::RacingLine;
use raceline::file::json;
use serde_json::Value;
use tempfile::TempDir;

fn raceline(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("raceline").unwrap();
    command.current_dir(folder).env("NO_COLOR", "1").args(arguments);
    command
}

fn line(name: &str) -> RacingLine {
    let path =
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("tracks").join(format!("{name}.raceline.json"));
    json::read(&fs::read(path).unwrap()).unwrap()
}

/// A folder with the club's line as `a.json` and, as `b.json`, one that drives its third corner a
/// tenth slower.
fn folder() -> (TempDir, f64) {
    let folder = TempDir::new().unwrap();
    let reference = line("club");
    let mut slower = reference.clone();
    let analysis = raceline::analysis::analyse(&reference, &Default::default()).unwrap();
    let corner = &analysis.corners[2];
    let mut lost = 0.0;
    let count = slower.points.len();
    for i in 0..count {
        let inside = (corner.entry_s_m..=corner.exit_s_m).contains(&reference.points[i].s_m);
        slower.points[i].time_s += lost;
        if inside {
            slower.points[i].speed_mps *= 0.9;
            lost += (reference.points[(i + 1) % count].time_s - reference.points[i].time_s) / 9.0;
        }
    }
    slower.lap_time_s += lost;
    fs::write(folder.path().join("a.json"), json::write(&reference).unwrap()).unwrap();
    fs::write(folder.path().join("b.json"), json::write(&slower).unwrap()).unwrap();
    (folder, lost)
}

fn stdout(folder: &Path, arguments: &[&str]) -> String {
    // The line is made by hand, and its numbers contradict each other.
    let run = raceline(folder, arguments).arg("--no-verify").assert().success().stderr(is_empty());
    String::from_utf8(run.get_output().stdout.clone()).unwrap()
}

#[test]
fn time_is_lost_in_one_corner_and_nowhere_else() {
    let (folder, lost) = folder();
    let json: Value =
        serde_json::from_str(&stdout(folder.path(), &["compare", "a.json", "b.json", "--format", "json"])).unwrap();
    let compared = &json[0];
    assert_eq!(compared["file"], "b.json");
    assert!((compared["lap_difference_s"].as_f64().unwrap() - lost).abs() < 2e-4);
    for (i, corner) in compared["corners"].as_array().unwrap().iter().enumerate() {
        let difference = corner["difference_s"].as_f64().unwrap();
        let expected = if i == 2 { lost } else { 0.0 };
        assert!((difference - expected).abs() < 0.04 * lost + 1e-3, "corner {}: {difference} of {expected}", i + 1);
    }
    let text = stdout(folder.path(), &["compare", "a.json", "b.json"]);
    assert!(
        text.starts_with(&format!("b.json: time-optimal, tum-racecar, {:.3} s", line("club").lap_time_s + lost)),
        "{text}"
    );
    assert!(text.contains("\nsectors\n") && text.contains("\ncorners\n") && !text.contains("along the lap"));
}

#[test]
fn the_difference_along_the_lap_ends_at_that_of_the_lap() {
    let (folder, lost) = folder();
    let csv = stdout(folder.path(), &["compare", "a.json", "b.json", "--format", "csv", "--table", "along"]);
    let last: Vec<f64> = csv.lines().last().unwrap().split(',').map(|cell| cell.parse().unwrap()).collect();
    assert!((last[1] - lost).abs() < 2e-4, "{last:?}");
    assert!(csv.starts_with("s m,time difference s,more km/h,to the left m\n"));
}

#[test]
fn several_lines_stand_one_below_the_other() {
    let (folder, _) = folder();
    let text = stdout(folder.path(), &["compare", "a.json", "b.json", "a.json", "--format", "markdown"]);
    assert_eq!(text.lines().filter(|row| row.starts_with("## ")).count(), 2);
    assert!(text.contains("## a.json") && text.contains("+0.000 s and +0.0 m against a.json"), "{text}");
}

#[test]
fn what_cannot_be_compared_is_reported() {
    let (folder, _) = folder();
    fs::write(folder.path().join("oval.json"), json::write(&line("oval")).unwrap()).unwrap();
    for (arguments, code, message) in [
        (&["compare", "a.json"][..], 2, "<LINE>"),
        (&["compare", "a.json", "none.json"], 1, "can't read none.json"),
        (&["compare", "a.json", "oval.json"], 1, "m apart, more than the road's width"),
        (&["compare", "a.json", "b.json", "b.json", "--format", "csv"], 2, "CSV can contain only one comparison"),
    ] {
        raceline(folder.path(), arguments).assert().code(code).stdout(is_empty()).stderr(contains(message));
    }
}
