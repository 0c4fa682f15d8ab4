//! Speed profiles against closed forms, then their order of convergence, then properties.

// Clippy exempts test functions but not the helpers beside them.
#![allow(clippy::unwrap_used)]

use std::f64::consts::{PI, TAU};

use proptest::prelude::*;
use raceline::speed::{Course, SPEED_FLOOR_MPS, SpeedError, SpeedProfile, SpeedSolver, Status, profile};
use raceline::vehicle::{DriveLimit, GgDiagram, STANDARD_GRAVITY, Vehicle, preset};

use crate::sample_lines::airless;

fn tum() -> Vehicle {
    preset("tum-racecar").unwrap()
}

/// The profile of a circle of radius `radius` cut into `points`.
fn circle(radius: f64, points: usize, vehicle: &Vehicle) -> SpeedProfile {
    let step = TAU * radius / points as f64;
    profile(&vec![1.0 / radius; points], &vec![step; points], true, vehicle).unwrap()
}

#[track_caller]
fn assert_close(value: f64, expected: f64, relative: f64) {
    let error = (value - expected).abs() / expected.abs();
    assert!(error <= relative, "{value} is not {expected}: relative error {error:.3e}");
}

#[test]
fn a_circle_is_driven_at_the_cornering_limit() {
    let result = circle(50.0, 200, &airless());
    assert_close(result.lap_time_s, TAU * 50.0 / (10.0f64 * 50.0).sqrt(), 1e-12);
    assert!(result.accel_mps2.iter().all(|a| a.abs() < 1e-9));
    assert_eq!(result.status, Status::Converged);
}

#[test]
fn a_circle_with_downforce_is_driven_at_its_closed_form_speed() {
    let vehicle = Vehicle { downforce_kgpm: 2.0, ..airless() };
    let growth = 2.0 / (1000.0 * STANDARD_GRAVITY);
    let squared = 10.0 / (1.0 / 50.0 - 10.0 * growth);
    assert_close(circle(50.0, 200, &vehicle).speed_mps[0], squared.sqrt(), 1e-12);
    // 1/600 lies below the curvature at which grip grows as fast as the need for it: only the
    // maximum speed is left.
    assert!(1.0 / 600.0 < 10.0 * growth);
    assert_eq!(circle(600.0, 200, &vehicle).speed_mps[7], 100.0);
}

#[test]
fn a_wide_circle_is_driven_at_the_maximum_speed() {
    let result = circle(2000.0, 500, &airless());
    assert_close(result.lap_time_s, TAU * 2000.0 / 100.0, 1e-12);
}

#[test]
fn a_wide_circle_is_driven_at_the_terminal_speed_where_drive_equals_drag() {
    // 4 m/s² · 1000 kg = 1.0 kg/m · v²
    let vehicle = Vehicle { drag_kgpm: 1.0, ..airless() };
    let result = circle(3000.0, 700, &vehicle);
    assert_close(result.lap_time_s, TAU * 3000.0 / 4000.0f64.sqrt(), 1e-9);
    assert_eq!(result.status, Status::Converged);
}

#[test]
fn a_circle_with_drag_is_driven_where_the_friction_ellipse_balances() {
    // Strong drive: the tyres alone must hold speed against drag while cornering,
    // (c w / (m A_x))² + (κ w / A_y)² = 1. No point touches the cornering limit.
    let vehicle = Vehicle { drag_kgpm: 1.5, drive: DriveLimit::TableMps2(vec![[0.0, 50.0]]), ..airless() };
    let radius = 400.0;
    let squared = (1.5f64 / (1000.0 * 8.0)).hypot(1.0 / (radius * 10.0)).recip();
    let result = circle(radius, 2000, &vehicle);
    assert_close(result.lap_time_s, TAU * radius / squared.sqrt(), 1e-6);
    assert_eq!(result.status, Status::Converged);
}

#[test]
fn the_terminal_speed_of_a_table_is_where_its_line_meets_the_drag() {
    // Between 60 m/s (2.7 m/s²) and 66 m/s (2.2 m/s²) TUM's drive falls by 1/12 per m/s; drag is v²
    // / 1600.
    let slope = -0.5 / 6.0;
    let intercept = 2.7 - slope * 60.0;
    let drag = 0.75 / 1200.0;
    let speed = (slope + f64::sqrt(slope * slope + 4.0 * drag * intercept)) / (2.0 * drag);
    assert!((60.0..66.0).contains(&speed));
    assert_close(GgDiagram::new(&tum()).unwrap().terminal_speed_squared().sqrt(), speed, 1e-12);
}

