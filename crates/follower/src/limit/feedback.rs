//! Feedback of the steering at the limit of grip.

use std::f64::consts::FRAC_PI_2;

use super::model::Model;
use crate::geometry::mix;
use crate::options::LimitOptions;

/// Feedback of the yaw rate as a fraction of the gain at which it would swing for ever if commands
/// came late. For a yaw rate that follows the steering in the time τ, that gain is 1 for a delay
/// much longer than τ and π/2 · τ / delay for a much shorter one; the sum is taken. Cars with much
/// downforce have a short τ.
const DELAYED_GAIN: f64 = 0.25;

/// Length of a delay for that bound, in delays: the yaw rate is predicted by the pending commands,
/// but by a model that may be wrong. With one delay, two of 48 drives more swung off the road.
const PREDICTED_DELAYS: f64 = 2.0;

/// Where the path gives the inputs of the car, it is driven nearer to its limit: feedback of the course
/// grows by this factor, and the time of return falls by the next.
const GIVEN_GAIN: f64 = 1.5;
const GIVEN_RETURN: f64 = 0.5;

/// What deviations change of the steering angle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Feedback {
    /// Steering angle per angle between course and path.
    pub gain: f64,
    /// An offset e counts as an angle of e by this time and the speed, s.
    pub return_s: f64,
    /// Steering angle per missing yaw rate, s.
    pub damping_s: f64,
}

impl Feedback {
    /// The feedback at a speed in frames of length `dt`, where the path gives the inputs of the car with
    /// the weight `given`.
    pub(super) fn new(model: &Model<'_>, options: &LimitOptions, speed: f64, given: f64, dt: f64) -> Self {
        let moving = speed.max(1.0);
        let gain = mix(1.0, GIVEN_GAIN, given)
            * options.heading_gain.min(options.heading_rate_radps * model.wheelbase / moving);
        let late = (PREDICTED_DELAYS * options.delay_s + 0.5 * dt).max(1e-3);
        let max_damping =
            DELAYED_GAIN * (1.0 + FRAC_PI_2 * model.yaw_response(speed) / late) * model.wheelbase / moving;
        Self {
            gain,
            return_s: options.return_s * mix(1.0, GIVEN_RETURN, given),
            damping_s: options.yaw_damping_s.min(max_damping),
        }
    }
}

#[cfg(test)]
mod tests;
