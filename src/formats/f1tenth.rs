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
