//! Vehicle files: presets, round trips, tables from CSV, and one refusal for every mistake that
//! gets a number wrong.

// Clippy exempts test functions but not the helpers beside them.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

use raceline::Options;
use raceline::options::Layer;
use raceline::vehicle::{DriveLimit, GgDiagram, Vehicle, VehicleError, preset, presets};
use tempfile::TempDir;

const TUM: &str = include_str!("../../crates/car/src/presets/tum-racecar.toml");
const KART: &str = include_str!("../../crates/car/src/presets/kart.toml");

#[test]
fn every_preset_is_a_valid_vehicle_of_its_own_name() {
    let names = ["tum-racecar", "gt", "kart", "robot-car", "formula", "torcs-car1-trb1"];
    assert_eq!(presets().iter().map(|p| p.name).collect::<Vec<_>>(), names);
    for entry in presets() {
        let vehicle = preset(entry.name).unwrap();
        assert_eq!(vehicle.name, entry.name);
        assert_eq!(vehicle, Vehicle::from_toml(entry.toml, "other.toml").unwrap());
        assert!(!entry.source.is_empty() && !entry.summary.is_empty());
    }
}

#[test]
fn the_reference_car_has_its_published_numbers() {
    let car = preset("tum-racecar").unwrap();
    assert_eq!(car.margin_m(), 1.7);
    assert_eq!((car.mass_kg, car.drag_kgpm, car.max_speed_mps, car.max_curvature_radpm), (1200.0, 0.75, 70.0, 0.12));
    let drive = car.drive.acceleration(car.mass_kg);
    // Between and beyond the points of the table.
    for (speed, acceleration) in [(0.0, 5.3), (20.0, 5.3), (38.0, 5.2), (58.0, 3.2), (72.8, 1.5), (90.0, 1.5)] {
        let got = drive.at(speed * speed);
        assert!((got - acceleration).abs() < 1e-12, "at {speed} m/s: {got} instead of {acceleration}");
    }
    // At a point the kink is rounded off: by a quarter of its half width, 1/8 of 4 m/s, times the
    // change of slope.
    let rounded = 5.1 + (0.05 - 0.025) * 0.5 / 4.0;
    assert!((drive.at(1600.0) - rounded).abs() < 1e-12);
}

#[test]
fn the_robot_car_switches_from_force_to_power_where_its_source_states() {
    let car = preset("robot-car").unwrap();
    let drive = car.drive.acceleration(car.mass_kg);
    let at = |speed: f64| drive.at(speed * speed);
    // The kink is rounded off within 3.5 % of its speed.
    assert!((at(3.0) - 9.51).abs() < 0.01 && (at(7.05) - 9.51).abs() < 0.01);
    assert!((at(7.319) - 9.51).abs() < 0.01 * 9.51);
    assert!((at(14.638) - 9.51 / 2.0).abs() < 0.01);
}

#[test]
fn presets_reach_the_top_speeds_of_their_class() {
    let top = |name| GgDiagram::new(&preset(name).unwrap()).unwrap().terminal_speed_squared().sqrt() * 3.6;
    for (name, low, high) in [
        ("tum-racecar", 220.0, 235.0),
        ("gt", 270.0, 290.0),
        ("kart", 120.0, 135.0),
        ("formula", 305.0, 320.0),
        ("torcs-car1-trb1", 290.0, 305.0),
    ] {
        assert!((low..high).contains(&top(name)), "{name}: {} km/h", top(name));
    }
}

#[test]
fn vehicles_survive_the_conversion_to_toml_and_json_and_back() {
    for entry in presets() {
        let vehicle = preset(entry.name).unwrap();
        let text = vehicle.to_toml().unwrap();
        assert_eq!(Vehicle::from_toml(&text, "x.toml").unwrap(), vehicle, "{text}");
        let json = serde_json::to_string(&vehicle).unwrap();
        assert_eq!(serde_json::from_str::<Vehicle>(&json).unwrap(), vehicle);
    }
}

#[test]
fn a_file_without_a_name_is_named_after_itself() {
    let text = TUM.replace("name = \"tum-racecar\"\n", "");
    assert_eq!(Vehicle::from_toml(&text, "cars/my car.toml").unwrap().name, "my car");
}

