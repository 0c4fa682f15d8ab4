//! The baseline of the paper: target speed by the largest angle ahead, proportional control.

use crate::chassis::{Chassis, Frame, Wish};
use crate::command::Command;
use crate::error::OptionsError;
use crate::follower::PathFollower;
use crate::options::{NearestPointOptions, StuckOptions};
use crate::path::Path;
use crate::pure_pursuit::{bicycle_steering, pursuit_curvature};
use crate::vehicle::{VehicleGeometry, VehicleState};

/// Options of [`PaperBaseline`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PaperBaselineOptions {
    /// How far ahead path segments count, metres, above 0, at most 1000; default 24: as far as the follower's five points reach.
    pub horizon_m: f64,
    /// The target speed is `speed_angle_mps / angle`, m/s · rad, above 0, at most 1000; default 3.
    pub speed_angle_mps: f64,
    /// Metres per second; default 1.
    pub min_speed_mps: f64,
    /// Metres per second; default 10.
    pub max_speed_mps: f64,
    /// Pedal per m/s missing, 0 to 100; default 0.4.
    pub proportional: f64,
    /// Distance of the point steered to, metres, above 0, at most 1000; default 6.
    pub lookahead_m: f64,
    /// Steering angle per radian between the heading and the direction of the target, 0 to 10; default 1.
    pub steering_gain: f64,
    /// As for the follower.
    pub nearest_point: NearestPointOptions,
    /// As for the follower.
    pub stuck: StuckOptions,
}

impl Default for PaperBaselineOptions {
    fn default() -> Self {
        Self {
            horizon_m: 24.0,
            speed_angle_mps: 3.0,
            min_speed_mps: 1.0,
            max_speed_mps: 10.0,
            proportional: 0.4,
            lookahead_m: 6.0,
            steering_gain: 1.0,
            nearest_point: NearestPointOptions::default(),
            stuck: StuckOptions::default(),
        }
    }
}

/// The studio's previous follower, as the paper describes it.
#[derive(Clone, Copy, Debug)]
pub struct PaperBaseline {
    options: PaperBaselineOptions,
    chassis: Chassis,
}

impl PaperBaseline {
    /// A baseline for one vehicle.
    ///
    /// # Errors
    /// The first option, or figure of the vehicle, out of its range.
    pub fn new(options: PaperBaselineOptions, vehicle: VehicleGeometry) -> Result<Self, OptionsError> {
        Ok(Self { options, chassis: Chassis::new(vehicle, options.nearest_point, options.stuck)? })
    }

    fn wish(&self, frame: &Frame<'_>) -> Wish {
        let options = &self.options;
        let target = frame.path.sample(frame.nearest.s + options.lookahead_m).position_m;
        let (x, y) = frame.in_vehicle(target);
        let steering = bicycle_steering(self.chassis.vehicle().wheelbase_m, pursuit_curvature(x, y));
        let pedal = options.proportional * (options.max_speed_mps - frame.state.speed_mps);
        Wish { pedal, steering, target_speed: options.max_speed_mps, target, boost: false, arrived: false }
    }
}

impl PathFollower for PaperBaseline {
    fn step(&mut self, path: &Path, state: &VehicleState, dt_s: f64) -> Command {
        let Some(frame) = self.chassis.begin(path, state, dt_s) else { return self.chassis.not_understood() };
        let wish = self.wish(&frame);
        self.chassis.finish(&frame, &wish)
    }

    fn reset(&mut self) {
        self.chassis.reset();
    }
}
