#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use raceline_numerics::{Number, STANDARD_GRAVITY, Second};

use super::{MIN_LOCKING, UsableLoad, Wheels};
use crate::{Vehicle, VehicleError, preset};

const HEIGHT_M: f64 = 0.45;
const WIDTHS_M: [f64; 2] = [1.6, 1.5];
const FRONT_WEIGHT: f64 = 0.46;

/// A car with wheels, whose front axle has the fraction `roll` of the roll stiffness.
fn vehicle(roll: f64, sensitivity: f64) -> Vehicle {
    Vehicle {
        front_track_width_m: Some(WIDTHS_M[0]),
        rear_track_width_m: Some(WIDTHS_M[1]),
        front_roll_stiffness_fraction: Some(roll),
        tyre_load_sensitivity: Some(sensitivity),
        centre_of_gravity_m: Some(HEIGHT_M),
        front_weight_fraction: Some(FRONT_WEIGHT),
        rear_grip_reserve: Some(0.0),
        ..preset("tum-racecar").unwrap()
    }
}

fn loads() -> [f64; 2] {
    [FRONT_WEIGHT, 1.0 - FRONT_WEIGHT].map(|weight| weight * STANDARD_GRAVITY)
}

/// Usable loads while braking on a level road.
fn braking(wheels: &Wheels, lateral: f64) -> [UsableLoad<f64>; 2] {
    wheels.usable_loads(loads(), loads(), lateral, 0.0)
}

/// Load that moved at an axle, by what is usable along: twice the inner load, and the friction's part of the rest.
fn moved(load: f64, usable: UsableLoad<f64>) -> f64 {
    0.5 * (load - usable.along) / (1.0 - MIN_LOCKING)
}

#[test]
fn the_moments_of_the_moved_loads_are_that_of_the_lateral_force() {
    // Statics: m a_y h = Σ ΔN_i t_i, and each axle has its part by the roll stiffness.
    for roll in [0.3, 0.5, 0.6] {
        let wheels = vehicle(roll, 0.0).wheels().unwrap();
        for lateral in [-11.0, -6.0, 4.0, 8.0] {
            let moments: Vec<f64> =
                (0..2).map(|i| moved(loads()[i], braking(&wheels, lateral)[i]) * WIDTHS_M[i]).collect();
            let whole = HEIGHT_M * f64::abs(lateral);
            assert!(((moments[0] + moments[1]) / whole - 1.0).abs() < 0.01, "{roll} {lateral}: {moments:?} {whole}");
            assert!((moments[0] / whole - roll).abs() < 0.015, "{roll} {lateral}: {moments:?} {whole}");
        }
    }
}

#[test]
fn what_a_lifted_wheel_does_not_carry_moves_at_the_other_axle() {
    let wheels = vehicle(0.85, 0.0).wheels().unwrap();
    let lateral = 10.0;
    // By (2) alone, the front would move 2.39 m/s² of the 2.26 that its inner wheel has.
    let [front, rear] = braking(&wheels, lateral);
    let front = moved(loads()[0], front);
    assert!(front < 0.5 * loads()[0] && front > 0.94 * 0.5 * loads()[0], "{front}");
    let rear = moved(loads()[1], rear) * WIDTHS_M[1];
    let rest = HEIGHT_M * lateral - front * WIDTHS_M[0];
    assert!((rear / rest - 1.0).abs() < 0.02 && rest > 1.2 * 0.15 * HEIGHT_M * lateral, "{rear} {rest}");
}

#[test]
fn degressive_tyres_lose_with_the_square_of_the_moved_load() {
    // Σ N_w (1 - k (N_w / N₀ - 1)) with N_w = N/2 ± ΔN and N₀ = N/2 is N (1 - k (2 ΔN / N)²).
    let (roll, k) = (0.55, 0.15);
    let wheels = vehicle(roll, k).wheels().unwrap();
    for lateral in [2.0, 6.0, 10.0] {
        for (i, part) in [roll, 1.0 - roll].into_iter().enumerate() {
            let ratio = 2.0 * part * HEIGHT_M * lateral / (WIDTHS_M[i] * loads()[i]);
            let found = braking(&wheels, lateral)[i].across / loads()[i];
            assert!((found - (1.0 - k * ratio * ratio)).abs() < 3e-3, "{lateral} {i}: {found} {ratio}");
        }
    }
    // Load along the car: an axle with the load n N⁰ has n (1 - k (n - 1)) N⁰.
    let [front, _] = wheels.usable_loads([1.4 * loads()[0], loads()[1]], loads(), 0.0, 0.0);
    assert!((front.across / loads()[0] - 1.4 * (1.0 - 0.4 * k)).abs() < 1e-4);
    assert!((front.along / front.across - 1.0).abs() < 1e-12, "straight ahead both wheels are alike");
}