#[test]
fn an_unknown_preset_is_refused_with_the_names_that_there_are() {
    let message = preset("f2").unwrap_err().to_string();
    assert!(
        message.contains("\"f2\"") && message.contains("tum-racecar, gt, kart, robot-car, formula, torcs-car1-trb1"),
        "{message}"
    );
}

/// `text` with the value of `key` replaced.
fn with_value(text: &str, key: &str, value: &str) -> String {
    let found: Vec<_> = text.lines().filter(|line| line.starts_with(&format!("{key} = "))).collect();
    assert_eq!(found.len(), 1, "{key}");
    text.replace(found[0], &format!("{key} = {value}"))
}

#[test]
fn every_number_out_of_its_range_is_refused_by_name() {
    let common = ["nan", "inf", "-1.0", "1e12"];
    for key in [
        "mass_kg",
        "width_m",
        "length_m",
        "wheelbase_m",
        "safety_distance_m",
        "lateral_limit_mps2",
        "longitudinal_limit_mps2",
        "ellipse_exponent",
        "drag_kgpm",
        "downforce_kgpm",
        "max_speed_mps",
        "max_curvature_radpm",
        "power_w",
        "force_n",
    ] {
        // These may be zero, which is then the lowest value.
        let may_be_zero = ["safety_distance_m", "drag_kgpm", "downforce_kgpm"].contains(&key);
        for value in common.iter().copied().chain((!may_be_zero).then_some("0.0")) {
            let error = Vehicle::from_toml(&with_value(KART, key, value), "kart.toml").unwrap_err();
            assert!(
                matches!(&error, VehicleError::OutOfRange { key: k, .. } if k.ends_with(key)),
                "{key} {value}: {error}"
            );
            let message = error.to_string();
            let number: f64 = value.parse().unwrap();
            assert!(message.contains("vehicle kart:"), "{message}");
            assert!(
                message.contains(&format!("{key} is {number}")) && message.contains("give a number from"),
                "{message}"
            );
        }
        let error = Vehicle::from_toml(&with_value(KART, key, "\"fast\""), "kart.toml").unwrap_err();
        assert!(matches!(error, VehicleError::Toml { .. }), "{key}: {error}");
    }
}

/// The optional keys that a lap of the point mass does not depend on.
const FOR_DRIVING: [&str; 9] = [
    "max_steering_rad",
    "steering_rate_radps",
    "peak_slip_rad",
    "front_weight_fraction",
    "yaw_inertia_kgm2",
    "centre_of_gravity_m",
    "front_brake_fraction",
    "front_drive_fraction",
    "rear_grip_reserve",
];

#[test]
fn every_missing_key_is_refused_by_name() {
    for line in KART.lines().filter(|line| line.contains(" = ") && !line.starts_with('#') && !line.starts_with("name"))
    {
        let key = line.split(' ').next().unwrap();
        let without = Vehicle::from_toml(&KART.replace(line, ""), "kart.toml");
        if FOR_DRIVING.contains(&key) {
            assert!(without.is_ok(), "{key}");
            continue;
        }
        let message = without.unwrap_err().to_string();
        assert!(message.contains("kart.toml") && message.contains(key), "{key}: {message}");
    }
}

#[test]
fn an_unknown_key_is_refused_with_its_line() {
    let message = Vehicle::from_toml(&format!("wings = 2\n{TUM}"), "car.toml").unwrap_err().to_string();
    assert!(message.contains("car.toml") && message.contains("wings") && message.contains("line 1"), "{message}");
    let message = Vehicle::from_toml(&KART.replace("power_w", "power_kw"), "car.toml").unwrap_err().to_string();
    assert!(message.contains("power_kw"), "{message}");
}

#[test]
fn text_that_is_no_toml_is_refused() {
    let message = Vehicle::from_toml("\u{89}PNG\r\n", "picture.toml").unwrap_err().to_string();
    assert!(message.contains("picture.toml"), "{message}");
}

