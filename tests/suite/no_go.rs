//! Regions that a line keeps out of: that every method keeps them, what they cost, and how far they reach.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]

use std::f64::consts::TAU;
use std::fmt::Write as _;
use std::fs;

use assert_cmd::Command;
use predicates::str::contains;
use raceline::file::{ConstraintKind, Method, json};
use raceline::frame::Spot;
use raceline::geometry::{Point, Segment};
use raceline::options::{Layer, OptionsError};
use raceline::pipeline::{self, Request, judge, redrive};
use raceline::solve::{
    ConstraintError, Line, LineOptions, MAX_CONSTRAINTS, Model, NoGo, Outline, PassingSide, PolygonNoGo, SolveError,
    SolveOptions, StretchNoGo, optimize,
};
use raceline::track::{RoadSide, StretchError, Track, TrackOptions, cut};
use raceline::vehicle::{Vehicle, preset};
use raceline::verify::Rule;
use raceline::{Options, RacingLine};
use tempfile::TempDir;

use crate::roads;

fn car() -> Vehicle {
    preset("tum-racecar").unwrap()
}

/// Half the width of the car and its safety distance, m.
const MARGIN_M: f64 = 1.7;

/// A circuit of three bends, 10 m wide.
fn circuit() -> Track {
    cut(&roads::wavy(160.0, 0.25, 3, 10.0), &TrackOptions::default()).unwrap()
}

fn few() -> SolveOptions {
    let model = Some(Model::PointMass);
    SolveOptions { model, population: 4, generations: 1, sampled_lines: 100, ..SolveOptions::default() }
}

fn with(method: Method, no_go: Vec<NoGo>) -> LineOptions {
    LineOptions { method, no_go, solve: few(), ..LineOptions::default() }
}

fn found(track: &Track, method: Method, no_go: Vec<NoGo>) -> Line {
    optimize(track, &car(), &with(method, no_go)).unwrap()
}

fn strip(from_m: f64, to_m: f64, side: RoadSide, width_m: f64) -> NoGo {
    NoGo::Stretch(StretchNoGo { from_m, to_m, side, width_m })
}

fn polygon(corners: &[Point], side: Option<PassingSide>) -> NoGo {
    NoGo::Polygon(PolygonNoGo { polygon: corners.iter().map(|p| Spot::Metres([p.x, p.y])).collect(), side })
}

/// A part of the road from one cross-section to another and from one side to the other, 0 to 1 from
/// the right edge.
fn patch(track: &Track, sections: [usize; 2], across: [f64; 2]) -> Vec<Point> {
    let corner = |i: usize, k: usize| track.sections[sections[i]].point(across[k]);
    vec![corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)]
}

/// The smallest distance of a line from a polygon, m; negative inside.
fn distance_m(line: &Line, corners: &[Point]) -> f64 {
    let outline = Outline::Polygon(corners.to_vec());
    line.driven().between().map(|p| outline.distance(p)).fold(f64::INFINITY, f64::min)
}

#[test]
fn a_ring_without_its_inner_strip_is_a_ring_of_a_larger_radius() {
    let track = cut(&roads::ring(90.0, 102.0), &TrackOptions::default()).unwrap();
    let lap_m = track.centre_line().length();
    let section = track.sections[0];
    let inside =
        if section.left.coords.norm() < section.right.coords.norm() { RoadSide::Left } else { RoadSide::Right };
    let line = found(&track, Method::ShortestPath, vec![strip(0.0, lap_m, inside, 3.0)]);
    let radius_m = line.length_m / TAU;
    assert!((radius_m - (90.0 + 3.0 + MARGIN_M)).abs() < 0.02, "{radius_m}");
    // The fastest circle is the smallest, T = 2 π √(R / a), so a strip on the outside costs nothing.
    let outside = if inside == RoadSide::Left { RoadSide::Right } else { RoadSide::Left };
    let price_s = |line: &Line| line.constraints[0].price_s.unwrap();
    let outer = found(&track, Method::TimeOptimal, vec![strip(0.0, lap_m, outside, 2.0)]);
    assert!(price_s(&outer).abs() < 2e-3, "{}", price_s(&outer));
    let inner = found(&track, Method::TimeOptimal, vec![strip(0.0, lap_m, RoadSide::Both, 2.0)]);
    let lap_s = |radius_m: f64| TAU * (radius_m / car().lateral_limit_mps2).sqrt();
    let (with, without) = (90.0 + 2.0 + MARGIN_M, 90.0 + MARGIN_M);
    let one = &inner.constraints[0];
    let (price, multiplier) = (price_s(&inner) / (lap_s(with) - lap_s(without)), one.seconds_per_m.unwrap());
    // dT/dR = T / 2R.
    let multiplier = multiplier / (0.5 * lap_s(with) / with);
    println!("price {} s, by closed form {price}; multiplier by closed form {multiplier}", price_s(&inner));
    assert!((price - 1.0).abs() < 0.01 && (multiplier - 1.0).abs() < 0.01, "{price} {multiplier}");
    assert_eq!((one.kind, one.gates, one.outlines.len()), (ConstraintKind::NoGo, None, 2));
}

