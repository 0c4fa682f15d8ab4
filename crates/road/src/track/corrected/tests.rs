use super::{BEYOND_END_M, CorrectedRoad, check_end, crossing, error_place, nearest, nearest_end, place_of};
use crate::edges::EdgeKind;
use crate::frame::Spot;
use crate::geometry::{Point, Polyline};
use crate::track::moved_edge::Move;
use crate::track::test_roads::{assert_near, ring_edges, straight_edges};
use crate::track::{
    Direction, EdgeCorrection, EdgeCorrectionError, EdgeSide, SectionSurface, SurfaceEnd, Track, TrackError,
    TrackOptions, cut,
};

/// Along x from 0 to 200 m, 8 m wide: the left edge is at y = 8 m.
fn road() -> Track {
    cut(&straight_edges(200.0, 8.0), &TrackOptions::default()).unwrap()
}

fn at(x: f64, y: f64) -> EdgeCorrection {
    EdgeCorrection { at: Spot::Metres([x, y]), side: None, length_m: None }
}

fn corrected(track: &Track, corrections: &[EdgeCorrection]) -> Result<Track, EdgeCorrectionError> {
    let options = TrackOptions::default();
    let road = CorrectedRoad { options: &options, length_m: f64::INFINITY, min_width_m: 3.0 };
    track.clone().with_edge_corrections(corrections, road)
}

#[track_caller]
fn message(corrections: &[EdgeCorrection]) -> String {
    corrected(&road(), corrections).unwrap_err().to_string()
}

#[test]
fn the_nearer_edge_passes_through_the_place_unless_a_side_is_given() {
    for (x, y, side, is_left) in [
        (100.0, 9.0, None, true),
        (100.0, -1.0, None, false),
        (100.0, 4.0, None, true),
        (100.0, 3.9, None, false),
        (100.0, 5.0, Some(EdgeSide::Right), false),
    ] {
        let track = corrected(&road(), &[EdgeCorrection { side, ..at(x, y) }]);
        let track = match track {
            Ok(track) => track,
            // A place in the middle of the road leaves half of it.
            Err(EdgeCorrectionError::Narrow { width_m, needed_m, number, .. }) => {
                panic!("{number} {width_m} {needed_m}")
            }
            Err(other) => panic!("{other}"),
        };
        let touches = |edge: &Polyline| edge.points.iter().any(|point| (point - Point::new(x, y)).norm() < 1e-9);
        assert_eq!((touches(&track.left_edge), touches(&track.right_edge)), (is_left, !is_left));
        // Up to twice the width of 8 m away, and no farther.
        let edge = if is_left { &track.left_edge } else { &track.right_edge };
        let rest = if is_left { 8.0 } else { 0.0 };
        assert!(edge.points.iter().all(|point| (point.x - 100.0).abs() < 16.0 || (point.y - rest).abs() < 1e-12));
        assert!(edge.points.iter().any(|point| (point.x - 100.0).abs() > 12.0 && (point.y - rest).abs() > 1e-4));
    }
}

#[test]
fn a_track_without_corrections_or_with_places_on_its_edges_stays_as_it_is() {
    assert_eq!(corrected(&road(), &[]).unwrap(), road());
    assert_eq!(corrected(&road(), &[at(100.0, 8.0), at(50.0, 0.0)]).unwrap(), road());
}

#[test]
fn each_refusal_has_its_number_and_its_measure() {
    let wide = at(100.0, 9.0);
    for (second, wanted) in [
        (EdgeCorrection { length_m: Some(0.0), ..wide }, "edge_point 2: length_m = 0 must be a length"),
        (at(f64::NAN, 0.0), "edge_point 2: at = [NaN, 0] must be two finite"),
        (at(0.0, f64::INFINITY), "edge_point 2: at = [0, inf] must be two finite"),
        (EdgeCorrection { at: Spot::Pixels([1.0, 1.0]), ..wide }, "edge_point 2 is in pixels"),
        (EdgeCorrection { at: Spot::Degrees([1.0, 1.0]), ..wide }, "edge_point 2 is in degrees"),
        (at(50.0, 24.1), "edge_point 2 lies 16.1 m from the left edge, more than twice the road's mean width, 16.0 m"),
        (at(50.0, -16.1), "edge_point 2 lies 16.1 m from the right edge"),
        (
            EdgeCorrection { side: Some(EdgeSide::Right), ..at(50.0, 16.5) },
            "edge_point 2 lies 16.5 m from the right edge",
        ),
        (at(200.1, 8.0), "edge_point 2 lies 0.10 m beyond the end of the left edge"),
        (at(-0.1, 0.0), "edge_point 2 lies 0.10 m beyond the end of the right edge"),
        (at(100.0, 10.0), "edge_point 1 and 2 are for the same place of the left edge"),
        (
            EdgeCorrection { length_m: Some(2.0), ..at(50.0, 10.5) },
            "edge_point 2 moves the left edge by 2.50 m, but has 2.00 m",
        ),
        (
            EdgeCorrection { length_m: Some(2.0), ..at(50.0, -2.5) },
            "edge_point 2 moves the right edge by 2.50 m, but has 2.00 m",
        ),
        (EdgeCorrection { side: Some(EdgeSide::Left), ..at(50.0, -1.0) }, "edge_point 2 makes edges of the road cross"),
        (EdgeCorrection { side: Some(EdgeSide::Left), ..at(50.0, 2.0) }, "edge_point 2 leaves the road 2.00 m wide"),
    ] {
        let message = message(&[wide, second]);
        assert!(message.starts_with(wanted), "{message}");
    }
    assert!(corrected(&road(), &[wide, at(50.0, 23.9)]).is_ok());
    assert!(corrected(&road(), &[at(200.0 + 0.9 * BEYOND_END_M, 9.0)]).is_ok());
}

