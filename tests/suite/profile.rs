//! Lines that exist: their speeds, their files in every format, and searches that start from them.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]

use std::f64::consts::TAU;
use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use raceline::file::{Method, json};
use raceline::formats::{FORMATS, Format, FormatOptions};
use raceline::pipeline::{self, Error, GivenLine, Profiled, Request, Silent, TrackSource, Warning, profile};
use raceline::solve::SolveError;
use raceline::vehicle::Vehicle;
use raceline::{Options, RacingLine};
use tempfile::TempDir;

use crate::drive::of_point_mass;
use crate::sample_lines;

const MILAN: FormatOptions = FormatOptions {
    geographic_origin_deg: Some([9.2811, 45.6189]),
    flow_field_cell_m: None,
    flow_field_margin_m: None,
    spacing_m: None,
    speed_factor: None,
    closed_repeat: None,
};

/// Formats without the points of a line: a grid of velocities holds none, and a log is read by
/// `raceline laps`.
const WITHOUT_LINE: [&str; 3] = ["flow-field", "flow-field-png", "vbo"];
/// Roads, which are read as tracks.
const ROADS: [&str; 2] = ["opendrive", "lanelet2"];

fn circle(radius: f64, count: i32) -> Vec<[f64; 2]> {
    let angle = |i: i32| TAU * f64::from(i) / f64::from(count);
    (0..count).map(|i| [radius * angle(i).cos(), radius * angle(i).sin()]).collect()
}

fn given(points: &[[f64; 2]]) -> GivenLine {
    GivenLine::from_points("line", points)
}

fn driven(line: &GivenLine, vehicle: &Vehicle) -> Profiled {
    profile(line, None, &Request::new(&Options::default(), vehicle)).unwrap()
}

/// The line of a point mass on a circuit: a profile has its speeds.
fn club() -> RacingLine {
    static CLUB: LazyLock<RacingLine> = LazyLock::new(|| of_point_mass("club"));
    CLUB.clone()
}

/// A file with these bytes, whose name shows no kind.
fn file(folder: &TempDir, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    path
}

/// A circle of radius R without drag: v² = a R, and the lap takes 2 π √(R / a).
#[test]
fn a_circle_takes_the_time_of_its_radius() {
    let vehicle = Vehicle { drag_kgpm: 0.0, ..sample_lines::vehicle() };
    for (radius, count) in [(50.0, 40), (50.0, 400), (200.0, 90)] {
        let made = driven(&given(&circle(radius, count)), &vehicle);
        let expected = TAU * (radius / vehicle.lateral_limit_mps2).sqrt();
        let lap = made.line.lap_time_s;
        assert!((lap / expected - 1.0).abs() < 2e-4, "{radius} m, {count} points: {lap}, not {expected}");
        assert_eq!((made.line.method, made.line.closed), (Method::Given, true));
        // On the assumed road the judge finds nothing.
        assert!(matches!(made.warnings.as_slice(), [Warning::RoadAssumed { .. }]), "{:?}", made.warnings);
    }
}

#[test]
fn a_straight_from_standstill_takes_the_time_of_its_acceleration() {
    let drive = raceline::vehicle::DriveLimit::TableMps2(vec![[0.0, 5.0], [100.0, 5.0]]);
    let vehicle = Vehicle { drag_kgpm: 0.0, drive, ..sample_lines::vehicle() };
    let points: Vec<[f64; 2]> = (0..=40).map(|i| [5.0 * f64::from(i), 0.0]).collect();
    let made = driven(&given(&points), &vehicle);
    // s = a t² / 2.
    let expected = (2.0_f64 * 200.0 / 5.0).sqrt();
    assert!(!made.line.closed && (made.line.lap_time_s / expected - 1.0).abs() < 2e-3, "{}", made.line.lap_time_s);
}

