use std::f64::consts::TAU;

use super::{Place, Places};
use crate::geometry::{Point, Vector};
use crate::track::CrossSection;
use crate::track::test_roads::{about, assert_near, ring, straight};

fn tens() -> Places {
    let distances: Vec<f64> = (0..=20).map(|i| 10.0 * f64::from(i)).collect();
    Places::new(&straight(&distances, 8.0, 0.0))
}

#[track_caller]
fn assert_place(found: Place, (section, fraction, distance_m, across): (usize, f64, f64, f64)) {
    assert_eq!(found.section, section, "{found:?}");
    assert_near(found.fraction, fraction, 1e-9);
    assert_near(found.distance_m, distance_m, 1e-9);
    assert_near(found.across, across, 1e-9);
}

#[test]
fn places_on_a_straight_are_their_coordinates() {
    let places = tens();
    assert_eq!((places.length_m(), places.distances.len(), places.closed), (200.0, 21, false));
    for (x, y, wanted) in [
        (37.0, 2.0, (3, 0.7, 37.0, 0.25)),
        (50.0, 4.0, (5, 0.0, 50.0, 0.5)),
        (0.0, 0.0, (0, 0.0, 0.0, 0.0)),
        (199.0, 8.0, (19, 0.9, 199.0, 1.0)),
        // Beside the road and beyond its ends.
        (111.0, -6.0, (11, 0.1, 111.0, -0.75)),
        (64.0, 14.0, (6, 0.4, 64.0, 1.75)),
        (-5.0, 4.0, (0, 0.0, 0.0, 0.5)),
        (230.0, 6.0, (19, 1.0, 200.0, 0.75)),
    ] {
        assert_place(places.of(Point::new(x, y)), wanted);
    }
}

#[test]
fn a_search_starts_from_any_section_of_the_road() {
    let places = tens();
    for from in 0..=20 {
        assert_place(places.near(Point::new(37.0, 2.0), from), (3, 0.7, 37.0, 0.25));
        assert_place(places.from(Point::new(184.0, 6.0), from), (18, 0.4, 184.0, 0.75));
        assert_place(places.from(Point::new(0.0, 6.0), from), (0, 0.0, 0.0, 0.75));
        assert_place(places.from(Point::new(200.0, 6.0), from), (19, 1.0, 200.0, 0.75));
    }
    let places = Places::new(&ring(50.0, 5.0, 40));
    let angle = TAU * 33.25 / 40.0;
    let place = Point::new(48.0 * angle.cos(), 48.0 * angle.sin());
    let wanted = places.of(place);
    for from in 0..40 {
        let found = places.from(place, from);
        assert_eq!((found.section, found.fraction), (33, wanted.fraction), "from {from}");
    }
}

#[test]
fn a_search_ends_after_a_limited_number_of_steps_and_starts_again() {
    let distances: Vec<f64> = (0..=400).map(f64::from).collect();
    let places = Places::new(&straight(&distances, 8.0, 0.0));
    assert_eq!(places.from(Point::new(300.5, 1.0), 0).section, 64);
    assert_eq!(places.from(Point::new(10.5, 1.0), 300).section, 236);
    for from in [0, 236, 300, 400] {
        assert_place(places.near(Point::new(64.5, 4.0), from), (64, 0.5, 64.5, 0.5));
    }
}

#[test]
fn places_on_a_ring_are_their_angle_and_radius() {
    let (radius, half, n) = (50.0, 5.0, 40);
    let places = Places::new(&ring(radius, half, n));
    let piece = 2.0 * radius * (0.5 * TAU / n as f64).sin();
    assert_near(places.length_m(), n as f64 * piece, 1e-9);
    for (r, at) in [(47.0, 0.5), (50.0, 12.5), (54.0, 39.5), (50.0, 20.25)] {
        let angle = TAU * at / n as f64;
        let found = places.of(Point::new(r * f64::cos(angle), r * f64::sin(angle)));
        assert_eq!(found.section, at as usize);
        // The part that the distances have from the planes of both sections.
        let (behind, ahead) = (TAU / n as f64 * (at - at.floor()), TAU / n as f64 * (at.ceil() - at));
        let fraction = behind.sin() / (behind.sin() + ahead.sin());
        assert_near(found.fraction, fraction, 1e-9);
        assert_near(found.distance_m, (found.section as f64 + fraction) * piece, 1e-9);
        // Outwards is to the right.
        assert_near(found.across, (radius + half - r) / (2.0 * half), 0.04);
        assert_near(places.width_at(&found), 2.0 * half, 0.04);
    }
}

