use super::{Field, Place, Rival, Rivals, Seen};
use crate::chassis::testing::{on_straight, straight};
use crate::closeness::assert_close;
use crate::options::TargetSpeedOptions;
use crate::path::Path;
use raceline_car::VehicleDynamics;

#[test]
fn when_is_the_inverse_of_at() {
    let rival = Rival::steady(30.0, 1.0, 20.0, [4.5, 2.0]);
    for time in [0.0, 0.3, 2.0, 6.0, 9.0] {
        assert!((rival.when(rival.at(time).s, 0.0) - time).abs() < 1e-9, "{time}");
    }
    assert_eq!(rival.when(10.0, 1.5), 1.5);
}

/// Places between the times are linear; beyond the last the rival goes on along the path.
#[test]
fn places_are_linear_between_the_times() {
    let mut rival = Rival::steady(30.0, 1.0, 20.0, [4.5, 2.0]);
    for (k, place) in rival.places.iter_mut().enumerate() {
        let k = k as f64;
        *place = Place { s: k * k, offset: 2.0 * k, speed: 10.0 - k };
    }
    assert_eq!(rival.now(), rival.places[0]);
    let is = |time: f64, s: f64, offset: f64, speed: f64| {
        let there = rival.at(time);
        assert_close(there.s, s);
        assert_close(there.offset, offset);
        assert_close(there.speed, speed);
    };
    is(0.0, 0.0, 0.0, 10.0);
    is(-1.0, 0.0, 0.0, 10.0);
    is(0.85, 9.0 + 0.4 * 7.0, 6.8, 6.6);
    is(6.75, 729.0, 54.0, -17.0);
    is(7.0, 729.0 + 53.0, 54.0, -17.0);
    assert_close(rival.when(9.0 + 0.4 * 7.0, 0.0), 0.85);
    assert_close(rival.when(729.0 + 53.0, 0.0), 7.0);
    // From a later time on, no sooner.
    assert_close(rival.when(9.0, 2.0), 2.0);
    // One that stands is passed there late.
    let stands = Rival::steady(30.0, 0.0, 0.0, [4.5, 2.0]);
    assert_close(stands.when(31.0, 0.0), (26.0 + 8.0) * 0.25);
}

/// The prediction of one that is seen from 100 m along a straight path at 20 m/s with 10 m to either side.
fn predicted(seen: &Seen, field: &Field) -> (Rival, Path) {
    let path = straight([10.0, 6.0], 20.0);
    let dynamics = VehicleDynamics::constant(10.0, 8.0, 4.0);
    let speeds = TargetSpeedOptions { max_speed_mps: 100.0, ..TargetSpeedOptions::default() };
    let rival = Rival::new(seen, &on_straight(&path, [100.0, 0.0], 15.0), field, &dynamics, &speeds, 1.8);
    (rival, path)
}

/// A car of 5 m ahead at its usual place and pace.
fn seen() -> Seen {
    Seen { s: 120.0, gap: 15.5, ahead: true, offset: 1.0, half_width: 1.0, speed: 18.6, ..Seen::default() }
}

#[test]
fn a_rival_of_whom_nothing_is_known_keeps_nine_tenths_and_returns_to_the_path() {
    let (rival, _) = predicted(&seen(), &Field::UNKNOWN);
    assert_close(rival.lengths, 4.5);
    assert_close(rival.widths, 1.9);
    for (k, place) in rival.places.iter().enumerate() {
        let time = 0.25 * k as f64;
        assert_close(place.s, 20.0 + 18.6 * time);
        assert_close(place.speed, 18.6);
        assert_close(place.offset, (-time / 2.5).exp());
    }
    // Both overlap by more than both lengths are in all: no shorter than 0.5 m.
    assert_close(predicted(&Seen { gap: 19.9, ..seen() }, &Field::UNKNOWN).0.lengths, 0.5);
    assert_close(predicted(&Seen { s: 90.0, gap: 5.5, ..seen() }, &Field::UNKNOWN).0.lengths, 4.5);
}

#[test]
fn drift_fades_within_half_a_second_and_rivals_stay_on_the_road() {
    let (rival, _) = predicted(&Seen { drift: -2.0, ..seen() }, &Field::UNKNOWN);
    for k in [1, 2, 5] {
        let time = 0.25 * k as f64;
        assert_close(rival.places[k].offset, (1.0 - 2.0 * 0.5 * (1.0 - (-time / 0.5).exp())) * (-time / 2.5).exp());
    }
    let fast = predicted(&Seen { drift: 9.0, ..seen() }, &Field::UNKNOWN).0;
    assert_close(fast.places[2].offset, (1.0 + 6.0 * 0.5 * (1.0 - (-1.0_f64).exp())) * (-0.2_f64).exp());
    // A half width from the edges, unless it is nearer to one already.
    let left = predicted(&Seen { offset: 8.0, drift: 6.0, ..seen() }, &Field::UNKNOWN).0;
    assert_close(left.places[1].offset, ((8.0 + 3.0 * (1.0 - (-0.5_f64).exp())) * (-0.1_f64).exp()).min(9.0));
    let right = predicted(&Seen { offset: -4.9, drift: -6.0, ..seen() }, &Field::UNKNOWN).0;
    assert_close(right.places[1].offset, -5.0);
    let out = predicted(&Seen { offset: -7.0, drift: -6.0, ..seen() }, &Field::UNKNOWN).0;
    assert_close(out.places[1].offset, -7.0);
    let out = predicted(&Seen { offset: 9.5, drift: 6.0, ..seen() }, &Field::UNKNOWN).0;
    assert_close(out.places[1].offset, 9.5);
}

