//! The followers that can drive a line, fitted to a vehicle.

use raceline_follower::baselines::{PaperBaseline, PaperBaselineOptions, Reynolds, ReynoldsOptions};
use raceline_follower::{Follower, FollowerOptions, Path, PathFollower, SpeedMode, VehicleGeometry, Waypoint};

use super::bicycle::Bicycle;
use super::error::DriveError;
use super::options::DriveOptions;
use crate::RacingLine;
use crate::vehicle::{STANDARD_GRAVITY, Vehicle};

/// Who drives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FollowerKind {
    /// The follower, as fast as the curves ahead allow.
    Bezier,
    /// The follower, at the speeds of the file.
    Profile,
    /// The follower, at the lower of both.
    #[default]
    Both,
    /// The baseline of de Schaetzen and Sestini (2023).
    Baseline,
    /// Path following after Reynolds (1999).
    Reynolds,
}

impl FollowerKind {
    /// The name on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bezier => "bezier",
            Self::Profile => "profile",
            Self::Both => "both",
            Self::Baseline => "baseline",
            Self::Reynolds => "reynolds",
        }
    }
}

/// The profile is read ahead by this time, s. At 0 brakes come late, and the car is wide in slow bends.
const SPEED_PREVIEW_S: f64 = 0.05;
/// The lookahead grows by the way of this time, s.
const LOOKAHEAD_S: f64 = 0.25;
/// How fast the follower learns what slip angles its vehicle needs, 1/s.
const SLIP_LEARNING: f64 = 3.0;
/// Share of the vehicle's limits that curves are taken and approached with where they alone say the speed.
const CURVES_SHARE: f64 = 0.8;
/// Share of its lateral limit where the profile says the speed too: the curves, which are coarser than the line, are then only to catch
/// what a profile can't know.
const GUARD_SHARE: f64 = 3.0;
/// Lookahead at standstill in lengths of the vehicle. Shorter keeps nearer to the line in tight bends and begins to swing on fast ones.
const LOOKAHEAD_LENGTHS: f64 = 0.85;
/// Shortest and longest lookahead in lengths of the vehicle.
const LOOKAHEAD_RANGE: [f64; 2] = [0.6, 13.0];
/// The curvature is read ahead by this time, s, and by this much more for each metre of the vehicle's length: long vehicles turn in slowly.
const STEERING_PREVIEW_S: f64 = 0.03;
const STEERING_PREVIEW_SPM: f64 = 0.015;
/// Steering against a yaw rate that isn't the wanted one, s, and more of it for each metre between the axles. It is what makes up for tyres
/// near their limit, whose slip angle grows out of proportion; with less a car drifts wide by metres, with more it begins to swing.
const YAW_DAMPING_S: f64 = 0.2;
const YAW_DAMPING_SPM: f64 = 0.1;
/// A delay of 1 / this, s, halves the yaw damping, which would swing up otherwise.
const DELAY_SENSITIVITY: f64 = 30.0;

/// The path that `line` is for a follower: its points with the room to the edges, speeds and curvatures.
///
/// # Errors
/// [`DriveError::Path`] for a line that the follower refuses.
pub fn path_of(line: &RacingLine) -> Result<Path, DriveError> {
    let waypoint = |point: &crate::file::LinePoint| Waypoint {
        position_m: [point.x_m, point.y_m, 0.0],
        left_m: point.left_m,
        right_m: point.right_m,
        speed_mps: point.speed_mps,
        curvature_radpm: point.curvature_radpm,
    };
    Ok(Path::new(line.points.iter().map(waypoint).collect(), line.closed)?)
}

/// What a follower is told about the vehicle; its reference point is the centre of gravity.
pub fn geometry_of(vehicle: &Vehicle, bicycle: &Bicycle) -> VehicleGeometry {
    VehicleGeometry {
        wheelbase_m: vehicle.wheelbase_m,
        max_steering_rad: bicycle.max_steering_rad(),
        length_m: vehicle.length_m,
        width_m: vehicle.width_m,
        rear_axle_m: bicycle.to_rear_m(),
        ..VehicleGeometry::default()
    }
}

/// The options of the follower for `vehicle`: limits and lengths from the vehicle, a delay made up for by looking further ahead, everything else as
/// [`FollowerOptions::for_racing`] has it.
pub fn follower_options(
    vehicle: &Vehicle,
    bicycle: &Bicycle,
    options: &DriveOptions,
    stop_at_end: bool,
) -> FollowerOptions {
    let diagram = bicycle.diagram();
    let mut racing = FollowerOptions::for_racing();
    let (mode, share) = match options.follower {
        FollowerKind::Bezier => (SpeedMode::Bezier, CURVES_SHARE),
        FollowerKind::Profile => (SpeedMode::Profile, GUARD_SHARE),
        _ => (SpeedMode::Both, GUARD_SHARE),
    };
    racing.target_speed.mode = mode;
    racing.target_speed.lateral_acceleration_g = share * diagram.lateral_limit(0.0) / STANDARD_GRAVITY;
    racing.target_speed.braking_mps2 = CURVES_SHARE * diagram.longitudinal_limit_jet(0.0).value;
    racing.target_speed.max_speed_mps = vehicle.max_speed_mps;
    racing.target_speed.min_speed_mps = racing.target_speed.min_speed_mps.min(vehicle.max_speed_mps);
    racing.target_speed.profile_scale = options.speed_share;
    racing.target_speed.stop_at_end = stop_at_end;
    let (length, delay) = (vehicle.length_m, options.bicycle.actuation_delay_s);
    racing.target_speed.preview_s = SPEED_PREVIEW_S + delay;
    racing.lookahead.base_m = LOOKAHEAD_LENGTHS * length;
    [racing.lookahead.min_m, racing.lookahead.max_m] = LOOKAHEAD_RANGE.map(|lengths| lengths * length);
    racing.lookahead.time_s = LOOKAHEAD_S + delay;
    racing.steering.preview_s = STEERING_PREVIEW_S + STEERING_PREVIEW_SPM * length + delay;
    let yaw_damping = YAW_DAMPING_S + YAW_DAMPING_SPM * vehicle.wheelbase_m;
    racing.steering.yaw_damping_s = (yaw_damping / (1.0 + DELAY_SENSITIVITY * delay)).min(2.0);
    racing.steering.slip_learning = SLIP_LEARNING;
    racing.steering.max_slip_rad = options.bicycle.front_peak_slip_rad;
    racing.steering.understeer_radpmps2 = bicycle.understeer_gradient().clamp(-0.1, 0.1);
    racing.speed_control.full_throttle_mps2 = diagram.drive_jet(0.0).value;
    racing.speed_control.full_brake_mps2 = diagram.longitudinal_limit_jet(0.0).value;
    racing
}

/// The follower that `options` name, ready for `vehicle`.
///
/// # Errors
/// [`DriveError::Follower`] for a vehicle that the follower refuses.
pub fn driver(
    vehicle: &Vehicle,
    bicycle: &Bicycle,
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
