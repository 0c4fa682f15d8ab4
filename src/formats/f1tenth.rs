//! F1TENTH waypoints: x, y, yaw, speed, comma-separated after one comment line. Yaw is 0 along +x,
//! as in ROS.

use super::lap_points::lap_points;
use super::number::{fixed, push_row};
use super::{FormatError, FormatOptions};
use crate::RacingLine;

pub(super) fn write(line: &RacingLine, options: &FormatOptions) -> Result<Vec<u8>, FormatError> {
    let mut text = "# x_m, y_m, yaw_rad, speed_mps\n".to_owned();
    for point in lap_points(line, options) {
        let cells = [fixed(point.x_m, 4), fixed(point.y_m, 4), fixed(point.heading_rad, 6), fixed(point.speed_mps, 4)];
        push_row(&mut text, ", ", &cells);
    }
    Ok(text.into_bytes())
}

/// Waypoints as f1tenth_planning's controllers take them: x, y, speed, heading and curvature.
pub(super) fn write_planning(line: &RacingLine, options: &FormatOptions) -> Result<Vec<u8>, FormatError> {
    let mut text = "# x_m; y_m; vx_mps; psi_rad; kappa_radpm\n".to_owned();
    for point in lap_points(line, options) {
        let cells = [
            fixed(point.x_m, 5),
            fixed(point.y_m, 5),
            fixed(point.speed_mps, 4),
            fixed(point.heading_rad, 7),
            fixed(point.curvature_radpm, 7),
        ];
        push_row(&mut text, "; ", &cells);
    }
    Ok(text.into_bytes())
}
