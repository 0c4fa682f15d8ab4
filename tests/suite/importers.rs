//! Track files of other programs: closed forms, bad input, noise, and files that were damaged at
//! random.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking, in its helpers too"
)]

use std::f64::consts::{PI, TAU};
use std::fmt::Write as _;

use crate::damage::damaged;
use crate::messages::with_sources;
use raceline::Options;
use raceline::construction::{ImportError, ImportNote, ImportOptions, Imported};
use raceline::edges::{EdgeKind, Edges, with_crossings_marked};
use raceline::frame::Scale;
use raceline::geometry::{Point, Polyline, SplineCurve, cross};
use raceline::importers::{centre_line_csv, csv, edge_csv, geojson, is_geojson, svg};
use raceline::pipeline::{self, Silent};
use raceline::track::{Direction, TrackOptions, cut};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const RADIUS: f64 = 60.0;
const RIGHT: f64 = 5.0;
const LEFT: f64 = 3.0;

fn default<T: Default>() -> T {
    T::default()
}

/// Points of a counter-clockwise circle, about `step` apart.
fn circle(radius: f64, step: f64) -> Vec<Point> {
    let count = (TAU * radius / step).round() as usize;
    (0..count).map(|i| TAU * i as f64 / count as f64).map(|t| Point::new(radius * t.cos(), radius * t.sin())).collect()
}

fn centre_line(text: &str) -> Imported {
    centre_line_csv(text.as_bytes(), None, &default()).unwrap()
}

/// Asserts that every point of `edge`, and the middle of every piece, lies at `radius` from
/// `centre`.
fn assert_round(edge: &Polyline, centre: Point, radius: f64, tolerance: f64) {
    for (a, b) in edge.pieces() {
        let at_point = (a - centre).norm();
        assert!((at_point - radius).abs() < tolerance, "{at_point} isn't {radius}");
        let half = (nalgebra::center(&a, &b) - centre).norm();
        // A chord may leave its arc by 5 mm.
        assert!(half < radius + tolerance && half > radius - 0.005 - tolerance, "{half} isn't {radius}");
    }
}

fn assert_ring(edges: &Edges, right: f64, left: f64, tolerance: f64) {
    assert!(edges.is_closed());
    assert_round(&edges.left, Point::origin(), RADIUS - left, tolerance);
    assert_round(&edges.right, Point::origin(), RADIUS + right, tolerance);
}

/// How often a polyline crosses itself. Parallel pieces don't cross, whatever rounding gives for
/// those on one straight line.
fn self_crossings(line: &Polyline) -> usize {
    let pieces: Vec<_> = line.pieces().collect();
    let crosses = |(a, b): (Point, Point), (c, d): (Point, Point)| {
        let across = cross(b - a, d - c);
        let (t, u) = (cross(c - a, d - c) / across, cross(c - a, b - a) / across);
        let inside = |fraction: f64| (1e-9..1.0 - 1e-9).contains(&fraction);
        across.abs() > 1e-9 * (b - a).norm() * (d - c).norm() && inside(t) && inside(u)
    };
    let later = |i: usize| pieces.iter().skip(i + 2).filter(|&&other| crosses(pieces[i], other)).count();
    (0..pieces.len()).map(later).sum()
}

// ---- Centre lines as CSV

#[test]
fn every_layout_and_separator_gives_the_same_ring() {
    type Row = fn(Point) -> Vec<f64>;
    let four: Row = |p| vec![p.x, p.y, RIGHT, LEFT];
    let five: Row = |p| vec![p.x, p.y, 12.5, RIGHT, LEFT];
    let named: Row = |p| vec![LEFT, p.y, 7.0, p.x, RIGHT];
    let cases: [(&str, Row); 7] = [
        ("", four),
        ("# x_m,y_m,w_tr_right_m,w_tr_left_m\n", four),
        ("# a track\n# [m]\nx_m;y_m;w_tr_right_m;w_tr_left_m\n", four),
        ("\"X [m]\", Y [m], \"W_right\", w_left\n", four),
        ("", five),
        ("x_m,y_m,z_m,w_right_m,w_left_m\n", five),
        ("#width_left_m;y_m;id;x_m;width_right_m\n", named),
    ];
    for (header, row) in cases {
        for (separator, newline, mark) in
            [(",", "\n", ""), (";", "\r\n", "\u{feff}"), (", ", "\n\n", ""), ("\t", "\n", "")]
        {
            // A header in a comment may have a separator of its own.
            let mut text = mark.to_owned();
            for line in header.lines() {
                let line = if line.starts_with('#') { line.to_owned() } else { line.replace([',', ';'], separator) };
                write!(text, "{line}{newline}").unwrap();
            }
            for point in circle(RADIUS, 3.0) {
                let fields: Vec<String> = row(point).iter().map(|value| format!("{value:.6}")).collect();
                write!(text, "{}{newline}", fields.join(separator)).unwrap();
            }
            let imported = centre_line(&text);
            assert_ring(&imported.edges, RIGHT, LEFT, 1e-3);
            assert!(imported.edges.directed);
            assert_eq!(imported.notes, Vec::new(), "{header:?} {separator:?}");
            assert_eq!(csv(text.as_bytes(), None, &default()).unwrap(), imported);
        }
    }
}

#[test]
fn the_third_of_three_columns_is_the_full_width() {
    let rows: String = circle(RADIUS, 3.0).iter().map(|p| format!("{} {} 8\n", p.x, p.y)).collect();
    assert_ring(&centre_line(&rows).edges, 4.0, 4.0, 1e-3);
}

#[test]
fn a_clockwise_line_has_its_left_edge_outside() {
    let rows: String = circle(RADIUS, 3.0).iter().rev().map(|p| format!("{},{},{RIGHT},{LEFT}\n", p.x, p.y)).collect();
    let edges = centre_line(&rows).edges;
    assert_round(&edges.left, Point::origin(), RADIUS + LEFT, 1e-3);
    assert_round(&edges.right, Point::origin(), RADIUS - RIGHT, 1e-3);
    assert!(edges.left.signed_area() < 0.0 && edges.area() > 0.0);
}

#[test]
fn a_repeated_first_point_closes_the_road_without_a_word() {
    let mut points = circle(RADIUS, 3.0);
    points.push(points[0]);
    let imported = centre_line(&rows(&points));
    assert_ring(&imported.edges, RIGHT, LEFT, 1e-3);
    assert_eq!(imported.notes, Vec::new());
}

#[test]
fn points_that_are_there_twice_are_left_out_and_reported() {
    let mut points = circle(RADIUS, 3.0);
    points.insert(10, points[9] + raceline::geometry::Vector::new(0.01, 0.0));
    points.insert(50, points[49]);
    let imported = centre_line(&rows(&points));
    assert_ring(&imported.edges, RIGHT, LEFT, 1e-3);
    assert!(
        imported.notes[0].to_string().starts_with("2 points of the centre line were removed"),
        "{:?}",
        imported.notes
    );
}