#[test]
fn the_inner_wheel_limits_brakes_and_an_open_differential() {
    for (lock, driving, usable_by_outer) in
        [(0.0, 1.0, MIN_LOCKING), (1.0, 1.0, 1.0), (0.4, 1.0, 0.4), (1.0, 0.0, MIN_LOCKING)]
    {
        let vehicle = Vehicle { differential_lock_fraction: Some(lock), ..vehicle(0.5, 0.0) };
        let wheels = vehicle.wheels().unwrap();
        for (load, usable) in loads().into_iter().zip(wheels.usable_loads(loads(), loads(), 7.0, driving)) {
            let moved = moved(load, braking(&wheels, 7.0)[usize::from(load > 5.0)]);
            let expected = load - 2.0 * moved * (1.0 - usable_by_outer);
            assert!((usable.along / expected - 1.0).abs() < 1e-9, "{lock} {driving}: {} {expected}", usable.along);
            assert_eq!(usable.across, load);
        }
    }
}

#[test]
fn loads_are_rounded_as_the_equations_state() {
    // Half of the roll stiffness on each of two equal axles: nothing is kept by the other one where both lift alike.
    let even = Vehicle {
        rear_track_width_m: Some(WIDTHS_M[0]),
        front_weight_fraction: Some(0.5),
        differential_lock_fraction: Some(0.0),
        ..vehicle(0.5, 0.0)
    };
    let wheels = even.wheels().unwrap();
    let load = 0.5 * STANDARD_GRAVITY;
    let along = |lateral: f64| wheels.usable_loads([load; 2], [load; 2], lateral, 1.0)[0].along;
    // (1) with ε = 0.5 m/s²: at a lateral acceleration of ε, the load moves that belongs to ε / √2.
    let moved = 0.5 * HEIGHT_M * 0.5 / 2.0_f64.sqrt() / WIDTHS_M[0];
    // An open differential has a locking of 0.02 by friction: (7) loses 98 % of the difference of both wheels.
    let lost = 0.98 * 2.0 * moved;
    assert!(((load - along(0.5)) / lost - 1.0).abs() < 0.01, "{} {lost}", load - along(0.5));
    // (3) with s = 0.1: where all of the inner wheel's load would have moved, ψ(0) / ψ(1) of it is left, s / (1 + √(1 + s²)),
    // and what is left there moves once more at the other axle, with the same rounding.
    let lifting = STANDARD_GRAVITY * WIDTHS_M[0] / (2.0 * HEIGHT_M);
    let of = |z: f64| (z + (z * z + 0.01).sqrt()) / (1.0 + 1.01_f64.sqrt());
    let inner = of(-of(0.0)) * 0.5 * load;
    let expected = 2.0 * inner + 0.02 * (load - 2.0 * inner);
    assert!((along(lifting) / expected - 1.0).abs() < 0.01, "{} {expected}", along(lifting));
}

#[test]
fn without_height_and_sensitivity_an_axle_is_one_wheel() {
    let vehicle = Vehicle { centre_of_gravity_m: Some(0.0), ..vehicle(0.7, 0.0) };
    let wheels = vehicle.wheels().unwrap();
    assert_eq!(wheels.lateral_factor(), 1.0);
    for (usable, load) in braking(&wheels, 11.0).into_iter().zip(loads()) {
        assert!(usable.across == load && (usable.along / load - 1.0).abs() < 1e-12);
    }
}

#[test]
fn the_axle_that_loses_more_keeps_its_part_of_the_lateral_limit() {
    let base = vehicle(0.7, 0.2);
    let limit = base.lateral_limit_mps2;
    for (roll, reserve) in [(0.7, 0.0), (0.2, 0.0), (0.2, 0.1)] {
        let vehicle =
            Vehicle { front_roll_stiffness_fraction: Some(roll), rear_grip_reserve: Some(reserve), ..base.clone() };
        let wheels = vehicle.wheels().unwrap();
        let usable = braking(&wheels, limit);
        let parts: Vec<f64> =
            (0..2).map(|i| wheels.lateral_factor() * [1.0, 1.0 + reserve][i] * usable[i].across / loads()[i]).collect();
        assert!((parts[0].min(parts[1]) - 1.0).abs() < 1e-12, "{roll} {reserve}: {parts:?}");
        assert_eq!(parts[0] < parts[1], roll > 0.5, "{parts:?}");
    }
    // The default of the split unloads both inner wheels alike.
    let even = Vehicle { front_roll_stiffness_fraction: None, ..base };
    let [front, rear] = braking(&even.wheels().unwrap(), 8.0);
    assert!((front.along / loads()[0] - rear.along / loads()[1]).abs() < 2e-3);
    assert_eq!(even.with_defaults().wheels(), even.wheels());
}

