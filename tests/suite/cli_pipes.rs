//! The command line between other programs: `-` for stdin and stdout, JSON on stdout, exit codes of
//! pipes, and the messages about inputs and values of another kind.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]

use std::fs;
use std::path::Path;
use std::time::Duration;

use assert_cmd::Command;
use raceline::file::json;
use serde_json::Value;
use tempfile::TempDir;

use crate::sample_lines;

/// A quick method: these tests are about files.
const QUICK: [&str; 2] = ["--method", "shortest-path"];

/// A folder with a track `ring.csv` and a line `line.json`.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    let row = |i: i32| {
        let angle = std::f64::consts::TAU * f64::from(i) / 60.0;
        format!("{:.3},{:.3},5,5\n", 60.0 * angle.cos(), 60.0 * angle.sin())
    };
    let ring: String = (0..60).map(row).collect();
    fs::write(folder.path().join("ring.csv"), format!("# x_m,y_m,w_tr_right_m,w_tr_left_m\n{ring}")).unwrap();
    fs::write(folder.path().join("line.json"), json::write(&sample_lines::stadium()).unwrap()).unwrap();
    image::GrayImage::new(80, 60).save(folder.path().join("ground.png")).unwrap();
    folder
}

struct Ran {
    code: i32,
    out: Vec<u8>,
    err: String,
}

impl Ran {
    fn json(&self) -> Value {
        serde_json::from_slice(&self.out)
            .unwrap_or_else(|error| panic!("{error}: {:?}", String::from_utf8_lossy(&self.out)))
    }
}

fn run(folder: &Path, arguments: &[&str], stdin: &[u8]) -> Ran {
    let mut command = Command::cargo_bin("raceline").unwrap();
    let command = command.current_dir(folder).env("NO_COLOR", "1").args(arguments);
    let output = command.write_stdin(stdin).timeout(Duration::from_secs(120)).output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    Ran { code: output.status.code().unwrap_or(-1), out: output.stdout, err }
}

fn done(folder: &Path, arguments: &[&str], stdin: &[u8]) -> Ran {
    let ran = run(folder, arguments, stdin);
    assert_eq!(ran.code, 0, "{arguments:?}: {}", ran.err);
    ran
}

fn failed(folder: &Path, arguments: &[&str], code: i32, parts: &[&str]) {
    let ran = run(folder, arguments, b"");
    assert_eq!(ran.code, code, "{arguments:?}: {}", ran.err);
    for part in parts {
        assert!(ran.err.contains(part), "{part:?} is missing in {:?}", ran.err);
    }
}

#[test]
fn a_track_from_stdin_gives_the_line_of_its_file() {
    let folder = folder();
    let track = fs::read(folder.path().join("ring.csv")).unwrap();
    done(folder.path(), &[&["optimize", "ring.csv"], &QUICK[..]].concat(), b"");
    let of_file = json::read(&fs::read(folder.path().join("ring.raceline.json")).unwrap()).unwrap();
    // Without -o, the line goes to stdout.
    let of_pipe = json::read(&done(folder.path(), &[&["optimize", "-"], &QUICK[..]].concat(), &track).out).unwrap();
    assert_eq!(
        (of_pipe.points, of_pipe.name, of_pipe.source.file),
        (of_file.points.clone(), "stdin".into(), "stdin".into())
    );
    assert_eq!(of_pipe.source.sha256, of_file.source.sha256);
    let named = [&["optimize", "-", "--name", "ring", "-o", "-"], &QUICK[..]].concat();
    assert_eq!(json::read(&done(folder.path(), &named, &track).out).unwrap().name, "ring");
    failed(
        folder.path(),
        &["optimize", "ring.csv", "line.json", "--name", "a"],
        2,
        &["--name is the name of one track"],
    );
    // An extracted track through the next pipe.
    let extracted = done(folder.path(), &["extract", "-", "--name", "ring"], &track).out;
    let of_track =
        json::read(&done(folder.path(), &[&["optimize", "-"], &QUICK[..]].concat(), &extracted).out).unwrap();
    assert_eq!((of_track.name.as_str(), of_track.points.len()), ("ring", of_file.points.len()));
}

