use std::f64::consts::TAU;

use crate::geometry::{Point, SplineCurve};
use crate::track::test_roads::{assert_near, ring, straight};
use crate::track::{SpeedCap, Track, TrackSpeedCaps};

fn road() -> Track {
    straight(&(0..=20).map(|i| 10.0 * f64::from(i)).collect::<Vec<_>>(), 8.0, 0.0)
}

const PIT: SpeedCap = SpeedCap { from_m: 52.0, to_m: 97.0, max_speed_mps: 20.0 };
const BRIDGE: SpeedCap = SpeedCap { from_m: 90.0, to_m: 140.0, max_speed_mps: 30.0 };

fn caps(track: &Track, caps: &[SpeedCap]) -> TrackSpeedCaps {
    TrackSpeedCaps::new(track, caps).unwrap().unwrap()
}

#[test]
fn the_lowest_limit_counts_and_a_place_at_an_end_is_in_its_stretch() {
    let both = caps(&road(), &[BRIDGE, PIT]);
    for (s, wanted) in [
        (51.9, f64::INFINITY),
        (52.0 - 1e-7, 20.0),
        (52.0, 20.0),
        (93.0, 20.0),
        (97.0 + 1e-7, 20.0),
        (97.1, 30.0),
        (140.1, f64::INFINITY),
    ] {
        assert_eq!(both.at_distance(s), wanted, "{s}");
    }
    assert_eq!(both.clone().with_speed(1, 25.0).at_distance(60.0), 25.0);
    assert_eq!(both.clone().with_speed(9, 25.0).at_distance(60.0), 20.0);
    let line: Vec<Point> = [20.0, 60.0, 120.0, 180.0].map(|x| Point::new(x, 3.0)).to_vec();
    assert_eq!(both.along(&line), [f64::INFINITY, 20.0, 30.0, f64::INFINITY]);
    assert!(TrackSpeedCaps::new(&road(), &[]).unwrap().is_none());
    let edges = caps(&road(), &[SpeedCap { from_m: 0.0, to_m: 200.0, ..PIT }]);
    assert_eq!((edges.at_distance(0.0), edges.at_distance(200.0)), (20.0, 20.0));
    let message = TrackSpeedCaps::new(&road(), &[PIT, SpeedCap { max_speed_mps: 0.9, ..PIT }]).unwrap_err().to_string();
    assert!(message.starts_with("speed_cap stretch 2: 0.9"), "{message}");
    assert!(TrackSpeedCaps::new(&road(), &[PIT, SpeedCap { to_m: 900.0, ..PIT }]).is_err());
}

#[test]
fn each_limit_has_its_range() {
    for (max_speed_mps, wanted) in [(1.0, true), (0.99, false), (1000.0, true), (1000.1, false)] {
        assert_eq!(SpeedCap { max_speed_mps, ..PIT }.validate().is_ok(), wanted);
    }
    assert!(SpeedCap { from_m: -1.0, ..PIT }.validate().is_err());
}

#[test]
fn a_line_passes_the_ends_of_stretches_where_their_sections_are() {
    let curve = SplineCurve::through(&[0.0, 60.0, 120.0, 200.0].map(|x| Point::new(x, 3.0)), false).unwrap();
    for count in [5, 40, 1000] {
        let found = caps(&road(), &[BRIDGE, PIT]).ends_on(&curve, count);
        assert_eq!(found.len(), 4, "{count}: {found:?}");
        for (found, wanted) in found.into_iter().zip([52.0, 90.0, 97.0, 140.0]) {
            assert_near(curve.at(found).position.x, wanted, 1e-6);
        }
    }
    // On the outer half of a ring the line is longer than the centre line.
    let track = ring(50.0, 5.0, 200);
    let length = track.centre_line().length();
    let points: Vec<Point> =
        (0..80).map(|i| TAU * f64::from(i) / 80.0).map(|t| Point::new(53.0 * t.cos(), 53.0 * t.sin())).collect();
    let curve = SplineCurve::in_arc_length(&points, true).unwrap();
    let over = SpeedCap { from_m: 0.95 * length, to_m: 0.1 * length, max_speed_mps: 20.0 };
    let found = caps(&track, &[over]).ends_on(&curve, 60);
    assert_eq!(found.len(), 2);
    for (found, wanted) in found.into_iter().zip([0.1, 0.95]) {
        assert_near(found / curve.length(), wanted, 1e-4);
    }
    // A whole lap has no ends.
    let lap = SpeedCap { from_m: 0.0, to_m: length, max_speed_mps: 20.0 };
    assert!(caps(&track, &[lap]).ends_on(&curve, 60).is_empty());
    assert_eq!(caps(&track, &[lap]).gates(), [None]);
    let [from, to] = caps(&track, &[over, lap]).gates()[0].unwrap();
    let at = |section: crate::track::CrossSection| {
        let middle = section.middle();
        middle.y.atan2(middle.x).rem_euclid(TAU) / TAU
    };
    assert_near(at(from), 0.95, 1e-4);
    assert_near(at(to), 0.1, 1e-4);
    // On an open road a stretch of the whole length has ends.
    assert!(caps(&road(), &[SpeedCap { from_m: 0.0, to_m: 200.0, ..PIT }]).gates()[0].is_some());
}

#[test]
fn limits_on_a_ring_count_lap_after_lap() {
    let track = ring(50.0, 5.0, 200);
    let length = track.centre_line().length();
    let over = caps(&track, &[SpeedCap { from_m: 0.95 * length, to_m: 0.1 * length, max_speed_mps: 20.0 }]);
    for laps in [-1.0, 0.0, 1.0, 2.0] {
        let at = |part: f64| over.at_distance((part + laps) * length);
        assert_eq!([0.0, 0.05, 0.97, 0.11, 0.94].map(at), [20.0, 20.0, 20.0, f64::INFINITY, f64::INFINITY]);
    }
}

#[test]
fn a_line_against_the_direction_of_travel_passes_no_ends() {
    let track = ring(50.0, 5.0, 200);
    let length = track.centre_line().length();
    let at = |i: u32| TAU * f64::from(i) / 80.0;
    let points: Vec<Point> = (0..80).map(|i| Point::new(50.0 * at(i).cos(), -50.0 * at(i).sin())).collect();
    let curve = SplineCurve::in_arc_length(&points, true).unwrap();
    let cap = SpeedCap { from_m: 0.3 * length, to_m: 0.4 * length, max_speed_mps: 20.0 };
    assert!(caps(&track, &[cap]).ends_on(&curve, 60).is_empty());
}
