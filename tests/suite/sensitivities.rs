//! What the vehicle's numbers do to a lap: closed forms, identities that any lap obeys, convergence
//! in the step.

// Clippy exempts test functions but not the helpers beside them.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::f64::consts::TAU;

use raceline::geometry::Point;
use raceline::speed::{
    Course, DrivenLine, Effect, FixedLine, RELATIVE_STEP, Sensitivity, SpeedError, TurningCost, derivative, profile,
    sensitivities,
};
use raceline::vehicle::{DriveLimit, STANDARD_GRAVITY, Vehicle, VehicleError, preset};

use crate::sample_lines::{self, airless};

/// A line as its curvature, its steps, and whether it is closed.
struct Line {
    curvature: Vec<f64>,
    steps: Vec<f64>,
    closed: bool,
}

impl Line {
    fn circle(radius: f64) -> Self {
        let points = 240;
        Self { curvature: vec![1.0 / radius; points], steps: vec![TAU * radius / points as f64; points], closed: true }
    }

    fn straight(length: f64, steps: usize) -> Self {
        Self { curvature: vec![0.0; steps + 1], steps: vec![length / steps as f64; steps], closed: false }
    }

    /// A circuit with bends of many radii.
    fn winding() -> Self {
        let points: Vec<Point> = sample_lines::winding().points.iter().map(|p| Point::new(p.x_m, p.y_m)).collect();
        let driven = DrivenLine::through(&points, true, &airless()).unwrap();
        let line = driven.fixed();
        Self { steps: line.step_lengths.to_vec(), curvature: line.curvature.to_vec(), closed: true }
    }

    fn fixed(&self) -> FixedLine<'_> {
        let course = if self.closed { Course::Closed } else { Course::FROM_STANDSTILL };
        FixedLine {
            curvature: &self.curvature,
            step_lengths: &self.steps,
            course,
            grip: None,
            turning: TurningCost::Free,
            grounds: None,
            caps: None,
        }
    }

    fn lap(&self, vehicle: &Vehicle) -> f64 {
        profile(&self.curvature, &self.steps, self.closed, vehicle).unwrap().lap_time_s
    }

    fn derivative(&self, vehicle: &Vehicle, key: &str, relative_step: f64) -> f64 {
        derivative(self.fixed(), vehicle, key, relative_step).unwrap()
    }

    fn sensitivities(&self, vehicle: &Vehicle) -> Vec<Sensitivity> {
        sensitivities(self.fixed(), vehicle).unwrap()
    }
}

/// d(lap) / d(`key`) of a list.
#[track_caller]
fn per_unit(all: &[Sensitivity], key: &str) -> f64 {
    match all.iter().find(|sensitivity| sensitivity.key == key).map(|sensitivity| sensitivity.effect) {
        Some(Effect::LapTime { s_per_unit, .. }) => s_per_unit,
        other => panic!("{key}: {other:?}"),
    }
}

#[track_caller]
fn assert_close(value: f64, expected: f64, relative: f64) {
    let error = (value - expected).abs() / expected.abs();
    assert!(error <= relative, "{value} is not {expected}: relative error {error:.3e}");
}

#[test]
fn a_circle_at_the_cornering_limit() {
    let (line, vehicle) = (Line::circle(50.0), airless());
    let (lap, all) = (line.lap(&vehicle), line.sensitivities(&vehicle));
    // lap = L / sqrt(a_y R)
    assert_close(per_unit(&all, "lateral_limit_mps2"), -lap / (2.0 * 10.0), 1e-7);
    assert_close(per_unit(&all, "grip"), -lap / 2.0, 1e-7);
    for key in ["longitudinal_limit_mps2", "mass_kg", "max_speed_mps", "ellipse_exponent", "wheelbase_m"] {
        assert_eq!(per_unit(&all, key), 0.0, "{key}");
    }
}

#[test]
fn a_number_that_is_zero_has_a_derivative_and_no_percent() {
    let (line, vehicle) = (Line::circle(50.0), airless());
    let (lap, all) = (line.lap(&vehicle), line.sensitivities(&vehicle));
    // lap = L sqrt(κ / a_y - c / (m g)), so d lap / dc at 0 is -lap a_y / (2 κ m g).
    assert_close(per_unit(&all, "downforce_kgpm"), -lap * 10.0 * 50.0 / (2.0 * 1000.0 * STANDARD_GRAVITY), 1e-5);
    let downforce = all.iter().find(|sensitivity| sensitivity.key == "downforce_kgpm").unwrap();
    assert!(matches!(downforce.effect, Effect::LapTime { s_per_percent: None, .. }));
}

