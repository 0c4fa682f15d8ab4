//! The vehicle's place on the path: it moves on steadily whatever else is near.

// A test that can't start should fail with a message.
#![allow(clippy::expect_used)]

use crate::common;
use crate::common::{Car, FRAME_S, circle, drive, numbers, path, stadium};
use raceline_follower::{Follower, FollowerOptions, Path, Scene, StuckState, VehicleGeometry, VehicleState};

fn follower() -> Follower {
    Follower::new(FollowerOptions::default(), VehicleGeometry::default()).expect("valid")
}

/// A follower that has its place at `position`.
fn placed(path: &Path, position: [f64; 2], heading: f64) -> Follower {
    let mut follower = follower();
    follower.step(path, &VehicleState::new([position[0], position[1], 0.0], heading, 0.0), &Scene::EMPTY, FRAME_S);
    follower
}

/// Moves a vehicle along a polyline by hand, 0.2 m a frame, and returns the place of each frame.
fn places(follower: &mut Follower, path: &Path, distance: &[[f64; 2]]) -> Vec<f64> {
    let mut places = Vec::new();
    for leg in distance.windows(2) {
        let [a, b] = [leg[0], leg[1]];
        let (x, y) = (b[0] - a[0], b[1] - a[1]);
        let length = x.hypot(y);
        let frames = (length / 0.2).ceil() as usize;
        for i in 0..frames {
            let t = i as f64 / frames as f64;
            let state = VehicleState::new([a[0] + t * x, a[1] + t * y, 0.0], y.atan2(x), 0.2 / FRAME_S);
            places.push(follower.step(path, &state, &Scene::EMPTY, FRAME_S).s_m);
        }
    }
    places
}

#[test]
fn a_neighbouring_leg_two_metres_away_never_captures_the_vehicle() {
    // Out along y = 0 and back along y = 2, with points a metre apart.
    let mut points: Vec<[f64; 2]> = (0..=100).map(|i| [f64::from(i), 0.0]).collect();
    points.extend((0..=100).rev().map(|i| [f64::from(i), 2.0]));
    let path = path(&points, false);
    let mut follower = placed(&path, [5.0, 0.0], 0.0);
    // A metre and a half off its own leg, so nearer to the other one, and back; then right on the
    // other one.
    let distance = [[5.0, 0.0], [20.0, 1.5], [50.0, 1.9], [60.0, 0.3], [85.0, 2.0]];
    for (i, s) in places(&mut follower, &path, &distance).into_iter().enumerate() {
        assert!(s < 90.0, "frame {i}: {s}");
    }
    // The same leg twice round in the same direction: a spiral of two rounds 2 m apart.
    let points: Vec<[f64; 2]> = (0..400)
        .map(|i| {
            let angle = f64::from(i) / 200.0 * std::f64::consts::TAU;
            let radius = 40.0 + 2.0 * f64::from(i) / 200.0;
            [radius * angle.cos(), radius * angle.sin()]
        })
        .collect();
    let spiral = common::path(&points, false);
    let mut follower = placed(&spiral, points[0], 1.6);
    // Drifts outwards onto the second round and stays there.
    let drift: Vec<[f64; 2]> = (0..180)
        .map(|i| {
            let angle = f64::from(i) / 200.0 * std::f64::consts::TAU;
            let radius = 40.0 + 2.0 * f64::from(i) / 200.0 + (f64::from(i) / 20.0).min(2.0);
            [radius * angle.cos(), radius * angle.sin()]
        })
        .collect();
    for s in places(&mut follower, &spiral, &drift) {
        assert!(s < 0.5 * spiral.length_m(), "{s}");
    }
}

#[test]
fn it_follows_a_stair_of_hairpins_leg_by_leg() {
    // Legs of 40 m, 6 m apart.
    let mut points = Vec::new();
    for leg in 0..6 {
        let y = 6.0 * f64::from(leg);
        for i in 0..=10 {
            points.push([if leg % 2 == 0 { 4.0 * f64::from(i) } else { 40.0 - 4.0 * f64::from(i) }, y]);
        }
    }
    let stair = path(&points, false);
    let mut follower = placed(&stair, points[0], 0.0);
    // Cuts every corner by two metres.
    let mut distance = Vec::new();
    for leg in 0..6 {
        let y = 6.0 * f64::from(leg);
        let (from, to) = if leg % 2 == 0 { (2.0, 38.0) } else { (38.0, 2.0) };
        distance.push([from, y]);
        distance.push([to, y]);
    }
    let places = places(&mut follower, &stair, &distance);
    for pair in places.windows(2) {
        let advance = pair[1] - pair[0];
        assert!((-1.5..12.0).contains(&advance), "{pair:?}");
    }
    assert!(stair.length_m() - places.last().expect("frames") < 5.0);
}

