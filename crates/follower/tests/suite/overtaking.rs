//! Racing among others: who is passed that would be followed otherwise.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

use crate::common::FRAME_S;
use crate::racing::{self, car, dynamics, geometry, moving_along, seen};
use crate::traffic::{LENGTH, Opponent, WIDTH, body_of, encounter_of, separation, straight};
use raceline_follower::{Follower, Neighbour, Path, Scene, SpeedMode, Waypoint};
use raceline_vehicle_simulation::Controls;

/// The circuit of the racing tests, with 6 m to either side of its line.
fn circuit() -> Path {
    let (line, _) = racing::circuit();
    let points = line.waypoints().iter().map(|point| Waypoint { left_m: 6.0, right_m: 6.0, ..*point });
    Path::new(points.collect(), true).unwrap().with_dynamics(&dynamics())
}

fn follower(overtakes: bool) -> Follower {
    let mut options = racing::racing(SpeedMode::Profile, 0.97);
    options.traffic.overtakes = overtakes;
    Follower::new(options, geometry()).unwrap()
}

/// Smallest distance to the others, how far the first of them is ahead at the end, the last speed and the
/// largest distance from the path.
fn outcome(path: &Path, overtakes: bool, own: (f64, f64, f64), others: Vec<Opponent>, seconds: f64) -> [f64; 4] {
    let mut out = [f64::INFINITY, 0.0, 0.0, 0.0_f64];
    encounter_of(&car(), follower(overtakes), path, own, others, seconds, |moment| {
        out[0] = out[0].min(moment.clearance);
        (out[1], out[2]) = (moment.ahead[0], moment.speed);
        out[3] = out[3].max(moment.command.cross_track_error_m.abs());
    });
    println!("{overtakes}: {out:?}");
    out
}

#[test]
fn one_on_the_line_at_nine_tenths_of_the_speed_is_passed_within_a_lap() {
    let path = circuit();
    for s in [30.0, 300.0, 700.0, 1100.0] {
        let speed = 0.85 * path.sample(s).speed_mps;
        let other = || vec![Opponent { s: s + 25.0, offset: 0.0, speed: 0.87 }];
        let [clearance, ahead, _, off_path] = outcome(&path, true, (s, 0.0, speed), other(), 45.0);
        assert!(ahead < 0.0 && clearance > 0.1, "{s}: {ahead} {clearance}");
        assert!(off_path < 6.0 - 0.9, "{s}: {off_path}");
    }
}

#[test]
fn without_room_it_is_followed() {
    let path = straight(50.0, 2.4);
    let other = vec![Opponent { s: 200.0, offset: 0.0, speed: 30.0 }];
    let [clearance, ahead, speed, _] = outcome(&path, true, (50.0, 0.0, 48.0), other, 25.0);
    assert!(clearance > 1.0 && ahead > 0.0 && ahead < 20.0, "{clearance} {ahead}");
    assert!((speed - 30.0).abs() < 1.0, "{speed}");
}

#[test]
fn a_parked_car_is_driven_around_or_stopped_behind() {
    let parked = || vec![Opponent { s: 300.0, offset: 0.0, speed: 0.0 }];
    let [clearance, ahead, ..] = outcome(&straight(40.0, 5.0), true, (50.0, 0.0, 38.0), parked(), 14.0);
    assert!(clearance > 0.3 && ahead < -50.0, "{clearance} {ahead}");
    let [clearance, _, speed, _] = outcome(&straight(40.0, 2.0), true, (50.0, 0.0, 38.0), parked(), 20.0);
    assert!(clearance > 0.3 && speed < 0.5, "{clearance} {speed}");
}

/// Stands close behind a car that stands at `offset` and is turned by `turned`, on a road with `room` to both
/// edges, with another `behind` its rear if it is not infinite: how far the first is behind in the end, the
/// smallest distances between the outlines, and in how many frames it reversed.
fn start_behind(offset: f64, turned: f64, room: f64, behind: f64, seconds: f64) -> (f64, [f64; 2], usize) {
    let path = straight(40.0, room);
    let mut follower = follower(true);
    let geometry = *follower.vehicle();
    let mut state = moving_along(&path, 300.0, 0.0, 0.0);
    let (sin, cos) = f64::sin_cos(turned);
    let half = 0.5 * (LENGTH * cos.abs() + WIDTH * sin.abs());
    let ahead = 300.0 + 0.5 * geometry.length_m + 0.4 + half;
    let body = |s: f64, offset: f64, turned: f64| Neighbour {
        position_m: [s, offset, 0.0],
        velocity_mps: [0.0; 3],
        heading_rad: turned,
        length_m: LENGTH,
        width_m: WIDTH,
    };
    let vehicles =
        [body(ahead, offset, turned), body(300.0 - 0.5 * (geometry.length_m + LENGTH) - behind.min(1e4), 0.0, 0.0)];
    let (mut clearance, mut reversed) = ([f64::INFINITY; 2], 0);
    for _ in 0..(seconds / FRAME_S) as usize {
        let command = follower.step(&path, &seen(&state), &Scene::EMPTY.with_neighbours(&vehicles), FRAME_S);
        reversed += usize::from(command.reverse);
        let own = body_of(&state, &geometry);
        for (clearance, body) in clearance.iter_mut().zip(&vehicles) {
            *clearance = clearance.min(separation(&own, body));
        }
        let controls = Controls { pedal: command.pedal, reverse: command.reverse, steering_rad: command.steering_rad };
        for _ in 0..16 {
            car().advance(&mut state, &controls, FRAME_S / 16.0);
        }
    }
    let outcome = (state.x_m - ahead, clearance, reversed);
    println!("{offset} {turned} {room} {behind}: {outcome:?}");
    outcome
}

#[test]
fn behind_a_car_that_stands_across_the_road_it_backs_up_and_drives_around() {
    for (offset, turned) in [(0.0, 2.5), (-1.5, 1.57), (1.0, 0.3), (0.0, 0.0)] {
        let (past, [clearance, _], _) = start_behind(offset, turned, 7.0, f64::INFINITY, 25.0);
        assert!(past > 30.0 && clearance > -0.1, "{offset} {turned}: {past} m, {clearance} m");
    }
}

#[test]
fn it_backs_up_neither_into_another_nor_where_nothing_is_gained() {
    let (_, [_, clearance], _) = start_behind(0.0, 1.57, 7.0, 0.9, 12.0);
    assert!(clearance > 0.0, "{clearance}");
    let (past, _, reversed) = start_behind(0.0, 0.0, 2.0, f64::INFINITY, 20.0);
    assert!(past < 0.0 && reversed == 0, "{past} {reversed}");
}

#[test]
fn alone_the_commands_are_those_without() {
    let path = circuit();
    let (mut with, mut without) = (follower(true), follower(false));
    let state = seen(&moving_along(&path, 100.0, 0.4, 30.0));
    for _ in 0..20 {
        let scene = Scene::EMPTY.with_neighbours(&[]);
        assert_eq!(with.step(&path, &state, &scene, FRAME_S), without.step(&path, &state, &scene, FRAME_S));
        assert!(!with.is_avoiding());
    }
}
