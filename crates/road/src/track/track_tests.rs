//! Tests of a track as a whole: moved, turned round, with lines on it, and its errors.

use crate::geometry::{Point, Vector};
use crate::track::test_roads::{ring, straight};
use crate::track::{CrossSection, SectionSurface, SurfaceEnd, Track, TrackError};

#[test]
fn a_track_is_moved_as_a_whole() {
    let offset = Vector::new(100.0, -20.0);
    let crossing = [Point::new(1.0, 2.0), Point::new(3.0, 4.0)];
    let track = Track { crossings: vec![crossing], ..ring(50.0, 5.0, 40) };
    let moved = track.moved_by(offset);
    for (moved, section) in moved.sections.iter().zip(&track.sections) {
        assert_eq!((moved.right, moved.left), (section.right + offset, section.left + offset));
    }
    assert_eq!(moved.left_edge.points[7], track.left_edge.points[7] + offset);
    assert_eq!(moved.right_edge.points[7], track.right_edge.points[7] + offset);
    assert_eq!(moved.crossings, [[Point::new(101.0, -18.0), Point::new(103.0, -16.0)]]);
    assert!(moved.closed && moved.spacing_m == track.spacing_m);
}

#[test]
fn widths_and_middles_are_those_of_the_sections() {
    let mut track = straight(&[0.0, 10.0, 20.0, 30.0], 8.0, 0.0);
    track.sections[1].left.y = 12.0;
    assert_eq!(track.mean_width(), 9.0);
    let middles: Vec<f64> = track.centre_line().points.iter().map(|point| point.y).collect();
    assert_eq!((middles, track.centre_line().closed), (vec![4.0, 6.0, 4.0, 4.0], false));
    track.sections.clear();
    assert_eq!(track.mean_width(), 0.0);
    let section = CrossSection { right: Point::new(1.0, 2.0), left: Point::new(4.0, 6.0) };
    assert_eq!((section.width(), section.span(), section.middle()), (5.0, Vector::new(3.0, 4.0), Point::new(2.5, 4.0)));
    assert_eq!(section.point(0.2), Point::new(1.6, 2.8));
}

#[test]
fn the_other_direction_starts_at_the_same_section() {
    let end = |height_m: f64| SurfaceEnd { height_m, ..SurfaceEnd::LEVEL };
    let surface = |i: u32| SectionSurface { right: end(f64::from(i)), left: end(100.0 + f64::from(i)) };
    for mut track in [ring(50.0, 5.0, 40), straight(&(0..40).map(f64::from).collect::<Vec<_>>(), 8.0, 0.0)] {
        track.surface = Some((0..40).map(surface).collect());
        let reversed = track.reversed();
        assert_ne!(reversed.direction, track.direction);
        assert_eq!(reversed.reversed(), track);
        for i in 0..40 {
            let other = if track.closed { (40 - i) % 40 } else { 39 - i };
            let (section, surface) = (reversed.sections[i], reversed.surface.as_ref().unwrap()[i]);
            assert_eq!((section.left, section.right), (track.sections[other].right, track.sections[other].left));
            let of = track.surface.as_ref().unwrap()[other];
            assert_eq!((surface.left, surface.right), (of.right, of.left));
        }
        assert_eq!(reversed.left_edge, track.right_edge.clone().reversed());
        assert_eq!(reversed.right_edge, track.left_edge.clone().reversed());
    }
}

#[test]
fn a_line_has_its_fractions_on_each_section_it_passes() {
    let track = straight(&(0..=20).map(|i| 10.0 * f64::from(i)).collect::<Vec<_>>(), 8.0, 0.0);
    let line = [[-5.0, 2.0], [95.0, 2.0], [105.0, 6.0], [150.0, 6.0], [161.0, 22.0], [185.0, 22.0]].map(Point::from);
    let fractions = track.fractions_of(&line);
    for (i, found) in fractions.iter().enumerate() {
        let x = 10.0 * i as f64;
        let y = match x {
            x if x < 96.0 => Some(2.0),
            100.0 => Some(4.0),
            x if x <= 150.0 => Some(6.0),
            // Beside the road by more than its width, and behind the line's end.
            _ => None,
        };
        match (found, y) {
            (Some(found), Some(y)) => assert!((found - y / 8.0).abs() < 1e-9, "{x}"),
            (None, None) => {}
            other => panic!("{x}: {other:?}"),
        }
    }
    assert_eq!(fractions.len(), 21);
    assert_eq!(track.fractions_of(&[]), [None; 21]);
    assert_eq!(track.fractions_of(&line[..1]), [None; 21]);
    // A closed line is passed on from its last point to its first.
    let track = ring(50.0, 5.0, 40);
    let mut line = track.sections.iter().map(|section| section.point(0.3)).collect::<Vec<_>>();
    line.rotate_left(13);
    for found in track.fractions_of(&line) {
        assert!((found.unwrap() - 0.3).abs() < 1e-9);
    }
}

#[test]
fn the_first_section_takes_the_passage_nearest_to_its_middle() {
    // The line passes the first section's extension beside the road first, and on the road later.
    let track = straight(&[0.0, 10.0, 20.0, 30.0], 8.0, 0.0);
    let line = [[-5.0, 15.0], [5.0, 15.0], [5.0, 12.0], [-5.0, 12.0], [-5.0, 5.0], [45.0, 5.0]].map(Point::from);
    let below = [[-5.0, -4.0], [5.0, -4.0], [5.0, -7.0], [-5.0, -7.0], [-5.0, 5.0], [45.0, 5.0]].map(Point::from);
    for line in [line, below] {
        assert!((track.fractions_of(&line)[0].unwrap() - 0.625).abs() < 1e-9);
    }
}

#[test]
fn places_of_errors_are_moved_back_to_their_origin() {
    let offset = Vector::new(10.0, -20.0);
    let lost = TrackError::LostCentreLine { x_m: 1.0, y_m: 2.0 };
    assert_eq!(lost.moved_by(offset), TrackError::LostCentreLine { x_m: 11.0, y_m: -18.0 });
    let off = TrackError::StartOffTrack { x_m: 1.0, y_m: 2.0, distance_m: 3.0 };
    assert_eq!(off.moved_by(offset), TrackError::StartOffTrack { x_m: 11.0, y_m: -18.0, distance_m: 3.0 });
    assert_eq!(TrackError::EmptyEdge.moved_by(offset), TrackError::EmptyEdge);
}