#[test]
fn a_road_that_was_narrow_before_may_stay_as_narrow() {
    let narrow = cut(&straight_edges(200.0, 2.5), &TrackOptions::default()).unwrap();
    assert!(corrected(&narrow, &[at(100.0, 3.0)]).is_ok());
    let message = corrected(&narrow, &[at(50.0, 3.0), at(100.0, 2.3)]).unwrap_err().to_string();
    assert!(message.starts_with("edge_point 2 leaves the road 2.30 m wide at (100."), "{message}");
    assert!(message.contains("3.00 m: move it outwards"), "{message}");
}

#[test]
fn the_start_and_the_direction_remain() {
    let start = Some(Spot::Metres([-46.0, 0.0]));
    for track in [cut(&ring_edges(40.0, 52.0), &TrackOptions { start, ..TrackOptions::default() }).unwrap()] {
        for track in [track.reversed(), track] {
            // Whatever the options ask for.
            let options = TrackOptions { direction: Some(Direction::Clockwise), ..TrackOptions::default() };
            let road = CorrectedRoad { options: &options, length_m: f64::INFINITY, min_width_m: 3.0 };
            let corrected = track.clone().with_edge_corrections(&[at(0.0, 53.0)], road).unwrap();
            assert_eq!((corrected.direction, corrected.closed), (track.direction, true));
            assert!((corrected.sections[0].middle() - track.sections[0].middle()).norm() < 0.05);
            let widest = corrected.sections.iter().map(|section| section.width()).fold(0.0, f64::max);
            assert_near(widest, 13.0, 0.01);
        }
    }
}

#[test]
fn heights_go_on_across_the_road_with_its_slope() {
    let mut track = Track { edge_uncertainty_m: 0.25, ..road() };
    let end = |height_m: f64, grip: f64, kind| SurfaceEnd { height_m, grip, kind };
    let surface = SectionSurface { right: end(1.0, 0.8, EdgeKind::Kerb), left: end(3.0, 0.9, EdgeKind::Wall) };
    track.surface = Some(vec![surface; track.sections.len()]);
    let corrected = corrected(&track, &[at(60.0, 10.0), at(140.0, -2.0)]).unwrap();
    assert_eq!(corrected.edge_uncertainty_m, 0.25);
    for (section, surface) in corrected.sections.iter().zip(corrected.surface.as_ref().unwrap()) {
        // A slope of 2 m in 8 m, between the ends of the old sections.
        assert_near(surface.left.height_m, 1.0 + 0.25 * section.left.y, 0.02);
        assert_near(surface.right.height_m, 1.0 + 0.25 * section.right.y, 0.02);
        assert_eq!((surface.left.grip, surface.right.grip), (0.9, 0.8));
        assert_eq!((surface.left.kind, surface.right.kind), (EdgeKind::Wall, EdgeKind::Kerb));
    }
    let highest = corrected.surface.as_ref().unwrap().iter().map(|section| section.left.height_m).fold(0.0, f64::max);
    assert_near(highest, 3.5, 0.02);
}

#[test]
fn the_section_of_an_arc_length_is_the_one_with_the_nearest_end() {
    let along = [(0.0, 4), (10.0, 7), (20.0, 2)];
    for (s, wanted) in [(-1.0, 4), (4.9, 4), (5.1, 7), (10.0, 7), (14.9, 7), (15.1, 2), (99.0, 2)] {
        assert_eq!(nearest_end(&along, s), wanted, "{s}");
    }
    assert_eq!(nearest_end(&[], 3.0), 0);
}

