//! Maps and meshes through the whole pipeline: race tracks and streets of OpenStreetMap, OpenDRIVE, lines of
//! games; places in degrees; files that were damaged at random.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking, in its helpers too"
)]

use std::f64::consts::TAU;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::damage::damaged;
use assert_cmd::Command;
use raceline::Options;
use raceline::construction::ImportOptions;
use raceline::formats::{Format, FormatOptions};
use raceline::frame::Spot;
use raceline::geometry::{Point, Projection};
use raceline::importers::{game_line, mesh, open_drive, open_drive_streets, osm, osm_streets};
use raceline::pipeline::{self, Silent};
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;

const MUNICH: [f64; 2] = [11.5, 48.1];

fn degrees(x: f64, y: f64) -> [f64; 2] {
    Projection::at(MUNICH).unproject(Point::new(x, y)).unwrap()
}

/// A map of ways, each with its places in metres and its tags.
fn map(ways: &[(Vec<[f64; 2]>, &str)]) -> String {
    let (mut nodes, mut lines) = (String::new(), String::new());
    let mut places: Vec<[f64; 2]> = Vec::new();
    for (number, (way, tags)) in ways.iter().enumerate() {
        let _ = write!(lines, "<way id='{}'>", number + 1);
        for place in way {
            let id = places.iter().position(|known| known == place).unwrap_or_else(|| {
                places.push(*place);
                let [longitude, latitude] = degrees(place[0], place[1]);
                let _ = writeln!(nodes, "<node id='{}' lat='{latitude:.9}' lon='{longitude:.9}'/>", places.len());
                places.len() - 1
            });
            let _ = write!(lines, "<nd ref='{}'/>", id + 1);
        }
        for tag in tags.split(' ') {
            let (key, value) = tag.split_once('=').unwrap();
            let _ = write!(lines, "<tag k='{key}' v='{value}'/>");
        }
        lines += "</way>\n";
    }
    format!("<osm version='0.6'>\n{nodes}{lines}</osm>\n")
}

fn ring(radius: f64, centre: [f64; 2]) -> Vec<[f64; 2]> {
    let angle = |i: usize| TAU * (i % 48) as f64 / 48.0;
    (0..=48).map(|i| [centre[0] + radius * angle(i).cos(), centre[1] + radius * angle(i).sin()]).collect()
}

#[test]
fn the_option_part_selects_one_of_two_circuits_of_a_map() {
    let folder = tempfile::tempdir().unwrap();
    let text = map(&[
        (ring(100.0, [0.0, 0.0]), "highway=raceway name=North width=10"),
        (ring(80.0, [500.0, 0.0]), "highway=raceway name=South lanes=3"),
    ]);
    fs::write(folder.path().join("club.osm"), text).unwrap();
    let run = |arguments: &[&str]| {
        let mut command = Command::cargo_bin("raceline").unwrap();
        command.current_dir(folder.path()).env("NO_COLOR", "1").args(arguments);
        command
    };
    let output = run(&["optimize", "club.osm", "-o", "line.json"]).assert().failure();
    let message = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    assert!(message.contains("North (0.63 km), South (0.50 km)"), "{message}");
    fs::write(folder.path().join("club.toml"), "part = \"South\"\nmethod = \"min-curvature\"\nvehicle = \"kart\"\n")
        .unwrap();
    run(&["optimize", "club.osm", "-o", "line.json"]).assert().success();
    let line: serde_json::Value = serde_json::from_slice(&fs::read(folder.path().join("line.json")).unwrap()).unwrap();
    assert_eq!(line["name"], "South");
    assert_eq!(line["options"]["part"], "South");
    let length = line["length_m"].as_f64().unwrap();
    // The line of minimum curvature runs along the outer edge: 80 m and half of three lanes, less the margin.
    assert!((500.0..2.0 * std::f64::consts::PI * 85.25).contains(&length), "{length}");
}

#[test]
fn a_start_in_degrees_is_the_same_place_as_in_metres() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ring.osm");
    fs::write(&file, map(&[(ring(100.0, [0.0, 0.0]), "highway=raceway width=10")])).unwrap();
    let first = |start: Spot| {
        let mut options = Options::default();
        options.track.start = Some(start);
        let track = pipeline::extract(&file, &options, &Silent).unwrap().track;
        nalgebra::center(&track.left_edge.points[0], &track.right_edge.points[0])
    };
    // The ring's middle is the point (0, 0).
    let (of_metres, of_degrees) = (first(Spot::Metres([0.0, 100.0])), first(Spot::Degrees(degrees(0.0, 100.0))));
    assert!((of_metres - of_degrees).norm() < 0.01, "{of_metres} {of_degrees}");
    // A file in metres has no such place.
    let csv = folder.path().join("ring.csv");
    let rows: String = ring(100.0, [0.0, 0.0]).iter().map(|[x, y]| format!("{x},{y},5,5\n")).collect();
    fs::write(&csv, rows).unwrap();
    let mut options = Options::default();
    options.track.start = Some(Spot::Degrees(MUNICH));
    let error = pipeline::extract(&csv, &options, &Silent).unwrap_err();
    assert!(crate::messages::with_sources(&error).contains("in degrees"), "{error}");
}

