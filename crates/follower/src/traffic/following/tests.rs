use super::{Across, Brakes, CREEP_MPS, STEPS, allowed_by, following_speed, is_let_go, is_yielded_to};
use crate::chassis::testing::{frame, on_straight, ring, straight, straight_of};
use crate::closeness::is_close;
use crate::options::{TargetSpeedOptions, TrafficOptions};
use crate::path::Waypoint;
use crate::traffic::neighbours::Seen;
use crate::vehicle::{VehicleGeometry, VehicleState};
use raceline_car::VehicleDynamics;

const WIDE: [f64; 2] = [50.0, 50.0];
/// A vehicle that stays on the path.
const STAYS: Across = Across { from: 0.0, goal: 0.0, time: 1.0, rate: 0.0, stops: 0.0, led_off: false };
/// A vehicle 10 m ahead on the path at 10 m/s.
const AHEAD: Seen = Seen {
    s: 60.0,
    gap: 10.0,
    ahead: true,
    offset: 0.0,
    half_width: 1.0,
    speed: 10.0,
    drift: 0.0,
    closing: 2.0,
    pace: 0.0,
    slides: false,
    room: WIDE,
    kept: [0.0; 7],
    aside: 0.0,
};

fn brakes() -> Brakes {
    Brakes { saved: std::array::from_fn(|k| 0.05 * (k + 1) as f64), room: [WIDE; STEPS], now: 6.0 }
}

/// What another allows a vehicle at a speed, 3 m and 0.1 s behind it.
fn allowed(other: &Seen, speed: f64, across: &Across) -> Option<(f64, f64)> {
    let path = straight(WIDE, f64::NAN);
    let frame = on_straight(&path, [50.0, 0.0], speed);
    let vehicle = VehicleGeometry { width_m: 2.0, length_m: 4.0, ..VehicleGeometry::default() };
    allowed_by(other, &frame, &TrafficOptions::default(), &vehicle, &brakes(), across)
}

fn are(allowed: Option<(f64, f64)>, expected: (f64, f64)) -> bool {
    allowed.is_some_and(|(speed, fraction)| is_close(speed, expected.0) && is_close(fraction, expected.1))
}

/// What the formulas of the module give where the other keeps its speed and is met at each step.
fn by_steps(gap: f64, kept: impl Fn(f64) -> f64, its: f64, own: f64) -> (f64, f64) {
    (1..=16).map(|k| (0.15 * f64::from(k), 0.05 * f64::from(k))).fold(
        (f64::INFINITY, 0.0),
        |(limit, fraction), (time, saved)| {
            let room = gap - kept(time) + its * time;
            (f64::min(limit, (room + 0.7 * saved) / time), f64::max(fraction, (own * time - room) / saved))
        },
    )
}

#[test]
fn brakes_save_what_constant_deceleration_does() {
    // 6 m/s² after a tenth of a second: in steps of 0.15 s the sums of trapezia.
    let path = straight_of(|along| Waypoint { left_m: 6.0 + 0.02 * along, right_m: 5.0, ..Waypoint::default() });
    let frame = on_straight(&path, [50.0, 0.0], 30.0);
    let brakes = Brakes::new(&frame, &TrafficOptions::default(), &TargetSpeedOptions::default(), 2.0);
    assert!(is_close(brakes.now, 6.0));
    for k in 0..STEPS {
        let n = k as f64;
        let saved = 0.15 * 6.0 * (0.025 - 0.025 * n + 0.075 * n * (n + 1.0));
        assert!(is_close(brakes.saved[k], saved), "{brakes:?} {k}: {saved}");
        let along = 50.0 + 30.0 * 0.15 * (n + 1.0);
        assert!(is_close(brakes.room[k][0], 5.0 + 0.02 * along) && is_close(brakes.room[k][1], 4.0), "{brakes:?}");
    }
    // From 3 m/s it stands after 0.6 s, and saves all that it would have driven since.
    let frame = on_straight(&path, [50.0, 0.0], 3.0);
    let slow = Brakes::new(&frame, &TrafficOptions::default(), &TargetSpeedOptions::default(), 2.0);
    assert!(is_close(slow.saved[10] - slow.saved[9], 3.0 * 0.15), "{slow:?}");
}