/// An open straight of `length` metres in `steps` equal steps from standstill.
fn straight(length: f64, steps: usize, vehicle: &Vehicle) -> SpeedProfile {
    profile(&vec![0.0; steps + 1], &vec![length / steps as f64; steps], false, vehicle).unwrap()
}

#[test]
fn a_straight_with_drag_is_driven_as_in_its_closed_form() {
    // dw/ds = 2 (a - w / l) with l = m / c has w = a l (1 - e^(-2s/l)).
    let vehicle = Vehicle { drag_kgpm: 1.0, ..airless() };
    let result = straight(1000.0, 1000, &vehicle);
    for (s, speed) in (0..=1000).zip(&result.speed_mps).skip(1) {
        let squared = 4.0 * 1000.0 * -f64::exp_m1(-2.0 * f64::from(s) / 1000.0);
        assert_close(speed * speed, squared, 1e-4);
    }
}

#[test]
fn a_straight_with_drag_converges_with_the_square_of_the_step() {
    let vehicle = Vehicle { drag_kgpm: 1.0, ..airless() };
    // The start is at the speed floor, not at 0.
    let start = SPEED_FLOOR_MPS * SPEED_FLOOR_MPS;
    let exact = 4000.0 + (start - 4000.0) * f64::exp(-2.0);
    let error = |steps: usize| (straight(1000.0, steps, &vehicle).speed_mps[steps].powi(2) - exact).abs();
    for steps in [20, 40, 80, 160] {
        let order = (error(steps) / error(2 * steps)).log2();
        assert!((1.9..2.1).contains(&order), "order {order} at {steps} steps");
    }
}

#[test]
fn power_over_speed_gives_its_closed_form() {
    // dw/ds = 2 P / (m v): v³ = v0³ + 3 P s / m.
    let drive = DriveLimit::PowerAndForce { power_w: 200e3, force_n: 1e6 };
    let vehicle = Vehicle { drive, longitudinal_limit_mps2: 100.0, ..airless() };
    let course = Course::Open { start_speed_mps: Some(20.0), end_speed_mps: None };
    let result = SpeedSolver::new(&vehicle, course).unwrap().profile(&[0.0; 401], &[1.0; 400], None).unwrap();
    assert_close(result.speed_mps[400], (8000.0 + 3.0 * 200.0 * 400.0f64).cbrt(), 1e-5);
}

/// Curvature and steps of a stadium: half circle, straight, half circle, straight; corners of the
/// speed profile at nodes.
fn stadium(radius: f64, straight: f64, steps_per_part: usize) -> (Vec<f64>, Vec<f64>) {
    let mut curvature = Vec::new();
    let mut steps = Vec::new();
    for _ in 0..2 {
        curvature.extend(vec![1.0 / radius; steps_per_part + 1]);
        curvature.extend(vec![0.0; steps_per_part - 1]);
        steps.extend(vec![PI * radius / steps_per_part as f64; steps_per_part]);
        steps.extend(vec![straight / steps_per_part as f64; steps_per_part]);
    }
    (curvature, steps)
}

#[test]
fn a_stadium_takes_its_closed_form_lap_time() {
    let (radius, length, drive, brake) = (50.0, 300.0, 4.0, 8.0);
    let corner = f64::sqrt(10.0 * radius);
    // The vehicle drives over the fraction b / (a + b) of the straight and brakes over the rest.
    let top = f64::sqrt(corner * corner + 2.0 * drive * length * brake / (drive + brake));
    let exact = 2.0 * (PI * radius / corner + (top - corner) / drive + (top - corner) / brake);
    let time = |steps| {
        let (curvature, step_lengths) = stadium(radius, length, steps);
        profile(&curvature, &step_lengths, true, &airless()).unwrap().lap_time_s
    };
    // Curvature jumps at the ends of the arcs, where the first order in the step remains; it can be
    // extrapolated away.
    let (coarse, fine) = (time(600), time(1200));
    assert_close(fine, exact, 1e-3);
    assert!((fine - exact).abs() < 0.6 * (coarse - exact).abs());
    assert_close(2.0 * fine - coarse, exact, 3e-6);
}

