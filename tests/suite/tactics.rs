//! `raceline strategy`, and decisions as a picture.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

use std::fs;

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::contains;
use raceline_render::tactics_picture;
use raceline_tactics::Definition;
use serde_json::Value;
use tempfile::TempDir;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The command for a race of 50 laps on a circuit of `tracks`.
fn race_on(track: &str) -> Command {
    let mut command = Command::cargo_bin("raceline").unwrap();
    command.arg("strategy").arg(format!("{ROOT}/tracks/{track}.raceline.json"));
    command.args(["--laps", "50", "--fuel-per-lap-kg", "2", "--tank-kg", "60", "--pit-loss-s", "25"]);
    command.args(["--wear-s-per-lap", "0.06"]);
    command
}

fn strategy(arguments: &[&str]) -> Command {
    let mut command = race_on("club");
    command.args(["--lap-s-per-kg", "0.03"]).args(arguments);
    command
}

fn json(arguments: &[&str]) -> Value {
    let output = strategy(arguments).arg("--json").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn laps(plan: &Value) -> Vec<u64> {
    plan["stops"].as_array().unwrap().iter().map(|stop| stop["lap"].as_u64().unwrap()).collect()
}

#[test]
fn the_strategy_has_stops_fuel_and_alternatives() {
    let plan = json(&[]);
    // 50 laps are two stints of 25: more stops would cost 25 s and gain less.
    assert_eq!(laps(&plan), [25]);
    assert_eq!((plan["start_fuel_kg"].as_f64(), plan["stops"][0]["fuel_kg"].as_f64()), (Some(50.0), Some(50.0)));
    let stint = 0.03 * 2.0 * 25.0 * 25.0 / 2.0 + 0.06 * 25.0 * 24.0 / 2.0;
    let expected_s = 50.0 * plan["lap_time_s"].as_f64().unwrap() + 2.0 * stint + 25.0;
    assert!((plan["time_s"].as_f64().unwrap() - expected_s).abs() < 1e-6, "{plan}");
    // The tank does not hold the fuel of the whole race.
    assert_eq!(plan["alternatives"][0]["loss_s"], Value::Null);
    assert!(plan["alternatives"][1]["loss_s"].as_f64().unwrap() > 0.0);
    strategy(&[]).assert().success().stdout(
        contains("laps 1 to 50, 1 stop,").and(contains("end of lap 25")).and(contains("0 stops: not possible")),
    );
}

#[test]
fn a_kilogram_costs_what_the_line_has_it_cost() {
    let output = race_on("kart").arg("--json").output().unwrap();
    let plan: Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut inspect = Command::cargo_bin("raceline").unwrap();
    inspect.arg("inspect").arg(format!("{ROOT}/tracks/kart.raceline.json")).args(["--json", "--sensitivities"]);
    let inspected: Value = serde_json::from_slice(&inspect.output().unwrap().stdout).unwrap();
    let mass = inspected["sensitivities"].as_array().unwrap().iter().find(|one| one["key"] == "mass_kg").unwrap();
    assert_eq!(plan["lap_s_per_kg"], mass["s_per_unit"]);
    assert!(mass["s_per_unit"].as_f64().unwrap() > 0.0);
    // The car of the club circuit is limited by accelerations, so that more mass costs nothing.
    race_on("club").assert().code(1).stderr(contains("specify --lap-s-per-kg"));
}

#[test]
fn the_rest_of_a_race_is_planned_again() {
    let common = ["--at-lap", "12"];
    let with = |more: &[&str]| json(&[&common[..], more].concat());
    // Nothing has happened: the rest of the first plan.
    assert_eq!(laps(&with(&[])), [25]);
    let out = with(&["--safety-car-laps", "13-15", "--safety-car-pit-loss-s", "8"]);
    assert!((13..=15).contains(&laps(&out)[0]), "{out}");
    let hit = with(&["--damage-s-per-lap", "2", "--repair-loss-s", "4"]);
    assert!(laps(&hit)[0] < 25 && hit["stops"][0]["repair"] == true, "{hit}");
    assert_eq!(laps(&with(&["--fuel-kg", "0", "--tyre-laps", "12"]))[0], 12, "at once");
    // With less fuel on board the stop comes before it ends.
    assert!(laps(&with(&["--fuel-kg", "9", "--tyre-laps", "12"]))[0] <= 16);
}

#[test]
fn a_race_that_cannot_be_is_refused_by_its_flag() {
    strategy(&["--at-lap", "50"]).assert().code(2).stderr(contains("--at-lap is 50"));
    strategy(&["--safety-car-laps", "13-15"]).assert().code(2).stderr(contains("--safety-car-pit-loss-s"));
    let car = ["--safety-car-pit-loss-s", "8", "--safety-car-laps"];
    for wrong in ["13", "15-13", "0-3", "a-b"] {
        strategy(&[&car[..], &[wrong][..]].concat()).assert().code(2).stderr(contains("20-23"));
    }
    strategy(&["--damage-s-per-lap", "1"]).assert().code(2).stderr(contains("--at-lap"));
    race_on("club").arg("--lap-s-per-kg=-1").assert().code(2).stderr(contains("lap_s_per_kg is -1"));
    strategy(&["--at-lap", "12", "--fuel-kg", "61"]).assert().code(2).stderr(contains("--fuel-kg is 61"));
}

#[test]
fn decisions_are_drawn_with_every_state_transition_and_node() {
    let file = format!("{ROOT}/examples/tactics/race.toml");
    let folder = TempDir::new().unwrap();
    let drawn = folder.path().join("race.svg");
    let render = |input: &str| {
        let mut command = Command::cargo_bin("raceline").unwrap();
        command.arg("render").arg(input).arg("-o").arg(&drawn);
        command
    };
    render(&file).assert().success();
    let text = fs::read_to_string(&drawn).unwrap();
    let definition = Definition::from_toml(&fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!(text, tactics_picture::svg(&definition).unwrap());
    resvg::usvg::Tree::from_str(&text, &resvg::usvg::Options::default()).unwrap();
    for (name, machine) in &definition.machines {
        assert!(text.contains(&format!("machine {name}")), "{name}");
        for state in machine.states.keys() {
            assert!(text.contains(&format!(">{state}<")), "{state}");
        }
    }
    let arrows = text.matches("marker-end").count();
    let expected = definition.machines.values().flat_map(|machine| &machine.transitions).map(|one| one.from.len());
    assert_eq!(arrows, expected.sum::<usize>());
    for node in ["try: not stuck ?", "on failure: reverse, until speed_mps &lt; -1", "selector", "pace = 0.99"] {
        assert!(text.contains(node), "{node}");
    }

    let wrong = folder.path().join("wrong.toml");
    fs::write(&wrong, fs::read_to_string(&file).unwrap().replace("\"stop_done\"\n", "\"stop_gone\"\n")).unwrap();
    let wrong = wrong.to_str().unwrap();
    render(wrong).assert().code(1).stderr(contains("machines.race.transitions[5].when: unknown input stop_gone"));
    let mut page = Command::cargo_bin("raceline").unwrap();
    page.arg("render").arg(&file).args(["-o", "race.html"]).assert().code(2).stderr(contains("decisions have no page"));
}
