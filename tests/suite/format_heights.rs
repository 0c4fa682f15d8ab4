//! Heights of a line in the formats that have a third coordinate.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]

use std::f64::consts::TAU;
use std::fs;

use raceline::formats::{Format, FormatOptions};
use raceline::pipeline::{self, Silent};
use raceline::{Options, RacingLine};
use serde_json::Value;

use crate::sample_lines;

const RADIUS_M: f64 = 100.0;
/// The road rises and falls by this, metres.
const RISE_M: f64 = 3.0;
const BANKING_RAD: f64 = 0.1;
const COUNT: usize = 240;
const MILAN: FormatOptions = FormatOptions {
    geographic_origin_deg: Some([9.2811, 45.6189]),
    flow_field_cell_m: None,
    flow_field_margin_m: None,
    spacing_m: None,
    speed_factor: None,
    closed_repeat: None,
};

/// z = H sin φ on the middle of a ring, whose left edge is higher by the banking.
fn hilly_ring() -> RacingLine {
    let mut line = sample_lines::circle(RADIUS_M, COUNT);
    let speed_mps = line.points[0].speed_mps;
    // The length of the line in space, by chords.
    let place = |angle: f64| [RADIUS_M * angle.cos(), RADIUS_M * angle.sin(), RISE_M * angle.sin()];
    let (fine, mut length_m) = (100 * COUNT, 0.0);
    for step in 0..=fine {
        let angle = TAU * step as f64 / fine as f64;
        if step > 0 {
            let (a, b) = (place(TAU * (step - 1) as f64 / fine as f64), place(angle));
            length_m += (0..3).map(|i| (b[i] - a[i]).powi(2)).sum::<f64>().sqrt();
        }
        if step % 100 == 0 && step < fine {
            let point = &mut line.points[step / 100];
            (point.s_m, point.time_s) = (length_m, length_m / speed_mps);
            (point.z_m, point.banking_rad) = (Some(place(angle)[2]), Some(BANKING_RAD));
        }
    }
    (line.length_m, line.lap_time_s) = (length_m, length_m / speed_mps);
    line
}

fn write(format: &str, line: &RacingLine) -> Vec<u8> {
    Format::named(format).unwrap().write(line, &MILAN).unwrap()
}

fn text(format: &str) -> String {
    String::from_utf8(write(format, &hilly_ring())).unwrap()
}

fn assert_near(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance, "{a} is not {b} within {tolerance}");
}

/// The number behind each `key` in a text, up to one of the characters that end a number.
fn numbers_after(text: &str, key: &str) -> Vec<f64> {
    let number = |rest: &str| rest.split(['<', '"', ',', '}', ')', '\n']).next().unwrap().trim().parse().unwrap();
    text.split(key).skip(1).map(number).collect()
}

/// A quarter of the lap is the highest place, three quarters the lowest.
fn assert_heights(heights: &[f64], unit: f64) {
    assert!([COUNT, COUNT + 1].contains(&heights.len()), "{}", heights.len());
    for (index, height) in heights.iter().enumerate() {
        assert_near(*height, unit * RISE_M * (TAU * index as f64 / COUNT as f64).sin(), unit * 1e-4);
    }
}

#[test]
fn points_have_their_heights() {
    assert_heights(&numbers_after(&text("gpx"), "<ele>"), 1.0);
    let positions = text("ros-path").replace("orientation", "\n");
    let z: Vec<f64> =
        positions.lines().filter(|row| row.contains("pose: ")).map(|row| numbers_after(row, " z: ")[0]).collect();
    assert_heights(&z, 1.0);
    let column = |format: &str, index: usize| -> Vec<f64> {
        text(format).lines().skip(1).map(|row| row.split(',').nth(index).unwrap().parse().unwrap()).collect()
    };
    assert_heights(&column("autoware", 2), 1.0);
    assert_heights(&column("unity-csv", 1), 1.0);
    assert_heights(&column("unreal-csv", 3), 100.0);
    let json = |format: &str| -> Value { serde_json::from_str(&text(format)).unwrap() };
    let list = |value: &Value, of: &dyn Fn(&Value) -> f64| value.as_array().unwrap().iter().map(of).collect::<Vec<_>>();
    assert_heights(&list(&json("unity")["points"], &|point| point["position_m"]["y"].as_f64().unwrap()), 1.0);
    assert_heights(&list(&json("beamng")["line"], &|node| node["pos"][2].as_f64().unwrap()), 1.0);
    let features = json("geojson");
    let coordinates = &features["features"][0]["geometry"]["coordinates"];
    assert_heights(&list(coordinates, &|position| position[2].as_f64().unwrap()), 1.0);
}

