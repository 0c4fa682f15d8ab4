//! Parts of the road's width with another grip: where lines pass them, and what they cost.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]

use std::f64::consts::TAU;
use std::fs;

use assert_cmd::Command;
use predicates::str::contains;
use raceline::Options;
use raceline::file::{ConstraintKind, Method, json};
use raceline::frame::Spot;
use raceline::geometry::Point;
use raceline::options::Layer;
use raceline::pipeline::{self, Request, judge};
use raceline::solve::{Line, LineOptions, Model, SolveOptions, optimize};
use raceline::track::{Grip, GripPolygon, GripStretch, GripStrip, RoadSide, Track, TrackGrip, TrackOptions, cut};
use raceline::vehicle::{Vehicle, preset};
use raceline::verify::Rule;
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
    let solve = SolveOptions { model, population: 4, generations: 1, sampled_lines: 100, ..SolveOptions::default() };
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
    assert!((strip.lap_time_s / whole.lap_time_s - 1.0).abs() < 1e-4, "{} {}", strip.lap_time_s, whole.lap_time_s);
    assert!(whole.constraints.is_empty());
}

#[test]
fn a_border_between_two_stations_is_no_slope() {
    // Oil across the exit of a bend, whose border is shorter than the steps between stations.
    let polygon = [[640.0, 290.0], [660.0, 295.0], [660.0, 310.0], [640.0, 305.0]].map(Spot::Metres).to_vec();
    let oil = Grip::Polygon(GripPolygon { polygon, factor: 0.4, border_m: 0.5 });
    let picture = crate::reference::root().join("tracks/club.png");
    let sidecar = Layer::read(&picture.with_extension("toml")).unwrap();
    let lap = |grip: Vec<Grip>| {
        let mut options = Options::from_layers(std::slice::from_ref(&sidecar)).unwrap();
        options.grip = grip;
        pipeline::optimize(&*picture, &Request::new(&options, &car())).unwrap().line
    };
    let (free, oiled) = (lap(Vec::new()), lap(vec![oil]));
    let (cost_s, price_s) = (oiled.lap_time_s - free.lap_time_s, oiled.constraints[0].price_s.unwrap());
    println!("costs {cost_s} s, price {price_s} s");
    assert!((0.0..0.15).contains(&cost_s) && (price_s - cost_s).abs() < 0.02, "{cost_s} {price_s}");
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
