//! One line at any spacing of cross-sections and of points, anywhere in the world, and on roads
//! of any width.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]

use std::f64::consts::TAU;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use raceline::file::{Method, json};
use raceline::geometry::Point;
use raceline::options::Layer;
use raceline::pipeline::{self, Detail, Outcome, Redriven, Request, Warning};
use raceline::solve::{LineWarning, Model};
use raceline::speed::DrivenLine;
use raceline::vehicle::preset;
use raceline::{Options, RacingLine};
use tempfile::TempDir;

/// Lap times at all spacings, and those computed again from the points in a file, differ by at most
/// this fraction.
const AGREEMENT: f64 = 5e-4;
/// Radius of the ring's centre line and half its width, m.
const RING: (f64, f64) = (100.0, 5.0);

fn track(name: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("tracks").join(name)
}

fn options(text: &str) -> Options {
    Options::from_layers(&[Layer::from_toml("sidecar.toml".as_ref(), text).unwrap()]).unwrap()
}

/// The sidecar of `tracks/<name>.toml`, with other spacings.
fn sidecar(name: &str, spacing_m: Option<f64>) -> Options {
    let mut options = Options::from_layers(&[Layer::read(&track(&format!("{name}.toml"))).unwrap()]).unwrap();
    options.track.spacing_m = spacing_m;
    options.point_spacing_m = None;
    options
}

fn run(input: &Path, options: &Options) -> Outcome {
    pipeline::optimize(input, &Request::new(options, &options.load_vehicle().unwrap())).unwrap()
}

/// Whether the time-optimal search converged and every line keeps its margin.
fn is_sound(outcome: &Outcome) -> bool {
    let doubt = |warning: &Warning| {
        matches!(
            warning,
            Warning::Line(
                LineWarning::TimeOptimalNotConverged
                    | LineWarning::MarginMissed { .. }
                    | LineWarning::StillMoving { .. }
            )
        )
    };
    !outcome.warnings.iter().any(doubt)
}

fn ring(folder: &TempDir, name: &str, at: [f64; 2]) -> PathBuf {
    let mut text = "# x_m,y_m,w_tr_right_m,w_tr_left_m\n".to_owned();
    for i in 0..200 {
        let angle = TAU * f64::from(i) / 200.0;
        let (x, y) = (at[0] + RING.0 * angle.cos(), at[1] + RING.0 * angle.sin());
        writeln!(text, "{x:.6},{y:.6},{half},{half}", half = RING.1).unwrap();
    }
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    path
}

/// Newton's steps of all rounds of the time-optimal search.
fn steps(outcome: &Outcome) -> usize {
    let steps = outcome.details.iter().find_map(|detail| match detail {
        Detail::TimeOptimal { steps, .. } => Some(steps.iter().sum()),
        _ => None,
    });
    steps.unwrap()
}

#[test]
fn a_ring_takes_the_lap_of_its_inner_circle_at_any_spacing() {
    let folder = TempDir::new().unwrap();
    let input = ring(&folder, "ring.csv", [0.0, 0.0]);
    let car = preset("tum-racecar").unwrap();
    let radius = RING.0 - RING.1 + car.margin_m();
    let circle = |i: i32| {
        let angle = TAU * f64::from(i) / 400.0;
        Point::new(radius * angle.cos(), radius * angle.sin())
    };
    let exact = DrivenLine::through(&(0..400).map(circle).collect::<Vec<_>>(), true, &car).unwrap().lap_time_s();
    for per_width in [4.0, 20.0, 60.0] {
        let outcome =
            run(&input, &options(&format!("model = \"point-mass\"\nspacing_m = {}\n", 2.0 * RING.1 / per_width)));
        let lap = outcome.line.lap_time_s;
        assert!((lap / exact - 1.0).abs() < AGREEMENT, "width / {per_width}: {lap} s, exactly {exact} s");
        assert!(is_sound(&outcome), "width / {per_width}: {:?}", outcome.warnings);
        assert!(steps(&outcome) < 100, "width / {per_width}: {} steps", steps(&outcome));
    }
}