#[test]
fn a_rival_speeds_up_and_brakes_to_its_pace() {
    let speeds = |seen: Seen| predicted(&seen, &Field::UNKNOWN).0.places.map(|place| place.speed);
    // 0.85 of 4 m/s², to 0.93 of 20 m/s.
    let slow = speeds(Seen { speed: 10.0, ..seen() });
    for (k, speed) in slow.iter().enumerate() {
        assert_close(*speed, (10.0 + 3.4 * 0.25 * k as f64).min(18.6));
    }
    let s = predicted(&Seen { speed: 10.0, ..seen() }, &Field::UNKNOWN).0.places[4].s;
    assert_close(s, 20.0 + 10.0 + 0.5 * 3.4);
    // One that is faster stays so, up to the path's own speed, to which it brakes.
    assert!(speeds(Seen { speed: 19.0, ..seen() }).iter().all(|speed| (speed - 19.0).abs() < 1e-9));
    let fast = speeds(Seen { speed: 30.0, ..seen() });
    for (k, speed) in fast.iter().enumerate() {
        assert_close(*speed, (30.0 - 18.0 * 0.25 * k as f64).max(20.0));
    }
    // One that crawls stays as slow and where it is; one that reverses stands.
    let idle = predicted(&Seen { speed: 2.9, drift: 1.0, ..seen() }, &Field::UNKNOWN).0;
    assert!(idle.places.iter().all(|place| place.speed == 2.9 && place.offset == 1.0));
    assert_close(idle.places[4].s, 22.9);
    assert!(speeds(Seen { speed: -2.0, ..seen() }).iter().all(|speed| *speed == 0.0));
    assert!(speeds(Seen { speed: 3.1, ..seen() })[1] > 3.1);
    // One that slides loses 9 m/s².
    let slides = speeds(Seen { slides: true, ..seen() });
    for (k, speed) in slides.iter().enumerate() {
        assert_close(*speed, (18.6 - 9.0 * 0.25 * k as f64).max(0.0));
    }
}

#[test]
fn the_line_and_the_pace_that_were_seen_are_expected() {
    let (_, path) = predicted(&seen(), &Field::UNKNOWN);
    let mut field = Field::UNKNOWN;
    // All along the path 2 m to the left at 0.8 of the speed, seen ten times: half known.
    for _ in 0..10 {
        for k in 0..1024 {
            let s = 400.0 * (f64::from(k) + 0.5) / 1024.0;
            if k % 4 == 1 {
                field.learn(&path, &Seen { s, offset: 2.0, speed: 16.0, ..seen() }, 20.0);
            }
        }
    }
    assert!((field.at(&path, 120.0).known - 0.5).abs() < 1e-6);
    let rival = predicted(&Seen { speed: 10.0, ..seen() }, &field).0;
    // Beside the line of 1 m by nothing.
    assert!(rival.places.iter().all(|place| (place.offset - 1.0).abs() < 1e-6), "{rival:?}");
    let pace = 0.5 * 0.8 + 0.5 * 0.93;
    assert!((rival.places[27].speed - 20.0 * pace).abs() < 1e-4, "{rival:?}");
    let beside = predicted(&Seen { offset: 2.0, ..seen() }, &field).0;
    assert!((beside.places[4].offset - 1.0 - (-0.4_f64).exp()).abs() < 1e-6);
}

#[test]
fn a_line_that_leads_to_the_side_is_no_drift() {
    let (_, path) = predicted(&seen(), &Field::UNKNOWN);
    let mut field = Field::UNKNOWN;
    // The line leads to the left by a twentieth of its length, well known.
    for _ in 0..30 {
        for k in 0..256 {
            let s = 400.0 * (f64::from(k) + 0.5) / 256.0;
            field.learn(&path, &Seen { s, offset: 0.05 * (s - 120.0), speed: 18.0, ..seen() }, 20.0);
        }
    }
    let on_line = Seen { offset: 0.0, speed: 18.0, drift: 0.9, ..seen() };
    let rival = predicted(&on_line, &field).0;
    for k in [1, 4, 8] {
        assert!((rival.places[k].offset - 0.05 * (rival.places[k].s - 20.0)).abs() < 2e-3, "{k} {rival:?}");
    }
    // Beside it by what its drift differs.
    let slower = predicted(&Seen { drift: 0.4, ..on_line }, &field).0;
    let expected = -0.5 * 0.5 * (1.0 - (-2.0_f64).exp()) * (-0.4_f64).exp();
    assert!((slower.places[4].offset - rival.places[4].offset - expected).abs() < 2e-3, "{slower:?}");
}

#[test]
fn rivals_far_behind_are_not_looked_at() {
    let path = straight([10.0, 6.0], 20.0);
    let dynamics = VehicleDynamics::constant(10.0, 8.0, 4.0);
    let speeds = TargetSpeedOptions::default();
    let frame = on_straight(&path, [100.0, 0.0], 15.0);
    let behind = |gap: f64| Seen { s: 95.5 - gap, gap, ahead: false, ..seen() };
    let seen = [behind(16.0), seen(), behind(14.0)];
    let rivals = Rivals::new(&seen, &frame, &Field::UNKNOWN, &dynamics, &speeds, 1.8);
    let places: Vec<_> = rivals.as_slice().iter().map(|rival| rival.now().s).collect();
    assert!(places.len() == 2, "{places:?}");
    assert_close(places[0], 20.0);
    assert_close(places[1], -18.5);
}