#[test]
fn a_bend_leaves_the_rest_of_the_friction_circle() {
    let now = |speed: f64, profile: f64, dynamics: Option<(f64, f64)>| {
        let mut path = ring(100.0, WIDE, profile);
        if let Some((lateral, longitudinal)) = dynamics {
            path = path.with_dynamics(&VehicleDynamics::constant(lateral, longitudinal, 5.0));
        }
        let frame = frame(&path, &VehicleState::new([100.0, 0.0, 0.0], std::f64::consts::FRAC_PI_2, speed));
        let speeds = TargetSpeedOptions { lateral_acceleration_g: 0.5, ..TargetSpeedOptions::default() };
        Brakes::new(&frame, &TrafficOptions::default(), &speeds, 2.0).now
    };
    // 0.5 g are 4.903325 m/s². At 20 m/s, or by a profile of 15 m/s, 4 and 2.25 m/s² are taken.
    let left = |taken: f64| (1.0 - taken * taken).sqrt();
    for (now, expected) in [
        (now(20.0, f64::NAN, None), 6.0 * left(4.0 / 4.903_325)),
        (now(20.0, 15.0, None), 6.0 * left(2.25 / 4.903_325)),
        (now(30.0, f64::NAN, None), 6.0 * 0.2),
        // With the vehicle's limits 0.7 of them, or the option where that is more.
        (now(20.0, f64::NAN, Some((8.0, 20.0))), 14.0 * left(0.5)),
        (now(20.0, f64::NAN, Some((8.0, 7.0))), 6.0 * left(0.5)),
    ] {
        assert!((now - expected).abs() < 1e-3 * expected, "{now} {expected}");
    }
}

#[test]
fn the_speed_behind_another_is_that_of_the_formula() {
    // 12 m/s behind 10 m/s, 4.2 m to keep; beyond half a second it may brake at any time.
    let expected = by_steps(10.0, |_| 4.2, 10.0, 12.0);
    assert!(are(allowed(&AHEAD, 12.0, &STAYS), (expected.0, expected.1.clamp(0.0, 1.0))), "{expected:?}");
    // Where it is nearer, what it needs to stop behind it: 10² + 2 · 6 · (5 m - 1 m - 0.12 s · 12 m/s).
    let near = Seen { gap: 5.0, ..AHEAD };
    let (limit, fraction) = by_steps(5.0, |_| 4.2, 10.0, 12.0);
    let stops: f64 = (100.0 + 2.0 * 6.0 * (4.0 - 0.12 * 12.0_f64)).sqrt();
    let needed = (144.0 - 100.0) / (2.0 * 4.0) / 6.0;
    let expected = (limit.min(stops), fraction.max(needed).min(1.0));
    assert!(are(allowed(&near, 12.0, &STAYS), expected), "{:?} for {expected:?}", allowed(&near, 12.0, &STAYS));
    // A distance that is too short is regained at 2 m/s.
    let short = Seen { gap: 2.0, ..AHEAD };
    let expected = by_steps(2.0, |time| (2.0 + 2.0 * time).clamp(1.0, 4.0), 10.0, 10.0);
    let stops = 100.0_f64.sqrt();
    let speed = allowed(&short, 10.0, &STAYS).map(|allowed| allowed.0);
    assert!(speed.is_some_and(|speed| is_close(speed, expected.0.min(stops))), "{speed:?} for {expected:?}");
    // Who is behind, past or aside by 0.3 m does not matter.
    assert_eq!(allowed(&Seen { ahead: false, ..AHEAD }, 12.0, &STAYS), None);
    let aside = |offset: f64| Seen { offset, kept: [offset; 7], speed: 0.0, gap: 8.0, ..AHEAD };
    assert!(allowed(&aside(2.29), 12.0, &STAYS).is_some());
}

#[test]
fn beside_one_that_stands_the_vehicle_creeps_on() {
    let speed = |gap: f64, offset: f64| {
        allowed(&Seen { gap, offset, kept: [offset; 7], speed: 0.0, ..AHEAD }, 1.0, &STAYS).map(|allowed| allowed.0)
    };
    // By half of the widths, 2 m, and less than the 0.3 m that passing takes; abreast, and behind it.
    for side in [1.0, -1.0] {
        assert_eq!(speed(-0.5, side * 2.1), Some(CREEP_MPS));
        assert_eq!(speed(0.5, side * 2.1), Some(0.0));
    }
    // Abreast, but not beside.
    assert_eq!(speed(-0.5, 1.9), Some(0.0));
}

