//! Steering at the limit.

use super::feedback::Feedback;
use super::given::GivenInputs;
use super::model::{Axles, Model};
use super::motion::Motion;
use super::plan::{Ahead, SAMPLES, SPACING_S, Wanted};
use crate::geometry::mix;
use crate::options::LimitOptions;
use raceline_numerics::math;

/// Fraction of the steering rate, 0 to 1, that the feed-forward uses; the rest is left to the
/// feedback. A larger one turns into bends later.
const RATE_FRACTION: f64 = 0.85;

/// Weight of the steering angle that the path gives; the rest is this control's own angle. The former
/// is of another model of the car, the other of what the tyres have shown. Either alone was up to
/// 0.3 m farther from the path.
const STEERING_GIVEN: f64 = 0.5;

/// Sine of the greatest angle at which the vehicle returns to the path, 0 to 1: from far away a
/// steeper return arrives with more speed across than the tyres take in the width of a road; a
/// flatter one stays beside the path for longer.
const MAX_APPROACH: f64 = 0.3;

/// Time over which the pedal of now counts for the load of the axles ahead, s. A longer one steers
/// for the load of now where the plan has another; a shorter one ignores that a pedal is released
/// gradually.
const PEDAL_S: f64 = 0.4;

/// The steady turn of a place ahead.
#[derive(Clone, Copy)]
struct Turn {
    speed: f64,
    axles: Axles,
    yaw_rate: f64,
    /// Acceleration of the tyres to the left, m/s².
    across: f64,
    drift: f64,
    rear_slip: f64,
}

/// What the vehicle shows of its rear tyres: their slip in a bend as a multiple of the model's. Where
/// it is wrong, a bend is driven beside the path, because the body is not where it is expected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RearTyres {
    softness: f64,
}

impl Default for RearTyres {
    fn default() -> Self {
        Self { softness: 1.0 }
    }
}

/// Bounds of the learned multiple of the model's slip. Wider ones fit a car with other tyres, and
/// are misled further by a slide.
const SOFTNESS: [f64; 2] = [0.5, 1.6];
/// Slip below which little is learned, rad: a smaller one learns on straights, from noise; a larger
/// one only in fast bends.
const TELLING_RAD: f64 = 0.03;

impl RearTyres {
    /// A step along the gradient, normalised by the slip, of size `rate`.
    fn learn(&mut self, expected: f64, measured: f64, rate: f64) {
        let missing = measured - self.softness * expected;
        let step = rate * missing * expected / (expected * expected + TELLING_RAD * TELLING_RAD);
        if step.is_finite() {
            self.softness = (self.softness + step).clamp(SOFTNESS[0], SOFTNESS[1]);
        }
    }
}

