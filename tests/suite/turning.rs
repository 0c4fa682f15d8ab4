//! What turning the body costs: closed forms on a circle and a clothoid, and time-optimal lines that
//! leave room for it.

// Clippy exempts test functions but not the helpers beside them.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use raceline::file::Method;
use raceline::options::Layer;
use raceline::pipeline::{self, Request};
use raceline::solve::Model;
use raceline::speed::{Course, FixedLine, SpeedProfile, TurningCost};
use raceline::vehicle::{DriveLimit, GgDiagram, Turning, Vehicle, preset};
use raceline::{Options, RacingLine};

/// 10 m/s² in each direction, 1200 kg on axles 1.6 and 1.4 m from the centre of gravity.
fn car() -> Vehicle {
    Vehicle {
        lateral_limit_mps2: 10.0,
        longitudinal_limit_mps2: 10.0,
        drag_kgpm: 0.0,
        drive: DriveLimit::TableMps2(vec![[0.0, 8.0], [100.0, 8.0]]),
        max_speed_mps: 100.0,
        steering_rate_radps: None,
        gear_change_s: 0.0,
        gear_change_speeds_mps: Vec::new(),
        table_downforce_kgpm: None,
        driving_limit_table: Vec::new(),
        driving_exponent: None,
        peak_slip_rad: None,
        yaw_inertia_kgm2: None,
        ..preset("tum-racecar").unwrap()
    }
}

fn profile(curvature: &[f64], step: f64, closed: bool, vehicle: &Vehicle, turning: TurningCost) -> SpeedProfile {
    let steps = vec![step; if closed { curvature.len() } else { curvature.len() - 1 }];
    let course = if closed { Course::Closed } else { Course::Open { start_speed_mps: None, end_speed_mps: None } };
    FixedLine { curvature, step_lengths: &steps, course, grip: None, turning, grounds: None, caps: None }
        .profile(vehicle)
        .unwrap()
}

#[test]
fn a_circle_costs_drag_only_and_the_drive_must_overcome_it() {
    let circle = [0.02; 200];
    let point_mass = profile(&circle, 1.0, true, &car(), TurningCost::ByVehicle);
    assert!(point_mass.speed_mps.iter().all(|v| (v * v - 10.0 / 0.02).abs() < 1e-6));
    let heavy = Vehicle { yaw_inertia_kgm2: Some(3000.0), steering_rate_radps: Some(0.1), ..car() };
    assert_eq!(profile(&circle, 1.0, true, &heavy, TurningCost::ByVehicle).speed_mps, point_mass.speed_mps);
    // A weak drive holds the speed at which half the peak's slip times κ²w² / A_y is its force.
    let weak =
        Vehicle { peak_slip_rad: Some(0.1), drive: DriveLimit::TableMps2(vec![[0.0, 0.2], [100.0, 0.2]]), ..car() };
    let slow = profile(&circle, 1.0, true, &weak, TurningCost::ByVehicle);
    let across = (0.2_f64 * 10.0 / 0.05).sqrt();
    for v in &slow.speed_mps {
        assert!((v * v * 0.02 / across - 1.0).abs() < 1e-3, "{v}");
    }
    assert_eq!(profile(&circle, 1.0, true, &weak, TurningCost::Free).speed_mps, point_mass.speed_mps);
}

/// A clothoid: curvature grows by `change` per metre.
fn clothoid(change: f64) -> Vec<f64> {
    (0..=200).map(|i| 0.01 + change * 0.25 * f64::from(i)).collect()
}

#[test]
fn on_a_clothoid_the_axle_ahead_of_the_turn_sets_the_speed() {
    let vehicle = Vehicle { yaw_inertia_kgm2: Some(1680.0), ..car() };
    let turning = Turning::of(&vehicle);
    // I / (m b) with b = 0.4667 · 3 m.
    assert!((turning.front_m - 1680.0 / 1200.0 / (0.4667 * 3.0)).abs() < 1e-12);
    let (change, middle) = (1e-3, 100);
    for sign in [1.0, -1.0] {
        let line: Vec<f64> = clothoid(change).into_iter().map(|kappa| sign * kappa).collect();
        let turned = profile(&line, 0.25, false, &vehicle, TurningCost::ByVehicle);
        // The last point has the greatest curvature, so the speed before is at the limit by braking:
        // where the curvature falls, the rear axle is ahead. At the end only cornering counts.
        let last = turned.speed_mps.last().unwrap();
        let needed = line.last().unwrap().abs() + turning.front_m * change;
        assert!((last * last * needed - 10.0).abs() < 1e-6, "{last}");
        let back: Vec<f64> = line.iter().rev().copied().collect();
        let first = profile(&back, 0.25, false, &vehicle, TurningCost::ByVehicle).speed_mps[0];
        let needed = line.last().unwrap().abs() + turning.rear_m * change;
        assert!((first * first * needed - 10.0).abs() < 1e-6, "{first}");
        let free = profile(&line, 0.25, false, &vehicle, TurningCost::Free);
        assert!(turned.speed_mps[middle] < free.speed_mps[middle]);
    }
}

#[test]
fn the_rate_of_the_steering_bounds_the_speed() {
    let vehicle = Vehicle { steering_rate_radps: Some(0.06), ..car() };
    let turned = profile(&clothoid(1e-3), 0.25, false, &vehicle, TurningCost::ByVehicle);
    // 0.85 of the rate over the wheelbase times the change of curvature.
    let max = 0.85 * 0.06 / (3.0 * 1e-3);
    let fastest = turned.speed_mps.iter().copied().fold(0.0, f64::max);
    assert!((fastest / max - 1.0).abs() < 1e-6, "{fastest} {max}");
}

#[test]
fn a_time_optimal_line_leaves_room_for_turning_and_pays_little_for_it() {
    let track = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("tracks");
    let line = |turning: TurningCost| {
        let mut options = Options::from_layers(&[Layer::read(&track.join("club.toml")).unwrap()]).unwrap();
        options.method = Method::TimeOptimal;
        options.speed.turning = turning;
        options.solve.model = Some(Model::PointMass);
        let vehicle = preset("tum-racecar").unwrap();
        pipeline::optimize(&track.join("club.png"), &Request::new(&options, &vehicle)).unwrap().line
    };
    let (turned, free) = (line(TurningCost::ByVehicle), line(TurningCost::Free));
    assert!(turned.lap_time_s > free.lap_time_s && turned.lap_time_s < 1.015 * free.lap_time_s);
    let vehicle = &turned.vehicle;
    let (turning, diagram) = (Turning::of(vehicle), GgDiagram::new(vehicle).unwrap());
    let demand = |line: &RacingLine| {
        let points = &line.points;
        points
            .iter()
            .zip(&points[1..])
            .map(|(a, b)| {
                let change = (b.curvature_radpm - a.curvature_radpm) / (b.s_m - a.s_m);
                let w = (a.speed_mps * a.speed_mps + b.speed_mps * b.speed_mps) / 2.0;
                let kappa = (a.curvature_radpm + b.curvature_radpm) / 2.0;
                let front = (kappa + turning.front_m * change).abs();
                front.max((kappa - turning.rear_m * change).abs()) * w / diagram.lateral_limit(w)
            })
            .fold(0.0, f64::max)
    };
    let demands = [demand(&turned), demand(&free)];
    assert!(demands[0] < 1.002 && demands[1] > 1.005, "{demands:?}");
}
