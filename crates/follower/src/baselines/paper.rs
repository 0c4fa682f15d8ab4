//! The baseline of the paper that this crate follows: the studio's earlier follower, as far as the
//! paper describes it.
//!
//! Its target speed is inversely proportional to the largest angle between the vehicle's heading
//! and any piece of the path within a horizon; a proportional controller without integral moves the
//! pedal. The paper does not describe its steering; here the wheels turn in proportion to the angle
//! between the heading and the direction of a point at a fixed distance ahead. The end of an open
//! path is approached as by all followers of this crate.

use super::standing::standing;
use crate::chassis::{Chassis, Frame, Wish};
use crate::command::Command;
use crate::error::OptionsError;
use crate::follower::PathFollower;
use crate::geometry::{direction, wrap_angle};
use crate::lookahead::target_point;
use crate::options::{NearestPointOptions, StuckOptions, options, validate};
use crate::path::Path;
use crate::scene::Scene;
use crate::target_speed::END_BRAKING_MPS2;
use crate::target_speed::Walk;
use crate::vehicle::{VehicleGeometry, VehicleState};
use raceline_numerics::math;

/// Number of pieces of the horizon, independent of the spacing of the waypoints. More see short
/// bends, at a cost in proportion.
const PIECES: usize = 16;

options! {
    /// Options of [`PaperBaseline`].
    PaperBaselineOptions, "" {
        /// Length of the horizon: by default the range of the follower's five points.
        horizon_m: f64 = 24.0, [above 0 to 1000], "m";
        /// The target speed is `speed_angle_mps / angle`.
        speed_angle_mps: f64 = 3.0, [above 0 to 1000], "rad m/s";
        /// Upper limit of the target speed.
        max_speed_mps: f64 = 10.0, [above 0 to 1000], "m/s";
        /// Lower limit of the target speed.
        min_speed_mps: f64 = 1.0, [from 0 to max_speed_mps], "m/s";
        /// Pedal per missing speed.
        proportional: f64 = 0.4, [from 0 to 100], "1/(m/s)";
        /// Distance of the target point.
        lookahead_m: f64 = 6.0, [above 0 to 1000], "m";
        /// Steering angle per angle between the heading and the direction of the target.
        steering_gain: f64 = 1.0, [from 0 to 10];
    }
    with {
        /// As for the follower.
        nearest_point: NearestPointOptions;
        /// As for the follower.
        stuck: StuckOptions;
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
        validate(&options)?;
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
        let steering = options.steering_gain * math::atan2(y, x);
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
