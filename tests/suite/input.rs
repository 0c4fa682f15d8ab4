//! Input: each kind of file is recognised by its content, whatever its name.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking, in its helpers too"
)]

use std::f64::consts::TAU;
use std::fs;
use std::path::Path;

use crate::drawing::{DISC, anti_aliased, encoded};
use image::ImageFormat;
use raceline::Options;
use raceline::input::{self, InputError, InputKind};
use raceline::pipeline::{Extraction, Silent, extract};
use raceline::track_file::{self, TrackFile};
use tempfile::TempDir;

/// A round road as each kind of file, under the name that fits.
fn samples(folder: &Path) -> Vec<(&'static str, InputKind, Vec<u8>)> {
    let picture = encoded(anti_aliased(DISC.size, |x, y| DISC.contains(x, y)), ImageFormat::Png);
    let circle = |of: &dyn Fn(f64, f64) -> String| {
        let points: Vec<String> = (0..64)
            .map(|i| {
                let (sin, cos) = (TAU * f64::from(i) / 64.0).sin_cos();
                of(cos, sin)
            })
            .collect();
        points
    };
    let csv = circle(&|x, y| format!("{},{},5,5", 100.0 * x, 100.0 * y)).join("\n");
    let geojson = format!(
        r#"{{"type": "Feature", "properties": {{"width_m": 10}}, "geometry": {{"type": "LineString", "coordinates": [{},[12.001,0]]}}}}"#,
        circle(&|x, y| format!("[{},{}]", 12.0 + 0.001 * x, 0.001 * y)).join(",")
    );
    let svg = r##"<?xml version="1.0"?>
        <svg xmlns="http://www.w3.org/2000/svg" width="300" height="300">
        <circle cx="150" cy="150" r="100" fill="none" stroke="#000" stroke-width="10"/></svg>"##;
    let xml = r#"<?xml version="1.0"?><params name="ring"><section name="Main Track"><attnum name="width" val="10"/>
        <section name="Track Segments"><section name="all"><attstr name="type" val="lft"/>
        <attnum name="radius" val="100"/><attnum name="arc" unit="deg" val="360"/></section></section></section></params>"#;
    let map = "image: ring.png\nresolution: 1\norigin: [0, 0, 0]\n";
    fs::write(folder.join("ring.png"), &picture).unwrap();
    let extraction = extract(&folder.join("ring.png"), &options(InputKind::Picture), &Silent).unwrap();
    let track = TrackFile::new("ring", &extraction.track, &extraction.source);
    vec![
        ("png", InputKind::Picture, picture),
        ("csv", InputKind::Csv, csv.into()),
        ("geojson", InputKind::GeoJson, geojson.into()),
        ("svg", InputKind::Svg, svg.into()),
        ("xml", InputKind::TorcsXml, xml.into()),
        ("json", InputKind::Track, track_file::write(&track).unwrap()),
        ("yaml", InputKind::Map, map.into()),
    ]
}

/// A scale for the kinds that have pixels.
fn options(kind: InputKind) -> Options {
    let mut options = Options::default();
    let has_coordinates = matches!(kind, InputKind::Csv | InputKind::GeoJson | InputKind::TorcsXml);
    options.scale.metres_per_pixel = (!has_coordinates).then_some(1.0);
    options
}

#[test]
fn a_content_that_contradicts_its_ending_decides() {
    let folder = TempDir::new().unwrap();
    for (ending, kind, bytes) in samples(folder.path()) {
        let extracted = |name: &str| -> Extraction {
            let path = folder.path().join(name);
            fs::write(&path, &bytes).unwrap();
            assert_eq!(InputKind::of(&path, &bytes), kind, "{name}");
            extract(&path, &options(kind), &Silent).unwrap_or_else(|error| panic!("{ending} as {name}: {error}"))
        };
        let expected = extracted(&format!("road.{ending}"));
        for other in ["png", "csv", "geojson", "svg", "json", "yaml", "xml", "txt"] {
            let found = extracted(&format!("road.{other}"));
            assert_eq!(found.track, expected.track, "{ending} as {other}");
            assert_eq!(found.source.sha256, expected.source.sha256, "{ending} as {other}");
            assert_eq!(found.source.track_sha256, expected.source.track_sha256, "{ending} as {other}");
        }
    }
}

#[test]
fn digests_are_those_of_the_source() {
    let folder = TempDir::new().unwrap();
    for (ending, kind, bytes) in samples(folder.path()) {
        let path = folder.path().join(format!("road.{ending}"));
        fs::write(&path, &bytes).unwrap();
        let digests = input::read(&path).unwrap().digests();
        let source = extract(&path, &options(kind), &Silent).unwrap().source;
        assert_eq!(digests.track_sha256, source.track_sha256);
        // An extracted track keeps the digest of the picture that it was made from.
        assert_eq!(digests.sha256, (kind != InputKind::Track).then_some(source.sha256));
    }
}

#[test]
fn what_cannot_be_read_is_reported_by_its_name() {
    let folder = TempDir::new().unwrap();
    let map = folder.path().join("map.yaml");
    fs::write(&map, "image: none.png\nresolution: 1\norigin: [0, 0, 0]\n").unwrap();
    assert!(matches!(input::read(&map), Err(InputError::MapImage { .. })));
    fs::write(&map, "image: none.png\n").unwrap();
    assert!(matches!(input::read(&map), Err(InputError::MapYaml(_))));
    assert!(matches!(input::read(&folder.path().join("none.csv")), Err(InputError::Read { .. })));
}