#[test]
fn the_shortest_path_past_a_polygon_on_a_straight_is_a_string_about_its_corners() {
    let track = cut(&roads::straight(300.0, 12.0), &TrackOptions::default()).unwrap();
    let middle = track.sections[0].middle().y;
    // From beyond the right edge to 2 m to the left of the middle, and 4 m long.
    let corners = [[148.0, -9.0], [152.0, -9.0], [152.0, 2.0], [148.0, 2.0]];
    let corners = corners.map(|[x, y]| Point::new(x, middle + y));
    let solve = SolveOptions { start_offset_m: Some(0.0), end_offset_m: Some(0.0), ..few() };
    let options = LineOptions { solve, ..with(Method::ShortestPath, vec![polygon(&corners, None)]) };
    let line = optimize(&track, &car(), &options).unwrap();
    // To the circle of the margin about each corner, along it, and from one corner to the other.
    let half = 0.5 * track.centre_line().length();
    let (ahead, up) = (half - 2.0, 2.0);
    let tangent = (ahead * ahead + up * up - MARGIN_M * MARGIN_M).sqrt();
    let turn = up.atan2(ahead) + MARGIN_M.atan2(tangent);
    let expected = 2.0 * (tangent + MARGIN_M * turn) + 4.0;
    println!("string {expected} m, line {} m", line.length_m);
    // The bounds are those of cross-sections, 2 m apart.
    assert!((line.length_m - expected).abs() < 0.03, "{} {expected}", line.length_m);
    assert!((0.99..1.3).contains(&(distance_m(&line, &corners) / MARGIN_M)));
}

#[test]
fn every_method_keeps_out_of_regions() {
    let track = circuit();
    let n = track.sections.len();
    let corners = patch(&track, [n / 3, n / 3 + 4], [-0.1, 0.35]);
    let band = patch(&track, [n / 5 + 2, n / 5 + 12], [0.8, 1.0]);
    let along = track.centre_line().arc_lengths();
    let kerb = strip(along[n / 5], along[n / 5 + 14], RoadSide::Left, 2.0);
    let methods = [
        (Method::ShortestPath, Model::PointMass),
        (Method::MinCurvature, Model::PointMass),
        (Method::IteratedMinCurvature, Model::PointMass),
        (Method::Blend, Model::PointMass),
        (Method::TimeOptimal, Model::PointMass),
        (Method::TimeOptimal, Model::Car),
        (Method::Relaxation, Model::PointMass),
        (Method::Sampled, Model::PointMass),
    ];
    for (method, model) in methods {
        let mut options = with(method, vec![polygon(&corners, None), kerb.clone()]);
        options.solve.model = Some(model);
        let line = optimize(&track, &car(), &options).unwrap();
        for (name, region) in [("polygon", &corners), ("strip", &band)] {
            let distance = distance_m(&line, region);
            assert!(distance > 0.97 * MARGIN_M, "{method:?} {model:?}: {name} at {distance}");
        }
        assert!(line.constraints.iter().all(|one| one.price_s.is_some()), "{method:?}: {:?}", line.constraints);
    }
}

#[test]
fn a_small_polygon_between_two_sections_is_passed_on_the_better_side() {
    let track = circuit();
    let at = track.sections.len() / 3;
    let middle = |alpha: f64| nalgebra::center(&track.sections[at].point(alpha), &track.sections[at + 1].point(alpha));
    let centre = middle(0.5);
    let corners = [[-0.1, -0.1], [0.1, -0.1], [0.0, 0.15]].map(|[x, y]| Point::new(centre.x + x, centre.y + y));
    let lap = |pass| {
        let line = found(&track, Method::TimeOptimal, vec![polygon(&corners, pass)]);
        assert!(distance_m(&line, &corners) > 0.98 * MARGIN_M, "{pass:?}: {}", distance_m(&line, &corners));
        (line.lap_time_s, line.decisions)
    };
    let (searched, decisions) = lap(None);
    let (left, none) = lap(Some(PassingSide::Left));
    let (right, _) = lap(Some(PassingSide::Right));
    println!("left {left} s, right {right} s, searched {searched} s");
    assert!((searched - left.min(right)).abs() < 2e-3 && none.is_none());
    let side = if left < right { PassingSide::Left } else { PassingSide::Right };
    let decisions = decisions.unwrap();
    assert_eq!((decisions.no_go_sides, decisions.sides), (vec![Some(side)], Vec::new()));
}

