//! Learning over laps: the profile with factors in closed form, and laps of a car whose grip differs
//! from what the follower assumes, by place.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]

use crate::common::{FRAME_S, circle, waypoint};
use crate::racing::{self, car_with, circuit, dynamics, geometry, seen};
use raceline_follower::{
    Follower, LearnedLap, LearnedSpeeds, LearningError, LearningOptions, Path, RememberedSpeeds, Scene, SpeedMode,
    VehicleState, Waypoint,
};
use raceline_vehicle_simulation::{BicycleState, Controls};

/// An open straight road of 600 m with a slow place at 400 m: v = 40 m/s, 10 m/s² of braking to
/// 20 m/s at 400 m, and 5 m/s² of acceleration behind it.
fn slow_place() -> Path {
    let square = |s: f64| {
        let braking = 400.0 + 20.0 * (400.0 - s).max(0.0);
        let driving = 400.0 + 10.0 * (s - 400.0).max(0.0);
        f64::min(1600.0, if s < 400.0 { braking } else { driving })
    };
    let points = (0..=300).map(|i| f64::from(i) * 2.0);
    Path::new(points.map(|s| Waypoint { speed_mps: square(s).sqrt(), ..waypoint(s, 0.0) }).collect(), false).unwrap()
}

/// The factor of every place by the distance of its middle.
fn factors(path: &Path, at: impl Fn(f64) -> f64) -> RememberedSpeeds {
    let count = (path.length_m() / 10.0).round() as usize;
    let middle = |i: usize| (i as f64 + 0.5) / count as f64 * path.length_m();
    RememberedSpeeds {
        points: path.waypoints().len(),
        length_m: path.length_m(),
        laps: 3,
        best_lap_s: Some(20.0),
        factors: (0..count).map(|i| at(middle(i))).collect(),
    }
}

fn learned(path: &Path, at: impl Fn(f64) -> f64) -> Path {
    let mut speeds = LearnedSpeeds::new(path, geometry(), LearningOptions::default()).unwrap();
    speeds.restore(&factors(path, at)).unwrap();
    let mut path = path.clone();
    speeds.apply(&mut path).unwrap();
    path
}

#[test]
fn factors_of_one_leave_the_profile_as_it_is() {
    let path = slow_place();
    let same = learned(&path, |_| 1.0);
    for i in 0..600 {
        assert_eq!(path.sample(f64::from(i)), same.sample(f64::from(i)));
    }
    // Elsewhere than at the factors, to rounding.
    let far = learned(&path, |s| if s > 500.0 { 0.9 } else { 1.0 });
    for i in 0..470 {
        let (before, after) = (path.sample(f64::from(i)), far.sample(f64::from(i)));
        assert!((before.speed_mps - after.speed_mps).abs() < 1e-9, "{i}");
    }
}

#[test]
fn a_slower_place_is_braked_for_sooner_and_with_the_same_deceleration() {
    let path = slow_place();
    // 0.9 of the speed from 380 m to 420 m.
    let slower = learned(&path, |s| if (380.0..420.0).contains(&s) { 0.9 } else { 1.0 });
    assert!((slower.sample(400.0).speed_mps - 18.0).abs() < 1e-9);
    // The deceleration of 10 m/s² is 8.1 there, where the neighbours' mean is; before, it is as it
    // was, and the braking point moves.
    let here = slower.sample(399.0);
    assert!((here.acceleration_mps2 + 8.1).abs() < 0.2, "{here:?}");
    for s in [345.0, 350.0, 360.0] {
        let (before, after) = (path.sample(s), slower.sample(s));
        assert!((after.acceleration_mps2 + 10.0).abs() < 1e-6, "{after:?}");
        let missing = before.speed_mps.powi(2) - after.speed_mps.powi(2);
        // Of the bottom 76 m²/s², and what weaker braking over some 20 m takes.
        assert!((76.0..76.0 + 2.0 * 1.9 * 40.0).contains(&missing), "{missing}");
    }
    assert!((slower.sample(330.0).speed_mps - 40.0).abs() < 1e-9);
}

