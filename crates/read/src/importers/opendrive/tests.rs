//! Roads that the tests draw themselves.

use std::f64::consts::{FRAC_PI_2, PI, TAU};
use std::fmt::Write as _;

use super::cross_section::CrossSection;
use super::geometry::Pose;
use super::*;
use raceline_road::construction::{ImportError, ImportOptions};
use raceline_road::geometry::Point;

/// A road of pieces one after another, from a place on.
struct Drawing {
    id: u32,
    at: Pose,
    s_m: f64,
    pieces: String,
    rest: String,
    links: String,
    lanes: String,
    junction: &'static str,
}

const LANES: &str = "<lanes><laneSection s='0'><center><lane id='0' type='none'/></center><right>\
    <lane id='-1' type='driving'><width sOffset='0' a='6' b='0' c='0' d='0'/></lane>\
    <lane id='-2' type='shoulder'><width sOffset='0' a='2' b='0' c='0' d='0'/></lane></right></laneSection></lanes>";

impl Drawing {
    fn new(id: u32, x: f64, y: f64, heading_rad: f64) -> Self {
        let at = Pose { position: Point::new(x, y), heading_rad };
        let empty = String::new;
        Self {
            id,
            at,
            s_m: 0.0,
            pieces: empty(),
            rest: empty(),
            links: empty(),
            lanes: LANES.to_owned(),
            junction: "-1",
        }
    }

    fn piece(mut self, shape: geometry::Shape, length_m: f64, element: &str) -> Self {
        let Pose { position: Point { coords }, heading_rad } = self.at;
        let _ = write!(
            self.pieces,
            "<geometry s='{}' x='{}' y='{}' hdg='{heading_rad}' length='{length_m}'>{element}</geometry>",
            self.s_m, coords.x, coords.y
        );
        let piece = geometry::Piece { s_m: 0.0, start: self.at, length_m, shape };
        self.at = piece.at([length_m])[0];
        self.s_m += length_m;
        self
    }

    fn line(self, length_m: f64) -> Self {
        self.piece(geometry::Shape::Line, length_m, "<line/>")
    }

    fn arc(self, curvature: f64, length_m: f64) -> Self {
        self.piece(geometry::Shape::Arc(curvature), length_m, &format!("<arc curvature='{curvature}'/>"))
    }

    fn spiral(self, from: f64, to: f64, length_m: f64) -> Self {
        let element = format!("<spiral curvStart='{from}' curvEnd='{to}'/>");
        self.piece(geometry::Shape::Spiral(from, to), length_m, &element)
    }

    fn xml(&self) -> String {
        let Self { id, s_m, pieces, rest, links, lanes, junction, .. } = self;
        format!(
            "<road id='{id}' name='' length='{s_m}' junction='{junction}'><link>{links}</link><planView>{pieces}</planView>{rest}{lanes}</road>"
        )
    }
}

fn file(roads: &[Drawing]) -> String {
    let roads: String = roads.iter().map(Drawing::xml).collect();
    format!("<?xml version='1.0'?>\n<OpenDRIVE><header revMajor='1' revMinor='6' name='Ring'/>{roads}</OpenDRIVE>")
}

fn link(kind: &str, road: u32, contact: &str) -> String {
    format!("<{kind} elementType='road' elementId='{road}' contactPoint='{contact}'/>")
}

/// A ring of two straights and two bends, as two roads, the second of which is drawn against the first.
fn ring() -> [Drawing; 2] {
    let mut first = Drawing::new(1, 0.0, 0.0, 0.0).line(200.0).arc(0.01, 100.0 * PI);
    // From the start of the first road back to its end.
    let mut second = Drawing::new(2, 0.0, 0.0, PI).arc(-0.01, 100.0 * PI).line(200.0);
    first.links = link("predecessor", 2, "start") + &link("successor", 2, "end");
    second.links = link("predecessor", 1, "start") + &link("successor", 1, "end");
    second.lanes =
        LANES.replace("<right>", "<left>").replace("</right>", "</left>").replace("'-1'", "'1'").replace("'-2'", "'2'");
    [first, second]
}

#[test]
fn linked_roads_are_a_circuit_with_their_driving_lane() {
    let imported = open_drive(file(&ring()).as_bytes(), None, &ImportOptions::default()).unwrap();
    assert!(imported.edges.is_closed());
    // The lane is to the right of the reference line: its middle is 3 m outside.
    let expected = 400.0 + TAU * 103.0;
    let length = imported.edges.centre_length();
    assert!((length - expected).abs() < 0.1, "{length} for {expected}");
    assert!((imported.edges.mean_width() - 6.0).abs() < 0.01);
    assert!(imported.edges.left.signed_area() > 0.0);
    assert_eq!(imported.name.as_deref(), Some("Ring"));
    assert!(imported.edges.surface.is_none());
}

