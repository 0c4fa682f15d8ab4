//! No line bends more sharply than the vehicle can turn.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]

use std::f64::consts::TAU;
use std::path::Path;

use raceline::Options;
use raceline::file::Method;
use raceline::geometry::{Point, SplineCurve};
use raceline::options::Layer;
use raceline::pipeline::{self, Error, Outcome, Request};
use raceline::solve::shortest_path::shortest_path;
use raceline::solve::{Corridor, EdgeDistance, Fault, Margin, SolveError, SolveOptions, Spacing, SteeringLimit};
use raceline::track::{Direction, Track, TrackOptions, cut};
use raceline::vehicle::{Vehicle, preset};

use crate::roads;

const MARGIN: f64 = 1.7;
const METHODS: [Method; 5] =
    [Method::ShortestPath, Method::MinCurvature, Method::IteratedMinCurvature, Method::Blend, Method::TimeOptimal];

/// A road, with its shortest line, which has a bend of about the margin's radius round each corner.
struct Road {
    track: Track,
    edges: EdgeDistance,
    shortest: Vec<Point>,
}

impl Road {
    fn triangle() -> Self {
        let options = TrackOptions { direction: Some(Direction::Counterclockwise), ..TrackOptions::default() };
        let track = cut(&roads::sharp_triangle(150.0, 12.0), &options).unwrap();
        let edges = EdgeDistance::new(&track);
        let corridor = Corridor::new(&track, &edges, MARGIN).unwrap();
        let alpha = shortest_path(&corridor, &SolveOptions::default()).unwrap().alpha;
        let shortest = corridor.points(&alpha);
        Self { track, edges, shortest }
    }

    fn limited(&self, limit_radpm: f64) -> SplineCurve {
        let width_m = self.track.mean_width();
        let limit = SteeringLimit {
            limit_radpm,
            margin: Margin { edges: &self.edges, distance_m: MARGIN },
            spacing: Spacing { longest_m: self.track.spacing_m, ..Spacing::of_stations(width_m) },
            width_m,
            pinned: [false; 2],
        };
        limit.curve_through(&self.shortest, true).unwrap()
    }
}

fn sharpest(curve: &SplineCurve) -> f64 {
    curve.evenly(20_000).iter().map(|place| place.curvature().abs()).fold(0.0, f64::max)
}

#[test]
fn a_line_round_sharp_corners_turns_within_the_limit_and_keeps_its_margin() {
    let road = Road::triangle();
    let free = SplineCurve::through(&road.shortest, true).unwrap();
    for limit in [0.18, 0.15, 0.12] {
        assert!(sharpest(&free) > 1.1 * limit, "{}", sharpest(&free));
        let curve = road.limited(limit);
        assert!(sharpest(&curve) <= limit * (1.0 + 1e-6), "{} {limit}", sharpest(&curve));
        let places = curve.evenly(2000);
        let nearest = places.iter().map(|place| road.edges.nearest(place.position)).fold(f64::INFINITY, f64::min);
        assert!(nearest > 0.99 * MARGIN, "{nearest}");
        // It turns once, and not to and fro.
        let step = curve.length() / places.len() as f64;
        let turn: f64 = places.iter().map(|place| place.curvature().abs() * step).sum();
        assert!((turn - TAU).abs() < 0.4, "{turn}");
        // The detour is that of arcs of the smallest radius r instead of sharp corners at most: in a
        // corner of 60 degrees, r (2 √3 - 2 π/3) less for each.
        let saved = (12f64.sqrt() - TAU / 3.0) / limit;
        assert!((curve.length() - free.length()).abs() < 3.0 * saved, "{} {}", curve.length(), free.length());
    }
}

#[test]
fn a_line_within_the_limit_stays_as_it_is() {
    let road = Road::triangle();
    let free = SplineCurve::through(&road.shortest, true).unwrap();
    let curve = road.limited(1.01 * sharpest(&free));
    assert_eq!(curve.length(), free.length());
    assert_eq!(curve.at(100.0).position, free.at(100.0).position);
}

#[test]
fn where_the_road_is_too_tight_the_line_is_returned_as_it_was() {
    let road = Road::triangle();
    let free = SplineCurve::through(&road.shortest, true).unwrap();
    assert_eq!(road.limited(0.02).length(), free.length());
}

/// The line of `tracks/hairpin.png` for a vehicle.
fn hairpin(method: Method, vehicle: &Vehicle) -> Result<Outcome, Error> {
    let picture = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("tracks/hairpin.png");
    let sidecar = Layer::read(&picture.with_extension("toml")).unwrap();
    let options = Options { method, ..Options::from_layers(&[sidecar]).unwrap() };
    pipeline::optimize(&picture, &Request::new(&options, vehicle))
}

#[test]
fn every_method_keeps_to_the_steering_of_the_vehicle() {
    for name in ["tum-racecar", "gt", "formula"] {
        for method in METHODS {
            let vehicle = preset(name).unwrap();
            let outcome = hairpin(method, &vehicle).unwrap();
            let limit = outcome.line.vehicle.max_curvature_radpm;
            let max = outcome.line.points.iter().map(|point| point.curvature_radpm.abs()).fold(0.0, f64::max);
            assert!(max <= limit, "{name}, {method:?}: {max} {limit}");
        }
    }
}

#[test]
fn a_road_that_the_vehicle_cannot_turn_on_is_an_error_with_the_place() {
    let vehicle = Vehicle { max_curvature_radpm: 0.03, ..preset("tum-racecar").unwrap() };
    let error = hairpin(Method::TimeOptimal, &vehicle).unwrap_err();
    let Error::Solve { error: SolveError::NoSoundLine { fault: Fault::Steering { limit_radpm, .. }, .. }, .. } = error
    else {
        panic!("{error}")
    };
    assert_eq!(limit_radpm, 0.03);
}