#[test]
fn only_what_lies_beyond_an_end_of_the_edge_is_refused() {
    let edge = Polyline::open([[0.0, 0.0], [10.0, 0.0], [20.0, 10.0]].map(Point::from).to_vec());
    let check = |to: [f64; 2], s: f64| {
        check_end(&edge, EdgeSide::Right, &Move { number: 5, to: to.into(), s, road_m: 0.0, length_m: 9.0 })
    };
    let length = edge.length();
    assert!(check([0.0, 3.0], 0.0).is_ok() && check([-0.5, 3.0], 0.1).is_ok());
    assert!(check([18.0, 12.0], length).is_ok() && check([21.0, 9.0], length).is_ok());
    for (to, s, distance) in [([-0.5, 3.0], 0.0, 0.5), ([21.0, 11.0], length, 2.0_f64.sqrt())] {
        match check(to, s) {
            Err(EdgeCorrectionError::BeyondEnd { number: 5, side: "right", distance_m }) => {
                assert_near(distance_m, distance, 1e-12);
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn moved_pieces_must_not_cross_others_but_may_touch_their_ends() {
    let line = |points: &[[f64; 2]]| Polyline::open(points.iter().map(|&point| point.into()).collect());
    let across = line(&[[5.0, -5.0], [5.0, 5.0]]);
    let along = line(&[[0.0, 0.0], [10.0, 0.0]]);
    assert_eq!(crossing([&along, &across], &[true, false]), Some(Point::new(5.0, 0.0)));
    assert_eq!(crossing([&along, &across], &[false, true]), Some(Point::new(5.0, 0.0)));
    assert_eq!(crossing([&along, &across], &[false, false]), None);
    for end in [0.0, 0.0005] {
        assert_eq!(crossing([&along, &line(&[[5.0, -end], [5.0, 5.0]])], &[true, true]), None);
        assert_eq!(crossing([&line(&[[5.0 - end, 0.0], [9.0, 0.0]]), &across], &[true, true]), None);
    }
    assert!(crossing([&along, &line(&[[5.0, -0.002], [5.0, 5.0]])], &[true, true]).is_some());
    assert!(crossing([&along, &line(&[[5.0, 0.1], [5.0, 5.0]])], &[true, true]).is_none());
}

#[test]
fn errors_name_the_nearest_place() {
    let places = [Point::new(0.0, 0.0), Point::new(10.0, 0.0), Point::new(20.0, 0.0)];
    let number = |x: f64| nearest(&places, Point::new(x, 1.0));
    assert_eq!([-5.0, 4.0, 6.0, 16.0].map(number), [1, 1, 2, 3]);
    assert_eq!(nearest(&[], Point::origin()), 1);
    let place = Some(Point::new(1.0, 2.0));
    for error in [
        TrackError::LostCentreLine { x_m: 1.0, y_m: 2.0 },
        TrackError::StartOffTrack { x_m: 1.0, y_m: 2.0, distance_m: 3.0 },
        TrackError::EmptySection { index: 3, x_m: 1.0, y_m: 2.0 },
        TrackError::CrossedSections { index: 3, other: 4, x_m: 1.0, y_m: 2.0 },
    ] {
        assert_eq!(error_place(&error), place);
    }
    assert_eq!(error_place(&TrackError::EmptyEdge), None);
    assert_eq!((place_of(Spot::Metres([1.0, 2.0])), place_of(Spot::Pixels([1.0, 2.0]))), (place, None));
    assert_eq!((EdgeSide::Left.name(), EdgeSide::Right.name()), ("left", "right"));
}

#[test]
fn the_length_of_a_correction_has_its_range() {
    for (length_m, wanted) in [(0.01, true), (0.009, false), (1e7, true), (1.1e7, false)] {
        assert_eq!(EdgeCorrection { length_m: Some(length_m), ..at(0.0, 0.0) }.validate().is_ok(), wanted);
    }
    assert!(at(0.0, 0.0).validate().is_ok());
}

#[test]
fn a_place_is_beside_its_own_edge_where_the_other_one_has_ended() {
    let line =
        |length: f64, y: f64| Polyline::open((0..=20).map(|i| Point::new(length * f64::from(i) / 20.0, y)).collect());
    let edges =
        crate::edges::Edges { directed: true, ..crate::edges::Edges::between(line(205.0, 8.0), line(200.0, 0.0)) };
    let track = cut(&edges, &TrackOptions::default()).unwrap();
    assert!(corrected(&track, &[at(203.0, 9.0)]).is_ok());
    let message = corrected(&track, &[at(203.0, -1.0)]).unwrap_err().to_string();
    assert!(message.contains("3.00 m beyond the end of the right edge"), "{message}");
}
