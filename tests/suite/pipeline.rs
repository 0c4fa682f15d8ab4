//! The whole pipeline on tracks of `tracks/`: what the file promises, and what must not change the
//! result.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]

use std::f64::consts::TAU;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use assert_cmd::Command;
use raceline::file::json;
use raceline::file::{LinePoint, Method};
use raceline::geometry::{Point, Polyline, Segment, SegmentIndex, SplineCurve, Vector, wrap_angle};
use raceline::options::Layer;
use raceline::pipeline::{self, Request, Silent, Warning};
#[cfg(feature = "cmaes")]
use raceline::solve::Search;
use raceline::solve::{Formulation, Model};
use raceline::track::Direction;
use raceline::track_file::{self, TrackFile};
use raceline::vehicle::{Vehicle, preset};
use raceline::{Options, RacingLine};
use tempfile::TempDir;

/// How much nearer to an edge than its margin a line may come anywhere, m.
const MARGIN_SLACK_M: f64 = 0.02;

fn track(name: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("tracks").join(name)
}

/// The options in the sidecar of `tracks/<name>.png`.
fn options(name: &str) -> Options {
    Options::from_layers(&[Layer::read(&track(&format!("{name}.toml"))).unwrap()]).unwrap()
}

fn optimize(input: &Path, options: &Options) -> RacingLine {
    let vehicle = options.load_vehicle().unwrap();
    pipeline::optimize(input, &Request::new(options, &vehicle)).unwrap().line.rounded()
}

/// The line of `tracks/<name>.png` with the options of its sidecar as `change` leaves them.
fn changed(name: &str, change: impl FnOnce(&mut Options)) -> RacingLine {
    let mut options = options(name);
    change(&mut options);
    optimize(&track(&format!("{name}.png")), &options)
}

static STADIUM: LazyLock<RacingLine> = LazyLock::new(|| changed("stadium", |_| {}));
/// The road's inner edge has a corner, where cross-sections crowd.
static HAIRPIN: LazyLock<RacingLine> = LazyLock::new(|| changed("hairpin", |_| {}));

fn both() -> [&'static RacingLine; 2] {
    [&STADIUM, &HAIRPIN]
}

fn position(point: &LinePoint) -> Point {
    Point::new(point.x_m, point.y_m)
}

fn positions(line: &RacingLine) -> Vec<Point> {
    line.points.iter().map(position).collect()
}

/// Each point with the one after it, the last with the first; the second's distance and time go on
/// past the end of the lap.
fn steps(line: &RacingLine) -> Vec<(LinePoint, LinePoint)> {
    assert!(line.closed);
    let mut onwards = line.points.clone();
    let mut first = line.points[0];
    first.s_m += line.length_m;
    first.time_s += line.lap_time_s;
    onwards.push(first);
    onwards.windows(2).map(|pair| (pair[0], pair[1])).collect()
}

/// Curve through a line's points, densely sampled.
fn dense(line: &RacingLine) -> Polyline {
    let curve = SplineCurve::through(&positions(line), true).unwrap();
    Polyline::closed(curve.evenly(8 * line.points.len()).into_iter().map(|place| place.position).collect())
}

/// Greatest distance from a point of `a` to the curve of `b`, m.
fn deviation(a: &RacingLine, b: &RacingLine) -> f64 {
    let other = SegmentIndex::new(&dense(b), 2.0);
    positions(a).into_iter().map(|p| other.nearest(p).unwrap().distance).fold(0.0, f64::max)
}

/// Distance from `p` to the edge through `vertices`, by looking at each of its pieces.
fn distance_to_edge(p: Point, vertices: &[[f64; 2]]) -> f64 {
    let next = vertices.iter().cycle().skip(1);
    let distance = |(&a, &b): (&[f64; 2], &[f64; 2])| Segment::new(a.into(), b.into()).distance(p);
    vertices.iter().zip(next).map(distance).fold(f64::INFINITY, f64::min)
}

fn lap_time_of(line: &RacingLine, method: Method) -> f64 {
    line.candidates.iter().find(|candidate| candidate.method == method).unwrap().lap_time_s
}

