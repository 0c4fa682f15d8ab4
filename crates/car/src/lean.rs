//! Vehicles on two wheels: the lean angle, and wheels that lift.
//!
//! A vehicle on two wheels leans into a bend until gravity and the lateral acceleration y balance. With the
//! height h of the centre of gravity and its distances a and b from the front and the rear axle:
//!
//! ```text
//! lean angle           φ  = atan(y / g)                                                      (1)
//! its rate             φ' = y' g / (g² + y²)                                                 (2)
//! rear wheel on road   a_x ≤ g a / h      while braking (a stoppie begins)                   (3)
//! front wheel on road  a_x ≤ g b / h      while driving (a wheelie begins)                   (4)
//! ```
//!
//! a_x is what the tyres give along the road. The rider leans with at most `lean_rate_radps`, which bounds how fast the
//! lateral acceleration changes: from one lean to the other takes a motorcycle a second, where a car turns its front
//! wheels in two tenths. Source: V. Cossalter, *Motorcycle Dynamics* (2nd ed., 2006), sections 4.1.1, 3.6 and 3.7.
//!
//! Deviations: the tyres' width, which adds a few degrees to φ, gyroscopic moments and the lower centre of gravity of
//! a vehicle that leans are left out; the last makes (3) and (4) safe in bends.

use super::validation::MIN_SPEED_STEP;
use super::{DriveLimit, Jet, STANDARD_GRAVITY, Vehicle};
use raceline_numerics::math;

/// Time constant with which a rider reaches a lean that is asked for, s, where the lean rate does not limit it. A longer
/// one follows later.
pub const LEANING_TIME_S: f64 = 0.1;

/// Lean angle at the lateral acceleration `across_mps2`, m/s², rad: equation (1).
///
/// ```
/// use raceline_car::{STANDARD_GRAVITY, lean::lean_rad};
///
/// assert!((lean_rad(STANDARD_GRAVITY).to_degrees() - 45.0).abs() < 1e-9);
/// ```
#[must_use]
pub fn lean_rad(across_mps2: f64) -> f64 {
    math::atan(across_mps2 / STANDARD_GRAVITY)
}

/// What the lean angle changes per change of the lateral acceleration at `across_mps2`, m/s², rad s²/m, with its
/// derivatives with respect to that acceleration: the factor of equation (2).
#[must_use]
pub fn lean_rad_per_mps2(across_mps2: f64) -> Jet {
    let square = across_mps2 * across_mps2;
    let sum = STANDARD_GRAVITY * STANDARD_GRAVITY + square;
    let value = STANDARD_GRAVITY / sum;
    Jet { value, slope: -2.0 * across_mps2 * value / sum, bend: value * (8.0 * square / sum - 2.0) / sum }
}

impl Vehicle {
    /// The largest braking and driving acceleration of the tyres at standstill with both wheels on the road, m/s², of
    /// a vehicle that leans: equations (3) and (4).
    ///
    /// ```
    /// use raceline_car::preset;
    ///
    /// assert_eq!(preset("gt")?.wheel_lift_mps2(), None);
    /// # Ok::<(), raceline_car::VehicleError>(())
    /// ```
    #[must_use]
    pub fn wheel_lift_mps2(&self) -> Option<[f64; 2]> {
        self.lean_rate_radps?;
        let handling = self.handling();
        let front = handling.front_weight_fraction;
        let per_arm = STANDARD_GRAVITY * self.wheelbase_m / handling.centre_of_gravity_m;
        Some([(1.0 - front) * per_arm, front * per_arm])
    }
}

impl DriveLimit {
    /// The drive of a vehicle of `mass_kg` that is held at `highest_mps2`.
    pub(super) fn at_most(&self, highest_mps2: f64, mass_kg: f64) -> Self {
        match self {
            Self::TableMps2(points) => Self::TableMps2(held(points, highest_mps2)),
            Self::TableN(points) => Self::TableN(held(points, highest_mps2 * mass_kg)),
            Self::PowerAndForce { power_w, force_n } => {
                Self::PowerAndForce { power_w: *power_w, force_n: force_n.min(highest_mps2 * mass_kg) }
            }
        }
    }
}

/// The table with its values held at `highest`, with a point where it falls below or rises to it.
pub(super) fn held(points: &[[f64; 2]], highest: f64) -> Vec<[f64; 2]> {
    let mut held: Vec<[f64; 2]> = Vec::with_capacity(points.len());
    for (i, &[speed, value]) in points.iter().enumerate() {
        if let Some(&[from, before]) = i.checked_sub(1).and_then(|before| points.get(before))
            && (before > highest) != (value > highest)
        {
            let crossing = from + (speed - from) * (highest - before) / (value - before);
            // A point on top of another would be a jump.
            if crossing - from > MIN_SPEED_STEP && speed - crossing > MIN_SPEED_STEP {
                held.push([crossing, highest]);
            }
        }
        held.push([speed, value.min(highest)]);
    }
    held
}

#[cfg(test)]
mod tests;
