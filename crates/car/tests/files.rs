//! Vehicle files with the tables that they name, and presets.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

use std::fs;
use std::path::{Path, PathBuf};

use raceline_car::{DriveLimit, Vehicle, VehicleError, preset, presets};
use raceline_file::files::Reach;

const GT: &str = include_str!("../src/presets/gt.toml");

/// An empty folder for one test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("raceline-car").join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// A vehicle file that names a table for the limits of its tyres and one for its drive.
fn with_tables() -> String {
    let rest = GT.lines().filter(|line| !line.starts_with("lateral") && !line.starts_with("longitudinal"));
    let rest = rest.collect::<Vec<_>>().join("\n").replace("downforce_kgpm = 1.5", "downforce_kgpm = 0.0");
    let rest = rest.split("[drive").next().unwrap().to_owned();
    format!("ggv_csv = \"ggv.csv\"\n{rest}\n[drive]\ntable_csv = \"machines.csv\"\n")
}

/// The result of reading the vehicle file with these tables.
fn read(name: &str, ggv: &str, machines: &str) -> Result<Vehicle, VehicleError> {
    let folder = folder(name);
    fs::write(folder.join("car.toml"), with_tables()).unwrap();
    fs::write(folder.join("ggv.csv"), ggv).unwrap();
    fs::write(folder.join("machines.csv"), machines).unwrap();
    Vehicle::read(&folder.join("car.toml"))
}

const GGV: &str = "0.0, 10.0, 11\n40,14.0,19.0\n";
const MACHINES: &str = "0.0,5\n70.0,1.5\n";

#[test]
fn tables_are_read_from_the_files_beside_the_vehicle() {
    let plain = read("plain", GGV, MACHINES).unwrap();
    assert_eq!(plain.ggv_table, [[0.0, 10.0, 11.0], [40.0, 14.0, 19.0]]);
    assert_eq!(plain.drive, DriveLimit::TableMps2(vec![[0.0, 5.0], [70.0, 1.5]]));
    assert_eq!(plain.name, "gt");
    // With comments, one of them in a row, a byte order mark, and columns in another order that a comment names.
    let ggv = "# measured\n# v_mps,ay_max_mps2,ax_max_mps2\n0.0, 11, 10.0 # at rest, wet\n\n40,19.0,14.0\n";
    let machines = "\u{feff}# vx_mps,ax_max_machines_mps2\r\n0.0,5\r\n70.0,1.5\r\n";
    assert_eq!(read("commented", ggv, machines).unwrap(), plain);
}

#[test]
fn a_fault_in_a_table_is_reported_with_its_file_and_line() {
    for (number, (ggv, expected)) in [
        ("", "there is no row of numbers: give at least one, v_mps, ax_max_mps2, ay_max_mps2"),
        ("# only names\n", "there is no row of numbers"),
        ("# n\n0.0,12.0\n", "line 2 has 2 columns: give 3, v_mps, ax_max_mps2, ay_max_mps2, separated by commas"),
        ("0.0\n", "line 1 has 1 column: give 3"),
        ("0,1,2,3\n", "line 1 has 4 columns: give 3"),
        ("v_mps,ax_max_mps2,ay_max_mps2\n0,1,2\n", "line 1: v_mps is \"v_mps\": write a finite number"),
        ("0,1,2\n3,1.5,2 m\n", "line 2: ay_max_mps2 is \"2 m\""),
        ("0,nan,2\n", "line 1: ax_max_mps2 is \"nan\""),
    ]
    .into_iter()
    .enumerate()
    {
        let error = read(&format!("fault-{number}"), ggv, MACHINES).unwrap_err();
        assert!(matches!(&error, VehicleError::TableFile { .. }), "{error}");
        let text = error.to_string();
        assert!(text.contains("car.toml: ggv_csv = \"ggv.csv\": ") && text.contains(expected), "{text}");
    }
    let error = read("machines", GGV, "0.0\n").unwrap_err().to_string();
    assert!(error.contains("car.toml: drive.table_csv = \"machines.csv\": line 1 has 1 column"), "{error}");
    // Ranges are checked as in the vehicle file itself.
    let error = read("range", "0,10,11\n9,-3,11\n", MACHINES).unwrap_err().to_string();
    assert!(error.contains("point 2 of ggv_table is [9.0, -3.0, 11.0]"), "{error}");
}

#[test]
fn files_that_cannot_be_read_are_named_with_the_reason() {
    let folder = folder("missing");
    let path = folder.join("car.toml");
    let error = Vehicle::read(&path).unwrap_err();
    assert!(matches!(&error, VehicleError::Unreadable { .. }), "{error}");
    assert!(error.to_string().contains("car.toml can't be read: there is no such file: check the name"), "{error}");
    fs::write(&path, with_tables()).unwrap();
    let error = Vehicle::read(&path).unwrap_err().to_string();
    assert!(error.contains("ggv_csv = \"ggv.csv\": can't be read: there is no such file"), "{error}");
    // A folder is there, but it is no file.
    fs::create_dir(folder.join("ggv.csv")).unwrap();
    let error = Vehicle::read(&path).unwrap_err().to_string();
    assert!(error.contains("ggv_csv = \"ggv.csv\": can't be read: ") && !error.contains("no such file"), "{error}");
    assert!(!error.ends_with("read: "), "{error}");
}

