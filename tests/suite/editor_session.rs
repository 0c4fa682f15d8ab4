//! The editor of a track in memory, as the app in the browser uses it.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

use std::fs;
use std::path::Path;
use std::sync::Mutex;

use raceline::Options;
use raceline::files::Reach;
use raceline::formats::FORMATS;
use raceline::input;
use raceline::options::Layer;
use raceline::pipeline::{self, Progress, Request, Silent};
use raceline_editor::{ComparisonError, HistoryError, KeptPreviewer, Previewer, Session, SessionError};

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
    // The page without a line is made for who asks for it, with the picture and the tools.
    assert_eq!(session.page(), "");
    let draft = session.draft().unwrap();
    assert!(draft.contains("club.toml") && draft.contains("data:image/png"));
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
    assert_eq!(session.state().missing, Some("metres_per_pixel"));
    let draft = session.page().to_owned();
    session.edit(r#"[{"do": "set", "key": "track_length_m", "value": 1500}]"#).unwrap();
    session.make(&Silent);
    assert_eq!((session.state().problem.as_deref(), session.state().missing), (None, None));
    assert!((session.line().unwrap().length_m / 1500.0 - 1.0).abs() < 0.05);
    assert_ne!(session.page(), draft);
    let page = session.page().to_owned();
    session.undo().unwrap();
    assert_eq!(session.sidecar(), "");
    session.make(&Silent);
    // The page of the line before has the same tools.
    assert!(session.state().problem.is_some() && session.page() == page);
    assert!(matches!(session.undo(), Err(SessionError::History(HistoryError::NothingToUndo))));
    session.redo().unwrap();
    assert_eq!(session.sidecar(), "track_length_m = 1500\n");
    assert!(matches!(session.redo(), Err(SessionError::History(HistoryError::NothingToRedo))));
}

