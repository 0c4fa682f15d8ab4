//! Junctions in pictures of streets: where the medial axis would bend towards a side street, the
//! streets of the network stay straight and meet where their middles do.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking, in its helpers too"
)]

use image::{GrayImage, Luma};
use raceline::Options;
use raceline::frame::Spot;
use raceline::geometry::{Point, Segment};
use raceline::network::{Network, RouteKind};
use raceline::pipeline::{StreetMap, streets};
use raceline::vehicle::preset;

const METRES_PER_PIXEL: f64 = 0.5;
/// Half the width of every street, metres.
const HALF_WIDTH_M: f64 = 4.0;
/// Half the side of the picture, metres; (0, 0) is in its middle.
const HALF_SIDE_M: f64 = 70.0;
/// The axis is exact to about a cell.
const ACCURACY_M: f64 = 0.75 * METRES_PER_PIXEL;

type Line = [[f64; 2]; 2];

fn distance(point: Point, [from, to]: Line) -> f64 {
    Segment::new(from.into(), to.into()).distance(point)
}

/// The streets of a picture of `lines`, with a route from the first point to the last.
fn drawn(lines: &[Line]) -> (StreetMap, Options) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("streets.png");
    let side = (2.0 * HALF_SIDE_M / METRES_PER_PIXEL) as u32;
    let image = GrayImage::from_fn(side, side, |column, row| {
        let [column, row] = [column, row].map(|cell| (f64::from(cell) + 0.5) * METRES_PER_PIXEL - HALF_SIDE_M);
        let place = Point::new(column, -row);
        Luma([if lines.iter().any(|&line| distance(place, line) <= HALF_WIDTH_M) { 255 } else { 0 }])
    });
    image.save(&file).unwrap();
    let mut options = Options::default();
    options.scale.metres_per_pixel = Some(METRES_PER_PIXEL);
    options.scale.origin_m = Some([-HALF_SIDE_M; 2]);
    options.plan.from = Some(Spot::Metres(lines[0][0]));
    options.plan.to = Some(Spot::Metres(lines[lines.len() - 1][1]));
    options.network.route = Some(RouteKind::Fastest);
    (streets(&file, &options, &preset("kart").unwrap()).unwrap().expect("a network"), options)
}

/// How many pieces end at a node.
fn degree(network: &Network, node: usize) -> usize {
    network.pieces.iter().flat_map(|piece| piece.ends).filter(|&end| end == node).count()
}

/// The greatest distance of the network from `lines`, metres. Dead ends do not count: there the
/// axis runs on into the round end of the street, up to its wall.
fn farthest(network: &Network, lines: &[Line]) -> f64 {
    let dead_ends: Vec<Point> =
        (0..network.nodes.len()).filter(|&node| degree(network, node) == 1).map(|node| network.nodes[node]).collect();
    let away = |&point: &Point| lines.iter().map(|&line| distance(point, line)).fold(f64::INFINITY, f64::min);
    let counts = |point: &&Point| dead_ends.iter().all(|end| (*point - end).norm() > HALF_WIDTH_M);
    network.pieces.iter().flat_map(|piece| &piece.line).filter(counts).map(away).fold(0.0, f64::max)
}

/// The place of the only node of three pieces or more.
fn only_junction(network: &Network) -> Point {
    let junctions: Vec<usize> = (0..network.nodes.len()).filter(|&node| degree(network, node) > 2).collect();
    let [junction] = junctions[..] else { panic!("{} junctions", junctions.len()) };
    network.nodes[junction]
}

