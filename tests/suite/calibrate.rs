//! Calibration: known vehicles are found again from what they drove.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::expect_used,
    reason = "a test fails by panicking, in its helpers too"
)]

mod synthetic;

use std::fs;

use assert_cmd::Command;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use raceline::drive::{DriveOptions, drive, trace_csv};
use raceline::file::RacingLine;
use raceline::vehicle::{GgDiagram, Vehicle, preset};
use raceline_calibrate::{
    CalibrateError, Calibration, Curve, Note, Origin, ResistanceSource, Run, Telemetry, calibrate, csv,
};
use tempfile::TempDir;

use crate::drive::of_point_mass;
use synthetic::{Driver, Road, car, drive_car};

/// Fails where a measured point of `curve` differs from `truth` by more than `tolerance`.
fn assert_near(name: &str, curve: &Curve, truth: &dyn Fn(f64) -> f64, tolerance: f64) {
    for point in curve.points.iter().filter(|point| point.origin == Origin::Measured) {
        let ratio = point.limit_mps2 / truth(point.speed_mps);
        assert!((ratio - 1.0).abs() < tolerance, "{name} at {} m/s: {ratio} of the truth, {point:?}", point.speed_mps);
    }
}

fn measured(curve: &Curve) -> usize {
    curve.points.iter().filter(|point| point.origin == Origin::Measured).count()
}

/// The limits of a vehicle: longitudinal, lateral and drive.
fn assert_like(found: &Calibration, truth: &Vehicle, tolerance: f64) {
    let diagram = GgDiagram::new(truth).unwrap();
    assert_near("braking", &found.braking, &|v| diagram.longitudinal_limit_jet(v * v).value, tolerance);
    assert_near("lateral", &found.lateral, &|v| diagram.lateral_limit(v * v), tolerance);
    assert_near("drive", &found.drive, &|v| diagram.drive_jet(v * v).value, tolerance);
}

fn one(run: Run) -> Telemetry {
    Telemetry { runs: vec![run] }
}

// ---- Made-up driving with noise of 0.3 m/s² and 1 % outliers

#[test]
fn a_known_car_is_found_within_two_percent() {
    let car = car();
    let found = calibrate(&one(drive_car(&car, &Driver::default(), 1)), &preset("gt").unwrap()).unwrap();
    assert_like(&found, &car, 0.02);
    assert!(measured(&found.braking) > 8 && measured(&found.lateral) > 7 && measured(&found.drive) > 12, "{found:?}");
    assert_eq!(found.resistance, ResistanceSource::Coasting);
    let drag = found.drag_kgpm.value * car.mass_kg / found.vehicle.mass_kg;
    assert!((drag / car.drag_kgpm - 1.0).abs() < 0.05, "{drag}");
    let downforce = found.downforce_kgpm.value * car.mass_kg / found.vehicle.mass_kg;
    assert!((downforce / car.downforce_kgpm - 1.0).abs() < 0.15, "{downforce}");
    assert!((found.ellipse_exponent.value - car.ellipse_exponent).abs() < 0.25, "{:?}", found.ellipse_exponent);
    // Means over five samples.
    assert!((found.noise_mps2[0] * 5_f64.sqrt() - 0.3).abs() < 0.05, "{:?}", found.noise_mps2);
    // The speeds above are filled by weight and downforce.
    let diagram = GgDiagram::new(&car).unwrap();
    let ratio = found.braking.at(80.0) / diagram.longitudinal_limit_jet(6400.0).value;
    assert!((ratio - 1.0).abs() < 0.05, "{ratio}");
    // Certainty: the errors of measured points are neither nothing nor everything.
    for point in found.braking.points.iter().filter(|point| point.origin == Origin::Measured) {
        let error = point.standard_error_mps2.unwrap() / point.limit_mps2;
        assert!((0.002..0.06).contains(&error) && point.samples >= 10, "{point:?}");
    }
}