#[test]
fn a_region_that_no_line_comes_near_costs_nothing_and_changes_nothing() {
    let track = circuit();
    let free = found(&track, Method::TimeOptimal, Vec::new());
    // On the infield, and narrower than what the line leaves of the road.
    let infield = [[0.0, 0.0], [3.0, 0.0], [0.0, 3.0]].map(|[x, y]| Point::new(x, y));
    let regions = vec![polygon(&infield, None), strip(100.0, 110.0, RoadSide::Both, 0.05)];
    let line = found(&track, Method::TimeOptimal, regions);
    assert!((line.lap_time_s / free.lap_time_s - 1.0).abs() < 1e-4, "{} {}", line.lap_time_s, free.lap_time_s);
    for constraint in &line.constraints {
        assert!(constraint.price_s.unwrap().abs() < 1e-3, "{constraint:?}");
    }
    assert_eq!(line.constraints[0].price_s, Some(0.0));
    assert!(line.decisions.is_none());
}

#[test]
fn a_region_changes_nothing_on_the_other_side_of_the_circuit() {
    let track = circuit();
    let n = track.sections.len();
    let free = found(&track, Method::TimeOptimal, Vec::new());
    let corners = patch(&track, [n / 3, n / 3 + 4], [-0.1, 0.35]);
    let line = found(&track, Method::TimeOptimal, vec![polygon(&corners, None)]);
    assert!(line.constraints[0].price_s.unwrap() > 0.02, "{:?}", line.constraints);
    let far_side = Point::new(-corners[0].x, -corners[0].y);
    let driven: Vec<Point> = line.driven().between().collect();
    let mut judged = 0;
    for point in free.points() {
        let here = Point::new(point.x_m, point.y_m);
        if (here - far_side).norm() < 90.0 {
            judged += 1;
            let to = |pair: &[Point]| Segment::new(pair[0], pair[1]).distance(here);
            let moved = driven.windows(2).map(to).fold(f64::INFINITY, f64::min);
            assert!(moved < 0.1, "the line moves by {moved} m at {here}");
        }
    }
    assert!(judged > 20, "{judged}");
}

#[test]
fn the_multiplier_of_a_strip_is_the_difference_of_prices() {
    let track = circuit();
    let along = track.centre_line().arc_lengths();
    let n = track.sections.len();
    let free = found(&track, Method::TimeOptimal, Vec::new());
    for [from, to] in [[n / 3, n / 3 + 6], [2 * n / 3, 2 * n / 3 + 8]] {
        let at = |width_m: f64| {
            let line =
                found(&track, Method::TimeOptimal, vec![strip(along[from], along[to], RoadSide::Right, width_m)]);
            let one = &line.constraints[0];
            let price_s = one.price_s.unwrap();
            assert!((price_s - (line.lap_time_s - free.lap_time_s)).abs() < 5e-3, "{width_m}: {one:?}");
            (price_s, one.seconds_per_m.unwrap())
        };
        // Each search has stations of its own, which makes a price uncertain by a tenth of a millisecond: the slope
        // of five of them is that of a line of least squares, of which the even terms cancel.
        let steps = [-2.0, -1.0, 0.0, 1.0, 2.0];
        let found = steps.map(|step| at(3.0 + 0.2 * step));
        let slope = steps.iter().zip(found).map(|(step, (price_s, _))| step * price_s).sum::<f64>() / (10.0 * 0.2);
        let multiplier = found[2].1;
        println!("multiplier {multiplier} s/m, slope {slope} s/m, price {} s", found[2].0);
        assert!(found[2].0 > 0.01 && (multiplier / slope - 1.0).abs() < 0.01, "{found:?} {slope}");
    }
}

fn refused(no_go: Vec<NoGo>) -> SolveError {
    optimize(&circuit(), &car(), &with(Method::ShortestPath, no_go)).unwrap_err()
}

