//! Stints: against single laps and their derivatives, by the properties of an optimum, and the command as a
//! process.

// Clippy exempts test functions but not the helpers beside them.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::fs;
use std::sync::Arc;

use assert_cmd::Command;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use raceline::pipeline::{self, Request};
use raceline::solve::car::{Optimum, Powertrain, Uses, stint_lap};
use raceline::solve::{LocalRoad, Model, RoadSearch};
use raceline::stint::{Stint, StintCar, StintError, StintOptions, stint};
use raceline::vehicle::Vehicle;
use tempfile::TempDir;

use crate::oval::{gt, options, oval, track};

fn found(text: &str, laps: usize) -> Stint {
    asked(text, laps).unwrap()
}

#[expect(clippy::result_large_err, reason = "a test's result is looked at once")]
fn asked(text: &str, laps: usize) -> Result<Stint, StintError> {
    let (options, vehicle) = (options(), gt());
    let car = StintCar::from_toml(text, "car.toml").unwrap();
    stint(&oval(&options), &Request::new(&options, &vehicle), &StintOptions { laps, car, lap: None })
}

/// The time of a lap of `optimize`, s.
fn lap_time_s(vehicle: &Vehicle) -> f64 {
    let options = options();
    pipeline::optimize(oval(&options), &Request::new(&options, vehicle)).unwrap().line.lap_time_s
}

/// Work of the engine in a lap without a price, J.
fn work_j() -> f64 {
    found("[fuel]\nwork_jpkg = 1e9\nstart_kg = 1.0\n", 1).laps[0].engine_j
}

#[test]
fn without_fuel_and_tyres_every_lap_is_that_of_optimize() {
    let alone = lap_time_s(&gt());
    let one = found("", 1);
    assert!((one.time_s - alone).abs() < 1e-4 && one.line.line.lap_time_s == one.laps[0].time_s, "{}", one.time_s);
    let four = found("", 4);
    assert!(four.laps.iter().all(|lap| (lap.time_s - one.time_s).abs() < 1e-4));
    assert_eq!((four.residuals.price_fraction, four.residuals.budget_fraction), (0.0, 0.0));
}

#[test]
fn fuel_is_mass_and_more_of_it_is_slower() {
    let stints = [10.0, 40.0].map(|kg| found(&format!("[fuel]\nwork_jpkg = 1.3e7\nstart_kg = {kg}\n"), 4));
    for (stint, kg) in stints.iter().zip([10.0, 40.0]) {
        assert_eq!((stint.laps[0].fuel_kg, stint.fuel_spkg), (kg, 0.0));
        for laps in stint.laps.windows(2) {
            assert!(laps[1].time_s < laps[0].time_s);
            assert!((laps[0].fuel_kg - laps[0].engine_j / 1.3e7 - laps[1].fuel_kg).abs() < 1e-3);
        }
        let alone = lap_time_s(&Vehicle { mass_kg: gt().mass_kg + kg, ..gt() });
        assert!((stint.laps[0].time_s / alone - 1.0).abs() < 5e-5, "{} {alone}", stint.laps[0].time_s);
    }
    assert!(stints[1].time_s > stints[0].time_s + 0.1);
}

#[test]
fn fuel_is_saved_at_prices_that_grow_by_what_its_mass_costs() {
    let (laps, work_jpkg) = (6, 1.3e7);
    let start_kg = 0.93 * work_j() * f64::from(laps) / work_jpkg;
    let text = |kg: f64| format!("[fuel]\nwork_jpkg = {work_jpkg}\nstart_kg = {start_kg}\nend_kg = {kg}\n");
    let stint = found(&text(0.0), 6);
    assert!(stint.end_fuel_kg.abs() < 0.01 && stint.residuals.price_fraction < 1e-8, "{}", stint.end_fuel_kg);
    let by_mass = (lap_time_s(&Vehicle { mass_kg: gt().mass_kg + 15.0, ..gt() })
        - lap_time_s(&Vehicle { mass_kg: gt().mass_kg - 15.0, ..gt() }))
        / 30.0;
    for laps in stint.laps.windows(2) {
        let step = (laps[1].engine_spj - laps[0].engine_spj) * work_jpkg;
        assert!((step / by_mass - 1.0).abs() < 0.15, "{step} {by_mass}");
    }
    // What is kept costs what the price of the fuel states.
    let less = found(&text(0.05), 6);
    assert!(less.time_s > stint.time_s, "a larger budget is not slower");
    let price = 0.5 * (stint.fuel_spkg + less.fuel_spkg);
    assert!(
        ((less.time_s - stint.time_s) / (0.05 * price) - 1.0).abs() < 0.2,
        "{} {price}",
        less.time_s - stint.time_s
    );
    // All laps at the price in the middle, which burn the same, are no faster.
    assert!(stint.laps[0].engine_j > stint.laps[5].engine_j);
}

