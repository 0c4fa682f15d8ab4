//! Cutting roads of known geometry into cross-sections.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]

use proptest::prelude::*;
use raceline::edges::{EdgeError, Edges, MAX_MEETINGS, with_crossings_marked};
use raceline::frame::Spot;
use raceline::geometry::{Point, Polyline, Segment, SegmentIndex};
use raceline::range::OutOfRange;
use raceline::track::{CrossSection, Direction, Track, TrackError, TrackOptions, cross_each_other, cut, cut_for};

use crate::roads;

fn counterclockwise() -> TrackOptions {
    TrackOptions { direction: Some(Direction::Counterclockwise), ..TrackOptions::default() }
}

/// What every later stage relies on, looked at pair by pair rather than with the stage's own check.
fn assert_regular(track: &Track) {
    let n = track.sections.len();
    for (i, section) in track.sections.iter().enumerate() {
        assert!(section.width() > 0.0, "section {i} has no width");
        for other in i + 1..n {
            assert!(!cross_each_other(section, &track.sections[other]), "sections {i} and {other} cross");
        }
    }
    let index = |edge: &Polyline| SegmentIndex::new(edge, 3.0);
    let (left, right) = (index(&track.left_edge), index(&track.right_edge));
    for section in &track.sections {
        assert!(left.nearest(section.left).unwrap().distance < 1e-6, "left end off its edge");
        assert!(right.nearest(section.right).unwrap().distance < 1e-6, "right end off its edge");
        assert!(!left.meets(Segment::new(section.point(0.001), section.point(0.999))), "section leaves the road");
        assert!(!right.meets(Segment::new(section.point(0.001), section.point(0.999))), "section leaves the road");
    }
}

#[test]
fn sections_of_a_ring_are_radial() {
    let track = cut(&roads::ring(40.0, 52.0), &counterclockwise()).unwrap();
    assert_regular(&track);
    for section in &track.sections {
        assert!((section.width() - 12.0).abs() < 1e-3);
        assert!((section.middle().coords.norm() - 46.0).abs() < 1e-3);
        assert!(section.left.coords.norm() < section.right.coords.norm(), "counter-clockwise, the inside is left");
    }
    assert!((track.centre_line().length() - 46.0 * std::f64::consts::TAU).abs() < 0.2);
}

#[test]
fn clockwise_is_the_default_and_has_the_inside_on_the_right() {
    let track = cut(&roads::ring(40.0, 52.0), &TrackOptions::default()).unwrap();
    assert_eq!(track.direction, Direction::Clockwise);
    assert!(track.centre_line().signed_area() < 0.0);
    assert!(track.sections.iter().all(|s| s.right.coords.norm() < s.left.coords.norm()));
    assert_regular(&track);
}

#[test]
fn spacing_is_as_asked_on_straights_and_finer_in_bends() {
    let track = cut(&roads::stadium(300.0, 8.0, 20.0), &counterclockwise()).unwrap();
    assert_regular(&track);
    let gap = |i: usize| (track.sections[(i + 1) % track.sections.len()].middle() - track.sections[i].middle()).norm();
    let on_straight = |p: Point| p.x.abs() < 100.0;
    let in_bend = |p: Point| p.x.abs() > 160.0;
    for i in 0..track.sections.len() {
        let p = track.sections[i].middle();
        assert!(gap(i) < 2.02, "{}", gap(i));
        if on_straight(p) {
            assert!(gap(i) > 1.9, "straight at {p}: {}", gap(i));
        }
        if in_bend(p) {
            assert!(gap(i) < 1.7, "bend at {p}: {}", gap(i));
        }
    }
}

#[test]
fn the_default_spacing_is_a_fraction_of_the_width_and_of_the_vehicle() {
    for (width, length, expected) in [(12.0, 4.7, 2.0), (18.0, 4.7, 2.35), (2.0, 0.58, 0.29), (1.2, 0.58, 0.2)] {
        let road = roads::ring(20.0 * width, 21.0 * width);
        let track = cut_for(&road, &counterclockwise(), length).unwrap();
        assert!((track.spacing_m - expected).abs() < 1e-3, "{width} {length}: {}", track.spacing_m);
    }
}

