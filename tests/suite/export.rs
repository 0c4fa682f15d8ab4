//! Racing-line and track files, and their schema.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]

use raceline::file::{Method, ReadError, WriteError, json, schema};
use raceline::frame::Spot;
use raceline::geometry::{Point, Polyline};
use raceline::speed::EndSpeed;
use raceline::track::{CrossSection, Direction, Track};
use raceline::track_file::{self, TrackFile};
use raceline::{Options, RacingLine};
use serde_json::{Value, json as value};

use crate::sample_lines;

fn text(line: &RacingLine) -> String {
    String::from_utf8(json::write(line).unwrap()).unwrap()
}

/// The file of a circle after `change`.
fn changed(change: impl FnOnce(&mut Value)) -> Result<RacingLine, ReadError> {
    let mut file: Value = serde_json::from_slice(&json::write(&sample_lines::circle(50.0, 8)).unwrap()).unwrap();
    change(&mut file);
    json::read(file.to_string().as_bytes())
}

fn refusal(change: impl FnOnce(&mut Value)) -> String {
    changed(change).unwrap_err().to_string()
}

#[test]
fn a_file_reads_back_as_the_rounded_line() {
    for line in [sample_lines::circle(50.0, 7), sample_lines::stadium(), sample_lines::winding()] {
        let back = json::read(&json::write(&line).unwrap()).unwrap();
        assert_eq!(back, line.rounded());
        assert_eq!(json::write(&back).unwrap(), json::write(&line).unwrap());
    }
}

#[test]
fn rounding_keeps_the_stated_digits_and_happens_once() {
    let mut line = sample_lines::circle(50.0, 3);
    line.lap_time_s = 12.345_678_9;
    line.points[1].x_m = 1.234_567_8;
    line.points[1].left_m = 1.234_56;
    line.points[1].heading_rad = -std::f64::consts::PI + 1e-11;
    line.points[1].curvature_radpm = 0.123_456_789_1;
    line.points[1].speed_mps = 20.000_049;
    line.points[1].accel_mps2 = -0.000_04;
    let rounded = line.rounded();
    assert_eq!(rounded.lap_time_s, 12.345_68);
    assert_eq!((rounded.points[1].x_m, rounded.points[1].left_m), (1.234_57, 1.235));
    let heading = rounded.points[1].heading_rad;
    assert_eq!(heading * 1e8, -314_159_265.0);
    assert!(heading > -std::f64::consts::PI, "a rounded heading stays in (-π, π]");
    assert_eq!(rounded.points[1].curvature_radpm, 0.123_456_79);
    assert_eq!(rounded.points[1].speed_mps, 20.0);
    assert!(rounded.points[1].accel_mps2.is_sign_positive(), "no negative zero");
    assert_eq!(rounded.rounded(), rounded);
}

#[test]
fn a_small_file_is_laid_out_as_documented() {
    let mut line = sample_lines::circle(50.0, 3);
    line.points[2].curvature_radpm = 0.000_001;
    line.source.sha256 = "abc".to_owned();
    insta::assert_snapshot!(text(&line));
}

#[test]
fn every_point_has_its_own_line_of_text() {
    let line = sample_lines::stadium();
    let text = text(&line);
    assert_eq!(text.lines().filter(|row| row.trim_start().starts_with("{\"s_m\": ")).count(), line.points.len());
    let vertices = line.edges.left.len() + line.edges.right.len() + line.sections.len();
    assert_eq!(text.lines().filter(|row| row.starts_with("    [") || row.starts_with("      [")).count(), vertices);
    assert!(text.ends_with("}\n") && !text.contains('\r') && !text.contains("-0.0,"));
    // No exponent; "time-optimal" is one of the options.
    assert!(text.match_indices("e-").all(|(at, _)| !text.as_bytes()[at - 1].is_ascii_digit()));
}

#[test]
fn numbers_that_are_not_finite_are_refused_by_their_place() {
    let refused = |change: &dyn Fn(&mut RacingLine)| {
        let mut line = sample_lines::circle(50.0, 5);
        change(&mut line);
        match json::write(&line) {
            Err(WriteError::NotFinite { place, .. }) => place,
            other => panic!("expected NotFinite, got {other:?}"),
        }
    };
    assert_eq!(refused(&|line| line.points[3].speed_mps = f64::NAN), "points[3].speed_mps");
    assert_eq!(refused(&|line| line.lap_time_s = f64::INFINITY), "lap_time_s");
    assert_eq!(refused(&|line| line.edges.left[1][0] = f64::NAN), "edges.left");
    assert_eq!(refused(&|line| line.vehicle.mass_kg = f64::NAN), "vehicle.mass_kg");
    assert_eq!(refused(&|line| line.options.track.spacing_m = Some(f64::NAN)), "options.spacing_m");
    assert_eq!(refused(&|line| line.source.origin_m[1] = f64::NAN), "source.origin_m");
}

