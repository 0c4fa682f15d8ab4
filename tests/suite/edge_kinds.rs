//! Kinds of edges from a sidecar: the clearance is kept on the stretch and nowhere else, on tracks of
//! coordinates and on pictures.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]

use std::f64::consts::TAU;
use std::path::Path;

use raceline::edges::EdgeKind;
use raceline::file::Method;
use raceline::geometry::Point;
use raceline::options::Layer;
use raceline::pipeline::{self, Request};
use raceline::solve::optimize;
use raceline::track::{Direction, EdgeStretch, RoadSide, Track, TrackOptions, cut};
use raceline::vehicle::{Vehicle, preset};
use raceline::{Options, RacingLine};

use crate::roads::ring;

/// Radii of the edges of the ring, metres.
const INNER_M: f64 = 45.0;
const OUTER_M: f64 = 57.0;

fn round_track() -> Track {
    let options = TrackOptions { direction: Some(Direction::Counterclockwise), ..TrackOptions::default() };
    cut(&ring(INNER_M, OUTER_M), &options).unwrap()
}

/// A car of 2 m that keeps 0.3 m from lines.
fn car() -> Vehicle {
    Vehicle { safety_distance_m: 0.3, width_m: 2.0, ..preset("gt").unwrap() }
}

fn stretch(from_m: f64, to_m: f64, side: RoadSide, kind: EdgeKind) -> EdgeStretch {
    EdgeStretch { from_m, to_m, side, kind }
}

/// The shortest line on the ring with these stretches: distance along the centre line and radius of
/// each point.
fn shortest(stretches: &[EdgeStretch]) -> Vec<(f64, f64)> {
    let track = round_track().with_edge_kinds(stretches).unwrap();
    let options = Options { method: Method::ShortestPath, ..Options::default() };
    let found = optimize(&track, &car(), &options.line_options()).unwrap().driven();
    let start = track.sections[0].middle();
    let length = track.centre_line().length();
    let along = |p: Point| (p.y.atan2(p.x) - start.y.atan2(start.x)).rem_euclid(TAU) / TAU * length;
    found.between().map(|p| (along(p), p.coords.norm())).collect()
}

#[test]
fn a_wall_keeps_the_line_away_on_its_stretch_and_nowhere_else() {
    let (from_m, to_m) = (60.0, 130.0);
    let line = shortest(&[stretch(from_m, to_m, RoadSide::Left, EdgeKind::Wall)]);
    let (mut beside, mut away) = (0, 0);
    for (s, radius) in line {
        let from_edge = radius - INNER_M - 1.0;
        if (from_m..to_m).contains(&s) {
            beside += 1;
            assert!(from_edge > 0.7 - 0.01, "{s}: {from_edge}");
            // Near the ends the shortest path leaves the circle.
            let is_inside = (from_m + 12.0..to_m - 12.0).contains(&s);
            assert!(from_edge < if is_inside { 0.71 } else { 0.9 }, "{s}: {from_edge}");
        } else if !(from_m - 15.0..to_m + 15.0).contains(&s) {
            away += 1;
            assert!((from_edge - 0.3).abs() < 0.01, "{s}: {from_edge}");
        }
    }
    assert!(beside > 10 && away > 30, "{beside} {away}");
}

#[test]
fn a_stretch_is_about_its_side_and_may_lead_over_the_start() {
    // The shortest line is not near the outer edge.
    let plain = shortest(&[]);
    assert_eq!(shortest(&[stretch(60.0, 130.0, RoadSide::Right, EdgeKind::Line)]), plain);
    let over_the_start = stretch(280.0, 40.0, RoadSide::Both, EdgeKind::Kerb);
    for (s, radius) in shortest(&[over_the_start]) {
        let from_edge = radius - INNER_M - 1.0;
        // Up to the next cross-section.
        let is_on_kerb = (s - 277.0).rem_euclid(TAU * 51.0) < TAU * 51.0 - 234.0;
        assert!(is_on_kerb || from_edge > 0.29, "{s}: {from_edge}");
        if !(25.0..295.0).contains(&s) {
            assert!((from_edge + 0.3).abs() < 0.02, "{s}: {from_edge}");
        }
    }
    // The last of two stretches counts.
    let taken_back = [over_the_start, stretch(0.0, 1e3_f64.min(TAU * 51.0 - 0.1), RoadSide::Both, EdgeKind::Line)];
    let track = round_track().with_edge_kinds(&taken_back).unwrap();
    assert!(track.surface.unwrap()[1..].iter().all(|section| section.left.kind == EdgeKind::Line));
}

#[test]
fn a_short_wall_between_two_cross_sections_counts() {
    let track = round_track();
    let ends = track.centre_line().arc_lengths();
    let middle = f64::midpoint(ends[7], ends[8]);
    let kinds = |kind| {
        let track = track.clone().with_edge_kinds(&[stretch(middle, middle + 0.1, RoadSide::Both, kind)]).unwrap();
        let surface = track.surface.unwrap();
        surface.iter().enumerate().filter(|(_, section)| section.right.kind == kind).map(|(i, _)| i).collect::<Vec<_>>()
    };
    assert_eq!(kinds(EdgeKind::Wall), [7, 8]);
    assert!(kinds(EdgeKind::Kerb).is_empty());
}

