//! A finished line driven once more: grip along the road, speeds and offsets at the ends of an open
//! one.

// Clippy exempts test functions but not the helpers beside them.
#![allow(clippy::unwrap_used)]

use std::f64::consts::TAU;
use std::fmt::Write as _;
use std::fs;

use raceline::Options;
use raceline::file::Method;
use raceline::options::Layer;
use raceline::pipeline::{self, Outcome, Request, Silent};
use raceline::speed::SpeedOptions;
use raceline::sweep::{self, SweepMode};
use tempfile::TempDir;

/// A road 14 m wide, as a centre line in a CSV: a closed ellipse, or an open winding one.
fn road_csv(closed: bool) -> String {
    let mut text = "# x_m,y_m,w_tr_right_m,w_tr_left_m\n".to_owned();
    let mut point = |x: f64, y: f64| writeln!(text, "{x:.4},{y:.4},7.0,7.0").unwrap();
    for i in 0..120 {
        let angle = TAU * f64::from(i) / 120.0;
        let x = 4.0 * f64::from(i);
        if closed { point(120.0 * angle.cos(), 50.0 * angle.sin()) } else { point(x, 18.0 * (x / 38.0).sin()) }
    }
    text
}

fn options(more: &str) -> Options {
    let text = format!("spacing_m = 4\ngenerations = 4\nvehicle = \"kart\"\n{more}");
    Options::from_layers(&[Layer::from_toml("sidecar.toml".as_ref(), &text).unwrap()]).unwrap()
}

fn optimized(options: &Options, closed: bool) -> Outcome {
    let folder = TempDir::new().unwrap();
    let input = folder.path().join("road.csv");
    fs::write(&input, road_csv(closed)).unwrap();
    pipeline::optimize(&input, &Request::new(options, &options.load_vehicle().unwrap())).unwrap()
}

/// What drives a line as its file specifies, and what a test changes of it.
const WET: &str = "[[grip]]\nfrom_m = 100\nto_m = 200\nfactor = 0.4\n";
const OPEN: &str = "shape = \"open\"\nstart_speed_mps = 9\nend_speed_mps = 5\n";

#[test]
fn a_line_driven_again_takes_its_files_lap() {
    for (more, closed) in [(String::new(), true), (WET.to_owned(), true), (format!("{OPEN}{WET}"), false)] {
        let line = optimized(&options(&more), closed).line;
        let again = pipeline::redrive(&line).unwrap();
        let lap = again.lap_time_s();
        // Stretches are found again along a centre line between the file's edges, which are
        // rounded.
        assert!((lap / line.lap_time_s - 1.0).abs() < 2e-4, "{more}: {lap} for {}", line.lap_time_s);
        let mut forgotten = line.clone();
        forgotten.options.grip.clear();
        forgotten.options.speed = SpeedOptions::default();
        let other = pipeline::redrive(&forgotten).unwrap().lap_time_s();
        assert_eq!((other / lap - 1.0).abs() > 1e-4, !more.is_empty(), "{more}: {other} {lap}");
    }
}

#[test]
fn a_sweep_of_the_fixed_line_keeps_grip_and_end_speeds() {
    let folder = TempDir::new().unwrap();
    let input = folder.path().join("road.csv");
    fs::write(&input, road_csv(false)).unwrap();
    let options = options(&format!("method = \"min-curvature\"\n{OPEN}{WET}"));
    let kart = options.load_vehicle().unwrap();
    let extraction = pipeline::extract(&input, &options, &Silent).unwrap();
    let weak = kart.with_parameters(&[("lateral_limit_mps2", 0.8 * kart.lateral_limit_mps2)]).unwrap();
    let vehicles = [kart.clone(), weak];
    let sweep = sweep::sweep(&extraction, &Request::new(&options, &kart), &vehicles, SweepMode::FixedLine).unwrap();
    let line = pipeline::optimize(&input, &Request::new(&options, &kart)).unwrap().line;
    let laps: Vec<f64> = sweep.laps.iter().map(|lap| lap.as_ref().unwrap().summary.lap_time_s).collect();
    assert!((laps[0] - line.lap_time_s).abs() < 1e-4, "{laps:?} {}", line.lap_time_s);
    assert!(laps[1] > laps[0] + 0.1);
}

/// How far to the left of the road's middle the line's ends lie.
fn end_offsets(outcome: &Outcome) -> [f64; 2] {
    let points = &outcome.line.points;
    [&points[0], &points[points.len() - 1]].map(|point| (point.right_m - point.left_m) / 2.0)
}

#[test]
fn every_method_keeps_the_offsets_at_the_ends_of_an_open_road() {
    let methods =
        [Method::ShortestPath, Method::MinCurvature, Method::IteratedMinCurvature, Method::Blend, Method::TimeOptimal];
    for method in methods {
        let given = "shape = \"open\"\nstart_offset_m = 2.5\nend_offset_m = -1.5\n";
        let options = options(&format!("method = \"{}\"\n{given}", method.name()));
        let outcome = optimized(&options, false);
        assert_eq!(outcome.line.method, method);
        let [start, end] = end_offsets(&outcome);
        assert!((start - 2.5).abs() < 0.03 && (end + 1.5).abs() < 0.03, "{method:?}: {start} {end}");
        assert!(
            outcome.warnings.iter().all(|warning| !warning.to_string().contains("offset")),
            "{:?}",
            outcome.warnings
        );
    }
}

#[test]
fn offsets_that_cannot_be_are_reported() {
    let method = "method = \"min-curvature\"\n";
    let wide = optimized(&options(&format!("{method}shape = \"open\"\nstart_offset_m = 6.9\n")), false);
    let reported =
        |outcome: &Outcome, words: &str| outcome.warnings.iter().any(|warning| warning.to_string().contains(words));
    assert!(reported(&wide, "an offset of 6.9 m"), "{:?}", wide.warnings);
    let [start, _] = end_offsets(&wide);
    assert!(start > 4.0 && start < 6.9, "{start}");
    let closed = optimized(&options(&format!("{method}end_offset_m = 1\n")), true);
    assert!(reported(&closed, "are for open roads, and this road is closed"), "{:?}", closed.warnings);
}
