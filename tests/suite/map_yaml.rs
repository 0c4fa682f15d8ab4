//! ROS maps: the YAML, what its thresholds make free, and the errors for bad ones.

#![allow(clippy::unwrap_used, reason = "a helper of a test fails the test")]

use std::path::Path;

use crate::drawing::{DISC, binary, encoded, grid, mapped};
use image::{GrayImage, ImageFormat};
use raceline::picture::{MapYaml, MapYamlError, PictureOptions, RoadMask, RoadStyle, read_bytes, road_mask_of_map};

const MAP: &str = "image: track.pgm\nresolution: 0.05\norigin: [-7.5, -6.25, 0]\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\n";

#[test]
fn map_yaml_is_read() {
    let map = MapYaml::parse(Path::new("maps/track.yaml"), MAP).unwrap();
    let want = MapYaml {
        image: Path::new("maps").join("track.pgm"),
        resolution: 0.05,
        origin: [-7.5, -6.25, 0.0],
        negate: false,
        occupied_thresh: 0.65,
        free_thresh: 0.196,
    };
    assert_eq!(map, want);
}

#[test]
fn map_yaml_errors_name_the_key() {
    let parse = |text: &str| MapYaml::parse(Path::new("m.yaml"), text).unwrap_err();
    let bad = |from: &str, to: &str| parse(&MAP.replace(from, to)).to_string();
    for (from, to, key) in [
        ("resolution: 0.05", "resolution: 0", "resolution"),
        ("resolution: 0.05", "resolution: .nan", "resolution"),
        ("-6.25, 0]", "-6.25, 1.57]", "yaw"),
        ("-6.25, 0]", ".inf, 0]", "origin"),
        ("negate: 0", "negate: 2", "negate"),
        ("occupied_thresh: 0.65", "occupied_thresh: 65", "occupied_thresh"),
        ("free_thresh: 0.196", "free_thresh: 0.7", "free_thresh"),
        ("resolution: 0.05\n", "", "resolution"),
        ("image: track.pgm\n", "", "image"),
    ] {
        let message = bad(from, to);
        assert!(message.starts_with("m.yaml") && message.contains(key), "{to}: {message}");
    }
    assert!(matches!(parse("not: [a map"), MapYamlError::Malformed { .. }));
    assert!(matches!(MapYaml::read(Path::new("no.yaml")), Err(MapYamlError::Unreadable { .. })));
}

fn mask_of(grey: GrayImage, map: &MapYaml) -> RoadMask {
    let options = PictureOptions::default();
    let picture = read_bytes("test", &encoded(grey, ImageFormat::Png), &options).unwrap();
    road_mask_of_map(&picture, map, &options, None).unwrap()
}

#[test]
fn map_thresholds_and_negate_state_what_is_free() {
    let map = MapYaml::parse(Path::new("m.yaml"), MAP).unwrap();
    let wanted = binary(DISC.size, |x, y| DISC.contains(x, y));
    let plain = mask_of(grid(DISC), &map);
    assert_eq!((plain.style, &plain.coverage), (RoadStyle::Light, &wanted));
    let negated = MapYaml { negate: true, ..map.clone() };
    let inverted = mapped(grid(DISC), |t| 255.0 - 255.0 * t);
    assert_eq!(mask_of(inverted, &negated).coverage, wanted);
    // With a higher threshold the unknown grey is free as well, and no ring is left but the walls.
    let lax = MapYaml { free_thresh: 0.3, ..map };
    let lax = mask_of(grid(DISC), &lax);
    assert_eq!(lax.coverage, wanted, "walls still bound it");
}
