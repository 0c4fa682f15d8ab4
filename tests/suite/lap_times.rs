//! Lap times of lines that no golden has: other methods, models, planners, routes and files.
//!
//! Each of these lines depends on tuning constants: moved by a fifth, those of which `docs/notes/knobs.md`
//! shows it change a lap time by more than the tolerance. A change that is meant to find other lines
//! states the lap times before and after.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

use assert_cmd::Command;
use serde_json::Value;

/// A place in the halls and another, and the vehicle that drives there.
const ENDS: &str = "--from 2.2,2.5 --to 20,14 --vehicle robot-car";

/// What `raceline optimize` is given, and the lap time, s.
const LINES: &[(&str, f64)] = &[
    ("tracks/oval.png --method shortest-path", 29.609),
    ("tracks/oval.png --method iterated-min-curvature", 25.429),
    ("tracks/oval.png --method relaxation", 25.553),
    ("tracks/oval.png --method relaxation --relaxation springs-and-hinges", 25.470),
    ("tracks/oval.png --method sampled", 31.768),
    ("tracks/oval.png --method blend --formulation classic", 28.751),
    ("tracks/kart.png --model car", 39.008),
    ("tracks/oval.png --model car --vehicle fuzz/seeds/options_toml/vehicle.toml", 25.911),
    ("tracks/club.png --road aerial --model point-mass", 73.584),
    ("tracks/club.png --road aerial", 74.343),
    ("tracks/club.png --track-length-m 2376 --track-width-m 12 --no-sidecar --vehicle gt", 64.428),
    ("tracks/maps/hall.yaml {ends}", 2.295),
    ("tracks/maps/maze.yaml {ends}", 5.435),
    ("tracks/maps/hall.yaml {ends} --planner a-star", 2.671),
    ("tracks/maps/hall.yaml {ends} --planner weighted-a-star", 3.072),
    ("tracks/maps/hall.yaml {ends} --planner ida-star", 2.672),
    ("tracks/maps/hall.yaml {ends} --planner cells", 2.295),
    ("tracks/maps/hall.yaml {ends} --planner potential-field", 2.657),
    ("tracks/maps/hall.yaml {ends} --planner prm", 2.295),
    ("tracks/maps/hall.yaml {ends} --planner visibility-prm", 2.295),
    ("tracks/maps/hall.yaml {ends} --planner rrt", 2.295),
    ("tracks/maps/hall.yaml {ends} --planner rrt-star", 2.295),
    ("tracks/maps/hall.yaml {ends} --planner hybrid-a-star", 2.657),
    ("tracks/maps/quarter.geojson", 23.855),
    ("tracks/maps/quarter.geojson --route exhaustive", 27.057),
    ("tracks/maps/quarter.geojson --via-order any", 23.855),
    ("fuzz/seeds/torcs_xml/stadium.xml --vehicle kart", 13.761),
    ("fuzz/seeds/svg/stroke.svg --track-width-m 8 --track-length-m 400 --vehicle kart", 11.136),
    ("fuzz/seeds/svg/edges.svg --metres-per-pixel 1 --vehicle kart", 14.914),
    ("fuzz/seeds/geojson/line.geojson --vehicle kart", 10.713),
    ("fuzz/seeds/geojson/polygon.geojson --vehicle kart", 10.151),
    ("fuzz/seeds/centre_line_csv/hairpin.csv --vehicle kart", 7.848),
    ("fuzz/seeds/centre_line_csv/heights.csv --vehicle formula", 8.685),
];

/// Largest change of a lap time, as a fraction.
const TOLERANCE: f64 = 2e-3;

fn lap_time_s(arguments: &str) -> f64 {
    let mut command = Command::cargo_bin("raceline").unwrap();
    command.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    command.arg("optimize").args(arguments.replace("{ends}", ENDS).split(' ')).args(["--quiet", "-o", "-"]);
    let output = command.output().unwrap();
    let line: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    // A failed run has no lap time, and its message is in what the test prints.
    eprint!("{}", String::from_utf8_lossy(&output.stderr));
    line["lap_time_s"].as_f64().unwrap_or(f64::NAN)
}

#[test]
fn lines_take_the_times_that_they_took() {
    let differs = |(arguments, expected_s): &(&str, f64)| {
        let found_s = lap_time_s(arguments);
        let is_same = (found_s / expected_s - 1.0).abs() < TOLERANCE;
        (!is_same).then(|| format!("{arguments}: {found_s} s, not {expected_s} s"))
    };
    let different: Vec<String> = LINES.iter().filter_map(differs).collect();
    assert!(different.is_empty(), "{}", different.join("\n"));
}