#[test]
fn an_arc_stays_open_unless_specified_otherwise() {
    let half: Vec<Point> = circle(RADIUS, 1.0).into_iter().filter(|p| p.y > 0.0).collect();
    let open = centre_line_csv(rows(&half).as_bytes(), None, &default()).unwrap().edges;
    assert!(!open.left.closed && !open.right.closed);
    // A natural spline is straight at its ends: the arc is left there by less than a millimetre.
    assert_round(&open.left, Point::origin(), RADIUS - LEFT, 1e-2);
    assert_round(&open.right, Point::origin(), RADIUS + RIGHT, 1e-2);
    let closed = centre_line_csv(rows(&half).as_bytes(), Some(true), &default()).unwrap().edges;
    assert!(closed.is_closed());
}

fn rows(points: &[Point]) -> String {
    points.iter().map(|p| format!("{},{},{RIGHT},{LEFT}\n", p.x, p.y)).collect()
}

// ---- Edges beside tight bends

/// Radius of the hairpin, width of the road on either side, and its turn: the road is wider than
/// the bend.
const HAIRPIN: (f64, f64, f64) = (4.0, 7.0, 150.0 * PI / 180.0);

/// Two straights with an arc about the origin between them that turns left; the legs open towards
/// +x.
fn hairpin() -> Vec<Point> {
    let (radius, _, turn) = HAIRPIN;
    let on_arc = |angle: f64| Point::new(radius * angle.cos(), radius * angle.sin());
    let along = |angle: f64| raceline::geometry::Vector::new(-angle.sin(), angle.cos());
    let (first, last) = (PI - turn / 2.0, PI + turn / 2.0);
    let (leg, arc) = (160, (radius * turn / 0.5).round() as usize);
    let arrival = (1..=leg).rev().map(|i| on_arc(first) - along(first) * (0.5 * f64::from(i)));
    let bend = (0..=arc).map(|i| on_arc(first + turn * i as f64 / arc as f64));
    let departure = (1..=leg).map(|i| on_arc(last) + along(last) * (0.5 * f64::from(i)));
    arrival.chain(bend).chain(departure).collect()
}

#[test]
fn inside_a_hairpin_narrower_than_the_road_the_edge_has_a_corner_and_no_loop() {
    let (radius, width, turn) = HAIRPIN;
    let text: String = hairpin().iter().map(|p| format!("{},{},{width},{width}\n", p.x, p.y)).collect();
    let edges = centre_line_csv(text.as_bytes(), Some(false), &default()).unwrap().edges;
    assert_eq!((self_crossings(&edges.left), self_crossings(&edges.right)), (0, 0));
    // The legs' inner sides touch the circle of radius width - radius about the origin and meet on
    // the axis.
    let half_mouth = (PI - turn) / 2.0;
    let corner = Point::new((width - radius) / half_mouth.sin(), 0.0);
    let nearest = edges.left.points.iter().map(|p| (p - corner).norm()).fold(f64::INFINITY, f64::min);
    assert!(nearest < 0.02, "the corner is {nearest} m away");
    for p in &edges.left.points {
        let from_sides = p.y.abs() - (p.x - corner.x) * half_mouth.tan();
        assert!(from_sides.abs() < 0.02 && p.x > corner.x - 0.02, "{p} isn't on the inner edge");
    }
    let round: Vec<f64> = edges.right.points.iter().map(|p| p.coords.norm()).collect();
    let min = round.iter().copied().fold(f64::INFINITY, f64::min);
    assert!((min - radius - width).abs() < 0.02, "the outer edge goes round at {min} m");
}

#[test]
fn a_right_hand_hairpin_is_the_mirror_image() {
    let width = HAIRPIN.1;
    let text = |sign: f64| -> String {
        hairpin().iter().map(|p| format!("{},{},{width},{width}\n", p.x, sign * p.y)).collect()
    };
    let [left_hand, right_hand] =
        [1.0, -1.0].map(|sign| centre_line_csv(text(sign).as_bytes(), Some(false), &default()).unwrap().edges);
    for (a, b) in [(&left_hand.left, &right_hand.right), (&left_hand.right, &right_hand.left)] {
        assert_eq!(a.points.len(), b.points.len());
        for (p, q) in a.points.iter().zip(&b.points) {
            assert!((p - Point::new(q.x, -q.y)).norm() < 1e-6);
        }
    }
}

#[test]
fn a_figure_eight_keeps_its_crossing() {
    let count = 600;
    let points = (0..count).map(|i| TAU * f64::from(i) / f64::from(count));
    let points = points.map(|t| Point::new(150.0 * t.cos(), 150.0 * t.sin() * t.cos()));
    let text: String = points.map(|p| format!("{},{},4,4\n", p.x, p.y)).collect();
    let edges = centre_line(&text).edges;
    assert_eq!((self_crossings(&edges.left), self_crossings(&edges.right)), (1, 1));
    // As the line turns as much to the left as to the right, both edges are as long as it is
    // (Steiner).
    assert!((edges.left.length() / edges.right.length() - 1.0).abs() < 1e-4);
    assert!((edges.mean_width() - 8.0).abs() < 0.01, "{}", edges.mean_width());
}

/// The inner edge of the loop of a limaçon is 20 m long: both legs of the crossing are within the part
/// of that edge that a road of this width has about a place.
#[test]
fn a_short_loop_after_a_crossing_is_followed() {
    let place = |t: f64| (34.0 * t.cos() + 17.0, t);
    let points = (0..400).map(|i| place(TAU * f64::from(i) / 400.0)).map(|(r, t)| [r * t.cos(), r * t.sin()]);
    let text: String = points.map(|[x, y]| format!("{x},{y},3,3\n")).collect();
    let edges = with_crossings_marked(centre_line(&text).edges).unwrap();
    let mean = f64::midpoint(edges.left.length(), edges.right.length());
    for direction in [Direction::Clockwise, Direction::Counterclockwise] {
        let options = TrackOptions { direction: Some(direction), ..TrackOptions::default() };
        let track = cut(&edges, &options).unwrap();
        let length = track.centre_line().length();
        assert!((length / mean - 1.0).abs() < 2e-3, "{direction:?}: {length} m, edges {mean} m");
        assert!(track.sections.iter().all(|section| (section.width() / 6.0 - 1.0).abs() < 0.05), "{direction:?}");
    }
}

#[test]
fn a_road_that_is_wider_than_a_whole_circle_has_no_inner_edge() {
    let text: String = circle(10.0, 1.0).iter().map(|p| format!("{},{},12,12\n", p.x, p.y)).collect();
    let error = centre_line_csv(text.as_bytes(), None, &default()).unwrap_err();
    assert!(matches!(error, ImportError::FoldedEdge { side: "left", .. }), "{error}");
    assert!(error.to_string().contains("line "), "{error}");
}

#[test]
fn cross_sections_fit_between_imported_edges() {
    let text: String = hairpin_ring().iter().map(|p| format!("{},{},6,6\n", p.x, p.y)).collect();
    let edges = centre_line(&text).edges;
    let track = cut(&edges, &TrackOptions::default()).unwrap();
    assert!(track.sections.iter().all(|section| section.width() > 11.0 && section.width() < 30.0));
}

