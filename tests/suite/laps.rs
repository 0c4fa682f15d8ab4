//! Logs of track days: readers, laps, drift, losses and the fitted vehicle, against the drive that the logs
//! are made of.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

mod logs;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use assert_cmd::Command;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use raceline::RacingLine;
use raceline::analysis::{AnalysisOptions, driven_lap, losses};
use raceline::construction::{ImportNote, ImportOptions};
use raceline::drive::{DriveOptions, TraceRow, drive, trace_csv};
use raceline::file::json;
use raceline::input::LogKind;
use raceline::laps::{Log, LogError, Quantity, Reference, Session, SessionNote, SessionOptions, read};
use raceline::pipeline::log_reference;

use crate::drive::of_point_mass;
use logs::{ORIGIN_DEG, Receiver, Row, rows};

/// A line, its drive with two per cent less speed, and the true times at its start line.
struct Driven {
    line: RacingLine,
    trace: Vec<TraceRow>,
    crossings_s: Vec<f64>,
}

fn driven() -> &'static Driven {
    static DRIVEN: OnceLock<Driven> = OnceLock::new();
    DRIVEN.get_or_init(|| {
        let mut line = of_point_mass("club");
        line.source.geographic_origin_deg = Some(ORIGIN_DEG);
        let options = DriveOptions { laps: 4, speed_share: 0.96, ..DriveOptions::default() };
        let trace = drive(&line, &line.vehicle, &options).unwrap().trace;
        let start = log_reference(&line).line;
        let along = (start.points[1] - start.points[start.points.len() - 1]).normalize();
        let beyond = |row: &TraceRow| (row.x_m - start.points[0].x) * along.x + (row.y_m - start.points[0].y) * along.y;
        let near = |row: &TraceRow| (row.x_m - start.points[0].x).hypot(row.y_m - start.points[0].y) < 20.0;
        let passed =
            trace.windows(2).filter(|pair| near(&pair[1]) && beyond(&pair[0]) < 0.0 && beyond(&pair[1]) >= 0.0);
        let time = |pair: &[TraceRow]| {
            let (from, to) = (beyond(&pair[0]), beyond(&pair[1]));
            pair[0].time_s + (pair[1].time_s - pair[0].time_s) * from / (from - to)
        };
        let crossings_s = passed.map(time).collect();
        Driven { line, trace, crossings_s }
    })
}

fn session(log: &Log, reference: Option<Reference>) -> Session {
    Session::new(log, &SessionOptions { reference, ..SessionOptions::default() }).unwrap()
}

/// The differences of the lap times from the true ones, s.
fn errors_s(session: &Session) -> Vec<f64> {
    let times: Vec<f64> = driven().crossings_s.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let found: Vec<f64> = session.table.laps.iter().map(|lap| lap.time_s).collect();
    // The car starts on the line, so that noise may make the first passage one lap more.
    assert!((0..2).contains(&found.len().wrapping_sub(times.len())), "{found:?} {times:?}");
    let found = &found[found.len() - times.len()..];
    found.iter().zip(&times).map(|(found, time)| found - time).collect()
}

/// The largest difference of a lap time from the true one, s.
fn largest_error_s(session: &Session) -> f64 {
    errors_s(session).into_iter().map(f64::abs).fold(0.0, f64::max)
}

fn made(receiver: Receiver) -> Vec<Row> {
    rows(&driven().trace, receiver)
}