/// On the steepest place the handles climb as the line does.
#[test]
fn curves_climb_as_the_line_does() {
    let line = hilly_ring();
    let step_m = line.points[1].s_m;
    let grade = RISE_M / RADIUS_M;
    let climb = grade / (1.0 + grade * grade).sqrt();
    let unity: Value = serde_json::from_str(&text("unity")).unwrap();
    let first = &unity["points"][0];
    assert_near(first["tangent_out_m"]["y"].as_f64().unwrap(), climb * step_m / 3.0, 2e-4);
    assert_near(first["tangent_in_m"]["y"].as_f64().unwrap(), -climb * step_m / 3.0, 2e-4);
    let unreal: Value = serde_json::from_str(&text("unreal")).unwrap();
    assert_near(unreal[0]["TangentZCm"].as_f64().unwrap(), 100.0 * climb * step_m, 0.02);
    // The second point of the curve: its handles and its place, each x, y, z.
    let godot = text("godot");
    let row: Vec<f64> =
        godot.lines().nth(6).unwrap().split(", ").map(|cell| cell.trim_end_matches(',').parse().unwrap()).collect();
    assert_near(row[4], climb * step_m / 3.0, 1e-3);
    assert_near(row[7], RISE_M * (TAU / COUNT as f64).sin(), 1e-4);
}

/// A log has the height and the vertical speed.
#[test]
fn a_lap_as_a_log_climbs() {
    let text = text("vbo");
    let (_, data) = text.split_once("[data]\n").unwrap();
    let first = data.lines().nth(20).unwrap();
    let cells: Vec<f64> = first.split(' ').map(|cell| cell.parse().unwrap()).collect();
    // One second after the begin of the file, at the start line.
    assert_near(cells[6], 0.0, 0.02);
    assert_near(cells[7], 20.0 * RISE_M / RADIUS_M, 0.01);
}

/// Left of the middle the road is higher.
#[test]
fn edges_have_their_heights() {
    let features: Value = serde_json::from_str(&text("geojson")).unwrap();
    for (feature, sign) in [(1, 1.0), (2, -1.0)] {
        let edge = features["features"][feature]["geometry"]["coordinates"].as_array().unwrap();
        for (index, position) in edge.iter().enumerate() {
            let expected = RISE_M * (TAU * index as f64 / COUNT as f64).sin() + sign * 5.0 * BANKING_RAD.tan();
            assert_near(position[2].as_f64().unwrap(), expected, 2e-3);
        }
    }
    let kml = text("kml");
    let altitudes = kml.lines().filter(|row| row.split(',').count() == 3).count();
    assert_eq!(altitudes, 3 * (COUNT + 1));
    let dxf = text("dxf");
    // Three polylines in space (8), closed (1), with vertices in space (32).
    assert_eq!(dxf.matches("30\n0.0\n70\n9\n").count(), 3);
    assert_eq!(dxf.matches("\n70\n32\n").count(), 3 * COUNT);
}

/// Both formats of roads are read back with the heights and the banking.
#[test]
fn roads_are_read_back_with_their_heights() {
    let folder = tempfile::tempdir().unwrap();
    let line = hilly_ring();
    for name in ["opendrive", "lanelet2"] {
        let format = Format::named(name).unwrap();
        let path = folder.path().join(format!("{name}.{}", format.extension));
        fs::write(&path, format.write(&line, &MILAN).unwrap()).unwrap();
        let read =
            pipeline::extract(&path, &Options::default(), &Silent).unwrap_or_else(|error| panic!("{name}: {error:?}"));
        let track = &read.track;
        let surface = track.surface.as_ref().unwrap_or_else(|| panic!("{name}: the road is level"));
        for (section, ends) in track.sections.iter().zip(surface) {
            for (place, end, sign) in [(section.left, ends.left, 1.0), (section.right, ends.right, -1.0)] {
                let angle = place.y.atan2(place.x);
                let expected = RISE_M * angle.sin() + sign * 5.0 * BANKING_RAD.tan();
                assert_near(end.height_m, expected, 0.03);
            }
        }
        // OpenDRIVE's s is the distance on the map.
        if name == "opendrive" {
            let text = fs::read_to_string(&path).unwrap();
            let length_m = numbers_after(&text.replace(" length=\"", "#"), "#")[0];
            assert_near(length_m, TAU * RADIUS_M, 0.02);
        }
    }
}

/// A road without heights has none in any format.
#[test]
fn a_level_road_has_no_heights() {
    let line = sample_lines::circle(RADIUS_M, COUNT);
    let text = |format: &str| String::from_utf8(write(format, &line)).unwrap();
    assert!(!text("gpx").contains("<ele>") && !text("opendrive").contains("elevationProfile"));
    assert!(text("kml").lines().all(|row| row.split(',').count() != 3));
}
