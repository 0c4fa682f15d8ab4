//! Racing-line files.

#![cfg(feature = "json")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

use std::fs;

use proptest::prelude::*;
use raceline_follower::json::{JsonError, read};
use raceline_follower::{Follower, FollowerOptions, PathError, VehicleGeometry, VehicleState};

const TRACKS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tracks");

const SMALL: &str = r#"{
  "format": "raceline", "version": 1, "name": "box", "closed": true, "lap_time_s": 12.5, "later": {"key": [1, null]},
  "vehicle": {"name": "car", "wheelbase_m": 3.0, "length_m": 4.7, "width_m": 2.0, "max_curvature_radpm": 0.12, "mass_kg": 1200.0},
  "points": [
    {"s_m": 0.0, "x_m": 0.0, "y_m": 0.0, "left_m": 2.0, "right_m": 3.0, "speed_mps": 10.0, "curvature_radpm": 0.01, "new": 1},
    {"x_m": 30.0, "y_m": 0.0, "left_m": 2.5, "right_m": 3.0, "speed_mps": 20.0, "curvature_radpm": 0.02},
    {"x_m": 30.0, "y_m": 40.0, "left_m": 2.0, "right_m": 3.0}
  ]
}"#;

#[test]
fn a_file_becomes_a_path() {
    let line = read(SMALL.as_bytes()).unwrap();
    assert_eq!((line.name.as_str(), line.lap_time_s), ("box", 12.5));
    assert!(line.path.closed());
    assert!((line.path.length_m() - 120.0).abs() < 1e-12);
    let waypoints = line.path.waypoints();
    assert_eq!(waypoints[1].position_m, [30.0, 0.0, 0.0]);
    assert_eq!((waypoints[1].left_m, waypoints[1].right_m), (2.5, 3.0));
    assert_eq!((waypoints[1].speed_mps, waypoints[1].curvature_radpm), (20.0, 0.02));
    assert!(waypoints[2].speed_mps.is_nan() && waypoints[2].curvature_radpm.is_nan());
    let vehicle = line.vehicle.unwrap();
    assert_eq!((vehicle.wheelbase_m, vehicle.length_m, vehicle.width_m, vehicle.rear_axle_m), (3.0, 4.7, 2.0, 1.5));
    assert!((vehicle.max_steering_rad - 0.36_f64.atan()).abs() < 1e-15);
    assert!(Follower::new(FollowerOptions::for_racing(), vehicle).is_ok());
}

#[test]
fn every_line_in_tracks_is_read() {
    let mut count = 0;
    for entry in fs::read_dir(TRACKS).unwrap() {
        let path = entry.unwrap().path();
        if !path.to_string_lossy().ends_with(".raceline.json") {
            continue;
        }
        let line = read(&fs::read(&path).unwrap()).unwrap();
        assert!(line.path.waypoints().len() > 100 && line.lap_time_s > 5.0, "{}", path.display());
        assert!(Follower::new(FollowerOptions::default(), line.vehicle.unwrap()).is_ok());
        count += 1;
    }
    assert!(count >= 9, "{count}");
}

#[test]
fn refusals_name_place_and_way_out() {
    let refusal = |text: &str| read(text.as_bytes()).unwrap_err();
    assert_eq!(refusal(&SMALL.replace("\"raceline\"", "\"geo\"")), JsonError::Format { found: Some("geo".to_owned()) });
    assert_eq!(refusal("{}"), JsonError::Format { found: None });
    assert_eq!(refusal("{\"format\": 7}"), JsonError::Format { found: Some("7".to_owned()) });
    assert_eq!(refusal(&SMALL.replace("\"version\": 1", "\"version\": 2")), JsonError::Version { found: Some(2) });
    assert_eq!(refusal(&SMALL.replace("\"version\": 1", "\"version\": null")), JsonError::Version { found: None });
    assert!(matches!(refusal(&SMALL[..SMALL.len() - 30]), JsonError::Json { line: 7.., .. }));
    assert!(matches!(refusal(""), JsonError::Json { line: 1, .. }));
    let missing = refusal(&SMALL.replace("\"x_m\": 30.0, \"y_m\": 0.0,", "\"y_m\": 0.0,"));
    assert!(missing.to_string().starts_with("line 6, column"), "{missing}");
    assert!(missing.to_string().contains("missing field `x_m`"), "{missing}");
    let negative = refusal(&SMALL.replace("\"left_m\": 2.5", "\"left_m\": -2.5"));
    assert_eq!(negative.to_string(), "points: waypoint 1: left_m is -2.5, but must be 0 or more, or infinite");
    let few = "{\"format\": \"raceline\", \"version\": 1, \"closed\": true, \"points\": []}";
    assert_eq!(refusal(few), JsonError::Path(PathError::TooFewWaypoints { distinct: 0, needed: 3 }));
}

#[test]
fn a_vehicle_that_is_no_use_is_left_out() {
    for (old, new) in [("\"wheelbase_m\": 3.0", "\"wheelbase_m\": 0.0"), ("\"width_m\": 2.0", "\"width_m\": null")] {
        let line = read(SMALL.replace(old, new).as_bytes()).unwrap();
        assert_eq!(line.vehicle, None);
    }
}

/// What the fuzz target `follower_json` does.
fn drive_what_can_be_read(bytes: &[u8]) {
    let Ok(line) = read(bytes) else { return };
    let vehicle = line.vehicle.unwrap_or_default();
    let mut follower = Follower::new(FollowerOptions::for_racing(), vehicle)
        .or_else(|_| Follower::new(FollowerOptions::for_racing(), VehicleGeometry::default()))
        .unwrap();
    for frame in 0..20 {
        let at = line.path.sample(f64::from(frame) * 0.37 * line.path.length_m() / 20.0);
        let state = VehicleState::new(at.position_m, at.heading_rad + f64::from(frame) * 0.1, 20.0);
        let command = follower.step(&line.path, &state, 1.0 / 60.0);
        assert!(command.pedal.abs() <= 1.0 && command.steering_rad.is_finite());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// A good file, damaged at random: no panic, whatever is read can be driven.
    #[test]
    fn damaged_files_are_refused_or_driven(
        changes in prop::collection::vec((0..SMALL.len(), prop::sample::select(&b"0123456789-eE.,[]{}\"nl\xff"[..])), 1..8),
        cut in 0..SMALL.len() * 4,
    ) {
        let mut bytes = SMALL.as_bytes().to_vec();
        for &(place, byte) in &changes {
            bytes[place] = byte;
        }
        bytes.truncate(cut);
        drive_what_can_be_read(&bytes);
    }

    /// Files that are sound JSON with absurd numbers.
    #[test]
    fn absurd_numbers_are_refused_or_driven(
        points in prop::collection::vec(prop::array::uniform6(prop::sample::select(
            vec![0.0, -0.0, 1.0, -1.0, 1e-300, 1e-3, 5.0, 1e7, -1e7, 1e8, 1e300, -1e300, 0.1, 12.5],
        )), 0..8),
        closed in any::<bool>(),
    ) {
        let rows: Vec<String> = points
            .iter()
            .map(|[x, y, l, r, v, k]| format!(
                "{{\"x_m\": {x}, \"y_m\": {y}, \"left_m\": {l}, \"right_m\": {r}, \"speed_mps\": {v}, \"curvature_radpm\": {k}}}"
            ))
            .collect();
        let text = format!(
            "{{\"format\": \"raceline\", \"version\": 1, \"closed\": {closed}, \"points\": [{}]}}", rows.join(", ")
        );
        drive_what_can_be_read(text.as_bytes());
    }
}
