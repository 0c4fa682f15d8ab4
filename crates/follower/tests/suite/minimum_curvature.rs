//! The line of minimum curvature inside a path's corridor.

// A test that can't start should fail with a message.
#![allow(clippy::expect_used)]

use crate::common::circle;
use proptest::prelude::*;
use raceline_follower::{CorridorOptions, Path, PathError, Waypoint};

fn through(points: &[[f64; 2]], room: f64, closed: bool) -> Path {
    let waypoint =
        |&[x, y]: &[f64; 2]| Waypoint { position_m: [x, y, 0.0], left_m: room, right_m: room, ..Waypoint::default() };
    Path::new(points.iter().map(waypoint).collect(), closed).expect("a path")
}

fn line(path: &Path, fraction: f64, clearance_m: f64) -> Path {
    let options = CorridorOptions { fraction, clearance_m, spacing_m: 1.0 };
    path.minimum_curvature(&options).expect("a line")
}

/// Distance of a point from the nearest segment of `path`.
fn distance_m(path: &Path, [x, y, _]: [f64; 3]) -> f64 {
    let points: Vec<[f64; 3]> = path.waypoints().iter().map(|waypoint| waypoint.position_m).collect();
    let ends = points.iter().zip(points.iter().skip(1).chain(path.closed().then_some(&points[0])));
    ends.map(|(a, b)| {
        let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
        let t = (((x - a[0]) * dx + (y - a[1]) * dy) / (dx * dx + dy * dy)).clamp(0.0, 1.0);
        (x - a[0] - t * dx).hypot(y - a[1] - t * dy)
    })
    .fold(f64::INFINITY, f64::min)
}

fn greatest_curvature(path: &Path) -> f64 {
    let count = (path.length_m() / 0.5) as usize;
    (0..count).map(|i| path.sample(0.5 * i as f64).curvature_radpm.abs()).fold(0.0, f64::max)
}

#[test]
fn a_straight_stays_a_straight() {
    let straight = through(&[[0.0, 0.0], [40.0, 30.0], [80.0, 60.0]], 5.0, false);
    let line = line(&straight, 1.0, 1.0);
    assert!((line.length_m() - 100.0).abs() < 1e-6);
    assert!(line.waypoints().iter().all(|waypoint| distance_m(&straight, waypoint.position_m) < 1e-4));
}

#[test]
fn a_straight_is_found_where_the_corridor_has_one() {
    // A zigzag of ± 2 m in a corridor of 5 m: the straight from end to end lies inside.
    let points: Vec<[f64; 2]> = (0..=20)
        .map(|i| [6.0 * f64::from(i), if i % 20 == 0 { 0.0 } else { 2.0 * f64::from(i % 2 * 2 - 1) }])
        .collect();
    let line = line(&through(&points, 5.0, false), 1.0, 0.0);
    let (first, last) = (line.sample(0.0), line.sample(line.length_m()));
    assert!((first.position_m[0]).abs() < 1e-3 && (last.position_m[0] - 120.0).abs() < 1e-3);
    let off = line.waypoints().iter().map(|waypoint| waypoint.position_m[1].abs()).fold(0.0, f64::max);
    assert!(off < 0.02, "{off} m beside the straight");
}

#[test]
fn a_corner_on_the_spot_becomes_an_arc_that_touches_the_inner_edge() {
    let corner = through(&[[0.0, 0.0], [60.0, 0.0], [60.0, 60.0]], 4.0, false);
    let line = line(&corner, 1.0, 1.0);
    // From the middle of one leg to the middle of the other, touching the inner edge, the arc has R
    // (√2 - 1) = 3 √2; from the outer edges more.
    let radius = 1.0 / greatest_curvature(&line);
    assert!(radius > 3.0 * 2.0_f64.sqrt() / (2.0_f64.sqrt() - 1.0), "{radius} m");
    let apex = line.waypoints().iter().map(|waypoint| distance_m(&corner, waypoint.position_m)).fold(0.0, f64::max);
    assert!((2.9..=3.01).contains(&apex), "{apex} m off the path");
    // It swings out before it turns in.
    assert!(line.waypoints().iter().any(|waypoint| waypoint.position_m[1] < -1.0));
}

#[test]
fn the_ends_stay_and_the_corridor_moves_along() {
    let bend = through(&[[0.0, 0.0], [30.0, 0.0], [50.0, 20.0], [50.0, 60.0]], 3.0, false);
    let line = line(&bend, 0.8, 0.5);
    let [first, .., last] = line.waypoints() else { panic!("no line") };
    assert!(distance_m(&bend, first.position_m) < 1e-3 && distance_m(&bend, last.position_m) < 1e-3);
    for waypoint in line.waypoints() {
        assert!((waypoint.left_m + waypoint.right_m - 6.0).abs() < 1e-9);
        assert!((0.5..=5.5).contains(&waypoint.left_m));
    }
}

