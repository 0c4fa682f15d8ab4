//! Changes of gear and limits of each axle, against closed forms.

// Clippy exempts test functions but not the helpers beside them.
#![allow(clippy::unwrap_used)]

use raceline::speed::{Course, FixedLine, Ground, SpeedProfile, SpeedSolver, TurningCost, profile};
use raceline::vehicle::{DriveLimit, GgDiagram, STANDARD_GRAVITY, Vehicle, VehicleError, preset};

/// A friction of 1 and 4 m/s² of drive, without air.
fn airless() -> Vehicle {
    Vehicle {
        mass_kg: 1000.0,
        lateral_limit_mps2: STANDARD_GRAVITY,
        longitudinal_limit_mps2: STANDARD_GRAVITY,
        drag_kgpm: 0.0,
        drive: DriveLimit::TableMps2(vec![[0.0, 4.0]]),
        max_speed_mps: 100.0,
        ..preset("tum-racecar").unwrap()
    }
}

#[track_caller]
fn assert_close(value: f64, expected: f64, relative: f64) {
    let error = (value - expected).abs() / expected.abs();
    assert!(error <= relative, "{value} is not {expected}: relative error {error:.3e}");
}

/// The time from standstill to `speed` on a straight, s.
fn time_to(speed: f64, vehicle: &Vehicle) -> f64 {
    let step = 0.25;
    let points = 12_000;
    let mut solver = SpeedSolver::new(vehicle, Course::FROM_STANDSTILL).unwrap();
    let profile = solver.profile(&vec![0.0; points], &vec![step; points - 1], None).unwrap();
    let after = profile.speed_mps.iter().position(|v| *v >= speed).unwrap();
    let [before, after] = [after - 1, after].map(|i| (profile.speed_mps[i], profile.time_s[i]));
    before.1 + (after.1 - before.1) * (speed - before.0) / (after.0 - before.0)
}

#[test]
fn each_change_of_gear_takes_its_time() {
    let air = Vehicle { drag_kgpm: 0.6, rolling_resistance: 0.01, ..airless() };
    let power = DriveLimit::PowerAndForce { power_w: 250e3, force_n: 7e3 };
    let cars = [
        airless(),
        air.clone(),
        Vehicle { drive: power.clone(), ..air.clone() },
        Vehicle { drive: DriveLimit::TableN(vec![[0.0, 8e3], [21.0, 7e3], [32.0, 5e3], [50.0, 4e3]]), ..air.clone() },
        // The tyres limit up to 36 m/s.
        Vehicle { drive: power, driving_limit_table: vec![[0.0, 5.0], [60.0, 8.0]], ..air },
    ];
    for car in cars {
        for (speeds, seconds) in [(vec![12.0, 20.0, 30.0, 37.0], 0.15), (vec![25.0, 26.0], 0.3), (vec![33.0], 0.02)] {
            let changing = Vehicle { gear_change_s: seconds, gear_change_speeds_mps: speeds.clone(), ..car.clone() };
            let lost = time_to(46.0, &changing) - time_to(46.0, &car);
            assert_close(lost, seconds * speeds.len() as f64, 2e-3);
            // Below the first change nothing is lost.
            let below = speeds[0] - 0.5;
            assert_close(time_to(below, &changing), time_to(below, &car), 1e-12);
        }
    }
}

#[test]
fn the_drive_stays_smooth_and_what_is_not_reached_costs_nothing() {
    let car = Vehicle { gear_change_s: 0.2, gear_change_speeds_mps: vec![20.0, 35.0], ..airless() };
    let diagram = GgDiagram::new(&car).unwrap();
    let drive = |v: f64| diagram.drive_jet(v * v);
    for i in 0..4000 {
        let v = 10.0 + 0.01 * f64::from(i);
        let (below, above) = (drive(v - 1e-6), drive(v + 1e-6));
        assert!((above.value - below.value).abs() < 1e-4, "{v}");
        assert!((above.slope - below.slope).abs() < 1e-4, "{v}");
        assert!((0.0..=4.0 + 1e-12).contains(&drive(v).value), "{v}");
    }
    // 1 / a' = 1 / a + t h, in the middle h = 1 / δ.
    assert_close(drive(22.0).value, 1.0 / (0.25 + 0.2 / 2.0), 1e-2);
    // A change that costs nothing, or none at all, is the same vehicle.
    let plain = GgDiagram::new(&airless()).unwrap();
    assert_eq!(GgDiagram::new(&Vehicle { gear_change_speeds_mps: vec![20.0], ..airless() }).unwrap(), plain);
    assert_eq!(GgDiagram::new(&Vehicle { gear_change_s: 0.2, ..airless() }).unwrap(), plain);
    // The drag takes all of the drive at 50 m/s.
    let slow = Vehicle { drag_kgpm: 4.0 * 1000.0 / 2500.0, ..airless() };
    let changing = Vehicle { gear_change_s: 0.2, gear_change_speeds_mps: vec![52.0], ..slow.clone() };
    assert_eq!(GgDiagram::new(&changing).unwrap(), GgDiagram::new(&slow).unwrap());
}

