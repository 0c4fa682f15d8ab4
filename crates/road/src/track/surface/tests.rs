use std::f64::consts::TAU;

use super::{BankingPoint, ElevationPoint, Profile, check, surface_of};
use crate::edges::{EdgeKind, EdgePoint, RoadSurface};
use crate::geometry::{Point, SplineKnots};
use crate::track::SectionSurface;
use crate::track::test_roads::{assert_near, ring, straight};

fn point(x: f64, y: f64, height_m: f64, grip: f64, kind: EdgeKind) -> EdgePoint {
    EdgePoint { position: Point::new(x, y), height_m, grip, kind }
}

#[test]
fn a_profile_is_linear_between_two_places_of_an_open_road_and_constant_beyond_its_ends() {
    let profile = Profile::new(&[[10.0, 1.0], [30.0, 5.0]], 50.0, false).unwrap();
    for (s, wanted) in [(0.0, 1.0), (10.0, 1.0), (15.0, 2.0), (25.0, 4.0), (30.0, 5.0), (45.0, 5.0)] {
        assert_near(profile.at(s), wanted, 1e-12);
    }
    assert!(Profile::new(&[], 50.0, false).is_none() && Profile::new(&[], 50.0, true).is_none());
    for closed in [true, false] {
        let constant = Profile::new(&[[10.0, 3.0]], 50.0, closed).unwrap();
        assert!([0.0, 10.0, 40.0].iter().all(|&s| constant.at(s) == 3.0));
    }
}

#[test]
fn a_profile_is_the_cubic_spline_through_its_places() {
    let length = 80.0;
    let (places, values) = ([4.0, 10.0, 25.0, 44.0, 70.0], [1.0, 3.0, -2.0, 0.5, 6.0]);
    let points: Vec<[f64; 2]> = places.iter().zip(values).map(|(&s, value)| [s, value]).collect();
    for closed in [true, false] {
        let profile = Profile::new(&points, length, closed).unwrap();
        let mut gaps: Vec<f64> = places.windows(2).map(|pair| pair[1] - pair[0]).collect();
        if closed {
            gaps.push(14.0);
        }
        let knots = SplineKnots::new(gaps.clone(), closed).unwrap();
        let mut second = vec![0.0; 5];
        knots.second_derivatives(&values, &mut second);
        for (i, gap) in gaps.iter().enumerate() {
            let next = (i + 1) % 5;
            for u in [0.0, 0.2, 0.5, 0.9] {
                // Newton's form: value, slope at the begin, second and third derivative.
                let slope = (values[next] - values[i]) / gap - gap * (2.0 * second[i] + second[next]) / 6.0;
                let d = u * gap;
                let jerk = (second[next] - second[i]) / gap;
                let wanted = values[i] + d * (slope + d * (second[i] / 2.0 + d * jerk / 6.0));
                let s = places[i] + d;
                assert_near(profile.at(if s < length { s } else { s - length }), wanted, 1e-12);
            }
        }
        if !closed {
            assert_eq!((profile.at(0.0), profile.at(79.0)), (1.0, 6.0));
        }
    }
}

#[test]
fn a_closed_roads_last_place_may_repeat_its_first() {
    let at = |last: f64, closed: bool, s: f64| {
        Profile::new(&[[0.0, 1.0], [20.0, 3.0], [last, 9.0]], 60.0, closed).unwrap().at(s)
    };
    // Within a metre of the lap's end it is left out.
    assert_near(at(59.5, true, 59.5), 1.0, 0.1);
    assert_near(at(58.9, true, 58.9), 9.0, 1e-12);
    assert_near(at(59.5, false, 59.5), 9.0, 1e-12);
    // A single place does not repeat itself.
    assert_eq!(Profile::new(&[[0.5, 2.0]], 1.0, true).unwrap().at(0.7), 2.0);
}