/// A clothoid whose curvature rises from 0 to 1/60 over 120 m, driven in at `entry` m/s.
fn clothoid(steps: usize, reversed: bool, entry: f64, vehicle: &Vehicle) -> SpeedProfile {
    let mut curvature: Vec<f64> = (0..=steps).map(|i| i as f64 / steps as f64 / 60.0).collect();
    if reversed {
        curvature.reverse();
    }
    let course = Course::Open { start_speed_mps: Some(entry), end_speed_mps: None };
    SpeedSolver::new(vehicle, course).unwrap().profile(&curvature, &vec![120.0 / steps as f64; steps], None).unwrap()
}

#[test]
fn driving_and_braking_on_the_ellipse_converge_with_the_square_of_the_step() {
    // Drive without bound, so that the tyres rule; on the exit about half of the grip is spent
    // on cornering.
    let drive = DriveLimit::TableMps2(vec![[0.0, 90.0]]);
    let vehicle = Vehicle { drag_kgpm: 1.0, longitudinal_limit_mps2: 3.0, drive, ..airless() };
    let out = |steps| clothoid(steps, true, 15.0, &vehicle).speed_mps[steps / 2];
    let reference = out(20480);
    for steps in [40, 80, 160] {
        let order = ((out(steps) - reference) / (out(2 * steps) - reference)).abs().log2();
        assert!((1.7..2.4).contains(&order), "driving: order {order} at {steps} steps");
    }
    // In a bend that tightens, braking ends with the whole grip spent on cornering, where the
    // ellipse's slope is infinite: the order is lower there but better than one.
    let into = |steps| clothoid(steps, false, 90.0, &vehicle).speed_mps[steps / 4];
    let reference = into(20480);
    for steps in [40, 80, 160] {
        let order = ((into(steps) - reference) / (into(2 * steps) - reference)).abs().log2();
        assert!(order > 1.2, "braking: order {order} at {steps} steps");
    }
}

/// The profile of a straight of `length` metres from a given or free speed to another.
fn straight_between(
    length: f64,
    steps: usize,
    start: Option<f64>,
    end: Option<f64>,
    vehicle: &Vehicle,
) -> SpeedProfile {
    let course = Course::Open { start_speed_mps: start, end_speed_mps: end };
    let step = length / steps as f64;
    SpeedSolver::new(vehicle, course).unwrap().profile(&vec![0.0; steps + 1], &vec![step; steps], None).unwrap()
}

#[test]
fn a_straight_from_rest_to_a_stop_takes_its_closed_form_time() {
    // 4 m/s² up to 300 · 8/12 = 200 m, v = 40 m/s, then 8 m/s² down: 10 s and 5 s.
    let result = straight_between(300.0, 300, Some(0.0), Some(0.0), &airless());
    assert_close(result.lap_time_s, 15.0, 1e-3);
    assert_close(result.speed_mps[200], 40.0, 1e-6);
    assert_eq!((result.speed_mps[0], result.speed_mps[300]), (SPEED_FLOOR_MPS, SPEED_FLOOR_MPS));
    // From 10 to 20 m/s: 100 + 8 x = 400 + 16 (300 - x) at x = 212.5, v² = 1800.
    let result = straight_between(300.0, 600, Some(10.0), Some(20.0), &airless());
    let top = 1800.0f64.sqrt();
    assert_close(result.speed_mps[425], top, 1e-9);
    assert_close(result.lap_time_s, (top - 10.0) / 4.0 + (top - 20.0) / 8.0, 1e-9);
    // What is free takes what it can get.
    let result = straight_between(300.0, 300, None, None, &airless());
    assert_close(result.lap_time_s, 3.0, 1e-12);
    let result = straight_between(100.0, 100, None, Some(50.0), &airless());
    assert_close(result.speed_mps[0], f64::sqrt(2500.0 + 1600.0), 1e-9);
    // A start that is too fast to brake from is slowed, and an end that can't be reached isn't.
    let result = straight_between(100.0, 100, Some(90.0), Some(0.0), &airless());
    assert_close(result.speed_mps[0], 40.0, 1e-6);
    let result = straight_between(50.0, 50, Some(0.0), Some(90.0), &airless());
    assert_close(result.speed_mps[50], 20.0, 1e-6);
}

