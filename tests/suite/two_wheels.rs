//! A vehicle on two wheels: its line leans no faster than it can, is found by search, judge and driver alike, and is
//! driven.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

use std::path::Path;

use raceline::confidence::{ConfidenceError, ConfidenceOptions, optimize_with_confidence};
use raceline::drive::{DriveOptions, Noise, drive};
use raceline::file::{Method, json};
use raceline::options::Layer;
use raceline::pipeline::{self, Request, Silent};
use raceline::solve::{Model, SolveError};
use raceline::speed::TurningCost;
use raceline::vehicle::{Vehicle, lean::lean_rad};
use raceline::verify::{self, Against, Check, JudgedLine, Rule};
use raceline::{Options, RacingLine};

/// The fraction of its lean rate that a line needs.
const OF_RATE: f64 = 0.8;

fn folder(name: &str) -> std::path::PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join(name)
}

fn superbike() -> Vehicle {
    Vehicle::read(&folder("examples/vehicles/superbike.toml")).unwrap()
}

fn options(track: &str) -> Options {
    let tracks = folder("tracks");
    Options::from_layers(&[Layer::read(&tracks.join(format!("{track}.toml"))).unwrap()]).unwrap()
}

fn line_with(track: &str, options: &Options, vehicle: &Vehicle) -> RacingLine {
    let request = Request::new(options, vehicle);
    pipeline::optimize(&folder("tracks").join(format!("{track}.png")), &request).unwrap().line
}

/// The largest rate of the lean angle between two points, rad/s.
fn largest_rate(line: &RacingLine) -> f64 {
    let lean = |k: usize| lean_rad(line.points[k].curvature_radpm * line.points[k].speed_mps.powi(2));
    let rate = |k: usize| (lean(k) - lean(k - 1)).abs() / (line.points[k].time_s - line.points[k - 1].time_s);
    (1..line.points.len()).map(rate).fold(0.0, f64::max)
}

#[test]
fn every_method_leans_no_faster_than_the_vehicle() {
    for method in [Method::TimeOptimal, Method::MinCurvature] {
        let mut options = options("hairpin");
        options.method = method;
        let line = line_with("hairpin", &options, &superbike());
        let rate = largest_rate(&line);
        // The hairpin asks for all of it.
        assert!((0.95 * OF_RATE * 1.5..1.01 * OF_RATE * 1.5).contains(&rate), "{method:?}: {rate}");
    }
}

#[test]
fn leaning_faster_is_faster_and_very_fast_is_free() {
    let mut options = options("hairpin");
    let lap = |options: &Options, rate: f64| {
        line_with("hairpin", options, &Vehicle { lean_rate_radps: Some(rate), ..superbike() }).lap_time_s
    };
    let [slow, usual, fast, fastest] = [1.0, 1.5, 3.0, 20.0].map(|rate| lap(&options, rate));
    assert!(slow > usual && usual > fast && fast > fastest, "{slow} {usual} {fast} {fastest}");
    options.speed.turning = TurningCost::Free;
    let free = lap(&options, 1.5);
    assert!(free < usual && (fastest / free - 1.0).abs() < 2e-3, "{fastest} {free}");
}

#[test]
fn the_judge_finds_a_line_that_leans_too_fast() {
    let line = line_with("kart", &options("kart"), &superbike());
    let mut judged = verify::read(&json::write(&line).unwrap()).unwrap();
    let kept = |line: &JudgedLine| {
        let report = verify::verify(line, &Against::of(line)).unwrap();
        report.check(Rule::LeanRate).map(Check::is_kept)
    };
    assert_eq!(kept(&judged), Some(true));
    judged.vehicle.lean_rate_radps = Some(1.0);
    assert_eq!(kept(&judged), Some(false));
    judged.options.turning = "free".to_owned();
    assert_eq!(kept(&judged), None);
}

#[test]
fn the_follower_drives_it_on_time_and_late() {
    for track in ["kart", "oval"] {
        let line = line_with(track, &options(track), &superbike());
        for actuation_delay_s in [0.0, 0.05] {
            let late = DriveOptions { actuation_delay_s, laps: 2, ..DriveOptions::default() };
            let measures = drive(&line, &line.vehicle, &late).unwrap().measures;
            assert!(measures.is_complete() && measures.stayed_on_road(), "{track}: {measures:?}");
            assert!(measures.of_profile().unwrap() < 1.02, "{track}: {measures:?}");
        }
    }
}

#[test]
fn a_lap_of_a_car_and_a_promise_are_refused() {
    let (vehicle, track) = (superbike(), folder("tracks/oval.png"));
    let mut options = options("oval");
    let request = Request::new(&options, &vehicle);
    let extraction = pipeline::extract(&track, &options, &Silent).unwrap();
    let promise = ConfidenceOptions { confidence: 0.9, noise: Noise::default(), drive: DriveOptions::default() };
    let error = optimize_with_confidence(&extraction, &request, &promise).unwrap_err();
    assert!(matches!(error, ConfidenceError::Leaning), "{error}");
    options.solve.model = Some(Model::Car);
    let error = pipeline::optimize(&track, &Request::new(&options, &vehicle)).unwrap_err();
    assert!(matches!(error, pipeline::Error::Solve { error: SolveError::LeaningCar, .. }), "{error}");
}
