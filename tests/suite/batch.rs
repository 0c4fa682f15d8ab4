//! The batch stage as a library: finding tasks, layers of options, what is up to date, and drift.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use raceline::analysis::drift::{self, Drift, Tolerances};
use raceline::batch::{self, Action, FindError, Observer, Request, State, Status, StoreError, Task, TaskReport};
use raceline::file::RacingLine;
use raceline::file::json;
use raceline::options::Layer;
use raceline_render::close_up::{self, CloseUp};
use serde_json::{Map, Value};
use tempfile::TempDir;

use crate::sample_lines;

fn no_flags() -> Layer {
    Layer::from_command_line(&Map::<String, Value>::new()).unwrap()
}

/// A folder with these files; text ending in `.csv` gets a centre line.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

/// A circle of radius `radius_m` as a centre line with widths.
fn circle_csv(radius_m: f64) -> String {
    let rows = (0..90).map(|i| {
        let (sin, cos) = (f64::from(i) * std::f64::consts::TAU / 90.0).sin_cos();
        format!("{:.6},{:.6},5.0,5.0\n", radius_m * cos, radius_m * sin)
    });
    "# x_m,y_m,w_tr_right_m,w_tr_left_m\n".to_owned() + &rows.collect::<String>()
}

fn names(tasks: &[Task]) -> Vec<&str> {
    tasks.iter().map(|task| task.relative.as_str()).collect()
}

fn request(action: Action) -> Request {
    Request {
        command_line: no_flags(),
        action,
        detail: false,
        verify: true,
        jobs: 2,
        max_memory_bytes: None,
        fail_fast: false,
    }
}

const MAKE: Action = Action::Make { force: false };

struct Quiet;
impl Observer for Quiet {}

fn write(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    Ok(fs::write(path, bytes)?)
}

fn statuses(tasks: &[Task], request: &Request) -> Vec<Status> {
    batch::run(tasks, request, &Quiet, &write).tracks.iter().map(|track| track.status).collect()
}

#[test]
fn tracks_are_found_in_folders_too_and_what_is_none_is_passed_over() {
    let map = "image: map.pgm\nresolution: 0.05\norigin: [0, 0, 0]\n";
    let folder = folder(&[
        ("b.png", ""),
        ("a.csv", ""),
        ("a.toml", ""),
        ("europe/c.JPG", ""),
        ("europe/d.track.json", "{}"),
        ("map.yaml", map),
        ("map.pgm", ""),
        ("ci.yml", "on: push\n"),
        ("a.raceline.json", "{}"),
        (".hidden/x.png", ""),
        ("out/y.png", ""),
        ("README.md", ""),
        ("drawing.svg", ""),
        // Beside the folder's defaults, which are no sidecar of its.
        ("raceline.svg", ""),
        ("e.svg", ""),
        ("e.toml", ""),
        ("raceline.toml", ""),
        // A track of TORCS, its mask, and other XML.
        ("forza.xml", "<params><section name=\"Main Track\"/></params>"),
        ("forza.png", ""),
        ("car.xml", "<params><section name=\"Car\"/></params>"),
    ]);
    let tasks = batch::find(folder.path(), Some(&folder.path().join("out"))).unwrap();
    assert_eq!(
        names(&tasks),
        ["a.csv", "b.png", "e.svg", "europe/c.JPG", "europe/d.track.json", "forza.xml", "map.yaml"]
    );
    let outputs: Vec<PathBuf> = tasks.iter().map(|task| task.output.clone()).collect();
    assert_eq!(outputs[4], folder.path().join("out/europe/d.raceline.json"));
    assert_eq!(tasks[0].sidecar, Some(folder.path().join("a.toml")));
    assert!(tasks.iter().all(|task| task.defaults == Some(folder.path().join("raceline.toml"))));
    assert_eq!(
        tasks[6].dependencies(&no_flags()),
        [folder.path().join("raceline.toml"), folder.path().join("map.pgm")]
    );
}

