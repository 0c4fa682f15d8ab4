//! Sweeps: the grammar, the plan, laps against the pipeline's own, the table, pictures, and the
//! command as a process.

// Clippy exempts test functions but not the helpers beside them.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::f64::consts::TAU;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use assert_cmd::Command;
use image::{GrayImage, Luma};
use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, is_empty, starts_with};
use raceline::Options;
use raceline::edges::EdgeKind;
use raceline::file::Method;
use raceline::frame::Spot;
use raceline::pipeline::{self, Detail, Extraction, Request, Silent};
use raceline::solve::passing::PickUp;
use raceline::solve::{LocalRoad, Model, RoadSearch, SolveError};
use raceline::sweep::csv as sweep_csv;
use raceline::sweep::{self, MAX_COMBINATIONS, Plan, Sweep, SweepError, SweepMode, Table, Variation};
use raceline::track::{EdgeStretch, RoadSide};
use raceline::vehicle::{Vehicle, VehicleError, preset};
use raceline_render::{RenderError, png, sweep_chart};
use tempfile::TempDir;

fn variation(text: &str) -> Variation {
    text.parse().unwrap()
}

fn variations(texts: &[&str]) -> Vec<Variation> {
    texts.iter().map(|text| variation(text)).collect()
}

fn tum() -> Vehicle {
    preset("tum-racecar").unwrap()
}

fn plan(texts: &[&str]) -> Plan {
    Plan::new(&tum(), &variations(texts)).unwrap()
}

fn refused(texts: &[&str]) -> SweepError {
    Plan::new(&tum(), &variations(texts)).unwrap_err()
}

/// The values of one variation of the reference car.
fn values(text: &str) -> Vec<f64> {
    plan(&[text]).axes.remove(0).values
}

#[test]
fn values_are_numbers_factors_and_changes() {
    assert_eq!(values("mass_kg=1000,1200,900"), [1000.0, 1200.0, 900.0], "in the order written");
    assert_eq!(values("mass_kg = 1e3"), [1000.0]);
    assert_eq!(values("max_speed_mps=50:80:4"), [50.0, 60.0, 70.0, 80.0]);
    assert_eq!(values("max_speed_mps=80:50:3"), [80.0, 65.0, 50.0], "a range may fall");
    assert_eq!(values("grip=0.8x:1.2x:5"), [0.8, 0.9, 1.0, 1.1, 1.2], "without binary remainders");
    assert_eq!(values("mass_kg=-10%,0%,+10%"), [1080.0, 1200.0, 1320.0]);
    assert_eq!(values("mass_kg=0.5x:+50%:3"), [600.0, 1200.0, 1800.0], "the ends may be of different kinds");
    assert_eq!(values("drag_kgpm=-0.5,0"), [-0.5, 0.0], "a range is checked for each combination");
}

#[test]
fn what_is_no_variation_is_reported_with_the_fix() {
    let message = |text: &str| text.parse::<Variation>().unwrap_err().to_string();
    for (text, part) in [
        ("mass_kg", "write KEY=FROM:TO:COUNT or KEY=A,B,C"),
        ("=1,2", "write KEY=FROM:TO:COUNT or KEY=A,B,C"),
        ("mass_kg=", "write KEY=FROM:TO:COUNT or KEY=A,B,C"),
        ("mass_kg=heavy", "mass_kg: \"heavy\" is not a value: write a number, a factor as 1.1x, or a change as +10%"),
        ("mass_kg=1,,2", "mass_kg: \"\" is not a value"),
        ("mass_kg=nan", "\"nan\" is not a value"),
        ("mass_kg=1e999", "is not a value"),
        ("mass_kg=infx", "is not a value"),
        ("mass_kg=90%", "needs its sign: write +10% for 1.1x and -10% for 0.9x"),
        ("mass_kg=1:2", "\"1:2\" is not a range: write FROM:TO:COUNT"),
        ("mass_kg=1:2:3:4", "is not a range"),
        ("mass_kg=1:2:1", "where COUNT is a whole number, at least 2"),
        ("mass_kg=1:2:2.5", "where COUNT is a whole number, at least 2"),
        ("mass_kg=1:2:-3", "where COUNT is a whole number, at least 2"),
        ("mass_kg=1:b:3", "\"b\" is not a value"),
    ] {
        assert!(message(text).contains(part), "{text}: {}", message(text));
    }
}

