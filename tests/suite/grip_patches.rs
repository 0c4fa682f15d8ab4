//! Parts of the road's width with another grip: where lines pass them, and what they cost.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]

use std::f64::consts::TAU;
use std::fs;
use std::path::PathBuf;

use assert_cmd::Command;
use predicates::str::contains;
use raceline::drive::{DriveOptions, drive};
use raceline::file::{ConstraintKind, Method, json};
use raceline::formats::{Format, FormatOptions};
use raceline::frame::Spot;
use raceline::geometry::Point;
use raceline::options::Layer;
use raceline::pipeline::{self, Request, Silent, judge};
use raceline::solve::{Line, LineOptions, Model, SolveOptions, optimize};
use raceline::track::{Grip, GripPolygon, GripStretch, GripStrip, RoadSide, Track, TrackGrip, TrackOptions, cut};
use raceline::vehicle::{Vehicle, preset};
use raceline::verify::Rule;
use raceline::{Options, RacingLine};
use tempfile::TempDir;

use crate::roads;

fn car() -> Vehicle {
    preset("tum-racecar").unwrap()
}

/// A circuit of three bends, 10 m wide.
fn circuit() -> Track {
    cut(&roads::wavy(160.0, 0.25, 3, 10.0), &TrackOptions::default()).unwrap()
}

fn found(track: &Track, (method, model): (Method, Model), grip: Vec<Grip>) -> Line {
    let solve = SolveOptions {
        model: Some(model),
        population: 4,
        generations: 1,
        sampled_lines: 100,
        ..SolveOptions::default()
    };
    optimize(track, &car(), &LineOptions { method, grip, solve, ..LineOptions::default() }).unwrap()
}

const FASTEST: (Method, Model) = (Method::TimeOptimal, Model::PointMass);

fn strip(from_m: f64, to_m: f64, side: RoadSide, factor: f64) -> GripStrip {
    GripStrip { from_m, to_m, factor, ramp_m: 5.0, side, width_m: 3.5, border_m: 0.5 }
}

/// The smallest and the largest factor of a patch on a line.
fn factors(track: &Track, line: &Line, patch: &Grip) -> [f64; 2] {
    let grip = TrackGrip::new(track, std::slice::from_ref(patch)).unwrap().unwrap();
    let at: Vec<f64> = line.driven().between().map(|p| grip.at(p)).collect();
    [at.iter().copied().fold(f64::INFINITY, f64::min), at.iter().copied().fold(0.0, f64::max)]
}

/// The side of the road on which the line of minimum time drives at a section.
fn driven_side(track: &Track, line: &Line, section: usize) -> RoadSide {
    let section = track.sections[section];
    let driven: Vec<Point> = line.driven().between().collect();
    let nearest = |place: Point| driven.iter().map(|p| (p - place).norm()).fold(f64::INFINITY, f64::min);
    if nearest(section.left) < nearest(section.right) { RoadSide::Left } else { RoadSide::Right }
}

#[test]
fn a_patch_has_its_factor_inside_and_a_smooth_border() {
    let track = cut(&roads::straight(300.0, 12.0), &TrackOptions::default()).unwrap();
    let patch = Grip::Strip(strip(100.0, 200.0, RoadSide::Right, 0.5));
    let grip = TrackGrip::new(&track, &[patch]).unwrap().unwrap();
    let right = track.sections[0].right.y;
    let at = |x: f64, from_right: f64| grip.at(Point::new(track.sections[0].middle().x + x, right + from_right));
    assert_eq!(
        [at(150.0, 1.0), at(150.0, 3.0), at(150.0, 3.51), at(90.0, 1.0)].map(|g| (g * 1e9).round()),
        [5e8, 5e8, 1e9, 1e9]
    );
    // Half of it in the middle of the border.
    assert!((at(150.0, 3.25) - 0.75).abs() < 1e-6, "{}", at(150.0, 3.25));
    let vertices = [[120.0, 1.0], [160.0, 1.0], [160.0, 5.0], [120.0, 5.0]];
    let x = track.sections[0].middle().x;
    let polygon = vertices.map(|[along, across]| Spot::Metres([x + along, right + across])).to_vec();
    let oil = Grip::Polygon(GripPolygon { polygon, factor: 0.4, border_m: 0.5 });
    let grip = TrackGrip::new(&track, &[oil]).unwrap().unwrap();
    assert!((grip.at(Point::new(x + 140.0, right + 3.0)) - 0.4).abs() < 1e-9);
    assert!((grip.at(Point::new(x + 140.0, right + 1.25)) - 0.7).abs() < 1e-6);
    assert_eq!(grip.at(Point::new(x + 119.0, right + 3.0)), 1.0);
}

