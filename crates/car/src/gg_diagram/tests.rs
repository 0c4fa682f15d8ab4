use super::{GgDiagram, Superellipse};
use crate::closeness::assert_close;
use crate::sample::motorcycle;
use crate::{DriveLimit, STANDARD_GRAVITY, SpeedCurve, Vehicle, preset};

#[track_caller]
/// A car with air, wings and rolling resistance.
fn car() -> Vehicle {
    Vehicle {
        mass_kg: 800.0,
        lateral_limit_mps2: 13.0,
        longitudinal_limit_mps2: 11.0,
        ellipse_exponent: 1.6,
        drag_kgpm: 0.9,
        downforce_kgpm: 2.4,
        rolling_resistance: 0.015,
        drive: DriveLimit::TableN(vec![[0.0, 6e3], [30.0, 6e3], [60.0, 3e3]]),
        max_speed_mps: 75.0,
        front_weight_fraction: Some(0.5),
        front_downforce_fraction: Some(0.4),
        ..preset("tum-racecar").unwrap()
    }
}

fn diagram(vehicle: &Vehicle) -> GgDiagram {
    GgDiagram::new(vehicle).unwrap()
}

#[test]
fn what_remains_of_an_ellipse_completes_its_equation() {
    for (exponent, expected) in [
        (1.0, Superellipse::Diamond),
        (2.0, Superellipse::Ellipse),
        (1.5, Superellipse::General { exponent: 1.5 }),
        (3.0, Superellipse::General { exponent: 3.0 }),
    ] {
        let ellipse = Superellipse::with_exponent(exponent);
        assert_eq!(ellipse, expected);
        assert_eq!(ellipse.exponent(), exponent);
        for used in [0.0, 0.1, 0.37, 0.6, 0.8, 0.99, 1.0_f64] {
            let remaining = ellipse.remaining(used);
            assert_close(used.powf(exponent) + remaining.powf(exponent), 1.0);
            assert_close(Superellipse::General { exponent }.remaining(used), remaining);
        }
    }
}

#[test]
fn numbers_are_those_of_the_vehicle_by_its_mass() {
    let diagram = diagram(&car());
    assert_close(diagram.drag_over_mass(), 0.9 / 800.0);
    assert_close(diagram.downforce_over_mass(), 2.4 / 800.0);
    assert_close(diagram.lateral_downforce_over_mass(), 0.8 * 2.4 / 800.0);
    assert_close(diagram.rolling_deceleration(), 0.015 * STANDARD_GRAVITY);
    assert_close(diagram.max_speed_squared(), 75.0 * 75.0);
    assert_eq!((diagram.exponent(), diagram.driving_exponent()), (1.6, 1.6));
    assert_eq!(diagram.ellipse(), Superellipse::General { exponent: 1.6 });
    assert!(!diagram.drives_otherwise() && !diagram.grows_alike());
    let alike = Vehicle { front_downforce_fraction: Some(0.5), ..car() };
    assert!(GgDiagram::new(&alike).unwrap().grows_alike());
}

#[test]
fn limits_grow_with_the_downforce_of_the_axle_that_limits() {
    let diagram = diagram(&car());
    for w in [0.0, 100.0, 2500.0, 5000.0] {
        let weights = 2.4 * w / (800.0 * STANDARD_GRAVITY);
        let (along, across) = (11.0 * (1.0 + weights), 13.0 * (1.0 + 0.8 * weights));
        assert_close(diagram.longitudinal_limit(w), along);
        assert_close(diagram.lateral_limit(w), across);
        for (jet, curve, value) in [
            (diagram.longitudinal_limit_jet(w), diagram.longitudinal(), along),
            (diagram.driving_limit_jet(w), diagram.driving().0, along),
            (diagram.lateral_limit_jet(w), diagram.lateral(), across),
        ] {
            assert_close(jet.value, value);
            assert_close(curve.at(w), value);
        }
        let resistance = 0.015 * STANDARD_GRAVITY + 0.9 * w / 800.0;
        assert_close(diagram.resistance(w), resistance);
        let jet = diagram.resistance_jet(w);
        assert_close(jet.value, resistance);
        assert_eq!((jet.slope, jet.bend), (0.9 / 800.0, 0.0));
        assert_eq!(diagram.drive_limit(w), diagram.drive().at(w));
        assert_eq!(diagram.drive_jet(w), diagram.drive().jet(w));
    }
    // 6000 N and 3000 N by 800 kg.
    assert_close(diagram.drive_limit(400.0), 7.5);
    assert_close(diagram.drive_limit(6400.0), 3.75);
}

