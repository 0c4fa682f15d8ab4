//! Path following after Reynolds: predict, seek the path point ahead when outside the tube, arrive.

use super::standing::standing;
use crate::chassis::{Chassis, Frame, Wish};
use crate::command::Command;
use crate::error::OptionsError;
use crate::follower::PathFollower;
use crate::lookahead::target_point;
use crate::nearest_point::near;
use crate::options::{NearestPointOptions, StuckOptions, options, validate};
use crate::path::Path;
use crate::pure_pursuit::bicycle_steering;
use crate::scene::Scene;
use crate::vehicle::{VehicleGeometry, VehicleState};
use raceline_numerics::math;

/// Reynolds' steering force is a change of velocity; his vehicles have mass and a frame of one unit
/// of time. Here it acts within this time, seconds.
const SEEK_TIME_S: f64 = 0.5;
/// Smallest speed for converting a sideways acceleration to a curvature, m/s.
const SLOWEST_MPS: f64 = 2.0;

options! {
    /// Options of [`Reynolds`].
    ReynoldsOptions, "" {
        /// Prediction time of the vehicle's position.
        prediction_s: f64 = 0.5, [from 0 to 10], "s";
        /// Radius of the tube about the path. While the predicted position is inside, the wheels stay
        /// straight.
        tube_radius_m: f64 = 0.5, [from 0 to 1000], "m";
        /// Distance of the target point ahead of the predicted position's projection on the path.
        seek_ahead_m: f64 = 4.0, [above 0 to 1000], "m";
        /// Speed driven.
        max_speed_mps: f64 = 10.0, [above 0 to 1000], "m/s";
        /// Within this distance of the end of an open path, the speed is proportional to the remaining
        /// distance.
        slowing_distance_m: f64 = 15.0, [above 0 to 10000], "m";
        /// Largest steering acceleration: Reynolds' `max_force` per mass.
        max_acceleration_mps2: f64 = 6.0, [above 0 to 1000], "m/s²";
        /// Pedal per missing speed.
        proportional: f64 = 0.4, [from 0 to 100], "1/(m/s)";
    }
    with {
        /// As for the follower.
        nearest_point: NearestPointOptions;
        /// As for the follower.
        stuck: StuckOptions;
    }
}

/// Steering behaviour "path following" of Reynolds 1999.
#[derive(Clone, Copy, Debug)]
pub struct Reynolds {
    options: ReynoldsOptions,
    chassis: Chassis,
}

impl Reynolds {
    /// A follower for one vehicle.
    ///
    /// # Errors
    /// The first option or vehicle parameter out of its range.
    pub fn new(options: ReynoldsOptions, vehicle: VehicleGeometry) -> Result<Self, OptionsError> {
        validate(&options)?;
        Ok(Self { options, chassis: Chassis::new(vehicle, options.nearest_point, options.stuck)? })
    }

    fn wish(&self, frame: &Frame<'_>) -> Wish {
        let options = &self.options;
        let [vx, vy, _] = frame.state.velocity_mps;
        let [x, y, z] = frame.state.position_m;
        let ahead = options.prediction_s;
        let predicted = [x + ahead * vx, y + ahead * vy, z];
        let reach = 2.0 * ahead * math::hypot(vx, vy) + 1.0;
        let (s, away) = near(frame.path, predicted, frame.nearest.s - 1.0, frame.nearest.s + reach);
        let target = target_point(frame.path, frame.nearest.segment, s + options.seek_ahead_m);
        // Arrival: the speed decreases with the remaining distance.
        let speed = match frame.left_to_go() {
            Some(_) if frame.at_end() => 0.0,
            Some(left) => (options.max_speed_mps * left / options.slowing_distance_m).min(options.max_speed_mps),
            None => options.max_speed_mps,
        };
        let steering = if away > options.tube_radius_m { self.seek(frame, target, speed) } else { 0.0 };
        let pedal = standing(frame, speed).unwrap_or(options.proportional * (speed - frame.state.speed_mps));
        Wish { pedal, steering, target_speed: speed, target, boost: false, arrived: frame.at_end() }
    }

    /// The wheels' angle for the sideways part of Reynolds' steering force: desired velocity minus
    /// velocity, truncated.
    fn seek(&self, frame: &Frame<'_>, target: [f64; 3], speed: f64) -> f64 {
        let [x, y, _] = frame.state.position_m;
        let (dx, dy) = (target[0] - x, target[1] - y);
        let distance = math::hypot(dx, dy).max(1e-9);
        let (sin, cos) = math::sin_cos(frame.state.heading_rad);
        let [vx, vy, _] = frame.state.velocity_mps;
        let (ax, ay) = (speed * dx / distance - vx, speed * dy / distance - vy);
        // Per unit of time: the force changes velocity at once, per second.
        let size = math::hypot(ax, ay) / SEEK_TIME_S;
        let kept =
            if size > self.options.max_acceleration_mps2 { self.options.max_acceleration_mps2 / size } else { 1.0 };
        let sideways = kept * (ay * cos - ax * sin) / SEEK_TIME_S;
        let slowest = frame.state.speed_mps.abs().max(SLOWEST_MPS);
        bicycle_steering(self.chassis.vehicle().wheelbase_m, sideways / (slowest * slowest))
    }
}

impl PathFollower for Reynolds {
    fn step(&mut self, path: &Path, state: &VehicleState, _: &Scene<'_>, dt_s: f64) -> Command {
        let Some(frame) = self.chassis.begin(path, state, dt_s) else { return self.chassis.not_understood() };
        let wish = self.wish(&frame);
        self.chassis.finish(&frame, &wish)
    }

    fn reset(&mut self) {
        self.chassis.reset();
    }
}
