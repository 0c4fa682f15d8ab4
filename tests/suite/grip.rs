//! Grip along the road: where stretches lie, how places find them, and what they do to a lap.

// Clippy exempts test functions but not the helpers beside them.
#![allow(clippy::unwrap_used)]

use std::f64::consts::TAU;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use raceline::Options;
use raceline::file::{LinePoint, Method};
use raceline::geometry::{Point, Polyline, Vector, left_of};
use raceline::options::Layer;
use raceline::pipeline::{self, Request};
use raceline::speed::{DrivenLine, EndSpeed, Lap, SpeedOptions};
use raceline::track::{CrossSection, Direction, GripStretch, StretchError, Track, TrackGrip};
use raceline::vehicle::preset;
use tempfile::TempDir;

/// A track 10 m wide whose centre line goes through `points` in the directions `headings`.
fn track_through(places: impl Iterator<Item = (Point, Vector)>, closed: bool) -> Track {
    let sections: Vec<CrossSection> = places
        .map(|(middle, forwards)| {
            let across = 5.0 * left_of(forwards.normalize());
            CrossSection { right: middle - across, left: middle + across }
        })
        .collect();
    let edge = |end: fn(&CrossSection) -> Point| Polyline { points: sections.iter().map(end).collect(), closed };
    Track {
        closed,
        direction: Direction::Counterclockwise,
        spacing_m: 2.0,
        edge_uncertainty_m: 0.0,
        left_edge: edge(|section| section.left),
        right_edge: edge(|section| section.right),
        sections,
        crossings: Vec::new(),
        surface: None,
    }
}

/// A ring of 100 m radius, driven counter-clockwise from its easternmost point.
fn ring() -> Track {
    let place = |i: u32| TAU * f64::from(i) / 300.0;
    track_through(
        (0..300).map(|i| {
            let (sin, cos) = place(i).sin_cos();
            (Point::new(100.0 * cos, 100.0 * sin), Vector::new(-sin, cos))
        }),
        true,
    )
}

/// A straight of 400 m along x.
fn straight() -> Track {
    track_through((0..=200).map(|i| (Point::new(2.0 * f64::from(i), 0.0), Vector::new(1.0, 0.0))), false)
}

fn stretch(from_m: f64, to_m: f64, factor: f64, ramp_m: f64) -> GripStretch {
    GripStretch { from_m, to_m, factor, ramp_m }
}

fn grip(track: &Track, stretches: &[GripStretch]) -> TrackGrip {
    TrackGrip::new(track, stretches).unwrap().unwrap()
}

#[test]
fn no_stretch_is_no_grip() {
    assert!(TrackGrip::new::<GripStretch>(&ring(), &[]).unwrap().is_none());
}

#[test]
fn a_stretch_begins_and_ends_where_specified() {
    let grip = grip(&straight(), &[stretch(100.0, 200.0, 0.5, 0.0), stretch(150.0, 300.0, 0.8, 10.0)]);
    for (distance, factor) in [
        (0.0, 1.0),
        (99.9, 1.0),
        (100.1, 0.5),
        (150.0, 0.5),
        // Half way up the ramp.
        (155.0, 0.5 * 0.9),
        (180.0, 0.5 * 0.8),
        (200.1, 0.8),
        (295.0, 0.9),
        (300.0, 1.0),
        (1e4, 1.0),
        (-5.0, 1.0),
    ] {
        assert!((grip.at_distance(distance) - factor).abs() < 1e-12, "{distance}");
        if (0.0..=400.0).contains(&distance) {
            assert!((grip.at(Point::new(distance, 3.0)) - factor).abs() < 1e-9, "{distance}");
        }
    }
    // A ramp is no longer than half of its stretch, and has no jump.
    let short = self::grip(&straight(), &[stretch(100.0, 104.0, 0.5, 50.0)]);
    assert!((short.at_distance(102.0) - 0.5).abs() < 1e-12);
    let steepest = (0..4000).map(|i| {
        (short.at_distance(99.0 + f64::from(i) * 1e-3) - short.at_distance(99.001 + f64::from(i) * 1e-3)).abs()
    });
    assert!(steepest.fold(0.0, f64::max) < 1e-3);
}