#[test]
fn every_format_gives_the_laps_to_a_fiftieth_of_a_second() {
    let rows = made(Receiver { rate_hz: 10.0, noise_m: 0.5, drift_m: 1.0, seed: 1 });
    let of_second = made(Receiver { rate_hz: 1.0, noise_m: 0.5, drift_m: 1.0, seed: 1 });
    let formats: [(&str, Vec<u8>); 10] = [
        ("vbo", logs::vbo(&rows).into_bytes()),
        ("racechrono 3", logs::racechrono_3(&rows).into_bytes()),
        ("racechrono 2", logs::racechrono_2(&rows).into_bytes()),
        ("aim", logs::aim(&rows).into_bytes()),
        ("motec csv", logs::motec_csv(&rows).into_bytes()),
        ("motec ld", logs::motec_ld(&rows, 10)),
        ("gpx", logs::gpx(&rows).into_bytes()),
        ("plain", logs::plain(&rows).into_bytes()),
        ("metres", logs::metres(&rows).into_bytes()),
        ("fit", logs::fit(&of_second)),
    ];
    for (name, bytes) in formats {
        let log = read(&bytes, name).unwrap();
        let session = session(&log, Some(log_reference(&driven().line)));
        let error_s = largest_error_s(&session);
        let noise = session.noise;
        println!(
            "{name}: {error_s:.4} s, noise {:.2} m {:.3} m/s {:.4} rad",
            noise.position_m, noise.speed_mps, noise.heading_rad
        );
        assert!(error_s < 0.02, "{name}: {error_s}");
        assert!((noise.position_m - 0.5).abs() < 0.15, "{name}: {noise:?}");
    }
}

/// Receivers smooth their speeds and bearings, which are late then. A real log of 25 positions a second was
/// taken for one with a noise of three metres.
#[test]
fn a_receiver_whose_speeds_and_bearings_are_late() {
    let exact = made(Receiver { rate_hz: 25.0, noise_m: 0.02, drift_m: 0.5, seed: 1 });
    // Three rows are 0.12 s.
    let mut rows = exact.clone();
    for (row, before) in rows[3..].iter_mut().zip(&exact) {
        (row.speed_mps, row.bearing) = (before.speed_mps, before.bearing);
    }
    let log = read(logs::racechrono_3(&rows).as_bytes(), "a.csv").unwrap();
    let session = session(&log, Some(log_reference(&driven().line)));
    let noise = session.noise;
    assert!(noise.position_m < 0.1 && (noise.lag_s - 0.12).abs() < 0.03, "{noise:?}");
    let error_s = largest_error_s(&session);
    assert!(error_s < 0.01, "{error_s}");
}

#[test]
fn laps_of_slower_and_noisier_receivers() {
    let mut missed = Vec::new();
    for (rate_hz, noise_m, drift_m, limit_s) in [
        (10.0, 0.5, 0.0, 0.005),
        (10.0, 2.0, 2.0, 0.01),
        (5.0, 1.0, 2.0, 0.01),
        (5.0, 2.0, 2.0, 0.01),
        (2.0, 0.5, 2.0, 0.02),
        (2.0, 1.0, 2.0, 0.02),
        // 2 m are 0.042 s at the start line, of which 0.0075 s remain in the root mean square of perfect knowledge.
        (2.0, 2.0, 2.0, 0.025),
        (1.0, 0.5, 1.0, 0.02),
        (1.0, 1.0, 2.0, 0.022),
        (1.0, 2.0, 0.0, 0.025),
        (1.0, 2.0, 2.0, 0.025),
    ] {
        let (mut squares, mut count, mut worst) = (0.0, 0.0, 0.0_f64);
        for seed in 0..6 {
            let rows = made(Receiver { rate_hz, noise_m, drift_m, seed });
            let log = read(logs::vbo(&rows).as_bytes(), "a.vbo").unwrap();
            let errors_s = errors_s(&session(&log, Some(log_reference(&driven().line))));
            squares += errors_s.iter().map(|error| error * error).sum::<f64>();
            count += errors_s.len() as f64;
            worst = errors_s.iter().fold(worst, |worst, error| worst.max(error.abs()));
        }
        let rms: f64 = (squares / count).sqrt();
        println!("{rate_hz} Hz, {noise_m} m, drift {drift_m} m: rms {rms:.4} s, worst {worst:.4} s");
        missed.extend((worst >= limit_s).then_some((rate_hz, noise_m, drift_m, worst)));
    }
    assert!(missed.is_empty(), "{missed:?}");
}