#[test]
fn who_slides_brakes_with_9_mps2() {
    // 3.6 m/s less in 0.4 s, and so on until it stands; this vehicle is at 10 m/s, 20 m behind.
    let slides = Seen { slides: true, gap: 20.0, ..AHEAD };
    let (mut its, mut distance, mut limit) = (10.0_f64, 0.0, f64::INFINITY);
    for k in 1..=16 {
        let slower = (its - 9.0 * 0.15).max(0.0);
        (distance, its) = (distance + 0.075 * (its + slower), slower);
        limit = f64::min(limit, (20.0 - 4.0 + distance + 0.7 * 0.05 * f64::from(k)) / (0.15 * f64::from(k)));
    }
    let speed = allowed(&slides, 10.0, &STAYS).map(|allowed| allowed.0);
    assert!(speed.is_some_and(|speed| is_close(speed, limit)), "{speed:?} for {limit}");
}

#[test]
fn a_vehicle_moves_between_its_goal_and_its_motion() {
    let across = Across { from: 1.0, goal: 3.0, time: 2.0, rate: -2.0, stops: 0.8, led_off: false };
    for (time, [low, high]) in [(0.5, [0.0, 1.5]), (1.0, [2.0, 2.0]), (3.0, [3.0, 3.0])] {
        let [a, b] = across.at(time, [9.0, 9.0]);
        assert!(is_close(a, low) && is_close(b, high), "{time}: {a} {b}");
    }
    assert_eq!(across.at(0.5, [1.2, 9.0]), [0.0, 1.2]);
    assert_eq!(Across { rate: -6.0, ..across }.at(0.5, [9.0, 1.5]), [-1.5, 1.5]);
}

#[test]
fn who_is_faster_or_leads_is_let_go() {
    let ahead = Seen { gap: 1.4, closing: 0.9, ..AHEAD };
    assert!(
        is_let_go(&ahead) && !is_let_go(&Seen { gap: 1.6, ..ahead }) && !is_let_go(&Seen { closing: 1.1, ..ahead })
    );
    assert!(!is_let_go(&Seen { speed: 0.9, ..ahead }));
    let behind = Seen { ahead: false, closing: -1.1, ..ahead };
    assert!(is_let_go(&behind) && !is_let_go(&Seen { closing: -0.9, ..behind }));
    let abreast = Seen { gap: -0.1, closing: 0.9, ..AHEAD };
    assert!(is_yielded_to(&abreast) && !is_yielded_to(&Seen { gap: 0.1, ..abreast }));
    assert!(!is_yielded_to(&Seen { closing: 1.1, ..abreast }) && !is_yielded_to(&Seen { speed: 0.9, ..abreast }));
    let behind = Seen { ahead: false, gap: -1.6, ..abreast };
    assert!(is_yielded_to(&behind) && !is_yielded_to(&Seen { gap: -1.4, ..behind }));
}

#[test]
fn who_presses_and_who_is_let_go_set_the_speed() {
    let path = straight(WIDE, f64::NAN);
    let frame = on_straight(&path, [50.0, 0.0], 12.0);
    let vehicle = VehicleGeometry::default();
    // Beside, a little behind: nobody to keep behind of.
    let beside = Seen { gap: -1.6, ahead: false, closing: -1.2, speed: 13.2, ..AHEAD };
    let speed = |other: Seen, across: &Across, pressed: bool| {
        following_speed(&[other], &frame, &TrafficOptions::default(), &vehicle, &brakes(), across, |_| pressed)
    };
    assert_eq!(speed(beside, &STAYS, false), (f64::INFINITY, 0.0));
    // 3 m/s slower with 0.6 of the brakes, or 2 m/s slower, but not by more than 0.5 m/s at once, with 0.15 of them.
    assert!(are(Some(speed(beside, &STAYS, true)), (10.2, 0.6 * 6.0)));
    let led_off = Across { led_off: true, ..STAYS };
    assert!(are(Some(speed(beside, &led_off, false)), (11.5, 0.15 * 6.0)));
    assert_eq!(speed(Seen { speed: 15.0, closing: -3.0, ..beside }, &led_off, false), (13.0, 0.0));
}