#[test]
fn a_folder_that_is_none_is_reported() {
    let folder = folder(&[("a.csv", "")]);
    for (name, kind) in [("nosuch", ErrorKind::NotFound), ("a.csv", ErrorKind::NotADirectory)] {
        let found = batch::find(&folder.path().join(name), None).unwrap_err();
        assert!(found.to_string().ends_with(&format!("{name}: can't be listed")), "{found}");
        assert!(matches!(&found, FindError::Unlistable { error, .. } if error.kind() == kind), "{found:?}");
    }
}

#[test]
fn the_sidecar_wins_over_the_defaults_and_the_command_line_over_both() {
    let folder = folder(&[
        ("a.png", ""),
        ("raceline.toml", "seed = 1\nmetres_per_pixel = 0.5\nmethod = \"blend\""),
        ("a.toml", "seed = 2\ntrack_length_m = 900"),
    ]);
    let task = batch::find(folder.path(), None).unwrap().remove(0);
    let flags: Map<String, Value> = Map::from_iter([("seed".to_owned(), 3.into())]);
    let options = task.options(&Layer::from_command_line(&flags).unwrap()).unwrap();
    assert_eq!(options.solve.seed, 3);
    assert_eq!(options.method.name(), "blend");
    // One scale replaces another.
    assert_eq!((options.scale.metres_per_pixel, options.scale.track_length_m), (None, Some(900.0)));
    assert_eq!(task.options(&no_flags()).unwrap().solve.seed, 2);
}

#[test]
fn a_file_is_stale_when_input_options_vehicle_or_detail_changed_and_not_when_its_time_did() {
    let csv = circle_csv(60.0);
    let folder = folder(&[("a.csv", &csv), ("a.toml", "seed = 4\n")]);
    let place = |name: &str| folder.path().join(name);
    let task = || batch::find(folder.path(), None).unwrap().remove(0);
    let stale = |detail| match batch::state(&task(), &no_flags(), detail).unwrap() {
        State::Stale(reason) => reason,
        State::UpToDate { .. } => "up to date".to_owned(),
    };
    assert_eq!(stale(false), "new");
    assert_eq!(statuses(&[task()], &request(MAKE)), [Status::Made]);
    assert_eq!(stale(false), "up to date");
    assert_eq!(statuses(&[task()], &request(MAKE)), [Status::UpToDate]);
    assert_eq!(statuses(&[task()], &request(Action::Make { force: true })), [Status::Made]);
    // Written again, with the same content.
    fs::write(place("a.csv"), &csv).unwrap();
    assert_eq!(stale(false), "up to date");
    assert_eq!(stale(true), "has no detail");
    fs::write(place("a.toml"), "seed = 5\n").unwrap();
    assert_eq!(stale(false), "seed was 4, is 5");
    fs::write(place("a.toml"), "seed = 4\nvehicle = \"kart\"").unwrap();
    assert!(stale(false).starts_with("vehicle."), "{}", stale(false));
    fs::write(place("a.toml"), "seed = 4").unwrap();
    fs::write(place("a.csv"), circle_csv(61.0)).unwrap();
    assert_eq!(stale(false), "the input changed");
    fs::write(place("a.csv"), &csv).unwrap();
    let line = fs::read_to_string(place("a.raceline.json")).unwrap();
    fs::write(place("a.raceline.json"), line.replace("\"raceline 0.", "\"raceline 9.")).unwrap();
    assert!(stale(false).starts_with("made by raceline 9."));
    fs::write(place("a.raceline.json"), &line[..line.len() / 2]).unwrap();
    assert_eq!(stale(false), "the file is damaged");
}

