//! Paths through free space: closed forms, properties of the planners, the road about a path, and
//! the errors for bad input.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking, in its helpers too"
)]

use std::fs;

use assert_cmd::Command;
use image::{GrayImage, Luma};
use raceline::Options;
use raceline::frame::{PictureFrame, Spot};
use raceline::geometry::{Point, Polyline};
use raceline::pipeline::{Error, Request, Silent, extract, optimize};
use raceline::plan::{
    FreeSpace, Heuristic, Plan, PlanError, PlanOptions, PlannerKind, PotentialEscape, length_of, plan, road_about,
    tasks,
};
use raceline::track::{self, TrackOptions};
use raceline::vehicle::{Vehicle, preset};

/// Side of a cell, metres.
const CELL_M: f64 = 0.1;
/// Needed clearance, metres.
const NEEDED_M: f64 = 0.4;

fn robot() -> Vehicle {
    preset("robot-car").unwrap()
}

/// A hall of 12 m by 8 m whose obstacles are where `is_wall` holds, in metres from the lower left.
fn hall(is_wall: impl Fn(f64, f64) -> bool) -> FreeSpace {
    let (width, height) = (120, 80);
    let frame =
        PictureFrame { metres_per_pixel: CELL_M, origin_m: Point::origin(), width_px: width, height_px: height };
    let picture = GrayImage::from_fn(width, height, |column, row| {
        let place = frame.to_world(f64::from(column) + 0.5, f64::from(row) + 0.5);
        Luma([if is_wall(place.x, place.y) { 0 } else { 255 }])
    });
    FreeSpace::new(&picture, frame, NEEDED_M)
}

fn path(kind: PlannerKind, space: &FreeSpace, stops: &[Point]) -> Result<Plan, PlanError> {
    plan(kind, &PlanOptions::default(), space, stops, false, &robot(), 1)
}

fn ends() -> [Point; 2] {
    [Point::new(1.05, 4.05), Point::new(10.95, 4.05)]
}

/// Radius of the pillar in the middle of the hall.
const PILLAR_M: f64 = 1.0;

fn pillar(x: f64, y: f64) -> bool {
    (x - 6.0).hypot(y - 4.0) < PILLAR_M
}

#[test]
fn in_an_empty_hall_every_path_is_the_straight_line() {
    let space = hall(|_, _| false);
    for kind in PlannerKind::ALL {
        let found = path(kind, &space, &ends()).unwrap();
        assert!((found.length_m - 9.9).abs() < 0.01, "{}: {} m", kind.name(), found.length_m);
    }
}

#[test]
fn past_a_pillar_a_taut_path_has_the_length_of_two_tangents_and_an_arc() {
    let space = hall(pillar);
    // A string round a disc of radius r, at the distance d to either side: 2 √(d² - r²) and the arc.
    let (radius, distance) = (PILLAR_M + NEEDED_M, 4.95_f64);
    let half_angle = std::f64::consts::FRAC_PI_2 - (radius / distance).acos();
    let taut = 2.0 * (distance * distance - radius * radius).sqrt() + 2.0 * radius * half_angle;
    for kind in PlannerKind::ALL {
        let found = path(kind, &space, &ends()).unwrap();
        let error = found.length_m / taut - 1.0;
        assert!((-0.01..0.03).contains(&error), "{}: {} m for {taut} m", kind.name(), found.length_m);
        // A straight line is tested in steps of half a cell, so that it may pass a cell's corner.
        let line = Polyline::open(found.path.clone());
        let arc_lengths = line.arc_lengths();
        for k in 0..=1000 {
            let at = line.point_at(&arc_lengths, line.length() * f64::from(k) / 1000.0);
            assert!(space.clearance_at_m(at) >= NEEDED_M - CELL_M, "{}: {at}", kind.name());
        }
    }
}

#[test]
fn a_wall_without_a_gap_is_reported() {
    let space = hall(|x, _| (x - 6.0).abs() < 0.3);
    for kind in PlannerKind::ALL {
        let error = path(kind, &space, &ends()).unwrap_err();
        let by_samples = matches!(
            kind,
            PlannerKind::Prm
                | PlannerKind::GaussianPrm
                | PlannerKind::VisibilityPrm
                | PlannerKind::Rrt
                | PlannerKind::RrtStar
        );
        match error {
            PlanError::NoPath { .. } => assert!(!by_samples, "{}", kind.name()),
            PlanError::GaveUp { planner } => assert!(by_samples && planner == kind.name()),
            other => panic!("{other}"),
        }
    }
}