#[test]
fn narrow_roads_are_cut_more_finely_than_asked() {
    let options = TrackOptions { spacing_m: Some(2.0), ..counterclockwise() };
    let track = cut(&roads::ring(10.0, 12.0), &options).unwrap();
    assert_eq!(track.spacing_m, 0.25 * roads::ring(10.0, 12.0).mean_width());
    let longest =
        (1..track.sections.len()).map(|i| (track.sections[i].middle() - track.sections[i - 1].middle()).norm());
    assert!(longest.fold(0.0, f64::max) < 0.51);
}

#[test]
fn inner_corners_without_radius_give_fans_that_do_not_cross() {
    let track = cut(&roads::sharp_triangle(120.0, 14.0), &counterclockwise()).unwrap();
    assert_regular(&track);
    // The middle of the corner's disc lies half a width outside the corner.
    let tip = track.sections.iter().map(|s| (s.middle() - Point::origin()).norm()).fold(f64::INFINITY, f64::min);
    assert!((tip - 7.0).abs() < 0.5, "{tip}");
}

#[test]
fn the_given_start_is_the_first_section() {
    let options = TrackOptions { start: Some(Spot::Metres([40.0, -21.0])), ..counterclockwise() };
    let track = cut(&roads::stadium(300.0, 14.0, 26.0), &options).unwrap();
    let first = track.sections[0].middle();
    assert!((first - Point::new(40.0, -20.0)).norm() < 0.05, "{first}");
    assert_regular(&track);
}

#[test]
fn without_a_start_the_lap_begins_in_the_middle_of_the_longest_straight() {
    // A ring with one flat side: the stadium's straights are equally long, so either will do.
    let track = cut(&roads::stadium(300.0, 14.0, 26.0), &counterclockwise()).unwrap();
    let first = track.sections[0].middle();
    assert!(first.x.abs() < 6.0 && (first.y.abs() - 20.0).abs() < 0.1, "{first}");
}

#[test]
fn a_ring_without_a_straight_starts_in_the_east() {
    let track = cut(&roads::ring(40.0, 52.0), &counterclockwise()).unwrap();
    let first = track.sections[0].middle();
    assert!((first - Point::new(46.0, 0.0)).norm() < 0.5, "{first}");
}

#[test]
fn a_start_off_the_road_is_refused_with_its_distance() {
    let options = TrackOptions { start: Some(Spot::Metres([0.0, 0.0])), ..counterclockwise() };
    match cut(&roads::ring(40.0, 52.0), &options) {
        Err(TrackError::StartOffTrack { distance_m, .. }) => assert!((distance_m - 46.0).abs() < 0.1),
        other => panic!("{other:?}"),
    }
}

#[test]
fn bad_spacing_and_start_are_refused() {
    for spacing_m in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let options = TrackOptions { spacing_m: Some(spacing_m), ..counterclockwise() };
        assert!(matches!(
            cut(&roads::ring(40.0, 52.0), &options),
            Err(TrackError::OutOfRange(OutOfRange { option: "spacing_m", .. }))
        ));
    }
    let options = TrackOptions { start: Some(Spot::Metres([f64::NAN, 0.0])), ..counterclockwise() };
    assert!(matches!(cut(&roads::ring(40.0, 52.0), &options), Err(TrackError::StartNotFinite { .. })));
}

#[test]
fn edges_that_touch_are_refused_with_the_place() {
    let ring = roads::ring(40.0, 52.0);
    let mut pinched = ring.clone();
    // One corner of the inner edge lies on the outer edge.
    pinched.left.points[600] = pinched.right.points[600];
    match cut(&pinched, &counterclockwise()) {
        Err(TrackError::LostCentreLine { x_m, y_m }) => assert!(Point::new(x_m, y_m - 52.0).coords.norm() < 8.0),
        other => panic!("{:?}", other.map(|track| track.sections.len())),
    }
}

