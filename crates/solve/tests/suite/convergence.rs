//! The order in which errors of times fall with the distance between points, against closed forms
//! and finer results. `docs/notes/numbers.md` has the table.

use std::f64::consts::{PI, TAU};

use raceline_car::{DriveLimit, Vehicle, preset};
use raceline_road::edges::RoadShape;
use raceline_road::geometry::Point;
use raceline_road::track::{Track, TrackOptions};
use raceline_solve::speed::{Course, DrivenLine, SpeedSolver};
use raceline_solve::time_optimal::{Status, Task, time_optimal};
use raceline_solve::{Corridor, EdgeDistance};

/// A point mass with the limit `limit` in all directions and a drive that never limits.
fn point_mass(limit: f64) -> Vehicle {
    Vehicle {
        lateral_limit_mps2: limit,
        longitudinal_limit_mps2: limit,
        drag_kgpm: 0.0,
        drive: DriveLimit::TableMps2(vec![[0.0, 1000.0]]),
        max_speed_mps: 150.0,
        mass_kg: 1000.0,
        ..preset("tum-racecar").unwrap()
    }
}

/// Orders between successive halvings of the steps.
fn orders<const N: usize>(name: &str, errors: [f64; N]) -> Vec<f64> {
    let orders: Vec<f64> = errors.windows(2).map(|pair| (pair[0] / pair[1]).log2()).collect();
    println!("{name}: errors {errors:?}, orders {orders:.2?}");
    orders
}

#[track_caller]
fn assert_order(name: &str, orders: &[f64], expected: f64, tolerance: f64) {
    assert!(orders.iter().all(|order| (order - expected).abs() <= tolerance), "{name}: {orders:?}");
}

/// Time of an open straight of `length_m` in `count` steps, s.
fn straight_s(vehicle: &Vehicle, course: Course, length_m: f64, count: usize) -> f64 {
    let mut solver = SpeedSolver::new(vehicle, course).unwrap();
    solver.lap_time(&vec![0.0; count + 1], &vec![length_m / count as f64; count], None)
}

#[test]
fn time_with_constant_acceleration_is_exact() {
    let vehicle = Vehicle { drive: DriveLimit::TableMps2(vec![[0.0, 5.0]]), ..point_mass(20.0) };
    let course = Course::Open { start_speed_mps: Some(10.0), end_speed_mps: None };
    // 10 t + ½ 5 t² = 240: t = 8 s.
    for count in [1, 3, 40] {
        let time = straight_s(&vehicle, course, 240.0, count);
        assert!((time - 8.0).abs() < 1e-12, "{count}: {time}");
    }
}

#[test]
fn time_at_constant_power_converges_with_second_order() {
    let (power, start) = (100e3, 20.0_f64);
    let drive = DriveLimit::PowerAndForce { power_w: power, force_n: 50e3 };
    let vehicle = Vehicle { drive, ..point_mass(100.0) };
    let course = Course::Open { start_speed_mps: Some(start), end_speed_mps: None };
    // v³ = v₀³ + 3 P s / m, and P t = m (v² - v₀²) / 2.
    let end = (start.powi(3) + 3.0 * power / 1000.0 * 400.0).cbrt();
    let exact = 0.5 * 1000.0 * (end * end - start * start) / power;
    let errors = [8, 16, 32, 64].map(|count| (straight_s(&vehicle, course, 400.0, count) - exact).abs());
    assert_order("power", &orders("power", errors), 2.0, 0.25);
    assert!(errors[3] < 1e-4 * exact);
}

#[test]
fn time_of_braking_against_drag_converges_with_second_order() {
    let (limit, drag) = (8.0_f64, 2.0);
    let vehicle = Vehicle { drag_kgpm: drag, ..point_mass(limit) };
    let course = Course::Open { start_speed_mps: None, end_speed_mps: Some(10.0) };
    // dv/dt = -(A + k v²), k = c_d / m, from the highest speed from which 10 m/s are reached.
    let k = drag / 1000.0;
    let length: f64 = 150.0;
    let squared = (limit + 100.0 * k) / k * (2.0 * k * length).exp() - limit / k;
    let angle = |v: f64| (v * (k / limit).sqrt()).atan();
    let exact = (angle(squared.sqrt()) - angle(10.0)) / (k * limit).sqrt();
    let errors = [8, 16, 32, 64].map(|count| (straight_s(&vehicle, course, length, count) - exact).abs());
    assert_order("drag", &orders("drag", errors), 2.0, 0.1);
    assert!(errors[3] < 1e-4 * exact);
}

/// A lap of `count` equal steps whose curvature at the place 0 to 1 is `curvature`, s.
fn lap_s(vehicle: &Vehicle, length_m: f64, count: usize, curvature: impl Fn(f64) -> f64) -> f64 {
    let curvature: Vec<f64> = (0..count).map(|i| curvature(i as f64 / count as f64)).collect();
    let mut solver = SpeedSolver::new(vehicle, Course::Closed).unwrap();
    solver.lap_time(&curvature, &vec![length_m / count as f64; count], None)
}

