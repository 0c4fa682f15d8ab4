use super::{Edges, TrackOptions, cut, cut_for};
use crate::frame::{PictureFrame, Spot};
use crate::geometry::{Point, Polyline, Segment, SegmentIndex, Vector, cross};
use crate::road_length::{LONGEST_WIDTHS, MAX_CLOSE_SECTIONS};
use crate::track::test_roads::{assert_near, cracked_edges, ring_edges};
use crate::track::{Direction, TrackError, wanted_spacing_m};

fn straight(length_m: f64, width_m: f64) -> Edges {
    let line = |y: f64| Polyline::open(vec![Point::new(0.0, y), Point::new(length_m, y)]);
    Edges::between(line(width_m), line(0.0))
}

#[test]
fn a_short_vehicle_does_not_cut_a_road_without_end() {
    let road = straight(7000.0, 12.0);
    let options = TrackOptions::default();
    let count = |length_m: f64| cut_for(&road, &options, length_m).unwrap().sections.len() as f64;
    // By the vehicle, until there are too many.
    assert!((count(1.0) - 14_000.0).abs() < 10.0);
    for length_m in [0.5, 0.02, 0.001] {
        assert!((count(length_m) - MAX_CLOSE_SECTIONS).abs() < 10.0, "{length_m}");
    }
    let track = cut_for(&road, &options, 0.02).unwrap();
    assert_eq!(track.spacing_m, 0.35);
    assert!(track.spacing_m > wanted_spacing_m(&options, 0.02));
    let specified = TrackOptions { spacing_m: Some(0.1), ..options };
    assert_eq!(cut_for(&road, &specified, 5.0).unwrap().spacing_m, 0.35);
}

#[test]
fn what_the_width_asks_for_is_always_allowed() {
    // 30 000 sections of half a metre: more than a vehicle may ask for.
    let track = cut_for(&straight(15_000.0, 3.0), &TrackOptions::default(), 5.0).unwrap();
    assert_eq!(track.spacing_m, 0.5);
    let too_long = cut_for(&straight(1.001 * LONGEST_WIDTHS, 1.0), &TrackOptions::default(), 5.0);
    assert!(matches!(too_long, Err(TrackError::TooLong(_))), "{too_long:?}");
}