#[test]
fn a_door_is_passed_if_the_vehicle_fits() {
    let with_door = |width_m: f64| hall(move |x, y| (x - 6.0).abs() < 0.3 && (y - 6.0).abs() > width_m / 2.0);
    assert!(path(PlannerKind::Voronoi, &with_door(1.2), &ends()).is_ok());
    assert!(matches!(path(PlannerKind::Voronoi, &with_door(0.6), &ends()), Err(PlanError::NoPath { .. })));
}

#[test]
fn a_star_costs_what_dijkstra_does_and_expands_less() {
    let space = hall(pillar);
    for stops in tasks(&space, 20, 3) {
        let dijkstra = path(PlannerKind::Dijkstra, &space, &stops).unwrap();
        let a_star = path(PlannerKind::AStar, &space, &stops).unwrap();
        let weighted = path(PlannerKind::WeightedAStar, &space, &stops).unwrap();
        assert_eq!(a_star.cost, dijkstra.cost);
        assert!(a_star.nodes_expanded <= dijkstra.nodes_expanded);
        assert!(weighted.cost <= 1.5 * dijkstra.cost + 1e-9 && weighted.cost >= dijkstra.cost - 1e-9);
    }
}

#[test]
fn a_pocket_holds_a_potential_field_which_reports_it_and_gets_out() {
    // A bracket that is open towards the start.
    let space = hall(|x, y| {
        let is_back = (6.8..7.2).contains(&x) && (y - 4.0).abs() < 2.0;
        let is_arm = (5.0..7.2).contains(&x) && (1.8..2.2).contains(&(y - 4.0).abs());
        is_back || is_arm
    });
    let held = path(PlannerKind::PotentialField, &space, &ends()).unwrap();
    assert!(!held.minima.is_empty());
    let free = path(PlannerKind::PotentialField, &hall(|_, _| false), &ends()).unwrap();
    assert!(free.minima.is_empty());
}

#[test]
fn rrt_star_finds_a_shorter_path_than_rrt() {
    let space = hall(pillar);
    let cost = |kind| -> f64 { tasks(&space, 6, 2).iter().map(|stops| path(kind, &space, stops).unwrap().cost).sum() };
    assert!(cost(PlannerKind::RrtStar) < cost(PlannerKind::Rrt));
}

#[test]
fn a_visibility_roadmap_has_few_nodes_and_none_in_an_empty_hall() {
    let empty = hall(|_, _| false);
    assert_eq!(path(PlannerKind::VisibilityPrm, &empty, &ends()).unwrap().nodes_expanded, 2);
    let space = hall(pillar);
    for stops in tasks(&space, 10, 4) {
        let few = path(PlannerKind::VisibilityPrm, &space, &stops).unwrap();
        let many = path(PlannerKind::Prm, &space, &stops).unwrap();
        assert!(10 * few.nodes_expanded < many.nodes_expanded, "{} {}", few.nodes_expanded, many.nodes_expanded);
    }
}

#[test]
fn the_default_is_never_slower_than_a_star() {
    let space = hall(pillar);
    for stops in tasks(&space, 20, 5) {
        let default = path(PlannerKind::default(), &space, &stops).unwrap();
        let a_star = path(PlannerKind::AStar, &space, &stops).unwrap();
        assert!(default.estimated_time_s <= a_star.estimated_time_s + 1e-9, "{stops:?}");
    }
}

#[test]
fn the_same_seed_gives_the_same_path() {
    let space = hall(pillar);
    for kind in PlannerKind::ALL {
        assert_eq!(path(kind, &space, &ends()), path(kind, &space, &ends()), "{}", kind.name());
    }
    assert_eq!(tasks(&space, 5, 1), tasks(&space, 9, 1)[..5]);
    assert_ne!(tasks(&space, 5, 1), tasks(&space, 5, 2));
}