#[test]
fn every_wrong_point_of_a_drive_table_is_refused_by_number() {
    let with_table = |points: &[[f64; 2]]| {
        let drive = DriveLimit::TableMps2(points.to_vec());
        Vehicle { drive, ..preset("tum-racecar").unwrap() }.validate()
    };
    assert!(matches!(with_table(&[]), Err(VehicleError::EmptyTable { key: "drive.table_mps2", .. })));
    assert_eq!(with_table(&[[0.0, 5.0]]), Ok(()));
    assert_eq!(with_table(&[[0.0, 5.0], [30.0, 0.0]]), Ok(()));
    for (points, wrong, fix) in [
        (vec![[0.0, 5.0], [-1.0, 4.0]], 2, "speed from 0"),
        (vec![[f64::NAN, 5.0]], 1, "speed from 0"),
        (vec![[0.0, 5.0], [2000.0, 4.0]], 2, "speed from 0"),
        (vec![[0.0, 5.0], [10.0, 4.0], [10.0, 3.0]], 3, "increasing speed"),
        (vec![[0.0, 5.0], [10.0, 4.0], [10.0001, 3.0]], 3, "0.001 m/s above"),
        (vec![[0.0, 5.0], [10.0, 4.0], [9.0, 3.0]], 3, "increasing speed"),
        (vec![[0.0, 5.0], [10.0, -1.0]], 2, "acceleration from 0"),
        (vec![[0.0, 5.0], [10.0, f64::INFINITY]], 2, "acceleration from 0"),
        (vec![[0.0, 0.0], [10.0, 4.0]], 1, "cannot start"),
    ] {
        let error = with_table(&points).unwrap_err();
        assert!(matches!(error, VehicleError::TablePoint { number, .. } if number == wrong), "{points:?}: {error}");
        assert!(error.to_string().contains(fix), "{error}");
        // Forces are held to the same rules, in their own unit.
        let drive = DriveLimit::TableN(points);
        let error = Vehicle { drive, ..preset("tum-racecar").unwrap() }.validate().unwrap_err().to_string();
        assert!(error.contains("drive.table_n") && error.contains(&fix.replace("acceleration", "force")), "{error}");
    }
}

#[test]
fn a_force_table_is_an_acceleration_table_times_the_mass() {
    let forces = DriveLimit::TableN(vec![[0.0, 6000.0], [30.0, 6000.0], [60.0, 1500.0]]);
    let accelerations = DriveLimit::TableMps2(vec![[0.0, 4.0], [30.0, 4.0], [60.0, 1.0]]);
    assert_eq!(forces.acceleration(1500.0), accelerations.acceleration(1500.0));
    let text = KART.split("[drive").next().unwrap().to_owned() + "[drive]\ntable_n = [[0, 900.0], [30, 450]]\n";
    let kart = Vehicle::from_toml(&text, "kart.toml").unwrap();
    assert_eq!(kart.drive, DriveLimit::TableN(vec![[0.0, 900.0], [30.0, 450.0]]));
    assert!((kart.drive.acceleration(kart.mass_kg).at(400.0) - 600.0 / 150.0).abs() < 1e-12);
}

#[test]
fn rolling_resistance_slows_by_its_fraction_of_the_weight() {
    let vehicle = Vehicle { rolling_resistance: 0.02, ..preset("tum-racecar").unwrap() };
    let (rolls, slides) = (GgDiagram::new(&vehicle).unwrap(), GgDiagram::new(&preset("tum-racecar").unwrap()).unwrap());
    let lost = 0.02 * 9.80665;
    for (w, curvature) in [(0.0, 0.0), (400.0, 0.02), (3600.0, 0.0)] {
        assert!((slides.acceleration(w, curvature) - rolls.acceleration(w, curvature) - lost).abs() < 1e-12);
        assert!((rolls.deceleration(w, curvature) - slides.deceleration(w, curvature) - lost).abs() < 1e-12);
    }
    // A file that doesn't know the key reads as before, and a file is written as before.
    assert_eq!(preset("tum-racecar").unwrap().rolling_resistance, 0.0);
    assert!(!preset("tum-racecar").unwrap().to_toml().unwrap().contains("rolling"));
    assert_eq!(Vehicle::from_toml(&vehicle.to_toml().unwrap(), "x.toml").unwrap(), vehicle);
    let held = Vehicle { rolling_resistance: 0.6, ..vehicle }.validate().unwrap_err();
    assert!(matches!(held, VehicleError::HeldByRolling { .. }) && held.to_string().contains("0.6"), "{held}");
}