#[test]
fn the_writer_refuses_what_the_reader_would() {
    let mut line = sample_lines::circle(50.0, 5);
    line.points[3].s_m = line.points[2].s_m + 0.000_1;
    let error = json::write(&line).unwrap_err();
    assert!(matches!(error, WriteError::Inconsistent(_)), "{error}");
    assert!(error.to_string().contains("points[3].s_m"), "{error}");
}

#[test]
fn unknown_keys_are_ignored_everywhere() {
    let line = changed(|file| {
        file["future"] = value!({"a": 1});
        file["vehicle"]["tyre_pressure_pa"] = value!(2e5);
        file["options"]["tyre_warmers"] = value!(true);
        file["points"][0]["gear"] = value!(3);
        file["source"]["camera"] = value!("x");
        file["edges"]["middle"] = value!([]);
    })
    .unwrap();
    assert_eq!(line, sample_lines::circle(50.0, 8).rounded());
}

#[test]
fn options_are_typed_and_those_that_are_missing_have_their_defaults() {
    let options = changed(|file| {
        file["options"] = value!({"seed": 7, "start": [3.5, -1.0], "method": "blend", "end_speed_mps": "free"});
    })
    .unwrap()
    .options;
    let mut expected = Options::default();
    expected.solve.seed = 7;
    expected.track.start = Some(Spot::Metres([3.5, -1.0]));
    expected.method = Method::Blend;
    expected.speed.end_speed_mps = Some(EndSpeed::Free);
    assert_eq!(options, expected);
    let wrong = refusal(|file| file["options"]["spacing_m"] = value!("wide"));
    assert!(wrong.contains("in \"options.spacing_m\": invalid type: string \"wide\""), "{wrong}");
    assert!(refusal(|file| file["options"] = value!([])).contains("expected a map"));
}

#[test]
fn a_vehicles_name_is_no_option_of_a_file() {
    let mut line = sample_lines::circle(50.0, 8);
    line.options.vehicle = Some("kart".to_owned());
    let text = text(&line);
    assert!(!text.contains("kart"));
    let back = json::read(text.as_bytes()).unwrap();
    assert_eq!(back.options.vehicle, None);
    assert_eq!(back.vehicle, line.vehicle);
}

#[test]
fn other_formats_and_versions_are_named() {
    let format = changed(|file| file["format"] = value!("raceline-track")).unwrap_err();
    assert!(matches!(format, ReadError::Format { expected: "raceline", .. }));
    let version = changed(|file| file["version"] = value!(2)).unwrap_err();
    assert!(matches!(version, ReadError::Version { supported: 1, .. }));
    insta::assert_snapshot!(
        [format.to_string(), version.to_string(), refusal(|file| *file = value!({"type": "FeatureCollection"}))].join("\n"),
        @r#"
    "format" is "raceline-track", expected "raceline": `raceline optimize` makes racing-line files
    "version" is 2, but this program reads version 1: `raceline optimize` makes racing-line files
    "format" is missing, expected "raceline": `raceline optimize` makes racing-line files
    "#
    );
}

#[test]
fn broken_text_is_reported_by_line_and_column() {
    let bytes = json::write(&sample_lines::circle(50.0, 8)).unwrap();
    let truncated = json::read(&bytes[..bytes.len() / 2]).unwrap_err();
    assert!(matches!(truncated, ReadError::Json { line, .. } if line > 15), "{truncated}");
    assert!(json::read(b"").is_err() && json::read(b"\xff\xfe\x00").is_err() && json::read(b"[]").is_err());
    let text = String::from_utf8(bytes).unwrap();
    let missing = json::read(text.replacen("\"lap_time_s\"", "\"lap_time\"", 1).as_bytes()).unwrap_err();
    assert!(missing.to_string().contains("missing field `lap_time_s`"), "{missing}");
    let huge = json::read(text.replacen("\"length_m\": 314.159", "\"length_m\": 1e999", 1).as_bytes()).unwrap_err();
    assert!(huge.to_string().contains("number out of range"), "{huge}");
}