#[test]
fn a_lap_that_is_slower_everywhere_is_slower_at_each_apex() {
    // Corners of both follow one another at once; the slower neighbour is not their apex.
    for name in ["club", "stadium"] {
        let path =
            Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tracks")).join(format!("{name}.raceline.json"));
        let line = json::read(&fs::read(path).unwrap()).unwrap();
        let mut slower = line.clone();
        slower.lap_time_s /= 0.97;
        for point in &mut slower.points {
            point.speed_mps *= 0.97;
            point.time_s /= 0.97;
        }
        let found = losses(&line, &slower, &AnalysisOptions::default()).unwrap();
        assert!((found.total_s - line.lap_time_s * (1.0 / 0.97 - 1.0)).abs() < 1e-9);
        for corner in &found.corners {
            let ratio = corner.driven_lowest_mps / corner.reference_lowest_mps;
            assert!((ratio - 0.97).abs() < 1e-3, "{name}, corner {}: {ratio}", corner.number);
            assert!(corner.apex_speed_s > 0.0 && corner.apex_speed_s < 0.6, "{corner:?}");
        }
    }
}

#[test]
fn losses_by_corner_are_those_of_the_drive() {
    let Driven { line, trace, .. } = driven();
    let options = AnalysisOptions::default();
    let truth = losses(line, &driven_lap(line, trace_csv::write(trace).as_bytes()).unwrap(), &options).unwrap();
    let sum: f64 = truth.corners.iter().map(|corner| corner.loss_s).sum();
    assert!((sum - truth.total_s).abs() < 1e-9, "{sum} {}", truth.total_s);
    for (rate_hz, noise_m) in
        [(10.0, 0.5), (10.0, 2.0), (5.0, 1.0), (2.0, 0.5), (2.0, 2.0), (1.0, 0.5), (1.0, 1.0), (1.0, 2.0)]
    {
        let rows = made(Receiver { rate_hz, noise_m, drift_m: 1.0, seed: 5 });
        let log = read(logs::vbo(&rows).as_bytes(), "a.vbo").unwrap();
        let session = session(&log, Some(log_reference(line)));
        // The same lap as the drive's fastest.
        let best = truth_best();
        let lap = driven_lap(line, session.driven(best).unwrap().as_bytes()).unwrap();
        let found = losses(line, &lap, &options).unwrap();
        let mut worst: f64 = 0.0;
        for (one, other) in truth.corners.iter().zip(&found.corners) {
            worst = worst.max((one.loss_s - other.loss_s).abs());
            println!(
                "  {} {:+.3} {:+.3}  {:+.3}/{:+.3} {:+.3}/{:+.3} {:+.3}/{:+.3} {:+.3}/{:+.3}",
                one.number,
                one.loss_s,
                other.loss_s,
                one.braking_s,
                other.braking_s,
                one.apex_speed_s,
                other.apex_speed_s,
                one.line_s,
                other.line_s,
                one.throttle_s,
                other.throttle_s
            );
        }
        println!(
            "{rate_hz} Hz, {noise_m} m: by corner {worst:.4} s, in all {:.4} s",
            (truth.total_s - found.total_s).abs()
        );
        assert!(worst < 0.05, "{rate_hz} Hz, {noise_m} m: {worst}");
    }
}

/// The fastest whole lap of the drive.
fn truth_best() -> usize {
    let times: Vec<f64> = driven().crossings_s.windows(2).map(|pair| pair[1] - pair[0]).collect();
    1 + (0..times.len()).min_by(|&a, &b| times[a].total_cmp(&times[b])).unwrap()
}