#[test]
fn a_plan_that_cannot_be_is_reported_with_the_fix() {
    let SweepError::Vehicle(VehicleError::UnknownParameter { key, known, .. }) = refused(&["weight_kg=1,2"]) else {
        panic!("not that error");
    };
    assert_eq!(key, "weight_kg");
    assert!(known.contains("mass_kg, ") && known.ends_with("grip"), "{known}");
    for key in ["drive.power_and_force.power_w", "drive.power_w", "mass_kg.x", "drive.table_mps2.x", "", "."] {
        let error = Plan::new(&tum(), &[Variation { key: key.to_owned(), ..variation("x=1,2") }]).unwrap_err();
        assert!(matches!(error, SweepError::Vehicle(VehicleError::UnknownParameter { .. })), "{key}: {error}");
    }
    for (key, found) in [("name", "text"), ("drive.table_mps2", "a list"), ("drive", "a group without numbers")] {
        let error = refused(&[&format!("{key}=1,2")]);
        assert!(matches!(error, SweepError::Vehicle(VehicleError::NotANumber { .. })), "{error}");
        assert!(error.to_string().contains(&format!("is {found}: specify a key whose value is one number")), "{error}");
    }
    let gt = Plan::new(&preset("gt").unwrap(), &variations(&["drive=1,2"])).unwrap_err().to_string();
    assert!(gt.contains("drive.power_and_force.force_n, drive.power_and_force.power_w"), "{gt}");
    assert!(matches!(refused(&["mass_kg=1,2", "mass_kg=3"]), SweepError::KeyTwice { .. }));
    assert!(matches!(refused(&["mass_kg=1,2,1"]), SweepError::Twice { value: 1.0, .. }));
    assert!(matches!(refused(&["mass_kg=5:5:3"]), SweepError::Twice { .. }));
    assert!(matches!(refused(&["mass_kg=1200,1x"]), SweepError::Twice { .. }), "also in two spellings");
    assert!(matches!(refused(&["downforce_kgpm=0.8x,1.2x"]), SweepError::NoBase { .. }), "all would be 0");
    assert!(matches!(refused(&[]), SweepError::Empty));
}

#[test]
fn combinations_are_capped_before_they_are_made() {
    assert_eq!(plan(&["mass_kg=1:2:1000", "grip=1:2:100"]).count(), MAX_COMBINATIONS);
    let SweepError::TooMany { count, max } = refused(&["mass_kg=1:2:1001", "grip=1:2:100"]) else {
        panic!("not that error");
    };
    assert_eq!((count.as_str(), max), ("100100", MAX_COMBINATIONS));
    // More than memory holds, and more than a machine word counts.
    let huge = format!("mass_kg=1:2:{}", usize::MAX);
    assert!(matches!(refused(&[&huge]), SweepError::TooMany { .. }));
    assert!(matches!(refused(&[&huge, "grip=1:2:3"]), SweepError::TooMany { .. }));
}

#[test]
fn the_last_variation_changes_fastest() {
    let plan = plan(&["mass_kg=1000,1100", "grip=1,0.9,0.8"]);
    let rows: Vec<Vec<f64>> = (0..plan.count()).map(|index| plan.combination(index)).collect();
    let expected = [[1000.0, 1.0], [1000.0, 0.9], [1000.0, 0.8], [1100.0, 1.0], [1100.0, 0.9], [1100.0, 0.8]];
    assert_eq!(rows, expected);
    let vehicles = plan.vehicles(&tum()).unwrap();
    assert_eq!(vehicles[4].mass_kg, 1100.0);
    assert_eq!(vehicles[4].lateral_limit_mps2, 0.9 * 12.0);
    assert_eq!(vehicles[4].longitudinal_limit_mps2, 0.9 * 12.0);
    assert_eq!(Vehicle { mass_kg: 1200.0, ..vehicles[3].clone() }, tum(), "nothing else changes");
}

#[test]
fn grip_multiplies_a_limit_that_varies_too() {
    let vehicles = plan(&["grip=0.5", "lateral_limit_mps2=20"]).vehicles(&tum()).unwrap();
    assert_eq!((vehicles[0].lateral_limit_mps2, vehicles[0].longitudinal_limit_mps2), (10.0, 6.0));
}

#[test]
fn every_number_of_every_preset_can_vary() {
    for known in raceline::vehicle::presets() {
        let vehicle = preset(known.name).unwrap();
        let parameters = vehicle.parameters().unwrap();
        assert!(parameters.len() >= 11, "{parameters:?}");
        for parameter in parameters {
            assert_eq!(vehicle.parameter(&parameter.key).unwrap(), Some(parameter.value));
            let changed = vehicle.with_parameters(&[(&parameter.key, parameter.value + 0.5)]).unwrap();
            assert_ne!(changed, vehicle, "{}", parameter.key);
            let back = vehicle.with_parameters(&[(&parameter.key, parameter.value)]).unwrap();
            assert_eq!(back, vehicle, "{}", parameter.key);
        }
    }
}

/// A short search is enough where laps are compared with laps of the same search.
fn options() -> Options {
    let track = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("tracks/stadium.toml");
    let mut options = Options::from_layers(&[raceline::options::Layer::read(&track).unwrap()]).unwrap();
    options.solve.generations = 4;
    options.solve.population = 12;
    options
}