#[test]
fn on_a_ring_with_a_slippery_inside_the_line_drives_at_its_border() {
    let track = cut(&roads::ring(90.0, 102.0), &TrackOptions::default()).unwrap();
    let lap_m = track.centre_line().length();
    let section = track.sections[0];
    let inside =
        if section.left.coords.norm() < section.right.coords.norm() { RoadSide::Left } else { RoadSide::Right };
    let patch = Grip::Strip(GripStrip { width_m: 6.0, ..strip(0.0, lap_m, inside, 0.5) });
    let line = found(&track, FASTEST, vec![patch]);
    let radius_m = line.length_m / TAU;
    // T = 2 π √(R / a): the smallest radius outside of the patch is the fastest.
    let vehicle = car();
    let lap_s = TAU * (96.0 / vehicle.lateral_limit_mps2).sqrt();
    println!("radius {radius_m} m, lap {} s, closed form {lap_s} s", line.lap_time_s);
    assert!((95.7..96.2).contains(&radius_m), "{radius_m}");
    assert!((line.lap_time_s / lap_s - 1.0).abs() < 0.01, "{} {lap_s}", line.lap_time_s);
}

#[test]
fn the_fastest_lines_go_around_a_slippery_patch_and_others_drive_at_its_speed() {
    let track = circuit();
    let n = track.sections.len();
    let along = track.centre_line().arc_lengths();
    let free = found(&track, FASTEST, Vec::new());
    let (from, to) = (along[n / 2], along[n / 2 + 15]);
    let side = driven_side(&track, &free, n / 2 + 7);
    let patch = Grip::Strip(strip(from, to, side, 0.4));
    let whole: Grip = GripStretch { from_m: from, to_m: to, factor: 0.4, ramp_m: 5.0 }.into();
    assert!(factors(&track, &free, &patch)[0] < 0.45, "the free line is in it");
    for model in [Model::PointMass, Model::Car] {
        let free = found(&track, (Method::TimeOptimal, model), Vec::new());
        let line = found(&track, (Method::TimeOptimal, model), vec![patch.clone()]);
        let wet = found(&track, (Method::TimeOptimal, model), vec![whole.clone()]);
        let (cost_s, wet_s) = (line.lap_time_s - free.lap_time_s, wet.lap_time_s - free.lap_time_s);
        let one = &line.constraints[0];
        println!("{model:?}: patch +{cost_s} s, price {:?}, whole width +{wet_s} s", one.price_s);
        assert!(factors(&track, &line, &patch)[0] > 0.9, "{model:?}: {:?}", factors(&track, &line, &patch));
        assert!(cost_s > 0.0 && cost_s < 0.5 * wet_s, "{model:?}: {cost_s} {wet_s}");
        assert!((one.price_s.unwrap() - cost_s).abs() < 0.01, "{model:?}: {one:?} {cost_s}");
        assert_eq!((one.kind, one.number, one.outlines.len()), (ConstraintKind::Grip, 1, 1));
    }
    // A line that doesn't see it drives through it, more slowly.
    let shape = (Method::MinCurvature, Model::PointMass);
    let (dry, oiled) = (found(&track, shape, Vec::new()), found(&track, shape, vec![patch]));
    assert_eq!(dry.length_m, oiled.length_m);
    let price_s = oiled.constraints[0].price_s.unwrap();
    assert!((price_s - (oiled.lap_time_s - dry.lap_time_s)).abs() < 1e-6 && price_s > 0.0, "{price_s}");
}

