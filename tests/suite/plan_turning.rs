//! Hybrid A*: closed forms, headings and curvature of its paths, and what is reported where a
//! vehicle would have to manoeuvre.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking, in its helpers too"
)]

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use image::{GrayImage, Luma};
use raceline::frame::PictureFrame;
use raceline::geometry::{Point, Vector, cross};
use raceline::plan::{
    FreeSpace, Plan, PlanError, PlanOptions, PlannerKind, Pose, drivable_instead, dubins, plan, road_about_arcs, tasks,
};
use raceline::track::{self, TrackOptions};
use raceline::vehicle::{Vehicle, preset};

/// Side of a cell, metres.
const CELL_M: f64 = 0.1;
/// Needed clearance, metres.
const NEEDED_M: f64 = 0.4;
/// The planner's turning radius as a multiple of the minimum.
const PLAY: f64 = 1.1;

fn robot() -> Vehicle {
    preset("robot-car").unwrap()
}

fn hall(is_wall: impl Fn(f64, f64) -> bool) -> FreeSpace {
    let (width_px, height_px) = (120, 80);
    let frame = PictureFrame { metres_per_pixel: CELL_M, origin_m: Point::origin(), width_px, height_px };
    let picture = GrayImage::from_fn(width_px, height_px, |column, row| {
        let place = frame.to_world(f64::from(column) + 0.5, f64::from(row) + 0.5);
        Luma([if is_wall(place.x, place.y) { 0 } else { 255 }])
    });
    FreeSpace::new(&picture, frame, NEEDED_M)
}

fn with_headings(space: &FreeSpace, stops: &[Point], headings_deg: [Option<f64>; 2]) -> Result<Plan, PlanError> {
    let [from_heading_deg, to_heading_deg] = headings_deg;
    let options = PlanOptions { from_heading_deg, to_heading_deg, ..PlanOptions::default() };
    plan(options.kind(), &options, space, stops, false, &robot(), 1)
}

fn hybrid(space: &FreeSpace, stops: &[Point]) -> Result<Plan, PlanError> {
    plan(PlannerKind::HybridAStar, &PlanOptions::default(), space, stops, false, &robot(), 1)
}

/// The direction from one point of a path to the next, radians.
fn direction(path: &[Point], at: usize) -> f64 {
    let along = path[at + 1] - path[at];
    along.y.atan2(along.x)
}

/// The greatest curvature of a path, over the length of a turning radius, 1/m.
fn sharpest(path: &[Point], radius_m: f64) -> f64 {
    let mut sharpest: f64 = 0.0;
    for first in 1..path.len() - 1 {
        let (mut turn, mut length, mut at) = (0.0, 0.0, first);
        while at + 1 < path.len() && length < radius_m {
            let (a, b): (Vector, Vector) = (path[at] - path[at - 1], path[at + 1] - path[at]);
            turn += cross(a, b).atan2(a.dot(&b));
            length += b.norm();
            at += 1;
        }
        if length >= radius_m {
            sharpest = sharpest.max(turn.abs() / length);
        }
    }
    sharpest
}

#[test]
fn in_an_empty_hall_paths_with_headings_have_dubins_length() {
    let space = hall(|_, _| false);
    let stops = [Point::new(4.0, 4.0), Point::new(8.0, 5.0)];
    let radius_m = PLAY / robot().max_curvature_radpm;
    for (from_deg, to_deg) in [(0.0, 0.0), (90.0, 0.0), (0.0, 180.0), (-90.0, 90.0), (45.0, -135.0)] {
        let found = with_headings(&space, &stops, [Some(from_deg), Some(to_deg)]).unwrap();
        let pose = |at: Point, degrees: f64| Pose { at, heading_rad: degrees.to_radians() };
        let known = dubins(pose(stops[0], from_deg), pose(stops[1], to_deg), radius_m).unwrap().length_m();
        assert!((found.length_m / known - 1.0).abs() < 2e-3, "{from_deg} {to_deg}: {} for {known}", found.length_m);
        let apart = |found: f64, asked: f64| ((found - asked.to_radians() + PI).rem_euclid(TAU) - PI).abs();
        assert!(apart(direction(&found.path, 0), from_deg) < 0.06, "{from_deg}");
        assert!(apart(direction(&found.path, found.path.len() - 2), to_deg) < 0.06, "{to_deg}");
    }
}

