//! Options for a vehicle whose limits are known.
//!
//! The control at the limit gets the vehicle from the path and needs no figures of its own. What is
//! set here beside the speeds is for where it does not apply: without a profile, far off the path,
//! at walking pace.

use raceline_numerics::STANDARD_GRAVITY;

use super::FollowerOptions;
use crate::vehicle::VehicleGeometry;
use raceline_car::VehicleDynamics;

/// Lateral limit of the curves as a multiple of the tyres'. The curves are coarser than a racing
/// line, so they only limit what its profile does not contain.
const GUARD_FRACTION: f64 = 3.0;
/// Fraction of the braking limit, 0 to 1, with which speeds from curves are approached. A larger
/// one brakes later, and runs wide where the curve is sharper than it looked.
const BRAKING_FRACTION: f64 = 0.8;
/// Preview time of the profile, s. At 0 the car brakes late and runs wide in slow bends; a long one
/// brakes and accelerates too early.
const SPEED_PREVIEW_S: f64 = 0.05;
/// Time in whose distance the lookahead grows, s. A longer one is steadier at speed and cuts bends.
const LOOKAHEAD_S: f64 = 0.25;
/// Lookahead at standstill, and the shortest and the longest, in vehicle lengths. A shorter one
/// tracks tight bends better but oscillates on fast ones.
const LOOKAHEAD_LENGTHS: f64 = 0.85;
const LOOKAHEAD_RANGE: [f64; 2] = [0.6, 13.0];
/// Preview time of the curvature, s, and its increase per metre of vehicle length: long vehicles
/// turn in slowly. Larger ones turn in too early, smaller ones run wide.
const STEERING_PREVIEW_S: f64 = 0.03;
const STEERING_PREVIEW_SPM: f64 = 0.015;
/// Steering angle per error of the yaw rate, s, and its increase per metre of wheelbase. More damps
/// swinging, until late commands make it swing.
const YAW_DAMPING_S: f64 = 0.2;
const YAW_DAMPING_SPM: f64 = 0.1;

impl FollowerOptions {
    /// For the vehicle of these dynamics and this geometry at the limit: [`Self::for_racing`] with
    /// the vehicle's limits and lengths. The reference point's place on the vehicle is
    /// [`VehicleGeometry::rear_axle_m`], at the centre of gravity or anywhere else.
    ///
    /// For a delay from a command to its effect set [`delay_s`](crate::LimitOptions::delay_s).
    pub fn for_vehicle(dynamics: &VehicleDynamics, geometry: &VehicleGeometry) -> Self {
        for_vehicle(&dynamics.resolve(geometry.wheelbase_m, geometry.rear_axle_m), geometry)
    }
}

/// `dynamics` must be resolved.
fn for_vehicle(dynamics: &VehicleDynamics, geometry: &VehicleGeometry) -> FollowerOptions {
    let mut options = FollowerOptions::for_racing();
    let (lateral, longitudinal) = (dynamics.lateral_mps2.at(0.0), dynamics.longitudinal_mps2.at(0.0));
    let speed = &mut options.target_speed;
    speed.lateral_acceleration_g = (GUARD_FRACTION * lateral / STANDARD_GRAVITY).clamp(1e-3, 100.0);
    speed.braking_mps2 = (BRAKING_FRACTION * longitudinal).clamp(1e-3, 1e3);
    speed.max_speed_mps = dynamics.max_speed_mps.clamp(1e-3, 1e3);
    speed.min_speed_mps = speed.min_speed_mps.min(speed.max_speed_mps);
    speed.preview_s = SPEED_PREVIEW_S;
    let length = geometry.length_m;
    let lookahead = &mut options.lookahead;
    lookahead.base_m = LOOKAHEAD_LENGTHS * length;
    [lookahead.min_m, lookahead.max_m] = LOOKAHEAD_RANGE.map(|lengths| (lengths * length).min(1e3));
    lookahead.time_s = LOOKAHEAD_S;
    let steering = &mut options.steering;
    steering.preview_s = (STEERING_PREVIEW_S + STEERING_PREVIEW_SPM * length).min(2.0);
    steering.yaw_damping_s = (YAW_DAMPING_S + YAW_DAMPING_SPM * geometry.wheelbase_m).min(2.0);
    steering.max_slip_rad = dynamics.peak_slip_rad;
    options.speed_control.full_throttle_mps2 = dynamics.drive_mps2.at(0.0).clamp(1e-3, 1e3);
    options.speed_control.full_brake_mps2 = longitudinal.clamp(1e-3, 1e3);
    options.limit.brakes_at_limit = true;
    options
}