fn stadium() -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("tracks/stadium.png")
}

static STADIUM: LazyLock<Extraction> = LazyLock::new(|| pipeline::extract(&stadium(), &options(), &Silent).unwrap());

fn sweep(texts: &[&str], options: &Options, mode: SweepMode) -> (Plan, Sweep) {
    let plan = plan(texts);
    let vehicles = plan.vehicles(&tum()).unwrap();
    let sweep = sweep::sweep(&STADIUM, &Request::new(options, &tum()), &vehicles, mode).unwrap();
    (plan, sweep)
}

fn laps(sweep: &Sweep) -> Vec<f64> {
    sweep.laps.iter().map(|lap| lap.as_ref().unwrap().summary.lap_time_s).collect()
}

#[test]
fn a_reoptimised_lap_is_the_pipelines_own() {
    for method in [Method::ShortestPath, Method::MinCurvature, Method::Blend] {
        let options = Options { method, ..options() };
        // Width changes the corridor and both parents, mass and grip don't.
        let (plan, sweep) = sweep(&["width_m=1.6,2.4", "grip=0.9,1.1"], &options, SweepMode::Reoptimize);
        for (vehicle, lap) in plan.vehicles(&tum()).unwrap().iter().zip(&sweep.laps) {
            let outcome = pipeline::optimize(&stadium(), &Request::new(&options, vehicle)).unwrap();
            let expected = outcome.summaries.iter().find(|summary| summary.method == method).unwrap();
            assert_eq!(lap.as_ref().unwrap().summary, *expected);
        }
        let base = pipeline::optimize(&stadium(), &Request::new(&options, &tum())).unwrap();
        assert_eq!(sweep.base.unwrap().summary.lap_time_s, base.line.lap_time_s);
    }
}

/// An oval road, 12 m wide, as a centre line in CSV.
fn oval_csv(folder: &TempDir) -> PathBuf {
    let row = |i: usize| {
        let t = TAU * i as f64 / 64.0;
        format!("{},{},6,6\n", 51.0 * t.cos(), 40.0 * t.sin())
    };
    let path = folder.path().join("oval.csv");
    fs::write(&path, (0..64).map(row).collect::<String>()).unwrap();
    path
}

/// Asserts that the laps of a sweep are those of `pipeline::optimize` on the same cross-sections.
fn assert_swept_as_optimized(extraction: &Extraction, options: &Options, base: &Vehicle, vehicles: &[Vehicle]) {
    let request = Request::new(options, base);
    let sweep = sweep::sweep(extraction, &request, vehicles, SweepMode::Reoptimize).unwrap();
    let own = |vehicle: &Vehicle| {
        let outcome = pipeline::optimize(extraction.clone(), &Request::new(options, vehicle)).unwrap();
        *outcome.summaries.iter().find(|summary| summary.method == options.method).unwrap()
    };
    assert_eq!(sweep.base.unwrap().summary, own(base));
    for (vehicle, lap) in vehicles.iter().zip(&sweep.laps) {
        assert_eq!(lap.as_ref().unwrap().summary, own(vehicle), "{vehicle:?}");
    }
}

#[test]
fn beside_a_wall_vehicles_with_the_same_margin_have_their_own_laps() {
    let folder = TempDir::new().unwrap();
    let wall = |side| EdgeStretch { from_m: 40.0, to_m: 160.0, side, kind: EdgeKind::Wall };
    let kerb = EdgeStretch { from_m: 200.0, to_m: 260.0, side: RoadSide::Left, kind: EdgeKind::Kerb };
    let mut options = Options { method: Method::MinCurvature, ..Options::default() };
    let base = Vehicle { width_m: 2.0, safety_distance_m: 0.52, ..preset("gt").unwrap() };
    // Half the width and the safety distance have the same sum, but a wall's clearance is kept from the
    // vehicle's side, and its side may be over a kerb.
    let narrow = Vehicle { width_m: 1.04, safety_distance_m: 1.0, ..base.clone() };
    let short = Vehicle { length_m: 1.5, ..base.clone() };
    assert_eq!(narrow.margin_m(), base.margin_m());
    let vehicles = [narrow, short, Vehicle { mass_kg: 900.0, ..base.clone() }];
    for edge in [vec![wall(RoadSide::Both)], vec![wall(RoadSide::Right), kerb]] {
        options.edge = edge;
        let extraction = pipeline::extract(&oval_csv(&folder), &options, &Silent).unwrap();
        assert_swept_as_optimized(&extraction, &options, &base, &vehicles);
        let lap_time_s = |vehicle: &Vehicle| {
            pipeline::optimize(extraction.clone(), &Request::new(&options, vehicle)).unwrap().line.lap_time_s
        };
        let difference_s = lap_time_s(&base) - lap_time_s(&vehicles[0]);
        assert!(difference_s.abs() > 1e-3, "the edges matter: {difference_s}");
    }
}

