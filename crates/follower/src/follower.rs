//! The follower: one step a frame.

use crate::bonuses::Bonus;
use crate::chassis::{Chassis, Frame, Wish};
use crate::command::Command;
use crate::error::OptionsError;
use crate::options::FollowerOptions;
use crate::path::Path;
use crate::pure_pursuit::{bicycle_steering, pursuit_curvature};
use crate::vehicle::{VehicleGeometry, VehicleState};

/// Anything that drives a vehicle along a path, one step a frame: [`Follower`] and the baselines it is compared with.
pub trait PathFollower {
    /// Looks at the vehicle and says what to do until the next frame, `dt_s` seconds later. Never panics, never allocates.
    fn step(&mut self, path: &Path, state: &VehicleState, dt_s: f64) -> Command;

    /// Forgets everything but the options, as for a new vehicle.
    fn reset(&mut self);
}

/// Drives one vehicle along a path. All its state is in here; it can be copied.
#[derive(Clone, Copy, Debug)]
pub struct Follower {
    options: FollowerOptions,
    chassis: Chassis,
}

impl Follower {
    /// A follower for one vehicle.
    ///
    /// # Errors
    /// The first option, or figure of the vehicle, out of its documented range.
    pub fn new(options: FollowerOptions, vehicle: VehicleGeometry) -> Result<Self, OptionsError> {
        options.validate()?;
        Ok(Self { options, chassis: Chassis::new(vehicle, options.nearest_point, options.stuck)? })
    }

    /// The options.
    pub fn options(&self) -> &FollowerOptions {
        &self.options
    }

    /// The vehicle.
    pub fn vehicle(&self) -> &VehicleGeometry {
        self.chassis.vehicle()
    }

    /// See [`PathFollower::step`].
    pub fn step(&mut self, path: &Path, state: &VehicleState, dt_s: f64) -> Command {
        let Some(frame) = self.chassis.begin(path, state, dt_s) else { return self.chassis.not_understood() };
        let wish = self.wish(&frame);
        self.chassis.finish(&frame, &wish)
    }

    /// The same with pick-ups: of those near the path ahead, one whose detour costs little is driven through. The first
    /// [`MAX_BONUSES`](crate::MAX_BONUSES) of `bonuses` are looked at.
    pub fn step_with_bonuses(&mut self, path: &Path, state: &VehicleState, _bonuses: &[Bonus], dt_s: f64) -> Command {
        self.step(path, state, dt_s)
    }

    /// Forgets everything but the options and the vehicle.
    pub fn reset(&mut self) {
        self.chassis.reset();
    }

    fn wish(&mut self, frame: &Frame<'_>) -> Wish {
        let options = &self.options;
        let far = options.lookahead.base_m + options.lookahead.time_s * frame.state.speed_mps.abs();
        let far = far.clamp(options.lookahead.min_m, options.lookahead.max_m);
        let target = frame.path.sample(frame.nearest.s + far).position_m;
        let (x, y) = frame.in_vehicle(target);
        let steering = bicycle_steering(self.chassis.vehicle().wheelbase_m, pursuit_curvature(x, y));
        let speed = options.target_speed.max_speed_mps;
        let pedal = options.speed_control.proportional * (speed - frame.state.speed_mps);
        Wish { pedal, steering, target_speed: speed, target, boost: false, arrived: false }
    }
}

impl PathFollower for Follower {
    fn step(&mut self, path: &Path, state: &VehicleState, dt_s: f64) -> Command {
        Self::step(self, path, state, dt_s)
    }

    fn reset(&mut self) {
        Self::reset(self);
    }
}