#[test]
fn a_region_that_leaves_no_line_is_refused_by_its_number() {
    let track = circuit();
    let n = track.sections.len();
    let kerb = strip(100.0, 120.0, RoadSide::Left, 1.0);
    // 10 m of road less 7 m: two margins are 3.4 m.
    let error = refused(vec![kerb.clone(), strip(200.0, 210.0, RoadSide::Right, 7.0)]);
    assert!(matches!(error, SolveError::Constraint(ConstraintError::NoGoCloses { number: 2, .. })), "{error}");
    assert!(error.to_string().contains("no_go 2 closes the road at"), "{error}");
    let across = patch(&track, [n / 3, n / 3 + 2], [0.1, 0.9]);
    let error = refused(vec![polygon(&across, None)]);
    let SolveError::Constraint(ConstraintError::NoGoCloses { number: 1, x_m, y_m, .. }) = error else {
        panic!("{error}")
    };
    assert!((Point::new(x_m, y_m) - across[0]).norm() < 15.0);
    // Two halves of the road, one after the other and both from edge to edge.
    let error = refused(vec![
        polygon(&patch(&track, [n / 3, n / 3 + 4], [-0.1, 0.5]), None),
        polygon(&patch(&track, [n / 3, n / 3 + 4], [0.6, 1.1]), None),
    ]);
    assert!(matches!(error, SolveError::Constraint(ConstraintError::NoGoCloses { number: 2, .. })), "{error}");
    // From an edge over the infield to the other side of the circuit.
    let two = [track.sections[n / 6].point(0.6), track.sections[2 * n / 3].point(1.5), Point::new(0.0, 0.0)];
    let twice =
        [track.sections[n / 6].point(0.7), track.sections[n / 6 + 2].point(0.7), track.sections[n / 2].point(0.7)];
    for corners in [two, twice] {
        // Whether it is one part or two, it is never passed on a side that is closed.
        if let Ok(line) = optimize(&track, &car(), &with(Method::ShortestPath, vec![polygon(&corners, None)])) {
            assert!(distance_m(&line, &corners) > 0.9 * MARGIN_M);
        }
    }
    let pixels = NoGo::Polygon(PolygonNoGo { polygon: vec![Spot::Pixels([3.0, 4.0]); 3], side: None });
    assert!(refused(vec![pixels]).to_string().contains("no_go 1 is in pixels"));
    let error = refused(vec![polygon(&across[..2], None)]);
    assert!(error.to_string().contains("no_go 1: 2 must be a polygon of 3 to 1000 vertices"), "{error}");
    let error = refused(vec![kerb.clone(); MAX_CONSTRAINTS + 1]);
    assert!(error.to_string().contains("no_go has 51 entries, and the limit is 50"), "{error}");
    let error = refused(vec![kerb, strip(100.0, 1e6, RoadSide::Left, 1.0)]);
    assert!(matches!(error, SolveError::Grip(StretchError::BeyondEnd { list: "no_go", number: 2, .. })), "{error}");
}

/// The circuit as a file of a centre line, with a sidecar.
fn folder(sidecar: &str) -> TempDir {
    let folder = TempDir::new().unwrap();
    let mut text = "x_m,y_m,w_tr_right_m,w_tr_left_m\n".to_owned();
    for i in 0..400 {
        let t = f64::from(i) / 400.0 * TAU;
        let r = 160.0 + 40.0 * (3.0 * t).cos();
        writeln!(text, "{:.4},{:.4},5,5", r * t.cos(), r * t.sin()).unwrap();
    }
    fs::write(folder.path().join("bends.csv"), text).unwrap();
    fs::write(folder.path().join("bends.toml"), sidecar).unwrap();
    folder
}

/// A polygon in the middle of the road, and a strip on the inside of a bend.
const SIDECAR: &str = "
[[no_go]]
polygon = [[-120.0, -0.5], [-119.0, -0.5], [-119.0, 0.5], [-120.0, 0.5]]

[[no_go]]
from_m = 200.0
to_m = 320.0
side = \"left\"
width_m = 2.5
";

fn line_of(sidecar: &str) -> RacingLine {
    let folder = folder(sidecar);
    let path = folder.path().join("bends.csv");
    let layer = Layer::read(&path.with_extension("toml")).unwrap();
    let options = Options { solve: few(), ..Options::from_layers(&[layer]).unwrap() };
    pipeline::optimize(&*path, &Request::new(&options, &car())).unwrap().line
}

