//! The stuck manager: its states, its events, its escalation.

// A test that can't start should fail with a message.
#![allow(clippy::expect_used)]

use crate::common::{Car, FRAME_S, drive, path};
use raceline_follower::baselines::{PaperBaseline, PaperBaselineOptions, Reynolds, ReynoldsOptions};
use raceline_follower::{
    Follower, FollowerOptions, Path, PathFollower, Scene, StuckCause, StuckEvent, StuckManager, StuckObservation,
    StuckOptions, StuckState, VehicleGeometry, VehicleState,
};

use StuckState::{AskingForPlacement, Driving, Reversing, TurningOut};

fn straight() -> Path {
    path(&[[0.0, 0.0], [500.0, 0.0]], false)
}

fn follower() -> Follower {
    Follower::new(FollowerOptions::default(), VehicleGeometry::default()).expect("valid")
}

/// Every follower of the crate.
fn followers() -> Vec<Box<dyn PathFollower>> {
    let vehicle = VehicleGeometry::default();
    vec![
        Box::new(follower()),
        Box::new(PaperBaseline::new(PaperBaselineOptions::default(), vehicle).expect("valid")),
        Box::new(Reynolds::new(ReynoldsOptions::default(), vehicle).expect("valid")),
    ]
}

/// Drives a car that can't move, and returns the events with their times.
fn blocked(follower: &mut dyn PathFollower, seconds: f64) -> Vec<(f64, StuckEvent)> {
    let mut car = Car::new([20.0, 0.0], 0.0, 0.0);
    car.blocked = true;
    let mut events = Vec::new();
    let mut time = 0.0;
    drive(follower, &straight(), &mut car, seconds, |_, command| {
        time += FRAME_S;
        events.extend(command.event.map(|event| (time, event)));
        assert_eq!(command.place_back.is_some(), command.state == AskingForPlacement);
        assert_eq!(command.reverse, command.state == Reversing);
    });
    events
}

#[test]
fn a_free_vehicle_is_never_stuck() {
    for mut follower in followers() {
        let mut car = Car::new([0.0, 1.0], 0.3, 0.0);
        drive(follower.as_mut(), &straight(), &mut car, 80.0, |_, command| {
            assert_eq!((command.state, command.event), (Driving, None));
        });
    }
}

#[test]
fn a_blocked_vehicle_tries_harder_each_time_and_then_asks() {
    let options = StuckOptions::default();
    for mut follower in followers() {
        let events = blocked(follower.as_mut(), 60.0);
        let transitions: Vec<_> = events.iter().map(|(_, e)| (e.from, e.to, e.cause, e.attempt)).collect();
        let mut expected = Vec::new();
        for attempt in 1..=options.attempts {
            expected.push((Driving, Reversing, StuckCause::NoProgress, attempt));
            expected.push((Reversing, TurningOut, StuckCause::BlockedBehind, attempt));
            expected.push((TurningOut, Driving, StuckCause::TurnedOut, attempt));
        }
        expected.push((Driving, AskingForPlacement, StuckCause::AttemptsUsedUp, options.attempts + 1));
        expected.push((AskingForPlacement, Reversing, StuckCause::NotPlaced, 1));
        assert_eq!(transitions[..expected.len()], expected);
        // Each attempt reverses for longer, though a vehicle that doesn't move gives up half way.
        let spent = |i: usize| events[i + 1].0 - events[i].0;
        for (i, attempt) in [(0, 0), (3, 1), (6, 2)] {
            let half = 0.5 * options.reverse_s * 1.5f64.powi(attempt);
            assert!((spent(i) - half).abs() < 2.0 * FRAME_S, "{} {half}", spent(i));
        }
        assert!((events[0].0 - options.window_s).abs() < 3.0 * FRAME_S);
    }
}

#[test]
fn no_two_states_alternate() {
    for mut follower in followers() {
        let events = blocked(follower.as_mut(), 300.0);
        assert!(events.len() > 30);
        // Leaving a state and coming back to it takes at least two other states, but for a whole
        // window of driving, or being placed.
        for pair in events.windows(2) {
            let ((_, a), (_, b)) = (pair[0], pair[1]);
            assert_eq!(a.to, b.from);
            assert_ne!(a.from, b.to, "{a:?} and straight back");
        }
        // And no state is left sooner than in a third of a second.
        assert!(events.windows(2).all(|pair| pair[1].0 - pair[0].0 > 0.3));
    }
}

/// A car at a wall across the path: it can't go beyond x = 30 near y = 0.
fn drive_at_wall(follower: &mut dyn PathFollower, half_width: f64, seconds: f64) -> (Car, Vec<StuckEvent>) {
    let mut car = Car::new([10.0, 0.0], 0.0, 0.0);
    let mut events = Vec::new();
    let path = straight();
    for _ in 0..(seconds / FRAME_S) as usize {
        let command = follower.step(&path, &car.state(), &Scene::EMPTY, FRAME_S);
        events.extend(command.event);
        let before = car;
        car.drive(&command, FRAME_S);
        let [x, y] = car.position();
        if (30.0..33.0).contains(&x) && y.abs() < half_width {
            car = Car { speed: 0.0, ..before };
        }
    }
    (car, events)
}

#[test]
fn it_gets_round_a_post_on_the_path() {
    let (car, events) = drive_at_wall(&mut follower(), 0.4, 120.0);
    assert!(car.position()[0] > 400.0, "{:?} after {events:?}", car.position());
    let stuck = events.iter().filter(|event| event.is_stuck()).count();
    assert!((1..=3).contains(&stuck), "{events:?}");
}

