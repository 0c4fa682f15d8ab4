//! How a track for small vehicles is shown: metres with decimals, m/s beside km/h, radii to the
//! centimetre.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;

use assert_cmd::Command;
use raceline::RacingLine;
use raceline::file::json;
use raceline_render::svg::{self, RenderOptions};
use tempfile::TempDir;

use crate::sample_lines;

/// A hall's track: the winding circuit at a twentieth of its size.
fn hall() -> RacingLine {
    let scale = 0.05;
    let mut line = sample_lines::winding();
    line.name = "hall".to_owned();
    line.length_m *= scale;
    for point in &mut line.points {
        for metres in [&mut point.s_m, &mut point.x_m, &mut point.y_m, &mut point.left_m, &mut point.right_m] {
            *metres *= scale;
        }
        point.curvature_radpm /= scale;
        // The same times.
        point.speed_mps *= scale;
        point.accel_mps2 *= scale;
    }
    for place in line.edges.left.iter_mut().chain(&mut line.edges.right).flatten() {
        *place *= scale;
    }
    line.candidates.clear();
    line.sections.clear();
    line.vehicle.width_m *= scale;
    line.vehicle.safety_distance_m *= scale;
    line.vehicle.max_curvature_radpm /= scale;
    line
}

fn stdout(folder: &TempDir, arguments: &[&str]) -> String {
    let mut command = Command::cargo_bin("raceline").unwrap();
    let output = command.current_dir(folder.path()).env("NO_COLOR", "1").args(arguments).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn tables_follow_the_size_of_the_track() {
    let folder = TempDir::new().unwrap();
    let line = hall();
    fs::write(folder.path().join("hall.json"), json::write(&line).unwrap()).unwrap();
    fs::write(folder.path().join("circuit.json"), json::write(&sample_lines::winding()).unwrap()).unwrap();
    let text = stdout(&folder, &["inspect", "hall.json"]);
    assert!(text.contains(&format!("{:.2} m", line.length_m)), "{text}");
    for heading in ["apex m/s", "apex km/h", "lowest m/s", "top m/s"] {
        assert!(text.contains(heading), "{heading} is missing in {text}");
    }
    let corners = stdout(&folder, &["inspect", "hall.json", "--format", "csv"]);
    let mut rows = corners.lines().map(|row| row.split(',').collect::<Vec<_>>());
    let headings = rows.next().unwrap();
    let at = |name: &str| headings.iter().position(|heading| *heading == name).unwrap();
    for row in rows {
        assert_eq!(row.len(), headings.len(), "{row:?}");
        assert_eq!(row[at("radius m")].split_once('.').unwrap().1.len(), 2, "{row:?}");
        let number = |name| row[at(name)].parse::<f64>().unwrap();
        assert!((3.6 * number("apex m/s") - number("apex km/h")).abs() < 0.1, "{row:?}");
    }
    let compared = stdout(&folder, &["compare", "hall.json", "hall.json"]);
    assert!(compared.contains("more m/s") && compared.contains("more km/h"), "{compared}");
    let large = stdout(&folder, &["inspect", "circuit.json"]);
    assert!(large.contains("apex km/h") && !large.contains("apex m/s"), "{large}");
}

#[test]
fn pictures_follow_the_size_of_the_track() {
    let options = RenderOptions::default();
    let line = hall();
    let length_m = line.length_m;
    let small = svg::render(&[line], &options).unwrap();
    assert!(small.contains(&format!("{length_m:.1} m")), "the title has no {length_m:.1} m");
    let circuit = sample_lines::winding();
    let length_m = circuit.length_m;
    assert!(svg::render(&[circuit], &options).unwrap().contains(&format!("{length_m:.0} m")));
}