#[test]
fn each_number_of_a_profile_is_checked_at_the_ends_of_its_range() {
    let message = |points: &[[f64; 2]]| {
        check("banking", "banking_rad", points, 1.2, "an angle", 100.0).err().map(|e| e.to_string())
    };
    assert_eq!(message(&[[0.0, -1.2], [50.0, 1.2], [101.0, 0.0]]), None);
    for (points, wanted) in [
        ([[0.0, 0.0], [-0.1, 0.0]], "banking point 2: s_m = -0.1 must be a distance of 0 m or more"),
        ([[0.0, 1.21], [1.0, 0.0]], "banking point 1: banking_rad = 1.21 must be an angle"),
        ([[0.0, 0.0], [1.0, -1.21]], "banking point 2: banking_rad = -1.21 must be an angle"),
        ([[5.0, 0.0], [5.0, 0.0]], "banking point 2: s_m = 5 must be greater than 5 of the point before it"),
        ([[5.0, 0.0], [101.1, 0.0]], "banking point 2: s_m = 101.1 lies beyond the end of the road"),
    ] {
        assert!(message(&points).unwrap().starts_with(wanted), "{:?}", message(&points));
    }
}

#[test]
fn heights_and_banking_are_those_of_the_profiles_at_the_sections() {
    let distances: Vec<f64> = (0..=20).map(|i| 10.0 * f64::from(i)).collect();
    let track = straight(&distances, 8.0, 0.3);
    let hill = [[0.0, 1.0], [200.0, 5.0]].map(|[s_m, z_m]| ElevationPoint { s_m, z_m });
    let bank = [[0.0, 0.0], [200.0, 0.2]].map(|[s_m, banking_rad]| BankingPoint { s_m, banking_rad });
    let ends = |section: &SectionSurface| (section.left.height_m, section.right.height_m);
    let both = track.clone().with_profiles(&hill, &bank).unwrap();
    for (surface, s) in both.surface.as_ref().unwrap().iter().zip(&distances) {
        let (middle, rise) = (1.0 + s / 50.0, 4.0 * (s / 1000.0).tan());
        assert_near(ends(surface).0, middle + rise, 1e-12);
        assert_near(ends(surface).1, middle - rise, 1e-12);
    }
    // An empty profile leaves what the road has.
    let flat = both.clone().with_profiles(&[ElevationPoint { s_m: 0.0, z_m: 7.0 }], &[]).unwrap();
    let even = both.clone().with_profiles(&[], &[BankingPoint { s_m: 0.0, banking_rad: 0.0 }]).unwrap();
    for (i, s) in distances.iter().enumerate() {
        let rise = 4.0 * (s / 1000.0).tan();
        let (left, right) = ends(&flat.surface.as_ref().unwrap()[i]);
        assert_near(left, 7.0 + rise, 1e-12);
        assert_near(right, 7.0 - rise, 1e-12);
        assert_near(ends(&even.surface.as_ref().unwrap()[i]).0, 1.0 + s / 50.0, 1e-12);
        assert_near(ends(&even.surface.as_ref().unwrap()[i]).1, 1.0 + s / 50.0, 1e-12);
    }
    assert!(track.clone().with_profiles(&[], &[]).unwrap().surface.is_none());
    let steep = [BankingPoint { s_m: 0.0, banking_rad: 1.3 }];
    assert!(track.clone().with_profiles(&[], &steep).is_err());
    assert!(track.clone().with_profiles(&[ElevationPoint { s_m: 0.0, z_m: 1.1e5 }], &[]).is_err());
    assert!(track.with_profiles(&[ElevationPoint { s_m: 0.0, z_m: -9.9e4 }], &[]).is_ok());
}