#[test]
fn placed_back_it_drives_on() {
    let mut follower = follower();
    let path = straight();
    let mut car = Car::new([20.0, 3.0], 0.5, 0.0);
    car.blocked = true;
    let mut placed = None;
    for _ in 0..6000 {
        let command = follower.step(&path, &car.state(), &Scene::EMPTY, FRAME_S);
        if let Some(placement) = command.place_back {
            assert!((placement.position_m[0] - 20.0).abs() < 0.1 && placement.position_m[1] == 0.0);
            assert_eq!((placement.heading_rad, command.pedal), (0.0, -1.0));
            placed = Some(placement);
            break;
        }
        car.drive(&command, FRAME_S);
    }
    let placement = placed.expect("asked");
    let mut car = Car::new([placement.position_m[0], placement.position_m[1]], placement.heading_rad, 0.0);
    let command = follower.step(&path, &car.state(), &Scene::EMPTY, FRAME_S);
    let event = command.event.expect("an event");
    assert_eq!((event.from, event.to, event.cause), (AskingForPlacement, Driving, StuckCause::PlacedBack));
    drive(&mut follower, &path, &mut car, 30.0, |_, command| assert_eq!(command.state, Driving));
    assert!(car.position()[0] > 200.0);
}

#[test]
fn another_path_ends_what_was_going_on() {
    let mut follower = follower();
    let mut car = Car::new([20.0, 0.0], 0.0, 0.0);
    car.blocked = true;
    drive(&mut follower, &straight(), &mut car, 4.5, |_, _| {});
    let command = follower.step(&path(&[[20.0, 0.0], [20.0, 90.0]], false), &car.state(), &Scene::EMPTY, FRAME_S);
    assert_eq!(command.event.map(|event| (event.to, event.cause)), Some((Driving, StuckCause::PathChanged)));
}

#[test]
fn switched_off_it_does_nothing() {
    let mut options = FollowerOptions::default();
    options.stuck.enabled = false;
    let mut follower = Follower::new(options, VehicleGeometry::default()).expect("valid");
    assert!(blocked(&mut follower, 60.0).is_empty());
}

fn seen(advance_m: f64) -> StuckObservation {
    StuckObservation {
        s_m: 0.0,
        advance_m,
        off_path_m: 0.0,
        speed_mps: 0.0,
        wants_to_move: true,
        teleported: false,
        path_changed: false,
        dt_s: 0.1,
    }
}

#[test]
fn progress_is_measured_in_a_window() {
    let options = StuckOptions { window_s: 2.0, min_progress_m: 1.0, ..StuckOptions::default() };
    // 1.1 m in every two seconds is enough, 0.9 m isn't.
    for (advance, stuck) in [(0.055, false), (0.045, true)] {
        let mut manager = StuckManager::new(options);
        let events = (0..600).filter_map(|_| manager.update(&seen(advance))).filter(StuckEvent::is_stuck).count();
        assert_eq!(events > 0, stuck, "{advance}");
    }
    // To and fro is none.
    let mut manager = StuckManager::new(options);
    let first = (0..600).find(|i| manager.update(&seen(if i % 10 < 5 { 0.1 } else { -0.1 })).is_some());
    assert!(first.is_some_and(|i| i < 30), "{first:?}");
    // Coming nearer to the path is.
    let mut manager = StuckManager::new(options);
    for i in 0..600 {
        let observation = StuckObservation { off_path_m: 100.0 - 0.1 * f64::from(i), ..seen(0.0) };
        assert_eq!(manager.update(&observation), None);
    }
    // A vehicle that isn't to move isn't stuck.
    let mut manager = StuckManager::new(options);
    for _ in 0..600 {
        assert_eq!(manager.update(&StuckObservation { wants_to_move: false, ..seen(0.0) }), None);
    }
}

#[test]
fn attempts_start_over_only_well_beyond() {
    let options = StuckOptions { window_s: 1.0, ..StuckOptions::default() };
    let run = |creep: f64| {
        let mut manager = StuckManager::new(options);
        let mut attempts = Vec::new();
        for _ in 0..3 {
            // Stuck, and then a little further.
            for _ in 0..200 {
                if manager.update(&seen(0.0)).is_some_and(|event| event.is_stuck()) {
                    attempts.push(manager.attempt());
                    break;
                }
            }
            for _ in 0..200 {
                if manager.state() == Driving {
                    break;
                }
                manager.update(&StuckObservation { speed_mps: -1.0, ..seen(0.0) });
            }
            for _ in 0..4 {
                manager.update(&seen(creep / 4.0));
            }
        }
        attempts
    };
    // 10 m from where it was last stuck; several times less don't add up.
    assert_eq!(run(6.0), [1, 2, 3]);
    assert_eq!(run(12.0), [1, 1, 1]);
}

#[test]
fn while_turning_out_the_wheels_point_to_the_path() {
    let mut follower = follower();
    let path = straight();
    // Facing away from the path, to its left.
    let state = VehicleState::new([50.0, 5.0, 0.0], 1.2, 0.0);
    let mut seen = [false; 2];
    for _ in 0..600 {
        let command = follower.step(&path, &state, &Scene::EMPTY, FRAME_S);
        match command.state {
            // Backing with the wheels to the left turns the nose to the right.
            Reversing if command.event.is_none() => {
                assert!(command.steering_rad > 0.5 && command.pedal > 0.0);
                seen[0] = true;
            }
            TurningOut => {
                assert!(command.steering_rad < 0.0 && command.pedal > 0.0);
                seen[1] = true;
            }
            _ => {}
        }
        if seen[1] && command.state == Driving {
            break;
        }
    }
    assert_eq!(seen, [true; 2]);
}
