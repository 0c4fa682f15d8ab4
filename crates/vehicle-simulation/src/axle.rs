//! One axle with its tyre: slip angle and forces.

use crate::state::BicycleState;
use crate::tyre::{Tyre, inside_ellipse};
use raceline_numerics::math;

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
    /// n_i, the load itself by that at rest.
    pub(crate) carried: f64,
    /// k n_i, with wheels by X_i.
    pub(crate) longitudinal: f64,
    /// n_i / min(n_f, n_r), with wheels by C_i.
    pub(crate) lateral: f64,
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
        if state.forward_mps > 0.0 { math::atan2(across, state.forward_mps) } else { 0.0 }
    }

    /// Longitudinal and lateral force, N, along and across the wheel. `demand_n` is the longitudinal
    /// force that pedal and brakes ask for, `slip_rad` the slip angle, `load` the factors on the
    /// limits by load transfer.
    pub(crate) fn forces_n(&self, limits: &TyreLimits, demand_n: f64, slip_rad: f64, load: AxleLoad) -> [f64; 2] {
        let lateral = self.tyre.force_fraction(load.slip * slip_rad);
        let max_along_n = self.carried_mass_kg * load.longitudinal * limits.longitudinal_mps2;
        let (x, y) = inside_ellipse(demand_n / max_along_n, lateral, limits.ellipse_exponent);
        [x * max_along_n, y * self.carried_mass_kg * load.lateral * limits.lateral_mps2 * self.lateral_factor]
    }

    /// Slip angle per lateral acceleration at small slip, rad per m/s², where the vehicle's lateral
    /// limit is `lateral_limit_mps2`.
    pub(crate) fn compliance(&self, lateral_limit_mps2: f64) -> f64 {
        1.0 / (self.tyre.stiffness() * self.lateral_factor * lateral_limit_mps2)
    }
}