/// A closed track of three lobes with bends tighter than 6 m.
fn hairpin_ring() -> Vec<Point> {
    let count = 900;
    let points = (0..count).map(|i| TAU * f64::from(i) / f64::from(count));
    points
        .map(|t| (t, 90.0 * (1.0 + 0.62 * (3.0 * t).cos())))
        .map(|(t, r)| Point::new(r * t.cos(), r * t.sin()))
        .collect()
}

// ---- Surveys

/// Points 1 m apart on a circle, and where a survey with noise has them.
fn surveyed_circle(deviation: f64) -> Vec<[Point; 2]> {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    // A sum of twelve uniform numbers has variance 1 and is near enough to normal.
    let mut normal = move || (0..12).map(|_| random.random::<f64>()).sum::<f64>() - 6.0;
    let mut moved = |p: Point| p + raceline::geometry::Vector::new(normal(), normal()) * deviation;
    circle(RADIUS, 1.0).into_iter().map(|p| [p, moved(p)]).collect()
}

fn noisy_circle(deviation: f64) -> String {
    rows(&surveyed_circle(deviation).iter().map(|[_, surveyed]| *surveyed).collect::<Vec<_>>())
}

/// Largest difference of an edge's curvature from that of a circle.
fn curvature_noise(edge: &Polyline, radius: f64) -> f64 {
    let arc_lengths = edge.arc_lengths();
    let length = edge.length();
    let count = (length / 2.0) as usize;
    let points: Vec<Point> =
        (0..count).map(|i| edge.point_at(&arc_lengths, length * i as f64 / count as f64)).collect();
    let curve = SplineCurve::through(&points, true).unwrap();
    curve.evenly(count).iter().map(|at| (at.curvature() - 1.0 / radius).abs()).fold(0.0, f64::max)
}

#[test]
fn a_noisy_survey_is_smoothed_and_the_deviation_reported() {
    let text = noisy_circle(0.02);
    let raw =
        centre_line_csv(text.as_bytes(), None, &ImportOptions { smoothing_m: Some(0.0), ..ImportOptions::default() })
            .unwrap();
    assert_eq!(raw.notes, Vec::new());
    let smooth = centre_line(&text);
    assert_eq!(smooth.notes.len(), 1);
    let note = smooth.notes[0].to_string();
    for words in ["is noisy, by ", " mm at points 1.00 m apart", "smoothing_m = ", " on average, ", " at most"] {
        assert!(note.contains(words), "{words:?} is missing in {note:?}");
    }
    let printed = |before: &str| -> f64 {
        let (_, rest) = note.split_once(before).unwrap();
        rest.split_whitespace().next().unwrap().parse().unwrap()
    };
    assert!((printed("noisy, by ") - 20.0).abs() < 3.0, "{note}");
    assert!(printed("moved by ") < 0.02 && printed("on average, ") < 0.08, "{note}");
    let noise = [&raw, &smooth].map(|imported| curvature_noise(&imported.edges.left, RADIUS - LEFT));
    assert!(noise[0] > 0.02 && noise[1] < 0.003, "{noise:?}");
    // The circle keeps its size: a plain Gaussian of this width would shrink it by 0.13 m.
    let mean =
        smooth.edges.right.points.iter().map(|p| p.coords.norm()).sum::<f64>() / smooth.edges.right.points.len() as f64;
    assert!((mean - RADIUS - RIGHT).abs() < 0.005, "{mean}");
}

#[test]
fn a_clean_line_is_left_alone_unless_smoothing_is_asked_for() {
    let text = rows(&circle(RADIUS, 3.0));
    assert_eq!(centre_line(&text).notes, Vec::new());
    let asked =
        centre_line_csv(text.as_bytes(), None, &ImportOptions { smoothing_m: Some(4.0), ..ImportOptions::default() })
            .unwrap();
    assert!(asked.notes[0].to_string().contains("was smoothed with smoothing_m = 4.00"), "{:?}", asked.notes);
    // K(ω) at ω = 1/R: (1 - exp(-L²ω²/2))² R is what the circle loses.
    let lost = (1.0 - (-(4.0 / RADIUS).powi(2) / 2.0).exp()).powi(2) * RADIUS;
    assert_ring(&asked.edges, RIGHT + lost, LEFT - lost, 2e-3);
    for bad in [-1.0, f64::NAN, 1000.0] {
        let error = centre_line_csv(
            text.as_bytes(),
            None,
            &ImportOptions { smoothing_m: Some(bad), ..ImportOptions::default() },
        )
        .unwrap_err();
        assert!(matches!(error, ImportError::Smoothing { .. }), "{error}");
    }
}

#[test]
fn a_line_open_at_both_ends_keeps_them_when_smoothed() {
    let points: Vec<Point> = (0..100).map(|i| Point::new(f64::from(i), (f64::from(i) / 9.0).sin())).collect();
    let options = ImportOptions { smoothing_m: Some(2.0), ..ImportOptions::default() };
    let edges = centre_line_csv(rows(&points).as_bytes(), None, &options).unwrap().edges;
    let middle = |edge: &Polyline, other: &Polyline, last: bool| {
        let end = |line: &Polyline| if last { line.points[line.points.len() - 1] } else { line.points[0] };
        let (l, r) = (end(edge), end(other));
        l + (r - l) * (LEFT / (LEFT + RIGHT))
    };
    assert!((middle(&edges.left, &edges.right, false) - points[0]).norm() < 1e-6);
    assert!((middle(&edges.left, &edges.right, true) - points[99]).norm() < 1e-6);
}

// ---- Two edges as CSV

fn two_edges(header: &str, row: impl Fn(Point, Point) -> [f64; 4]) -> String {
    let mut text = format!("{header}\n");
    for (l, r) in circle(RADIUS - LEFT, 1.0).iter().zip(circle(RADIUS + RIGHT, (RADIUS + RIGHT) / (RADIUS - LEFT))) {
        let [a, b, c, d] = row(*l, r);
        writeln!(text, "{a},{b},{c},{d}").unwrap();
    }
    text
}

#[test]
fn two_edges_in_any_order_of_columns() {
    let usual = two_edges("x_left_m,y_left_m,x_right_m,y_right_m", |l, r| [l.x, l.y, r.x, r.y]);
    let other = two_edges("# y_right_m, x_left_m, x_right_m, y_left_m", |l, r| [r.y, l.x, r.x, l.y]);
    for text in [usual, other] {
        let imported = edge_csv(text.as_bytes(), None, &default()).unwrap();
        assert_ring(&imported.edges, RIGHT, LEFT, 1e-3);
        assert_eq!(csv(text.as_bytes(), None, &default()).unwrap(), imported);
        assert!(imported.notes.is_empty());
    }
}

#[test]
fn edges_named_the_wrong_way_round_are_swapped_and_reported() {
    let text = two_edges("x_right_m,y_right_m,x_left_m,y_left_m", |l, r| [l.x, l.y, r.x, r.y]);
    let imported = edge_csv(text.as_bytes(), None, &default()).unwrap();
    assert_ring(&imported.edges, RIGHT, LEFT, 1e-3);
    assert!(imported.notes[0].to_string().contains("swapped"), "{:?}", imported.notes);
}