#[test]
fn rolling_resistance_takes_its_closed_form_fraction() {
    let lost = 0.05 * STANDARD_GRAVITY;
    let vehicle = Vehicle { rolling_resistance: 0.05, ..airless() };
    let result = straight_between(400.0, 400, Some(0.0), Some(0.0), &vehicle);
    // Drives with 4 less and brakes with 8 more.
    let top = f64::sqrt(2.0 * 400.0 * (4.0 - lost) * (8.0 + lost) / 12.0);
    assert_close(result.lap_time_s, top / (4.0 - lost) + top / (8.0 + lost), 1e-3);
    // With drag the end of a lap that repeats itself is where both together are the drive.
    let vehicle = Vehicle { drag_kgpm: 1.0, ..vehicle };
    let result = circle(3000.0, 700, &vehicle);
    assert_close(result.lap_time_s, TAU * 3000.0 / f64::sqrt((4.0 - lost) * 1000.0), 1e-9);
}

#[test]
fn limits_that_rise_with_speed_give_their_closed_form() {
    // a = 3 + v/10: s = v / b - a0 / b² ln(1 + b v / a0), with b = 0.1. Below 10 m/s the table is
    // rounded, so from there.
    let table = vec![[0.0, 3.0], [80.0, 11.0]];
    let distance = |v: f64| v / 0.1 - 3.0 / 0.01 * (1.0 + 0.1 * v / 3.0).ln();
    let length = distance(60.0) - distance(12.0);
    let by_drive = Vehicle {
        drive: DriveLimit::TableMps2(table.clone()),
        longitudinal_limit_mps2: 50.0,
        max_speed_mps: 200.0,
        ..airless()
    };
    let by_tyres = Vehicle {
        lateral_limit_mps2: 0.0,
        longitudinal_limit_mps2: 0.0,
        ggv_table: table.iter().map(|&[v, a]| [v, a, 10.0]).collect(),
        drive: DriveLimit::TableMps2(vec![[0.0, 90.0]]),
        ..by_drive.clone()
    };
    for vehicle in [&by_drive, &by_tyres] {
        let end = |steps| straight_between(length, steps, Some(12.0), None, vehicle).speed_mps[steps];
        assert_close(end(2000), 60.0, 1e-7);
        let order = ((end(100) - 60.0) / (end(200) - 60.0)).log2();
        assert!((1.9..2.1).contains(&order), "order {order}");
    }
    // Braking from 60 to 12 m/s is the same backwards.
    let start = straight_between(length, 2000, None, Some(12.0), &by_tyres).speed_mps[0];
    assert_close(start, 60.0, 1e-7);
}

/// A smooth closed line of even steps: 1200 m with bends of either sign and straights between.
fn smooth(points: usize) -> (Vec<f64>, Vec<f64>) {
    let phase = |i: usize| TAU * i as f64 / points as f64;
    let curvature = (0..points).map(|i| 0.03 * (2.0 * phase(i)).sin().powi(5) + 0.012 * phase(i).cos().powi(3) + 0.003);
    (curvature.collect(), vec![1200.0 / points as f64; points])
}

#[test]
fn lap_times_converge_with_the_square_of_the_step_to_those_of_a_grid_ten_times_finer() {
    let tabled = Vehicle {
        lateral_limit_mps2: 0.0,
        longitudinal_limit_mps2: 0.0,
        ggv_table: vec![[0.0, 11.0, 12.0], [30.0, 12.0, 15.0], [60.0, 15.0, 20.0]],
        ..tum()
    };
    for vehicle in [tum(), preset("gt").unwrap(), tabled] {
        let time = |points: usize| {
            let (curvature, steps) = smooth(points);
            profile(&curvature, &steps, true, &vehicle).unwrap().lap_time_s
        };
        // Steps of 4, 2 and 1 m against 0.1 m. Where driving meets braking and where the limit is
        // left falls anywhere in a step, so single errors scatter about the square.
        let fine = time(12_000);
        let errors = [300, 600, 1200].map(|points| (time(points) / fine - 1.0).abs());
        assert!(errors[0] < 2e-3 && errors[1] < 6e-4 && errors[2] < 1.5e-4, "{}: {errors:?}", vehicle.name);
        let order = (errors[0] / errors[2]).log2() / 2.0;
        assert!(order > 1.5, "{}: order {order}, {errors:?}", vehicle.name);
    }
}

