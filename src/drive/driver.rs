//! The followers that can drive a line, with options for a vehicle.

use std::sync::Arc;

use raceline_follower::baselines::{PaperBaseline, PaperBaselineOptions, Reynolds, ReynoldsOptions};
use raceline_follower::neural::{Network, NeuralDriver, NeuralDriverOptions};
use raceline_follower::{
    Follower, FollowerOptions, LocalPlanner, LocalPlannerOptions, Path, PathFollower, PathInputs, SpeedMode,
    SpeedTable, VehicleDynamics, VehicleGeometry, Waypoint,
};
use raceline_vehicle_simulation::Bicycle;

use super::error::DriveError;
use super::follower_kind::FollowerKind;
use super::options::DriveOptions;
use crate::file::{LinePoint, RacingLine};
use crate::vehicle::{GgDiagram, STANDARD_GRAVITY, Vehicle};

/// Fraction of the vehicle's limits used in and before curves where the curves alone set the speed.
const CURVES_FRACTION: f64 = 0.8;
/// A delay of 1 / this, s, halves the yaw damping of the pursuit, which would be unstable otherwise.
const DELAY_SENSITIVITY: f64 = 30.0;
/// The longest delay that the follower predicts, s.
const LONGEST_DELAY_S: f64 = 0.25;

/// The follower's path of `line`: its points with distances to the edges, speeds and curvatures,
/// and what drives a car along them.
///
/// # Errors
/// [`DriveError::Path`] for a line that the follower rejects.
pub fn path_of(line: &RacingLine) -> Result<Path, DriveError> {
    let waypoint = |point: &LinePoint| Waypoint {
        position_m: [point.x_m, point.y_m, 0.0],
        left_m: point.left_m,
        right_m: point.right_m,
        speed_mps: point.speed_mps,
        curvature_radpm: point.curvature_radpm,
    };
    let path = Path::new(line.points.iter().map(waypoint).collect(), line.closed)?;
    // Points within a millimetre of another are dropped, which a written line does not have.
    Ok(if path.waypoints().len() == line.points.len() {
        path.with_inputs(|i, _| inputs_of(&line.points[i]))
    } else {
        path
    })
}

/// What drives a car at `point`, if the line tells it.
fn inputs_of(point: &LinePoint) -> Option<PathInputs> {
    Some(PathInputs {
        steering_rad: point.steering_rad?,
        pedal: point.pedal?,
        sideslip_rad: point.sideslip_rad?,
        yaw_rate_radps: point.yaw_rate_radps?,
    })
}

/// The follower's geometry of the vehicle; the reference point is the centre of gravity.
#[must_use]
pub fn geometry_of(vehicle: &Vehicle, bicycle: &Bicycle<GgDiagram>) -> VehicleGeometry {
    VehicleGeometry {
        wheelbase_m: vehicle.wheelbase_m,
        max_steering_rad: bicycle.parameters().max_steering_rad,
        length_m: vehicle.length_m,
        width_m: vehicle.width_m,
        rear_axle_m: bicycle.to_rear_m(),
        ..VehicleGeometry::default()
    }
}

/// What the follower knows of the vehicle beyond that: limits and resistance of the g-g diagram, and
/// the handling of the bicycle, whose axles brake and drive in proportion to their loads.
#[must_use]
pub fn dynamics_of(vehicle: &Vehicle, bicycle: &Bicycle<GgDiagram>) -> VehicleDynamics {
    let diagram = bicycle.limits();
    let handling = &bicycle.parameters().handling;
    let over_speed = |value: &dyn Fn(f64) -> f64| SpeedTable::new(vehicle.max_speed_mps, |v| value(v * v));
    let front = handling.front_weight_fraction;
    let product = front * (1.0 - front) * vehicle.wheelbase_m * vehicle.wheelbase_m;
    let transfer = handling.centre_of_gravity_m / (STANDARD_GRAVITY * vehicle.wheelbase_m);
    let front_at = |acceleration: f64| (front - acceleration * transfer).clamp(0.0, 1.0);
    VehicleDynamics {
        lateral_mps2: over_speed(&|w| diagram.lateral_limit(w)),
        longitudinal_mps2: over_speed(&|w| diagram.longitudinal_limit_jet(w).value),
        drive_mps2: over_speed(&|w| diagram.drive_jet(w).value),
        max_speed_mps: vehicle.max_speed_mps,
        ellipse_exponent: diagram.exponent(),
        drag_radpm: diagram.drag_over_mass(),
        rolling_mps2: diagram.rolling_deceleration(),
        front_weight_fraction: front,
        gyration_m2: handling.yaw_inertia_index * product,
        centre_of_gravity_m: handling.centre_of_gravity_m,
        peak_slip_rad: vehicle.peak_slip_rad.unwrap_or(handling.front_peak_slip_rad),
        front_brake_fraction: front_at(-diagram.longitudinal_limit_jet(0.0).value),
        front_drive_fraction: front_at(diagram.drive_jet(0.0).value),
        steering_rate_radps: handling.steering_rate_radps,
    }
}

/// The options of the follower for `vehicle`: [`FollowerOptions::for_vehicle`] with what the drive
/// asks for.
#[must_use]
pub fn follower_options(
    vehicle: &Vehicle,
    bicycle: &Bicycle<GgDiagram>,
    options: &DriveOptions,
    stop_at_end: bool,
) -> FollowerOptions {
    let mut racing = FollowerOptions::for_vehicle(&dynamics_of(vehicle, bicycle), &geometry_of(vehicle, bicycle));
    racing.target_speed.mode = match options.follower {
        FollowerKind::Bezier => SpeedMode::Bezier,
        FollowerKind::Profile => SpeedMode::Profile,
        _ => SpeedMode::Both,
    };
    if options.follower == FollowerKind::Bezier {
        let lateral = bicycle.limits().lateral_limit(0.0);
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
    racing
}

/// The follower that `options` select, for `vehicle`; `network` is that of the neural driver.
///
/// # Errors
/// [`DriveError::Follower`] for a vehicle that the follower rejects, [`DriveError::NoNetwork`] for the
/// neural driver without a network.
pub fn driver(
    vehicle: &Vehicle,
    bicycle: &Bicycle<GgDiagram>,
    options: &DriveOptions,
    stop_at_end: bool,
    network: Option<&Arc<Network>>,
) -> Result<Box<dyn PathFollower>, DriveError> {
    let geometry = geometry_of(vehicle, bicycle);
    Ok(match options.follower {
        FollowerKind::Bezier | FollowerKind::Profile | FollowerKind::Both => {
            Box::new(Follower::new(follower_options(vehicle, bicycle, options, stop_at_end), geometry)?)
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
pub fn planning_driver(
    vehicle: &Vehicle,
    bicycle: &Bicycle<GgDiagram>,
    options: &DriveOptions,
    stop_at_end: bool,
) -> Result<Follower, DriveError> {
    if matches!(options.follower, FollowerKind::Baseline | FollowerKind::Reynolds | FollowerKind::Neural) {
        return Err(DriveError::NoPlanner { follower: options.follower.name() });
    }
    let (geometry, dynamics) = (geometry_of(vehicle, bicycle), dynamics_of(vehicle, bicycle));
    let mut follower = Follower::new(follower_options(vehicle, bicycle, options, stop_at_end), geometry)?;
    follower.set_planner(Some(LocalPlanner::new(LocalPlannerOptions::for_vehicle(&dynamics, &geometry))?));
    Ok(follower)
}