// ---- What a file promises

#[test]
fn left_and_right_are_the_distances_to_the_true_edges() {
    for line in both() {
        for point in &line.points {
            let left = distance_to_edge(position(point), &line.edges.left);
            let right = distance_to_edge(position(point), &line.edges.right);
            assert!((point.left_m - left).abs() < 2e-3, "{}: {} and {left}", line.name, point.left_m);
            assert!((point.right_m - right).abs() < 2e-3, "{}: {} and {right}", line.name, point.right_m);
        }
    }
}

#[test]
fn left_lies_to_the_left() {
    for line in both() {
        let [left, right] = [&line.edges.left, &line.edges.right]
            .map(|edge| SegmentIndex::new(&Polyline::closed(edge.iter().map(|&p| p.into()).collect()), 3.0));
        for point in &line.points {
            let leftwards = Vector::new(-point.heading_rad.sin(), point.heading_rad.cos());
            let towards =
                |edge: &SegmentIndex| (edge.nearest(position(point)).unwrap().point - position(point)).dot(&leftwards);
            assert!(towards(&left) > 0.0 && towards(&right) < 0.0, "{} at {} m", line.name, point.s_m);
        }
    }
}

#[test]
fn the_margin_is_kept_at_the_points_and_between_them() {
    for line in both() {
        let min = line.vehicle.margin_m() - MARGIN_SLACK_M;
        for point in &line.points {
            assert!(point.left_m.min(point.right_m) >= min, "{} at {} m: {point:?}", line.name, point.s_m);
        }
        for p in dense(line).points {
            let nearest = distance_to_edge(p, &line.edges.left).min(distance_to_edge(p, &line.edges.right));
            assert!(nearest >= min, "{} at ({}, {}): {nearest} m", line.name, p.x, p.y);
        }
    }
}

#[test]
fn each_line_is_never_slower_than_those_it_is_made_from() {
    for line in both() {
        let methods: Vec<_> = line.candidates.iter().map(|candidate| candidate.method).collect();
        let expected = [Method::ShortestPath, Method::MinCurvature, Method::TimeOptimal];
        assert_eq!(methods, expected, "{}", line.name);
        let parents = lap_time_of(line, Method::ShortestPath).min(lap_time_of(line, Method::MinCurvature));
        assert!(line.lap_time_s < parents, "{}: {} s against {parents} s", line.name, line.lap_time_s);
        assert_eq!(lap_time_of(line, Method::TimeOptimal), line.lap_time_s);
        let shortest = line.candidates.iter().map(|candidate| candidate.length_m).fold(f64::INFINITY, f64::min);
        assert_eq!(line.candidates[0].length_m, shortest, "{}: the shortest path is the shortest", line.name);
    }
}

#[test]
fn distance_and_time_rise_by_what_each_step_takes() {
    for line in both() {
        assert_eq!((line.points[0].s_m, line.points[0].time_s), (0.0, 0.0));
        // The closing step is the last one: the same rules bind `length_m` and `lap_time_s`.
        for (here, next) in steps(line) {
            let route = next.s_m - here.s_m;
            let chord = (position(&next) - position(&here)).norm();
            assert!(route > 0.0 && next.time_s > here.time_s, "{} at {} m", line.name, here.s_m);
            // Two lengths rounded to 1 mm; an arc of the sharpest bend is longer than its chord by
            // the fraction (κ s)² / 24.
            let sharpest = here.curvature_radpm.abs().max(next.curvature_radpm.abs());
            let longest = chord * (1.0 + (sharpest * chord).powi(2) / 20.0) + 3e-3;
            assert!((chord - 3e-3..=longest).contains(&route), "{} at {} m: {route} and {chord}", line.name, here.s_m);
            // The mean acceleration over the step; the speed may dip between two points.
            let duration = 2.0 * route / (here.speed_mps + next.speed_mps);
            assert!(
                (next.time_s - here.time_s - duration).abs() < 3e-4 + 0.01 * duration,
                "{} at {} m",
                line.name,
                here.s_m
            );
            let acceleration = (next.speed_mps.powi(2) - here.speed_mps.powi(2)) / (2.0 * route);
            assert!((here.accel_mps2 - acceleration).abs() < 0.05, "{} at {} m", line.name, here.s_m);
        }
    }
}