#[test]
fn stretches_that_do_not_fit_name_the_number_and_the_range() {
    let message = |from_m, to_m| {
        let good = stretch(0.0, 10.0, RoadSide::Both, EdgeKind::Wall);
        let bad = stretch(from_m, to_m, RoadSide::Both, EdgeKind::Wall);
        round_track().with_edge_kinds(&[good, bad]).unwrap_err().to_string()
    };
    assert_eq!(message(-1.0, 10.0), "edge stretch 2: -1 must be a distance of 0 m or more");
    assert!(message(10.0, 400.0).starts_with("edge stretch 2: 400 m lies beyond the end of the road"));
    assert_eq!(
        message(7.0, 7.0),
        "edge stretch 2 from 7 m to 7 m has no length: to_m must be another place than from_m"
    );
}

fn read(text: &str) -> Result<Options, raceline::options::OptionsError> {
    Layer::from_toml(Path::new("x.toml"), text).and_then(|layer| Options::from_layers(&[layer]))
}

#[test]
fn a_sidecar_has_clearances_in_a_table_or_by_themselves() {
    let table = read("seed = 3\n[edges]\nwall_clearance_m = 0.9\nkerb_overhang_m = 0.1\n").unwrap();
    assert_eq!((table.clearance.wall_clearance_m, table.clearance.kerb_overhang_m), (0.9, 0.1));
    assert_eq!(read("seed = 3\nwall_clearance_m = 0.9\nkerb_overhang_m = 0.1\n").unwrap(), table);
    assert_eq!(read("edges = { wall_clearance_m = 0.7 }\n").unwrap(), Options::default());
    let stretches = read(
        "[[edge]]\nfrom_m = 1\nto_m = 2\nkind = \"wall\"\n[[edge]]\nfrom_m = 3\nto_m = 4\nside = \"right\"\nkind = \"kerb\"\n",
    );
    let expected =
        [stretch(1.0, 2.0, RoadSide::Both, EdgeKind::Wall), stretch(3.0, 4.0, RoadSide::Right, EdgeKind::Kerb)];
    assert_eq!(stretches.unwrap().edge, expected);
}

#[test]
fn wrong_tables_are_reported_by_line_and_fix() {
    for (text, message) in [
        (
            "\n[edges]\nwall_clearance = 1\n",
            "x.toml, line 3: wall_clearance is not an option: did you mean wall_clearance_m?",
        ),
        ("[edges]\nwall_clearance_m = -1\n", "x.toml, line 2: wall_clearance_m is -1, must be from 0 to 100 m"),
        (
            "[edges]\nseed = 1\n",
            "x.toml, line 2: seed is not an option of the table [edges]: write it above the first table",
        ),
        (
            "edges = 0.7\n",
            "x.toml, line 1: edges is 0.7, expected a table [edges] with wall_clearance_m, kerb_overhang_m",
        ),
        ("[[edges]]\nfrom_m = 1\n", "expected a table [edges]"),
        (
            "wall_clearance_m = 1\n[edges]\nwall_clearance_m = 1\n",
            "x.toml, line 1: wall_clearance_m and x.toml, line 3: wall_clearance_m specify the same option",
        ),
        (
            "edge = \"wall\"\n",
            "x.toml, line 1: edge is \"wall\", expected a list of stretches, each with from_m, to_m, kind",
        ),
        ("[[edge]]\nfrom_m = 1\nto_m = 2\nkind = \"hedge\"\n", "line 1: edge is"),
        ("[[edge]]\nfrom_m = -1\nto_m = 2\nkind = \"wall\"\n", "line 1: edge is -1, must be a distance of 0 m or more"),
    ] {
        let error = read(text).unwrap_err().to_string();
        assert!(error.contains(message), "{error} lacks {message}");
    }
}

#[test]
fn a_wall_beside_a_picture_keeps_the_line_away() {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("tracks");
    let optimized = |sidecar: &str| -> RacingLine {
        let layers = [
            Layer::read(&folder.join("stadium.toml")).unwrap(),
            Layer::from_toml(Path::new("x.toml"), &format!("method = \"shortest-path\"\n{sidecar}")).unwrap(),
        ];
        let options = Options::from_layers(&layers).unwrap();
        let vehicle = options.load_vehicle().unwrap();
        pipeline::optimize(&folder.join("stadium.png"), &Request::new(&options, &vehicle)).unwrap().line.rounded()
    };
    let plain = optimized("");
    // The points at which the line is nearest to its inner edge lie in the bends.
    let nearest = |line: &RacingLine, low: f64, high: f64| {
        let inside = line.points.iter().filter(|point| (low..high).contains(&(point.s_m / line.length_m)));
        inside.map(|point| point.left_m.min(point.right_m)).fold(f64::INFINITY, f64::min)
    };
    let margin = plain.vehicle.margin_m();
    let wall = plain.vehicle.width_m / 2.0 + 2.0;
    assert!((nearest(&plain, 0.0, 0.5) - margin).abs() < 0.2 && margin < wall - 0.1, "{margin}");
    let half = plain.length_m / 2.0;
    let walled =
        optimized(&format!("[edges]\nwall_clearance_m = 2\n[[edge]]\nfrom_m = 0\nto_m = {half}\nkind = \"wall\"\n"));
    assert!(nearest(&walled, 0.0, 0.45) > wall - 0.02, "{}", nearest(&walled, 0.0, 0.45));
    assert!(nearest(&walled, 0.6, 0.95) < margin + 0.2, "{}", nearest(&walled, 0.6, 0.95));
    let reported = stretch(0.0, half, RoadSide::Both, EdgeKind::Wall);
    assert_eq!(walled.options.edge, [reported]);
}