#[test]
fn a_stretch_may_lead_over_the_start_line() {
    let length = grip(&ring(), &[stretch(0.0, 1.0, 0.5, 0.0)]);
    let length = (0..).map(|i| 600.0 + f64::from(i) * 0.01).find(|&d| length.at_distance(d) == 0.5).unwrap();
    assert!((length - 300.0 * 200.0 * (TAU / 600.0).sin()).abs() < 0.02, "{length}");
    let wraps = grip(&ring(), &[stretch(600.0, 20.0, 0.5, 0.0)]);
    for (distance, factor) in
        [(610.0, 0.5), (0.0, 0.5), (19.0, 0.5), (21.0, 1.0), (300.0, 1.0), (599.0, 1.0), (640.0, 0.5)]
    {
        assert_eq!(wraps.at_distance(distance), factor, "{distance}");
    }
    // All round there is nothing to change between.
    let all = grip(&ring(), &[stretch(0.0, 629.0, 0.5, 10.0)]);
    assert!((0..700).all(|d| all.at_distance(f64::from(d)) == 0.5));
}

#[test]
fn places_belong_to_their_cross_section() {
    let (ring, stretches) = (ring(), [stretch(40.0, 300.0, 0.6, 30.0), stretch(500.0, 10.0, 1.4, 20.0)]);
    let grip = grip(&ring, &stretches);
    for (i, section) in ring.sections.iter().enumerate() {
        for alpha in [0.01, 0.3, 0.5, 0.99] {
            let factor = grip.at(section.point(alpha));
            assert!((factor - grip.at_section(i)).abs() < 1e-9, "section {i} at {alpha}: {factor}");
        }
    }
    // Between sections by the angle, wherever across the road.
    for step in 0..1000 {
        let angle = TAU * f64::from(step) / 1000.0;
        let expected = grip.at_distance(100.0 * angle * 0.99998);
        for radius in [95.5, 100.0, 104.5] {
            let factor = grip.at(Point::new(radius * angle.cos(), radius * angle.sin()));
            assert!((factor - expected).abs() < 1e-3, "{angle} at {radius}: {factor} instead of {expected}");
        }
    }
}

#[test]
fn a_line_keeps_to_its_leg_where_the_road_crosses_itself() {
    // A figure-eight through the origin, whose first pass alone is slippery.
    let place = |t: f64| Point::new(150.0 * t.sin(), 150.0 * t.sin() * t.cos());
    let parameter = |i: u32| TAU * (f64::from(i) + 250.0) / 1000.0;
    let places = (0..1000).map(|i| {
        let t = parameter(i);
        (place(t), place(t + 1e-4) - place(t - 1e-4))
    });
    let track = track_through(places, true);
    let lengths = track.centre_line().arc_lengths();
    // The road passes the origin at a quarter and at three quarters of its length.
    let (low, high) = (lengths[230], lengths[270]);
    let grip = grip(&track, &[stretch(low, high, 0.5, 0.0)]);
    let line: Vec<Point> = track.sections.iter().map(|section| section.point(0.6)).collect();
    for (i, factor) in grip.along(&line).into_iter().enumerate() {
        assert_eq!(factor, grip.at_section(i), "section {i}");
    }
    // A line may begin on the crossing, nearer to the middle of the other leg than to that of its own.
    let n = line.len();
    for start in (n / 4 - 8..n / 4 + 8).chain(3 * n / 4 - 8..3 * n / 4 + 8) {
        let from_there: Vec<Point> = (0..n).map(|i| line[(start + i) % n]).collect();
        for (i, factor) in grip.along(&from_there).into_iter().enumerate() {
            assert_eq!(factor, grip.at_section((start + i) % n), "section {i} from {start}");
        }
    }
}