// ---- GeoJSON

/// Semi-major axis of WGS 84 and its first eccentricity squared.
const WGS84: (f64, f64) = (6_378_137.0, 6.694_379_990_141_33e-3);

/// A circle about a point of the equator, where east and north are arcs of known radius.
fn circle_in_degrees(radius: f64, longitude: f64) -> String {
    let (equatorial, eccentricity_squared) = WGS84;
    let meridional = equatorial * (1.0 - eccentricity_squared);
    let mut positions: Vec<String> = circle(radius, 5.0)
        .iter()
        .map(|p| {
            let east = longitude + (p.x / equatorial).to_degrees();
            let east = if east > 180.0 { east - 360.0 } else { east };
            format!("[{east:.12},{:.12}]", (p.y / meridional).to_degrees())
        })
        .collect();
    positions.push(positions[0].clone());
    format!("[{}]", positions.join(","))
}

#[test]
fn a_line_with_a_width_in_degrees() {
    for (longitude, key) in [(12.0, "\"width_m\":8"), (180.0, "\"width\":\"8 m\"")] {
        let text = format!(
            r#"{{"type":"Feature","properties":{{{key}}},"geometry":{{"type":"LineString","coordinates":{}}}}}"#,
            circle_in_degrees(500.0, longitude)
        );
        assert!(is_geojson(text.as_bytes()));
        let imported = geojson(text.as_bytes(), None, &default()).unwrap();
        assert!(imported.edges.directed && imported.edges.is_closed());
        assert_round(&imported.edges.left, Point::origin(), 496.0, 1e-3);
        assert_round(&imported.edges.right, Point::origin(), 504.0, 1e-3);
        assert!(imported.notes[0].to_string().contains("(0 m, 0 m) is at longitude"), "{:?}", imported.notes);
    }
}

