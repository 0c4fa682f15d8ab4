//! A network at the wheel.

use std::sync::Arc;

use super::inputs::{INPUTS, PREVIEW_S, inputs};
use super::network::{Network, OUTPUTS};
use crate::chassis::{Chassis, Frame, Wish};
use crate::command::Command;
use crate::error::OptionsError;
use crate::follower::PathFollower;
use crate::lookahead::target_point;
use crate::options::{NearestPointOptions, StuckOptions, options, validate};
use crate::path::Path;
use crate::scene::Scene;
use crate::stuck::StuckState;
use crate::vehicle::{VehicleGeometry, VehicleState};

/// The place of the preview that a command names as its target point.
const TARGET: usize = 4;

options! {
    /// Options of a [`NeuralDriver`].
    NeuralDriverOptions, "" {
        /// Factor on the speeds of the path's profile that the driver is shown.
        profile_scale: f64 = 1.0, [from 0.05 to 2];
    }
    with {
        /// As for the follower.
        nearest_point: NearestPointOptions;
        /// As for the follower.
        stuck: StuckOptions;
    }
}

/// Drives one vehicle on wheels along a path with a speed profile and a vehicle's dynamics
/// ([`Path::with_dynamics`]); on another path it brakes. Many vehicles can use one network. A step
/// allocates nothing.
#[derive(Clone, Debug)]
pub struct NeuralDriver {
    network: Arc<Network>,
    options: NeuralDriverOptions,
    chassis: Chassis,
    inputs: Option<[f64; INPUTS]>,
}

impl NeuralDriver {
    /// A driver for one vehicle.
    ///
    /// # Errors
    /// The first option or vehicle parameter out of its range.
    pub fn new(
        network: Arc<Network>,
        options: NeuralDriverOptions,
        vehicle: VehicleGeometry,
    ) -> Result<Self, OptionsError> {
        validate(&options)?;
        let chassis = Chassis::new(vehicle, options.nearest_point, options.stuck)?;
        Ok(Self { network, options, chassis, inputs: None })
    }

    /// The network.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// What the network was shown in the last step: `None` if the path has no profile or dynamics, the
    /// state was not usable, or the vehicle is stuck.
    pub fn inputs(&self) -> Option<&[f64; INPUTS]> {
        self.inputs.as_ref()
    }

    /// The outputs with which a network would command `steering_rad` and `pedal` on `path`: the
    /// steering angle divided by the tyres' peak slip, and the pedal. `None` if the path has no
    /// dynamics.
    pub fn outputs_for(&self, path: &Path, steering_rad: f64, pedal: f64) -> Option<[f64; OUTPUTS]> {
        let handling = {
            let vehicle = self.chassis.vehicle();
            path.dynamics()?.handling(vehicle.wheelbase_m, vehicle.rear_axle_m)
        };
        Some([steering_rad / handling.peak_slip_rad, pedal])
    }

    fn wish(&mut self, frame: &Frame<'_>) -> Option<Wish> {
        let dynamics = frame.path.dynamics()?;
        let vehicle = self.chassis.vehicle();
        let handling = dynamics.handling(vehicle.wheelbase_m, vehicle.rear_axle_m);
        let profile_mps = frame.here.speed_mps;
        if !profile_mps.is_finite() {
            return None;
        }
        let inputs = inputs(frame, dynamics, &handling, vehicle, self.options.profile_scale);
        let [steering, pedal] = self.network.evaluate(&inputs);
        self.inputs = Some(inputs);
        let ahead = (PREVIEW_S[TARGET] * frame.state.speed_mps.max(0.0)).max(vehicle.wheelbase_m);
        let arrived = frame.at_end();
        Some(Wish {
            pedal: if arrived { -1.0 } else { pedal },
            steering: steering * handling.peak_slip_rad,
            target_speed: if arrived { 0.0 } else { self.options.profile_scale * profile_mps },
            target: target_point(frame.path, frame.nearest.segment, frame.nearest.s + ahead),
            boost: false,
            arrived,
        })
    }
}

impl PathFollower for NeuralDriver {
    fn step(&mut self, path: &Path, state: &VehicleState, _: &Scene<'_>, dt_s: f64) -> Command {
        self.inputs = None;
        let Some(frame) = self.chassis.begin(path, state, dt_s) else { return self.chassis.not_understood() };
        let Some(wish) = self.wish(&frame) else { return self.chassis.not_understood() };
        let command = self.chassis.finish(&frame, &wish);
        if command.state != StuckState::Driving {
            self.inputs = None;
        }
        command
    }

    fn reset(&mut self) {
        self.chassis.reset();
        self.inputs = None;
    }
}