#[test]
fn a_sharp_corner_may_be_cut() {
    // 60° between the legs: the inner side of the turn never comes near the tip.
    let tip = path(&[[0.0, 0.0], [60.0, 0.0], [30.0, 52.0]], false);
    let mut follower = placed(&tip, [0.0, 0.0], 0.0);
    let places = places(&mut follower, &tip, &[[0.0, 0.0], [54.0, 0.0], [57.0, 5.2], [30.0, 52.0]]);
    assert!(tip.length_m() - places.last().expect("frames") < 3.0, "{:?}", places.last());
    assert!(places.windows(2).all(|pair| pair[1] > pair[0] - 1.0));
}

#[test]
fn the_end_of_a_lap_is_no_place_to_stay() {
    let lap = stadium(100.0, 20.0, 3.0);
    let mut follower = follower();
    let mut car = Car::new([0.0, 0.0], 0.0, 5.0);
    let (mut travelled, mut last) = (0.0, 0.0);
    drive(&mut follower, &lap, &mut car, 120.0, |_, command| {
        let distance = (command.s_m - last).rem_euclid(lap.length_m());
        assert!(distance < 1.0 || distance > lap.length_m() - 0.5, "jumped from {last} to {}", command.s_m);
        travelled += if distance < 1.0 { distance } else { distance - lap.length_m() };
        last = command.s_m;
        assert_eq!(command.state, StuckState::Driving);
    });
    assert!(travelled > 2.5 * lap.length_m(), "{travelled} of {}", lap.length_m());
}

#[test]
fn sparse_points_are_no_obstacle() {
    let square = path(&[[0.0, 0.0], [400.0, 0.0], [400.0, 300.0], [0.0, 300.0]], true);
    let mut follower = follower();
    let mut car = Car::new([3.0, 0.5], 0.0, 0.0);
    let mut laps = 0;
    let mut last = 0.0;
    drive(&mut follower, &square, &mut car, 400.0, |_, command| {
        laps += i32::from(command.s_m < last - 1000.0);
        last = command.s_m;
        assert!(command.cross_track_error_m.abs() < 3.0, "{command:?}");
    });
    assert!(laps >= 2, "{laps}");
}

#[test]
fn standing_still_changes_nothing() {
    let lap = circle(30.0, 100);
    let mut follower = follower();
    let state = VehicleState::new([29.0, 3.0, 0.0], 1.6, 0.0);
    let first = follower.step(&lap, &state, &Scene::EMPTY, FRAME_S).s_m;
    for _ in 0..100 {
        assert!((follower.step(&lap, &state, &Scene::EMPTY, FRAME_S).s_m - first).abs() < 1e-9);
    }
    // Nor does a frame of no time.
    assert!((follower.step(&lap, &state, &Scene::EMPTY, 0.0).s_m - first).abs() < 1e-9);
}

#[test]
fn starting_far_off_finds_the_nearest_place_and_drives_there() {
    let mut next = numbers(3);
    let lap = stadium(200.0, 40.0, 2.0);
    for _ in 0..200 {
        let at = [800.0 * next() - 400.0, 800.0 * next() - 400.0];
        let heading = 6.0 * next();
        let state = VehicleState::new([at[0], at[1], 0.0], heading, 0.0);
        let command = follower().step(&lap, &state, &Scene::EMPTY, FRAME_S);
        let smallest = lap
            .waypoints()
            .iter()
            .map(|w| (w.position_m[0] - at[0]).hypot(w.position_m[1] - at[1]))
            .fold(f64::INFINITY, f64::min);
        // A leg that leads in the opposite direction seems up to 3 m further.
        let found = command.cross_track_error_m.abs();
        assert!(found < (smallest * smallest + 9.0).sqrt() + 0.1, "{found} instead of {smallest}");
    }
    let mut car = Car::new([0.0, -150.0], 0.0, 0.0);
    let last = drive(&mut follower(), &lap, &mut car, 60.0, |_, _| {});
    assert!(last.cross_track_error_m.abs() < 0.5, "{last:?}");
}

#[test]
fn a_path_changed_while_driving_is_taken_up_at_once() {
    let (one, other) =
        (path(&[[0.0, 0.0], [200.0, 0.0]], false), path(&[[-50.0, 4.0], [60.0, 4.0], [60.0, 90.0]], false));
    let mut follower = follower();
    let mut car = Car::new([0.0, 0.0], 0.0, 5.0);
    drive(&mut follower, &one, &mut car, 4.0, |_, _| {});
    let x = car.position()[0];
    let command = follower.step(&other, &car.state(), &Scene::EMPTY, FRAME_S);
    assert!((command.s_m - (x + 50.0)).abs() < 1e-9 && (command.cross_track_error_m + 4.0).abs() < 0.1, "{command:?}");
    let last = drive(&mut follower, &other, &mut car, 30.0, |_, _| {});
    assert!(last.arrived && last.cross_track_error_m.abs() < 0.5, "{last:?}");
}

