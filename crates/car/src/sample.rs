//! A vehicle for the tests of several modules.

use crate::{DriveLimit, Vehicle, preset};

/// A motorcycle, 1.4 m from axle to axle, whose centre of gravity is 0.7 m high.
#[track_caller]
#[allow(clippy::unwrap_used, reason = "a helper of a test fails the test")]
pub(super) fn motorcycle() -> Vehicle {
    Vehicle {
        mass_kg: 250.0,
        wheelbase_m: 1.4,
        lateral_limit_mps2: 12.0,
        longitudinal_limit_mps2: 14.0,
        ellipse_exponent: 2.0,
        downforce_kgpm: 0.0,
        drag_kgpm: 0.3,
        rolling_resistance: 0.0,
        centre_of_gravity_m: Some(0.7),
        front_weight_fraction: Some(0.4),
        lean_rate_radps: Some(1.5),
        driving_limit_table: Vec::new(),
        driving_exponent: None,
        drive: DriveLimit::PowerAndForce { power_w: 150e3, force_n: 4000.0 },
        ..preset("kart").unwrap()
    }
}
