//! Edges that pass through places which a user gave: closed forms, what stays, errors, and the line's margin.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]

use std::f64::consts::TAU;
use std::fs;
use std::path::Path;

use assert_cmd::Command;
use image::ImageFormat;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use proptest::prelude::*;
use raceline::Options;
use raceline::edges::RoadShape;
use raceline::file::json;
use raceline::frame::Spot;
use raceline::geometry::{Point, Polyline, SegmentIndex};
use raceline::options::Layer;
use raceline::pipeline::{self, Request, Silent, judge};
use raceline::track::{
    CorrectedRoad, CrossSection, EdgeCorrection, EdgeCorrectionError, EdgeSide, Track, TrackOptions, cut,
};
use raceline::vehicle::preset;
use tempfile::TempDir;

use crate::drawing::{anti_aliased, encoded};
use crate::roads::{raised, ring, wavy};

/// What a point moves at a fraction of its length.
fn fade(u: f64) -> f64 {
    if u >= 1.0 { 0.0 } else { 1.0 - u.powi(3) * (10.0 - 15.0 * u + 6.0 * u * u) }
}

/// Along x from 0 to 300 m, 10 m wide: the left edge is at y = 5 m.
fn straight() -> Track {
    let edge = |y: f64| (0..=30).map(|i| [10.0 * f64::from(i), y]).collect::<Vec<_>>();
    Track::from_points(&edge(5.0), &edge(-5.0), RoadShape::Open, &TrackOptions::default()).unwrap()
}

fn at(x: f64, y: f64) -> EdgeCorrection {
    EdgeCorrection { at: Spot::Metres([x, y]), side: None, length_m: None }
}

fn with_length(x: f64, y: f64, length_m: f64) -> EdgeCorrection {
    EdgeCorrection { length_m: Some(length_m), ..at(x, y) }
}

fn corrected(track: &Track, corrections: &[EdgeCorrection]) -> Result<Track, EdgeCorrectionError> {
    let options = TrackOptions::default();
    track.clone().with_edge_corrections(
        corrections,
        CorrectedRoad { options: &options, length_m: f64::INFINITY, min_width_m: 3.4 },
    )
}

fn message(track: &Track, corrections: &[EdgeCorrection]) -> String {
    corrected(track, corrections).unwrap_err().to_string()
}

/// The place of the edge at `x`, of an edge along x.
fn y_at(edge: &Polyline, x: f64) -> f64 {
    let (a, b) = edge.pieces().find(|(a, b)| (a.x..=b.x).contains(&x)).unwrap();
    a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x)
}

#[test]
fn a_point_outside_makes_a_straight_road_wider_about_it_and_one_inside_narrower() {
    for (y, side) in [(7.0, 1.0), (3.0, 1.0), (-7.5, -1.0), (-4.0, -1.0)] {
        let track = corrected(&straight(), &[with_length(150.0, y, 20.0)]).unwrap();
        let (moved, other) =
            if side > 0.0 { (&track.left_edge, &track.right_edge) } else { (&track.right_edge, &track.left_edge) };
        for p in &moved.points {
            let expected = 5.0 * side + (y - 5.0 * side) * fade((p.x - 150.0).abs() / 20.0);
            assert!((p.y - expected).abs() < 1e-9, "{p}: {expected}");
        }
        assert!(other.points.iter().all(|p| p.y == -5.0 * side));
        let width_at = |x: f64| {
            let distance = |section: &&CrossSection| (section.middle().x - x).abs();
            track.sections.iter().min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap().width()
        };
        let expected = 10.0 + side * y - 5.0;
        assert!((width_at(150.0) - expected).abs() < 0.02, "{y}: {} instead of {expected}", width_at(150.0));
        for x in [10.0, 100.0, 128.0, 172.0, 250.0] {
            assert!((width_at(x) - 10.0).abs() < 1e-3, "{y}: {} at {x}", width_at(x));
        }
    }
}

