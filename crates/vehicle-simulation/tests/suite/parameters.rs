//! Ranges of the parameters.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use raceline_vehicle_simulation::{Bicycle, BicycleParameters, HandlingParameters, TyreSlip};

use crate::cars::{LIMITS, parameters};

#[test]
fn parameters_out_of_range_are_rejected_by_name() {
    let handling = HandlingParameters::default();
    let good = parameters(handling);
    assert_eq!(good.validate(), Ok(()));
    let with = |handling| BicycleParameters { handling, ..good };
    for (name, bad) in [
        ("mass_kg", BicycleParameters { mass_kg: 0.0, ..good }),
        ("wheelbase_m", BicycleParameters { wheelbase_m: -1.0, ..good }),
        ("max_steering_rad", BicycleParameters { max_steering_rad: f64::NAN, ..good }),
        ("max_speed_mps", BicycleParameters { max_speed_mps: f64::INFINITY, ..good }),
        ("front_weight_fraction", with(HandlingParameters { front_weight_fraction: 1.0, ..handling })),
        ("front_downforce_fraction", with(HandlingParameters { front_downforce_fraction: Some(1.1), ..handling })),
        ("front_brake_fraction", with(HandlingParameters { front_brake_fraction: Some(-0.1), ..handling })),
        ("front_drive_fraction", with(HandlingParameters { front_drive_fraction: Some(f64::NAN), ..handling })),
        ("yaw_inertia_index", with(HandlingParameters { yaw_inertia_index: 0.0, ..handling })),
        ("front_tyre", with(HandlingParameters { front_tyre: TyreSlip::brush(2.0), ..handling })),
        ("rear_tyre", with(HandlingParameters { rear_tyre: TyreSlip::brush(f64::NAN), ..handling })),
        ("rear_grip_reserve", with(HandlingParameters { rear_grip_reserve: -0.1, ..handling })),
        ("centre_of_gravity_m", with(HandlingParameters { centre_of_gravity_m: -0.1, ..handling })),
        ("steering_rate_radps", with(HandlingParameters { steering_rate_radps: 0.0, ..handling })),
        ("lean_rate_radps", with(HandlingParameters { lean_rate_radps: Some(0.0), ..handling })),
        ("sliding_above_mps", with(HandlingParameters { sliding_above_mps: 1.0, ..handling })),
    ] {
        let error = Bicycle::new(LIMITS, &bad).unwrap_err();
        assert_eq!(error.name, name);
        assert!(error.to_string().starts_with(&format!("{name} is ")), "{error}");
    }
}
