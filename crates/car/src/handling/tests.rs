use super::{FRONT_BRAKE_RANGE, Known};
use crate::closeness::assert_close;
use crate::{STANDARD_GRAVITY, TyreSlip, Vehicle, preset};

#[track_caller]
/// A vehicle without any of the keys that have a default.
fn bare() -> Vehicle {
    Vehicle {
        mass_kg: 900.0,
        wheelbase_m: 2.7,
        lateral_limit_mps2: 9.0,
        longitudinal_limit_mps2: 7.0,
        max_curvature_radpm: 0.13,
        max_steering_rad: None,
        steering_rate_radps: None,
        peak_slip_rad: None,
        cornering_stiffness_per_rad: None,
        front_weight_fraction: None,
        front_downforce_fraction: None,
        yaw_inertia_kgm2: None,
        centre_of_gravity_m: None,
        front_brake_fraction: None,
        front_drive_fraction: None,
        rear_grip_reserve: None,
        ..preset("gt").unwrap()
    }
}

#[test]
fn defaults_are_those_of_the_equations() {
    let handling = bare().handling();
    assert_eq!((handling.front_weight_fraction, handling.front_downforce_fraction), (0.5, 0.5));
    assert_close(handling.gyration_m2, 1.35 * 1.35);
    assert_close(handling.centre_of_gravity_m, 0.2 * 2.7);
    assert_eq!((handling.peak_slip_rad, handling.steering_rate_radps), (0.12, 1.0));
    assert_close(handling.front_brake_fraction, 0.5 + 7.0 / STANDARD_GRAVITY * 0.2);
    assert_eq!((handling.front_drive_fraction, handling.rear_grip_reserve), (0.0, 0.05));
    assert_close(handling.max_steering_rad, (2.7_f64 * 0.13).atan() + handling.brush_peak_slip_rad);
    assert_eq!(handling.tyre_slip.linear_fraction(), 0.0);
    assert_eq!(handling.brush_peak_slip_rad, handling.tyre_slip.peak_rad());
    // Weight in front moves the axles, and with them the inertia and the brakes.
    let handling = Vehicle { front_weight_fraction: Some(0.4), centre_of_gravity_m: Some(0.6), ..bare() }.handling();
    assert_eq!(handling.front_downforce_fraction, 0.4);
    assert_close(handling.gyration_m2, 0.6 * 2.7 * 0.4 * 2.7);
    assert_close(handling.front_brake_fraction, 0.4 + 7.0 / STANDARD_GRAVITY * 0.6 / 2.7);
}

#[test]
fn brakes_by_the_load_stay_within_their_range() {
    for (height, expected) in [(0.0, 0.5), (5.0, FRONT_BRAKE_RANGE[1])] {
        let vehicle = Vehicle { centre_of_gravity_m: Some(height), ..bare() };
        assert_close(vehicle.handling().front_brake_fraction, expected);
    }
    let light = Known { front_weight_fraction: Some(0.05), centre_of_gravity_m: Some(0.0), ..Known::default() };
    assert_close(light.completed(2.5, [9.0, 9.0]).front_brake_fraction, FRONT_BRAKE_RANGE[0]);
}

#[test]
fn keys_take_the_place_of_defaults() {
    let vehicle = Vehicle {
        steering_rate_radps: Some(0.7),
        peak_slip_rad: Some(0.15),
        front_weight_fraction: Some(0.45),
        front_downforce_fraction: Some(0.41),
        yaw_inertia_kgm2: Some(1800.0),
        centre_of_gravity_m: Some(0.33),
        front_brake_fraction: Some(0.62),
        front_drive_fraction: Some(0.25),
        rear_grip_reserve: Some(0.02),
        ..bare()
    };
    let handling = vehicle.handling();
    assert_eq!((handling.front_weight_fraction, handling.front_downforce_fraction), (0.45, 0.41));
    assert_eq!((handling.gyration_m2, handling.centre_of_gravity_m), (2.0, 0.33));
    assert_eq!((handling.front_brake_fraction, handling.front_drive_fraction), (0.62, 0.25));
    assert_eq!((handling.peak_slip_rad, handling.steering_rate_radps), (0.15, 0.7));
    assert_eq!(handling.rear_grip_reserve, 0.02);
    for given in [0.1, handling.max_steering_rad + 0.1] {
        assert_eq!(Vehicle { max_steering_rad: Some(given), ..vehicle.clone() }.handling().max_steering_rad, given);
    }
}