#[test]
fn an_extracted_track_that_was_mended_by_hand_is_made_again() {
    let source = folder(&[("a.csv", &circle_csv(60.0))]);
    let options = raceline::Options::default();
    let track =
        raceline::pipeline::extract(&source.path().join("a.csv"), &options, &raceline::pipeline::Silent).unwrap();
    let file = raceline::track_file::TrackFile::new(&track.name, &track.track, &track.source);
    let bytes = raceline::track_file::write(&file).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    let folder = folder(&[("a.track.json", &text)]);
    let tasks = batch::find(folder.path(), None).unwrap();
    assert_eq!(statuses(&tasks, &request(MAKE)), [Status::Made]);
    assert_eq!(statuses(&tasks, &request(MAKE)), [Status::UpToDate]);
    fs::write(folder.path().join("a.track.json"), text.replace("\"name\": \"a\"", "\"name\": \"b\"")).unwrap();
    assert_eq!(batch::state(&tasks[0], &no_flags(), false).unwrap(), State::Stale("the input changed".to_owned()));
}

#[test]
fn one_that_fails_stops_no_other_unless_that_is_asked_for() {
    let csv = circle_csv(60.0);
    let folder = folder(&[("a.csv", "nonsense"), ("b.csv", &csv), ("c.csv", &csv), ("c.geojson", "{}")]);
    let tasks = batch::find(folder.path(), None).unwrap();
    let report = batch::run(&tasks, &request(MAKE), &Quiet, &write);
    let found: Vec<(&str, Status)> = report.tracks.iter().map(|track| (track.name.as_str(), track.status)).collect();
    let expected = [("a", Status::Failed), ("b", Status::Made), ("c", Status::Failed), ("c", Status::Failed)];
    assert_eq!(found, expected);
    assert!(report.tracks[0].error.as_ref().unwrap().contains("a.csv"));
    assert!(report.tracks[2].error.as_ref().unwrap().contains("would both be written to"));
    assert!(
        report.tracks[1].stages.iter().any(|stage| stage.stage == "searching the time-optimal line"),
        "{:?}",
        report.tracks[1].stages
    );
    // Two inputs with one output fail before anything begins.
    let mut fail_fast = request(Action::Make { force: true });
    fail_fast.fail_fast = true;
    assert_eq!(statuses(&tasks, &fail_fast)[1], Status::NotRun);
}

#[test]
fn what_cannot_be_written_is_that_tracks_failure() {
    let folder = folder(&[("a.csv", &circle_csv(60.0)), ("b.csv", &circle_csv(70.0))]);
    let tasks = batch::find(folder.path(), None).unwrap();
    let full = |path: &Path, bytes: &[u8]| {
        if path.ends_with("a.raceline.json") { Err("the disk is full".into()) } else { write(path, bytes) }
    };
    let report = batch::run(&tasks, &request(MAKE), &Quiet, &full);
    assert_eq!(report.tracks[0].error.as_deref(), Some("the disk is full"));
    assert_eq!(report.tracks[1].status, Status::Made);
}

#[test]
fn a_check_compares_writes_nothing_and_names_what_is_missing() {
    let folder = folder(&[("a.csv", &circle_csv(60.0)), ("b.csv", &circle_csv(70.0)), ("c.csv", &circle_csv(80.0))]);
    let tasks = batch::find(folder.path(), None).unwrap();
    statuses(&tasks[..2], &request(MAKE));
    let place = folder.path().join("b.raceline.json");
    let mut line = json::read(&fs::read(&place).unwrap()).unwrap();
    line.lap_time_s *= 1.01;
    fs::write(&place, json::write(&line).unwrap()).unwrap();
    let before = fs::read(&place).unwrap();

    struct Drifted(Mutex<Vec<String>>);
    impl Observer for Drifted {
        fn ends(&self, task: &Task, report: &TaskReport) {
            assert_eq!(task.name, report.name);
        }
        fn drifted(&self, task: &Task, kept: &RacingLine, now: &RacingLine, _drift: &Drift) {
            assert!(kept.lap_time_s > now.lap_time_s);
            self.0.lock().unwrap().push(task.name.clone());
        }
    }
    let drifted = Drifted(Mutex::new(Vec::new()));
    let none = |_: &Path, _: &[u8]| -> Result<(), StoreError> { Err("nothing may be written".into()) };
    let report = batch::run(&tasks, &request(Action::Check(Tolerances::default())), &drifted, &none);
    let found: Vec<Status> = report.tracks.iter().map(|track| track.status).collect();
    assert_eq!(found, [Status::Matches, Status::Drifted, Status::Failed]);
    assert!(report.tracks[2].error.as_ref().unwrap().contains("the file to compare with does not exist"));
    assert_eq!(*drifted.0.lock().unwrap(), ["b"]);
    assert_eq!(fs::read(&place).unwrap(), before);
}

