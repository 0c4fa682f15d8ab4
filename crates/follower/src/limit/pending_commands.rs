//! The commands that have no effect yet, and the motion that they lead to.
//!
//! With the model of [`Model`], the acceleration `y_i` to the left that the tyres of each axle give
//! at the slip `α_i`, the velocity u across the body and the yaw rate r:
//!
//! ```text
//! α_f = δ - (u + a r) / v        α_r = -(u - b r) / v          y_i = y(α_i, x_i)            (1)
//! v'  = along - resistance + r u - w_f y_f sin δ                                             (2)
//! u'  = w_f y_f + w_r y_r - r v  r'  = (y_f - y_r) a b / (L k²)                              (3)
//! ```
//!
//! where y(α, x) is what an axle gives across at a slip beside the fraction x of what it can give
//! along, the inverse of the slip of a force. The learned slip of the rear tyres is not used: with
//! it, formula cars ran wide.

use super::leaning;
use super::model::Model;
use super::motion::Motion;
use super::plan::Ahead;
use raceline_numerics::math;

/// Number of commands that are kept: 0.25 s at 250 frames a second. At higher rates the oldest are
/// forgotten, and the oldest that is known counts for them.
const CAPACITY: usize = 64;
/// Longest step of the integration, s. The yaw rate follows the steering in 0.02 s or more.
const STEP_S: f64 = 5e-3;

/// A command, and the time since the one before, s.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Command {
    /// Angle of the front wheels, rad.
    steering: f64,
    /// Acceleration of the tyres along, m/s².
    along: f64,
    dt: f64,
}

/// The last commands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PendingCommands {
    commands: [Command; CAPACITY],
    /// Place of the next command.
    next: usize,
    count: usize,
    /// The angle of the front wheels, which follow the commands as fast as they turn, rad.
    wheels: Option<f64>,
}

impl Default for PendingCommands {
    fn default() -> Self {
        Self { commands: [Command::default(); CAPACITY], next: 0, count: 0, wheels: None }
    }
}

impl PendingCommands {
    /// Forgets the commands, as after a frame with other ones.
    pub(crate) fn clear(&mut self) {
        (self.count, self.wheels) = (0, None);
    }

    /// Adds the command of a frame of length `dt`.
    pub(crate) fn push(&mut self, steering: f64, along: f64, dt: f64) {
        self.commands[self.next] = Command { steering, along, dt };
        self.next = (self.next + 1) % CAPACITY;
        self.count = (self.count + 1).min(CAPACITY);
    }

    /// The command that is `back` before the last one.
    fn before_last(&self, back: usize) -> Command {
        self.commands[(self.next + CAPACITY - 1 - back) % CAPACITY]
    }

    /// Acceleration of the tyres along, m/s², that was in effect in the frame of length `dt` which ends now, where
    /// commands act after `delay`: the mean of those that acted in it. `None` without commands.
    pub(crate) fn acted(&self, delay: f64, dt: f64) -> Option<f64> {
        if self.count == 0 {
            return None;
        }
        // From now back to the begin of the frame: a command acts until the next one does.
        let (mut age, mut until, mut sum) = (dt, 0.0, 0.0);
        for back in 0..self.count {
            let command = self.before_last(back);
            let from = if back + 1 == self.count { -dt } else { (delay - age).clamp(-dt, until) };
            sum += command.along * (until - from);
            if from <= -dt {
                break;
            }
            (age, until) = (age + command.dt, from);
        }
        (dt > 0.0).then(|| sum / dt)
    }

