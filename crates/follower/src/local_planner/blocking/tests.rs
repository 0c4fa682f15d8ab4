use super::{is_anyone_behind, is_blocked, nearest_before, passing_distance};
use crate::chassis::testing::{on_straight, straight};
use crate::local_planner::prediction::{Ahead, Gaps, Other, Others, Station};
use crate::planned_route::STATIONS;
use crate::vehicle::{VehicleGeometry, VehicleKind};

/// A straight road with offsets from `low` to `high`.
fn road(low: f64, high: f64) -> Ahead {
    let stations = std::array::from_fn(|k| Station { s: 2.0 * k as f64, top: 10.0, ..Station::default() });
    Ahead { stations, step: 2.0, corridor: Gaps { low: [low; STATIONS], high: [high; STATIONS] } }
}

/// Whether a vehicle `left` of the path is blocked by another with `gap` between them, after it waited so long.
fn blocks(other: Other, gap: f64, [low, high]: [f64; 2], left: f64, waited_s: f64, following_m: f64) -> bool {
    let path = straight([50.0; 2], f64::NAN);
    let frame = on_straight(&path, [100.0, left], 0.0);
    let other = Other { ahead: gap + other.half_lengths, ..other };
    let (others, ahead) = (Others::one(other, &[]), road(low, high));
    is_blocked(&other, &others, (&ahead, &frame), (waited_s, following_m), &VehicleGeometry::default())
}

/// A car on the path, like the vehicle.
fn car() -> Other {
    Other { half_lengths: 4.4, half_widths: 1.8, straight_widths: 1.8, is_vehicle: true, ..Other::default() }
}

/// The distance in which the vehicle moves aside: two arcs of its smallest radius.
fn needed(aside: f64) -> f64 {
    (4.0 * 2.6 / 0.6_f64.tan() * aside).sqrt()
}

#[test]
fn one_that_comes_blocks_nearer_than_what_moving_aside_takes() {
    let comes = Other { faces_against: true, ..car() };
    // Both keep to their right, 2 m away: the distance, 1 m before the other, and 0.5 m for reversing.
    let is_blocked = |gap: f64, left: f64, following: f64| blocks(comes, gap, [-2.0, 4.0], left, 0.0, following);
    let far = needed(2.0) + 1.5;
    assert!(is_blocked(far - 0.01, 0.0, 3.0) && !is_blocked(far + 0.01, 0.0, 3.0));
    assert!(is_blocked(9.49, 0.0, 9.0) && !is_blocked(9.51, 0.0, 9.0));
    // At its side of the road it waits for the other.
    assert!(needed(0.006) > 0.3 && needed(0.005) < 0.3);
    assert!(is_blocked(1.0, -1.994, 3.0) && !is_blocked(1.0, -1.995, 3.0));
    // Without room for both, 1.8 m and 0.3 m, it is blocked by patience alone.
    let narrow = |high: f64, waited: f64| blocks(comes, 3.0, [-0.1, high], 0.0, waited, 3.0);
    assert!(narrow(2.01, 0.0) && !narrow(1.99, 7.9) && narrow(1.99, 8.1));
}

#[test]
fn one_that_stands_blocks_unless_it_soon_drives_on() {
    let stands = |faces_ahead: bool, gap: f64, waited: f64| {
        blocks(Other { faces_ahead, ..car() }, gap, [-2.0, 4.0], 0.0, waited, 3.0)
    };
    // 1.8 m and 0.3 m to the left; the right has no room.
    let far = needed(2.1);
    assert!(stands(false, far - 0.01, 0.0) && !stands(false, far + 0.01, 0.0));
    assert!(!stands(true, far - 0.01, 19.9) && stands(true, far - 0.01, 20.1) && !stands(true, far + 0.01, 20.1));
    // Without room at either side: behind a vehicle, within 12 m, after a time that depends on where it faces.
    let closed = |other: Other, gap: f64, waited: f64| blocks(other, gap, [-2.0, 2.0], 0.0, waited, 3.0);
    let ahead = Other { faces_ahead: true, ..car() };
    assert!(closed(ahead, 11.9, 20.1) && !closed(ahead, 12.1, 20.1) && !closed(ahead, 11.9, 19.9));
    assert!(closed(car(), 11.9, 8.1) && !closed(car(), 11.9, 7.9));
    assert!(!closed(Other { is_vehicle: false, ..car() }, 11.9, 20.1));
}

/// The distance in which the first of several is passed from the path.
fn passing(others: &Others, [low, high]: [f64; 2], vehicle: &VehicleGeometry) -> Option<f64> {
    passing_distance(&others.bodies()[0], others, &road(low, high), 0.0, vehicle)
}

