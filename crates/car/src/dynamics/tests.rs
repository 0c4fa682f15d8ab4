use super::{SPEED_TABLE_VALUES, SpeedTable, VehicleDynamics};
use crate::closeness::assert_close;
use crate::handling::{FRONT_DRIVE_FRACTION, Handling, PEAK_SLIP_RAD, STEERING_RATE_RADPS};
use crate::{GgDiagram, STANDARD_GRAVITY, Vehicle, preset};

#[track_caller]
#[test]
fn a_table_is_linear_between_its_values_and_constant_beyond() {
    let square = |v: f64| 2.0 + v * v;
    let table = SpeedTable::new(64.0, square);
    for i in 0..SPEED_TABLE_VALUES {
        assert_close(table.values[i], square(2.0 * i as f64));
    }
    for (speed, expected) in [
        (0.0, 2.0),
        (0.5, 0.75 * 2.0 + 0.25 * 6.0),
        (4.0, 18.0),
        (5.0, 0.5 * (18.0 + 38.0)),
        (-5.0, 0.5 * (18.0 + 38.0)),
        (31.5, 0.25 * square(30.0) + 0.75 * square(32.0)),
        (63.0, 0.5 * (square(62.0) + square(64.0))),
        (64.0, square(64.0)),
        (64.1, square(64.0)),
        (1e9, square(64.0)),
    ] {
        assert_close(table.at(speed), expected);
        assert_close(table.scaled(0.3).at(speed), 0.3 * expected);
    }
    assert_eq!(SpeedTable::constant(7.5).at(33.3), 7.5);
}

fn little() -> VehicleDynamics {
    VehicleDynamics::constant(9.0, 8.0, 5.0)
}

#[test]
fn limits_are_usable_within_their_ranges() {
    assert!(little().is_usable());
    let with = |change: &dyn Fn(&mut VehicleDynamics)| {
        let mut dynamics = little();
        change(&mut dynamics);
        dynamics.is_usable()
    };
    let one = |value: f64| {
        let mut table = SpeedTable::constant(9.0);
        table.values[7] = value;
        table
    };
    for (value, positive, usable) in [
        (0.0011, true, true),
        (1e-3, false, true),
        (0.0, false, true),
        (1e4, true, true),
        (-1e-9, false, false),
        (1.1e4, false, false),
        (f64::NAN, false, false),
    ] {
        assert_eq!(with(&|d| d.lateral_mps2 = one(value)), positive, "{value}");
        assert_eq!(with(&|d| d.longitudinal_mps2 = one(value)), positive, "{value}");
        assert_eq!(with(&|d| d.driving = Some((one(value), 2.0))), positive, "{value}");
        assert_eq!(with(&|d| d.drive_mps2 = one(value)), usable, "{value}");
    }
    for (top, usable) in [(0.1, true), (0.0, false), (-3.0, false), (f64::NAN, false)] {
        assert_eq!(with(&|d| d.drive_mps2.top_mps = top), usable, "{top}");
    }
    for (exponent, usable) in [(1.0, true), (10.0, true), (0.99, false), (10.1, false), (f64::NAN, false)] {
        assert_eq!(with(&|d| d.ellipse_exponent = exponent), usable, "{exponent}");
        assert_eq!(with(&|d| d.driving = Some((one(9.0), exponent))), usable, "{exponent}");
    }
    for (speed, usable) in [(1e-3, true), (1e4, true), (9e-4, false), (1.1e4, false), (f64::NAN, false)] {
        assert_eq!(with(&|d| d.max_speed_mps = speed), usable, "{speed}");
    }
    for (resistance, usable) in [(0.0, true), (1e3, true), (-1e-9, false), (1001.0, false), (f64::NAN, false)] {
        assert_eq!(with(&|d| d.drag_radpm = resistance), usable, "{resistance}");
        assert_eq!(with(&|d| d.rolling_mps2 = resistance), usable, "{resistance}");
    }
}