#[test]
fn speeds_alone_are_enough_for_accelerations() {
    let car = car();
    let driver = Driver { noise_mps2: 0.0, speed_noise_mps: 0.02, outliers: 0.0, ..Driver::default() };
    let mut run = drive_car(&car, &driver, 2);
    run.accel_mps2 = None;
    let across = run.lateral_accel_mps2.take().unwrap();
    run.yaw_rate_radps = Some(across.iter().zip(&run.speed_mps).map(|(a, v)| a / v).collect());
    let found = calibrate(&one(run), &preset("gt").unwrap()).unwrap();
    assert_like(&found, &car, 0.025);
    assert!(found.noise_mps2[0] < 0.35, "{:?}", found.noise_mps2);
}

#[test]
fn without_pedals_the_resistance_is_the_bases() {
    let car = car();
    let mut run = drive_car(&car, &Driver::default(), 3);
    (run.throttle, run.brake) = (None, None);
    let found = calibrate(&one(run), &car).unwrap();
    assert_eq!(found.resistance, ResistanceSource::Base);
    assert!(found.notes.contains(&Note::ResistanceOfBase { has_pedals: false }), "{:?}", found.notes);
    assert_like(&found, &car, 0.025);
}

#[test]
fn hills_banking_and_grip_are_taken_out() {
    let car = car();
    let driver = Driver { road: Road::Hilly, ..Driver::default() };
    let run = drive_car(&car, &driver, 4);
    let found = calibrate(&one(run.clone()), &car).unwrap();
    assert_like(&found, &car, 0.02);
    // Without these columns it is another car.
    let flat = Run { grade_rad: None, banking_rad: None, vertical_curvature_radpm: None, grip: None, ..run };
    let blind = calibrate(&one(flat), &car).unwrap();
    let ratio = blind.braking.at(30.0) / found.braking.at(30.0);
    assert!((ratio - 1.0).abs() > 0.03, "{ratio}");
}

#[test]
fn the_tyres_limit_the_drive_where_it_follows_the_grip() {
    let car = car();
    let driver = Driver { road: Road::Hilly, traction_mps2: Some(6.0), ..Driver::default() };
    let found = calibrate(&one(drive_car(&car, &driver, 5)), &car).unwrap();
    let below = found.notes.iter().find_map(|note| match note {
        Note::Traction { below_mps } => Some(*below_mps),
        _ => None,
    });
    // The engine gives 6 m/s² at 40 m/s.
    assert!((34.0..46.0).contains(&below.expect("a note on traction")), "{below:?}");
    let driving = found.driving.as_ref().expect("what the tyres transmit");
    assert_near("driving", driving, &|_| 6.0, 0.02);
    assert!(measured(driving) >= 8, "{driving:?}");
    // The engine of the same truth, from 33 m/s, where it gives 7.2 m/s²; below, at least that.
    let diagram = GgDiagram::new(&car).unwrap();
    assert_near("drive", &found.drive, &|v| diagram.drive_jet(v * v).value, 0.02);
    assert!(measured(&found.drive) >= 10 && (7.0..8.6).contains(&found.drive.at(15.0)), "{:?}", found.drive);
    // The vehicle drives as the telemetry: at each speed the lower of both.
    let vehicle = GgDiagram::new(&found.vehicle).unwrap();
    for v in [15.0, 25.0, 55.0] {
        let reported = vehicle.acceleration(v * v, 0.0) + vehicle.resistance(v * v);
        let truth = diagram.drive_jet(v * v).value.min(6.0);
        assert!((reported / truth - 1.0).abs() < 0.02, "{v}: {reported} {truth}");
    }
    let text = found.to_toml().unwrap();
    assert!(text.contains("driving_limit_table = [\n") && text.contains("transmit"), "{text}");
    assert_eq!(Vehicle::from_toml(&text, "x.toml").unwrap(), found.vehicle);
}