/// `sweep` gave the first search's laps, and a warning that a lower `spacing_m` would help.
#[test]
fn a_lap_that_misses_its_margin_is_searched_again_between_more_cross_sections() {
    let tracks = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("tracks");
    let layer = raceline::options::Layer::read(&tracks.join("hairpin.toml")).unwrap();
    let mut options = Options::from_layers(&[layer]).unwrap();
    options.method = Method::MinCurvature;
    let (picture, base) = (tracks.join("hairpin.png"), tum());
    let vehicles: Vec<Vehicle> =
        [1.2, 1.6, 2.4, 2.8].map(|width_m| Vehicle { width_m, ..base.clone() }).into_iter().collect();
    let extraction = pipeline::extract(&picture, &options, &Silent).unwrap();
    assert_swept_as_optimized(&extraction, &options, &base, &vehicles);
    let own = |vehicle: &Vehicle, options: &Options| {
        pipeline::optimize(extraction.clone(), &Request::new(options, vehicle)).unwrap()
    };
    let again = std::iter::once(&base)
        .chain(&vehicles)
        .filter(|vehicle| own(vehicle, &options).details.iter().any(|detail| matches!(detail, Detail::Finer { .. })));
    let again = again.count();
    println!("{again} of {} were searched again", vehicles.len() + 1);
    assert!((1..=vehicles.len()).contains(&again), "{again}: some, not all");
    let request = Request::new(&options, &base);
    let fixed = sweep::sweep(&extraction, &request, &vehicles, SweepMode::FixedLine).unwrap();
    assert_eq!(fixed.base.unwrap().summary.lap_time_s, own(&base, &options).line.lap_time_s);
    // What is specified stays.
    options.track.spacing_m = Some(extraction.track.spacing_m);
    assert_swept_as_optimized(&extraction, &options, &base, &vehicles);
    assert!(own(&base, &options).details.iter().all(|detail| !matches!(detail, Detail::Finer { .. })));
}

#[test]
fn each_vehicle_decides_about_pick_ups_by_its_own_laps() {
    let folder = TempDir::new().unwrap();
    let mut options = Options { method: Method::MinCurvature, ..Options::default() };
    let extraction = pipeline::extract(&oval_csv(&folder), &options, &Silent).unwrap();
    let place = extraction.track.sections[20].point(0.15);
    let pick_up = |worth_s: f64| PickUp { at: Spot::Metres([place.x, place.y]), radius_m: 0.5, worth_s, take: None };
    let base = Vehicle { width_m: 1.8, safety_distance_m: 0.2, ..preset("gt").unwrap() };
    let slow = Vehicle { lateral_limit_mps2: 2.0, longitudinal_limit_mps2: 2.0, ..base.clone() };
    // By the line whose laps decide.
    let detour_s = |vehicle: &Vehicle, options: &Options| {
        let options = &Options { method: Method::TimeOptimal, ..options.clone() };
        let outcome = pipeline::optimize(extraction.clone(), &Request::new(options, vehicle)).unwrap();
        outcome.decisions.unwrap().pick_ups[0].detour_s.unwrap()
    };
    options.pick_up = vec![pick_up(1.0)];
    let detours_s = [detour_s(&base, &options), detour_s(&slow, &options)];
    assert!(detours_s[1] > 1.2 * detours_s[0], "{detours_s:?}");
    // Worth it to one of the two alone.
    options.pick_up = vec![pick_up(f64::midpoint(detours_s[0], detours_s[1]))];
    assert_swept_as_optimized(&extraction, &options, &base, &[slow]);
}

#[test]
fn more_grip_is_never_slower() {
    for mode in [SweepMode::FixedLine, SweepMode::Reoptimize] {
        let (_, sweep) = sweep(&["grip=0.7:1.3:7"], &options(), mode);
        let laps = laps(&sweep);
        assert!(laps.windows(2).all(|pair| pair[1] <= pair[0]), "{mode:?}: {laps:?}");
        assert!(laps[6] < 0.95 * laps[0]);
    }
}

#[test]
fn on_the_fixed_line_the_length_stays_and_the_base_is_its_own() {
    let (_, sweep) = sweep(&["mass_kg=0.8x,1x", "max_speed_mps=40,70"], &options(), SweepMode::FixedLine);
    let base = sweep.base.as_ref().unwrap();
    assert_eq!(sweep.laps[3].as_ref().unwrap().summary, base.summary);
    assert!(sweep.laps.iter().all(|lap| lap.as_ref().unwrap().summary.length_m == base.summary.length_m));
    assert!(laps(&sweep)[2] > base.summary.lap_time_s);
    assert_eq!(sweep.laps[2].as_ref().unwrap().summary.top_speed_mps, 40.0);
}