#[test]
fn the_grip_of_a_logged_car_is_found() {
    use raceline_calibrate::{Telemetry, calibrate, run_of};
    let Driven { line, .. } = driven();
    let full = drive(line, &line.vehicle, &DriveOptions { laps: 4, ..DriveOptions::default() }).unwrap();
    let clean = raceline_calibrate::csv::read(trace_csv::write(&full.trace).as_bytes(), "a").unwrap();
    let truth = calibrate(&Telemetry { runs: vec![clean] }, &line.vehicle).unwrap();
    for (rate_hz, noise_m) in [(10.0, 0.5), (10.0, 1.0)] {
        let excess = |seed: u64| {
            let rows = rows(&full.trace, Receiver { rate_hz, noise_m, drift_m: 1.0, seed });
            let log = read(logs::vbo(&rows).as_bytes(), "a.vbo").unwrap();
            let session = session(&log, None);
            let found = calibrate(&Telemetry { runs: vec![run_of(&session, "a.vbo")] }, &line.vehicle).unwrap();
            let (a, b) = (truth.lateral.at(30.0), found.lateral.at(30.0));
            println!("{rate_hz} Hz, {noise_m} m: {a:.3} {b:.3} {:+.2} %", 100.0 * (b / a - 1.0));
            b / a - 1.0
        };
        let seeds = [1, 2, 3, 4, 5];
        let mean = seeds.map(excess).iter().sum::<f64>() / seeds.len() as f64;
        // A log has the accelerations of the course, of which the throttle gives a part across where the nose is
        // inside of it: 3.0 % more than those of the body, which the trace has.
        assert!(mean.abs() < 0.035, "{mean}");
    }
}

#[test]
fn a_log_without_a_track_has_laps_too() {
    let rows = made(Receiver { rate_hz: 10.0, noise_m: 0.5, drift_m: 1.0, seed: 2 });
    let log = read(logs::vbo(&rows).as_bytes(), "a.vbo").unwrap();
    let session = session(&log, None);
    assert!(session.notes.contains(&SessionNote::StartChosen));
    let table = &session.table;
    assert!(table.whole().count() >= 2, "{table:?}");
    let ideal = table.ideal_lap_s.unwrap();
    let best = table.lap(table.best).unwrap();
    assert!(ideal <= best.time_s + 1e-9 && (best.sectors_s.iter().sum::<f64>() - best.time_s).abs() < 1e-9);
    // The road of the laps leads along the driven line.
    let options = raceline::laps::RoadOptions { width_m: None, vehicle_width_m: 2.0, margin_m: 0.3 };
    let road = session.road(&options).unwrap();
    assert!((road.middle().length() / best.length_m - 1.0).abs() < 0.01);
    assert!(road.spread_m < 2.0, "{}", road.spread_m);
}

#[test]
fn columns_and_units_are_reported() {
    let rows = made(Receiver { rate_hz: 10.0, noise_m: 0.5, drift_m: 0.0, seed: 1 });
    let log = read(logs::racechrono_3(&rows).as_bytes(), "a.csv").unwrap();
    let of = |quantity| {
        log.channels.iter().find(|channel| channel.quantity == quantity).map(|c| (c.name.as_str(), c.unit.as_str()))
    };
    assert_eq!(of(Quantity::Time), Some(("timestamp", "unix time")));
    assert_eq!(of(Quantity::Speed), Some(("speed", "m/s")));
    assert_eq!(of(Quantity::Throttle), Some(("throttle_pos", "%")));
    // The speed of the satellites, not that of the wheels.
    let speeds = log.values(Quantity::Speed).unwrap();
    assert!((speeds[500] - rows[500].speed_mps).abs() < 1e-2);
    let log = read(logs::plain(&rows).as_bytes(), "a.csv").unwrap();
    let session = session(&log, None);
    assert!(session.notes.contains(&SessionNote::SpeedUnit { unit: "km/h" }), "{:?}", session.notes);
}

