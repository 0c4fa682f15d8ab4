//! PI control of the speed with feed-forward and anti-windup.
//!
//! ```text
//! pedal = clamp(p e + I + feed-forward)          e = target - speed                          (1)
//! dI/dt = i e + b (clamp(pedal) - pedal)          I within ± its limit                       (2)
//! ```
//!
//! Two guards against windup: while the pedal is saturated, an error that would increase the
//! saturation is not integrated, and the integral decreases at the rate b (back-calculation: Åström
//! and Hägglund, *PID Controllers*, 1995, section 3.5). The integral compensates for hills.
//!
//! A vehicle that is to stop is braked, then held, without integral and throttle, which prevents
//! oscillation.

use crate::options::SpeedControlOptions;

/// The controller's state.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct SpeedControl {
    integral: f64,
}

impl SpeedControl {
    pub(crate) fn reset(&mut self) {
        self.integral = 0.0;
    }

    /// The pedal, -1 to 1.
    pub(crate) fn pedal(
        &mut self,
        options: &SpeedControlOptions,
        target: f64,
        acceleration: f64,
        speed: f64,
        dt: f64,
    ) -> f64 {
        if target <= 0.0 && speed.abs() <= options.standstill_mps {
            self.integral = 0.0;
            return -1.0;
        }
        let error = target - speed;
        let full = if acceleration > 0.0 { options.full_throttle_mps2 } else { options.full_brake_mps2 };
        let forward = (options.acceleration_feedforward * acceleration / full).clamp(-1.0, 1.0);
        let wanted = options.proportional * error + self.integral + forward;
        let pedal = wanted.clamp(-1.0, 1.0); // equation (1)
        let excess = wanted - pedal;
        let pushing = excess * error > 0.0;
        // Equation (2): what the error adds, and what back-calculation takes.
        let gain = if pushing { 0.0 } else { options.integral * error * dt };
        let back = excess * (options.back_calculation * dt).min(1.0);
        let limit = options.integral_limit;
        // Back-calculation never changes the integral's sign: the excess may come from the
        // proportional part alone.
        let given = if self.integral * excess > 0.0 {
            self.integral - back.abs().min(self.integral.abs()).copysign(self.integral)
        } else {
            self.integral
        };
        self.integral = (given + gain).clamp(-limit, limit);
        pedal
    }
}
