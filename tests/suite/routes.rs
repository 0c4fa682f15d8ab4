//! Where a road goes: crossings, side roads, ends, gaps. Roads are drawn with their lengths
//! known in closed form.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]

use std::f64::consts::{PI, TAU};

use crate::drawing::eight::Eight;
use crate::drawing::{anti_aliased, mask_of, to_piece};
use raceline::edges::{EdgeError, RoadShape, RouteOptions};
use raceline::frame::{Scale, Spot};
use raceline::geometry::{Point, wrap_angle};
use raceline::picture::RoadMask;
use raceline::tracing::{Traced, trace};
use raceline::track::{Track, TrackOptions, cut};

const SIZE: u32 = 400;
const WIDTH: f64 = 14.0;

fn drawn(road: impl Fn(f64, f64) -> bool) -> RoadMask {
    mask_of(anti_aliased(SIZE, road))
}

fn traced(mask: &RoadMask, options: &RouteOptions) -> Result<Traced, EdgeError> {
    trace(mask, Scale::MetresPerPixel(1.0), Point::origin(), options)
}

fn found(mask: &RoadMask) -> (Traced, Track) {
    let traced = traced(mask, &RouteOptions::default()).unwrap();
    let track = cut(&traced.edges, &TrackOptions::default()).unwrap();
    (traced, track)
}

fn shaped(shape: RoadShape) -> RouteOptions {
    RouteOptions { shape, ..RouteOptions::default() }
}

fn via(x: f64, y: f64) -> RouteOptions {
    RouteOptions { via: vec![Spot::Pixels([x, y])], ..RouteOptions::default() }
}

fn ring(x: f64, y: f64) -> f64 {
    ((x - 200.0).hypot(y - 200.0) - 120.0).abs()
}

const RING_LENGTH: f64 = TAU * 120.0;

/// Largest change of heading from one stretch of the centre line to the next, each of eight
/// sections: long enough that a crossing's corners, which a pixel blunts, don't count.
pub fn sharpest_turn(track: &Track) -> f64 {
    const SPAN: usize = 8;
    let points = track.centre_line().points;
    let at = |i: usize| points[i % points.len()];
    let heading = |i: usize| (at(i + SPAN) - at(i)).y.atan2((at(i + SPAN) - at(i)).x);
    (0..points.len()).map(|i| wrap_angle(heading(i + SPAN) - heading(i)).abs()).fold(0.0, f64::max)
}

#[test]
fn a_figure_eight_is_one_lap_straight_through_its_crossing() {
    for (radius, half_apart) in [(60.0, 110.0), (70.0, 85.0), (40.0, 130.0)] {
        let eight = Eight { size: SIZE, radius, half_apart, has_two_crossings: false, alternates: false };
        let length = eight.length();
        let (traced, track) = found(&drawn(|x, y| eight.stroke(WIDTH, x, y)));
        assert!(track.closed && traced.side_roads.is_empty(), "{:?}", traced.side_roads);
        assert_eq!(traced.edges.crossings.len(), 4, "two edges, twice across");
        let got = track.centre_line().length();
        assert!((got / length - 1.0).abs() < 2e-3, "{got} for {length}");
        // Eight sections are 16 m: in the lobes the road turns by 16 / radius, at the crossing not at
        // all.
        assert!(sharpest_turn(&track) < 1.2 * 16.0 / radius, "{}", sharpest_turn(&track));
        // The crossing is passed twice.
        let near = |p: &Point| (p - Point::new(200.0, 200.0)).norm() < 1.5;
        let passes = track.centre_line().points.iter().filter(|p| near(p)).count();
        assert!(passes >= 2, "{passes}");
    }
}

#[test]
fn a_pit_lane_is_left_out_unless_it_is_asked_for() {
    let pit = |x: f64, y: f64| to_piece((x, y), (110.0, 280.0), (290.0, 280.0));
    let picture = drawn(|x, y| ring(x, y) <= WIDTH / 2.0 || pit(x, y) <= 3.0);
    let (main, track) = found(&picture);
    assert!((track.centre_line().length() / RING_LENGTH - 1.0).abs() < 5e-3);
    assert_eq!(main.side_roads.len(), 1);
    let taken = traced(&picture, &via(200.0, 280.0)).unwrap();
    assert!(taken.edges.is_closed());
    assert!(taken.edges.centre_length() < main.edges.centre_length() - 15.0, "the chord is shorter than the arc");
}

#[test]
fn dead_ends_are_cut_off_and_reported() {
    let picture = drawn(|x, y| {
        let spurs =
            to_piece((x, y), (200.0, 80.0), (200.0, 20.0)).min(to_piece((x, y), (320.0, 200.0), (240.0, 200.0)));
        ring(x, y) <= WIDTH / 2.0 || spurs <= 5.0
    });
    let (traced, track) = found(&picture);
    assert_eq!(traced.side_roads.len(), 2, "{:?}", traced.side_roads);
    assert!((track.centre_line().length() / RING_LENGTH - 1.0).abs() < 2e-3);
    // Nothing of the spurs is left in the edges.
    let outermost = traced.edges.right.points.iter().map(|p| (p - Point::new(200.0, 200.0)).norm()).fold(0.0, f64::max);
    assert!(outermost < 120.0 + WIDTH / 2.0 + 0.8, "{outermost}");
}

