//! Other vehicles that leave their line: what was behind the contacts of races in TORCS.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

use crate::common::{FRAME_S, stadium, waypoint};
use crate::racing::{self, car, dynamics, geometry, moving_along, seen};
use crate::traffic::{LENGTH, WIDTH, body_of, separation};
use raceline_follower::{Follower, Neighbour, Path, Scene, SpeedMode, Waypoint};
use raceline_vehicle_simulation::Controls;

const ROOM: f64 = 6.0;
/// What the profile of the circuit brakes with, m/s².
const BRAKING: f64 = 6.0;

/// A circuit of two straights at `straight` and two bends at `bend`, with braking before the bends.
fn circuit(straight: f64, bend: f64) -> Path {
    let line = stadium(700.0, 60.0, 2.0);
    let length = line.length_m();
    // The next place ahead that is bent.
    let distance_to_bend = |s: f64| {
        let step = 2.0;
        let bent = |ahead: f64| line.sample((s + ahead).rem_euclid(length)).curvature_radpm.abs() > 5e-3;
        (0..300).map(|i| f64::from(i) * step).find(|ahead| bent(*ahead)).unwrap_or(600.0)
    };
    let mut s = 0.0;
    let mut points: Vec<Waypoint> = Vec::new();
    for point in line.waypoints() {
        if let Some(last) = points.last() {
            s += (point.position_m[0] - last.position_m[0]).hypot(point.position_m[1] - last.position_m[1]);
        }
        let speed_mps = (bend * bend + 2.0 * BRAKING * distance_to_bend(s)).sqrt().min(straight);
        points.push(Waypoint { speed_mps, left_m: ROOM, right_m: ROOM, ..*point });
    }
    Path::new(points, true).unwrap().with_dynamics(&dynamics())
}

fn straight(speed: f64, room: impl Fn(f64) -> [f64; 2]) -> Path {
    let points = (0..=600).map(|i| f64::from(i) * 5.0).map(|s| {
        let [left_m, right_m] = room(s);
        Waypoint { speed_mps: speed, left_m, right_m, ..waypoint(s, 0.0) }
    });
    Path::new(points.collect(), false).unwrap().with_dynamics(&dynamics())
}

/// Speed by path, place and time.
type Speed = Box<dyn Fn(&Path, f64, f64) -> f64>;
/// Distance to the left of the line by place and time.
type Offset = Box<dyn Fn(f64, f64) -> f64>;

/// A vehicle whose speed and distance from the line are functions of its place and the time.
struct Rival {
    s: f64,
    speed: Speed,
    offset: Offset,
}

impl Rival {
    fn body(&self, path: &Path, time: f64) -> Neighbour {
        let there = path.sample(self.s);
        let (sin, cos) = there.heading_rad.sin_cos();
        let offset = (self.offset)(self.s, time);
        let speed = (self.speed)(path, self.s, time);
        let later = (self.offset)(self.s + speed * 0.01, time + 0.01);
        let drift = (later - offset) / 0.01;
        let [x, y, z] = there.position_m;
        Neighbour {
            position_m: [x - offset * sin, y + offset * cos, z],
            velocity_mps: [speed * cos - drift * sin, speed * sin + drift * cos, 0.0],
            heading_rad: there.heading_rad + drift.atan2(speed.max(1.0)),
            length_m: LENGTH,
            width_m: WIDTH,
        }
    }
}

/// What came of it.
#[derive(Debug)]
struct Outcome {
    clearance: f64,
    /// Fastest motion of the shift, m/s.
    rate: f64,
    last_speed: f64,
    max_offset: f64,
}