#[test]
fn even_grip_is_a_factor_on_both_tyre_limits() {
    let (curvature, steps) = wavy(500);
    for name in ["tum-racecar", "gt"] {
        let car = preset(name).unwrap();
        for exponent in [2.0, 1.4] {
            let car = Vehicle { ellipse_exponent: exponent, ..car.clone() };
            let slippery = Vehicle {
                lateral_limit_mps2: 0.6 * car.lateral_limit_mps2,
                longitudinal_limit_mps2: 0.6 * car.longitudinal_limit_mps2,
                ..car.clone()
            };
            let expected = profile(&curvature, &steps, true, &slippery).unwrap();
            let mut solver = SpeedSolver::new(&car, Course::Closed).unwrap();
            let got = solver.profile(&curvature, &steps, Some(&[0.6; 500])).unwrap();
            for (a, b) in got.speed_mps.iter().zip(&expected.speed_mps) {
                assert_close(*a, *b, 1e-9);
            }
            assert_eq!(solver.lap_time(&curvature, &steps, Some(&[0.6; 500])), got.lap_time_s);
            // A grip of 1 changes no bit.
            assert_eq!(
                solver.profile(&curvature, &steps, Some(&[1.0; 500])).unwrap(),
                profile(&curvature, &steps, true, &car).unwrap()
            );
        }
    }
}

#[test]
fn a_wet_stretch_costs_time_where_it_is_and_where_it_is_braked_for() {
    // A circle at its limit: in the wet 0.25 of the grip is half of the speed.
    let (points, radius) = (400, 100.0);
    let (curvature, step) = (vec![1.0 / radius; points], TAU * radius / points as f64);
    let mut grip = vec![1.0; points];
    grip[100..200].fill(0.25);
    let mut solver = SpeedSolver::new(&airless(), Course::Closed).unwrap();
    let result = solver.profile(&curvature, &vec![step; points], Some(&grip)).unwrap();
    let dry = f64::sqrt(10.0 * radius);
    for i in 100..200 {
        assert_close(result.speed_mps[i], dry / 2.0, 1e-9);
    }
    assert!(result.speed_mps[99] > dry / 2.0 && result.speed_mps[200] > dry / 2.0);
    // Long before it and long after it nothing has changed.
    assert_close(result.speed_mps[40], dry, 1e-9);
    assert_close(result.speed_mps[300], dry, 1e-9);
}

#[test]
fn a_table_with_a_kink_agrees_with_the_constants_beside_it() {
    // A table that hardly differs from constants takes the general code of the passes,
    // constants the special one.
    let (curvature, steps) = wavy(600);
    let tabled = Vehicle {
        lateral_limit_mps2: 0.0,
        longitudinal_limit_mps2: 0.0,
        ggv_table: vec![[0.0, 12.0, 12.0], [30.0, 12.0 + 1e-9, 12.0 + 1e-9], [60.0, 12.0, 12.0]],
        ..tum()
    };
    let (general, special) =
        (profile(&curvature, &steps, true, &tabled).unwrap(), profile(&curvature, &steps, true, &tum()).unwrap());
    for (a, b) in general.speed_mps.iter().zip(&special.speed_mps) {
        assert_close(*a, *b, 1e-8);
    }
    // Limits that fall by half within 0.1 m/s are still solved: every speed is carried.
    let cliff = Vehicle { ggv_table: vec![[25.0, 12.0, 12.0], [25.1, 6.0, 6.0]], ..tabled };
    let result = profile(&curvature, &steps, true, &cliff).unwrap();
    let diagram = GgDiagram::new(&cliff).unwrap();
    for (v, kappa) in result.speed_mps.iter().zip(&curvature) {
        assert!(kappa.abs() * v * v <= diagram.lateral_limit(v * v) * (1.0 + 1e-9), "{v} at {kappa}");
    }
}