#[test]
fn accelerations_are_those_of_the_equations() {
    let otherwise = Vehicle {
        driving_exponent: Some(1.2),
        driving_limit_table: vec![[0.0, 6.0], [20.0, 6.0], [80.0, 12.0]],
        ..car()
    };
    let steeper = Vehicle { driving_exponent: Some(1.2), ..car() };
    let level = [[0.0, 6.0], [20.0, 6.0], [80.0, 12.0]];
    for (vehicle, table, exponent) in [(car(), None, 1.6_f64), (otherwise, Some(level), 1.2), (steeper, None, 1.2)] {
        let diagram = diagram(&vehicle);
        assert_eq!(diagram.drives_otherwise(), exponent != 1.6);
        assert_eq!((diagram.exponent(), diagram.driving_exponent()), (1.6, exponent));
        for v in [3.0, 15.0, 40.0, 70.0] {
            for part in [0.0, 0.3, 0.9, 1.0, 1.4] {
                let w: f64 = v * v;
                let weights = 2.4 * w / (800.0 * STANDARD_GRAVITY);
                let (along, across) = (11.0 * (1.0 + weights), 13.0 * (1.0 + 0.8 * weights));
                let (used, curvature) = (f64::min(part, 1.0), part * across / w);
                let resistance = 0.015 * STANDARD_GRAVITY + 0.9 * w / 800.0;
                let tyres = along * (1.0 - used.powf(1.6)).powf(1.0 / 1.6);
                // Near the limit a rounding of the use is one of the root.
                let near = |value: f64, expected: f64| {
                    assert!((value - expected).abs() < 1e-6 * (1.0 + expected.abs()), "{v} {part}: {value} {expected}");
                };
                near(diagram.tyre_acceleration(w, curvature), tyres);
                near(diagram.deceleration(w, curvature), tyres + resistance);
                let driving = table.map_or(along, |table| SpeedCurve::table(&table).at(w));
                let driving = driving * (1.0 - used.powf(exponent)).powf(1.0 / exponent);
                near(diagram.acceleration(w, curvature), driving.min(diagram.drive_limit(w)) - resistance);
            }
        }
    }
}

#[test]
fn a_table_of_limits_takes_the_place_of_constants_and_downforce() {
    let vehicle = Vehicle {
        lateral_limit_mps2: 0.0,
        longitudinal_limit_mps2: 0.0,
        downforce_kgpm: 0.0,
        table_downforce_kgpm: Some(1.6),
        ggv_table: vec![[0.0, 10.0, 14.0], [40.0, 12.0, 20.0]],
        ..car()
    };
    let diagram = diagram(&vehicle);
    assert_close(diagram.longitudinal_limit(400.0), 11.0);
    assert_close(diagram.lateral_limit(400.0), 17.0);
    assert_close(diagram.downforce_over_mass(), 1.6 / 800.0);
    // v² κ = 14 + 6 / 40 v.
    let v: f64 = (0.15 + (0.15_f64 * 0.15 + 4.0 * 0.02 * 14.0).sqrt()) / 0.04;
    assert!((diagram.cornering_speed_squared(0.02).sqrt() - v).abs() < 1e-9);
    assert_eq!(diagram.cornering_speed_squared(0.0), 75.0 * 75.0);
}

#[test]
fn corners_are_taken_at_the_speed_whose_lateral_acceleration_is_the_limit() {
    let diagram = diagram(&car());
    let growth = 13.0 * 0.8 * 2.4 / (800.0 * STANDARD_GRAVITY);
    for curvature in [0.008, 0.02, 0.1] {
        let w = diagram.cornering_speed_squared(curvature);
        assert_close(w, 13.0 / (curvature - growth));
        assert_close(curvature * w, diagram.lateral_limit(w));
    }
    // Below the curvature at which wings add more grip than the bend requires, and above that of the maximum speed.
    for curvature in [0.0, 0.5 * growth, growth, growth + 0.99 * 13.0 / 5625.0] {
        assert_eq!(diagram.cornering_speed_squared(curvature), 5625.0);
    }
    assert!(diagram.cornering_speed_squared(growth + 1.01 * 13.0 / 5625.0) < 5625.0);
}