#[test]
fn heading_and_curvature_are_those_of_the_points() {
    for line in both() {
        let n = line.points.len();
        for i in 0..n {
            let (before, here, after) = (&line.points[(i + n - 1) % n], &line.points[i], &line.points[(i + 1) % n]);
            let (back, ahead) = (position(here) - position(before), position(after) - position(here));
            // Differences see the curve as three points do: the more its curvature changes over the
            // two steps, the less well.
            let three = [before, here, after].map(|point| point.curvature_radpm);
            let spread = three.iter().copied().fold(f64::NEG_INFINITY, f64::max)
                - three.iter().copied().fold(f64::INFINITY, f64::min);
            let heading = (back / back.norm_squared() + ahead / ahead.norm_squared()).normalize();
            let off = wrap_angle(heading.y.atan2(heading.x) - here.heading_rad).abs();
            assert!(off < 1e-3 + spread * back.norm() / 6.0, "{} at {} m: {off} rad", line.name, here.s_m);
            // Turn from chord to chord over the distance from middle to middle; a spline's second
            // differences have these weights.
            let turn = wrap_angle(ahead.y.atan2(ahead.x) - back.y.atan2(back.x));
            let curvature = 2.0 * turn / (back.norm() + ahead.norm());
            let mean = (three[0] + 4.0 * three[1] + three[2]) / 6.0;
            let tolerance = 2e-4 + 0.05 * mean.abs() + 0.1 * spread;
            assert!((curvature - mean).abs() < tolerance, "{} at {} m: {curvature}, {mean}", line.name, here.s_m);
        }
    }
}

#[test]
fn curvature_adds_up_to_one_turn() {
    for line in both() {
        let turn: f64 = steps(line)
            .iter()
            .map(|(here, next)| (next.s_m - here.s_m) * f64::midpoint(here.curvature_radpm, next.curvature_radpm))
            .sum();
        let sign = if line.direction == Direction::Counterclockwise { 1.0 } else { -1.0 };
        // The trapezoidal rule over steps of 3 m, in the hairpin half a radius each.
        assert!((turn - sign * TAU).abs() < 0.03, "{}: {turn} rad", line.name);
    }
}

#[test]
fn the_vehicle_does_what_it_can_and_no_more() {
    for name in ["stadium", "hairpin"] {
        let line = changed(name, |options| options.solve.model = Some(Model::PointMass));
        for point in &line.points {
            let lateral = point.speed_mps.powi(2) * point.curvature_radpm.abs();
            assert!(lateral <= line.vehicle.lateral_limit_mps2 * 1.001 + 0.01, "{} at {} m", line.name, point.s_m);
            assert!(point.speed_mps <= line.vehicle.max_speed_mps + 1e-3);
            assert!(point.curvature_radpm.abs() <= line.vehicle.max_curvature_radpm);
        }
    }
}

// ---- What must not change the result

#[test]
fn the_number_of_threads_and_the_run_change_no_byte() {
    let once = json::write(&STADIUM).unwrap();
    for threads in [1, 2, 4] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let line = pool.install(|| changed("stadium", |_| {}));
        assert!(json::write(&line).unwrap() == once, "{threads} threads change the file");
    }
}

#[test]
fn the_program_writes_the_bytes_of_the_library_with_any_number_of_threads() {
    let expected = json::write(&STADIUM).unwrap();
    for threads in ["1", "2", "4"] {
        let mut run = Command::cargo_bin("raceline").unwrap();
        run.arg("optimize").arg(track("stadium.png")).args(["-o", "-", "--quiet", "--threads", threads]);
        let written = run.assert().success().get_output().stdout.clone();
        assert!(written == expected, "{threads} threads change the file");
    }
}