#[test]
fn without_a_fraction_without_room_and_without_a_known_corridor_the_path_stays() {
    let points = [[0.0, 0.0], [30.0, 0.0], [50.0, 20.0], [50.0, 60.0]];
    for (room, fraction, clearance) in [(3.0, 0.0, 0.5), (1.0, 1.0, 1.0), (f64::INFINITY, 1.0, 1.0)] {
        let own = through(&points, room, false);
        let same = line(&own, fraction, clearance);
        assert!(same.waypoints().iter().all(|waypoint| distance_m(&own, waypoint.position_m) < 1e-3));
    }
}

#[test]
fn a_lap_closes_without_a_kink() {
    let stadium = through(&[[0.0, 0.0], [80.0, 0.0], [80.0, 40.0], [0.0, 40.0]], 4.0, true);
    let line = line(&stadium, 1.0, 1.0);
    assert!(line.closed());
    assert!(1.0 / greatest_curvature(&line) > 8.0);
    // All four corners are alike, also the one at the seam.
    let corners =
        [[0.0, 0.0, 0.0], [80.0, 0.0, 0.0], [80.0, 40.0, 0.0], [0.0, 40.0, 0.0]].map(|at| distance_m(&line, at));
    for corner in corners {
        assert!((corner - corners[0]).abs() < 0.5, "{corners:?}");
    }
}

#[test]
fn a_circle_becomes_its_outer_edge() {
    let line = line(&circle(30.0, 200), 1.0, 0.5);
    let radii: Vec<f64> = line.waypoints().iter().map(|w| w.position_m[0].hypot(w.position_m[1])).collect();
    let (smallest, largest) = radii.iter().fold((f64::INFINITY, 0.0_f64), |(a, b), &r| (a.min(r), b.max(r)));
    assert!(smallest > 33.49 && largest < 33.51, "{smallest} to {largest} m");
}

#[test]
fn options_out_of_range_are_named() {
    let own = through(&[[0.0, 0.0], [30.0, 0.0]], 3.0, false);
    let refused = |options: CorridorOptions| match own.minimum_curvature(&options) {
        Err(PathError::BadOption(error)) => error.field,
        other => panic!("{other:?}"),
    };
    let fine = CorridorOptions::default();
    assert_eq!(refused(CorridorOptions { fraction: 1.1, ..fine }), "fraction");
    assert_eq!(refused(CorridorOptions { clearance_m: f64::NAN, ..fine }), "clearance_m");
    assert_eq!(refused(CorridorOptions { spacing_m: 0.0, ..fine }), "spacing_m");
}

proptest! {
    // A case is a line of nine passes.
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Whatever the path, the line stays inside the corridor less the clearance, and a vehicle can
    /// follow it.
    #[test]
    fn the_line_stays_inside(
        turns in prop::collection::vec((5.0..40.0_f64, -2.0..2.0_f64), 2..12),
        room in 0.0..8.0_f64,
        clearance in 0.0..2.0_f64,
        fraction in 0.0..=1.0_f64,
    ) {
        let (mut at, mut heading) = ([0.0, 0.0], 0.0_f64);
        let mut points = vec![at];
        for (length, turn) in turns {
            at = [at[0] + length * heading.cos(), at[1] + length * heading.sin()];
            points.push(at);
            heading += turn;
        }
        let own = through(&points, room, false);
        let line = line(&own, fraction, clearance);
        let largest = fraction * (room - clearance).max(0.0);
        for waypoint in line.waypoints() {
            prop_assert!(waypoint.position_m.iter().all(|x| x.is_finite()));
            let off = distance_m(&own, waypoint.position_m);
            prop_assert!(off <= largest + 1e-6, "{} m off, {} allowed", off, largest);
        }
    }

    /// Absurd numbers make no panic.
    #[test]
    fn absurd_corridors_are_survived(
        points in prop::collection::vec(((-1e5..1e5_f64), (-50.0..50.0_f64), prop_oneof![Just(0.0), Just(f64::INFINITY), 0.0..1e9_f64]), 2..9),
        closed: bool,
        fraction in 0.0..=1.0_f64,
    ) {
        let waypoint = |&(x, y, width): &(f64, f64, f64)| Waypoint {
            position_m: [x, y, 0.0], left_m: width, right_m: width, ..Waypoint::default()
        };
        if let Ok(own) = Path::new(points.iter().map(waypoint).collect(), closed) {
            let options = CorridorOptions { fraction, clearance_m: 0.0, spacing_m: 500.0 };
            // A line beyond the farthest coordinate is refused.
            if let Ok(line) = own.minimum_curvature(&options) {
                prop_assert!(line.waypoints().iter().all(|w| w.position_m.iter().all(|x| x.is_finite())));
            }
        }
    }
}

#[test]
fn a_line_of_a_hundred_kilometres_is_found_by_as_many_steps_a_metre_as_a_short_one() {
    // Squares of the number of points would take many minutes here.
    let points: Vec<[f64; 2]> = (0..5000).map(|i| [20.0 * f64::from(i), f64::from(i % 7)]).collect();
    let line = line(&through(&points, 4.0, false), 1.0, 1.0);
    assert!(line.waypoints().len() > 99_000);
    assert!(greatest_curvature(&line) < greatest_curvature(&through(&points, 4.0, false)) / 2.0);
}
