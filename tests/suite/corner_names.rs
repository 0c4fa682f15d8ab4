//! Names of corners: which corner has which, where they are shown, and what is no name.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

use std::fs;
use std::slice::from_ref;

use assert_cmd::Command;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use raceline::RacingLine;
use raceline::analysis::{AnalysisOptions, analyse};
use raceline::file::json;
use raceline::frame::Spot;
use raceline::options::CornerName;
use raceline_render::svg::{self, RenderOptions};

use crate::sample_lines;

fn named(at: [f64; 2], name: &str) -> CornerName {
    CornerName { at: Spot::Metres(at), name: name.to_owned() }
}

fn names(line: &RacingLine) -> Vec<Option<String>> {
    analyse(line, &AnalysisOptions::default()).unwrap().corners.into_iter().map(|corner| corner.name).collect()
}

#[test]
fn the_nearest_corner_has_the_name() {
    let mut line = sample_lines::winding();
    let corners = analyse(&line, &AnalysisOptions::default()).unwrap().corners;
    assert!(corners.len() > 3 && corners.iter().all(|corner| corner.name.is_none()));
    let beside = |k: usize| [corners[k].apex_m[0] + 3.0, corners[k].apex_m[1] - 2.0];
    line.options.corner = vec![named(beside(2), "Parabolica"), named(beside(0), "Rettifilo")];
    let found = names(&line);
    assert_eq!((found[0].as_deref(), found[2].as_deref()), (Some("Rettifilo"), Some("Parabolica")));
    assert_eq!(found.iter().flatten().count(), 2);
}

#[test]
fn a_place_at_the_entry_is_in_the_corner_too() {
    let mut line = sample_lines::winding();
    let corner = analyse(&line, &AnalysisOptions::default()).unwrap().corners.swap_remove(1);
    let entry = line.points.iter().find(|point| point.s_m >= corner.entry_s_m).unwrap();
    line.options.corner = vec![named([entry.x_m, entry.y_m], "Long")];
    assert_eq!(names(&line)[1].as_deref(), Some("Long"));
}

#[test]
fn two_names_of_one_corner_stand_side_by_side() {
    let mut line = sample_lines::circle(50.0, 90);
    line.vehicle.lateral_limit_mps2 = 7.0;
    line.options.corner = vec![named([50.0, 0.0], "First, fast"), named([-50.0, 0.0], "Second")];
    assert_eq!(names(&line), [Some("First, fast / Second".to_owned())]);
}

#[test]
fn tables_pictures_and_files_show_them() {
    let mut line = sample_lines::winding();
    let apex = analyse(&line, &AnalysisOptions::default()).unwrap().corners[1].apex_m;
    line.options.corner = vec![named(apex, "Big, \"fast\" <one>")];
    let picture = svg::render(from_ref(&line), &RenderOptions::default()).unwrap();
    assert!(picture.contains("Big, \"fast\" &lt;one&gt;") || picture.contains("Big, &quot;fast&quot; &lt;one&gt;"));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("line.json");
    fs::write(&path, json::write(&line.rounded()).unwrap()).unwrap();
    let raceline = || Command::cargo_bin("raceline").unwrap();
    raceline()
        .arg("inspect")
        .arg(&path)
        .assert()
        .success()
        .stdout(contains("name").and(contains("Big, \"fast\" <one>")));
    let csv = raceline().args(["inspect", "--format", "csv"]).arg(&path).assert().success().get_output().stdout.clone();
    let csv = String::from_utf8(csv).unwrap();
    assert!(csv.starts_with("corner,name,turn,"), "{csv}");
    assert!(csv.contains("2,\"Big, \"\"fast\"\" <one>\","), "{csv}");
    let text =
        raceline().args(["inspect", "--format", "json"]).arg(&path).assert().success().get_output().stdout.clone();
    let reported: serde_json::Value = serde_json::from_slice(&text).unwrap();
    assert_eq!(reported["corners"][1]["name"], "Big, \"fast\" <one>");
    assert_eq!(reported["corners"][0].get("name"), None);
}

#[test]
fn names_come_from_the_sidecar_and_stand_in_the_line_in_metres() {
    let folder = tempfile::tempdir().unwrap();
    let tracks = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tracks");
    fs::copy(format!("{tracks}/oval.png"), folder.path().join("oval.png")).unwrap();
    let sidecar = fs::read_to_string(format!("{tracks}/oval.toml")).unwrap();
    let write = |more: &str| fs::write(folder.path().join("oval.toml"), format!("{sidecar}\n{more}\n")).unwrap();
    let optimize = || {
        let mut command = Command::cargo_bin("raceline").unwrap();
        command.current_dir(folder.path());
        command.args(["optimize", "oval.png", "--method", "min-curvature", "-o", "line.json"]);
        command
    };
    write("[[corner]]\nat = \"10,20px\"\nname = \"  North  \"");
    optimize().assert().success();
    let line = json::read(&fs::read(folder.path().join("line.json")).unwrap()).unwrap();
    assert_eq!(line.options.corner[0].name, "North", "without the spaces around it");
    assert!(matches!(line.options.corner[0].at, Spot::Metres(_)));
    assert!(names(&line).contains(&Some("North".to_owned())));
    write("[[corner]]\nat = [1, 2]\nname = \"\"");
    optimize().assert().failure().stderr(contains("oval.toml").and(contains("1 to 60")));
    write("[[corner]]\nat = [1, 2]\nnme = \"x\"");
    optimize().assert().failure().stderr(contains("at = [x, y] and a name"));
}

#[test]
fn a_place_in_pixels_of_no_picture_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let row = |i: i32| {
        let angle = std::f64::consts::TAU * f64::from(i) / 60.0;
        format!("{:.3},{:.3},5,5\n", 60.0 * angle.cos(), 60.0 * angle.sin())
    };
    let track: String =
        std::iter::once("# x_m,y_m,w_tr_right_m,w_tr_left_m\n".to_owned()).chain((0..60).map(row)).collect();
    fs::write(folder.path().join("ring.csv"), track).unwrap();
    fs::write(folder.path().join("ring.toml"), "[[corner]]\nat = \"10,20px\"\nname = \"North\"\n").unwrap();
    let mut command = Command::cargo_bin("raceline").unwrap();
    command.current_dir(folder.path()).args(["optimize", "ring.csv", "--method", "min-curvature", "-o", "line.json"]);
    command.assert().success().stderr(contains("\"North\" is at a place in pixels"));
}