    /// The motion after `delay` and half a frame of length `dt`, by the pending commands; without
    /// any at constant speed and yaw rate.
    pub(crate) fn motion_after<'a>(
        &mut self,
        now: Motion,
        curvature: f64,
        model: &Model<'_>,
        [delay, dt]: [f64; 2],
        ahead: impl FnOnce() -> Ahead<'a>,
    ) -> Motion {
        let end = delay + 0.5 * dt;
        if self.count == 0 {
            return now.after(end, curvature);
        }
        // The oldest command that acts now or later, and its age.
        let (mut back, mut age) = (0, dt);
        while age < delay && back + 1 < self.count {
            age += self.before_last(back).dt;
            back += 1;
        }
        let rate = model.handling.steering_rate_radps;
        let mut wheels = match self.wheels {
            Some(wheels) => turned(wheels, self.before_last(back).steering, rate * dt),
            None => self.before_last(back).steering,
        };
        self.wheels = Some(wheels);
        let (mut motion, mut time, mut ahead) = (now, 0.0, ahead());
        loop {
            let command = self.before_last(back);
            let until = if back == 0 {
                end
            } else {
                age -= self.before_last(back - 1).dt;
                (delay - age).clamp(time, end)
            };
            let steps = ((until - time) / STEP_S).ceil().max(1.0);
            let step = (until - time) / steps;
            for _ in 0..steps as usize {
                wheels = turned(wheels, command.steering, rate * step);
                motion = moved(&motion, model, [wheels, command.along, step], &mut ahead);
            }
            if back == 0 {
                return motion;
            }
            time = until;
            back -= 1;
        }
    }
}

/// `from`, nearer to `to` by at most `by`.
fn turned(from: f64, to: f64, by: f64) -> f64 {
    from + (to - from).clamp(-by, by)
}

/// The motion a step later.
fn moved(motion: &Motion, model: &Model<'_>, [wheels, along, dt]: [f64; 3], ahead: &mut Ahead<'_>) -> Motion {
    let there = ahead.at(motion.advance);
    let model = model.on(there.grip);
    let (speed, moving) = (motion.speed, motion.speed.max(1.0));
    let acceleration = along - model.resistance(speed);
    if let Some(lean_rate) = model.dynamics.lean_rate_radps {
        let limit = model.lateral(speed);
        let demanded = (moving * moving * math::tan(wheels) / model.wheelbase).clamp(-limit, limit);
        let yaw_rate = leaning::yaw_rate_after(motion, demanded, lean_rate, [acceleration, dt]);
        return after(motion, there.curvature, [model.to_rear * yaw_rate, yaw_rate, acceleration], dt);
    }
    let axles = model.axles(speed, along);
    // Equation (1).
    let front = model.across_at(axles.front, wheels - (motion.across + model.to_front * motion.yaw_rate) / moving);
    let rear = model.across_at(axles.rear, -(motion.across - model.to_rear * motion.yaw_rate) / moving);
    // Equations (2) and (3).
    let front_weight = model.handling.front_weight_fraction;
    let acceleration = acceleration + motion.yaw_rate * motion.across - front_weight * front * math::sin(wheels);
    let across = front_weight * front + (1.0 - front_weight) * rear - there.gravity_across;
    let turning = (front - rear) * model.to_front * model.to_rear / (model.wheelbase * model.handling.gyration_m2);
    let yaw_rate = motion.yaw_rate + turning * dt;
    let velocity_across = motion.across + (across - yaw_rate * speed) * dt;
    after(motion, there.curvature, [velocity_across, yaw_rate, acceleration], dt)
}

/// The motion on a path of `curvature` after `dt` with this velocity across, yaw rate and acceleration.
fn after(motion: &Motion, curvature: f64, [across, yaw_rate, acceleration]: [f64; 3], dt: f64) -> Motion {
    let speed = motion.speed;
    let (sin, cos) = math::sin_cos(motion.heading);
    let forwards = (speed * cos - across * sin) * dt;
    Motion {
        advance: motion.advance + forwards,
        offset: motion.offset + (speed * sin + across * cos) * dt,
        heading: motion.heading + yaw_rate * dt - curvature * forwards,
        speed: (speed + acceleration * dt).max(0.0),
        across,
        yaw_rate,
    }
}

#[cfg(test)]
mod tests;