#[test]
fn clothoids_join_straights_and_arcs_without_a_kink() {
    let road =
        Drawing::new(1, 0.0, 0.0, 0.0).line(100.0).spiral(0.0, 0.01, 80.0).arc(0.01, 100.0).spiral(0.01, 0.0, 80.0);
    // The turn is half of each clothoid's and the whole arc's.
    assert!((road.at.heading_rad - (0.4 + 1.0 + 0.4)).abs() < 1e-12);
    let text = file(&[road.line(50.0)]);
    let imported = open_drive(text.as_bytes(), None, &ImportOptions::default()).unwrap();
    assert!(!imported.edges.is_closed());
    let points = &imported.edges.left.points;
    let sharpest = points
        .windows(3)
        .map(|w| {
            let (a, b) = (w[1] - w[0], w[2] - w[1]);
            (a.perp(&b) / (a.norm() * b.norm())).abs() / b.norm()
        })
        .fold(0.0, f64::max);
    assert!(sharpest < 0.0105, "{sharpest}");
}

#[test]
fn heights_and_banking_are_those_of_the_profiles() {
    let [mut first, mut second] = ring();
    let flat = "<elevationProfile><elevation s='0' a='5' b='0' c='0' d='0'/></elevationProfile>";
    first.rest = format!("{flat}<lateralProfile><superelevation s='0' a='0.1' b='0' c='0' d='0'/></lateralProfile>");
    // The second road is drawn in the other direction, so that its banking has the other sign.
    second.rest = format!("{flat}<lateralProfile><superelevation s='0' a='-0.1' b='0' c='0' d='0'/></lateralProfile>");
    let imported = open_drive(file(&[first, second]).as_bytes(), None, &ImportOptions::default()).unwrap();
    let surface = imported.edges.surface.unwrap();
    let heights = |points: &[raceline_road::edges::EdgePoint]| {
        let all = points.iter().map(|point| point.height_m);
        (all.clone().fold(f64::INFINITY, f64::min), all.fold(f64::NEG_INFINITY, f64::max))
    };
    // The left border of the lane is the reference line; the right one is 6 m to the right of it.
    let (low, high) = heights(&surface.left);
    assert!((low - 5.0).abs() < 0.01 && (high - 5.0).abs() < 0.01, "{low} {high}");
    let (low, high) = heights(&surface.right);
    let fallen = 5.0 - 6.0 * 0.1_f64.tan();
    assert!((low - fallen).abs() < 0.02 && (high - fallen).abs() < 0.02, "{low} {high} for {fallen}");
}

#[test]
fn crossfall_and_lane_offset_and_widths_that_change() {
    let mut road = Drawing::new(1, 0.0, 0.0, 0.0).line(100.0);
    road.rest =
        "<lateralProfile><crossfall side='right' s='0' a='0.05' b='0' c='0' d='0'/></lateralProfile>".to_owned();
    road.lanes = "<lanes><laneOffset s='0' a='2' b='0' c='0' d='0'/><laneSection s='0'><left>\
        <lane id='1' type='driving'><width sOffset='0' a='3' b='0.02' c='0' d='0'/></lane></left><right>\
        <lane id='-1' type='driving'><width sOffset='0' a='3' b='0' c='0' d='0'/></lane></right></laneSection></lanes>"
        .to_owned();
    let road = &xml::read(file(&[road]).as_bytes()).unwrap().roads[0];
    let across = CrossSection::of(road).at(50.0).unwrap();
    assert!((across.left_m - 6.0).abs() < 1e-12 && (across.right_m + 1.0).abs() < 1e-12);
    // Only the right half, 1 m wide, falls.
    assert!((across.banking_rad - (0.05_f64.tan() / 7.0).atan()).abs() < 1e-12);
    assert_eq!(road.directions(), [true, true]);
}