#[test]
fn the_default_length_is_twice_the_width_and_the_default_side_the_nearer_one() {
    let by_default = corrected(&straight(), &[at(150.0, 7.0)]).unwrap();
    let specified = EdgeCorrection { side: Some(EdgeSide::Left), ..with_length(150.0, 7.0, 20.0) };
    assert_eq!(by_default, corrected(&straight(), &[specified]).unwrap());
    // The other edge may be named: it then crosses the road.
    let crossed = EdgeCorrection { side: Some(EdgeSide::Right), ..at(150.0, 7.0) };
    assert!(message(&straight(), &[crossed]).starts_with("edge_point 1 makes edges of the road cross near (1"));
}

#[test]
fn points_within_their_lengths_are_joined_by_a_smooth_curve() {
    let track = corrected(&straight(), &[at(140.0, 7.0), at(155.0, 7.0), at(200.0, 4.0)]).unwrap();
    // The first two are nearer than 20 m: the edge is 2 m farther out between them, not less.
    for x in [140.0, 145.0, 150.0, 155.0] {
        assert!((y_at(&track.left_edge, x) - 7.0).abs() < 1e-9, "{}", y_at(&track.left_edge, x));
    }
    // The third is farther away than 20 m: both moves have faded in between.
    assert!((y_at(&track.left_edge, 175.0) - 5.0).abs() < 0.05);
    assert!((y_at(&track.left_edge, 177.0) - 5.0).abs() < 0.1);
    assert!((y_at(&track.left_edge, 200.0) - 4.0).abs() < 1e-9);
    // On an arc, a curve through three points of a larger circle is that circle.
    let round = cut(&ring(40.0, 50.0), &TrackOptions::default()).unwrap();
    let outer = |degrees: f64| (52.0 * degrees.to_radians().cos(), 52.0 * degrees.to_radians().sin());
    let three = [0.0, 12.0, 24.0].map(outer).map(|(x, y)| at(x, y));
    let track = corrected(&round, &three).unwrap();
    let edge = if track.left_edge.length() > track.right_edge.length() { &track.left_edge } else { &track.right_edge };
    let index = SegmentIndex::new(edge, 5.0);
    for degrees in [0.0, 3.0, 7.0, 12.0, 15.0, 20.0, 24.0] {
        let (x, y) = outer(degrees);
        let off = index.nearest(Point::new(x, y)).unwrap().distance;
        assert!(off < 0.05, "{off} m off at {degrees}°");
    }
}

#[test]
fn a_blob_is_bridged_by_two_points_at_its_ends() {
    // A shadow on the left edge, 6 m long and 3 m deep.
    let blob = [[147.0, 5.0], [147.0, 2.0], [153.0, 2.0], [153.0, 5.0]];
    let left: Vec<[f64; 2]> = (0..=14).map(|i| [10.0 * f64::from(i), 5.0]).chain(blob).collect();
    let left: Vec<[f64; 2]> = left.into_iter().chain((16..=30).map(|i| [10.0 * f64::from(i), 5.0])).collect();
    let right: Vec<[f64; 2]> = (0..=30).map(|i| [10.0 * f64::from(i), -5.0]).collect();
    let track = Track::from_points(&left, &right, RoadShape::Open, &TrackOptions::default()).unwrap();
    let narrowest = |track: &Track| track.sections.iter().map(CrossSection::width).fold(f64::INFINITY, f64::min);
    assert!(narrowest(&track) < 7.1);
    let bridged = corrected(&track, &[at(142.0, 5.0), at(158.0, 5.0)]).unwrap();
    assert!(bridged.left_edge.points.iter().all(|p| (p.y - 5.0).abs() < 1e-9));
    assert!((narrowest(&bridged) - 10.0).abs() < 1e-6, "{}", narrowest(&bridged));
}