#[test]
fn two_lines_are_edges_chosen_by_name_or_place() {
    let line = |radius: f64, properties: &str| {
        format!(
            r#"{{"type":"Feature","properties":{properties},"geometry":{{"type":"LineString","coordinates":{}}}}}"#,
            circle_in_degrees(radius, 3.0)
        )
    };
    let both = |a: String, b: String| format!(r#"{{"type":"FeatureCollection","features":[{a},{b}]}}"#);
    for text in [
        both(line(490.0, "null"), line(510.0, "{}")),
        both(line(510.0, "null"), line(490.0, "null")),
        both(line(510.0, r#"{"side":"right"}"#), line(490.0, r#"{"edge":"left"}"#)),
    ] {
        let imported = geojson(text.as_bytes(), None, &default()).unwrap();
        assert_eq!(imported.notes.len(), 1, "{:?}", imported.notes);
        assert_round(&imported.edges.left, Point::origin(), 490.0, 1e-2);
        assert_round(&imported.edges.right, Point::origin(), 510.0, 1e-2);
    }
}

#[test]
fn a_polygon_with_a_hole_has_the_length_of_a_degree() {
    let ring = |degrees: f64| {
        let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0]];
        let text = corners.map(|[x, y]| format!("[{},{}]", 9.0 + x * degrees, 45.0 + y * degrees));
        format!("[{}]", text.join(","))
    };
    let text = format!(r#"{{"type":"Polygon","coordinates":[{},{}]}}"#, ring(0.02), ring(0.01));
    let imported = geojson(text.as_bytes(), None, &default()).unwrap();
    assert!(!imported.edges.directed && imported.edges.area() > 0.0);
    let corners = &imported.edges.right.points;
    assert!(corners.len() == 4 && imported.edges.right.signed_area() > 0.0);
    // A degree at 45° of latitude on WGS 84 is 111 131.745 m long.
    let height =
        corners.iter().map(|p| p.y).fold(f64::MIN, f64::max) - corners.iter().map(|p| p.y).fold(f64::MAX, f64::min);
    let expected = 0.04 * 111_131.745;
    assert!((height / expected - 1.0).abs() < 1e-6, "{height} isn't {expected}");
}

// ---- SVG

fn page(content: &str) -> String {
    format!(r#"<svg xmlns="http://www.w3.org/2000/svg" width="60000" height="50000">{content}</svg>"#)
}

fn read_svg(content: &str, scale: Scale) -> Imported {
    svg(page(content).as_bytes(), scale, Point::new(10.0, 20.0), None, &default()).unwrap()
}

#[test]
fn a_stroked_circle_is_a_ring() {
    let content = r#"<circle cx="30000" cy="20000" r="20000" fill="none" stroke="black" stroke-width="1000"/>"#;
    let scales = [Scale::MetresPerPixel(0.005), Scale::TrackLength(TAU * 100.0), Scale::TrackWidth(5.0)];
    for scale in scales {
        let imported = read_svg(content, scale);
        let centre = Point::new(10.0 + 150.0, 20.0 + 150.0);
        // Four cubics leave a circle by 0.03 % of its radius.
        // A circle runs with the clock, as seen on the page.
        assert_round(&imported.edges.left, centre, 102.5, 0.04);
        assert_round(&imported.edges.right, centre, 97.5, 0.04);
    }
}

#[test]
fn a_stroke_too_thick_for_a_road_asks_for_the_width() {
    let content = r#"<circle cx="30000" cy="20000" r="20000" fill="none" stroke="black" stroke-width="1000"/>"#;
    // The stroke is a twentieth of the radius: 40 m of 800.
    let long = Scale::TrackLength(TAU * 800.0);
    let error = svg(page(content).as_bytes(), long, Point::origin(), None, &default()).unwrap_err();
    assert!(error.is_without_width());
    let message = error.to_string();
    assert!(message.contains("40 m at this length") && message.contains("track_width_m"), "{message}");
    let options = ImportOptions { width_m: Some(12.0), ..default() };
    let imported = svg(page(content).as_bytes(), long, Point::origin(), None, &options).unwrap();
    assert!((imported.edges.mean_width() - 12.0).abs() < 0.1);
    // Whoever states the scale states the stroke's width too.
    assert!((read_svg(content, Scale::MetresPerPixel(0.04)).edges.mean_width() - 40.0).abs() < 0.1);
}

#[test]
fn transforms_styles_and_the_page_are_seen_through() {
    let content = r#"<style>.r { stroke: #888; stroke-width: 50px; fill: none }</style>
        <rect width="60000" height="50000" fill="white"/><text x="1" y="9">a title</text>
        <g transform="translate(30000 20000) scale(20)"><path class="r"
          d="M1000,0 A1000,1000 0 0 1 -1000,0 A1000,1000 0 0 1 1000,0 Z"/></g>
        <circle cx="5" cy="5" r="3" display="none"/>"#;
    let imported = read_svg(content, Scale::MetresPerPixel(0.005));
    assert_round(&imported.edges.left, Point::new(160.0, 170.0), 102.5, 0.04);
    assert_round(&imported.edges.right, Point::new(160.0, 170.0), 97.5, 0.04);
}

#[test]
fn two_outlines_are_edges_whatever_path_they_stand_in() {
    let arcs = |r: f64| {
        format!("M{},20000 A{r},{r} 0 0 1 {},20000 A{r},{r} 0 0 1 {},20000 Z", 30000.0 + r, 30000.0 - r, 30000.0 + r)
    };
    let one = format!(r#"<path d="{} {}" fill-rule="evenodd"/>"#, arcs(20_500.0), arcs(19_500.0));
    let two = format!(
        r#"<path d="{}" fill="none" stroke="red"/><path d="{}" fill="none" stroke="red"/>"#,
        arcs(19_500.0),
        arcs(20_500.0)
    );
    for content in [one, two] {
        for scale in [Scale::MetresPerPixel(0.005), Scale::TrackWidth(5.0), Scale::TrackLength(TAU * 100.0)] {
            let imported = read_svg(&content, scale);
            assert!(!imported.edges.directed && imported.edges.left.signed_area() > 0.0);
            assert_round(&imported.edges.left, Point::new(160.0, 170.0), 97.5, 0.04);
            assert_round(&imported.edges.right, Point::new(160.0, 170.0), 102.5, 0.04);
        }
    }
}

#[test]
fn an_open_stroke_is_an_open_road() {
    let content = r#"<path d="M1000,4000 H30000 L50000,9000" fill="none" stroke="red" stroke-width="2000"/>"#;
    let edges = read_svg(content, Scale::MetresPerPixel(0.005)).edges;
    assert!(!edges.left.closed && (edges.mean_width() - 10.0).abs() < 0.1, "{}", edges.mean_width());
}

#[test]
fn a_casing_under_a_stroke_is_the_road() {
    let circle = |width: f64, colour: &str| {
        format!(r#"<circle cx="30000" cy="20000" r="20000" fill="none" stroke="{colour}" stroke-width="{width}"/>"#)
    };
    let mark = r#"<path d="M49000,20000 H51000" stroke="red" stroke-width="200"/>"#;
    let arrow = r#"<path d="M30000,20000 h900 v900 z" fill="blue"/>"#;
    let cased = format!("{}{}", circle(1000.0, "black"), circle(250.0, "white"));
    let alone = read_svg(&circle(1000.0, "black"), Scale::MetresPerPixel(0.005));
    for (content, along, ignored) in [
        (cased.clone(), 2, 0),
        (format!("{cased}{mark}{arrow}"), 2, 2),
        (format!("{arrow}{}{mark}", circle(1000.0, "black")), 1, 2),
        (circle(1000.0, "black").repeat(2), 2, 0),
    ] {
        let imported = read_svg(&content, Scale::MetresPerPixel(0.005));
        assert_eq!(imported.edges, alone.edges);
        assert!(imported.notes.contains(&ImportNote::Strokes { along, ignored }), "{:?}", imported.notes);
    }
    // Two strokes of similar length beside one another: either may be the road.
    let other = r#"<path d="M0,45000 H60000 v-500 H0 v-500 H60000" stroke="green" fill="none" stroke-width="200"/>"#;
    let error = svg(
        page(&format!("{}{other}", circle(1000.0, "black").repeat(2))).as_bytes(),
        Scale::MetresPerPixel(0.005),
        Point::origin(),
        None,
        &default(),
    );
    assert!(matches!(error, Err(ImportError::NoRoad { .. })));
}

#[test]
fn pieces_of_a_stroke_that_meet_are_one_road() {
    // A figure of eight whose road under itself is interrupted, as three pieces in any order.
    let pieces = [
        "M31200,25000 L40000,25000 A5000,5000 0 0 1 40000,35000 L30000,35000",
        "M30000,34990 L30000,15000",
        "M30100,15000 L20000,15000 A5000,5000 0 0 0 20000,25000 L28800,25000",
    ];
    for order in [[0, 1, 2], [2, 0, 1], [1, 2, 0]] {
        let d = order.map(|index| pieces[index]).join(" ");
        let content = format!(r#"<path d="{d}" fill="none" stroke="red" stroke-width="800"/>"#);
        let edges = read_svg(&content, Scale::MetresPerPixel(0.005)).edges;
        assert!(edges.is_closed(), "{order:?}");
        let length = 0.005 * (2.0 * (10_000.0 + 5_000.0 * TAU / 2.0) + 20_000.0 + 20_000.0);
        let found = f64::midpoint(edges.left.length(), edges.right.length());
        assert!((found / length - 1.0).abs() < 0.01, "{order:?}: {found} isn't {length}");
    }
}

// ---- Importing

#[test]
fn the_ending_and_the_content_determine_the_format() {
    let folder = tempfile::tempdir().unwrap();
    let extract = |name: &str, text: &str, options: &Options| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        pipeline::extract(&path, options, &Silent).map_err(|error| with_sources(&error))
    };
    let mut options = Options::default();
    let table = rows(&circle(RADIUS, 3.0));
    let line = format!(
        r#"{{"type":"Feature","properties":{{"width_m":8}},"geometry":{{"type":"LineString","coordinates":{}}}}}"#,
        circle_in_degrees(RADIUS, 12.0)
    );
    let drawing = page(r#"<circle cx="30000" cy="20000" r="20000" fill="none" stroke="red" stroke-width="1000"/>"#);
    for (name, text) in [("a.csv", &table), ("a.geojson", &line), ("a.json", &line)] {
        let extraction = extract(name, text, &options).unwrap();
        assert_eq!((extraction.source.metres_per_pixel, extraction.source.file.as_str()), (None, name));
        // In the order of the file's points, whatever the default direction is.
        assert_eq!(extraction.track.direction, Direction::Counterclockwise);
        assert!((extraction.track.centre_line().length() / (TAU * RADIUS) - 1.0).abs() < 0.03);
    }
    assert!(extract("a.svg", &drawing, &options).unwrap_err().contains("no scale"));
    options.scale.track_length_m = Some(500.0);
    let extraction = extract("a.svg", &drawing, &options).unwrap();
    assert_eq!(extraction.track.direction, Direction::Clockwise);
    assert!((extraction.track.centre_line().length() - 500.0).abs() < 0.5);
    options.scale.track_length_m = None;
    let message = extract("b.csv", "1,2,3\n4,x,6\n", &options).unwrap_err();
    assert!(message.contains("b.csv: the track can't be read: line 2, column 2 (y_m)"), "{message}");
    assert!(extract("b.json", "{}", &options).unwrap_err().contains("b.json: "));
}

// ---- Bad input

/// Asserts that `read` fails with a message that has each of `words`.
fn fails<T: std::fmt::Debug>(read: Result<T, ImportError>, words: &[&str]) {
    let message = read.unwrap_err().to_string();
    println!("{message}");
    for word in words {
        assert!(message.contains(word), "{word:?} is missing in: {message}");
    }
}

#[test]
fn bad_tables_are_reported_with_line_column_and_remedy() {
    let cases: [(&[u8], &[&str]); 21] = [
        (b"", &["no row of numbers", "x_m,y_m"]),
        (b"# only\n# comments\n\n", &["no row of numbers"]),
        (b"x_m,y_m,w_tr_right_m,w_tr_left_m\n", &["no row of numbers"]),
        (b"x_m,y_m,w_tr_right_m\n1,2,3\n", &["line 1", "no column w_tr_left_m", "x_m, y_m, w_tr_right_m"]),
        (b"x_m,height,width_m\n1,2,3\n", &["line 1", "no column y_m", "a centre line has"]),
        (b"# note\n\nx_m,y_m\n1,2\n", &["line 3", "no column width_m"]),
        (b"x_m,y_m,x,width\n1,2,3,4\n", &["line 1, column 3", "x occurs twice"]),
        (b"1,2\n3,4\n", &["line 1", "no header, and its number of columns is 2", "3 are x_m, y_m, width_m"]),
        (b"1,2,3,4,5,6\n", &["line 1", "number of columns is 6", "no header"]),
        (b"1,2,3,4\n5,6,7,8\n\n1,2,3\n", &["line 4", "number of columns is 3", "line 1 has 4"]),
        (b"1,2,3,4\n5,six,7,8\n", &["line 2, column 2 (y_m)", "\"six\"", "decimal point"]),
        (b"1,2,3,4\n5,6,,8\n", &["line 2, column 3 (w_tr_right_m)", "fill it in"]),
        (b"1;2;3\n1,5;6;7\n", &["line 2, column 1 (x_m)", "\"1,5\"", "not a comma"]),
        (b"1,2,3,4\nNaN,6,7,8\n", &["line 2, column 1 (x_m)", "finite"]),
        (b"1,2,3,4\n1,inf,7,8\n", &["line 2, column 2 (y_m)", "finite"]),
        (b"1,2,3,4\r\n5,6,7,-8\r\n", &["line 2, column 4 (w_tr_left_m)", "-8", "from 0 m"]),
        (b"1,2,3,4\n5,1e300,7,8\n", &["line 2, column 2", "metres"]),
        (b"\"x_m,y_m,width_m\n1,2,3\n", &["line 1, column 1", "quotation mark", "close it"]),
        (b"1,2,3\n4,5,6\n\xff\xfe", &["line 3", "UTF-8"]),
        (b"0,0,5\n10,0,5\n", &["too few distinct points", "2 of the 3 required"]),
        (b"0,0,0\n10,0,0\n20,5,0\n30,3,0", &["no area", "width above zero"]),
    ];
    for (bytes, words) in cases {
        fails(csv(bytes, None, &default()), words);
    }
    fails(edge_csv(b"1,2,3,4\n", None, &default()), &["line 1", "two edges need a header line"]);
    fails(
        csv(b"x_left_m,y_left_m,x_right_m\n1,2,3\n", None, &default()),
        &["line 1", "no column y_right_m", "two edges have"],
    );
    let header = "x_left_m,y_left_m,x_right_m,y_right_m\n";
    fails(csv(format!("{header}1,2,3,x\n").as_bytes(), None, &default()), &["line 2, column 4 (y_right_m)"]);
    fails(
        csv(format!("{header}1,2,3,4\n").as_bytes(), None, &default()),
        &["the left edge has too few distinct points, 1 of the "],
    );
    fails(csv(b"0,0,5\n90000,0,5\n90000,90000,5\n0,90000,5\n", Some(false), &default()), &["km long", "in metres"]);
}

#[test]
fn bad_geojson_is_reported_with_its_place() {
    let feature = |properties: &str, coordinates: &str| {
        format!(
            r#"{{"type":"FeatureCollection","features":[{{"type":"Feature","properties":{properties},
            "geometry":{{"type":"LineString","coordinates":{coordinates}}}}}]}}"#
        )
    };
    let line = "[[9,48],[9.001,48],[9.001,48.001]]";
    let cases: [(String, &[&str]); 9] = [
        (String::new(), &["give GeoJSON"]),
        ("{\"type\": \"Feature\",\n ".to_owned(), &["line 2"]),
        (r#"{"type":"Point","coordinates":[1,2]}"#.to_owned(), &["0 lines and 0 polygons", "one centre line"]),
        (feature("{}", line), &["feature 1", "no width", "width_m"]),
        (feature(r#"{"width_m":-3}"#, line), &["feature 1", "width_m is -3", "above 0"]),
        (feature(r#"{"width":"wide"}"#, line), &["width is \"wide\""]),
        (feature(r#"{"width_m":9}"#, "[[9,48],[4489000.5,5400000]]"), &["feature 1, position 2", "4489000.5", "CSV"]),
        (feature(r#"{"width_m":9}"#, "[[0,0],[50,20],[60,10],[3,3]]"), &["km from their middle", "metres"]),
        (
            r#"{"type":"Polygon","coordinates":[[[0,0],[0.01,0],[0.01,0.01],[0,0]]]}"#.to_owned(),
            &["the geometry", "0 holes"],
        ),
    ];
    for (text, words) in cases {
        fails(geojson(text.as_bytes(), None, &default()), words);
    }
    assert!(!is_geojson(br#"{"format":"raceline-track","version":1}"#) && !is_geojson(b"[1,2]") && !is_geojson(b"x"));
}

#[test]
fn bad_svg_is_reported() {
    let read = |text: &str| svg(text.as_bytes(), Scale::MetresPerPixel(1.0), Point::origin(), None, &default());
    fails(read("x_m,y_m"), &["not a readable SVG", "plain SVG"]);
    fails(read(&page("")), &["0 lines in 0 paths", "stroked path"]);
    fails(read(&page(r#"<circle r="40" cx="50" cy="50"/>"#)), &["1 line in 1 path, 0 of them stroked"]);
    let three = r#"<circle r="40" cx="50" cy="50"/><circle r="30" cx="50" cy="50"/><circle r="20" cx="50" cy="50"/>"#;
    fails(read(&page(three)), &["3 lines in 3 paths"]);
    let mixed = r#"<circle r="40" cx="50" cy="50"/><path d="M0,0 H5000 V3" fill="none" stroke="red"/>"#;
    fails(read(&page(mixed)), &["one edge is closed and the other is open"]);
}

// ---- Heights, banking, grip and kinds

/// Height of the test roads at this angle, metres.
fn hill(angle: f64) -> f64 {
    3.0 * (2.0 * angle).sin() + 7.0
}

#[test]
fn a_centre_line_has_heights_banking_and_grip() {
    let mut text = "x_m,y_m,z_m,banking_rad,grip,w_tr_right_m,w_tr_left_m\n".to_owned();
    for p in circle(RADIUS, 3.0) {
        let angle = p.y.atan2(p.x);
        writeln!(text, "{},{},{},{},{},{RIGHT},{LEFT}", p.x, p.y, hill(angle), 0.1, 0.9).unwrap();
    }
    for (text, smoothing_m) in [(text.clone(), None), (text.replace("z_m", "elevation"), None), (text, Some(0.5))] {
        let imported =
            centre_line_csv(text.as_bytes(), None, &ImportOptions { smoothing_m, ..ImportOptions::default() }).unwrap();
        let surface = imported.edges.surface.as_ref().unwrap();
        let edges = &imported.edges;
        for (points, line, across) in [(&surface.left, &edges.left, LEFT), (&surface.right, &edges.right, -RIGHT)] {
            assert_eq!(points.len(), line.points.len());
            for (point, place) in points.iter().zip(&line.points) {
                assert_eq!(point.position, *place);
                let expected = hill(place.y.atan2(place.x)) + across * 0.1f64.tan();
                // The spline through points 3 m apart; smoothing moves the knots.
                let tolerance = if smoothing_m.is_some() { 2e-2 } else { 2e-3 };
                assert!((point.height_m - expected).abs() < tolerance, "{} isn't {expected}", point.height_m);
                assert!((point.grip - 0.9).abs() < 1e-12 && point.kind == EdgeKind::Line);
            }
        }
    }
    assert!(centre_line(&rows(&circle(RADIUS, 3.0))).edges.surface.is_none());
}

/// Smoothing left the heights at the places of the survey, so that a road had crests from the noise of positions
/// along it, on which a fast car had half of its grip.
#[test]
fn heights_are_smoothed_with_the_positions_that_they_belong_to() {
    let height = |p: &Point| hill(p.y.atan2(p.x));
    let rows = surveyed_circle(0.05)
        .into_iter()
        .map(|[place, surveyed]| format!("{},{},{},{RIGHT},{LEFT}\n", surveyed.x, surveyed.y, height(&place)));
    let text = format!("x_m,y_m,z_m,w_tr_right_m,w_tr_left_m\n{}", rows.collect::<String>());
    let errors = |smoothing_m| {
        let options = ImportOptions { smoothing_m, ..ImportOptions::default() };
        let surface = centre_line_csv(text.as_bytes(), None, &options).unwrap().edges.surface.unwrap();
        surface.left.iter().map(|point| (point.height_m - height(&point.position)).abs()).fold(0.0, f64::max)
    };
    let [raw_m, smooth_m] = [Some(0.0), None].map(errors);
    assert!(raw_m > 0.01 && smooth_m < 0.007, "{raw_m} {smooth_m}");
}

#[test]
fn the_third_of_five_columns_is_a_height_unless_the_road_would_be_a_cliff() {
    let table = |z: &dyn Fn(usize) -> f64| {
        let row = |(i, p): (usize, Point)| format!("{},{},{},{RIGHT},{LEFT}\n", p.x, p.y, z(i));
        circle(RADIUS, 3.0).into_iter().enumerate().map(row).collect::<String>()
    };
    let even = centre_line(&table(&|_| 12.5));
    let surface = even.edges.surface.unwrap();
    assert!(surface.left.iter().chain(&surface.right).all(|point| (point.height_m - 12.5).abs() < 1e-12));
    let numbered = centre_line(&table(&|i| i as f64 * 3.0));
    assert!(numbered.edges.surface.is_none());
    assert!(numbered.notes[0].to_string().contains("third column holds no heights"), "{:?}", numbered.notes);
    assert_eq!(numbered.edges.left, even.edges.left);
    // A header determines what it is.
    let text = format!("x_m,y_m,z_m,w_right_m,w_left_m\n{}", table(&|i| i as f64 * 3.0));
    assert!(centre_line(&text).edges.surface.is_some());
}

/// The height of an open road at its end was that of its start.
#[test]
fn an_open_road_ends_at_its_own_height() {
    let rows: String = (0..=100).map(|i| format!("{},0,{},4,4\n", 2 * i, 0.05 * f64::from(i))).collect();
    let text = format!("x_m,y_m,z_m,w_tr_right_m,w_tr_left_m\n{rows}");
    let surface = centre_line(&text).edges.surface.unwrap();
    for point in surface.left.iter().chain(&surface.right) {
        assert!((point.height_m - 0.025 * point.position.x).abs() < 1e-9, "{point:?}");
    }
}

#[test]
fn two_edges_have_heights_grip_and_kinds() {
    let header = "x_left_m,y_left_m,z_left_m,x_right_m,y_right_m,z_right_m,grip_left,grip,kind_left,kind_right";
    let count = 120;
    let row = |i: usize| {
        let (sin, cos) = (TAU * i as f64 / count as f64).sin_cos();
        let kinds = if i < 60 { "wall,line" } else { "Kerb,curb" };
        format!("{},{},1.5,{},{},{},0.8,0.7,{kinds}\n", 50.0 * cos, 50.0 * sin, 60.0 * cos, 60.0 * sin, i as f64 / 60.0)
    };
    let text = format!("{header}\n{}", (0..count).map(row).collect::<String>());
    let imported = csv(text.as_bytes(), None, &default()).unwrap();
    let surface = imported.edges.surface.unwrap();
    assert_eq!((surface.left.len(), surface.right.len()), (count, count));
    for (i, (left, right)) in surface.left.iter().zip(&surface.right).enumerate() {
        let kinds = if i < 60 { (EdgeKind::Wall, EdgeKind::Line) } else { (EdgeKind::Kerb, EdgeKind::Kerb) };
        assert_eq!((left.kind, right.kind), kinds);
        assert_eq!((left.height_m, right.height_m), (1.5, i as f64 / 60.0));
        assert_eq!((left.grip, right.grip), (0.8, 0.7));
    }
    // Edges named the wrong way round are swapped with all they have.
    let swapped = text.replacen("left", "LEFT", 9).replace("right", "left").replace("LEFT", "right");
    let swapped = csv(swapped.as_bytes(), None, &default()).unwrap();
    assert_eq!(swapped.notes.len(), 1);
    let swapped = swapped.edges.surface.unwrap();
    assert_eq!(swapped.left[3].height_m, 1.5);
    assert_eq!(swapped.left[3].kind, EdgeKind::Wall);
    // An edge in the other direction is turned round.
    let backwards: String = (0..count)
        .map(|i| {
            let (near, far) = (TAU * i as f64 / count as f64, -TAU * i as f64 / count as f64);
            let kind = if i < 30 { "wall" } else { "line" };
            let [x, y] = [50.0 * near.cos(), 50.0 * near.sin()];
            format!("{x},{y},{},{},{kind}\n", 60.0 * far.cos(), 60.0 * far.sin())
        })
        .collect();
    let text = format!("x_left_m,y_left_m,x_right_m,y_right_m,kind_right\n{backwards}");
    let imported = edge_csv(text.as_bytes(), None, &default()).unwrap();
    let surface = imported.edges.surface.unwrap();
    for (index, point) in surface.right.iter().enumerate() {
        let next = surface.right[(index + 1) % count].position;
        let middle = nalgebra::center(&point.position, &next);
        let angle = (-middle.y).atan2(middle.x).rem_euclid(TAU) / TAU * count as f64;
        assert_eq!(point.kind == EdgeKind::Wall, angle < 30.0, "{angle}");
    }
}

#[test]
fn bad_heights_are_reported() {
    let edges = "x_left_m,y_left_m,x_right_m,y_right_m";
    fails(csv(format!("{edges},z_left_m\n1,2,3,4,5\n").as_bytes(), None, &default()), &["no column z_right_m"]);
    fails(
        csv(format!("{edges},kind_left\n1,2,3,4,line\n1,3,3,5,lava\n").as_bytes(), None, &default()),
        &["line 3, column 5 (kind_left)", "\"lava\" is no kind", "line, kerb or wall"],
    );
    let centre = |name: &str, value: &str| format!("x_m,y_m,width_m,{name}\n1,2,3,{value}\n");
    for (name, value, words) in [
        ("grip", "0", "above 0"),
        ("banking_rad", "9", "in radians"),
        ("z_m", "1e9", "a height in metres"),
        ("z_m", "high", "is not a finite number"),
    ] {
        fails(csv(centre(name, value).as_bytes(), None, &default()), &["line 2, column 4", words]);
    }
}

#[test]
fn the_third_coordinate_of_geojson_is_a_height() {
    let line = |third: &dyn Fn(usize) -> String, radius: f64| {
        let positions: Vec<String> = (0..200)
            .map(|i| {
                let (sin, cos) = (TAU * i as f64 / 200.0).sin_cos();
                format!("[{},{}{}]", 0.01 * radius * cos, 0.01 * radius * sin, third(i))
            })
            .collect();
        format!(r#"{{"type":"LineString","coordinates":[{}]}}"#, positions.join(","))
    };
    let road = |third: &dyn Fn(usize) -> String| {
        let text = format!(r#"{{"type":"Feature","properties":{{"width_m":8}},"geometry":{}}}"#, line(third, 1.0));
        geojson(text.as_bytes(), None, &default()).unwrap()
    };
    let even = road(&|_| ",30.5".to_owned());
    let surface = even.edges.surface.as_ref().unwrap();
    assert!(surface.left.iter().chain(&surface.right).all(|point| (point.height_m - 30.5).abs() < 1e-9));
    assert!(road(&|_| String::new()).edges.surface.is_none());
    assert!(road(&|_| ",1e12".to_owned()).edges.surface.is_none());
    let partly = road(&|i| if i < 3 { String::new() } else { ",2".to_owned() });
    assert!(partly.edges.surface.is_none());
    assert!(partly.notes.iter().any(|note| note.to_string().contains("3 of 200 positions")), "{:?}", partly.notes);
    let rings = [line(&|_| ",5".to_owned(), 1.0), line(&|i| format!(",{}", i as f64 / 100.0), 1.02)];
    let edges = format!(r#"{{"type":"GeometryCollection","geometries":[{}]}}"#, rings.join(","));
    let surface = geojson(edges.as_bytes(), None, &default()).unwrap().edges.surface.unwrap();
    assert!(surface.left.iter().all(|point| point.height_m == 5.0));
    assert!(surface.right.iter().enumerate().all(|(i, point)| point.height_m == i as f64 / 100.0));
}

// ---- Damage

#[test]
fn damaged_files_give_a_road_or_an_error_and_never_a_panic() {
    let points: Vec<Point> = hairpin().into_iter().step_by(7).collect();
    let table = format!("x_m,y_m,w_tr_right_m,w_tr_left_m\n{}", rows(&points));
    let pairs = two_edges("x_left_m,y_left_m,x_right_m,y_right_m", |l, r| [l.x, l.y, r.x, r.y]);
    let line = format!(
        r#"{{"type":"Feature","properties":{{"width_m":8}},"geometry":{{"type":"LineString","coordinates":{}}}}}"#,
        circle_in_degrees(100.0, 12.0)
    );
    let drawing =
        page(r#"<path d="M100,400 H3000 Q4,5 7,900 C5,6 8,9 2,2 Z" fill="none" stroke="red" stroke-width="40"/>"#);
    let mut random = ChaCha8Rng::seed_from_u64(11);
    let finite = |edges: &Edges| {
        let all = edges.left.points.iter().chain(&edges.right.points);
        all.clone().all(|p| p.x.is_finite() && p.y.is_finite())
    };
    let mut roads = 0;
    for round in 0..400 {
        let smoothing_m = [None, Some(1.0)][round % 2];
        let options = ImportOptions { smoothing_m, ..ImportOptions::default() };
        let results = [
            csv(&damaged(table.as_bytes(), &mut random), None, &options),
            centre_line_csv(&damaged(table.as_bytes(), &mut random), Some(round % 3 == 0), &options),
            edge_csv(&damaged(pairs.as_bytes(), &mut random), None, &options),
            geojson(&damaged(line.as_bytes(), &mut random), None, &options),
            svg(&damaged(drawing.as_bytes(), &mut random), Scale::TrackWidth(8.0), Point::origin(), None, &options),
        ];
        for imported in results.into_iter().flatten() {
            assert!(finite(&imported.edges));
            roads += 1;
        }
    }
    assert!(roads > 100, "only {roads} of 2000 files were still readable: the damage is too heavy to test anything");
}

#[test]
fn a_centre_line_without_a_width_takes_that_of_the_options() {
    let ring: Vec<[f64; 2]> =
        (0..80).map(|i| (TAU * f64::from(i) / 80.0).sin_cos()).map(|(y, x)| [60.0 * x, 60.0 * y]).collect();
    let two: String = ring.iter().map(|[x, y]| format!("{x},{y}\n")).collect();
    let options = |width_m| ImportOptions { width_m, ..ImportOptions::default() };
    let wide = |text: &str| centre_line_csv(text.as_bytes(), Some(true), &options(Some(8.0)));
    let area = |imported: &Imported| imported.edges.area();
    // A ring of 8 m about a circle of 60 m.
    let expected = TAU * 60.0 * 8.0;
    for text in [two.clone(), format!("x_m,y_m\n{two}")] {
        let imported = wide(&text).unwrap();
        assert!((area(&imported) / expected - 1.0).abs() < 0.01, "{}", area(&imported));
        assert!(!imported.notes.contains(&ImportNote::WidthNotUsed));
        assert!(centre_line_csv(text.as_bytes(), Some(true), &options(None)).is_err());
    }
    let three: String = ring.iter().map(|[x, y]| format!("{x},{y},4\n")).collect();
    let imported = wide(&three).unwrap();
    assert!((area(&imported) / expected - 0.5).abs() < 0.01 && imported.notes.contains(&ImportNote::WidthNotUsed));

    let positions: Vec<String> = ring.iter().map(|[x, y]| format!("[{}, {}]", x / 1e5, y / 1e5)).collect();
    let line = format!("{{\"type\": \"LineString\", \"coordinates\": [{}]}}", positions.join(", "));
    let imported = geojson(line.as_bytes(), Some(true), &options(Some(8.0))).unwrap();
    assert!(area(&imported) > 0.0);
    let refused = geojson(line.as_bytes(), Some(true), &options(None)).unwrap_err();
    assert!(refused.to_string().contains("track_width_m"), "{refused}");
}