/// The drift between a line and the same line changed.
fn drift_of(kept: &RacingLine, change: impl FnOnce(&mut RacingLine)) -> Drift {
    let mut now = kept.clone();
    change(&mut now);
    drift::compare(kept, &now, &Tolerances::default())
}

/// Moves the points about `middle_m` to the left by up to `max_m`, smoothly, over `length_m`.
fn bulge(line: &mut RacingLine, middle_m: f64, length_m: f64, max_m: f64) {
    let lap = line.length_m;
    for point in &mut line.points {
        let along = (point.s_m - middle_m + 1.5 * lap).rem_euclid(lap) - lap / 2.0;
        if along.abs() < length_m / 2.0 {
            let fraction = (std::f64::consts::PI * along / length_m).cos().powi(2);
            point.x_m -= max_m * fraction * point.heading_rad.sin();
            point.y_m += max_m * fraction * point.heading_rad.cos();
        }
    }
}

fn golden(name: &str) -> RacingLine {
    let path =
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("tracks").join(format!("{name}.raceline.json"));
    json::read(&fs::read(path).unwrap()).unwrap()
}

#[test]
fn a_line_and_itself_fit_also_when_its_points_lie_elsewhere_on_the_curve() {
    let line = golden("club");
    assert!(drift_of(&line, |_| {}).fits());
    let without_some = drift_of(&line, |line| {
        // On straights, where neighbours give the same curve.
        let mut index = 0;
        line.points.retain(|point| {
            index += 1;
            index % 5 != 3 || point.curvature_radpm.abs() > 1e-3
        });
    });
    assert!(without_some.fits(), "{:?}", without_some.sentences());
}

#[test]
fn a_line_moved_at_one_corner_is_reported_there_and_nowhere_else() {
    for name in ["club", "kart", "eight"] {
        let line = golden(name);
        let analysis = raceline::analysis::analyse(&line, &raceline::analysis::AnalysisOptions::default()).unwrap();
        for corner in &analysis.corners {
            let middle = corner.apex_s_m;
            let found = drift_of(&line, |line| bulge(line, middle, 40.0, 0.2));
            assert_eq!(found.lateral_m.len(), 1, "{name} {middle}: {:?}", found.sentences());
            let stretch = found.lateral_m[0];
            assert!((stretch.worst_s_m - middle).abs() < 4.0, "{name} {middle}: {stretch:?}");
            assert!((stretch.difference - 0.2).abs() < 0.02, "{name} {middle}: {stretch:?}");
            assert_eq!(stretch.corner, Some(corner.number.number), "{name} {middle}: {stretch:?}");
            assert!(line.closed && found.speed_mps.is_empty() && found.lap_times.is_empty());
        }
    }
}

#[test]
fn a_stretch_over_the_start_line_is_one() {
    let line = golden("club");
    let found = drift_of(&line, |line| bulge(line, 0.0, 60.0, -0.3));
    assert_eq!(found.lateral_m.len(), 1, "{:?}", found.sentences());
    let stretch = found.lateral_m[0];
    assert!(
        stretch.from_s_m > line.length_m - 30.0 && stretch.to_s_m < 30.0 && stretch.difference < -0.28,
        "{stretch:?}"
    );
}