#[test]
fn keys_of_gears_and_axles_are_checked() {
    let reported = |vehicle: Vehicle| vehicle.validate().unwrap_err();
    let error = reported(Vehicle { gear_change_s: -0.1, ..airless() });
    assert!(matches!(error, VehicleError::OutOfRange { key: "gear_change_s", .. }), "{error}");
    for (speeds, number) in [(vec![20.0, 10.0], 2), (vec![f64::NAN], 1), (vec![5.0, 2000.0], 2)] {
        let error = reported(Vehicle { gear_change_speeds_mps: speeds, ..airless() });
        assert!(
            matches!(error, VehicleError::TablePoint { key: "gear_change_speeds_mps", number: n, .. } if n == number),
            "{error}"
        );
    }
    let error = reported(Vehicle { front_downforce_fraction: Some(1.1), ..airless() });
    assert!(matches!(error, VehicleError::OutOfRange { key: "front_downforce_fraction", .. }), "{error}");
    let error =
        reported(Vehicle { front_downforce_fraction: Some(0.4), front_weight_fraction: None, ..airless() }).to_string();
    assert!(error.contains("front_downforce_fraction is specified without front_weight_fraction"), "{error}");
    let text = Vehicle { gear_change_s: 0.1, gear_change_speeds_mps: vec![20.0], ..airless() }.to_toml().unwrap();
    assert!(text.contains("gear_change_s = 0.1\ngear_change_speeds_mps = [20.0]"), "{text}");
    assert!(!airless().to_toml().unwrap().contains("gear"));
}

/// A wing car whose weight and downforce are distributed over the axles as specified.
fn winged(weight: f64, downforce: f64) -> Vehicle {
    Vehicle {
        downforce_kgpm: 2.0,
        front_weight_fraction: Some(weight),
        front_downforce_fraction: Some(downforce),
        yaw_inertia_kgm2: None,
        ..airless()
    }
}

fn driven(vehicle: &Vehicle, curvature: f64, ground: Option<Ground>) -> SpeedProfile {
    let grounds = ground.map(|ground| vec![ground; 100]);
    FixedLine {
        curvature: &[curvature; 100],
        step_lengths: &[1.0; 100],
        course: Course::Closed,
        grip: None,
        turning: TurningCost::Free,
        grounds: grounds.as_deref(),
        caps: None,
    }
    .profile(vehicle)
    .unwrap()
}

#[test]
fn the_axle_with_less_downforce_by_its_weight_limits() {
    // μ (g + fraction D w / m) = κ w, with the fraction of the front or of the rear.
    for (weight, downforce, fraction) in [(0.5, 0.3, 0.6), (0.52, 0.26, 0.5), (0.4, 0.7, 0.5), (0.5, 0.5, 1.0)] {
        let car = winged(weight, downforce);
        assert_close(car.limiting_downforce_fraction(), fraction, 1e-12);
        let (air, curvature) = (0.002 * fraction, 0.01);
        let squared = STANDARD_GRAVITY / (curvature - air);
        for ground in [None, Some(Ground::LEVEL)] {
            assert_close(driven(&car, curvature, ground).speed_mps[3], squared.sqrt(), 1e-8);
        }
        // A crest unloads both axles alike, and the one with less air more of what it has.
        let crest = Ground { normal_curvature: -0.001, ..Ground::LEVEL };
        let squared = STANDARD_GRAVITY / (curvature - air + 0.001);
        assert_close(driven(&car, curvature, Some(crest)).speed_mps[3], squared.sqrt(), 1e-8);
        // Both axles brake: all of the downforce counts.
        let diagram = GgDiagram::new(&car).unwrap();
        assert_close(diagram.longitudinal_limit(900.0), STANDARD_GRAVITY + 0.002 * 900.0, 1e-12);
        assert_close(diagram.lateral_limit(900.0), STANDARD_GRAVITY + air * 900.0, 1e-12);
    }
}

#[test]
fn equal_fractions_are_the_vehicle_of_today() {
    let curvature: Vec<f64> = (0..400).map(|i| 0.02 * (f64::from(i) * 0.05).sin().powi(3)).collect();
    let (equal, none) = (winged(0.47, 0.47), Vehicle { front_downforce_fraction: None, ..winged(0.47, 0.47) });
    let steps = vec![2.0; curvature.len()];
    let [a, b] = [&equal, &none].map(|car| profile(&curvature, &steps, true, car).unwrap());
    assert_eq!(a, b);
    // Other fractions are slower, and the general tyres solve the same equations as the plain ones.
    let slower = profile(&curvature, &steps, true, &winged(0.47, 0.3)).unwrap();
    assert!(slower.lap_time_s > a.lap_time_s);
    let nearly = profile(&curvature, &steps, true, &winged(0.47, 0.47 - 1e-9)).unwrap();
    assert_close(nearly.lap_time_s, a.lap_time_s, 1e-8);
}

#[test]
fn a_table_has_the_axles_in_it_but_for_crests() {
    let table = |downforce: Option<f64>| Vehicle {
        lateral_limit_mps2: 0.0,
        longitudinal_limit_mps2: 0.0,
        ggv_table: vec![[0.0, 10.0, 10.0], [50.0, 15.0, 13.0]],
        downforce_kgpm: 0.0,
        table_downforce_kgpm: Some(2.0),
        front_downforce_fraction: downforce,
        ..winged(0.5, 0.5)
    };
    let [with, without] = [Some(0.3), None].map(table);
    assert_eq!(driven(&with, 0.01, None), driven(&without, 0.01, None));
    let crest = Ground { normal_curvature: -0.002, ..Ground::LEVEL };
    let [with, without] = [&with, &without].map(|car| driven(car, 0.01, Some(crest)).speed_mps[3]);
    assert!(with < without, "{with} {without}");
    // The load of the front axle: (g + (κ_n + 0.6 D / m) w) / (g + 0.6 D w / m) of the table.
    let w = with * with;
    let load = (STANDARD_GRAVITY + (-0.002 + 0.0012) * w) / (STANDARD_GRAVITY + 0.0012 * w);
    assert_close(0.01 * w, load * GgDiagram::new(&table(None)).unwrap().lateral_limit(w), 1e-8);
}
