//! Racing-line files.

#![cfg(feature = "json")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]

use std::fs;

use proptest::prelude::*;
use raceline_follower::json::{JsonError, read};
use raceline_follower::{CorridorOptions, Follower, FollowerOptions, Scene, VehicleState};

const TRACKS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tracks");

/// A complete file: every key that the format requires, and unknown ones.
const SMALL: &str = r#"{
  "format": "raceline", "version": 1, "name": "box", "closed": true, "direction": "counterclockwise", "method": "blend",
  "lap_time_s": 12.5, "length_m": 120.0, "later": {"key": [1, null]},
  "vehicle": {"name": "car", "wheelbase_m": 3.0, "length_m": 4.7, "width_m": 2.0, "max_curvature_radpm": 0.12, "mass_kg": 1200.0,
    "safety_distance_m": 0.5, "lateral_limit_mps2": 12.0, "longitudinal_limit_mps2": 12.0, "ellipse_exponent": 2.0, "drag_kgpm": 0.75,
    "downforce_kgpm": 0.0, "drive": {"table_mps2": [[0.0, 5.0]]}, "max_speed_mps": 70.0, "later": 1},
  "source": {"file": "box.png", "sha256": "", "origin_m": [0.0, 0.0]},
  "options": {"spacing_m": 2.0}, "generator": "test", "candidates": [],
  "points": [
    {"s_m": 0.0, "x_m": 0.0, "y_m": 0.0, "heading_rad": 0.0, "curvature_radpm": 0.01, "speed_mps": 10.0, "accel_mps2": 0.0, "time_s": 0.0, "left_m": 2.0, "right_m": 3.0, "new": 1},
    {"s_m": 30.0, "x_m": 30.0, "y_m": 0.0, "heading_rad": 1.6, "curvature_radpm": 0.02, "speed_mps": 20.0, "accel_mps2": 0.0, "time_s": 2.0, "left_m": 2.5, "right_m": 3.0},
    {"s_m": 70.0, "x_m": 30.0, "y_m": 40.0, "heading_rad": -2.2, "curvature_radpm": 0.03, "speed_mps": 30.0, "accel_mps2": 0.0, "time_s": 5.0, "left_m": 2.0, "right_m": 3.0}
  ],
  "edges": {"left": [[5.0, 2.0], [28.0, 2.0], [28.0, 30.0]], "right": [[0.0, -3.0], [33.0, -3.0], [33.0, 50.0]]}
}"#;

/// [`SMALL`] with other points, each x, y, left, right, speed and curvature; one metre and one
/// second lie between two.
fn file(closed: bool, points: &[[f64; 6]]) -> String {
    let row = |(i, [x, y, left, right, speed, curvature]): (usize, &[f64; 6])| {
        format!(
            "{{\"s_m\": {i}, \"x_m\": {x}, \"y_m\": {y}, \"heading_rad\": 0, \"curvature_radpm\": {curvature}, \
             \"speed_mps\": {speed}, \"accel_mps2\": 0, \"time_s\": {i}, \"left_m\": {left}, \"right_m\": {right}}}"
        )
    };
    let rows: Vec<String> = points.iter().enumerate().map(row).collect();
    let (head, rest) = SMALL.split_once("\"points\": [").unwrap();
    let (_, tail) = rest.split_once("\n  ],").unwrap();
    let head = head.replace("\"closed\": true", &format!("\"closed\": {closed}"));
    format!("{head}\"points\": [{}],{tail}", rows.join(", "))
}

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
    assert_eq!((waypoints[2].speed_mps, waypoints[2].curvature_radpm), (30.0, 0.03));
    let vehicle = line.vehicle;
    assert_eq!((vehicle.wheelbase_m, vehicle.length_m, vehicle.width_m, vehicle.rear_axle_m), (3.0, 4.7, 2.0, 1.5));
    // The angle of the largest curvature and the slip of the tyres' peak.
    assert!((vehicle.max_steering_rad - 0.36_f64.atan() - 0.12).abs() < 1e-15);
    assert!(Follower::new(FollowerOptions::for_racing(), vehicle).is_ok());
}

