use std::f64::consts::TAU;

use super::{distance, easternmost};
use crate::edges::Edges;
use crate::geometry::{Point, Polyline};
use crate::track::TrackError;
use crate::track::bisector::EdgePair;
use crate::track::chord_spacing::ChordLap;
use crate::track::test_roads::{assert_near, ring_edges, stadium_edges, straight_edges};

/// The place on the middle of a road of `width` where its lap starts, and the lap.
fn start(edges: &Edges, near: Option<[f64; 2]>, width: f64) -> Result<(Point, f64, f64), TrackError> {
    let pair = EdgePair::new(edges, width);
    let discs = pair.trace(0.5)?;
    let lap = ChordLap::new(&pair, &discs, 0.5);
    let at = distance(&lap, &pair, near.map(Point::from), width)?;
    let chord = lap.resampled(&pair, &[at]);
    let (right, left) = chord.ends(&pair, 0);
    Ok((nalgebra::center(&right, &left), at, lap.length()))
}

#[test]
fn an_open_road_starts_at_its_begin() {
    let (place, at, _) = start(&straight_edges(200.0, 8.0), Some([100.0, 4.0]), 8.0).unwrap();
    assert_eq!(at, 0.0);
    assert!((place - Point::new(0.0, 4.0)).norm() < 1e-9);
}

#[test]
fn a_ring_without_a_straight_starts_in_the_east() {
    for turn in [0, 1500, 3600, 7000] {
        let mut edges = ring_edges(16.0, 24.0);
        edges.left.points.rotate_left(turn);
        edges.right.points.rotate_left(turn);
        let (place, ..) = start(&edges, None, 8.0).unwrap();
        assert!((place - Point::new(20.0, 0.0)).norm() < 0.3, "{place}");
    }
    let points = [[0.0, 0.0], [3.0, 1.0], [1.0, 5.0], [3.0, 2.0]].map(Point::from);
    // The first of two equal ones.
    assert_eq!((easternmost(&points), easternmost(&[])), (1, 0));
}

#[test]
fn a_lap_starts_at_the_place_of_its_middle_that_is_nearest() {
    for angle in [0.0, 0.003, 1.0, 3.0, TAU - 0.01] {
        let near = |radius: f64| [radius * f64::cos(angle), radius * f64::sin(angle)];
        for radius in [46.0, 40.5, 57.0] {
            let (place, at, length) = start(&ring_edges(40.0, 52.0), Some(near(radius)), 12.0).unwrap();
            assert!((place - Point::from(near(46.0))).norm() < 0.05, "{place}");
            assert!(at < length);
            let seam = (angle / TAU - at / length).abs();
            assert!(seam.min(1.0 - seam) < 1e-2);
        }
    }
}