#[test]
fn an_extracted_track_gives_the_line_of_its_picture_to_the_millimetre() {
    let options = options("stadium");
    let extraction = pipeline::extract(&track("stadium.png"), &options, &Silent).unwrap();
    let file = TrackFile::new(&extraction.name, &extraction.track, &extraction.source);
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("stadium.track.json");
    fs::write(&path, track_file::write(&file).unwrap()).unwrap();
    let line = optimize(&path, &options);
    assert_eq!(line.points.len(), STADIUM.points.len());
    for (by_track, by_picture) in line.points.iter().zip(&STADIUM.points) {
        let apart = (position(by_track) - position(by_picture)).norm();
        // Edges rounded to the millimetre may choose other grid points, which lie up to two steps
        // away.
        assert!(apart <= 5e-3, "{apart} m apart at {} m", by_picture.s_m);
    }
    assert!((line.lap_time_s - STADIUM.lap_time_s).abs() <= 2e-4 * line.lap_time_s);
}

// ---- What changes it, and how

#[test]
fn the_other_direction_mirrors_curvature_and_takes_as_long() {
    assert_eq!(STADIUM.direction, Direction::Counterclockwise);
    let back = changed("stadium", |options| options.track.direction = Some(Direction::Clockwise));
    assert_eq!(back.direction, Direction::Clockwise);
    for point in &back.points {
        let nearest = STADIUM.points.iter().min_by(|a, b| {
            let distance = |other: &LinePoint| (position(other) - position(point)).norm();
            distance(a).total_cmp(&distance(b))
        });
        let nearest = nearest.unwrap();
        let opposed = wrap_angle(point.heading_rad - nearest.heading_rad - std::f64::consts::PI).abs();
        assert!(opposed < 0.15, "headings are opposed at {} m, to {opposed}", point.s_m);
        if point.curvature_radpm.abs().min(nearest.curvature_radpm.abs()) > 2e-3 {
            assert!(point.curvature_radpm * nearest.curvature_radpm < 0.0, "{} m: {point:?} {nearest:?}", point.s_m);
        }
    }
    let inner = |line: &RacingLine| match line.direction {
        Direction::Counterclockwise => Polyline::closed(line.edges.left.iter().map(|&p| p.into()).collect()),
        Direction::Clockwise => Polyline::closed(line.edges.right.iter().map(|&p| p.into()).collect()),
    };
    assert!((inner(&back).length() - inner(&STADIUM).length()).abs() < 0.1, "the edges change sides");
    let fraction = back.lap_time_s / STADIUM.lap_time_s - 1.0;
    assert!(fraction.abs() < 2e-3, "the lap takes {fraction} longer");
}

#[test]
fn the_lap_starts_where_specified() {
    for start in [[90.0, 140.0], [450.0, 80.0], [330.0, 20.0]] {
        let line = changed("stadium", |options| options.track.start = Some(raceline::frame::Spot::Metres(start)));
        let first = line.points[0];
        let ahead = Vector::new(first.heading_rad.cos(), first.heading_rad.sin());
        let offset = Point::from(start) - position(&first);
        assert!(
            offset.dot(&ahead).abs() < 1.0,
            "the start line lies {} m ahead of the first point",
            offset.dot(&ahead)
        );
        assert!(offset.norm() < 6.0, "the first point lies across the road from the start");
        let fraction = line.lap_time_s / STADIUM.lap_time_s - 1.0;
        assert!(fraction.abs() < 1e-3, "start at {start:?}: the lap takes {fraction} longer");
    }
}

#[test]
fn each_method_alone_gives_its_candidate_of_the_blend() {
    let blend = changed("stadium", |options| options.method = Method::Blend);
    for method in [Method::ShortestPath, Method::MinCurvature] {
        let line = changed("stadium", |options| options.method = method);
        assert_eq!(line.method, method);
        assert_eq!(line.candidates.len(), 1, "nothing else is computed");
        assert_eq!(line.lap_time_s, lap_time_of(&blend, method));
    }
}

