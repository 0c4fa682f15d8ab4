use super::{GivenInputs, Model, Motion, PathInputs};
use crate::chassis::testing::{on_straight, straight};
use crate::path::Path;
use crate::shift::Shift;
use crate::vehicle::VehicleGeometry;
use raceline_car::{SpeedTable, VehicleDynamics};

fn near(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-9, "{a} and {b}");
}

/// A straight path at 20 m/s whose steering grows by 1 mrad a metre, with a pedal.
fn path(pedal: f64) -> Path {
    let inputs =
        move |k: usize| PathInputs { steering_rad: 0.01 * k as f64, pedal, sideslip_rad: -0.03, yaw_rate_radps: 0.4 };
    straight([50.0; 2], 20.0).with_inputs(move |k, _| Some(inputs(k)))
}

/// What applies to a vehicle at 100 m whose centre of gravity is 3 m ahead.
fn given(path: &Path, speed: f64, max_fraction: f64, shift: Shift) -> Option<GivenInputs> {
    let mut dynamics = VehicleDynamics::constant(10.0, 8.0, 5.0);
    dynamics.front_weight_fraction = 0.6;
    // 5 m/s² at standstill and 1 m/s² less each 10 m/s, likewise 8 m/s².
    dynamics.drive_mps2 = falling(5.0);
    dynamics.longitudinal_mps2 = falling(8.0);
    let geometry = VehicleGeometry::default();
    let model = Model::new(&dynamics, &geometry, 1.0);
    let mut frame = on_straight(path, [100.0, 0.0], speed);
    frame.shift = shift;
    let motion = Motion { advance: 3.0, offset: 0.0, heading: 0.0, speed, across: 0.0, yaw_rate: 0.0 };
    GivenInputs::new(&frame, &model, &motion, max_fraction)
}

fn falling(from: f64) -> SpeedTable {
    let mut table = SpeedTable::constant(from);
    let last = table.values.len() as f64 - 1.0;
    table.top_mps = 40.0;
    for (k, value) in table.values.iter_mut().enumerate() {
        *value = from - 4.0 * k as f64 / last;
    }
    table
}

#[test]
fn inputs_are_those_of_the_place_of_the_centre_of_gravity() {
    let found = given(&path(0.5), 20.4, 0.8, Shift::NONE).unwrap();
    near(found.fraction, 0.8);
    near(found.steering, 0.103);
    near(found.sideslip, -0.03);
    near(found.yaw_rate, 1.02 * 0.4);
    near(found.along, 0.5 * (5.0 - 2.04));
    // The rear axle is 1.56 m behind the centre of gravity.
    let rear = ((20.0 * (-0.03_f64).sin() - 1.56 * 0.4) / (20.0 * 0.03_f64.cos())).atan();
    let geometry = VehicleGeometry::default();
    let peak = Model::new(&VehicleDynamics::constant(10.0, 8.0, 5.0), &geometry, 1.0).peak_slip;
    near(found.rear_slip, rear.abs() / peak);
    // Brakes are a part of what the tyres give, and a drive is no more than the vehicle's.
    near(given(&path(-1.5), 20.0, 1.0, Shift::NONE).unwrap().along, -1.5 * 6.0);
    near(given(&path(1.5), 20.0, 1.0, Shift::NONE).unwrap().along, 3.0);
}

#[test]
fn inputs_apply_at_their_speed_on_the_path_itself() {
    let path = path(0.5);
    let fraction = |speed: f64| given(&path, speed, 0.8, Shift::NONE).map_or(0.0, |given| given.fraction);
    for side in [1.0, -1.0] {
        near(fraction(20.0 * (1.0 + side * 0.029)), 0.8);
        near(fraction(20.0 * (1.0 + side * 0.065)), 0.4);
        assert_eq!(given(&path, 20.0 * (1.0 + side * 0.1001), 0.8, Shift::NONE), None);
    }
    assert_eq!(given(&path, 20.0, 0.0, Shift::NONE), None);
    assert_eq!(given(&path, 20.0, 0.8, Shift { offset: 0.1, ..Shift::NONE }), None);
    assert_eq!(given(&straight([50.0; 2], 20.0), 20.0, 0.8, Shift::NONE), None);
}