#[test]
fn a_faster_place_is_left_faster_all_along_the_straight() {
    let path = slow_place();
    let faster = learned(&path, |s| if (380.0..420.0).contains(&s) { 1.05 } else { 1.0 });
    assert!((faster.sample(400.0).speed_mps - 21.0).abs() < 1e-9);
    let gained = |s: f64| faster.sample(s).speed_mps.powi(2) - path.sample(s).speed_mps.powi(2);
    // At least what the slowest place gained, and the same from 440 m on, where the factors
    // are 1 again, until the profile is steady.
    assert!(gained(440.0) >= 41.0 - 1e-9 && (gained(440.0) - gained(500.0)).abs() < 1e-9);
    assert!(gained(345.0) > 0.0 && gained(250.0).abs() < 1e-9);
    // It is a profile again: no drop that the brakes could not follow.
    for i in 0..600 {
        assert!(faster.sample(f64::from(i)).acceleration_mps2 > -11.1);
    }
}

#[test]
fn a_circle_s_speed_is_multiplied_all_around() {
    let round = circle(60.0, 200);
    let points = round.waypoints().iter().map(|point| Waypoint { speed_mps: 20.0, ..*point }).collect();
    let path = Path::new(points, true).unwrap();
    for factor in [0.9, 1.06] {
        let path = learned(&path, |_| factor);
        for i in 0..100 {
            assert!((path.sample(f64::from(i) * 3.7).speed_mps - 20.0 * factor).abs() < 1e-9);
        }
    }
}

#[test]
fn another_line_s_factors_are_refused() {
    let path = slow_place();
    let mut speeds = LearnedSpeeds::new(&path, geometry(), LearningOptions::default()).unwrap();
    let own = factors(&path, |_| 1.0);
    speeds.restore(&own).unwrap();
    let refused = |changed: RememberedSpeeds| {
        let mut speeds = speeds.clone();
        speeds.restore(&changed).unwrap_err()
    };
    assert!(matches!(refused(RememberedSpeeds { points: 300, ..own.clone() }), LearningError::OtherLine { .. }));
    assert!(matches!(refused(RememberedSpeeds { length_m: 600.1, ..own.clone() }), LearningError::OtherLine { .. }));
    assert!(matches!(
        refused(RememberedSpeeds { factors: vec![1.0; 3], ..own.clone() }),
        LearningError::Places { expected: 60, given: 3 }
    ));
    let mut bad = own.clone();
    bad.factors[7] = f64::NAN;
    assert!(matches!(refused(bad), LearningError::BadFactor { place: 7, .. }));
    let mut other = circle(60.0, 200);
    assert!(matches!(speeds.apply(&mut other), Err(LearningError::OtherLine { .. })));
    let without = LearnedSpeeds::new(&other, geometry(), LearningOptions::default()).unwrap_err();
    assert_eq!(without, LearningError::NoProfile { waypoint: 0 });
    let options = LearningOptions { lowest: 0.2, ..LearningOptions::default() };
    assert!(matches!(LearnedSpeeds::new(&path, geometry(), options), Err(LearningError::Options(_))));
}

#[cfg(feature = "json")]
#[test]
fn a_file_brings_back_what_was_learned() {
    use raceline_follower::json::{read_learned, write_learned};
    let path = slow_place();
    let own = factors(&path, |s| if s > 300.0 { 0.95 } else { 1.03 });
    let text = write_learned(&own);
    assert_eq!(read_learned(text.as_bytes()).unwrap(), own);
    let other = text.replace("\"version\":1", "\"version\":2");
    assert!(read_learned(other.as_bytes()).unwrap_err().to_string().contains("version 2"));
    assert!(read_learned(b"{}").unwrap_err().to_string().contains("format"));
}

/// Laps of the circuit with a car whose grip by place is `grip`: each lap, its time, and the worst
/// distance from the line in it.
fn laps(path: &Path, speeds: &mut LearnedSpeeds, grip: &dyn Fn(f64) -> f64, count: usize) -> Vec<(LearnedLap, f64)> {
    let mut path = path.clone();
    speeds.apply(&mut path).unwrap();
    let mut follower = Follower::new(racing::racing(SpeedMode::Profile, 1.0), geometry()).unwrap();
    let start = path.sample(0.0);
    let mut state = BicycleState {
        x_m: start.position_m[0],
        y_m: start.position_m[1],
        heading_rad: start.heading_rad,
        ..BicycleState::default()
    };
    let grips: Vec<f64> = (0..200).map(|i| grip(f64::from(i) / 200.0)).collect();
    let cars: Vec<_> = grips.iter().map(|grip| car_with(*grip)).collect();
    let (mut done, mut worst) = (Vec::new(), 0.0_f64);
    for _ in 0..200_000 {
        let seen = seen(&state);
        let command = follower.step(&path, &seen, &Scene::EMPTY, FRAME_S);
        worst = worst.max(command.cross_track_error_m.abs());
        if let Some(lap) = speeds.observe(&path, &seen, &command, FRAME_S) {
            speeds.apply(&mut path).unwrap();
            done.push((lap, worst));
            worst = 0.0;
            if done.len() == count {
                break;
            }
        }
        let car = &cars[((command.s_m / path.length_m() * 200.0) as usize).min(199)];
        let controls = Controls { pedal: command.pedal, reverse: command.reverse, steering_rad: command.steering_rad };
        for _ in 0..16 {
            car.advance(&mut state, &controls, FRAME_S / 16.0);
        }
    }
    done
}

