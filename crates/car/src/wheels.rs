//! The four wheels of a car: load that moves across its axles, tyres whose friction falls with their load, and
//! forces along the road that are divided between both wheels of an axle.
//!
//! Optimiser and simulation take this from here, so that a car is driven as it was optimised; the follower's control at
//! the limit does not know it. All forces are divided by the mass. With the load N_i of axle i, its load N⁰_i at this
//! speed on a level road, its track width t_i and fraction ρ_i of the roll stiffness (ρ_f + ρ_r = 1), the height h of the
//! centre of gravity, and the acceleration a_y by the tyres' lateral forces:
//!
//! ```text
//! magnitude      a   = a_y² / √(a_y² + ε²)                  ε = 0.5 m/s²                      (1)
//! transfer       ΔN_i = ρ_i h a / t_i                                                        (2)
//! inner wheel    z_i = 1 - 2 ΔN_i / N_i     N_in = N_i/2 ψ(z_i) / ψ(1)    N_out = N_i - N_in    (3)
//!                ψ(z) = (z + √(z² + s²)) / 2                 s = 0.1
//! lifted         ΔN_j += (N_in,i - N_i/2 + ΔN_i) t_i / t_j   for the other axle j, then (3)     (4)
//! friction       q_w = 1 - k (2 N_w / N⁰_i - 1)     as ψ(q)/ψ(1) with s = 0.02, so that q > 0     (5)
//! across         C_i = N_in q_in + N_out q_out                                               (6)
//! along          X_i = 2 N_in q_in + S (N_out q_out - N_in q_in)                             (7)
//! ```
//!
//! C_i and X_i are the loads that stand for axle i in its lateral and longitudinal limit. k is `tyre_load_sensitivity`: the
//! friction coefficient falls linearly with the wheel's load.
//!
//! **Across**: both wheels have the same slip angle, so their forces add up.
//!
//! **Along**: brakes, and a differential that is open, give both wheels the same force, so the inner one limits both: twice its
//! load counts. A locked differential uses all of the axle's load. In between, (7) is linear in the locking S of the
//! differential: it does not fall below 0.02, because no differential is free of friction, and it applies to what drives; brakes
//! have 0.02.
//!
//! **The loads are explicit.** Load transfer by the tyres' forces would be a loop: forces limited by loads, loads moved by
//! forces. Callers give the a_y of the tyres on axles whose load has not moved across, which is exact for k = 0; the
//! simulation repeats the step with the forces found.
//!
//! **A wheel in the air** carries nothing, so what it would have lost moves at the other axle (4), once. When both inner
//! wheels lift, the car overturns: [`Vehicle::validate`] refuses a vehicle whose lateral limit is beyond that,
//! h A_y > g (f t_f + (1 - f) t_r) / 2.
//!
//! **The vehicle's limits remain its own.** A_y is the acceleration which the vehicle reaches on a level circle, measured with
//! all its load transfer. So tyres are better than A_y / g by the factor
//!
//! ```text
//! 1 / min(c_f, (1 + reserve) c_r)      c_i = C_i / N_i at rest with a_y = A_y                 (8)
//! ```
//!
//! and the keys change which axle limits, and what braking, driving and banking leave, not the limit of a level bend.
//!
//! Sources: Milliken and Milliken, *Race Car Vehicle Dynamics* (1995), chapter 18 for (2) and section 2.4 for (5);
//! Perantoni and Limebeer, *Optimal control for a Formula One car with variable parameters* (2014), section 2.4, whose
//! loads are a system of equations. Deviations: roll centres are on the ground; roll itself and camber are left out; the
//! differential has no moment about the vertical axis.

use raceline_numerics::{Number, STANDARD_GRAVITY};

use crate::{Vehicle, VehicleError};