#[test]
fn streets_of_a_map_are_the_network_of_a_plan_between_places_in_degrees() {
    let folder = tempfile::tempdir().unwrap();
    // A block of streets; the short one may be driven towards the west only.
    let text = map(&[
        (vec![[0.0, 0.0], [200.0, 0.0]], "highway=residential oneway=-1 width=7"),
        (vec![[0.0, 0.0], [0.0, 60.0], [200.0, 60.0], [200.0, 0.0]], "highway=residential lanes=2"),
        (vec![[200.0, 0.0], [300.0, 0.0]], "highway=tertiary"),
        (vec![[-100.0, 0.0], [0.0, 0.0]], "highway=tertiary"),
        (vec![[0.0, 0.0], [200.0, 0.1]], "highway=footway"),
    ]);
    fs::write(folder.path().join("town.osm"), text).unwrap();
    let place = |x: f64, y: f64| {
        let [longitude, latitude] = degrees(x, y);
        format!("{longitude:.9},{latitude:.9}deg")
    };
    let length = |from: String, to: String| {
        let mut command = Command::cargo_bin("raceline").unwrap();
        command.current_dir(folder.path()).args(["plan", "town.osm", "--vehicle", "kart", "--json"]);
        let output = command.args(["--from", &from, "--to", &to]).assert().success().get_output().stdout.clone();
        let plan: serde_json::Value = serde_json::from_slice(&output).unwrap();
        let first = if plan.is_array() { plan[0].clone() } else { plan };
        first["length_m"].as_f64().unwrap()
    };
    let (west, east) = (|| place(-50.0, 0.0), || place(250.0, 0.0));
    let (back, there) = (length(east(), west()), length(west(), east()));
    assert!((back - 300.0).abs() < 0.5, "{back}");
    assert!((there - 420.0).abs() < 0.5, "{there}");
}

#[test]
fn negative_degrees_are_values_on_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("ring.osm"), map(&[(ring(100.0, [0.0, 0.0]), "highway=raceway width=10")])).unwrap();
    let mut command = Command::cargo_bin("raceline").unwrap();
    command.current_dir(folder.path()).args(["extract", "ring.osm", "--start", "-0.5,51.4deg", "-o", "a.track.json"]);
    let output = command.assert().failure();
    let message = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    // Taken as a place, which is far from the road.
    assert!(message.contains("start") && !message.contains("unexpected argument"), "{message}");
}

#[test]
fn an_exported_map_of_lanelets_is_the_road_again() {
    for closed in [true, false] {
        let line =
            if closed { crate::sample_lines::circle(80.0, 120) } else { crate::sample_lines::straight(200.0, 40) };
        let text = Format::named("lanelet2").unwrap().write(&line, &FormatOptions::default()).unwrap();
        let imported = osm(&text, None, &ImportOptions::default()).unwrap();
        assert_eq!(imported.edges.is_closed(), closed);
        let length = |points: &[[f64; 2]]| {
            raceline::geometry::Polyline { points: points.iter().copied().map(Point::from).collect(), closed }.length()
        };
        for (edge, written) in [(&imported.edges.left, &line.edges.left), (&imported.edges.right, &line.edges.right)] {
            assert!((edge.length() - length(written)).abs() < 0.5, "{} {}", edge.length(), length(written));
        }
    }
}

fn seeds(target: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds").join(target);
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.into_iter().map(|path| (path.clone(), fs::read(&path).unwrap())).collect()
}

#[test]
fn damaged_maps_give_a_road_or_an_error_and_never_a_panic() {
    let mut random = ChaCha8Rng::seed_from_u64(42);
    let options = ImportOptions::default();
    for (target, read) in [("osm", 0), ("open_drive", 1), ("game_line", 2), ("mesh", 3)] {
        for (path, bytes) in seeds(target) {
            let road = |bytes: &[u8]| match read {
                0 => osm(bytes, None, &options),
                1 => open_drive(bytes, None, &options),
                2 => game_line(bytes, None, &options),
                _ => mesh(bytes, None, &options),
            };
            let whole = road(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            assert!(whole.edges.is_closed(), "{}", path.display());
            assert!(raceline::input::InputKind::by_content(&bytes).is_some(), "{}", path.display());
            for _ in 0..60 {
                let bytes = damaged(&bytes, &mut random);
                if let Ok(imported) = road(&bytes) {
                    let mut points = imported.edges.left.points.iter().chain(&imported.edges.right.points);
                    assert!(points.all(|point| point.x.is_finite() && point.y.is_finite()), "{}", path.display());
                }
                let _ = osm_streets(&bytes);
                let _ = open_drive_streets(&bytes);
            }
        }
    }
}