#[test]
fn the_ends_of_sections_lie_between_the_points_of_the_edges() {
    let distances: Vec<f64> = (0..=20).map(|i| 10.0 * f64::from(i)).collect();
    let track = straight(&distances, 8.0, 0.0);
    let surface = RoadSurface {
        left: vec![
            point(0.0, 8.0, 1.0, 1.0, EdgeKind::Wall),
            point(40.0, 8.0, 5.0, 0.6, EdgeKind::Kerb),
            point(200.0, 8.0, 21.0, 1.4, EdgeKind::Line),
        ],
        right: vec![point(0.0, 0.0, 0.0, 0.5, EdgeKind::Kerb), point(200.0, 0.0, 4.0, 0.9, EdgeKind::Wall)],
    };
    for (found, s) in surface_of(&track, &surface).iter().zip(&distances) {
        assert_near(found.left.height_m, 1.0 + 0.1 * s, 1e-12);
        assert_near(found.left.grip, if *s < 40.0 { 1.0 - 0.01 * s } else { 0.6 + 0.005 * (s - 40.0) }, 1e-12);
        let kind = if *s < 40.0 {
            EdgeKind::Wall
        } else if *s < 200.0 {
            EdgeKind::Kerb
        } else {
            EdgeKind::Line
        };
        assert_eq!(found.left.kind, kind, "{s}");
        assert_near(found.right.height_m, 0.02 * s, 1e-12);
        assert_near(found.right.grip, 0.5 + 0.002 * s, 1e-12);
    }
    let turned = RoadSurface { left: surface.right.clone(), right: surface.left.clone() };
    let level =
        |place: &EdgePoint| EdgePoint { position: Point::new(place.position.x, 8.0 - place.position.y), ..*place };
    let turned =
        RoadSurface { left: turned.left.iter().map(level).collect(), right: turned.right.iter().map(level).collect() };
    assert_near(surface_of(&track, &turned)[10].left.height_m, 2.0, 1e-12);
    // A point is no edge: the road is level.
    for side in [true, false] {
        let mut short = surface.clone();
        if side {
            short.left.truncate(1)
        } else {
            short.right.truncate(1)
        }
        assert!(surface_of(&track, &short).iter().all(|section| *section == SectionSurface::LEVEL));
    }
}

#[test]
fn a_closed_edges_last_point_leads_back_to_its_first() {
    let track = ring(50.0, 5.0, 64);
    let edge = |radius: f64| -> Vec<EdgePoint> {
        let at = |i: u32| TAU * f64::from(i) / 16.0;
        let height = |i: u32| f64::from(i.min(16 - i));
        (0..16).map(|i| point(radius * at(i).cos(), radius * at(i).sin(), height(i), 1.0, EdgeKind::Line)).collect()
    };
    let surface = surface_of(&track, &RoadSurface { left: edge(45.0), right: edge(55.0) });
    for (i, section) in surface.iter().enumerate() {
        // Four sections for each piece of the edge, about evenly.
        let wanted = 0.25 * i.min(64 - i) as f64;
        assert_near(section.left.height_m, wanted, 0.02);
        assert_near(section.right.height_m, wanted, 0.02);
    }
}

#[test]
fn the_ends_of_sections_follow_their_own_leg_where_edges_come_near_to_one_another() {
    // A hairpin whose legs lie 1 m apart: the nearest point alone would jump to the other leg.
    let track = straight(&(0..=40).map(|i| 2.5 * f64::from(i)).collect::<Vec<_>>(), 4.0, 0.0);
    let mut left = vec![point(0.0, 4.2, 0.0, 1.0, EdgeKind::Line), point(100.0, 4.2, 0.0, 1.0, EdgeKind::Line)];
    left.push(point(100.0, 4.05, 9.0, 1.0, EdgeKind::Line));
    left.push(point(30.0, 4.05, 9.0, 1.0, EdgeKind::Line));
    let right = vec![point(0.0, 0.0, 0.0, 1.0, EdgeKind::Line), point(100.0, 0.0, 0.0, 1.0, EdgeKind::Line)];
    let surface = surface_of(&track, &RoadSurface { left, right });
    // Within four widths of the last one.
    assert!(surface[..33].iter().all(|section| section.left.height_m == 0.0));
}