#[test]
fn a_wide_circle_at_the_maximum_speed() {
    let (line, vehicle) = (Line::circle(2000.0), airless());
    let all = line.sensitivities(&vehicle);
    assert_close(per_unit(&all, "max_speed_mps"), -line.lap(&vehicle) / 100.0, 1e-7);
    assert_eq!(per_unit(&all, "grip"), 0.0);
    assert_eq!(all[0].key, "max_speed_mps", "the strongest comes first");
}

#[test]
fn a_circle_at_the_speed_where_power_balances_drag() {
    let drive = DriveLimit::PowerAndForce { power_w: 60_000.0, force_n: 1e5 };
    let vehicle = Vehicle { drive, drag_kgpm: 1.0, ..airless() };
    // So wide that cornering takes no part: v = (P / c)^(1/3).
    let line = Line::circle(1e6);
    let (lap, all) = (line.lap(&vehicle), line.sensitivities(&vehicle));
    assert_close(lap, TAU * 1e6 / 60_000f64.cbrt(), 1e-9);
    assert_close(per_unit(&all, "drive.power_and_force.power_w"), -lap / (3.0 * 60_000.0), 1e-6);
    assert_close(per_unit(&all, "drag_kgpm"), lap / 3.0, 1e-6);
    assert_eq!(per_unit(&all, "mass_kg"), 0.0);
}

#[test]
fn a_straight_at_constant_force_and_then_at_constant_power() {
    let (length, mass, power, force) = (800.0, 1000.0, 100_000.0, 5000.0);
    let drive = DriveLimit::PowerAndForce { power_w: power, force_n: force };
    let vehicle = Vehicle { drive, ..airless() };
    let line = Line::straight(length, 3200);
    // Up to v = P / F at a = F / m; then v³ grows by 3 P / m a metre, and the kinetic energy by P a
    // second.
    let time = |mass: f64, power: f64, force: f64| {
        let (speed, acceleration) = (power / force, force / mass);
        let rest = length - speed * speed / (2.0 * acceleration);
        let end = (speed.powi(3) + 3.0 * power / mass * rest).cbrt();
        speed / acceleration + mass * (end * end - speed * speed) / (2.0 * power)
    };
    assert_close(line.lap(&vehicle), time(mass, power, force), 2e-3);
    let slope = |f: &dyn Fn(f64) -> f64, at: f64| (f(1.0001 * at) - f(0.9999 * at)) / (0.0002 * at);
    for (key, expected) in [
        ("mass_kg", slope(&|m| time(m, power, force), mass)),
        ("drive.power_and_force.power_w", slope(&|p| time(mass, p, force), power)),
        ("drive.power_and_force.force_n", slope(&|f| time(mass, power, f), force)),
    ] {
        assert_close(line.derivative(&vehicle, key, RELATIVE_STEP), expected, 5e-3);
    }
}

#[test]
fn grip_is_both_tyre_limits_together() {
    let line = Line::winding();
    for name in ["tum-racecar", "gt", "kart"] {
        let vehicle = preset(name).unwrap();
        let all = line.sensitivities(&vehicle);
        let sum = vehicle.lateral_limit_mps2 * per_unit(&all, "lateral_limit_mps2")
            + vehicle.longitudinal_limit_mps2 * per_unit(&all, "longitudinal_limit_mps2");
        assert_close(per_unit(&all, "grip"), sum, 1e-4);
    }
}

/// Twice the mass, the forces and the power make the same accelerations: by Euler's theorem on
/// homogeneous functions the percentages add up to nothing.
#[test]
fn mass_and_forces_grown_together_change_nothing() {
    let line = Line::winding();
    let vehicle = preset("gt").unwrap();
    let all = line.sensitivities(&vehicle);
    let keys =
        ["mass_kg", "drag_kgpm", "downforce_kgpm", "drive.power_and_force.power_w", "drive.power_and_force.force_n"];
    let parts = keys.map(|key| vehicle.parameter(key).unwrap().unwrap() * per_unit(&all, key));
    let largest = parts.iter().fold(0.0, |max: f64, part| max.max(part.abs()));
    assert!(largest > 0.1, "{parts:?}");
    assert!(parts.iter().sum::<f64>().abs() < 1e-4 * largest, "{parts:?}");
}

