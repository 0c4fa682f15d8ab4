//! Drawings of roads that cross themselves: unbroken, or by a bridge beside which the lower leg is
//! interrupted. All of them go straight on, and their lengths are known in closed form.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

use std::path::Path;

use crate::drawing::eight::Eight;
use crate::drawing::{anti_aliased, binary, encoded, mapped, to_piece};
use crate::routes::sharpest_turn;
use image::{GrayImage, ImageFormat};
use raceline::edges::RouteOptions;
use raceline::frame::Scale;
use raceline::geometry::Point;
use raceline::picture::{MapYaml, PictureOptions, RoadMask, RoadStyle, read_bytes, road_mask, road_mask_of_map};
use raceline::tracing::{Traced, trace};
use raceline::track::{Track, TrackOptions, cut};

const SIZE: u32 = 300;

/// Dark ink on light paper.
fn on_paper(ink: GrayImage) -> GrayImage {
    mapped(ink, |fraction| 245.0 - 205.0 * fraction)
}

fn mask(picture: GrayImage) -> RoadMask {
    let options = PictureOptions::default();
    let picture = read_bytes("drawing", &encoded(picture, ImageFormat::Png), &options).unwrap();
    road_mask(&picture, &options, None).unwrap()
}

fn found(picture: GrayImage) -> (RoadMask, Traced, Track) {
    let mask = mask(picture);
    let traced = trace(&mask, Scale::MetresPerPixel(1.0), Point::origin(), &RouteOptions::default()).unwrap();
    let track = cut(&traced.edges, &TrackOptions::default()).unwrap();
    (mask, traced, track)
}

/// One lap of the right length, straight on at every crossing.
fn assert_goes_straight_on(eight: &Eight, picture: GrayImage, style: RoadStyle, what: &str) {
    let (mask, traced, track) = found(picture);
    assert_eq!(mask.style, style, "{what}");
    assert!(track.closed && traced.side_roads.is_empty(), "{what}: {:?}", traced.side_roads);
    let crossings = eight.crossings().len();
    assert_eq!(traced.edges.crossings.len(), 4 * crossings, "{what}: two edges, twice across each");
    let (length, expected) = (track.centre_line().length(), eight.length());
    assert!((length / expected - 1.0).abs() < 3e-3, "{what}: {length} for {expected}");
    assert!(sharpest_turn(&track) < 1.3 * 16.0 / eight.radius, "{what}: {}", sharpest_turn(&track));
}

#[test]
fn unbroken_crossings() {
    for degrees in [90.0, 60.0, 40.0] {
        let eight = Eight::crossing_at(degrees, SIZE, 75.0);
        let picture = on_paper(anti_aliased(SIZE, |x, y| eight.stroke(8.0, x, y)));
        assert_goes_straight_on(&eight, picture, RoadStyle::Dark, &format!("{degrees}°"));
    }
}

#[test]
fn gaps_beside_bridges_are_closed() {
    for degrees in [90.0, 60.0, 40.0] {
        let eight = Eight::crossing_at(degrees, SIZE, 75.0);
        for (width, gap) in [(8.0, 0.3), (8.0, 1.5), (5.0, 0.8)] {
            let picture = on_paper(anti_aliased(SIZE, |x, y| eight.bridged_stroke(width, gap * width, x, y)));
            let what = format!("{degrees}°, {width} px wide, gaps of {gap} widths");
            assert_goes_straight_on(&eight, picture, RoadStyle::Dark, &what);
        }
    }
}

#[test]
fn a_light_road_without_grey_levels_has_bridges_too() {
    let eight = Eight::crossing_at(70.0, SIZE, 75.0);
    let picture = binary(SIZE, |x, y| eight.bridged_stroke(10.0, 5.0, x, y));
    assert_goes_straight_on(&eight, picture, RoadStyle::Light, "light");
}

#[test]
fn two_bridges() {
    for alternates in [false, true] {
        let eight = Eight { size: SIZE, radius: 30.0, half_apart: 47.0, has_two_crossings: true, alternates };
        let picture = on_paper(anti_aliased(SIZE, |x, y| eight.bridged_stroke(8.0, 6.0, x, y)));
        assert_goes_straight_on(&eight, picture, RoadStyle::Dark, &format!("alternates: {alternates}"));
    }
}

#[test]
fn outlines_have_bridges_too() {
    for (has_two_crossings, is_through) in [(false, false), (false, true), (true, false)] {
        let eight = Eight { size: SIZE, radius: 30.0, half_apart: 47.0, has_two_crossings, alternates: true };
        let picture = on_paper(anti_aliased(SIZE, |x, y| eight.outline(10.0, 2.0, is_through, x, y)));
        let what = format!("two crossings: {has_two_crossings}, lines through: {is_through}");
        assert_goes_straight_on(&eight, picture, RoadStyle::Outline, &what);
    }
}

/// Two dead ends on either side of a ring, which point at each other across its upper part.
fn ring_with_dead_ends(x: f64, y: f64, gap: f64) -> bool {
    let ring = ((x - 150.0).hypot(y - 150.0) - 60.0).abs();
    let outside = to_piece((x, y), (150.0, 10.0), (150.0, 90.0 - 12.0 - gap));
    let inside = to_piece((x, y), (150.0, 90.0 + 12.0 + gap), (150.0, 180.0));
    ring.min(outside).min(inside) <= 6.0
}

#[test]
fn cells_of_a_map_are_not_joined() {
    let grid = binary(SIZE, |x, y| ring_with_dead_ends(x, y, 8.0));
    let picture = read_bytes("map", &encoded(grid, ImageFormat::Png), &PictureOptions::default()).unwrap();
    let yaml =
        "image: map.png\nresolution: 0.05\norigin: [0, 0, 0]\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.25\n";
    let map = MapYaml::parse(Path::new("map.yaml"), yaml).unwrap();
    let mask = road_mask_of_map(&picture, &map, &PictureOptions::default(), None).unwrap();
    // The middle of the gap outside the ring.
    assert_eq!(mask.coverage.get_pixel(150, 80).0[0], 0);
    let drawing = on_paper(anti_aliased(SIZE, |x, y| ring_with_dead_ends(x, y, 8.0)));
    assert_eq!(self::mask(drawing).coverage.get_pixel(150, 80).0[0], 255, "in a drawing they are a bridge");
}