fn race(path: &Path, (s, offset, speed): (f64, f64, f64), mut rivals: Vec<Rival>, seconds: f64) -> Outcome {
    let mut follower = Follower::new(racing::racing(SpeedMode::Profile, 1.0), geometry()).unwrap();
    let body = geometry();
    let mut state = moving_along(path, s, offset, speed);
    let mut out = Outcome { clearance: f64::INFINITY, rate: 0.0, last_speed: 0.0, max_offset: 0.0 };
    let mut last: Option<f64> = None;
    let car = car();
    for frame in 0..(seconds / FRAME_S) as usize {
        let time = frame as f64 * FRAME_S;
        let bodies: Vec<Neighbour> = rivals.iter().map(|rival| rival.body(path, time)).collect();
        let command = follower.step(path, &seen(&state), &Scene::EMPTY.with_neighbours(&bodies), FRAME_S);
        let own = body_of(&state, &body);
        let nearest = bodies.iter().map(|body| separation(&own, body)).fold(f64::INFINITY, f64::min);
        out.clearance = out.clearance.min(nearest);
        let shift = follower.shift_m();
        out.rate = out.rate.max(last.map_or(0.0, |last| (shift - last).abs() / FRAME_S));
        last = Some(shift);
        out.last_speed = state.forward_mps;
        out.max_offset = out.max_offset.max(command.cross_track_error_m.abs());
        let controls = Controls { pedal: command.pedal, reverse: command.reverse, steering_rad: command.steering_rad };
        for _ in 0..16 {
            car.advance(&mut state, &controls, FRAME_S / 16.0);
        }
        for rival in &mut rivals {
            rival.s += (rival.speed)(path, rival.s, time) * FRAME_S;
        }
    }
    out
}

/// A rise from 0 to 1.
fn ramp(x: f64) -> f64 {
    let x = x.clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}

#[test]
fn a_car_that_brakes_sooner_and_is_slower_in_the_bend_is_not_run_into() {
    let path = circuit(45.0, 22.0);
    for (ahead, fraction) in [(12.0, 0.85), (20.0, 0.8), (35.0, 0.7)] {
        // As fast on the straight, slower wherever the profile brakes.
        let rival = Rival {
            s: 20.0 + ahead,
            speed: Box::new(move |path, s, _| {
                let profile = path.sample(s).speed_mps.min(path.sample(s + 25.0).speed_mps);
                profile * (1.0 - (1.0 - fraction) * ramp((45.0 - profile) / 12.0))
            }),
            offset: Box::new(|_, _| 0.0),
        };
        let out = race(&path, (20.0, 0.0, 45.0), vec![rival], 30.0);
        println!("{ahead} m, {fraction}: {out:?}");
        assert!(out.clearance > 0.3, "{out:?}");
    }
}

#[test]
fn a_car_that_turns_in_from_beside_the_line_is_let_go_first() {
    let path = circuit(45.0, 22.0);
    for (ahead, beside) in [(30.0, 4.5), (35.0, -4.5), (45.0, 4.5)] {
        // Beside the line on the straight, on it from the bend on.
        let rival = Rival {
            s: 150.0 + ahead,
            speed: Box::new(|path, s, _| 0.85 * path.sample(s).speed_mps.min(path.sample(s + 15.0).speed_mps)),
            offset: Box::new(move |s, _| beside * (1.0 - ramp((s - 290.0) / 60.0))),
        };
        // Until the end of the bend: behind it this rival accelerates through whoever has passed it.
        let out = race(&path, (150.0, 0.0, 45.0), vec![rival], 14.0);
        println!("{ahead} m, {beside}: {out:?}");
        assert!(out.clearance > 0.2, "{out:?}");
    }
}

#[test]
fn one_that_comes_alongside_and_cuts_in_is_evaded() {
    let path = straight(50.0, |_| [7.0; 2]);
    for side in [1.0, -1.0] {
        // From behind at 6 m aside, then to 1 m of the line within 1.5 s: held there by nobody.
        let rival = Rival {
            s: 80.0,
            speed: Box::new(|_, _, _| 53.0),
            offset: Box::new(move |_, time| side * (6.0 - 5.0 * ramp((time - 4.0) / 2.5))),
        };
        let out = race(&path, (100.0, 0.0, 50.0), vec![rival], 12.0);
        println!("{side}: {out:?}");
        assert!(out.clearance > 0.0, "{out:?}");
    }
}