#[test]
fn heights_of_a_file_are_reported_and_do_not_change_the_driving() {
    let mut hilly = SMALL.to_owned();
    for (point, z) in [("\"s_m\": 0.0,", 10.0), ("\"s_m\": 30.0,", 16.0), ("\"s_m\": 70.0,", 12.0)] {
        hilly = hilly.replace(point, &format!("{point} \"z_m\": {z},"));
    }
    let (flat, hilly) = (read(SMALL.as_bytes()).unwrap(), read(hilly.as_bytes()).unwrap());
    assert_eq!(hilly.path.waypoints(), flat.path.waypoints());
    assert_eq!(hilly.path.length_m(), flat.path.length_m());
    for (s, height) in [(0.0, 10.0), (15.0, 13.0), (30.0, 16.0), (50.0, 14.0), (95.0, 11.0), (120.0, 10.0)] {
        assert!((hilly.path.height_m(s) - height).abs() < 1e-12, "{s}");
        assert_eq!(flat.path.height_m(s), 0.0);
    }
    let vehicle = flat.vehicle;
    let [mut on_flat, mut on_hills] = [(); 2].map(|()| Follower::new(FollowerOptions::for_racing(), vehicle).unwrap());
    // Against a wall, until it asks to be placed back: every kind of command.
    let mut placed = 0;
    for frame in 0..6000 {
        let x = 10.0 + 0.02 * f64::from(frame.min(250));
        let state = VehicleState::new([x, 1.0, 0.0], 0.0, 0.0);
        let (flat, mut hilly) = (
            on_flat.step(&flat.path, &state, &Scene::EMPTY, 0.02),
            on_hills.step(&hilly.path, &state, &Scene::EMPTY, 0.02),
        );
        let height = 10.0 + 0.2 * hilly.nearest_point_m[0];
        assert!((hilly.nearest_point_m[2] - height).abs() < 1e-9, "{hilly:?}");
        assert!((10.0..=16.0).contains(&hilly.target_point_m[2]), "{hilly:?}");
        if let Some(placement) = &mut hilly.place_back {
            assert!((placement.position_m[2] - height).abs() < 1e-9, "{placement:?}");
            placement.position_m[2] = 0.0;
            placed += 1;
        }
        (hilly.nearest_point_m[2], hilly.target_point_m[2]) = (0.0, 0.0);
        assert_eq!(hilly, flat);
    }
    assert!(placed > 0);
    let narrower = hilly.path.minimum_curvature(&CorridorOptions::default()).unwrap();
    assert!((narrower.height_m(0.0) - 10.0).abs() < 0.5, "{}", narrower.height_m(0.0));
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
        assert!(Follower::new(FollowerOptions::default(), line.vehicle).is_ok());
        count += 1;
    }
    assert!(count >= 9, "{count}");
}

#[test]
fn refusals_name_place_and_remedy() {
    let refusal = |text: &str| read(text.as_bytes()).unwrap_err().to_string();
    let hint = "`raceline optimize` makes racing-line files";
    let format = |found: &str| format!("\"format\" is {found}, expected \"raceline\": {hint}");
    assert_eq!(refusal(&SMALL.replace("\"raceline\"", "\"geo\"")), format("\"geo\""));
    assert_eq!(refusal("{}"), format("missing"));
    assert_eq!(refusal("{\"format\": 7}"), format("7"));
    let version = |found: &str| format!("\"version\" is {found}, but this program reads version 1: {hint}");
    assert_eq!(refusal(&SMALL.replace("\"version\": 1", "\"version\": 2")), version("2"));
    assert_eq!(refusal(&SMALL.replace("\"version\": 1", "\"version\": null")), version("missing"));
    assert!(refusal(&SMALL[..SMALL.len() - 30]).starts_with("line 14, column"));
    assert!(refusal("").starts_with("line 1, column 0"));
    let missing = refusal(&SMALL.replace("\"x_m\": 30.0, \"y_m\": 0.0,", "\"y_m\": 0.0,"));
    assert!(missing.starts_with("line 11, column"), "{missing}");
    assert!(missing.contains("missing field `x_m`"), "{missing}");
    let negative = refusal(&SMALL.replace("\"left_m\": 2.5", "\"left_m\": -2.5"));
    assert_eq!(negative, "points: waypoint 1: left_m is -2.5, but must be 0 or more, or infinite");
    let here = file(true, &[[1.0, 1.0, 2.0, 2.0, 3.0, 0.0]; 3]);
    assert_eq!(refusal(&here), "points[0]: is 0.000 m away from points[1], but their s_m differ by 1.000 m");
    let curved = refusal(&SMALL.replace("0.02, \"speed", "1e308, \"speed"));
    assert_eq!(curved, "points[1].curvature_radpm: is 1e308, must be between -1000 and 1000");
    let far = refusal(&SMALL.replace("[28.0, 30.0]", "[28.0, 1e15]"));
    assert_eq!(far, "edges.left[2]: is 1e15, must be between -100000000 and 100000000");
}

