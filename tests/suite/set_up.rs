//! The search for a set-up: against a sweep's grid, by both models, and the command as a process.

// Clippy exempts test functions but not the helpers beside them.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::fs;

use assert_cmd::Command;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use raceline::Options;
use raceline::file::json;
use raceline::pipeline::{self, Request};
use raceline::set_up::{Free, SetUp, SetUpError, set_up};
use raceline::solve::Model;
use raceline::sweep::{self, Plan, SweepMode, Table, Variation};
use raceline::vehicle::Vehicle;
use tempfile::TempDir;

use crate::oval::{gt, options, oval, track};

fn free(texts: &[&str]) -> Vec<Free> {
    texts.iter().map(|text| text.parse().unwrap()).collect()
}

fn searched(options: &Options, vehicle: &Vehicle, texts: &[&str]) -> SetUp {
    set_up(&oval(options), &Request::new(options, vehicle), &free(texts)).unwrap()
}

#[test]
fn no_set_up_of_a_grid_is_faster_than_the_one_that_is_found() {
    let options = options();
    let found = searched(&options, &gt(), &["front_brake_fraction=0.5:0.75", "front_downforce_fraction=0.35:0.6"]);
    assert!(found.settled && found.gain_s() >= 0.0);

    let variations = ["front_brake_fraction=0.5:0.75:6", "front_downforce_fraction=0.35:0.6:6"];
    let variations: Vec<Variation> = variations.iter().map(|text| text.parse().unwrap()).collect();
    let plan = Plan::new(&gt(), &variations).unwrap();
    let vehicles = plan.vehicles(&gt()).unwrap();
    let request_vehicle = gt();
    let request = Request::new(&options, &request_vehicle);
    let grid = sweep::sweep(&oval(&options), &request, &vehicles, SweepMode::Reoptimize).unwrap();
    let table = Table::new(("oval", "gt"), (options.method, SweepMode::Reoptimize), plan, &grid);
    let fastest = table.fastest().unwrap().lap.unwrap().lap_time_s;
    // Both laps are found to about 1e-4 of themselves.
    let best = found.best.line.lap_time_s;
    assert!(best < fastest * (1.0 + 1e-4), "{best} {fastest}");
    assert!(found.laps <= vehicles.len() / 2, "{} laps", found.laps);
}

#[test]
fn the_vehicle_that_is_found_has_the_lap_that_is_stated() {
    let options = options();
    let found = searched(&options, &gt(), &["front_brake_fraction=0.5:0.7", "mass_kg=1x:0.95x"]);
    let [brakes, mass] = &found.keys[..] else { panic!("{:?}", found.keys) };
    assert_eq!((brakes.own, mass.own), (Some(0.6), Some(1300.0)));
    assert_eq!((mass.best, mass.at_end), (1235.0, true), "less mass is faster");
    assert_eq!(found.vehicle.front_brake_fraction, Some(brakes.best));
    assert!(found.vehicle.longitudinal_limit_mps2 > gt().longitudinal_limit_mps2, "on the tyres of before");
    let again = pipeline::optimize(oval(&options), &Request::new(&options, &found.vehicle)).unwrap();
    assert_eq!(again.line.lap_time_s, found.best.line.lap_time_s);
    assert_eq!(found.vehicle, Vehicle::from_toml(&found.vehicle.to_toml().unwrap(), "file").unwrap());
}

#[test]
fn a_vehicle_stays_as_it_is_where_nothing_is_faster() {
    let options = options();
    let found = searched(&options, &gt(), &["mass_kg=1.1x:1.2x"]);
    assert_eq!((found.gain_s(), &found.vehicle), (0.0, &gt()));
    assert_eq!((found.keys[0].best, found.keys[0].at_end), (1300.0, false));
    assert_eq!(found.best.line, found.base.line);
}

#[test]
fn a_point_mass_has_a_set_up_too() {
    let mut options = options();
    options.solve.model = Some(Model::PointMass);
    let found = searched(&options, &gt(), &["downforce_kgpm=0.5:6,drag_kgpm=0.6:4"]);
    let [downforce, drag] = &found.keys[..] else { panic!("{:?}", found.keys) };
    assert!(found.gain_s() > 0.0, "{:?}", found.keys);
    let place = (downforce.best - 0.5) / 5.5;
    assert!((drag.best - (0.6 + place * 3.4)).abs() < 1e-4, "both are at one place of their ranges");
}

#[test]
fn threads_do_not_change_a_set_up() {
    let options = options();
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| searched(&options, &gt(), &["front_brake_fraction=0.5:0.75"]).keys)
    };
    assert_eq!(with(1), with(3));
}

#[test]
fn what_cannot_be_searched_is_refused() {
    let options = options();
    let vehicle = gt();
    let refused = |options: &Options, texts: &[&str]| {
        set_up(&oval(options), &Request::new(options, &vehicle), &free(texts)).unwrap_err()
    };
    let blend = Options { method: raceline::file::Method::Blend, ..options.clone() };
    assert!(matches!(refused(&blend, &["mass_kg=1000:1300"]), SetUpError::Method { .. }));
    // An end of the range that is no vehicle.
    let beyond = refused(&options, &["front_brake_fraction=0.5:1.5"]);
    assert!(
        matches!(beyond, SetUpError::Vehicle(_)) && beyond.to_string().contains("front_brake_fraction"),
        "{beyond}"
    );
    let mut table = gt();
    table.ggv_table = vec![[0.0, 12.0, 12.0], [80.0, 14.0, 14.0]];
    table.downforce_kgpm = 0.0;
    let of_table = set_up(&oval(&options), &Request::new(&options, &table), &free(&["front_brake_fraction=0.5:0.7"]));
    assert!(of_table.unwrap_err().to_string().contains("ggv_table"));
}

#[test]
fn the_command_writes_the_vehicle_and_its_line() {
    let folder = TempDir::new().unwrap();
    let (toml, line) = (folder.path().join("gt-oval.toml"), folder.path().join("gt-oval.json"));
    let run = || {
        let mut command = Command::cargo_bin("raceline").unwrap();
        command.arg("setup").arg(track("oval.png")).args([
            "--vehicle",
            "gt",
            "--free",
            "front_brake_fraction=0.5:0.75",
        ]);
        command
    };
    run().arg("-o").arg(&toml).arg("--line").arg(&line).assert().success().stdout(
        contains("oval: set-up of gt, 1 number").and(contains("front_brake_fraction")).and(contains("% faster")),
    );
    let vehicle = Vehicle::from_toml(&fs::read_to_string(&toml).unwrap(), "gt-oval.toml").unwrap();
    let written = json::read(&fs::read(&line).unwrap()).unwrap();
    assert_eq!(written.vehicle, vehicle);
    let json = run().arg("--json").output().unwrap();
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert!((json["lap_time_s"].as_f64().unwrap() - written.lap_time_s).abs() < 1e-3);
    assert_eq!(json["keys"][0]["key"], "front_brake_fraction");

    run().args(["-o", "-", "--line", "-"]).assert().code(2).stderr(contains("both"));
    run().args(["--free", "width_m=1:2"]).assert().code(2).stderr(contains("sweep"));
    run().args(["--free", "mass_kg"]).assert().code(2).stderr(contains("KEY=FROM:TO"));
    run().arg("-o").arg(track("oval.png")).assert().code(2).stderr(contains("oval.png"));
}