#[test]
fn several_circuits_and_wrong_links_are_reported() {
    let circle = |id: u32, x: f64| {
        let mut road = Drawing::new(id, x, 0.0, 0.0).arc(0.02, 100.0 * PI);
        road.links = link("predecessor", id, "end") + &link("successor", id, "start");
        road
    };
    let two = file(&[circle(1, 0.0), circle(2, 300.0)]);
    match open_drive(two.as_bytes(), None, &ImportOptions::default()) {
        Err(ImportError::SeveralRoads { count: 2, list }) => assert_eq!(list, "road 1 (0.31 km), road 2 (0.31 km)"),
        other => panic!("{other:?}"),
    }
    let second = ImportOptions { part: Some("2".to_owned()), ..ImportOptions::default() };
    let chosen = open_drive(two.as_bytes(), None, &second).unwrap();
    assert!(chosen.edges.is_closed() && chosen.edges.left.points.iter().all(|point| point.x > 200.0));
    let [mut first, second] = ring();
    first.at.position.x += 50.0;
    let mut moved = Drawing::new(1, 60.0, 0.0, 0.0).line(200.0).arc(0.01, 100.0 * PI);
    moved.links.clone_from(&first.links);
    let message =
        open_drive(file(&[moved, second]).as_bytes(), None, &ImportOptions::default()).unwrap_err().to_string();
    assert!(message.contains("60.0 m from where the linked road 1 ends"), "{message}");
    for (text, part) in [
        ("<OpenDRIVE><road id='1'/></OpenDRIVE>", "no <planView>"),
        ("<OpenDRIVE>\n<road id='1'><planView><geometry s='x'/></planView></road></OpenDRIVE>", "line 2"),
        ("<OpenDRIVE/>", "no road with driving lanes"),
    ] {
        let message = open_drive(text.as_bytes(), None, &ImportOptions::default()).unwrap_err().to_string();
        assert!(message.contains(part), "{part:?} is missing in {message:?}");
    }
}

#[test]
fn a_parametric_cubic_may_close_the_ring() {
    let (radius, handle) = (100.0, 0.552_284_75);
    let quarter = format!(
        "<paramPoly3 aU='0' bU='{}' cU='{}' dU='{}' aV='0' bV='0' cV='{}' dV='{}' pRange='normalized'/>",
        3.0 * handle * radius,
        3.0 * radius * (1.0 - 2.0 * handle),
        radius * (3.0 * handle - 2.0),
        3.0 * radius * (1.0 - handle),
        radius * (3.0 * handle - 2.0)
    );
    let shape = geometry::Shape::ParamPoly3 {
        u: [0.0, 3.0 * handle * radius, 3.0 * radius * (1.0 - 2.0 * handle), radius * (3.0 * handle - 2.0)],
        v: [0.0, 0.0, 3.0 * radius * (1.0 - handle), radius * (3.0 * handle - 2.0)],
        is_normalized: true,
    };
    let mut road = Drawing::new(4, 0.0, 0.0, 0.0);
    for _ in 0..4 {
        road = road.piece(shape, radius * FRAC_PI_2, &quarter);
    }
    road.links = link("predecessor", 4, "end") + &link("successor", 4, "start");
    let imported = open_drive(file(&[road]).as_bytes(), None, &ImportOptions::default()).unwrap();
    let length = imported.edges.left.length();
    assert!(imported.edges.is_closed() && (length - TAU * 100.0).abs() < 0.3, "{length}");
}

#[test]
fn streets_have_the_directions_of_their_lanes() {
    let (streets, origin) = open_drive_streets(file(&ring()).as_bytes()).unwrap();
    assert_eq!(origin, None);
    let directions: Vec<_> = streets.iter().map(|street| street.directions).collect();
    assert_eq!(directions, [[true, false], [false, true]]);
    assert!(streets.iter().all(|street| (street.width_m - 6.0).abs() < 1e-9));
}

/// The lanes of a junction begin at the middle of the lane that they continue, beside the middle of the road.
#[test]
fn streets_meet_at_junctions() {
    const BOTH: &str = "<lanes><laneSection s='0'>\
        <left><lane id='1' type='driving'><width sOffset='0' a='3.5' b='0' c='0' d='0'/></lane></left>\
        <center><lane id='0' type='none'/></center>\
        <right><lane id='-1' type='driving'><width sOffset='0' a='3.5' b='0' c='0' d='0'/></lane></right>\
        </laneSection></lanes>";
    let lane = LANES.replace("a='6'", "a='3.5'");
    let mut from = Drawing::new(1, -100.0, 0.0, 0.0).line(100.0);
    let mut to = Drawing::new(2, 20.0, 0.0, 0.0).line(100.0);
    let mut through = Drawing::new(3, 0.0, 0.0, 0.0).line(20.0);
    for road in [&mut from, &mut to] {
        road.lanes = BOTH.to_owned();
    }
    through.lanes = lane;
    through.junction = "7";
    through.links = link("predecessor", 1, "end") + &link("successor", 2, "start");
    let text = file(&[from, to, through]);
    let (streets, _) = open_drive_streets(text.as_bytes()).unwrap();
    let ends = |index: usize| (streets[index].points[0], streets[index].points[streets[index].points.len() - 1]);
    assert_eq!((ends(2).0, ends(2).1), (ends(0).1, ends(1).0));
    assert_eq!(streets[2].directions, [true, false]);
    // A link to a road that is elsewhere moves nothing.
    let (streets, _) = open_drive_streets(text.replace("x='20'", "x='90'").as_bytes()).unwrap();
    assert!(
        (streets[2].points.last().unwrap() - Point::new(20.0, -1.75)).norm() < 1.0,
        "{:?}",
        streets[2].points.last()
    );
}
