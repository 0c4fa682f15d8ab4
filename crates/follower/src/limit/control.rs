//! Steering and pedal of a frame together.

use super::brakes::BendBrakes;
use super::estimate::Estimate;
use super::given::GivenInputs;
use super::leaning;
use super::model::Model;
use super::motion::Motion;
use super::pedal::{self, Moment};
use super::pending_commands::PendingCommands;
use super::plan::Ahead;
use super::steering::{self, RearTyres};
use crate::chassis::Frame;
use crate::options::{FollowerOptions, SpeedMode};
use crate::vehicle::VehicleGeometry;

/// What the control at the limit asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct AtLimit {
    pub pedal: f64,
    pub steering: f64,
    pub target_speed: f64,
}

/// Speed below which the vehicle does not slide and pure pursuit steers, m/s.
const SLOWEST_MPS: f64 = 1.0;
/// Greatest distance from the path, m, and angle to it, rad, for this control; beyond, pure pursuit
/// returns.
const FARTHEST_M: f64 = 8.0;
const MAX_TURNED_RAD: f64 = 1.0;
/// Fraction of the braking limit with which the end of an open path is approached.
const BRAKING_TO_STOP: f64 = 0.7;

/// The control's memory.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct LimitControl {
    /// Acceleration of the tyres that the last pedal asked for, m/s²; `None` after a gap.
    along: Option<f64>,
    rear: RearTyres,
    brakes: BendBrakes,
    /// Slip of the front wheels that the last steering would have needed, by the most they are given.
    front_use: f64,
    pending: PendingCommands,
    /// Where the vehicle is; `None` after a gap.
    estimate: Option<Estimate>,
}

impl LimitControl {
    pub(crate) fn reset(&mut self) {
        *self = Self::default();
    }

    /// Whether options and path ask for this control: a speed profile, and the dynamics of the path's
    /// vehicle.
    fn is_asked_for(frame: &Frame<'_>, options: &FollowerOptions) -> bool {
        options.limit.enabled
            && options.target_speed.mode != SpeedMode::Bezier
            && frame.here.speed_mps.is_finite()
            && frame.path.dynamics().is_some()
    }

    /// Whether this control is asked for, but does not know how the vehicle slides.
    pub(crate) fn lacks_velocity(frame: &Frame<'_>, options: &FollowerOptions) -> bool {
        !frame.velocity_known && Self::is_asked_for(frame, options)
    }

    /// Steering and pedal; `None` where this control does not apply.
    pub(crate) fn step(
        &mut self,
        frame: &Frame<'_>,
        options: &FollowerOptions,
        geometry: &VehicleGeometry,
    ) -> Option<AtLimit> {
        let along = self.along.take();
        let estimate = self.estimate.take();
        let limit = &options.limit;
        let applies = Self::is_asked_for(frame, options)
            && frame.velocity_known
            && frame.state.yaw_rate_radps.is_finite()
            && frame.state.speed_mps > SLOWEST_MPS
            && (frame.cross_track - frame.shift.offset).abs() < FARTHEST_M
            && frame.heading_error.abs() < MAX_TURNED_RAD;
        if !applies {
            self.brakes.interrupt();
            self.front_use = 0.0;
            self.pending.clear();
            return None;
        }
        let dynamics = frame.path.dynamics()?;
        let here = frame.path.profile_in(frame.nearest.segment, frame.nearest.s);
        let model = Model::new(dynamics, geometry, here.grip);
        let limit = &limit.scaled(geometry.wheelbase_m, model.handling.steering_rate_radps);
        let estimate = Estimate::after(estimate, &Motion::new(frame, &model), frame.here.curvature_radpm, frame.dt);
        self.estimate = Some(estimate);
        // The path beside the path leads off it while it moves.
        let now = estimate.motion().beside(&frame.shift);
        self.brakes.learn(
            &model,
            &now,
            here.curvature * now.speed * now.speed + here.gravity_across,
            self.pending.acted(limit.delay_s, frame.dt).or(along),
            [limit.brake_learning, frame.dt],
        );
        let speed = &options.target_speed;
        let ahead = || Ahead::new(frame, speed.profile_scale, speed.max_speed_mps);
        let timing = [limit.delay_s, frame.dt];
        let motion = self.pending.motion_after(now, frame.here.curvature_radpm, &model, timing, ahead);
        let given = GivenInputs::new(frame, &model, &motion, limit.inputs_fraction * self.brakes.trust());
        let given = given.as_ref();
        let end =
            frame.end_speed(speed.stop_at_end, BRAKING_TO_STOP * model.grip * dynamics.longitudinal_mps2.values[0]);
        // Other vehicles, as the end of the path.
        let end = match end {
            Some(end) if end.0 <= frame.shift.max_speed => Some(end),
            _ if frame.shift.max_speed.is_finite() => Some((frame.shift.max_speed, frame.shift.braking)),
            end => end,
        };
        let lost = match dynamics.lean_rate_radps {
            Some(_) => leaning::BRAKES_KEPT,
            None => self.brakes.lost(&model),
        };
        let moment = Moment { before: along, lost, front_use: self.front_use, dt: frame.dt, end, given };
        let pedal = pedal::pedal(&model, limit, &options.speed_control, [&now, &motion], &mut ahead(), &moment);
        let (steering, front_use) = match dynamics.lean_rate_radps {
            Some(lean_rate) => leaning::steering(&model, lean_rate, &motion, &mut ahead(), (-pedal.along).max(0.0)),
            None => steering::steering(
                &model,
                limit,
                [&now, &motion],
                &mut ahead(),
                [pedal.along, frame.dt],
                given,
                &mut self.rear,
            ),
        };
        self.front_use = front_use;
        self.along = Some(pedal.along);
        if limit.delay_s > 0.0 {
            self.pending.push(steering, pedal.along, frame.dt);
        }
        Some(AtLimit { pedal: pedal.pedal, steering, target_speed: pedal.target })
    }
}

#[cfg(test)]
mod tests;
