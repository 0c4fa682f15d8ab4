//! One axle with its tyre: slip angle and forces.

use crate::state::BicycleState;
use crate::tyre::{Tyre, inside_ellipse};

/// The limits of the whole vehicle's tyres at one speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TyreLimits {
    pub(crate) longitudinal_mps2: f64,
    pub(crate) lateral_mps2: f64,
    pub(crate) ellipse_exponent: f64,
}

/// Factors on an axle's limits by its loads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct AxleLoad {
    pub(crate) longitudinal: f64,
    pub(crate) lateral: f64,
    /// What the inner wheel lets the axle use of its longitudinal limit, above 0: 1 where both wheels are one.
    pub(crate) usable: f64,
    /// Factor on the slip angle, so that the stiffness is proportional to the load.
    pub(crate) slip: f64,
}

/// An axle, its two wheels taken as one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Axle {
    /// Distance ahead of the centre of gravity, m; negative at the rear.
    pub(crate) ahead_m: f64,
    /// Mass on the axle at rest, kg.
    pub(crate) carried_mass_kg: f64,
    /// The tyre.
    pub(crate) tyre: Tyre,
    /// 1 + the reserve: the axle's lateral limit as a multiple of its part of the vehicle's.
    pub(crate) lateral_factor: f64,
}

impl Axle {
    /// Direction in which the axle moves, rad to the left of the body's; 0 at rest and in reverse.
    pub(crate) fn drift_rad(&self, state: &BicycleState) -> f64 {
        let across = state.leftward_mps + self.ahead_m * state.yaw_rate_radps;
        if state.forward_mps > 0.0 { across.atan2(state.forward_mps) } else { 0.0 }
    }

    /// Longitudinal and lateral force, N, along and across the wheel. `longitudinal` is the demand
    /// as a fraction of the longitudinal limit, `slip_rad` the slip angle, `load` the factors on the
    /// limits by load transfer.
    pub(crate) fn forces_n(&self, limits: &TyreLimits, longitudinal: f64, slip_rad: f64, load: AxleLoad) -> [f64; 2] {
        let lateral = self.tyre.force_fraction(load.slip * slip_rad);
        let (x, y) = inside_ellipse(longitudinal / load.usable, lateral, limits.ellipse_exponent);
        [
            x * self.carried_mass_kg * load.longitudinal * load.usable * limits.longitudinal_mps2,
            y * self.carried_mass_kg * load.lateral * limits.lateral_mps2 * self.lateral_factor,
        ]
    }

    /// Slip angle per lateral acceleration at small slip, rad per m/s², where the vehicle's lateral
    /// limit is `lateral_limit_mps2`.
    pub(crate) fn compliance(&self, lateral_limit_mps2: f64) -> f64 {
        1.0 / (self.tyre.stiffness() * self.lateral_factor * lateral_limit_mps2)
    }
}