#[test]
fn a_street_stays_straight_past_a_side_street() {
    // The medial axis itself has its junction an eighth of the width, 1 m, towards the side street.
    let lines = [[[-50.0, 0.0], [50.0, 0.0]], [[0.0, 0.0], [0.0, -50.0]]];
    let network = drawn(&lines).0.network;
    let junction = only_junction(&network);
    assert!(junction.coords.norm() < ACCURACY_M, "{junction}");
    assert!(farthest(&network, &lines) < ACCURACY_M, "{}", farthest(&network, &lines));
    // Each arm begins straight: its first 5 m lead along the street to within 6°.
    for piece in &network.pieces {
        let mut line = piece.line.clone();
        if (line[0] - junction).norm() > 1e-9 {
            line.reverse();
        }
        let first = line.iter().find(|&point| (point - junction).norm() > 5.0).unwrap() - junction;
        let aside = first.x.abs().min(first.y.abs()) / first.norm();
        assert!(aside < 0.1, "{first}");
    }
}

#[test]
fn streets_that_cross_at_an_angle_meet_where_their_middles_cross() {
    for degrees in [90f64, 75.0, 60.0, 45.0, 35.0] {
        let (sine, cosine) = degrees.to_radians().sin_cos();
        let lines = [[[-50.0, 0.0], [50.0, 0.0]], [[-50.0 * cosine, -50.0 * sine], [50.0 * cosine, 50.0 * sine]]];
        let network = drawn(&lines).0.network;
        let junction = only_junction(&network);
        assert!(junction.coords.norm() < 2.0 * ACCURACY_M, "{degrees}°: {junction}");
        assert!(farthest(&network, &lines) < 2.0 * ACCURACY_M, "{degrees}°: {}", farthest(&network, &lines));
    }
}

#[test]
fn side_streets_opposite_one_another_but_offset_by_a_width_are_two_junctions() {
    let lines = [[[-50.0, 0.0], [50.0, 0.0]], [[-4.0, 0.0], [-4.0, 50.0]], [[4.0, 0.0], [4.0, -50.0]]];
    let network = drawn(&lines).0.network;
    assert_eq!((0..network.nodes.len()).filter(|&node| degree(&network, node) > 2).count(), 2);
    assert!(farthest(&network, &lines) < 2.0 * ACCURACY_M, "{}", farthest(&network, &lines));
}

#[test]
fn side_streets_are_no_turns_of_the_route_that_passes_them() {
    // Side streets on alternating sides, 16 m apart, so that arms between junctions are short too.
    let mut lines = vec![[[-60.0, 0.0], [60.0, 0.0]]];
    for (number, x) in [-40.0, -24.0, -8.0, 8.0, 24.0].into_iter().enumerate() {
        let end = if number % 2 == 0 { 40.0 } else { -40.0 };
        lines.push([[x, 0.0], [x, end]]);
    }
    lines.push([[40.0, 0.0], [60.0, 0.0]]);
    let (map, options) = drawn(&lines);
    assert!(farthest(&map.network, &lines) < ACCURACY_M, "{}", farthest(&map.network, &lines));
    let route = map.route(&options, &preset("kart").unwrap()).unwrap().route;
    assert_eq!((route.turns, route.straights), (0, 5));
    // 120 m from street's end to street's end; the axis of a dead end runs on into its round end.
    assert!(route.length_m > 120.0 && route.length_m < 120.0 + 2.0 * HALF_WIDTH_M, "{}", route.length_m);
}

#[test]
fn a_bend_is_kept_to_a_fifth_of_half_the_width_with_few_points() {
    // A half circle of a radius of 40 m.
    let at = |i: u32| {
        let (sin, cos) = (std::f64::consts::PI * f64::from(i) / 60.0).sin_cos();
        [40.0 * cos, 40.0 * sin - 20.0]
    };
    let lines: Vec<Line> = (0..60).map(|i| [at(i), at(i + 1)]).collect();
    let network = drawn(&lines).0.network;
    assert_eq!(network.pieces.len(), 1);
    // 0.8 m, and half a cell of the axis: chords of 8 to 16 m, where a cell would leave one point in three.
    assert!(farthest(&network, &lines) < 0.8 + 0.5 * METRES_PER_PIXEL, "{}", farthest(&network, &lines));
    assert!(network.pieces[0].line.len() <= 18, "{:?}", network.pieces[0].line);
}
