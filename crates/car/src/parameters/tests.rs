use super::{DRIVING_KEYS, GRIP, Parameter, unit_of};
use crate::{DriveLimit, Vehicle, VehicleError, preset};

fn gt() -> Vehicle {
    preset("gt").unwrap()
}

#[test]
fn units_are_those_of_the_longest_ending() {
    for (key, unit) in [
        ("mass_kg", "kg"),
        ("drag_kgpm", "kg/m"),
        ("yaw_inertia_kgm2", "kg m²"),
        ("width_m", "m"),
        ("max_speed_mps", "m/s"),
        ("lateral_limit_mps2", "m/s²"),
        ("max_curvature_radpm", "1/m"),
        ("peak_slip_rad", "rad"),
        ("cornering_stiffness_per_rad", "1/rad"),
        ("steering_rate_radps", "rad/s"),
        ("drive.power_and_force.power_w", "W"),
        ("drive.power_and_force.force_n", "N"),
        ("ellipse_exponent", ""),
        (GRIP, ""),
    ] {
        assert_eq!(unit_of(key), unit, "{key}");
    }
}

#[test]
fn parameters_are_the_numbers_of_the_file_and_the_grip() {
    let all = gt().all_parameters().unwrap();
    let find = |key: &str| all.iter().find(|parameter| parameter.key == key).cloned();
    let power = Parameter { key: "drive.power_and_force.power_w".to_owned(), value: 390e3, unit: "W" };
    assert_eq!(find("drive.power_and_force.power_w"), Some(power));
    assert_eq!(find("mass_kg").unwrap().value, 1300.0);
    assert_eq!(find("front_brake_fraction").unwrap().value, 0.6);
    assert_eq!(all.last().unwrap(), &Parameter { key: GRIP.to_owned(), value: 1.0, unit: "" });
    let keys: Vec<&str> = all.iter().map(|parameter| &*parameter.key).collect();
    assert!(!keys.contains(&"name") && !keys.contains(&"driving_exponent"));
    assert!(keys[..keys.len() - 1].is_sorted());
    // A lap of a point mass does not depend on what is for driving.
    let for_a_lap = gt().parameters().unwrap();
    let expected: Vec<_> = all.iter().filter(|parameter| !DRIVING_KEYS.contains(&&*parameter.key)).cloned().collect();
    assert!(expected.len() < all.len() && for_a_lap == expected);
    // Tables are no numbers.
    let tabled = Vehicle { drive: DriveLimit::TableN(vec![[0.0, 9e3]]), ..gt() }.all_parameters().unwrap();
    assert!(tabled.iter().all(|parameter| !parameter.key.starts_with("drive")));
}

#[test]
fn a_number_is_found_by_its_key() {
    for (key, expected) in [
        ("mass_kg", Some(1300.0)),
        ("drive.power_and_force.force_n", Some(10.4e3)),
        ("grip", Some(1.0)),
        // A number that the vehicle omits.
        ("driving_exponent", None),
        ("rolling_resistance", None),
    ] {
        assert_eq!(gt().parameter(key).unwrap(), expected, "{key}");
    }
    // JSON has no value for a number that is none.
    assert_eq!(Vehicle { mass_kg: f64::NAN, ..gt() }.parameter("mass_kg").unwrap(), None);
    for unknown in ["wings", "drive.wings", "drive.table_n.3", "mass_kg.half", "drive.power_and_force.torque_nm"] {
        match gt().parameter(unknown).unwrap_err() {
            VehicleError::UnknownParameter { vehicle, key, known } => {
                assert_eq!((&*vehicle, &*key), ("gt", unknown));
                assert!(known.contains("drag_kgpm, drive.power_and_force.force_n"), "{known}");
            }
            other => panic!("{unknown}: {other}"),
        }
    }
}

#[test]
fn what_is_no_number_is_described() {
    let tabled = Vehicle { drive: DriveLimit::TableN(vec![[0.0, 9e3]]), ..gt() };
    for (vehicle, key, expected) in [
        (gt(), "name", "text"),
        (tabled.clone(), "drive.table_n", "a list"),
        (tabled, "drive", "a group without numbers"),
        (gt(), "drive", "a group that contains drive.power_and_force.force_n, drive.power_and_force.power_w"),
    ] {
        let refusals = [vehicle.parameter(key).unwrap_err(), vehicle.with_parameters(&[(key, 2.0)]).unwrap_err()];
        for refusal in refusals {
            match refusal {
                VehicleError::NotANumber { vehicle, key: found, found: kind } => {
                    assert_eq!((&*vehicle, &*found, &*kind), ("gt", key, expected));
                }
                other => panic!("{key}: {other}"),
            }
        }
    }
}

#[test]
fn changes_are_applied_and_nothing_else_changes() {
    let changed = gt().with_parameters(&[("mass_kg", 1250.5), ("drive.power_and_force.power_w", 4e5)]).unwrap();
    let drive = DriveLimit::PowerAndForce { power_w: 4e5, force_n: 10.4e3 };
    assert_eq!(changed, Vehicle { mass_kg: 1250.5, drive, ..gt() });
    // Numbers that the vehicle omits, a whole one, and one that a whole number of the machine cannot hold.
    let changed = gt().with_parameters(&[("driving_exponent", 1.5), ("mass_kg", 7.0), ("width_m", 1e300)]).unwrap();
    assert_eq!(changed, Vehicle { driving_exponent: Some(1.5), mass_kg: 7.0, width_m: 1e300, ..gt() });
    // Factors of the grip multiply each other, after all other changes.
    let changed = gt().with_parameters(&[(GRIP, 0.5), ("lateral_limit_mps2", 12.0), (GRIP, 0.8)]).unwrap();
    assert!((changed.lateral_limit_mps2 - 0.4 * 12.0).abs() < 1e-12);
    assert!((changed.longitudinal_limit_mps2 - 0.4 * 14.0).abs() < 1e-12);
    assert_eq!(gt().with_parameters(&[]).unwrap(), gt());
}

#[test]
fn a_change_that_the_vehicle_does_not_accept_is_named() {
    for (changes, expected) in [
        (&[("mass_kg", 900.0), ("wings", 2.0)][..], "wings"),
        // Beside a number that the vehicle omits, and one that is for driving.
        (&[("driving_exponent", 1.5), ("max_steering_rad", 0.6), ("wings", 2.0)][..], "wings"),
        (&[("drive.wings.span_m", 2.0)][..], "drive.wings.span_m"),
        (&[("drive.power_and_force.torque_nm", 2.0)][..], "drive.power_and_force.torque_nm"),
        (&[("mass_kg.half", 2.0)][..], "mass_kg.half"),
    ] {
        match gt().with_parameters(changes).unwrap_err() {
            VehicleError::UnknownParameter { key, .. } => assert_eq!(key, expected),
            other => panic!("{expected}: {other}"),
        }
    }
    match gt().with_parameters(&[("mass_kg", f64::NAN)]).unwrap_err() {
        VehicleError::ParameterValue { vehicle, key, value, message } => {
            assert_eq!((&*vehicle, &*key, &*message), ("gt", "mass_kg", "it must be finite"));
            assert!(value.is_nan());
        }
        other => panic!("{other}"),
    }
}