#[test]
fn a_line_from_stdin_goes_through_every_command_that_takes_one() {
    let folder = folder();
    let line = fs::read(folder.path().join("line.json")).unwrap();
    let text = |ran: &Ran| String::from_utf8_lossy(&ran.out).into_owned();
    let both = |command: &[&str], ending: &[&str]| {
        let of =
            |name: &'static str, stdin: &[u8]| text(&done(folder.path(), &[command, &[name], ending].concat(), stdin));
        assert_eq!(of("-", &line), of("line.json", b""), "{command:?}");
    };
    both(&["inspect"], &[]);
    both(&["inspect", "--json"], &[]);
    both(&["export", "--format", "tum", "-o", "-"], &[]);
    both(&["render", "-o", "-"], &[]);
    both(&["compare", "--format", "csv"], &["line.json"]);
    both(&["drive", "--json", "--follower", "profile", "--speed-share", "0.5"], &[]);
    let exported = done(folder.path(), &["export", "-", "--format", "csv"], &line);
    assert!(text(&exported).starts_with("s_m,x_m,y_m,"));
    assert!(text(&done(folder.path(), &["render", "-", "-o", "-"], &line)).starts_with("<svg"));
    failed(folder.path(), &["compare", "-", "-"], 2, &["standard input (-) can be only one of the inputs"]);
    failed(folder.path(), &["inspect", "-"], 1, &["-: it is an empty file, not a racing line"]);
}

#[test]
fn the_hint_decides_where_the_content_does_not() {
    let folder = folder();
    let unclear = b"x_m,y_m\nno,numbers\nnone,here\n";
    let without = run(folder.path(), &["extract", "-"], unclear);
    assert!(without.code == 1 && without.err.contains("not in a supported picture format"), "{}", without.err);
    let hinted = run(folder.path(), &["extract", "-", "--format-hint", "csv"], unclear);
    assert!(hinted.code == 1 && hinted.err.contains("line 1: the header has no column"), "{}", hinted.err);
    // A hint that the content contradicts changes nothing.
    let track = fs::read(folder.path().join("ring.csv")).unwrap();
    done(folder.path(), &["extract", "-", "--format-hint", "png"], &track);
}

#[test]
fn every_command_with_a_table_prints_json() {
    let folder = folder();
    let json = |arguments: &[&str]| done(folder.path(), arguments, b"").json();
    let line = json(&[&["optimize", "ring.csv", "--json", "-o", "ring.raceline.json"], &QUICK[..]].concat());
    assert_eq!(
        (&line["name"], &line["method"], &line["closed"]),
        (&"ring".into(), &"shortest-path".into(), &true.into())
    );
    assert_eq!(line["lines"][0]["lap_time_s"], line["lap_time_s"]);
    let track = json(&["extract", "ring.csv", "-o", "ring.track.json", "--json", "--quiet"]);
    assert_eq!((&track["closed"], &track["sections"].is_u64()), (&true.into(), &true));
    let sweep = ["sweep", "ring.csv", "--vary", "mass_kg=1000,1200", "--method", "shortest-path", "--json"];
    let table = json(&sweep);
    assert_eq!(
        (&table["varied"][0], &table["combinations"], &table["failed"]),
        (&"mass_kg".into(), &2.into(), &0.into())
    );
    assert!(table["fastest"]["lap_time_s"].as_f64() <= table["slowest"]["lap_time_s"].as_f64());
    assert_eq!(json(&[&sweep[..], &["-o", "t.csv"]].concat()), table);
    let both = done(folder.path(), &[&sweep[..], &["-o", "-"]].concat(), b"");
    assert_eq!(both.out, fs::read(folder.path().join("t.csv")).unwrap(), "the table is where -o - puts it");
    assert!(both.err.contains("\"combinations\": 2"), "{}", both.err);
    assert_eq!(json(&["inspect", "line.json", "--json"])["name"], "stadium");
    assert_eq!(json(&["compare", "line.json", "line.json", "--json"])[0]["lap_difference_s"], 0.0);
    let presets = json(&["vehicles", "--json"]);
    assert!(presets.as_array().unwrap().iter().any(|preset| preset["name"] == "gt"));
    assert!(json(&["vehicles", "gt", "--json"])["mass_kg"].is_f64());
    fs::create_dir(folder.path().join("tracks")).unwrap();
    fs::copy(folder.path().join("ring.csv"), folder.path().join("tracks/ring.csv")).unwrap();
    let batch = json(&[&["batch", "tracks", "--json"], &QUICK[..]].concat());
    assert_eq!(batch["tracks"][0]["status"], "made");
}

