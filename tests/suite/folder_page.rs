//! The start page of a folder: what it shows of each track, and the history in git.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]

use std::fs;
use std::path::Path;
use std::process::Command;

use raceline_render::folder_page::{FolderEntry, render, thumbnail};
use serde_json::Value;

use crate::sample_lines;

/// The data of a page's script.
fn entries(page: &str) -> Vec<Value> {
    let data =
        page.split_once(r#"<script id="data" type="application/json">"#).unwrap().1.split_once("</script>").unwrap().0;
    serde_json::from_str::<Value>(data).unwrap()["entries"].as_array().unwrap().clone()
}

#[test]
fn a_thumbnail_holds_the_road_and_the_line() {
    let picture = thumbnail(&sample_lines::stadium());
    assert_eq!(picture.matches("class=\"edge\"").count(), 2);
    assert_eq!(picture.matches("class=\"line\"").count(), 1);
    let numbers = picture.split(['M', 'L', 'Z', '"', ' ']).filter_map(|part| part.parse::<f64>().ok());
    assert!(numbers.clone().count() > 50);
    assert!(numbers.into_iter().all(|number| (0.0..=240.0).contains(&number)), "{picture}");
}

#[test]
fn names_from_elsewhere_are_text() {
    let hostile = "</script><script>alert(1)</script>";
    let entry = FolderEntry { name: hostile.to_owned(), error: Some(hostile.to_owned()), ..FolderEntry::default() };
    let page = render(hostile, &[entry]).unwrap();
    assert_eq!(page.matches("<script>alert").count(), 0);
    assert_eq!(entries(&page)[0]["name"], hostile);
}

fn raceline(folder: &Path, arguments: &[&str]) {
    let mut command = assert_cmd::Command::cargo_bin("raceline").unwrap();
    command.current_dir(folder).args(arguments).assert().success();
}

#[test]
fn what_differs_from_git_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let git = |arguments: &[&str]| {
        let identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"];
        let output = Command::new("git").current_dir(folder.path()).args(identity).args(arguments).output();
        output.is_ok_and(|output| output.status.success())
    };
    if !git(&["init", "--quiet"]) {
        println!("skipped: there is no git here");
        return;
    }
    let tracks = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("tracks");
    fs::copy(tracks.join("hairpin.png"), folder.path().join("hairpin.png")).unwrap();
    let sidecar = folder.path().join("hairpin.toml");
    fs::write(&sidecar, "metres_per_pixel = 0.5\nmethod = \"shortest-path\"\n").unwrap();
    let page = || {
        raceline(folder.path(), &["batch", ".", "--html", "index.html", "--quiet"]);
        fs::read_to_string(folder.path().join("index.html")).unwrap()
    };
    let before = entries(&page()).remove(0);
    assert_eq!((&before["committed"], &before["drift"]), (&Value::Null, &Value::Null));
    assert_eq!(before["page"], "hairpin.html");
    assert!(folder.path().join("hairpin.html").is_file());

    assert!(git(&["add", "."]) && git(&["commit", "--quiet", "--message", "lines"]));
    let first = page();
    let same = entries(&first).remove(0);
    assert_eq!(same["drift"], Value::Array(Vec::new()));
    assert_eq!(same["committed"].as_str().unwrap().len(), "2026-11-23".len());
    assert_eq!(page(), first, "the same bytes again");

    fs::write(&sidecar, "metres_per_pixel = 0.5\nmethod = \"min-curvature\"\n").unwrap();
    let drift = entries(&page()).remove(0)["drift"].to_string();
    assert!(drift.contains("method"), "{drift}");
}
