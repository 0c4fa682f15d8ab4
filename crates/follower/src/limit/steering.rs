//! Steering at the limit.

use super::model::Model;
use super::motion::Motion;
use super::plan::{Ahead, SAMPLES, SPACING_S};
use crate::options::LimitOptions;

/// Share of the steering rate that the feed-forward uses; the rest is left to the feedback.
const RATE_SHARE: f64 = 0.85;

/// The steering angle.
pub(crate) fn steering(model: &Model<'_>, options: &LimitOptions, motion: &Motion, ahead: &mut Ahead<'_>) -> f64 {
    let speed = motion.speed;
    let here = ahead.at(motion.advance);
    let excess = speed * speed - here.square;
    let rate = RATE_SHARE * model.dynamics.steering_rate_radps;
    // The angle that each place ahead needs, and the band from which each can still be reached.
    let (mut lead, mut low, mut high) = (0.0, f64::NEG_INFINITY, f64::INFINITY);
    let place = options.preview_s / SPACING_S;
    let mut last = 0.0;
    for k in 0..SAMPLES {
        let time = k as f64 * SPACING_S;
        let way = (speed + 0.5 * here.acceleration.clamp(-10.0, 10.0) * time) * time;
        let there = ahead.at(motion.advance + way.max(0.0));
        let then = (there.square + excess).max(1.0).sqrt();
        let along = there.acceleration + model.resistance(then);
        let angle = model.steady_steering(there.curvature, then, along);
        let index = k as f64;
        if index <= place {
            lead = angle;
        } else if index - 1.0 < place {
            lead = last + (angle - last) * (place - (index - 1.0));
        }
        let later = (time - options.preview_s).max(0.0);
        low = low.max(angle - rate * later);
        high = high.min(angle + rate * later);
        if time < options.preview_s {
            (low, high) = (f64::NEG_INFINITY, f64::INFINITY);
        }
        last = angle;
    }
    let forward = if low <= high { lead.clamp(low, high) } else { 0.5 * (low + high) };
    // Feedback about the steady turn of this place.
    let along = here.acceleration + model.resistance(speed);
    let sideslip = model.steady_sideslip(here.curvature, speed, along);
    let moving = speed.max(1.0);
    let drift = options.course_share * (motion.across.atan2(moving) - sideslip);
    let gain = options.heading_gain.min(options.heading_rate_radps * model.wheelbase / moving);
    let back = -gain * ((motion.heading + sideslip + drift).sin() + motion.offset / (options.return_s * moving));
    let angle = forward + back + options.yaw_damping_s * (here.curvature * speed - motion.yaw_rate);
    // Not beyond the slip at which the front tyres give the most.
    let rolling = (motion.across + model.to_front * motion.yaw_rate).atan2(moving);
    let most = options.max_slip * model.dynamics.peak_slip_rad;
    angle.max(rolling - most).min(rolling + most)
}