#[test]
fn kml_with_times_is_a_log_and_without_them_a_road() {
    let rows = made(Receiver { rate_hz: 5.0, noise_m: 0.3, drift_m: 0.0, seed: 4 });
    let text = logs::kml(&rows);
    let log = read(text.as_bytes(), "a.kml").unwrap();
    assert_eq!((log.kind, log.len()), (LogKind::Kml, rows.len()));
    let gpx = read(logs::gpx(&rows).as_bytes(), "a.gpx").unwrap();
    let [of_kml, of_gpx] = [&log, &gpx].map(|log| session(log, None).table);
    assert!(of_kml.whole().count() >= 2);
    let kmz = crate::geographic::archive(&[("files/icon.png", b"\x89PNG"), ("doc.kml", text.as_bytes())]);
    let of_kmz = read(&kmz, "a.kmz").unwrap();
    assert_eq!((of_kmz.kind, of_kmz.len()), (LogKind::Kml, rows.len()));
    assert!((of_kml.lap(of_kml.best).unwrap().time_s - of_gpx.lap(of_gpx.best).unwrap().time_s).abs() < 0.3);
    // Its laps are a road too.
    let options = ImportOptions { width_m: Some(10.0), ..ImportOptions::default() };
    let road = raceline::importers::kml(text.as_bytes(), None, &options).unwrap();
    assert!(road.edges.is_closed());
    assert!(matches!(road.notes.first(), Some(ImportNote::LapsAveraged { .. })), "{:?}", road.notes);
    assert_eq!(road.name.as_deref(), Some("A day"));
    // What is damaged, and what has no times.
    let missing = text.replacen("<gx:coord>", "<gx:angles>", 1).replacen("</gx:coord>", "</gx:angles>", 1);
    let error = read(missing.as_bytes(), "a.kml").unwrap_err().to_string();
    assert!(
        error.starts_with(&format!("track 1: it has {} times and {} positions", rows.len(), rows.len() - 1)),
        "{error}"
    );
    let unknown = text.replacen("<when>2026", "<when/><!--", 1).replacen("Z</when>", "-->", 1);
    assert_eq!(read(unknown.as_bytes(), "a.kml").unwrap().len(), rows.len() - 1);
    // The telephone's battery was empty.
    for (text, name, point) in [(text.clone(), "a.kml", "<gx:coord>"), (logs::gpx(&rows), "a.gpx", "<trkpt")] {
        let half = text.match_indices(point).nth(rows.len() / 2).unwrap().0 + point.len() + 3;
        let log = read(&text.as_bytes()[..half], name).unwrap();
        let records = rows.len() / 2;
        assert_eq!((log.len(), log.notes), (records, vec![SessionNote::EndsInElement { records }]), "{name}");
    }
    for text in [text.replace("when>", "then>"), logs::gpx(&rows).replace("time>", "then>")] {
        let error = read(text.as_bytes(), "a").unwrap_err();
        assert!(matches!(error, LogError::NoTimes { .. }), "{error}");
    }
}

#[test]
fn a_fit_that_is_cut_off_is_read_as_far_as_it_goes() {
    let rows = made(Receiver { rate_hz: 1.0, noise_m: 0.3, drift_m: 0.0, seed: 4 });
    let whole = logs::fit(&rows);
    assert!(read(&whole, "a.fit").unwrap().notes.is_empty());
    let half = whole.len() / 2;
    let cut = read(&whole[..half], "a.fit").unwrap();
    // A header of 14 bytes, a definition of 18, and 17 for each record; a check sum of two behind them.
    let records = (half - 32) / 17;
    let note = SessionNote::CutOff { missing: Some(whole.len() - 2 - half), unread: (half - 32) % 17, records };
    assert_eq!((cut.len(), cut.notes.first()), (records, Some(&note)));
    assert!(session(&cut, None).notes.contains(&note));
    // A logger that loses its power has not yet written the size, and what is behind its data may be anything.
    for behind in [[0xff; 51], [0; 51]] {
        let mut unfinished = whole[..half - (half - 32) % 17].to_vec();
        unfinished[4..8].fill(0);
        unfinished.extend_from_slice(&behind);
        let unfinished = read(&unfinished, "a.fit").unwrap();
        assert_eq!(unfinished.notes, [SessionNote::CutOff { missing: None, unread: 51, records }]);
        assert_eq!(unfinished.len(), records);
        let text = unfinished.notes[0].to_string();
        assert!(text.contains("states no size") && text.contains(&format!("{records} records")), "{text}");
    }
    for length in 0..40 {
        let error = read(&whole[..length.max(12)], "a.fit").unwrap_err().to_string();
        assert!(error.contains("cut off before its first record"), "{error}");
    }
    // A file of its full size that ends in a message is damaged.
    let mut damaged = whole.clone();
    let size = (whole.len() - 14 - 2 - 3) as u32;
    damaged[4..8].copy_from_slice(&size.to_le_bytes());
    let error = read(&damaged, "a.fit").unwrap_err().to_string();
    assert!(error.contains("the file ends in a message"), "{error}");
}