#[test]
fn a_start_farther_than_the_width_is_refused_with_its_distance_in_millimetres() {
    let edges = ring_edges(40.0, 52.0);
    assert!(start(&edges, Some([57.9, 0.0]), 12.0).is_ok());
    match start(&edges, Some([60.123_456, 0.0]), 12.0) {
        Err(TrackError::StartOffTrack { x_m, y_m, distance_m }) => {
            assert_eq!((x_m, y_m), (60.123, 0.0));
            assert_near(distance_m, 14.123, 0.01);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_lap_starts_in_the_middle_of_a_straight_wherever_its_edges_begin() {
    for turn in [0, 30, 200, 300] {
        let mut edges = stadium_edges(60.0, 20.0, 28.0);
        edges.left.points.rotate_left(turn);
        edges.right.points.rotate_left(turn);
        let (place, ..) = start(&edges, None, 8.0).unwrap();
        assert!(place.x.abs() < 1.0 && (place.y.abs() - 24.0).abs() < 1e-2, "{turn}: {place}");
    }
}

/// A road whose middle has straights of these lengths and turns by a quarter circle of 20 m to the left after each.
fn block(lengths: [f64; 2], half: f64) -> Edges {
    let corners = [(lengths[0], 0.0), (lengths[0], lengths[1]), (0.0, lengths[1]), (0.0, 0.0)];
    let edge = |radius: f64| {
        let arc = |(k, (x, y)): (usize, (f64, f64))| {
            (0..=90).map(move |i| {
                let angle = (k as f64 - 1.0).mul_add(90.0, f64::from(i)).to_radians();
                Point::new(x + radius * angle.cos(), y + radius * angle.sin())
            })
        };
        Polyline::closed(corners.into_iter().enumerate().flat_map(arc).collect())
    };
    Edges { directed: true, ..Edges::ring(edge(20.0 + half), edge(20.0 - half)) }
}

#[test]
fn the_longest_of_several_straights_counts() {
    for (lengths, wanted) in [([120.0, 60.0], None), ([60.0, 120.0], Some(30.0)), ([100.0, 99.0], None)] {
        for turn in [0, 50, 100, 200, 280] {
            let mut edges = block(lengths, 4.0);
            edges.left.points.rotate_left(turn);
            edges.right.points.rotate_left(turn);
            let (place, ..) = start(&edges, None, 8.0).unwrap();
            match wanted {
                // On one of the two long straights along y.
                Some(middle) => {
                    assert!(
                        (place.x - middle).abs() > 45.0 && (place.y - 60.0).abs() < 1.5,
                        "{lengths:?} {turn}: {place}"
                    );
                }
                None => assert!((place.x - 0.5 * lengths[0]).abs() < 1.5, "{lengths:?} {turn}: {place}"),
            }
        }
    }
}

/// A road with a constant width about a convex polygon, counter-clockwise, that begins in the middle of the side that
/// leads to the first corner.
fn polygon(corners: &[[f64; 2]], radius: f64, half: f64) -> Edges {
    let n = corners.len();
    let corner = |k: usize| Point::from(corners[k % n]);
    let edge = |r: f64| {
        let normal = |k: usize| {
            let side = corner(k + 1) - corner(k);
            side.y.atan2(side.x) - TAU / 4.0
        };
        let out = |angle: f64| crate::geometry::Vector::new(angle.cos(), angle.sin()) * r;
        let mut points = vec![nalgebra::center(&corner(n - 1), &corner(0)) + out(normal(n - 1))];
        for k in 0..n {
            let (from, to) = (normal(k + n - 1), normal(k));
            let turn = (to - from).rem_euclid(TAU);
            points.extend((0..=60).map(|i| corner(k) + out(from + turn * f64::from(i) / 60.0)));
        }
        Polyline::closed(points)
    };
    Edges { directed: true, ..Edges::ring(edge(radius + half), edge(radius - half)) }
}

#[test]
fn the_longest_straight_may_lead_over_the_begin_of_the_edges() {
    let corners = [[150.0, 0.0], [40.0, 70.0], [0.0, 0.0]];
    for turn in 0..3 {
        let mut corners = corners;
        corners.rotate_left(turn);
        let (place, ..) = start(&polygon(&corners, 20.0, 4.0), None, 8.0).unwrap();
        assert!((place - Point::new(75.0, -20.0)).norm() < 1.0, "{turn}: {place}");
    }
}

#[test]
fn a_straight_is_as_long_as_its_direction_over_three_widths_is_the_same() {
    // The directions of 12 m before and after differ by 0.1 rad where 2 m of a circle of 20 m are among them: both
    // ends of a straight lie nearly that far within its bends, so a straight of 20 m between them counts too.
    let middle =
        |width: f64| start(&stadium_edges(30.0, 24.0 - 0.5 * width, 24.0 + 0.5 * width), None, width).unwrap().0;
    for width in [4.0, 8.0, 16.0] {
        assert!(middle(width).x.abs() < 1.0, "{width}: {}", middle(width));
    }
    // On a short straight between bends no piece of three widths is straight: it starts in the east.
    let bent = start(&stadium_edges(4.0, 16.0, 32.0), None, 16.0).unwrap().0;
    assert!((bent - Point::new(28.0, 0.0)).norm() < 0.7, "{bent}");
}
