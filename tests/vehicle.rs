//! Vehicle files: presets, round trips, and one refusal for every way to get a number wrong.

use raceline::vehicle::{DriveCurve, DriveLimit, GgDiagram, Vehicle, VehicleError, preset, presets};

const TUM: &str = include_str!("../src/vehicle/presets/tum-racecar.toml");
const KART: &str = include_str!("../src/vehicle/presets/kart.toml");

#[test]
fn every_preset_is_a_valid_vehicle_of_its_own_name() {
    assert_eq!(presets().iter().map(|p| p.name).collect::<Vec<_>>(), ["tum-racecar", "gt", "kart", "robot-car"]);
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
    let drive = DriveCurve::new(&car.drive, car.mass_kg);
    // At, between and beyond the points of the table.
    for (speed, acceleration) in
        [(0.0, 5.3), (20.0, 5.3), (38.0, 5.2), (40.0, 5.1), (58.0, 3.2), (72.0, 1.5), (90.0, 1.5)]
    {
        let got = drive.acceleration(speed * speed);
        assert!((got - acceleration).abs() < 1e-12, "at {speed} m/s: {got} instead of {acceleration}");
    }
}

#[test]
fn the_robot_car_switches_from_force_to_power_where_its_source_says() {
    let car = preset("robot-car").unwrap();
    let drive = DriveCurve::new(&car.drive, car.mass_kg);
    let at = |speed: f64| drive.acceleration(speed * speed);
    assert!((at(3.0) - 9.51).abs() < 0.01 && (at(7.319) - 9.51).abs() < 0.01);
    assert!((at(14.638) - 9.51 / 2.0).abs() < 0.01);
}

#[test]
fn presets_reach_the_top_speeds_of_their_class() {
    let top = |name| GgDiagram::new(&preset(name).unwrap()).unwrap().terminal_speed_squared().sqrt() * 3.6;
    for (name, low, high) in [("tum-racecar", 220.0, 235.0), ("gt", 270.0, 290.0), ("kart", 120.0, 135.0)] {
        assert!((low..high).contains(&top(name)), "{name}: {} km/h", top(name));
    }
}

#[test]
fn terminal_speed_is_found_in_every_piece_of_a_table() {
    let limit = DriveLimit::TableMps2(vec![[10.0, 4.0], [20.0, 2.0], [40.0, 3.0]]);
    let curve = DriveCurve::new(&limit, 1.0);
    // Before the first point 4; then 6 - v/5; then 1 + v/20; then 3. Where each meets c v², by the quadratic formula.
    for (drag, speed) in [
        (0.05, f64::sqrt(4.0 / 0.05)),
        (0.03, (-0.2 + f64::sqrt(0.04 + 4.0 * 0.03 * 6.0)) / 0.06),
        (0.004, (0.05 + f64::sqrt(0.0025 + 4.0 * 0.004)) / 0.008),
        (0.001, f64::sqrt(3.0 / 0.001)),
    ] {
        let got = curve.terminal_speed_squared(drag).sqrt();
        assert!((got - speed).abs() < 1e-9, "drag {drag}: {got} instead of {speed}");
        assert!((curve.acceleration(speed * speed) - drag * speed * speed).abs() < 1e-9);
    }
    assert_eq!(curve.terminal_speed_squared(0.0), f64::INFINITY);
    let power = DriveCurve::new(&DriveLimit::PowerAndForce { power_w: 1000.0, force_n: 100.0 }, 2.0);
    // Power rules: 1000 W / 2 kg = 0.004 v³; force rules: 100 N / 2 kg = 2 v².
    assert!((power.terminal_speed_squared(0.004).sqrt() - f64::cbrt(500.0 / 0.004)).abs() < 1e-9);
    assert!((power.terminal_speed_squared(2.0) - 25.0).abs() < 1e-9);
    assert_eq!(power.terminal_speed_squared(0.0), f64::INFINITY);
}

#[test]
fn vehicles_survive_the_way_to_toml_and_json_and_back() {
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
    let message = preset("f1").unwrap_err().to_string();
    assert!(message.contains("\"f1\"") && message.contains("tum-racecar, gt, kart, robot-car"), "{message}");
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

#[test]
fn every_missing_key_is_refused_by_name() {
    for line in KART.lines().filter(|line| line.contains(" = ") && !line.starts_with('#') && !line.starts_with("name"))
    {
        let key = line.split(' ').next().unwrap();
        let message = Vehicle::from_toml(&KART.replace(line, ""), "kart.toml").unwrap_err().to_string();
        assert!(message.contains("kart.toml") && message.contains(key), "{key}: {message}");
        assert!(message.contains("raceline vehicles tum-racecar"), "{message}");
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
    assert!(matches!(with_table(&[]), Err(VehicleError::EmptyDriveTable { .. })));
    assert_eq!(with_table(&[[0.0, 5.0]]), Ok(()));
    assert_eq!(with_table(&[[0.0, 5.0], [30.0, 0.0]]), Ok(()));
    for (points, wrong, fix) in [
        (vec![[0.0, 5.0], [-1.0, 4.0]], 2, "speed from 0"),
        (vec![[f64::NAN, 5.0]], 1, "speed from 0"),
        (vec![[0.0, 5.0], [2000.0, 4.0]], 2, "speed from 0"),
        (vec![[0.0, 5.0], [10.0, 4.0], [10.0, 3.0]], 3, "rising speed"),
        (vec![[0.0, 5.0], [10.0, 4.0], [9.0, 3.0]], 3, "rising speed"),
        (vec![[0.0, 5.0], [10.0, -1.0]], 2, "acceleration from 0"),
        (vec![[0.0, 5.0], [10.0, f64::INFINITY]], 2, "acceleration from 0"),
        (vec![[0.0, 0.0], [10.0, 4.0]], 1, "can't start"),
    ] {
        let error = with_table(&points).unwrap_err();
        assert!(matches!(error, VehicleError::DrivePoint { number, .. } if number == wrong), "{points:?}: {error}");
        assert!(error.to_string().contains(fix), "{error}");
    }
}
