//! Options by name, so that a new option does not change the interface.

use super::{CurveSpan, FollowerOptions, SpeedMode};

/// Sets the option `key`, which has the field's name, to `value`. A switch is off at 0 and on at 1;
/// `target_speed.mode` is 0 for curves, 1 for the profile, 2 for the lower of both;
/// `target_speed.span` is 0 for points, 1 for middles, 2 for headings. Ranges are checked when a
/// follower is made.
///
/// # Errors
/// A message for an unknown key and for a value that is not valid for a switch or a count.
pub(super) fn set(options: &mut FollowerOptions, key: &str, value: f64) -> Result<(), String> {
    let fault = |must: &str| Err(format!("option {key} is {value}, but must be {must}"));
    match key {
        "target_speed.mode" => {
            options.target_speed.mode = match value {
                0.0 => SpeedMode::Bezier,
                1.0 => SpeedMode::Profile,
                2.0 => SpeedMode::Both,
                _ => return fault("0, 1 or 2"),
            };
            return Ok(());
        }
        "target_speed.span" => {
            options.target_speed.span = match value {
                0.0 => CurveSpan::Points,
                1.0 => CurveSpan::Midpoints,
                2.0 => CurveSpan::Headings,
                _ => return fault("0, 1 or 2"),
            };
            return Ok(());
        }
        "target_speed.stop_at_end" | "boost.enabled" | "stuck.enabled" | "limit.enabled" | "limit.brakes_at_limit" => {
            let on = match value {
                0.0 => false,
                1.0 => true,
                _ => return fault("0 or 1"),
            };
            match key {
                "target_speed.stop_at_end" => options.target_speed.stop_at_end = on,
                "boost.enabled" => options.boost.enabled = on,
                "limit.enabled" => options.limit.enabled = on,
                "limit.brakes_at_limit" => options.limit.brakes_at_limit = on,
                _ => options.stuck.enabled = on,
            }
            return Ok(());
        }
        "target_speed.points" | "boost.points" | "stuck.attempts" => {
            if !(value.fract() == 0.0 && (0.0..=1e6).contains(&value)) {
                return fault("a whole number, 0 to 1000000");
            }
            match key {
                "target_speed.points" => options.target_speed.points = value as usize,
                "boost.points" => options.boost.points = value as usize,
                _ => options.stuck.attempts = value as u32,
            }
            return Ok(());
        }
        _ => {}
    }
    match number(options, key) {
        Some(field) => {
            *field = value;
            Ok(())
        }
        None => Err(format!("there is no option {key}: docs/follower.md lists the options")),
    }
}

