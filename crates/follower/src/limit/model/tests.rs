use super::{Axle, MAX_USE, Model, TyreSlip, cube_root};
use crate::closeness::assert_close;
use crate::vehicle::VehicleGeometry;
use raceline_car::{SpeedTable, VehicleDynamics};

/// The slip at 0.6 of the limit across and 0.6 along: of 0.85 of a brush tyre's limit, times
/// 0.6 / 0.85.
#[test]
fn the_slip_has_the_direction_of_the_force() {
    let dynamics = VehicleDynamics::constant(10.0, 8.0, 5.0);
    let model = Model::new(&dynamics, &VehicleGeometry::default(), 1.0);
    let used = 0.72_f64.sqrt();
    let expected = model.peak_slip * (1.0 - (1.0 - used).cbrt()) * 0.6 / used;
    let slip = model.slip(Axle { lateral: 10.0, along: 0.6 }, -6.0);
    assert!((slip + expected).abs() < 1e-9, "{slip} {expected}");
}

#[test]
fn the_force_at_a_slip_is_the_inverse_of_the_slip_of_a_force() {
    let dynamics = VehicleDynamics::constant(10.0, 8.0, 5.0);
    let brush = Model::new(&dynamics, &VehicleGeometry::default(), 1.0);
    let linear = TyreSlip::with_slope(0.2, 0.2);
    for model in [brush, Model { tyre_slip: linear, ..brush }] {
        for along in [0.0, 0.3, 0.9] {
            let axle = Axle { lateral: 10.0, along };
            let largest = 10.0 * (MAX_USE * MAX_USE - along * along).sqrt();
            for fraction in [0.0, 0.01, 0.5, 0.9, 0.999] {
                let across = fraction * largest;
                let found = model.across_at(axle, model.slip(axle, across));
                assert!((found - across).abs() < 1e-6, "{along} {across}: {found}");
                assert_eq!(model.across_at(axle, -model.slip(axle, across)), -found);
            }
            assert!((model.across_at(axle, 1.0) - largest).abs() < 1e-9, "{along}");
        }
    }
}

#[test]
fn the_cube_root_is_that_of_the_standard_library_to_rounding() {
    for i in 1..=30_000 {
        let x = f64::from(i) * 1e-4;
        let (ours, exact) = (cube_root(x), x.cbrt());
        assert!((ours / exact - 1.0).abs() < 1e-13, "{x}: {ours}, {exact}");
    }
    assert_eq!(cube_root(1.0), 1.0);
}

/// Limits that grow by a half to 40 m/s, three fifths of the weight in front, and a surface of 0.9.
fn uneven() -> VehicleDynamics {
    let growing = |from: f64| {
        let mut table = SpeedTable::constant(from);
        table.top_mps = 40.0;
        let last = table.values.len() as f64 - 1.0;
        table.values.iter_mut().enumerate().for_each(|(k, value)| *value = from * (1.0 + 0.5 * k as f64 / last));
        table
    };
    VehicleDynamics {
        lateral_mps2: growing(10.0),
        longitudinal_mps2: growing(8.0),
        front_weight_fraction: 0.6,
        gyration_m2: 2.0,
        centre_of_gravity_m: 0.5,
        front_brake_fraction: 0.7,
        front_drive_fraction: 0.2,
        rolling_mps2: 0.2,
        drag_radpm: 1e-3,
        ..VehicleDynamics::constant(10.0, 8.0, 5.0)
    }
}

#[test]
fn the_axles_carry_what_the_acceleration_moves_to_them() {
    let dynamics = uneven();
    let model = Model::new(&dynamics, &VehicleGeometry::default(), 1.0).on(0.9);
    let (a, b) = (0.4 * 2.6, 0.6 * 2.6);
    assert_close(model.to_front, a);
    assert_close(model.to_rear, b);
    // At 20 m/s the limits are a quarter larger, and so is the load.
    let gravity = 9.80665 * 1.25;
    for (along, in_front) in [(-6.0, 0.7), (3.0, 0.2)] {
        let loads = [1.0 - along * 0.5 / (b * gravity), 1.0 + along * 0.5 / (a * gravity)];
        let axles = model.axles(20.0, along);
        assert_close(axles.front.lateral, 0.9 * 12.5 * loads[0]);
        assert_close(axles.rear.lateral, 0.9 * 12.5 * loads[1]);
        assert_close(axles.front.along, along.abs() * in_front / (9.0 * 0.6 * loads[0]));
        assert_close(axles.rear.along, along.abs() * (1.0 - in_front) / (9.0 * 0.4 * loads[1]));
    }
    // A fifth of the load is left, and nine tenths of what an axle gives along count.
    let hard = model.axles(20.0, -40.0);
    assert_close(hard.rear.lateral, 0.2 * 0.9 * 12.5);
    assert_eq!((hard.front.along, hard.rear.along), (0.9, 0.9));
    assert_close(model.axles(20.0, 60.0).front.lateral, 0.2 * 0.9 * 12.5);
}

