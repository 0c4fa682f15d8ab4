//! Path following after Reynolds: predict, seek the path point ahead when outside the tube, arrive.

use crate::chassis::{Chassis, Frame, Wish};
use crate::command::Command;
use crate::error::OptionsError;
use crate::follower::PathFollower;
use crate::options::{NearestPointOptions, StuckOptions};
use crate::path::Path;
use crate::pure_pursuit::{bicycle_steering, pursuit_curvature};
use crate::vehicle::{VehicleGeometry, VehicleState};

/// Options of [`Reynolds`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReynoldsOptions {
    /// How far ahead in time the vehicle's position is predicted, seconds, 0 to 10; default 0.5.
    pub prediction_s: f64,
    /// Radius of the tube about the path, metres, 0 to 1000; default 0.5. While the predicted position is inside, the wheels stay straight.
    pub tube_radius_m: f64,
    /// The point sought lies so far ahead of the predicted position's place on the path, metres, above 0, at most 1000; default 4.
    pub seek_ahead_m: f64,
    /// Speed driven, m/s, above 0, at most 1000; default 10.
    pub max_speed_mps: f64,
    /// From this distance to the end of an open path on, the speed falls in proportion to the distance left, metres, above 0; default 15.
    pub slowing_distance_m: f64,
    /// Largest steering acceleration, m/s², above 0, at most 1000; default 6. Reynolds' `max_force` per mass.
    pub max_acceleration_mps2: f64,
    /// Pedal per m/s missing, 0 to 100; default 0.4.
    pub proportional: f64,
    /// As for the follower.
    pub nearest_point: NearestPointOptions,
    /// As for the follower.
    pub stuck: StuckOptions,
}

impl Default for ReynoldsOptions {
    fn default() -> Self {
        Self {
            prediction_s: 0.5,
            tube_radius_m: 0.5,
            seek_ahead_m: 4.0,
            max_speed_mps: 10.0,
            slowing_distance_m: 15.0,
            max_acceleration_mps2: 6.0,
            proportional: 0.4,
            nearest_point: NearestPointOptions::default(),
            stuck: StuckOptions::default(),
        }
    }
}

/// Steering behaviour "path following" of Reynolds 1999.
#[derive(Clone, Copy, Debug)]
pub struct Reynolds {
    options: ReynoldsOptions,
    chassis: Chassis,
}

impl Reynolds {
    /// A baseline for one vehicle.
    ///
    /// # Errors
    /// The first option, or figure of the vehicle, out of its range.
    pub fn new(options: ReynoldsOptions, vehicle: VehicleGeometry) -> Result<Self, OptionsError> {
        Ok(Self { options, chassis: Chassis::new(vehicle, options.nearest_point, options.stuck)? })
    }

    fn wish(&self, frame: &Frame<'_>) -> Wish {
        let options = &self.options;
        let target = frame.path.sample(frame.nearest.s + options.seek_ahead_m).position_m;
        let (x, y) = frame.in_vehicle(target);
        let steering = bicycle_steering(self.chassis.vehicle().wheelbase_m, pursuit_curvature(x, y));
        let pedal = options.proportional * (options.max_speed_mps - frame.state.speed_mps);
        Wish { pedal, steering, target_speed: options.max_speed_mps, target, boost: false, arrived: false }
    }
}

impl PathFollower for Reynolds {
    fn step(&mut self, path: &Path, state: &VehicleState, dt_s: f64) -> Command {
        let Some(frame) = self.chassis.begin(path, state, dt_s) else { return self.chassis.not_understood() };
        let wish = self.wish(&frame);
        self.chassis.finish(&frame, &wish)
    }

    fn reset(&mut self) {
        self.chassis.reset();
    }
}
