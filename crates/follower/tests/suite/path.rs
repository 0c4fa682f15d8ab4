//! Paths: what makes one, arc lengths, sampling.

// A test that can't start should fail with a message.
#![allow(clippy::expect_used)]

use crate::common::{circle, numbers, path, waypoint};
use raceline_follower::{Path, PathError, Waypoint};

#[test]
fn too_few_distinct_waypoints_are_an_error() {
    let point = |x| waypoint(x, 0.0);
    let new = |points: Vec<Waypoint>, closed| Path::new(points, closed).expect_err("no path");
    assert_eq!(new(vec![], false), PathError::TooFewWaypoints { distinct: 0, needed: 2 });
    assert_eq!(new(vec![point(1.0)], false), PathError::TooFewWaypoints { distinct: 1, needed: 2 });
    assert_eq!(new(vec![point(1.0); 9], false), PathError::TooFewWaypoints { distinct: 1, needed: 2 });
    // A closed path that repeats its first point has one less.
    let there_and_back = vec![point(0.0), point(5.0), point(0.0)];
    assert_eq!(new(there_and_back.clone(), true), PathError::TooFewWaypoints { distinct: 2, needed: 3 });
    assert!(Path::new(there_and_back, false).is_ok());
}

#[test]
fn bad_numbers_are_named_with_their_waypoint() {
    let with = |change: fn(&mut Waypoint)| {
        let mut points = vec![waypoint(0.0, 0.0), waypoint(5.0, 0.0), waypoint(9.0, 3.0)];
        change(&mut points[1]);
        Path::new(points, false)
    };
    for (change, field) in [
        ((|w| w.position_m[2] = f64::NAN) as fn(&mut Waypoint), "position_m"),
        (|w| w.position_m[0] = 1e8, "position_m"),
        (|w| w.position_m[1] = f64::NEG_INFINITY, "position_m"),
        (|w| w.left_m = -0.1, "left_m"),
        (|w| w.right_m = f64::NAN, "right_m"),
        (|w| w.speed_mps = -1.0, "speed_mps"),
        (|w| w.speed_mps = f64::NEG_INFINITY, "speed_mps"),
        (|w| w.curvature_radpm = f64::INFINITY, "curvature_radpm"),
    ] {
        let error = with(change).expect_err(field);
        assert!(error.to_string().starts_with(&format!("waypoint 1: {field} is ")), "{error}");
    }
    // No profile, no corridor: nothing wrong.
    assert!(with(|w| w.speed_mps = f64::INFINITY).is_ok());
    assert!(with(|w| w.left_m = f64::INFINITY).is_ok());
}

#[test]
fn duplicates_are_left_out() {
    let points = [[0.0, 0.0], [0.0, 0.0], [5.0, 0.0], [5.0, 0.0002], [5.0, 5.0], [0.0, 0.0], [0.0, 0.0]];
    let closed = path(&points, true);
    assert_eq!(closed.waypoints().len(), 3);
    assert!((closed.length_m() - (10.0 + 50f64.sqrt())).abs() < 1e-12);
    // An open path may well end where it began.
    assert_eq!(path(&points, false).waypoints().len(), 4);
}

#[test]
fn arc_length_counts_height() {
    let at = |x, z| Waypoint { position_m: [x, 0.0, z], ..Waypoint::default() };
    let path = Path::new(vec![at(0.0, 0.0), at(3.0, 4.0), at(6.0, 0.0)], false).expect("a path");
    assert!((path.length_m() - 10.0).abs() < 1e-12);
    assert_eq!(path.sample(2.5).position_m, [1.5, 0.0, 2.0]);
    // Clamped to its ends.
    assert_eq!(path.sample(-7.0).position_m, [0.0, 0.0, 0.0]);
    assert_eq!(path.sample(70.0).position_m, [6.0, 0.0, 0.0]);
}