#[test]
fn points_on_the_two_legs_of_a_hairpin_are_not_joined() {
    // The legs are 14 m apart, so that the points are nearer to one another than their lengths.
    let leg = |y: f64| (0..=20).map(move |i| [5.0 * f64::from(i), y]);
    let bend = (1..20).map(|i| (f64::from(i) / 20.0 - 0.5) * TAU / 2.0);
    let bend = bend.map(|angle| [100.0 + 12.0 * angle.cos(), 12.0 + 12.0 * angle.sin()]);
    let back: Vec<[f64; 2]> = leg(24.0).collect();
    let middle: Vec<[f64; 2]> = leg(0.0).chain(bend).chain(back.into_iter().rev()).collect();
    let widths = vec![[5.0, 5.0]; middle.len()];
    let track = Track::from_centre_line(&middle, &widths, RoadShape::Open, &TrackOptions::default()).unwrap();
    let moved = corrected(&track, &[at(80.0, 6.0), at(80.0, 18.0)]).unwrap();
    let tip = |track: &Track| track.left_edge.points.iter().map(|p| p.x).fold(0.0, f64::max);
    assert!((tip(&track) - tip(&moved)).abs() < 1e-9 && tip(&moved) > 106.0, "{} {}", tip(&track), tip(&moved));
}

#[test]
fn the_ends_of_an_open_road_can_be_moved_but_not_lengthened() {
    for (x, s) in [(0.0, 0.0), (300.0, 300.0)] {
        let track = corrected(&straight(), &[at(x, 6.0)]).unwrap();
        assert!((y_at(&track.left_edge, s) - 6.0).abs() < 1e-9);
        let end = if x == 0.0 { &track.sections[0] } else { track.sections.last().unwrap() };
        assert!((end.width() - 11.0).abs() < 0.05, "{}", end.width());
    }
    assert_eq!(
        message(&straight(), &[at(150.0, 6.0), at(303.0, 6.0)]),
        "edge_point 2 lies 3.00 m beyond the end of the left edge: move it beside the road"
    );
    assert!(message(&straight(), &[at(-1.0, -6.0)]).contains("1.00 m beyond the end of the right edge"));
}

#[test]
fn a_point_that_does_not_fit_is_refused_with_its_number() {
    let good = at(50.0, 6.0);
    let second = |bad: EdgeCorrection| message(&straight(), &[good, bad]);
    assert!(second(at(150.0, 35.0)).starts_with("edge_point 2 lies 30.0 m from the left edge, more than twice"));
    assert!(second(with_length(150.0, 8.0, 2.0)).contains(
        "edge_point 2 moves the left edge by 3.00 m, but has 2.00 m along the road to fade out: raise its length_m"
    ));
    assert!(second(with_length(150.0, 6.0, 0.0)).contains("edge_point 2: length_m = 0 must be a length of 0.01 m"));
    assert!(second(at(f64::NAN, 6.0)).contains("edge_point 2: at = [NaN, 6] must be two finite coordinates"));
    assert_eq!(second(at(50.0, 5.5)), "edge_point 1 and 2 are for the same place of the left edge: leave one out");
    let pixels = EdgeCorrection { at: Spot::Pixels([1.0, 2.0]), ..good };
    assert!(second(pixels).contains("edge_point 2 is in pixels, but the track does not come from a picture"));
    let degrees = EdgeCorrection { at: Spot::Degrees([1.0, 2.0]), ..good };
    assert!(second(degrees).contains("edge_point 2 is in degrees"));
    let left = |x: f64, y: f64| EdgeCorrection { side: Some(EdgeSide::Left), ..at(x, y) };
    // 3.4 m are needed; from both sides, or from one.
    let narrow = second(left(150.0, -2.5));
    assert!(narrow.starts_with("edge_point 2 leaves the road 2.5"), "{narrow}");
    assert!(narrow.contains("where the vehicle needs 3.40 m: move it outwards"), "{narrow}");
    assert!(second(left(150.0, -5.5)).contains("edge_point 2 makes edges of the road cross near"));
    assert!(message(&straight(), &[left(150.0, 1.0), at(150.0, -1.0)]).contains("leaves the road 2.0"));
}