#[test]
fn lap_time_of_a_stadium_converges_with_second_order_although_its_curvature_jumps() {
    let (vehicle, radius) = (point_mass(10.0), 40.0);
    let (bend, corner) = (PI * radius, (10.0 * radius).sqrt());
    let length = 2.0 * bend + 2.0 * bend;
    // Each straight, as long as a bend: half of it faster, half of it slower, at the limit.
    let fastest = (corner * corner + 10.0 * bend).sqrt();
    let exact = 2.0 * bend / corner + 4.0 * (fastest - corner) / 10.0;
    let bent = |place: f64| if (place * 2.0).fract() < 0.5 { 1.0 / radius } else { 0.0 };
    let errors = [64, 128, 256, 512].map(|count| (lap_s(&vehicle, length, count, bent) - exact).abs());
    // The first step of a straight has half of its acceleration, but begins half a step earlier.
    assert_order("stadium", &orders("stadium", errors), 2.0, 0.15);
}

#[test]
fn lap_time_on_smooth_curvature_converges_with_second_order() {
    for (name, vehicle) in [("point mass", point_mass(10.0)), ("gt", preset("gt").unwrap())] {
        let length = 900.0;
        let smooth = |place: f64| TAU / length * (1.0 + 1.6 * (2.0 * TAU * place).cos());
        let finest = lap_s(&vehicle, length, 24_000, smooth);
        let errors = [75, 150, 300, 600].map(|count| (lap_s(&vehicle, length, count, smooth) - finest).abs());
        let found = orders(name, errors);
        let mean = found.iter().sum::<f64>() / found.len() as f64;
        // Where braking begins lies anywhere in a step: single orders scatter.
        assert!((mean - 2.0).abs() < 0.35, "{name}: {found:?}");
    }
}

#[test]
fn lap_time_through_points_of_a_ring_converges_with_second_order() {
    let (vehicle, radius) = (point_mass(10.0), 50.0);
    let exact = TAU * (radius / 10.0_f64).sqrt();
    let errors = [16, 32, 64].map(|count| {
        let angle = |i: usize| TAU * i as f64 / count as f64;
        let points: Vec<Point> =
            (0..count).map(|i| Point::new(radius * angle(i).cos(), radius * angle(i).sin())).collect();
        (DrivenLine::through(&points, true, &vehicle).unwrap().lap_time_s() - exact).abs()
    });
    assert_order("ring through points", &orders("ring through points", errors), 2.0, 0.25);
}

/// Lap time of the time-optimal line of a road, s, whose cross-sections are `spacing_m` apart; the
/// line's time is that of its own points.
fn optimum_s(vehicle: &Vehicle, radius: impl Fn(f64) -> f64, spacing_m: f64) -> (f64, f64) {
    let middle: Vec<[f64; 2]> = (0..720)
        .map(|i| TAU * f64::from(i) / 720.0)
        .map(|angle| [radius(angle) * angle.cos(), radius(angle) * angle.sin()])
        .collect();
    let options = TrackOptions { spacing_m: Some(spacing_m), ..TrackOptions::default() };
    let track = Track::from_centre_line(&middle, &[[4.0, 4.0]; 720], RoadShape::Closed, &options).unwrap();
    let edges = EdgeDistance::new(&track);
    let corridor = Corridor::new(&track, &edges, 1.5).unwrap();
    let task = Task { corridor: &corridor, edges: &edges, margin_m: 1.5, spacing_m, lap: vehicle.into() };
    let line = time_optimal(task, &corridor.middle()).unwrap();
    assert_eq!(line.status, Status::Converged);
    (DrivenLine::through(&line.points, true, vehicle).unwrap().lap_time_s(), line.objective_s)
}

#[test]
fn the_time_optimal_lap_of_a_ring_is_that_of_the_inner_circle_at_every_spacing() {
    let vehicle = point_mass(10.0);
    // The inner circle with its margin has a radius of 50 - 4 + 1.5 m.
    let exact = TAU * (47.5_f64 / 10.0).sqrt();
    for spacing_m in [8.0, 4.0, 2.0] {
        let (driven, objective) = optimum_s(&vehicle, |_| 50.0, spacing_m);
        println!("ring {spacing_m}: {driven} {objective} {exact}");
        assert!((driven / exact - 1.0).abs() < 3e-4, "{spacing_m}: {driven} {exact}");
    }
}

/// The stations are as close as the bends need, whatever the spacing, so there is no order: the
/// error is below that of the stations from the first spacing on.
#[test]
fn the_time_optimal_lap_does_not_depend_on_the_spacing_of_the_cross_sections() {
    let vehicle = point_mass(10.0);
    let wavy = |angle: f64| 55.0 + 6.0 * (3.0 * angle).cos();
    let times = [8.0, 4.0, 2.0, 1.0].map(|spacing| optimum_s(&vehicle, wavy, spacing).0);
    println!("time-optimal: {times:?}");
    let fastest = times.into_iter().fold(f64::INFINITY, f64::min);
    assert!(times.iter().all(|time| time / fastest - 1.0 < 1e-4), "{times:?}");
}
