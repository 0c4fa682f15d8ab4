//! The reader with vehicles and options of other types than `raceline`'s.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

use raceline_file::{Direction, FileKind, Method, RACING_LINE, RacingLine, ReadError, read, read_kind};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};

/// An open line of two points.
fn file() -> Value {
    let point = |s: f64| {
        json!({
            "s_m": s, "x_m": s, "y_m": 0.0, "heading_rad": 0.0, "curvature_radpm": 0.0, "speed_mps": 10.0,
            "accel_mps2": 0.0, "time_s": s / 10.0, "left_m": 3.0, "right_m": 3.0,
        })
    };
    json!({
        "format": "raceline", "version": 1, "name": "street", "closed": false, "direction": "clockwise",
        "method": "min-curvature", "lap_time_s": 2.0, "length_m": 20.0,
        "vehicle": {"mass_kg": 900.0, "later": 1}, "source": {"file": "street.png", "sha256": "", "origin_m": [0, 0]},
        "options": {"seed": 3, "later": [1]}, "generator": "test", "candidates": [],
        "points": [point(0.0), point(20.0)],
        "edges": {"left": [[0, 3], [20, 3]], "right": [[0, -3], [20, -3]]},
    })
}

/// A type that refuses unknown keys, as a vehicle file's does.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Vehicle {
    mass_kg: f64,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Options {
    seed: u64,
    #[serde(default)]
    laps: u32,
}

fn read_value(file: &Value) -> Result<RacingLine<Vehicle, Options>, ReadError> {
    read(file.to_string().as_bytes())
}

#[test]
fn structs_get_the_keys_that_they_have() {
    let line = read_value(&file()).unwrap();
    assert_eq!((line.vehicle, line.options), (Vehicle { mass_kg: 900.0 }, Options { seed: 3, laps: 0 }));
    assert_eq!((line.method, line.direction), (Method::MinCurvature, Direction::Clockwise));
    assert_eq!((line.points.len(), line.sections.len()), (2, 0));
}

#[test]
fn maps_get_all_keys_and_what_is_not_wanted_is_left_out() {
    let line = read::<Value, IgnoredAny>(file().to_string().as_bytes()).unwrap();
    assert_eq!(line.vehicle, json!({"mass_kg": 900.0, "later": 1}));
}

#[test]
fn errors_in_vehicle_and_options_name_them() {
    let mut broken = file();
    broken["vehicle"]["mass_kg"] = json!("heavy");
    let message = read_value(&broken).unwrap_err().to_string();
    assert!(message.contains("in \"vehicle\": invalid type: string \"heavy\", expected f64"), "{message}");
    let mut broken = file();
    broken["options"] = json!({});
    let message = read_value(&broken).unwrap_err().to_string();
    assert!(message.contains("in \"options\": missing field `seed`"), "{message}");
}

#[test]
fn every_key_but_the_optional_ones_is_required() {
    let whole = file();
    for key in whole.as_object().unwrap().keys() {
        let mut lacking = whole.clone();
        lacking.as_object_mut().unwrap().remove(key);
        let error = read_value(&lacking).unwrap_err();
        let expected = match key.as_str() {
            "format" => matches!(&error, ReadError::Format { found, .. } if found == "missing"),
            "version" => matches!(&error, ReadError::Version { found, .. } if found == "missing"),
            _ => error.to_string().contains(&format!("missing field `{key}`")),
        };
        assert!(expected, "{key}: {error}");
    }
}

#[test]
fn the_rules_are_checked_after_the_types() {
    let mut broken = file();
    broken["points"][1]["s_m"] = json!(0);
    let error = read_value(&broken).unwrap_err();
    assert_eq!(error.to_string(), "points[1].s_m: is 0, must be above 0 of the point before");
    // What an error wraps without a message of its own is not repeated in the chain.
    assert!(std::error::Error::source(&error).is_none());
    assert!(read_kind::<RacingLine<Vehicle, Options>>(broken.to_string().as_bytes(), &RACING_LINE).is_ok());
}

#[test]
fn other_kinds_of_file_are_read_by_the_same_means() {
    #[derive(Debug, Deserialize)]
    struct Plan {
        stops: u32,
    }
    const PLAN: FileKind = FileKind { format: "plan", version: 2, hint: "`plan` makes them" };
    let plan: Plan = read_kind(br#"{"format": "plan", "version": 2, "stops": 3}"#, &PLAN).unwrap();
    assert_eq!(plan.stops, 3);
    let other = read_kind::<Plan>(br#"{"format": "plan", "version": 1}"#, &PLAN).unwrap_err();
    assert_eq!(other.to_string(), "\"version\" is 1, but this program reads version 2: `plan` makes them");
}