#[test]
fn a_patch_beside_the_line_changes_nothing() {
    let track = circuit();
    let n = track.sections.len();
    let along = track.centre_line().arc_lengths();
    let free = found(&track, FASTEST, Vec::new());
    let side = if driven_side(&track, &free, n / 2 + 7) == RoadSide::Left { RoadSide::Right } else { RoadSide::Left };
    let patch = Grip::Strip(strip(along[n / 2], along[n / 2 + 15], side, 0.3));
    assert_eq!(factors(&track, &free, &patch), [1.0, 1.0]);
    let line = found(&track, FASTEST, vec![patch]);
    assert!((line.lap_time_s - free.lap_time_s).abs() < 1e-4, "{} {}", line.lap_time_s, free.lap_time_s);
    assert!(line.constraints[0].price_s.unwrap().abs() < 1e-4);
}

#[test]
fn a_strip_over_the_whole_width_is_a_stretch() {
    let track = circuit();
    let along = track.centre_line().arc_lengths();
    let n = track.sections.len();
    let (from_m, to_m) = (along[n / 2], along[n / 2 + 15]);
    let wide = GripStrip { width_m: 30.0, ..strip(from_m, to_m, RoadSide::Left, 0.6) };
    let stretch = GripStretch { from_m, to_m, factor: 0.6, ramp_m: 5.0 };
    let strip = found(&track, FASTEST, vec![Grip::Strip(wide)]);
    let whole = found(&track, FASTEST, vec![stretch.into()]);
    // A strip counts with its smallest factor in each interval, a stretch with that at its station.
    assert!((strip.lap_time_s / whole.lap_time_s - 1.0).abs() < 4e-4, "{} {}", strip.lap_time_s, whole.lap_time_s);
    assert!(whole.constraints.is_empty());
}

#[test]
fn a_border_between_two_stations_is_no_slope() {
    // Oil across the exit of a bend, whose border is shorter than the steps between stations.
    let polygon = [[640.0, 290.0], [660.0, 295.0], [660.0, 310.0], [640.0, 305.0]].map(Spot::Metres).to_vec();
    let oil = Grip::Polygon(GripPolygon { polygon, factor: 0.4, border_m: 0.5 });
    let (free, oiled) = (on_club(Vec::new()), on_club(vec![oil]));
    let (cost_s, price_s) = (oiled.lap_time_s - free.lap_time_s, oiled.constraints[0].price_s.unwrap());
    println!("costs {cost_s} s, price {price_s} s");
    assert!((0.0..0.15).contains(&cost_s) && (price_s - cost_s).abs() < 0.02, "{cost_s} {price_s}");
}

/// `tracks/club.png` and its options.
fn club() -> (PathBuf, Options) {
    let picture = crate::reference::root().join("tracks/club.png");
    let sidecar = Layer::read(&picture.with_extension("toml")).unwrap();
    let mut options = Options::from_layers(&[sidecar]).unwrap();
    options.solve.model = Some(Model::PointMass);
    (picture, options)
}

/// The line of `tracks/club.png` with these parts of another grip.
fn on_club(grip: Vec<Grip>) -> RacingLine {
    let (picture, options) = club();
    pipeline::optimize(&*picture, &Request::new(&Options { grip, ..options }, &car())).unwrap().line
}

/// The path of a game, which loads the line's file.
fn loaded(line: &RacingLine) -> raceline_follower::Path {
    raceline_follower::json::read(&json::write(line).unwrap()).unwrap().path
}

