use super::is_blocked;
use crate::chassis::testing::{on_straight, straight};
use crate::local_planner::prediction::{Ahead, Gaps, Other, Others, Station};
use crate::planned_route::STATIONS;
use crate::vehicle::VehicleGeometry;

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