#[test]
fn a_wider_vehicle_on_the_fixed_line_is_reported() {
    let (_, sweep) = sweep(&["width_m=2,3", "max_curvature_radpm=0.12,0.001"], &options(), SweepMode::FixedLine);
    let warnings = |index: usize| {
        let warnings = &sweep.laps[index].as_ref().unwrap().warnings;
        warnings.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
    };
    assert_eq!(warnings(0), "");
    assert!(warnings(1).contains("but this vehicle's steering allows at most 0.001 1/m"), "{}", warnings(1));
    assert!(warnings(2).contains("keeps a margin of 1.700 m, but this vehicle requires 2.200 m"), "{}", warnings(2));
}

#[test]
fn a_combination_that_fails_does_not_stop_the_others() {
    let (plan, sweep) = sweep(&["safety_distance_m=0.5,40", "mass_kg=1000,1e9"], &options(), SweepMode::Reoptimize);
    assert!(sweep.laps[0].is_ok());
    assert!(matches!(sweep.laps[2], Err(SolveError::RoadTooNarrow { .. })));
    let table = Table::new(("stadium", "tum-racecar"), (Method::Blend, SweepMode::Reoptimize), plan, &sweep);
    assert_eq!(table.failed(), 3);
    let csv = sweep_csv::write(&table);
    let rows: Vec<&str> = csv.lines().collect();
    assert_eq!(rows.len(), 5);
    assert!(rows[1].contains(",ok,"), "{}", rows[1]);
    assert!(
        rows[2].contains(",failed,") && rows[2].contains("mass_kg is 1000000000: give a number from"),
        "{}",
        rows[2]
    );
    assert!(rows[3].starts_with("40,1000,,,,,,,failed,\"the road is "), "{}", rows[3]);
}

#[test]
fn without_a_base_there_is_no_gain_and_without_its_line_no_fixed_line() {
    let wide = Vehicle { width_m: 60.0, ..tum() };
    let plan = Plan::new(&wide, &variations(&["width_m=2,60"])).unwrap();
    let vehicles = plan.vehicles(&wide).unwrap();
    let run = |mode| sweep::sweep(&STADIUM, &Request::new(&options(), &wide), &vehicles, mode);
    assert!(matches!(run(SweepMode::FixedLine), Err(SolveError::RoadTooNarrow { .. })));
    let sweep = run(SweepMode::Reoptimize).unwrap();
    assert!(sweep.base.is_err() && sweep.laps[0].is_ok() && sweep.laps[1].is_err());
    let table = Table::new(("stadium", "wide"), (Method::Blend, SweepMode::Reoptimize), plan, &sweep);
    let csv = sweep_csv::write(&table);
    assert!(csv.lines().nth(1).unwrap().ends_with(",,,ok,"), "{csv}");
    sweep_chart::svg(&table).unwrap();
}

fn table(texts: &[&str]) -> Table {
    let (plan, sweep) = sweep(texts, &options(), SweepMode::FixedLine);
    Table::new(("stadium", "tum-racecar"), (Method::Blend, SweepMode::FixedLine), plan, &sweep)
}

#[test]
fn the_table_states_what_is_gained() {
    let table = table(&["grip=1.1,1,0.9"]);
    let rows: Vec<String> = sweep_csv::write(&table).lines().map(str::to_owned).collect();
    assert_eq!(rows[0], "grip,lap_time_s,length_m,top_speed_mps,lowest_speed_mps,gain_s,gain_percent,status,message");
    let cell = |row: usize, column: usize| rows[row].split(',').nth(column).unwrap().parse::<f64>().unwrap();
    let base = table.base.unwrap();
    assert!((cell(2, 1) - base.lap_time_s).abs() <= 5e-5);
    assert_eq!((cell(2, 5), cell(2, 6)), (0.0, 0.0));
    assert!(cell(1, 5) > 0.0 && cell(3, 5) < 0.0, "positive is faster");
    for row in [1, 3] {
        assert!((cell(row, 5) - (cell(2, 1) - cell(row, 1))).abs() < 1e-9);
        assert!((cell(row, 6) - 100.0 * cell(row, 5) / cell(2, 1)).abs() < 1e-4);
    }
    assert_eq!(table.fastest().unwrap().values, [1.1]);
    assert_eq!(table.slowest().unwrap().values, [0.9]);
}