#[test]
fn vias_are_passed_in_order_and_a_closed_path_leads_back() {
    let space = hall(pillar);
    let stops = [Point::new(1.05, 1.05), Point::new(10.95, 1.05), Point::new(10.95, 6.95), Point::new(1.05, 6.95)];
    let found = plan(PlannerKind::Voronoi, &PlanOptions::default(), &space, &stops, true, &robot(), 1).unwrap();
    let at = |stop: &Point| found.path.iter().position(|point| point == stop);
    let order: Vec<usize> = stops.iter().map(|stop| at(stop).unwrap()).collect();
    assert!(order.is_sorted() && order[0] == 0);
    assert!((found.length_m - 2.0 * (9.9 + 5.9)).abs() < 0.05, "{}", found.length_m);
}

#[test]
fn a_stop_without_room_is_refused_with_the_nearest_place_with_room() {
    let space = hall(pillar);
    let error = path(PlannerKind::Voronoi, &space, &[ends()[0], Point::new(6.0, 4.6)]).unwrap_err();
    let PlanError::NoRoom { stop, nearest_m: Some([x, y]), .. } = error else { panic!("{error}") };
    assert_eq!(stop, "to");
    assert!(space.has_room(Point::new(x, y)) && y > 5.0);
    let outside = path(PlannerKind::Voronoi, &space, &[Point::new(-1.0, 4.0), ends()[1]]).unwrap_err();
    assert!(matches!(outside, PlanError::OutsideMap { .. }), "{outside}");
}

#[test]
fn a_weight_below_one_is_refused() {
    let options = PlanOptions { planner_weight: Some(0.5), ..PlanOptions::default() };
    let error = plan(PlannerKind::WeightedAStar, &options, &hall(pillar), &ends(), false, &robot(), 1).unwrap_err();
    assert!(matches!(error, PlanError::OutOfRange(_)), "{error}");
}

#[test]
fn an_option_that_a_planner_lacks_and_a_heuristic_that_misses_the_minimum_are_refused() {
    let space = hall(pillar);
    let run = |kind, options: &PlanOptions| plan(kind, options, &space, &ends(), false, &robot(), 1);
    let known = run(PlannerKind::Dijkstra, &PlanOptions::default()).unwrap();
    for heuristic in Heuristic::ALL {
        let options = PlanOptions { heuristic: Some(heuristic), ..PlanOptions::default() };
        match run(PlannerKind::AStar, &options) {
            Ok(found) => assert_eq!(found.cost, known.cost, "{}", heuristic.name()),
            Err(error) => {
                assert!(
                    heuristic == Heuristic::Manhattan && matches!(error, PlanError::Inadmissible { .. }),
                    "{error}"
                );
            }
        }
        let weighted = run(PlannerKind::WeightedAStar, &options).unwrap();
        assert!(weighted.cost <= 1.5 * heuristic.overestimate() * known.cost);
        let error = run(PlannerKind::Prm, &options).unwrap_err();
        assert!(matches!(error, PlanError::Unused { option: "heuristic", planner: "prm", .. }), "{error}");
        assert_eq!(
            run(PlannerKind::Prm, &options.for_planner(PlannerKind::Prm)),
            path(PlannerKind::Prm, &space, &ends())
        );
    }
    let escape = PlanOptions { potential_escape: Some(PotentialEscape::Roadmap), ..PlanOptions::default() };
    let error = run(PlannerKind::AStar, &escape).unwrap_err();
    assert!(matches!(error, PlanError::Unused { option: "potential_escape", .. }), "{error}");
}