#[test]
fn the_step_does_not_matter() {
    let line = Line::winding();
    for name in ["tum-racecar", "gt", "kart"] {
        let vehicle = preset(name).unwrap();
        let lap = line.lap(&vehicle);
        for Sensitivity { key, value, effect, .. } in line.sensitivities(&vehicle) {
            if effect == Effect::Road || value == 0.0 {
                continue;
            }
            let by_step = [3e-4, 1e-4, 1e-5].map(|step| value * line.derivative(&vehicle, &key, step));
            let spread = by_step.iter().map(|one| (one - by_step[1]).abs()).fold(0.0, f64::max);
            assert!(spread <= 2e-3 * by_step[1].abs() + 1e-5 * lap, "{name}, {key}: {by_step:?} of {lap}");
        }
    }
}

#[test]
fn the_derivative_foretells_a_small_change() {
    let line = Line::winding();
    let vehicle = preset("gt").unwrap();
    for key in ["mass_kg", "grip", "drag_kgpm", "downforce_kgpm", "drive.power_and_force.power_w"] {
        let own = vehicle.parameter(key).unwrap().unwrap();
        let foretold = 0.01 * own * line.derivative(&vehicle, key, RELATIVE_STEP);
        let changed = vehicle.with_parameters(&[(key, 1.01 * own)]).unwrap();
        assert_close(line.lap(&changed) - line.lap(&vehicle), foretold, 0.03);
    }
}

#[test]
fn at_an_end_of_its_range_a_number_changes_to_the_other_side() {
    // 1 is the smallest exponent …
    let line = Line::winding();
    let min = Vehicle { ellipse_exponent: 1.0, ..airless() };
    let near = Vehicle { ellipse_exponent: 1.002, ..airless() };
    let expected = (line.lap(&near) - line.lap(&min)) / 0.002;
    assert!(expected < 0.0);
    assert_close(line.derivative(&min, "ellipse_exponent", RELATIVE_STEP), expected, 0.02);
    // … and 1000 m/s² the greatest limit.
    let line = Line::circle(50.0);
    let greatest = Vehicle { lateral_limit_mps2: 1000.0, max_speed_mps: 1000.0, ..airless() };
    let expected = -line.lap(&greatest) / 2000.0;
    assert_close(line.derivative(&greatest, "lateral_limit_mps2", RELATIVE_STEP), expected, 1e-6);
}

#[test]
fn the_strongest_come_first_and_those_that_change_the_road_last() {
    let all = Line::winding().sensitivities(&preset("tum-racecar").unwrap());
    let road: Vec<&str> = all.iter().filter(|s| s.effect == Effect::Road).map(|s| s.key.as_str()).collect();
    assert_eq!(road, ["max_curvature_radpm", "safety_distance_m", "width_m"]);
    assert!(all[all.len() - 3..].iter().all(|s| s.effect == Effect::Road));
    let percents: Vec<f64> = all
        .iter()
        .filter_map(|s| match s.effect {
            Effect::LapTime { s_per_percent, .. } => s_per_percent,
            Effect::Road => None,
        })
        .collect();
    assert!(percents.len() > 5 && percents.windows(2).all(|pair| pair[0].abs() >= pair[1].abs()), "{percents:?}");
    assert_eq!(all[0].key, "grip");
}

#[test]
fn what_cannot_be_derived_is_reported() {
    let line = Line::circle(50.0);
    let fails = |key: &str| derivative(line.fixed(), &airless(), key, RELATIVE_STEP).unwrap_err();
    assert!(matches!(fails("weight"), SpeedError::Vehicle(VehicleError::UnknownParameter { .. })));
    assert!(matches!(fails("drive"), SpeedError::Vehicle(VehicleError::NotANumber { .. })));
    let broken = FixedLine { step_lengths: &line.steps[1..], ..line.fixed() };
    let broken = sensitivities(broken, &airless()).unwrap_err();
    assert!(matches!(broken, SpeedError::StepCount { .. }));
}
