//! The inputs that the path gives for driving a car along it, as far as they apply.

use super::model::Model;
use super::motion::Motion;
use crate::chassis::Frame;
use crate::path::PathInputs;
use raceline_numerics::math;

/// Relative difference between the vehicle's speed and the one that the inputs are for up to which
/// they apply, and from which they do not.
const APPLIES: f64 = 0.03;
const APPLIES_NOT: f64 = 0.1;

/// The inputs of the path at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct GivenInputs {
    /// How far it applies, 0 to 1.
    pub fraction: f64,
    /// rad.
    pub steering: f64,
    /// rad.
    pub sideslip: f64,
    /// At the vehicle's speed, rad/s.
    pub yaw_rate: f64,
    /// Acceleration by the tyres, m/s².
    pub along: f64,
    /// Slip of the rear tyres, in slip angles of their peak.
    pub rear_slip: f64,
}

impl GivenInputs {
    /// What applies to the vehicle with this motion, by at most `max_fraction`; `None` where the
    /// path has no inputs and beside the path.
    pub(crate) fn new(frame: &Frame<'_>, model: &Model<'_>, motion: &Motion, max_fraction: f64) -> Option<Self> {
        if max_fraction <= 0.0 || !frame.shift.is_none() {
            return None;
        }
        let s = frame.path.wrap(frame.nearest.s + motion.advance);
        let segment = frame.path.segment_from(frame.nearest.segment, s);
        let (inputs, square) = frame.path.inputs_in(segment, s)?;
        let PathInputs { steering_rad, pedal, sideslip_rad, yaw_rate_radps } = inputs;
        let speed = square.sqrt();
        let faster = motion.speed / speed.max(1.0);
        let fraction = max_fraction * ((APPLIES_NOT - (faster - 1.0).abs()) / (APPLIES_NOT - APPLIES)).clamp(0.0, 1.0);
        // Rounded in files; braking may be more than a level road of grip 1 bears.
        let pedal = pedal.min(1.0);
        let limit = if pedal > 0.0 { &model.dynamics.drive_mps2 } else { &model.dynamics.longitudinal_mps2 };
        let [forward, across] = [speed * math::cos(sideslip_rad), speed * math::sin(sideslip_rad)];
        let rear = model.rear_slip([forward, across, yaw_rate_radps]);
        (fraction > 0.0).then(|| Self {
            fraction,
            steering: steering_rad,
            sideslip: sideslip_rad,
            yaw_rate: faster * yaw_rate_radps,
            along: pedal * limit.at(motion.speed),
            rear_slip: rear.abs() / model.peak_slip,
        })
    }
}

#[cfg(test)]
mod tests;