#[test]
fn a_diamond_leaves_less_than_an_ellipse() {
    for (exponent, fraction) in [(1.0, 0.4), (2.0, 0.8), (4.0, (1.0 - 0.6f64.powi(4)).powf(0.25))] {
        let vehicle = Vehicle { ellipse_exponent: exponent, ..airless() };
        let diagram = GgDiagram::new(&vehicle).unwrap();
        // 20² / 66.7 m = 6 m/s² of 10 is cornering.
        assert_close(diagram.tyre_acceleration(400.0, 6.0 / 400.0), 8.0 * fraction, 1e-12);
    }
    // The special cases agree with the general formula next to them.
    let time = |exponent| {
        let (curvature, steps) = wavy(300);
        profile(&curvature, &steps, true, &Vehicle { ellipse_exponent: exponent, ..tum() }).unwrap().lap_time_s
    };
    assert_close(time(1.0), time(1.0 + 1e-7), 1e-6);
    assert_close(time(2.0), time(2.0 + 1e-7), 1e-6);
    assert!(time(1.0) > time(1.5) && time(1.5) > time(2.0));
}

/// A smooth closed line of uneven steps with bends of either sign.
fn wavy(points: usize) -> (Vec<f64>, Vec<f64>) {
    let phase = |i: usize| TAU * i as f64 / points as f64;
    let curvature = (0..points).map(|i| 0.03 * (3.0 * phase(i)).sin().powi(3) + 0.006 * (7.0 * phase(i)).cos() + 0.004);
    let steps = (0..points).map(|i| 2.0 + (5.0 * phase(i)).sin());
    (curvature.collect(), steps.collect())
}

#[test]
fn a_closed_profile_does_not_depend_on_where_the_line_begins() {
    let no_corner = |points: usize| (vec![0.0004; points], (0..points).map(|i| 1.0 + (i % 3) as f64).collect());
    let cases = [
        ("wavy", wavy(600), 1e-9),
        ("no corner", no_corner(100), 1e-9),
        // Two equal arcs on which the drag is balanced on the steep end of the ellipse.
        ("stadium", stadium(80.0, 200.0, 100), 1e-9),
    ];
    for (name, (curvature, steps), tolerance) in cases {
        for vehicle in ["tum-racecar", "gt"].map(|name| preset(name).unwrap()) {
            let base = profile(&curvature, &steps, true, &vehicle).unwrap();
            assert_eq!(base.status, Status::Converged, "{name}");
            for shift in [1, curvature.len() / 3, curvature.len() / 2, curvature.len() - 1] {
                let (mut curvature, mut steps) = (curvature.clone(), steps.clone());
                curvature.rotate_left(shift);
                steps.rotate_left(shift);
                let mut turned = profile(&curvature, &steps, true, &vehicle).unwrap();
                turned.speed_mps.rotate_right(shift);
                for (i, (a, b)) in base.speed_mps.iter().zip(&turned.speed_mps).enumerate() {
                    let difference = (a - b).abs() / a;
                    assert!(difference <= tolerance, "{name}, {}, shift {shift}, point {i}: {a} {b}", vehicle.name);
                }
            }
        }
    }
}

#[test]
fn a_line_driven_backwards_without_air_swaps_driving_and_braking() {
    // As much drive as brakes and no drag: the profile of the reversed line is the reversed
    // profile.
    let vehicle = Vehicle { drive: DriveLimit::TableMps2(vec![[0.0, 500.0]]), ..airless() };
    let (mut curvature, mut steps) = wavy(400);
    let forwards = profile(&curvature, &steps, true, &vehicle).unwrap();
    curvature.reverse();
    steps.reverse();
    // Step i leads from point i to the next; in the reversed line, from the point before.
    steps.rotate_left(1);
    let mut backwards = profile(&curvature, &steps, true, &vehicle).unwrap();
    backwards.speed_mps.reverse();
    for (a, b) in forwards.speed_mps.iter().zip(&backwards.speed_mps) {
        assert_close(*a, *b, 1e-9);
    }
}