/// The reference car as a file with `tyres` in place of its constant limits.
fn with_tyres(tyres: &str) -> String {
    let lines =
        TUM.lines().filter(|line| !line.starts_with("lateral_limit") && !line.starts_with("longitudinal_limit"));
    format!("{tyres}\n{}\n", lines.collect::<Vec<_>>().join("\n"))
}

#[test]
fn a_ggv_table_takes_the_place_of_the_constants() {
    let table = "ggv_table = [[0.0, 10.0, 11.0], [40.0, 14.0, 19.0]]";
    let car = Vehicle::from_toml(&with_tyres(table), "car.toml").unwrap();
    let diagram = GgDiagram::new(&car).unwrap();
    assert!((diagram.lateral_limit_jet(400.0).value - 15.0).abs() < 1e-12);
    assert!((diagram.longitudinal_limit_jet(400.0).value - 12.0).abs() < 1e-12);
    // κ w = A_y(v): v²/50 = 11 + v/5.
    let speed = (0.2 + f64::sqrt(0.04 + 4.0 * 11.0 / 50.0)) * 25.0;
    assert!((diagram.cornering_speed_squared(0.02).sqrt() - speed).abs() < 1e-9);
    assert_eq!(Vehicle::from_toml(&car.to_toml().unwrap(), "x.toml").unwrap(), car);
    // The same limits at every speed are the constants.
    let flat = Vehicle::from_toml(&with_tyres("ggv_table = [[0.0, 12.0, 12.0]]"), "tum-racecar.toml").unwrap();
    let (flat, constant) = (GgDiagram::new(&flat).unwrap(), GgDiagram::new(&preset("tum-racecar").unwrap()).unwrap());
    for w in [0.0, 100.0, 4900.0] {
        assert_eq!(flat.acceleration(w, 0.002), constant.acceleration(w, 0.002));
        assert_eq!(flat.deceleration(w, 0.002), constant.deceleration(w, 0.002));
    }

    for (text, message) in [
        (format!("{table}\n{TUM}"), "both ggv_table and lateral_limit_mps2"),
        (
            with_tyres(table).replace("downforce_kgpm = 0.0", "downforce_kgpm = 1.0"),
            "the table already includes downforce",
        ),
        (with_tyres("ggv_table = []"), "missing field `lateral_limit_mps2` (or ggv_table"),
        (
            with_tyres("ggv_table = [[0, 10.0, 11.0], [0, 10.0, 11.0]]"),
            "point 2 of ggv_table is [0.0, 10.0, 11.0]: sort",
        ),
        (
            with_tyres("ggv_table = [[0, 10.0, 11.0], [9, 0.0, 11.0]]"),
            "point 2 of ggv_table is [9.0, 0.0, 11.0]: give a long",
        ),
        (with_tyres("ggv_table = [[0, 10.0, nan]]"), "(third number) from 0.01"),
        (with_tyres("ggv_table = [[0, 10.0]]"), "line 1"),
    ] {
        let error = Vehicle::from_toml(&text, "car.toml").unwrap_err().to_string();
        assert!(error.contains(message), "{error} lacks {message}");
    }
}

const GGV_CSV: &str = "# v_mps,ax_max_mps2,ay_max_mps2\n0.0, 10.0, 11\n\n40,14.0,19.0 # at speed\n";
const MACHINES_CSV: &str = "\u{feff}# vx_mps;ax_max_machines_mps2\r\n0.0;5\r\n70.0;1.5\r\n";

/// A folder with both CSVs and the path of a vehicle file of the given text.
fn folder_with(text: &str) -> (TempDir, std::path::PathBuf) {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("ggv.csv"), GGV_CSV).unwrap();
    fs::write(folder.path().join("machines.csv"), MACHINES_CSV).unwrap();
    let path = folder.path().join("car.toml");
    fs::write(&path, text).unwrap();
    (folder, path)
}