#[test]
fn those_beside_the_first_are_passed_with_it() {
    let first = Other { ahead: 10.0, ..car() };
    let is = |others: Others, room: [f64; 2], aside: Option<f64>| {
        let found = passing(&others, room, &VehicleGeometry::default());
        assert!(found.zip(aside).is_none_or(|(found, aside)| (found - needed(aside)).abs() < 1e-9), "{found:?}");
        assert_eq!(found.is_some(), aside.is_some());
    };
    let alone = Others::one(first, &[]);
    is(alone, [-9.0, 9.0], Some(2.1));
    is(alone, [-2.0, 9.0], Some(2.1));
    is(alone, [-2.0, 2.0], None);
    // One that stands beside it on the left: 2.1 m to the right of the first, or to the left of the second.
    let beside = |ahead: f64| alone.with(Other { ahead, offset: 3.0, ..car() });
    is(beside(10.0), [-2.0, 9.0], Some(5.1));
    is(beside(10.0), [-2.0, 5.0], None);
    is(beside(10.0), [-2.2, 9.0], Some(2.1));
    // Only where both overlap along the path, by half of their lengths and the vehicle's.
    for side in [1.0, -1.0] {
        is(beside(10.0 + 8.7 * side), [-2.0, 9.0], Some(5.1));
        is(beside(10.0 + 8.9 * side), [-2.0, 9.0], Some(2.1));
    }
    // Between two there is room for the vehicle from 4.2 m on.
    is(alone.with(Other { ahead: 10.0, offset: 4.2, ..car() }), [-2.0, 9.0], Some(2.1));
    is(alone.with(Other { ahead: 10.0, offset: 4.1, ..car() }), [-2.0, 9.0], Some(6.2));
    // The nearer side.
    is(Others::one(Other { offset: 0.5, ..first }, &[]), [-9.0, 9.0], Some(1.6));
    is(Others::one(Other { offset: -0.5, ..first }, &[]), [-9.0, 9.0], Some(1.6));
}

/// At walking pace others than cars turn within their length.
#[test]
fn tracks_and_cushions_turn_within_their_length() {
    let first = Others::one(Other { ahead: 10.0, half_widths: 0.2, ..car() }, &[]);
    let with = |kind: VehicleKind, length_m: f64| {
        let vehicle = VehicleGeometry { kind, length_m, ..VehicleGeometry::default() };
        passing(&first, [-9.0, 9.0], &vehicle).unwrap()
    };
    assert!((with(VehicleKind::Wheels, 8.0) - needed(0.5)).abs() < 1e-9);
    for kind in [VehicleKind::SkidSteer, VehicleKind::Hover] {
        assert!((with(kind, 8.0) - 4.0).abs() < 1e-9);
        assert!((with(kind, 2.0) - needed(0.5)).abs() < 1e-9);
    }
}

#[test]
fn the_nearest_before_is_in_the_lane_and_ahead() {
    let path = straight([50.0; 2], f64::NAN);
    let frame = on_straight(&path, [100.0, 1.0], 0.0);
    let nearest = |others: &Others| nearest_before(others, &frame);
    let at = |ahead: f64, offset: f64| Other { ahead, offset, ..car() };
    // Within 1.8 m and 0.3 m.
    for side in [1.0, -1.0] {
        assert_eq!(nearest(&Others::one(at(9.0, 1.0 + 2.09 * side), &[])), Some(0));
        assert_eq!(nearest(&Others::one(at(9.0, 1.0 + 2.11 * side), &[])), None);
    }
    assert_eq!(nearest(&Others::one(at(-0.1, 1.0), &[])), None);
    assert_eq!(nearest(&Others::one(at(9.0, 1.0), &[]).with(at(8.0, 1.0)).with(at(7.0, 9.0))), Some(1));
    // By the gap: a long one is nearer.
    let long = Other { half_lengths: 8.0, ..at(11.0, 1.0) };
    assert_eq!(nearest(&Others::one(at(9.0, 1.0), &[]).with(long)), Some(1));
}

#[test]
fn one_behind_in_the_lane_prevents_reversing() {
    let path = straight([50.0; 2], f64::NAN);
    let is_behind = |speed: f64, ahead: f64, offset: f64, along: f64| {
        let frame = on_straight(&path, [100.0, 1.0], speed);
        let far = Other { ahead: -60.0, ..car() };
        is_anyone_behind(&Others::one(far, &[]).with(Other { ahead, offset, along, ..car() }), &frame)
    };
    // 0.7 m behind 4.4 m, and half a second at the speeds of both.
    assert!(is_behind(0.0, -5.09, 1.0, 0.0) && !is_behind(0.0, -5.11, 1.0, 0.0));
    assert!(is_behind(-2.0, -6.09, 1.0, 0.0) && !is_behind(-2.0, -6.11, 1.0, 0.0));
    assert!(is_behind(0.0, -6.09, 1.0, 2.0) && !is_behind(0.0, -6.11, 1.0, 2.0));
    for side in [1.0, -1.0] {
        assert!(is_behind(0.0, -5.0, 1.0 + 1.79 * side, 0.0) && !is_behind(0.0, -5.0, 1.0 + 1.81 * side, 0.0));
    }
    assert!(!is_behind(0.0, 3.0, 1.0, 0.0));
}
