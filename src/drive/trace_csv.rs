//! The trace of a drive as CSV (RFC 4180, with line feeds): one row per frame.

use std::fmt::Write;

use super::trace::{TraceRow, state_name};
use crate::file::round_to;

/// The names of the columns in order; [`TraceRow`] documents them.
const HEADER: &str = "time_s,lap,s_m,x_m,y_m,heading_rad,forward_mps,leftward_mps,yaw_rate_radps,steering_rad,pedal,\
                      wanted_steering_rad,target_speed_mps,profile_speed_mps,cross_track_error_m,room_m,state\n";

/// The CSV of `rows`: angles to 1e-6 rad, everything else to 1e-4 of its unit.
#[must_use]
pub fn write(rows: &[TraceRow]) -> String {
    let mut text = String::from(HEADER);
    for row in rows {
        let [time, s, x, y, forward, leftward, pedal, target, profile, error, room] = [
            row.time_s,
            row.s_m,
            row.x_m,
            row.y_m,
            row.forward_mps,
            row.leftward_mps,
            row.pedal,
            row.target_speed_mps,
            row.profile_speed_mps,
            row.cross_track_error_m,
            row.room_m,
        ]
        .map(|value| round_to(value, 4));
        let [heading, yaw_rate, steering, wanted] =
            [row.heading_rad, row.yaw_rate_radps, row.steering_rad, row.wanted_steering_rad]
                .map(|value| round_to(value, 6));
        let (lap, state) = (row.lap, state_name(row.state));
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "{time},{lap},{s},{x},{y},{heading},{forward},{leftward},{yaw_rate},{steering},{pedal},{wanted},{target},\
             {profile},{error},{room},{state}"
        );
    }
    text
}
