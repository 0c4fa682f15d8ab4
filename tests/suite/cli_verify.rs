//! `raceline verify` as a process, and what every reader of lines refuses.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use predicates::str::{contains, is_empty, starts_with};
use serde_json::{Value, json};
use tempfile::TempDir;

const CLUB: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tracks/club.raceline.json");

fn raceline(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("raceline").unwrap();
    command.current_dir(folder).env("NO_COLOR", "1").args(arguments);
    command
}

/// A folder with the line of `club`, changed.
fn spoiled(change: impl FnOnce(&mut Value)) -> TempDir {
    let folder = TempDir::new().unwrap();
    let mut line: Value = serde_json::from_slice(&fs::read(CLUB).unwrap()).unwrap();
    change(&mut line);
    fs::write(folder.path().join("line.json"), line.to_string()).unwrap();
    folder
}

#[test]
fn a_sound_line_is_listed_and_one_of_another_car_is_not_sound() {
    let folder = spoiled(|_| {});
    raceline(folder.path(), &["verify", "line.json"])
        .assert()
        .success()
        .stderr(is_empty())
        .stdout(starts_with("line.json: sound\n  rule "));
    let kart = raceline(folder.path(), &["verify", "line.json", "--vehicle", "kart", "--quiet"]).assert().code(1);
    kart.stdout(contains("line.json: not sound\n")).stdout(contains("max-speed: speed is "));
    raceline(folder.path(), &["verify", "line.json", "line.json", "--drawing", "a.svg"]).assert().code(2);
    raceline(folder.path(), &["verify", "line.json", "--drawing", "line.json"]).assert().code(2);
}

#[test]
fn a_spoiled_line_has_its_place_in_words_numbers_and_a_drawing() {
    let folder = spoiled(|line| {
        let heading = line["points"][40]["heading_rad"].as_f64().unwrap();
        line["points"][40]["heading_rad"] = json!(heading + 0.05);
    });
    let drawn = ["verify", "line.json", "--drawing", "place.svg", "-q"];
    raceline(folder.path(), &drawn).assert().code(1).stdout(contains("heading: difference of heading_rad"));
    assert!(fs::read_to_string(folder.path().join("place.svg")).unwrap().contains("club at s = "));
    let output = raceline(folder.path(), &["verify", "line.json", "--json"]).output().unwrap();
    let judged: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(judged[0]["sound"], json!(false));
    let checks = judged[0]["checks"].as_array().unwrap();
    let heading = checks.iter().find(|check| check["rule"] == "heading").unwrap();
    assert!((39..=40).contains(&heading["place"]["index"].as_u64().unwrap()), "{heading}");
    assert!(heading["measured"].as_f64() > heading["allowed"].as_f64());
}

#[test]
fn no_reader_believes_numbers_that_no_line_has() {
    let at_zero = |line: &mut Value| {
        line["points"].as_array_mut().unwrap().iter_mut().for_each(|point| point["x_m"] = json!(0.0));
    };
    let curved = |line: &mut Value| line["points"][7]["curvature_radpm"] = json!(1e308);
    let far = |line: &mut Value| line["edges"]["left"][3] = json!([1e15, 1e15]);
    let cases = [
        (spoiled(at_zero), "points[0]: is 0.005 m away from points[1]"),
        (spoiled(curved), "points[7].curvature_radpm: is 1e308"),
        (spoiled(far), "edges.left[3]: is 1e15"),
    ];
    for (folder, fault) in cases {
        for arguments in [
            &["render", "line.json", "-o", "line.svg"][..],
            &["export", "line.json", "--format", "csv", "-o", "line.csv"],
            &["inspect", "line.json"],
            &["compare", CLUB, "line.json"],
            &["drive", "line.json"],
            &["verify", "line.json"],
        ] {
            raceline(folder.path(), arguments)
                .assert()
                .code(1)
                .stdout(is_empty())
                .stderr(contains(format!("line.json: {fault}")))
                .stderr(contains("make the line again with `raceline optimize`"));
        }
    }
}

#[test]
fn every_reader_warns_of_a_line_that_contradicts_itself_and_reads_it() {
    let folder = spoiled(|line| {
        let heading = line["points"][40]["heading_rad"].as_f64().unwrap();
        line["points"][40]["heading_rad"] = json!(heading + 0.05);
    });
    let warned = "warning: line.json: its numbers contradict each other: point ";
    for command in [
        &["inspect", "line.json"][..],
        &["compare", "line.json", "line.json"],
        &["export", "line.json", "-f", "csv", "-o", "-"],
        &["render", "line.json", "-o", "a.svg"],
        &["drive", "line.json", "--follower", "profile", "--speed-share", "0.5"],
    ] {
        raceline(folder.path(), command).assert().success().stderr(contains(warned));
        raceline(folder.path(), &[command, &["--no-verify"]].concat()).assert().success().stderr(is_empty());
    }
    let sound = spoiled(|_| {});
    raceline(sound.path(), &["inspect", "line.json"]).assert().success().stderr(is_empty());
}