#[test]
fn traction_is_found_over_seeds_and_only_where_it_limits() {
    let car = car();
    for (seed, traction) in [(21, 5.0), (22, 7.0)] {
        let driver = Driver { road: Road::Hilly, traction_mps2: Some(traction), ..Driver::default() };
        let found = calibrate(&one(drive_car(&car, &driver, seed)), &car).unwrap();
        assert_near("driving", found.driving.as_ref().expect("a table"), &|_| traction, 0.02);
    }
    let driver = Driver { road: Road::Hilly, ..Driver::default() };
    let found = calibrate(&one(drive_car(&car, &driver, 23)), &car).unwrap();
    assert!(found.driving.is_none() && found.vehicle.driving_limit_table.is_empty(), "{:?}", found.driving);
}

#[test]
fn a_gentle_driver_gets_a_note_of_what_was_never_reached() {
    let car = car();
    let driver = Driver { braking: 0.35, ..Driver::default() };
    let found = calibrate(&one(drive_car(&car, &driver, 6)), &car).unwrap();
    let note = found.notes.iter().find(|note| matches!(note, Note::BrakingNotReached { .. })).expect("a note");
    let Note::BrakingNotReached { max_brake, filled, .. } = note else { unreachable!() };
    assert!((max_brake.unwrap() - 0.35).abs() < 0.02 && *filled == Origin::Proportion, "{note:?}");
    assert_eq!((found.braking.reached_mps, measured(&found.braking)), (None, 0));
    // Its limit is that of the bends, in the base's proportion.
    let proportion = car.longitudinal_limit_mps2 / car.lateral_limit_mps2;
    assert!((found.braking.at(30.0) / found.lateral.at(30.0) / proportion - 1.0).abs() < 0.03);
    // The same without a pedal.
    let mut run = drive_car(&car, &driver, 6);
    (run.throttle, run.brake) = (None, None);
    let blind = calibrate(&one(run), &car).unwrap();
    assert!(blind.notes.iter().any(|note| matches!(note, Note::BrakingNotReached { max_brake: None, .. })));
    // Gentle in bends.
    let driver = Driver { cornering: 0.4, ..Driver::default() };
    let found = calibrate(&one(drive_car(&car, &driver, 7)), &car).unwrap();
    assert!(found.notes.iter().any(|note| matches!(note, Note::LateralNotReached { .. })), "{:?}", found.notes);
    assert!((found.braking.at(30.0) / found.lateral.at(30.0) / proportion - 1.0).abs() < 0.03);
}

#[test]
fn loads_show_mass_and_downforce() {
    let car = car();
    let mut run = drive_car(&car, &Driver::default(), 8);
    let load = |v: &f64| car.mass_kg * 9.80665 + car.downforce_kgpm * v * v;
    run.load_front_n = Some(run.speed_mps.iter().map(|v| 0.4 * load(v)).collect());
    run.load_rear_n = Some(run.speed_mps.iter().map(|v| 0.6 * load(v)).collect());
    let base = Vehicle { mass_kg: 1.1 * car.mass_kg, ..car.clone() };
    let found = calibrate(&one(run), &base).unwrap();
    let (mass, downforce) = (found.mass_by_loads_kg.unwrap(), found.downforce_by_loads_kgpm.unwrap());
    assert!((mass.value / car.mass_kg - 1.0).abs() < 1e-3 && (downforce.value / car.downforce_kgpm - 1.0).abs() < 1e-2);
    assert!(found.notes.iter().any(|note| matches!(note, Note::Mass { .. })));
}

// ---- What `raceline drive` drives

fn trace(name: &str, laps: u32) -> Run {
    let line = of_point_mass(name);
    run_of(&line, &line.vehicle, laps)
}

/// A lap of a vehicle on a line that was made for another.
fn driven_by(vehicle: &Vehicle, name: &str) -> Run {
    run_of(&of_point_mass(name), vehicle, 1)
}