#[test]
fn the_points_of_the_file_lie_on_the_line() {
    let made = driven(&given(&circle(60.0, 37)), &sample_lines::vehicle());
    let places: Vec<[f64; 2]> = made.line.points.iter().map(|point| [point.x_m, point.y_m]).collect();
    assert!(places.iter().all(|[x, y]| (x.hypot(*y) - 60.0).abs() < 0.01));
    // The lap begins at the first point and goes on as the points do.
    assert!((places[0][0] - 60.0).abs() < 1e-3 && places[0][1].abs() < 1e-3 && places[1][1] > 0.0);
    let back: Vec<[f64; 2]> = circle(60.0, 37).into_iter().rev().collect();
    let reversed = driven(&given(&back), &sample_lines::vehicle());
    assert!((reversed.line.lap_time_s - made.line.lap_time_s).abs() < 1e-6);
    assert!(reversed.line.points.iter().all(|point| point.curvature_radpm < 0.0));
}

/// Waypoints ten metres apart about hairpins: the line was refused, as its s_m was no arc length there.
#[test]
fn waypoints_far_apart_are_a_line() {
    let hairpins = [[0.0, 0.0], [10.0, 0.0], [20.0, 0.0], [30.0, 0.0], [36.0, 6.0], [30.0, 12.0], [20.0, 12.0]];
    let closed = [hairpins.as_slice(), &[[10.0, 12.0], [0.0, 12.0], [-6.0, 6.0]]].concat();
    for waypoints in [closed.as_slice(), &[[0.0, 0.0], [5.0, 0.0], [9.0, 4.0]], &[[10.0, 0.0], [7.1, 7.1], [0.0, 10.0]]]
    {
        let made = driven(&given(waypoints), &raceline::vehicle::preset("kart").unwrap());
        let places: Vec<[f64; 2]> = made.line.points.iter().map(|point| [point.x_m, point.y_m]).collect();
        let chords: f64 = places.windows(2).map(|pair| (pair[1][0] - pair[0][0]).hypot(pair[1][1] - pair[0][1])).sum();
        let along = made.line.points.last().unwrap().s_m;
        assert!((chords / along - 1.0).abs() < 2e-3, "{chords} {along}");
    }
}

/// Every format that holds a line gives its lap time back.
#[test]
fn every_format_is_read_back_as_a_line() {
    let line = club();
    let folder = TempDir::new().unwrap();
    let options = Options {
        scale: raceline::frame::ScaleOptions { track_width_m: Some(8.0), ..Default::default() },
        ..Options::default()
    };
    let mut laps = Vec::new();
    for format in FORMATS.iter().filter(|format| !WITHOUT_LINE.contains(&format.name) && !ROADS.contains(&format.name))
    {
        let path = file(&folder, &format!("{}.of-no-kind", format.name), &format.write(&line, &MILAN).unwrap());
        let given = GivenLine::read(&path, &options).unwrap_or_else(|error| panic!("{}: {error:?}", format.name));
        let made = profile(&given, None, &Request::new(&options, &line.vehicle));
        let made = made.unwrap_or_else(|error| panic!("{}: {error:?}", format.name));
        let off = made.line.lap_time_s / line.lap_time_s - 1.0;
        let stated = made.stated_lap_time_s.map(|stated| stated / line.lap_time_s - 1.0);
        println!("{:18} {:+.4} % {:?} {}", format.name, 100.0 * off, stated, given.content.layout);
        laps.push((format.name, off, stated));
        let unlike = made.warnings.iter().filter(|warning| matches!(warning, Warning::GivenLine(_)));
        for warning in unlike {
            println!("    {warning}");
        }
    }
    for (name, off, stated) in laps {
        assert!(off.abs() < 2e-3, "{name}: lap {off:+.5}");
        assert!(stated.is_none_or(|stated| stated.abs() < 2e-3), "{name}: stated {stated:?}");
    }
}

#[test]
fn our_own_file_gives_its_lap_time_back_and_is_sound() {
    let line = club();
    let folder = TempDir::new().unwrap();
    let path = file(&folder, "club.raceline.json", &json::write(&line).unwrap());
    let given = GivenLine::read(&path, &Options::default()).unwrap();
    let made = driven(&given, &line.vehicle);
    assert!((made.line.lap_time_s / line.lap_time_s - 1.0).abs() < 1e-3, "{}", made.line.lap_time_s);
    assert!(made.warnings.is_empty(), "{:?}", made.warnings);
    let width = |line: &RacingLine| {
        line.points.iter().map(|point| point.left_m + point.right_m).sum::<f64>() / line.points.len() as f64
    };
    assert!((width(&made.line) / width(&line) - 1.0).abs() < 0.01);
    assert_eq!(made.line.name, "club");
}