#[test]
fn tables_come_from_the_files_that_the_vehicle_file_names() {
    let head = with_tyres("ggv_csv = \"ggv.csv\"");
    let text = head.split("[drive]").next().unwrap().to_owned() + "[drive]\ntable_csv = \"machines.csv\"\n";
    let (_folder, path) = folder_with(&text);
    let car = Vehicle::read(&path).unwrap();
    assert_eq!(car.ggv_table, [[0.0, 10.0, 11.0], [40.0, 14.0, 19.0]]);
    assert_eq!(car.drive, DriveLimit::TableMps2(vec![[0.0, 5.0], [70.0, 1.5]]));
    // What is written holds the numbers, not the names of the files.
    assert_eq!(Vehicle::from_toml(&car.to_toml().unwrap(), "x.toml").unwrap(), car);
    // An inline table will do as well.
    let (_folder, path) = folder_with(
        &text
            .replace("[drive]\ntable_csv = \"machines.csv\"", "")
            .replace("ggv_csv", "drive = { table_csv = \"machines.csv\" }\nggv_csv"),
    );
    assert_eq!(Vehicle::read(&path).unwrap(), car);
    // Text alone has no folder to look in.
    let error = Vehicle::from_toml(&text, "car.toml").unwrap_err().to_string();
    assert!(error.contains("ggv_csv = \"ggv.csv\": can't be opened here"), "{error}");
}

#[test]
fn a_fault_in_a_table_file_is_reported_by_both_files_line_and_fix() {
    let text = with_tyres("ggv_csv = \"ggv.csv\"");
    for (csv, message) in [
        (None, "can't be read: there is no such file"),
        (Some(""), "there is no row of numbers: give at least one, v_mps, ax_max_mps2, ay_max_mps2"),
        (Some("# only names\n"), "there is no row"),
        (Some("# n\n0.0,12.0\n"), "line 2 has 2 columns: give 3"),
        (Some("v_mps,ax_max_mps2,ay_max_mps2\n0,1,2\n"), "line 1: v_mps is \"v_mps\": write a finite number"),
        (Some("0,1,2\n3,1.5,2 m\n"), "line 2: ay_max_mps2 is \"2 m\""),
        (Some("0,nan,2\n"), "line 1: ax_max_mps2 is \"nan\""),
        (Some("\u{0}\u{1}PNG"), "line 1 has 1 column: give 3"),
    ] {
        let (folder, path) = folder_with(&text);
        match csv {
            Some(csv) => fs::write(folder.path().join("ggv.csv"), csv).unwrap(),
            None => fs::remove_file(folder.path().join("ggv.csv")).unwrap(),
        }
        let error = Vehicle::read(&path).unwrap_err().to_string();
        assert!(error.contains("car.toml: ggv_csv = \"ggv.csv\": ") && error.contains(message), "{error}");
    }
    // What the numbers mean is checked as for a written table; later faults keep their line.
    let (folder, path) = folder_with(&text);
    fs::write(folder.path().join("ggv.csv"), "0,12,12\n10,-3,12\n").unwrap();
    assert!(Vehicle::read(&path).unwrap_err().to_string().contains("point 2 of ggv_table is [10.0, -3.0, 12.0]"));
    let (_folder, path) = folder_with(&text.replace("mass_kg", "mass"));
    let lines = text.lines().position(|line| line.starts_with("mass_kg")).unwrap() + 1;
    assert!(Vehicle::read(&path).unwrap_err().to_string().contains(&format!("line {lines}")));
    let (_folder, path) = folder_with(&with_tyres("ggv_csv = 3"));
    assert!(Vehicle::read(&path).unwrap_err().to_string().contains("must be the name of a CSV"));
    let missing = Vehicle::read(&path.with_file_name("none.toml")).unwrap_err().to_string();
    assert!(missing.contains("none.toml can't be read: there is no such file"), "{missing}");
}

#[test]
fn an_alias_is_the_preset() {
    assert_eq!(preset("f1tenth").unwrap(), preset("robot-car").unwrap());
    assert_eq!(preset("f1").unwrap().name, "formula");
}