#[test]
fn lap_times_agree_at_any_spacing() {
    for (name, file, width_m) in [("oval", "oval.png", 14.0), ("grid", "grid.yaml", 2.4)] {
        let laps: Vec<f64> = [Some(width_m / 4.0), None, Some(width_m / 10.0), Some(width_m / 50.0)]
            .into_iter()
            .map(|spacing_m| {
                let outcome = run(&track(file), &sidecar(name, spacing_m));
                assert!(steps(&outcome) < 150, "{name} at {spacing_m:?} m: {} steps", steps(&outcome));
                assert!(
                    !outcome.warnings.contains(&Warning::Line(LineWarning::TimeOptimalNotConverged)),
                    "{name} at {spacing_m:?} m: {:?}",
                    outcome.warnings
                );
                outcome.line.lap_time_s
            })
            .collect();
        let fastest = laps.iter().copied().fold(f64::INFINITY, f64::min);
        assert!(laps.iter().all(|lap| lap / fastest - 1.0 < AGREEMENT), "{name}: {laps:?}");
    }
}

#[test]
fn the_default_spacing_suits_a_robot_and_a_car() {
    for (name, file) in [("grid", "grid.yaml"), ("club", "club.png")] {
        let outcome = run(&track(file), &sidecar(name, None));
        assert!(is_sound(&outcome), "{name}: {:?}", outcome.warnings);
    }
}

#[test]
fn the_spacing_of_points_does_not_change_the_lap_and_the_file_has_it() {
    let read = |line: &RacingLine| json::read(&json::write(line).unwrap()).unwrap();
    let mut laps = Vec::new();
    for point_spacing_m in [None, Some(6.0), Some(1.0), Some(0.52)] {
        let mut options = sidecar("oval", None);
        options.point_spacing_m = point_spacing_m;
        options.solve.model = Some(Model::PointMass);
        let line = read(&run(&track("oval.png"), &options).line);
        let longest = line.points.windows(2).map(|pair| pair[1].s_m - pair[0].s_m).fold(0.0, f64::max);
        assert!(longest <= point_spacing_m.unwrap_or(3.6) + 1e-3, "{point_spacing_m:?}: {longest}");
        // What a reader computes from the points alone.
        let Redriven::PointMass(again) = pipeline::redrive(&line).unwrap() else { panic!("a point mass's line") };
        let lap = again.lap_time_s();
        assert!((lap / line.lap_time_s - 1.0).abs() < AGREEMENT, "{point_spacing_m:?}: {lap} {}", line.lap_time_s);
        for (point, curvature) in line.points.iter().zip(&again.curvature) {
            let difference = (point.curvature_radpm - curvature).abs();
            assert!(difference < 3e-4, "{point_spacing_m:?}, {} m: {curvature} for {point:?}", point.s_m);
        }
        laps.push(line.lap_time_s);
    }
    assert!(laps.iter().all(|lap| (lap / laps[0] - 1.0).abs() < 1e-4), "{laps:?}");
}

#[test]
fn spacings_below_their_floor_are_refused_with_the_floor() {
    let folder = TempDir::new().unwrap();
    let input = ring(&folder, "ring.csv", [0.0, 0.0]);
    let refusal = |text: &str| {
        let options = options(text);
        let vehicle = options.load_vehicle().unwrap();
        let error = pipeline::optimize(&input, &Request::new(&options, &vehicle)).unwrap_err();
        std::error::Error::source(&error).unwrap().to_string()
    };
    let text = refusal("spacing_m = 1e-9\n");
    assert!(text.contains("spacing_m = 0.000000001 is below 0.0800 m, the floor on a road 10.00 m wide"), "{text}");
    let text = refusal("point_spacing_m = 0.01\n");
    assert!(text.contains("point_spacing_m = 0.01 is below 0.424 m, the floor on a road 10.00 m wide"), "{text}");
}