#[test]
fn grip_that_differs_by_place_is_found() {
    let (path, _) = circuit();
    let path = path.with_dynamics(&dynamics());
    let grip = |place: f64| match place {
        ..0.1 | 0.85.. => 1.2,
        0.6..0.75 => 0.9,
        _ => 1.0,
    };
    let mut learning = LearnedSpeeds::new(&path, geometry(), LearningOptions::default()).unwrap();
    let explored = laps(&path, &mut learning, &grip, 11);
    // From standstill; then as the path is.
    assert_eq!((explored[0].0.time_s, explored[0].0.raised), (None, 0));
    let (first, at_first) = (explored[1].0.time_s.unwrap(), explored[1].1);
    assert!(explored[1].0.kept && at_first > 1.5, "{at_first} m");
    learning.settle();
    let judged = laps(&path, &mut learning, &grip, 4);
    let best = judged.iter().filter_map(|(lap, _)| lap.time_s).fold(f64::INFINITY, f64::min);
    println!("{first:.3} s, {at_first:.3} m from the line; learned {best:.3} s, {:.3} m", judged[3].1);
    assert!(best < 0.985 * first, "{best} s, at first {first} s");
    assert!(judged[3].1 < 0.6 * at_first, "{} m, at first {at_first} m", judged[3].1);
    let factor = |place: f64| learning.factor(place * path.length_m());
    assert!(factor(0.05) > 1.05 && factor(0.95) > 1.05, "faster where there is more grip");
    let smallest = (600..750).map(|i| factor(f64::from(i) * 1e-3)).fold(f64::INFINITY, f64::min);
    assert!(smallest < 0.98, "slower where there is less: {smallest}");
    assert!(judged.iter().all(|(lap, _)| lap.raised + lap.lowered == 0));
}

#[test]
fn with_the_grip_of_the_vehicle_file_nothing_gets_slower() {
    let (path, _) = circuit();
    let path = path.with_dynamics(&dynamics());
    for grip in [0.92, 1.0, 1.1] {
        let mut learning = LearnedSpeeds::new(&path, geometry(), LearningOptions::default()).unwrap();
        let explored = laps(&path, &mut learning, &|_| grip, 11);
        let first = explored[1].0.time_s.unwrap();
        learning.settle();
        let judged = laps(&path, &mut learning, &|_| grip, 3);
        let best = judged.iter().filter_map(|(lap, _)| lap.time_s).fold(f64::INFINITY, f64::min);
        println!("grip {grip}: {first:.3} s, learned {best:.3} s; {:.3} m and {:.3} m", explored[1].1, judged[2].1);
        // The lap before the judged ones begins otherwise: a few milliseconds.
        assert!(best < first + 0.015, "grip {grip}: {best} s, at first {first} s");
    }
}

#[test]
fn what_was_learned_goes_on_from_a_file() {
    let (path, _) = circuit();
    let path = path.with_dynamics(&dynamics());
    let new = || LearnedSpeeds::new(&path, geometry(), LearningOptions::default()).unwrap();
    let mut learning = new();
    laps(&path, &mut learning, &|_| 1.15, 5);
    let mut again = new();
    again.restore(&learning.remembered()).unwrap();
    assert_eq!(again.remembered(), learning.remembered());
    assert!(again.laps() == 5 && again.best_lap_s() == learning.best_lap_s());
}