#[test]
fn tyres_that_wear_are_saved_early() {
    let stint = found("[tyres]\nlife_j = 4e7\nworn_grip_loss = 0.1\n", 5);
    for laps in stint.laps.windows(2) {
        assert!(laps[1].grip < laps[0].grip && laps[1].friction_spj < laps[0].friction_spj);
        assert!((laps[0].wear + laps[0].friction_j / 4e7 - laps[1].wear).abs() < 1e-3);
    }
    assert!(stint.laps[4].friction_spj.abs() < 1e-15, "nothing comes after the last lap");
    let hard = found("[tyres]\nlife_j = 1e30\nworn_grip_loss = 0.1\n", 5);
    assert!(hard.time_s < stint.time_s && hard.laps[0].friction_j > stint.laps[0].friction_j);
}

#[test]
fn a_battery_gives_what_it_has_at_one_price() {
    let free = found("[battery]\nengine_power_w = 2e5\ncapacity_j = 1e9\nrecuperation = 0.3\n", 3);
    let used: f64 = free.laps.iter().map(|lap| lap.deployed_j - lap.recuperated_j).sum();
    let battery = |start_j: f64| {
        let text = format!("engine_power_w = 2e5\ncapacity_j = 1e9\nstart_j = {start_j}\nrecuperation = 0.3\n");
        found(&format!("[battery]\n{text}"), 3)
    };
    let short = battery(0.8 * used);
    let price = short.laps[0].deployed_spj;
    assert!(price > 0.0 && short.end_charge_j.abs() < 0.01 * used, "{}", short.end_charge_j);
    assert!(short.laps.iter().all(|lap| lap.deployed_spj == price && lap.recuperated_spj == price));
    assert!(battery(0.9 * used).time_s < short.time_s && free.time_s < short.time_s);
}

/// The car's lap on the oval.
fn optimum(vehicle: &Vehicle) -> Optimum {
    let options = options();
    let extraction = oval(&options);
    let mut line_options = options.line_options();
    line_options.solve.model = Some(Model::Car);
    let road = Arc::new(LocalRoad::new(&extraction.track));
    let search = RoadSearch::new(road, &line_options, vehicle, &raceline::solve::Silent).unwrap();
    search.line(vehicle).unwrap().optimum.unwrap()
}

#[test]
fn what_a_lap_uses_is_the_derivative_of_its_value_by_the_price() {
    let vehicle = gt();
    let near = optimum(&vehicle);
    let powertrain = Powertrain { engine_power_w: 2e5, recuperation_power_w: 1e5, recuperation: 0.4 };
    let middle = Uses { engine: 3e-7, deployed: 5e-7, recuperated: 4e-7, friction: 1e-6 };
    let lap = |prices: Uses| stint_lap(&near, &vehicle, powertrain, prices, &|_| {}).unwrap();
    let here = lap(middle);
    assert!((here.value_s - here.lap.lap_time_s - here.uses.cost_s(&middle)).abs() < 1e-2);
    type Change = fn(&mut Uses, f64);
    let changes: [(Change, f64); 4] = [
        (|uses, by| uses.engine *= by, here.uses.engine * middle.engine),
        (|uses, by| uses.deployed *= by, here.uses.deployed * middle.deployed),
        (|uses, by| uses.recuperated *= by, -here.uses.recuperated * middle.recuperated),
        (|uses, by| uses.friction *= by, here.uses.friction * middle.friction),
    ];
    for (change, expected) in changes {
        let at = |by: f64| {
            let mut prices = middle;
            change(&mut prices, by);
            lap(prices).value_s
        };
        let slope = (at(1.05) - at(0.95)) / 0.1;
        assert!(expected.abs() > 1e-3 && (slope / expected - 1.0).abs() < 0.02, "{slope} {expected}");
    }
    // Where a use costs more, a lap has less of it.
    let saving = lap(Uses { friction: 3e-6, ..middle });
    assert!(saving.uses.friction < here.uses.friction);
}

