//! Obstacles and pick-ups in pictures: on the map and in the legend.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

use std::slice::from_ref;

use raceline::RacingLine;
use raceline::frame::Spot;
use raceline::solve::passing::{CircleObstacle, Obstacle, PickUp, PolygonObstacle};
use raceline_render::svg::{self, RenderOptions};
use resvg::usvg::roxmltree::{Document, Node};

use crate::sample_lines;

fn disc(x: f64, y: f64) -> Obstacle {
    Obstacle::Circle(CircleObstacle { at: Spot::Metres([x, y]), radius_m: 1.0, side: None })
}

fn pick_up(x: f64, y: f64, take: Option<bool>) -> PickUp {
    PickUp { at: Spot::Metres([x, y]), radius_m: 1.0, worth_s: 0.5, take }
}

fn picture(line: &RacingLine) -> String {
    svg::render(from_ref(line), &RenderOptions::default()).unwrap()
}

/// The legend's texts about obstacles and pick-ups.
fn rows(document: &Document<'_>) -> Vec<String> {
    let texts = document.descendants().filter(|node| node.has_tag_name("text")).filter_map(|node| node.text());
    texts.filter(|text| text.contains("obstacle") || text.contains("pick-up")).map(str::to_owned).collect()
}

fn of_class<'a, 'input>(document: &'a Document<'input>, class: &str) -> Vec<Node<'a, 'input>> {
    document.descendants().filter(|node| node.attribute("class") == Some(class)).collect()
}

#[test]
fn a_line_without_them_has_no_rows() {
    let text = picture(&sample_lines::circle(50.0, 60));
    let document = Document::parse(&text).unwrap();
    assert_eq!(rows(&document), Vec::<String>::new());
    assert!(of_class(&document, "obstacle").is_empty() && of_class(&document, "pick-up").is_empty());
}

#[test]
fn each_kind_has_a_row_with_its_count_and_a_sample() {
    let mut line = sample_lines::circle(50.0, 60);
    let corners = [[0.0, 48.0], [2.0, 48.0], [0.0, 50.0]].map(Spot::Metres).to_vec();
    let wall = Obstacle::Polygon(PolygonObstacle { points: corners, side: None });
    line.options.obstacle = vec![disc(50.0, 0.0), wall];
    line.options.pick_up =
        vec![pick_up(-50.0, 0.0, Some(true)), pick_up(0.0, -50.0, Some(false)), pick_up(0.0, -48.0, None)];
    let text = picture(&line);
    let document = Document::parse(&text).unwrap();
    assert_eq!(rows(&document), ["2 obstacles passed", "1 pick-up taken", "2 pick-ups left"]);
    // Those on the map and the legend's samples.
    assert_eq!(of_class(&document, "obstacle").len(), 2 + 1);
    let circles = of_class(&document, "pick-up");
    let dashed = circles.iter().filter(|node| node.attribute("stroke-dasharray").is_some()).count();
    assert_eq!((circles.len(), dashed), (3 + 2, 2 + 1));
}

#[test]
fn a_place_without_coordinates_in_metres_is_neither_drawn_nor_counted() {
    let mut line = sample_lines::circle(50.0, 60);
    line.options.pick_up = vec![pick_up(-50.0, 0.0, Some(true))];
    line.options.pick_up[0].at = Spot::Pixels([10.0, 10.0]);
    let text = picture(&line);
    let document = Document::parse(&text).unwrap();
    assert_eq!(rows(&document), Vec::<String>::new());
    assert!(of_class(&document, "pick-up").is_empty());
}