#[test]
fn the_points_of_a_line_have_the_grip_of_stretches_and_patches_and_so_has_the_path_of_a_game() {
    let track = circuit();
    let along = track.centre_line().arc_lengths();
    let n = track.sections.len();
    let (from_m, to_m) = (along[n / 2], along[n / 2 + 15]);
    let free = found(&track, FASTEST, Vec::new());
    assert!(free.points().iter().all(|point| point.grip.is_none()));
    let beside = if driven_side(&track, &free, n / 2 + 7) == RoadSide::Left { RoadSide::Right } else { RoadSide::Left };
    let patch = Grip::Strip(strip(from_m, to_m, beside, 0.3));
    assert!(found(&track, FASTEST, vec![patch]).points().iter().all(|point| point.grip.is_none()), "beside the line");
    let stretch = GripStretch { from_m, to_m, factor: 0.6, ramp_m: 5.0 };
    let line = found(&track, FASTEST, vec![stretch.into()]);
    let grip = TrackGrip::new(&track, &[stretch]).unwrap().unwrap();
    let (mut inside, mut outside) = (0, 0);
    for point in line.points() {
        let expected = grip.at(Point::new(point.x_m, point.y_m));
        assert!((point.grip.unwrap_or(1.0) - expected).abs() < 2e-3, "{point:?}: {expected}");
        (inside, outside) =
            (inside + usize::from(point.grip == Some(0.6)), outside + usize::from(point.grip.is_none()));
    }
    assert!(inside > 3 && outside > 3, "{inside} {outside}");
}

/// With the factor only in the options of the file the follower is twice as far from the line and loses more than the
/// line, which has no driven axle: its rear wheels alone push the simulated car.
#[test]
fn the_follower_knows_the_grip_of_its_line_and_loses_what_is_stated() {
    let stretch = GripStretch { from_m: 1400.0, to_m: 1500.0, factor: 0.5, ramp_m: 5.0 };
    let (free, wet) = (on_club(Vec::new()), on_club(vec![stretch.into()]));
    let lowest = |line: &RacingLine| {
        let path = loaded(line);
        (0..700).map(|k| path.grip(path.length_m() * f64::from(k) / 700.0)).fold(f64::INFINITY, f64::min)
    };
    assert_eq!((lowest(&free), lowest(&wet)), (1.0, 0.5));
    let driven = |line: &RacingLine| {
        let driven = drive(line, &line.vehicle, &DriveOptions { laps: 2, ..DriveOptions::default() }).unwrap();
        (driven.measures.lap_times_s.iter().sum::<f64>() / 2.0, driven.measures.cross_track_worst_m)
    };
    let stated_s = wet.lap_time_s - free.lap_time_s;
    let ((free_s, free_m), (wet_s, wet_m)) = (driven(&free), driven(&wet));
    // The same line where its file does not state the grip at its points.
    let mut unknown = wet.clone();
    unknown.points.iter_mut().for_each(|point| point.grip = None);
    let (unknown_s, unknown_m) = driven(&unknown);
    println!(
        "stated {stated_s} s, driven {} s, {wet_m} m from the line ({free_m} m without); unknown {} s, {unknown_m} m",
        wet_s - free_s,
        unknown_s - free_s
    );
    assert!((wet_s - free_s - stated_s).abs() < 0.2 && wet_m < 0.3);
    assert!(unknown_s > wet_s + 0.05 && unknown_m > 2.0 * wet_m);
    // The export has a column of it, with 1 where the points have none.
    let table = Format::named("csv").unwrap().write(&wet, &FormatOptions::default()).unwrap();
    let table = String::from_utf8(table).unwrap();
    assert!(table.lines().next().unwrap().ends_with(",grip"), "{table:.200}");
    assert!(table.lines().any(|row| row.ends_with(",0.5000")) && table.lines().any(|row| row.ends_with(",1.0000")));
}