#[test]
fn speeds_lap_times_keys_and_the_start_are_looked_at() {
    let line = golden("oval");
    let speed = drift_of(&line, |line| line.points[40].speed_mps += 0.25);
    assert_eq!((speed.speed_mps.len(), speed.lateral_m.len()), (1, 0));
    assert!((speed.speed_mps[0].worst_s_m - line.points[40].s_m).abs() < 0.5);
    assert_eq!(drift_of(&line, |line| line.lap_time_s *= 1.002).lap_times.len(), 1);
    assert!(drift_of(&line, |line| line.lap_time_s *= 1.0009).fits());
    assert!(drift_of(&line, |line| line.candidates[0].lap_time_s *= 1.002).lap_times.len() == 1);
    let seed = drift_of(&line, |line| line.options.solve.seed = 99);
    assert_eq!(seed.sentences(), ["options.seed was 1, is 99"]);
    // A version that knows fewer options wrote the kept file.
    let mut file: Value = serde_json::from_slice(&json::write(&line).unwrap()).unwrap();
    assert!(file["options"].as_object_mut().unwrap().remove("joint_widths").is_some());
    let older = json::read(file.to_string().as_bytes()).unwrap();
    assert!(drift_of(&line, |line| *line = older).fits());
    assert!(drift_of(&line, |line| line.generator = "raceline 99".to_owned()).fits());
    let turned = drift_of(&line, |line| line.points.rotate_left(5));
    assert!(turned.start_shift_m.is_some());
    let elsewhere = drift_of(&line, |line| line.points.iter_mut().for_each(|point| point.x_m += 500.0));
    assert!(elsewhere.not_comparable.is_some());
}

#[test]
fn a_start_line_counts_as_moved_beyond_a_metre() {
    let line = golden("oval");
    let moved = |shift_m: f64| {
        drift_of(&line, |line| {
            let heading = line.points[0].heading_rad;
            let first = &mut line.points[0];
            first.x_m += shift_m * heading.cos();
            first.y_m += shift_m * heading.sin();
        })
    };
    assert_eq!(moved(0.9).start_shift_m, None);
    let shift = moved(1.1).start_shift_m.unwrap();
    assert!((shift - 1.1).abs() < 1e-9, "{shift}");
}

#[test]
fn stretches_half_a_second_apart_are_two() {
    let line = golden("oval");
    // Lateral differences of up to 0.3 m over 10 m each, their middles this many seconds apart.
    let stretches = |apart_s: f64| {
        let middle = 0.25 * line.length_m;
        let speed = line.points.iter().min_by(|a, b| (a.s_m - middle).abs().total_cmp(&(b.s_m - middle).abs()));
        let apart_m = apart_s * speed.unwrap().speed_mps;
        let found = drift_of(&line, |line| {
            bulge(line, middle, 10.0, 0.3);
            bulge(line, middle + apart_m, 10.0, 0.3);
        });
        found.lateral_m.len()
    };
    assert_eq!((stretches(0.5), stretches(1.2)), (1, 2));
}

#[test]
fn a_close_up_shows_both_lines_where_they_differ() {
    let line = golden("club");
    let mut now = line.clone();
    bulge(&mut now, 700.0, 40.0, 0.2);
    let drift = drift::compare(&line, &now, &Tolerances::default());
    let views = CloseUp::of_drift(&line, &drift);
    assert_eq!(views.len(), 1);
    assert!(
        views[0].title.contains("club at s = 70") || views[0].title.contains("club at s = 69"),
        "{}",
        views[0].title
    );
    let svg = close_up::render(&line, &now, &views[0]);
    assert!(raceline_render::png::from_svg(&svg).is_ok());
    assert!(svg.contains("farther to the left"));
}

#[test]
fn open_lines_are_compared_too() {
    let mut line = sample_lines::stadium();
    line.closed = false;
    assert!(drift_of(&line, |_| {}).fits(), "{:?}", drift_of(&line, |_| {}).sentences());
}