/// Formats with both edges are tracks too, and the others with a width.
#[test]
fn formats_with_edges_are_read_back_as_tracks() {
    let line = club();
    let folder = TempDir::new().unwrap();
    let length_m = |name: &str, options: &Options| {
        let format = Format::named(name).unwrap();
        let path = file(&folder, &format!("{name}.{}", format.extension), &format.write(&line, &MILAN).unwrap());
        let extraction = pipeline::extract(&path, options, &Silent).unwrap_or_else(|error| panic!("{name}: {error:?}"));
        (extraction.report.length_m, extraction.report.mean_width_m)
    };
    let (of_edges, width_m) = length_m("geojson", &Options::default());
    for name in ["kml", "dxf", "svg-path", "forzaeth"] {
        let (length, width) = length_m(name, &Options::default());
        assert!((length / of_edges - 1.0).abs() < 5e-3, "{name}: {length} m, not {of_edges}");
        assert!((width / width_m - 1.0).abs() < 0.03, "{name}: {width} m, not {width_m}");
    }
    let scale = raceline::frame::ScaleOptions { track_width_m: Some(8.0), ..Default::default() };
    let options = Options { scale, ..Options::default() };
    for name in ["godot", "godot3", "unreal", "beamng", "ros-path", "gpx"] {
        let (length, width) = length_m(name, &options);
        assert!(
            (length / line.length_m - 1.0).abs() < 5e-3 && (width - 8.0).abs() < 0.1,
            "{name}: {length} m, {width} m"
        );
    }
}

#[test]
fn a_line_beside_its_track_keeps_the_edges_of_the_track() {
    let ring: String = circle(60.0, 120).iter().map(|[x, y]| format!("{x},{y},4,6\n")).collect();
    let folder = TempDir::new().unwrap();
    let track = file(&folder, "ring.csv", format!("x_m,y_m,w_tr_right_m,w_tr_left_m\n{ring}").as_bytes());
    let vehicle = sample_lines::vehicle();
    let options = Options::default();
    let request = Request::new(&options, &vehicle);
    // In either direction, and from another start.
    for backwards in [false, true] {
        let mut points = circle(61.0, 90);
        points.rotate_left(20);
        if backwards {
            points.reverse();
        }
        let made = profile(&given(&points), Some(TrackSource::from(&track)), &request).unwrap();
        let first = made.line.points[0];
        assert!((first.x_m - points[0][0]).hypot(first.y_m - points[0][1]) < 1e-3);
        let (outer, inner) = if backwards { (first.left_m, first.right_m) } else { (first.right_m, first.left_m) };
        assert!((outer - 3.0).abs() < 0.01 && (inner - 7.0).abs() < 0.01, "{outer} {inner}");
        assert!(made.warnings.is_empty(), "{:?}", made.warnings);
        assert!(json::write(&made.line).is_ok());
    }
    // Beyond the margin, it stays where it is and the judge reports it.
    let made = profile(&given(&circle(63.5, 90)), Some(TrackSource::from(&track)), &request).unwrap();
    let rules: Vec<&str> = made
        .warnings
        .iter()
        .filter_map(|warning| match warning {
            Warning::GivenLine(check) => Some(check.rule.name()),
            _ => None,
        })
        .collect();
    assert_eq!(rules, ["margin"], "{:?}", made.warnings);
    // On another track.
    let elsewhere: Vec<[f64; 2]> = circle(60.0, 90).into_iter().map(|[x, y]| [x + 500.0, y]).collect();
    let error = profile(&given(&elsewhere), Some(TrackSource::from(&track)), &request).unwrap_err();
    assert!(
        matches!(error, Error::Track { .. } | Error::Solve { error: SolveError::LineOffRoad { .. }, .. }),
        "{error:?}"
    );
}