/// The steering angle for the pedal's acceleration in a frame of length `dt`, and the slip of the front wheels that it would need as a multiple of the most
/// that they are given: above 1 they cannot turn the vehicle as it should.
pub(crate) fn steering(
    model: &Model<'_>,
    options: &LimitOptions,
    [now, motion]: [&Motion; 2],
    ahead: &mut Ahead<'_>,
    [pedal, dt]: [f64; 2],
    given: Option<&GivenInputs>,
    rear: &mut RearTyres,
) -> (f64, f64) {
    let speed = motion.speed;
    let passed = (options.delay_s > 0.0).then(|| ahead.at(now.advance));
    let here = ahead.at(motion.advance);
    let excess = speed * speed - here.square;
    let hurry = here.acceleration.clamp(-10.0, 10.0);
    // The steady turns of the places ahead: speed, acceleration of the tyres, yaw rate, and the
    // angle from the body to the course.
    let turn = |there: Wanted, time: f64| {
        let speed = (there.square + excess).max(1.0).sqrt();
        let planned = there.acceleration + model.resistance(speed);
        // Not added to the plan, which may brake there already: the tyres would seem to be beyond
        // their limit.
        let along = planned + (pedal - planned) * (1.0 - time / PEDAL_S).max(0.0);
        let yaw_rate = there.curvature * speed;
        let axles = model.on(there.grip).axles(speed, along);
        let across = there.across(speed * speed);
        let rear_slip = model.slip(axles.rear, across);
        let drift = math::atan(model.to_rear * there.curvature) - rear.softness * rear_slip;
        Turn { speed, axles, yaw_rate, across, drift, rear_slip }
    };
    let turns: [Turn; SAMPLES] = std::array::from_fn(|k| {
        let time = k as f64 * SPACING_S;
        turn(ahead.at(motion.advance + ((speed + 0.5 * hurry * time) * time).max(0.0)), time)
    });
    // What is learned compares the motion of now with the steady turn of now.
    let slip_now = passed.map_or(turns[0], |place| turn(place, 0.0)).rear_slip;
    // The angle that each place ahead needs, and the band from which each can still be reached.
    let rate = RATE_FRACTION * model.handling.steering_rate_radps;
    let place = options.preview_s / SPACING_S;
    let (mut lead, mut low, mut high, mut last) = (0.0, f64::NEG_INFINITY, f64::INFINITY, 0.0);
    let mut turning_now = 0.0;
    for k in 0..SAMPLES - 1 {
        let (before, turn, after) = (&turns[k.saturating_sub(1)], &turns[k], &turns[k + 1]);
        let span = SPACING_S * if k == 0 { 1.0 } else { 2.0 };
        // The body turns less than the course while it turns into the bend.
        let yaw_rate = turn.yaw_rate - (after.drift - before.drift) / span;
        let turning = (after.yaw_rate - before.yaw_rate) / span;
        let (at_front, at_rear) = model.at_axles(turn.across, turning);
        let slip = model.slip(turn.axles.front, at_front) - rear.softness * model.slip(turn.axles.rear, at_rear);
        let angle = math::atan(model.wheelbase * yaw_rate / turn.speed) + slip;
        let index = k as f64;
        if k == 0 {
            turning_now = yaw_rate;
        }
        if index <= place {
            lead = angle;
        } else if index - 1.0 < place {
            lead = last + (angle - last) * (place - (index - 1.0));
        }
        let time = index * SPACING_S;
        if time >= options.preview_s {
            let reach = rate * (time - options.preview_s);
            (low, high) = (low.max(angle - reach), high.min(angle + reach));
        }
        last = angle;
    }
    let mut forward = if low <= high { lead.clamp(low, high) } else { 0.5 * (low + high) };
    // Feedback about the steady turn of this place.
    let mut sideslip = turns[0].drift;
    if let Some(given) = given {
        forward = mix(forward, given.steering, STEERING_GIVEN * given.fraction);
        sideslip = mix(sideslip, given.sideslip, given.fraction);
        turning_now = mix(turning_now, given.yaw_rate, given.fraction);
    }
    let moving = speed.max(1.0);
    let drift = options.course_fraction * (math::atan2(motion.across, moving) - sideslip);
    rear.learn(slip_now, model.rear_slip([now.speed, now.across, now.yaw_rate]), options.slip_learning * dt);
    let given_fraction = given.map_or(0.0, |given| given.fraction);
    let feedback = Feedback::new(model, options, speed, given_fraction, dt);
    let approach = (motion.offset / (feedback.return_s * moving)).clamp(-MAX_APPROACH, MAX_APPROACH);
    let back = -feedback.gain * (math::sin(motion.heading + sideslip + drift) + approach);
    let angle = forward + back + feedback.damping_s * (turning_now - motion.yaw_rate);
    // Not beyond the slip at which the front tyres give the most.
    let rolling = math::atan2(motion.across + model.to_front * motion.yaw_rate, moving);
    let max_slip = options.max_slip * model.peak_slip;
    (angle.max(rolling - max_slip).min(rolling + max_slip), (angle - rolling).abs() / max_slip)
}

#[cfg(test)]
mod tests;
