//! The followers that can drive a line, with options for a vehicle.

use std::sync::Arc;

use raceline_follower::baselines::{PaperBaseline, PaperBaselineOptions, Reynolds, ReynoldsOptions};
use raceline_follower::neural::{Network, NeuralDriver, NeuralDriverOptions};
use raceline_follower::{
    Follower, FollowerOptions, LocalPlanner, LocalPlannerOptions, Path, PathFollower, SpeedMode, VehicleDynamics,
    VehicleGeometry,
};

use super::error::DriveError;
use super::follower_kind::FollowerKind;
use super::options::DriveOptions;
use crate::file::{self, RacingLine};
use crate::vehicle::{STANDARD_GRAVITY, Vehicle};

/// Fraction of the vehicle's limits, 0 to 1, used in and before curves where the curves alone set
/// the speed. A larger one drives faster until it leaves the road where a curve is sharper than it
/// looked.
const CURVES_FRACTION: f64 = 0.8;
/// A delay of 1 / this, s, halves the yaw damping of the pursuit, which would be unstable otherwise.
const DELAY_SENSITIVITY: f64 = 30.0;
/// The longest delay that the follower predicts, s.
const LONGEST_DELAY_S: f64 = 0.25;

/// What a program that links the follower has of a line: the path and the vehicle in its file.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The path with speeds, curvatures, grip, banking, heights, the car's inputs, and the vehicle's dynamics.
    pub path: Path,
    /// The vehicle's geometry, with the centre of gravity as the reference point.
    pub geometry: VehicleGeometry,
}

impl Loaded {
    /// Writes `line` with `vehicle` as its file and reads that with the follower's own reader
    /// ([`raceline_follower::json::read`]): a drive tests what a game loads.
    ///
    /// # Errors
    /// [`DriveError::Line`] for a line that makes no file, [`DriveError::NotLoaded`] for a file that the
    /// follower refuses.
    pub fn new(line: &RacingLine, vehicle: &Vehicle) -> Result<Self, DriveError> {
        let bytes = if line.vehicle == *vehicle {
            file::json::write(line)?
        } else {
            file::json::write(&RacingLine { vehicle: vehicle.clone(), ..line.clone() })?
        };
        let loaded = raceline_follower::json::read(&bytes)?;
        let rear_axle_m = vehicle.handling().front_weight_fraction * vehicle.wheelbase_m;
        Ok(Self { path: loaded.path, geometry: VehicleGeometry { rear_axle_m, ..loaded.vehicle } })
    }

    /// The dynamics of the vehicle. A line's file always has them.
    fn dynamics(&self) -> Result<&VehicleDynamics, DriveError> {
        self.path.dynamics().ok_or(DriveError::NoDynamics)
    }
}

/// The options of the follower for what was loaded: [`FollowerOptions::for_vehicle`] with what the drive
/// asks for.
///
/// # Errors
/// [`DriveError::NoDynamics`] for a vehicle whose limits are no usable numbers.
pub fn follower_options(
    loaded: &Loaded,
    options: &DriveOptions,
    stop_at_end: bool,
) -> Result<FollowerOptions, DriveError> {
    let dynamics = loaded.dynamics()?;
    let mut racing = FollowerOptions::for_vehicle(dynamics, &loaded.geometry);
    racing.target_speed.mode = match options.follower {
        FollowerKind::Bezier => SpeedMode::Bezier,
        FollowerKind::Profile => SpeedMode::Profile,
        _ => SpeedMode::Both,
    };
    if options.follower == FollowerKind::Bezier {
        let lateral = dynamics.lateral_mps2.at(0.0);
        racing.target_speed.lateral_acceleration_g = CURVES_FRACTION * lateral / STANDARD_GRAVITY;
    }
    racing.target_speed.profile_scale = options.speed_share;
    racing.target_speed.stop_at_end = stop_at_end;
    let delay = options.actuation_delay_s;
    racing.target_speed.preview_s += delay;
    racing.lookahead.time_s += delay;
    racing.steering.preview_s += delay;
    racing.steering.yaw_damping_s /= 1.0 + DELAY_SENSITIVITY * delay;
    racing.limit.delay_s = delay.min(LONGEST_DELAY_S);
    Ok(racing)
}

/// The follower that `options` select, for what was loaded; `network` is that of the neural driver.
///
/// # Errors
/// [`DriveError::Follower`] for a vehicle that the follower rejects, [`DriveError::NoNetwork`] for the
/// neural driver without a network.
pub fn driver(
    loaded: &Loaded,
    options: &DriveOptions,
    stop_at_end: bool,
    network: Option<&Arc<Network>>,
) -> Result<Box<dyn PathFollower>, DriveError> {
    let geometry = loaded.geometry;
    Ok(match options.follower {
        FollowerKind::Bezier | FollowerKind::Profile | FollowerKind::Both => {
            Box::new(Follower::new(follower_options(loaded, options, stop_at_end)?, geometry)?)
        }
        FollowerKind::Baseline => Box::new(PaperBaseline::new(PaperBaselineOptions::default(), geometry)?),
        FollowerKind::Reynolds => Box::new(Reynolds::new(ReynoldsOptions::default(), geometry)?),
        FollowerKind::Neural => {
            let network = Arc::clone(network.ok_or(DriveError::NoNetwork)?);
            let neural = NeuralDriverOptions { profile_scale: options.speed_share, ..NeuralDriverOptions::default() };
            Box::new(NeuralDriver::new(network, neural, geometry)?)
        }
    })
}

/// The follower that `options` select with a local planner, for a road that is not empty.
///
/// # Errors
/// [`DriveError::Follower`] for a vehicle that the follower rejects; [`DriveError::NoPlanner`] for the
/// baselines.
pub(crate) fn planning_driver(
    loaded: &Loaded,
    options: &DriveOptions,
    stop_at_end: bool,
) -> Result<Follower, DriveError> {
    if matches!(options.follower, FollowerKind::Baseline | FollowerKind::Reynolds | FollowerKind::Neural) {
        return Err(DriveError::NoPlanner { follower: options.follower.name() });
    }
    let (geometry, dynamics) = (loaded.geometry, loaded.dynamics()?);
    let mut follower = Follower::new(follower_options(loaded, options, stop_at_end)?, geometry)?;
    follower.set_planner(Some(LocalPlanner::new(LocalPlannerOptions::for_vehicle(dynamics, &geometry))?));
    Ok(follower)
}