#[test]
fn where_the_road_crosses_itself_the_nearest_edge_moves_up_to_the_crossing() {
    let middle = (0..600).map(|i| TAU * f64::from(i) / 600.0);
    let middle: Vec<[f64; 2]> = middle.map(|t| [150.0 * t.cos(), 150.0 * t.sin() * t.cos()]).collect();
    let options = Options::default();
    let road = pipeline::extract_centre_line("eight", &middle, &[[4.0, 4.0]; 600], &options, &Silent).unwrap();
    let track = road.track;
    assert!(!track.crossings.is_empty());
    // Beside one leg, 25 m from the crossing: its legs are at ±45° there.
    let leg = Point::new(18.0, 18.0);
    let normal = across(leg);
    let place = leg + normal * 5.5;
    let moved = corrected(&track, &[at(place.x, place.y)]).unwrap();
    assert_eq!(moved.crossings, track.crossings);
    let distance = |edge: &Polyline| SegmentIndex::new(edge, 5.0).nearest(place).unwrap().distance;
    assert!(distance(&moved.left_edge).min(distance(&moved.right_edge)) < 1e-9);
    let is_untouched = [
        moved.left_edge.points.len() == track.left_edge.points.len(),
        moved.right_edge.points.len() == track.right_edge.points.len(),
    ];
    assert_eq!(is_untouched.iter().filter(|same| **same).count(), 1, "one edge moved, the other did not");
    // Every piece across the other leg is whole.
    let pieces: Vec<(Point, Point)> = moved.left_edge.pieces().chain(moved.right_edge.pieces()).collect();
    assert!(moved.crossings.iter().all(|&[a, b]| pieces.contains(&(a, b)) || pieces.contains(&(b, a))));
    // Too near to the crossing, nothing is left of the length.
    let [corner, next] = track.crossings[0];
    let along = (next - corner).normalize();
    let beside = [1.0, -1.0].map(|side| corner - along * 0.5 + raceline::geometry::left_of(along) * side);
    // On the road: its legs cross at the origin.
    let beside = beside.into_iter().min_by(|a, b| a.coords.norm().total_cmp(&b.coords.norm())).unwrap();
    let refused = message(&track, &[at(beside.x, beside.y)]);
    assert!(refused.contains("up to where the road crosses itself: move it away from the crossing"), "{refused}");
}

/// Across a leg that runs at 45° from the origin.
fn across(leg: Point) -> raceline::geometry::Vector {
    raceline::geometry::left_of(leg.coords / leg.coords.norm())
}

