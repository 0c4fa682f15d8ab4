//! The editor of a track in memory, as the app in the browser uses it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

use std::fs;
use std::path::Path;
use std::sync::Mutex;

use raceline::formats::FORMATS;
use raceline::pipeline::{Progress, Silent};
use raceline_editor::{Session, SessionError};

fn file(name: &str) -> (String, Vec<u8>) {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("tracks");
    (name.to_owned(), fs::read(folder.join(name)).unwrap())
}

fn refused(files: &[&str]) -> String {
    Session::new(files.iter().map(|name| file(name)).collect()).unwrap_err().to_string()
}

#[test]
fn a_picture_with_its_sidecar_has_the_line_of_the_program() {
    let mut session = Session::new(vec![file("club.png"), file("club.toml")]).unwrap();
    assert_eq!((session.name().as_str(), session.state().page), ("club", 1));
    session.make(&Silent);
    let state = session.state();
    assert_eq!((state.problem.as_deref(), state.page, state.busy), (None, 2, false));
    let committed = raceline::file::json::read(&file("club.raceline.json").1).unwrap();
    let line = session.line().unwrap().clone();
    assert!((line.lap_time_s - committed.lap_time_s).abs() < 1e-4, "{}", line.lap_time_s);
    assert!(session.page().contains("<title>club") && session.page().contains("club.toml"));
    session.drive();
    assert!(session.state().note.as_ref().unwrap().contains("driven in"), "{:?}", session.state());
    // What is saved is what the program reads.
    let saved = raceline::file::json::read(&session.line_file().unwrap()).unwrap();
    assert_eq!(saved.points.len(), line.points.len());
}

#[test]
fn a_picture_without_a_scale_gets_one_by_an_edit_and_loses_it_by_undo() {
    let mut session = Session::new(vec![file("oval.png")]).unwrap();
    session.make(&Silent);
    assert!(session.line().is_none() && session.state().problem.as_ref().unwrap().contains("metres_per_pixel"));
    let draft = session.page().to_owned();
    session.edit(r#"[{"do": "set", "key": "track_length_m", "value": 1500}]"#).unwrap();
    session.make(&Silent);
    assert_eq!(session.state().problem, None);
    assert!((session.line().unwrap().length_m / 1500.0 - 1.0).abs() < 0.05);
    assert_ne!(session.page(), draft);
    let page = session.page().to_owned();
    session.undo().unwrap();
    assert_eq!(session.sidecar(), "");
    session.make(&Silent);
    // The page of the line before has the same tools.
    assert!(session.state().problem.is_some() && session.page() == page);
    assert!(matches!(session.undo(), Err(SessionError::NothingToUndo)));
}

#[test]
fn an_edit_that_is_not_valid_changes_nothing() {
    let mut session = Session::new(vec![file("oval.png"), file("oval.toml")]).unwrap();
    let before = session.sidecar().to_owned();
    for edits in [
        "{",
        r#"[{"do": "set", "key": "track_length_m", "value": -1}]"#,
        r#"[{"do": "set", "key": "vehicle", "value": "/tmp/car.toml"}]"#,
    ] {
        assert!(session.edit(edits).is_err(), "{edits}");
        assert_eq!(session.sidecar(), before);
    }
}

#[test]
fn a_map_is_opened_with_its_picture() {
    let mut session = Session::new(vec![file("grid.png"), file("grid.yaml"), file("grid.toml")]).unwrap();
    session.make(&Silent);
    assert_eq!((session.name().as_str(), session.state().problem.as_deref()), ("grid", None));
    assert_eq!(refused(&["grid.yaml", "grid.toml"]), "grid.yaml: give its picture grid.png too");
    assert!(refused(&["grid.yaml", "grid.png", "club.png"]).contains("grid.yaml and club.png are two tracks"));
}

#[test]
fn what_is_no_track_is_refused() {
    assert!(refused(&[]).starts_with("no track among 0 files"));
    assert!(refused(&["club.toml"]).starts_with("no track among 1 files"));
    assert!(refused(&["club.png", "oval.png"]).contains("are two tracks"));
    let page = Session::new(vec![("page.html".to_owned(), b"<html></html>".to_vec())]).unwrap_err();
    assert!(page.to_string().contains("page.html"), "{page}");
    let wrong = Session::new(vec![file("club.png"), ("club.toml".to_owned(), b"track_length = 1".to_vec())]);
    assert!(wrong.unwrap_err().to_string().contains("club.toml"));
}

#[test]
fn the_line_is_written_in_the_formats_of_other_programs() {
    let mut session = Session::new(vec![file("kart.png"), file("kart.toml")]).unwrap();
    assert!(matches!(session.export("csv"), Err(SessionError::NoLine)));
    session.make(&Silent);
    for format in FORMATS {
        match session.export(format.name) {
            Ok(bytes) => assert!(!bytes.is_empty()),
            // Four need a place on earth.
            Err(error) => assert!(error.to_string().contains("position on earth"), "{}: {error}", format.name),
        }
    }
    assert!(session.export("nonsense").unwrap_err().to_string().contains("no format nonsense"));
}

#[test]
fn the_stages_of_a_run_are_reported() {
    struct Stages(Mutex<Vec<String>>);
    impl Progress for Stages {
        fn stage(&self, name: &str) {
            self.0.lock().unwrap().push(name.to_owned());
        }
    }
    let stages = Stages(Mutex::new(Vec::new()));
    let mut session = Session::new(vec![file("kart.png"), file("kart.toml")]).unwrap();
    session.make(&stages);
    let stages = stages.0.into_inner().unwrap();
    assert!(stages.iter().any(|stage| stage == "finding the road") && stages.len() > 3, "{stages:?}");
}