#[test]
fn the_judge_measures_the_regions_by_itself() {
    let line = line_of(SIDECAR);
    let bytes = json::write(&line).unwrap();
    assert_eq!(json::read(&bytes).unwrap(), line.rounded());
    let NoGo::Polygon(PolygonNoGo { side: Some(side), .. }) = line.options.no_go[0] else { panic!("no side") };
    let findings = |line: &RacingLine| -> Vec<Rule> {
        judge(line, None, None).unwrap().findings().map(|check| check.rule).collect()
    };
    assert_eq!(findings(&line), []);
    assert!(judge(&line, None, None).unwrap().check(Rule::NoGo).is_some());
    let widened = |width_m: f64| {
        let mut line = line.clone();
        if let NoGo::Stretch(stretch) = &mut line.options.no_go[1] {
            stretch.width_m = width_m;
        }
        line
    };
    assert_eq!(findings(&widened(3.0)), [Rule::NoGo]);
    // Without the gates, the stretch is known less exactly.
    let without_gates = |mut line: RacingLine| {
        line.constraints.clear();
        line
    };
    assert_eq!(findings(&without_gates(widened(2.5))), []);
    assert_eq!(findings(&without_gates(widened(3.2))), [Rule::NoGo]);
    let mut over_line = line.clone();
    let at = &line.points[line.points.len() / 2];
    let around = [[-0.5, -0.5], [0.5, -0.5], [0.0, 0.5]].map(|[x, y]| Spot::Metres([at.x_m + x, at.y_m + y]));
    over_line.options.no_go[0] = NoGo::Polygon(PolygonNoGo { polygon: around.to_vec(), side: None });
    assert_eq!(findings(&over_line), [Rule::NoGo]);

    // The same file is made again from its decision.
    let specified = line_of(&SIDECAR.replacen("0.5]]\n", &format!("0.5]]\nside = \"{}\"\n", side.name()), 1));
    assert!((specified.lap_time_s - line.lap_time_s).abs() < 1e-3);
    let again = redrive(&line).unwrap();
    assert!((again.lap_time_s() / line.lap_time_s - 1.0).abs() < 1e-3, "{}", again.lap_time_s());
}

#[test]
fn the_sidecar_of_regions_is_checked_with_its_line() {
    let folder = folder("[[no_go]]\nfrom_m = 1.0\nto_m = 2.0\nside = \"left\"\nwidth_m = 0.0\n");
    let layer = Layer::read(&folder.path().join("bends.toml")).unwrap();
    let error = Options::from_layers(&[layer]).unwrap_err();
    assert!(matches!(error, OptionsError::OutOfRange { .. }), "{error}");
    let message = error.to_string();
    assert!(message.contains("bends.toml, line 1") && message.contains("a width_m from 0.01 to 1000 m"), "{message}");
    fs::write(folder.path().join("bends.toml"), "[[no_go]]\nfrom_m = 1.0\nto_m = 2.0\nwidth_m = 1.0\n").unwrap();
    let error = Layer::read(&folder.path().join("bends.toml")).unwrap_err().to_string();
    assert!(error.contains("side (left, right or both) and width_m"), "{error}");
}

#[test]
fn the_program_keeps_out_of_regions_and_draws_them() {
    let folder = folder(SIDECAR);
    let run = |arguments: &[&str]| {
        let mut command = Command::cargo_bin("raceline").unwrap();
        command.current_dir(folder.path()).env("NO_COLOR", "1").args(arguments).assert()
    };
    let arguments = ["optimize", "bends.csv", "-o", "line.json", "--population", "4", "--generations", "1"];
    let done = run(&arguments).success();
    done.stdout(contains("  no-go 1 costs "))
        .stdout(contains("  no-go 2 costs "))
        .stdout(contains("  no-go 1 is passed on its"));
    run(&["render", "line.json", "-o", "line.svg"]).success();
    let drawn = fs::read_to_string(folder.path().join("line.svg")).unwrap();
    assert_eq!(drawn.matches("class=\"no-go\"").count(), 3, "two regions and the legend");
    run(&["render", "line.json", "-o", "line.html"]).success();
    assert!(fs::read_to_string(folder.path().join("line.html")).unwrap().contains("\"no_go\":[[["));
    let closing = "[[no_go]]\nfrom_m = 100.0\nto_m = 120.0\nside = \"both\"\nwidth_m = 4.0\n";
    fs::write(folder.path().join("bends.toml"), closing).unwrap();
    run(&arguments).code(1).stderr(contains("no_go 1 closes the road at ("));
}