#[test]
fn the_command_line_keeps_a_roadmap_and_refuses_that_of_another_map() {
    let folder = tempfile::tempdir().unwrap();
    map_in(folder.path());
    let run = |arguments: &[&str]| {
        let map = ["plan", "hall.yaml", "--vehicle", "robot-car", "--roadmap", "kept.json", "--json"];
        let output = raceline().current_dir(folder.path()).args(map).args(arguments).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let ends = ["--from", "1,4", "--to", "11,4"];
    let first = run(&ends);
    assert_eq!(first.0, Some(0), "{}", first.2);
    let kept = fs::read(folder.path().join("kept.json")).unwrap();
    assert_eq!(run(&ends), first);
    assert_eq!(fs::read(folder.path().join("kept.json")).unwrap(), kept);
    let (code, stdout, stderr) = run(&["--tasks", "5", "--seed", "3"]);
    assert!(code == Some(0) && stdout.contains("\"found\": 5"), "{stdout} {stderr}");
    for (more, message) in [
        (&["--safety-distance-m", "0.3"][..], "another map"),
        (&["--planner", "gaussian-prm"], "it is a roadmap of the planner prm"),
        (&["--planner", "rrt"], "it is a roadmap of the planner prm"),
    ] {
        let (code, _, stderr) = run(&[&ends[..], more].concat());
        assert!(code == Some(1) && stderr.contains("kept.json: ") && stderr.contains(message), "{stderr}");
    }
    let last = kept.len() - 40;
    fs::write(folder.path().join("kept.json"), &kept[..last]).unwrap();
    let (code, _, stderr) = run(&ends);
    assert!(code == Some(1) && stderr.contains("it is no roadmap of raceline"), "{stderr}");
}

#[test]
fn the_command_line_plans_on_the_floor_of_a_level() {
    let folder = tempfile::tempdir().unwrap();
    // Two rooms of 8 m and a door of 2 m between, as quads with y upwards; the map's y is -z.
    let mut level = "# a level\no NavMesh\n".to_owned();
    for [left, top, right, bottom] in [[0, 0, 8, 8], [8, 3, 9, 5], [9, 0, 17, 8]] {
        for [x, z] in [[left, top], [left, bottom], [right, bottom], [right, top]] {
            level += &format!("v {x} 0.2 {z}\n");
        }
        level += "f -4 -3 -2 -1\n";
    }
    fs::write(folder.path().join("level.obj"), level).unwrap();
    let run = |arguments: &[&str]| {
        let level = ["level.obj", "--vehicle", "robot-car", "--from", "1,-1", "--to", "16,-1"];
        let output =
            raceline().current_dir(folder.path()).args(&arguments[..1]).args(level).args(&arguments[1..]).output();
        let output = output.unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let (code, stdout, stderr) = run(&["plan", "--all", "--json"]);
    assert_eq!(code, Some(0), "{stderr}");
    let found: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    // A string round the two corners of the door, without the vehicle's width.
    let taut = 2.0 * 7_f64.hypot(2.0) + 1.0;
    for planner in found.as_array().unwrap() {
        let length_m = planner["length_m"].as_f64().unwrap();
        assert!((taut..1.1 * taut).contains(&length_m), "{planner}");
    }
    let (code, _, stderr) = run(&["optimize", "-q", "--planner", "navigation-mesh", "-o", "line.json"]);
    assert_eq!(code, Some(0), "{stderr}");
    let (code, _, stderr) = run(&["plan", "--metres-per-pixel", "0.1"]);
    assert!(code == Some(1) && stderr.contains("metres"), "{stderr}");
    let (code, _, stderr) = run(&["plan", "--part", "grass"]);
    assert!(code == Some(1) && stderr.contains("NavMesh"), "{stderr}");
}

#[test]
fn the_road_about_a_path_lies_in_free_space_and_can_be_cut() {
    let space = hall(pillar);
    for stops in tasks(&space, 12, 5) {
        let found = path(PlannerKind::Voronoi, &space, &stops).unwrap();
        if length_of(&found.path) < 10.0 * NEEDED_M {
            continue;
        }
        let edges = road_about(&space, &found.path, false, 2.5).unwrap();
        for point in edges.left.points.iter().chain(&edges.right.points) {
            assert!(space.clearance_at_m(*point) > 0.0, "an edge in an obstacle: {point}");
        }
        let track = track::cut(&edges, &TrackOptions::default()).unwrap();
        let min = track.sections.iter().map(track::CrossSection::width).fold(f64::INFINITY, f64::min);
        assert!(min > 2.0 * 0.3 * NEEDED_M, "{min} m");
        assert!((track.sections[0].middle() - stops[0]).norm() < 3.0, "starts at from");
    }
}

fn raceline() -> Command {
    Command::cargo_bin("raceline").unwrap()
}

/// A map of the hall in a folder of its own.
fn map_in(folder: &std::path::Path) {
    let picture = GrayImage::from_fn(120, 80, |column, row| {
        let (x, y) = (f64::from(column) * CELL_M, 8.0 - f64::from(row) * CELL_M);
        Luma([if pillar(x, y) { 0 } else { 254 }])
    });
    picture.save(folder.join("hall.png")).unwrap();
    fs::write(folder.join("hall.yaml"), "image: hall.png\nresolution: 0.1\norigin: [0, 0, 0]\n").unwrap();
}

#[test]
fn the_command_line_plans_draws_and_optimizes() {
    let folder = tempfile::tempdir().unwrap();
    map_in(folder.path());
    let run = |arguments: &[&str]| {
        let output = raceline().current_dir(folder.path()).args(arguments).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let stops = ["hall.yaml", "--vehicle", "robot-car", "--from", "1,4", "--to", "11,4"];
    let (code, stdout, stderr) = run(&[&["plan", "--all", "-o", "ways.svg"], &stops[..]].concat());
    assert_eq!(code, Some(0), "{stderr}");
    for kind in PlannerKind::ALL {
        assert!(stdout.contains(kind.name()), "{stdout}");
    }
    assert!(fs::read_to_string(folder.path().join("ways.svg")).unwrap().starts_with("<svg"));
    let (code, _, stderr) = run(&[&["optimize", "-q", "-o", "line.json"], &stops[..]].concat());
    assert_eq!(code, Some(0), "{stderr}");
    let line = raceline::file::json::read(&fs::read(folder.path().join("line.json")).unwrap()).unwrap();
    assert!(!line.closed && (10.0..14.0).contains(&line.length_m), "{}", line.length_m);
    let (code, _, stderr) = run(&["plan", "hall.yaml", "--from", "1,4"]);
    assert_eq!(code, Some(2));
    assert!(stderr.contains("the planned path has no to"), "{stderr}");
    let (code, _, stderr) = run(&["plan", "hall.yaml", "--from", "6,4", "--to", "1,4", "--vehicle", "robot-car"]);
    assert_eq!(code, Some(1));
    assert!(stderr.contains("nearest place with room"), "{stderr}");
}

#[test]
fn the_command_line_drives_through_a_map_that_it_discovers() {
    let folder = tempfile::tempdir().unwrap();
    map_in(folder.path());
    let run = |arguments: &[&str]| {
        let stops = ["plan", "hall.yaml", "--vehicle", "robot-car", "--from", "1,4", "--to", "11,4"];
        let output = raceline().current_dir(folder.path()).args(stops).args(arguments).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let (code, stdout, stderr) = run(&["--discover", "3", "--all", "--json", "-o", "driven.svg"]);
    assert_eq!(code, Some(0), "{stderr}");
    let found: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    let driven = &found[0];
    let number = |key: &str| driven[key].as_f64().unwrap();
    assert_eq!((&driven["planner"], &driven["status"]), (&"d-star-lite".into(), &"found".into()));
    assert!(number("length_m") > number("known_length_m") - CELL_M && number("known_length_m") > 10.0, "{stdout}");
    assert!(number("replans") > 1.0 && number("nodes_expanded") < number("a_star_expanded"), "{stdout}");
    assert!(fs::read_to_string(folder.path().join("driven.svg")).unwrap().contains("d-star-lite"));
    let (code, _, stderr) = run(&["--discover", "0.3"]);
    assert_eq!(code, Some(1));
    assert!(stderr.contains("specify a larger radius"), "{stderr}");
    for other in [&["--planner", "prm"], &["--from-heading-deg", "90"]] {
        let (code, _, stderr) = run(&[&["--discover", "3"][..], other].concat());
        assert_eq!(code, Some(2), "{stderr}");
        assert!(stderr.contains("--discover plans with D* Lite"), "{stderr}");
    }
}

#[test]
fn the_command_line_races_over_tiles_through_checkpoints() {
    let folder = tempfile::tempdir().unwrap();
    // A ring of streets, 4 m wide, on seven by five tiles of 8 m, and a street across it that has an end.
    let street = |x: u32, y: u32| {
        let (column, row) = (x / 8, y / 8);
        let is_along = |at: u32| (2..6).contains(&(at % 8));
        let is_round = (is_along(y) && (row == 0 || row == 4) && (2..54).contains(&x))
            || (is_along(x) && (column == 0 || column == 6) && (2..38).contains(&y));
        is_round || is_along(y) && row == 2 && (2..38).contains(&x)
    };
    GrayImage::from_fn(56, 40, |x, y| Luma([if street(x, y) { 255 } else { 0 }]))
        .save(folder.path().join("town.png"))
        .unwrap();
    let run = |arguments: &[&str]| {
        let race = ["plan", "town.png", "--metres-per-pixel", "1", "--vehicle", "robot-car", "--from", "4,20"];
        let output = raceline().current_dir(folder.path()).args(race).args(arguments).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let stops = ["--via", "52,20", "--to", "4,36"];
    let tiles = [&stops[..], &["--discover", "10", "--tile-m", "8"]].concat();
    let (code, stdout, stderr) = run(&[&tiles[..], &["--all", "--json", "-o", "raced.svg"]].concat());
    assert_eq!(code, Some(0), "{stderr}");
    let found: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    let number = |key: &str| found[0][key].as_u64().unwrap();
    assert_eq!(found[0]["planner"], "look-ahead");
    // Round the ring on either side; from the south it turns back at the checkpoint.
    assert_eq!(number("known_tiles"), 10 + 8);
    assert!([3, 5].contains(&number("known_turns")), "{stdout}");
    // Both try the street that ends, because it leads straight to the checkpoint.
    assert!(number("tiles") >= 18 + 4 && number("d_star_lite_tiles") >= 18 + 4, "{stdout}");
    assert_eq!(found[0]["length_m"], 8.0 * number("tiles") as f64);
    assert!(fs::read_to_string(folder.path().join("raced.svg")).unwrap().contains("look-ahead"));
    let (code, stdout, stderr) = run(&[&tiles[..], &["--turn-tiles", "2", "--depth", "3"]].concat());
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stdout.contains("map known") && !stdout.contains("d-star-lite"), "{stdout}");
    for (wrong, code, message) in [
        (&["--tile-m", "8"][..], 2, "--discover"),
        (&["--discover", "10", "--turn-tiles", "1"], 2, "--tile-m"),
        (&["--discover", "5", "--tile-m", "8"], 1, "specify a larger radius"),
        (&["--discover", "10", "--tile-m", "0.5"], 1, "specify a larger side"),
        (&["--discover", "10", "--tile-m", "8", "--turn-tiles", "-1"], 1, "turn_tiles = -1 must be from 0 to 1000"),
        (&["--discover", "10", "--tile-m", "8", "--via", "28,12"], 1, "via 2 (28.00 m, 12.00 m) is on a tile"),
    ] {
        let (found, _, stderr) = run(&[&stops[..], wrong].concat());
        assert_eq!(found, Some(code), "{wrong:?} {stderr}");
        assert!(stderr.contains(message), "{wrong:?} {stderr}");
    }
}

#[test]
fn tasks_of_which_no_planner_solves_one_fail() {
    let folder = tempfile::tempdir().unwrap();
    // Two halls with no door between them.
    let hall = GrayImage::from_fn(160, 100, |column, _| Luma([if column / 4 == 20 { 0 } else { 255 }]));
    hall.save(folder.path().join("halls.png")).unwrap();
    let codes: Vec<i32> = (1..=8)
        .map(|seed: i32| {
            let map = ["plan", "halls.png", "--metres-per-pixel", "0.1", "--vehicle", "robot-car", "--tasks", "1"];
            let output =
                raceline().current_dir(folder.path()).args(map).args(["--seed", &seed.to_string()]).output().unwrap();
            let (code, errors) = (output.status.code().unwrap(), String::from_utf8_lossy(&output.stderr).into_owned());
            assert_eq!(code == 1, errors.contains("no planner has a path"), "{seed}: {errors}");
            code
        })
        .collect();
    assert!(codes.contains(&0) && codes.contains(&1), "{codes:?}");
}

#[test]
fn a_path_is_planned_for_the_vehicle_of_the_request_whatever_the_options_name() {
    let folder = tempfile::tempdir().unwrap();
    map_in(folder.path());
    let spot = |x: f64| Some(Spot::Metres([x, 4.0]));
    // Without a name, the options are those of a car that is as wide as the hall is beside the pillar.
    let options = Options {
        plan: PlanOptions { from: spot(1.0), to: spot(11.0), ..PlanOptions::default() },
        ..Options::default()
    };
    let hall = folder.path().join("hall.yaml");
    let vehicle = robot();
    let outcome = optimize(&hall, &Request::new(&options, &vehicle)).unwrap();
    assert!((10.0..14.0).contains(&outcome.line.length_m), "{}", outcome.line.length_m);
    assert!(matches!(extract(&hall, &options, &Silent), Err(Error::Plan { .. })));
}