fn run_of(line: &RacingLine, vehicle: &Vehicle, laps: u32) -> Run {
    let driven = drive(line, vehicle, &DriveOptions { laps, ..DriveOptions::default() }).unwrap();
    csv::read(trace_csv::write(&driven.trace).as_bytes(), "drive.csv").unwrap()
}

#[test]
fn the_vehicle_of_driven_lines_is_found() {
    let runs = ["club", "hairpin", "oval", "street"].map(|name| trace(name, 1)).to_vec();
    let truth = preset("tum-racecar").unwrap();
    // A base that knows nothing of its tyres.
    let base = Vehicle { lateral_limit_mps2: 0.0, longitudinal_limit_mps2: 0.0, ..truth.clone() };
    let base = Vehicle { ggv_table: vec![[0.0, 9.0, 9.0]], drag_kgpm: 0.4, ..base };
    let found = calibrate(&Telemetry { runs }, &base).unwrap();
    // The rear axle alone drives, so that the throttle at the exit of a bend takes more of it than the ellipse of
    // the whole vehicle has: 2.1 % at 20 m/s.
    assert_like(&found, &truth, 0.025);
    assert!(measured(&found.lateral) >= 4 && measured(&found.drive) >= 12);
    assert_eq!(found.resistance, ResistanceSource::Pedals);
    assert!((found.drag_kgpm.value / truth.drag_kgpm - 1.0).abs() < 0.02, "{:?}", found.drag_kgpm);
    // Its follower never presses the brake fully, which is reported; the pedal determines the rest.
    assert!(found.notes.iter().any(|note| matches!(note, Note::BrakingNotReached { filled: Origin::Pedal, .. })));
    assert!((found.braking.at(30.0) / 12.0 - 1.0).abs() < 0.02, "{}", found.braking.at(30.0));
}

#[test]
fn the_exponent_of_driven_lines_is_found() {
    for rear_grip_reserve in [0.0, 0.05] {
        let truth = Vehicle { rear_grip_reserve: Some(rear_grip_reserve), ..preset("tum-racecar").unwrap() };
        let runs = ["club", "hairpin", "oval", "street"].map(|name| driven_by(&truth, name)).to_vec();
        // The estimate keeps about a fifth of the base's 1.5.
        let base = Vehicle { ellipse_exponent: 1.5, ..truth };
        let found = calibrate(&Telemetry { runs }, &base).unwrap().ellipse_exponent.value;
        assert!((found - 2.0).abs() < 0.2, "{rear_grip_reserve}: {found}");
    }
}

#[test]
fn a_kart_is_found() {
    let truth = preset("kart").unwrap();
    let found = calibrate(&one(trace("kart", 2)), &truth).unwrap();
    // The driver knows that the kart brakes at its rear axle alone, and leaves 3.5 % of the tyres in one bend.
    assert_like(&found, &truth, 0.037);
    assert!((found.drag_kgpm.value / truth.drag_kgpm - 1.0).abs() < 0.03, "{:?}", found.drag_kgpm);
    assert!((found.braking.at(30.0) / 10.0 - 1.0).abs() < 0.02);
}

// ---- The file

#[test]
fn columns_have_many_spellings() {
    let text =
        "# Time [s]; V (m/s); ay [m/s²]; Gas; Brake; Mu; az\n0;10;1.5;0.5;0;1.1;9.8\n0.02;10.1;1.6;0.6;0.1;1.1;9.9\n";
    let run = csv::read(text.as_bytes(), "a.csv").unwrap();
    assert_eq!((run.time_s, run.speed_mps), (vec![0.0, 0.02], vec![10.0, 10.1]));
    assert_eq!((run.lateral_accel_mps2, run.throttle), (Some(vec![1.5, 1.6]), Some(vec![0.5, 0.6])));
    assert_eq!((run.brake, run.grip), (Some(vec![0.0, 0.1]), Some(vec![1.1, 1.1])));
    assert_eq!((run.normal_accel_mps2, run.gear), (Some(vec![9.8, 9.9]), None));
    let text =
        "time_s,forward_mps,leftward_mps,yaw_rate_radps,pedal,state\n0,3,4,0.1,-0.5,driving\n1,3,4,0.1,1,driving\n";
    let run = csv::read(text.as_bytes(), "a.csv").unwrap();
    assert_eq!((run.throttle.clone(), run.brake.clone()), (Some(vec![0.0, 1.0]), Some(vec![0.5, 0.0])));
    assert_eq!(run.path_speed_mps(), [5.0, 5.0]);
}

