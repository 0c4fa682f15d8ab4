//! The motion of the centre of gravity relative to the path, predicted over the delay.

use super::model::Model;
use crate::chassis::{Frame, bounded};
use crate::shift::Shift;
use raceline_numerics::math;

/// Fastest yaw rate that counts, rad/s.
const MAX_YAW_RADPS: f64 = 20.0;

/// Motion relative to the path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Motion {
    /// Distance along the path since the frame's place, m.
    pub advance: f64,
    /// Distance to the left of the path, m.
    pub offset: f64,
    /// Heading of the body less that of the path, rad.
    pub heading: f64,
    /// Velocity along the body, m/s.
    pub speed: f64,
    /// Velocity of the centre of gravity across the body, to the left, m/s.
    pub across: f64,
    /// rad/s.
    pub yaw_rate: f64,
}

impl Motion {
    /// The motion in the frame, whose velocity and yaw rate are known.
    pub(crate) fn new(frame: &Frame<'_>, model: &Model<'_>) -> Self {
        let speed = frame.state.speed_mps.max(0.0);
        // From the reference point to the centre of gravity.
        let ahead = model.to_rear - frame.rear_axle;
        let curvature = frame.here.curvature_radpm;
        let yaw_rate = bounded(frame.state.yaw_rate_radps, MAX_YAW_RADPS);
        let [x, y, _] = frame.state.velocity_mps;
        let across = y * frame.cos - x * frame.sin + ahead * yaw_rate;
        let offset = frame.cross_track + ahead * math::sin(frame.heading_error);
        let advance = ahead * math::cos(frame.heading_error);
        Self { advance, offset, heading: frame.heading_error - curvature * advance, speed, across, yaw_rate }
    }

    /// Relative to the path beside the path, which leads off it while it moves.
    pub(crate) fn beside(self, shift: &Shift) -> Self {
        let turned = math::atan2(shift.rate, self.speed.max(1.0));
        Self { offset: self.offset - shift.offset, heading: self.heading - turned, ..self }
    }

    /// After `time` at constant speed and yaw rate on a path of `curvature`.
    pub(crate) fn after(self, time: f64, curvature: f64) -> Self {
        if time <= 0.0 {
            return self;
        }
        let turn = self.yaw_rate * time;
        let course = self.heading + 0.5 * turn;
        let (sin, cos) = math::sin_cos(course);
        let along = (self.speed * cos - self.across * sin) * time;
        Self {
            advance: self.advance + along,
            offset: self.offset + (self.speed * sin + self.across * cos) * time - 0.5 * curvature * along * along,
            heading: self.heading + turn - curvature * along,
            ..self
        }
    }
}

#[cfg(test)]
mod tests;
