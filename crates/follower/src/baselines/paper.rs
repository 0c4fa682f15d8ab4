//! The baseline of the paper that this crate follows: the studio's earlier follower, as far as the
//! paper describes it.
//!
//! Its target speed is inversely proportional to the largest angle between the vehicle's heading
//! and any piece of the path within a horizon; a proportional controller without integral moves the
//! pedal. The paper does not describe its steering; here the wheels turn in proportion to the angle
//! between the heading and the direction of a point at a fixed distance ahead. The end of an open
//! path is approached as by all followers of this crate.

use super::{END_BRAKING_MPS2, standing};
use crate::chassis::{Chassis, Frame, Wish};
use crate::command::Command;
use crate::error::OptionsError;
use crate::follower::PathFollower;
use crate::geometry::{direction, wrap_angle};
use crate::lookahead::target_point;
use crate::options::{NearestPointOptions, SMALLEST, StuckOptions, validate_rows};
use crate::path::Path;
use crate::scene::Scene;
use crate::target_speed::Walk;
use crate::vehicle::{VehicleGeometry, VehicleState};

/// Number of pieces of the horizon, independent of the spacing of the waypoints.
const PIECES: usize = 16;

/// Options of [`PaperBaseline`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PaperBaselineOptions {
    /// Length of the horizon, metres, above 0, at most 1000; default 24: the range of the
    /// follower's five points.
    pub horizon_m: f64,
    /// The target speed is `speed_angle_mps / angle`, m/s · rad, above 0, at most 1000; default 3.
    pub speed_angle_mps: f64,
    /// Metres per second; default 1.
    pub min_speed_mps: f64,
    /// Metres per second; default 10.
    pub max_speed_mps: f64,
    /// Pedal per m/s missing, 0 to 100; default 0.4.
    pub proportional: f64,
    /// Distance of the target point, metres, above 0, at most 1000; default 6.
    pub lookahead_m: f64,
    /// Steering angle per radian between the heading and the direction of the target, 0 to 10;
    /// default 1.
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
    /// The first option or vehicle parameter out of its range.
    pub fn new(options: PaperBaselineOptions, vehicle: VehicleGeometry) -> Result<Self, OptionsError> {
        validate_rows(&[
            ("horizon_m", options.horizon_m, SMALLEST, 1e3, "above 0, at most 1000 m"),
            ("speed_angle_mps", options.speed_angle_mps, SMALLEST, 1e3, "above 0, at most 1000"),
            ("max_speed_mps", options.max_speed_mps, SMALLEST, 1e3, "above 0, at most 1000 m/s"),
            ("min_speed_mps", options.min_speed_mps, 0.0, options.max_speed_mps, "0 to max_speed_mps"),
            ("proportional", options.proportional, 0.0, 100.0, "0 to 100"),
            ("lookahead_m", options.lookahead_m, SMALLEST, 1e3, "above 0, at most 1000 m"),
            ("steering_gain", options.steering_gain, 0.0, 10.0, "0 to 10"),
        ])?;
        Ok(Self { options, chassis: Chassis::new(vehicle, options.nearest_point, options.stuck)? })
    }

    fn wish(&self, frame: &Frame<'_>) -> Wish {
        let options = &self.options;
        let heading = frame.state.heading_rad;
        let mut walk = Walk::new(frame.path, frame.nearest.segment);
        let piece = options.horizon_m / PIECES as f64;
        let mut from = frame.here.position_m;
        let mut largest = 0.0_f64;
        for i in 1..=PIECES {
            let to = walk.position(frame.nearest.s + i as f64 * piece);
            // Pieces beyond the end of an open path have no direction.
            if let Some(leads) = direction(from, to) {
                largest = largest.max(wrap_angle(leads - heading).abs());
            }
            from = to;
        }
        let by_angle = (options.speed_angle_mps / largest).clamp(options.min_speed_mps, options.max_speed_mps);
        let end = frame.end_speed(true, END_BRAKING_MPS2).map_or(f64::INFINITY, |(speed, _)| speed);
        let speed = by_angle.min(end);
        let target = target_point(frame.path, frame.nearest.segment, frame.nearest.s + options.lookahead_m);
        let (x, y) = frame.in_vehicle(target);
        let steering = options.steering_gain * y.atan2(x);
        let pedal = standing(frame, speed).unwrap_or(options.proportional * (speed - frame.state.speed_mps));
        Wish { pedal, steering, target_speed: speed, target, boost: false, arrived: frame.at_end() }
    }
}

impl PathFollower for PaperBaseline {
    fn step(&mut self, path: &Path, state: &VehicleState, _: &Scene<'_>, dt_s: f64) -> Command {
        let Some(frame) = self.chassis.begin(path, state, dt_s) else { return self.chassis.not_understood() };
        let wish = self.wish(&frame);
        self.chassis.finish(&frame, &wish)
    }

    fn reset(&mut self) {
        self.chassis.reset();
    }
}