fn folder_with(name: &str, bytes: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    fs::write(folder.path().join("club.json"), json::write(&driven().line).unwrap()).unwrap();
    (folder, path)
}

fn raceline(folder: &tempfile::TempDir) -> Command {
    let mut command = Command::cargo_bin("raceline").unwrap();
    command.current_dir(folder.path());
    command
}

#[test]
fn the_program_lists_laps_compares_and_writes_one() {
    let rows = made(Receiver { rate_hz: 10.0, noise_m: 0.5, drift_m: 1.0, seed: 1 });
    let (folder, _) = folder_with("day.vbo", logs::vbo(&rows).as_bytes());
    let optimize = raceline(&folder).args(["optimize", "day.vbo"]).assert().code(1);
    optimize.stderr(
        contains("day.vbo: it is a log of a Racelogic logger, not a track").and(contains("raceline laps day.vbo")),
    );
    let laps = raceline(&folder).args(["laps", "day.vbo", "--track", "club.json", "-o", "best.csv"]).assert().success();
    laps.stdout(contains("a log of a Racelogic logger").and(contains("velocity in km")).and(contains("ideal lap")));
    let json = raceline(&folder).args(["laps", "day.vbo", "--json", "-q"]).assert().success();
    let value: serde_json::Value = serde_json::from_slice(&json.get_output().stdout).unwrap();
    assert_eq!(value["kind"], "a log of a Racelogic logger");
    assert!(value["laps"].as_array().unwrap().len() >= 2);
    for log in ["day.vbo", "best.csv"] {
        let compared = raceline(&folder).args(["compare", log, "club.json", "--table", "losses"]).assert().success();
        compared.stdout(contains("mainly by").and(contains("brakes earlier m")));
    }
    raceline(&folder).args(["render", "club.json", "--driven", "best.csv", "-o", "best.svg"]).assert().success();
    raceline(&folder)
        .args(["compare", "day.vbo", "best.csv"])
        .assert()
        .code(2)
        .stderr(contains("only logs are compared"));
    raceline(&folder).args(["laps", "club.json"]).assert().code(1).stderr(contains("it is no log that is known"));
}

#[test]
fn a_log_keeps_half_a_narrow_car_from_the_edges_of_its_track() {
    let ring = |i: u32| {
        let (sin, cos) = (std::f64::consts::TAU * f64::from(i) / 60.0).sin_cos();
        format!("{:.3},{:.3},4,4\n", 80.0 * cos, 80.0 * sin)
    };
    let text = format!("x_m,y_m,w_tr_right_m,w_tr_left_m\n{}", (0..60).map(ring).collect::<String>());
    let (folder, file) = folder_with("ring.csv", text.as_bytes());
    let found = raceline::pipeline::extract(&file, &raceline::Options::default(), &raceline::pipeline::Silent).unwrap();
    let reference = found.log_reference();
    assert!((reference.half_width_m - 4.0).abs() < 0.05, "{}", reference.half_width_m);
    assert!((reference.free_m - 3.3).abs() < 0.05, "{}", reference.free_m);
    drop(folder);
}

