//! Random roads: what every road satisfies, on many seeds; every format as input of the pipeline; the
//! command.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use predicates::str::contains;
use raceline::geometry::{Point, SplineCurve};
use raceline::pipeline::{Request, Silent, extract, optimize};
use raceline::track_file;
use raceline::{Options, vehicle};
use raceline_generate::{GenerateError, GenerateOptions, Road, Style, generate, picture};
use rayon::prelude::*;
use tempfile::TempDir;

/// A pseudo-random number from 0 to 1 that differs between seeds and kinds.
fn fraction(seed: u64, kind: u64) -> f64 {
    let mixed = (seed * 31 + kind).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> 11) as f64 / (1_u64 << 53) as f64
}

/// Options of a seed: all styles in turn, lengths from the minimum to 90 widths, a tenth with
/// crossings where the style has them.
fn options(seed: u64) -> GenerateOptions {
    let style = Style::ALL[(seed % 6) as usize];
    let width = 0.5 + 20.0 * fraction(seed, 1);
    let widths = style.min_widths() * (90.0 / style.min_widths()).powf(fraction(seed, 2));
    let crossings = matches!(style, Style::Circuit | Style::Kart) && widths > 45.0 && fraction(seed, 3) < 0.1;
    GenerateOptions { style, seed, length_m: Some(widths * width), width_m: Some(width), crossings }
}

/// Checks length, fold and gap by means other than the generator's: the three-point circle and all
/// pairs.
fn check(road: &Road, options: &GenerateOptions) -> Result<(), String> {
    let (n, width) = (road.points.len(), road.width_m);
    let curve = SplineCurve::through(&road.points, road.closed).ok_or("no curve")?;
    let length = options.length_m.unwrap_or_default();
    if (curve.length() / length - 1.0).abs() > 1e-3 {
        return Err(format!("length {} for {length}", curve.length()));
    }
    let at = |i: usize| road.points[i % n];
    let inner = if road.closed { 0..n } else { 0..n - 2 };
    for i in inner {
        let (a, b, c) = (at(i), at(i + 1), at(i + 2));
        let twice_area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
        let curvature = 2.0 * twice_area / ((b - a).norm() * (c - b).norm() * (c - a).norm());
        if curvature.abs() * width / 2.0 > 0.9 {
            return Err(format!("folds at {}", at(i + 1)));
        }
    }
    if options.crossings {
        return Ok(());
    }
    let places: Vec<[f64; 2]> = road.points.iter().map(|p| [p.x, p.y]).collect();
    let near_squared = (1.15 * width).powi(2);
    // Neighbours along the road are always near.
    let apart = (2.3 * width * n as f64 / curve.length()) as usize + 1;
    for (i, a) in places.iter().enumerate() {
        let end = if road.closed { n.min((i + n + 1).saturating_sub(apart)) } else { n };
        for (j, b) in places.iter().enumerate().take(end).skip(i + apart) {
            if (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) < near_squared {
                return Err(format!("touches itself at {} and {}", at(i), at(j)));
            }
        }
    }
    Ok(())
}

#[test]
fn ten_thousand_seeds_neither_fold_nor_touch() {
    let faults: Vec<String> = (0..10_000_u64)
        .into_par_iter()
        .filter_map(|seed| {
            let options = options(seed);
            let checked = generate(&options).map_err(|error| error.to_string()).and_then(|road| check(&road, &options));
            checked.err().map(|fault| format!("{options:?}: {fault}"))
        })
        .collect();
    assert!(faults.is_empty(), "{} of 10000:\n{}", faults.len(), faults[..faults.len().min(8)].join("\n"));
}

#[test]
fn the_same_seed_gives_the_same_road_and_another_seed_another() {
    for style in Style::ALL {
        let road = |seed| generate(&GenerateOptions { style, seed, ..GenerateOptions::default() }).unwrap();
        assert_eq!(road(5).points, road(5).points);
        assert_ne!(road(5).points, road(6).points);
    }
}

#[test]
fn a_longer_or_wider_road_is_the_same_road_scaled() {
    let road = |scale: f64| {
        let size = (Some(1000.0 * scale), Some(8.0 * scale));
        let options = GenerateOptions { length_m: size.0, width_m: size.1, ..GenerateOptions::default() };
        generate(&options).unwrap()
    };
    let (one, ten) = (road(1.0), road(10.0));
    assert_eq!(one.points.len(), ten.points.len());
    for (a, b) in one.points.iter().zip(&ten.points) {
        assert!((a * 10.0 - b).norm() < 1e-4, "{a} {b}");
    }
}

