use super::{STAGES, Stage, stages};
use crate::chassis::testing::{on_straight, straight, straight_of};
use crate::closeness::assert_close;
use crate::options::{TargetSpeedOptions, TrafficOptions};
use crate::path::{Path, Waypoint};
use crate::vehicle::VehicleGeometry;
use raceline_car::VehicleDynamics;

/// The stages from 50 m on, for a car that drives with 5 m/s² at most.
fn from(path: &Path, speed: f64, speeds: &TargetSpeedOptions) -> [Stage; STAGES] {
    let frame = on_straight(path, [50.0, 0.0], speed);
    let dynamics = VehicleDynamics::constant(10.0, 8.0, 5.0);
    stages(&frame, &dynamics, speeds, &TrafficOptions::default(), &VehicleGeometry::default())
}

fn racing() -> TargetSpeedOptions {
    TargetSpeedOptions { max_speed_mps: 100.0, ..TargetSpeedOptions::default() }
}

#[test]
fn stages_lie_where_the_vehicle_is_each_four_tenths_of_a_second() {
    let path = straight([5.0, 3.0], 20.0).with_grip(|_, _| 0.9);
    // 5 m/s² from 10 m/s on for 2 s, then 20 m/s.
    for (k, stage) in from(&path, 10.0, &racing()).iter().enumerate() {
        let time = 0.4 * k as f64;
        let (driven, rest) = (time.min(2.0), (time - 2.0).max(0.0));
        assert_close(stage.s, 10.0 * driven + 2.5 * driven * driven + 20.0 * rest);
        assert_close(stage.top, 20.0);
        assert_close(stage.lateral, 0.9 * 0.9 * 10.0);
        assert_close(stage.braking, 0.8 * 0.9 * 8.0);
        // Half a width, 0.3 m, and 6 ms at the speed there.
        let margin = 0.9 + 0.3 + 0.006 * (10.0 + 5.0 * driven);
        assert_close(stage.low, margin - 3.0);
        assert_close(stage.high, 5.0 - margin);
    }
    // A standing car begins at 1 m/s.
    assert_close(from(&path, -3.0, &racing())[1].s, 0.4 + 2.5 * 0.16);
    // No faster than a part of the profile, and at 1 m/s along one that stands; what is planned is at most the top speed.
    let slow = from(&path, 10.0, &TargetSpeedOptions { profile_scale: 0.5, max_speed_mps: 8.0, ..racing() });
    assert_close(slow[3].s, 12.0);
    assert!(slow.iter().all(|stage| stage.top == 8.0));
    let stands = from(&straight([5.0; 2], 0.0), 1.0, &racing());
    assert_close(stands[3].s, 1.2);
    assert!(stands.iter().all(|stage| stage.top == 1.0));
}

#[test]
fn the_narrowest_place_since_the_stage_before_counts() {
    // At 20 m/s, stages each 8 m: 4 m of road are missing about 80 m, 30 m ahead.
    let path = straight_of(|along| {
        let room = if along == 80.0 { 3.0 } else { 7.0 };
        Waypoint { left_m: room, right_m: room + 1.0, speed_mps: 20.0, ..Waypoint::default() }
    });
    let margin = 0.9 + 0.3 + 0.12;
    for (k, stage) in from(&path, 20.0, &racing()).iter().enumerate() {
        let width = |at: f64| 3.0 + 4.0 * ((at - 30.0).abs() / 10.0).min(1.0);
        let steps = if k == 0 { 0..=0 } else { 1..=4 };
        let narrowest =
            steps.map(|step| width(8.0 * k as f64 - 8.0 + 2.0 * f64::from(step) + if k == 0 { 8.0 } else { 0.0 }));
        let narrowest = narrowest.fold(f64::INFINITY, f64::min);
        assert_close(stage.high, narrowest - margin);
        assert_close(stage.low, -(narrowest + 1.0 - margin));
    }
    let open = from(&straight([f64::INFINITY; 2], 20.0), 20.0, &racing());
    assert!(open.iter().all(|stage| stage.low == -20.0 && stage.high == 20.0));
    let narrow = from(&straight([0.5; 2], 20.0), 20.0, &racing());
    assert!(narrow.iter().all(|stage| stage.low == 0.0 && stage.high == 0.0));
}

#[test]
fn what_the_path_takes_of_the_tyres_is_there() {
    let bend = |curvature_radpm: f64| {
        let path = straight_of(|_| Waypoint { curvature_radpm, speed_mps: 20.0, ..Waypoint::default() });
        from(&path, 20.0, &racing())[2]
    };
    assert_close(bend(-0.03).lateral, 12.0);
    assert_close(bend(-0.03).curvature, -0.03);
    assert_close(bend(0.02).lateral, 9.0);
}

#[test]
fn the_fastest_speed_is_that_of_the_bend_at_the_offset() {
    let stage = Stage { top: 30.0, curvature: 0.02, lateral: 8.0, ..Stage::default() };
    assert_close(stage.fastest(0.0, 0.0), 20.0);
    assert_close(stage.fastest(10.0, 0.0), (8.0_f64 / 0.025).sqrt());
    assert_close(stage.fastest(-10.0, 0.0), (8.0_f64 * 60.0).sqrt());
    assert_close(stage.fastest(60.0, 0.0), (8.0_f64 / 0.1).sqrt());
    assert_close(stage.fastest(0.0, 0.06), 10.0);
    assert_close(stage.fastest(0.0, -0.1), 10.0);
    assert_eq!(stage.fastest(0.0, -0.02), 30.0);
    assert_close(Stage { top: 1e4, ..stage }.fastest(0.0, -0.02), (8.0_f64 / 1e-6).sqrt());
}