#[test]
fn limits_grow_with_the_surface_and_are_left_by_the_ellipse() {
    let mut dynamics = uneven();
    let (lateral, along) = (0.9 * 12.5, 0.9 * 10.0);
    let left = |used: f64| (1.0 - used * used).sqrt();
    {
        let model = Model::new(&dynamics, &VehicleGeometry::default(), 0.9);
        assert_close(model.lateral(20.0), lateral);
        assert_close(model.longitudinal(20.0), along);
        assert_close(model.used(20.0, -4.5), 0.4);
        assert_eq!(model.used(20.0, 20.0), 1.0);
        assert_close(model.lateral_beside(20.0, 5.4), lateral * left(0.6));
        assert_eq!(model.lateral_beside(20.0, 12.0), 0.0);
        assert_close(model.left_beside(20.0, 0.6), along * left(0.6));
        assert_close(model.left_in_reserve(20.0, 0.6), 0.97 * along * left(0.6 / 0.97));
        assert_eq!(model.left_in_reserve(20.0, 0.98), 0.0);
        assert_close(model.left_for_driving(20.0, 0.6), along * left(0.6));
        assert_close(model.resistance(20.0), 0.6);
        assert_close(model.yaw_response(20.0), 2.0 * 20.0 / (1.04 * 1.56 * lateral / model.tyre_slip.slope_rad()));
        let (front, rear) = model.at_axles(3.0, 0.5);
        assert_close(front, 3.0 + 2.0 * 0.5 / 1.56);
        assert_close(rear, 3.0 - 2.0 * 0.5 / 1.04);
        assert_close(model.rear_slip([20.0, 0.5, 0.3]), -((0.5 - 1.56 * 0.3) / 20.0_f64).atan());
        assert_close(model.rear_slip([0.2, 0.5, 0.3]), -(0.5 - 1.56 * 0.3_f64).atan());
        assert_eq!(model.linear_fraction(), 0.0);
        // By the slip of both axles in a bend: their weights, and the force that points back.
        let axles = model.axles(20.0, 0.0);
        let slip = 0.6 * model.slip(axles.front, -6.0) + 0.4 * model.slip(axles.rear, -6.0);
        assert_close(model.cornering_drag(20.0, -6.0), -6.0 * slip);
        assert!(model.cornering_drag(20.0, -6.0) > 0.1);
    }
    dynamics.driving = Some((SpeedTable::constant(6.0), 1.0));
    let model = Model::new(&dynamics, &VehicleGeometry::default(), 0.9);
    assert_close(model.left_for_driving(20.0, 0.6), 0.9 * 6.0 * 0.4);
    assert_close(Model { tyre_slip: TyreSlip::with_slope(0.1, 0.15), ..model }.linear_fraction(), {
        TyreSlip::with_slope(0.1, 0.15).linear_fraction()
    });
}

#[test]
fn tyres_beyond_their_use_slip_as_at_it_and_those_that_lean_do_not() {
    let dynamics = VehicleDynamics::constant(10.0, 8.0, 5.0);
    let model = Model::new(&dynamics, &VehicleGeometry::default(), 1.0);
    let axle = Axle { lateral: 10.0, along: 0.0 };
    let at = |used: f64| model.peak_slip * (1.0 - (1.0 - used).cbrt());
    assert_close(model.slip(axle, 9.0), at(0.9));
    assert_close(model.slip(axle, 25.0), at(0.97));
    assert_close(model.slip(axle, -25.0), -at(0.97));
    // A small force slips by the slope, a third of the peak, and both meet.
    assert!((model.slip(axle, 1e-6) / 1e-7 / (model.peak_slip / 3.0) - 1.0).abs() < 1e-6);
    let per_use = |used: f64| model.slip_per_use(used).0;
    assert!((per_use(1.1e-6) / per_use(0.9e-6) - 1.0).abs() < 1e-6);
    let leans = VehicleDynamics { lean_rate_radps: Some(1.5), ..dynamics };
    assert_eq!(Model::new(&leans, &VehicleGeometry::default(), 1.0).slip(axle, 9.0), 0.0);
}