#[test]
fn a_crossing_is_driven_straight_across() {
    // A figure of eight.
    let points: Vec<[f64; 2]> = (0..120)
        .map(|i| {
            let t = f64::from(i) / 120.0 * std::f64::consts::TAU;
            [60.0 * t.sin(), 40.0 * (2.0 * t).sin()]
        })
        .collect();
    let eight = path(&points, true);
    let mut car = Car::new([0.0, 0.0], (80.0_f64).atan2(60.0), 4.0);
    let mut last = 0.0;
    let mut laps = 0;
    drive(&mut follower(), &eight, &mut car, 150.0, |_, command| {
        laps += i32::from(command.s_m < last - 100.0);
        let distance = (command.s_m - last).rem_euclid(eight.length_m());
        assert!(distance < 1.0 || distance > eight.length_m() - 1.0, "from {last} to {}", command.s_m);
        assert!(command.cross_track_error_m.abs() < 1.0);
        last = command.s_m;
    });
    assert!(laps >= 2, "{laps}");
    // Placed at the crossing, the heading decides.
    for (heading, place) in [(80.0_f64.atan2(60.0), 0.0), ((80.0_f64).atan2(-60.0), 0.5)] {
        let state = VehicleState::new([0.0, 0.0, 0.0], heading, 0.0);
        let fraction = follower().step(&eight, &state, &Scene::EMPTY, FRAME_S).s_m / eight.length_m();
        let away = (fraction - place).rem_euclid(1.0);
        assert!(away.min(1.0 - away) < 0.01, "{fraction} for {heading}");
    }
}

#[test]
fn a_bridge_over_the_path_is_another_place() {
    let at = |x: f64, y: f64, z: f64| raceline_follower::Waypoint { position_m: [x, y, z], ..Default::default() };
    let over = Path::new(
        vec![at(-50.0, 0.0, 0.0), at(50.0, 0.0, 0.0), at(50.0, 50.0, 5.0), at(0.0, 50.0, 5.0), at(0.0, -50.0, 5.0)],
        false,
    );
    let over = over.expect("a path");
    let below = follower().step(&over, &VehicleState::new([0.0, 0.3, 0.5], -1.5, 0.0), &Scene::EMPTY, FRAME_S);
    let above = follower().step(&over, &VehicleState::new([0.3, 0.0, 5.5], 0.0, 0.0), &Scene::EMPTY, FRAME_S);
    assert!((below.s_m - 50.0).abs() < 1.0 && above.s_m > 250.0, "{} {}", below.s_m, above.s_m);
}

#[test]
fn a_vehicle_moved_by_the_game_is_found_again() {
    let lap = stadium(200.0, 40.0, 2.0);
    let mut follower = placed(&lap, [0.0, 0.0], 0.0);
    // On the upper straight, which leads in the opposite direction.
    let command = follower.step(&lap, &VehicleState::new([10.0, 80.5, 0.0], 3.1, 0.0), &Scene::EMPTY, FRAME_S);
    assert!(command.cross_track_error_m.abs() < 0.6, "{command:?}");
    // By less than the window, but turned round.
    let before = command.s_m;
    let command = follower.step(&lap, &VehicleState::new([9.0, 80.5, 0.0], 0.0, 0.0), &Scene::EMPTY, FRAME_S);
    assert!((command.s_m - before).abs() < 2.0);
}

#[test]
fn pushed_further_away_than_it_may_rejoin_it_takes_the_nearest_place() {
    let mut options = FollowerOptions::default();
    options.nearest_point.rejoin_distance_m = 15.0;
    let mut follower = Follower::new(options, VehicleGeometry::default()).expect("valid");
    let legs = path(&[[0.0, 0.0], [200.0, 0.0], [200.0, 40.0], [0.0, 40.0]], false);
    follower.step(&legs, &VehicleState::new([50.0, 0.0, 0.0], 0.0, 0.0), &Scene::EMPTY, FRAME_S);
    let places = places(&mut follower, &legs, &[[50.0, 0.0], [50.0, 35.0], [48.0, 35.0]]);
    // Half way it holds to its own leg, near the other one it changes over, and it doesn't change
    // back.
    assert!(places[100] < 100.0);
    assert!(*places.last().expect("frames") > 380.0);
    assert_eq!(places.windows(2).filter(|pair| (pair[1] - pair[0]).abs() > 100.0).count(), 1);
}

#[test]
fn a_path_of_a_hundred_thousand_close_points_is_followed() {
    // Two centimetres apart: windows hold more segments than are scanned one by one.
    let lap = circle(300.0, 100_000);
    let mut follower = follower();
    let mut car = Car::new([300.0, 0.0], 1.57, 9.0);
    let mut last = 0.0;
    drive(&mut follower, &lap, &mut car, 30.0, |car, command| {
        let [x, y] = car.position();
        let expected = y.atan2(x).rem_euclid(std::f64::consts::TAU) * 300.0;
        let off = (command.s_m - expected).abs();
        assert!(off.min(lap.length_m() - off) < 0.05, "{} instead of {expected}", command.s_m);
        last = command.s_m;
    });
    assert!(last > 200.0);
}