/// Coordinates of a map: those of a UTM zone.
#[test]
fn a_track_far_from_the_origin_has_the_same_line() {
    let folder = TempDir::new().unwrap();
    let at = [500_000.0, 5_300_000.0];
    let options = options("direction = \"counterclockwise\"\n");
    let near = run(&ring(&folder, "near.csv", [0.0, 0.0]), &options);
    let far = run(&ring(&folder, "far.csv", at), &options);
    assert!(is_sound(&far), "{:?}", far.warnings);
    assert_eq!(steps(&far), steps(&near));
    let mut moved = far.line.rounded();
    for [x, y] in moved.edges.left.iter_mut().chain(&mut moved.edges.right) {
        (*x, *y) = (*x - at[0], *y - at[1]);
    }
    let near = near.line.rounded();
    assert_eq!(moved.points.len(), near.points.len());
    // One step of the file's grid, and the resolution of coordinates of five million metres.
    let close = |a: f64, b: f64, step: f64| (a - b).abs() < 1.01 * step + 1e-8;
    for (a, b) in moved.points.iter().zip(&near.points) {
        assert!(close(a.x_m - at[0], b.x_m, 1e-5) && close(a.y_m - at[1], b.y_m, 1e-5), "{a:?} {b:?}");
        assert!(close(a.curvature_radpm, b.curvature_radpm, 1e-8) && close(a.time_s, b.time_s, 1e-5), "{a:?} {b:?}");
    }
    let edges = moved.edges.left.iter().chain(&moved.edges.right).zip(near.edges.left.iter().chain(&near.edges.right));
    for (a, b) in edges {
        assert!(close(a[0], b[0], 1e-5) && close(a[1], b[1], 1e-5), "{a:?} {b:?}");
    }
}

#[test]
fn a_short_vehicle_and_a_small_spacing_are_bounded_with_a_warning() {
    let folder = TempDir::new().unwrap();
    let vehicle = folder.path().join("short.toml");
    let text = preset("tum-racecar").unwrap().to_toml().unwrap();
    let short = text.lines().map(|line| if line.starts_with("length_m") { "length_m = 0.001" } else { line });
    fs::write(&vehicle, short.collect::<Vec<_>>().join("\n")).unwrap();
    let long = folder.path().join("long.csv");
    // A lap of 3 km.
    let row = |i: usize| {
        let t = TAU * i as f64 / 200.0;
        format!("{:.4},{:.4},6,6\n", 480.0 * t.cos(), 480.0 * t.sin())
    };
    fs::write(&long, (0..200).map(row).collect::<String>()).unwrap();
    let short = Options {
        vehicle: Some(vehicle.to_string_lossy().into_owned()),
        reach: raceline::files::Reach::Anywhere,
        ..Options::default()
    };
    for options in [short, options("spacing_m = 0.1")] {
        let extraction = pipeline::extract(&long, &options, &pipeline::Silent).unwrap();
        let count = extraction.track.sections.len();
        assert!((19_990..20_300).contains(&count), "{count}");
        let warnings = &extraction.report.warnings;
        assert!(warnings.iter().any(|warning| matches!(warning, Warning::SpacingRaised { .. })), "{warnings:?}");
        assert!(warnings.iter().any(|warning| warning.to_string().contains("more than 20000 cross-sections")));
    }
    let usual = pipeline::extract(&long, &Options::default(), &pipeline::Silent).unwrap();
    assert!(!usual.report.warnings.iter().any(|warning| matches!(warning, Warning::SpacingRaised { .. })));
}

#[test]
fn a_line_that_misses_its_margin_is_searched_again_between_more_cross_sections() {
    let mut options = sidecar("hairpin", None);
    options.method = Method::MinCurvature;
    let found = run(&track("hairpin.png"), &options);
    let finer = found.details.iter().find_map(|detail| match *detail {
        Detail::Finer { spacing_m, missing_m } => Some((spacing_m, missing_m)),
        _ => None,
    });
    let (spacing_m, missing_m) = finer.unwrap();
    println!("{spacing_m} m in place of a line {missing_m} m beyond its margin");
    assert!(is_sound(&found) && missing_m > 0.01, "{:?}", found.warnings);
    // What is specified stays.
    options.track.spacing_m = Some(2.0 * spacing_m);
    let specified = run(&track("hairpin.png"), &options);
    let is_missed = |warning: &Warning| matches!(warning, Warning::Line(LineWarning::MarginMissed { .. }));
    assert!(specified.warnings.iter().any(is_missed), "{:?}", specified.warnings);
    assert!((found.line.lap_time_s / specified.line.lap_time_s - 1.0).abs() < 0.01);
}
