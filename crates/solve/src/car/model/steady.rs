//! The car in a steady bend, where a search begins.
//!
//! With the symbols and equations of `model`: on a path with the curvature κ, driven at V with the
//! acceleration a_V along it, the car turns with the path and both axles carry their part of the
//! lateral acceleration:
//!
//! ```text
//! r = κ V                              p = a_V + resistance(w) + g_x                        (12)
//! y_f = (κ V² + g_y) b/L               y_r = (κ V² + g_y) a/L                               (13)
//! ```
//!
//! Slip angles follow from (6), v from the rear's in (5), and δ from the front's. Forces that turn
//! with the front wheels, which the cosine of δ makes a little smaller, are left to the search.

use super::{Car, Motion, SHAPE};
use crate::speed::Ground;
use raceline_car::STANDARD_GRAVITY;
use raceline_car::handling::MIN_LOAD_FRACTION;
use raceline_numerics::math;

/// Fraction of the maximum of the tyre's force that a start uses at most, below 1: beyond the
/// maximum the slip of a force is not defined. A smaller start needs more steps to the limit.
const START_USE: f64 = 0.97;

impl Car {
    /// σ at which T is `fraction`, at most a little below its peak.
    pub(super) fn slip_of(&self, fraction: f64) -> f64 {
        math::tan(math::asin(fraction.clamp(-START_USE, START_USE)) / SHAPE) / self.stiffness
    }

    /// The motion of the car in a steady bend: the speed `speed` along the path, `curvature` of the
    /// path in the road's surface, `acceleration` along it.
    pub fn steady(&self, speed: f64, curvature: f64, acceleration: f64, ground: &Ground, grip: f64) -> Motion<f64> {
        let (a, b) = (self.to_front_m, self.to_rear_m);
        let length = a + b;
        let w = speed * speed;
        let downforce = self.downforce_over_mass;
        let pedal = acceleration + self.diagram.resistance(w) + ground.gravity_along; // equation (12)
        let weight = ground.gravity_normal + ground.normal_curvature * w;
        let moved = pedal * self.height_m / length;
        // Equation (2).
        let loads = [
            weight * b / length + self.front_downforce * downforce * w - moved,
            weight * a / length + (1.0 - self.front_downforce) * downforce * w + moved,
        ];
        // Equation (11), then (6) solved for the slip.
        let friction = grip * self.diagram.lateral_limit(w) / (STANDARD_GRAVITY + self.limiting_downforce * w);
        let lateral = curvature * w + ground.gravity_across;
        let carried = [lateral * b / length, lateral * a / length]; // equation (13)
        let mut loads = loads.map(|load| load.max(MIN_LOAD_FRACTION * STANDARD_GRAVITY));
        if let Some(wheels) = &self.wheels {
            // Which wheels drive changes the loads along alone.
            let usable = wheels.usable_loads(loads, self.level_loads(w), lateral, 0.0);
            loads = usable.map(|load| load.across * wheels.lateral_factor());
        }
        let slip: [f64; 2] = std::array::from_fn(|i| {
            let limit = friction * loads[i] * self.grip_factors[i];
            self.peak_slip_rad * self.slip_of(carried[i] / limit)
        });
        let yaw_rate = curvature * speed; // equation (12)
        // Equation (5) solved for v and δ.
        let leftward = b * yaw_rate - speed * math::tan(slip[1]);
        let steering = math::atan((leftward + a * yaw_rate) / speed) + slip[0];
        Motion { forward: (w - leftward * leftward).max(0.25 * w).sqrt(), leftward, yaw_rate, steering, pedal }
    }
}