#[test]
fn edges_without_points_are_refused() {
    let empty = Edges::ring(Polyline::closed(Vec::new()), Polyline::closed(Vec::new()));
    assert_eq!(cut(&empty, &counterclockwise()), Err(TrackError::EmptyEdge));
}

#[test]
fn crossing_sections_do_not_pass_validation() {
    let mut track = cut(&roads::ring(40.0, 52.0), &counterclockwise()).unwrap();
    track.sections.swap(4, 5);
    assert_eq!(track.validate(), Ok(()), "sections in the wrong order don't cross");
    let (a, b) = (track.sections[4], track.sections[5]);
    track.sections[4] = CrossSection { right: a.right, left: b.left };
    track.sections[5] = CrossSection { right: b.right, left: a.left };
    assert!(matches!(track.validate(), Err(TrackError::CrossedSections { .. })));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn no_section_crosses_another_on_wavy_roads(
        r0 in 60.0..200.0f64, swing in 0.0..0.5f64, lobes in 2usize..7, width in 6.0..16.0f64, clockwise in any::<bool>(),
    ) {
        // Lobes so deep that the edges would meet themselves make no road.
        prop_assume!(r0 * (1.0 - swing) > 2.0 * width);
        let direction = if clockwise { Direction::Clockwise } else { Direction::Counterclockwise };
        let options = TrackOptions { direction: Some(direction), spacing_m: Some(3.0), ..TrackOptions::default() };
        let track = cut(&roads::wavy(r0, swing, lobes, width), &options).unwrap();
        assert_regular(&track);
    }
}

/// A ring of corners that are thrown about so far that its edges cross in many places.
fn tangled(corners: &[(f64, f64)], scatter_m: f64, closed: bool) -> Edges {
    let edge = |radius: f64, skip: usize| {
        let count = corners.len() / 2;
        let points = (0..count).map(|i| {
            let (angle, (dx, dy)) = (std::f64::consts::TAU * i as f64 / count as f64, corners[2 * i + skip]);
            Point::new(radius * angle.cos() + scatter_m * dx, radius * angle.sin() + scatter_m * dy)
        });
        Polyline { points: points.collect(), closed }
    };
    Edges::between(edge(400.0, 0), edge(500.0, 1))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    // Tracing used to wander off to infinity, or to go round and round: minutes until it gave up.
    #[test]
    fn tangled_edges_are_refused_soon_and_among_themselves(
        corners in proptest::collection::vec((-1.0..1.0f64, -1.0..1.0f64), 16..120), scatter_m in 5.0..900.0f64, closed in any::<bool>(),
    ) {
        let edges = with_crossings_marked(tangled(&corners, scatter_m, closed)).unwrap();
        match cut(&edges, &counterclockwise()) {
            Ok(track) => prop_assert_eq!(track.validate(), Ok(())),
            Err(TrackError::LostCentreLine { x_m, y_m }) => {
                let farthest = edges.left.points.iter().chain(&edges.right.points).map(|p| p.coords.amax()).fold(0.0, f64::max);
                prop_assert!(x_m.abs().max(y_m.abs()) <= farthest + 2.0 * edges.mean_width(), "({x_m}, {y_m})");
            }
            Err(_) => {}
        }
    }
}

#[test]
fn edges_that_cross_are_refused_where_they_do() {
    let mut crossed = roads::ring(40.0, 52.0);
    // The inner edge bulges through the outer one in the north.
    for point in crossed.left.points.iter_mut().filter(|p| p.y > 38.0) {
        point.y += 15.0;
    }
    match cut(&crossed, &counterclockwise()) {
        Err(TrackError::LostCentreLine { x_m, y_m }) => {
            assert!((x_m.hypot(y_m) - 52.0).abs() < 0.1 && y_m > 45.0, "({x_m}, {y_m})");
        }
        other => panic!("{:?}", other.map(|track| track.sections.len())),
    }
}