#[test]
fn units_in_the_names_are_converted() {
    let text = "time_ms;speed_kmh;ay [g];yaw_rate (deg/s);gas_%\n0;36;0.5;90;50\n20;72;-1;0;100\n";
    let run = csv::read(text.as_bytes(), "a.csv").unwrap();
    let near = |found: &[f64], wanted: [f64; 2]| {
        assert!(found.iter().zip(wanted).all(|(found, wanted)| (found - wanted).abs() < 1e-9), "{found:?} {wanted:?}");
    };
    near(&run.time_s, [0.0, 0.02]);
    near(&run.speed_mps, [10.0, 20.0]);
    near(&run.lateral_accel_mps2.unwrap(), [4.903_325, -9.806_65]);
    near(&run.yaw_rate_radps.unwrap(), [std::f64::consts::FRAC_PI_2, 0.0]);
    near(&run.throttle.unwrap(), [0.5, 1.0]);
    // What is no unit of the column leaves it out.
    let other = csv::read(b"t,v,ay,gas [g]\n0,1,2,3\n1,1,2,3\n", "a.csv").unwrap();
    assert!(other.throttle.is_none());
}

#[test]
fn files_that_cannot_be_read_state_why() {
    let message = |text: &str| {
        let error = csv::read(text.as_bytes(), "a.csv").unwrap_err();
        let source = std::error::Error::source(&error).map(|source| format!(": {source}")).unwrap_or_default();
        format!("{error}{source}")
    };
    for (text, part) in [
        ("time_s,speed_mps\n0,1\n", "no column lateral_accel_mps2 among time_s, speed_mps"),
        ("speed_mps,ay\n0,1\n", "no column time_s"),
        ("t,ay\n0,1\n", "no column speed_mps"),
        ("0,1,2\n3,4,5\n", "no column time_s"),
        ("t,v,ay\n0,1,x\n", "line 2, column 3 (lateral_accel_mps2): \"x\" is not a finite number"),
        ("t,v,ay\n0,1,\n", "number of columns is 2"),
        ("t,v,ay,gas\n1,1,1,0\n1,1,1,0\n", "line 3: time_s is 1 after 1: sort the rows"),
        ("t,v,ay,time\n1,1,1,0\n", "time occurs twice"),
    ] {
        let reported = message(text);
        assert!(reported.starts_with("a.csv") && reported.contains(part), "{text:?}: {reported}");
    }
}