#[test]
fn roads_that_cross_themselves_do_so_only_if_asked() {
    for seed in 0..40 {
        let options = GenerateOptions { style: Style::Circuit, seed, crossings: true, ..GenerateOptions::default() };
        let road = generate(&options).unwrap();
        let n = road.points.len();
        let side = |a: Point, b: Point, c: Point| (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
        let piece = |i: usize| (road.points[i], road.points[(i + 1) % n]);
        let cross = |i: usize, j: usize| {
            let ((a, b), (c, d)) = (piece(i), piece(j));
            side(a, b, c) * side(a, b, d) < 0.0 && side(c, d, a) * side(c, d, b) < 0.0
        };
        let crossings = (0..n).flat_map(|i| (i + 2..n).map(move |j| (i, j))).filter(|&(i, j)| cross(i, j)).count();
        assert!(crossings > 0, "{seed}");
    }
}

#[test]
fn sizes_that_leave_no_road_are_refused() {
    let with = |style, length_m, width_m, crossings| {
        let (length_m, width_m) = (Some(length_m), Some(width_m));
        generate(&GenerateOptions { style, length_m, width_m, crossings, seed: 1 }).unwrap_err()
    };
    let short = with(Style::Kart, 100.0, 8.0, false);
    assert!(matches!(short, GenerateError::TooShort { .. }), "{short}");
    assert!(short.to_string().contains("at least 200.0 m"), "{short}");
    assert!(matches!(with(Style::Kart, f64::NAN, 8.0, false), GenerateError::OutOfRange(_)));
    assert!(matches!(with(Style::Kart, 1e5, 0.2, false), GenerateError::TooLong { .. }));
    assert!(matches!(with(Style::Oval, 1000.0, 8.0, true), GenerateError::NoCrossings { style: "oval" }));
}

fn write(folder: &Path, files: &[(&str, Vec<u8>)], name: &str) {
    for (ending, bytes) in files {
        fs::write(folder.join(format!("{name}.{ending}")), bytes).unwrap();
    }
}

/// Options of the command line with the sidecar's, as `raceline` reads them.
fn options_of(input: &Path) -> Options {
    let sidecar = raceline::options::sidecar_of(input);
    let layers: Vec<_> = sidecar
        .iter()
        .filter(|path| path.is_file())
        .map(|path| raceline::options::Layer::read(path).unwrap())
        .collect();
    Options::from_layers(&layers).unwrap()
}

#[test]
fn every_format_of_every_style_is_the_same_track() {
    let folder = TempDir::new().unwrap();
    for style in Style::ALL {
        let (_, width) = style.default_size_m();
        let length_m = Some(60.0 * width);
        let road = generate(&GenerateOptions { style, seed: 3, length_m, ..GenerateOptions::default() }).unwrap();
        let name = road.name.clone();
        fs::write(folder.path().join(format!("{name}.csv")), road.csv()).unwrap();
        fs::write(folder.path().join(format!("{name}.json")), track_file::write(&road.track().unwrap()).unwrap())
            .unwrap();
        write(folder.path(), &picture::picture(&road, None).unwrap(), &format!("{name}-picture"));
        write(folder.path(), &picture::map(&road, &format!("{name}-map"), None).unwrap(), &format!("{name}-map"));
        for file in
            [format!("{name}.csv"), format!("{name}.json"), format!("{name}-picture.png"), format!("{name}-map.yaml")]
        {
            let path = folder.path().join(&file);
            let options = options_of(&path);
            let track = extract(&path, &options, &Silent).unwrap_or_else(|error| panic!("{file}: {error:?}")).track;
            assert_eq!(track.closed, style != Style::Stage, "{file}");
            // A stage's picture ends in half discs, which the centre line goes into.
            let length: f64 = track.centre_line().pieces().map(|(a, b)| (b - a).norm()).sum();
            let slack = if style == Style::Stage { width } else { 0.01 * road.length_m };
            assert!((length - road.length_m).abs() < slack, "{file}: {length} for {}", road.length_m);
            assert!((track.mean_width() - width).abs() < 0.05 * width, "{file}: {}", track.mean_width());
        }
    }
}

#[test]
fn cones_of_a_kart_track_give_back_its_road() {
    let folder = TempDir::new().unwrap();
    for seed in 0..5 {
        let kart = GenerateOptions { style: Style::Kart, seed, ..GenerateOptions::default() };
        let road = generate(&GenerateOptions { length_m: Some(300.0), width_m: Some(4.0), ..kart }).unwrap();
        let path = folder.path().join(format!("{}.csv", road.name));
        fs::write(&path, road.cones()).unwrap();
        let extraction = extract(&path, &Options::default(), &Silent).unwrap();
        let track = extraction.track;
        assert!(track.closed, "{seed}");
        let length: f64 = track.centre_line().pieces().map(|(a, b)| (b - a).norm()).sum();
        assert!((length / road.length_m - 1.0).abs() < 0.01, "{seed}: {length} for {}", road.length_m);
        assert!((track.mean_width() - 4.0).abs() < 0.1, "{seed}: {}", track.mean_width());
        assert!((track.centre_line().points[0] - road.points[0]).norm() < 6.0, "{seed}: starts elsewhere");
    }
}

#[test]
fn a_line_is_found_on_roads_of_every_style() {
    let folder = TempDir::new().unwrap();
    let runs: Vec<(Style, u64)> = Style::ALL.into_iter().flat_map(|style| [11, 12].map(|seed| (style, seed))).collect();
    runs.into_par_iter().for_each(|(style, seed)| {
        let (_, width) = style.default_size_m();
        let length_m = Some(80.0 * width);
        let road = generate(&GenerateOptions { style, seed, length_m, ..GenerateOptions::default() }).unwrap();
        let path = folder.path().join(format!("{}.csv", road.name));
        fs::write(&path, road.csv()).unwrap();
        let options = Options { method: raceline::file::Method::MinCurvature, ..Options::default() };
        let kart = vehicle::preset("kart").unwrap();
        let outcome = optimize(&path, &Request::new(&options, &kart)).unwrap();
        assert!(outcome.line.length_m < 1.1 * road.length_m, "{}", road.name);
        assert!(outcome.line.lap_time_s.is_finite());
    });
}

fn raceline(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_raceline"));
    command.current_dir(folder).env_remove("NO_COLOR");
    command
}

#[test]
fn the_command_writes_a_file_or_a_folder() {
    let folder = TempDir::new().unwrap();
    let here = folder.path();
    raceline(here).args(["generate", "--seed", "8", "-o", "a.csv"]).assert().success();
    let out = raceline(here).args(["generate", "--seed", "8"]).assert().success().get_output().stdout.clone();
    assert_eq!(fs::read(here.join("a.csv")).unwrap(), out);
    let many = ["generate", "--seed", "7", "--count", "3", "--format", "png", "-o", "roads/", "--verbose"];
    raceline(here)
        .args(many)
        .assert()
        .success()
        .stderr(contains("roads/: roads\n"))
        .stderr(contains("roads/: 3 roads"));
    let mut names: Vec<_> = fs::read_dir(here.join("roads")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(
        names,
        ["circuit-7.png", "circuit-7.toml", "circuit-8.png", "circuit-8.toml", "circuit-9.png", "circuit-9.toml"]
    );
    // The road of a seed is the same alone and in a folder, on any number of threads.
    raceline(here).args(["generate", "--seed", "8", "--threads", "1", "-o", "b.png"]).assert().success();
    assert_eq!(fs::read(here.join("b.png")).unwrap(), fs::read(here.join("roads/circuit-8.png")).unwrap());
    raceline(here).args(["generate", "--style", "kart", "--format", "cones", "-o", "k.csv"]).assert().success();
    assert!(fs::read_to_string(here.join("k.csv")).unwrap().starts_with("tag,x,y,"));
    raceline(here).args(["generate", "--style", "maze", "-o", "m.yaml"]).assert().success();
    assert!(fs::read_to_string(here.join("m.yaml")).unwrap().contains("image: \"m.pgm\""));
    assert!(fs::read(here.join("m.pgm")).unwrap().starts_with(b"P5"), "the binary greymap, which map_server reads");
}

#[test]
fn the_command_refuses_what_it_cannot_draw() {
    let folder = TempDir::new().unwrap();
    let refuse = |arguments: &[&str], message: &'static str| {
        raceline(folder.path()).arg("generate").args(arguments).assert().code(2).stderr(contains(message));
    };
    refuse(&["-o", "a.txt"], "use a name that ends in .csv");
    refuse(&["--count", "5", "-o", "a.csv"], "-o a.csv/");
    refuse(&["--length-m", "20"], "length_m must be at least");
    refuse(&["--length-m", "-20"], "length_m");
    refuse(&["--format", "png"], "two files");
    refuse(&["--metres-per-pixel", "0", "-o", "a.png"], "must be above 0");
    refuse(&["--metres-per-pixel", "9", "-o", "a.png"], "too coarse");
    refuse(&["--style", "oval", "--crossings"], "has no crossings");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left behind");
}