#[test]
fn tyres_are_those_of_what_is_known_of_them() {
    let known = |peak_slip_rad: Option<f64>, cornering_stiffness_per_rad: Option<f64>| {
        let vehicle = Vehicle { peak_slip_rad, cornering_stiffness_per_rad, ..bare() };
        let tyre = vehicle.known_tyre_slip();
        if let Some(tyre) = tyre {
            assert_eq!(tyre, vehicle.handling().tyre_slip);
        }
        tyre
    };
    assert!(known(None, None).is_none());
    // Equation (6): 9 m/s² by g and the stiffness.
    let slope = 9.0 / (STANDARD_GRAVITY * 20.0);
    let stiff = known(None, Some(20.0)).unwrap();
    assert_close(stiff.slope_rad(), slope);
    assert_close(stiff.peak_rad(), 3.0 * slope);
    // Of a soft tyre, whose slip of a unit of use is 3 rad, too.
    assert_close(known(None, Some(0.3)).unwrap().peak_rad(), 3.0 * 9.0 / (STANDARD_GRAVITY * 0.3));
    let both = known(Some(0.1), Some(20.0)).unwrap();
    assert_close(both.slope_rad(), slope);
    assert_close(both.peak_rad(), 0.1);
    let peaked = known(Some(0.1), None).unwrap();
    assert_eq!(peaked.linear_fraction(), 0.0);
    assert_eq!(peaked, TyreSlip::brush(raceline_numerics::brush_peak_slip_rad(0.1)));
}

#[test]
fn limits_at_standstill_are_those_of_a_table_where_there_is_one() {
    assert_eq!(bare().limits_at_standstill(), [7.0, 9.0]);
    let tabled = Vehicle { ggv_table: vec![[0.0, 11.0, 12.0], [30.0, 15.0, 16.0]], ..bare() };
    assert_eq!(tabled.limits_at_standstill(), [11.0, 12.0]);
}

#[test]
fn a_vehicle_with_its_defaults_handles_alike_and_keeps_its_keys() {
    let vehicle = Vehicle { centre_of_gravity_m: Some(0.31), ..bare() };
    let filled = vehicle.with_defaults();
    let [before, after] = [&vehicle, &filled].map(Vehicle::handling);
    assert_eq!(filled.centre_of_gravity_m, Some(0.31));
    assert_close(filled.yaw_inertia_kgm2.unwrap(), 900.0 * 1.35 * 1.35);
    assert_eq!(filled.front_weight_fraction, Some(0.5));
    assert_eq!(filled.front_downforce_fraction, Some(0.5));
    assert_eq!(filled.front_brake_fraction, Some(before.front_brake_fraction));
    assert_eq!((filled.front_drive_fraction, filled.rear_grip_reserve), (Some(0.0), Some(0.05)));
    assert_eq!((filled.peak_slip_rad, filled.steering_rate_radps), (Some(0.12), Some(1.0)));
    assert_eq!((filled.max_steering_rad, filled.front_track_width_m), (None, None));
    assert_eq!((filled.front_roll_stiffness_fraction, filled.tyre_load_sensitivity), (None, None));
    assert_close(after.gyration_m2, before.gyration_m2);
    assert_eq!(after.front_brake_fraction, before.front_brake_fraction);
    // With track widths, the keys of wheels too: 0.5 · 1.6 of 0.5 · (1.6 + 1.4).
    let wide = Vehicle { front_track_width_m: Some(1.6), rear_track_width_m: Some(1.4), ..bare() }.with_defaults();
    assert_close(wide.front_roll_stiffness_fraction.unwrap(), 1.6 / 3.0);
    assert_eq!((wide.tyre_load_sensitivity, wide.differential_lock_fraction), (Some(0.0), Some(0.0)));
}
