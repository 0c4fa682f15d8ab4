//! Derivatives by a parameter at the ends of its range, and by one that is zero.

use std::cell::Cell;

use raceline_car::{Parameter, Vehicle, preset};

use crate::speed::{Effect, SpeedError, sensitivities_of};

/// The derivative of `lap_time` by a key, s per unit, and the vehicle's value of the key.
fn derivative_of(
    vehicle: &Vehicle,
    key: &str,
    lap_time: &dyn Fn(&Vehicle) -> Result<f64, SpeedError>,
) -> Result<Option<f64>, SpeedError> {
    let value = vehicle.parameter(key).unwrap().unwrap_or(0.0);
    let parameter = Parameter { key: key.to_owned(), value, unit: "" };
    let found = sensitivities_of(lap_time, vehicle, vec![parameter], 1e-9)?;
    Ok(found.first().map(|sensitivity| match sensitivity.effect {
        Effect::LapTime { s_per_unit, .. } => s_per_unit,
        Effect::Road => panic!("{key} does not change the road"),
    }))
}

fn axles(front_downforce_fraction: f64) -> Vehicle {
    Vehicle {
        front_weight_fraction: Some(0.5),
        front_downforce_fraction: Some(front_downforce_fraction),
        ..preset("gt").unwrap()
    }
}

#[test]
fn at_an_end_of_the_range_the_other_side_is_used() {
    let key = "front_downforce_fraction";
    // 100 s and 3 f - 2 f² s: a parabola, of which differences of the second order are exact.
    let lap_time = |vehicle: &Vehicle| -> Result<f64, SpeedError> {
        vehicle.validate()?;
        let fraction = vehicle.front_downforce_fraction.unwrap();
        Ok(100.0 + 3.0 * fraction - 2.0 * fraction * fraction)
    };
    for (fraction, slope) in [(1.0, -1.0), (0.4, 1.4), (0.0, 3.0)] {
        let found = derivative_of(&axles(fraction), key, &lap_time).unwrap().unwrap();
        assert!((found - slope).abs() < 1e-6, "{fraction}: {found}");
    }
    // From the lower end of a range that is not 0: the exponent of the ellipse, from 1 on.
    let at_one = Vehicle { ellipse_exponent: 1.0, ..preset("gt").unwrap() };
    let by_exponent = |vehicle: &Vehicle| -> Result<f64, SpeedError> {
        vehicle.validate()?;
        Ok(100.0 + 5.0 * vehicle.ellipse_exponent)
    };
    let found = derivative_of(&at_one, "ellipse_exponent", &by_exponent).unwrap().unwrap();
    assert!((found - 5.0).abs() < 1e-6, "{found}");
}

#[test]
fn other_errors_to_either_side_are_returned() {
    let own = preset("gt").unwrap();
    let wrong = SpeedError::TooFewPoints { points: 1 };
    for sign in [1.0, -1.0] {
        let lap_time = |vehicle: &Vehicle| -> Result<f64, SpeedError> {
            if sign * (vehicle.mass_kg - own.mass_kg) > 0.0 { Err(wrong.clone()) } else { Ok(100.0) }
        };
        assert_eq!(derivative_of(&own, "mass_kg", &lap_time), Err(wrong.clone()));
    }
}

#[test]
fn a_step_from_zero_grows_until_the_lap_time_changes() {
    let vehicle = Vehicle { rolling_resistance: 0.0, ..preset("gt").unwrap() };
    let largest = Cell::new(0.0_f64);
    let by_resistance = |per_unit: f64| {
        largest.set(0.0);
        let lap_time = |vehicle: &Vehicle| -> Result<f64, SpeedError> {
            largest.set(largest.get().max(vehicle.rolling_resistance));
            Ok(100.0 + per_unit * vehicle.rolling_resistance)
        };
        let found = derivative_of(&vehicle, "rolling_resistance", &lap_time).unwrap().unwrap();
        assert!((found - per_unit).abs() <= 1e-6 * per_unit.abs(), "{found} for {per_unit}");
        largest.get()
    };
    // 20 s per unit change the lap by 1 ms at 1e-4, of which the second step is twice as long; and
    // so on.
    for (per_unit, step) in [(20.0, 1e-4), (-20.0, 1e-4), (0.2, 1e-2), (2000.0, 1e-6)] {
        assert!((by_resistance(per_unit) / (2.0 * step) - 1.0).abs() < 1e-9, "{per_unit}: {}", largest.get());
    }
}

#[test]
fn what_is_zero_and_has_no_effect_has_a_derivative_of_zero() {
    let largest = Cell::new(0.0_f64);
    let lap_time = |vehicle: &Vehicle| -> Result<f64, SpeedError> {
        vehicle.validate()?;
        largest.set(largest.get().max(vehicle.downforce_kgpm));
        Ok(100.0)
    };
    // The last step is 1, and twice that.
    let vehicle = Vehicle { downforce_kgpm: 0.0, ..preset("gt").unwrap() };
    assert_eq!(derivative_of(&vehicle, "downforce_kgpm", &lap_time), Ok(Some(0.0)));
    assert_eq!(largest.get(), 2.0);
    // A fraction ends at 1, one of the limits at 0.5.
    assert_eq!(derivative_of(&axles(0.0), "front_downforce_fraction", &lap_time), Ok(Some(0.0)));
    let reserved = Vehicle { longitudinal_reserve: Some(0.0), ..axles(0.0) };
    assert_eq!(derivative_of(&reserved, "longitudinal_reserve", &lap_time), Ok(Some(0.0)));
}
