use super::{held, lean_rad, lean_rad_per_mps2};
use crate::closeness::assert_close;
use crate::sample::motorcycle;
use crate::{DriveLimit, STANDARD_GRAVITY, Vehicle, VehicleError};

#[test]
fn the_lean_balances_gravity() {
    assert_close(lean_rad(0.0), 0.0);
    assert_close(lean_rad(STANDARD_GRAVITY * 3.0_f64.sqrt()), std::f64::consts::FRAC_PI_3);
    assert_close(lean_rad(-5.0), -lean_rad(5.0));
    for across in [-12.0, -3.0, 0.0, 4.0, 15.0] {
        let step = 1e-4;
        let difference = |of: &dyn Fn(f64) -> f64| (of(across + step) - of(across - step)) / (2.0 * step);
        let jet = lean_rad_per_mps2(across);
        assert!((jet.value - difference(&lean_rad)).abs() < 1e-9, "{across}");
        assert!((jet.slope - difference(&|y| lean_rad_per_mps2(y).value)).abs() < 1e-9, "{across}");
        assert!((jet.bend - difference(&|y| lean_rad_per_mps2(y).slope)).abs() < 1e-9, "{across}");
    }
}

/// Moments about the wheel that stays on the road: m a h = m g a.
#[test]
fn brakes_and_drive_lift_no_wheel() {
    let [braking, driving] = motorcycle().wheel_lift_mps2().unwrap();
    assert_close(braking * 0.7, STANDARD_GRAVITY * 0.6 * 1.4);
    assert_close(driving * 0.7, STANDARD_GRAVITY * 0.4 * 1.4);
}

#[test]
fn tables_are_held_where_a_wheel_would_lift() {
    let points = [[0.0, 12.0], [20.0, 8.0], [40.0, 4.0], [60.0, 8.0]];
    assert_eq!(held(&points, f64::INFINITY), points);
    assert_eq!(held(&points, 3.0), points.map(|[speed, _]| [speed, 3.0]));
    let found = held(&points, 6.0);
    let expected = [[0.0, 6.0], [20.0, 6.0], [30.0, 6.0], [40.0, 4.0], [50.0, 6.0], [60.0, 6.0]];
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(&expected) {
        assert_close(found[0], expected[0]);
        assert_close(found[1], expected[1]);
    }
    let by_force = DriveLimit::TableN(vec![[0.0, 2500.0], [50.0, 1000.0]]).at_most(8.0, 250.0);
    let DriveLimit::TableN(points) = by_force else { panic!("{by_force:?}") };
    assert_eq!(points.len(), 3);
    assert_close(points[1][0], 50.0 / 3.0);
    assert_eq!((points[0][1], points[1][1], points[2][1]), (2000.0, 2000.0, 1000.0));
}

#[test]
fn a_vehicle_that_leans_needs_its_centre_of_gravity() {
    for (key, vehicle) in [
        ("centre_of_gravity_m", Vehicle { centre_of_gravity_m: None, ..motorcycle() }),
        ("centre_of_gravity_m", Vehicle { centre_of_gravity_m: Some(0.0), ..motorcycle() }),
        ("front_weight_fraction", Vehicle { front_weight_fraction: None, ..motorcycle() }),
    ] {
        let error = vehicle.validate().unwrap_err();
        let VehicleError::MissingBeside { key: of, needed, .. } = &error else { panic!("{error}") };
        assert_eq!((*of, *needed), ("lean_rate_radps", key));
    }
    assert!(motorcycle().validate().is_ok());
}