/// Every text of an SVG: place, size, anchor and content; turned ones left out.
fn texts(svg: &str) -> Vec<(f64, f64, f64, String, String)> {
    let attribute = |element: &str, name: &str| {
        let from = element.find(&format!(" {name}=\"")).unwrap() + name.len() + 3;
        element[from..].split('"').next().unwrap().to_owned()
    };
    svg.lines()
        .filter(|line| line.starts_with("<text ") && !line.contains("x=\"0\" y=\"0\""))
        .map(|line| {
            let number = |name: &str| attribute(line, name).parse::<f64>().unwrap();
            let content = line.split('>').nth(1).unwrap().split('<').next().unwrap();
            (number("x"), number("y"), number("font-size"), attribute(line, "text-anchor"), content.to_owned())
        })
        .collect()
}

/// No two texts overlap and none leaves the canvas, taking a letter to be at most 0.6 of its size
/// wide.
#[track_caller]
fn assert_readable(svg: &str) {
    let boxes: Vec<([f64; 4], String)> = texts(svg)
        .into_iter()
        .map(|(x, y, size, anchor, content)| {
            let width = 0.6 * size * content.chars().count() as f64;
            let left = x - width
                * match anchor.as_str() {
                    "start" => 0.0,
                    "middle" => 0.5,
                    _ => 1.0,
                };
            ([left, y - 0.75 * size, left + width, y + 0.2 * size], content)
        })
        .collect();
    for (index, ([left, top, right, bottom], content)) in boxes.iter().enumerate() {
        assert!(*left >= 0.0 && *right <= 1600.0 && *top >= 0.0, "{content} leaves the canvas");
        for ([other_left, other_top, other_right, other_bottom], other) in &boxes[..index] {
            let apart = right <= other_left || other_right <= left || bottom <= other_top || other_bottom <= top;
            assert!(apart, "{content} lies on {other}");
        }
    }
}

