//! `raceline extract` as a process: what it explains, and the hints.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

use std::fs;
use std::path::Path;

use crate::drawing::{anti_aliased, encoded};
use assert_cmd::Command;
use image::{GrayImage, ImageFormat};
use predicates::str::contains;
use serde_json::Value;
use tempfile::TempDir;

fn raceline(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_raceline"));
    command.current_dir(folder).env_remove("NO_COLOR");
    command
}

fn on_ring(x: f64, y: f64) -> bool {
    ((x - 100.0).hypot(y - 100.0) - 70.0).abs() <= 5.0
}

fn ring() -> GrayImage {
    anti_aliased(200, on_ring)
}

/// A ring with a chord across it: above it the shorter route.
fn forked() -> GrayImage {
    anti_aliased(200, |x, y| on_ring(x, y) || ((y - 80.0).abs() <= 3.0 && (35.0..165.0).contains(&x)))
}

fn folder_with(name: &str, picture: GrayImage) -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join(name), encoded(picture, ImageFormat::Png)).unwrap();
    folder
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

#[test]
fn every_stage_is_drawn_and_the_report_compares_the_styles() {
    let folder = folder_with("ring.png", ring());
    let arguments = ["extract", "ring.png", "--metres-per-pixel", "2", "--explain", "why", "-o", "ring.track.json"];
    raceline(folder.path())
        .args(arguments)
        .assert()
        .success()
        .stderr(contains("ring: light road, confidence 1.00; closed"));
    for stage in ["1-mask", "2-contours", "3-centre-line", "4-cross-sections", "5-widths"] {
        let picture = image::open(folder.path().join(format!("why/{stage}.png"))).unwrap().into_rgb8();
        assert_eq!(picture.dimensions(), (1600, 1600), "{stage}: 200 pixels eight times enlarged");
        let first = *picture.get_pixel(0, 0);
        assert!(picture.pixels().any(|&pixel| pixel != first), "{stage} is blank");
    }
    let report = json(&folder.path().join("why/report.json"));
    assert_eq!(report["style"], "light");
    assert_eq!(report["closed"], true);
    let length = report["length_m"].as_f64().unwrap();
    assert!((length / (2.0 * std::f64::consts::TAU * 70.0) - 1.0).abs() < 2e-3, "{length}");
    let styles = report["styles"].as_array().unwrap();
    assert_eq!(styles.len(), 4);
    let score = |style: &str| styles.iter().find(|trial| trial["style"] == style).unwrap()["score"].as_f64();
    assert!(score("light").unwrap() > score("dark").unwrap_or(0.0));
}

#[test]
fn a_stage_that_fails_leaves_the_earlier_ones_and_the_reason() {
    let gap = anti_aliased(200, |x, y| on_ring(x, y) && !(y > 100.0 && (x - 100.0).abs() < 15.0));
    let folder = folder_with("gap.png", gap);
    let arguments = ["extract", "gap.png", "--metres-per-pixel", "1", "--explain", "why", "-o", "gap.track.json"];
    raceline(folder.path()).args(arguments).assert().code(1).stderr(contains("--open"));
    assert!(folder.path().join("why/1-mask.png").is_file());
    assert!(!folder.path().join("why/2-contours.png").exists() && !folder.path().join("gap.track.json").exists());
    let report = json(&folder.path().join("why/report.json"));
    assert!(report["error"].as_str().unwrap().contains("close the gap"), "{report}");
}

#[test]
fn hints_mean_the_same_on_the_command_line_and_in_the_sidecar() {
    let folder = folder_with("fork.png", forked());
    let run = |more: &[&str], to: &str| {
        raceline(folder.path()).args(["extract", "fork.png", "-q", "-o", to]).args(more).assert().success();
        fs::read(folder.path().join(to)).unwrap()
    };
    let plain = run(&["--metres-per-pixel", "1"], "plain.json");
    let printed =
        run(&["--metres-per-pixel", "1", "--via", "100,80px", "--start", "100,169px", "--closed"], "said.json");
    assert_ne!(plain, printed, "the chord is another route");
    let sidecar = "metres_per_pixel = 1\nvia = [\"100,80px\"]\nstart = \"100,169px\"\nshape = \"closed\"\n";
    fs::write(folder.path().join("fork.toml"), sidecar).unwrap();
    assert_eq!(run(&[], "sidecar.json"), printed);
    // In metres, from the bottom-left corner, the same places.
    let metres = run(
        &["--no-sidecar", "--metres-per-pixel", "1", "--via", "100,120", "--start", "100,31", "--closed"],
        "metres.json",
    );
    assert_eq!(metres, printed);
}

#[test]
fn two_roads_need_a_point_on_one_of_them() {
    let two = anti_aliased(200, |x, y| {
        let ring = |cx: f64, radius: f64| ((x - cx).hypot(y - 100.0) - radius).abs() <= 5.0;
        ring(55.0, 40.0) || ring(150.0, 35.0)
    });
    let folder = folder_with("two.png", two);
    let arguments = ["extract", "two.png", "--metres-per-pixel", "1", "-o", "two.json"];
    raceline(folder.path()).args(arguments).assert().code(1).stderr(contains("--road-at"));
    for (at, radius) in [("15,100px", 40.0), ("185,100", 35.0)] {
        raceline(folder.path()).args(arguments).args(["--road-at", at]).assert().success();
        let track = json(&folder.path().join("two.json"));
        let widest = track["edges"]["left"].as_array().unwrap().len();
        assert!(widest > 10);
        let xs = track["sections"].as_array().unwrap().iter().map(|section| section[0][0].as_f64().unwrap());
        let (low, high) = xs.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
        assert!(((high - low) / 2.0 - radius).abs() < 6.0, "{at}: {low} to {high}");
    }
}

#[test]
fn a_route_that_covers_nearly_as_much_halves_the_confidence() {
    // Three roads from the left to the right: half an ellipse above, and two below, the second of them shallower.
    let found = |shallow: f64| {
        let on_arc = |x: f64, y: f64, depth: f64| {
            let along = ((x - 150.0) / 100.0).clamp(-1.0, 1.0);
            let steps = (-10..=10).map(|i| (along + f64::from(i) * 0.02).clamp(-1.0, 1.0));
            let squared = |at: f64| {
                let (right, down) = (x - 150.0 - 100.0 * at, y - 150.0 - depth * (1.0 - at * at).max(0.0).sqrt());
                right * right + down * down
            };
            steps.map(squared).fold(f64::INFINITY, f64::min) <= 25.0
        };
        let picture = anti_aliased(300, |x, y| [-130.0, 100.0, shallow].iter().any(|&depth| on_arc(x, y, depth)));
        let folder = folder_with("ways.png", picture);
        let arguments = ["extract", "ways.png", "--metres-per-pixel", "1", "--explain", "why", "-o", "ways.track.json"];
        raceline(folder.path()).args(arguments).assert().success();
        let report = json(&folder.path().join("why/report.json"));
        report["confidence"].as_f64().unwrap() / report["score"].as_f64().unwrap()
    };
    // The lower of them is 1.3 times as long as the chord, the other one 1.2 and 1.0 times.
    assert!((found(70.0) - 0.6).abs() < 0.01, "{}", found(70.0));
    assert!((found(10.0) - 1.0).abs() < 0.01, "{}", found(10.0));
}