#[test]
fn stretches_that_do_not_fit_are_refused_by_number() {
    let good = stretch(10.0, 20.0, 0.5, 0.0);
    for (track, bad, message) in [
        (ring(), stretch(10.0, 20.0, 0.0, 0.0), "grip stretch 2: 0 must be a factor from 0.05 to 3"),
        (ring(), stretch(10.0, 20.0, f64::NAN, 0.0), "NaN must be a factor"),
        (ring(), stretch(-1.0, 20.0, 0.5, 0.0), "-1 must be a distance of 0 m or more"),
        (ring(), stretch(10.0, 20.0, 0.5, -1.0), "a ramp of 0 m or more"),
        (ring(), stretch(10.0, 700.0, 0.5, 0.0), "700 m lies beyond the end of the road, whose centre line is 628.3 m"),
        (ring(), stretch(10.0, 10.0, 0.5, 0.0), "no length: to_m must be another place"),
        (straight(), stretch(20.0, 10.0, 0.5, 0.0), "to_m must be greater than from_m"),
    ] {
        let error: StretchError = TrackGrip::new(&track, &[good, bad]).unwrap_err();
        assert!(error.to_string().contains("grip stretch 2") && error.to_string().contains(message), "{error}");
    }
}

#[test]
fn a_driven_line_is_slower_where_it_is_wet_and_only_there() {
    let car = preset("tum-racecar").unwrap();
    let track = ring();
    // A tighter ring, so that the tyres rule everywhere.
    let line: Vec<Point> = track.sections.iter().map(|section| section.point(0.9)).collect();
    let dry = DrivenLine::through(&line, true, &car).unwrap();
    let wet = grip(&track, &[stretch(200.0, 400.0, 0.6, 5.0)]);
    let lap = Lap { vehicle: &car, speeds: SpeedOptions::default(), grip: Some(&wet), relief: None, caps: None };
    let wet = DrivenLine::through(&line, true, lap).unwrap();
    let factors = wet.grip.as_ref().unwrap();
    assert!(dry.grip.is_none() && wet.lap_time_s() > dry.lap_time_s() + 0.5);
    for (i, &factor) in factors.iter().enumerate() {
        let (fast, slow) = (dry.profile.speed_mps[i], wet.profile.speed_mps[i]);
        let distance = track.centre_line().arc_lengths()[i];
        if (210.0..390.0).contains(&distance) {
            assert_eq!(factor, 0.6);
            // But for what drag takes of the grip, which is less at the lower speed.
            assert!((slow / fast - f64::sqrt(0.6)).abs() < 1e-3, "{distance}: {slow} of {fast}");
        } else if !(120.0..=520.0).contains(&distance) {
            // Beyond the distance that braking and driving take.
            assert_eq!(factor, 1.0);
            assert!((slow - fast).abs() < 1e-6, "{distance}: {slow} of {fast}");
        }
    }
}

/// A centre line as a CSV: an oval of two straights of 300 m, 12 m wide.
fn oval_csv() -> String {
    let mut text = "# x_m,y_m,w_tr_right_m,w_tr_left_m\n".to_owned();
    let mut point = |x: f64, y: f64| writeln!(text, "{x:.3},{y:.3},6.0,6.0").unwrap();
    for i in 0..60 {
        point(-150.0 + 5.0 * f64::from(i), -60.0);
    }
    for i in 0..38 {
        let angle = TAU / 2.0 * f64::from(i) / 38.0;
        point(150.0 + 60.0 * angle.sin(), -60.0 * angle.cos());
    }
    for i in 0..60 {
        point(150.0 - 5.0 * f64::from(i), 60.0);
    }
    for i in 0..38 {
        let angle = TAU / 2.0 * f64::from(i) / 38.0;
        point(-150.0 - 60.0 * angle.sin(), 60.0 * angle.cos());
    }
    text
}

/// The line of the oval with the options of a sidecar.
fn optimized(folder: &Path, sidecar: &str) -> pipeline::Outcome {
    let input = folder.join("oval.csv");
    fs::write(&input, oval_csv()).unwrap();
    let layer = Layer::from_toml(&folder.join("oval.toml"), sidecar).unwrap();
    let options = Options::from_layers(&[layer]).unwrap();
    let vehicle = options.load_vehicle().unwrap();
    pipeline::optimize(&input, &Request::new(&options, &vehicle)).unwrap()
}