#[test]
fn two_varied_numbers_make_a_map() {
    let small = table(&["grip=0.8:1.2:5", "mass_kg=1200", "max_speed_mps=50,60,70"]);
    let svg = sweep_chart::svg(&small).unwrap();
    assert_eq!(svg.matches("shape-rendering=\"crispEdges\"").count(), 15, "a cell a combination");
    assert_eq!(svg.matches("class=\"base\"").count(), 2, "the base's cell, and the legend's");
    let contents: Vec<String> = texts(&svg).into_iter().map(|text| text.4).collect();
    for content in ["0.8", "1.2", "50", "70", "grip", "lap time, s", "base", "0 %"] {
        assert!(contents.iter().any(|other| other == content), "{content}: {contents:?}");
    }
    assert!(svg.contains(">max_speed_mps, m/s<") && svg.contains("mass_kg 1200 kg"));
    assert_readable(&svg);
    // A fine map has neither texts in its cells nor a frame, a base off the map no mark, and one
    // between cells a ring.
    for (texts, ring) in [
        (&["grip=0.8:1.2:64", "max_speed_mps=50:80:90"][..], true),
        (&["mass_kg=1500:2000:9", "drag_kgpm=0.1:2:25"], false),
        (&["grip=0.9,1.05", "drag_kgpm=0.5:1:2"], true),
        (&["grip=0.9,1.1", "drag_kgpm=0.5,1", "max_speed_mps=50"], false),
    ] {
        let svg = sweep_chart::svg(&table(texts)).unwrap();
        assert_eq!(svg.contains("<circle"), ring, "{texts:?}");
        assert!(!svg.contains("class=\"base\""));
        assert_readable(&svg);
    }
    assert!(png::from_svg(&svg).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn failed_combinations_are_shown_as_such() {
    let (plan, sweep) = sweep(&["safety_distance_m=0.5,40", "grip=0.9,1"], &options(), SweepMode::Reoptimize);
    let table = Table::new(("stadium", "tum-racecar"), (Method::Blend, SweepMode::Reoptimize), plan, &sweep);
    let svg = sweep_chart::svg(&table).unwrap();
    assert!(svg.contains(">no line<"));
    assert_readable(&svg);
    let (plan, sweep) = sweep_of_none();
    let table = Table::new(("stadium", "tum-racecar"), (Method::Blend, SweepMode::Reoptimize), plan, &sweep);
    assert_eq!(sweep_chart::svg(&table).unwrap_err(), RenderError::NoLap);
}

fn sweep_of_none() -> (Plan, Sweep) {
    sweep(&["safety_distance_m=40,50"], &options(), SweepMode::Reoptimize)
}

#[test]
fn one_varied_number_makes_a_line() {
    for (texts, base) in [
        (&["max_speed_mps=40:80:9"][..], true),
        (&["max_speed_mps=40:60:9"], false),
        (&["max_speed_mps=40:80:9", "grip=0.99"], false),
    ] {
        let svg = sweep_chart::svg(&table(texts)).unwrap();
        assert_eq!(svg.matches("class=\"laps\"").count(), 1);
        assert_eq!(svg.contains(">base<"), base, "{texts:?}");
        assert_readable(&svg);
    }
    let svg = sweep_chart::svg(&table(&["downforce_kgpm=0,0.5"])).unwrap();
    assert_readable(&svg);
    // The lap doesn't depend on it: a level line.
    assert_readable(&sweep_chart::svg(&table(&["wheelbase_m=2:3:5"])).unwrap());
}

#[test]
fn a_picture_needs_one_or_two_varied_numbers() {
    let check = |texts: &[&str]| sweep_chart::check(&plan(texts));
    assert!(check(&["grip=1,2"]).is_ok() && check(&["grip=1,2", "mass_kg=1,2", "drag_kgpm=1"]).is_ok());
    let error = check(&["grip=1,2", "mass_kg=1,2", "drag_kgpm=1,2"]).unwrap_err().to_string();
    assert!(error.contains("grip, mass_kg, drag_kgpm vary: specify a single value for all but two of them"), "{error}");
    let error = check(&["grip=1"]).unwrap_err().to_string();
    assert!(error.contains("specify several values for one or two of them"), "{error}");
}

/// A folder with `ring.png`: a white ring between the radii 60 and 80 px, anti-aliased, on black.
fn folder_with_ring() -> TempDir {
    let folder = TempDir::new().unwrap();
    let coverage = |distance: f32| (distance + 0.5).clamp(0.0, 1.0);
    let picture = GrayImage::from_fn(200, 200, |column, row| {
        let radius = (column as f32 - 99.5).hypot(row as f32 - 99.5);
        Luma([(255.0 * coverage(radius - 60.0) * coverage(80.0 - radius)).round() as u8])
    });
    picture.save(folder.path().join("ring.png")).unwrap();
    fs::write(folder.path().join("ring.toml"), "metres_per_pixel = 0.5\ngenerations = 3\npopulation = 8\n").unwrap();
    folder
}

fn raceline(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("raceline").unwrap();
    command.current_dir(folder).env("NO_COLOR", "1").args(arguments);
    command
}

#[test]
fn the_command_writes_table_and_picture_the_same_on_any_number_of_threads() {
    let folder = folder_with_ring();
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    for threads in ["1", "2"] {
        let (csv, svg, png) = (format!("{threads}.csv"), format!("{threads}.svg"), format!("{threads}.png"));
        for picture in [&svg, &png] {
            raceline(folder.path(), &["sweep", "ring.png", "--vary", "width_m=1.5,2", "--vary", "grip=0.8x:1.2x:5"])
                .args(["-o", &csv, "--heat-map", picture, "--threads", threads])
                .assert()
                .success()
                .stderr(is_empty())
                .stdout(
                    starts_with("ring: light road")
                        .and(contains("10 combinations of tum-racecar, a new time-optimal line for each\n"))
                        .and(contains(format!("-> {csv}\n  -> {picture}\n"))),
                );
        }
    }
    assert_eq!(read("1.csv"), read("2.csv"));
    assert_eq!(read("1.svg"), read("2.svg"));
    assert_eq!(read("1.png"), read("2.png"));
    assert_eq!(String::from_utf8(read("1.csv")).unwrap().lines().count(), 11);
}

#[test]
fn without_an_output_the_table_is_on_stdout_and_the_summary_on_stderr() {
    let folder = folder_with_ring();
    let run = raceline(folder.path(), &["sweep", "ring.png", "--vary", "mass_kg=-10%,+10%", "--fixed-line"]).assert();
    run.success()
        .stdout(starts_with("mass_kg,lap_time_s,").and(contains("\n1080,")).and(contains("\n1320,")))
        .stderr(contains("2 combinations of tum-racecar, all on the base's time-optimal line"));
    let quiet = raceline(folder.path(), &["sweep", "ring.png", "--vary", "grip=1", "--quiet"]).assert();
    quiet.success().stdout(starts_with("grip,")).stderr(is_empty());
}

#[test]
fn when_every_combination_fails_the_table_states_why_and_the_exit_code_is_1() {
    let folder = folder_with_ring();
    let arguments = ["sweep", "ring.png", "--vary", "width_m=30,40", "-o", "x.csv", "--heat-map", "x.svg"];
    raceline(folder.path(), &arguments)
        .assert()
        .code(1)
        .stdout(is_empty())
        .stderr(contains("ring.png: every combination failed, the first one with: the road is"));
    assert!(fs::read_to_string(folder.path().join("x.csv")).unwrap().contains("failed,\"the road is"));
    assert!(!folder.path().join("x.svg").exists());
    let some = ["sweep", "ring.png", "--vary", "width_m=2,40", "-o", "y.csv", "--heat-map", "y.svg"];
    raceline(folder.path(), &some).assert().success().stdout(contains("1 failed"));
}

#[test]
fn wrong_usage_and_missing_files_are_reported_before_the_run() {
    let folder = folder_with_ring();
    let vary = |more: &[&'static str]| [&["sweep", "ring.png", "--vary"], more].concat();
    for (arguments, message) in [
        (vec!["sweep", "ring.png"], "--vary"),
        (vary(&["mass_kg"]), "write KEY=FROM:TO:COUNT"),
        (vary(&["mass_kg=90%"]), "needs its sign"),
        (vary(&["mass=1,2"]), "has no number \"mass\": choose one of downforce_kgpm, drag_kgpm"),
        (vary(&["name=1"]), "is text: specify a key whose value is one number"),
        (vary(&["downforce_kgpm=+10%"]), "write the values themselves"),
        (vary(&["mass_kg=1:2:100001"]), "at most 100000"),
        (vary(&["mass_kg=1,2", "--heat-map", "x.bmp"]), ".svg or .png"),
        (vary(&["mass_kg=1", "--heat-map", "x.svg"]), "several values"),
        (vary(&["mass_kg=1", "--fixed-line", "--reoptimize"]), "cannot be used with"),
    ] {
        raceline(folder.path(), &arguments).assert().code(2).stdout(is_empty()).stderr(contains(message));
    }
    raceline(folder.path(), &vary(&["mass_kg=1", "-o", "nowhere/x.csv"]))
        .assert()
        .code(1)
        .stderr(contains("there is no folder nowhere"));
    raceline(folder.path(), &["sweep", "none.png", "--vary", "mass_kg=1", "--metres-per-pixel", "1"])
        .assert()
        .code(1)
        .stderr(contains("none.png"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing is written");
}

/// The sweep of a car whose laps are searched from their neighbours' finds those of searches from the
/// point mass's line.
#[test]
fn a_cars_laps_are_those_of_searches_of_their_own() {
    let extraction = &*STADIUM;
    let mut options = Options { method: Method::TimeOptimal, ..Options::default() };
    options.solve.model = Some(Model::Car);
    let base = preset("gt").unwrap();
    let texts = ["front_brake_fraction=0.56:0.68:4", "mass_kg=-5%,+5%"];
    let plan = Plan::new(&base, &variations(&texts)).unwrap();
    let vehicles = plan.vehicles(&base).unwrap();
    let sweep = sweep::sweep(extraction, &Request::new(&options, &base), &vehicles, SweepMode::Reoptimize).unwrap();
    let road = Arc::new(LocalRoad::new(&extraction.track));
    let search = RoadSearch::new(road, &options.line_options(), &base, &Silent).unwrap();
    for (vehicle, lap) in vehicles.iter().zip(&sweep.laps) {
        let found = lap.as_ref().unwrap().summary.lap_time_s;
        let alone = search.variation(&base, vehicle).unwrap().lap_time_s;
        assert!((found / alone - 1.0).abs() < 1e-4, "{found} {alone}");
    }
    // Brakes nearer to the loads are faster, less mass too.
    let times: Vec<f64> = sweep.laps.iter().map(|lap| lap.as_ref().unwrap().summary.lap_time_s).collect();
    assert!(times.windows(3).all(|three| three[2] < three[0]), "{times:?}");
    assert!(times.chunks(2).all(|two| two[0] < two[1]), "{times:?}");
    let base_s = sweep.base.unwrap().summary.lap_time_s;
    assert_eq!(base_s, search.line(&base).unwrap().lap_time_s);
}

#[test]
fn laps_of_a_car_and_of_point_masses_are_not_compared() {
    // A car whose wheels turn too slowly for the bends has no lap, and `optimize` takes the point mass's instead.
    let tracks = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("tracks");
    let options =
        Options::from_layers(&[raceline::options::Layer::read(&tracks.join("hairpin.toml")).unwrap()]).unwrap();
    let hairpin = pipeline::extract(&tracks.join("hairpin.png"), &options, &Silent).unwrap();
    let gt = preset("gt").unwrap();
    let slow = Vehicle { steering_rate_radps: Some(0.01), ..gt.clone() };
    let laps = |options: &Options, base: &Vehicle, other: &Vehicle| {
        sweep::sweep(&hairpin, &Request::new(options, base), std::slice::from_ref(other), SweepMode::Reoptimize)
            .unwrap()
    };
    let of_cars = laps(&options, &gt, &slow);
    assert!(of_cars.base.unwrap().warnings.is_empty());
    assert_eq!(of_cars.laps, [Err(SolveError::NoCarLap)]);

    // Where the base has none, all laps are those of point masses, and the base has the warning.
    let of_point_masses = laps(&options, &slow, &gt);
    let instead = |warning: &pipeline::Warning| warning.to_string().contains("point-mass");
    assert!(of_point_masses.base.unwrap().warnings.iter().any(instead));
    let mut options = options;
    options.solve.model = Some(Model::PointMass);
    assert_eq!(of_point_masses.laps, laps(&options, &slow, &gt).laps);
}
