//! The log of a drive in the editor in memory, as the app in the browser opens it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

use raceline::drive::{DriveOptions, drive, trace_csv};
use raceline::laps::{Log, RoadOptions, Session as Laps, SessionOptions, read};
use raceline::pipeline::{Silent, log_reference};
use raceline_calibrate::{CoachOptions, CoachVehicle, coach};
use raceline_car::Vehicle;
use raceline_editor::{ComparisonError, DrivenLap, LoggedDrive, Session, SessionError};

use crate::drive::committed;

/// The log of laps on `tracks/club.png`, driven with a part of the speed.
fn log(laps: u32) -> Log {
    let line = committed("club");
    let options = DriveOptions { laps, speed_share: 0.95, ..DriveOptions::default() };
    read(trace_csv::write(&drive(&line, &line.vehicle, &options).unwrap().trace).as_bytes(), "day.csv").unwrap()
}

/// The vehicle of the log, as its fit would name it.
fn fitted() -> Vehicle {
    Vehicle { name: "day".to_owned(), ..raceline_car::preset("gt").unwrap() }
}

/// What the reader of logs hands over.
fn logged(log: &Log) -> LoggedDrive {
    let session = Laps::new(log, &SessionOptions::default()).unwrap();
    let path = RoadOptions { width_m: None, vehicle_width_m: 0.0, margin_m: 0.0 };
    LoggedDrive {
        road: session.road(&path).unwrap(),
        geographic_origin_deg: session.geographic_origin_deg,
        vehicle: Some(fitted().to_toml().unwrap()),
        notes: vec!["a note".to_owned()],
    }
}

fn laps_beside(log: &Log, session: &Session) -> Vec<DrivenLap> {
    let options =
        SessionOptions { reference: Some(log_reference(session.line().unwrap())), ..SessionOptions::default() };
    let laps = Laps::new(log, &options).unwrap();
    let whole = laps.table.whole();
    whole
        .map(|lap| DrivenLap { name: format!("lap {}", lap.number), table: laps.driven(lap.number).unwrap() })
        .collect()
}