#[test]
fn a_line_without_a_width_gets_it_by_an_edit() {
    let turns = (0..60).map(|k| f64::from(k) * std::f64::consts::TAU / 60.0);
    let ring: Vec<[f64; 2]> = turns.map(|turn| [200.0 * turn.cos(), 100.0 * turn.sin()]).collect();
    let rows = |header: &str| ring.iter().fold(header.to_owned(), |text, [x, y]| format!("{text}{x:.3},{y:.3}\n"));
    let degrees = |[x, y]: &[f64; 2]| [13.0 + x / 68e3, 52.0 + y / 111e3];
    let geojson = serde_json::json!({"type": "Feature", "properties": {}, "geometry": {
        "type": "LineString", "coordinates": ring.iter().chain(ring.first()).map(degrees).collect::<Vec<_>>()}});
    for (name, text) in
        [("ring.csv", rows("x_m,y_m\n")), ("plain.csv", rows("")), ("ring.geojson", geojson.to_string())]
    {
        let mut session = Session::new(vec![(name.to_owned(), text.into_bytes())]).unwrap();
        session.make(&Silent);
        assert_eq!(session.state().missing, Some("track_width_m"), "{name}: {:?}", session.state().problem);
        session.edit(r#"[{"do": "set", "key": "track_width_m", "value": 12}]"#).unwrap();
        session.make(&Silent);
        assert_eq!((session.state().problem.as_deref(), session.state().missing), (None, None), "{name}");
        assert!(session.line().is_some());
    }
    // Nobody chose the default vehicle, which is too large here.
    let narrow = rows("x_m,y_m\n").into_bytes();
    let sidecar = |text: &str| ("ring.toml".to_owned(), text.as_bytes().to_vec());
    for (text, missing) in
        [("track_width_m = 2.5\n", Some("vehicle")), ("track_width_m = 2.5\nvehicle = \"tum-racecar\"\n", None)]
    {
        let mut session = Session::new(vec![("ring.csv".to_owned(), narrow.clone()), sidecar(text)]).unwrap();
        session.make(&Silent);
        assert!(session.state().problem.is_some());
        assert_eq!(session.state().missing, missing, "{text}");
    }
    // Another error is none that an option mends.
    let mut session = Session::new(vec![("short.csv".to_owned(), b"x_m,y_m,width_m\n0,0,5\n".to_vec())]).unwrap();
    session.make(&Silent);
    assert!(session.state().problem.is_some() && session.state().missing.is_none(), "{:?}", session.state());
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
    assert!(refused(&["club.png", "club.raceline.json"]).contains("are two tracks"));
    let text = Session::new(vec![("README.md".to_owned(), b"# A text\n".to_vec())]).unwrap_err();
    assert!(text.to_string().starts_with("README.md is not in a supported picture format"), "{text}");
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

#[test]
fn two_files_are_the_edges_of_a_road_whatever_comes_first() {
    let edge = |name: &str, radius: f64| {
        let angle = |i: i32| f64::from(i) * std::f64::consts::TAU / 90.0;
        let row = |i| format!("{},{}\n", radius * angle(i).cos(), radius * angle(i).sin());
        (name.to_owned(), format!("x_m,y_m\n{}", (0..90).map(row).collect::<String>()).into_bytes())
    };
    let [left, right] = [edge("ring_left.csv", 55.0), edge("ring_right.csv", 65.0)];
    let lines = [vec![left.clone(), right.clone()], vec![right, left]].map(|files| {
        let mut session = Session::new(files).unwrap();
        session.make(&Silent);
        assert_eq!(session.state().problem, None);
        session.line().unwrap().clone()
    });
    // The name is that of the file that came first.
    assert_eq!((lines[0].name.as_str(), lines[1].name.as_str()), ("ring_left", "ring_right"));
    assert_eq!(lines[0].points, lines[1].points);
    assert!((lines[0].length_m - std::f64::consts::TAU * 57.0).abs() < 10.0, "{}", lines[0].length_m);
}

#[test]
fn a_line_of_the_kept_track_is_that_of_a_new_session() {
    let pin = r#"[{"do": "add", "key": "pin", "value": {"at": [480.0, 82.0], "tolerance_m": 0.3}}]"#;
    let vehicle = r#"[{"do": "set", "key": "vehicle", "value": "kart"}]"#;
    let made = |edits: &[&str], at_once: bool| {
        let mut session = Session::new(vec![file("club.png"), file("club.toml")]).unwrap();
        for edit in edits {
            if !at_once {
                session.make(&Silent);
            }
            session.edit(edit).unwrap();
        }
        session.make(&Silent);
        assert_eq!(session.state().problem, None);
        session.line().unwrap().clone()
    };
    // The second line is of the track that was read for the first one; another vehicle reads it anew.
    for edits in [&[pin][..], &[pin, vehicle]] {
        assert_eq!(made(edits, false), made(edits, true));
    }
}

#[test]
fn a_preview_costs_what_its_pin_costs_and_changes_nothing() {
    let mut session = Session::new(vec![file("club.png"), file("club.toml")]).unwrap();
    let pin = |at: [f64; 2]| {
        let value = serde_json::json!({ "at": at, "tolerance_m": 0.2 });
        serde_json::json!([{ "do": "add", "key": "pin", "value": value }]).to_string()
    };
    assert!(matches!(session.preview(&pin([0.0, 0.0])), Err(SessionError::NoLine)));
    session.make(&Silent);
    let line = session.line().unwrap().clone();
    let sidecar = session.sidecar().to_owned();
    let nothing = session.preview("[]").unwrap();
    assert!(nothing.change_s.abs() < 1e-9, "{}", nothing.change_s);
    // From the line's sharpest place outwards, where it hurts: farther costs more, and the line is there.
    let apex = line.points.iter().max_by(|a, b| a.curvature_radpm.total_cmp(&b.curvature_radpm)).unwrap();
    let beside = |left_m: f64| [apex.x_m - apex.heading_rad.sin() * left_m, apex.y_m + apex.heading_rad.cos() * left_m];
    let [near, far] = [-1.0, -2.5].map(|left_m| session.preview(&pin(beside(left_m))).unwrap());
    assert!(0.0 < near.change_s && near.change_s < far.change_s, "{} {}", near.change_s, far.change_s);
    let [x, y] = beside(-2.5);
    let nearest = far.points_m.iter().map(|point| (point[0] - x).hypot(point[1] - y)).fold(f64::INFINITY, f64::min);
    assert!(nearest < 1.5, "{nearest} m from the pin");
    let off_road = session.preview(&pin(beside(-60.0))).unwrap_err().to_string();
    assert!(off_road.contains("pin 1"), "{off_road}");
    assert_eq!((session.sidecar(), session.line()), (&*sidecar, Some(&line)));
}

#[test]
fn a_preview_costs_what_it_adds_to_the_changes_before_it() {
    let mut session = Session::new(vec![file("club.png"), file("club.toml")]).unwrap();
    session.make(&Silent);
    let line = session.line().unwrap();
    let apex = line.points.iter().max_by(|a, b| a.curvature_radpm.total_cmp(&b.curvature_radpm)).unwrap();
    let at = [apex.x_m + 2.5 * apex.heading_rad.sin(), apex.y_m - 2.5 * apex.heading_rad.cos()];
    let pin = serde_json::json!([{ "do": "add", "key": "pin", "value": { "at": at, "tolerance_m": 0.2 } }]).to_string();
    // The pin stands in the sidecar, and its line is not made yet: whoever drags something else pays for that alone.
    session.edit(&pin).unwrap();
    let beside = session.preview("[]").unwrap();
    let without = session.preview(r#"[{"do": "drop", "key": "pin", "index": 0}]"#).unwrap();
    assert!(beside.change_s.abs() < 1e-9 && without.change_s < -0.01, "{} {}", beside.change_s, without.change_s);
    // One that is impossible is dragged to where it is not.
    session.undo().unwrap();
    session.edit(&pin.replace(&at[0].to_string(), "-500.0")).unwrap();
    assert!(session.preview("[]").is_err());
    assert!(session.preview(r#"[{"do": "drop", "key": "pin", "index": 0}]"#).unwrap().change_s.abs() < 1e-9);
}

#[test]
fn a_previewer_of_another_worker_has_the_same_coarse_lines() {
    let mut session = Session::new(vec![file("club.png"), file("club.toml")]).unwrap();
    assert!(session.previewer().is_none());
    session.make(&Silent);
    let text = serde_json::to_string(&KeptPreviewer::from(session.previewer().unwrap())).unwrap();
    let mut other = Previewer::from(serde_json::from_str::<KeptPreviewer>(&text).unwrap());
    let [x, y] = session.line().unwrap().points.first().map(|point| [point.x_m + 1.0, point.y_m]).unwrap();
    let value = serde_json::json!({ "at": [x, y], "tolerance_m": 0.2 });
    let pin = serde_json::json!([{ "do": "add", "key": "pin", "value": value }]).to_string();
    let own = session.preview(&pin).unwrap();
    assert_eq!(other.preview(Path::new("track.toml"), session.sidecar(), &pin).unwrap(), own);
}

#[test]
fn streets_ask_for_their_ends_and_are_drawn() {
    let quarter = file("maps/quarter.geojson");
    let mut session = Session::new(vec![("quarter.geojson".to_owned(), quarter.1.clone())]).unwrap();
    session.make(&Silent);
    assert_eq!(session.state().missing, Some("from"), "{:?}", session.state().problem);
    let streets = |page: &str| page.split_once("\"streets\":[[").map(|(_, rest)| rest.matches("],[").count());
    assert!(streets(session.page()) > Some(44), "the page draws the streets");
    let ends =
        r#"[{"do": "set", "key": "from", "value": [-80, -190]}, {"do": "set", "key": "to", "value": [80, 190]}]"#;
    session.edit(ends).unwrap();
    session.make(&Silent);
    assert_eq!((session.state().problem.as_deref(), session.state().missing), (None, None));
    assert!((300.0..800.0).contains(&session.line().unwrap().length_m));
    // A name in the options means one road, which is reported; KML has no routes.
    for (name, bytes, sidecar) in
        [("quarter.geojson", quarter.1.clone(), "part = \"Nowhere\"\n"), ("quarter.kml", kml_of_lines(3), "")]
    {
        let mut other =
            Session::new(vec![(name.to_owned(), bytes), ("quarter.toml".to_owned(), sidecar.into())]).unwrap();
        other.make(&Silent);
        assert!(other.state().missing.is_none() && other.state().problem.is_some(), "{name}: {:?}", other.state());
    }
}

/// A KML of parallel lines.
fn kml_of_lines(count: usize) -> Vec<u8> {
    let line = |k: usize| {
        format!("<Placemark><LineString><coordinates>13.0,52.0{k} 13.1,52.0{k}</coordinates></LineString></Placemark>")
    };
    let lines: String = (1..=count).map(line).collect();
    format!("<kml xmlns=\"http://www.opengis.net/kml/2.2\"><Document>{lines}</Document></kml>").into_bytes()
}

/// Whether the page of a session has the tool for an option of reading.
fn offers(session: &Session, tool: &str) -> bool {
    let start = "\"reading\":{";
    let page = if session.page().is_empty() { session.draft().unwrap() } else { session.page().to_owned() };
    let tools = &page[page.find(start).unwrap() + start.len()..];
    tools[..tools.find('}').unwrap()].contains(&format!("\"{tool}\":true"))
}

#[test]
fn road_and_via_are_offered_where_a_road_is_chosen() {
    let made = |files: Vec<(String, Vec<u8>)>| {
        let mut session = Session::new(files).unwrap();
        let draft = ["lap", "road_at", "via"].map(|tool| offers(&session, tool));
        session.make(&Silent);
        assert_eq!(session.state().problem, None);
        (draft, ["lap", "road_at", "via"].map(|tool| offers(&session, tool)))
    };
    let everything = [true; 3];
    assert_eq!(made(vec![file("oval.png"), file("oval.toml")]), (everything, [true, true, false]), "one road");
    assert_eq!(made(vec![file("eight.png"), file("eight.toml")]), (everything, everything), "it crosses itself");
    let ring = (0..60).map(|k| f64::from(k) * std::f64::consts::TAU / 60.0);
    let rows: String = ring.map(|angle| format!("{},{},5,5\n", 60.0 * angle.cos(), 60.0 * angle.sin())).collect();
    let csv = ("ring.csv".to_owned(), format!("x_m,y_m,w_tr_right_m,w_tr_left_m\n{rows}").into_bytes());
    assert_eq!(made(vec![csv]), ([false; 3], [false; 3]), "a file of one road");
    let quarter = |name: &str| (name.to_owned(), file(&format!("maps/{name}")).1);
    let route = made(vec![quarter("quarter.geojson"), quarter("quarter.toml")]);
    assert_eq!(route.1, [false, false, true], "a route through streets");
    let planned = "from = [21.7, 0.5]\nto = [10.3, 11.2]\nvehicle = \"robot-car\"\n".as_bytes().to_vec();
    let map = vec![file("grid.yaml"), file("grid.png"), ("grid.toml".to_owned(), planned)];
    assert_eq!(made(map), ([false, false, true], [false, false, true]), "a path through free space");
}

#[test]
fn the_width_of_the_road_is_offered_where_it_changes_it() {
    let ring = |widths: &str| {
        let angle = |i: i32| f64::from(i) * std::f64::consts::TAU / 60.0;
        let row = |i| format!("{},{}{widths}\n", 60.0 * angle(i).cos(), 60.0 * angle(i).sin());
        let rows: String = (0..60).map(row).collect();
        format!("x_m,y_m{}\n{rows}", if widths.is_empty() { "" } else { ",w_tr_right_m,w_tr_left_m" }).into_bytes()
    };
    let of_ring = |bytes: Vec<u8>, sidecar: &str| {
        let files = vec![("ring.csv".to_owned(), bytes), ("ring.toml".to_owned(), sidecar.into())];
        let mut session = Session::new(files).unwrap();
        session.make(&Silent);
        assert_eq!(session.state().problem, None, "{sidecar}");
        offers(&session, "width")
    };
    assert!(of_ring(ring(""), "track_width_m = 10.0\n"), "a line without a width");
    assert!(!of_ring(ring(",5,5"), ""), "a line with widths");
    assert!(!of_ring(ring(",5,5"), "track_width_m = 10.0\n"), "the option is not used");
}

fn keep(session: &mut Session) -> Result<(), SessionError> {
    session.compare(r#"{"do": "keep"}"#, None)
}

fn add(session: &mut Session, name: &str, bytes: &[u8]) -> Result<(), SessionError> {
    session.compare(&serde_json::json!({"do": "add", "name": name}).to_string(), Some(bytes))
}

/// Lines on a page.
fn count_lines(page: &str) -> usize {
    page.matches("\"label\":\"").count()
}

#[test]
fn a_preview_of_an_edge_has_its_moved_piece_and_what_that_gains() {
    let mut session = Session::new(vec![file("club.png"), file("club.toml")]).unwrap();
    session.make(&Silent);
    let line = session.line().unwrap().clone();
    // Inside the sharpest bend, to the left: the inner edge 3 m farther in.
    let apex = line.points.iter().max_by(|a, b| a.curvature_radpm.total_cmp(&b.curvature_radpm)).unwrap();
    let at = |out_m: f64| {
        let left_m = apex.left_m + out_m;
        [apex.x_m - apex.heading_rad.sin() * left_m, apex.y_m + apex.heading_rad.cos() * left_m]
    };
    let edit = |out_m: f64| {
        let value = serde_json::json!({ "at": at(out_m), "side": "left" });
        serde_json::json!([{ "do": "add", "key": "edge_point", "value": value }]).to_string()
    };
    let wider = session.preview(&edit(3.0)).unwrap();
    assert!(wider.change_s < -0.02, "{}", wider.change_s);
    assert_eq!(wider.edges_m.len(), 1);
    let [x, y] = at(3.0);
    assert!(wider.edges_m[0].iter().any(|place| (place[0] - x).hypot(place[1] - y) < 1e-3));
    assert!(session.preview("[]").unwrap().edges_m.is_empty());
    let far = session.preview(&edit(60.0)).unwrap_err().to_string();
    assert!(far.contains("edge_point 1 lies"), "{far}");
    // Made in the sidecar, the track has it, and another preview starts from there.
    session.edit(&edit(3.0)).unwrap();
    session.make(&Silent);
    assert_eq!(session.state().problem, None);
    assert!(session.line().unwrap().lap_time_s < line.lap_time_s);
    assert!(session.preview("[]").unwrap().edges_m.is_empty());
    // The track was not read again: the line is the same as if it had been.
    let options =
        Options::from_layers(&[Layer::from_toml(Path::new("club.toml"), session.sidecar()).unwrap()]).unwrap();
    let input = input::of_bytes(Path::new("club.png"), file("club.png").1, None, Reach::WithinFolder).unwrap();
    let track = pipeline::extract_input(Path::new("club.png"), &input, &options, &Silent).unwrap();
    let vehicle = options.load_vehicle().unwrap();
    let outcome = pipeline::optimize(track, &Request::new(&options, &vehicle).detail(true)).unwrap();
    assert_eq!(session.line(), Some(&outcome.line));
    let warnings: Vec<String> = outcome.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(session.state().warnings, warnings);
}

#[test]
fn lines_are_kept_and_compared_up_to_five_and_shared_without_tools() {
    use ComparisonError::{NoEntry, NoLine, NotComparable, NotRead, TooManyLines};
    let refused = |done: Result<(), SessionError>| match done {
        Err(SessionError::Comparison(error)) => error,
        other => panic!("{other:?}"),
    };
    let mut session = Session::new(vec![file("club.png"), file("club.toml")]).unwrap();
    assert!(matches!(refused(keep(&mut session)), NoLine));
    session.make(&Silent);
    let alone = count_lines(session.page());
    keep(&mut session).unwrap();
    assert_eq!((alone, count_lines(session.page())), (1, 2));
    add(&mut session, "friday.json", &file("club.raceline.json").1).unwrap();
    assert!(session.page().contains("\"friday"));
    let other = refused(add(&mut session, "oval.raceline.json", &file("oval.raceline.json").1));
    assert!(other.to_string().contains("oval.raceline.json"), "{other}");
    assert!(matches!(refused(add(&mut session, "none.csv", b"a,b\n1,2\n")), NotComparable { .. }));
    let named = session.compare(r#"{"do": "add", "name": "club.raceline.json"}"#, None);
    assert!(matches!(refused(named), NotRead { .. }), "a session has no folder");
    assert!(matches!(refused(session.compare(r#"{"do": "drop", "index": 2}"#, None)), NoEntry { number: 3 }));
    assert!(refused(session.compare("{}", None)).to_string().contains("no change"));
    keep(&mut session).unwrap();
    keep(&mut session).unwrap();
    assert!(matches!(refused(keep(&mut session)), TooManyLines));
    assert_eq!(count_lines(session.page()), 5);
    let shared = session.shared_page().unwrap();
    assert!(shared.contains("\"friday") && !shared.contains("connect-src"), "a page to send asks for nothing");
    session.compare(r#"{"do": "drop", "index": 1}"#, None).unwrap();
    assert!(count_lines(session.page()) == 4 && !session.page().contains("\"friday"));
    session.compare(r#"{"do": "clear"}"#, None).unwrap();
    assert_eq!(count_lines(session.page()), alone);
}

#[test]
fn what_is_compared_stays_with_the_next_line_and_is_away_while_the_track_is_another() {
    let mut session = Session::new(vec![file("club.png"), file("club.toml")]).unwrap();
    session.make(&Silent);
    add(&mut session, "friday.json", &file("club.raceline.json").1).unwrap();
    session.edit(r#"[{"do": "set", "key": "vehicle", "value": "kart"}]"#).unwrap();
    session.make(&Silent);
    assert!(session.page().contains(r#"{"name":"friday","is_shown":true}"#) && count_lines(session.page()) == 2);
    let other = r#"[{"do": "set", "key": "metres_per_pixel", "value": 2.0}, {"do": "remove", "key": "start"}]"#;
    session.edit(other).unwrap();
    session.make(&Silent);
    assert_eq!(session.state().problem, None);
    assert!(session.page().contains(r#"{"name":"friday","is_shown":false}"#) && count_lines(session.page()) == 1);
    session.undo().unwrap();
    session.make(&Silent);
    assert!(session.page().contains(r#"{"name":"friday","is_shown":true}"#) && count_lines(session.page()) == 2);
}

#[test]
fn a_comparison_is_handed_to_another_session_of_the_track() {
    let files = || vec![file("kart.png"), file("kart.toml")];
    let mut first = Session::new(files()).unwrap();
    first.make(&Silent);
    keep(&mut first).unwrap();
    let rows = first
        .line()
        .unwrap()
        .points
        .iter()
        .map(|point| format!("1,{},{},{},{}\n", 1.02 * point.time_s, point.x_m, point.y_m, point.speed_mps / 1.02));
    let lap = rows.fold("lap,time_s,x_m,y_m,speed_mps\n".to_owned(), |text, row| text + &row);
    add(&mut first, "monday.csv", lap.as_bytes()).unwrap();
    let mut second = Session::new(files()).unwrap();
    second.restore_comparison(first.comparison_files().unwrap()).unwrap();
    assert_eq!(count_lines(second.page()), 0, "there is no line yet");
    second.make(&Silent);
    assert_eq!(count_lines(second.page()), 3);
    let kept = format!("{:.3} s", first.line().unwrap().lap_time_s);
    assert!(second.page().contains("monday") && second.page().contains(&kept));
    let no_line = vec![("none".to_owned(), b"{}".to_vec())];
    assert!(matches!(second.restore_comparison(no_line), Err(SessionError::Comparison(_))));
    assert_eq!(count_lines(second.page()), 3, "a refused comparison leaves the one before");
}