#[test]
fn the_judge_believes_no_grip_at_points_that_the_options_deny() {
    let stretch = GripStretch { from_m: 280.0, to_m: 440.0, factor: 0.6, ramp_m: 5.0 };
    let line = on_club(vec![stretch.into()]);
    let findings = |line: &RacingLine| -> Vec<Rule> {
        judge(line, None, None).unwrap().findings().map(|check| check.rule).collect()
    };
    assert_eq!(findings(&line), []);
    // As fast as on a dry road, with a grip of 1 at every point, or at none.
    for grip in [Some(1.0), None] {
        let mut dry = RacingLine { options: line.options.clone(), ..on_club(Vec::new()) };
        assert_eq!(findings(&RacingLine { options: on_club(Vec::new()).options, ..dry.clone() }), []);
        dry.points.iter_mut().for_each(|point| point.grip = grip);
        let found = findings(&dry);
        assert!(found.contains(&Rule::Braking) || found.contains(&Rule::Driving), "{grip:?}: {found:?}");
    }
    // Less grip at the points than the speeds take.
    let mut slippery = line.clone();
    slippery.points.iter_mut().for_each(|point| point.grip = point.grip.map(|grip| 0.8 * grip));
    assert!(!findings(&slippery).is_empty());
    // A grip of stretches is no sign of kerbs, over whose edges a vehicle's side may be.
    let (picture, options) = club();
    let to_m = pipeline::extract(&picture, &options, &Silent).unwrap().track.centre_line().length();
    let everywhere = on_club(vec![GripStretch { from_m: 0.0, to_m, factor: 0.6, ramp_m: 5.0 }.into()]);
    assert!(everywhere.points.iter().all(|point| point.grip == Some(0.6)));
    for line in [&line, &everywhere] {
        let wider = Vehicle { width_m: line.vehicle.width_m + 1.0, ..line.vehicle.clone() };
        let judged = judge(line, Some(&wider), None).unwrap();
        assert!(judged.findings().any(|check| check.rule == Rule::Margin));
    }
}

#[test]
fn the_program_takes_patches_and_the_judge_looks_them_up() {
    let folder = TempDir::new().unwrap();
    for name in ["club.png", "club.toml"] {
        fs::copy(crate::reference::root().join("tracks").join(name), folder.path().join(name)).unwrap();
    }
    let oil = "\n[[grip]]\npolygon = [[640, 290], [660, 295], [660, 310], [640, 305]]\nfactor = 0.4\n\n\
               [[grip]]\nfrom_m = 300\nto_m = 420\nside = \"left\"\nwidth_m = 4\nfactor = 0.6\n";
    let sidecar = fs::read_to_string(folder.path().join("club.toml")).unwrap() + oil;
    fs::write(folder.path().join("club.toml"), sidecar).unwrap();
    let run = |arguments: &[&str]| {
        let mut command = Command::cargo_bin("raceline").unwrap();
        command.current_dir(folder.path()).env("NO_COLOR", "1").args(arguments).assert()
    };
    let done = run(&["optimize", "club.png", "-o", "line.json", "--population", "4", "--generations", "1"]).success();
    done.stdout(contains("  grip 1 costs ")).stdout(contains("  grip 2 costs "));
    let line = json::read(&fs::read(folder.path().join("line.json")).unwrap()).unwrap();
    let findings = |line: &raceline::RacingLine| -> Vec<Rule> {
        judge(line, None, None).unwrap().findings().map(|check| check.rule).collect()
    };
    assert_eq!(findings(&line), []);
    // More slippery than the line knew, on the whole of a corner.
    let mut slippery = line.clone();
    let corner = [[380.0, 50.0], [760.0, 50.0], [760.0, 300.0], [380.0, 300.0]].map(Spot::Metres).to_vec();
    slippery.options.grip[0] = Grip::Polygon(GripPolygon { polygon: corner, factor: 0.5, border_m: 0.5 });
    let found = findings(&slippery);
    assert!(found.contains(&Rule::Braking) && found.contains(&Rule::Driving), "{found:?}");
    run(&["render", "line.json", "-o", "line.svg"]).success();
    let drawn = fs::read_to_string(folder.path().join("line.svg")).unwrap();
    assert_eq!(drawn.matches("class=\"grip\"").count(), 3, "two patches and the legend");
}