#[test]
fn the_rules_of_the_file_are_checked() {
    let broken = |old: &str, new: &str| {
        assert!(SMALL.contains(old), "{old}");
        match read(SMALL.replace(old, new).as_bytes()) {
            Err(JsonError::File(error)) => error.to_string(),
            other => panic!("{old}: {other:?}"),
        }
    };
    for key in ["name", "direction", "lap_time_s", "vehicle", "options", "edges", "heading_rad", "time_s"] {
        let message = broken(&format!("\"{key}\":"), "\"other\":");
        assert!(message.contains(&format!("missing field `{key}`")), "{message}");
    }
    let rules = [
        broken("[28.0, 2.0], [28.0, 30.0]", "[28.0, 2.0]"),
        broken("\"lap_time_s\": 12.5", "\"lap_time_s\": -12.5"),
        broken("\"s_m\": 70.0", "\"s_m\": 30"),
        broken("\"time_s\": 5.0", "\"time_s\": 1"),
        broken("\"speed_mps\": 20.0", "\"speed_mps\": -1"),
        broken("\"length_m\": 120.0", "\"length_m\": 70"),
    ];
    assert_eq!(
        rules,
        [
            "edges.left: has length 2, but a closed line requires at least 3 vertices",
            "lap_time_s: is -12.5, must be positive",
            "points[2].s_m: is 30, must be above 30 of the point before",
            "points[2].time_s: is 1, must not be below 2 of the point before",
            "points[1].speed_mps: is -1, must not be negative",
            "points[2].s_m: is 70, must be below length_m = 70: no point is repeated",
        ]
    );
}

#[test]
fn a_vehicle_that_is_no_use_is_refused_with_its_key() {
    for (old, new, message) in [
        ("\"wheelbase_m\": 3.0", "\"wheelbase_m\": 0.0", "vehicle car: wheelbase_m is 0: give a number from"),
        ("\"width_m\": 2.0", "\"width_m\": null", "in \"vehicle\": invalid type: null, expected f64"),
        ("\"mass_kg\": 1200.0,", "", "missing field `mass_kg`"),
    ] {
        let error = read(SMALL.replace(old, new).as_bytes()).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
}

/// What the fuzz target `follower_json` does.
fn drive_what_can_be_read(bytes: &[u8]) {
    let Ok(line) = read(bytes) else { return };
    let vehicle = line.vehicle;
    let mut follower = Follower::new(FollowerOptions::for_racing(), vehicle).unwrap();
    for frame in 0..20 {
        let at = line.path.sample(f64::from(frame) * 0.37 * line.path.length_m() / 20.0);
        let state = VehicleState::new(at.position_m, at.heading_rad + f64::from(frame) * 0.1, 20.0);
        let command = follower.step(&line.path, &state, &Scene::EMPTY, 1.0 / 60.0);
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
        let text = file(closed, &points);
        drive_what_can_be_read(text.as_bytes());
    }
}