#[test]
fn times_and_accelerations_fit_speeds_and_steps() {
    let (curvature, steps) = wavy(500);
    let result = profile(&curvature, &steps, true, &tum()).unwrap();
    let n = curvature.len();
    assert_eq!((result.speed_mps.len(), result.accel_mps2.len(), result.time_s.len()), (n, n, n));
    assert_eq!(result.time_s[0], 0.0);
    for (i, &step) in steps.iter().enumerate() {
        let (v, next) = (result.speed_mps[i], result.speed_mps[(i + 1) % n]);
        let later = if i + 1 < n { result.time_s[i + 1] } else { result.lap_time_s };
        assert_close(later - result.time_s[i], 2.0 * step / (v + next), 1e-9);
        assert!((v * v + 2.0 * result.accel_mps2[i] * step - next * next).abs() < 1e-9 * v * v);
    }
    let open = profile(&curvature, &steps[..n - 1], false, &tum()).unwrap();
    assert_eq!((open.accel_mps2.len(), open.time_s.len()), (n, n));
    assert_eq!(open.time_s[n - 1], open.lap_time_s);
    assert_eq!(open.speed_mps[0], SPEED_FLOOR_MPS);
}

#[test]
fn the_hot_loop_gives_the_same_time() {
    let (curvature, steps) = wavy(500);
    for course in [Course::Closed, Course::Open { start_speed_mps: Some(12.0), end_speed_mps: None }] {
        let mut solver = SpeedSolver::new(&tum(), course).unwrap();
        let steps = if course == Course::Closed { &steps[..] } else { &steps[..499] };
        let expected = solver.profile(&curvature, steps, None).unwrap().lap_time_s;
        // A workspace that has seen another line gives the same bits.
        solver.lap_time(&[0.01; 30], &vec![1.0; if course == Course::Closed { 30 } else { 29 }], None);
        assert_eq!(solver.lap_time(&curvature, steps, None), expected);
    }
}

#[test]
fn a_spike_of_curvature_slows_to_the_floor_and_no_lower() {
    let (mut curvature, steps) = wavy(200);
    curvature[20] = 1e12;
    let result = profile(&curvature, &steps, true, &tum()).unwrap();
    assert_eq!(result.speed_mps[20], SPEED_FLOOR_MPS);
    assert!(result.speed_mps.iter().all(|v| *v >= SPEED_FLOOR_MPS));
    assert!(result.lap_time_s.is_finite());
}

