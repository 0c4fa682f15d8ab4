//! The car in a steady bend, from which a search begins.
//!
//! Equations are those of `model`. On a path with the curvature κ and the acceleration a along it, the
//! car turns with it and both axles carry their part of the lateral acceleration:
//!
//! ```text
//! r = κ V      p = a + resistance(w) + g_x      y_f = (κ w + g_y) b/L      y_r = (κ w + g_y) a/L
//! ```
//!
//! Slip angles follow from (6), v from the rear's in (5), and δ from the front's. Turned forces, which
//! the steering angle's cosine makes a little smaller, are left to the search.

use super::{Car, MIN_LOAD_FRACTION, Motion};
use crate::speed::Ground;
use raceline_car::STANDARD_GRAVITY;

impl Car {
    /// The motion of the car in a steady bend: the speed `speed` along the path, `curvature` of the
    /// path in the road's surface, `acceleration` along it.
    pub fn steady(&self, speed: f64, curvature: f64, acceleration: f64, ground: &Ground, grip: f64) -> Motion<f64> {
        let (a, b) = (self.to_front_m, self.to_rear_m);
        let length = a + b;
        let w = speed * speed;
        let downforce = self.downforce_over_mass;
        let pedal = acceleration + self.diagram.resistance(w) + ground.gravity_along;
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
        let carried = [lateral * b / length, lateral * a / length];
        let slip: [f64; 2] = std::array::from_fn(|i| {
            let limit = friction * loads[i].max(MIN_LOAD_FRACTION * STANDARD_GRAVITY) * self.grip_factors[i];
            self.peak_slip_rad * self.slip_of(carried[i] / limit)
        });
        let yaw_rate = curvature * speed;
        // Equation (5) solved for v and δ.
        let leftward = b * yaw_rate - speed * slip[1].tan();
        let steering = ((leftward + a * yaw_rate) / speed).atan() + slip[0];
        Motion { forward: (w - leftward * leftward).max(0.25 * w).sqrt(), leftward, yaw_rate, steering, pedal }
    }
}
