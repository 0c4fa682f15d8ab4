//! `raceline optimize` and `raceline extract` as processes, on a small ring drawn by the test.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use image::{GrayImage, Luma};
use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, is_empty, starts_with};
use raceline::RacingLine;
use raceline::file::Source;
use raceline::file::json;
use raceline::track::Direction;
use raceline::track_file;
use sha2::{Digest, Sha256};
use tempfile::TempDir;

/// A folder with `ring.png`: a white ring between the radii 60 and 80 px, anti-aliased, on black.
fn folder_with_ring() -> TempDir {
    let folder = TempDir::new().unwrap();
    let coverage = |distance: f32| (distance + 0.5).clamp(0.0, 1.0);
    let picture = GrayImage::from_fn(200, 200, |column, row| {
        let radius = (column as f32 - 99.5).hypot(row as f32 - 99.5);
        Luma([(255.0 * coverage(radius - 60.0) * coverage(80.0 - radius)).round() as u8])
    });
    picture.save(folder.path().join("ring.png")).unwrap();
    folder
}

fn raceline(folder: &Path) -> Command {
    let mut command = Command::cargo_bin("raceline").unwrap();
    command.current_dir(folder).env("NO_COLOR", "1");
    command
}

fn line(path: &Path) -> RacingLine {
    json::read(&fs::read(path).unwrap()).unwrap()
}

const SCALE: [&str; 2] = ["--metres-per-pixel", "0.5"];

#[test]
fn the_default_output_is_named_after_the_input_and_the_table_goes_to_stdout() {
    let folder = folder_with_ring();
    let run = raceline(folder.path()).args(["optimize", "ring.png"]).args(SCALE).assert().success();
    run.stdout(
        starts_with("ring: light road, confidence 1.00; closed, 220 m long")
            .and(contains("shortest-path"))
            .and(contains("-> ring.raceline.json")),
    );
    let line = line(&folder.path().join("ring.raceline.json"));
    assert_eq!(line.name, "ring");
    assert_eq!(line.source.file, "ring.png");
    assert_eq!(line.options.scale.metres_per_pixel, Some(0.5));
    assert!(line.sections.is_empty() && line.candidates.iter().all(|candidate| candidate.line.is_empty()));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "no temporary file is left");
}

#[test]
fn a_dash_writes_the_line_to_stdout_and_the_table_to_stderr() {
    let folder = folder_with_ring();
    let run = raceline(folder.path()).args(["optimize", "ring.png", "-o", "-", "--detail"]).args(SCALE).assert();
    let output = run.success().stderr(contains("method")).get_output().stdout.clone();
    let line = json::read(&output).unwrap();
    assert!(!line.sections.is_empty() && line.candidates.iter().all(|candidate| !candidate.line.is_empty()));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn quiet_prints_nothing() {
    let folder = folder_with_ring();
    let run = raceline(folder.path()).args(["optimize", "ring.png", "--quiet"]).args(SCALE).assert().success();
    run.stdout(is_empty()).stderr(is_empty());
}

#[test]
fn the_number_of_threads_changes_no_byte() {
    let folder = folder_with_ring();
    let bytes = ["1", "2", "4"].map(|threads| {
        let mut run = raceline(folder.path());
        run.args(["optimize", "ring.png", "-q", "-o", "-", "--threads", threads])
            .args(SCALE)
            .assert()
            .success()
            .get_output()
            .stdout
            .clone()
    });
    assert!(bytes[0] == bytes[1] && bytes[1] == bytes[2]);
}

#[test]
fn a_sidecar_is_found_and_the_command_line_wins_over_it() {
    let folder = folder_with_ring();
    let path = folder.path();
    fs::create_dir(path.join("cars")).unwrap();
    let mut vehicle = raceline::vehicle::preset("kart").unwrap();
    vehicle.name = "my kart".to_owned();
    fs::write(path.join("cars/mine.toml"), vehicle.to_toml().unwrap()).unwrap();
    let sidecar = "track_width_m = 10\nspacing_m = 3\nvehicle = \"cars/mine.toml\"\ndirection = \"counterclockwise\"\n";
    fs::write(path.join("ring.toml"), sidecar).unwrap();
    // From another folder: the vehicle's path is relative to the sidecar.
    let elsewhere = TempDir::new().unwrap();
    let input = path.join("ring.png");
    let run = |arguments: &[&str]| {
        raceline(elsewhere.path()).arg("optimize").arg(&input).args(arguments).assert().success();
        line(&elsewhere.path().join("ring.raceline.json"))
    };
    let sidecar_only = run(&[]);
    assert_eq!(sidecar_only.vehicle.name, "my kart");
    assert_eq!(sidecar_only.options.track.spacing_m, Some(3.0));
    assert_eq!(sidecar_only.options.track.direction, Some(Direction::Counterclockwise));
    assert!((sidecar_only.source.metres_per_pixel.unwrap() - 0.5).abs() < 0.01);
    let overridden = run(&["--metres-per-pixel", "0.6", "--spacing", "2.5", "--safety-distance-m", "1"]);
    assert_eq!(overridden.source.metres_per_pixel, Some(0.6));
    assert_eq!(overridden.options.scale.track_width_m, None, "one scale replaces another");
    assert_eq!(overridden.options.track.spacing_m, Some(2.5));
    assert_eq!(overridden.vehicle.safety_distance_m, 1.0);
    let without = run(&["--no-sidecar", "--metres-per-pixel", "0.5"]);
    assert_eq!(without.vehicle.name, "tum-racecar");
}

#[test]
fn an_extracted_track_gives_the_line_of_its_picture() {
    let folder = folder_with_ring();
    let path = folder.path();
    raceline(path)
        .args(["extract", "ring.png", "-o", "ring.track.json"])
        .args(SCALE)
        .assert()
        .success()
        .stdout(is_empty());
    let track = track_file::read(&fs::read(path.join("ring.track.json")).unwrap()).unwrap();
    assert_eq!(track.name, "ring");
    raceline(path).args(["optimize", "ring.png", "-o", "direct.json"]).args(SCALE).assert().success();
    raceline(path).args(["optimize", "ring.track.json"]).assert().success();
    let (direct, by_track) = (line(&path.join("direct.json")), line(&path.join("ring.raceline.json")));
    assert!((direct.lap_time_s - by_track.lap_time_s).abs() < 2e-3, "{} {}", direct.lap_time_s, by_track.lap_time_s);
    // That it came by an extracted track is recorded, by that file's digest.
    let digest: String = Sha256::digest(fs::read(path.join("ring.track.json")).unwrap())
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    assert_eq!(by_track.source, Source { track_sha256: Some(digest), ..direct.source });
}

#[test]
fn one_bad_input_of_several_does_not_stop_the_others() {
    let folder = folder_with_ring();
    fs::write(folder.path().join("text.png"), "no picture").unwrap();
    let mut run = raceline(folder.path());
    run.args(["optimize", "text.png", "none.png", "ring.png", "-o", "lines/"]).args(SCALE);
    run.assert()
        .code(1)
        .stderr(contains("text.png").and(contains("none.png")).and(contains("error: 2 of 3 inputs failed")));
    let names: Vec<_> =
        fs::read_dir(folder.path().join("lines")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["ring.raceline.json"], "no partial file");
}

#[test]
fn a_picture_without_scale_is_an_error_that_names_the_flags() {
    let folder = folder_with_ring();
    let run = raceline(folder.path()).args(["optimize", "ring.png"]).assert().failure();
    run.stdout(is_empty()).stderr(contains("ring.png").and(contains("--metres-per-pixel")));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no partial file");
}
