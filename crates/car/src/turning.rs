//! What turning the body costs: lateral force at each axle, steering rate, and drag of cornering.
//!
//! A point mass changes its curvature at no cost. A body with the moment of inertia I_z on two axles
//! does not: with the distances a and b from the centre of gravity to the front and the rear axle,
//! L = a + b, the yaw rate κ v and c = dκ/ds, the accelerations that the axles' tyres must give, as
//! those of the masses that the axles carry, are
//!
//! ```text
//! yaw acceleration   r' = d(κ v)/dt = c v² + κ a_x                                           (1)
//! front axle         a_f = κ v² + i_f r'        i_f = I_z / (m b)                            (2)
//! rear axle          a_r = κ v² - i_r r'        i_r = I_z / (m a)                            (3)
//! steering rate      δ' = L c v                 without slip                                 (4)
//! drag of cornering  r_c = a_y α_peak / 2 · a_y / A_y                                        (5)
//! ```
//!
//! The drag is the part of the lateral force that acts against the direction of travel: its sine is
//! the slip angle. The drive must overcome it. The tyres' ellipse holds for the sum of their forces
//! along the direction of travel, whichever wheel they come from, so it does not contain the drag:
//! a friction circle is the same in the wheel's directions and in those of travel. The slip of a
//! brush tyre, `α_peak (1 - (1 - u)^⅓)` at the fraction u of its force, is taken as `α_peak u / 2`;
//! it begins with a third and ends, just below the limit, with two thirds of it.
//!
//! Sources: Rajamani, *Vehicle Dynamics and Control* (2nd ed., 2012), section 2.3, for the
//! equations of the axles; Milliken and Milliken, *Race Car Vehicle Dynamics* (1995), section 2.2,
//! for the drag of a slipping tyre.

use super::Vehicle;

/// What turning costs a vehicle. Everything is zero for a point mass.
///
/// ```
/// use raceline_car::{Turning, preset};
///
/// assert!(Turning::default().is_free());
/// let mut vehicle = preset("gt")?;
/// vehicle.yaw_inertia_kgm2 = None;
/// assert!(!Turning::of(&vehicle).has_inertia());
/// # Ok::<(), raceline_car::VehicleError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Turning {
    /// i_f, m: lateral acceleration of the front axle per yaw acceleration.
    pub front_m: f64,
    /// i_r, m: the same of the rear axle.
    pub rear_m: f64,
    /// Squared lateral acceleration by the lateral limit that becomes drag: half the slip angle of
    /// the peak of the brush tyre that stands for the vehicle's, rad.
    pub slip_drag_rad: f64,
    /// Time by curvature: `L / δ'_max`, s m. Curvature must not change faster than its inverse.
    pub steering_time_sm: f64,
    /// Rate of the lean angle that a line may need, rad/s; 0 for a vehicle that does not lean. It takes the
    /// place of the steering's rate: two wheels turn as they lean.
    pub lean_rate_radps: f64,
    /// Distance between the axles, m.
    pub wheelbase_m: f64,
}

/// Fraction of the steering rate that a line may need, 0 to 1: a driver needs the rest for
/// corrections. A larger one allows faster changes of direction, which are driven less exactly.
const STEERING_RATE_FRACTION: f64 = 0.85;
/// Fraction of the lean rate that a line may need, 0 to 1, likewise.
const LEAN_RATE_FRACTION: f64 = 0.8;

impl Turning {
    /// The costs of turning `vehicle`, as far as it has the keys: `yaw_inertia_kgm2` with
    /// `front_weight_fraction` for the axles, `steering_rate_radps`, and `peak_slip_rad` or
    /// `cornering_stiffness_per_rad` for the drag.
    #[must_use]
    pub fn of(vehicle: &Vehicle) -> Self {
        let wheelbase_m = vehicle.wheelbase_m;
        let (front_m, rear_m) = match (vehicle.yaw_inertia_kgm2, vehicle.front_weight_fraction) {
            // i_f and i_r of equations (2) and (3), by which (1) counts.
            (Some(inertia), Some(front)) => {
                let square = inertia / vehicle.mass_kg;
                (square / (front * wheelbase_m), square / ((1.0 - front) * wheelbase_m))
            }
            _ => (0.0, 0.0),
        };
        Self {
            front_m,
            rear_m,
            // α_peak / 2 of equation (5).
            slip_drag_rad: vehicle.known_tyre_slip().map_or(0.0, |tyre| 0.5 * tyre.brush_peak_rad()),
            // Equation (4): L over the largest δ'.
            steering_time_sm: vehicle
                .steering_rate_radps
                .filter(|_| vehicle.lean_rate_radps.is_none())
                .map_or(0.0, |rate| wheelbase_m / (STEERING_RATE_FRACTION * rate)),
            lean_rate_radps: vehicle.lean_rate_radps.map_or(0.0, |rate| LEAN_RATE_FRACTION * rate),
            wheelbase_m,
        }
    }

    /// Whether the axles' limits differ from that of the whole vehicle.
    #[must_use]
    pub fn has_inertia(&self) -> bool {
        self.front_m > 0.0
    }

    /// Whether turning costs nothing.
    #[must_use]
    pub fn is_free(&self) -> bool {
        self.front_m == 0.0 && self.slip_drag_rad == 0.0 && self.steering_time_sm == 0.0 && self.lean_rate_radps == 0.0
    }
}

#[cfg(test)]
mod tests;