#[test]
fn a_log_alone_has_the_line_of_coach_with_its_laps_beside_it() {
    let log = log(3);
    let options = CoachOptions { vehicle: CoachVehicle::Given(fitted()), ..CoachOptions::new(fitted()) };
    let coached = coach(&log, "day", options, &mut |_| {}, &Silent).unwrap();
    let mut session = Session::of_log("day.csv", logged(&log), Vec::new()).unwrap();
    assert_eq!(session.name(), "day");
    session.make(&Silent);
    assert_eq!(session.state().problem, None);
    assert_eq!(session.state().warnings.first().map(String::as_str), Some("a note"));
    let line = session.line().unwrap();
    assert!((line.lap_time_s / coached.line.lap_time_s - 1.0).abs() < 1e-3, "{}", line.lap_time_s);
    assert!((line.length_m / coached.line.length_m - 1.0).abs() < 1e-3, "{}", line.length_m);
    assert_eq!(line.vehicle.name, "day");
    let laps = laps_beside(&log, &session);
    assert!(laps.len() > 1, "{}", laps.len());
    session.lay_laps(&laps).unwrap();
    for part in ["\"losses\":{\"total_s\"", "lap 2"] {
        assert!(session.page().contains(part), "{part}");
    }
    // Its road is the only one, and as wide as is stated.
    assert!(session.page().contains(r#""reading":{"lap":false,"width":true,"road_at":false,"via":false}"#));
    // The page that is sent has them too.
    assert!(session.shared_page().unwrap().contains("\"losses\":{\"total_s\""));
    // A line that is kept finds room beside them.
    let keep = |session: &mut Session| session.compare(r#"{"do": "keep"}"#, None);
    keep(&mut session).unwrap();
    // A page has five lines.
    let more = keep(&mut session);
    assert!(matches!(more, Err(SessionError::Comparison(ComparisonError::TooManyLines))) || laps.len() < 3);
    session.without_laps();
    assert!(!session.page().contains("\"losses\":{\"total_s\""));
}

#[test]
fn a_lap_that_is_taken_out_does_not_come_back_with_the_next_line() {
    let log = log(3);
    let mut session = Session::of_log("day.csv", logged(&log), Vec::new()).unwrap();
    session.make(&Silent);
    let laps = laps_beside(&log, &session);
    session.lay_laps(&laps).unwrap();
    let is_on_page =
        |session: &Session, lap: usize| session.page().contains(&format!(r#"{{"name":"{}""#, laps[lap].name));
    assert!(is_on_page(&session, 0) && is_on_page(&session, 1));
    session.compare(r#"{"do": "drop", "index": 0}"#, None).unwrap();
    assert!(!is_on_page(&session, 0) && is_on_page(&session, 1));
    assert!(!session.page().contains("\"losses\":{\"total_s\""), "they were those of the lap that is gone");
    session.make(&Silent);
    assert!(session.awaits_laps());
    session.lay_laps(&laps).unwrap();
    assert!(!is_on_page(&session, 0) && is_on_page(&session, 1));
    assert!(session.page().contains("\"losses\":{\"total_s\""));
    session.compare(r#"{"do": "clear"}"#, None).unwrap();
    session.make(&Silent);
    assert!(!session.awaits_laps() && !is_on_page(&session, 1));
}

#[test]
fn the_width_of_the_road_is_what_the_sidecar_states() {
    let log = log(3);
    let line = |sidecar: &str| {
        let files = vec![("day.toml".to_owned(), sidecar.as_bytes().to_vec())];
        let mut session = Session::of_log("day.csv", logged(&log), files).unwrap();
        session.make(&Silent);
        assert_eq!(session.state().problem, None);
        session.line().unwrap().clone()
    };
    let [used, wide] = ["vehicle = \"gt\"\n", "vehicle = \"gt\"\ntrack_width_m = 12.0\n"].map(line);
    let width = |line: &raceline::RacingLine| {
        line.points.iter().map(|point| point.left_m + point.right_m).sum::<f64>() / line.points.len() as f64
    };
    assert!(width(&used) < 4.0 && (width(&wide) - 12.0).abs() < 0.2, "{} {}", width(&used), width(&wide));
    assert!(wide.lap_time_s < used.lap_time_s - 1.0 && wide.vehicle.name == "gt");
}

#[test]
fn a_single_lap_is_asked_for_the_width_of_its_road() {
    let log = log(3);
    let mut one = logged(&log);
    one.road.laps = 1;
    let mut session = Session::of_log("day.csv", one, Vec::new()).unwrap();
    session.make(&Silent);
    assert_eq!(session.state().missing, Some("track_width_m"), "{:?}", session.state().problem);
    session.edit(r#"[{"do": "set", "key": "track_width_m", "value": 9}]"#).unwrap();
    session.make(&Silent);
    assert_eq!((session.state().problem.as_deref(), session.state().missing), (None, None));
}

#[test]
fn laps_are_laid_on_the_track_that_is_given_with_them() {
    let log = log(3);
    let file = |name: &str| {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tracks");
        (name.to_owned(), std::fs::read(format!("{folder}/{name}")).unwrap())
    };
    let mut session = Session::of_log("day.csv", logged(&log), vec![file("club.png"), file("club.toml")]).unwrap();
    assert_eq!(session.name(), "club");
    session.make(&Silent);
    let laps = laps_beside(&log, &session);
    session.lay_laps(&laps).unwrap();
    assert!(session.page().contains("\"losses\":{\"total_s\""));
    // Laps of another track.
    let elsewhere = vec![DrivenLap { table: laps[0].table.replace(",2", ",9"), ..laps[0].clone() }];
    assert!(matches!(
        session.lay_laps(&elsewhere),
        Err(SessionError::Comparison(ComparisonError::NotComparable { .. }))
    ));
    assert!(!session.page().contains("\"losses\":{\"total_s\""));
}
