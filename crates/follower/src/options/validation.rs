//! Ranges of all options.

use super::{FollowerOptions, StuckOptions};
use crate::error::OptionsError;
use crate::vehicle::VehicleGeometry;

/// (field, value, minimum, maximum, range in words). NaN is in no range.
pub(crate) type Row = (&'static str, f64, f64, f64, &'static str);

/// Smallest value of a number that must be above 0.
pub(crate) const SMALLEST: f64 = 1e-6;

pub(crate) fn validate_rows(rows: &[Row]) -> Result<(), OptionsError> {
    match rows.iter().find(|(_, value, min, max, _)| !(min..=max).contains(&value)) {
        Some(&(field, value, _, _, must)) => Err(OptionsError { field, value, must }),
        None => Ok(()),
    }
}

pub(super) fn validate(options: &FollowerOptions) -> Result<(), OptionsError> {
    let FollowerOptions { target_speed: speed, nearest_point, lookahead, steering, speed_control: control, .. } =
        options;
    validate_rows(&[
        ("target_speed.points", speed.points as f64, 3.0, 64.0, "3 to 64"),
        ("target_speed.spacing_m", speed.spacing_m, 0.01, 1e3, "0.01 to 1000 m"),
        ("target_speed.lateral_acceleration_g", speed.lateral_acceleration_g, SMALLEST, 100.0, "above 0, at most 100"),
        ("target_speed.yaw_rate_radps", speed.yaw_rate_radps, SMALLEST, f64::INFINITY, "above 0 rad/s"),
        ("target_speed.grip_fraction", speed.grip_fraction, 0.01, 2.0, "0.01 to 2"),
        ("target_speed.yaw_rate_fraction", speed.yaw_rate_fraction, 0.01, 5.0, "0.01 to 5"),
        ("target_speed.max_speed_mps", speed.max_speed_mps, SMALLEST, 1e3, "above 0, at most 1000 m/s"),
        ("target_speed.min_speed_mps", speed.min_speed_mps, 0.0, speed.max_speed_mps, "0 to max_speed_mps"),
        ("target_speed.preview_s", speed.preview_s, 0.0, 5.0, "0 to 5 s"),
        ("target_speed.profile_scale", speed.profile_scale, 0.01, 2.0, "0.01 to 2"),
        ("nearest_point.rejoin_distance_m", nearest_point.rejoin_distance_m, SMALLEST, f64::INFINITY, "above 0 m"),
        ("lookahead.base_m", lookahead.base_m, 0.0, 1e3, "0 to 1000 m"),
        ("lookahead.time_s", lookahead.time_s, 0.0, 10.0, "0 to 10 s"),
        ("lookahead.curvature_gain_m", lookahead.curvature_gain_m, 0.0, 1e3, "0 to 1000 m"),
        ("lookahead.cross_track_gain", lookahead.cross_track_gain, 0.0, 100.0, "0 to 100"),
        ("lookahead.max_m", lookahead.max_m, SMALLEST, 1e3, "above 0, at most 1000 m"),
        ("lookahead.min_m", lookahead.min_m, SMALLEST, lookahead.max_m, "above 0, at most max_m"),
        ("steering.curvature_feedforward", steering.curvature_feedforward, 0.0, 1.0, "0 to 1"),
        ("steering.preview_s", steering.preview_s, 0.0, 2.0, "0 to 2 s"),
        ("steering.understeer_radpmps2", steering.understeer_radpmps2, -0.1, 0.1, "-0.1 to 0.1 rad/(m/s²)"),
        ("steering.yaw_damping_s", steering.yaw_damping_s, 0.0, 2.0, "0 to 2 s"),
        ("steering.max_slip_rad", steering.max_slip_rad, 0.01, 1.57, "0.01 to 1.57 rad"),
        ("steering.slip_learning", steering.slip_learning, 0.0, 20.0, "0 to 20 1/s"),
        ("steering.early_turn", steering.early_turn, 0.0, 2.0, "0 to 2"),
        ("speed_control.proportional", control.proportional, 0.0, 100.0, "0 to 100"),
        ("speed_control.integral", control.integral, 0.0, 100.0, "0 to 100"),
        ("speed_control.back_calculation", control.back_calculation, 0.0, 100.0, "0 to 100 1/s"),
        ("speed_control.integral_limit", control.integral_limit, 0.0, 1.0, "0 to 1"),
        ("speed_control.acceleration_feedforward", control.acceleration_feedforward, 0.0, 1.0, "0 to 1"),
        ("speed_control.full_throttle_mps2", control.full_throttle_mps2, SMALLEST, 1e3, "above 0, at most 1000 m/s²"),
        ("speed_control.full_brake_mps2", control.full_brake_mps2, SMALLEST, 1e3, "above 0, at most 1000 m/s²"),
        ("speed_control.standstill_mps", control.standstill_mps, 0.0, 10.0, "0 to 10 m/s"),
    ])?;
    let braking = speed.braking_mps2;
    let braking = if braking == f64::INFINITY { 1.0 } else { braking };
    let (pick_ups, boost, limit, traffic) = (&options.pick_ups, &options.boost, &options.limit, &options.traffic);
    validate_rows(&[
        ("target_speed.braking_mps2", braking, SMALLEST, 1e3, "above 0, at most 1000 m/s², or infinite"),
        ("limit.heading_gain", limit.heading_gain, 0.01, 10.0, "0.01 to 10"),
        ("limit.heading_rate_radps", limit.heading_rate_radps, 0.1, 200.0, "0.1 to 200 rad/s"),
        ("limit.return_s", limit.return_s, 0.05, 10.0, "0.05 to 10 s"),
        ("limit.yaw_damping_s", limit.yaw_damping_s, 0.0, 2.0, "0 to 2 s"),
        ("limit.preview_s", limit.preview_s, 0.0, 1.0, "0 to 1 s"),
        ("limit.max_slip", limit.max_slip, 0.5, 3.0, "0.5 to 3"),
        ("limit.speed_gain", limit.speed_gain, 0.0, 50.0, "0 to 50 1/s"),
        ("limit.speed_preview_s", limit.speed_preview_s, 0.0, 1.0, "0 to 1 s"),
        ("limit.course_fraction", limit.course_fraction, 0.0, 1.0, "0 to 1"),
        ("limit.braking_fraction", limit.braking_fraction, 0.1, 1.0, "0.1 to 1"),
        ("limit.full_brake_fraction", limit.full_brake_fraction, 0.1, 1.0, "0.1 to 1"),
        ("limit.slide_full", limit.slide_full, 0.0, 5.0, "0 to 5"),
        ("limit.slide_none", limit.slide_none, limit.slide_full + 1e-3, 10.0, "above slide_full, at most 10"),
        ("limit.pedal_s", limit.pedal_s, 0.001, 2.0, "0.001 to 2 s"),
        ("limit.slip_learning", limit.slip_learning, 0.0, 20.0, "0 to 20 1/s"),
        ("limit.brake_learning", limit.brake_learning, 0.0, 20.0, "0 to 20 1/s"),
        ("limit.delay_s", limit.delay_s, 0.0, 0.25, "0 to 0.25 s"),
        ("limit.slower_off_path", limit.slower_off_path, 0.0, 1.0, "0 to 1"),
        ("limit.inputs_fraction", limit.inputs_fraction, 0.0, 1.0, "0 to 1"),
        ("pick_ups.range_m", pick_ups.range_m, 0.0, 1e3, "0 to 1000 m"),
        ("pick_ups.max_offset_m", pick_ups.max_offset_m, 0.0, 1e3, "0 to 1000 m"),
        ("pick_ups.max_curvature_radpm", pick_ups.max_curvature_radpm, 0.0, 10.0, "0 to 10 1/m"),
        ("boost.min_radius_m", boost.min_radius_m, SMALLEST, f64::INFINITY, "above 0 m"),
        ("boost.points", boost.points as f64, 3.0, 64.0, "3 to 64"),
        ("boost.spacing_m", boost.spacing_m, 0.01, 1e3, "0.01 to 1000 m"),
        ("traffic.gap_m", traffic.gap_m, 0.0, 20.0, "0 to 20 m"),
        ("traffic.beside_m", traffic.beside_m, 0.0, 20.0, "0 to 20 m"),
        ("traffic.edge_m", traffic.edge_m, 0.0, 20.0, "0 to 20 m"),
        ("traffic.following_m", traffic.following_m, 0.0, 100.0, "0 to 100 m"),
        ("traffic.following_s", traffic.following_s, 0.0, 10.0, "0 to 10 s"),
        ("traffic.braking_mps2", traffic.braking_mps2, SMALLEST, 100.0, "above 0, at most 100 m/s²"),
        ("traffic.horizon_s", traffic.horizon_s, 0.1, 30.0, "0.1 to 30 s"),
        ("traffic.lateral_mps2", traffic.lateral_mps2, SMALLEST, 100.0, "above 0, at most 100 m/s²"),
        ("traffic.lateral_mps", traffic.lateral_mps, SMALLEST, 100.0, "above 0, at most 100 m/s"),
    ])?;
    validate_stuck(&options.stuck)
}

