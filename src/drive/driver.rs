//! The followers that can drive a line, with options for a vehicle.

use raceline_follower::baselines::{PaperBaseline, PaperBaselineOptions, Reynolds, ReynoldsOptions};
use raceline_follower::{Follower, FollowerOptions, Path, PathFollower, SpeedMode, VehicleGeometry, Waypoint};
use raceline_vehicle_simulation::Bicycle;

use super::error::DriveError;
use super::follower_kind::FollowerKind;
use super::options::DriveOptions;
use crate::file::{LinePoint, RacingLine};
use crate::vehicle::{GgDiagram, STANDARD_GRAVITY, Vehicle};

/// Preview time of the profile, s. At 0 the car brakes late and runs wide in slow bends.
const SPEED_PREVIEW_S: f64 = 0.05;
/// The lookahead grows by the distance driven in this time, s.
const LOOKAHEAD_S: f64 = 0.25;
/// Rate at which the follower learns the slip angles of its vehicle, 1/s.
const SLIP_LEARNING: f64 = 3.0;
/// Fraction of the vehicle's limits used in and before curves where the curves alone set the speed.
const CURVES_FRACTION: f64 = 0.8;
/// Fraction of the lateral limit where the profile sets the speed too. The curves are coarser than
/// the line, so they only limit what a profile does not contain.
const GUARD_FRACTION: f64 = 3.0;
/// Lookahead at standstill in vehicle lengths. A shorter one tracks tight bends better but
/// oscillates on fast ones.
const LOOKAHEAD_LENGTHS: f64 = 0.85;
/// Shortest and longest lookahead in vehicle lengths.
const LOOKAHEAD_RANGE: [f64; 2] = [0.6, 13.0];
/// Preview time of the curvature, s, and its increase per metre of vehicle length: long vehicles
/// turn in slowly.
const STEERING_PREVIEW_S: f64 = 0.03;
const STEERING_PREVIEW_SPM: f64 = 0.015;
/// Steering angle per error of the yaw rate, s, and its increase per metre of wheelbase. It
/// compensates for tyres near their limit, whose slip angle grows out of proportion. With less the
/// car drifts wide by metres; with more it oscillates.
const YAW_DAMPING_S: f64 = 0.2;
const YAW_DAMPING_SPM: f64 = 0.1;
/// A delay of 1 / this, s, halves the yaw damping, which would be unstable otherwise.
const DELAY_SENSITIVITY: f64 = 30.0;

/// The follower's path of `line`: its points with distances to the edges, speeds and curvatures.
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
    Ok(Path::new(line.points.iter().map(waypoint).collect(), line.closed)?)
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

/// The options of the follower for `vehicle`: limits and lengths from the vehicle, longer previews
/// for a delay, everything else from [`FollowerOptions::for_racing`].
#[must_use]
pub fn follower_options(
    vehicle: &Vehicle,
    bicycle: &Bicycle<GgDiagram>,
    options: &DriveOptions,
    stop_at_end: bool,
) -> FollowerOptions {
    let diagram = bicycle.limits();
    let mut racing = FollowerOptions::for_racing();
    let (mode, fraction) = match options.follower {
        FollowerKind::Bezier => (SpeedMode::Bezier, CURVES_FRACTION),
        FollowerKind::Profile => (SpeedMode::Profile, GUARD_FRACTION),
        _ => (SpeedMode::Both, GUARD_FRACTION),
    };
    racing.target_speed.mode = mode;
    racing.target_speed.lateral_acceleration_g = fraction * diagram.lateral_limit(0.0) / STANDARD_GRAVITY;
    racing.target_speed.braking_mps2 = CURVES_FRACTION * diagram.longitudinal_limit_jet(0.0).value;
    racing.target_speed.max_speed_mps = vehicle.max_speed_mps;
    racing.target_speed.min_speed_mps = racing.target_speed.min_speed_mps.min(vehicle.max_speed_mps);
    racing.target_speed.profile_scale = options.speed_share;
    racing.target_speed.stop_at_end = stop_at_end;
    let (length, delay) = (vehicle.length_m, options.actuation_delay_s);
    racing.target_speed.preview_s = SPEED_PREVIEW_S + delay;
    racing.lookahead.base_m = LOOKAHEAD_LENGTHS * length;
    [racing.lookahead.min_m, racing.lookahead.max_m] = LOOKAHEAD_RANGE.map(|lengths| lengths * length);
    racing.lookahead.time_s = LOOKAHEAD_S + delay;
    racing.steering.preview_s = STEERING_PREVIEW_S + STEERING_PREVIEW_SPM * length + delay;
    let yaw_damping = YAW_DAMPING_S + YAW_DAMPING_SPM * vehicle.wheelbase_m;
    racing.steering.yaw_damping_s = (yaw_damping / (1.0 + DELAY_SENSITIVITY * delay)).min(2.0);
    racing.steering.slip_learning = SLIP_LEARNING;
    racing.steering.max_slip_rad = options.handling.front_peak_slip_rad;
    racing.steering.understeer_radpmps2 = bicycle.understeer_gradient().clamp(-0.1, 0.1);
    racing.speed_control.full_throttle_mps2 = diagram.drive_jet(0.0).value;
    racing.speed_control.full_brake_mps2 = diagram.longitudinal_limit_jet(0.0).value;
    racing
}

/// The follower that `options` select, for `vehicle`.
///
/// # Errors
/// [`DriveError::Follower`] for a vehicle that the follower rejects.
pub fn driver(
    vehicle: &Vehicle,
    bicycle: &Bicycle<GgDiagram>,
    options: &DriveOptions,
    stop_at_end: bool,
) -> Result<Box<dyn PathFollower>, DriveError> {
    let geometry = geometry_of(vehicle, bicycle);
    Ok(match options.follower {
        FollowerKind::Bezier | FollowerKind::Profile | FollowerKind::Both => {
            Box::new(Follower::new(follower_options(vehicle, bicycle, options, stop_at_end), geometry)?)
        }
        FollowerKind::Baseline => Box::new(PaperBaseline::new(PaperBaselineOptions::default(), geometry)?),
        FollowerKind::Reynolds => Box::new(Reynolds::new(ReynoldsOptions::default(), geometry)?),
    })
}
