use super::cross_each_other;
use crate::frame::Spot;
use crate::geometry::Point;
use crate::track::test_roads::{ring, straight};
use crate::track::{CrossSection, TrackError, TrackOptions};

fn section(right: [f64; 2], left: [f64; 2]) -> CrossSection {
    CrossSection { right: right.into(), left: left.into() }
}

#[test]
fn sections_cross_unless_they_only_have_an_end_in_common() {
    let upright = section([0.0, 0.0], [0.0, 8.0]);
    for (right, left, wanted) in [
        ([0.1, 0.0], [0.1, 8.0], false),
        ([0.0, 0.0], [5.0, 8.0], false),
        ([5.0, 0.0], [0.0, 8.0], false),
        ([-1.0, 0.0], [1.0, 8.0], true),
        ([-1.0, 4.0], [3.0, 4.0], true),
        ([0.1, 4.0], [3.0, 4.0], false),
        ([-1.0, 8.1], [1.0, 8.1], false),
    ] {
        assert_eq!(cross_each_other(&upright, &section(right, left)), wanted, "{right:?} {left:?}");
    }
}

#[test]
fn a_track_has_enough_sections_with_a_width_that_do_not_cross() {
    let distances: Vec<f64> = (0..40).map(f64::from).collect();
    assert!(straight(&distances[..8], 8.0, 0.0).validate().is_ok());
    assert_eq!(straight(&distances[..7], 8.0, 0.0).validate(), Err(TrackError::TooFewSections { count: 7 }));
    for (left, index) in [([12.0, 0.0], 12), ([12.0, f64::NAN], 12)] {
        let mut track = straight(&distances, 8.0, 0.0);
        track.sections[12].left = left.into();
        match track.validate() {
            Err(TrackError::EmptySection { index: found, x_m, .. }) => assert_eq!((found, x_m), (index, 12.0)),
            other => panic!("{other:?}"),
        }
    }
    let mut track = straight(&distances, 8.0, 0.0);
    track.sections[5].right.x = f64::INFINITY;
    assert!(matches!(track.validate(), Err(TrackError::EmptySection { index: 5, .. })));
}

#[test]
fn a_section_is_compared_with_the_next_24() {
    let distances: Vec<f64> = (0..60).map(f64::from).collect();
    // The left end of section 20 lies beyond that of a later one, and before that of the others.
    for (reach, is_found) in [(1, true), (24, true), (25, false)] {
        let mut track = straight(&distances, 8.0, 0.0);
        for (i, section) in track.sections.iter_mut().enumerate() {
            // All sections but these two are too short to be crossed.
            if i != 20 && i != 20 + reach {
                section.left = section.right + 0.01 * (section.left - section.right);
            }
        }
        track.sections[20].left = Point::new(20.5 + reach as f64, 8.0);
        match track.validate() {
            Err(TrackError::CrossedSections { index, other, x_m, y_m }) if is_found => {
                assert_eq!((index, other), (20, 20 + reach));
                assert_eq!((x_m, y_m), (20.25 + 0.5 * reach as f64, 4.0));
            }
            Ok(()) if !is_found => {}
            other => panic!("{reach}: {other:?}"),
        }
    }
    // The last one of an open road is compared too, and those of a ring with the first ones.
    let mut open = straight(&distances, 8.0, 0.0);
    open.sections[58].left.x = 59.5;
    assert!(matches!(open.validate(), Err(TrackError::CrossedSections { index: 58, other: 59, .. })));
    let mut closed = ring(50.0, 5.0, 41);
    closed.sections[40].left = closed.sections[0].towards(&closed.sections[1], 0.5).left;
    let found = closed.validate();
    assert!(matches!(found, Err(TrackError::CrossedSections { index: 40, other: 0, .. })), "{found:?}");
    // A small ring is compared up to its other side, where sections of a ring have their backs to each other.
    assert!(ring(5.0, 4.9, 13).validate().is_ok());
}

#[test]
fn the_start_has_finite_coordinates_and_the_spacing_is_positive() {
    let valid = |start: Spot| TrackOptions { start: Some(start), ..TrackOptions::default() }.validate();
    for bad in [[f64::NAN, 1.0], [1.0, f64::INFINITY]] {
        for start in [Spot::Metres(bad), Spot::Pixels(bad), Spot::Degrees(bad)] {
            assert!(matches!(valid(start), Err(TrackError::StartNotFinite { .. })));
        }
    }
    assert!(valid(Spot::Metres([1.0, 2.0])).is_ok() && valid(Spot::Degrees([1.0, 2.0])).is_ok());
    let spaced = |spacing_m: f64| TrackOptions { spacing_m: Some(spacing_m), ..TrackOptions::default() }.validate();
    assert!(spaced(0.1).is_ok() && spaced(0.0).is_err() && spaced(f64::NAN).is_err());
}

#[test]
fn sections_of_a_ring_are_compared_with_more_than_the_next_one_and_the_ends_of_an_open_road_are_not() {
    let crossed = |from: usize, to: usize| {
        let mut track = ring(50.0, 5.0, 41);
        for (i, section) in track.sections.iter_mut().enumerate() {
            // All sections but these two are too short to be crossed.
            if i != from && i != to {
                section.left = section.point(0.01);
            }
        }
        let middle = track.sections[to].middle();
        track.sections[from].left = middle + (middle - track.sections[from].right) * 0.3;
        track
    };
    for (from, to) in [(0, 2), (5, 8), (39, 1)] {
        let found = crossed(from, to).validate();
        let is_found =
            matches!(found, Err(TrackError::CrossedSections { index, other, .. }) if (index, other) == (from, to));
        assert!(is_found, "{found:?}");
    }
    let mut open = ring(50.0, 5.0, 41);
    open.sections[40].left = open.sections[0].towards(&open.sections[1], 0.5).left;
    open.closed = false;
    assert_eq!(open.validate(), Ok(()));
}
