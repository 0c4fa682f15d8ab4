use super::Turning;
use crate::closeness::assert_close;
use crate::{Vehicle, preset};

#[track_caller]
fn point_mass() -> Vehicle {
    Vehicle {
        mass_kg: 900.0,
        wheelbase_m: 2.7,
        steering_rate_radps: None,
        peak_slip_rad: None,
        cornering_stiffness_per_rad: None,
        front_weight_fraction: None,
        yaw_inertia_kgm2: None,
        ..preset("gt").unwrap()
    }
}

#[test]
fn a_point_mass_turns_at_no_cost() {
    let turning = Turning::of(&point_mass());
    assert!(turning.is_free() && !turning.has_inertia());
    assert_eq!(turning, Turning { wheelbase_m: 2.7, ..Turning::default() });
    // Inertia without the place of the axles is not known at either.
    for incomplete in [
        Vehicle { yaw_inertia_kgm2: Some(1800.0), ..point_mass() },
        Vehicle { front_weight_fraction: Some(0.4), ..point_mass() },
    ] {
        assert!(Turning::of(&incomplete).is_free());
    }
}

#[test]
fn each_cost_is_that_of_its_equation() {
    let inert = Vehicle { yaw_inertia_kgm2: Some(1800.0), front_weight_fraction: Some(0.4), ..point_mass() };
    let turning = Turning::of(&inert);
    // I / (m b) with b = f L and I / (m a) with a = (1 - f) L.
    assert_close(turning.front_m, 2.0 / (0.4 * 2.7));
    assert_close(turning.rear_m, 2.0 / (0.6 * 2.7));
    assert!(turning.has_inertia() && !turning.is_free());
    assert_eq!((turning.slip_drag_rad, turning.steering_time_sm), (0.0, 0.0));

    let slipping = Vehicle { peak_slip_rad: Some(0.11), ..point_mass() };
    let turning = Turning::of(&slipping);
    assert_close(turning.slip_drag_rad, 0.5 * slipping.handling().brush_peak_slip_rad);
    assert!(!turning.has_inertia() && !turning.is_free());
    assert_eq!((turning.front_m, turning.rear_m, turning.steering_time_sm), (0.0, 0.0, 0.0));

    let turning = Turning::of(&Vehicle { steering_rate_radps: Some(0.6), ..point_mass() });
    // A line may need 0.85 of the rate.
    assert_close(turning.steering_time_sm, 2.7 / (0.85 * 0.6));
    assert!(!turning.has_inertia() && !turning.is_free());
    assert_eq!((turning.front_m, turning.slip_drag_rad), (0.0, 0.0));
}

#[test]
fn a_vehicle_that_leans_turns_as_it_leans() {
    let turning = Turning::of(&Vehicle { steering_rate_radps: Some(0.5), lean_rate_radps: Some(1.5), ..point_mass() });
    // A line may need 0.8 of the rate.
    assert_close(turning.lean_rate_radps, 1.2);
    assert_eq!(turning.steering_time_sm, 0.0);
    let only_leans = Turning { lean_rate_radps: 1.2, ..Turning::default() };
    assert!(!only_leans.is_free() && !only_leans.has_inertia());
}
