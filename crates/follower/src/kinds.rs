//! Steering of vehicles without steered wheels.
//!
//! **Skid-steer.** Tracks turn the hull at any yaw rate up to the gearbox's, at any speed, so that
//! the sharpest curvature is yaw rate / speed. The wanted yaw rate is κ v, with feedback of the
//! measured one, and never more than the vehicle has: a demand beyond it turns nothing and takes
//! time to be taken back.
//!
//! **Hover.** A fan gives an acceleration along the heading only; sideways there is the grip of
//! skids, or nothing. With the course χ, the speed over ground v and the demanded curvature κ along
//! the course, the acceleration across the course is κ v². What exceeds the grip must be thrust:
//!
//! ```text
//! e = κ v² less the grip            a = acceleration along the course for the wanted speed
//! heading* = χ - atan(b κ) + atan2(e, a)        b: distance of the skids' fixed axle behind
//! yaw rate* = κ v + gain · (heading* - heading)
//! thrust  = a cos β + e sin β                    β: heading + atan(b κ) - χ
//! ```
//!
//! So a bend within the grip is driven along the heading, as wheels do; beyond it the nose points
//! into the bend, without grip across the course, and brakes by reverse thrust wherever the thrust
//! is not needed across.

use crate::chassis::{Frame, bounded};
use crate::geometry::wrap_angle;
use crate::options::{SpeedControlOptions, SteeringOptions};
use crate::pure_pursuit::bicycle_steering;
use crate::steering::course;
use crate::vehicle::VehicleGeometry;
use raceline_numerics::{STANDARD_GRAVITY, math};

/// Below this speed a yaw rate demands full lock anyway, m/s.
const SLOW_MPS: f64 = 0.5;
/// Fraction of the full lock, 0 to 1, from which on a vehicle turns as sharply as it can. A smaller
/// one takes a sharp bend for running wide.
const LOCKED: f64 = 0.95;
/// Fraction of the curvature that must be missing, 0 to 1, and the time constant, s. Smaller ones
/// slow down sooner, for short errors too.
const WIDE: f64 = 0.25;
const WIDE_S: f64 = 0.5;
/// Rate at which a hover vehicle's heading follows the one that is wanted, 1/s. A larger one
/// swings, a smaller one thrusts in a direction that was wanted earlier.
const HEADING_GAIN: f64 = 2.0;
/// Fraction of the thrust needed across the course, 0 or more, by which a hover vehicle in a bend
/// may brake: its nose points at most this far (atan) behind the normal of the course. More brakes
/// harder, and holds the bend less.
const BACKWARDS: f64 = 0.2;

/// How far the vehicle turns less than its steering demands, at full lock.
///
/// Grip that a slope across the path takes is not in any plan: a vehicle that keeps running wide gets
/// slower, down to the speed at which the acceleration that it has turns it enough.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct RunningWide {
    /// Fraction of the curvature that is missing, smoothed.
    missing: f64,
}

impl RunningWide {
    /// The speed that this frame allows with `curvature` demanded.
    pub(crate) fn speed(&mut self, frame: &Frame<'_>, curvature: f64, vehicle: &VehicleGeometry) -> f64 {
        let speed = frame.state.speed_mps;
        let yaw_rate = frame.state.yaw_rate_radps;
        let locked = curvature.abs() * vehicle.wheelbase_m > LOCKED * math::tan(vehicle.max_steering_rad);
        let missing = if locked && yaw_rate.is_finite() && speed > SLOW_MPS {
            (1.0 - yaw_rate / (curvature * speed)).clamp(0.0, 1.0)
        } else {
            0.0
        };
        self.missing += (missing - self.missing) * (frame.dt / WIDE_S).min(1.0);
        if self.missing > WIDE { speed * (1.0 - self.missing).sqrt() } else { f64::INFINITY }
    }
}

/// The steering angle of a skid-steer vehicle that is to turn with `curvature`.
pub(crate) fn skid_steer(
    frame: &Frame<'_>,
    options: &SteeringOptions,
    vehicle: &VehicleGeometry,
    curvature: f64,
) -> f64 {
    let speed = frame.state.speed_mps;
    let mut angle = bicycle_steering(vehicle.wheelbase_m, curvature);
    let yaw_rate = frame.state.yaw_rate_radps;
    if yaw_rate.is_finite() {
        angle += options.yaw_damping_s * (curvature * speed - yaw_rate);
    }
    let max_curvature = vehicle.max_yaw_rate_radps / speed.abs().max(SLOW_MPS);
    bounded(angle, bicycle_steering(vehicle.wheelbase_m, max_curvature))
}

/// The frame of a vehicle that slides: its speed is that over ground, along the path.
#[inline(never)]
pub(crate) fn over_ground<'a>(frame: &Frame<'a>) -> Frame<'a> {
    let mut frame = *frame;
    let [x, y, _] = frame.state.velocity_mps;
    let (sin, cos) = math::sin_cos(frame.here.heading_rad);
    if frame.velocity_known && x * cos + y * sin > 0.0 {
        frame.state.speed_mps = math::hypot(x, y);
    }
    frame
}

/// Steering angle and pedal of a hover vehicle that is to turn its course with `curvature`, and to
/// speed up as `pedal` would along the course. `frame` is that of [`over_ground`].
#[inline(never)]
pub(crate) fn hover(
    frame: &Frame<'_>,
    options: &SteeringOptions,
    control: &SpeedControlOptions,
    vehicle: &VehicleGeometry,
    curvature: f64,
    pedal: f64,
) -> (f64, f64) {
    let speed = frame.state.speed_mps;
    let turning = if frame.state.yaw_rate_radps.is_finite() && speed > SLOW_MPS {
        frame.state.yaw_rate_radps / speed
    } else {
        curvature
    };
    let geometric = math::atan(frame.rear_axle * turning);
    let thrust = |pedal: f64| pedal * if pedal > 0.0 { control.full_throttle_mps2 } else { control.full_brake_mps2 };
    let along = thrust(pedal);
    let across = curvature * speed * speed;
    let grip = vehicle.grip_g * STANDARD_GRAVITY;
    let beyond = (across.abs() - grip).max(0.0).min(control.full_throttle_mps2).copysign(across);
    let into = if beyond == 0.0 { 0.0 } else { math::atan2(beyond, along.max(-BACKWARDS * beyond.abs())) };
    let drift = wrap_angle(frame.state.heading_rad + geometric - course(frame));
    let yaw_rate = curvature * speed + HEADING_GAIN * wrap_angle(into - drift);
    let mut angle = math::atan(vehicle.wheelbase_m * yaw_rate / speed.abs().max(SLOW_MPS));
    if frame.state.yaw_rate_radps.is_finite() {
        angle += options.yaw_damping_s * (yaw_rate - frame.state.yaw_rate_radps);
    }
    let pedal = if beyond == 0.0 {
        pedal
    } else {
        let needed = along * math::cos(drift) + beyond * math::sin(drift);
        needed / if needed > 0.0 { control.full_throttle_mps2 } else { control.full_brake_mps2 }
    };
    (angle, pedal)
}