#[test]
fn the_dynamics_of_a_vehicle_are_its_limits_over_speed() {
    let vehicle = Vehicle {
        driving_exponent: Some(1.3),
        rolling_resistance: 0.01,
        cornering_stiffness_per_rad: Some(25.0),
        ..preset("gt").unwrap()
    };
    let diagram = GgDiagram::new(&vehicle).unwrap();
    let dynamics = VehicleDynamics::of(&vehicle, &diagram);
    let (driving, exponent) = dynamics.driving.unwrap();
    for i in 0..SPEED_TABLE_VALUES {
        // 80 m/s in 32 steps.
        let v = 2.5 * i as f64;
        assert_close(dynamics.lateral_mps2.at(v), 14.0 * (1.0 + 1.5 * v * v / (1300.0 * STANDARD_GRAVITY)));
        assert_close(dynamics.longitudinal_mps2.values[i], diagram.longitudinal_limit(v * v));
        assert_close(driving.values[i], diagram.longitudinal_limit(v * v));
        assert_close(dynamics.drive_mps2.values[i], diagram.drive_limit(v * v));
    }
    assert_eq!((exponent, dynamics.ellipse_exponent, dynamics.max_speed_mps), (1.3, 2.0, 80.0));
    assert_eq!((dynamics.drag_radpm, dynamics.rolling_mps2), (0.8 / 1300.0, 0.01 * STANDARD_GRAVITY));
    assert_eq!((dynamics.front_weight_fraction, dynamics.gyration_m2), (0.5, 2350.0 / 1300.0));
    assert_eq!((dynamics.centre_of_gravity_m, dynamics.peak_slip_rad), (0.4, 0.12));
    assert_eq!((dynamics.front_brake_fraction, dynamics.front_drive_fraction), (0.6, 0.0));
    assert_eq!((dynamics.steering_rate_radps, dynamics.cornering_stiffness_per_rad), (1.0, Some(25.0)));
    // A whole vehicle has no number to replace.
    assert_eq!(dynamics.resolve(2.917, 1.0), dynamics);
    let plain = preset("gt").unwrap();
    assert!(VehicleDynamics::of(&plain, &GgDiagram::new(&plain).unwrap()).driving.is_none());
}

#[test]
fn what_is_not_known_has_the_default_of_its_wheelbase() {
    let resolved = little().resolve(2.5, 1.0);
    // The reference point is at 1 m of 2.5 m from the rear axle.
    assert_eq!(resolved.front_weight_fraction, 0.4);
    assert_close(resolved.gyration_m2, 1.5 * 1.0);
    assert_close(resolved.centre_of_gravity_m, 0.5);
    assert_eq!(resolved.peak_slip_rad, PEAK_SLIP_RAD);
    assert_close(resolved.front_brake_fraction, 0.4 + 8.0 / STANDARD_GRAVITY * 0.2);
    assert_eq!(resolved.front_drive_fraction, FRONT_DRIVE_FRACTION);
    assert_eq!(resolved.steering_rate_radps, STEERING_RATE_RADPS);
    assert_eq!(resolved.lateral_mps2, little().lateral_mps2);
    // A point near an axle is not the centre of gravity.
    for (rear_axle_m, fraction) in [(0.5, 0.5), (0.76, 0.304), (1.74, 0.696), (2.0, 0.5), (f64::NAN, 0.5)] {
        assert_close(little().resolve(2.5, rear_axle_m).front_weight_fraction, fraction);
    }
}

#[test]
fn numbers_out_of_their_range_are_replaced_and_others_are_kept() {
    let with = |value: f64| VehicleDynamics {
        front_weight_fraction: value,
        gyration_m2: value,
        centre_of_gravity_m: value,
        peak_slip_rad: value,
        cornering_stiffness_per_rad: Some(value),
        front_brake_fraction: value,
        front_drive_fraction: value,
        steering_rate_radps: value,
        ..little()
    };
    let kept = with(0.3).handling(2.5, 1.0);
    assert_eq!((kept.front_weight_fraction, kept.gyration_m2, kept.centre_of_gravity_m), (0.3, 0.3, 0.3));
    assert_eq!((kept.peak_slip_rad, kept.steering_rate_radps), (0.3, 0.3));
    assert_eq!((kept.front_brake_fraction, kept.front_drive_fraction), (0.3, 0.3));
    // The slip of a unit of use by the stiffness: A_y / (g C).
    assert_close(kept.tyre_slip.slope_rad(), 9.0 / (STANDARD_GRAVITY * 0.3));
    assert_eq!(kept.rear_grip_reserve, 0.05);
    assert!(kept.max_steering_rad.is_nan());
    // NaN is not equal to NaN.
    let comparable = |dynamics: VehicleDynamics| Handling { max_steering_rad: 0.0, ..dynamics.handling(2.5, 1.0) };
    for value in [-1.0, f64::NAN, 1e10] {
        assert_eq!(comparable(with(value)), comparable(little()), "{value}");
        assert_eq!(with(value).resolve(2.5, 1.0), little().resolve(2.5, 1.0), "{value}");
    }
}