pub(crate) fn validate_stuck(stuck: &StuckOptions) -> Result<(), OptionsError> {
    validate_rows(&[
        ("stuck.window_s", stuck.window_s, 0.1, 600.0, "0.1 to 600 s"),
        ("stuck.min_progress_m", stuck.min_progress_m, SMALLEST, 1e3, "above 0, at most 1000 m"),
        ("stuck.reverse_s", stuck.reverse_s, 0.05, 60.0, "0.05 to 60 s"),
        ("stuck.turn_out_s", stuck.turn_out_s, 0.05, 60.0, "0.05 to 60 s"),
        ("stuck.throttle", stuck.throttle, SMALLEST, 1.0, "above 0, at most 1"),
        ("stuck.attempts", f64::from(stuck.attempts), 1.0, 100.0, "1 to 100"),
        ("stuck.recovered_m", stuck.recovered_m, SMALLEST, 1e3, "above 0, at most 1000 m"),
        ("stuck.placement_s", stuck.placement_s, 0.05, 3600.0, "0.05 to 3600 s"),
    ])
}

pub(crate) fn validate_vehicle(vehicle: &VehicleGeometry) -> Result<(), OptionsError> {
    validate_rows(&[
        ("vehicle.wheelbase_m", vehicle.wheelbase_m, 0.01, 100.0, "0.01 to 100 m"),
        ("vehicle.max_steering_rad", vehicle.max_steering_rad, 1e-3, 1.57, "0.001 to 1.57 rad"),
        ("vehicle.length_m", vehicle.length_m, 0.01, 100.0, "0.01 to 100 m"),
        ("vehicle.width_m", vehicle.width_m, 0.01, 100.0, "0.01 to 100 m"),
        ("vehicle.rear_axle_m", vehicle.rear_axle_m, -100.0, 100.0, "-100 to 100 m"),
        ("vehicle.grip_g", vehicle.grip_g, SMALLEST, f64::INFINITY, "above 0, or infinite where it isn't known"),
        (
            "vehicle.max_yaw_rate_radps",
            vehicle.max_yaw_rate_radps,
            SMALLEST,
            f64::INFINITY,
            "above 0 rad/s, or infinite where it isn't known",
        ),
    ])
}