#[test]
fn other_units_are_recognised_by_their_sizes() {
    let car = car();
    let run = drive_car(&car, &Driver { noise_mps2: 0.05, outliers: 0.0, ..Driver::default() }, 9);
    let scaled = |values: &[f64], factor: f64| -> Vec<f64> { values.iter().map(|value| factor * value).collect() };
    let yaw: Vec<f64> =
        run.lateral_accel_mps2.as_ref().unwrap().iter().zip(&run.speed_mps).map(|(a, v)| a / v).collect();
    let reported = |change: &dyn Fn(&mut Run)| {
        let mut changed = run.clone();
        change(&mut changed);
        calibrate(&one(changed), &car).unwrap_err().to_string()
    };
    let g = 1.0 / 9.80665;
    let kmh = reported(&|run| run.speed_mps = scaled(&run.speed_mps, 3.6));
    assert!(kmh.contains("speed_mps") && kmh.contains("km/h are divided by 3.6"), "{kmh}");
    let kmh = reported(&|run| (run.speed_mps, run.accel_mps2) = (scaled(&run.speed_mps, 3.6), None));
    assert!(kmh.contains("max_speed_mps = ") && kmh.contains("km/h"), "{kmh}");
    let along = reported(&|run| run.accel_mps2 = Some(scaled(run.accel_mps2.as_ref().unwrap(), g)));
    assert!(along.contains("accel_mps2 is 0.10 times the change of speed_mps: multiples of g"), "{along}");
    let across = reported(&|run| {
        run.lateral_accel_mps2 = Some(scaled(run.lateral_accel_mps2.as_ref().unwrap(), g));
        run.yaw_rate_radps = Some(yaw.clone());
    });
    assert!(across.contains("multiples of g are multiplied by 9.80665"), "{across}");
    let degrees = reported(&|run| {
        run.lateral_accel_mps2 = None;
        run.yaw_rate_radps = Some(scaled(&yaw, 57.3));
    });
    assert!(degrees.contains("degrees are multiplied by 0.0174533"), "{degrees}");
    let percent = reported(&|run| run.throttle = Some(scaled(run.throttle.as_ref().unwrap(), 100.0)));
    assert!(percent.contains("throttle goes up to 100: give it from 0 to 1"), "{percent}");
    let grade = reported(&|run| run.grade_rad = Some(vec![4.0; run.len()]));
    assert!(grade.contains("grade_rad goes up to 4.0: give it in radians"), "{grade}");
    let slow = reported(&|run| run.time_s = scaled(&run.time_s, 1000.0));
    assert!(slow.contains("time_s has 20 from row to row: give it in seconds"), "{slow}");
    let mut short = run.clone();
    for column in [&mut short.time_s, &mut short.speed_mps] {
        column.truncate(150);
    }
    (short.accel_mps2, short.throttle, short.brake) = (None, None, None);
    short.lateral_accel_mps2 = Some(vec![0.0; 150]);
    let error = calibrate(&one(short), &car).unwrap_err();
    assert!(matches!(error, CalibrateError::TooShort { samples: 150, .. }), "{error}");
    let error = calibrate(&Telemetry::default(), &car).unwrap_err();
    assert!(matches!(error, CalibrateError::TooShort { samples: 0, .. }), "{error}");
    let mut still = run.clone();
    still.speed_mps = vec![20.0; run.len()];
    still.accel_mps2 = None;
    let error = calibrate(&one(still), &car).unwrap_err();
    assert!(matches!(error, CalibrateError::NoDrive { .. }), "{error}");
    // Lateral accelerations in g, without anything to compare with: a warning.
    let mut small = run;
    small.lateral_accel_mps2 = Some(scaled(small.lateral_accel_mps2.as_ref().unwrap(), g));
    let found = calibrate(&one(small), &car).unwrap();
    assert!(found.notes.iter().any(|note| note.to_string().contains("multiples of g")), "{:?}", found.notes);
}

// ---- The command

fn folder_with_telemetry() -> TempDir {
    let folder = TempDir::new().unwrap();
    let run = drive_car(&car(), &Driver { seconds: 120.0, ..Driver::default() }, 10);
    let mut text = String::from("time_s,speed_mps,accel_mps2,lateral_accel_mps2,throttle,brake\n");
    for i in 0..run.len() {
        let [accel, across, throttle, brake] =
            [&run.accel_mps2, &run.lateral_accel_mps2, &run.throttle, &run.brake].map(|c| c.as_ref().unwrap()[i]);
        text.push_str(&format!("{},{},{accel},{across},{throttle},{brake}\n", run.time_s[i], run.speed_mps[i]));
    }
    fs::write(folder.path().join("run.csv"), text).unwrap();
    folder
}