#[test]
fn the_vehicles_of_the_examples_are_valid_and_have_all_that_a_car_needs() {
    let folder = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("examples/vehicles");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let vehicle = Vehicle::from_toml(&std::fs::read_to_string(&path).unwrap(), "vehicle.toml").unwrap();
        vehicle.validate().unwrap();
        // A motorcycle is no car; what it needs, its check asks for.
        if vehicle.lean_rate_radps.is_some() {
            continue;
        }
        let has_axles = [
            vehicle.yaw_inertia_kgm2,
            vehicle.centre_of_gravity_m,
            vehicle.front_weight_fraction,
            vehicle.front_brake_fraction,
            vehicle.front_drive_fraction,
            vehicle.peak_slip_rad,
            vehicle.rear_grip_reserve,
        ];
        assert!(has_axles.iter().all(Option::is_some), "{}", path.display());
        count += 1;
    }
    assert!(count >= 3, "{count}");
}

/// A vehicle with every number that stands alone.
fn with_every_number() -> Vehicle {
    let mut car = preset("gt").unwrap();
    car.ggv_table.clear();
    (car.lateral_limit_mps2, car.longitudinal_limit_mps2, car.downforce_kgpm) = (14.0, 12.0, 0.0);
    car.drive = DriveLimit::PowerAndForce { power_w: 3e5, force_n: 9e3 };
    car
}

#[test]
fn every_number_has_a_range_that_is_checked() {
    let car = with_every_number();
    for range in Vehicle::number_ranges() {
        for value in [range.low - 1.0, range.high * 2.0 + 1.0] {
            let wrong = car.with_parameters(&[(range.key, value)]).unwrap();
            match wrong.validate().unwrap_err() {
                VehicleError::OutOfRange { key, value: reported, low, high, .. } => {
                    assert_eq!((key, reported, low, high), (range.key, value, range.low, range.high));
                }
                error => panic!("{}: {error}", range.key),
            }
        }
        for value in [range.low, range.high] {
            let right = car.with_parameters(&[(range.key, value)]).unwrap();
            assert!(!matches!(right.validate(), Err(VehicleError::OutOfRange { .. })), "{} = {value}", range.key);
        }
    }
    // A number of the file without a range would not be checked.
    let schema = schemars::schema_for!(Vehicle);
    let properties = schema.get("properties").unwrap().as_object().unwrap();
    let is_number = |schema: &&serde_json::Value| schema["type"] == "number" || schema["type"][0] == "number";
    let numbers = properties.iter().filter(|(_, schema)| is_number(schema)).map(|(key, _)| key.clone());
    let mut keys: Vec<String> =
        numbers.chain(["power_w", "force_n"].map(|key| format!("drive.power_and_force.{key}"))).collect();
    let mut ranges: Vec<String> = Vehicle::number_ranges().iter().map(|range| range.key.to_owned()).collect();
    keys.sort();
    ranges.sort();
    assert_eq!(ranges, keys);
}

#[test]
fn a_fraction_of_the_grip_lowers_every_limit_of_the_tyres_and_nothing_else() {
    let adapted = |name: &str, fraction: f64| {
        let options = Options { grip_fraction: Some(fraction), ..Options::default() };
        options.adapt_vehicle(preset(name).unwrap())
    };
    for name in ["gt", "tum-racecar", "formula"] {
        let (whole, half) = (preset(name).unwrap(), adapted(name, 0.5).unwrap());
        let diagrams = [&whole, &half].map(|vehicle| GgDiagram::new(vehicle).unwrap());
        for w in [0.0, 400.0, 2500.0] {
            let [whole, half] = [0, 1].map(|i: usize| {
                [
                    diagrams[i].lateral_limit(w),
                    diagrams[i].longitudinal_limit(w),
                    diagrams[i].driving_limit_jet(w).value,
                ]
            });
            for (whole, half) in whole.into_iter().zip(half) {
                assert!((half - 0.5 * whole).abs() < 1e-9 * whole, "{name}: {half} of {whole}");
            }
            assert_eq!(diagrams[0].drive_limit(w), diagrams[1].drive_limit(w), "{name}");
        }
        assert_eq!(adapted(name, 1.0).unwrap(), whole);
    }
    let options = Layer::from_toml(Path::new("sidecar.toml"), "grip_fraction = 1.2")
        .and_then(|layer| Options::from_layers(&[layer]));
    assert!(options.unwrap_err().to_string().contains("grip_fraction"));
}