#[test]
fn a_search_starts_from_a_line_and_is_at_least_as_fast() {
    let mut corners: Vec<[f64; 2]> = circle(60.0, 120);
    corners.iter_mut().for_each(|[x, _]| *x *= 2.0);
    let rows: String = corners.iter().map(|[x, y]| format!("{x},{y},5,5\n")).collect();
    let folder = TempDir::new().unwrap();
    let track = file(&folder, "oval.csv", format!("x_m,y_m,w_tr_right_m,w_tr_left_m\n{rows}").as_bytes());
    let middle = file(&folder, "middle.csv", rows.as_bytes());
    let vehicle = sample_lines::vehicle();
    let plain = Options::default();
    let from_blend = pipeline::optimize(&track, &Request::new(&plain, &vehicle)).unwrap();
    assert!(from_blend.initial.is_none());
    let options = Options { initial_line: Some(middle.display().to_string()), ..Options::default() };
    let made = pipeline::optimize(&track, &Request::new(&options, &vehicle)).unwrap();
    let initial = made.initial.unwrap();
    let methods: Vec<Method> = made.summaries.iter().map(|summary| summary.method).collect();
    assert_eq!(methods, [Method::Given, Method::TimeOptimal]);
    assert!((made.summaries[0].lap_time_s / initial.lap_time_s - 1.0).abs() < 1e-4);
    assert!(made.line.lap_time_s < 0.98 * initial.lap_time_s, "{} {}", made.line.lap_time_s, initial.lap_time_s);
    assert!((made.line.lap_time_s / from_blend.line.lap_time_s - 1.0).abs() < 1e-3);
    // The file has the name alone.
    assert_eq!(made.line.options.initial_line.as_deref(), Some("middle.csv"));
    // Other methods do not start from a line.
    let options = Options { method: Method::Blend, ..options };
    let error = pipeline::optimize(&track, &Request::new(&options, &vehicle)).unwrap_err();
    assert!(matches!(error, Error::Solve { error: SolveError::InitialLine { .. }, .. }), "{error:?}");
    let options = Options { method: Method::Given, ..Options::default() };
    let error = pipeline::optimize(&track, &Request::new(&options, &vehicle)).unwrap_err();
    assert!(error.to_string().contains("oval.csv"), "{error}");
}

#[test]
fn files_without_a_line_are_named() {
    let folder = TempDir::new().unwrap();
    let message = |name: &str, bytes: &[u8]| {
        let error = GivenLine::read(&file(&folder, name, bytes), &Options::default()).unwrap_err();
        let mut text = error.to_string();
        let mut source = std::error::Error::source(&error);
        while let Some(error) = source {
            text.push_str(&format!(": {error}"));
            source = error.source();
        }
        text
    };
    let cases: [(&str, &[u8], &str); 7] = [
        ("a.png", b"\x89PNG\r\n\x1a\n", "it is a picture, which holds no line"),
        ("a.csv", b"\x89PNG\r\n\x1a\n", "it is a picture, which holds no line"),
        ("a.toml", b"vehicle = \"gt\"\n", "it is a TOML file, which holds no line"),
        ("b.csv", b"name,note\na,b\n", "x_m"),
        ("c.csv", b"1\n2\n", "two columns"),
        ("d.gpx", b"<gpx></gpx>", "GPX with 0 lines"),
        ("e.json", b"{\"a\": [1, 2]}", "JSON without a list of points"),
    ];
    for (name, bytes, part) in cases {
        let found = message(name, bytes);
        assert!(found.contains(part), "{part:?} is missing in {found:?}");
    }
}

#[test]
fn the_car_is_refused_and_two_points_are_no_loop() {
    let vehicle = sample_lines::vehicle();
    let options = Options {
        solve: raceline::solve::SolveOptions { model: Some(raceline::solve::Model::Car), ..Default::default() },
        ..Options::default()
    };
    let error = profile(&given(&circle(50.0, 40)), None, &Request::new(&options, &vehicle)).unwrap_err();
    assert!(matches!(error, Error::Solve { error: SolveError::InitialLine { .. }, .. }));
    let options = Options::default();
    let error = profile(&given(&[[0.0, 0.0], [9.0, 0.0]]), None, &Request::new(&options, &vehicle)).unwrap_err();
    assert!(matches!(error, Error::Import { .. }), "{error:?}");
}
