//! Cars and drives for the tests.

#![allow(clippy::unwrap_used, reason = "a helper of a test fails the test")]

use raceline_vehicle_simulation::{
    Bicycle, BicycleParameters, BicycleState, ConstantLimits, Controls, HandlingParameters,
};

pub const STEP_S: f64 = 1e-3;

/// 12 m/s² in each direction, 4 m/s² by the drive at any speed, no resistance.
pub const LIMITS: ConstantLimits = ConstantLimits {
    longitudinal_mps2: 12.0,
    lateral_mps2: 12.0,
    drive_mps2: 4.0,
    resistance_mps2: 0.0,
    ellipse_exponent: 2.0,
};

/// A car of 1.2 t with a wheelbase of 3 m.
pub fn parameters(handling: HandlingParameters) -> BicycleParameters {
    BicycleParameters { mass_kg: 1200.0, wheelbase_m: 3.0, max_steering_rad: 0.46, max_speed_mps: 200.0, handling }
}

pub fn car_with(handling: HandlingParameters) -> Bicycle<ConstantLimits> {
    Bicycle::new(LIMITS, &parameters(handling)).unwrap()
}

pub fn car() -> Bicycle<ConstantLimits> {
    car_with(HandlingParameters::default())
}

pub fn straight(speed_mps: f64) -> BicycleState {
    BicycleState { forward_mps: speed_mps, ..BicycleState::default() }
}

pub fn pedal(pedal: f64) -> Controls {
    Controls { pedal, ..Controls::default() }
}

/// Drives for `seconds` with a pedal that keeps `speed_mps`, and a constant steering angle.
pub fn circle(car: &Bicycle<ConstantLimits>, speed_mps: f64, steering_rad: f64, seconds: f64) -> BicycleState {
    let mut state = straight(speed_mps);
    for _ in 0..(seconds / STEP_S) as usize {
        let pedal = 5.0 * (speed_mps - state.forward_mps);
        car.advance(&mut state, &Controls { pedal, steering_rad, reverse: false }, STEP_S);
    }
    state
}

pub fn assert_near(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found}, not {expected} ± {tolerance}");
}