#[test]
fn a_sidecar_makes_one_bend_of_a_lap_wet() {
    let folder = TempDir::new().unwrap();
    // The start is in the middle of a straight: the bend at its end is about 150 to 340 m from
    // there.
    let common = "spacing_m = 4\ngenerations = 10\nstart = [0.0, -60.0]\n";
    let dry = optimized(folder.path(), common);
    let wet = optimized(folder.path(), &format!("{common}[[grip]]\nfrom_m = 140\nto_m = 350\nfactor = 0.6\n"));
    assert!(wet.line.lap_time_s > dry.line.lap_time_s + 0.5, "{} {}", wet.line.lap_time_s, dry.line.lap_time_s);
    let lowest = |line: &raceline::RacingLine, east: bool| {
        let inside = |p: &&LinePoint| if east { p.x_m > 160.0 } else { p.x_m < -160.0 };
        line.points.iter().filter(inside).map(|p| p.speed_mps).fold(f64::INFINITY, f64::min)
    };
    let east = lowest(&wet.line, true) / lowest(&dry.line, true);
    assert!((east - f64::sqrt(0.6)).abs() < 0.03, "{east}");
    let west = lowest(&wet.line, false) / lowest(&dry.line, false);
    assert!((west - 1.0).abs() < 0.01, "{west}");
    // The file has it, so that the line can be made again.
    let stretch = GripStretch { from_m: 140.0, to_m: 350.0, factor: 0.6, ramp_m: 5.0 };
    assert_eq!(wet.line.options.grip, [stretch.into()]);
    assert!(dry.line.options.grip.is_empty());
}

#[test]
fn an_open_road_begins_and_ends_as_fast_as_specified() {
    let folder = TempDir::new().unwrap();
    let run = |more: &str| {
        let text = format!("spacing_m = 4\ngenerations = 2\nshape = \"open\"\nvehicle = \"kart\"\n{more}");
        optimized(folder.path(), &text)
    };
    let ends = |outcome: &pipeline::Outcome| {
        let points = &outcome.line.points;
        (points[0].speed_mps, points[points.len() - 1].speed_mps)
    };
    let standing = run("");
    let (start, end) = ends(&standing);
    assert!(start < 0.02 && end > 20.0, "{start} {end}");
    let (start, end) = ends(&run("start_speed_mps = 12.5\nend_speed_mps = 0\n"));
    assert!((start - 12.5).abs() < 1e-9 && end < 0.02, "{start} {end}");
    let free = run("start_speed_mps = \"free\"\nend_speed_mps = \"free\"\n");
    assert!(ends(&free).0 > 30.0 && free.line.lap_time_s < standing.line.lap_time_s);
    assert_eq!(free.line.options.speed.start_speed_mps, Some(EndSpeed::Free));
    assert!(standing.warnings.iter().all(|warning| !warning.to_string().contains("start_speed_mps")));
    // On a closed road they mean nothing, which is reported.
    let closed = optimized(folder.path(), "spacing_m = 4\nmethod = \"min-curvature\"\nstart_speed_mps = 3\n");
    assert!(
        closed.warnings.iter().any(|warning| warning.to_string().contains("they apply to open roads")),
        "{:?}",
        closed.warnings
    );
    assert_eq!(Options::default().method, Method::TimeOptimal);
}

#[test]
fn bad_words_in_a_sidecar_are_reported_by_line_and_fix() {
    for (text, message) in [
        ("\ngrip = 0.7\n", "x.toml, line 2: grip is 0.7, expected a list of stretches, each with from_m, to_m, factor"),
        ("[[grip]]\nfrom_m = 1\nto_m = 2\n", "line 1: grip is"),
        ("[[grip]]\nfrom_m = 1\nto_m = 2\nfactor = 0.5\nramp = 3\n", "expected a list of stretches"),
        ("[[grip]]\nfrom_m = 1\nto_m = 2\nfactor = 9\n", "line 1: grip is 9, must be a factor from 0.05 to 3"),
        ("start_speed_mps = \"fast\"\n", "line 1: start_speed_mps is \"fast\", expected a speed in m/s or \"free\""),
        ("end_speed_mps = -1.0\n", "line 1: end_speed_mps is -1.0, must be from 0 to 1000 m/s, or \"free\""),
    ] {
        let read = Layer::from_toml(Path::new("x.toml"), text).and_then(|layer| Options::from_layers(&[layer]));
        let error = read.unwrap_err().to_string();
        assert!(error.contains(message), "{error} lacks {message}");
    }
    assert_eq!("free".parse(), Ok(EndSpeed::Free));
    assert_eq!("12.5".parse(), Ok(EndSpeed::Given(12.5)));
    assert!("12,5".parse::<EndSpeed>().is_err());
}