#[test]
fn input_that_does_not_fit_is_an_error_and_takes_for_ever() {
    let vehicle = tum();
    let mut solver = SpeedSolver::new(&vehicle, Course::Closed).unwrap();
    type Case = (&'static str, Vec<f64>, Vec<f64>, fn(&SpeedError) -> bool);
    let cases: [Case; 6] = [
        ("one point", vec![0.0], vec![1.0], |e| matches!(e, SpeedError::TooFewPoints { points: 1 })),
        ("a step too few", vec![0.0; 4], vec![1.0; 3], |e| matches!(e, SpeedError::StepCount { expected: 4, .. })),
        ("no step", vec![0.0; 3], vec![1.0, 0.0, 1.0], |e| matches!(e, SpeedError::Step { index: 1, .. })),
        ("a NaN step", vec![0.0; 3], vec![1.0, 1.0, f64::NAN], |e| matches!(e, SpeedError::Step { index: 2, .. })),
        ("NaN", vec![0.0, f64::NAN, 0.0], vec![1.0; 3], |e| matches!(e, SpeedError::Curvature { index: 1, .. })),
        ("infinite", vec![0.0, 0.0, f64::INFINITY], vec![1.0; 3], |e| {
            matches!(e, SpeedError::Curvature { index: 2, .. })
        }),
    ];
    for (name, curvature, steps, expected) in cases {
        let error = profile(&curvature, &steps, true, &vehicle).unwrap_err();
        assert!(expected(&error), "{name}: {error}");
        assert_eq!(solver.lap_time(&curvature, &steps, None), f64::INFINITY, "{name}");
    }
    for (name, grip, message) in [
        ("too few", vec![1.0; 2], "number of grip factors is 2, but a line of 3 points requires 3"),
        ("zero", vec![1.0, 0.0, 1.0], "grip factor at point 1 is 0"),
        ("NaN", vec![1.0, 1.0, f64::NAN], "grip factor at point 2 is NaN"),
    ] {
        let error = solver.profile(&[0.0; 3], &[1.0; 3], Some(&grip)).unwrap_err().to_string();
        assert!(error.contains(message), "{name}: {error}");
        assert_eq!(solver.lap_time(&[0.0; 3], &[1.0; 3], Some(&grip)), f64::INFINITY, "{name}");
    }
    let bad = Vehicle { mass_kg: -1.0, ..tum() };
    assert!(matches!(profile(&[0.0; 3], &[1.0; 3], true, &bad), Err(SpeedError::Vehicle(_))));
    for value in [-1.0, f64::NAN, f64::INFINITY] {
        let error =
            SpeedSolver::new(&vehicle, Course::Open { start_speed_mps: Some(value), end_speed_mps: None }).unwrap_err();
        assert!(matches!(error, SpeedError::EndSpeed { place: "start", .. }), "{error}");
        let course = Course::Open { start_speed_mps: None, end_speed_mps: Some(value) };
        let error = SpeedSolver::new(&vehicle, course).unwrap_err();
        assert!(error.to_string().starts_with("the end speed is"), "{error}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// No step asks for more than the vehicle has, up to the error of the step itself.
    #[test]
    fn no_step_asks_for_more_than_the_vehicle_has(
        amplitudes in prop::collection::vec(-0.02..0.02f64, 6),
        exponent in 1.0..3.0f64,
        drag in 0.0..2.0f64,
        downforce in 0.0..2.0f64,
        closed: bool,
    ) {
        let points = 800;
        let curvature: Vec<f64> = (0..points)
            .map(|i| {
                let phase = TAU * f64::from(i) / f64::from(points);
                amplitudes.iter().zip(1..).map(|(a, k)| a * (f64::from(k) * phase).sin()).sum()
            })
            .collect();
        let steps = vec![0.5; if closed { 800 } else { 799 }];
        let vehicle =
            Vehicle { ellipse_exponent: exponent, drag_kgpm: drag, downforce_kgpm: downforce, ..tum() };
        let diagram = GgDiagram::new(&vehicle).unwrap();
        let result = profile(&curvature, &steps, closed, &vehicle).unwrap();
        prop_assert_eq!(result.status, Status::Converged);
        for i in 0..steps.len() {
            let next = (i + 1) % 800;
            let (here, there) = (result.speed_mps[i].powi(2), result.speed_mps[next].powi(2));
            prop_assert!(here <= diagram.cornering_speed_squared(curvature[i].abs()) * (1.0 + 1e-12));
            // The mean over the ends of the step, of which each w is known to 1e-5: where cornering
            // takes all of the grip that little makes much of a difference.
            let mean = |limit: &dyn Fn(f64, f64) -> f64| {
                let end = |w: f64, i: usize| limit(w, curvature[i].abs()).max(limit(w * (1.0 - 1e-5), curvature[i].abs()));
                (end(here, i) + end(there, next)) / 2.0
            };
            let driving = mean(&|w, kappa| diagram.acceleration(w, kappa));
            let braking = mean(&|w, kappa| diagram.deceleration(w, kappa));
            // The step is solved to better than 1e-5 of w; the acceleration is the change of w over
            // twice the step.
            let tolerance = 1e-5 * here.max(there);
            let acceleration = result.accel_mps2[i];
            prop_assert!(acceleration <= driving + tolerance, "driving at {i}: {acceleration} of {driving}");
            prop_assert!(-acceleration <= braking + tolerance, "braking at {i}: {acceleration} of {braking}");
        }
    }

    /// More grip, more drive or less drag never costs time.
    #[test]
    fn a_better_vehicle_is_never_slower(factor in 1.0..1.5f64, points in 50usize..400) {
        let (curvature, steps) = wavy(points);
        let time = |vehicle: Vehicle| profile(&curvature, &steps, true, &vehicle).unwrap().lap_time_s;
        let base = tum();
        let reference = time(base.clone()) * (1.0 + 1e-9);
        let more_lateral = time(Vehicle { lateral_limit_mps2: 12.0 * factor, ..base.clone() });
        let more_longitudinal = time(Vehicle { longitudinal_limit_mps2: 12.0 * factor, ..base.clone() });
        let less_drag = time(Vehicle { drag_kgpm: 0.75 / factor, ..base });
        prop_assert!(more_lateral <= reference);
        prop_assert!(more_longitudinal <= reference);
        prop_assert!(less_drag <= reference);
    }
}