#[test]
fn derivatives_are_those_of_differences() {
    let vehicle = Vehicle { differential_lock_fraction: Some(0.3), ..vehicle(0.62, 0.12) };
    let wheels = vehicle.wheels().unwrap();
    let level = [5.2, 5.9];
    // Front and rear load, lateral acceleration, driving: inner wheels on the ground, lifted, straight ahead.
    for x in [[5.0, 5.5, 7.0, 0.3], [3.0, 7.0, -11.0, 0.8], [5.0, 5.0, 0.05, 0.5], [6.0, 4.0, 14.0, 0.0]] {
        let at = |x: [f64; 4]| wheels.usable_loads([x[0], x[1]], level, x[2], x[3]);
        let carried = |x: [f64; 4]| {
            let [front, rear, lateral, driving] = std::array::from_fn(|k| Second::<4>::variable(x[k], k));
            wheels.usable_loads([front, rear], level.map(Second::constant), lateral, driving)
        };
        let h = 1e-5;
        for k in 0..4 {
            let moved = |by: f64| std::array::from_fn(|i| if i == k { x[i] + by } else { x[i] });
            for axle in 0..2 {
                let pick = |usable: [UsableLoad<f64>; 2]| [usable[axle].across, usable[axle].along];
                let (up, down) = (pick(at(moved(h))), pick(at(moved(-h))));
                let of = |usable: [UsableLoad<Second<4>>; 2]| [usable[axle].across, usable[axle].along];
                let (here, after, before) = (of(carried(x)), of(carried(moved(h))), of(carried(moved(-h))));
                for f in 0..2 {
                    assert!((here[f].value() - pick(at(x))[f]).abs() < 1e-12);
                    let slope = (up[f] - down[f]) / (2.0 * h);
                    assert!((slope - here[f].gradient[k]).abs() < 1e-6, "{x:?} {axle} {f} {k}: {slope}");
                    for j in 0..4 {
                        let bend = (after[f].gradient[j] - before[f].gradient[j]) / (2.0 * h);
                        let exact = here[f].hessian[k][j];
                        assert!((bend - exact).abs() < 1e-5 * (1.0 + exact.abs()), "{x:?} {axle} {f}: {bend} {exact}");
                    }
                }
            }
        }
    }
}

#[test]
fn usable_loads_are_above_zero_at_any_load() {
    let wheels = vehicle(0.9, 0.3).wheels().unwrap();
    for load in [0.01, 1.0, 10.0, 1e3] {
        for lateral in [0.0, 10.0, -1e3] {
            for usable in wheels.usable_loads([load, 5.0], [5.0; 2], lateral, 0.0) {
                assert!(usable.across > 0.0 && usable.along > 0.0 && usable.across.is_finite(), "{load} {lateral}");
            }
        }
    }
}

#[test]
fn keys_of_wheels_need_track_widths() {
    for (key, bad) in [
        ("rear_track_width_m", Vehicle { front_track_width_m: None, ..vehicle(0.5, 0.1) }),
        ("front_track_width_m", Vehicle { rear_track_width_m: None, ..vehicle(0.5, 0.1) }),
        ("tyre_load_sensitivity", Vehicle { tyre_load_sensitivity: Some(0.1), ..preset("gt").unwrap() }),
        ("differential_lock_fraction", Vehicle { differential_lock_fraction: Some(0.1), ..preset("gt").unwrap() }),
    ] {
        match bad.validate().unwrap_err() {
            VehicleError::MissingBeside { key: found, .. } => assert_eq!(found, key),
            other => panic!("{other}"),
        }
    }
    assert!(vehicle(0.5, 0.1).validate().is_ok() && preset("gt").unwrap().wheels().is_none());
}

#[test]
fn a_car_that_overturns_below_its_lateral_limit_is_refused() {
    // Both inner wheels lift where h a = g t / 2: 12 m/s² at a height of 0.63 m.
    let mean = FRONT_WEIGHT * WIDTHS_M[0] + (1.0 - FRONT_WEIGHT) * WIDTHS_M[1];
    let height = STANDARD_GRAVITY * mean / (2.0 * 12.0);
    let with = |height: f64| Vehicle { centre_of_gravity_m: Some(height), ..vehicle(0.5, 0.0) };
    assert!(with(0.999 * height).validate().is_ok());
    let error = with(1.001 * height).validate().unwrap_err();
    assert!(matches!(error, VehicleError::Overturns { .. }), "{error}");
    assert!(error.to_string().contains("lower the limit or centre_of_gravity_m"), "{error}");
}