fn raceline(folder: &TempDir, arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("raceline").unwrap();
    command.current_dir(folder.path()).env("NO_COLOR", "1").arg("calibrate").args(arguments);
    command
}

#[test]
fn the_command_writes_a_vehicle_that_can_be_used() {
    let folder = folder_with_telemetry();
    raceline(&folder, &["run.csv", "--base", "gt", "-o", "mine.toml"])
        .assert()
        .success()
        .stdout(contains("drag_kgpm").and(contains("braking")));
    let text = fs::read_to_string(folder.path().join("mine.toml")).unwrap();
    assert!(text.contains(" measured") && text.contains("beyond") && text.contains("# Fitted to"), "{text}");
    let vehicle = Vehicle::read(&folder.path().join("mine.toml")).unwrap();
    assert_eq!((vehicle.name.as_str(), vehicle.mass_kg), ("mine", preset("gt").unwrap().mass_kg));
    let output = raceline(&folder, &["run.csv", "--base", "gt", "--json"]).output().unwrap();
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        json["vehicle"]["ggv_table"].as_array().unwrap().len(),
        json["braking"]["points"].as_array().unwrap().len()
    );
    assert_eq!(json["resistance"], "coasting");
    raceline(&folder, &["run.csv", "--base", "gt", "-o", "-"]).assert().success().stdout(contains("mass_kg = "));
    // The same bytes again.
    raceline(&folder, &["run.csv", "--base", "gt", "-o", "again/mine.toml"]).assert().code(1);
    fs::create_dir(folder.path().join("again")).unwrap();
    raceline(&folder, &["run.csv", "--base", "gt", "-o", "again/mine.toml"]).assert().success();
    assert_eq!(fs::read_to_string(folder.path().join("again/mine.toml")).unwrap(), text);
}

#[test]
fn wrong_usage_of_the_command() {
    let folder = folder_with_telemetry();
    raceline(&folder, &["run.csv"]).assert().code(2).stderr(contains("--base"));
    raceline(&folder, &["run.csv", "--base", "cart"]).assert().code(2).stderr(contains("cart"));
    raceline(&folder, &["none.csv", "--base", "gt"]).assert().code(1).stderr(contains("none.csv"));
    raceline(&folder, &["run.csv", "--base", "gt", "-o", "run.csv"]).assert().code(2).stderr(contains("would be lost"));
    fs::write(folder.path().join("bad.csv"), "t,v\n1,2\n").unwrap();
    raceline(&folder, &["bad.csv", "--base", "gt"])
        .assert()
        .code(1)
        .stderr(contains("bad.csv: line 1: the header has no column lateral_accel_mps2"));
}

#[test]
fn the_program_judges_rounds_and_states_what_to_do_next() {
    let folder = TempDir::new().unwrap();
    let line = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tracks/club.raceline.json");
    let trace = folder.path().join("1.csv");
    let run = |arguments: &[&str]| {
        let mut command = Command::cargo_bin("raceline").unwrap();
        command.args(arguments).current_dir(&folder).assert()
    };
    run(&["drive", line, "--laps", "1", "-o", "1.csv"]).success();
    assert!(trace.is_file());
    run(&["calibrate", "1.csv", "--line", line, "--base", "tum-racecar", "-o", "mine.toml"])
        .success()
        .stdout(contains("best").and(contains("next: raceline optimize TRACK --vehicle mine.toml")));
    run(&["calibrate", "1.csv", "--line", line, "--line", line, "--base", "tum-racecar"])
        .code(2)
        .stderr(contains("there are 1 telemetry files and 2 lines"));
    // Without places the lap is not known.
    fs::write(folder.path().join("bare.csv"), "time_s,speed_mps,yaw_rate_radps\n0,1,0\n1,1,0\n").unwrap();
    run(&["calibrate", "bare.csv", "--line", line, "--base", "tum-racecar"]).code(1).stderr(contains("x_m"));
}