#[test]
fn paths_keep_their_room_and_bend_no_more_than_the_vehicle_turns() {
    let vehicle = robot();
    let space = hall(|x, y| (x - 4.0).abs() < 0.3 && y < 5.0 || (x - 8.0).abs() < 0.3 && y > 3.0);
    for stops in tasks(&space, 20, 7) {
        let Ok(found) = hybrid(&space, &stops) else { continue };
        assert_eq!((found.path[0], *found.path.last().unwrap()), (stops[0], *found.path.last().unwrap()));
        assert!((found.path.last().unwrap() - stops[1]).norm() < 1e-6);
        let bend = sharpest(&found.path, 1.0 / vehicle.max_curvature_radpm);
        assert!(bend < 1.02 * vehicle.max_curvature_radpm, "{bend} 1/m");
        for point in &found.path {
            assert!(space.clearance_at_m(*point) >= NEEDED_M - CELL_M, "{point}");
        }
    }
}

#[test]
fn headings_are_kept_through_vias() {
    let space = hall(|_, _| false);
    let stops = [Point::new(2.0, 4.0), Point::new(6.0, 6.0), Point::new(10.0, 4.0)];
    let found = with_headings(&space, &stops, [Some(0.0), Some(-90.0)]).unwrap();
    let bend = sharpest(&found.path, 1.0 / robot().max_curvature_radpm);
    assert!(bend < 1.02 * robot().max_curvature_radpm, "{bend} 1/m");
    assert!((direction(&found.path, found.path.len() - 2) + FRAC_PI_2).abs() < 0.06);
}

#[test]
fn a_lane_too_narrow_to_turn_in_is_reported_with_the_turning_radius() {
    // A lane 1 m wide with both ends closed: there is a path, but none that leaves westwards.
    let space = hall(|_, y| (y - 4.0).abs() > 0.6);
    let stops = [Point::new(4.05, 4.05), Point::new(9.05, 4.05)];
    assert!(with_headings(&space, &stops, [Some(0.0), None]).is_ok());
    let error = with_headings(&space, &stops, [Some(180.0), None]).unwrap_err();
    let PlanError::NoTurn { radius_m, .. } = error else { panic!("{error}") };
    assert!((radius_m - 1.0 / robot().max_curvature_radpm).abs() < 1e-9);
    assert!(error.to_string().contains("does not reverse"), "{error}");
}

#[test]
fn a_heading_out_of_range_is_refused() {
    let stops = [Point::new(2.0, 4.0), Point::new(10.0, 4.0)];
    let error = with_headings(&hall(|_, _| false), &stops, [Some(400.0), None]).unwrap_err();
    assert!(matches!(error, PlanError::OutOfRange(_)), "{error}");
}

#[test]
fn a_path_round_the_end_of_a_thin_wall_is_repaired_and_its_road_can_be_cut() {
    let space = hall(|x, y| (y - 4.0).abs() < 0.1 && x < 8.0);
    let stops = [Point::new(6.05, 3.35), Point::new(6.05, 4.65)];
    let options = PlanOptions::default();
    let taut = plan(PlannerKind::AStar, &options, &space, &stops, false, &robot(), 1).unwrap();
    let repaired = drivable_instead(&taut, &options, &space, &stops, &robot(), 1).unwrap().expect("a tight bend");
    assert!(repaired.is_drivable && repaired.length_m > taut.length_m);
    let edges = road_about_arcs(&space, &repaired.path, false, 2.5).unwrap();
    track::cut(&edges, &TrackOptions::default()).unwrap();
    // A straight path needs no repair.
    let straight = [Point::new(1.05, 2.05), Point::new(10.95, 2.05)];
    let found = plan(PlannerKind::AStar, &options, &space, &straight, false, &robot(), 1).unwrap();
    assert_eq!(drivable_instead(&found, &options, &space, &straight, &robot(), 1).unwrap(), None);
}