/// A road of constant width along a curve with a period of 1, without the cut-off inner corners of an
/// importer.
fn along(count: usize, width: f64, curve: impl Fn(f64) -> (f64, f64)) -> Edges {
    let at = |i: usize| {
        let (x, y) = curve(i as f64 / count as f64);
        Point::new(x, y)
    };
    let edge = |offset: f64| {
        let points = (0..count).map(|i| {
            let along = (at(i + 1) - at(i + count - 1)).normalize();
            at(i) + raceline::geometry::left_of(along) * offset
        });
        Polyline::closed(points.collect())
    };
    Edges { directed: true, ..Edges::between(edge(width / 2.0), edge(-width / 2.0)) }
}

/// A Lissajous curve, whose `2 a b - a - b` crossings are known (a, b without common divisor).
fn lissajous(a: u32, b: u32) -> impl Fn(f64) -> (f64, f64) {
    move |t| {
        let phase = |k: u32, from: f64| (std::f64::consts::TAU * t * f64::from(k) + from).sin();
        (500.0 * phase(a, 0.0), 500.0 * phase(b, 0.3))
    }
}

#[test]
fn every_crossing_of_a_road_that_crosses_itself_often_is_marked() {
    for (a, b) in [(1, 2), (3, 4), (9, 10)] {
        let count = 4000;
        let edges = with_crossings_marked(along(count, 4.0, lissajous(a, b))).unwrap();
        let crossings = (2 * a * b - a - b) as usize;
        // Each crossing of two legs divides both edges of both legs at two places.
        let divided = edges.left.points.len() + edges.right.points.len() - 2 * count;
        assert_eq!(divided, 8 * crossings, "{a}:{b}");
        let limits = edges.crossings.iter().map(|[p, q]| (q - p).norm());
        // Both edges of either leg lead four metres across the other, more where they cross obliquely.
        assert!(limits.sum::<f64>() > 16.0 * crossings as f64, "{a}:{b}");
        for [p, q] in &edges.crossings {
            let is_piece = |edge: &Polyline| edge.pieces().any(|piece| piece == (*p, *q));
            assert!(is_piece(&edges.left) || is_piece(&edges.right));
        }
        let track = cut(&edges, &TrackOptions::default()).unwrap();
        assert_eq!(track.validate(), Ok(()));
    }
}

#[test]
fn a_road_that_lies_on_itself_is_refused() {
    let circle = |laps: f64| {
        move |t: f64| {
            let (sin, cos) = (std::f64::consts::TAU * t * laps).sin_cos();
            (100.0 * cos, 100.0 * sin)
        }
    };
    // Exactly coincident laps, nearly coincident ones, and more crossings than any road has.
    let near = |t: f64| {
        let (x, y) = circle(20.0)(t);
        let wobble = 1.0 + 1e-5 * (std::f64::consts::TAU * 401.0 * t).sin();
        (x * wobble, y * wobble)
    };
    let cases = [
        with_crossings_marked(along(40 * 200, 10.0, circle(40.0))),
        with_crossings_marked(along(20 * 301, 10.0, near)),
        with_crossings_marked(along(20_000, 1.0, lissajous(41, 42))),
    ];
    for case in cases {
        match case {
            Err(EdgeError::LiesOnItself { x_m, y_m, limit }) => {
                assert!(x_m.hypot(y_m) < 720.0 && limit == MAX_MEETINGS, "({x_m}, {y_m})");
            }
            other => panic!("{:?}", other.map(|edges| edges.crossings.len())),
        }
    }
}

#[test]
fn crowded_edges_are_refused_before_they_take_long() {
    // Parallel diagonals: all boxes overlap, nothing crosses.
    let zigzag = |shift: f64| {
        let points = (0..20_000)
            .map(|i| Point::new(f64::from(i) * 0.01 + f64::from(i % 2) * 1e3 + shift, f64::from(i % 2) * 1e3));
        Polyline::open(points.collect())
    };
    let edges = Edges::between(zigzag(0.0), zigzag(5.0));
    assert!(matches!(with_crossings_marked(edges), Err(EdgeError::LiesOnItself { .. })));
}
