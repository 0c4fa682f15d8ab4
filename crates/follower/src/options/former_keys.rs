//! Keys of options that were renamed.

/// Former keys with the present ones, for settings and files that contain them.
const FORMER: [(&str, &str); 13] = [
    ("target_speed.grip_share", "target_speed.grip_fraction"),
    ("target_speed.yaw_rate_share", "target_speed.yaw_rate_fraction"),
    ("limit.course_share", "limit.course_fraction"),
    ("limit.braking_share", "limit.braking_fraction"),
    ("limit.full_brake_share", "limit.full_brake_fraction"),
    ("limit.inputs_share", "limit.inputs_fraction"),
    ("bonuses.range_m", "pick_ups.range_m"),
    ("bonuses.max_offset_m", "pick_ups.max_offset_m"),
    ("bonuses.max_curvature_radpm", "pick_ups.max_curvature_radpm"),
    ("slip_control.least_mps", "slip_control.min_mps"),
    ("gearbox.up_share", "gearbox.up_fraction"),
    ("gearbox.down_share", "gearbox.down_fraction"),
    ("gearbox.start_share", "gearbox.start_fraction"),
];

/// The present key of an option for a former one, such as `target_speed.grip_fraction` for
/// `target_speed.grip_share`; any other key is returned as it is. Every function of this crate that
/// takes a key does this itself.
pub fn current_key(key: &str) -> &str {
    FORMER.iter().find(|(former, _)| *former == key).map_or(key, |(_, present)| present)
}

/// The former key of an option, if it had one.
pub(crate) fn former_key(present: &str) -> Option<&'static str> {
    FORMER.iter().find(|(_, other)| *other == present).map(|(former, _)| *former)
}