#[test]
fn threads_do_not_change_a_stint() {
    let text = "[fuel]\nwork_jpkg = 1.3e7\n[tyres]\nlife_j = 4e7\nworn_grip_loss = 0.1\n";
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| found(text, 3).laps)
    };
    assert_eq!(with(1), with(3));
}

#[test]
fn what_a_stint_cannot_have_is_refused() {
    assert!(matches!(asked("", 0), Err(StintError::Laps { laps: 0, .. })));
    let (options, vehicle) = (options(), gt());
    let extraction = oval(&options);
    let request = Request::new(&options, &vehicle);
    let lap = StintOptions { laps: 3, car: StintCar::default(), lap: Some(4) };
    assert!(matches!(stint(&extraction, &request, &lap), Err(StintError::NoLap { lap: 4, laps: 3 })));
    let mut of_point_mass = options.clone();
    of_point_mass.solve.model = Some(Model::PointMass);
    let refused = stint(&extraction, &Request::new(&of_point_mass, &vehicle), &StintOptions { lap: None, ..lap });
    assert!(refused.unwrap_err().to_string().contains("--model"));
}

fn program() -> Command {
    Command::cargo_bin("raceline").unwrap()
}

#[test]
fn the_command_writes_its_table_and_a_line() {
    let folder = TempDir::new().unwrap();
    let [car, table, line] = ["car.toml", "laps.csv", "lap.json"].map(|name| folder.path().join(name));
    fs::write(&car, "[fuel]\nwork_jpkg = 1.3e7\nstart_kg = 5.0\n").unwrap();
    let run = |arguments: &[&str]| {
        let mut command = program();
        command.args(["stint", track("oval.png").to_str().unwrap(), "--vehicle", "gt"]).args(arguments);
        command.assert()
    };
    let car_text = car.to_str().unwrap();
    run(&[
        "--laps",
        "3",
        "--stint",
        car_text,
        "--lap",
        "3",
        "-o",
        table.to_str().unwrap(),
        "--line",
        line.to_str().unwrap(),
    ])
    .success()
    .stdout(contains("3 laps of gt").and(contains("fuel kg")).and(contains("at the end")));
    let csv = fs::read_to_string(&table).unwrap();
    assert_eq!((csv.lines().count(), csv.lines().next().unwrap().split(',').count()), (4, 16));
    let written = raceline::file::json::read(&fs::read(&line).unwrap()).unwrap();
    let last_s: f64 = csv.lines().last().unwrap().split(',').nth(1).unwrap().parse().unwrap();
    assert!((written.lap_time_s - last_s).abs() < 1e-4);
    let json = run(&["--laps", "2", "--stint", car_text, "--json"]).success();
    let json: serde_json::Value = serde_json::from_slice(&json.get_output().stdout).unwrap();
    assert_eq!(json["laps"].as_array().unwrap().len(), 2);
    fs::write(&car, "[fuel]\nlitres = 4\n").unwrap();
    run(&["--laps", "2", "--stint", car_text]).code(2).stderr(contains("litres"));
    run(&["--laps", "2", "--stint", "none.toml"]).code(2).stderr(contains("none.toml"));
}

#[test]
fn the_command_prints_what_is_doubtful_about_the_road() {
    let run = |more: &[&str]| program().arg("stint").arg(track("street.png")).args(["--laps", "1"]).args(more).assert();
    run(&[]).success().stdout(contains("1 lap of")).stderr(contains("6 shapes beside the road were omitted"));
    let json = run(&["--json", "--quiet"]).success().stderr("");
    let json: serde_json::Value = serde_json::from_slice(&json.get_output().stdout).unwrap();
    assert!(json["warnings"][0].as_str().unwrap().contains("omitted"));
}