#[test]
fn nothing_is_learned_from_the_return_to_the_path_and_from_part_of_a_lap() {
    let (path, _) = circuit();
    let mut learning = LearnedSpeeds::new(&path, geometry(), LearningOptions::default()).unwrap();
    let mut follower = Follower::new(racing::racing(SpeedMode::Profile, 1.0), geometry()).unwrap();
    let mut observe = |learning: &mut LearnedSpeeds, s: f64| {
        let there = path.sample(s);
        let state = VehicleState::new(there.position_m, there.heading_rad, there.speed_mps);
        let command = follower.step(&path, &state, &Scene::EMPTY, FRAME_S);
        learning.observe(&path, &state, &command, FRAME_S)
    };
    let length = path.length_m();
    // Back and forth over the start line.
    for round in 0..6 {
        for i in 0..40 {
            let forth = f64::from(i) * 0.5 - 10.0;
            let s = if round % 2 == 0 { forth } else { 9.5 - f64::from(i) * 0.5 };
            assert_eq!(observe(&mut learning, s), None);
        }
    }
    // Two laps at 0.5 m a frame, one of them with a break.
    let mut laps = Vec::new();
    for i in 0..(2.2 * length / 0.5) as usize {
        if i == 500 {
            learning.interrupt();
        }
        laps.extend(observe(&mut learning, 10.0 + i as f64 * 0.5));
    }
    assert_eq!(laps.len(), 1);
    assert!((laps[0].time_s.unwrap() - length / 0.5 * FRAME_S).abs() < 1e-3);
}

#[test]
fn where_the_host_reports_faults_they_count_and_a_body_on_the_kerb_does_not() {
    let (path, _) = circuit();
    let narrow = path.waypoints().iter().map(|point| Waypoint { left_m: 0.5, right_m: 0.5, ..*point }).collect();
    let narrow = Path::new(narrow, true).unwrap().with_dynamics(&dynamics());
    let learned = |host_reports_faults| {
        let options =
            if host_reports_faults { LearningOptions::of_reported_faults() } else { LearningOptions::default() };
        let mut learning = LearnedSpeeds::new(&narrow, geometry(), options).unwrap();
        let laps = laps(&narrow, &mut learning, &|_| 0.92, 8);
        (learning, laps)
    };
    // With less grip than assumed the first timed lap runs 1.5 m wide of a line without any room.
    let (_, kept_in) = learned(false);
    assert!(kept_in[1].1 > 1.0 && !kept_in[1].0.clean && kept_in[1].0.lowered > 0, "{:?}", kept_in[1]);
    let (mut reported, on_kerbs) = learned(true);
    assert!(on_kerbs.iter().all(|(lap, _)| lap.clean));
    // Slower places because of the corridor alone are gone.
    assert!(on_kerbs[1].0.lowered < kept_in[1].0.lowered, "{:?}", on_kerbs[1].0);
    // The faults that the host reports count.
    let mut follower = Follower::new(racing::racing(SpeedMode::Profile, 1.0), geometry()).unwrap();
    let mut ended = None;
    reported.interrupt();
    for i in 0..(2.2 * narrow.length_m() / 0.5) as usize {
        let there = narrow.sample((10.0 + i as f64 * 0.5) % narrow.length_m());
        let state = VehicleState::new(there.position_m, there.heading_rad, there.speed_mps);
        let command = follower.step(&narrow, &state, &Scene::EMPTY, FRAME_S);
        if i % 1000 == 999 {
            reported.fault();
        }
        ended = reported.observe(&narrow, &state, &command, FRAME_S).or(ended);
    }
    assert!(ended.is_some_and(|lap| !lap.clean && !lap.kept), "{ended:?}");
    // Also of factors that are settled: slower before the fault, and nowhere else.
    reported.settle();
    let before: Vec<f64> = (0..100).map(|i| reported.factor(f64::from(i) * 0.01 * narrow.length_m())).collect();
    let mut lowered = 0;
    for i in 0..(2.2 * narrow.length_m() / 0.5) as usize {
        let there = narrow.sample((10.0 + i as f64 * 0.5) % narrow.length_m());
        let state = VehicleState::new(there.position_m, there.heading_rad, there.speed_mps);
        let command = follower.step(&narrow, &state, &Scene::EMPTY, FRAME_S);
        if i == (1.4 * narrow.length_m() / 0.5) as usize {
            reported.fault();
        }
        lowered += reported.observe(&narrow, &state, &command, FRAME_S).map_or(0, |lap| lap.raised + lap.lowered);
    }
    assert!(lowered > 0);
    for (i, before) in before.iter().enumerate() {
        let after = reported.factor(i as f64 * 0.01 * narrow.length_m());
        assert!(after <= *before && (after < *before || !(38..=40).contains(&i)), "{i}");
        assert!((after - before).abs() < 1e-12 || (30..=44).contains(&i), "{i}");
    }
}