#[test]
fn a_road_of_laps_has_room_beside_the_wheels() {
    let rows = made(Receiver { rate_hz: 10.0, noise_m: 0.5, drift_m: 1.0, seed: 1 });
    let (folder, _) = folder_with("day.vbo", logs::vbo(&rows).as_bytes());
    let mut coach = raceline(&folder);
    // The laps differ by some decimetres; the car is 1.93 m wide, with 0.3 m on either side.
    coach.args(["coach", "day.vbo", "-o", "day.html", "--vehicle", "tum-racecar", "--lap", "99"]);
    let stderr = String::from_utf8(coach.assert().code(2).get_output().stderr.clone()).unwrap();
    let stated = stderr.split("a road ").nth(1).and_then(|rest| rest.split(" m wide").next()).unwrap().to_owned();
    let width: f64 = stated.parse().unwrap();
    assert!((2.5..3.6).contains(&width), "{stderr}");
}

/// The car crosses the start line 3 m beside where it began: the road had a step there, which no vehicle can
/// drive.
#[test]
fn a_single_lap_whose_ends_lie_beside_one_another_is_coached() {
    let rows = made(Receiver { rate_hz: 25.0, noise_m: 0.02, drift_m: 0.0, seed: 1 });
    let [from_s, to_s] = [driven().crossings_s[1], driven().crossings_s[2]];
    let mut lap: Vec<Row> =
        rows.into_iter().filter(|row| row.time_s > from_s - 3.0 && row.time_s < to_s + 3.0).collect();
    for row in &mut lap {
        // A degree of latitude is 111 km.
        row.latitude += 3.0 / 111_000.0 * (row.time_s - from_s) / (to_s - from_s);
    }
    let (folder, _) = folder_with("lap.csv", logs::racechrono_3(&lap).as_bytes());
    let mut coach = raceline(&folder);
    coach.args(["coach", "lap.csv", "-o", "lap.html", "--line", "lap.json", "--vehicle", "tum-racecar"]);
    let stderr = String::from_utf8(coach.assert().success().get_output().stderr.clone()).unwrap();
    assert!(stderr.contains("of 1 laps"), "{stderr}");
    let line = json::read(&fs::read(folder.path().join("lap.json")).unwrap()).unwrap();
    let sharpest = line.points.iter().map(|point| point.curvature_radpm.abs()).fold(0.0, f64::max);
    assert!((line.length_m / driven().line.length_m - 1.0).abs() < 0.03 && sharpest < 0.1, "{sharpest}");
}

#[test]
fn a_day_is_coached_from_the_log_alone() {
    let rows = made(Receiver { rate_hz: 10.0, noise_m: 0.5, drift_m: 1.0, seed: 1 });
    let (folder, _) = folder_with("day.vbo", logs::vbo(&rows).as_bytes());
    let mut coach = raceline(&folder);
    coach.args(["coach", "day.vbo", "-o", "day.html", "--line", "day.json", "--track-width-m", "9"]);
    coach.args(["--vehicle", "tum-racecar"]).assert().success().stdout(contains("mainly by"));
    let page = fs::read_to_string(folder.path().join("day.html")).unwrap();
    assert!(page.contains("\"losses\":{\"total_s\""));
    let line = json::read(&fs::read(folder.path().join("day.json")).unwrap()).unwrap();
    assert!((line.length_m / driven().line.length_m - 1.0).abs() < 0.03, "{}", line.length_m);
    // What was found out before a failure may explain it.
    let mut coach = raceline(&folder);
    coach.args(["coach", "day.vbo", "-o", "day.html", "--track-width-m", "9", "--vehicle", "tum-racecar"]);
    coach.args(["--lap", "99"]).assert().code(2).stderr(contains("day.vbo: a road 9.0 m wide of"));
}