#[test]
fn sections_between_those_of_the_track_are_interpolated() {
    let places = tens();
    let section = |x: f64| CrossSection { right: Point::new(x, 0.0), left: Point::new(x, 8.0) };
    for x in [0.0, 3.0, 10.0, 197.5, 200.0] {
        assert_eq!(places.section_at(x), section(x));
    }
    assert_eq!((places.section_at(-3.0), places.section_at(220.0)), (section(0.0), section(200.0)));
    let places = Places::new(&ring(50.0, 5.0, 40));
    let length = places.length_m();
    assert_eq!(places.section_at(0.0), places.sections[0]);
    let close = |a: CrossSection, b: CrossSection| (a.right - b.right).norm() + (a.left - b.left).norm() < 1e-9;
    for (distance, from, fraction) in
        [(0.25 * length, 10, 0.0), (length - 0.01 * length, 39, 0.6), (0.3 * length / 40.0, 0, 0.3)]
    {
        let wanted = places.sections[from].towards(&places.sections[(from + 1) % 40], fraction);
        for laps in [-1.0, 0.0, 2.0] {
            assert!(close(places.section_at(distance + laps * length), wanted), "{distance} {laps}");
        }
    }
}

#[test]
fn the_width_between_two_sections_is_that_between_their_ends() {
    let mut track = straight(&[0.0, 10.0, 20.0, 30.0], 8.0, 0.0);
    track.sections[2].left = Point::new(20.0, 12.0);
    let places = Places::new(&track);
    for (x, wanted) in [(5.0, 8.0), (15.0, 10.0), (20.0, 12.0), (25.0, 10.0)] {
        assert_near(places.width_at(&places.of(Point::new(x, 4.0))), wanted, 0.1);
    }
    let found = places.from(Point::new(15.0, 5.0), 1);
    assert_near(found.across, 0.5, 0.02);
}

#[test]
fn a_section_holds_what_is_within_half_a_width_beside_it_and_a_width_before_and_after() {
    let places = tens();
    for (x, y, wanted) in [
        (51.0, 4.0, true),
        (51.0, -3.9, true),
        (51.0, -4.1, false),
        (51.0, 11.9, true),
        (51.0, 12.1, false),
        (42.1, 4.0, true),
        (41.9, 4.0, false),
        (67.9, 4.0, true),
        (68.1, 4.0, false),
    ] {
        assert_eq!(places.holds(5, Point::new(x, y)), wanted, "({x}, {y})");
    }
}

/// A figure of eight whose legs cross at the origin.
fn eight() -> (Vec<(Point, Vector)>, Places) {
    let at = |i: u32| {
        let t = TAU * (f64::from(i) + 0.5) / 400.0;
        let along = Vector::new(t.cos(), (2.0 * t).cos());
        (Point::new(60.0 * t.sin(), 60.0 * t.sin() * t.cos()), along)
    };
    let middle: Vec<_> = (0..400).map(at).collect();
    let places = Places::new(&about(&middle, 4.0, true));
    (middle, places)
}

#[test]
fn a_line_stays_on_its_leg_where_the_road_crosses_itself() {
    let (middle, places) = eight();
    let points: Vec<Point> = middle.iter().map(|&(at, _)| at).collect();
    for (i, place) in places.along(points.iter().copied()).enumerate() {
        assert_near(place.distance_m, places.distances[i], 0.2);
        assert_near(place.across, 0.5, 1e-3);
    }
    // Begun in the middle of the crossing, in either leg's direction.
    for from in [199, 399] {
        let line = (0..30).map(|k| points[(from + k) % 400]);
        let first = places.along(line).next().unwrap();
        assert!(first.section.abs_diff(from) <= 1 || first.section == 0, "{from}: {first:?}");
    }
    // A point alone has no direction: the leg that is nearer counts.
    let alone: Vec<_> = places.along([points[100]]).collect();
    assert!(alone.len() == 1 && alone[0].section.abs_diff(100) <= 1);
    assert_eq!(places.along([]).count(), 0);
}

#[test]
fn the_section_of_a_line_is_the_one_whose_direction_is_nearest() {
    let (middle, places) = eight();
    for i in [199, 399] {
        let (at, along) = middle[i];
        let found = places.section_towards(at, along).unwrap();
        assert!(found.abs_diff(i) <= 6 || found.abs_diff(i) >= 394, "{i}: {found}");
        assert!(places.forwards(found).dot(&along.normalize()) > 0.99);
    }
    assert_eq!(places.section_towards(Point::new(500.0, 0.0), Vector::new(1.0, 0.0)), None);
}