/// The options that are numbers. Pick-ups had another name: files with the old keys stay readable.
fn number<'a>(options: &'a mut FollowerOptions, key: &str) -> Option<&'a mut f64> {
    let FollowerOptions {
        target_speed,
        nearest_point,
        lookahead,
        steering,
        speed_control,
        limit,
        stuck,
        pick_ups,
        boost,
        traffic,
    } = options;
    Some(match key {
        "target_speed.spacing_m" => &mut target_speed.spacing_m,
        "target_speed.lateral_acceleration_g" => &mut target_speed.lateral_acceleration_g,
        "target_speed.yaw_rate_radps" => &mut target_speed.yaw_rate_radps,
        "target_speed.grip_fraction" => &mut target_speed.grip_fraction,
        "target_speed.yaw_rate_fraction" => &mut target_speed.yaw_rate_fraction,
        "target_speed.min_speed_mps" => &mut target_speed.min_speed_mps,
        "target_speed.max_speed_mps" => &mut target_speed.max_speed_mps,
        "target_speed.braking_mps2" => &mut target_speed.braking_mps2,
        "target_speed.preview_s" => &mut target_speed.preview_s,
        "target_speed.profile_scale" => &mut target_speed.profile_scale,
        "nearest_point.rejoin_distance_m" => &mut nearest_point.rejoin_distance_m,
        "lookahead.base_m" => &mut lookahead.base_m,
        "lookahead.time_s" => &mut lookahead.time_s,
        "lookahead.curvature_gain_m" => &mut lookahead.curvature_gain_m,
        "lookahead.cross_track_gain" => &mut lookahead.cross_track_gain,
        "lookahead.min_m" => &mut lookahead.min_m,
        "lookahead.max_m" => &mut lookahead.max_m,
        "steering.curvature_feedforward" => &mut steering.curvature_feedforward,
        "steering.preview_s" => &mut steering.preview_s,
        "steering.understeer_radpmps2" => &mut steering.understeer_radpmps2,
        "steering.yaw_damping_s" => &mut steering.yaw_damping_s,
        "steering.max_slip_rad" => &mut steering.max_slip_rad,
        "steering.slip_learning" => &mut steering.slip_learning,
        "steering.early_turn" => &mut steering.early_turn,
        "speed_control.proportional" => &mut speed_control.proportional,
        "speed_control.integral" => &mut speed_control.integral,
        "speed_control.back_calculation" => &mut speed_control.back_calculation,
        "speed_control.integral_limit" => &mut speed_control.integral_limit,
        "speed_control.acceleration_feedforward" => &mut speed_control.acceleration_feedforward,
        "speed_control.full_throttle_mps2" => &mut speed_control.full_throttle_mps2,
        "speed_control.full_brake_mps2" => &mut speed_control.full_brake_mps2,
        "speed_control.standstill_mps" => &mut speed_control.standstill_mps,
        "limit.heading_gain" => &mut limit.heading_gain,
        "limit.heading_rate_radps" => &mut limit.heading_rate_radps,
        "limit.return_s" => &mut limit.return_s,
        "limit.yaw_damping_s" => &mut limit.yaw_damping_s,
        "limit.preview_s" => &mut limit.preview_s,
        "limit.max_slip" => &mut limit.max_slip,
        "limit.speed_gain" => &mut limit.speed_gain,
        "limit.speed_preview_s" => &mut limit.speed_preview_s,
        "limit.course_fraction" => &mut limit.course_fraction,
        "limit.braking_fraction" => &mut limit.braking_fraction,
        "limit.full_brake_fraction" => &mut limit.full_brake_fraction,
        "limit.slide_full" => &mut limit.slide_full,
        "limit.slide_none" => &mut limit.slide_none,
        "limit.pedal_s" => &mut limit.pedal_s,
        "limit.slip_learning" => &mut limit.slip_learning,
        "limit.brake_learning" => &mut limit.brake_learning,
        "limit.delay_s" => &mut limit.delay_s,
        "limit.slower_off_path" => &mut limit.slower_off_path,
        "limit.inputs_fraction" => &mut limit.inputs_fraction,
        "stuck.window_s" => &mut stuck.window_s,
        "stuck.min_progress_m" => &mut stuck.min_progress_m,
        "stuck.reverse_s" => &mut stuck.reverse_s,
        "stuck.turn_out_s" => &mut stuck.turn_out_s,
        "stuck.throttle" => &mut stuck.throttle,
        "stuck.recovered_m" => &mut stuck.recovered_m,
        "stuck.placement_s" => &mut stuck.placement_s,
        "pick_ups.range_m" | "bonuses.range_m" => &mut pick_ups.range_m,
        "pick_ups.max_offset_m" | "bonuses.max_offset_m" => &mut pick_ups.max_offset_m,
        "pick_ups.max_curvature_radpm" | "bonuses.max_curvature_radpm" => &mut pick_ups.max_curvature_radpm,
        "boost.min_radius_m" => &mut boost.min_radius_m,
        "boost.spacing_m" => &mut boost.spacing_m,
        "traffic.gap_m" => &mut traffic.gap_m,
        "traffic.beside_m" => &mut traffic.beside_m,
        "traffic.edge_m" => &mut traffic.edge_m,
        "traffic.following_m" => &mut traffic.following_m,
        "traffic.following_s" => &mut traffic.following_s,
        "traffic.braking_mps2" => &mut traffic.braking_mps2,
        "traffic.horizon_s" => &mut traffic.horizon_s,
        "traffic.lateral_mps2" => &mut traffic.lateral_mps2,
        "traffic.lateral_mps" => &mut traffic.lateral_mps,
        _ => return None,
    })
}