#[test]
fn the_spacing_is_a_part_of_the_width_and_of_the_vehicle() {
    let spacing = |spacing_m: Option<f64>, length_m: f64| {
        let options = TrackOptions { spacing_m, ..TrackOptions::default() };
        cut_for(&straight(400.0, 12.0), &options, length_m).map(|track| track.spacing_m)
    };
    for (spacing_m, length_m, wanted) in [
        (None, f64::INFINITY, 2.0),
        (None, 4.2, 2.0),
        (None, 3.0, 1.5),
        (Some(2.5), 3.0, 2.5),
        (Some(3.5), 3.0, 3.0),
        (Some(0.1), 3.0, 0.1),
    ] {
        assert_near(spacing(spacing_m, length_m).unwrap(), wanted, 1e-12);
    }
    match spacing(Some(0.0959), 3.0) {
        Err(TrackError::SpacingTooFine { spacing_m, floor_m, width_m }) => {
            assert_eq!((spacing_m, width_m), (0.0959, 12.0));
            assert_near(floor_m, 0.096, 1e-12);
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(wanted_spacing_m(&TrackOptions::default(), 4.2), 2.1);
    assert_eq!(wanted_spacing_m(&TrackOptions { spacing_m: Some(0.7), ..TrackOptions::default() }, 4.2), 0.7);
}

#[test]
fn an_open_road_starts_at_its_end_nearer_to_the_start_or_in_the_west() {
    let start = |edges: &Edges, near: Option<[f64; 2]>| {
        let options = TrackOptions { start: near.map(Spot::Metres), ..TrackOptions::default() };
        let track = cut(edges, &options).unwrap();
        let section = track.sections[0];
        let ahead = track.sections[1].middle() - section.middle();
        // In either direction the left edge is on the left.
        assert!(cross(ahead, section.span()) > 0.0);
        section.middle().x
    };
    let road = straight(200.0, 8.0);
    let turned = road.clone().reversed();
    let directed = Edges { directed: true, ..turned.clone() };
    for (near, wanted) in [([90.0, 4.0], 0.0), ([110.0, 4.0], 200.0)] {
        for edges in [&road, &turned, &directed] {
            assert_near(start(edges, Some(near)), wanted, 1e-9);
        }
    }
    assert_eq!([&road, &turned, &directed].map(|edges| start(edges, None)), [0.0, 0.0, 200.0]);
    // Of two ends equally far in the west the southern one.
    let upright = |from: f64, to: f64| {
        let line = |x: f64| Polyline::open(vec![Point::new(x, from), Point::new(x, to)]);
        let (a, b) = (line(0.0), line(8.0));
        if from < to { Edges::between(a, b) } else { Edges::between(b, a) }
    };
    for edges in [upright(0.0, 200.0), upright(200.0, 0.0)] {
        assert_near(cut(&edges, &TrackOptions::default()).unwrap().sections[0].middle().y, 0.0, 1e-9);
    }
}

#[test]
fn a_closed_road_is_travelled_as_asked_or_as_its_source_or_clockwise() {
    let ring = ring_edges(40.0, 52.0);
    let picture = Edges { directed: false, ..ring.clone() };
    for edges in [&ring, &picture, &ring.clone().reversed(), &picture.clone().reversed()] {
        for direction in [Direction::Clockwise, Direction::Counterclockwise] {
            let options = TrackOptions { direction: Some(direction), ..TrackOptions::default() };
            let track = cut(edges, &options).unwrap();
            assert_eq!(track.direction, direction);
            assert_eq!(track.centre_line().signed_area() > 0.0, direction == Direction::Counterclockwise);
        }
        let own = cut(edges, &TrackOptions::default()).unwrap().direction;
        let is_own = edges.directed && edges.runs_counterclockwise();
        assert_eq!(own, if is_own { Direction::Counterclockwise } else { Direction::Clockwise });
    }
}

#[test]
fn what_cannot_be_cut_is_refused() {
    let line = |points: &[[f64; 2]]| Polyline::open(points.iter().map(|&point| point.into()).collect());
    let (long, point) = (line(&[[0.0, 8.0], [200.0, 8.0]]), line(&[[0.0, 0.0]]));
    let refused = |edges: Edges| cut(&edges, &TrackOptions::default()).unwrap_err();
    assert_eq!(refused(Edges::between(long.clone(), point.clone())), TrackError::EmptyEdge);
    assert_eq!(refused(Edges::between(point, long.clone())), TrackError::EmptyEdge);
    assert_eq!(refused(Edges::between(long.clone(), long)), TrackError::EmptyEdge);
    let starting = |start: Spot| {
        cut(&straight(200.0, 8.0), &TrackOptions { start: Some(start), ..TrackOptions::default() }).unwrap_err()
    };
    assert_eq!(starting(Spot::Pixels([1.0, 1.0])), TrackError::NoPicture);
    assert_eq!(starting(Spot::Degrees([1.0, 1.0])), TrackError::NoGlobe);
    assert!(matches!(starting(Spot::Metres([f64::NAN, 1.0])), TrackError::StartNotFinite { .. }));
}

#[test]
fn a_start_in_pixels_is_one_on_the_picture_and_places_of_errors_are_those_of_the_road() {
    let frame =
        PictureFrame { metres_per_pixel: 0.5, origin_m: Point::new(900.0, -100.0), width_px: 400, height_px: 400 };
    let far = ring_edges(40.0, 52.0).moved_by(Vector::new(1000.0, 0.0));
    let edges = Edges { frame: Some(frame), ..far };
    let options = |start: Spot| TrackOptions { start: Some(start), ..TrackOptions::default() };
    // (1000, 46) m is 200 columns to the right and 292 rows up.
    let track = cut(&edges, &options(Spot::Pixels([200.0, 108.0]))).unwrap();
    assert!((track.sections[0].middle() - Point::new(1000.0, 46.0)).norm() < 0.05);
    assert_eq!((&track.left_edge, &track.right_edge), (&edges.left, &edges.right));
    match cut(&edges, &options(Spot::Metres([1000.0, 0.0]))) {
        Err(TrackError::StartOffTrack { x_m, y_m, distance_m }) => {
            assert_eq!((x_m, y_m), (1000.0, 0.0));
            assert_near(distance_m, 46.0, 0.05);
        }
        other => panic!("{other:?}"),
    }
    for section in &track.sections {
        assert_near((section.middle() - Point::new(1000.0, 0.0)).norm(), 46.0, 0.01);
    }
}

#[test]
fn no_section_leaves_the_road_at_a_corner_without_radius() {
    // The inner corner at (50, 10), the outer one at (60, 0).
    let line = |points: [[f64; 2]; 3]| Polyline::open(points.map(Point::from).to_vec());
    let inner = line([[0.0, 10.0], [50.0, 10.0], [50.0, 60.0]]);
    let outer = line([[0.0, 0.0], [60.0, 0.0], [60.0, 60.0]]);
    let edges = Edges { directed: true, ..Edges::between(inner.clone(), outer) };
    let track = cut(&edges, &TrackOptions::default()).unwrap();
    track.validate().unwrap();
    let through = track.sections.iter().filter(|section| (section.left - Point::new(50.0, 10.0)).norm() < 1.0);
    // The sections fan about the corner.
    let count = through.count();
    assert!(count >= 4, "{count}");
    for section in &track.sections {
        let inside =
            |place: Point| (place.y <= 10.0 + 1e-3 || place.x >= 50.0 - 1e-3) && place.x <= 60.0 && place.y >= 0.0;
        assert!([0.001, 0.3, 0.7, 0.999].iter().all(|&alpha| inside(section.point(alpha))), "{section:?}");
    }
    // Spaced by at most the spacing along the middle, and by no more than 0.1 rad where it can be.
    for pair in track.sections.windows(2) {
        assert!((pair[1].middle() - pair[0].middle()).norm() < 1.05 * track.spacing_m);
        assert!(crate::geometry::angle_between(pair[0].span(), pair[1].span()) < 0.13);
    }
}

#[test]
fn sections_do_not_lead_across_cracks() {
    let edges = cracked_edges(30.0, 42.0, 9);
    let track = cut(&edges, &TrackOptions::default()).unwrap();
    let index = |edge: &Polyline| SegmentIndex::new(edge, 3.0);
    let (left, right) = (index(&track.left_edge), index(&track.right_edge));
    assert!(track.sections.len() > 100);
    for section in &track.sections {
        let inner = Segment::new(section.point(0.001), section.point(0.999));
        assert!(!left.meets(inner) && !right.meets(inner), "{section:?}");
        assert!(section.width() > 5.0);
    }
}

#[test]
fn the_directions_of_sections_are_smoothed_over_half_a_width() {
    // A step of the left edge by half a metre: the sections turn before and after it, for a few metres.
    let left = Polyline::open([[0.0, 8.0], [100.0, 8.0], [100.5, 8.5], [200.0, 8.5]].map(Point::from).to_vec());
    let right = Polyline::open([[0.0, 0.0], [200.0, 0.0]].map(Point::from).to_vec());
    let track = cut(&Edges { directed: true, ..Edges::between(left, right) }, &TrackOptions::default()).unwrap();
    let turned = |from: f64, to: f64| {
        let near = track.sections.iter().filter(|section| (from..to).contains(&section.middle().x));
        near.map(|section| (section.left.x - section.right.x).abs()).fold(0.0, f64::max)
    };
    assert!(turned(95.0, 105.0) > 0.1, "{}", turned(95.0, 105.0));
    assert!(turned(85.0, 92.0) > 1e-4 && turned(0.0, 70.0) < 1e-6, "{} {}", turned(85.0, 92.0), turned(0.0, 70.0));
}
