//! One vehicle file is one car: optimiser, simulation and follower use the same numbers.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

use raceline::drive::driver::Loaded;
use raceline::drive::{bicycle_of, handling_of};
use raceline::file::json;
use raceline::vehicle::{GgDiagram, Handling, TyreSlip, Vehicle, VehicleDynamics, preset, presets};

use crate::sample_lines;

/// A vehicle file with the required keys alone.
const MINIMAL: &str = "\
mass_kg = 1000.0
width_m = 1.8
length_m = 4.5
wheelbase_m = 2.5
safety_distance_m = 0.5
lateral_limit_mps2 = 11.0
longitudinal_limit_mps2 = 10.0
ellipse_exponent = 2.0
drag_kgpm = 0.6
downforce_kgpm = 1.0
max_speed_mps = 60.0
max_curvature_radpm = 0.15

[drive]
table_mps2 = [[0.0, 5.0], [60.0, 1.0]]
";

/// A vehicle with every optional key.
fn complete() -> Vehicle {
    let mut vehicle = Vehicle::from_toml(MINIMAL, "complete.toml").unwrap();
    vehicle.driving_limit_table = vec![[0.0, 6.0], [60.0, 8.0]];
    vehicle.driving_exponent = Some(1.5);
    vehicle.max_steering_rad = Some(0.6);
    vehicle.steering_rate_radps = Some(2.0);
    vehicle.peak_slip_rad = Some(0.16);
    vehicle.front_weight_fraction = Some(0.45);
    vehicle.front_downforce_fraction = Some(0.4);
    vehicle.yaw_inertia_kgm2 = Some(1500.0);
    vehicle.centre_of_gravity_m = Some(0.45);
    vehicle.front_brake_fraction = Some(0.65);
    vehicle.front_drive_fraction = Some(0.3);
    vehicle.rear_grip_reserve = Some(0.08);
    vehicle.front_track_width_m = Some(1.5);
    vehicle.rear_track_width_m = Some(1.55);
    vehicle.front_roll_stiffness_fraction = Some(0.55);
    vehicle.tyre_load_sensitivity = Some(0.1);
    vehicle.differential_lock_fraction = Some(0.4);
    vehicle
}

fn vehicles() -> Vec<Vehicle> {
    let minimal = Vehicle::from_toml(MINIMAL, "minimal.toml").unwrap();
    presets().iter().map(|known| preset(known.name).unwrap()).chain([minimal, complete()]).collect()
}

/// The numbers of a vehicle that a game has after it read the file of a line.
fn loaded(vehicle: &Vehicle) -> Loaded {
    Loaded::new(&sample_lines::circle(80.0, 160), vehicle).unwrap()
}

#[test]
fn the_defaults_of_a_minimal_file_are_those_of_the_document() {
    let vehicle = Vehicle::from_toml(MINIMAL, "minimal.toml").unwrap();
    let front_brake = 0.5 + 10.0 / 9.80665 * 0.2;
    let expected = Handling {
        front_weight_fraction: 0.5,
        front_downforce_fraction: 0.5,
        gyration_m2: 1.25 * 1.25,
        centre_of_gravity_m: 0.5,
        peak_slip_rad: 0.12,
        tyre_slip: TyreSlip::brush(0.12),
        brush_peak_slip_rad: 0.12,
        front_brake_fraction: front_brake,
        front_drive_fraction: 0.0,
        rear_grip_reserve: 0.05,
        max_steering_rad: raceline_numerics::math::atan(2.5 * 0.15) + 0.12,
        steering_rate_radps: 1.0,
    };
    assert_eq!(vehicle.handling(), expected);
}

#[test]
fn tyres_of_a_known_stiffness_slip_by_it() {
    // The F1TENTH gym's: proportional up to the limit of 10.286 m/s², 5.32 of the load per radian.
    let linear = Vehicle { cornering_stiffness_per_rad: Some(5.32), ..preset("robot-car").unwrap() };
    let robot = linear.handling();
    let slope = 10.286 / (9.80665 * 5.32);
    for used in [0.2, 0.5, 0.8, 1.0] {
        assert!((robot.tyre_slip.at(used) - slope * used).abs() < 0.003, "{used}: {}", robot.tyre_slip.at(used));
    }
    // The brush tyre that stands for them slips as much at 0.8 of the limit.
    let brush = TyreSlip::brush(robot.brush_peak_slip_rad);
    assert!((brush.at(0.8) - robot.tyre_slip.at(0.8)).abs() < 1e-12);
    // A road tyre's stiffness and no peak: a brush tyre.
    let mut vehicle = Vehicle::from_toml(MINIMAL, "minimal.toml").unwrap();
    vehicle.cornering_stiffness_per_rad = Some(25.0);
    let peak = 3.0 * vehicle.lateral_limit_mps2 / (9.80665 * 25.0);
    assert!((vehicle.handling().brush_peak_slip_rad - peak).abs() < 1e-12);
}

#[test]
fn the_follower_loads_the_limits_of_the_optimiser() {
    for vehicle in vehicles() {
        let (loaded, diagram) = (loaded(&vehicle), GgDiagram::new(&vehicle).unwrap());
        let dynamics = loaded.path.dynamics().unwrap();
        for i in 0..33 {
            let speed = vehicle.max_speed_mps * f64::from(i) / 32.0;
            let w = speed * speed;
            let place = format!("{} at {speed} m/s", vehicle.name);
            let near =
                |found: f64, truth: f64| assert!((found - truth).abs() <= 1e-9 * truth.abs().max(1.0), "{place}");
            near(dynamics.lateral_mps2.at(speed), diagram.lateral_limit(w));
            near(dynamics.longitudinal_mps2.at(speed), diagram.longitudinal_limit(w));
            near(dynamics.drive_mps2.at(speed), diagram.drive_jet(w).value);
            near(dynamics.rolling_mps2 + dynamics.drag_radpm * w, diagram.resistance(w));
            let (driving, exponent) = match &dynamics.driving {
                Some((table, exponent)) => (table.at(speed), *exponent),
                None => (dynamics.longitudinal_mps2.at(speed), dynamics.ellipse_exponent),
            };
            near(driving, diagram.driving_limit_jet(w).value);
            assert_eq!(exponent, diagram.driving_exponent(), "{place}");
        }
        assert_eq!(dynamics.ellipse_exponent, diagram.exponent());
        assert_eq!(dynamics.max_speed_mps, vehicle.max_speed_mps);
    }
}