#[test]
fn heights_go_on_with_the_slope_of_the_road() {
    // Banked: the height grows with the distance from the middle of the ring.
    let edges = raised(ring(60.0, 70.0), |p: Point| 0.1 * p.coords.norm());
    let track = cut(&edges, &TrackOptions::default()).unwrap();
    let moved = corrected(&track, &[at(73.0, 0.0), at(-57.0, 0.0)]).unwrap();
    for (section, surface) in moved.sections.iter().zip(moved.surface.unwrap()) {
        for (end, place) in [(surface.left, section.left), (surface.right, section.right)] {
            assert!((end.height_m - 0.1 * place.coords.norm()).abs() < 0.02, "{} at {place}", end.height_m);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_point_on_an_edge_changes_nothing(fraction in 0.0..1.0_f64, is_left: bool, length_m in 0.5..60.0_f64) {
        let track = cut(&wavy(160.0, 0.25, 3, 10.0), &TrackOptions::default()).unwrap();
        let edge = if is_left { &track.left_edge } else { &track.right_edge };
        let place = edge.point_at(&edge.arc_lengths(), fraction * edge.length());
        let same = corrected(&track, &[with_length(place.x, place.y, length_m)]).unwrap();
        prop_assert_eq!(same, track);
    }

    #[test]
    fn the_edge_passes_through_every_point(fraction in 0.0..1.0_f64, is_left: bool, out_m in -3.0..3.0_f64) {
        let track = cut(&wavy(160.0, 0.25, 3, 10.0), &TrackOptions::default()).unwrap();
        let edge = if is_left { &track.left_edge } else { &track.right_edge };
        let (lengths, length) = (edge.arc_lengths(), edge.length());
        let places = [0.0, 0.01, 0.2].map(|further| {
            let s = (fraction + further) * length;
            let (a, b) = (edge.point_at(&lengths, s - 0.2), edge.point_at(&lengths, s + 0.2));
            let outwards = raceline::geometry::left_of((b - a).normalize()) * if is_left { 1.0 } else { -1.0 };
            edge.point_at(&lengths, s) + outwards * out_m
        });
        let moved = corrected(&track, &places.map(|p| at(p.x, p.y))).unwrap();
        let edge = if is_left { &moved.left_edge } else { &moved.right_edge };
        let index = SegmentIndex::new(edge, 5.0);
        for place in places {
            prop_assert!(index.nearest(place).unwrap().distance < 1e-9);
        }
    }
}

#[test]
fn the_line_keeps_its_margin_to_the_corrected_edge() {
    let middle: Vec<[f64; 2]> =
        (0..200).map(|i| TAU * f64::from(i) / 200.0).map(|t| [120.0 * t.cos(), 60.0 * t.sin()]).collect();
    let with = |points: &[EdgeCorrection]| {
        let options = Options { edge_point: points.to_vec(), ..Options::default() };
        let road = pipeline::extract_centre_line("oval", &middle, &[[5.0, 5.0]; 200], &options, &Silent).unwrap();
        pipeline::optimize(road, &Request::new(&options, &preset("tum-racecar").unwrap())).unwrap().line
    };
    let (as_read, moved) = (with(&[]), with(&[with_length(120.0 - 8.0, 0.0, 30.0)]));
    // The inner edge of the end bend, at x = 115 m, is 3 m farther in: the line cuts it more.
    let in_bend = |line: &raceline::RacingLine| {
        let near = line.points.iter().filter(|point| point.x_m > 100.0 && point.y_m.abs() < 3.0);
        near.map(|point| point.x_m).fold(f64::INFINITY, f64::min)
    };
    assert!(in_bend(&moved) < in_bend(&as_read) - 0.5, "{} and {}", in_bend(&moved), in_bend(&as_read));
    assert!(moved.lap_time_s < as_read.lap_time_s - 0.01);
    let report = judge(&moved, None, None).unwrap();
    assert!(report.is_sound(), "{:?}", report.findings().collect::<Vec<_>>());
    let inner = moved.edges.left.iter().chain(&moved.edges.right);
    assert!(inner.clone().any(|&[x, y]| (x - 112.0).hypot(y) < 1e-3), "the drawn edge is the corrected one");
    // The file has the point, and can be judged and read again.
    let bytes = json::write(&moved).unwrap();
    assert_eq!(json::read(&bytes).unwrap().options.edge_point.len(), 1);
}

fn folder_of_ring(sidecar: &str) -> TempDir {
    let folder = TempDir::new().unwrap();
    let on_ring = |x: f64, y: f64| ((x - 200.0).hypot(y - 200.0) - 150.0).abs() <= 10.0;
    fs::write(folder.path().join("ring.png"), encoded(anti_aliased(400, on_ring), ImageFormat::Png)).unwrap();
    fs::write(folder.path().join("ring.toml"), format!("metres_per_pixel = 0.5\n{sidecar}")).unwrap();
    folder
}

fn raceline(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_raceline"));
    command.current_dir(folder).env_remove("NO_COLOR");
    command
}

/// The outer edge is 160 px from the middle of the picture: this point 4 px, 2 m, farther out.
const POINT: &str = "[[edge_point]]\nat = \"364,200px\"\nlength_m = 12.0\n";

#[test]
fn a_sidecar_moves_the_edges_of_a_picture_for_any_number_of_threads() {
    let folder = folder_of_ring(POINT);
    let made = ["1", "2", "4"].map(|threads| {
        let arguments = ["optimize", "ring.png", "-q", "--threads", threads, "--method", "min-curvature", "-o"];
        raceline(folder.path()).args(arguments).arg(format!("{threads}.json")).assert().success();
        fs::read(folder.path().join(format!("{threads}.json"))).unwrap()
    });
    assert!(made[0] == made[1] && made[0] == made[2]);
    let line = json::read(&made[0]).unwrap();
    assert!(line.edges.left.iter().chain(&line.edges.right).any(|&[x, y]| (x - 182.0).hypot(y - 100.0) < 1e-3));
    raceline(folder.path()).args(["verify", "1.json"]).assert().success();
    // The same from the command line, and what the report has of the corrected road.
    fs::write(folder.path().join("ring.toml"), "metres_per_pixel = 0.5").unwrap();
    raceline(folder.path())
        .args(["extract", "ring.png", "-o", "t.json", "--edge-point", "[{\"at\":\"364,200px\",\"length_m\":12}]"])
        .assert()
        .success()
        .stderr(contains("10.0 m wide (10.0 to 12.0 m)").or(contains("to 12.0 m")));
}

#[test]
fn a_wrong_entry_is_named_with_its_file() {
    let folder = folder_of_ring("[[edge_point]]\nat = \"364,200px\"\nlength_m = -1\n");
    let run = raceline(folder.path()).args(["extract", "ring.png", "-o", "t.json"]).assert().code(1);
    run.stderr(contains("ring.toml, line 2").and(contains("a length of 0.01 m or more")));
    let far = folder_of_ring("[[edge_point]]\nat = [100.0, 100.0]\n");
    raceline(far.path())
        .args(["extract", "ring.png", "-o", "t.json"])
        .assert()
        .code(1)
        .stderr(contains("ring.png: an edge can't be moved").and(contains("edge_point 1 lies 70.")));
    let unknown = folder_of_ring("[[edge_point]]\nat = [100.0, 100.0]\nside = \"both\"\n");
    raceline(unknown.path())
        .args(["extract", "ring.png", "-o", "t.json"])
        .assert()
        .code(1)
        .stderr(contains("edge_point"));
}

#[test]
fn a_track_file_and_cones_take_points_too() {
    let folder = folder_of_ring("");
    raceline(folder.path()).args(["extract", "ring.png", "-q", "-o", "track.json"]).assert().success();
    fs::write(folder.path().join("track.toml"), "[[edge_point]]\nat = [182.0, 100.0]\n").unwrap();
    let layer = Layer::read(&folder.path().join("track.toml")).unwrap();
    let options = Options::from_layers(&[layer]).unwrap();
    let plain = pipeline::extract(&folder.path().join("track.json"), &Options::default(), &Silent).unwrap().track;
    let moved = pipeline::extract(&folder.path().join("track.json"), &options, &Silent).unwrap().track;
    let widest = |track: &Track| track.sections.iter().map(CrossSection::width).fold(0.0, f64::max);
    assert!((widest(&moved) - widest(&plain) - 2.0).abs() < 0.1, "{} and {}", widest(&moved), widest(&plain));
    assert_eq!(moved.spacing_m, plain.spacing_m);
    assert!(moved.sections.len().abs_diff(plain.sections.len()) < 5);
    // Applied again, nothing changes: the edge passes through the point already.
    let again = corrected(&moved, &options.edge_point).unwrap();
    assert_eq!(again, moved);
    let cones: String = (0..60)
        .map(|i| TAU * f64::from(i) / 60.0)
        .map(|t| format!("blue,{},{}\nyellow,{},{}\n", 18.0 * t.cos(), 18.0 * t.sin(), 22.0 * t.cos(), 22.0 * t.sin()))
        .collect();
    fs::write(folder.path().join("cones.csv"), format!("tag,x,y\n{cones}")).unwrap();
    let points = Options { edge_point: vec![at(23.0, 0.0)], ..Options::default() };
    let track = pipeline::extract(&folder.path().join("cones.csv"), &points, &Silent).unwrap().track;
    assert!((widest(&track) - 5.0).abs() < 0.1, "{}", widest(&track));
}