/// ε of equation (1), m/s²: below it, loads move with the square of the lateral acceleration, so that derivatives exist on
/// straights. A larger one moves less load in slow bends (at 5 m/s², 0.5 % less); a smaller one bends more sharply.
const ROUNDING_MPS2: f64 = 0.5;
/// s of equation (3): a wheel that lifts still has half of this fraction of its load at rest. A smaller one is more exact,
/// and its limit along the road falls more suddenly.
const LIFT_ROUNDING: f64 = 0.1;
/// s of equation (5), in 1: the friction of a tyre with many times its load stays above zero.
const FRICTION_ROUNDING: f64 = 0.02;
/// Locking of brakes and of an open differential: friction lets a wheel have 2 % more than the other. With less, an axle whose
/// inner wheel lifts cannot bear the overlap of drive and brakes.
const MIN_LOCKING: f64 = 0.02;

/// The wheels of a car with track widths.
///
/// ```
/// let mut vehicle = raceline_car::preset("gt")?;
/// assert!(vehicle.wheels().is_none());
/// (vehicle.front_track_width_m, vehicle.rear_track_width_m) = (Some(1.7), Some(1.7));
/// let wheels = vehicle.wheels().expect("a car with track widths");
/// // At 10 m/s², ΔN = ρ h a / t moves on each axle, here half of both.
/// let [front, _] = wheels.usable_loads([4.9; 2], [4.9; 2], 10.0, 0.0);
/// let moved = 0.5 * vehicle.handling().centre_of_gravity_m * 10.0 / 1.7;
/// assert!((front.across - 4.9).abs() < 1e-12 && (front.along / (4.9 - 1.96 * moved) - 1.0).abs() < 0.01);
/// # Ok::<(), raceline_car::VehicleError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wheels {
    /// ρ_i h / t_i, front and rear.
    transfers: [f64; 2],
    /// t_i by that of the other axle.
    width_ratios: [f64; 2],
    /// k.
    load_sensitivity: f64,
    /// S while driving.
    locking: f64,
    /// Equation (8).
    lateral_factor: f64,
}

/// What stands for the load of an axle in its limits, m/s².
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UsableLoad<T> {
    /// C of equation (6).
    pub across: T,
    /// X of equation (7).
    pub along: T,
}

impl Wheels {
    /// Equation (8): how much better the tyres are than the vehicle's lateral limit.
    #[must_use]
    pub fn lateral_factor(&self) -> f64 {
        self.lateral_factor
    }

    /// Wheels like these on other tyres: with the factor `factor` of equation (8).
    #[must_use]
    pub fn with_lateral_factor(self, factor: f64) -> Self {
        Self { lateral_factor: factor, ..self }
    }

    /// The loads that stand for both axles, front and rear, with the loads `loads`, those on a level road at this speed, the
    /// acceleration `lateral` by the tyres' lateral forces, all in m/s² and above 0 except the last, and the fraction
    /// `driving` of the force along that drives: 1 for the drive, 0 for brakes.
    pub fn usable_loads<T: Number>(&self, loads: [T; 2], level: [T; 2], lateral: T, driving: T) -> [UsableLoad<T>; 2] {
        let square = lateral.square();
        let magnitude = square * (square + ROUNDING_MPS2 * ROUNDING_MPS2).sqrt().recip(); // equation (1)
        let halves = loads.map(|load| load * 0.5);
        let inner_of = |axle: usize, moved: T| {
            let carried = -(moved * halves[axle].recip()) + 1.0;
            halves[axle] * above_zero(carried, LIFT_ROUNDING) // equation (3)
        };
        let moved = self.transfers.map(|by| magnitude * by); // equation (2)
        let kept: [T; 2] =
            std::array::from_fn(|i| (inner_of(i, moved[i]) - halves[i] + moved[i]) * self.width_ratios[i]);
        let locking = driving * (self.locking - MIN_LOCKING) + MIN_LOCKING;
        std::array::from_fn(|i| {
            let inner = inner_of(i, moved[i] + kept[1 - i]); // equation (4)
            let outer = loads[i] - inner;
            if self.load_sensitivity == 0.0 {
                return UsableLoad { across: loads[i], along: inner * 2.0 + locking * (outer - inner) };
            }
            let by_level = level[i].recip() * (-2.0 * self.load_sensitivity);
            let [inner, outer] = [inner, outer].map(|load| {
                load * above_zero(load * by_level + (1.0 + self.load_sensitivity), FRICTION_ROUNDING) // equation (5)
            });
            // Equations (6) and (7).
            UsableLoad { across: inner + outer, along: inner * 2.0 + locking * (outer - inner) }
        })
    }
}