#[test]
fn a_picture_and_a_table_do_not_share_stdout() {
    let folder = folder();
    let both = ["sweep", "ring.csv", "--vary", "mass_kg=1000,1200", "--heat-map", "-"];
    failed(folder.path(), &both, 2, &["the table and the picture can't both go to stdout"]);
    let inside = |x: u32, y: u32| (5..75).contains(&x) && (5..55).contains(&y);
    let hall = image::GrayImage::from_fn(80, 60, |x, y| image::Luma([if inside(x, y) { 255 } else { 0 }]));
    hall.save(folder.path().join("hall.png")).unwrap();
    let path =
        ["plan", "hall.png", "--metres-per-pixel", "0.1", "--from", "1,1", "--to", "6,4", "--vehicle", "robot-car"];
    let drawn = done(folder.path(), &[&path[..], &["-o", "-"]].concat(), b"");
    assert!(drawn.out.starts_with(b"<svg") && drawn.err.contains("found"), "{}", drawn.err);
    let planned = done(folder.path(), &[&path[..], &["--json", "--all"]].concat(), b"").json();
    let lengths: Vec<f64> = planned.as_array().unwrap().iter().filter_map(|path| path["length_m"].as_f64()).collect();
    // No path is shorter than the straight line between its ends.
    assert!(lengths.len() > 5 && lengths.iter().all(|&length| length >= 5f64.hypot(3.0) - 0.2), "{lengths:?}");
    let hall = ["plan", "hall.png", "--metres-per-pixel", "0.1", "--vehicle", "robot-car", "--tasks", "6", "--json"];
    let tried = done(folder.path(), &[&hall[..], &["--verbose"]].concat(), b"");
    assert!(tried.err.contains("hall.png: voronoi\n"), "{}", tried.err);
    let tried = tried.json();
    assert_eq!((&tried["tasks"], &tried["solvable"]), (&6.into(), &6.into()));
    assert_eq!(tried["planners"][0]["planner"], "voronoi");
    assert_eq!(tried["planners"][0]["within_2_percent"], 6, "it is the only one");
}

#[test]
fn quiet_prints_nothing_but_the_result() {
    let folder = folder();
    let line = "line.json";
    for arguments in [
        &["optimize", "ring.csv", "--method", "shortest-path"][..],
        &["extract", "ring.csv", "-o", "ring.track.json"],
        &["generate", "-o", "road.csv"],
        &["render", line, "-o", "line.svg"],
        &["export", line, "--format", "tum"],
        &["man", "pages"],
    ] {
        let ran = done(folder.path(), &[arguments, &["--quiet"]].concat(), b"");
        assert_eq!((String::from_utf8_lossy(&ran.out).as_ref(), ran.err.as_str()), ("", ""), "{arguments:?}");
    }
    for arguments in
        [&["inspect", line][..], &["compare", line, line], &["vehicles"], &["completions", "bash"], &["schema"]]
    {
        let ran = done(folder.path(), &[arguments, &["--quiet"]].concat(), b"");
        assert!(!ran.out.is_empty() && ran.err.is_empty(), "{arguments:?}: {}", ran.err);
    }
}