#[test]
fn tables_lie_within_reach() {
    let outer = folder("reach");
    let inner = outer.join("cars");
    fs::create_dir(&inner).unwrap();
    let path = inner.join("car.toml");
    fs::write(&path, with_tables().replace("ggv.csv", "../ggv.csv")).unwrap();
    fs::write(outer.join("ggv.csv"), GGV).unwrap();
    fs::write(inner.join("machines.csv"), MACHINES).unwrap();
    assert!(Vehicle::read(&path).unwrap_err().to_string().contains("it lies outside the folder"));
    assert_eq!(Vehicle::read_within(&path, Reach::Anywhere).unwrap().ggv_table.len(), 2);
}

#[test]
fn the_files_that_a_vehicle_file_names_are_listed() {
    let folder = folder("listed");
    let path = folder.join("car.toml");
    assert!(Vehicle::table_files(&path).is_empty());
    for (text, files) in [
        (with_tables(), &["ggv.csv", "machines.csv"][..]),
        (GT.to_owned(), &[][..]),
        ("ggv_csv = \"a.csv\"\ndrive = 3".to_owned(), &["a.csv"][..]),
        ("ggv_csv = 3\n[drive]\ntable_csv = \"b.csv\"".to_owned(), &["b.csv"][..]),
        ("no TOML".to_owned(), &[][..]),
    ] {
        fs::write(&path, text).unwrap();
        let expected: Vec<PathBuf> = files.iter().map(|file| folder.join(file)).collect();
        assert_eq!(Vehicle::table_files(&path), expected);
    }
}

#[test]
fn text_alone_opens_no_file() {
    let error = Vehicle::from_toml(&with_tables(), "car.toml").unwrap_err().to_string();
    assert!(error.contains("ggv_csv = \"ggv.csv\": can't be opened here"), "{error}");
    let error = Vehicle::from_toml("ggv_csv = 3", "car.toml").unwrap_err().to_string();
    assert!(error.contains("ggv_csv = …: must be the name of a CSV, in double quotes"), "{error}");
}

#[test]
fn both_limits_of_the_tyres_are_required_unless_a_table_has_them() {
    for key in ["lateral_limit_mps2", "longitudinal_limit_mps2"] {
        let without: Vec<&str> = GT.lines().filter(|line| !line.starts_with(key)).collect();
        let error = Vehicle::from_toml(&without.join("\n"), "car.toml").unwrap_err();
        assert!(matches!(&error, VehicleError::Toml { .. }), "{error}");
        assert!(error.to_string().contains(&format!("missing field `{key}` (or ggv_table or ggv_csv")), "{error}");
        // A limit that is there and zero is out of its range, not missing.
        let zero = GT.replace(&format!("{key} = 14.0"), &format!("{key} = 0.0"));
        let error = Vehicle::from_toml(&zero, "car.toml").unwrap_err();
        assert!(matches!(&error, VehicleError::OutOfRange { key: found, .. } if *found == key), "{error}");
    }
}

#[test]
fn a_vehicle_without_a_name_has_that_of_its_file() {
    let text = GT.replace("name = \"gt\"\n", "");
    assert_eq!(Vehicle::from_toml(&text, "cars/my car.toml").unwrap().name, "my car");
    let error = Vehicle::from_toml(&format!("wings = 2\n{text}"), "my car.toml").unwrap_err().to_string();
    assert!(
        error.contains("vehicle file my car.toml") && error.contains("wings") && error.contains("line 1"),
        "{error}"
    );
}

#[test]
fn presets_are_found_by_name_and_by_alias_and_written_as_they_are_read() {
    let names: Vec<&str> = presets().iter().map(|entry| entry.name).collect();
    assert_eq!(names, ["tum-racecar", "gt", "kart", "robot-car", "formula", "torcs-car1-trb1"]);
    for entry in presets() {
        let vehicle = preset(entry.name).unwrap();
        assert_eq!(vehicle.name, entry.name);
        assert_eq!(vehicle, Vehicle::from_toml(entry.toml, "other.toml").unwrap());
        assert_eq!(Vehicle::from_toml(&vehicle.to_toml().unwrap(), "other.toml").unwrap(), vehicle);
        for alias in entry.aliases {
            assert_eq!(preset(alias).unwrap(), vehicle);
        }
    }
    let error = preset("f2").unwrap_err().to_string();
    assert!(
        error.contains("\"f2\": choose one of tum-racecar, gt, kart, robot-car, formula, torcs-car1-trb1"),
        "{error}"
    );
}