/// ψ(x) / ψ(1): x where that is well above zero, and above zero everywhere.
fn above_zero<T: Number>(x: T, rounding: f64) -> T {
    let at_one = 1.0 + (1.0 + rounding * rounding).sqrt();
    (x + (x.square() + rounding * rounding).sqrt()) * at_one.recip()
}

impl Vehicle {
    /// The wheels; `None` without track widths: both wheels of an axle are then one.
    #[must_use]
    pub fn wheels(&self) -> Option<Wheels> {
        let widths = [self.front_track_width_m?, self.rear_track_width_m?];
        let handling = self.handling();
        let front = self.roll_stiffness_in_front(widths);
        let height = handling.centre_of_gravity_m;
        let weights = [handling.front_weight_fraction, 1.0 - handling.front_weight_fraction];
        let tyres = Wheels {
            transfers: [front * height / widths[0], (1.0 - front) * height / widths[1]],
            width_ratios: [widths[0] / widths[1], widths[1] / widths[0]],
            load_sensitivity: self.tyre_load_sensitivity.unwrap_or_default(),
            locking: self.differential_lock_fraction.unwrap_or_default().max(MIN_LOCKING),
            lateral_factor: 1.0,
        };
        // Equation (8).
        let loads = weights.map(|weight| weight * STANDARD_GRAVITY);
        let [front, rear] = tyres.usable_loads(loads, loads, self.limits_at_standstill()[1], 0.0);
        let rear = (1.0 + handling.rear_grip_reserve) * rear.across / loads[1];
        Some(tyres.with_lateral_factor((front.across / loads[0]).min(rear).recip()))
    }

    /// ρ_f. Default: that at which both axles lose the same part of their inner wheel's load, f t_f / (f t_f + (1 - f) t_r).
    pub(crate) fn roll_stiffness_in_front(&self, [front_m, rear_m]: [f64; 2]) -> f64 {
        self.front_roll_stiffness_fraction.unwrap_or_else(|| {
            let of_weight = self.handling().front_weight_fraction;
            let front = of_weight * front_m;
            front / (front + (1.0 - of_weight) * rear_m)
        })
    }

    /// Checks that the car does not overturn before it corners at its limit.
    pub(crate) fn validate_wheels(&self) -> Result<(), VehicleError> {
        let vehicle = || self.name.clone();
        let [front, rear] =
            [("front_track_width_m", self.front_track_width_m), ("rear_track_width_m", self.rear_track_width_m)];
        let (Some(front_m), Some(rear_m)) = (front.1, rear.1) else {
            let others = [
                ("front_roll_stiffness_fraction", self.front_roll_stiffness_fraction),
                ("tyre_load_sensitivity", self.tyre_load_sensitivity),
                ("differential_lock_fraction", self.differential_lock_fraction),
            ];
            let Some((key, _)) = [front, rear].into_iter().chain(others).find(|(_, value)| value.is_some()) else {
                return Ok(());
            };
            let needed = if front.1.is_none() { front.0 } else { rear.0 };
            return Err(VehicleError::MissingBeside { vehicle: vehicle(), key, needed });
        };
        let handling = self.handling();
        let (height, of_weight) = (handling.centre_of_gravity_m, handling.front_weight_fraction);
        let largest = 0.5 * STANDARD_GRAVITY * (of_weight * front_m + (1.0 - of_weight) * rear_m) / height;
        let lateral = self.limits_at_standstill()[1];
        if lateral <= largest {
            return Ok(());
        }
        Err(VehicleError::Overturns { vehicle: vehicle(), lateral, largest, height })
    }
}

#[cfg(test)]
mod tests;