#[test]
fn the_follower_loads_the_axles_of_the_optimiser() {
    for vehicle in vehicles() {
        let (loaded, handling) = (loaded(&vehicle), vehicle.handling());
        let dynamics = loaded.path.dynamics().unwrap();
        assert_eq!(*dynamics, VehicleDynamics::of(&vehicle, &GgDiagram::new(&vehicle).unwrap()), "{}", vehicle.name);
        let found = [
            dynamics.front_weight_fraction,
            dynamics.gyration_m2,
            dynamics.centre_of_gravity_m,
            dynamics.peak_slip_rad,
            dynamics.front_brake_fraction,
            dynamics.front_drive_fraction,
            dynamics.steering_rate_radps,
            loaded.geometry.max_steering_rad,
            loaded.geometry.wheelbase_m,
            loaded.geometry.length_m,
            loaded.geometry.width_m,
            loaded.geometry.rear_axle_m,
        ];
        let expected = [
            handling.front_weight_fraction,
            handling.gyration_m2,
            handling.centre_of_gravity_m,
            handling.peak_slip_rad,
            handling.front_brake_fraction,
            handling.front_drive_fraction,
            handling.steering_rate_radps,
            handling.max_steering_rad.min(1.5),
            vehicle.wheelbase_m,
            vehicle.length_m,
            vehicle.width_m,
            handling.front_weight_fraction * vehicle.wheelbase_m,
        ];
        assert_eq!(found, expected, "{}", vehicle.name);
        // Nothing that the file has is replaced between the file and the follower's model.
        let resolved = dynamics.resolve(loaded.geometry.wheelbase_m, loaded.geometry.rear_axle_m);
        assert_eq!(resolved, *dynamics, "{}", vehicle.name);
    }
}

#[test]
fn the_simulation_has_the_axles_of_the_optimiser() {
    for vehicle in vehicles() {
        let (handling, simulated) = (vehicle.handling(), handling_of(&vehicle));
        let bicycle = bicycle_of(&vehicle).unwrap();
        assert_eq!(simulated.front_weight_fraction, handling.front_weight_fraction);
        assert_eq!(simulated.front_downforce_fraction, vehicle.front_downforce_fraction);
        assert_eq!(simulated.front_tyre, handling.tyre_slip);
        assert_eq!(simulated.rear_tyre, handling.tyre_slip);
        assert_eq!(simulated.rear_grip_reserve, handling.rear_grip_reserve);
        assert_eq!(simulated.centre_of_gravity_m, handling.centre_of_gravity_m);
        assert_eq!(simulated.wheels, vehicle.wheels());
        assert_eq!(simulated.steering_rate_radps, handling.steering_rate_radps);
        assert_eq!(bicycle.parameters().max_steering_rad, handling.max_steering_rad);
        let front = handling.front_weight_fraction;
        let arms = front * (1.0 - front) * vehicle.wheelbase_m * vehicle.wheelbase_m;
        assert!((simulated.yaw_inertia_index * arms / handling.gyration_m2 - 1.0).abs() < 1e-12, "{}", vehicle.name);
        assert_eq!(*bicycle.limits(), GgDiagram::new(&vehicle).unwrap());
    }
}

#[test]
fn a_vehicle_with_its_defaults_written_out_is_the_same_car() {
    for vehicle in vehicles() {
        let filled = vehicle.with_defaults();
        let (own, written) = (vehicle.handling(), filled.handling());
        assert_eq!(Handling { gyration_m2: own.gyration_m2, ..written }, own, "{}", vehicle.name);
        assert!((written.gyration_m2 / own.gyration_m2 - 1.0).abs() < 1e-12);
    }
}

#[test]
fn a_drive_loads_grip_banking_heights_and_inputs() {
    let mut line = sample_lines::circle(80.0, 160);
    for (i, point) in line.points.iter_mut().enumerate() {
        point.z_m = Some(0.01 * i as f64);
        point.banking_rad = Some(0.05);
        point.grip = Some(0.9);
        point.load = Some(0.95);
        point.steering_rad = Some(0.03);
        point.pedal = Some(0.2);
        point.sideslip_rad = Some(-0.01);
        point.yaw_rate_radps = Some(0.25);
    }
    // As in a file: its reader is the follower's own.
    let line = json::read(&json::write(&line).unwrap()).unwrap();
    let path = Loaded::new(&line, &line.vehicle).unwrap().path;
    let s = line.points[40].s_m;
    assert!((path.grip(s) - 0.9 * 0.95).abs() < 1e-9);
    assert!((path.height_m(s) - 0.4).abs() < 1e-3);
    let inputs = path.inputs(s).unwrap();
    assert!((inputs.steering_rad - 0.03).abs() < 1e-6 && (inputs.pedal - 0.2).abs() < 1e-6);
    assert!((inputs.sideslip_rad + 0.01).abs() < 1e-6 && (inputs.yaw_rate_radps - 0.25).abs() < 1e-6);
}
