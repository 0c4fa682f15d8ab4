//! Grip, margins and downforce of vehicles, and the keys that their files omit.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use raceline_car::{STANDARD_GRAVITY, Vehicle, preset};

#[track_caller]
fn assert_close(value: f64, expected: f64) {
    assert!((value - expected).abs() <= 1e-12 * expected.abs().max(1.0), "{value} is not {expected}");
}

fn tabled() -> Vehicle {
    Vehicle {
        mass_kg: 900.0,
        lateral_limit_mps2: 0.0,
        longitudinal_limit_mps2: 0.0,
        downforce_kgpm: 0.0,
        ggv_table: vec![[5.0, 10.0, 12.0], [50.0, 11.0, 15.0]],
        driving_limit_table: vec![[0.0, 6.0], [40.0, 8.0]],
        ..preset("gt").unwrap()
    }
}

#[test]
fn grip_multiplies_every_limit_of_the_tyres() {
    let wet = Vehicle { longitudinal_limit_mps2: 11.0, ..preset("gt").unwrap() }.with_grip(0.75);
    assert_eq!((wet.lateral_limit_mps2, wet.longitudinal_limit_mps2), (0.75 * 14.0, 0.75 * 11.0));
    let wet = tabled().with_grip(0.75);
    assert_eq!(wet.ggv_table, [[5.0, 7.5, 9.0], [50.0, 8.25, 11.25]]);
    assert_eq!(wet.driving_limit_table, [[0.0, 4.5], [40.0, 6.0]]);
    assert_eq!(wet.drive, tabled().drive);
}

#[test]
fn the_margin_is_half_the_width_and_the_safety_distance() {
    let vehicle = Vehicle { width_m: 1.9, safety_distance_m: 0.35, ..tabled() };
    assert_close(vehicle.margin_m(), 0.95 + 0.35);
}

#[test]
fn the_axle_with_less_downforce_by_its_weight_limits() {
    let with = |downforce: Option<f64>, weight: Option<f64>| {
        let vehicle = Vehicle { front_downforce_fraction: downforce, front_weight_fraction: weight, ..tabled() };
        vehicle.limiting_downforce_fraction()
    };
    // By the front axle, by the rear one, and by neither.
    assert_close(with(Some(0.3), Some(0.4)), 0.75);
    assert_close(with(Some(0.55), Some(0.4)), 0.75);
    assert_close(with(Some(0.4), Some(0.4)), 1.0);
    assert_eq!([with(None, Some(0.4)), with(Some(0.3), None)], [1.0, 1.0]);
}

#[test]
fn the_downforce_in_a_table_is_what_makes_its_lateral_limit_grow() {
    assert_eq!(Vehicle { downforce_kgpm: 1.7, ggv_table: vec![], ..tabled() }.downforce_on_tyres_kgpm(), 1.7);
    // 15 / 12 is 1 + c w / (m g).
    let expected = 0.25 * 900.0 * STANDARD_GRAVITY / 2500.0;
    assert_close(tabled().downforce_on_tyres_kgpm(), expected);
    assert_eq!(Vehicle { table_downforce_kgpm: Some(1.1), ..tabled() }.downforce_on_tyres_kgpm(), 1.1);
    // A limit that falls, and one that is known at standstill only, are without downforce.
    for ggv_table in [vec![[0.0, 10.0, 12.0], [50.0, 11.0, 11.0]], vec![[0.0, 10.0, 12.0]]] {
        assert_eq!(Vehicle { ggv_table, ..tabled() }.downforce_on_tyres_kgpm(), 0.0);
    }
}

#[test]
fn only_keys_that_are_zero_are_omitted_from_a_file() {
    let plain = Vehicle { rolling_resistance: 0.0, ..tabled() }.to_toml().unwrap();
    for key in ["lateral_limit_mps2", "longitudinal_limit_mps2", "rolling_resistance", "gear_change_s"] {
        assert!(!plain.contains(key), "{key}: {plain}");
    }
    let with = Vehicle {
        lateral_limit_mps2: 9.5,
        ggv_table: vec![],
        rolling_resistance: 0.01,
        gear_change_s: 0.15,
        longitudinal_limit_mps2: 8.5,
        ..tabled()
    };
    let text = with.to_toml().unwrap();
    for line in [
        "lateral_limit_mps2 = 9.5",
        "longitudinal_limit_mps2 = 8.5",
        "rolling_resistance = 0.01",
        "gear_change_s = 0.15",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}: {text}");
    }
    assert_eq!(Vehicle::from_toml(&text, "car.toml").unwrap(), with);
}