#[test]
fn the_terminal_speed_is_that_of_the_first_limit_to_end() {
    let plain = Vehicle { drive: DriveLimit::TableMps2(vec![[0.0, 4.0]]), ..car() };
    // By the drive: 4 = c_r g + c_d w / m.
    let by_drive = (4.0 - 0.015 * STANDARD_GRAVITY) * 800.0 / 0.9;
    assert_close(diagram(&plain).terminal_speed_squared(), by_drive);
    // By the tyres while driving.
    let tyres = Vehicle { driving_limit_table: vec![[0.0, 2.5]], ..plain.clone() };
    let by_tyres = (2.5 - 0.015 * STANDARD_GRAVITY) * 800.0 / 0.9;
    assert_close(diagram(&tyres).terminal_speed_squared(), by_tyres);
    // By the maximum speed.
    let slow = Vehicle { max_speed_mps: 40.0, ..plain };
    assert_close(diagram(&slow).terminal_speed_squared(), 1600.0);
}

#[test]
fn a_change_of_gear_weakens_the_drive_above_its_speed() {
    let changing = Vehicle { gear_change_s: 0.2, gear_change_speeds_mps: vec![30.0], ..car() };
    let (plain, slowed) = (diagram(&car()), diagram(&changing));
    let loss = |v: f64| plain.drive_limit(v * v) - slowed.drive_limit(v * v);
    assert_eq!((loss(29.9), loss(36.1)), (0.0, 0.0));
    // 1 / a' = 1 / a + t / δ in the middle.
    let acceleration = plain.acceleration(33.0 * 33.0, 0.0);
    let expected = acceleration - 1.0 / (1.0 / acceleration + 0.2 / 3.0);
    assert!((loss(33.0) / expected - 1.0).abs() < 2e-3, "{} {expected}", loss(33.0));
    for without in [Vehicle { gear_change_s: 0.2, ..car() }, Vehicle { gear_change_speeds_mps: vec![30.0], ..car() }] {
        assert_eq!(diagram(&without), plain);
    }
}

#[test]
fn drives_are_divided_by_the_mass() {
    let forces = DriveLimit::TableN(vec![[0.0, 6e3], [30.0, 6e3], [60.0, 1.5e3]]).acceleration(1500.0);
    assert_eq!(forces, SpeedCurve::table(&[[0.0, 4.0], [30.0, 4.0], [60.0, 1.0]]));
    let table = vec![[0.0, 4.0], [60.0, 1.0]];
    assert_eq!(DriveLimit::TableMps2(table.clone()).acceleration(1500.0), SpeedCurve::table(&table));
    let power = DriveLimit::PowerAndForce { power_w: 3e5, force_n: 12e3 }.acceleration(1500.0);
    assert_eq!(power, SpeedCurve::falling_with_speed(8.0, 200.0));
}

/// Brakes and drive are those of the wheel that lifts, tyres while driving are not.
#[test]
fn brakes_and_drive_lift_no_wheel() {
    let [braking, driving] = motorcycle().wheel_lift_mps2().unwrap();
    let diagram = GgDiagram::new(&motorcycle()).unwrap();
    for w in [0.0, 100.0, 2500.0] {
        assert_close(diagram.longitudinal_limit(w), braking);
        assert_close(diagram.driving_limit_jet(w).value, 14.0);
    }
    assert_close(diagram.drive_limit(25.0), driving);
    // The power at 100 m/s.
    assert_close(diagram.drive_limit(1e4), 150e3 / 250.0 / 100.0);
    // Tyres that grip less than lifts a wheel.
    let wet = GgDiagram::new(&motorcycle().with_grip(0.5)).unwrap();
    assert_close(wet.longitudinal_limit(0.0), 7.0);
}

#[test]
fn a_table_is_held_where_a_wheel_would_lift() {
    let table = Vehicle {
        ggv_table: vec![[0.0, 14.0, 12.0], [50.0, 9.0, 11.0]],
        lateral_limit_mps2: 0.0,
        longitudinal_limit_mps2: 0.0,
        ..motorcycle()
    };
    let diagram = GgDiagram::new(&table).unwrap();
    let [braking, _] = table.wheel_lift_mps2().unwrap();
    assert_close(diagram.longitudinal_limit(0.0), braking);
    assert_close(diagram.longitudinal_limit(3600.0), 9.0);
    assert!(diagram.driving_limit_jet(0.0).value > 13.5);
}