#[test]
fn a_road_that_gets_narrower_is_kept_to_without_a_jump() {
    // On the left 7 m, then 1.2 m within 30 m; the slower one is passed before or followed.
    let room = |s: f64| [7.0 - 5.8 * ramp((s - 400.0) / 30.0), 1.2];
    for ahead in [60.0, 100.0, 140.0] {
        let path = straight(45.0, room);
        let rival = Rival { s: 100.0 + ahead, speed: Box::new(|_, _, _| 32.0), offset: Box::new(|_, _| 0.0) };
        let out = race(&path, (100.0, 0.0, 45.0), vec![rival], 15.0);
        println!("{ahead}: {out:?}");
        assert!(out.clearance > 0.2 && out.rate < 6.5, "{out:?}");
    }
}

#[test]
fn from_a_grid_the_column_is_kept_at_first() {
    let path = straight(50.0, |_| [7.0; 2]);
    // Two columns 7 m apart, 10 m from row to row; the one ahead in the other column starts 2 s late.
    let starts = |s: f64, offset: f64, late: f64| Rival {
        s,
        speed: Box::new(move |_, _, time| (6.0 * (time - late)).clamp(0.0, 45.0)),
        offset: Box::new(move |_, _| offset),
    };
    let rivals = vec![starts(110.0, -3.5, 2.0), starts(120.0, 3.5, 0.1), starts(90.0, -3.5, 0.0)];
    let out = race(&path, (100.0, 3.5, 0.0), rivals, 5.0);
    println!("{out:?}");
    assert!(out.clearance > 0.3 && out.max_offset < 4.5 && out.last_speed > 15.0, "{out:?}");
}

#[test]
fn one_that_keeps_its_place_on_the_road_is_given_room_where_the_line_crosses_it() {
    // The line crosses a road 12 m wide from right to left, as before a bend to the left, with one abreast
    // that stays 2.5 m from the left edge, or the same to the right.
    for side in [1.0, -1.0] {
        for behind in [0.0, 2.5] {
            let near = |s: f64| 10.0 - 8.5 * ramp((s - 250.0) / 60.0);
            let room = |s: f64| if side > 0.0 { [near(s), 12.0 - near(s)] } else { [12.0 - near(s), near(s)] };
            let path = straight(45.0, room);
            let rival = Rival {
                s: 100.0 - behind,
                speed: Box::new(|_, _, _| 45.0),
                offset: Box::new(move |s, _| side * (near(s) - 2.5)),
            };
            let out = race(&path, (100.0, 0.0, 45.0), vec![rival], 7.0);
            println!("{side}, {behind} m behind: {out:?}");
            assert!(out.clearance > 0.5 && out.max_offset > 2.0, "{out:?}");
        }
    }
}

#[test]
fn one_that_crosses_behind_is_not_evaded() {
    let path = straight(45.0, |_| [7.0; 2]);
    // From 12 m behind it comes nearer, and crosses from 3.5 m on the left to 3.5 m on the right.
    let rival = Rival {
        s: 88.0,
        speed: Box::new(|_, _, time| if time < 2.2 { 48.0 } else { 45.0 }),
        offset: Box::new(|_, time| 3.5 - 7.0 * ramp((time - 1.0) / 1.4)),
    };
    let out = race(&path, (100.0, 0.0, 45.0), vec![rival], 3.0);
    println!("{out:?}");
    assert!(out.max_offset < 0.6 && out.last_speed > 43.0, "{out:?}");
}

#[test]
fn one_ahead_that_brakes_at_once_is_not_run_into() {
    let path = straight(45.0, |_| [2.4; 2]);
    // As hard as this car can, which keeps 7.5 m to it.
    for gap in [7.5, 10.0] {
        let rival = Rival {
            s: 100.0 + LENGTH + gap,
            speed: Box::new(|_, _, time| (45.0 - 11.0 * (time - 1.0).max(0.0)).max(5.0)),
            offset: Box::new(|_, _| 0.0),
        };
        let out = race(&path, (100.0, 0.0, 45.0), vec![rival], 9.0);
        println!("{gap} m: {out:?}");
        assert!(out.clearance > 0.3, "{out:?}");
    }
}