#[cfg(feature = "cmaes")]
#[test]
fn cmaes_is_not_slower_than_the_parents_and_close_to_the_genetic_algorithm() {
    for (name, by_ga) in [("stadium", &STADIUM), ("hairpin", &HAIRPIN)] {
        let line = changed(name, |options| options.solve.search = Search::Cmaes);
        let parents = lap_time_of(&line, Method::ShortestPath).min(lap_time_of(&line, Method::MinCurvature));
        assert!(line.lap_time_s <= parents, "{name}: {} s against {parents} s", line.lap_time_s);
        let fraction = line.lap_time_s / by_ga.lap_time_s - 1.0;
        assert!(fraction.abs() < 0.01, "{name}: {fraction} slower than the genetic algorithm");
    }
}

#[test]
fn the_classic_formulation_finds_about_the_same_lines() {
    let classic = changed("stadium", |options| options.solve.formulation = Formulation::Classic);
    assert_eq!(classic.options.solve.formulation, Formulation::Classic);
    let parents = lap_time_of(&classic, Method::ShortestPath).min(lap_time_of(&classic, Method::MinCurvature));
    assert!(classic.lap_time_s <= parents);
    for (by_classic, by_default) in classic.candidates.iter().zip(&STADIUM.candidates) {
        let fraction = by_classic.lap_time_s / by_default.lap_time_s - 1.0;
        // The classic shortest path has kinks.
        assert!(fraction.abs() < 0.1, "{}: {fraction} slower", by_classic.method.name());
    }
    assert!(classic.points != STADIUM.points, "the formulation matters");
}

#[test]
fn a_seed_changes_the_search_and_hardly_the_result() {
    let other = changed("hairpin", |options| options.solve.seed = 2);
    let fraction = other.lap_time_s / HAIRPIN.lap_time_s - 1.0;
    assert!(fraction.abs() < 2e-3, "{fraction} slower with another seed");
    assert!(deviation(&other, &HAIRPIN) < 1.0);
}

#[test]
fn a_car_s_line_that_the_judge_refuses_is_replaced_by_that_of_a_point_mass() {
    let options = options("kart");
    // Far more weight in front than the brake balance is for.
    let vehicle = Vehicle { front_weight_fraction: Some(0.8), ..preset("gt").unwrap() };
    let found = pipeline::optimize(track("kart.png").as_path(), &Request::new(&options, &vehicle)).unwrap();
    assert!(matches!(found.warnings.last(), Some(Warning::CarRefused(_))), "{:?}", found.warnings);
    assert_eq!(found.line.options.solve.model, Some(Model::PointMass));
    let mut of_car = options;
    of_car.solve.model = Some(Model::Car);
    let refused = pipeline::optimize(track("kart.png").as_path(), &Request::new(&of_car, &vehicle));
    assert!(matches!(refused, Err(pipeline::Error::Unsound { .. })), "who asks for the car gets no other model");
}

#[test]
fn a_car_s_line_shows_its_inputs() {
    let [point_mass, car] =
        [Model::PointMass, Model::Car].map(|model| changed("stadium", |options| options.solve.model = Some(model)));
    assert!(point_mass.points.iter().all(|point| point.steering_rad.is_none() && point.pedal.is_none()));
    assert!(car.lap_time_s > point_mass.lap_time_s && car.lap_time_s < 1.03 * point_mass.lap_time_s);
    // A car has that model where none is given, and the file's options remain those that were given.
    assert!(STADIUM.points == car.points && STADIUM.options.solve.model.is_none());
    let [mut braking, mut driving] = [0.0_f64; 2];
    for point in &car.points {
        let (steering, pedal) = (point.steering_rad.unwrap(), point.pedal.unwrap());
        assert!(point.sideslip_rad.is_some() && point.yaw_rate_radps.is_some());
        assert!(steering.abs() < 0.36 && pedal < 1.001, "{point:?}");
        (braking, driving) = (braking.min(pedal), driving.max(pedal));
    }
    assert!(braking < -0.8 && driving > 0.95, "{braking} {driving}");
}