#[test]
fn given_heights_leave_the_plane_as_it_is() {
    let flat = path(&[[0.0, 0.0], [3.0, 0.0], [3.0, 4.0]], false);
    let given = flat.clone().with_heights(|i, waypoint| match i {
        1 => f64::NAN,
        _ => 2.0 + waypoint.position_m[1],
    });
    for (s, height) in [(-1.0, 2.0), (0.0, 2.0), (1.5, 1.0), (3.0, 0.0), (5.0, 3.0), (7.0, 6.0), (8.0, 6.0)] {
        assert!((given.height_m(s) - height).abs() < 1e-12, "{s}: {}", given.height_m(s));
        let (given, flat) = (given.sample(s), flat.sample(s));
        assert_eq!((given.position_m, given.s_m, flat.height_m), (flat.position_m, flat.s_m, 0.0));
    }
    // In space, it is that of the waypoints.
    let at = |x, z| Waypoint { position_m: [x, 0.0, z], ..Waypoint::default() };
    let rising = Path::new(vec![at(0.0, 5.0), at(3.0, 9.0)], false).expect("a path");
    assert!((rising.height_m(2.5) - 7.0).abs() < 1e-12);
}

#[test]
fn a_circle_has_its_curvature_heading_and_length() {
    let (radius, points) = (30.0, 200);
    let circle = circle(radius, points);
    let side = 2.0 * radius * (std::f64::consts::PI / points as f64).sin();
    assert!((circle.length_m() - side * points as f64).abs() < 1e-9);
    for i in 0..500 {
        let s = i as f64 * 0.731;
        let sample = circle.sample(s);
        assert!((sample.curvature_radpm * radius - 1.0).abs() < 1e-9, "at {s}");
        // Rounding within a side aside, the tangent is at a right angle to the radius.
        let [x, y, _] = sample.position_m;
        let along = (x * sample.heading_rad.cos() + y * sample.heading_rad.sin()) / radius;
        assert!(along.abs() < 1e-9 + side / radius * 1e-3, "at {s}: {along}");
        assert!((circle.sample(s + 3.0 * circle.length_m()).position_m[0] - x).abs() < 1e-9);
        assert!((circle.sample(s - 2.0 * circle.length_m()).position_m[1] - y).abs() < 1e-9);
    }
}

#[test]
fn a_profile_has_constant_acceleration_between_waypoints() {
    let at = |x, speed_mps| Waypoint { position_m: [x, 0.0, 0.0], speed_mps, ..Waypoint::default() };
    let path = Path::new(vec![at(0.0, 10.0), at(50.0, 20.0), at(60.0, f64::NAN), at(70.0, f64::NAN)], false);
    let path = path.expect("a path");
    // v² = 100 + 2 · 3 · s
    for s in [0.0, 12.0, 49.0] {
        let sample = path.sample(s);
        assert!((sample.speed_mps - (100.0 + 6.0 * s).sqrt()).abs() < 1e-12);
        assert!((sample.acceleration_mps2 - 3.0).abs() < 1e-12);
    }
    assert_eq!(path.sample(55.0).speed_mps, 20.0);
    assert_eq!(path.sample(65.0).speed_mps, f64::INFINITY);
    assert_eq!(path.sample(65.0).acceleration_mps2, 0.0);
}

#[test]
fn sampling_finds_its_segment_however_uneven_the_spacing() {
    let mut next = numbers(7);
    let mut x = 0.0;
    // Lengths from 2 mm to 2 km.
    let points: Vec<[f64; 2]> = (0..100_000)
        .map(|_| {
            x += 10f64.powf(6.0 * next().powi(8) - 2.69);
            [x, 0.0]
        })
        .collect();
    let path = path(&points, false);
    assert!((path.length_m() - (x - points[0][0])).abs() < 1e-6 * x);
    for _ in 0..20_000 {
        let s = path.length_m() * next();
        assert!((path.sample(s).position_m[0] - points[0][0] - s).abs() < 1e-6, "at {s}");
    }
}

#[test]
fn each_path_has_its_own_number_and_a_clone_keeps_it() {
    let (a, b) = (circle(5.0, 20), circle(5.0, 20));
    assert_ne!(a.id(), b.id());
    assert_eq!(a.id(), a.clone().id());
}

#[test]
fn numbers_that_are_none_are_taken_for_the_start() {
    let circle = circle(5.0, 20);
    for s in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(circle.sample(s), circle.sample(0.0));
    }
    for s in [-1e-300, 1e300, -1e300, f64::MAX] {
        assert!((0.0..circle.length_m()).contains(&circle.sample(s).s_m));
    }
}
