//! Racing among others: who is passed that would be followed otherwise.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

use crate::common::FRAME_S;
use crate::racing::{self, car, dynamics, geometry, moving_along, seen};
use crate::traffic::{Opponent, encounter_of, straight};
use raceline_follower::{Follower, Path, Scene, SpeedMode, Waypoint};

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