/// A bad reader changes nothing about the tracks, so the exit code remains.
#[cfg(unix)]
#[test]
fn a_check_keeps_its_exit_code_where_the_reader_stops() {
    let folder = folder();
    fs::create_dir(folder.path().join("tracks")).unwrap();
    fs::copy(folder.path().join("ring.csv"), folder.path().join("tracks/ring.csv")).unwrap();
    done(folder.path(), &[&["batch", "tracks"], &QUICK[..]].concat(), b"");
    let program = assert_cmd::cargo::cargo_bin("raceline");
    let piped = |flags: &str| {
        let script = format!(
            "{} batch tracks --method shortest-path --check {flags} 2>/dev/null | true; echo ${{PIPESTATUS[0]}}",
            program.display()
        );
        let output =
            std::process::Command::new("bash").args(["-c", &script]).current_dir(folder.path()).output().unwrap();
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    assert_eq!(piped(""), "0");
    assert_eq!(piped("--json"), "0");
    // Another vehicle's line drifts.
    assert_eq!(piped("--vehicle kart"), "1");
    assert_eq!(piped("--vehicle kart --json"), "1");
}

#[test]
fn a_file_of_another_kind_is_named_with_what_was_meant() {
    let folder = folder();
    fs::write(folder.path().join("Cargo.toml"), "[package]\nname = \"a\"\n").unwrap();
    fs::write(folder.path().join("words.png"), "This is no picture.\n").unwrap();
    let here = folder.path();
    failed(here, &["optimize", "Cargo.toml"], 1, &["Cargo.toml: it is a TOML file, not a track: name the picture"]);
    failed(here, &["optimize", "words.png"], 1, &["words.png is not in a supported picture format"]);
    // As phones write pictures, under their own name and under another one.
    for name in ["track.avif", "track.png"] {
        fs::write(here.join(name), b"\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf").unwrap();
        let refusal = format!("{name}: it is an AVIF picture, which is not decoded, not a track: save it as PNG");
        failed(here, &["optimize", name, "--metres-per-pixel", "1"], 1, &[&refusal]);
    }
    failed(here, &["optimize", "ground.png"], 1, &["the picture has no scale", "--metres-per-pixel"]);
    let not_a_line =
        "ring.csv: it is a table of numbers, as track files are, not a racing line: run `raceline optimize ring.csv`";
    for command in [&["inspect", "ring.csv"][..], &["export", "ring.csv", "-f", "tum"], &["drive", "ring.csv"]] {
        failed(here, command, 1, &[not_a_line]);
    }
    failed(here, &["render", "ground.png", "-o", "a.svg"], 1, &["ground.png: it is a picture, not a racing line"]);
    for (spec, fix) in [("0.8-1.2", "0.8:1.2:5"), ("0.8..1.2", "0.8:1.2:5"), ("0.8:1.2", "FROM:TO:COUNT")] {
        failed(here, &["sweep", "ring.csv", "--vary", &format!("grip={spec}")], 2, &[fix]);
    }
}

#[test]
fn a_path_without_its_end_is_wrong_usage_on_the_command_line() {
    let folder = folder();
    let inside = |x: u32, y: u32| (5..75).contains(&x) && (5..55).contains(&y);
    let hall = image::GrayImage::from_fn(80, 60, |x, y| image::Luma([if inside(x, y) { 255 } else { 0 }]));
    hall.save(folder.path().join("hall.png")).unwrap();
    let scale = ["hall.png", "--metres-per-pixel", "0.1"];
    for command in ["optimize", "extract", "plan"] {
        let arguments = [&[command], &scale[..], &["--from", "1,1", "--vehicle", "robot-car"]].concat();
        failed(
            folder.path(),
            &arguments,
            2,
            &["the planned path has no to", ": pass --to X,Y in metres or X,Ypx in pixels"],
        );
    }
    fs::write(folder.path().join("hall.toml"), "metres_per_pixel = 0.1\nfrom = [1, 1]\nvehicle = \"robot-car\"\n")
        .unwrap();
    failed(folder.path(), &["optimize", "hall.png"], 1, &["the planned path has no to"]);
}

#[test]
fn export_flags_name_their_ranges() {
    let folder = folder();
    fn export<'a>(more: &[&'a str]) -> Vec<&'a str> {
        [&["export", "line.json", "-o", "-", "--format"], more].concat()
    }
    failed(folder.path(), &export(&["csv", "--spacing-m", "0"]), 2, &["--spacing-m", "from 0.001 to 1000 m"]);
    failed(folder.path(), &export(&["csv", "--speed-factor", "-1"]), 2, &["--speed-factor", "from 0.01 to 2"]);
    failed(folder.path(), &export(&["dxf", "--closed-repeat"]), 2, &["--closed-repeat", "remove the flag"]);
    let rows =
        |more: &[&str]| done(folder.path(), &export(more), b"").out.iter().filter(|&&byte| byte == b'\n').count();
    assert_eq!(rows(&["csv", "--closed-repeat"]), rows(&["csv"]) + 1);
    assert_eq!(rows(&["tum", "--closed-repeat=false"]) + 1, rows(&["tum"]));
    assert!(rows(&["csv", "--spacing", "0.5"]) > 5 * rows(&["csv"]));
}
