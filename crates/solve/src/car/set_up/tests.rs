use super::on_tyres_of;
use crate::car::Reserve;
use crate::car::model::{Car, Motion};
use crate::speed::Ground;
use raceline_car::{Vehicle, VehicleError, preset};

/// The car of `changed` with its own limits, and on the tyres of `base`.
fn both(base: &Vehicle, changed: &Vehicle) -> [Car; 2] {
    let written = on_tyres_of(base, changed).expect("a valid set-up");
    let tyres = Car::new(base, Reserve::NONE).expect("a valid vehicle").tyres();
    [
        Car::new(&written, Reserve::NONE).expect("a valid vehicle"),
        Car::on_tyres(changed, tyres).expect("a valid vehicle"),
    ]
}

#[test]
fn the_limits_of_a_new_set_up_mean_the_tyres_of_the_old_one() {
    let mut base = preset("gt").expect("the preset exists");
    let changes: [&[(&str, f64)]; 5] = [
        &[("front_brake_fraction", 0.5)],
        &[("front_brake_fraction", 0.75), ("downforce_kgpm", 3.0)],
        &[("centre_of_gravity_m", 0.5), ("wheelbase_m", 2.7)],
        &[("front_weight_fraction", 0.46), ("front_downforce_fraction", 0.4)],
        &[("grip", 0.9), ("front_brake_fraction", 0.65)],
    ];
    for wheels in [false, true] {
        if wheels {
            (base.front_track_width_m, base.rear_track_width_m) = (Some(1.7), Some(1.65));
            base.tyre_load_sensitivity = Some(0.1);
        }
        for changes in changes {
            // What moves across follows from the file's limit, equation (14) of `model`: a car with
            // wheels whose factor across changes is nearly, but not exactly, on the same tyres.
            if wheels
                && changes.iter().any(|(key, _)| ["centre_of_gravity_m", "front_weight_fraction", "grip"].contains(key))
            {
                continue;
            }
            let changed = base.with_parameters(changes).expect("keys of the vehicle");
            let [written, varied] = both(&base, &changed);
            for (speed, pedal) in [(20.0, -13.0), (60.0, -16.0), (40.0, 2.0)] {
                let motion = Motion { forward: speed, leftward: -0.3, yaw_rate: 0.2, steering: 0.04, pedal };
                let rates = [&written, &varied].map(|car| car.rates(motion, &Ground::LEVEL, 1.0));
                let numbers =
                    rates.map(|rates| [rates.forward, rates.leftward, rates.yaw].into_iter().chain(rates.use_less_one));
                let [first, second] = numbers;
                for (a, b) in first.zip(second) {
                    assert!((a - b).abs() < 1e-9, "{changes:?}, {wheels}: {a} {b}");
                }
            }
        }
    }
}

#[test]
fn braking_is_limited_by_the_axle_that_brakes_more_than_it_carries() {
    // The rear axle carries (a/L - k A h / (g L)) of the weight and brakes 1 - γ of k A; its tyres
    // hold β₀ A / g: k (1 - γ) = β₀ (a/L - k A h / (g L)).
    let base = preset("gt").expect("the preset exists");
    let changed = base.with_parameters(&[("front_brake_fraction", 0.5)]).expect("a key of the vehicle");
    let along = base.longitudinal_limit_mps2;
    let moved =
        along * base.centre_of_gravity_m.expect("of the preset") / (raceline_car::STANDARD_GRAVITY * base.wheelbase_m);
    let before = 0.4_f64 / (0.5 - moved);
    let before = before.max(0.6 / (0.5 + moved));
    let expected = before * 0.5 / (0.5 + before * moved);
    let found = on_tyres_of(&base, &changed).expect("a valid set-up").longitudinal_limit_mps2 / along;
    assert!((found - expected).abs() < 1e-12, "{found} {expected}");
}

#[test]
fn a_table_of_limits_has_those_of_one_set_up() {
    let mut base = preset("gt").expect("the preset exists");
    base.ggv_table = vec![[0.0, 12.0, 12.0], [80.0, 14.0, 14.0]];
    base.downforce_kgpm = 0.0;
    assert!(matches!(on_tyres_of(&base, &base), Err(VehicleError::BesideGgvTable { .. })));
}