#[test]
fn an_open_road_reaches_from_end_to_end() {
    // A quarter of a circle with square ends.
    let arc = |x: f64, y: f64| x > 50.0 && y > 50.0 && ((x - 50.0).hypot(y - 50.0) - 250.0).abs() <= WIDTH / 2.0;
    let (traced, track) = found(&drawn(arc));
    assert!(!track.closed && traced.edges.crossings.is_empty());
    let length = PI / 2.0 * 250.0;
    assert!((track.centre_line().length() - length).abs() < 1.0, "{} for {length}", track.centre_line().length());
    let ends = [track.sections[0], track.sections[track.sections.len() - 1]];
    // The western end first, in the picture's frame with y upwards.
    for (end, want) in ends.iter().zip([Point::new(50.0, 100.0), Point::new(300.0, 350.0)]) {
        assert!((end.middle() - want).norm() < 1.0, "{:?}", end.middle());
        assert!((end.width() - WIDTH).abs() < 1.0, "{}", end.width());
    }
}

#[test]
fn a_start_picks_the_end_to_start_from() {
    let bar = drawn(|x, y| (40.0..360.0).contains(&x) && (y - 200.0).abs() <= WIDTH / 2.0);
    let edges = traced(&bar, &RouteOptions::default()).unwrap().edges;
    let options = TrackOptions { start: Some(Spot::Pixels([350.0, 200.0])), ..TrackOptions::default() };
    let track = cut(&edges, &options).unwrap();
    assert!(track.sections[0].middle().x > 355.0);
    assert!((track.centre_line().length() - 320.0).abs() < 1.0);
}

#[test]
fn a_road_from_border_to_border_is_open() {
    let (_, track) = found(&drawn(|_, y| (y - 150.0).abs() <= WIDTH / 2.0));
    assert!(!track.closed);
    assert!((track.centre_line().length() - f64::from(SIZE)).abs() < 2.0, "{}", track.centre_line().length());
}

#[test]
fn a_circuit_that_the_border_cuts_off_is_reported_with_both_places() {
    let picture = drawn(|x, y| ((x - 300.0).hypot(y - 200.0) - 120.0).abs() <= WIDTH / 2.0);
    let error = traced(&picture, &RouteOptions::default()).unwrap_err();
    assert!(matches!(error, EdgeError::LeavesPicture { .. }), "{error}");
    assert!(error.to_string().contains("border at") && error.to_string().contains("comes back at"), "{error}");
    assert!(!traced(&picture, &shaped(RoadShape::Open)).unwrap().edges.is_closed());
}

#[test]
fn a_start_line_across_the_road_is_closed_and_a_wide_gap_is_not() {
    let with_gap =
        |half: f64| drawn(move |x, y| ring(x, y) <= WIDTH / 2.0 && !(y > 200.0 && (x - 200.0).abs() <= half));
    let (narrow, track) = found(&with_gap(3.0));
    assert!(track.closed && narrow.closed_gap.is_some());
    assert!((track.centre_line().length() / RING_LENGTH - 1.0).abs() < 2e-3);
    let error = traced(&with_gap(20.0), &RouteOptions::default()).unwrap_err();
    assert!(matches!(error, EdgeError::Gap { .. }), "{error}");
    assert!(!traced(&with_gap(20.0), &shaped(RoadShape::Open)).unwrap().edges.is_closed());
}

#[test]
fn a_shape_that_the_road_has_not_is_refused() {
    let bar = drawn(|x, y| (40.0..360.0).contains(&x) && (y - 200.0).abs() <= WIDTH / 2.0);
    let error = traced(&bar, &shaped(RoadShape::Closed)).unwrap_err();
    assert!(matches!(error, EdgeError::NotClosed { .. }) && error.to_string().contains("is not a circuit"), "{error}");
    let circle = drawn(|x, y| ring(x, y) <= WIDTH / 2.0);
    let error = traced(&circle, &shaped(RoadShape::Open)).unwrap_err();
    assert!(matches!(error, EdgeError::NoEnds { .. }) && error.to_string().contains("no two ends"), "{error}");
}

#[test]
fn points_to_pass_must_lie_on_the_road() {
    let circle = drawn(|x, y| ring(x, y) <= WIDTH / 2.0 || to_piece((x, y), (80.0, 200.0), (320.0, 200.0)) <= 4.0);
    let error = traced(&circle, &via(200.0, 140.0)).unwrap_err();
    assert!(matches!(error, EdgeError::OffRoad { .. }), "{error}");
    // Also where there is one route alone.
    let ring_alone = drawn(|x, y| ring(x, y) <= WIDTH / 2.0);
    let error = traced(&ring_alone, &via(200.0, 140.0)).unwrap_err();
    assert!(matches!(error, EdgeError::OffRoad { .. }), "{error}");
    assert!(traced(&ring_alone, &via(200.0, 82.0)).is_ok());
    let metres = RouteOptions { via: vec![Spot::Metres([1.0, 2.0])], ..RouteOptions::default() };
    let error = trace(&circle, Scale::TrackLength(500.0), Point::origin(), &metres).unwrap_err();
    assert!(
        matches!(error, EdgeError::NeedsPixels { .. }) && error.to_string().contains("1,2 is in metres"),
        "{error}"
    );
}