#[test]
fn contradictions_are_reported_by_their_place() {
    let cases = [
        refusal(|file| file["points"] = value!([])),
        refusal(|file| file["edges"]["right"] = value!([[0, 0], [1, 1]])),
        refusal(|file| file["lap_time_s"] = value!(0)),
        refusal(|file| file["points"][4]["s_m"] = value!(1)),
        refusal(|file| file["points"][4]["time_s"] = value!(0.5)),
        refusal(|file| file["points"][4]["speed_mps"] = value!(-1)),
        refusal(|file| file["length_m"] = value!(200)),
        refusal(|file| file["lap_time_s"] = value!(10)),
    ];
    insta::assert_snapshot!(cases.join("\n"), @r"
    points: has length 0, but a closed line requires at least 3 points
    edges.right: has length 2, but a closed line requires at least 3 vertices
    lap_time_s: is 0, must be positive
    points[4].s_m: is 1, must be above 117.81 of the point before
    points[4].time_s: is 0.5, must not be below 5.89049 of the point before
    points[4].speed_mps: is -1, must not be negative
    points[7].s_m: is 274.889, must be below length_m = 200: no point is repeated
    points[7].time_s: is 13.74447, must be below lap_time_s = 10: no point is repeated
    ");
}

#[test]
fn the_schema_in_docs_is_the_one_of_the_types() {
    let kept = include_str!("../../docs/reference/raceline.schema.json");
    assert_eq!(kept, schema::racing_line_schema(), "run `raceline schema > docs/reference/raceline.schema.json`");
}

#[test]
fn produced_files_fit_the_schema_and_broken_ones_do_not() {
    let schema: Value = serde_json::from_str(&schema::racing_line_schema()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    for line in [sample_lines::circle(50.0, 8), sample_lines::stadium()] {
        let file: Value = serde_json::from_slice(&json::write(&line).unwrap()).unwrap();
        assert_eq!(validator.iter_errors(&file).map(|error| error.to_string()).collect::<Vec<_>>(), [""; 0]);
        for (key, wrong) in
            [("format", value!("x")), ("version", value!(2)), ("points", value!(1)), ("closed", Value::Null)]
        {
            let mut broken = file.clone();
            broken[key] = wrong;
            assert!(!validator.is_valid(&broken), "{key}");
        }
        let mut longer = file.clone();
        longer["vehicle"]["future"] = value!(1);
        assert!(validator.is_valid(&longer), "unknown keys are allowed");
    }
}

/// A ring of `count` sections between radii 45 and 55 m, counter-clockwise.
fn ring(count: usize) -> TrackFile {
    let at = |radius: f64, i: usize| {
        let angle = std::f64::consts::TAU * i as f64 / count as f64;
        Point::new(radius * angle.cos(), radius * angle.sin())
    };
    let edge = |radius: f64| Polyline::closed((0..count).map(|i| at(radius, i)).collect());
    let track = Track {
        closed: true,
        direction: Direction::Counterclockwise,
        spacing_m: 100.0 * std::f64::consts::PI / count as f64,
        edge_uncertainty_m: 0.0,
        sections: (0..count).map(|i| CrossSection { right: at(55.0, i), left: at(45.0, i) }).collect(),
        left_edge: edge(45.0),
        right_edge: edge(55.0),
        crossings: Vec::new(),
        surface: None,
    };
    TrackFile::new("ring", &track, &sample_lines::circle(50.0, 3).source)
}

#[test]
fn a_track_file_reads_back() {
    let file = ring(40);
    let bytes = track_file::write(&file).unwrap();
    assert_eq!(track_file::read(&bytes).unwrap(), file);
    let track = file.track();
    assert_eq!(TrackFile::new("ring", &track, &file.source), file);
    assert!(track.sections.iter().all(|section| (section.width() - 10.0).abs() < 2e-6));
    let text = String::from_utf8(bytes).unwrap();
    assert_eq!(text.lines().filter(|row| row.starts_with("    [[")).count(), 40);
}

#[test]
fn a_track_that_would_mislead_later_stages_is_refused() {
    let refused = |change: &dyn Fn(&mut TrackFile)| {
        let mut file = ring(8);
        change(&mut file);
        let written = track_file::write(&file).unwrap_err().to_string();
        let read = track_file::read(&serde_json::to_vec(&file).unwrap()).unwrap_err().to_string();
        assert!(written.ends_with(&read), "{written} / {read}");
        read
    };
    let cases = [
        refused(&|file| file.sections.truncate(2)),
        refused(&|file| file.spacing_m = 0.0),
        refused(&|file| file.edges.left.truncate(2)),
        refused(&|file| file.sections[3][0] = file.sections[3][1]),
        refused(&|file| file.sections.swap(2, 3)),
        refused(&|file| file.sections.iter_mut().for_each(|section| section.swap(0, 1))),
        refused(&|file| file.direction = Direction::Clockwise),
    ];
    insta::assert_snapshot!(cases.join("\n"), @r#"
    sections: has length 2, but a track requires at least 3 cross-sections
    spacing_m: is 0, must be positive
    edges.left: has length 2, but at least 3 vertices are required
    sections[3]: has no width: its right end and its left end are the same point
    sections[3]: lies behind sections[2]: list the sections in the order of travel
    sections: the second end of most sections lies to the right of the direction of travel: write the right end first, or reverse the order of the sections
    direction: the sections run counterclockwise: specify "counterclockwise", or reverse them
    "#);
    let mut file = ring(8);
    file.sections[1][0][0] = f64::NAN;
    assert!(matches!(track_file::write(&file), Err(WriteError::NotFinite { .. })));
    let line = json::write(&sample_lines::circle(50.0, 8)).unwrap();
    assert!(matches!(track_file::read(&line), Err(ReadError::Format { .. })));
}

#[test]
fn two_sections_that_cross_are_refused() {
    let mut file = ring(40);
    // Turned so far that it runs over its neighbour.
    file.sections[5][0] = file.sections[7][0];
    let error = track_file::write(&file).unwrap_err().to_string();
    assert!(error.contains("sections[5]: crosses sections[6]"), "{error}");
}
